"""Courses: what a plan does from its very start, with all of its errors, with one, with none.

A trajectory is the run of one plan from scratch. So what each error reaches can be seen by
mending all the others in that plan and running it again (semantics.md, "Affected").
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from diagnosis.affected import Affected, affected
from diagnosis.edits import Edit, apply_edits
from diagnosis.labels import Case, Label
from diagnosis.mending import plan_edits
from environment.executor import Execution
from environment.faults import Fault
from trajectory.descriptions import describe
from trajectory.error_types import ErrorType
from trajectory.plan import ROOT, Node, Plan

Run = Callable[[Plan, tuple[Fault, ...]], Execution]


def from_scratch(plan: Plan) -> Plan:
    """Return a plan as it was before anything ran: all statuses false, no results in descs."""
    return Plan(tuple(_fresh(node) for node in plan), plan.problems)


def _fresh(node: Node) -> Node:
    if not node.is_call:
        return node.change(status=node.id == ROOT)
    return node.change(status=False, desc=describe())


@dataclass(frozen=True)
class Courses:
    """The runs of a plan that are compared.

    case: with the ledger as it stands at the snapshot. labels: the errors of it. faults: all
    that are scheduled. rounds: how many had run at the snapshot. run: carries a plan on.
    """

    case: Case
    labels: Sequence[Label]
    faults: tuple[Fault, ...]
    rounds: int
    run: Run

    @cached_property
    def edits(self) -> list[Edit]:
        """The edits that turn the plan into the gold one."""
        return plan_edits(self.case, self.labels)

    @cached_property
    def right(self) -> Execution:
        """The plan with every error mended."""
        return self._mended(range(len(self.labels)))

    def alone(self, number: int) -> Execution:
        """The plan with this error only."""
        return self._mended(other for other in range(len(self.labels)) if other != number)

    def _mended(self, numbers: Iterable[int]) -> Execution:
        """Run the plan with these errors mended; an edit stays out while it mends another too."""
        mended = {*numbers}
        edits = [edit for edit in (*self.edits, *self._spent) if mended.issuperset(edit["errors"])]
        # A fault that answered several nodes stays while one of these is not mended.
        kept = {self._faulty_tool(one) for n, one in enumerate(self.labels) if n not in mended}
        gone = {self._faulty_tool(self.labels[number]) for number in mended} - kept
        faults = tuple(fault for fault in self.faults if fault.tool not in gone)
        return self.run(from_scratch(apply_edits(from_scratch(self.case.plan), edits)), faults)

    @cached_property
    def _spent(self) -> list[Edit]:
        """The removal of needless calls that have run: no repair, but without them none had run."""
        return [
            {"op": "remove_node", "node": label.root_cause, "errors": [number]}
            for number, label in enumerate(self.labels)
            if label.type == ErrorType.REDUNDANT_CALL and label.root_cause in self.case.ledger
        ]

    def _faulty_tool(self, label: Label) -> str | None:
        """Return the tool whose scheduled fault is the error."""
        if label.type not in (ErrorType.TIMEOUT, ErrorType.NULL):
            return None
        return self.case.plan.by_id[label.root_cause].name

    def reach(self, number: int) -> tuple[Affected, Execution]:
        """Return what an error reaches, and the run with it alone."""
        alone = self.alone(number)
        by_then = {entry.node for entry in alone.ledger if entry.round <= self.rounds}
        ran = {entry.node for entry in self.case.ledger} & by_then
        return affected(self.right, alone, self.case.purposes, ran), alone
