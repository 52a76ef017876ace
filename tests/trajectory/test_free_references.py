from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajectory.free_references import FreeReference, free_references

IDS = ("root", "1", "2", "2.1", "3", "6A_pre", "retry_send_email", "task9")


def meant(value: Any) -> list[str]:
    return [found.node for found in free_references({"x": value}, IDS)]


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("output_of_task1", "1"),
        ("output_of_1", "1"),
        ("output_of_task2.1", "2.1"),
        ("output_of_task1.emails[0]", "1"),
        ("the output of task 3", "3"),
        ("Results from step 2", "2"),
        ("photo_id_from_3", "3"),
        ("Image address exported from task 2", "2"),
        ("ids of step 3", "3"),
        ("task1_output", "1"),
        ("task1_output.emails", "1"),
        ("task_2.1_result", "2.1"),
        ("task3 result", "3"),
        ("task 3's output", "3"),
        ("root.output", "root"),
        ("2.1.output", "2.1"),
        ("6A_pre_output", "6A_pre"),
        ("retry_send_email_output", "retry_send_email"),
        ("task9_output", "task9"),
        ("task1", "1"),
        ("1的结果", "1"),
        ("2.1的结果", "2.1"),
        ("任务1的输出", "1"),
        ("任务3的返回结果", "3"),
        ("1的值为全部素数", "1"),
        ("task2中输出的编号", "2"),
        ("1中的编号", "1"),
        ("任务2", "2"),
        ("{{task1.output}}", "1"),
        ("{{1.city}}", "1"),
        ("${1}", "1"),
        ("<task1_output>", "1"),
        ("$task2", "2"),
    ],
)
def test_words_for_a_result_are_read(text: str, node: str) -> None:
    assert meant(text) == [node]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3",
        "$1",
        "2 results",
        "5 values",
        "area_1",
        "sales_data",
        "email from 3",
        "task77_output",
        "3中学",
        "2的平方",
        "the result of the match",
        "a gift from 3 friends",
        "the end of task 77",
        "output",
        "TBD",
        "Write to everyone what the output of task 1 was, and ask them to come to the " + "x" * 60,
    ],
)
def test_a_value_stays_a_value(text: str) -> None:
    assert meant(text) == []


def test_objects_that_name_a_node() -> None:
    assert meant({"id": "3"}) == ["3"]
    assert meant({"id": 3}) == ["3"]
    assert meant({"id": True}) == []
    assert meant({"id": "3", "name": "a"}) == []
    assert meant({"$ref": "1.output"}) == ["1"]
    assert meant({"$ref": "task1"}) == ["1"]
    assert meant({"$ref": 1}) == []


def test_an_exact_reference_is_none_of_these() -> None:
    assert meant({"$ref": "1"}) == []
    assert meant({"$ref": "1", "path": "a"}) == []


def test_a_bare_id_counts_only_as_the_whole_of_a_parameter_of_a_node_that_waits_for_it() -> None:
    arguments = {"from": "3", "count": "2", "eggs": {"large": "3"}}
    assert free_references(arguments, IDS, ("3",)) == [FreeReference("from", "3", '"3"')]


def test_the_place_is_named() -> None:
    arguments = {"targets": ["x", {"to": "task1_output"}]}
    (found,) = free_references(arguments, IDS)
    assert found == FreeReference("targets[1].to", "1", '"task1_output"')
    assert found.parameter == "targets"
    (found,) = free_references(["task1_output"], IDS)
    assert (found.where, found.parameter) == ("[0]", "")


@pytest.mark.parametrize("text", ["a_" * 40, "result " * 11, "task-_ " * 11, "1" * 80, "1的" * 40])
def test_hostile_texts_take_no_time(text: str) -> None:
    # A pattern that backtracks without bound would never come back.
    free_references([text] * 100, IDS)


@given(st.recursive(st.text(max_size=20) | st.integers(), st.lists))
def test_any_value_is_read(value: Any) -> None:
    assert all(found.node in IDS for found in free_references(value, IDS))
