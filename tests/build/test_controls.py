"""Controls: clean twins of instances, cut after the same number of rounds."""

import random
from dataclasses import replace
from itertools import islice

import pytest

from build import controls as module
from build.controls import control
from build.gold import Gold
from build.injectors.scene import Scene
from build.seeds.compose import Stream
from build.stages import stage_of
from diagnosis.edits import apply_edits
from environment import opening
from environment.executor import carry_on, execute
from environment.goal import reached
from tests.build.samples import PLAIN
from tests.diagnosis.budget import GOLD, STAGE, again, outage
from trajectory import canonical
from trajectory.instance import Instance, view
from trajectory.plan import read_plan


def twin_of(rounds: int, level: int = 1) -> Instance:
    """An instance of which only the rounds it has run count here."""
    one = [{"node": "1", "name": "x", "arguments": {}, "results": {}}]
    last, history = (one, [one] * (rounds - 1)) if rounds else ([], [])
    return replace(PLAIN, level=level, tool_results=last, history=history)


def rounds(instance: Instance) -> int:
    return len(instance.history) + bool(instance.tool_results)


@pytest.fixture
def untried(monkeypatch: pytest.MonkeyPatch) -> None:
    """No call fails and is tried again."""
    monkeypatch.setattr(module, "RETRIED", 0)


@pytest.mark.parametrize("cut", [0, 1, 3, 5])
def test_a_twin_is_the_task_after_as_many_rounds(cut: int, untried: None) -> None:
    found = control(STAGE, twin_of(cut), random.Random(1))
    assert found is not None
    assert rounds(found) == cut
    assert (found.rounds_opt, found.calls_opt) == (6, 7)
    assert (found.errors, found.repairs, found.error_types, found.error_reason) == ([], [], (), "")
    assert found.faults == []


def test_there_is_no_twin_after_the_last_call(untried: None) -> None:
    assert control(STAGE, twin_of(6), random.Random(1)) is None


def test_a_twin_is_of_the_level_of_its_instance(untried: None) -> None:
    found = control(STAGE, twin_of(2, level=2), random.Random(1))
    assert found is not None
    assert found.level == 2


def test_the_same_draws_give_the_same() -> None:
    one, two = (control(STAGE, twin_of(4), random.Random(2)) for _ in range(2))
    assert one == two


# --- with calls that failed and were rightly tried again --------------------------------------


def retried(monkeypatch: pytest.MonkeyPatch, length: int) -> None:
    """Node 5, which runs in round 4, fails so often and is tried again."""
    plan = apply_edits(GOLD, [again("5", "8"), again("8", "9")][:length])
    faults = (outage("round_amount", length=length),)
    purposes = {"8": "5", "9": "5"} if length == 2 else {"8": "5"}
    scene = Scene(STAGE, plan, purposes, faults)
    monkeypatch.setattr(module, "RETRIED", 1)
    monkeypatch.setattr(module, "with_retries", lambda clean, rng: scene)


@pytest.mark.parametrize(("length", "cuts"), [(1, {4, 5, 6}), (2, {5, 6, 7})])
def test_a_retry_is_shown_only_once_the_call_has_failed(
    length: int, cuts: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before, the further call would look needless; and one for each failure, no more."""
    retried(monkeypatch, length)
    found = {cut: control(STAGE, twin_of(cut), random.Random(1)) for cut in range(9)}
    assert {cut for cut, one in found.items() if one is not None} == cuts
    for one in found.values():
        if one is not None:
            assert (one.rounds_opt, one.calls_opt) == (6 + length, 7 + length)
            assert len(one.gold_plan["purposes"]) == length
            assert one.faults[0]["length"] == length


def test_where_nothing_can_be_tried_again_the_twin_is_the_plain_task(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "RETRIED", 1)
    monkeypatch.setattr(module, "with_retries", lambda scene, rng: None)
    found = control(STAGE, twin_of(3), random.Random(1))
    assert found is not None
    assert found.faults == []


# --- those of real tasks ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def twins() -> list[Instance]:
    golds: list[Gold] = [one.gold for one in islice(Stream(11), 6)]
    found = [
        control(stage_of(gold), twin_of(cut), random.Random(f"{gold.id} {cut}"))
        for gold in golds
        for cut in range(4)
    ]
    return [one for one in found if one is not None]


def test_carried_on_they_reach_the_goal_as_they_say(twins: list[Instance]) -> None:
    assert len(twins) >= 10
    for one in twins:
        start = opening.start(one)
        environment = opening.environment(one, start)
        run = execute(start, carry_on, environment)
        assert run.completed
        assert reached(one.goal, run.plan, run.ledger, environment.digest() or "")
        assert (run.total_rounds, len(run.ledger)) == (one.rounds_opt, one.calls_opt)


def test_they_look_like_instances(twins: list[Instance]) -> None:
    for one in twins:
        assert view(one).keys() == view(PLAIN).keys()
        plan = read_plan(one.plan)
        assert not plan.problems
        failed = {call["node"] for calls in one.history for call in calls if _failed(call)}
        assert failed <= set(plan.by_id)


def _failed(call: dict[str, object]) -> bool:
    results = call["results"]
    return not results or (isinstance(results, dict) and "error" in results)


def test_some_have_a_failure_that_was_got_over() -> None:
    golds = [one.gold for one in islice(Stream(11), 3)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "RETRIED", 1)
        found = [
            control(stage_of(gold), twin_of(2), random.Random(n))
            for gold in golds
            for n in range(6)
        ]
    tried = [one for one in found if one is not None and one.faults]
    assert tried
    for one in tried:
        calls = [call for calls in [*one.history, one.tool_results] for call in calls]
        assert any(_failed(call) for call in calls)
        assert one.rounds_opt is not None
        assert one.rounds_opt >= (one.rounds_gt or 0)
        assert canonical.dumps(one.gold_plan["purposes"]) != "{}"
