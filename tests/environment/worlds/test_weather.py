"""The weather world: exact results on seed 7, effects and their undoing, refusals."""

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import weather


@pytest.fixture
def state() -> State:
    tables = weather.WORLD.tables(7)
    return State({("weather", table): rows for table, rows in tables.items()})


@pytest.fixture
def view(state: State) -> View:
    return View(state, "weather")


def test_a_day_and_its_week(view: View) -> None:
    day = weather.day_forecast(view, "Oslo", "2026-03-10")
    assert (day["min_c"], day["max_c"], day["rain_mm"]) == (-6.5, 3.7, 5.1)
    assert weather.weather_summary(view, "Oslo", "2026-03-10", 7) == {
        "rain_mm": 24.6,
        "sun_hours": 36.2,
        "mean_c": -3.2,
        "frost_days": 7,
    }
    with pytest.raises(ToolError, match="which leaves out 2026-03-01"):
        weather.day_forecast(view, "Oslo", "2026-03-01")


def test_degree_days_by_kind_and_base(view: View) -> None:
    heating = weather.degree_days(view, "Oslo", "2026-03-10", 7, "heating")
    assert heating == {"degree_days": 148.6, "base_c": 18}
    lower = weather.degree_days(view, "Oslo", "2026-03-10", 7, "heating", 8)
    assert lower["degree_days"] == 78.6
    assert weather.degree_days(view, "Oslo", "2026-03-10", 7, "growing")["degree_days"] == 0


def test_the_best_day_lies_in_the_span(view: View) -> None:
    best = weather.best_day_for(view, "Oslo", "hiking", "2026-04-10", 7)
    assert best == {"day": "2026-04-10", "points": 92.1, "max_c": 9.1}
    with pytest.raises(ToolError, match="12 days from 2026-07-01 reach beyond"):
        weather.best_day_for(view, "Oslo", "hiking", "2026-07-01", 12)


def test_cities_in_order(view: View) -> None:
    ranked = weather.compare_cities(view, ["Rome", "Oslo", "Athens"], "2026-03-10", "warmest")
    assert ranked["ranking"] == ["Athens", "Rome", "Oslo"]
    assert ranked["max_c"] == [11.5, 10.4, 3.7]


def test_warnings_from_a_level_up(view: View) -> None:
    cities = ["Amsterdam", "Oslo"]
    yellow = weather.warned_cities(view, cities, "2026-04-01")
    assert yellow["warned"] == [{"city": "Amsterdam", "hazard": "rain", "level": "yellow"}]
    assert weather.warned_cities(view, cities, "2026-04-01", "orange")["clear"] == cities


def test_a_subscription_is_made_once_and_stopped(view: View, state: State) -> None:
    about = {"hazard": "rain", "level": "yellow"}
    made = weather.subscribe_warnings(view, "ada@example.org", "Amsterdam", about)
    with pytest.raises(ToolError, match=r"ada@example\.org already gets these warnings"):
        weather.subscribe_warnings(view, "ada@example.org", "Amsterdam", about)
    weather.unsubscribe_warnings(view, made["subscription_id"])
    assert state.changes() == {}
