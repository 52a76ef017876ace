"""The exact types, each on one small plan: 1 → 2 → 4, 1 → 3 → 5, with 5 also waiting for 2."""

from typing import Any

import pytest

from diagnosis.edits import Edit, apply_edits
from diagnosis.labels import Case, labels
from environment.ledger import Ledger
from trajectory.plan import Node, Plan
from trajectory.references import reference
from trajectory.tools import read_tools

TOOLS = read_tools(
    [
        {
            "name": name,
            "description": name,
            "parameters": {
                "type": "object",
                "properties": {
                    "city": {"type": "string"},
                    "n": {"type": "integer"},
                    "days": {"type": "array", "items": {"type": "integer"}},
                },
                "required": ["city"],
                "additionalProperties": False,
            },
        }
        for name in ("find", "list")
    ]
)


def call(id: str, *dep: str, **para: Any) -> Node:
    return Node(id, "find", {"city": "Rome", **para}, dep=dep or ("root",))


GOLD = Plan(
    (
        Node("root", status=True),
        call("1", n=1),
        call("2", "1", n=reference("1", "n")),
        call("3", "1", days=[1, 2]),
        call("4", "2", n=reference("2", "n")),
        call("5", "2", "3", n=reference("3", "n")),
        Node("response", dep=("4", "5")),
    )
)
RESULTS = {node: {"n": 7, "name": "x"} for node in "12345"}


def found(
    *edits: Edit, purposes: dict[str, str] | None = None, ran: Ledger | None = None
) -> list[str]:
    plan = apply_edits(GOLD, edits)
    case = Case(GOLD, plan, purposes or {}, TOOLS, ran or Ledger(), RESULTS)
    return [f"{one.type} {one.root_cause}" for one in labels(case)]


def edit(op: str, node: str, **more: Any) -> Edit:
    return {"op": op, "node": node, **more}


def argument(node: str, parameter: str, value: Any) -> Edit:
    return edit("set_argument", node, parameter=parameter, value=value)


def test_the_gold_plan_has_no_error() -> None:
    assert found() == []


@pytest.mark.parametrize(
    ("edits", "label"),
    [
        # A call that is not there, with whatever stands around and in its place.
        ([edit("remove_node", "4")], "Toolcall_Missing response"),
        (
            [edit("remove_node", "2"), argument("4", "n", 5), edit("add_edge", "4", dep="3")],
            "Toolcall_Missing 4",
        ),
        # A call too many, and the edges to and from it.
        (
            [
                edit("add_node", "9", tool="find", arguments={}, dep=["1"], consumers=["4"]),
                edit("remove_edge", "4", dep="2"),
                argument("4", "n", reference("9", "n")),
            ],
            "Toolcall_Redundancy 9",
        ),
        ([edit("set_tool", "3", tool="finds")], "Tool_name_Error 3"),
        ([edit("set_tool", "3", tool="list", arguments={"n": 4})], "Tool_select_Error 3"),
        # Nothing stands in the place of the producer, or only another one that is needed.
        ([edit("remove_edge", "4", dep="2")], "Dependence_Null 4"),
        ([edit("remove_edge", "5", dep="3")], "Dependence_Null 5"),
        # One of its own predecessors does.
        (
            [edit("remove_edge", "4", dep="2"), edit("add_edge", "4", dep="1")],
            "Serial_Error 4",
        ),
        # Another node does, with or without the reference.
        (
            [edit("remove_edge", "4", dep="2"), edit("add_edge", "4", dep="3")],
            "Dependence_Error 4",
        ),
        (
            [
                edit("remove_edge", "4", dep="2"),
                edit("add_edge", "4", dep="3"),
                argument("4", "n", reference("3", "n")),
            ],
            "Dependence_Error 4",
        ),
        ([edit("add_edge", "4", dep="3")], "Parallelism_Error 4"),
        ([edit("add_edge", "3", dep="2")], "Parallelism_Error 3"),
        (
            [edit("remove_argument", "3", parameter="days"), argument("3", "day", [1, 2])],
            "Parameter_Error 3",
        ),
        ([argument("3", "speed", 1)], "Parameter_Error 3"),
        ([edit("remove_argument", "3", parameter="days")], "Parameter_Missing 3"),
        ([argument("1", "n", "one")], "Type_Error 1"),
        ([argument("3", "days", [1, "two"])], "Type_Error 3"),
        ([argument("2", "n", reference("1", "name"))], "Type_Error 2"),
        ([argument("1", "n", 2)], "Parameter_Invalid 1"),
        ([argument("2", "n", reference("1", "nothing"))], "Parameter_Invalid 2"),
        ([argument("3", "n", 3)], "Parameter_Invalid 3"),
    ],
)  # fmt: skip
def test_each_error_is_of_one_type(edits: list[Edit], label: str) -> None:
    assert found(*edits) == [label]


def test_positional_arguments_are_a_parameter_error() -> None:
    plan = GOLD.change({"3": GOLD.by_id["3"].change(para=["Rome", [1, 2]])})
    case = Case(GOLD, plan, {}, TOOLS, Ledger(), RESULTS)
    assert [f"{one.type} {one.root_cause}" for one in labels(case)] == ["Parameter_Error 3"]


def test_an_edge_that_follows_from_others_is_none() -> None:
    assert found(edit("add_edge", "4", dep="1")) == []


def test_a_wrong_tool_is_not_judged_by_its_arguments() -> None:
    assert found(edit("set_tool", "3", tool="list", arguments={"m": "x"})) == [
        "Tool_select_Error 3"
    ]


def test_several_errors_are_all_found() -> None:
    assert found(
        argument("1", "n", "one"), edit("remove_edge", "4", dep="2"), argument("3", "city", "Oslo")
    ) == ["Dependence_Null 4", "Parameter_Invalid 3", "Type_Error 1"]


def ran(result: Any) -> Ledger:
    ledger = Ledger()
    ledger.record("1", "find", {}, 1, result)
    return ledger


def test_a_fault_is_an_error_until_it_is_mended() -> None:
    timeout = {"error": "timeout: find did not answer within 30 seconds"}
    assert found(ran=ran(timeout)) == ["Timeout_Error 1"]
    nothings: list[Any] = [None, "", []]
    for nothing in nothings:
        assert found(ran=ran(nothing)) == ["Null_Error 1"]
    assert found(ran=ran({"error": "there is no such city"})) == []
    assert found(ran=ran({"matches": [], "count": 0})) == []
    retry = edit("retry", "1", new="1b")
    assert found(retry, purposes={"1b": "1"}, ran=ran(timeout)) == []


def test_a_wrong_tool_that_does_not_answer_is_a_wrong_tool() -> None:
    ledger = Ledger()
    ledger.record("1", "list", {}, 1, {"error": "timeout: list did not answer within 30 seconds"})
    assert found(edit("set_tool", "1", tool="list"), ran=ledger) == ["Tool_select_Error 1"]


def test_a_missing_call_is_needed_by_what_waits_for_it_in_the_end() -> None:
    assert found(edit("remove_node", "3"), edit("remove_node", "5")) == [
        "Toolcall_Missing response",
        "Toolcall_Missing response",
    ]


def test_a_dep_that_names_no_node_is_a_dependence_error() -> None:
    dangling = GOLD.change({"4": GOLD.by_id["4"].change(dep=("2b",))})
    case = Case(GOLD, dangling, {"2b": "4"}, TOOLS, Ledger(), RESULTS)
    assert [f"{one.type} {one.root_cause}" for one in labels(case)] == ["Dependence_Error 4"]


def test_a_dep_on_an_earlier_attempt_is_a_dependence_error() -> None:
    stale = [
        edit("retry", "1", new="1b"),
        edit("remove_edge", "2", dep="1b"),
        edit("add_edge", "2", dep="1"),
        argument("2", "n", reference("1", "n")),
    ]
    assert found(*stale, purposes={"1b": "1"}) == ["Dependence_Error 2"]


def test_a_retry_of_a_call_without_its_dep_has_none_either() -> None:
    retried = [edit("remove_edge", "4", dep="2"), edit("retry", "4", new="4b")]
    assert found(*retried, purposes={"4b": "4"}) == ["Dependence_Null 4b"]
    beside = [edit("remove_edge", "4", dep="2"), edit("add_edge", "4", dep="1"), retried[1]]
    assert found(*beside, purposes={"4b": "4"}) == ["Serial_Error 4b"]


def chain(*edits: Edit) -> list[str]:
    """Label a plan of 1 → 2 → 3 and 4 → 6, with 5 waiting for 1, 3 and 6."""
    gold = Plan(
        (
            Node("root", status=True),
            call("1"),
            call("2", "1"),
            call("3", "2"),
            call("4"),
            call("6", "4"),
            call("5", "1", "3", "6"),
            Node("response", dep=("5",)),
        )
    )
    plan = apply_edits(gold, edits)
    found = labels(Case(gold, plan, {}, TOOLS, Ledger(), RESULTS))
    return [f"{one.type} {one.root_cause}" for one in found]


def test_a_predecessor_that_was_a_dep_before_comes_in_the_place_of_its_producer() -> None:
    assert chain(edit("remove_edge", "5", dep="3")) == ["Serial_Error 5"]


def test_a_predecessor_in_place_of_a_producer_is_serial_only_if_the_node_runs_no_later() -> None:
    beside = [edit("remove_edge", "5", dep="3"), edit("add_edge", "5", dep="2")]
    assert chain(*beside) == ["Serial_Error 5"]
    later = [edit("remove_edge", "5", dep="6"), edit("add_edge", "5", dep="4")]
    assert chain(*later) == ["Dependence_Error 5"]


def test_several_producers_may_be_replaced_by_the_predecessor_of_one() -> None:
    gone = [edit("remove_edge", "5", dep="6"), edit("remove_edge", "5", dep="3")]
    assert chain(*gone, edit("add_edge", "5", dep="2")) == ["Serial_Error 5"]


def test_a_label_says_what_was_observed_and_expected() -> None:
    plan = apply_edits(GOLD, [argument("1", "n", "one"), edit("remove_edge", "4", dep="2")])
    edge, value = labels(Case(GOLD, plan, {}, TOOLS, Ledger(), RESULTS))
    assert (edge.field, edge.observed, edge.expected) == ("dep", [], ["2"])
    assert (value.field, value.parameter) == ("para", "n")
    assert (value.observed, value.expected) == ({"n": "one"}, {"n": 1})
