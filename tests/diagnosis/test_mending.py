"""The difference to gold: which edits there are, and which error each of them mends."""

from dataclasses import replace

import pytest

from diagnosis.edits import Edit
from diagnosis.mending import (
    IrreversibleError,
    UnblamedError,
    compensations,
    new_ids,
    plan_edits,
    retries,
)
from environment.faults import Fault
from environment.ledger import Ledger
from tests.diagnosis.budget import (
    NOTE,
    add,
    again,
    difference,
    drop,
    examine,
    example,
    gone,
    outage,
    part,
    put,
    stage,
    tool,
    types,
    wait,
)
from trajectory.error_types import ErrorType as T
from trajectory.references import reference as ref


@pytest.mark.parametrize(
    ("kind", "edits"),
    [
        (T.PARAMETER_NAME, ["set_argument 1 amounts", "remove_argument 1 numbers"]),
        (T.PARAMETER_TYPE, ["set_argument 5 step"]),
        (T.PARAMETER_MISSING, ["set_argument 5 direction"]),
        (T.PARAMETER_INVALID, ["set_argument 5 direction"]),
        (T.TOOL_NAME, ["set_tool 7 average_amounts"]),
        (
            T.TOOL_SELECT,
            [
                "set_tool 5 round_amount",
                "set_argument 5 amount",
                "remove_argument 5 amounts",
                "set_argument 5 direction",
                "set_argument 5 step",
                "remove_argument 5 which",
            ],
        ),
        (T.MISSING_CALL, ["add_node 2 average_amounts []", "set_argument 6 before"]),
        (T.REDUNDANT_CALL, ["remove_node 8"]),
        (T.SERIAL, ["add_edge 4 3"]),
        # What refers to the wrong node is part of the wrong edge.
        (T.DEPENDENCE, ["set_argument 5 amount", "add_edge 5 4", "remove_edge 5 7"]),
        (T.DEPENDENCE_NULL, ["add_edge 6 2"]),
        (T.PARALLELISM, ["remove_edge 3 7"]),
        (T.TIMEOUT, ["retry 2 8"]),
        (T.NULL, ["retry 5 8"]),
    ],
)
def test_each_type_has_its_edits(kind: T, edits: list[str]) -> None:
    assert types(example(kind)) == [f"{kind} {example(kind).labels[0].root_cause}"]
    assert difference(example(kind)) == [f"{edit} for 0" for edit in edits]


def test_without_an_error_there_is_no_edit() -> None:
    assert difference(examine(2)) == []


def test_what_no_label_accounts_for_is_no_difference_that_can_be_mended() -> None:
    plans: list[list[Edit]] = [
        [put("5", "step", 5)],
        [{"op": "set_tool", "node": "7", "tool": "mean_amounts"}],
        [gone("3")],
        [part("6", "2")],
        [add("8", "recall_number", ["1"], [], label=NOTE)],
    ]
    for edits in plans:
        with pytest.raises(UnblamedError):
            plan_edits(examine(0, *edits).case, [])


# --- several errors ---------------------------------------------------------------------------


def test_each_edit_names_its_own_error() -> None:
    seen = examine(
        5,
        put("1", "amounts", [100, 250.5, 94.5]),
        {"op": "set_tool", "node": "7", "tool": "average_amount"},
        part("6", "2"),
    )
    assert types(seen) == ["Dependence_Null 6", "Parameter_Invalid 1", "Tool_name_Error 7"]
    assert difference(seen) == [
        "set_argument 1 amounts for 1",
        "add_edge 6 2 for 0",
        "set_tool 7 average_amounts for 2",
        # A wrong amount has been noted by node 3, which is right itself.
        "add_node 8 forget_number [] for 1",
    ]


def test_two_errors_of_one_call_have_edits_of_their_own() -> None:
    seen = examine(4, put("5", "step", "150"), drop("5", "direction"))
    assert types(seen) == ["Parameter_Missing 5", "Type_Error 5"]
    assert difference(seen) == ["set_argument 5 direction for 0", "set_argument 5 step for 1"]


def test_a_wrong_argument_beside_a_wrong_edge_is_an_error_of_its_own() -> None:
    seen = examine(3, part("5", "4"), wait("5", "3"), put("5", "step", "150"))
    assert types(seen) == ["Serial_Error 5", "Type_Error 5"]
    assert difference(seen) == ["set_argument 5 step for 1", "add_edge 5 4 for 0"]


def test_a_missing_call_and_a_needless_one() -> None:
    seen = examine(
        1,
        gone("3"),
        add("8", "recall_number", ["4"], ["5"], label=NOTE),
        part("5", "4"),
        put("5", "amount", ref("8", "amount")),
    )
    assert types(seen) == ["Toolcall_Missing 4", "Toolcall_Redundancy 8"]
    assert difference(seen) == [
        "add_node 3 keep_number ['1'] for 0",
        "set_argument 5 amount for 1",
        "remove_node 8 for 1",
    ]


# --- missing and needless calls ---------------------------------------------------------------


def test_edges_around_a_missing_call_and_data_in_its_place_are_part_of_it() -> None:
    seen = examine(2, gone("4"), part("5", "3"), wait("5", "7"), put("5", "amount", 380))
    assert types(seen) == ["Toolcall_Missing 5"]
    assert difference(seen) == [
        "add_node 4 recall_number ['3'] for 0",
        "set_argument 5 amount for 0",
        "remove_edge 5 7 for 0",
    ]


def test_a_missing_call_waits_for_the_retry_of_what_it_needs() -> None:
    faults = [outage("sum_amounts")]
    seen = examine(2, again("1", "8"), gone("3"), faults=faults, purposes={"8": "1"})
    assert types(seen) == ["Toolcall_Missing 4"]
    (edit,) = seen.edits
    assert edit["dep"] == ["8"]
    assert edit["arguments"] == {"label": NOTE, "amount": ref("8", "total")}
    assert seen.labels[0].expected == {
        "tool": "keep_number",
        "arguments": {"label": NOTE, "amount": ref("8", "total")},
        "dep": ["8"],
    }


def test_two_missing_calls_in_a_row_are_added_in_their_order() -> None:
    seen = examine(2, gone("4"), gone("3"), put("5", "amount", 380))
    assert [edit["node"] for edit in seen.edits if edit["op"] == "add_node"] == ["3", "4"]
    first, second = (edit for edit in seen.edits if edit["op"] == "add_node")
    assert (first["consumers"], second["dep"], second["consumers"]) == ([], ["3"], ["5"])


def test_a_consumer_that_took_the_needless_result_takes_the_right_one_again() -> None:
    seen = examine(
        1,
        add("8", "average_amounts", ["2"], ["6"], amounts=[80, 120]),
        part("6", "2"),
        put("6", "before", ref("8", "mean")),
    )
    assert types(seen) == ["Toolcall_Redundancy 8"]
    assert difference(seen) == ["set_argument 6 before for 0", "remove_node 8 for 0"]


def test_what_has_run_stays_and_is_only_undone() -> None:
    other = add("8", "keep_number", ["1"], [], label="quote for the club", amount=ref("1", "total"))
    assert difference(examine(1, other)) == ["remove_node 8 for 0"]
    seen = examine(2, other)
    assert difference(seen) == ["add_node 9 forget_number [] for 0"]
    assert seen.undone[0]["arguments"] == {"label": "quote for the club"}
    assert seen.undone[0]["consumers"] == ["response"]


# --- edges ------------------------------------------------------------------------------------


def test_an_edge_is_compared_after_reduction() -> None:
    # Node 6 waits for node 1 by way of node 5 anyway.
    assert difference(examine(1, wait("6", "1"))) == []


def test_a_dep_on_the_failed_attempt_is_mended_by_one_on_its_retry() -> None:
    stale = [again("5", "8"), part("6", "8"), wait("6", "5"), put("6", "after", ref("5"))]
    seen = examine(4, *stale, faults=[outage("round_amount")], purposes={"8": "5"})
    assert types(seen) == ["Dependence_Error 6"]
    assert difference(seen) == ["set_argument 6 after for 0", "add_edge 6 8 for 0"]


def test_edges_of_the_response_count_too() -> None:
    seen = examine(2, part("response", "7"))
    assert types(seen) == ["Dependence_Null response"]
    assert difference(seen) == ["add_edge response 7 for 0"]


# --- further attempts -------------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 2, 3])
def test_one_attempt_more_than_failures_are_still_to_come(length: int) -> None:
    seen = examine(4, faults=[outage("round_amount", length=length, null=True)])
    news = [(edit["node"], edit["new"]) for edit in seen.edits]
    assert news == [("5", "8"), ("8", "9"), ("9", "10")][:length]


def test_what_other_calls_have_used_up_of_an_outage_is_not_to_come() -> None:
    # Node 7 is answered by the second failure.
    seen = examine(2, faults=[outage("average_amounts", length=2)])
    assert types(seen) == ["Timeout_Error 2", "Timeout_Error 7"]
    assert difference(seen) == ["retry 2 8 for 0", "retry 7 9 for 1"]
    seen = examine(2, faults=[outage("average_amounts", length=3)])
    assert difference(seen) == [
        "retry 2 8 for 0",
        "retry 8 9 for 0",
        "retry 7 10 for 1",
        "retry 10 11 for 1",
    ]


def test_only_faults_are_tried_again() -> None:
    case = example(T.PARAMETER_TYPE).case
    faults = [Fault("round_amount", 1, 1, "timeout")]
    assert retries(case, example(T.PARAMETER_TYPE).labels, faults, {}) == []


def test_new_ids_are_those_of_neither_plan() -> None:
    seen = examine(0, gone("7"), add("12", "recall_number", ["1"], [], label=NOTE))
    ids = new_ids(seen.case)
    assert [next(ids), next(ids)] == ["13", "14"]


# --- what wrong calls have done ---------------------------------------------------------------


def test_a_wrong_effect_is_taken_back_by_what_it_gave() -> None:
    seen = examine(2, put("3", "label", "quote for the club"))
    assert difference(seen) == ["set_argument 3 label for 0", "add_node 8 forget_number [] for 0"]
    assert seen.undone[0]["arguments"] == {"label": "quote for the club"}


def test_a_right_effect_is_left_alone() -> None:
    assert examine(4, part("6", "2")).undone == []


def test_a_call_that_failed_has_no_effect() -> None:
    assert examine(2, put("3", "amount", "400")).undone == []
    assert examine(2, faults=[outage("keep_number")]).undone == []


def test_a_wrong_effect_that_no_listed_tool_takes_back() -> None:
    seen = examine(2, put("3", "amount", 900), stage=stage(unlisted=["forget_number"]))
    with pytest.raises(IrreversibleError, match="keep_number"):
        seen.undone  # noqa: B018


def test_an_effect_that_no_error_explains() -> None:
    seen = examine(2, put("3", "amount", 900))
    with pytest.raises(UnblamedError, match="node 3"):
        compensations(seen.case, [], seen.gold_run.ledger, seen.tools, iter(["8"]))


def test_each_wrong_effect_is_taken_back() -> None:
    one = add("8", "keep_number", ["1"], [], label="quote for the club", amount=1)
    two = add("9", "keep_number", ["1"], [], label="limit for the club", amount=1)
    assert difference(examine(2, one, two)) == [
        "add_node 10 forget_number [] for 0",
        "add_node 11 forget_number [] for 1",
    ]


def test_of_the_same_effect_twice_one_is_right() -> None:
    seen = examine(2, add("8", "keep_number", ["1"], [], label=NOTE, amount=ref("1", "total")))
    ledger = Ledger(seen.gold_run.ledger)
    ledger.record("8", "keep_number", {"label": NOTE, "amount": 400}, 2, {"label": NOTE})
    case = replace(seen.case, ledger=ledger)
    found = compensations(case, seen.labels, seen.gold_run.ledger, seen.tools, iter(["9"]))
    assert [(edit["tool"], edit["errors"]) for edit in found] == [("forget_number", [0])]


def test_undoing_and_trying_again_get_ids_of_their_own() -> None:
    seen = examine(
        2, put("3", "label", "quote for the club"), faults=[outage("average_amounts", 2, 2)]
    )
    assert types(seen) == ["Parameter_Invalid 3", "Timeout_Error 7"]
    assert difference(seen) == [
        "set_argument 3 label for 0",
        "retry 7 8 for 1",
        "retry 8 9 for 1",
        "add_node 10 forget_number [] for 0",
    ]


def test_a_wrong_tool_brings_its_own_arguments() -> None:
    seen = examine(3, tool("4", "forget_number", label=NOTE))
    assert types(seen) == ["Tool_select_Error 4"]
    # What it struck out is written again.
    assert difference(seen) == [
        "set_tool 4 recall_number for 0",
        "add_node 8 keep_number [] for 0",
    ]
    assert seen.undone[0]["arguments"] == {"label": NOTE, "amount": 400}
