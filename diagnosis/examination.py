"""An examination: what is wrong with a trajectory at a snapshot, what it reaches, what mends it.

Everything is worked out from the gold plan, the snapshot, the tools and executions; how an
error came about is not known here. The build makes instances of it, and the proof examines
what an instance claims in the same way.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from diagnosis.courses import Courses, Run
from diagnosis.edits import Edit
from diagnosis.evidence import Sight, evidence
from diagnosis.foresight import Foresight
from diagnosis.labels import Case, Label, labels
from diagnosis.mending import compensations, new_ids, retries
from diagnosis.repairs import MOST_EDITS, MOST_REPAIRS, Found, search, single_edits
from diagnosis.trial import Branching, Trial
from environment.executor import Execution, Start
from environment.faults import Fault, is_of_a_fault
from environment.ledger import Ledger
from environment.world import WorldTool
from trajectory import canonical
from trajectory.error_types import CATEGORY
from trajectory.plan import RESPONSE, Plan
from trajectory.tools import Catalogue


@dataclass(frozen=True)
class Examination:
    """A trajectory at a snapshot, and all that is needed to tell what is wrong with it.

    query, catalogue: what a model sees besides the plan and the results. tools: what the listed
    tools are, by name. gold, gold_run, goal: the right plan, its run, what it must reach.
    purposes: node of the snapshot → node of the gold plan; without an entry its own id.
    start: the snapshot with its ledger. environment: as it stands there. faults: scheduled ones.
    run: carries a plan on from its very start, under given faults.
    """

    query: str
    catalogue: Catalogue
    tools: Mapping[str, WorldTool]
    gold: Plan
    gold_run: Execution
    goal: Mapping[str, Any]
    purposes: Mapping[str, str]
    start: Start
    environment: Branching
    faults: tuple[Fault, ...]
    run: Run

    @cached_property
    def case(self) -> Case:
        """What the labels are read from."""
        results = {entry.node: entry.result for entry in self.gold_run.ledger}
        plan, ledger = self.start.snapshot.plan, self.start.ledger
        return Case(self.gold, plan, self.purposes, self.catalogue, ledger, results)

    @cached_property
    def labels(self) -> list[Label]:
        """The errors of the snapshot."""
        return labels(self.case)

    @cached_property
    def courses(self) -> Courses:
        """The runs of the plan with all, one and none of its errors."""
        return Courses(self.case, self.labels, self.faults, self.start.rounds, self.run)

    @cached_property
    def edits(self) -> list[Edit]:
        """The difference to gold: edits of the plan, and further attempts of calls."""
        again = retries(self.case, self.labels, self.faults, self.environment.tried)
        return [*(edit for edit in self.courses.edits if not self._comes_late(edit)), *again]

    def _comes_late(self, edit: Edit) -> bool:
        """Say whether a call is to be taken out that has run: what is done stays done."""
        return edit["op"] == "remove_node" and edit["node"] in self.start.ledger

    @cached_property
    def undone(self) -> list[Edit]:
        """The calls that take wrong effects back.

        Raises IrreversibleError where no listed tool does.
        """
        ids = new_ids(self.case)
        taken = {edit["new"] for edit in self.edits if edit["op"] == "retry"}
        free = (id for id in ids if id not in taken)
        return compensations(self.case, self.labels, self.gold_run.ledger, self.tools, free)

    @cached_property
    def trial(self) -> Trial:
        """Executions from the snapshot on."""
        foresight = Foresight(self.start, self.goal, self.catalogue)
        return Trial(self.start, self.environment, self.goal, foresight)

    @cached_property
    def found(self) -> Found | None:
        """What the search for repairs found; None where the difference is too large for one.

        Where a wrong effect stands in the way of the right call, taking it back comes first:
        then what is to run again waits for it.
        """
        if len(self.edits) + len(self.undone) > MOST_EDITS:
            return None
        found = search(self.trial, [*self.edits, *self.undone], self._single())
        if found.optimum is None and self.undone:
            edits = [*self.edits, *_first(self.undone, self.edits)]
            found = search(self.trial, edits, self._single())
        return found

    def _single(self) -> Iterator[Edit]:
        ran = frozenset(entry.node for entry in self.start.ledger)
        single = single_edits(self.start.snapshot.plan, self.catalogue, ran)
        return (edit for edit in single if not self._only_has_made_again(edit))

    def _only_has_made_again(self, edit: Edit) -> bool:
        """Say whether an edit drops an argument of a call to which a fault answered.

        The argument was not what was wrong: to make the call again there are retries.
        """
        last = self.start.ledger.last(edit["node"])
        return edit["op"] == "remove_argument" and last is not None and is_of_a_fault(last.result)

    @cached_property
    def repairs(self) -> list[list[Edit]]:
        """All minimal repairs, at most `MOST_REPAIRS`; each edit names the errors it mends."""
        if self.found is None:
            return []
        every = [number for number, _ in enumerate(self.labels)]
        repairs: list[list[Edit]] = [[{**edit, "errors": every}] for edit in self.found.single]
        repairs += map(list, self.found.repairs)
        return sorted(repairs, key=len)[:MOST_REPAIRS]

    @cached_property
    def errors(self) -> list[dict[str, Any]]:
        """The errors as an instance holds them."""
        return [self._error(number) for number in range(len(self.labels))]

    def _error(self, number: int) -> dict[str, Any]:
        label = self.labels[number]
        reach, alone = self.courses.reach(number)
        ledger = self.start.ledger
        first = ledger.attempts(label.root_cause)
        seen = {node for node in reach.now if _shows(ledger, alone.ledger, node)}
        return {
            "type": label.type.value,
            "category": CATEGORY[label.type],
            "round": first[0].round if first else None,
            "root_cause": label.root_cause,
            "field": label.field,
            "parameter": label.parameter,
            "observed": label.observed,
            "expected": label.expected,
            "affected_now": list(reach.now),
            "affected_later": list(reach.later),
            "delayed": list(reach.delayed),
            "visible": visible(ledger, label.root_cause, seen),
            "evidence": evidence(Sight(self.query, self.case, self.tools, seen), label),
        }


def _shows(ledger: Ledger, alone: Ledger, node: str) -> bool:
    """Say whether a node shows an error as the error alone would let it.

    A failure has to be the very same: where another error came first, it tells of that one.
    """
    seen, own = ledger.last(node), alone.last(node)
    if seen is None or own is None or seen.outcome != own.outcome:
        return False
    return seen.outcome == "ok" or canonical.same(seen.result, own.result)


def visible(ledger: Ledger, root_cause: str, shows: Collection[str]) -> str:
    """Say how an error shows; `shows`: the nodes whose results do.

    explicit: by a failing or empty result. drifted: by wrong values in results of later nodes.
    implicit: only reasoning finds it.
    """
    if any(entry.outcome != "ok" for node in shows for entry in ledger.attempts(node)):
        return "explicit"
    return "drifted" if any(node != root_cause for node in shows) else "implicit"


def _first(undone: Sequence[Edit], edits: Sequence[Edit]) -> list[Edit]:
    """Let the calls that other edits change wait for what takes an effect back."""
    redone = sorted({edit["node"] for edit in edits if edit["op"] in _OF_CALLS})
    return [{**edit, "consumers": [*redone, RESPONSE]} for edit in undone]


_OF_CALLS = frozenset(("set_argument", "remove_argument", "set_tool"))
