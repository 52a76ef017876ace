"""Filling quotas with rollouts: tasks are played by all planners, the snapshots wanted are proven.

Tasks come in batches of one size; a batch knows what is still wanted as it begins, and what it
gives is taken in the order of its tasks. So the instances don't depend on how many processes make
them.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from build.curation import Decisions, curated
from build.gold import Gold
from build.keeping import Kept
from build.points import Flaw
from build.rollouts.asked import Asked
from build.rollouts.candidates import MOST_ERRORS, candidate
from build.rollouts.desk import COSTS
from build.rollouts.loop import Shot, played
from build.rollouts.marginals import Quotas
from build.rollouts.planners import TEMPERS, Scripted, Task
from build.rollouts.renumbering import renumbered
from build.sizes import suits
from build.stages import stage_of
from build.wishes import wish_of
from environment.faults import Fault, Kind
from environment.world import generator
from models.client import Model
from trajectory import canonical
from trajectory.error_types import ErrorType
from trajectory.instance import Instance, look

MOST_OF_A_TASK: Final = 14
SCRIPTED: Final = "scripted:"
MODEL: Final = "model:"

_BATCH: Final = 32
# Instances that a task gives each time it is played, and candidates that are examined for them.
_GIVEN: Final = 2
_EXAMINED: Final = 6
# How often the same tasks are played, each time anew.
PASSES: Final = 6

_OUTAGE: Final = 0.45
_KINDS: Final[Mapping[Kind, int]] = {"timeout": 6, "null": 2, "empty_text": 1, "empty_list": 1}
_LENGTHS: Final = {1: 7, 2: 2, 3: 1}
_FIRSTS: Final = {1: 4, 2: 1}


class Chance(NamedTuple):
    """A snapshot that may become an instance: who made it, under which faults, of which level."""

    shot: Shot
    agent: str
    faults: tuple[Fault, ...]
    level: int

    @property
    def types(self) -> list[ErrorType]:
        """The types of its errors, as its planner knows."""
        return [slip.type for slip in self.shot.slips or ()]


class Given(NamedTuple):
    """What a task gave: instances, and the candidates that were dropped."""

    instances: list[Instance]
    dropped: list[Flaw]


@dataclass
class Filling:
    """What is made so far: instances in order, dropped candidates by point and reason.

    taken: instances in order, those that reviewers turned down among them, so that a decision
        about one changes nothing about the others. turned_down: their places. ends: how many were
        taken after each play of a task. decisions: of reviewers, by look.
    """

    quotas: Quotas
    taken: list[Instance] = field(default_factory=list)
    turned_down: set[int] = field(default_factory=set)
    dropped: Counter[tuple[int, str]] = field(default_factory=Counter)
    ends: list[int] = field(default_factory=list)
    looks: set[str] = field(default_factory=set)
    decisions: Decisions = field(default_factory=dict)
    _given_back: int = 0

    @property
    def instances(self) -> list[Instance]:
        """The instances that stay."""
        return self._staying(self.taken)

    def numbered(self, mark: str = "") -> list[Instance]:
        """Return the instances that stay, with ids; one that was turned down keeps its own."""
        return self._staying(numbered(self.taken, mark))

    def _staying(self, taken: Sequence[Instance]) -> list[Instance]:
        return [one for place, one in enumerate(taken) if place not in self.turned_down]

    def take(self, given: Given) -> None:
        """Take in what is still wanted of what a task gave, and looks like nothing taken."""
        self.dropped.update((flaw.point, flaw.why) for flaw in given.dropped)
        for instance in given.instances:
            if look(instance) in self.looks or not self.quotas.take(instance):
                continue
            one = curated(instance, self.decisions)
            if one is None:
                self.dropped[0, "turned down by a reviewer"] += 1
                self.turned_down.add(len(self.taken))
            self.looks.add(look(instance))
            self.taken.append(one or instance)
        self.ends.append(len(self.taken))

    def give_back(self) -> bool:
        """Want anew what was taken and turned down; returns whether there was any."""
        places = sorted(place for place in self.turned_down if place >= self._given_back)
        for place in places:
            self.quotas.give_back(self.taken[place])
        self._given_back = len(self.taken)
        return bool(places)


def numbered(instances: Iterable[Instance], mark: str = "") -> list[Instance]:
    """Return instances with their ids, numbered by level in their order, the mark before."""
    times: Counter[int] = Counter()
    named = []
    for one in instances:
        times[one.level] += 1
        named.append(replace(one, id=f"L{one.level}-rol-{mark}{times[one.level]:06}"))
    return named


class Plays(NamedTuple):
    """How tasks are played: by whom, how often, with reviewers' decisions and earlier batches."""

    names: Sequence[str] = tuple(TEMPERS)
    passes: int = PASSES
    decisions: Decisions = MappingProxyType({})
    kept: Kept = Kept()


_PLAYS: Final = Plays()


def fillings(
    golds: Iterable[Gold],
    quotas: Quotas,
    seed: int,
    processes: int,
    had: Mapping[str, int] | None = None,
    plays: Plays = _PLAYS,
) -> Iterator[Filling]:
    """Fill quotas batch by batch; yields what is made so far until nothing more is wanted.

    had: how many instances a task has already, by its id. Fewer come out where the tasks don't
    give them.
    """
    filling, counts = Filling(quotas, decisions=plays.decisions), Counter(had or {})
    with ProcessPoolExecutor(processes) as pool:
        for place, (number, batch) in enumerate(_batches(golds, plays.passes)):
            play = partial(played_for, quotas.copy(), seed, number, plays.names)
            rooms = [MOST_OF_A_TASK - counts[gold.id] for gold in batch]
            before = len(filling.taken)
            make = partial(_listed, pool, play, batch, rooms)
            for given in plays.kept.of(f"rollouts-{place:04}", make):
                filling.take(given)
            counts.update(one.query_id for one in filling.taken[before:])
            yield filling
            if quotas.filled and not filling.give_back():
                return


def _listed(
    pool: Executor,
    play: Callable[[Gold, int], Given],
    golds: Sequence[Gold],
    rooms: Sequence[int],
) -> list[Given]:
    return list(pool.map(play, golds, rooms))


def _batches(golds: Iterable[Gold], passes: int) -> Iterator[tuple[int, list[Gold]]]:
    """Yield the tasks in batches, and all over again: with the number of the pass."""
    kept: list[Gold] = []
    source = iter(golds)
    while batch := list(islice(source, _BATCH)):
        kept += batch
        yield 0, batch
    for number in range(1, passes):
        for start in range(0, len(kept), _BATCH):
            yield number, kept[start : start + _BATCH]


def played_for(
    quotas: Quotas, seed: int, number: int, names: Sequence[str], gold: Gold, room: int
) -> Given:
    """Play a task with all planners, and prove what is wanted most of the snapshots."""
    given, stage = Given([], []), stage_of(gold)
    # What this task takes off says nothing to the others of its batch.
    quotas = quotas.copy()
    every = (one for name in names for one in _chances(gold, name, seed, number))
    chances = [one for one in every if suits(gold, one.types, f"{number} {one.agent}")]
    examined = 0
    while chances and len(given.instances) < min(_GIVEN, room) and examined < _EXAMINED:
        best = max(chances, key=lambda one: _need(quotas, one))
        if not _need(quotas, best):
            break
        chances.remove(best)
        examined += 1
        shot = renumbered(best.shot, stage.environment(best.faults))
        made = candidate(stage, shot, best.faults, best.agent)
        if isinstance(made, Flaw):
            given.dropped.append(made)
        elif quotas.take(made):
            given.instances.append(made)
            chances = [one for one in chances if one.shot.slips != best.shot.slips]
    return given


def _need(quotas: Quotas, chance: Chance) -> float:
    return quotas.need(chance.level, chance.types, chance.shot.snapshot.rounds, chance.agent)


def _chances(gold: Gold, name: str, seed: int, number: int) -> Iterator[Chance]:
    """Let a planner play a task, and yield its snapshots that hold errors."""
    rng = generator(seed, "rollout", gold.id, name, str(number))
    faults = outages(gold, rng)
    task = Task(gold.query, gold.tools, wish_of(gold))
    player = Scripted(TEMPERS[name], task, rng)
    for shot in played(player, stage_of(gold).environment(faults)):
        level = level_by_log(shot)
        if level is not None:
            yield Chance(shot, f"{SCRIPTED}{name}", faults, level)


def asked_for(model: Model, gold: Gold, seed: int) -> Given:
    """Let a model play a task, and prove what its snapshots hold; no errors twice."""
    given, stage, agent = Given([], []), stage_of(gold), f"{MODEL}{model.name}"
    faults = outages(gold, generator(seed, "rollout", gold.id, agent))
    player = Asked(model.answer, gold.query, gold.tools)
    known: set[str] = set()
    for shot in played(player, stage.environment(faults)):
        made = candidate(stage, renumbered(shot, stage.environment(faults)), faults, agent)
        if isinstance(made, Flaw):
            given.dropped.append(made)
        elif (errors := canonical.dumps([_named(error) for error in made.errors])) not in known:
            known.add(errors)
            given.instances.append(made)
    return given


def _named(error: Mapping[str, Any]) -> list[Any]:
    return [error["type"], error["root_cause"], error["observed"]]


def outages(gold: Gold, rng: random.Random) -> tuple[Fault, ...]:
    """Draw whether a tool of a task fails to answer, when, for how long and how."""
    if rng.random() >= _OUTAGE:
        return ()
    times = Counter(node.name or "" for node in gold.plan if node.is_call)
    # A fault that several calls meet at once is none that an instance may have.
    alone = sorted(tool for tool, count in times.items() if count == 1)
    tool = rng.choice(alone or sorted(times))
    first, length = (rng.choices(list(n), list(n.values()))[0] for n in (_FIRSTS, _LENGTHS))
    kind = rng.choices(list(_KINDS), list(_KINDS.values()))[0]
    return (Fault(tool, first, length, kind),)


def level_by_log(shot: Shot) -> int | None:
    """Return the level that a snapshot has as its planner knows; None where it is no candidate."""
    slips, now = shot.slips or (), shot.snapshot.rounds
    if not 1 <= len(slips) <= MOST_ERRORS:
        return None
    rounds = (*shot.snapshot.history, shot.snapshot.tool_results)
    ran = {call.node: place for place, calls in enumerate(rounds, start=1) for call in calls}
    # What only costs calls or rounds is over once it has cost them.
    if any(slip.type in COSTS and slip.node in ran for slip in slips):
        return None
    if len(slips) > 1:
        return 2
    first = ran.get(slips[0].node, now)
    if first == now:
        return 1
    below = _below(shot, slips[0].node)
    return 2 if any(ran.get(node, 0) > first for node in below) else None


def _below(shot: Shot, node: str) -> set[str]:
    """Return the calls that wait for a node, directly or not."""
    below, grown = {node}, True
    while grown:
        more = {one.id for one in shot.snapshot.plan if below & {*one.dep}} - below
        below |= more
        grown = bool(more)
    return below - {node}
