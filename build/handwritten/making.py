"""From a task and a problem written by hand to a proven instance: everything is computed."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from build import proof
from build.dataset import CANARY
from build.handwritten.numbering import renumbered, tidy
from build.handwritten.writing import SHOWN, Mistake, Problem, Task
from diagnosis.affected import affected
from diagnosis.edits import Edit, apply_edits
from diagnosis.labels import Case, Label, labels
from environment import worlds
from environment.executor import Execution, Planner, Snapshot, execute, start_of
from environment.goal import make_goal
from environment.ledger import Ledger
from environment.simulation import Setting, Simulation, setting
from environment.world import WorldTool
from trajectory.calls import write_calls
from trajectory.error_types import CATEGORY
from trajectory.files import InputError
from trajectory.instance import Instance
from trajectory.plan import Plan, write_plan
from trajectory.references import follow
from trajectory.tools import Catalogue

EDITION: Final = "2026.1-handwritten"
SEED: Final = 7


@dataclass(frozen=True)
class Making:
    """A problem of a task on its way to an instance."""

    id: str
    task: Task
    problem: Problem

    @cached_property
    def tools(self) -> dict[str, WorldTool]:
        """The listed tools by name."""
        every = worlds.tools(worlds.world_names())
        return {name: every[name] for name in self.task.tool_names}

    @cached_property
    def setting(self) -> Setting:
        """The worlds of the listed tools."""
        return setting({tool.world for tool in self.tools.values()}, SEED)

    @cached_property
    def catalogue(self) -> Catalogue:
        """The tool list."""
        return Catalogue(tuple(tool.declared for tool in self.tools.values()))

    @cached_property
    def gold(self) -> tuple[Execution, str]:
        """The run of the gold plan, and the state at its end."""
        simulation = Simulation(self.setting, self.catalogue)
        run = execute(start_of(Snapshot(self.task.plan, (), ())), lambda _: None, simulation)
        return run, simulation.state.digest()

    @cached_property
    def faulty(self) -> tuple[Execution, Snapshot]:
        """The trajectory carried on to its end, and the snapshot on the way."""
        return self.course(self.problem.mistakes)

    def course(self, mistakes: Sequence[Mistake]) -> tuple[Execution, Snapshot]:
        """Run the trajectory with these of its mistakes."""
        faults = [*self.problem.faults, *(one.fault for one in mistakes if one.fault)]
        simulation = Simulation(self.setting, self.catalogue, faults)
        start = tidy(apply_edits(self.task.plan, _edits(self.problem, mistakes, None)))
        seen: list[Snapshot] = []
        planner = self._planner(mistakes, seen)
        run = execute(start_of(Snapshot(start, (), ())), planner, simulation)
        if len(seen) <= self.problem.rounds or seen[self.problem.rounds].rounds != len(
            seen[: self.problem.rounds]
        ):
            raise InputError(f"the trajectory ends before round {self.problem.rounds}", id=self.id)
        return run, seen[self.problem.rounds]

    def _planner(self, mistakes: Sequence[Mistake], seen: list[Snapshot]) -> Planner:
        def planner(snapshot: Snapshot) -> Plan | None:
            seen.append(snapshot)
            edits = _edits(self.problem, mistakes, len(seen) - 1)
            return tidy(apply_edits(snapshot.plan, edits)) if edits and len(seen) > 1 else None

        return planner

    @cached_property
    def ledger(self) -> Ledger:
        """What had run at the snapshot."""
        return start_of(self.faulty[1]).ledger

    @cached_property
    def ran(self) -> frozenset[str]:
        """The nodes that had run at the snapshot."""
        return frozenset(entry.node for entry in self.ledger)

    @cached_property
    def labels(self) -> list[Label]:
        """The errors of the snapshot in the order of the mistakes, which they must be."""
        gold = self.gold[0]
        results = {entry.node: entry.result for entry in gold.ledger}
        case = Case(
            self.task.plan,
            self.faulty[1].plan,
            self.problem.purposes,
            self.catalogue,
            self.ledger,
            results,
        )
        found = {(one.type, one.root_cause): one for one in labels(case)}
        wanted = [(one.type, one.root_cause) for one in self.problem.mistakes]
        if Counter(wanted) != Counter((one.type, one.root_cause) for one in labels(case)):
            raise InputError(
                "the plan holds other errors than are written",
                id=self.id,
                got=[f"{kind} at {node}" for kind, node in found],
                wanted=[f"{kind} at {node}" for kind, node in wanted],
            )
        return [found[key] for key in wanted]

    @cached_property
    def repair(self) -> list[dict[str, Any]]:
        """The repair: that of each mistake, with its number."""
        return [
            {**_valued(edit, self.ledger), "errors": [number]}
            for number, mistake in enumerate(self.problem.mistakes)
            for edit in mistake.repair
        ]

    @cached_property
    def mended(self) -> Execution:
        """The trajectory from the snapshot on, with the repair as the one answer."""
        snapshot = self.faulty[1]
        start = start_of(snapshot)
        faults = [*self.problem.faults, *(m.fault for m in self.problem.mistakes if m.fault)]
        simulation = Simulation(self.setting, self.catalogue, faults).replay(start.ledger)
        return execute(start, proof.once(apply_edits(snapshot.plan, self.repair)), simulation)


def _edits(problem: Problem, mistakes: Sequence[Mistake], after: int | None) -> list[Edit]:
    """Return the edits that were made after so many rounds; None: those of the first plan."""
    right = problem.before.get(after, ()) if after is not None else ()
    return [*right, *(edit for one in mistakes if one.after == after for edit in one.changes)]


def _valued(value: Any, ledger: Ledger) -> Any:
    """Return an edit with every `shown` value in its place."""
    if isinstance(value, Mapping) and SHOWN in value:
        entry = ledger.last(value[SHOWN])
        return follow(entry.result if entry else None, value["path"])
    if isinstance(value, Mapping):
        return {name: _valued(item, ledger) for name, item in value.items()}
    return [_valued(item, ledger) for item in value] if isinstance(value, list) else value


def make_instance(id: str, task: Task, problem: Problem) -> Instance:
    """Return a proven instance; raises InputError naming what does not hold."""
    making = Making(id, *renumbered(task, problem))
    instance = _instance(making)
    for wrong in proof.problems(instance):
        raise InputError(wrong, id=id, do=f"mend the task '{task.id}'")
    return instance


def _instance(making: Making) -> Instance:
    gold, state = making.gold
    snapshot = making.faulty[1]
    task, problem = making.task, making.problem
    faults = [*problem.faults, *(one.fault for one in problem.mistakes if one.fault)]
    return Instance(
        id=making.id,
        level=problem.level,
        source="augmented",
        agent="",
        edition=EDITION,
        query_id=f"hand-{task.id}",
        query=task.request,
        tools=[tool.to_catalogue() for tool in making.tools.values()],
        plan=write_plan(snapshot.plan),
        tool_results=write_calls(snapshot.tool_results),
        history=[write_calls(calls) for calls in snapshot.history],
        rounds_gt=gold.total_rounds,
        calls_gt=len(gold.ledger),
        rounds_opt=making.mended.total_rounds,
        calls_opt=len(making.mended.ledger),
        error_types=tuple(sorted({one.type.value for one in problem.mistakes})),
        error_reason=problem.reason,
        errors=list(_errors(making)),
        repairs=[making.repair],
        gold_plan=write_plan(task.plan),
        goal=make_goal(gold.ledger, making.tools, state),
        faults=[fault.to_row() for fault in faults],
        environment=making.setting.to_row(),
        proof="full",
        canary=CANARY,
    )


def _errors(making: Making) -> Iterator[Mapping[str, Any]]:
    """Yield each error with what it reaches: the trajectory with it alone against the right one."""
    right, _ = making.course(())
    for mistake, label in zip(making.problem.mistakes, making.labels, strict=True):
        alone, _ = making.course([mistake])
        by_then = {e.node for e in alone.ledger if e.round <= making.problem.rounds}
        found = affected(right, alone, making.problem.purposes, making.ran & by_then)
        first = making.ledger.attempts(label.root_cause)
        yield {
            "type": label.type.value,
            "category": CATEGORY[label.type],
            "round": first[0].round if first else None,
            "root_cause": label.root_cause,
            "field": label.field,
            "parameter": label.parameter,
            "observed": label.observed,
            "expected": label.expected,
            "affected_now": list(found.now),
            "affected_later": list(found.later),
            "delayed": list(found.delayed),
            "visible": _visible(alone.ledger, label.root_cause, found.now),
            "evidence": list(mistake.evidence),
        }


def _visible(ledger: Ledger, root_cause: str, now: Sequence[str]) -> str:
    """Say how an error shows: by a failing or empty result, by reasoning, by wrong values."""
    last = [entry for node in now if (entry := ledger.last(node)) is not None]
    if any(entry.outcome != "ok" for entry in last):
        return "explicit"
    return "drifted" if any(node != root_cause for node in now) else "implicit"
