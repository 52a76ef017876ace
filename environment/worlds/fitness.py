"""Fitness: workouts and calories, heart-rate zones, race times, class bookings."""

import datetime
from typing import Any

from environment.meanings import TODAY
from environment.people import people
from environment.places import CITY_NAMES
from environment.state import Row, Tables, View
from environment.world import (
    Output,
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
    number,
    record,
    text,
)

# Metabolic equivalents of an hour: invented round figures of a plausible size.
_METS = {
    "boxing": 9.4,
    "cycling": 7.6,
    "dancing": 5.9,
    "hiking": 6.2,
    "pilates": 3.1,
    "rowing": 7.1,
    "running": 9.9,
    "skating": 7.3,
    "strength training": 4.8,
    "swimming": 6.8,
    "walking": 3.6,
    "yoga": 2.7,
}
_CLASSES = ("boxing", "cycling", "dancing", "pilates", "rowing", "strength training", "yoga")
_EFFORT = {"easy": 0.85, "moderate": 1.0, "hard": 1.2}


def _tables(seed: int) -> Tables:
    rng = generator(seed, "fitness")
    members: dict[str, Row] = {}
    log: dict[str, Row] = {}
    for person in people(seed):
        age, weight = rng.randrange(19, 71), float(rng.randrange(50, 104))
        done = []
        for ago in sorted(rng.sample(range(1, 43), 9), reverse=True):
            workout_id = f"W-{len(log) + 10001}"
            log[workout_id] = _workout(
                person.name,
                rng.choice(list(_METS)),
                (TODAY - datetime.timedelta(days=ago)).isoformat(),
                rng.randrange(20, 100, 5),
                weight,
            )
            done.append(workout_id)
        members[person.name] = {
            "member": person.name,
            "age": age,
            "weight_kg": weight,
            "resting_rate": rng.randrange(48, 79),
            "city": person.city,
            "log": done,
        }
    classes, timetable = _timetable(seed)
    return {
        "members": members,
        "log": log,
        "workouts": {},
        "classes": classes,
        "timetable": timetable,
        "bookings": {},
    }


def _workout(member: str, activity: str, day: str, minutes: int, weight: float) -> Row:
    return {
        "member": member,
        "activity": activity,
        "day": day,
        "minutes": minutes,
        "kcal": round(_METS[activity] * weight * minutes / 60),
    }


def _timetable(seed: int) -> tuple[dict[str, Row], dict[str, Row]]:
    """Weekly classes, and their ids by city."""
    rng = generator(seed, "fitness", "classes")
    trainers = [person.name for person in people(seed)[60:95]]
    classes: dict[str, Row] = {}
    timetable: dict[str, Row] = {}
    for city in CITY_NAMES:
        own = []
        for activity in [*_CLASSES, *_CLASSES]:
            class_id = f"CL-{len(classes) + 1001}"
            classes[class_id] = {
                "class_id": class_id,
                "activity": activity,
                "city": city,
                "weekday": rng.randrange(7),
                "starts": f"{rng.randrange(7, 20):02d}:{rng.choice((0, 15, 30)):02d}",
                "minutes": rng.choice((45, 50, 60, 75, 90)),
                "price": float(rng.randrange(7, 26)) + 0.5,
                "trainer": rng.choice(trainers),
                "places": rng.randrange(2, 12),
            }
            own.append(class_id)
        timetable[city] = {"city": city, "classes": own}
    return classes, timetable


WORLD = World("fitness", "Workouts, calories, heart-rate zones and fitness classes.", _tables)

_MEMBER = text("Full name of the member.", "person", pool=draw_from("members", "member"))
_ACTIVITY = choice("Kind of exercise.", "activity", tuple(_METS))
_MINUTES = integer("Length in minutes.", "duration_min", minimum=5, maximum=300)


def _member(view: View, member: str) -> Row:
    row = view.get("members", member)
    if row is None:
        raise ToolError(f"{member} is not a member")
    return row


@WORLD.tool(
    "Estimate the calories that somebody of a weight burns in some time, for several kinds of "
    "exercise, highest first.",
    parameters={
        "activities": array("Kinds of exercise.", _ACTIVITY, minItems=2, maxItems=5),
        "weight": number("Body weight in kg.", "weight_kg", minimum=1, maximum=250,
                         pool=lambda _, rng: rng.randrange(50, 104)),
        "minutes": _MINUTES,
        "effort": choice("How hard.", "effort", tuple(_EFFORT), optional=True),
    },
    outputs=(
        Output("burned[0].activity", "activity", (
            ("whichever of {activities} burns most in {minutes} at {weight} of body weight"
            "[ and {effort} effort]"),
            ("the most calorie-consuming of {activities}[ at {effort} effort] for a person of "
            "{weight} over {minutes}"),
        )),
        Output("burned[0].kcal", "energy_kcal", (
            ("the most calories a person of {weight} can burn in {minutes} with any of "
            "{activities}[ at {effort} effort]"),
            ("the highest calorie count among {activities} over {minutes} for a body weight of "
            "{weight}[ and {effort} effort]"),
        )),
        Output("total_kcal", "energy_kcal", (
            ("the calories burned by {activities}, each over {minutes}, at a body weight of "
            "{weight}[ and {effort} effort]"),
            ("what {activities} use up together, in calories, if each lasts {minutes} and the "
            "person weighs {weight}[, at {effort} effort]"),
        )),
    ),
    wishes=(
        "Calories for {activities}: {minutes}, {weight}[, {effort} effort].",
        ("How much would a person of {weight} burn in {minutes} of {activities}"
        "[ at {effort} effort]?"),
        ("Please compare what {activities} burn. The body weight is {weight}, and each would last "
        "{minutes}[ at {effort} effort]."),
    ),
)  # fmt: skip
def calories_burned(
    view: View, activities: list[str], weight: float, minutes: int, effort: str = "moderate"
) -> dict[str, Any]:
    """Energy by kind of exercise, highest first, ties by name."""
    del view
    factor = _EFFORT[effort] * weight * minutes / 60
    burned: list[dict[str, Any]] = [
        {"activity": activity, "kcal": round(_METS[activity] * factor)}
        for activity in dict.fromkeys(activities)
    ]
    burned.sort(key=lambda row: (-row["kcal"], row["activity"]))
    return {"burned": burned, "total_kcal": sum(row["kcal"] for row in burned)}


@WORLD.tool(
    "Compute a heart-rate zone of a member from age and resting rate (Karvonen): zones 1 to 5 "
    "span 50 to 100 percent of the reserve.",
    parameters={
        "member": _MEMBER,
        "zone": integer("Zone, 1 to 5.", "zone", minimum=1, maximum=5),
    },
    outputs=(
        Output("from_bpm", "heart_rate", (
            "the lower end of heart-rate zone {zone} for {member}",
            "the pulse at which zone {zone} begins for {member}",
        )),
        Output("to_bpm", "heart_rate", (
            "the upper end of heart-rate zone {zone} for {member}",
            "the highest pulse {member} may have in zone {zone}",
        )),
    ),
    wishes=(
        "Heart-rate zone {zone} of {member}?",
        "Between which pulse rates should {member} stay to train in zone {zone}?",
        "Could you work out zone {zone} for {member} from the resting heart rate on file?",
    ),
    reads=("members",),
)  # fmt: skip
def heart_rate_zone(view: View, member: str, zone: int) -> dict[str, Any]:
    """Limits of a zone in beats per minute."""
    row = _member(view, member)
    rest, reserve = row["resting_rate"], 220 - row["age"] - row["resting_rate"]
    low, high = (round(rest + reserve * (0.4 + 0.1 * (zone + step))) for step in (0, 1))
    return {"member": member, "zone": zone, "from_bpm": low, "to_bpm": high}


@WORLD.tool(
    "Judge measured heart rates against a range: how many lie below, within and above it.",
    parameters={
        "rates": array("Heart rates in beats per minute.",
            integer("A rate.", "heart_rate", minimum=30, maximum=240,
                    pool=lambda _, rng: rng.randrange(95, 185)), minItems=2, maxItems=12),
        "target": record("The range that was aimed at.", "heart_rate_range", {
            "low": integer("Lowest rate.", "heart_rate", minimum=30, maximum=240,
                           pool=lambda _, rng: rng.randrange(100, 130)),
            "high": integer("Highest rate.", "heart_rate", minimum=30, maximum=240,
                            pool=lambda _, rng: rng.randrange(135, 175)),
        }),
    },
    outputs=(
        Output("within", "count", (
            "how many of the pulse readings {rates} lie from {target.low} to {target.high}",
            ("the number of readings out of {rates} that are neither under {target.low} nor over "
            "{target.high}"),
        )),
        Output("percent_within", "percent", (
            "the percentage of the pulse readings {rates} from {target.low} to {target.high}",
            ("the share in percent of {rates} that keeps to a pulse between {target.low} and "
            "{target.high}"),
        )),
        Output("average", "heart_rate", (
            ("the average of the pulse readings {rates}, checked against {target.low} to "
            "{target.high}"),
            ("the mean pulse over {rates} in a check against the range {target.low} to "
            "{target.high}"),
        )),
    ),
    wishes=(
        "Pulse readings {rates}: how many are between {target.low} and {target.high}?",
        "I measured {rates}. Was I in the range from {target.low} to {target.high}?",
        ("Please check the heart rates {rates} against a lower limit of {target.low} and an upper "
        "one of {target.high}."),
    ),
)  # fmt: skip
def check_heart_rates(view: View, rates: list[int], target: dict[str, int]) -> dict[str, Any]:
    """Counts by place, and the average to the next whole beat."""
    del view
    if target["low"] > target["high"]:
        raise ToolError(f"a range can't go from {target['low']} down to {target['high']}")
    below = sum(rate < target["low"] for rate in rates)
    above = sum(rate > target["high"] for rate in rates)
    within = len(rates) - below - above
    return {
        "below": below,
        "within": within,
        "above": above,
        "percent_within": round(100 * within / len(rates), 2),
        "average": round(sum(rates) / len(rates)),
    }


@WORLD.tool(
    "Enter a workout of a member into the training diary, with the calories burned.",
    parameters={
        "member": _MEMBER,
        "activity": _ACTIVITY,
        "day": date(
            "Day of the workout, YYYY-MM-DD; today or earlier.",
            pool=lambda _, rng: (TODAY - datetime.timedelta(days=rng.randrange(20))).isoformat(),
        ),
        "minutes": _MINUTES,
        "note": text(
            "How it went.", "text", optional=True, counts=False,
            pool=lambda _, rng: rng.choice(("felt strong", "windy", "with a friend", "sore knee")),
        ),
    },
    outputs=(
        Output("workout_id", "workout_id", (
            "the diary entry of {member} for {activity} on {day}, {minutes}",
            "the workout record of {member} ({activity}, {minutes}, {day})",
        )),
        Output("kcal", "energy_kcal", (
            "the calories {member} burned with {activity} on {day} in {minutes}",
            "what {minutes} of {activity} on {day} counted for {member} in calories",
        )),
    ),
    wishes=(
        "Log {activity} for {member}: {day}, {minutes}[ – {note}].",
        ("{member} did {activity} for {minutes} on {day}; please add it to the training diary"
        "[ with the note: {note}]."),
        ("Could you enter a workout? It was {activity}, it took {minutes}, the day was {day} and "
        "the member is {member}."),
    ),
    reads=("members", "workouts"),
    writes=("workouts",),
    undo=Undo("delete_workout", {"workout_id": "result.workout_id"}),
)  # fmt: skip
def log_workout(
    view: View, member: str, activity: str, day: str, minutes: int, note: str = ""
) -> dict[str, Any]:
    """An entry of the past; the same one twice is refused."""
    del note
    row = _workout(member, activity, day, minutes, _member(view, member)["weight_kg"])
    if day > TODAY.isoformat():
        raise ToolError(f"a workout on {day} is still to come and can't be logged")
    workout_id = content_id("wo", member, activity, day, minutes)
    if view.get("workouts", workout_id):
        raise ToolError(f"{activity} of {member} on {day} is already in the diary: {workout_id}")
    view.put("workouts", workout_id, row)
    return {"workout_id": workout_id, "kcal": row["kcal"]}


@WORLD.tool(
    "Delete a workout that was entered by hand. Removes it from the training diary.",
    parameters={"workout_id": text("Id of the workout.", "workout_id")},
    outputs=(
        Output("member", "person", (
            "the member whose diary loses {workout_id}, to be deleted",
            "whoever had {workout_id}, now to be deleted, in the diary",
        )),
    ),
    wishes=(
        "Delete {workout_id}.",
        "Please strike {workout_id} from the diary.",
        "I entered {workout_id} by mistake. Could you remove it again?",
    ),
    reads=("workouts",),
    writes=("workouts",),
)  # fmt: skip
def delete_workout(view: View, workout_id: str) -> dict[str, Any]:
    """Take an entry out without a trace."""
    row = view.get("workouts", workout_id)
    if row is None:
        raise ToolError(f"the training diary has no entry '{workout_id}'")
    view.remove("workouts", workout_id)
    return {"deleted": workout_id, "member": row["member"], "day": row["day"]}


@WORLD.tool(
    "Sum up the training of members from a day to today out of the training diary, most minutes "
    "first.",
    parameters={
        "members": array("Full names.", _MEMBER, minItems=2, maxItems=5),
        "since": date(
            "First day that counts, YYYY-MM-DD.",
            pool=lambda _, rng: (TODAY - datetime.timedelta(days=rng.randrange(7, 42))).isoformat(),
        ),
        "activity": choice("Only this exercise.", "activity", tuple(_METS), optional=True),
    },
    outputs=(
        Output("summary[0].member", "person", (
            "whoever of {members} has spent most time on[ {activity}] workouts since {since}",
            ("the member with the most minutes of[ {activity}] workouts since {since}, out of "
            "{members}"),
        )),
        Output("summary[0].minutes", "duration_min", (
            ("the longest time on[ {activity}] workouts that any of {members} has reached since "
            "{since}"),
            "the time the busiest of {members} has put into[ {activity}] workouts since {since}",
        )),
        Output("summary[0].kcal", "energy_kcal", (
            ("the calories burned in[ {activity}] workouts since {since} by whoever of {members} "
            "trained longest"),
            ("what the busiest of {members} has burned in[ {activity}] workouts since {since}, "
            "in calories"),
        )),
        Output("total_minutes", "duration_min", (
            "the total time on[ {activity}] workouts of {members} since {since}",
            "all the time that {members} spent on[ {activity}] workouts since {since}",
        )),
    ),
    wishes=(
        "Sum up the[ {activity}] workouts of {members} since {since}.",
        "How much training have {members} done since {since}[, counting {activity} only]?",
        "Training minutes of {members}, {since} to today[, {activity} only], most first.",
    ),
    reads=("members", "log", "workouts"),
)  # fmt: skip
def training_summary(
    view: View, members: list[str], since: str, activity: str | None = None
) -> dict[str, Any]:
    """Minutes, calories and sessions by member, ties by name."""
    summary = []
    for member in dict.fromkeys(members):
        logged = [view.get("log", workout_id) for workout_id in _member(view, member)["log"]]
        added = [row for _, row in view.rows("workouts") if row["member"] == member]
        counted = [
            row
            for row in [*logged, *added]
            if row is not None and row["day"] >= since and activity in {None, row["activity"]}
        ]
        summary.append(
            {
                "member": member,
                "minutes": sum(row["minutes"] for row in counted),
                "kcal": sum(row["kcal"] for row in counted),
                "sessions": len(counted),
            }
        )
    summary.sort(key=lambda row: (-row["minutes"], row["member"]))
    return {"summary": summary, "total_minutes": sum(row["minutes"] for row in summary)}


@WORLD.tool(
    "Predict the time for a race distance from the time for another one, in whole minutes "
    "(Riegel's formula), and the pace.",
    parameters={
        "done_km": number("Distance covered in km.", "distance_km", minimum=0.5, maximum=200,
                          pool=lambda _, rng: rng.randrange(3, 16)),
        "done_minutes": number("Time it took in minutes.", "duration_min", minimum=2,
                               maximum=1500),
        "race_km": number("Distance of the race in km.", "distance_km", minimum=0.5, maximum=200,
                          pool=lambda _, rng: rng.choice((5, 10, 15, 20, 25, 30, 42))),
    },
    outputs=(
        Output("minutes", "duration_min", (
            "the expected time over {race_km} for someone who covers {done_km} in {done_minutes}",
            ("how long a race of {race_km} would take a runner who needs {done_minutes} for "
            "{done_km}"),
        )),
        Output("pace", "amount", (
            ("the minutes per kilometre to expect over {race_km} after {done_km} in "
            "{done_minutes}"),
            "the race pace over {race_km} of a runner who needs {done_minutes} for {done_km}",
        )),
    ),
    wishes=(
        "{done_km} in {done_minutes}: what does that mean for a race of {race_km}?",
        "I ran {done_km} in {done_minutes}. How long will I need for {race_km}?",
        ("Predict a finishing time for {race_km}, please; the last run was {done_km} and took "
        "{done_minutes}."),
    ),
)  # fmt: skip
def predict_race(view: View, done_km: float, done_minutes: float, race_km: float) -> dict[str, Any]:
    """Time grows with the distance to the power of 1.06."""
    del view
    minutes = done_minutes * (race_km / done_km) ** 1.06
    return {"minutes": round(minutes), "pace": round(minutes / race_km, 2)}


@WORLD.tool(
    "Find the next weekly classes of one kind in a city from a day on, with the places left. Reads "
    "the class bookings.",
    parameters={
        "city": text("City of the studio.", "city"),
        "activity": choice("Kind of class.", "activity", _CLASSES),
        "from_day": date(
            "First day that suits, YYYY-MM-DD.",
            pool=lambda _, rng: (
                TODAY + datetime.timedelta(days=rng.randrange(1, 30))
            ).isoformat(),
        ),
        "max_price": number(
            "Highest price in EUR.", "price", exclusiveMinimum=0, optional=True,
            pool=lambda _, rng: rng.randrange(15, 27),
        ),
    },
    outputs=(
        Output("classes[0].session_id", "class_session_id", (
            "the next {activity} class in {city} on or after {from_day}[ for {max_price} or less]",
            ("the first {activity} class held in {city} on or after {from_day}"
            "[ that costs at most {max_price}]"),
        )),
        Output("classes[0].day", "date", (
            ("the day of the next {activity} class in {city} on or after {from_day}"
            "[ for {max_price} or less]"),
            "the date of the first {activity} class held in {city} on or after {from_day}",
        )),
        Output("classes[0].price", "price", (
            "the price of the next {activity} class in {city} on or after {from_day}",
            "what the first {activity} class in {city} on or after {from_day} costs",
        )),
        Output("classes[0].trainer", "person", (
            ("the trainer of the next {activity} class in {city} on or after {from_day}"
            "[ for {max_price} or less]"),
            "whoever gives the first {activity} class in {city} on or after {from_day}",
        )),
        Output("classes[0].minutes", "duration_min", (
            "the length of the next {activity} class in {city} on or after {from_day}",
            "how long the first {activity} class in {city} on or after {from_day} lasts",
        )),
    ),
    wishes=(
        ("Which {activity} classes are there in {city} on or after {from_day}[ for {max_price} at "
        "most]?"),
        "{city}, {activity} classes, {from_day} or later[, up to {max_price}].",
        ("I'll have time for a class of {activity} in {city}, {from_day} at the earliest. What is "
        "on offer[ for no more than {max_price}]?"),
    ),
    reads=("timetable", "classes", "bookings"),
)  # fmt: skip
def find_classes(
    view: View, city: str, activity: str, from_day: str, max_price: float | None = None
) -> dict[str, Any]:
    """Classes by day, hour and id."""
    listed = view.get("timetable", city)
    if listed is None:
        raise ToolError(f"there are no classes in {city}")
    first = datetime.date.fromisoformat(from_day)
    found = []
    for class_id in listed["classes"]:
        row = _class(view, class_id)
        if row["activity"] == activity and (max_price is None or row["price"] <= max_price):
            ahead = (row["weekday"] - first.weekday()) % 7
            day = (first + datetime.timedelta(days=ahead)).isoformat()
            left = row["places"] - _taken(view, class_id, day)
            shown = {key: row[key] for key in ("starts", "minutes", "price", "trainer")}
            session = {"session_id": f"{class_id}/{day}", "day": day, "places_left": left}
            found.append({**session, **shown})
    found.sort(key=lambda row: (row["day"], row["starts"], row["session_id"]))
    return {"classes": found, "count": len(found)}


def _class(view: View, class_id: str) -> Row:
    row = view.get("classes", class_id)
    if row is None:
        raise ToolError(f"the timetable has no class '{class_id}'")
    return row


def _taken(view: View, class_id: str, day: str) -> int:
    return sum(
        row["class_id"] == class_id and row["day"] == day for _, row in view.rows("bookings")
    )


@WORLD.tool(
    "Book a place in one session of a class for a member. Adds a class booking, which takes the "
    "place.",
    parameters={
        "session_id": text("Id of the session: class and day.", "class_session_id"),
        "member": _MEMBER,
    },
    outputs=(
        Output("booking_id", "class_booking_id", (
            "the place of {member} in {session_id}",
            "the booking of {session_id} for {member}",
        )),
        Output("price", "price", (
            "what {member} pays for {session_id}",
            "the fee for a place for {member} in {session_id}",
        )),
        Output("ends", "time", (
            "the time at which {member} is done with {session_id}",
            "the end of {session_id}, where {member} gets a place",
        )),
    ),
    wishes=(
        "Book {session_id} for {member}.",
        "{member} would like a place in {session_id}, please.",
        "Could you sign {member} up for {session_id}?",
    ),
    reads=("classes", "members", "bookings"),
    writes=("bookings",),
    undo=Undo("cancel_class", {"booking_id": "result.booking_id"}),
)  # fmt: skip
def book_class(view: View, session_id: str, member: str) -> dict[str, Any]:
    """A place in a coming session of the timetable, one per member."""
    class_id, _, day = session_id.partition("/")
    row = _class(view, class_id)
    _member(view, member)
    if not _takes_place(row, day):
        raise ToolError(f"no session '{session_id}' is coming up")
    booking_id = content_id("cb", session_id, member)
    if view.get("bookings", booking_id):
        raise ToolError(f"{member} already has a place in {session_id}")
    if _taken(view, class_id, day) >= row["places"]:
        raise ToolError(f"{session_id} is full")
    view.put("bookings", booking_id, {"class_id": class_id, "day": day, "member": member})
    return {"booking_id": booking_id, "price": row["price"], "ends": _end(row)}


def _takes_place(row: Row, day: str) -> bool:
    try:
        wanted = datetime.date.fromisoformat(day)
    except ValueError:
        return False
    return wanted.weekday() == row["weekday"] and wanted > TODAY


def _end(row: Row) -> str:
    hours, minutes = row["starts"].split(":")
    end = 60 * int(hours) + int(minutes) + row["minutes"]
    return f"{end // 60:02d}:{end % 60:02d}"


@WORLD.tool(
    "Cancel a place in a class. Removes the class booking.",
    parameters={"booking_id": text("Id of the booking.", "class_booking_id")},
    outputs=(
        Output("member", "person", (
            "the member who gives up {booking_id}, to be cancelled",
            "whoever won't come once {booking_id} is cancelled",
        )),
    ),
    wishes=(
        "Cancel {booking_id}.",
        "Please give back {booking_id} so that somebody else can go.",
        "With a cold like this I'd better skip the class: drop {booking_id}.",
    ),
    reads=("bookings",),
    writes=("bookings",),
)  # fmt: skip
def cancel_class(view: View, booking_id: str) -> dict[str, Any]:
    """Take a booking back without a trace."""
    row = view.get("bookings", booking_id)
    if row is None:
        raise ToolError(f"no place is booked under '{booking_id}'")
    view.remove("bookings", booking_id)
    return {"cancelled": booking_id, "member": row["member"], "day": row["day"]}
