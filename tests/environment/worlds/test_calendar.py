"""The calendar world: exact behaviour on seed 7, effects and their undoing, refusals."""

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import calendar

NAME = "calendar"


@pytest.fixture
def view() -> View:
    tables = calendar.WORLD.tables(7)
    return View(State({(NAME, table): rows for table, rows in tables.items()}), NAME)


def neighbours(view: View) -> list[str]:
    """Two people whose working hours overlap."""
    names = [name for name, _ in view.rows("owners")]
    return next([names[0], name] for name in names[1:]
                if calendar.find_meeting_times(view, [names[0], name], "2026-03-04", 30, "London")
                ["count"])  # fmt: skip


@pytest.mark.parametrize(
    ("time", "day", "origin", "target", "wanted"),
    [
        ("12:00", "2026-03-03", "London", "New York", ("07:00", "2026-03-03")),
        ("12:00", "2026-03-10", "London", "New York", ("08:00", "2026-03-10")),
        ("12:00", "2026-03-30", "London", "New York", ("07:00", "2026-03-30")),
        ("20:00", "2026-04-10", "Los Angeles", "", None),
        ("20:00", "2026-03-20", "Paris", "Sydney", ("06:00", "2026-03-21")),
        ("20:00", "2026-04-20", "Paris", "Sydney", ("04:00", "2026-04-21")),
        ("01:30", "2026-03-03", "Nairobi", "Lima", ("17:30", "2026-03-02")),
    ],
)
def test_times_follow_the_clock_changes(
    view: View, time: str, day: str, origin: str, target: str, wanted: tuple[str, str] | None
) -> None:
    if wanted is None:
        with pytest.raises(ToolError, match=f"time zone of '{origin}'"):
            calendar.convert_time(view, time, day, origin, target)
    else:
        found = calendar.convert_time(view, time, day, origin, target)
        assert (found["time"], found["day"]) == wanted


def test_a_meeting_takes_its_time_until_called_off(view: View) -> None:
    pair = neighbours(view)
    before = calendar.find_meeting_times(view, pair, "2026-03-04", 30, "London")
    start = before["starts"][0]
    made = calendar.schedule_meeting(view, pair, "2026-03-04", start, 30, "London")
    after = calendar.find_meeting_times(view, pair, "2026-03-04", 30, "London")
    assert start not in after["starts"]
    with pytest.raises(ToolError, match=f"{pair[0]} is not free on 2026-03-04 at {start}"):
        calendar.schedule_meeting(view, pair, "2026-03-04", start, 30, "London")
    load = calendar.calendar_load(view, pair[0], {"start": "2026-03-02", "days": 5})
    calendar.cancel_meeting(view, made["meeting_id"])
    assert calendar.find_meeting_times(view, pair, "2026-03-04", 30, "London") == before
    less = calendar.calendar_load(view, pair[0], {"start": "2026-03-02", "days": 5})
    assert load["busy_minutes"] == less["busy_minutes"] + 30


def test_weekends_have_no_common_time(view: View) -> None:
    pair = neighbours(view)
    found = calendar.compare_days(view, pair, ["2026-03-04", "2026-03-08"], 30)
    assert (found["days"], found["best_day"]) == (["2026-03-04"], "2026-03-04")


@pytest.mark.parametrize(
    ("first", "rhythm", "times", "without", "wanted"),
    [
        ("2026-03-06", "daily", 3, None, ["2026-03-06", "2026-03-09", "2026-03-10"]),
        ("2026-03-04", "weekly", 2, ["2026-03-11"], ["2026-03-04", "2026-03-18"]),
        ("2026-03-04", "fortnightly", 2, None, ["2026-03-04", "2026-03-18"]),
        ("2026-12-31", "monthly", 2, None, ["2026-12-28", "2027-01-28"]),
        ("2026-03-07", "weekly", 2, None, ["2026-03-09", "2026-03-16"]),
    ],
)
def test_series(
    view: View, first: str, rhythm: str, times: int, without: list[str] | None, wanted: list[str]
) -> None:
    assert calendar.lay_out_series(view, first, rhythm, times, without)["days"] == wanted
