"""Real estate: searches, annuities, yields, distances, an agent's diary."""

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import realestate


@pytest.fixture
def state() -> State:
    tables = realestate.WORLD.tables(7)
    return State(
        {("realestate", name): dict(sorted(rows.items())) for name, rows in tables.items()}
    )


@pytest.fixture
def view(state: State) -> View:
    return View(state, "realestate")


def test_homes_come_in_the_asked_order(view: View) -> None:
    found = realestate.search_homes(view, "Oslo", "rent", "cheapest", min_rooms=3)["homes"]
    assert [(row["listing_id"], row["rent"]) for row in found[:2]] == [
        ("RE-10423", 940), ("RE-10428", 1118),
    ]  # fmt: skip
    with pytest.raises(ToolError, match="at most 900 is no limit for homes to let"):
        realestate.search_homes(view, "Oslo", "rent", "cheapest", max_price=900)


def test_a_mortgage_is_an_annuity(view: View) -> None:
    assert realestate.mortgage_payment(view, 300000, 20, 25, 3.6) == {
        "loan": 240000, "monthly": 1214.41, "interest": 124321.95,
    }  # fmt: skip
    assert realestate.mortgage_payment(view, 120000, 0, 10, 0)["monthly"] == 1000


def test_income_less_costs_decides_the_price(view: View) -> None:
    assert realestate.affordable_price(view, 60000, [200, 100], 25, 20000) == {
        "monthly_budget": 1366.67, "max_price": 290090,
    }  # fmt: skip
    with pytest.raises(ToolError, match="an income of 6000 leaves nothing"):
        realestate.affordable_price(view, 6000, [200, 100], 25)


def test_yields_are_compared(view: View) -> None:
    yields = realestate.rent_yield(view, ["RE-10030", "RE-10001"])["yields"]
    assert [(row["listing_id"], row["yield_percent"]) for row in yields] == [
        ("RE-10001", 4.919), ("RE-10030", 4.887),
    ]  # fmt: skip


def test_ways_and_neighbourhoods(view: View) -> None:
    assert realestate.commute(view, "RE-10030", "airport", "cycle") == {
        "distance_km": 12.43, "minutes": 52,
    }  # fmt: skip
    near = realestate.homes_near(view, {"lat": 59.9139, "lon": 10.7522}, 5)
    assert near["count"] == 5
    assert near["homes"][0] == {"listing_id": "RE-10421", "distance_km": 0.63}
    assert realestate.homes_near(view, {"lat": 0, "lon": 0}, 5) == {"homes": [], "count": 0}
    assert realestate.describe_home(view, "RE-10421")["city"] == "Oslo"


def test_an_agent_shows_one_home_at_a_time(view: View, state: State) -> None:
    start = state.digest()
    made = realestate.book_viewing(view, "RE-10030", "Vera Haddad", "2026-03-05", "15:00")
    assert made["agent"] == "Yusuf Bakker"
    with pytest.raises(ToolError, match="Yusuf Bakker already has a viewing at 15:00"):
        realestate.book_viewing(view, "RE-10030", "Theo Haddad", "2026-03-05", "15:00")
    with pytest.raises(ToolError, match="there are no viewings on 2026-03-08"):
        realestate.book_viewing(view, "RE-10030", "Theo Haddad", "2026-03-08", "15:00")
    assert realestate.cancel_viewing(view, made["viewing_id"])["listing_id"] == "RE-10030"
    assert state.digest() == start
