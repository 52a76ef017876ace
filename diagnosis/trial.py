"""Trials: what becomes of a trajectory when this is the one answer to its snapshot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, Self

from diagnosis.edits import Edit, EditError, apply_edits
from diagnosis.foresight import Foresight
from environment.executor import Environment, Planner, Start, carry_on, execute
from environment.goal import reached
from trajectory.graph import is_valid
from trajectory.plan import Plan


class Branching(Environment, Protocol):
    """An environment of which copies can be made, so that several ways on can be tried."""

    @property
    def tried(self) -> Mapping[str, int]:
        """Tool → in how many rounds so far a call of it was tried (semantics.md, "Faults")."""
        ...

    def fork(self) -> Self:
        """Return an independent copy that stands where this one does."""
        ...


class Outcome(NamedTuple):
    """How an execution went: whether it completed and reached the goal, rounds and calls in all."""

    reached: bool
    rounds: int
    calls: int

    @property
    def cost(self) -> tuple[int, int]:
        """Rounds first, then calls: less is better."""
        return self.rounds, self.calls


FAILED = Outcome(reached=False, rounds=0, calls=0)


@dataclass(frozen=True)
class Trial:
    """A snapshot, where executions start from it, and the goal.

    environment: as it stands at the snapshot; every trial runs in a copy of it. foresight:
    tells of most plans that they reach nothing, so that they need not be run.
    """

    start: Start
    environment: Branching
    goal: Mapping[str, Any]
    foresight: Foresight

    def edited(self, edits: Sequence[Edit]) -> Outcome:
        """Return how it goes with these edits; edits that make no valid plan reach nothing."""
        if not edits:
            return self.answered(None)
        if self.foresight.is_beside(edits):
            return FAILED
        try:
            plan = apply_edits(self.start.snapshot.plan, edits)
        except EditError:
            return FAILED
        if self.foresight.is_hopeless(plan) or not is_valid(plan):
            return FAILED
        return self.answered(plan)

    def answered(self, plan: Plan | None) -> Outcome:
        """Return how it goes with this plan as the one answer; None: carried on as it is."""
        environment = self.environment.fork()
        run = execute(self.start, carry_on if plan is None else once(plan), environment)
        if not run.completed:
            return FAILED
        there = reached(self.goal, run.plan, run.ledger, environment.digest() or "")
        return Outcome(there, run.total_rounds, len(run.ledger))


def once(plan: Plan) -> Planner:
    """Return a planner that answers with a plan and then carries on."""
    answers = iter((plan,))
    return lambda _: next(answers, None)
