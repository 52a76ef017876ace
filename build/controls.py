"""Controls: clean trajectories, twins of instances cut after the same number of rounds.

A twin is the task of an instance, run without an error (a fault that was met and got over is
none). What an agent should do with it is to carry it on.
"""

import random
from dataclasses import replace

from build.candidates import RETRIED, course_of, examined
from build.injectors.retries import with_retries
from build.injectors.scene import Scene, Stage
from build.instances import instance_of
from build.points import control_flaws
from build.renumbering import renumbered
from trajectory.instance import Instance


def control(stage: Stage, twin: Instance, rng: random.Random) -> Instance | None:
    """Return the clean twin of an instance, proven, its id open.

    None where it ends before the cut, or does not hold there: a call is tried again in it whose
    failure lies ahead.
    """
    rounds = len(twin.history) + bool(twin.tool_results)
    scene = Scene(stage, stage.gold.plan)
    if rng.random() < RETRIED:
        scene = with_retries(scene, rng) or scene
    course = course_of(renumbered(scene)[0])
    if rounds > course.rounds:
        return None
    seen = examined(course, rounds)
    if seen.labels:
        return None
    carried = seen.trial.answered(None)
    made = replace(
        instance_of(stage.gold, seen, level=twin.level, source="augmented"),
        rounds_opt=carried.rounds,
        calls_opt=carried.calls,
        error_reason="",
        errors=[],
        repairs=[],
    )
    return None if any(control_flaws(made, seen)) else made
