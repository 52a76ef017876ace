"""An examination: what is wrong at a snapshot, how it shows, and what mends it."""

import pytest

from diagnosis.examination import Examination, visible
from diagnosis.mending import IrreversibleError
from diagnosis.repairs import MOST_REPAIRS
from environment.ledger import Ledger
from tests.diagnosis.budget import (
    EXAMPLES,
    NOTE,
    add,
    again,
    drop,
    examine,
    example,
    gone,
    outage,
    part,
    put,
    repairs,
    stage,
    types,
    wait,
)
from trajectory.error_types import CATEGORY
from trajectory.error_types import ErrorType as T
from trajectory.references import reference as ref


@pytest.mark.parametrize(
    ("kind", "root_cause", "field", "parameter", "round_", "shows"),
    [
        (T.PARAMETER_NAME, "1", "para", "amounts", 1, "explicit"),
        (T.PARAMETER_TYPE, "5", "para", "step", 4, "explicit"),
        (T.PARAMETER_MISSING, "5", "para", "direction", 4, "explicit"),
        (T.PARAMETER_INVALID, "5", "para", "direction", 4, "drifted"),
        (T.TOOL_NAME, "7", "name", None, 2, "explicit"),
        (T.TOOL_SELECT, "5", "name", None, 4, "implicit"),
        (T.MISSING_CALL, "6", "call", None, 5, "implicit"),
        (T.REDUNDANT_CALL, "8", "call", None, None, "implicit"),
        (T.SERIAL, "4", "dep", None, 2, "explicit"),
        (T.DEPENDENCE, "5", "dep", None, 3, "implicit"),
        (T.DEPENDENCE_NULL, "6", "dep", None, 5, "explicit"),
        (T.PARALLELISM, "3", "dep", None, None, "implicit"),
        (T.TIMEOUT, "2", "result", None, 1, "explicit"),
        (T.NULL, "5", "result", None, 4, "explicit"),
    ],
)
def test_an_error_of_each_type(
    kind: T, root_cause: str, field: str, parameter: str | None, round_: int | None, shows: str
) -> None:
    (error,) = example(kind).errors
    assert error["type"] == kind
    assert error["category"] == CATEGORY[kind]
    assert (error["root_cause"], error["field"], error["parameter"]) == (
        root_cause,
        field,
        parameter,
    )
    assert (error["round"], error["visible"]) == (round_, shows)


def test_the_whole_row_of_an_error() -> None:
    assert example(T.PARAMETER_TYPE).errors == [
        {
            "type": "Type_Error",
            "category": "argument",
            "round": 4,
            "root_cause": "5",
            "field": "para",
            "parameter": "step",
            "observed": {"step": "150"},
            "expected": {"step": 150},
            "affected_now": ["5"],
            "affected_later": ["6"],
            "delayed": [],
            "visible": "explicit",
            "evidence": [
                {
                    "in": "tools",
                    "tool": "round_amount",
                    "path": "parameters.properties.step.type",
                },
                {"in": "plan", "node": "5", "path": "para.step"},
                {"in": "results", "node": "5", "path": "error"},
            ],
        }
    ]


def test_errors_stand_in_the_order_that_repairs_count_them() -> None:
    seen = examine(
        2,
        put("2", "amounts", [80, 150]),
        {"op": "set_tool", "node": "7", "tool": "mean_amounts"},
        gone("4"),
        put("5", "amount", 380),
    )
    assert types(seen) == ["Parameter_Invalid 2", "Tool_name_Error 7", "Toolcall_Missing 5"]
    (repair,) = seen.repairs
    roots = [{seen.errors[number]["root_cause"] for number in edit["errors"]} for edit in repair]
    assert [(edit["node"], *root) for edit, root in zip(repair, roots, strict=True)] == [
        ("4", "5"),
        ("2", "2"),
        ("5", "5"),
        ("7", "7"),
    ]


# --- visible ----------------------------------------------------------------------------------


def shows(seen: Examination) -> list[str]:
    return [error["visible"] for error in seen.errors]


def test_an_error_shows_by_what_has_run() -> None:
    wrong = put("1", "amounts", [100, 250.5, 94.5])
    assert shows(examine(0, wrong)) == ["implicit"]
    # Its own result is wrong, which only reasoning finds; then those of others are.
    assert shows(examine(1, wrong)) == ["implicit"]
    assert shows(examine(2, wrong)) == ["drifted"]


def test_a_failure_counts_before_a_wrong_value() -> None:
    # Node 4 finds no note of that name.
    seen = examine(3, put("3", "label", "quote for the club"))
    assert shows(seen) == ["explicit"]
    assert shows(examine(2, put("3", "label", "quote for the club"))) == ["implicit"]


def test_a_failure_of_another_error_shows_nothing() -> None:
    upstream = [drop("1", "amounts"), put("1", "numbers", [100, 250.5, 49.5])]
    own = put("7", "amounts", [ref("1", "total"), "600"])
    assert shows(examine(2, own)) == ["explicit"]
    seen = examine(2, *upstream, own)
    assert types(seen) == ["Parameter_Error 1", "Type_Error 7"]
    assert shows(seen) == ["explicit", "implicit"]


def test_values_that_two_errors_make_wrong_show_both() -> None:
    seen = examine(5, put("1", "amounts", [100, 250.5, 194.5]), put("5", "direction", "down"))
    assert types(seen) == ["Parameter_Invalid 1", "Parameter_Invalid 5"]
    assert shows(seen) == ["drifted", "drifted"]


def test_visible_tells_root_cause_and_others_apart() -> None:
    ledger = Ledger()
    ledger.record("1", "find", {}, 1, {"n": 1})
    ledger.record("2", "find", {}, 2, {"error": "there is none"})
    assert visible(ledger, "1", []) == "implicit"
    assert visible(ledger, "1", ["1"]) == "implicit"
    assert visible(ledger, "2", ["1"]) == "drifted"
    assert visible(ledger, "1", ["1", "2"]) == "explicit"


# --- edits and repairs ------------------------------------------------------------------------


def test_a_call_that_has_run_is_not_taken_out() -> None:
    gate = EXAMPLES[T.REDUNDANT_CALL].edits
    assert [edit["op"] for edit in examine(4, *gate).edits] == ["remove_node"]
    assert examine(5, *gate).edits == []


def test_what_only_cost_time_has_no_repair_once_it_is_lost() -> None:
    for edits in (EXAMPLES[T.REDUNDANT_CALL].edits, EXAMPLES[T.PARALLELISM].edits):
        seen = examine(5, *edits)
        assert seen.found is not None
        assert seen.found.carried.reached
        assert seen.found.carried.cost == seen.found.optimum


def test_calls_that_take_back_have_ids_of_their_own() -> None:
    seen = examine(
        2, put("3", "label", "quote for the club"), faults=[outage("average_amounts", 2, 1)]
    )
    new = [edit["new"] for edit in seen.edits if edit["op"] == "retry"]
    assert {*new}.isdisjoint(edit["node"] for edit in seen.undone)
    assert {*new}.isdisjoint(node.id for node in seen.gold)


def test_a_retry_and_an_undoing_are_blamed_apart() -> None:
    seen = examine(
        2, put("3", "label", "quote for the club"), faults=[outage("average_amounts", 2, 1)]
    )
    assert types(seen) == ["Parameter_Invalid 3", "Timeout_Error 7"]
    assert repairs(seen) == [
        ["set_argument 3 label for 0", "retry 7 8 for 1", "add_node 9 forget_number [] for 0"]
    ]
    assert seen.found is not None
    # Undoing, noting and trying again in round 3; reading, rounding, comparing, answering.
    assert seen.found.optimum == (7, 10)


def test_what_cannot_be_undone_has_no_repair() -> None:
    seen = examine(2, put("3", "amount", 900), stage=stage(unlisted=["forget_number"]))
    with pytest.raises(IrreversibleError):
        seen.repairs  # noqa: B018


def test_at_most_so_many_repairs_are_listed_the_smallest_first() -> None:
    for kind in EXAMPLES:
        found = example(kind).repairs
        assert 0 < len(found) <= MOST_REPAIRS
        assert [len(repair) for repair in found] == sorted(len(repair) for repair in found)


def test_every_edit_names_the_errors_that_it_mends() -> None:
    for kind in EXAMPLES:
        for repair in example(kind).repairs:
            assert all(edit["errors"] == [0] for edit in repair)


# --- trajectories without an error ------------------------------------------------------------


@pytest.mark.parametrize("rounds", [0, 2, 5])
def test_the_gold_plan_has_no_error_after_any_round(rounds: int) -> None:
    seen = examine(rounds)
    assert (seen.labels, seen.errors, seen.edits, seen.undone) == ([], [], [], [])


@pytest.mark.parametrize("length", [1, 2])
def test_nor_has_a_call_that_failed_and_was_tried_again(length: int) -> None:
    tries = [again("5", "8"), again("8", "9")][:length]
    seen = examine(
        4 + length,
        *tries,
        faults=[outage("round_amount", length=length)],
        purposes={"8": "5", "9": "5"},
    )
    assert seen.labels == []
    assert seen.trial.answered(None).cost == (6 + length, 7 + length)


def test_an_error_beside_a_rightful_retry_is_mended_in_its_newest_attempt() -> None:
    seen = examine(
        5,
        again("5", "8"),
        {"op": "set_argument", "node": "8", "parameter": "step", "value": 5},
        faults=[outage("round_amount")],
        purposes={"8": "5"},
    )
    assert types(seen) == ["Parameter_Invalid 8"]
    assert repairs(seen) == [["set_argument 8 step for 0"]]
    assert seen.found is not None
    assert seen.found.optimum == (8, 9)


def test_a_needless_effect_that_has_run_shows_implicitly() -> None:
    other = add("8", "keep_number", ["1"], [], label="quote for the club", amount=1)
    (error,) = examine(2, other).errors
    assert (error["round"], error["visible"], error["affected_now"]) == (2, "implicit", ["8"])


def test_edges_around_a_missing_call_are_no_errors_of_their_own() -> None:
    seen = examine(1, gone("4"), part("5", "3"), wait("5", "1"), put("5", "amount", 380))
    assert types(seen) == ["Toolcall_Missing 5"]
    assert seen.errors[0]["expected"] == {
        "tool": "recall_number",
        "arguments": {"label": NOTE},
        "dep": ["3"],
    }


@pytest.mark.parametrize("kind", [T.TIMEOUT, T.NULL])
def test_dropping_an_argument_is_no_way_to_make_a_call_again(kind: T) -> None:
    seen = example(kind)
    assert {edit["op"] for repair in seen.repairs for edit in repair} == {"retry"}
    dropped = {"op": "remove_argument", "node": seen.labels[0].root_cause, "parameter": "any"}
    assert seen._only_has_made_again(dropped)
