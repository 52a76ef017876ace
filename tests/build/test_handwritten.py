from collections import Counter

import pytest

from build.dataset import CANARY
from build.handwritten import EDITION, instances
from environment import opening
from environment.executor import execute
from environment.goal import reached
from eval.planners import PLANNERS
from eval.recovery import Conversation
from trajectory.error_types import ErrorType
from trajectory.instance import Instance
from trajectory.plan import RESPONSE, ROOT

LEVELS = (1, 2)


@pytest.fixture(scope="module")
def made() -> list[Instance]:
    """All hand-written instances; making one proves it."""
    return list(instances())


def test_every_type_is_there_more_than_once_and_on_level_1(made: list[Instance]) -> None:
    labels = Counter(name for one in made for name in one.error_types)
    first = Counter(name for one in made if one.level == 1 for name in one.error_types)
    assert set(labels) == {name.value for name in ErrorType}
    assert min(labels.values()) >= 2
    assert set(first) == set(labels)


def test_they_are_as_many_and_as_varied_as_a_table_with_intervals_needs(
    made: list[Instance],
) -> None:
    for level in LEVELS:
        assert len({one.query_id for one in made if one.level == level}) >= 30
    before = [len(one.history) + bool(one.tool_results) for one in made]
    assert {*before} == {*range(6)}
    assert before.count(0) <= 0.13 * len(made)
    assert {len(one.errors) for one in made if one.level == 2} == {1, 2, 3}
    assert {e["visible"] for one in made for e in one.errors} == {
        "explicit",
        "implicit",
        "drifted",
    }


def test_plans_have_three_to_nine_calls_and_enough_other_tools_are_listed(
    made: list[Instance],
) -> None:
    for one in made:
        assert 3 <= one.calls_gt <= 9  # type: ignore[operator]
        needed = {task["name"] for task in one.gold_plan["tasks"]}
        others = [tool for tool in one.tools if tool["name"] not in needed]
        assert len(others) >= 4, one.id
        names = [tool["name"] for tool in one.tools]
        assert names == sorted(names)


def test_ids_are_unique_and_the_frame_is_filled_in(made: list[Instance]) -> None:
    assert len({one.id for one in made}) == len(made)
    for one in made:
        assert one.id.startswith(f"L{one.level}-hand-")
        assert (one.edition, one.source, one.proof) == (EDITION, "augmented", "full")
        assert one.canary == CANARY
        assert sorted({e["type"] for e in one.errors}) == list(one.error_types)
        assert "{" not in one.error_reason


def test_numbers_and_order_of_nodes_tell_nothing(made: list[Instance]) -> None:
    for one in made:
        ids = [task["id"] for task in one.plan["tasks"]]
        calls = [id for id in ids if id not in {ROOT, RESPONSE} and "_" not in id]
        assert ids[0] == ROOT
        assert ids[-1] == RESPONSE
        assert calls == [str(number) for number in range(1, len(calls) + 1)], one.id
        for task in one.plan["tasks"]:
            assert task["dep"] == sorted(task["dep"]), one.id


def test_the_reason_names_nodes_of_the_plan(made: list[Instance]) -> None:
    vienna = next(one for one in made if one.id == "L1-hand-000001")
    node = vienna.errors[0]["root_cause"]
    assert f"node {node} waits for the event alone" in vienna.error_reason


# --- trivial planners ------------------------------------------------------------------------


def outcome(instance: Instance, name: str) -> tuple[bool, int, int]:
    """Return whether an agent reaches the goal, in how many rounds and calls."""
    start = opening.start(instance)
    environment = opening.environment(instance, start)
    run = execute(start, Conversation(instance, PLANNERS[name](instance)), environment)
    state = environment.digest() or ""
    goal = run.completed and reached(instance.goal, run.plan, run.ledger, state)
    return goal, run.total_rounds, len(run.ledger)


@pytest.mark.parametrize("name", ["respond_now", "flatten"])
def test_giving_up_reaches_no_goal(made: list[Instance], name: str) -> None:
    for one in made:
        assert not outcome(one, name)[0], one.id


@pytest.mark.parametrize("name", ["mark_done", "do_nothing"])
def test_doing_nothing_is_carrying_on(made: list[Instance], name: str) -> None:
    for one in made:
        assert outcome(one, name) == outcome(one, "carry_on"), one.id


def test_blind_retry_mends_what_only_needs_another_try(made: list[Instance]) -> None:
    failures = {"Timeout_Error", "Null_Error"}
    for one in made:
        if one.level == 1 and {*one.error_types} <= failures:
            assert outcome(one, "blind_retry") == (True, one.rounds_opt, one.calls_opt)
