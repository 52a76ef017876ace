"""Sports: tables out of results, fixtures that move and move back, grounds, plans."""

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import sports


@pytest.fixture
def state() -> State:
    tables = sports.WORLD.tables(7)
    return State({("sports", name): dict(sorted(rows.items())) for name, rows in tables.items()})


@pytest.fixture
def view(state: State) -> View:
    return View(state, "sports")


def test_the_table_adds_up_the_results(view: View) -> None:
    found = sports.league_table(view, "Northern Cup League", "all")
    first, second = found["table"][:2]
    assert (first["team"], first["points"], first["played"]) == ("Prague Mariners", 29, 13)
    assert found["lead"] == first["points"] - second["points"] == 2
    assert sum(row["goal_difference"] for row in found["table"]) == 0
    early = sports.league_table(view, "Northern Cup League", "away", "2025-12-20")["table"]
    assert [(row["team"], row["points"]) for row in early[:2]] == [
        ("Prague Mariners", 6), ("Barcelona Falcons", 4),
    ]  # fmt: skip


def test_form_counts_the_last_games_only(view: View) -> None:
    form = sports.compare_form(view, ["Munich Herons", "Prague Mariners"], 5)["form"]
    assert form[0] == {"team": "Prague Mariners", "points": 11, "goals_per_game": 2.8}
    with pytest.raises(ToolError, match="a team is named twice in Oslo X, Oslo X"):
        sports.compare_form(view, ["Oslo X", "Oslo X"], 5)


def test_a_moved_fixture_can_be_moved_back(view: View, state: State) -> None:
    home = sports.team_fixtures(view, "Prague Mariners", "2026-03-20", "home")["fixtures"]
    assert (home[0]["fixture_id"], home[0]["opponent"]) == ("M-2091", "Lisbon Rovers")
    start = state.digest()
    assert sports.move_fixture(view, "M-2079", "2026-03-10")["previous_day"] == "2026-03-07"
    with pytest.raises(ToolError, match="Prague Mariners already play M-2079 on 2026-03-10"):
        sports.move_fixture(view, "M-2085", "2026-03-10")
    sports.move_fixture(view, "M-2079", "2026-03-07")
    assert state.digest() == start
    with pytest.raises(ToolError, match="M-2001 has already been played"):
        sports.move_fixture(view, "M-2001", "2026-03-10")


def test_grounds_come_by_distance(view: View) -> None:
    found = sports.grounds_near(view, {"lat": 48.2, "lon": 16.4}, 10000)["grounds"]
    assert [(row["city"], row["distance_km"]) for row in found[:2]] == [
        ("Vienna", 1.2), ("Munich", 319.8),
    ]  # fmt: skip


def test_a_pitch_is_taken_until_the_session_is_cancelled(view: View, state: State) -> None:
    start = state.digest()
    made = sports.book_training(view, "Prague Mariners", "GR-301", "2026-03-12", "18:00", 90)
    assert made["cost"] == 157.5
    with pytest.raises(ToolError, match="GR-301 is taken at 19:15 on 2026-03-12 by Prague"):
        sports.book_training(view, "Berlin Lynxes", "GR-301", "2026-03-12", "19:15", 60)
    assert sports.cancel_training(view, made["session_id"])["team"] == "Prague Mariners"
    assert state.digest() == start


def test_every_fourth_week_of_a_plan_is_easy(view: View) -> None:
    assert sports.training_plan(view, 5, 60, 10, "2026-03-09") == {
        "minutes_by_week": [60, 66, 73, 48, 88],
        "hardest_week": "2026-04-06",
        "longest_session": 88,
        "total_minutes": 1005,
    }
