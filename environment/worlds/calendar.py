"""Calendars of many people in many time zones: free times, meetings, series of days."""

import datetime
import random
from typing import Any

from environment.meanings import TODAY
from environment.people import people
from environment.places import BY_NAME, CITIES
from environment.state import Row, Tables, View
from environment.world import (
    Output,
    Parameter,
    ToolError,
    Undo,
    World,
    array,
    choice,
    content_id,
    date,
    draw_from,
    generator,
    integer,
    record,
    text,
)

_TITLES = ("Budget round", "Design review", "Weekly catch-up", "Planning talk", "Interview",
           "Customer call", "Retrospective", "Kick-off")  # fmt: skip
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DAY = 24 * 60
_STEP = 15
_WHEN = r"^([01]\d|2[0-3]):(00|15|30|45)$"

# Minutes that summer time adds, from which day on; before the first day it is the other state.
# Tables of our own, because those of a machine differ from the next one's.
_SUMMER = {
    "Europe": (("2026-03-29", 60), ("2026-10-25", 0), ("2027-03-28", 60)),
    "US": (("2026-03-08", 60), ("2026-11-01", 0), ("2027-03-14", 60)),
    "Egypt": (("2026-04-24", 60), ("2026-10-30", 0)),
    "Australia": (("2026-04-05", 0), ("2026-10-04", 60)),
    "Chile": (("2026-04-05", 0), ("2026-09-06", 60)),
    "New Zealand": (("2026-04-05", 0), ("2026-09-27", 60)),
}
# Minutes ahead of UTC in winter, and the rule of summer time.
_ZONES: dict[str, tuple[int, str | None]] = {
    "Africa/Cairo": (120, "Egypt"),
    "Africa/Johannesburg": (120, None),
    "Africa/Nairobi": (180, None),
    "America/Argentina/Buenos_Aires": (-180, None),
    "America/Bogota": (-300, None),
    "America/Chicago": (-360, "US"),
    "America/Lima": (-300, None),
    "America/Los_Angeles": (-480, "US"),
    "America/Mexico_City": (-360, None),
    "America/New_York": (-300, "US"),
    "America/Santiago": (-240, "Chile"),
    "America/Toronto": (-300, "US"),
    "America/Vancouver": (-480, "US"),
    "Asia/Bangkok": (420, None),
    "Asia/Ho_Chi_Minh": (420, None),
    "Asia/Seoul": (540, None),
    "Asia/Singapore": (480, None),
    "Asia/Tokyo": (540, None),
    "Australia/Melbourne": (600, "Australia"),
    "Australia/Sydney": (600, "Australia"),
    "Europe/Dublin": (0, "Europe"),
    "Europe/Helsinki": (120, "Europe"),
    "Europe/Athens": (120, "Europe"),
    "Europe/Istanbul": (180, None),
    "Europe/Lisbon": (0, "Europe"),
    "Europe/London": (0, "Europe"),
    "Pacific/Auckland": (720, "New Zealand"),
}
_CENTRAL_EUROPE = (60, "Europe")


def _ahead(city: str, day: str) -> int:
    """Minutes that the clocks of a city are ahead of UTC on a day."""
    place = BY_NAME.get(city)
    if place is None:
        raise ToolError(f"the time zone of '{city}' is not known")
    base, rule = _ZONES.get(place.zone, _CENTRAL_EUROPE)
    if rule is None:
        return base
    changes = _SUMMER[rule]
    added = 60 - changes[0][1]
    for change, minutes in changes:
        if day >= change:
            added = minutes
    return base + added


def _tables(seed: int) -> Tables:
    rng = generator(seed, "calendar")
    owners: dict[str, Row] = {}
    entries: dict[str, Row] = {}
    for person in people(seed):
        start = rng.choice((420, 480, 480, 540, 540, 600))
        owners[person.name] = {
            "name": person.name,
            "city": person.city,
            "opens": start,
            "closes": start + rng.choice((420, 480, 540)),
        }
        for weekday in range(5):
            taken = _busy(rng, owners[person.name], rng.choice((0, 1, 2, 2)))
            entries[f"{person.name}/{weekday}"] = {"entries": taken, "minutes": _covered(taken)}
    return {"owners": owners, "weekly": entries, "meetings": {}}


def _busy(rng: random.Random, owner: Row, count: int) -> list[dict[str, Any]]:
    """Weekly entries of one weekday: start and end in minutes of the local day, and a title."""
    found = []
    for title in rng.sample(_TITLES, count):
        start = rng.randrange(owner["opens"], owner["closes"] - 90, 30)
        found.append({"start": start, "end": start + rng.choice((30, 60, 90)), "title": title})
    return sorted(found, key=lambda entry: (entry["start"], entry["title"]))


def _covered(entries: list[dict[str, Any]]) -> int:
    """Minutes covered by entries, overlaps counted once; sorted by start."""
    total = reached = 0
    for entry in entries:
        total += max(entry["end"] - max(entry["start"], reached), 0)
        reached = max(reached, entry["end"])
    return total


WORLD = World("calendar", "Working hours and meetings of people in many time zones.", _tables)


def _neighbours(view: View, rng: random.Random) -> list[str]:
    """One to four people whose clocks are close enough for a common hour."""
    owners = view.values("owners")
    anchor = rng.choice(owners)
    here = _ahead(anchor["city"], "2026-03-02")
    near = [
        owner["name"]
        for owner in owners
        if owner is not anchor and abs(_ahead(owner["city"], "2026-03-02") - here) <= 120
    ]
    return [anchor["name"], *rng.sample(near, min(len(near), rng.choice((1, 1, 2, 3))))]


def _working_day(view: View, rng: random.Random) -> str:
    """A day of the coming four months that is no Saturday or Sunday."""
    day = TODAY + datetime.timedelta(weeks=rng.randrange(1, 17), days=rng.randrange(5))
    return day.isoformat()


_PEOPLE = array(
    "Full names of the participants.", text("A full name.", "person"), minItems=1, maxItems=6,
    uniqueItems=True, pool=_neighbours,
)  # fmt: skip


def _minutes(description: str) -> Parameter:
    return integer(
        description, "duration_min", minimum=15, maximum=240, multipleOf=15,
        pool=lambda view, rng: rng.choice((30, 45, 60, 75, 90)),
    )  # fmt: skip


def _city(description: str) -> Parameter:
    return text(description, "city", pool=lambda view, rng: rng.choice(CITIES).name)


def _parse(day: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(day)
    except ValueError:
        raise ToolError(f"'{day}' is not a day of the calendar") from None


def _clock(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"


def _owner(view: View, name: str) -> Row:
    owner = view.get("owners", name)
    if owner is None:
        raise ToolError(f"no calendar is shared under the name '{name}'")
    return owner


def _free(view: View, name: str, day: datetime.date) -> list[tuple[int, int]]:
    """Free working time of a person around a day, as UTC minutes counted from its midnight."""
    owner = _owner(view, name)
    spans: list[tuple[int, int]] = []
    for shift in (-1, 0, 1):
        local = day + datetime.timedelta(days=shift)
        weekly = view.get("weekly", f"{name}/{local.weekday()}")
        if weekly is not None:
            offset = shift * _DAY - _ahead(owner["city"], local.isoformat())
            span = (owner["opens"] + offset, owner["closes"] + offset)
            taken = [(one["start"] + offset, one["end"] + offset) for one in weekly["entries"]]
            spans += _without(span, taken)
    base = day.toordinal() * _DAY
    meetings = [
        (row["start"] - base, row["start"] - base + row["minutes"])
        for row in view.values("meetings")
        if name in row["people"]
    ]
    return [part for span in spans for part in _without(span, meetings)]


def _without(span: tuple[int, int], taken: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Cut taken times out of a span."""
    parts = []
    start, end = span
    for low, high in sorted(taken):
        if low > start:
            parts.append((start, min(low, end)))
        start = max(start, high)
    if start < end:
        parts.append((start, end))
    return [part for part in parts if part[0] < part[1]]


def _starts(
    view: View, names: list[str], day: datetime.date, minutes: int, ahead: int
) -> list[int]:
    """Starts on a local day (clocks `ahead` of UTC) at which all are free, in local minutes."""
    common = [(-ahead, _DAY - ahead + minutes)]
    for name in names:
        free = _free(view, name, day)
        both = [(max(a, c), min(b, d)) for a, b in common for c, d in free]
        common = [(low, high) for low, high in both if low + minutes <= high]
    return sorted({
        start
        for low, high in common
        for start in range(-(-(low + ahead) // _STEP) * _STEP, high + ahead - minutes + 1, _STEP)
        if start < _DAY
    })  # fmt: skip


@WORLD.tool(
    "Find the times of a day at which several people are all free within their own working hours, "
    "told in the local time of a city. Reads meetings.",
    parameters={
        "people": _PEOPLE,
        "day": date("The day, YYYY-MM-DD.", pool=_working_day),
        "minutes": _minutes("Length of the meeting in minutes."),
        "city": _city("City whose local time counts."),
        "not_before": text("Earliest start, HH:MM.", "time", pattern=_WHEN, optional=True),
    },
    outputs=(
        Output("starts[0]", "time", (
            ("the first time on {day} ({city} time)[ not before {not_before}] when {people} can "
             "meet for {minutes}"),
            ("the earliest start, by the clocks of {city}, for {minutes} with {people} on {day}"
             "[, {not_before} or later]"),
        )),
        Output("starts", "list:time", (
            ("all times on {day} ({city} time)[ from {not_before} on] when {people} can meet for "
             "{minutes}"),
            ("every possible start, by the clocks of {city}, for {minutes} with {people} on {day}"
             "[, {not_before} or later]"),
        )),
        Output("count", "count", (
            ("the number of possible starts on {day} ({city} time)[ from {not_before} on] for "
             "{minutes} with {people}"),
            ("how many slots of {minutes} {people} share on {day} (local time of {city})"
             "[, {not_before} or later]"),
        )),
    ),
    wishes=(
        ("When on {day} can {people} meet for {minutes}? Give it in {city} time"
         "[, not before {not_before}]."),
        ("Find {minutes} on {day} that suit {people}, told in the local time of {city}"
         "[ and starting at {not_before} or later]."),
        ("We need {people} together for {minutes} on {day}; which times by the clocks of {city} "
         "would do[, from {not_before} on]?"),
    ),
    reads=("owners", "weekly", "meetings"),
)  # fmt: skip
def find_meeting_times(
    view: View, people: list[str], day: str, minutes: int, city: str, not_before: str = "00:00"
) -> dict[str, Any]:
    """Starts in steps of a quarter of an hour, earliest first."""
    date_of = _parse(day)
    starts = [_clock(at) for at in _starts(view, people, date_of, minutes, _ahead(city, day))]
    chosen = [at for at in starts if at >= not_before]
    return {"starts": chosen, "count": len(chosen)}


@WORLD.tool(
    "Say for several days whether all of the people are free at some time for a meeting; gives the "
    "days that suit, in order, and the one with most choice. Reads meetings.",
    parameters={
        "people": _PEOPLE,
        "days": array(
            "The days, YYYY-MM-DD.", date("A day, YYYY-MM-DD.", pool=_working_day), minItems=2,
            maxItems=12, uniqueItems=True,
        ),
        "minutes": _minutes("Length of the meeting in minutes."),
    },
    outputs=(
        Output("days[0]", "date", (
            "the first of {days} on which {people} can meet for {minutes}",
            "the earliest day among {days} that gives {people} {minutes} together",
        )),
        Output("best_day", "date", (
            "the day among {days} that leaves {people} most choice for a meeting of {minutes}",
            "whichever of {days} has the most openings of {minutes} for {people}",
        )),
        Output("count", "count", (
            "the number of days among {days} on which {people} can meet for {minutes}",
            "how many of {days} give {people} {minutes} together",
        )),
    ),
    wishes=(
        "On which of {days} can {people} meet for {minutes}?",
        "Compare {days}: when do {people} have {minutes} in common?",
        ("I'd like to get {people} together for {minutes}; please see which day out of {days} "
         "would work."),
    ),
    reads=("owners", "weekly", "meetings"),
)  # fmt: skip
def compare_days(view: View, people: list[str], days: list[str], minutes: int) -> dict[str, Any]:
    """Days with a common time, read in UTC."""
    choices = {day: len(_starts(view, people, _parse(day), minutes, 0)) for day in sorted(days)}
    suiting = [day for day, count in choices.items() if count]
    best = max(choices, key=lambda day: choices[day])
    return {
        "days": suiting,
        "count": len(suiting),
        **({"best_day": best, "openings": choices[best]} if suiting else {}),
    }


@WORLD.tool(
    "Put a meeting into the calendars of its participants. Adds a meeting; refused when one of "
    "them is not free within working hours.",
    parameters={
        "people": _PEOPLE,
        "day": date("The day, YYYY-MM-DD.", pool=_working_day),
        "start": text("Start in the local time of the city, HH:MM.", "time", pattern=_WHEN),
        "minutes": _minutes("Length in minutes."),
        "city": _city("City whose local time counts."),
        "note": text(
            "Words of welcome for the invitation.", "text", optional=True, counts=False,
            pool=lambda view, rng: rng.choice(("Looking forward to it.", "Please be on time.")),
        ),
    },
    outputs=(
        Output("meeting_id", "meeting_id", (
            "the meeting of {people} on {day} at {start} {city} time ({minutes})",
            "the appointment that {people} have on {day} from {start} for {minutes}, {city} time",
        )),
        Output("ends", "time", (
            "the end, {city} time, of the meeting of {people} on {day} at {start} ({minutes})",
            "the time in {city} when {people}, meeting on {day} at {start} for {minutes}, are done",
        )),
    ),
    wishes=(
        "Set up a meeting with {people} on {day} at {start}, {city} time, for {minutes}.",
        ("Please put it in the calendar: {people}, {day}, {start} by the clocks of {city}, "
         "{minutes}[, with the words “{note}”]."),
        ("{people} should meet on {day} at {start} for {minutes} (local time of {city}); could you "
         "arrange that[ and add “{note}”]?"),
    ),
    reads=("owners", "weekly", "meetings"),
    writes=("meetings",),
    undo=Undo("cancel_meeting", {"meeting_id": "result.meeting_id"}),
)  # fmt: skip
def schedule_meeting(
    view: View, people: list[str], day: str, start: str, minutes: int, city: str, note: str = ""
) -> dict[str, Any]:
    """A meeting, kept in minutes of UTC; the same one again finds everybody busy."""
    del note
    date_of = _parse(day)
    local = int(start[:2]) * 60 + int(start[3:])
    low = local - _ahead(city, day)
    for name in people:
        if not any(a <= low and low + minutes <= b for a, b in _free(view, name, date_of)):
            raise ToolError(
                f"{name} is not free on {day} at {start} {city} time for {minutes} minutes"
            )
    at = date_of.toordinal() * _DAY + low
    meeting_id = content_id("mt", sorted(people), at, minutes)
    row = {"people": sorted(people), "start": at, "minutes": minutes}
    view.put("meetings", meeting_id, row)
    return {
        "meeting_id": meeting_id,
        "participants": len(people),
        "ends": _clock((local + minutes) % _DAY),
    }


@WORLD.tool(
    "Call a meeting off. Removes it from all calendars.",
    parameters={"meeting_id": text("Id of the meeting.", "meeting_id")},
    wishes=(
        "Call off {meeting_id}.",
        "Please take {meeting_id} out of the calendars.",
        "Something came up; cancel {meeting_id} for everybody.",
    ),
    reads=("meetings",),
    writes=("meetings",),
)
def cancel_meeting(view: View, meeting_id: str) -> dict[str, Any]:
    """Take a meeting back without a trace."""
    meeting = view.get("meetings", meeting_id)
    if meeting is None:
        raise ToolError(f"no calendar holds a meeting '{meeting_id}'")
    view.remove("meetings", meeting_id)
    return {"cancelled": meeting_id, "people": meeting["people"]}


@WORLD.tool(
    "Convert a time of day from the local time of one city to that of another, clock changes in "
    "spring included.",
    parameters={
        "time": text("The time, HH:MM.", "time", pattern=r"^([01]\d|2[0-3]):[0-5]\d$"),
        "day": date("The day in the first city, YYYY-MM-DD."),
        "from_city": _city("City in which the time is given."),
        "to_city": _city("City in which it is wanted."),
    },
    outputs=(
        Output("time", "time", (
            "the time in {to_city} when it is {time} in {from_city} on {day}",
            "{time} on {day} in {from_city}, converted to {to_city} time",
        )),
        Output("day", "date", (
            "the date in {to_city} when it is {time} in {from_city} on {day}",
            "the day it already or still is in {to_city} at {time} of {day} in {from_city}",
        )),
    ),
    wishes=(
        "What time is it in {to_city} when it is {time} in {from_city} on {day}?",
        "Convert {time} on {day} from {from_city} time to {to_city} time.",
        ("Somebody in {to_city} wants to join at {time} {from_city} time on {day}; when is that "
         "over there?"),
    ),
)  # fmt: skip
def convert_time(view: View, time: str, day: str, from_city: str, to_city: str) -> dict[str, Any]:
    """A time of day and its date elsewhere."""
    date_of = _parse(day)
    minute = int(time[:2]) * 60 + int(time[3:]) - _ahead(from_city, day) + _ahead(to_city, day)
    shift, minute = divmod(minute, _DAY)
    there = date_of + datetime.timedelta(days=shift)
    return {"time": _clock(minute), "day": there.isoformat(), "weekday": _WEEKDAYS[there.weekday()]}


@WORLD.tool(
    "Lay out the days of a recurring meeting: so many times from a first day on, in a rhythm, "
    "leaving out given days and, but for the daily rhythm, moving weekends to the next Monday.",
    parameters={
        "first": date("First day, YYYY-MM-DD."),
        "rhythm": choice(
            "How often.", "rhythm", ("daily", "weekly", "fortnightly", "monthly"),
            says={'"daily"': "every working day", '"weekly"': "every week",
                  '"fortnightly"': "every two weeks", '"monthly"': "every month"},
        ),
        "times": integer("How many times.", "count", minimum=2, maximum=12),
        "without": array(
            "Days to leave out, YYYY-MM-DD.", date("A day, YYYY-MM-DD."), minItems=1, maxItems=6,
            uniqueItems=True, optional=True,
        ),
    },
    outputs=(
        Output("days", "list:date", (
            ("the days of a series of {times} meetings {rhythm}, starting {first},[ without "
             "{without}]"),
            "the {times} dates of something held {rhythm}, starting {first}[, {without} left out]",
        )),
        Output("last", "date", (
            ("the last day of a series of {times} meetings {rhythm}, starting {first},"
             "[ without {without}]"),
            ("the final date of something held {times} times {rhythm}, starting {first}"
             "[, {without} left out]"),
        )),
    ),
    wishes=(
        "Lay out a series: {times} times, {rhythm}, starting {first}[, but not on {without}].",
        ("Which days come out if we meet {rhythm}, {times} times in all, beginning {first}"
         "[ and skipping {without}]?"),
        ("Please list the dates for a course held {rhythm} with {times} sessions, the first on "
         "{first}[, none on {without}]."),
    ),
)  # fmt: skip
def lay_out_series(
    view: View, first: str, rhythm: str, times: int, without: list[str] | None = None
) -> dict[str, Any]:
    """Days of a series; a day left out is made up for at its end."""
    start, days = _parse(first), []
    for turn in range(120):
        day = _turn(start, rhythm, turn)
        if day.isoformat() not in (without or ()) and not (rhythm == "daily" and day.weekday() > 4):
            days.append(day.isoformat())
        if len(days) == times:
            break
    return {"days": days, "last": days[-1], "weekday": _WEEKDAYS[_parse(days[0]).weekday()]}


def _turn(start: datetime.date, rhythm: str, turn: int) -> datetime.date:
    if rhythm == "daily":
        return start + datetime.timedelta(days=turn)
    if rhythm == "monthly":
        years, month = divmod(start.month - 1 + turn, 12)
        day = start.replace(day=min(start.day, 28), year=start.year + years, month=month + 1)
    else:
        day = start + datetime.timedelta(weeks=turn * (1 if rhythm == "weekly" else 2))
    return day + datetime.timedelta(days=max(7 - day.weekday(), 0) if day.weekday() > 4 else 0)


@WORLD.tool(
    "Sum up how busy a person is over a span of days: minutes in meetings and weekly entries, the "
    "fullest and the emptiest working day. Reads meetings.",
    parameters={
        "person": text("Full name.", "person", pool=draw_from("owners", "name")),
        "span": record("The days.", "day_span", {
            "start": date("First day, YYYY-MM-DD."),
            "days": integer("Number of days.", "count", minimum=5, maximum=31),
        }, says={"": "the {days} days from {start} on"}),
    },
    outputs=(
        Output("busy_minutes", "duration_min", (
            "the time {person} spends in meetings in the {span.days} days from {span.start}",
            "how long {person} sits in meetings within {span.days} days, starting {span.start}",
        )),
        Output("fullest_day", "date", (
            "the busiest day of {person} in the {span.days} days from {span.start}",
            "the day with most meetings for {person} within {span.days} days of {span.start}",
        )),
        Output("emptiest_day", "date", (
            "the quietest working day of {person} in the {span.days} days from {span.start}",
            ("the working day with fewest meetings for {person} within {span.days} days of "
             "{span.start}"),
        )),
        Output("city", "city", (
            "the city where {person} works in the {span.days} days from {span.start}",
            "the place from which {person} works during the {span.days} days after {span.start}",
        )),
    ),
    wishes=(
        "How busy is {person} in the {span.days} days from {span.start}?",
        "Sum up the calendar of {person}: {span.days} days, starting {span.start}.",
        ("I'm worried that {person} has too much to do; please look at {span.days} days from "
         "{span.start} and tell me the fullest and emptiest one."),
    ),
    reads=("owners", "weekly", "meetings"),
)  # fmt: skip
def calendar_load(view: View, person: str, span: dict[str, Any]) -> dict[str, Any]:
    """Busy minutes of each working day, ties to the earlier day."""
    owner = _owner(view, person)
    first = _parse(span["start"])
    loads: dict[str, int] = {}
    for shift in range(span["days"]):
        day = first + datetime.timedelta(days=shift)
        weekly = view.get("weekly", f"{person}/{day.weekday()}")
        if weekly is not None:
            loads[day.isoformat()] = weekly["minutes"]
    for row in view.values("meetings"):
        local = row["start"] + _ahead(owner["city"], first.isoformat())
        day_of = datetime.date.fromordinal(local // _DAY).isoformat()
        if person in row["people"] and day_of in loads:
            loads[day_of] += row["minutes"]
    return {
        "busy_minutes": sum(loads.values()),
        "fullest_day": max(loads, key=lambda day: loads[day]),
        "emptiest_day": min(loads, key=lambda day: loads[day]),
        "city": owner["city"],
    }
