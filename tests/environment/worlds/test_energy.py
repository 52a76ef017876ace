"""The energy world: exact results on seed 7, effects and their undoing, refusals."""

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import energy


@pytest.fixture
def state() -> State:
    tables = energy.WORLD.tables(7)
    return State({("energy", table): rows for table, rows in tables.items()})


@pytest.fixture
def view(state: State) -> View:
    return View(state, "energy")


def test_tariffs_of_a_city_by_yearly_cost(view: View) -> None:
    ranked = energy.compare_tariffs(view, "Berlin", 3000)["tariffs"]
    assert [row["yearly_cost"] for row in ranked][:2] == [696, 717]
    green = energy.compare_tariffs(view, "Berlin", 3000, source="green")["tariffs"]
    assert all(energy._tariff_of(view, row["tariff"])["green"] for row in green)


def test_a_change_may_cost_more(view: View) -> None:
    saved = energy.tariff_saving(view, "Joule Fix", "Kilo Green", [1000, 500.5])
    assert saved == {"total_kwh": 1500.5, "saving": -43.49}
    back = energy.tariff_saving(view, "Kilo Green", "Joule Fix", [1500.5])
    assert back["saving"] == 43.49


def test_use_between_readings_is_interpolated(view: View) -> None:
    meter = energy.find_meter(view, "Uma Schreiber")
    assert (meter["meter_id"], meter["last_day"]) == ("em-13012", "2026-02-10")
    whole = energy.metered_use(view, "em-13012", "2026-01-09", "2026-02-10")
    assert whole == {"kwh": 256, "yearly_kwh": 2920}
    assert energy.metered_use(view, "em-13012", "2026-01-25", "2026-02-10")["kwh"] == 128


def test_a_reading_follows_the_last_and_can_be_withdrawn(view: View, state: State) -> None:
    sent = energy.submit_reading(view, "em-13012", "2026-03-02", 100)
    assert (sent["value"], sent["kwh_per_day"]) == (46823, 5)
    with pytest.raises(ToolError, match="last read on 2026-03-02, so a reading of 2026-03-01"):
        energy.submit_reading(view, "em-13012", "2026-03-01", 10)
    with pytest.raises(ToolError, match="em-13012/2026-02-10 is not the last reading"):
        energy.withdraw_reading(view, "em-13012/2026-02-10")
    energy.withdraw_reading(view, sent["reading_id"])
    assert state.changes() == {}


def test_solar_yield_and_running_use(view: View) -> None:
    south = energy.solar_yield(view, "Lisbon", 20, "south")
    assert south == {"yearly_kwh": 5080, "best_month": 7, "best_month_kwh": 656.8}
    assert energy.solar_yield(view, "Lisbon", 20, "north")["yearly_kwh"] == 3048
    assert energy.running_use(view, 1200, 90, 200) == {"yearly_kwh": 360}


def test_a_tariff_is_changed_once(view: View) -> None:
    energy.switch_tariff(view, "em-13012", "Kilo Green", "2026-05-01")
    assert energy.find_meter(view, "Uma Schreiber")["tariff"] == "Kilo Green"
    with pytest.raises(ToolError, match="em-13012 is on Kilo Green already"):
        energy.switch_tariff(view, "em-13012", "Kilo Green", "2026-06-01")
