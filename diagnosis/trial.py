"""Trials: what becomes of a trajectory when this is the one answer to its snapshot."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, Self

from diagnosis.edits import EDGES, Edit, EditError, apply_edits, changed_by
from diagnosis.foresight import Foresight
from environment.executor import Environment, Execution, Planner, Start, carry_on, execute
from environment.faults import is_of_a_fault
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
        return FAILED if outcome.reached and _is_retry(run, edits) else outcome

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


def made_again(run: Execution) -> Iterator[tuple[Entry, Entry]]:
    """Yield (before, now) of the calls that failed before the answer and were made as they were."""
    for entry in run.ledger:
        if entry.attempt > 1 and entry.round > run.r_pre:
            before = run.ledger.attempts(entry.node)[entry.attempt - 2]
            if before.outcome != "ok" and _is_same(before, entry):
                yield before, entry


def _is_same(before: Entry, entry: Entry) -> bool:
    return before.tool == entry.tool and canonical.same(before.arguments, entry.arguments)


def _is_retry(run: Execution, edits: Sequence[Edit]) -> bool:
    """Say whether edges alone let a call be made again to which they give nothing new.

    No order of the calls mends what the environment did; other failures are mended by an edge
    to what has run since.
    """
    found = topology(run.plan)
    changed = {node for edit in edits if edit["op"] not in EDGES for node in changed_by(edit)}
    return any(
        changed.isdisjoint((entry.node, *found.ancestors(entry.node)))
        and (is_of_a_fault(before.result) or before.round > _newest(run, entry))
        for before, entry in made_again(run)
    )


def _newest(run: Execution, entry: Entry) -> int:
    """Return the round of the last attempt of what a call waits for."""
    deps = topology(run.plan).deps[entry.node] or ()
    attempts = (one.round for dep in deps for one in run.ledger.attempts(dep))
    return max((round_ for round_ in attempts if round_ < entry.round), default=0)
