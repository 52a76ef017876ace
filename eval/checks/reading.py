"""A text read beside what was shown: its clauses, and which nodes a word is about."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from eval.checks import lexicon
from eval.checks.case import Case
from eval.checks.mentions import Mention, Span, Text
from eval.checks.shown import Shown

Held = Literal["right", "wrong", "invented"]


@dataclass(frozen=True)
class Claim:
    """One statement: where it stands in the text, what it is about, and whether it holds.

    items: the items that it counts for, of D1 and D2; () where it is of the request alone.
    about: what tells two claims apart that say different things.
    """

    start: int
    end: int
    kind: str
    verdict: Held
    items: tuple[str, ...]
    about: str


@dataclass(frozen=True)
class Reading:
    """A text read beside what was shown."""

    text: Text
    shown: Shown

    @property
    def case(self) -> Case:
        """The instance."""
        return self.shown.case

    @cached_property
    def clauses(self) -> list[tuple[Span, Span, bool]]:
        """(sentence, clause, whether it tells of what the answer does) in order."""
        found = []
        for sentence in self.text.sentences:
            before = False
            for clause in self.text.clauses(sentence):
                part = self.text.part(clause)
                bare = bool(lexicon.BARE.match(part))
                before = bool(lexicon.INTENT.search(part)) or bare
                found.append((sentence, clause, before))
        return found

    def is_about_calls(self, sentence: Span) -> bool:
        """Say whether a sentence, or the one before it, names a node or a tool."""
        index = self.text.sentences.index(sentence)
        spans = self.text.sentences[max(0, index - 1) : index + 1]
        named = (*self.text.nodes, *self.text.tools)
        return any(span.start <= one.start < span.end for span in spans for one in named)

    def is_intent(self, place: int) -> bool:
        """Say whether the clause at a place tells of what the answer does."""
        return any(intent for _, one, intent in self.clauses if one.start <= place < one.end)

    def subjects(
        self, sentence: Span, clause: Span, place: int, *, near: bool = False
    ) -> list[str]:
        """Return the nodes that a word at a place is about: the nearest before it, else behind.

        In the clause before the sentence; near: in the clause alone. A node that is named by its
        tool alone is one of those that call it: see `one_of`.
        """
        for span in (clause,) if near else (clause, sentence):
            nodes = self.text.within(self.text.nodes, span)
            tools = self.text.within(self.text.tools, span)
            before = [one for one in nodes if one.end <= place]
            if before:
                return list(before[-1].names)
            called = self._called([one for one in tools if one.end <= place][-1:])
            if called:
                return called
            if span == clause and nodes:
                return list(nodes[0].names)
            if span == clause and (called := self._called(tools[:1])):
                return called
        return []

    def _called(self, tools: Sequence[Mention]) -> list[str]:
        return [id for one in tools for id in self.text.known.callers.get(one.name, ())]

    def one_of(self, ids: Sequence[str]) -> bool:
        """Say whether nodes are all that call one tool, and so may be meant as one of them."""
        return len(ids) > 1 and any(
            tuple(ids) == callers for callers in self.text.known.callers.values()
        )
