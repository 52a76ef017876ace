"""What each call of a plan is for: the plan matched with the gold plan.

A call that is the same as one of the gold plan, with all that it takes, is that call. The others
are assigned so that they are most alike (`diagnosis.likeness`), and then so that the fewest
errors result. What is like nothing that is wanted is needless, and so is what is called a second
time; but a call that is made again after it has failed has the purpose of the call it repeats.
Neither node ids nor the order in which nodes are listed count for anything.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from diagnosis.labels import Case, labels
from diagnosis.likeness import WAITS, Pair, likeness
from diagnosis.sides import Side
from environment.executor import Execution
from environment.ledger import Ledger
from trajectory import canonical
from trajectory.plan import Plan
from trajectory.tools import Catalogue

# Calls that are less alike have not the same purpose. By the place alone, with another tool and
# other arguments, they are as alike as 0.4.
_LEAST: Final = 0.28
# Likeness is assigned in whole numbers of this fineness, so that equal sums are equal.
_FINE: Final = 1_000_000

# Call of the plan → call of the gold plan.
Matched = Mapping[str, str]


def purposes(
    gold: Plan, gold_run: Execution, plan: Plan, ledger: Ledger, catalogue: Catalogue
) -> dict[str, str]:
    """Return node of the plan → node of the gold plan, for each call that is needed.

    ledger: what of the plan has run. A call without an entry is needless, whatever its id.
    """
    return dict(Match(Side(plan, ledger), Side(gold, gold_run.ledger), catalogue).best())


class _Cost(NamedTuple):
    """What is wrong with a matching, the worst first.

    overtaken: needless calls that have not failed, of which a later one that is the same is
    needed. errors: that the plan then holds. unlike: how unlike the matched calls are.
    """

    overtaken: int
    errors: int
    unlike: int


@dataclass(frozen=True)
class Match:
    """Two plans that are matched: one that may hold errors, and the gold plan."""

    plan: Side
    gold: Side
    catalogue: Catalogue

    @cached_property
    def sure(self) -> Matched:
        """Calls that are the same in both plans, and like no other in either."""
        times, wanted = (Counter(side.texts.values()) for side in (self.plan, self.gold))
        by_text = {text: id for id, text in self.gold.texts.items()}
        return {
            id: by_text[text]
            for id, text in self.plan.texts.items()
            if times[text] == wanted[text] == 1
        }

    @cached_property
    def open(self) -> list[str]:
        """The other calls of the plan, in their order."""
        return [id for id in self.plan.order if id not in self.sure]

    @cached_property
    def left(self) -> list[str]:
        """The other calls of the gold plan, in their order."""
        return [id for id in self.gold.order if id not in self.sure.values()]

    @cached_property
    def again(self) -> list[str]:
        """Calls of the gold plan that are sure, but may have further attempts."""
        tried = {
            wanted
            for id, wanted in self.sure.items()
            if any(self._take_turns(id, other) for other in self.open)
        }
        return [id for id in self.gold.order if id in tried]

    @cached_property
    def alike(self) -> Mapping[Pair, float]:
        """How alike the calls are that may have the same purpose."""
        wanted = (*self.left, *self.again)
        pairs = [(id, one) for id in self.open for one in wanted if self._may_be(id, one)]
        return likeness(self.plan, self.gold, self.catalogue, pairs, self.sure.items())

    def _may_be(self, id: str, wanted: str) -> bool:
        """Say whether a call may be for one that is wanted: one that is itself wanted is right."""
        same_tool = self.plan.calls[id].name == self.gold.calls[wanted].name
        return same_tool or self.plan.texts.get(id) not in self.gold.texts.values()

    def best(self) -> Matched:
        """Return the most alike matching, changed as long as that makes it better."""
        found: Matched = {**self.sure, **self._assigned()}
        cost = self._cost(found)
        while cost.errors:
            tried = [(self._cost(other), n, other) for n, other in enumerate(self._changed(found))]
            least = min(tried, default=None)
            if least is None or least[0] >= cost:
                break
            cost, _, found = least
        return found

    def _assigned(self) -> Matched:
        """Take pair after pair: the same calls in their order, then the most alike."""
        found: dict[str, str] = {}
        pairs = [(id, wanted) for id in self.open for wanted in self.left if self._gain(id, wanted)]
        for id, wanted in sorted(pairs, key=self._turn):
            if id not in found and wanted not in found.values():
                found[id] = wanted
        return found

    def _turn(self, pair: Pair) -> int:
        same = self.plan.texts.get(pair[0]) == self.gold.texts[pair[1]]
        return -_FINE if same else -self._gain(*pair)

    def _gain(self, id: str, wanted: str, *, beside: float = 0) -> int:
        """Say by how much two calls are more alike than they must be; beside: what adds to it."""
        return max(0, round((self.alike.get((id, wanted), 0.0) + beside - _LEAST) * _FINE))

    # --- other matchings, and what is wrong with them ------------------------------------------

    def _changed(self, found: Matched) -> Iterator[Matched]:
        """Yield the matchings in which one call more has a purpose, or has another one."""
        for id in self.open:
            for wanted in (*self.left, *self.again):
                if found.get(id) != wanted:
                    holders = [other for other, one in found.items() if one == wanted]
                    if self._is_attempt(id, wanted, holders, is_free=id not in found):
                        yield {**found, id: wanted}
                    if wanted not in self.again and self._gain(id, wanted):
                        yield from _taken(found, id, wanted, holders)

    def _cost(self, found: Matched) -> _Cost:
        unlike = -sum(self._gain(id, found[id]) for id in self.open if id in found)
        return _Cost(self._overtaken(found), self._errors(found), unlike)

    def _overtaken(self, found: Matched) -> int:
        texts, order = self.plan.texts, self.plan.order
        last = {texts.get(id, id): place for place, id in enumerate(order) if id in found}
        return sum(
            last.get(texts.get(id, id), 0) > place
            for place, id in enumerate(order)
            if id not in found and not self.plan.has_failed(id)
        )

    def _errors(self, found: Matched) -> int:
        # No node of the gold plan has such an id.
        marked = {id: found.get(id, f"nothing: {id}") for id in self.plan.calls}
        results = {entry.node: entry.result for entry in self.gold.ledger}
        plan, gold = self.plan, self.gold.plan
        return len(labels(Case(gold, plan.plan, marked, self.catalogue, plan.ledger, results)))

    # --- attempts ---------------------------------------------------------------------------

    def _is_attempt(self, id: str, wanted: str, others: Collection[str], *, is_free: bool) -> bool:
        """Say whether a call is a further attempt, of any two of which the earlier has failed.

        It is the same call as another attempt, or one waits for the other, or nobody takes from
        the earlier any more. is_free: whether it has no purpose so far; if it has one, who waits
        for it may need it for that.
        """
        if not others or not all(self._take_turns(id, other) for other in others):
            return False
        if any(self._are_same(id, other) for other in others):
            return True
        deps = self.plan.found.deps
        linked = any(
            other in (deps[id] or ()) or (is_free and id in (deps[other] or ())) for other in others
        )
        earlier = {id if self._failed(id, other) else other for other in others}
        if not linked and any(self.plan.is_taken(one) for one in earlier):
            return False
        # It waits for the other attempt, in place of what that waits for.
        return self._gain(id, wanted, beside=WAITS if linked else 0) > 0

    def _take_turns(self, one: str, other: str) -> bool:
        return self._failed(one, other) or self._failed(other, one)

    def _failed(self, one: str, other: str) -> bool:
        """Say whether a call had failed before another one was made."""
        mine, its = self.plan.ledger.attempts(one), self.plan.ledger.attempts(other)
        return self.plan.has_failed(one) and (not its or mine[-1].round < its[0].round)

    def _are_same(self, one: str, other: str) -> bool:
        """Say whether two calls are the same, under an invented name too."""
        nodes, values = self.plan.calls, self.plan.values
        names = {nodes[one].name, nodes[other].name}
        if len(names) > 1 and names.issubset(self.catalogue.names):
            return False
        written = canonical.same(nodes[one].para, nodes[other].para)
        return written or canonical.same(values[one], values[other])


def _taken(found: Matched, id: str, wanted: str, holders: Sequence[str]) -> Iterator[Matched]:
    """Yield the matching in which a call takes a purpose, and the one in which two exchange it."""
    others = {other: one for other, one in found.items() if other != id and other not in holders}
    yield {**others, id: wanted}
    if id in found and len(holders) == 1:
        yield {**others, id: wanted, holders[0]: found[id]}
