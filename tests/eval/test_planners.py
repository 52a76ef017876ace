"""Scripted planners over one instance, by their trajectories."""

from dataclasses import replace
from typing import Any

import pytest

from environment import opening
from eval.agents import Seen
from eval.derive import Case, derive
from eval.planners import PLANNERS
from eval.recovery import recover
from eval.results import read_row
from models.reading import read_answer
from trajectory.instance import Instance, view
from trajectory.plan import RESPONSE


def _row(name: str, instance: Instance) -> dict[str, Any]:
    return recover(instance, opening.start(instance), PLANNERS[name](instance))


def _values(name: str, instance: Instance) -> dict[str, float | None]:
    row = {"id": instance.id, **_row(name, instance)}
    return dict(derive(read_row(row, "made", 1), Case(instance)).values)


@pytest.mark.parametrize("name", ["respond_now", "flatten"])
def test_answering_without_the_work_reaches_nothing(name: str, instances: list[Instance]) -> None:
    values = _values(name, instances[0])
    assert values["pass_at_1"] == 1
    assert values["verified_pass_at_1"] == values["verified_e5"] == 0
    assert values["verified_tool_efficiency"] == 0


@pytest.mark.parametrize("name", ["mark_done", "do_nothing"])
def test_empty_answers_are_the_same_as_carrying_on(name: str, instances: list[Instance]) -> None:
    one = instances[0]
    carried, other = (_row(n, one) for n in ("carry_on", name))
    for key in ("completed", "ending", "state"):
        assert other[key] == carried[key]
    assert [r["calls"] for r in other["rounds"]] == [r["calls"] for r in carried["rounds"]]


def test_carrying_on_a_failed_look_up_books_nothing(instances: list[Instance]) -> None:
    row = _row("carry_on", instances[0])
    (booking,) = row["rounds"][0]["calls"]
    assert "has no value at" in booking["results"]["error"]
    assert _values("carry_on", instances[0])["verified_pass_at_1"] == 0


def test_blind_retry_mends_a_timeout_in_the_fewest_rounds(instances: list[Instance]) -> None:
    values = _values("blind_retry", instances[0])
    assert values["verified_pass_at_1"] == values["verified_e5"] == 1
    assert values["verified_tool_efficiency"] == 1
    assert values["e5"] == pytest.approx(3 / 4)


def test_blind_retry_adds_a_node_and_moves_its_consumers(instances: list[Instance]) -> None:
    text = PLANNERS["blind_retry"](instances[0]).answer(view(instances[0]), 0)
    assert text is not None
    plan = read_answer(text).plan
    assert plan is not None
    assert plan.by_id["1_retry_1"].para == plan.by_id["1"].para
    assert plan.by_id["2"].dep == ("1_retry_1",)
    assert plan.by_id["2"].para["hotel_id"]["$ref"] == "1_retry_1"  # type: ignore[call-overload]
    assert plan.by_id[RESPONSE].dep == ("2",)


def test_blind_retry_with_nothing_to_retry_carries_on(instances: list[Instance]) -> None:
    one = replace(instances[0], tool_results=[])
    row = _row("blind_retry", one)
    assert (row["outcome"], row["completed"]) == ("ok", True)


def test_a_planner_sees_no_more_than_a_model(instances: list[Instance]) -> None:
    shown: list[set[str]] = []

    class Spy:
        def answer(self, seen: Seen, later: int) -> str | None:
            shown.append(set(seen))
            return "no plan here"

    row = recover(instances[0], opening.start(instances[0]), Spy())
    assert shown == [{"query", "tools", "plan", "tool_results", "history"}]
    assert row["outcome"] == "model_invalid"
    assert row["rounds"] is None


def test_rounds_continue_those_of_the_instance(instances: list[Instance]) -> None:
    start = opening.start(instances[0])
    row = _row("carry_on", instances[0])
    assert start.rounds == 1
    assert [one["round"] for one in row["rounds"]] == [2, 3]
