"""Fitness: calories, zones, the diary, race times, classes with places."""

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import fitness


@pytest.fixture
def state() -> State:
    tables = fitness.WORLD.tables(7)
    return State({("fitness", name): dict(sorted(rows.items())) for name, rows in tables.items()})


@pytest.fixture
def view(state: State) -> View:
    return View(state, "fitness")


def test_effort_and_weight_decide_the_calories(view: View) -> None:
    found = fitness.calories_burned(view, ["yoga", "running"], 70, 60)
    assert found["burned"][0] == {"activity": "running", "kcal": 693}
    assert found["total_kcal"] == 882
    assert fitness.calories_burned(view, ["yoga", "running"], 70, 60, "hard")["total_kcal"] == 1059


def test_heart_rates_are_placed(view: View) -> None:
    zone = fitness.heart_rate_zone(view, "Hugo Whitlock", 2)
    assert (zone["from_bpm"], zone["to_bpm"]) == (135, 149)
    found = fitness.check_heart_rates(view, [100, 120, 140], {"low": 110, "high": 130})
    assert (found["below"], found["within"], found["above"]) == (1, 1, 1)
    with pytest.raises(ToolError, match="a range can't go from 131 down to 130"):
        fitness.check_heart_rates(view, [100, 120], {"low": 131, "high": 130})


def test_a_logged_workout_counts_until_it_is_deleted(view: View, state: State) -> None:
    names = ["Rosa Tremblay", "Hugo Whitlock"]
    before, start = fitness.training_summary(view, names, "2026-02-20"), state.digest()
    made = fitness.log_workout(view, "Hugo Whitlock", "running", "2026-03-01", 30, "windy")
    assert made["kcal"] == 287
    after = fitness.training_summary(view, names, "2026-02-20")
    assert after["summary"][0] == {
        "member": "Hugo Whitlock", "minutes": 190, "kcal": 1132, "sessions": 4,
    }  # fmt: skip
    assert after["total_minutes"] == before["total_minutes"] + 30
    with pytest.raises(ToolError, match="a workout on 2026-03-11 is still to come"):
        fitness.log_workout(view, "Hugo Whitlock", "running", "2026-03-11", 30)
    fitness.delete_workout(view, made["workout_id"])
    assert state.digest() == start


def test_race_times_grow_faster_than_the_distance(view: View) -> None:
    assert fitness.predict_race(view, 10, 50, 21) == {"minutes": 110, "pace": 5.23}


def test_a_place_is_taken_until_the_booking_is_cancelled(view: View, state: State) -> None:
    def places() -> list[int]:
        found = fitness.find_classes(view, "Oslo", "yoga", "2026-03-04")["classes"]
        assert [row["day"] for row in found] == ["2026-03-04", "2026-03-05"]
        return [row["places_left"] for row in found]

    start = state.digest()
    assert places() == [6, 2]
    session = "CL-1497/2026-03-05"
    made = fitness.book_class(view, session, "Hugo Whitlock")
    assert (made["price"], made["ends"]) == (12.5, "14:15")
    assert places() == [6, 1]
    with pytest.raises(ToolError, match="Hugo Whitlock already has a place in CL-1497/2026-03-05"):
        fitness.book_class(view, session, "Hugo Whitlock")
    fitness.book_class(view, session, "Rosa Tremblay")
    with pytest.raises(ToolError, match="CL-1497/2026-03-05 is full"):
        fitness.book_class(view, session, "Vera Haddad")
    with pytest.raises(ToolError, match="no session 'CL-1497/2026-03-06' is coming up"):
        fitness.book_class(view, "CL-1497/2026-03-06", "Rosa Tremblay")
    fitness.cancel_class(view, made["booking_id"])
    assert state.digest() != start
    assert places() == [6, 1]
