"""Human resources: the org chart, working days, brackets, swaps that undo themselves."""

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import hr


@pytest.fixture
def state() -> State:
    tables = hr.WORLD.tables(7)
    return State({("hr", name): dict(sorted(rows.items())) for name, rows in tables.items()})


@pytest.fixture
def view(state: State) -> View:
    return View(state, "hr")


def test_a_name_leads_to_id_office_and_manager(view: View) -> None:
    found = hr.find_employee(view, "Rosa Tremblay")
    assert (found["employee_id"], found["office"], found["manager_id"]) == (
        "E-1018", "Lisbon", "E-1002",
    )  # fmt: skip
    with pytest.raises(ToolError, match="'Nemo' is not in the staff directory"):
        hr.find_employee(view, "Nemo")


def test_staff_come_in_the_asked_order(view: View) -> None:
    longest = hr.search_staff(view, "legal", "longest_service", "Vienna")["staff"]
    lowest = hr.search_staff(view, "legal", "lowest_salary", "Vienna")["staff"]
    assert [row["employee_id"] for row in longest] == ["E-1091", "E-1059", "E-1027"]
    assert [row["employee_id"] for row in lowest] == ["E-1059", "E-1091", "E-1027"]


def test_the_closest_manager_of_two_is_found(view: View) -> None:
    assert hr.common_manager(view, ["E-1042", "E-1058"])["manager_id"] == "E-1018"
    assert hr.common_manager(view, ["E-1042", "E-1018"])["manager_id"] == "E-1002"
    with pytest.raises(ToolError, match="nobody is the manager of all of E-1042, E-1001"):
        hr.common_manager(view, ["E-1042", "E-1001"])


def test_leave_counts_working_days_and_lowers_the_balance(view: View, state: State) -> None:
    before, start = hr.leave_balances(view, ["E-1035", "E-1036"]), state.digest()
    assert before["balances"][0]["employee_id"] == "E-1036"
    leave = hr.request_leave(view, "E-1035", "2026-04-03", 2)
    assert (leave["last_day"], leave["days_left"]) == ("2026-04-06", 17)
    after = hr.leave_balances(view, ["E-1035", "E-1036"])
    assert after["total_days_left"] == before["total_days_left"] - 2
    with pytest.raises(ToolError, match="leave from 2026-04-06 would overlap the leave of Zadie"):
        hr.request_leave(view, "E-1035", "2026-04-06", 2)
    with pytest.raises(ToolError, match="has 17 days of leave left, not 25"):
        hr.request_leave(view, "E-1035", "2026-12-01", 25)
    assert hr.withdraw_leave(view, leave["leave_id"])["employee_id"] == "E-1035"
    assert state.digest() == start


def test_pay_follows_hours_and_brackets(view: View) -> None:
    assert hr.overtime_pay(view, "E-1002", 3)["pay"] == 197.42
    assert hr.overtime_pay(view, "E-1002", 3, 38) == {
        "hours": 9, "hourly_rate": 52.64, "pay": 631.73,
    }  # fmt: skip
    assert hr.net_pay(view, "E-1002") == {"gross": 9125, "tax": 2953.75, "net": 6171.25}
    assert hr.net_pay(view, "E-1002", 500, 2)["net"] == 5960.89


def test_swapping_shifts_twice_changes_nothing(view: View, state: State) -> None:
    start = state.digest()
    assert hr.swap_shifts(view, "SH-2001", "SH-2009")["first_now"] == "E-1080"
    assert state.digest() != start
    hr.swap_shifts(view, "SH-2001", "SH-2009")
    assert state.digest() == start
    with pytest.raises(ToolError, match="belong to the same employee"):
        hr.swap_shifts(view, "SH-2001", "SH-2001")


def test_the_next_shift_is_on_or_after_the_day(view: View) -> None:
    found = hr.next_shift(view, "E-1016", "2026-03-10")
    assert (found["shift_id"], found["day"], found["starts"]) == ("SH-2115", "2026-03-22", "06:00")
    with pytest.raises(ToolError, match="has no shift in the plan on or after 2026-06-01"):
        hr.next_shift(view, "E-1016", "2026-06-01")
