from typing import Any

import pytest

from diagnosis.edits import Edit, EditError, apply_edits
from trajectory.descriptions import describe
from trajectory.graph import is_valid
from trajectory.plan import Node, Plan, write_plan
from trajectory.references import reference


def call(id: str, *dep: str, status: bool = False, **para: Any) -> Node:
    return Node(id, "find", para, describe(), dep or ("root",), status)


# 1 and 2 have run and 3 has run on both; 4 is still to come.
PLAN = Plan(
    (
        Node("root", status=True),
        call("1", status=True, city="Rome"),
        call("2", status=True),
        call("3", "1", "2", status=True, where=reference("1", "city"), n=[reference("2")]),
        call("4", "3"),
        Node("response", dep=("4",)),
    )
)


def after(*edits: Edit) -> dict[str, Node]:
    before = write_plan(PLAN)
    plan = apply_edits(PLAN, edits)
    assert write_plan(PLAN) == before
    assert is_valid(plan)
    return plan.by_id


def to_run(nodes: dict[str, Node]) -> str:
    return " ".join(id for id, node in nodes.items() if node.is_call and not node.status)


def test_no_edit_changes_nothing() -> None:
    assert apply_edits(PLAN, ()) == PLAN


def test_an_edited_node_runs_again_with_all_that_hangs_on_it() -> None:
    nodes = after({"op": "set_argument", "node": "1", "parameter": "city", "value": "Oslo"})
    assert nodes["1"].para == {"city": "Oslo"}
    assert nodes["1"].desc == ""
    assert to_run(nodes) == "1 3 4"


def test_an_argument_is_removed_and_with_another_one_renamed() -> None:
    nodes = after(
        {"op": "remove_argument", "node": "1", "parameter": "city"},
        {"op": "set_argument", "node": "1", "parameter": "town", "value": "Rome"},
    )
    assert nodes["1"].para == {"town": "Rome"}


def test_positional_arguments_get_names() -> None:
    plan = PLAN.change({"1": PLAN.by_id["1"].change(para=["Rome"])})
    edit = {"op": "set_argument", "node": "1", "parameter": "city", "value": "Rome"}
    assert apply_edits(plan, [edit]).by_id["1"].para == {"city": "Rome"}


def test_a_tool_is_set_with_its_arguments_or_keeps_them() -> None:
    assert after({"op": "set_tool", "node": "1", "tool": "seek"})["1"].para == {"city": "Rome"}
    nodes = after({"op": "set_tool", "node": "1", "tool": "seek", "arguments": {"x": 1}})
    assert (nodes["1"].name, nodes["1"].para) == ("seek", {"x": 1})
    assert nodes["1"].desc == ""


def test_a_call_is_added_with_its_edges() -> None:
    edit = {"op": "add_node", "node": "5", "tool": "find", "arguments": {}, "dep": ["1"]}
    nodes = after({**edit, "consumers": ["4"]})
    assert nodes["5"].dep == ("1",)
    assert nodes["4"].dep == ("3", "5")
    assert to_run(nodes) == "4 5"


def test_who_waited_for_a_removed_call_waits_for_what_it_waited_for() -> None:
    assert after({"op": "remove_node", "node": "3"})["4"].dep == ("1", "2")
    assert after({"op": "remove_node", "node": "2"})["3"].dep == ("1",)


def test_a_call_is_removed_in_favour_of_another() -> None:
    nodes = after({"op": "remove_node", "node": "2", "into": "1"})
    assert nodes["3"].dep == ("1",)
    assert nodes["3"].para["n"] == [reference("1")]  # type: ignore[call-overload]


def test_edges_are_added_and_removed() -> None:
    nodes = after(
        {"op": "remove_edge", "node": "3", "dep": "2"},
        {"op": "remove_edge", "node": "3", "dep": "1"},
        {"op": "add_edge", "node": "2", "dep": "1"},
    )
    assert nodes["3"].dep == ("root",)
    assert nodes["2"].dep == ("1",)
    assert to_run(nodes) == "2 3 4"


def test_an_edge_that_is_there_is_not_added_twice() -> None:
    assert after({"op": "add_edge", "node": "3", "dep": "1"})["3"].dep == ("2", "1")


def test_a_retry_is_a_new_node_on_which_the_consumers_hang() -> None:
    nodes = after({"op": "retry", "node": "1", "new": "1_retry"})
    assert nodes["1_retry"].para == {"city": "Rome"}
    assert nodes["1_retry"].dep == ("1",)
    assert nodes["3"].dep == ("1_retry", "2")
    assert nodes["3"].para["where"] == reference("1_retry", "city")  # type: ignore[call-overload]
    assert nodes["1"].status
    assert to_run(nodes) == "3 4 1_retry"


def test_retries_follow_one_another() -> None:
    nodes = after(
        {"op": "retry", "node": "1", "new": "a"}, {"op": "retry", "node": "a", "new": "b"}
    )
    assert (nodes["a"].dep, nodes["b"].dep, nodes["3"].dep) == (("1",), ("a",), ("b", "2"))


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ({"op": "remove_node", "node": "9"}, "no node '9'"),
        ({"op": "retry", "node": "1", "new": "2"}, "a node '2' already"),
        ({"op": "remove_argument", "node": "1", "parameter": "x"}, "no argument 'x'"),
        ({"op": "remove_edge", "node": "1", "dep": "2"}, "does not wait for '2'"),
        (
            {"op": "add_node", "node": "5", "tool": "t", "arguments": {}, "dep": [],
             "consumers": ["9"]},
            "no node '9'",
        ),
    ],
)  # fmt: skip
def test_an_edit_that_cannot_be_made_says_why(edit: Edit, said: str) -> None:
    with pytest.raises(EditError, match=said):
        apply_edits(PLAN, [edit])
