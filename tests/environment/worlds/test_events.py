"""The events world: exact behaviour on seed 7, effects and their undoing, refusals."""

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import events

NAME = "events"


@pytest.fixture
def view() -> View:
    tables = events.WORLD.tables(7)
    return View(State({(NAME, table): rows for table, rows in tables.items()}), NAME)


def test_order_decides_which_event_comes_first(view: View) -> None:
    soon = events.find_events(view, "Oslo", "play", "date")["events"]
    cheap = events.find_events(view, "Oslo", "play", "price", max_price=60)
    assert [event["date"] for event in soon] == sorted(event["date"] for event in soon)
    assert cheap["prices"] == sorted(cheap["prices"])
    assert events.find_events(view, "Oslo", "play", "date", earliest="2027-01-01")["events"] == []


def test_bought_seats_are_taken_until_refunded(view: View) -> None:
    event = events.find_events(view, "Lima", "opera", "date")["events"][0]
    picked = events.pick_seats(view, event["event_id"], 3, "stage")
    assert picked["price"] == round(3 * event["price"], 2)
    order = events.buy_seats(view, event["event_id"], picked["seats"], "Ada Abara")
    assert events.pick_seats(view, event["event_id"], 3, "stage")["seats"] != picked["seats"]
    with pytest.raises(ToolError, match=f"seat {picked['seats'][0]} at .* is taken"):
        events.buy_seats(view, event["event_id"], picked["seats"], "Hana Zeller")
    events.refund_seats(view, order["order_id"])
    assert events.pick_seats(view, event["event_id"], 3, "stage") == picked


def test_a_hired_venue_is_not_offered_again(view: View) -> None:
    first = events.find_venues(view, "Rome", 40, "2026-05-04")
    venue_id = first["venues"][0]["venue_id"]
    hire = events.hire_venue(view, venue_id, "2026-05-04", "Ada Abara")
    assert hire["capacity"] >= 40
    assert events.find_venues(view, "Rome", 40, "2026-05-04")["count"] == first["count"] - 1
    with pytest.raises(ToolError, match="is not free on 2026-05-04"):
        events.hire_venue(view, venue_id, "2026-05-04", "Hana Zeller")
    events.cancel_hire(view, hire["hire_id"])
    assert events.find_venues(view, "Rome", 40, "2026-05-04") == first


def test_a_big_party_gets_a_discount(view: View) -> None:
    small = events.catering_quotes(view, "Rome", 99, "buffet")
    large = events.catering_quotes(view, "Rome", 100, "buffet")
    assert large["quotes"][0]["total"] < small["quotes"][0]["total"]
    assert small["totals"] == sorted(small["totals"])


def test_the_past_is_refused(view: View) -> None:
    with pytest.raises(ToolError, match="2026-02-01 lies in the past"):
        events.find_venues(view, "Rome", 40, "2026-02-01")
