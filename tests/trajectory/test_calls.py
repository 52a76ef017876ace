import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajectory.calls import (
    Call,
    call_outcome,
    match_calls,
    read_calls,
    stands_for_result,
    write_calls,
)
from trajectory.files import read_jsonl
from trajectory.plan import Plan, read_plan


@pytest.mark.parametrize(
    "results", [None, "", " \n", [], "[]", "[ ]", "null", "None", '""', "''", '"[]"']
)
def test_nothing_at_all_is_empty(results: Any) -> None:
    assert call_outcome(results) == "empty"


@pytest.mark.parametrize(
    "results",
    [
        {"matches": [], "count": 0},
        '{"matches": [], "count": 0}',
        {},
        0,
        "0",
        False,
        "No flights found",
        '["a@example.com"]',
        "{'title': 'Error: login', 'id': None}",
        '{"status": "success", "error": null}',
        "<Connection object at 0x7f>",
    ],
)
def test_true_answers_are_ok(results: Any) -> None:
    assert call_outcome(results) == "ok"


@pytest.mark.parametrize(
    "results",
    [
        {"error": "no such city"},
        '{"error": "no such city"}',
        "{'error': 'no such city', 'city': None}",
        '{"status": "error"}',
        '{"success": false}',
        '"Error: no such city"',
        '"{\\"error\\": \\"no such city\\"}"',
        "  Error: no such city",
        "错误：没有这个城市",
    ],
)
def test_failures_in_every_wrapping(results: Any) -> None:
    assert call_outcome(results) == "failed"


CALL = {"name": "find", "arguments": {"city": "Rome"}, "results": "found"}


@pytest.mark.parametrize(
    "value",
    [[CALL], json.dumps([CALL]), repr([CALL]), CALL, [{**CALL, "arguments": '{"city": "Rome"}'}]],
)
def test_every_wrapping_of_calls(value: Any) -> None:
    assert read_calls(value) == [Call(None, "find", {"city": "Rome"}, "found")]


@pytest.mark.parametrize("value", [None, "", "[]", [], "null"])
def test_no_calls(value: Any) -> None:
    assert read_calls(value) == []


def test_missing_keys_and_odd_arguments() -> None:
    assert read_calls(
        [
            {"name": "find"},
            {"arguments": ["Rome", 3], "results": None},
            {"name": None, "arguments": "not json", "results": "x"},
            {"name": "find", "arguments": "", "results": ""},
            {"node": "2", "name": "find", "arguments": None},
        ]
    ) == [
        Call(None, "find", {}, None),
        Call(None, "", ["Rome", 3], None),
        Call(None, "", "not json", "x"),
        Call(None, "find", {}, ""),
        Call("2", "find", {}, None),
    ]


def test_what_is_no_call_is_kept() -> None:
    assert read_calls(["prose", 4]) == [Call(None, "", "prose", None), Call(None, "", 4, None)]
    assert read_calls("prose") == [Call(None, "", "prose", None)]


@given(st.lists(st.builds(Call, st.none() | st.text(), st.text(), st.just({"a": 1}), st.text())))
def test_calls_written_are_read_again(calls: list[Call]) -> None:
    assert read_calls(write_calls(calls)) == calls


# --- matching ----------------------------------------------------------------------------------


def node(
    id: str, name: str | None, para: Any, dep: str = "", *, done: bool = False
) -> dict[str, Any]:
    return {"id": id, "name": name, "para": para, "dep": dep.split(), "status": done}


def plan_of(*nodes: dict[str, Any]) -> Plan:
    return read_plan({"tasks": [{"id": "root", "status": True, "dep": []}, *nodes]})


def matched(plan: Plan, *calls: tuple[str, Any]) -> list[str | None]:
    made = [Call(None, name, arguments, "ok") for name, arguments in calls]
    return [found for _, found in match_calls(plan, made)]


def test_a_call_finds_the_node_with_its_arguments() -> None:
    plan = plan_of(node("1", "buy", {"n": 25, "what": "eggs"}), node("2", "buy", {"n": 3}))
    assert matched(plan, ("buy", {"n": 3}), ("buy", {"what": "eggs", "n": 25.0})) == ["2", "1"]


def test_name_and_arguments_must_both_fit() -> None:
    plan = plan_of(node("1", "buy", {"n": 3}), node("2", "buy", {"n": 4}))
    assert matched(plan, ("sell", {"n": 3}), ("buy", {"n": 5}), ("", {})) == [None, None, None]


def test_every_shape_of_para_is_the_same_call() -> None:
    shapes: list[Any] = [{"n": 3}, [{"n": 3}], ['{"n": 3}'], ["n=3"]]
    for para in shapes:
        plan = plan_of(node("1", "buy", para), node("2", "buy", {"n": 4}))
        assert matched(plan, ("buy", {"n": 3})) == ["1"]
        assert matched(plan, ("buy", [{"n": 3}])) == ["1"]


def test_positional_values_match_the_named_ones_they_were_repaired_to() -> None:
    plan = plan_of(node("1", "read", ["a.txt", 3]), node("2", "read", ["b.txt", 3]))
    assert matched(plan, ("read", {"path": "b.txt", "lines": 3}), ("read", ["a.txt", 3])) == [
        "2",
        "1",
    ]


def test_retyped_values_match() -> None:
    plan = plan_of(
        node("1", "send", {"n": "3", "body": "Dear Ana,\n\nbye "}), node("2", "send", {"n": "4"})
    )
    assert matched(plan, ("send", {"n": 3, "body": "Dear Ana,\\n\\nbye"})) == ["1"]


@pytest.mark.parametrize(
    "words",
    [
        "output_of_task1",
        "task1_output",
        "task3 result",
        "1的结果",
        "任务1的输出",
        "task2中输出的汇率",
        {"id": "3"},
        {"$ref": "1.output"},
        {"$ref": "1", "path": "city"},
        "3",
        "TBD",
        "待填",
        "",
        "<result of step 2>",
        "${1.output}",
        ["output_of_task1", "output_of_task2"],
    ],
)
def test_words_for_an_earlier_result_stand_for_its_value(words: Any) -> None:
    assert stands_for_result(words)
    plan = plan_of(
        node("1", "mix", {"x": words, "speed": "high"}), node("2", "mix", {"x": words, "speed": ""})
    )
    assert matched(plan, ("mix", {"x": [{"flour": 500}], "speed": "high"})) == ["1"]


@pytest.mark.parametrize("value", ["Rome", "two eggs", 3, None, True, [], {"name": "Ana"}, ["Ana"]])
def test_values_stand_for_themselves(value: Any) -> None:
    assert not stands_for_result(value)


def test_a_repaired_call_finds_the_only_ready_node_of_its_name() -> None:
    plan = plan_of(
        node("1", "buy", {"m": 3}, "root"),
        node("2", "buy", {"m": 4}, "1"),
        node("3", "sell", {"m": 3}),
        node("4", "sell", {"m": 4}),
    )
    assert matched(plan, ("buy", {"n": 3})) == ["1"]
    assert matched(plan, ("sell", {"n": 3})) == [None]
    assert matched(plan, ("buy", {"n": 3}), ("buy", {"n": 4})) == [None, None]


def test_the_ready_come_before_the_waiting_and_these_before_the_executed() -> None:
    executed = node("1", "buy", {"n": 3}, done=True)
    waiting = node("2", "buy", {"n": 3}, "4")
    ready = node("3", "buy", {"n": 3}, "1")
    other = node("4", "cook", {}, "1")
    assert matched(plan_of(executed, waiting, ready, other), ("buy", {"n": 3})) == ["3"]
    assert matched(plan_of(executed, waiting, other), ("buy", {"n": 3})) == ["2"]
    assert matched(plan_of(executed, other), ("buy", {"n": 3})) == ["1"]


def test_equal_arguments_of_a_waiting_node_beat_similar_ones_of_a_ready_node() -> None:
    plan = plan_of(node("1", "buy", {"n": "3"}), node("2", "buy", {"n": 3}, "1"))
    assert matched(plan, ("buy", {"n": 3})) == ["2"]


def test_each_copy_of_a_call_takes_a_node_of_its_own() -> None:
    plan = plan_of(node("2", "plant", {"a": 1}), node("2_retry", "plant", {"a": 1}))
    assert matched(plan, ("plant", {"a": 1}), ("plant", {"a": 1})) == ["2", "2_retry"]


def test_more_copies_than_nodes_share_one_and_different_calls_do_not() -> None:
    plan = plan_of(node("2", "plant", {"a": 1}))
    twice = (("plant", {"a": 1}), ("plant", {"a": 1}))
    assert matched(plan, *twice) == ["2", "2"]
    assert matched(plan, ("plant", {"a": 1}), ("plant", {"a": 2})) == ["2", None]


def test_a_whole_history_is_told_apart_by_its_order() -> None:
    plan = plan_of(
        node("2", "cut", {"text": "output_of_task1"}, done=True),
        node("6", "cut", {"text": "output_of_task5"}),
    )
    assert matched(plan, ("cut", {"text": "first"}), ("cut", {"text": "second"})) == ["2", "6"]
    assert matched(plan, ("cut", {"text": "second"})) == ["6"]


def test_a_call_that_names_its_node_is_believed() -> None:
    plan = plan_of(node("1", "buy", {"n": 3}), node("2", "buy", {"n": 3}))
    call = Call("2", "buy", {"n": 3}, "ok")
    assert match_calls(plan, [call]) == [(call, "2")]
    lost = Call("9", "buy", {"n": 3}, "ok")
    assert match_calls(plan, [lost]) == [(lost, "1")]


def test_the_root_may_carry_a_call_and_a_node_without_tool_never_does() -> None:
    plan = read_plan(
        [
            {"id": "root", "name": "find", "para": {"n": 1}, "status": True},
            {"id": "1", "name": "", "para": {"n": 1}, "status": False},
        ]
    )
    assert matched(plan, ("find", {"n": 1}), ("", {"n": 1})) == ["root", None]


def test_odd_plans_and_arguments_are_no_error() -> None:
    twins = plan_of(node("1", "buy", {"n": 1}, "1"), node("1", "buy", {"n": 2}, "9"))
    assert matched(twins, ("buy", {"n": 1}), ("buy", {"n": float("nan")})) == ["1", None]
    assert matched(read_plan(None), ("buy", {})) == [None]


def test_most_calls_of_the_sample_find_their_node(release_sample: Path) -> None:
    total = found = 0
    for path in sorted(release_sample.glob("data/*/*.jsonl")):
        for _, row in read_jsonl(path):
            pairs = match_calls(read_plan(row["plan"]), read_calls(row["fun_call"]))
            total += len(pairs)
            found += sum(node is not None for _, node in pairs)
    assert total == 119
    assert found == 119
