"""The garden world: exact results on seed 7, effects and their undoing, refusals."""

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import garden


@pytest.fixture
def state() -> State:
    tables = garden.WORLD.tables(7)
    return State({("garden", table): rows for table, rows in tables.items()})


@pytest.fixture
def view(state: State) -> View:
    return View(state, "garden")


def test_frost_days(view: View) -> None:
    assert garden.frost_dates(view, "Berlin") == {
        "last_frost": "2026-05-02",
        "first_frost": "2026-10-07",
        "frost_free_days": 158,
    }
    with pytest.raises(ToolError, match="Singapore has no frost"):
        garden.frost_dates(view, "Singapore")


def test_plants_come_quickest_first(view: View) -> None:
    found = garden.choose_plants(view, "herb", "shade", max_days=60, max_water=15)
    assert found["names"] == ["chervil 'Early Bird'", "chervil 'Amber'"]


def test_sowing_counts_from_the_last_frost(view: View) -> None:
    assert garden.sowing_window(view, "tomato 'Amber'", "2026-05-01") == {
        "sow_from": "2026-05-15",
        "sow_until": "2026-06-05",
        "harvest_from": "2026-08-03",
    }


def test_companions(view: View) -> None:
    mixed = ["tomato 'Amber'", "kale 'Amber'", "melon 'Amber'", "borage 'Amber'"]
    assert garden.check_companions(view, mixed) == {
        "good_pairs": 1,
        "bad_pairs": 2,
        "troublemaker": "tomato 'Amber'",
    }
    assert "troublemaker" not in garden.check_companions(view, ["mint 'Amber'", "sage 'Amber'"])


def test_planting_takes_room_and_water_until_it_is_cleared(view: View, state: State) -> None:
    bed = garden.find_bed(view, "Nadia Arslan")["beds"][0]
    assert (bed["bed_id"], bed["free_m2"]) == ("gb-6b0a7d52", 5.67)
    before = garden.watering_need(view, [bed["bed_id"]], 5)["litres"]
    planted = garden.plant_in_bed(view, bed["bed_id"], "lettuce 'Amber'", 24, "2026-04-01")
    assert (planted["area_m2"], planted["harvest_from"]) == (2, "2026-05-21")
    assert garden.watering_need(view, [bed["bed_id"]], 5)["litres"] == round(before + 38, 1)
    with pytest.raises(ToolError, match=r"has 3\.67 m² left, 60 of lettuce 'Amber' take 5\.00 m²"):
        garden.plant_in_bed(view, bed["bed_id"], "lettuce 'Amber'", 60, "2026-04-01")
    garden.clear_planting(view, planted["planting_id"])
    assert state.changes() == {}
