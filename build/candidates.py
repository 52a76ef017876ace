"""Candidates: errors put into a trajectory, cut at a round, examined, proven or dropped.

No candidate is patched to pass: what does not hold in it is told, and another one is drawn.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from build.injectors.outages import keeps_faults
from build.injectors.registry import INJECTORS
from build.injectors.retries import with_retries
from build.injectors.scene import Injection, Scene, Stage
from build.instances import instance_of
from build.points import Flaw, flaws
from build.quotas import FAULTS, Slot
from build.renumbering import renumbered
from diagnosis.examination import Examination
from diagnosis.mending import IrreversibleError, UnblamedError
from diagnosis.trial import Branching
from environment.executor import Execution, Snapshot, execute, start_of
from environment.standins import is_stand_in
from trajectory.error_types import ErrorType
from trajectory.instance import Instance

# How often a trajectory has met a fault before, and got over it.
RETRIED = 0.2
# Their places must still count once the other errors are mended, so they come last.
_LAST = (ErrorType.PARALLELISM, ErrorType.REDUNDANT_CALL)
# How often a trajectory of level 1 is cut as late as it can be.
_AT_LAST = 0.5
# Why a candidate is dropped where results are only recorded.
STAND_IN: Final = "a result in it was never recorded"
# Trajectories drawn for a candidate before the task counts as one without a place.
_DRAWS = 6


class NoPlaceError(Exception):
    """The task has no place for what was drawn."""


@dataclass(frozen=True)
class Course:
    """A trajectory with its errors, run from its start to its end.

    claims: what the injectors say they did, with the ids of the scene. snapshots,
    environments: as they stood after each round, from 0.
    """

    scene: Scene
    claims: Sequence[tuple[ErrorType, str]]
    run: Execution
    snapshots: Sequence[Snapshot]
    environments: Sequence[Branching]

    @cached_property
    def rounds(self) -> int:
        """How many rounds of calls there are."""
        return max((entry.round for entry in self.run.ledger), default=0)

    def first(self, node: str) -> int | None:
        """Return the round in which a node ran first; None: it never did."""
        return next((entry.round for entry in self.run.ledger if entry.node == node), None)


def candidate(stage: Stage, slot: Slot, rng: random.Random) -> Instance | Flaw:
    """Draw a candidate: a proven instance without an id, or what does not hold.

    Raises NoPlaceError where no place for such errors was found in the task.
    """
    course, rounds = _drawn_and_cut(stage, slot, rng)
    seen = examined(course, rounds)
    found = [(label.type, label.root_cause) for label in seen.labels]
    if sorted(map(_comparable, found)) != sorted(map(_comparable, course.claims)):
        return Flaw(0, "the plan holds other errors than were put in")
    try:
        if _rests_on_stand_ins(course, seen):
            return Flaw(5, STAND_IN)
        instance = instance_of(course.scene.stage.gold, seen, level=slot.level, source="augmented")
        return next(flaws(instance, seen), None) or instance
    except (UnblamedError, IrreversibleError) as error:
        return Flaw(3, f"{type(error).__name__}: {error}")


def _rests_on_stand_ins(course: Course, seen: Examination) -> bool:
    """Say whether a call succeeds, here or with one of the errors, with a result made up for it."""
    if course.scene.stage.world_tools:
        return False
    runs = [course.run, *(seen.courses.alone(number) for number, _ in enumerate(seen.labels))]
    return any(is_stand_in(entry.result) for run in runs for entry in run.ledger)


def _comparable(claim: tuple[ErrorType, str]) -> tuple[str, str]:
    """Which of two consumers needs a missing call first is told by ids, which are new by now."""
    kind, root_cause = claim
    return kind, "" if kind == ErrorType.MISSING_CALL else root_cause


def _drawn_and_cut(stage: Stage, slot: Slot, rng: random.Random) -> tuple[Course, int]:
    """Draw trajectories until one can be cut where the slot wants it."""
    for _ in range(_DRAWS - 1):
        try:
            course = drawn(stage, slot, rng)
            return course, _cut(course, slot, rng)
        except NoPlaceError:
            continue
    course = drawn(stage, slot, rng)
    return course, _cut(course, slot, rng)


def drawn(stage: Stage, slot: Slot, rng: random.Random) -> Course:
    """Put the errors of a slot into a trajectory of a task, and run it.

    Raises NoPlaceError where one of them finds no place.
    """
    scene = Scene(stage, stage.gold.plan)
    if rng.random() < RETRIED:
        scene = with_retries(scene, rng) or scene
    injections: list[Injection] = []
    for kind in sorted(slot.types, key=lambda kind: kind in _LAST):
        injections.append(_put(scene, kind, rng))
        before, scene = scene, scene.after(injections[-1])
        if not keeps_faults(before, scene):
            raise NoPlaceError("a fault that was scheduled would answer another call")
    scene, names = renumbered(scene)
    claims = [(one.type, names[one.root_cause]) for one in injections]
    return course_of(scene, claims)


def _put(scene: Scene, kind: ErrorType, rng: random.Random) -> Injection:
    injector = INJECTORS[kind]
    places = injector.places(scene)
    if places:
        done = injector.put(scene, rng.choice(places), rng)
        if done is not None:
            return done
    raise NoPlaceError(kind)


def course_of(scene: Scene, claims: Sequence[tuple[ErrorType, str]] = ()) -> Course:
    """Run a trajectory, keeping how it stood after each round."""
    simulation = scene.stage.environment(scene.faults)
    snapshots: list[Snapshot] = []
    environments: list[Branching] = []

    def watch(snapshot: Snapshot) -> None:
        snapshots.append(snapshot)
        environments.append(simulation.fork())

    run = execute(start_of(Snapshot(scene.plan, (), ())), watch, simulation)
    return Course(scene, claims, run, snapshots, environments)


def _cut(course: Course, slot: Slot, rng: random.Random) -> int:
    """Choose after how many rounds the trajectory is looked at.

    Level 1: at the round in which the error runs, or while it still lies ahead; level 2: with
    one error after that round, with several anywhere.
    """
    ran = [course.first(root) or course.rounds + 1 for _, root in course.claims]
    least, most = 0, course.rounds
    for (kind, root), first in zip(course.claims, ran, strict=True):
        # A fault of the environment is none before it has shown; what only costs a round is
        # none once the round is lost.
        least = max(least, first if kind in FAULTS else 0)
        most = min(most, first - _ahead(course, kind, root))
    if slot.level == 1:
        most = min(most, ran[0])
    elif len(ran) == 1:
        least = max(least, _first_behind(course, course.claims[0][1]))
    choices = [n for n in range(least, most + 1) if (n == 0) == slot.fresh]
    if not choices:
        raise NoPlaceError("no round to cut at")
    # A model that is shown the failing round has more to go by: every second one is cut there.
    return choices[-1] if slot.level == 1 and rng.random() < _AT_LAST else rng.choice(choices)


def _first_behind(course: Course, root: str) -> int:
    """Return the first round after that of a node in which one that waits for it has run."""
    found = course.scene.found
    first = course.first(root) or course.rounds
    later = [
        entry.round
        for entry in course.run.ledger
        if entry.round > first and root in found.ancestors(entry.node)
    ]
    return min(later, default=course.rounds + 1)


def _ahead(course: Course, kind: ErrorType, root: str) -> int:
    """Return by how many rounds an error must lie ahead to count; never: below all rounds."""
    if kind == ErrorType.PARALLELISM:
        return 2
    if kind == ErrorType.REDUNDANT_CALL and not _has_effect(course, root):
        return 1
    return -course.rounds


def _has_effect(course: Course, node: str) -> bool:
    tool = course.scene.stage.world_tools.get(course.scene.plan.by_id[node].name or "")
    return tool is not None and tool.has_effect


def examined(course: Course, rounds: int) -> Examination:
    """Return the examination of a trajectory after so many rounds."""
    scene, stage = course.scene, course.scene.stage
    return Examination(
        query=stage.gold.query,
        catalogue=stage.catalogue,
        tools=stage.world_tools,
        gold=stage.gold.plan,
        gold_run=stage.gold_run,
        goal=stage.gold.goal or {},
        purposes=scene.purposes,
        start=start_of(course.snapshots[rounds]),
        environment=course.environments[rounds],
        faults=scene.faults,
        run=stage.run,
    )
