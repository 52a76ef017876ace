"""The statistics world against the standard library, and its refusals."""

import statistics

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import stats

NUMBERS = [3, 9, 4.5, 120, 8, 7.25, 5]


@pytest.fixture
def view() -> View:
    tables = stats.WORLD.tables(7)
    return View(State({("stats", table): rows for table, rows in tables.items()}), "stats")


@pytest.fixture
def survey(view: View) -> str:
    return str(stats.find_surveys(view, "Oslo")["survey_ids"][0])


def test_surveys_come_newest_first(view: View) -> None:
    found = stats.find_surveys(view, "Oslo", since=2022)
    assert [row["year"] for row in found["surveys"]] == [2025, 2022]
    assert found["oldest_id"] == found["survey_ids"][1]
    assert stats.find_surveys(view, "Oslo", since=2026)["surveys"] == []
    with pytest.raises(ToolError, match="no survey was ever made in 'Atlantis'"):
        stats.find_surveys(view, "Atlantis")


def test_districts_make_up_the_whole(view: View, survey: str) -> None:
    whole = stats.survey_values(view, survey, "rent")
    parts = [
        value
        for district in ("north", "east", "south", "west", "centre")
        for value in stats.survey_values(view, survey, "rent", district)["values"]
    ]
    assert sorted(parts) == sorted(whole["values"])


def test_descriptions_agree_with_the_standard_library(view: View) -> None:
    told = stats.describe_values(view, NUMBERS)
    assert told["mean"] == pytest.approx(statistics.mean(NUMBERS), abs=1e-4)
    assert told["median"] == statistics.median(NUMBERS)
    assert told["deviation"] == pytest.approx(statistics.stdev(NUMBERS), abs=1e-4)


def test_percentiles_lie_between_neighbours(view: View) -> None:
    quarters = statistics.quantiles(NUMBERS, n=4, method="inclusive")
    assert stats.value_percentile(view, NUMBERS, 25)["value"] == quarters[0]
    assert stats.value_percentile(view, NUMBERS, 100) == {"value": 120, "values_up_to": 7}


@pytest.mark.parametrize("rule", ["quartiles", "deviations"])
def test_outliers_are_taken_out(view: View, rule: str) -> None:
    told = stats.split_outliers(view, NUMBERS, rule)
    assert told["outliers"] == [120]
    assert told["kept"] == [3, 9, 4.5, 8, 7.25, 5]


def test_a_fitted_line_agrees_with_the_standard_library(view: View, survey: str) -> None:
    told = stats.fit_line(view, survey, "floor_area", "rent")
    x = stats.survey_values(view, survey, "floor_area")["values"]
    y = stats.survey_values(view, survey, "rent")["values"]
    line = statistics.linear_regression(x, y)
    assert told["line"]["slope"] == pytest.approx(line.slope, abs=1e-5)
    assert told["correlation"] == pytest.approx(statistics.correlation(x, y), abs=1e-5)
    read = stats.predict_from_line(view, {"slope": 2, "intercept": -1}, [0, 3.5])
    assert read["predictions"] == [-1, 6]
    with pytest.raises(ToolError, match="both are 'rent'"):
        stats.fit_line(view, survey, "rent", "rent")


def test_groups_come_highest_first_and_small_ones_go(view: View, survey: str) -> None:
    told = stats.group_means(view, survey, "income", "tenure")
    assert told["means"] == sorted(told["means"], reverse=True)
    assert told["gap"] == pytest.approx(told["means"][0] - told["means"][-1])
    assert stats.group_means(view, survey, "income", "district", 99)["groups"] == []


def test_a_title_is_used_once_until_its_series_is_dropped(view: View) -> None:
    stored = stats.store_series(view, "pilot", [1, 2])
    with pytest.raises(ToolError, match="title 'pilot' is stored already"):
        stats.store_series(view, "pilot", [3])
    stats.drop_series(view, stored["series_id"])
    with pytest.raises(ToolError, match=f"nothing is stored as '{stored['series_id']}'"):
        stats.drop_series(view, stored["series_id"])
