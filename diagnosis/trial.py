"""Trials: what becomes of a trajectory when this is the one answer to its snapshot."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, Self

from diagnosis.edits import Edit, EditError, apply_edits
from diagnosis.foresight import Foresight
from environment.executor import Environment, Execution, Planner, Start, carry_on, execute
from environment.goal import reached
from environment.ledger import Entry
from trajectory import canonical
from trajectory.graph import is_valid, topology
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
        """Return how it goes with these edits; what is no repair whatever it gives, fails.

        No repair are edits that make no valid plan, and those by which a call that failed is made
        once more as it was: only a retry does that, never an edge (semantics.md, "Repair").
        """
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
        run, outcome = self.run(plan)
        return FAILED if outcome.reached and any(_made_again(run)) else outcome

    def answered(self, plan: Plan | None) -> Outcome:
        """Return how it goes with this plan as the one answer; None: carried on as it is."""
        return self.run(plan)[1]

    def run(self, plan: Plan | None) -> tuple[Execution, Outcome]:
        """Return the execution with this plan as the one answer as well as how it goes."""
        environment = self.environment.fork()
        run = execute(self.start, carry_on if plan is None else once(plan), environment)
        if not run.completed:
            return run, FAILED
        there = reached(self.goal, run.plan, run.ledger, environment.digest() or "")
        return run, Outcome(there, run.total_rounds, len(run.ledger))


def once(plan: Plan) -> Planner:
    """Return a planner that answers with a plan and then carries on."""
    answers = iter((plan,))
    return lambda _: next(answers, None)


def _made_again(run: Execution) -> Iterator[Entry]:
    """Yield the calls that failed before and were made once more with nothing new to them."""
    deps = topology(run.plan).deps
    for entry in run.ledger:
        if entry.attempt == 1 or entry.round <= run.r_pre:
            continue
        before = run.ledger.attempts(entry.node)[entry.attempt - 2]
        newest = [_newest(run, dep, entry.round) for dep in deps[entry.node] or ()]
        if _is_same(before, entry) and before.round > max(newest, default=0):
            yield entry


def _newest(run: Execution, node: str, before: int) -> int:
    """Return the round of the last attempt of a node before a round."""
    return max((one.round for one in run.ledger.attempts(node) if one.round < before), default=0)


def _is_same(before: Entry, entry: Entry) -> bool:
    return before.tool == entry.tool and canonical.same(before.arguments, entry.arguments)
