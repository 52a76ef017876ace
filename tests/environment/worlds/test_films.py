"""Films: orders and ties, recommendations by rule, seats, ratings that count."""

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import films


@pytest.fixture
def state() -> State:
    tables = films.WORLD.tables(7)
    return State({("films", name): dict(sorted(rows.items())) for name, rows in tables.items()})


@pytest.fixture
def view(state: State) -> View:
    return View(state, "films")


def test_films_of_equal_rating_come_by_id(view: View) -> None:
    found = films.find_films(view, "crime", "best_rated", viewer_age=12)["films"]
    assert [(row["film_id"], row["rating"]) for row in found[:3]] == [
        ("F-138", 8.5), ("F-110", 8), ("F-159", 8),
    ]  # fmt: skip
    shortest = films.find_films(view, "crime", "shortest")["films"]
    assert [row["film_id"] for row in shortest[:3]] == ["F-201", "F-180", "F-208"]


def test_recommendations_follow_the_points(view: View) -> None:
    found = films.recommend_films(view, ["F-101", "F-108"])["films"]
    assert [(row["film_id"], row["points"]) for row in found[:4]] == [
        ("F-129", 5), ("F-150", 5), ("F-220", 5), ("F-171", 4),
    ]  # fmt: skip


def test_showings_before_the_hour_are_left_out(view: View) -> None:
    found = films.find_showings(view, "Oslo", "earliest", not_before="19:00")["showings"]
    assert [row["showing_id"] for row in found[:2]] == ["S-10850", "S-10852"]
    with pytest.raises(ToolError, match="no cinema in Atlantis is listed"):
        films.find_showings(view, "Atlantis", "earliest")


def test_seats_are_taken_until_released(view: View, state: State) -> None:
    start = state.digest()
    made = films.reserve_seats(view, "S-10001", "2026-03-05", "Vera Haddad", 6)
    assert (made["total"], made["ends"]) == (93, "22:38")
    with pytest.raises(ToolError, match="6 seats are already reserved for Vera Haddad at S-10001"):
        films.reserve_seats(view, "S-10001", "2026-03-05", "Vera Haddad", 6)
    with pytest.raises(ToolError, match="which 2026-04-05 is not one of"):
        films.reserve_seats(view, "S-10001", "2026-04-05", "Vera Haddad", 6)
    films.release_seats(view, made["reservation_id"])
    assert state.digest() == start


def test_a_rating_enters_the_average_once(view: View) -> None:
    assert films.rate_film(view, "F-101", "Vera Haddad", 10)["new_average"] == 4.3128
    with pytest.raises(ToolError, match="Vera Haddad has already rated F-101"):
        films.rate_film(view, "F-101", "Vera Haddad", 1)


def test_box_office_and_film_nights_add_up(view: View) -> None:
    found = films.box_office(view, ["F-101", "F-102"], 3)
    assert [row["film_id"] for row in found["films"]] == ["F-102", "F-101"]
    assert found["total"] == 15675014
    night = films.plan_film_night(view, ["F-101", "F-102"], "20:00", 15)
    assert [row["starts"] for row in night["schedule"]] == ["20:00", "22:49"]
    assert (night["ends"], night["total_minutes"]) == ("00:14", 254)
