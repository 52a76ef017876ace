"""Evidence: it points to something that a model sees, and what it points to is the reason."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from diagnosis.evidence import Sight, evidence, stands_in
from diagnosis.examination import Examination
from tests.diagnosis.budget import (
    NOTE,
    STAGE,
    add,
    drop,
    examine,
    example,
    gone,
    outage,
    part,
    put,
    types,
    wait,
)
from trajectory.error_types import ErrorType as T
from trajectory.references import follow
from trajectory.references import reference as ref
from trajectory.tools import read_tools


def told(pointer: Mapping[str, Any]) -> str:
    """A pointer in a few words."""
    return " ".join(
        str(pointer[key]) for key in ("in", "node", "tool", "text", "path") if key in pointer
    )


@pytest.mark.parametrize(
    ("kind", "pointers"),
    [
        (
            T.PARAMETER_NAME,
            ["tools sum_amounts parameters.properties.amounts", "plan 1 para", "results 1 error"],
        ),
        (
            T.PARAMETER_TYPE,
            [
                "tools round_amount parameters.properties.step.type",
                "plan 5 para.step",
                "results 5 error",
            ],
        ),
        (
            T.PARAMETER_MISSING,
            ["tools round_amount parameters.required", "plan 5 para", "results 5 error"],
        ),
        (T.PARAMETER_INVALID, ["query up"]),
        (T.TOOL_NAME, ["plan 7 name", "tools average_amounts name", "results 7 error"]),
        (T.TOOL_SELECT, ["tools round_amount description", "tools pick_amount description"]),
        (
            T.MISSING_CALL,
            ["tools average_amounts description", "query 80", "query 120", "plan 6 para"],
        ),
        (T.REDUNDANT_CALL, ["plan 8 para", "plan 5 para"]),
        (T.SERIAL, ["plan 4 dep", "tools keep_number description", "results 4 error"]),
        (T.DEPENDENCE, ["plan 5 dep", "tools recall_number description"]),
        (
            T.DEPENDENCE_NULL,
            [
                "plan 6 para.before",
                "plan 6 dep",
                "tools average_amounts description",
                "results 6 error",
            ],
        ),
        (T.PARALLELISM, ["plan 3 dep", "plan 3 para"]),
        (T.TIMEOUT, ["results 2 error"]),
        (T.NULL, ["results 5 "]),
    ],
)
def test_the_evidence_of_each_type(kind: T, pointers: list[str]) -> None:
    seen = example(kind)
    assert [told(pointer) for pointer in seen.errors[0]["evidence"]] == pointers
    for pointer in seen.errors[0]["evidence"]:
        assert shown(seen, pointer) is not MISSING


MISSING = object()


def shown(seen: Examination, pointer: Mapping[str, Any]) -> Any:
    """What stands where a pointer leads; MISSING: nothing."""
    if pointer["in"] == "query":
        return pointer["text"] if stands_in(pointer["text"], seen.query) else MISSING
    if pointer["in"] == "plan":
        node = seen.start.snapshot.plan.by_id[pointer["node"]]
        whole: Any = {"name": node.name, "para": node.para, "dep": list(node.dep)}
    elif pointer["in"] == "tools":
        whole = next(row for row in STAGE.gold.tools if row["name"] == pointer["tool"])
    else:
        calls = [*seen.start.snapshot.tool_results]
        calls += [call for calls in seen.start.snapshot.history for call in calls]
        whole = next(call.results for call in calls if call.node == pointer["node"])
    try:
        return follow(whole, pointer["path"])
    except LookupError:
        return MISSING


def pointers(seen: Examination, number: int = 0) -> list[str]:
    return [told(pointer) for pointer in seen.errors[number]["evidence"]]


# --- arguments --------------------------------------------------------------------------------


def test_the_true_value_is_said_in_the_request_in_the_words_of_the_parameter() -> None:
    assert pointers(examine(2, put("3", "label", "quote for the club"))) == [f"query {NOTE}"]
    worded = replace(example(T.PARAMETER_INVALID), query="Round it upwards, to the full 150.")
    assert [told(one) for one in worded.errors[0]["evidence"]] == ["query upwards"]


def test_each_part_of_a_list_is_looked_for() -> None:
    seen = examine(1, put("2", "amounts", [80, 150]))
    assert pointers(seen) == ["query 80", "query 120"]


def test_a_true_value_that_an_earlier_result_gives() -> None:
    assert pointers(examine(2, put("3", "amount", 900))) == ["results 1 total"]
    # Before it has run there is only the call that will give it.
    assert pointers(examine(0, put("3", "amount", 900))) == ["plan 1 name"]


def test_a_true_value_that_nothing_says_has_no_evidence() -> None:
    seen = replace(examine(4, put("5", "step", 5)), query="Round it up.")
    assert seen.errors[0]["evidence"] == []


def test_words_stand_alone_in_a_request() -> None:
    assert stands_in("80", "of 80 and 120")
    assert stands_in("80", "(80)")
    assert not stands_in("80", "of 180 and 120")
    assert not stands_in("open", "reopened")
    assert not stands_in("", "anything")


def test_positional_arguments_point_to_all_that_the_schema_names() -> None:
    plan = STAGE.gold.plan
    seen = examine(0)
    start = replace(
        seen.start,
        snapshot=replace(
            seen.start.snapshot, drawn=plan.change({"6": plan.by_id["6"].change(para=[100, 450])})
        ),
    )
    found = replace(seen, start=start)
    assert types(found) == ["Parameter_Error 6"]
    assert pointers(found) == [
        "tools compare_amounts parameters.properties.after",
        "tools compare_amounts parameters.properties.before",
        "plan 6 para",
    ]


def test_a_wrong_type_inside_a_value_points_to_what_the_schema_says_there() -> None:
    tool = "tools average_amounts parameters.properties.amounts"
    assert pointers(examine(0, put("2", "amounts", [80, "120"])))[0] == f"{tool}.items.type"
    assert pointers(examine(0, put("2", "amounts", "80, 120")))[0] == f"{tool}.type"
    assert pointers(examine(0, put("7", "amounts", [ref("1"), 600])))[0] == f"{tool}.items.type"


def test_a_name_that_is_nothing_like_any_points_to_the_whole_schema() -> None:
    assert pointers(examine(0, put("2", "speed", 1))) == [
        "tools average_amounts parameters.properties",
        "plan 2 para",
    ]


# --- calls and edges --------------------------------------------------------------------------


def test_a_needless_call_points_to_the_one_that_it_repeats() -> None:
    other = add("8", "keep_number", ["1"], [], label="quote for the club", amount=1)
    assert pointers(examine(1, other)) == ["plan 8 para", "plan 3 para"]
    alone = add("8", "convert_distance", ["1"], ["3"], kilometres=3, unit="miles")
    assert pointers(examine(1, alone)) == ["plan 8 para"]


def test_a_missing_call_that_the_response_needs() -> None:
    seen = examine(1, gone("7"))
    assert types(seen) == ["Toolcall_Missing response"]
    assert pointers(seen) == ["tools average_amounts description", "query 600"]


def test_an_edge_by_effect_points_to_what_the_tool_says_that_it_does() -> None:
    seen = example(T.SERIAL)
    pointer = seen.errors[0]["evidence"][1]
    assert "Adds a note" in shown(seen, pointer)


def test_an_edge_by_value_points_to_the_reference_that_nothing_stands_behind() -> None:
    seen = examine(1, part("6", "2"))
    assert shown(seen, seen.errors[0]["evidence"][0]) == ref("2", "mean")


def test_a_needless_edge_of_the_response_is_no_error() -> None:
    assert types(examine(1, wait("response", "4"))) == []


# --- results ----------------------------------------------------------------------------------


def test_only_what_has_failed_is_shown_by_a_result() -> None:
    for rounds in (0, 1, 2, 3):
        seen = examine(rounds, drop("5", "direction"))
        assert "results" not in {pointer["in"] for pointer in seen.errors[0]["evidence"]}
    assert pointers(examine(4, drop("5", "direction")))[-1] == "results 5 error"


def test_every_kind_of_nothing_is_shown() -> None:
    assert pointers(examine(4, faults=[outage("round_amount", null=True)])) == ["results 5 "]


def test_a_failure_that_another_error_has_caused_shows_nothing() -> None:
    """Node 7 refers to what node 1 did not give; its own mistake has not come up yet."""
    upstream = [drop("1", "amounts"), put("1", "numbers", [100, 250.5, 49.5])]
    own = put("7", "amounts", [ref("1", "total"), "600"])
    seen = examine(2, *upstream, own)
    assert types(seen) == ["Parameter_Error 1", "Type_Error 7"]
    assert pointers(seen, 0)[-1] == "results 1 error"
    assert pointers(seen, 1) == [
        "tools average_amounts parameters.properties.amounts.items.type",
        "plan 7 para.amounts",
    ]
    assert pointers(examine(2, own))[-1] == "results 7 error"


def test_where_only_schemas_are_known_values_are_looked_for_as_they_are() -> None:
    seen = replace(examine(2, put("3", "label", "quote for the club")), tools={})
    assert pointers(seen) == [f"query {NOTE}"]
    assert read_tools(STAGE.gold.tools).names == seen.catalogue.names
    sight = Sight(seen.query, seen.case, {}, {"3"})
    assert [told(one) for one in evidence(sight, seen.labels[0])] == [f"query {NOTE}"]
