"""Candidates: snapshots of rollouts that hold errors, examined, proven or dropped.

What is wrong with a snapshot is found by the labeller, which knows no planner; where the planner
kept a log, that must say the same. Nothing of a snapshot is changed to make it pass.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from build.injectors.scene import Stage
from build.instances import instance_of
from build.points import Flaw, flaws
from build.rollouts.desk import Slip
from build.rollouts.loop import Shot
from diagnosis.affected import affected
from diagnosis.examination import Examination
from diagnosis.labeller import labelled
from diagnosis.labels import Label
from diagnosis.mending import IrreversibleError, UnblamedError
from environment.executor import Snapshot, start_of
from environment.faults import Fault
from environment.retracing import retraced
from trajectory import canonical
from trajectory.error_types import ErrorType
from trajectory.instance import Instance

# Why a snapshot is dropped before the points of the proof are tried.
DISAGREE: Final = "labels and log disagree"
MOST_ERRORS: Final = 3


def candidate(stage: Stage, shot: Shot, faults: Sequence[Fault], agent: str) -> Instance | Flaw:
    """Return the proven instance of a snapshot, its id open, or what does not hold."""
    if any(_waiting(shot.snapshot)):
        return Flaw(0, "a call that has run waits to run again")
    shown = [fault for fault in faults if _has_shown(fault, shot.snapshot)]
    seen = labelled(_examination(stage, shot.snapshot, tuple(shown)))
    if shot.slips is not None and _told(shot.slips) != _found(seen.labels):
        return Flaw(0, DISAGREE)
    if not 1 <= len(seen.labels) <= MOST_ERRORS:
        return Flaw(0, "it holds no error, or too many")
    try:
        made = instance_of(stage.gold, seen, level=2, source="rollout", agent=agent)
        instance = replace(made, level=level_of(made))
        return next(iter(_all_flaws(instance, seen)), instance)
    except (UnblamedError, IrreversibleError) as error:
        return Flaw(3, f"{type(error).__name__}: {error}")


def _waiting(snapshot: Snapshot) -> Iterator[str]:
    """Yield the calls of earlier rounds that are shown as still to run."""
    last = {call.node for call in snapshot.tool_results}
    ran = {call.node for calls in snapshot.history for call in calls} - last
    yield from (node.id for node in snapshot.plan if node.id in ran and not node.status)


def _has_shown(fault: Fault, snapshot: Snapshot) -> bool:
    """Say whether a fault has answered a call: of one that has not, nobody knows."""
    calls = (call for calls in (*snapshot.history, snapshot.tool_results) for call in calls)
    return any(c.name == fault.tool and canonical.same(c.results, fault.result()) for c in calls)


def _examination(stage: Stage, snapshot: Snapshot, faults: tuple[Fault, ...]) -> Examination:
    start = start_of(snapshot)
    return Examination(
        query=stage.gold.query,
        catalogue=stage.catalogue,
        tools=stage.world_tools,
        gold=stage.gold.plan,
        gold_run=stage.gold_run,
        goal=stage.gold.goal or {},
        purposes={},
        start=start,
        environment=retraced(stage.environment(faults), start.ledger),
        faults=faults,
        run=stage.run,
    )


def _told(slips: Iterable[Slip]) -> list[tuple[str, str]]:
    return sorted(_comparable(slip.type, slip.node) for slip in slips)


def _found(labels: Iterable[Label]) -> list[tuple[str, str]]:
    return sorted(_comparable(label.type, label.root_cause) for label in labels)


def _comparable(type: ErrorType, node: str) -> tuple[str, str]:
    """Which of two calls needs first what was never planned is no part of a log."""
    return type, "" if type == ErrorType.MISSING_CALL else node


def _all_flaws(instance: Instance, seen: Examination) -> Iterable[Flaw]:
    yield from _of_course(seen)
    yield from flaws(instance, seen)


def _of_course(seen: Examination) -> Iterable[Flaw]:
    """A rollout changed on its way: its plan must still show from its start what is wrong."""
    if any(not edit["errors"] for edit in seen.undone):
        yield Flaw(4, "a wrong effect is left of an error that no longer stands")
    rest = affected(seen.gold_run, seen.courses.right, seen.purposes, ())
    if rest.now or rest.later:
        yield Flaw(5, "with all errors mended the plan does not go as the gold plan")


def level_of(instance: Instance) -> int:
    """Return 1 where one error has not entered a later call, else 2 (semantics.md, "Levels")."""
    if len(instance.errors) > 1:
        return 2
    rounds = [*instance.history, instance.tool_results]
    ran = {call["node"]: n for n, calls in enumerate(rounds, start=1) for call in calls}
    error, now = instance.errors[0], max(ran.values(), default=0)
    first = ran.get(error["root_cause"], now)
    return 2 if any(ran.get(node, now) > first for node in error["affected_now"]) else 1
