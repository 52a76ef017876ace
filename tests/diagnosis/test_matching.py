"""What calls are for, on a small plan: 1 → 3 → 5 → 6 and 2 → 4, with 5 also waiting for 4.

The gold plan has other ids than the plans that are matched with it, and ids that mean other
calls there.
"""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diagnosis.edits import Edit, apply_edits
from diagnosis.labeller import renamed
from diagnosis.matching import purposes
from diagnosis.sides import with_names
from environment.executor import Execution
from environment.ledger import Ledger
from trajectory.plan import Node, Plan
from trajectory.references import reference
from trajectory.tools import read_tools

NAMES = ("find_city", "find_hotels", "compare_hotels", "book_hotel", "send_mail", "find_trains")
TOOLS = read_tools([{"name": name, "parameters": {"type": "object"}} for name in NAMES])


def call(id: str, name: str, *dep: str, **para: Any) -> Node:
    return Node(id, name, para, dep=dep or ("root",))


PLAN = Plan(
    (
        Node("root", status=True),
        call("1", "find_city", person="Ada"),
        call("2", "find_city", person="Leo"),
        call("3", "find_hotels", "1", city=reference("1", "city"), nights=2),
        call("4", "find_hotels", "2", city=reference("2", "city"), nights=2),
        call(
            "5",
            "compare_hotels",
            "3",
            "4",
            one=reference("3", "hotels[0]"),
            other=reference("4", "hotels[0]"),
        ),
        call("6", "book_hotel", "5", hotel=reference("5", "best"), guest="Ada"),
        Node("response", dep=("6",)),
    )
)
RESULTS: Mapping[str, Any] = {
    "1": {"city": "Rome"},
    "2": {"city": "Oslo"},
    "3": {"hotels": ["Alba"]},
    "4": {"hotels": ["Fjord"]},
    "5": {"best": "Alba"},
    "6": {"booking": "b-1"},
}
# Ids of the gold plan: some are those of other calls in the plan.
GOLD_IDS = {"root": "root", "response": "response", "1": "2", "2": "6", "3": "7", "4": "1"} | {
    "5": "9",
    "6": "3",
}
TIMEOUT = {"error": "timeout: it did not answer within 30 seconds"}


def ran(results: Mapping[str, Any], rounds: Mapping[str, int] | None = None) -> Ledger:
    """Return a ledger of calls, each in the round of its layer in PLAN if not told."""
    layers = {"1": 1, "2": 1, "3": 2, "4": 2, "5": 3, "6": 4, **(rounds or {})}
    ledger = Ledger()
    for node in sorted(results, key=lambda node: (layers[node], node)):
        name = PLAN.by_id[node].name if node in PLAN.by_id else "find_city"
        ledger.record(node, name or "", {}, layers[node], results[node])
    return ledger


def gold_run(plan: Plan, ids: Mapping[str, str]) -> Execution:
    ledger = Ledger()
    for entry in ran(RESULTS):
        ledger.record(ids[entry.node], entry.tool, {}, entry.round, entry.result)
    return Execution(0, (), "completed", plan, ledger, {})


def matched(plan: Plan, ledger: Ledger | None = None) -> dict[str, str]:
    """Match a plan; returns its nodes with the ids that their calls have in PLAN."""
    gold = renamed(PLAN, GOLD_IDS)
    found = purposes(gold, gold_run(gold, GOLD_IDS), plan, ledger or Ledger(), TOOLS)
    meant = {new: old for old, new in GOLD_IDS.items()}
    return {node: meant[wanted] for node, wanted in found.items()}


def edited(*edits: Edit, ledger: Ledger | None = None) -> dict[str, str]:
    return matched(apply_edits(PLAN, edits), ledger)


def edit(op: str, node: str, **more: Any) -> Edit:
    return {"op": op, "node": node, **more}


def argument(node: str, parameter: str, value: Any) -> Edit:
    return edit("set_argument", node, parameter=parameter, value=value)


def added(node: str, like: str, dep: list[str], consumers: list[str], **changed: Any) -> Edit:
    para = {**dict(PLAN.by_id[like].para), **changed}
    return edit(
        "add_node", node, tool=PLAN.by_id[like].name, arguments=para, dep=dep, consumers=consumers
    )


SAME = {node: node for node in "123456"}


def without(*nodes: str) -> dict[str, str]:
    return {node: node for node in SAME if node not in nodes}


def test_the_same_plan_is_matched_whatever_its_ids() -> None:
    assert edited() == SAME
    assert edited(ledger=ran(RESULTS)) == SAME


@pytest.mark.parametrize(
    "edits",
    [
        # Another tool, in the place of the right one.
        [edit("set_tool", "4", tool="find_trains", arguments={"start": reference("2", "city")})],
        [edit("set_tool", "6", tool="send_mail", arguments={"to": "Ada"})],
        [edit("set_tool", "5", tool="find_hotels", arguments={"city": reference("3", "city")})],
        # A name that is in no list.
        [edit("set_tool", "4", tool="find_hotel")],
        [edit("set_tool", "4", tool="format_date"), argument("4", "nights", 3)],
        # Arguments.
        [argument("1", "person", "Leonora")],
        [argument("4", "city", "the city found in step 2"), argument("4", "nights", "two")],
        [edit("remove_argument", "6", parameter="hotel")],
        [edit("remove_argument", "6", parameter="guest"), argument("6", "visitor", "Ada")],
        # Edges.
        [edit("remove_edge", "6", dep="5")],
        [edit("remove_edge", "5", dep="4"), edit("add_edge", "5", dep="2")],
        [edit("add_edge", "4", dep="3")],
        # What 4 takes is what 3 takes, so that the two are the same call.
        [
            edit("remove_edge", "4", dep="2"),
            edit("add_edge", "4", dep="1"),
            argument("4", "city", reference("1", "city")),
        ],
    ],
)
def test_an_error_changes_nothing_of_what_a_call_is_for(edits: list[Edit]) -> None:
    assert edited(*edits) == SAME


def test_positional_arguments_are_matched_by_their_values() -> None:
    plan = PLAN.change({"4": PLAN.by_id["4"].change(para=[reference("2", "city"), 2])})
    assert matched(plan) == SAME


def test_a_missing_call_has_no_node() -> None:
    assert edited(edit("remove_node", "4"), argument("5", "other", "Fjord")) == without("4")
    assert edited(edit("remove_node", "2"), argument("4", "city", "Bergen")) == without("2")


def test_what_nobody_asked_for_is_for_nothing() -> None:
    look_up = edit(
        "add_node", "7", tool="find_trains", arguments={"start": "Rome"}, dep=["1"], consumers=["3"]
    )
    assert edited(look_up) == SAME
    assert edited(added("7", "1", ["1"], ["3"], person="Vera")) == SAME


def test_a_missing_and_a_needless_call_are_not_one_wrong_call() -> None:
    look_up = edit(
        "add_node", "7", tool="find_trains", arguments={"start": "Rome"}, dep=["1"], consumers=["3"]
    )
    gone = [edit("remove_node", "4"), argument("5", "other", "Fjord")]
    assert edited(look_up, *gone) == without("4")


def test_of_two_calls_that_are_the_same_the_second_is_for_nothing() -> None:
    again = added("7", "1", ["1"], ["3"])
    assert edited(again) == SAME
    taken = argument("3", "city", reference("7", "city"))
    moved = edit("remove_edge", "3", dep="1")
    assert edited(again, moved, taken) == SAME
    assert edited(again, moved, taken, ledger=ran({"1": RESULTS["1"], "2": RESULTS["2"]})) == SAME


def test_of_two_calls_side_by_side_that_one_is_needed_whose_result_is_taken() -> None:
    assert edited(added("0", "1", ["root"], ["3"])) == SAME
    assert edited(added("7", "1", ["root"], [])) == SAME


def test_a_call_made_again_after_it_failed_is_for_the_same() -> None:
    retry = edit("retry", "1", new="7")
    failed = ran({"1": TIMEOUT, "2": RESULTS["2"]})
    assert edited(retry, ledger=failed) == {**SAME, "7": "1"}
    twice = [retry, edit("retry", "7", new="8")]
    both = ran({"1": TIMEOUT, "2": RESULTS["2"], "7": TIMEOUT}, {"7": 2})
    assert edited(*twice, ledger=both) == {**SAME, "7": "1", "8": "1"}


def test_before_it_fails_a_further_call_is_for_nothing() -> None:
    assert edited(edit("retry", "1", new="7")) == SAME
    assert edited(edit("retry", "1", new="7"), ledger=ran({"1": RESULTS["1"]})) == SAME


def test_of_two_retries_side_by_side_one_is_needed() -> None:
    failed = ran({"1": TIMEOUT, "2": RESULTS["2"]})
    copies = [edit("retry", "1", new="7"), added("8", "1", ["1"], [])]
    assert edited(*copies, ledger=failed) == {**SAME, "7": "1"}


def test_a_retry_may_have_its_own_errors() -> None:
    retry = edit("retry", "1", new="7")
    failed = ran({"1": TIMEOUT, "2": RESULTS["2"]})
    for wrong in (
        edit("set_tool", "7", tool="find_city_retry"),
        edit("set_tool", "7", tool="find_trains", arguments={"start": "Ada"}),
        argument("7", "person", "Vera"),
    ):
        assert edited(retry, wrong, ledger=failed) == {**SAME, "7": "1"}


def test_a_retry_may_hang_on_the_wrong_node_or_not_be_taken() -> None:
    failed = ran({"1": RESULTS["1"], "2": RESULTS["2"], "3": TIMEOUT, "4": RESULTS["4"]})
    beside = added("7", "3", ["1"], [])
    assert edited(beside, ledger=failed) == {**SAME, "7": "3"}


def test_a_call_put_right_after_it_failed_is_for_the_same() -> None:
    wrong = argument("1", "person", 3)
    right = added("7", "1", ["root"], ["3"])
    moved = [edit("remove_edge", "3", dep="1"), argument("3", "city", reference("7", "city"))]
    failed = ran({"1": {"error": "person: got 3, wanted a string"}})
    assert edited(wrong, right, *moved, ledger=failed) == {**SAME, "7": "1"}


def test_a_wrong_call_made_twice_and_then_put_right_is_for_the_same() -> None:
    wrong = edit("set_tool", "1", tool="find_trains", arguments={"start": "Ada"})
    again = edit("add_node", "7", tool="find_trains", arguments={"start": "Ada"}, dep=["1"])
    right = added("8", "1", ["7"], ["3"])
    moved = [edit("remove_edge", "3", dep="1"), argument("3", "city", reference("8", "city"))]
    error = {"error": "there is no station Ada"}
    failed = ran({"1": error, "2": RESULTS["2"], "7": error}, {"7": 2})
    edits = [wrong, {**again, "consumers": []}, right, *moved]
    assert edited(*edits, ledger=failed) == {**SAME, "7": "1", "8": "1"}


def test_a_failed_call_whose_result_is_still_wanted_is_not_given_up() -> None:
    wrong = edit("set_tool", "2", tool="find_hotels", arguments={"city": "Leo", "nights": 2})
    failed = ran({"1": RESULTS["1"], "2": {"error": "there is no such city"}})
    assert edited(wrong, ledger=failed) == SAME


def test_what_follows_a_failure_is_not_for_it() -> None:
    check = edit(
        "add_node", "7", tool="find_trains", arguments={"start": "Rome"}, dep=["1"], consumers=["3"]
    )
    assert edited(check, ledger=ran({"1": TIMEOUT, "2": RESULTS["2"]})) == SAME


def test_two_calls_that_are_the_same_in_gold_are_two() -> None:
    gold = Plan(
        (
            Node("root", status=True),
            call("a", "find_city", person="Ada"),
            call("b", "send_mail", "a", text="hello"),
            call("c", "send_mail", "b", text="hello"),
            Node("response", dep=("c",)),
        )
    )
    run = Execution(0, (), "completed", gold, Ledger(), {})
    ids = {"root": "root", "response": "response", "a": "3", "b": "2", "c": "1"}
    plan = renamed(gold, ids)
    assert purposes(gold, run, plan, Ledger(), TOOLS) == {"3": "a", "2": "b", "1": "c"}
    one_less = apply_edits(plan, [edit("remove_node", "1")])
    assert len(purposes(gold, run, one_less, Ledger(), TOOLS)) == 2


def test_a_plan_that_is_none_is_matched_with_nothing() -> None:
    circle = Plan((call("1", "send_mail", "2"), call("2", "send_mail", "1")))
    assert matched(circle) == {}
    assert matched(Plan(())) == {}


# --- whatever the ids and the order -----------------------------------------------------------

_EDITS: tuple[Edit, ...] = (
    edit("set_tool", "4", tool="find_trains", arguments={"start": reference("2", "city")}),
    edit("set_tool", "5", tool="compare_hotel"),
    edit("remove_edge", "6", dep="5"),
    edit("add_edge", "2", dep="1"),
    edit("retry", "2", new="7"),
    added("8", "3", ["3"], ["5"]),
    argument("3", "city", "Turin"),
    argument("6", "guest", 7),
    edit("remove_argument", "6", parameter="hotel"),
)


@given(
    edits=st.lists(st.sampled_from(_EDITS), max_size=4, unique_by=str),
    failed=st.booleans(),
    numbers=st.permutations(range(1, 9)),
    order=st.randoms(use_true_random=False),
)
def test_ids_and_listing_order_count_for_nothing(
    edits: list[Edit], failed: bool, numbers: list[int], order: Any
) -> None:
    plan = apply_edits(PLAN, edits)
    ledger = ran({"1": RESULTS["1"], "2": TIMEOUT if failed else RESULTS["2"]})
    names = {"root": "root", "response": "response"} | {
        str(n): str(new) for n, new in enumerate(numbers, start=1)
    }
    nodes = [
        node.change(
            id=names[node.id],
            dep=tuple(names[dep] for dep in node.dep),
            para=with_names(node.para, names),
        )
        for node in plan
    ]
    order.shuffle(nodes)
    moved = Ledger()
    for entry in ledger:
        moved.record(names[entry.node], entry.tool, {}, entry.round, entry.result)
    found = matched(plan, ledger)
    assert matched(Plan(tuple(nodes)), moved) == {names[node]: one for node, one in found.items()}
