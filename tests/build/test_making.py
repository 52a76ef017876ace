"""What is written wrong is said in one line; what follows from it is computed."""

from dataclasses import replace
from typing import Any

import pytest

from build.handwritten import TASKS
from build.handwritten.making import make_instance
from build.handwritten.numbering import renumbered, tidy
from build.handwritten.writing import (
    Mistake,
    Problem,
    Task,
    add_node,
    call,
    ref,
    remove_node,
    set_argument,
    shown,
)
from trajectory.error_types import ErrorType
from trajectory.files import InputError
from trajectory.instance import Instance
from trajectory.plan import Node, Plan

SUNNY = next(task for task in TASKS if task.id == "sunny-weekend")
MISSING_NIGHTS, DRIFT = SUNNY.problems


def make(problem: Problem, task: Task = SUNNY) -> Instance:
    return make_instance("L1-hand-000000", task, problem)


def with_mistake(**changes: Any) -> Problem:
    return replace(MISSING_NIGHTS, mistakes=[replace(MISSING_NIGHTS.mistakes[0], **changes)])


def test_what_follows_is_computed() -> None:
    found = make(MISSING_NIGHTS)
    (error,) = found.errors
    assert [len(calls) for calls in (*found.history, found.tool_results)] == [1, 2]
    assert (found.rounds_gt, found.calls_gt, found.rounds_opt, found.calls_opt) == (4, 5, 5, 6)
    assert (error["observed"], error["expected"]) == ({}, {"nights": 3})
    assert (error["round"], error["root_cause"], error["visible"]) == (2, "2", "explicit")
    assert (error["affected_now"], error["affected_later"]) == (["2"], ["4", "5"])
    assert (error["category"], error["field"], error["parameter"]) == ("argument", "para", "nights")
    assert found.repairs[0][0]["errors"] == [0]


def test_a_shown_value_becomes_what_the_call_gave() -> None:
    found = make(DRIFT)
    (undo,) = (edit for edit in found.repairs[0] if edit["op"] == "add_node")
    booked = next(call for call in found.tool_results if call["name"] == "book_room")
    assert undo["arguments"] == {"booking_id": booked["results"]["booking_id"]}


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (with_mistake(type=ErrorType.PARAMETER_TYPE), r"other errors than are written: got .*Para"),
        (with_mistake(root_cause="3"), "other errors than are written"),
        (with_mistake(changes=()), "other errors than are written: got \\[\\]"),
        (with_mistake(repair=[set_argument("2", "nights", 2)]), "repair 1: it is not right"),
        (with_mistake(evidence=()), "error 0 has no evidence"),
        (replace(MISSING_NIGHTS, rounds=9), "the trajectory ends before round 9"),
        (replace(MISSING_NIGHTS, level=2), "it is of level 1"),
    ],
)
def test_what_cannot_be_proven_stops_with_one_line(problem: Problem, said: str) -> None:
    with pytest.raises(InputError, match=said) as error:
        make(problem)
    assert str(error.value).startswith("id L1-hand-000000: ")


def test_a_task_needs_a_gold_plan_that_works() -> None:
    broken = [node for node in SUNNY.calls if node.id != "5"]
    missing = replace(SUNNY, calls=[*broken, call("5", "describe_hotel", hotel_id="h-0")])
    with pytest.raises(InputError, match="the gold plan does not reach the goal"):
        make(MISSING_NIGHTS, missing)


# --- numbers ---------------------------------------------------------------------------------

TASK = Task(
    "t",
    "request",
    [call("1", "b"), call("2", "c", x=ref("1")), call("3", "a", x=ref("2"), y=[ref("1", "k")])],
    "",
    (),
)


def numbers(**problem: Any) -> tuple[Task, Problem]:
    whole = {"level": 1, "rounds": 1, "mistakes": (), "reason": "", **problem}
    return renumbered(TASK, Problem(**whole))


def mistake(**fields: Any) -> Mistake:
    whole = {"type": ErrorType.MISSING_CALL, "root_cause": "3", "evidence": (), "repair": ()}
    return Mistake(**{**whole, **fields})


def test_a_call_left_out_leaves_no_gap() -> None:
    back = add_node(call("2", "c", x=ref("1")), "3")
    task, problem = numbers(
        mistakes=[mistake(changes=[remove_node("2")], repair=[back])],
        reason="node {3}, not {2}",
    )
    assert [(node.id, node.name) for node in task.calls] == [("1", "b"), ("3", "c"), ("2", "a")]
    assert task.calls[2].para == {"x": ref("3"), "y": [ref("1", "k")]}
    assert problem.reason == "node 2, not 3"
    (found,) = problem.mistakes
    assert found.root_cause == "2"
    assert found.repair[0] == {**back, "node": "3", "consumers": ["2"]}


def test_a_call_too_many_is_numbered_among_the_others() -> None:
    extra = add_node(call("9", "a"), "2")
    undo = add_node(call("8", "d", id=shown("9", "x")))
    _, problem = numbers(mistakes=[mistake(root_cause="9", changes=[extra], repair=[undo])])
    (found,) = problem.mistakes
    assert found.root_cause == "1"
    assert found.repair[0]["node"] == "5"
    assert found.repair[0]["arguments"] == {"id": shown("1", "x")}


def test_derived_ids_follow_their_base() -> None:
    _, problem = numbers(mistakes=[mistake(changes=[remove_node("2")])], purposes={"3_retry": "3"})
    assert problem.purposes == {"2_retry": "2"}


def test_nodes_and_deps_stand_in_the_order_of_their_numbers() -> None:
    plan = Plan(
        tuple(
            Node(id, "x", dep=("10", "9", "2_retry"))
            for id in ("response", "10", "2", "1_retry", "1", "root")
        )
    )
    found = tidy(plan)
    assert [node.id for node in found] == ["root", "1", "1_retry", "2", "10", "response"]
    assert found.nodes[1].dep == ("2_retry", "9", "10")


def test_a_call_waits_for_what_it_refers_to() -> None:
    node = call("4", "send", after="3", to=[ref("1"), ref("2", "a")], text="x")
    assert node.dep == ("1", "2", "3")
    assert call("4", "send").dep == ("root",)
