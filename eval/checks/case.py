"""What an answer is held against: the instance as shown, its truth, the courses of plans.

A course is what becomes of a plan that is the one answer to the snapshot. How often a tool will
still fail cannot be known from the snapshot, so a plan that does not reach the goal under the
scheduled faults is also carried on in a calm environment, where no further fault comes; the
better of the two counts (our own definition).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from diagnosis.edits import apply_edits
from diagnosis.trial import once
from environment import opening
from environment.executor import Environment, Start, execute
from environment.faults import is_of_a_fault
from environment.goal import missing
from environment.ledger import Ledger
from environment.replay import Replay
from environment.simulation import Simulation
from environment.worlds import world
from eval import derive
from eval.metrics import passes
from eval.results import Row
from models.reading import read_answer
from trajectory import canonical
from trajectory.graph import topology
from trajectory.instance import Instance
from trajectory.plan import Plan, read_plan
from trajectory.tools import Catalogue, read_tools


@dataclass(frozen=True)
class Course:
    """How a plan went: whether it answered, rounds in all, what ran, and the state at the end."""

    completed: bool
    rounds: int
    plan: Plan
    ledger: Ledger
    state: str


@dataclass(frozen=True)
class Case(derive.Case):
    """An instance with all that several rules ask of it; made once for all its answers."""

    @property
    def plan(self) -> Plan:
        """The plan as it was shown."""
        return self.start.snapshot.plan

    @property
    def ledger(self) -> Ledger:
        """What had run when it was shown."""
        return self.start.ledger

    @cached_property
    def catalogue(self) -> Catalogue:
        """The tools as they were shown."""
        return read_tools(self.instance.tools)

    @cached_property
    def effectful(self) -> frozenset[str]:
        """The tools that change something; none where results are only recorded."""
        worlds = (self.instance.environment or {}).get("worlds", ())
        tools = (tool for name in worlds for tool in world(name).tools.values())
        return frozenset(tool.name for tool in tools if tool.has_effect)

    @cached_property
    def gold(self) -> Plan:
        """The right plan; its nodes have the ids that their purposes have in the shown one."""
        return read_plan(self.instance.gold_plan)

    @cached_property
    def known(self) -> bool:
        """Whether there is a proven truth to hold an answer against."""
        one = self.instance
        proven = one.proof in ("full", "structural") and bool(one.goal) and bool(one.gold_plan)
        told = all(error.get("root_cause") for error in one.errors or ())
        return proven and told and bool(one.repairs or not one.error_types)

    @property
    def errors(self) -> Sequence[Mapping[str, Any]]:
        """The errors of the instance, none for a control."""
        errors: Sequence[Mapping[str, Any]] = self.instance.errors or ()
        return errors

    @cached_property
    def roots(self) -> frozenset[str]:
        """The root-cause nodes."""
        return frozenset(error["root_cause"] for error in self.errors)

    @cached_property
    def repaired(self) -> tuple[Plan, ...]:
        """The plan after each listed repair; for a control the plan itself."""
        repairs = self.instance.repairs or ((),)
        return tuple(apply_edits(self.plan, edits) for edits in repairs)

    @cached_property
    def right(self) -> Course:
        """The course of the first repair."""
        return self._carried(self.repaired[0], self.instance)

    @cached_property
    def affected(self) -> frozenset[str]:
        """Every node that an error reaches: affected now, affected later, delayed."""
        return self._named("affected_now") | self._named("affected_later") | self._named("delayed")

    def _named(self, field: str) -> frozenset[str]:
        return frozenset(node for error in self.errors for node in error.get(field) or ())

    @cached_property
    def reached_later(self) -> frozenset[str]:
        """The nodes an answer is to name: affected later, else delayed; root causes left out."""
        return (self._named("affected_later") - self.roots) or (self._named("delayed") - self.roots)

    @cached_property
    def below(self) -> Mapping[str, frozenset[str]]:
        """Node → the nodes of the shown plan that wait for it, directly or not."""
        found = topology(self.plan)
        above = {node.id: found.ancestors(node.id) for node in self.plan}
        return {
            id: frozenset(node for node, ancestors in above.items() if id in ancestors)
            for id in above
        }

    def outcome(self, node: str) -> str | None:
        """Return how the last attempt of a node went, None where it has not run."""
        last = self.ledger.last(node)
        return None if last is None else last.outcome

    # --- courses ---------------------------------------------------------------------------------

    def courses(self, plan: Plan, row: Row | None = None) -> list[Course]:
        """Return the courses of a plan, under the scheduled faults and, where asked for, calm.

        row: what was recorded of it; used where nobody answered again, instead of executing.
        """
        first = _recorded(row, plan, self.start) or self._carried(plan, self.instance)
        if self.reaches(first) or self._calm is self.instance:
            return [first]
        return [first, self._carried(plan, self._calm)]

    def reaches(self, course: Course) -> bool:
        """Say whether a course answered with the goal reached."""
        goal = self.instance.goal
        return (
            course.completed
            and course.state == goal["state"]
            and not missing(goal, course.plan, course.ledger)
        )

    def _carried(self, plan: Plan, instance: Instance) -> Course:
        environment = self._fresh(instance)
        run = execute(self.start, once(plan), environment)
        return Course(
            run.completed, run.total_rounds, run.plan, run.ledger, environment.digest() or ""
        )

    def _fresh(self, instance: Instance) -> Environment:
        """Return an environment as it stood at the snapshot; it is made once and copied."""
        if instance is not self.instance:
            return opening.environment(instance, self.start)
        place = self._place
        return place.fork() if isinstance(place, Simulation | Replay) else place

    @cached_property
    def _place(self) -> Environment:
        return opening.environment(self.instance, self.start)

    @cached_property
    def _calm(self) -> Instance:
        """The instance without what its faults would still do."""
        faults = [self._spent(fault) for fault in self.instance.faults or ()]
        left = [fault for fault in faults if fault["length"] > 0]
        if canonical.same(left, list(self.instance.faults or ())):
            return self.instance
        return replace(self.instance, faults=left)

    def _spent(self, fault: Mapping[str, Any]) -> dict[str, Any]:
        """Return a fault cut to the try-rounds that it has answered; only one tool meets it."""
        rounds = {
            entry.round
            for entry in self.ledger
            if entry.tool == fault["tool"] and is_of_a_fault(entry.result)
        }
        return {**fault, "length": min(fault["length"], len(rounds))}


def _recorded(row: Row | None, plan: Plan, start: Start) -> Course | None:
    """Read the course of an answer off its row; None where it tells none, or another answer's."""
    if row is None or not row.rounds or row.state is None:
        return None
    later = [one.get("answer") for one in row.rounds[1:]]
    if any(text is not None and read_answer(text).plan is not None for text in later):
        return None
    ledger = Ledger(start.ledger)
    for one in row.rounds:
        for call in one["calls"]:
            ledger.record(
                call.get("node") or "",
                call["name"],
                call.get("arguments"),
                one["round"],
                call.get("results"),
            )
    rounds = start.rounds + len(row.rounds)
    return Course(passes(row.rounds[-1]["response"], rounds), rounds, plan, ledger, row.state)
