"""The laboratory world: readings to concentrations, stock and calendar, refusals."""

import statistics

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import lab


@pytest.fixture
def view() -> View:
    tables = lab.WORLD.tables(7)
    return View(State({("lab", table): rows for table, rows in tables.items()}), "lab")


def test_samples_come_oldest_first(view: View) -> None:
    found = lab.find_samples(view, "milk", min_volume_ml=100)
    days = [row["collected"] for row in found["samples"]]
    assert days == sorted(days)
    assert found["total_ml"] == sum(row["volume_ml"] for row in found["samples"])
    assert lab.find_samples(view, "milk", collected_by="Nemo Nobody")["sample_ids"] == []


def test_the_strongest_signal_is_the_largest(view: View) -> None:
    ids = lab.find_samples(view, "serum")["sample_ids"]
    told = lab.read_signals(view, ids, "iron")
    assert told["strongest"] == max(zip(told["signals"], ids, strict=True))[1]
    with pytest.raises(ToolError, match="no sample is labelled 'S-1'"):
        lab.read_signals(view, [ids[0], "S-1"], "iron")


def test_a_plain_calibration_agrees_with_the_standard_library(view: View) -> None:
    standards = view.get("standards", "nitrate") or {}
    line = statistics.linear_regression(standards["levels"][:4], standards["signals"][:4])
    told = lab.fit_calibration(view, "nitrate", "plain", skip_highest=2)
    assert told["curve"]["slope"] == pytest.approx(line.slope, abs=1e-6)
    assert told["curve"]["intercept"] == pytest.approx(line.intercept, abs=1e-6)
    assert lab.fit_calibration(view, "nitrate", "weighted")["curve"] != told["curve"]


def test_signals_below_the_blank_are_nothing(view: View) -> None:
    curve = {"slope": 0.1, "intercept": 0.02}
    told = lab.to_concentrations(view, curve, [0.52, 0.01], 10)
    assert told == {"concentrations": [50, 0], "mean": 25, "highest": 50}


def test_a_dilution_keeps_what_is_dissolved(view: View) -> None:
    told = lab.plan_dilution(view, 40, 10, 200)
    assert told == {"stock_ml": 50, "diluent_ml": 150, "factor": 4}
    with pytest.raises(ToolError, match="diluting 10 mg/L cannot give 10 mg/L"):
        lab.plan_dilution(view, 10, 10, 200)


def test_a_reservation_empties_the_lots_that_expire_first(view: View) -> None:
    before = list(view.rows("lots"))
    told = lab.reserve_reagent(view, "biuret", 500.5, "2026-03-05")
    expiries = [(view.get("lots", part["lot_id"]) or {})["expires"] for part in told["lots"]]
    assert expiries == sorted(expiries)
    assert expiries[0] == told["first_expiry"] >= "2026-03-05"
    assert sum(part["ml"] for part in told["lots"]) == 500.5
    with pytest.raises(ToolError, match=r"500\.5 ml of biuret are already reserved"):
        lab.reserve_reagent(view, "biuret", 500.5, "2026-03-05")
    with pytest.raises(ToolError, match="ml of the 99999 ml of biuret are not in stock"):
        lab.reserve_reagent(view, "biuret", 99999, "2026-03-05")
    lab.release_reagent(view, told["reservation_id"])
    assert list(view.rows("lots")) == before


def test_instruments_are_booked_until_none_is_free(view: View) -> None:
    taken: list[str] = []

    def book_on() -> None:
        while len(taken) < 9:
            slot = lab.book_instrument(view, "microscope", "2026-03-20", 6, "Uma Zeller")
            taken.append(slot["slot_id"])

    with pytest.raises(ToolError, match="no microscope is free for 6 hours on 2026-03-20"):
        book_on()
    assert len(set(taken)) == len(taken) > 0
    for slot_id in taken:
        lab.cancel_instrument(view, slot_id)
    with pytest.raises(ToolError, match=f"no instrument is booked under '{taken[0]}'"):
        lab.cancel_instrument(view, taken[0])
    with pytest.raises(ToolError, match="2026-03-01 is past, no centrifuge"):
        lab.book_instrument(view, "centrifuge", "2026-03-01", 1, "Uma Zeller")
