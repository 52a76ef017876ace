"""The search for repairs: all minimal ones, the optimum, and what is none."""

import itertools
from collections.abc import Sequence

import pytest

from diagnosis.edits import Edit, apply_edits
from diagnosis.examination import Examination
from diagnosis.repairs import MOST_EDITS, search, single_edits, subsets
from diagnosis.trial import FAILED, once
from environment.executor import execute
from environment.goal import reached
from tests.diagnosis.budget import (
    GOLD,
    NOTE,
    STAGE,
    TOOLS,
    add,
    again,
    call,
    drop,
    examine,
    example,
    gone,
    outage,
    part,
    put,
    repairs,
    stage,
    tool,
    types,
    wait,
)
from trajectory.error_types import ErrorType as T
from trajectory.plan import Node, Plan
from trajectory.references import reference as ref


@pytest.mark.parametrize(
    ("kind", "found", "optimum"),
    [
        (T.PARAMETER_NAME, [["set_argument 1 amounts", "remove_argument 1 numbers"]], (7, 8)),
        (T.PARAMETER_TYPE, [["set_argument 5 step"]], (7, 8)),
        (T.PARAMETER_MISSING, [["set_argument 5 direction"]], (7, 8)),
        (T.PARAMETER_INVALID, [["set_argument 5 direction"]], (8, 9)),
        (T.TOOL_NAME, [["set_tool 7 average_amounts"]], (6, 8)),
        (
            T.TOOL_SELECT,
            [
                [
                    "set_tool 5 round_amount",
                    "set_argument 5 amount",
                    "remove_argument 5 amounts",
                    "set_argument 5 direction",
                    "set_argument 5 step",
                    "remove_argument 5 which",
                ]
            ],
            (7, 8),
        ),
        (T.MISSING_CALL, [["add_node 2 average_amounts []", "set_argument 6 before"]], (8, 8)),
        (T.REDUNDANT_CALL, [["remove_node 8"]], (6, 7)),
        (T.SERIAL, [["add_edge 4 3"]], (6, 8)),
        # The edge to the wrong node costs nothing any more.
        (T.DEPENDENCE, [["set_argument 5 amount", "add_edge 5 4"]], (6, 8)),
        # Node 2 has run, so that whatever node 6 waits for can wait for it.
        (
            T.DEPENDENCE_NULL,
            [["add_edge 3 2"], ["add_edge 4 2"], ["add_edge 5 2"], ["add_edge 6 2"]],
            (7, 8),
        ),
        (T.PARALLELISM, [["remove_edge 3 7"]], (6, 7)),
        (T.TIMEOUT, [["retry 2 8"]], (6, 8)),
        (T.NULL, [["retry 5 8"]], (7, 8)),
    ],
)
def test_the_repairs_of_each_type(
    kind: T, found: list[list[str]], optimum: tuple[int, int]
) -> None:
    seen = example(kind)
    assert seen.found is not None
    assert seen.found.optimum == optimum
    assert repairs(seen) == [[f"{edit} for 0" for edit in repair] for repair in found]
    assert all(is_right(seen, repair) for repair in seen.repairs)
    assert not is_right(seen, [])


def is_right(seen: Examination, edits: Sequence[Edit]) -> bool:
    """Say whether a repair reaches the goal at the optimum; it is executed as an answer is."""
    plan = apply_edits(seen.start.snapshot.plan, edits)
    environment = seen.environment.fork()
    run = execute(seen.start, once(plan), environment)
    assert seen.found is not None
    return (
        run.completed
        and (run.total_rounds, len(run.ledger)) == seen.found.optimum
        and reached(seen.goal, run.plan, run.ledger, environment.digest() or "")
    )


def test_without_an_error_nothing_is_to_be_done() -> None:
    found = examine(3).found
    assert found is not None
    assert found.repairs == ((),)
    assert found.optimum == found.carried.cost == (6, 7)


# --- minimality -------------------------------------------------------------------------------


def several() -> Examination:
    return examine(
        5,
        put("1", "amounts", [100, 250.5, 94.5]),
        {"op": "set_tool", "node": "7", "tool": "average_amount"},
        part("6", "2"),
    )


def test_no_part_of_a_repair_is_right() -> None:
    for seen in (several(), example(T.PARAMETER_NAME), example(T.MISSING_CALL)):
        assert seen.found is not None
        for repair in seen.repairs:
            for chosen in subsets(repair):
                outcome = seen.trial.edited(chosen)
                right = outcome.reached and outcome.cost == seen.found.optimum
                assert right == (len(chosen) == len(repair))


def test_several_errors_need_all_of_their_edits() -> None:
    seen = several()
    assert seen.found is not None
    assert seen.found.optimum == (11, 14)
    assert repairs(seen) == [
        [
            "set_argument 1 amounts for 1",
            "add_edge 6 2 for 0",
            "set_tool 7 average_amounts for 2",
            "add_node 8 forget_number [] for 1",
        ]
    ]


def test_what_no_longer_costs_anything_is_in_no_repair() -> None:
    # Node 3 has waited for node 7; that round is lost.
    seen = examine(4, wait("3", "7"), put("5", "step", "150"))
    assert types(seen) == ["Parallelism_Error 3", "Type_Error 5"]
    assert repairs(seen) == [["set_argument 5 step for 1"]]


def test_of_two_equal_calls_either_can_go() -> None:
    para = {"amount": ref("4", "amount"), "step": 150, "direction": "up"}
    same = {**add("8", "round_amount", ["5"], ["6"]), "arguments": para}
    seen = examine(1, same, part("6", "5"), put("6", "after", ref("8", "rounded")))
    assert types(seen) == ["Toolcall_Redundancy 8"]
    assert seen.found is not None
    assert seen.found.optimum == (6, 7)
    assert repairs(seen) == [
        ["remove_node 5 for 0"],
        ["set_argument 6 after for 0", "remove_node 8 for 0"],
    ]


def test_the_search_is_over_all_subsets() -> None:
    assert [*subsets("ab")] == [(), ("a",), ("b",), ("a", "b")]
    assert len([*subsets(range(6))]) == 64


def test_a_difference_that_is_too_large_is_not_searched() -> None:
    wrong = [tool(id, "average_amount", a=1, b=2) for id in ("2", "5", "7")]
    seen = examine(1, *wrong)
    assert len(seen.edits) > MOST_EDITS
    assert seen.found is None
    assert seen.repairs == []


def test_the_optimum_is_fewest_rounds_first_then_fewest_calls() -> None:
    # Carried on it reaches the goal with as many calls, but a round later.
    found = example(T.PARALLELISM).found
    assert found is not None
    assert found.carried.reached
    assert (found.carried.cost, found.optimum) == ((7, 7), (6, 7))
    found = example(T.REDUNDANT_CALL).found
    assert found is not None
    assert (found.carried.cost, found.optimum) == ((7, 8), (6, 7))


# --- further attempts -------------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 2, 3])
@pytest.mark.parametrize("rounds", [4, 5])
def test_failures_still_to_come_are_part_of_the_optimum(length: int, rounds: int) -> None:
    seen = examine(rounds, faults=[outage("round_amount", length=length, null=True)])
    attempts = ["retry 5 8 for 0", "retry 8 9 for 0", "retry 9 10 for 0"][:length]
    assert repairs(seen) == [attempts]
    assert seen.found is not None
    # What waits for node 5 has run by round 5, and runs again.
    assert seen.found.optimum == (rounds + length + 2, rounds + 3 + length)


def test_nodes_that_one_outage_answered_are_all_tried_again() -> None:
    seen = examine(2, faults=[outage("average_amounts", length=3)])
    assert repairs(seen) == [
        ["retry 2 8 for 0", "retry 8 9 for 0", "retry 7 10 for 1", "retry 10 11 for 1"]
    ]
    # Node 6 runs in round 5 anyway.
    assert seen.found is not None
    assert seen.found.optimum == (6, 11)


def test_an_outage_that_a_sibling_still_meets_leaves_no_repair() -> None:
    """Node 7 would fail beside the first retry; a plan that lets it wait would have it better."""
    seen = examine(1, faults=[outage("average_amounts", length=2)])
    assert types(seen) == ["Timeout_Error 2"]
    assert seen.found is not None
    assert seen.found.optimum is None
    better = seen.trial.edited([again("2", "8"), again("8", "9"), wait("7", "8")])
    beside = seen.trial.edited([again("2", "8"), again("8", "9"), again("7", "10")])
    assert (better.reached, better.cost) == (True, (6, 9))
    assert (beside.reached, beside.cost) == (True, (6, 10))


# --- edges that are no repair -----------------------------------------------------------------


def test_an_edge_alone_is_no_retry() -> None:
    """A call that failed in an earlier round would run again once its status is false."""
    seen = examine(3, faults=[outage("average_amounts")])
    plan = apply_edits(seen.start.snapshot.plan, [wait("2", "1")])
    assert seen.trial.answered(plan).reached
    assert seen.trial.edited([wait("2", "1")]) == FAILED
    assert repairs(seen) == [["retry 2 8 for 0"]]
    # Waiting for what is still to come it would be stale.
    assert seen.trial.edited([wait("2", "5")]) == FAILED


def test_nor_is_an_edge_above_it() -> None:
    seen = examine(5, faults=[outage("round_amount")])
    assert seen.trial.edited([wait("4", "2")]) == FAILED
    assert repairs(seen) == [["retry 5 8 for 0"]]


def test_an_edge_mends_a_call_that_failed_for_lack_of_it() -> None:
    """It is stale then, or gets a value: no retry."""
    for rounds in (1, 2, 3):
        assert repairs(examine(rounds, part("4", "3"))) == [["add_edge 4 3 for 0"]]
    assert ["add_edge 6 2 for 0"] in repairs(examine(5, part("6", "2")))


def test_an_edge_that_hides_a_call_is_no_repair() -> None:
    other = add("8", "keep_number", ["1"], [], label="quote for the club", amount=1)
    seen = examine(1, other)
    # Waiting for the last call it is still to come when the response ends the execution.
    assert seen.trial.edited([wait("8", "6")]) == seen.trial.edited([gone("8")])
    assert repairs(seen) == [["remove_node 8 for 0"]]


def with_slack() -> Plan:
    """Node 4 waits for 2 and 3, of which 2 could run a round later, and for 5."""
    return Plan(
        (
            Node("root", status=True),
            call("1", "sum_amounts", amounts=[100, 250.5]),
            call("2", "average_amounts", amounts=[80, 120]),
            call("3", "average_amounts", "1", amounts=[ref("1", "total"), 600]),
            call("5", "sum_amounts", amounts=[1, 2]),
            call(
                "4", "sum_amounts", "2", "3", "5",
                amounts=[ref("2", "mean"), ref("3", "mean"), ref("5", "total")],
            ),
            Node("response", dep=("4",)),
        )
    )  # fmt: skip


def test_an_edge_that_delays_a_call_is_no_repair() -> None:
    task = stage(with_slack())
    seen = examine(0, part("4", "5"), stage=task)
    assert seen.trial.edited([wait("2", "5")]) == seen.trial.edited([wait("4", "5")])
    assert repairs(seen) == [["add_edge 3 5 for 0"], ["add_edge 4 5 for 0"]]
    # Once node 5 has run, nothing is delayed by waiting for it; but node 2 has no reason to run.
    seen = examine(3, part("4", "5"), stage=task)
    assert repairs(seen) == [["add_edge 3 5 for 0"], ["add_edge 4 5 for 0"]]


# --- wrong effects ----------------------------------------------------------------------------


def test_a_wrong_effect_is_undone_beside_the_right_call() -> None:
    seen = examine(2, put("3", "label", "quote for the club"))
    assert repairs(seen) == [["set_argument 3 label for 0", "add_node 8 forget_number [] for 0"]]
    assert seen.repairs[0][1]["consumers"] == ["response"]
    assert seen.found is not None
    assert seen.found.optimum == (7, 9)


def test_a_wrong_effect_in_the_way_is_undone_first() -> None:
    seen = examine(2, put("3", "amount", 900))
    assert repairs(seen) == [["set_argument 3 amount for 0", "add_node 8 forget_number [] for 0"]]
    assert seen.repairs[0][1]["consumers"] == ["3", "response"]
    assert seen.found is not None
    # One round for undoing, and then all that comes after round 2 of the gold plan, and node 3.
    assert seen.found.optimum == (8, 9)


def test_what_a_wrong_result_led_to_is_undone_too() -> None:
    seen = examine(4, put("1", "amounts", [100, 250.5, 94.5]))
    assert repairs(seen) == [["set_argument 1 amounts for 0", "add_node 8 forget_number [] for 0"]]
    assert seen.found is not None
    assert seen.found.optimum == (10, 13)


def test_a_needless_effect_is_removed_before_and_undone_after_it_has_run() -> None:
    other = add("8", "keep_number", ["1"], [], label="quote for the club", amount=1)
    assert repairs(examine(1, other)) == [["remove_node 8 for 0"]]
    seen = examine(2, other)
    assert repairs(seen) == [["add_node 9 forget_number [] for 0"]]
    assert seen.found is not None
    assert seen.found.optimum == (6, 9)


# --- single edits -----------------------------------------------------------------------------


def test_every_single_edit_that_could_be_right() -> None:
    catalogue = STAGE.catalogue
    found = [*single_edits(GOLD, catalogue, frozenset({"1"}))]
    calls = [node.id for node in GOLD if node.is_call]
    assert [edit["node"] for edit in found if edit["op"] == "remove_node"] == calls
    assert [edit["node"] for edit in found if edit["op"] == "retry"] == ["1"]
    edges = {(edit["node"], edit["dep"]) for edit in found if edit["op"] == "remove_edge"}
    assert edges == {(node.id, dep) for node in GOLD for dep in node.dep if dep != "root"}
    edges |= {(edit["node"], edit["dep"]) for edit in found if edit["op"] == "add_edge"}
    assert edges == {*itertools.product([*calls, "response"], calls)} - {(n, n) for n in calls}
    # Arguments that a tool wants are not taken out, and no tool is set that refuses them.
    assert not [edit for edit in found if edit["op"] == "remove_argument"]
    tools = {(edit["node"], edit["tool"]) for edit in found if edit["op"] == "set_tool"}
    assert ("4", "forget_number") in tools
    assert ("2", "sum_amounts") in tools
    assert {name for _, name in tools} < {*TOOLS}
    assert not {node for node, _ in tools} & {"5", "6"}


def test_an_argument_that_may_be_left_out_can_be_taken_out() -> None:
    plan = apply_edits(GOLD, [put("2", "weights", [1])])
    found = [e for e in single_edits(plan, STAGE.catalogue, frozenset()) if "parameter" in e]
    assert found == [drop("2", "weights")]
    seen = examine(1, put("2", "weights", [1]))
    assert repairs(seen) == [["remove_argument 2 weights for 0"]]


def test_an_edit_outside_the_difference_is_found() -> None:
    """What the goal does not miss can go in place of being mended."""
    seen = examine(0, part("6", "2"))
    assert seen.found is not None
    assert [edit["op"] for edit in seen.found.single] == ["add_edge", "add_edge", "add_edge"]
    assert {edit["node"] for edit in seen.found.single} == {"3", "4", "5"}


def test_where_an_edit_outside_is_better_nothing_in_the_difference_is_a_repair() -> None:
    seen = example(T.PARAMETER_TYPE)
    worse = [{**put("5", "step", 150), "errors": [0]}, {**again("4", "9"), "errors": [0]}]
    found = search(seen.trial, worse[1:], [put("5", "step", 150)])
    assert found.optimum == (7, 8)
    assert found.repairs == ()
    assert found.single == ()
    assert NOTE in str(seen.start.snapshot.plan.by_id["4"].para)
