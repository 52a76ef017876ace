import pytest

from environment.places import CITY_NAMES, distance_km
from environment.state import State, View
from environment.world import ToolError
from environment.worlds import logistics


@pytest.fixture
def state() -> State:
    tables = logistics.WORLD.tables(7)
    return State({("logistics", name): rows for name, rows in tables.items()})


@pytest.fixture
def view(state: State) -> View:
    return View(state, "logistics")


def test_quotes_come_by_price_or_days(view: View) -> None:
    cheap = logistics.quote_shipping(view, "Berlin", "Rome", 4, "price")
    fast = logistics.quote_shipping(view, "Berlin", "Rome", 4, "days")
    assert cheap["count"] == fast["count"] > 3
    assert cheap["quotes"][0]["price"] <= fast["quotes"][0]["price"]
    assert fast["quotes"][0]["days"] <= cheap["quotes"][0]["days"]
    size = {"length_cm": 100, "width_cm": 50, "height_cm": 40}
    bulky = logistics.quote_shipping(view, "Berlin", "Rome", 4, "price", size)
    assert bulky["charged_kg"] == 40
    assert logistics.quote_shipping(view, "Berlin", "Rome", 69.5, "price")["count"] < cheap["count"]
    with pytest.raises(ToolError, match="no depot in 'Atlantis'"):
        logistics.quote_shipping(view, "Berlin", "Atlantis", 4, "price")


def test_every_city_can_be_reached_and_no_way_is_shorter_than_the_line(view: View) -> None:
    for name in CITY_NAMES[1:]:
        route = logistics.plan_route(view, CITY_NAMES[0], name, "shortest")
        assert route["distance_km"] >= distance_km(CITY_NAMES[0], name)
        quick = logistics.plan_route(view, CITY_NAMES[0], name, "quickest")
        assert quick["duration_min"] <= route["duration_min"]
        assert quick["distance_km"] >= route["distance_km"]


def test_a_route_passes_its_stops_in_order(view: View) -> None:
    route = logistics.plan_route(view, "Oslo", "Rome", "shortest", ["Warsaw", "Paris"])
    stops = [route["cities"].index(name) for name in ("Oslo", "Warsaw", "Paris", "Rome")]
    assert stops == sorted(stops)
    assert route["legs"] == len(route["cities"]) - 1
    with pytest.raises(ToolError, match="from Paris to Paris"):
        logistics.plan_route(view, "Oslo", "Paris", "shortest", ["Paris"])


def test_a_parcel_is_registered_tracked_and_cancelled(state: State, view: View) -> None:
    quotes = logistics.quote_shipping(view, "Oslo", "Rome", 2, "price")["quotes"]
    parcel = logistics.register_parcel(
        view, quotes[0]["carrier_id"], "Ada Zeller", "Ivo Wexler", "Oslo", "Rome", 2, "2026-03-05"
    )
    assert parcel["price"] == quotes[0]["price"]
    waiting = logistics.track_parcel(view, parcel["parcel_id"], "2026-03-05")
    assert (waiting["status"], waiting["city"]) == ("waiting", "Oslo")
    there = logistics.track_parcel(view, parcel["parcel_id"], parcel["arrives"])
    assert (there["status"], there["city"], there["km_to_go"]) == ("delivered", "Rome", 0)
    logistics.cancel_parcel(view, parcel["parcel_id"])
    assert state.changes() == {}
    with pytest.raises(ToolError, match="can't leave on 2026-03-01"):
        logistics.register_parcel(
            view, quotes[0]["carrier_id"], "A", "B", "Oslo", "Rome", 2, "2026-03-01"
        )


def test_parcels_of_a_person_add_up(view: View) -> None:
    sender = str(next(iter(view.values("parcels")))["sender"])
    found = logistics.find_parcels(view, sender, "sender")
    assert found["total_kg"] == pytest.approx(sum(found["weights"]))
    split = [logistics.find_parcels(view, sender, "sender", status)["count"]
             for status in ("waiting", "on the way", "delivered")]  # fmt: skip
    assert sum(split) == found["count"] > 0


def test_a_pick_up_holds_its_parcels(state: State, view: View) -> None:
    rows = [(key, row) for key, row in view.rows("parcels") if row["ship_on"] >= "2026-03-03"]
    (first, parcel), *others = rows
    pickup = logistics.book_pickup(view, [first], "2026-03-03", "08:00-10:00")
    assert (pickup["city"], pickup["weight_kg"]) == (parcel["origin"], parcel["weight_kg"])
    with pytest.raises(ToolError, match=f"{first} is part of the pick-up {pickup['pickup_id']}"):
        logistics.cancel_parcel(view, first)
    with pytest.raises(ToolError, match=f"{first} is picked up already"):
        logistics.book_pickup(view, [first], "2026-03-03", "10:00-12:00")
    elsewhere = next(key for key, row in others if row["origin"] != parcel["origin"])
    logistics.cancel_pickup(view, pickup["pickup_id"])
    assert state.changes() == {}
    with pytest.raises(ToolError, match=f"{first} and the others start in"):
        logistics.book_pickup(view, [first, elsewhere], "2026-03-03", "08:00-10:00")
    with pytest.raises(ToolError, match="2026-03-07 is no weekday"):
        logistics.book_pickup(view, [first], "2026-03-07", "08:00-10:00")


def test_boxes_are_filled_heaviest_first(view: View) -> None:
    packed = logistics.pack_boxes(view, [4, 8, 1, 4, 2, 1], 10)
    assert packed == {"boxes": [[8, 2], [4, 4, 1, 1]], "box_count": 2, "heaviest_kg": 10}
    with pytest.raises(ToolError, match="12 kg fits into no box of 10 kg"):
        logistics.pack_boxes(view, [12], 10)
