"""What a change is made of: an instance, its truth, a speaker, and dice that fall alike."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from diagnosis.edits import apply_edits
from environment.ledger import Ledger
from eval.planted.sentences import SENTENCES
from eval.telling import VOICES, Facts, facts
from eval.telling.voice import Voice
from models.reading import Diagnosis
from trajectory import canonical
from trajectory.graph import topology
from trajectory.instance import Instance
from trajectory.plan import Node, Plan, read_plan
from trajectory.tools import Catalogue, read_tools

T = TypeVar("T")


class NoPlaceError(Exception):
    """A change has no place in an instance."""


@dataclass(frozen=True)
class Told:
    """What an answer says: thought, diagnosis, plan."""

    thought: str
    diagnosis: tuple[Diagnosis, ...]
    plan: Plan


@dataclass(frozen=True)
class Scene:
    """An instance, told in one language by one voice; number: tells its dice from others."""

    instance: Instance
    language: str
    voice_number: int
    number: str

    @cached_property
    def facts(self) -> Facts:
        """What is true of it."""
        return facts(self.instance)

    @property
    def voice(self) -> Voice:
        """Who speaks."""
        return VOICES[self.language][self.voice_number]

    @cached_property
    def dice(self) -> random.Random:
        """The dice."""
        return random.Random(canonical.text_digest(f"planted {self.instance.id} {self.number}"))

    @cached_property
    def shown(self) -> Plan:
        """The plan as it was shown."""
        return read_plan(self.instance.plan)

    @cached_property
    def mended(self) -> Plan:
        """The plan after the first listed repair."""
        return apply_edits(self.shown, self.instance.repairs[0])

    @cached_property
    def catalogue(self) -> Catalogue:
        """The tools."""
        return read_tools(self.instance.tools)

    @property
    def ledger(self) -> Ledger:
        """What has run."""
        return self.facts.ledger

    @cached_property
    def roots(self) -> frozenset[str]:
        """The root-cause nodes."""
        return frozenset(error["root_cause"] for error in self.instance.errors)

    @cached_property
    def affected(self) -> frozenset[str]:
        """Every node that an error reaches."""
        fields = ("affected_now", "affected_later", "delayed")
        return frozenset(id for one in self.instance.errors for part in fields for id in one[part])

    @cached_property
    def calls(self) -> list[Node]:
        """The calls of the shown plan."""
        return [node for node in self.shown if node.is_call]

    @cached_property
    def pending(self) -> list[Node]:
        """The calls of the mended plan that have never run."""
        return [node for node in self.mended if node.is_call and node.id not in self.ledger]

    @cached_property
    def bystanders(self) -> list[Node]:
        """The calls of the shown plan that no error touches."""
        touched = self.roots | self.affected
        return [node for node in self.calls if node.id not in touched]

    @cached_property
    def diagnosis(self) -> tuple[Diagnosis, ...]:
        """The true diagnosis."""
        return tuple(Diagnosis(one["root_cause"], one["type"]) for one in self.instance.errors)

    def pick(self, things: Sequence[T]) -> T:
        """Draw one of some things; raises NoPlaceError where there are none."""
        if not things:
            raise NoPlaceError
        return things[self.dice.randrange(len(things))]

    def say(self, name: str, **fields: str) -> str:
        """Return one of the sentences of a name."""
        return self.pick(SENTENCES[self.language][name]).format(**fields)

    def node(self, id: str) -> str:
        """Return what the speaker calls a node."""
        return self.voice.many([id])

    def truth(self) -> str:
        """Return the whole truth in words."""
        return self.joined([*self.grounds(), *self.steps()])

    def grounds(self) -> list[str]:
        """Return all but the repair."""
        said = [*self.seen(), *self.voice.causes(self.facts), self.voice.reach(self.facts)]
        return [*said, self.voice.weighed]

    def seen(self) -> list[str]:
        """Return what is said of plan and results alone."""
        return [self.voice.context(self.facts), self.voice.evidence(self.facts)]

    def steps(self) -> list[str]:
        """Return the repair."""
        return self.voice.steps(self.facts)

    def joined(self, parts: Sequence[str]) -> str:
        """Return sentences as one text."""
        return self.voice.joined(parts)

    def told(self, parts: Sequence[str] | None = None, plan: Plan | None = None) -> Told:
        """Return an answer with the true diagnosis; None: what is true."""
        thought = self.truth() if parts is None else self.joined(parts)
        return Told(thought, self.diagnosis, plan or self.mended)

    def is_before(self, one: str, other: str) -> bool:
        """Say whether a node of the mended plan waits, directly or not, for another."""
        return other in topology(self.mended).ancestors(one)
