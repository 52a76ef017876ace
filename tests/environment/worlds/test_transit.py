"""The transit world: trips against departures, fares, disruptions, passes, alerts."""

import pytest

from environment.state import Row, State, View
from environment.world import ToolError
from environment.worlds import transit


@pytest.fixture
def view() -> View:
    tables = transit.WORLD.tables(7)
    return View(State({("transit", table): rows for table, rows in tables.items()}), "transit")


@pytest.fixture
def lines(view: View) -> list[Row]:
    found = [line for line in view.values("lines") if line["city"] == "Oslo"]
    return sorted(found, key=lambda line: str(line["name"]))


def test_stops_of_a_city_are_found_by_name_and_place(view: View) -> None:
    hub = transit.find_stop(view, "Oslo", "Central Station")
    assert len(hub["line_ids"]) == 3
    assert hub["zone"] == "A"
    assert transit.nearest_stop(view, hub["position"])["stop_id"] == hub["stop_id"]
    with pytest.raises(ToolError, match="Oslo has no stop called 'Moon Base'"):
        transit.find_stop(view, "Oslo", "Moon Base")
    with pytest.raises(ToolError, match="no stop lies within 60 km of 0, 0"):
        transit.nearest_stop(view, {"lat": 0, "lon": 0})


def name_of(view: View, stop_id: str) -> str:
    return str((view.get("stops", stop_id) or {})["name"])


def test_a_ride_on_one_line_leaves_with_a_departure(view: View, lines: list[Row]) -> None:
    first, *_, last = lines[2]["stop_ids"]
    trip = transit.plan_trip(view, first, name_of(view, last), "12:00")
    next_one = transit.next_departures(view, first, "12:00", 1)
    assert next_one["departures"][0]["towards"] == name_of(view, last)
    assert trip["minutes"] == next_one["wait_min"] + 7 * lines[2]["hop_min"]
    assert (trip["changes"], trip["zones"]) == (0, ["C"])


def test_a_trip_between_lines_changes_once(view: View, lines: list[Row]) -> None:
    last = name_of(view, lines[2]["stop_ids"][0])
    trip = transit.plan_trip(view, lines[0]["stop_ids"][7], last, "08:00")
    assert trip["line_ids"] == [lines[0]["line_id"], lines[2]["line_id"]]
    assert trip["change_at"] == [transit.find_stop(view, "Oslo", "Central Station")["stop_id"]]
    assert trip["zones"] == ["A", "C"]


def test_impossible_trips_are_refused(view: View, lines: list[Row]) -> None:
    first, second = lines[0]["stop_ids"][:2]
    with pytest.raises(ToolError, match="there is no stop called 'Moon Base' in Oslo"):
        transit.plan_trip(view, first, "Moon Base", "12:00")
    with pytest.raises(ToolError, match="starts and ends at the same stop"):
        transit.plan_trip(view, first, name_of(view, first), "12:00")
    with pytest.raises(ToolError, match="starts at 23:59 arrives before midnight"):
        transit.plan_trip(view, first, name_of(view, second), "23:59")
    assert transit.next_departures(view, first, "23:59")["count"] == 0


def test_every_tenth_trip_is_free(view: View) -> None:
    one = transit.zone_fare(view, "Oslo", ["A"], "adult")
    ten = transit.zone_fare(view, "Oslo", ["A"], "adult", 10)
    assert ten["fare"] == pytest.approx(9 * one["fare"])
    assert transit.zone_fare(view, "Oslo", ["A", "B"], "child")["fare"] == pytest.approx(
        round(one["fare"] * 1.6 / 2, 2), abs=0.011
    )


def test_a_line_is_disrupted_on_the_first_and_the_last_day(view: View, lines: list[Row]) -> None:
    line_id = lines[0]["line_id"]
    works = view.get("disruptions", line_id)
    assert works is not None
    for day in (works["from"], works["to"]):
        told = transit.check_disruptions(view, [line_id], day)
        assert (told["delay_min"], told["running"]) == (works["delay_min"], [])
    assert transit.check_disruptions(view, [line_id], "2030-01-01")["running"] == [line_id]


def test_a_pass_is_issued_once_until_it_is_refunded(view: View) -> None:
    issued = transit.issue_pass(view, "Uma Zeller", "Oslo", ["A", "B"], "2026-03-02", "week")
    assert issued["ends"] == "2026-03-08"
    with pytest.raises(ToolError, match="Uma Zeller already has this pass"):
        transit.issue_pass(view, "Uma Zeller", "Oslo", ["B", "A"], "2026-03-02", "week")
    assert transit.refund_pass(view, issued["pass_id"])["refunded"] == issued["price"]
    with pytest.raises(ToolError, match=f"no pass '{issued['pass_id']}' was issued"):
        transit.refund_pass(view, issued["pass_id"])
    with pytest.raises(ToolError, match="cannot start on 2026-03-01, which is past"):
        transit.issue_pass(view, "Uma Zeller", "Oslo", ["A"], "2026-03-01", "week")


def test_alerts_are_set_up_together_or_not_at_all(view: View, lines: list[Row]) -> None:
    first, second = lines[0]["line_id"], lines[1]["line_id"]
    transit.subscribe_alerts(view, "uma@example.org", [first])
    with pytest.raises(ToolError, match=f"already gets alerts for {first}"):
        transit.subscribe_alerts(view, "uma@example.org", [second, first])
    assert transit.subscribe_alerts(view, "uma@example.org", [second])["alerts"] == 1
