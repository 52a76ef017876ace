"""The maps world: geometry against known distances, ties, limits, saved lists."""

import pytest

from environment.meanings import position_of
from environment.state import State, View
from environment.world import ToolError
from environment.worlds import maps

PARIS, LYON, ROME = (position_of(city) for city in ("Paris", "Lyon", "Rome"))


@pytest.fixture
def view() -> View:
    tables = maps.WORLD.tables(7)
    return View(State({("maps", table): rows for table, rows in tables.items()}), "maps")


def test_distances_are_those_of_the_globe(view: View) -> None:
    measured = maps.measure_distance(view, PARIS, LYON)
    assert measured["distance_km"] == pytest.approx(391.5, abs=1)
    assert measured["direction"] == "south-east"


def test_the_nearest_place_is_what_measuring_all_finds(view: View) -> None:
    found = maps.nearest_place(view, LYON, "theatre")
    all_of_them = [
        maps.measure_distance(view, LYON, place["position"])["distance_km"]
        for place in view.values("places")
        if place["category"] == "theatre"
    ]
    assert found["city"] == "Lyon"
    assert found["distance_km"] == min(all_of_them)


def test_places_come_best_rated_first(view: View) -> None:
    found = maps.find_places(view, "Oslo", "museum")
    ratings = [place["rating"] for place in found["places"]]
    assert ratings == sorted(ratings, reverse=True)
    assert maps.find_places(view, "Oslo", "museum", open_at="04:00")["count"] == 0
    with pytest.raises(ToolError, match="does not cover a city called 'Atlantis'"):
        maps.find_places(view, "Atlantis", "museum")


def test_a_route_goes_on_to_the_nearest(view: View) -> None:
    given = maps.chart_route(view, [PARIS, ROME, LYON], "as given")
    nearest = maps.chart_route(view, [PARIS, ROME, LYON], "nearest next")
    assert nearest["last_stop"] == ROME
    assert nearest["distance_km"] < given["distance_km"]
    there_and_back = maps.chart_route(view, [PARIS, LYON], "as given", round_trip=True)
    assert there_and_back["distance_km"] == pytest.approx(2 * there_and_back["legs_km"][0])


def test_the_middle_of_opposite_points_is_nowhere(view: View) -> None:
    middle = maps.middle_point(view, [{"lat": 0, "lon": 0}, {"lat": 0, "lon": 90}])
    assert middle["position"] == {"lat": 0, "lon": 45}
    with pytest.raises(ToolError, match="the 2 positions have no middle"):
        maps.middle_point(view, [{"lat": 0, "lon": 0}, {"lat": 0, "lon": 180}])


def test_travel_times_have_limits(view: View) -> None:
    assert maps.travel_time(view, 4.8, "walking", 10)["minutes"] == 85
    with pytest.raises(ToolError, match="80 km is too far to go on foot; the limit is 60 km"):
        maps.travel_time(view, 80, "walking")


def test_what_is_in_reach_is_within_the_radius(view: View) -> None:
    found = maps.places_within_reach(view, PARIS, "driving", 240, "museum")
    assert found["place_ids"]
    for place_id in found["place_ids"]:
        there = maps.show_place(view, place_id)["position"]
        assert maps.measure_distance(view, PARIS, there)["distance_km"] <= found["radius_km"]
    assert maps.places_within_reach(view, PARIS, "transit", 6, "museum")["count"] == 0


def test_a_title_is_used_once_until_its_list_is_deleted(view: View) -> None:
    place_id = view.values("places")[0]["place_id"]
    saved = maps.save_place_list(view, "Uma Zeller", "To try", [place_id])
    with pytest.raises(ToolError, match="Uma Zeller already has a place list 'To try'"):
        maps.save_place_list(view, "Uma Zeller", "To try", [place_id])
    maps.delete_place_list(view, saved["list_id"])
    assert maps.save_place_list(view, "Uma Zeller", "To try", [place_id]) == saved
    with pytest.raises(ToolError, match="the map has no place 'pl-0'"):
        maps.save_place_list(view, "Uma Zeller", "Other", ["pl-0"])
