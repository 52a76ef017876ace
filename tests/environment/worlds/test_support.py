"""The support world: exact behaviour on seed 7, effects and their undoing, refusals."""

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import support

NAME = "support"


@pytest.fixture
def view() -> View:
    tables = support.WORLD.tables(7)
    return View(State({(NAME, table): rows for table, rows in tables.items()}), NAME)


def put_case(view: View, **fields: object) -> str:
    row = {**view.values("cases")[0], "case_id": "CASE-1", **fields}
    view.put("cases", "CASE-1", row)
    return "CASE-1"


def test_cases_keep_their_order_and_limits(view: View) -> None:
    found = support.search_cases(view, "router", "paid", symptoms=["offline", "update"])
    prices = [case["paid"] for case in found["cases"]]
    assert prices == sorted(prices, reverse=True)
    assert {case["symptom"] for case in found["cases"]} <= {"offline", "update"}


@pytest.mark.parametrize(
    ("priority", "business_hours", "day", "time"),
    [
        ("critical", False, "2026-02-27", "20:00"),
        ("critical", True, "2026-03-02", "12:00"),
        ("high", False, "2026-02-28", "00:00"),
        ("high", True, "2026-03-02", "16:00"),
        ("normal", True, "2026-03-04", "16:00"),
    ],
)
def test_deadlines_skip_nights_and_weekends_in_business_hours(
    view: View, priority: str, business_hours: bool, day: str, time: str
) -> None:
    case_id = put_case(view, opened="2026-02-27", minute=16 * 60, priority=priority)
    (found,) = support.rank_deadlines(view, [case_id], business_hours)["deadlines"]
    assert (found["day"], found["time"]) == (day, time)


def test_an_assigned_case_is_taken_until_withdrawn(view: View) -> None:
    before = support.search_cases(view, "router", "opened", unassigned=True)
    case_id = before["case_ids"][0]
    agent = support.match_agents(view, case_id, 1)["names"][0]
    done = support.assign_cases(view, [case_id], agent)
    after = support.search_cases(view, "router", "opened", unassigned=True)
    assert case_id not in after["case_ids"]
    with pytest.raises(ToolError, match=f"{case_id} is assigned to {agent} already"):
        support.assign_cases(view, [case_id], agent)
    support.unassign_cases(view, done["assignment_id"])
    assert support.search_cases(view, "router", "opened", unassigned=True) == before


@pytest.mark.parametrize(
    ("bought", "reason", "share"),
    [
        ("2026-01-30", "change of mind", 100),
        ("2025-12-15", "change of mind", 50),
        ("2025-12-15", "defect", 100),
        ("2025-01-15", "defect", 25),
        ("2026-02-20", "late delivery", 20),
    ],
)
def test_the_share_depends_on_reason_and_age(
    view: View, bought: str, reason: str, share: int
) -> None:
    case_id = put_case(view, opened="2026-02-27", bought=bought, paid=200)
    quote = support.quote_refund(view, case_id, reason)
    assert (quote["share"], quote["amount"]) == (share, 2 * share)


def test_never_more_is_paid_back_than_was_paid(view: View) -> None:
    case_id = put_case(view, paid=100)
    assert support.issue_refund(view, case_id, 40)["kept"] == 60
    assert support.issue_refund(view, case_id, 40)["refund_id"].endswith(".2")
    with pytest.raises(ToolError, match=r"20\.00 EUR can be refunded"):
        support.issue_refund(view, case_id, 40)


def test_the_best_match_of_symptoms_comes_first(view: View) -> None:
    case_id = put_case(view, product="router", symptom="leak")
    found = support.suggest_articles(view, case_id, also=["noise"])["articles"]
    assert [one["matches"] for one in found] == sorted(
        (one["matches"] for one in found), reverse=True
    )
