"""What planners do about a call that failed."""

from typing import Any

import pytest

from build.rollouts import reactions
from build.rollouts.desk import Desk, Slip
from build.rollouts.planning import planned
from trajectory.calls import Call
from trajectory.error_types import ErrorType
from trajectory.plan import ROOT
from trajectory.tools import read_tools

TIMEOUT = {"error": "timeout: find_hotels did not answer within 30 seconds"}
REFUSED = {"error": "missing required parameter 'city'"}


class Fixed:
    """Draws the first thing each time."""

    def choice(self, things: Any) -> Any:
        return things[0]

    def random(self) -> float:
        return 0.0


def desk() -> Desk:
    """Two hotels looked up, one of them booked: node 3 waits for nodes 1 and 2."""

    def found(city: str) -> dict[str, Any]:
        call = {"tool": "find_hotels", "arguments": {"city": city}}
        return {"of": call, "path": "hotels[0].id"}

    goal = {"tool": "compare", "arguments": {"hotels": [found("Paris"), found("Rome")]}}
    schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    tools = [{"name": "find_hotels", "description": "Find hotels.", "parameters": schema}]
    draft = planned("Compare them.", {"goals": [goal], "order": []})
    return Desk(draft, read_tools(tools), Fixed())  # type: ignore[arg-type]


def after(desk: Desk, *rounds: dict[str, Any]) -> Desk:
    """The desk once these nodes have given these results, round by round."""
    calls = [[Call(id, "", {}, result) for id, result in one.items()] for one in rounds]
    desk.round = len(rounds)
    desk.draft.read(calls)
    desk.see(rounds[-1])
    return desk


OK = {"hotels": [{"id": "h1"}]}


def slips(desk: Desk) -> list[tuple[ErrorType, str]]:
    return [(slip.type, slip.node) for slip in desk.slips]


def test_an_outage_is_noted_and_gone_once_the_call_is_tried_again() -> None:
    one = after(desk(), {"1": TIMEOUT, "2": OK})
    assert slips(one) == [(ErrorType.TIMEOUT, "1")]
    reactions.retry(one, "1")
    assert slips(one) == []
    assert one.draft.deps("3") == ("4", "2")


@pytest.mark.parametrize("result", [None, "", []])
def test_an_empty_answer_is_an_outage_of_its_own_kind(result: Any) -> None:
    assert slips(after(desk(), {"1": result, "2": OK})) == [(ErrorType.NULL, "1")]


def test_a_retry_by_another_name_is_no_listed_tool() -> None:
    one = after(desk(), {"1": TIMEOUT, "2": OK})
    reactions.retry_by_another_name(one, "1")
    assert one.draft.nodes["4"].name == "find_hotels_retry"
    assert slips(one) == [(ErrorType.TOOL_NAME, "4")]


def test_who_does_not_hear_of_a_retry_stays_with_the_failed_call() -> None:
    one = after(desk(), {"1": TIMEOUT, "2": OK})
    reactions.retry_unheard(one, "1")
    assert one.draft.deps("3") == ("1", "2")
    assert one.draft.nodes["4"].dep == ("1",)
    assert slips(one) == [(ErrorType.DEPENDENCE, "3")]


def test_a_retry_beside_hangs_on_what_the_failed_call_waited_for() -> None:
    one = after(desk(), {"1": TIMEOUT, "2": OK})
    reactions.retry_beside(one, "1")
    plan = one.draft.plan()
    assert plan.by_id["1_2"].dep == (ROOT,)
    assert one.draft.deps("3") == ("1_2", "2")


def test_further_attempts_planned_ahead_are_needless_once_one_succeeds() -> None:
    one = after(desk(), {"1": TIMEOUT, "2": OK})
    reactions.retry_in_a_row(one, "1")
    assert one.draft.deps("3") == ("5", "2")
    assert slips(after(one, {"1": TIMEOUT, "2": OK}, {"4": OK})) == [
        (ErrorType.REDUNDANT_CALL, "5")
    ]


def test_a_further_attempt_is_needed_where_the_one_before_it_failed_too() -> None:
    one = after(desk(), {"1": TIMEOUT, "2": OK})
    reactions.retry_in_a_row(one, "1")
    assert slips(after(one, {"1": TIMEOUT, "2": OK}, {"4": TIMEOUT})) == []
    assert one.draft.newest(one.draft.made_for["1"]) == "5"


def test_two_copies_at_once_are_one_too_many() -> None:
    one = after(desk(), {"1": TIMEOUT, "2": OK})
    reactions.retry_at_once(one, "1")
    assert one.draft.nodes["4"].dep == one.draft.nodes["5"].dep == ("1",)
    assert slips(one) == [(ErrorType.REDUNDANT_CALL, "5")]


def without_city() -> Desk:
    one = desk()
    one.draft.set_call("1", para={})
    one.slip(ErrorType.PARAMETER_MISSING, "1")
    return after(one, {"1": REFUSED, "2": OK})


def test_a_wrong_call_is_put_right_in_its_place() -> None:
    one = without_city()
    reactions.mend_in_place(one, "1")
    assert slips(one) == []
    assert one.draft.nodes["1"].para == {"city": "Paris"}
    assert not one.draft.plan().by_id["1"].status


def test_a_wrong_call_is_put_right_in_a_new_place() -> None:
    one = without_city()
    reactions.mend_anew(one, "1")
    assert one.draft.nodes["1"].para == {}
    assert one.draft.nodes["4"].para == {"city": "Paris"}
    assert one.draft.deps("3") == ("4", "2")


def test_the_same_wrong_call_again_is_as_wrong() -> None:
    one = without_city()
    reactions.same_again(one, "1")
    assert one.draft.nodes["4"].para == {}
    assert slips(one) == [(ErrorType.PARAMETER_MISSING, "4")]


def test_a_step_that_was_never_planned_is_planned_late() -> None:
    one = desk()
    step = one.draft.made_for["1"]
    one.draft.set_call("3", para={"hotels": ["h9", {"$ref": "2", "path": "hotels[0].id"}]})
    one.draft.remove("1")
    one.slip(ErrorType.MISSING_CALL, "3", step=step)
    after(one, {"2": OK}, {"3": REFUSED})
    reactions.mend(one, Slip(ErrorType.MISSING_CALL, "3", 0, step))
    assert slips(one) == []
    new = one.draft.newest(step)
    assert new is not None
    assert new in one.draft.deps("3")
    assert not one.draft.plan().by_id["3"].status
