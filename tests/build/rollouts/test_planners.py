"""Planners at play: independent of the truth, alike in nothing but the rules."""

import ast
from pathlib import Path

import pytest

import build.rollouts
from build.gold import Gold
from build.rollouts.loop import Shot, played
from build.rollouts.planners import HABITS, TEMPERS, Scripted, Task
from build.rollouts.reactions import AFTER_ERROR, AFTER_OUTAGE
from build.stages import stage_of
from build.wishes import wish_of
from environment.faults import Fault
from environment.world import generator
from trajectory import canonical
from trajectory.plan import write_plan

FOLDER = Path(build.rollouts.__file__).parent
# What takes part in planning; the rest carries it out, judges it and counts it.
PLANNING = (
    "planning desk guesses wrong_arguments wrong_tools wrong_edges reactions planners asked".split()
)
MAY_KNOW = ("trajectory", "models", *(f"build.rollouts.{name}" for name in PLANNING))


def named(path: Path) -> set[str]:
    """All that a module imports anywhere, as far as it is ours."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            source = node.module or ""
            names = {f"{source}.{one.name}" for one in node.names}
            found |= names if source == "build.rollouts" else {source}
    ours = ("trajectory", "models", "environment", "diagnosis", "build", "eval", "pararecover")
    return {name for name in found if name.partition(".")[0] in ours}


@pytest.mark.parametrize("name", PLANNING)
def test_planning_knows_no_injector_no_gold_plan_and_no_world(name: str) -> None:
    known = named(FOLDER / f"{name}.py")
    assert known
    assert all(one.startswith(MAY_KNOW) for one in known)


def play(gold: Gold, name: str, faults: tuple[Fault, ...] = ()) -> list[Shot]:
    task = Task(gold.query, gold.tools, wish_of(gold))
    player = Scripted(TEMPERS[name], task, generator(5, gold.id, name))
    return played(player, stage_of(gold).environment(faults))


def text(shots: list[Shot]) -> str:
    return canonical.dumps([write_plan(shot.snapshot.plan) for shot in shots])


def test_there_are_planners_enough_and_each_has_habits_of_its_own() -> None:
    assert len(TEMPERS) >= 6
    assert len({canonical.dumps(temper.habits) for temper in TEMPERS.values()}) == len(TEMPERS)
    for temper in TEMPERS.values():
        assert temper.habits.keys() <= HABITS.keys()
        assert temper.after_outage.keys() <= AFTER_OUTAGE.keys()
        assert temper.after_error.keys() <= AFTER_ERROR.keys()


def test_every_habit_and_reaction_is_someones() -> None:
    tempers = TEMPERS.values()
    assert {*HABITS} == {name for one in tempers for name in one.habits}
    assert {*AFTER_OUTAGE} == {name for one in tempers for name in one.after_outage}
    assert {*AFTER_ERROR} == {name for one in tempers for name in one.after_error}


@pytest.mark.parametrize("name", TEMPERS)
def test_a_rollout_begins_with_a_plan_of_which_nothing_ran(name: str, golds: list[Gold]) -> None:
    for gold in golds[:4]:
        shots = play(gold, name)
        assert [shot.snapshot.rounds for shot in shots] == list(range(len(shots)))


@pytest.mark.parametrize("name", TEMPERS)
def test_the_same_draws_give_the_same_rollout(name: str, golds: list[Gold]) -> None:
    for gold in golds[:3]:
        assert text(play(gold, name)) == text(play(gold, name))


def test_a_fault_of_the_environment_shows_in_the_log(golds: list[Gold]) -> None:
    found = set()
    for gold in golds:
        tool = next(node.name for node in gold.plan if node.is_call)
        for kind in ("timeout", "null"):
            shots = play(gold, "careless", (Fault(tool or "", 1, 1, kind),))
            found |= {slip.type.value for shot in shots for slip in shot.slips or ()}
    assert {"Timeout_Error", "Null_Error"} <= found
