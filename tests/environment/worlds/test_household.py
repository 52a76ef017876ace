"""The household world: exact results on seed 7, effects and their undoing, refusals."""

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import household


@pytest.fixture
def state() -> State:
    tables = household.WORLD.tables(7)
    return State({("household", table): rows for table, rows in tables.items()})


@pytest.fixture
def view(state: State) -> View:
    return View(state, "household")


def test_appliances_come_oldest_first(view: View) -> None:
    found = household.find_appliances(view, "Ivo Jankowski")["appliances"]
    assert [row["kind"] for row in found] == ["microwave", "heat pump", "fridge", "dryer"]
    assert household.find_appliances(view, "Ivo Jankowski", "oven")["count"] == 0


def test_firms_by_rate_or_rating(view: View) -> None:
    cheap = household.find_repairers(view, "Berlin", "oven", "rate")["repairers"]
    assert [row["hourly_rate"] for row in cheap] == [91, 92.5]
    rated = household.find_repairers(view, "Berlin", "oven", "rating")["repairers"]
    assert [row["rating"] for row in rated] == [4.5, 4.3]


def test_a_repair_under_warranty_is_free_and_can_be_called_off(view: View, state: State) -> None:
    fridge = "ap-00ac7a8b"
    firm = household.find_repairers(view, "Berlin", "fridge", "rate")["repairers"][0]
    booked = household.book_repair(view, fridge, firm["repairer_id"], "2026-03-20")
    assert (booked["under_warranty"], booked["fee"]) == (True, 0)
    with pytest.raises(ToolError, match="ap-00ac7a8b is already being mended on 2026-03-20"):
        household.book_repair(view, fridge, firm["repairer_id"], "2026-03-20")
    household.cancel_repair(view, booked["repair_id"])
    assert state.changes() == {}


def test_a_firm_mends_only_its_kinds(view: View) -> None:
    with pytest.raises(ToolError, match=r"\(rp-768b05af\) does not mend a microwave"):
        household.book_repair(view, "ap-0711b13e", "rp-768b05af", "2026-03-20")


def test_chores_due_and_logged(view: View) -> None:
    due = household.due_chores(view, "2026-02-22")
    assert (len(due["chore_ids"]), due["total_minutes"]) == (9, 375)
    first = due["chore_ids"][0]
    household.log_chore(view, first, "2026-03-01")
    assert first not in household.due_chores(view, "2026-02-22")["chore_ids"]
    with pytest.raises(ToolError, match="already noted as done on 2026-03-01"):
        household.log_chore(view, first, "2026-03-01")


def test_shares_are_even_and_ties_go_to_the_first(view: View) -> None:
    chores = ["ch-0394ca07", "ch-04b501ab", "ch-05d568ca", "ch-085582fc"]
    shared = household.share_chores(view, chores, ["Uma", "Ivo"])
    assert [share["minutes"] for share in shared["shares"]] == [55, 65]
    assert (shared["busiest"], shared["longest_share"]) == ("Ivo", 65)


def test_water_between_readings_is_interpolated(view: View) -> None:
    whole = household.water_used(view, "wm-11149", "2025-01-02", "2025-02-02")
    assert whole == {"litres": 5239, "litres_per_day": 169}
    with pytest.raises(ToolError, match="from 2025-02-03 to 2025-01-03 is empty"):
        household.water_used(view, "wm-11149", "2025-02-03", "2025-01-03")
