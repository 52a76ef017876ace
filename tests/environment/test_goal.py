from dataclasses import replace
from typing import Any

import pytest

from environment.executor import Execution, Snapshot, carry_on, execute, start_of
from environment.goal import make_goal, missing, reached, recorded_goal
from environment.ledger import Ledger
from environment.simulation import Simulation, setting
from environment.worlds import tools
from trajectory.calls import Call
from trajectory.plan import Node, Plan
from trajectory.references import reference
from trajectory.tools import Catalogue

SETTING = setting(["travel"], seed=7)
TOOLS = tools(SETTING.worlds)
CATALOGUE = Catalogue(tuple(tool.declared for tool in TOOLS.values()))

FIND = Node("1", "find_hotels", {"city": "Rome", "check_in": "2026-04-01", "nights": 2})


def book(node: str, finder: str, guest: str = "Mia Novak") -> Node:
    hotel = reference(finder, "hotels[0].hotel_id")
    para = {"hotel_id": hotel, "guest": guest, "check_in": "2026-04-01", "nights": 2}
    return Node(node, "book_room", para, dep=(finder,))


def response(*dep: str) -> Node:
    return Node("response", dep=dep)


GOLD = (FIND, book("2", "1"), response("2"))


def run(*nodes: Node) -> tuple[Execution, str]:
    simulation = Simulation(SETTING, CATALOGUE)
    plan = Plan((Node("root", status=True), *nodes))
    return execute(start_of(Snapshot(plan, (), ())), carry_on, simulation), (
        simulation.state.digest()
    )


def goal_of(*nodes: Node) -> dict[str, Any]:
    gold, state = run(*nodes)
    assert [entry.outcome for entry in gold.ledger] == ["ok"] * (len(nodes) - 1)
    return make_goal(gold.ledger, TOOLS, state)


def is_reached(goal: dict[str, Any], *nodes: Node) -> bool:
    found, state = run(*nodes)
    return reached(goal, found.plan, found.ledger, state)


def lacking(goal: dict[str, Any], *nodes: Node) -> list[str]:
    found, _ = run(*nodes)
    return sorted(call["tool"] for call in missing(goal, found.plan, found.ledger))


def booking(goal: dict[str, Any]) -> dict[str, Any]:
    return next(call for call in goal["calls"] if call["tool"] == "book_room")


def test_gold_reaches_its_goal_whatever_its_nodes_are_called() -> None:
    goal = goal_of(*GOLD)
    assert is_reached(goal, *GOLD)
    assert is_reached(goal, FIND.change(id="a"), book("b", "a"), response("b"))


def test_a_call_the_response_does_not_wait_for_carries_nothing() -> None:
    assert lacking(goal_of(*GOLD), *GOLD[:2], response("1")) == ["book_room"]
    assert lacking(goal_of(*GOLD), *GOLD[:2], response()) == ["book_room", "find_hotels"]
    assert lacking(goal_of(*GOLD), *GOLD[:2]) == ["book_room", "find_hotels"]


def test_a_call_that_failed_carries_nothing() -> None:
    wrong = FIND.change(para={**FIND.para, "city": 5})  # type: ignore[dict-item]
    assert lacking(goal_of(*GOLD), wrong, *GOLD[1:]) == ["book_room", "find_hotels"]


def test_another_value_or_result_is_another_call() -> None:
    goal = goal_of(*GOLD)
    assert lacking(goal, FIND, book("2", "1", "Ida Novak"), response("2")) == ["book_room"]
    booking(goal)["result"] = {**booking(goal)["result"], "total_price": 1}
    assert lacking(goal, *GOLD) == ["book_room"]


def test_a_further_effect_misses_the_state_though_every_call_is_there() -> None:
    extra = book("3", "1", "Ida Novak")
    assert lacking(goal_of(*GOLD), *GOLD[:2], extra, response("2", "3")) == []
    assert not is_reached(goal_of(*GOLD), *GOLD[:2], extra, response("2", "3"))


def test_equal_calls_are_carried_by_as_many_nodes() -> None:
    ticket = Node("1", "buy_ticket", {"train": "T1001", "day": "2026-04-01", "passenger": "A B"})
    finds = (FIND, FIND.change(id="2"), response("1", "2"))
    assert lacking(goal_of(*finds), FIND, response("1")) == ["find_hotels"]
    assert lacking(goal_of(*finds), *finds) == []
    assert lacking(goal_of(ticket, response("1")), ticket, response("1")) == []


def test_a_parameter_that_does_not_count_may_differ() -> None:
    tool = TOOLS["book_room"]
    parameters = {**tool.parameters, "guest": replace(tool.parameters["guest"], counts=False)}
    gold, state = run(*GOLD)
    lenient = {**TOOLS, "book_room": replace(tool, parameters=parameters)}
    goal = make_goal(gold.ledger, lenient, state)
    other, _ = run(FIND, book("2", "1", "Ida Novak"), response("2"))
    assert len(missing(goal, other.plan, other.ledger)) == 1
    booked = other.ledger.last("2")
    assert booked is not None
    booking(goal)["result"] = booked.result
    assert missing(goal, other.plan, other.ledger) == []


@pytest.mark.parametrize("arguments", [["x"], "x", None])
def test_arguments_without_names_are_compared_whole(arguments: Any) -> None:
    gold, state = run(*GOLD)
    goal = make_goal(gold.ledger, TOOLS, state)
    ledger = gold.ledger
    ledger.record("2", "book_room", arguments, 9, booking(goal)["result"])
    assert len(missing(goal, gold.plan, ledger)) == 1


def test_of_recorded_calls_every_argument_counts_and_there_is_no_state() -> None:
    made = [Call("1", "book_room", {"hotel_id": "H-1", "guest": "Mia Novak"}, {"booking": "B-1"})]
    goal = recorded_goal(made, CATALOGUE)
    plan = Plan((FIND.change(id="7"), response("7")))
    ledger = Ledger()
    for remark in ({}, {"nights": 3}):
        ledger.record("7", "book_room", {**made[0].arguments, **remark}, 1, {"booking": "B-1"})
        assert reached(goal, plan, ledger, "") is (remark == {})
    assert not reached(goal, plan, Ledger(), "")
