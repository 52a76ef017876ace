"""Weather: forecasts, comparisons, degree days, the best day for something, warnings."""

import datetime
import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

from environment.meanings import TODAY
from environment.places import CITIES, City
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
from trajectory import canonical

# Days from today on that have a forecast, and those that may have a warning.
_AHEAD = 130
_WARNED = 60
_HAZARDS = ("frost", "heat", "rain", "storm")
_LEVELS = ("yellow", "orange", "red")
# Activity: the mean temperature it likes, points lost per °C off it, per mm of rain, per km/h of
# wind above a breeze, and won per hour of sunshine.
_ACTIVITIES = {
    "cycling": (19, 2.0, 5.0, 1.6, 1.0),
    "hiking": (16, 1.8, 4.0, 0.8, 1.5),
    "a picnic": (23, 2.5, 7.0, 1.0, 2.0),
    "sailing": (20, 1.2, 2.0, -0.6, 1.2),
    "a museum day": (12, 0.3, -2.0, -0.3, -1.5),
    "painting the fence": (18, 1.5, 9.0, 1.2, 0.2),
}
_LIKINGS = {
    "warmest": ("max_c", -1),
    "coolest": ("max_c", 1),
    "driest": ("rain_mm", 1),
    "sunniest": ("sun_hours", -1),
    "calmest": ("wind_kmh", 1),
}


def _season(city: City, day: datetime.date) -> float:
    """Where the year stands: 1 at midsummer of the city, −1 at midwinter."""
    turn = math.cos(2 * math.pi * (day.timetuple().tm_yday - 201) / 365)
    return turn if city.lat >= 0 else -turn


def _forecast(city: City, rng: random.Random) -> Row:
    """The days from today on, one list for each quantity."""
    far = abs(city.lat)
    wet, drift = rng.uniform(0.15, 0.5), 0.0
    columns: dict[str, list[float]] = {
        "min_c": [], "max_c": [], "rain_mm": [], "wind_kmh": [], "sun_hours": [],
    }  # fmt: skip
    for ahead in range(_AHEAD):
        season = _season(city, TODAY + datetime.timedelta(days=ahead))
        drift = 0.7 * drift + rng.uniform(-2.4, 2.4)
        mean = 29 - 0.42 * far + season * far * 0.21 + drift
        rain = round(rng.expovariate(0.16), 1) if rng.random() < wet else 0.0
        daylight = 12 + season * far * 0.075
        share = rng.uniform(0.05, 0.4) if rain > 0 else rng.uniform(0.35, 0.95)
        columns["min_c"].append(round(mean - rng.uniform(3, 6), 1))
        columns["max_c"].append(round(mean + rng.uniform(3, 6), 1))
        columns["rain_mm"].append(rain)
        columns["wind_kmh"].append(round(rng.uniform(3, 26) + rain, 1))
        columns["sun_hours"].append(round(daylight * share, 1))
    return {"city": city.name, **columns}


def _tables(seed: int) -> Tables:
    rng = generator(seed, "weather")
    forecasts = {
        city.name: _forecast(city, generator(seed, "weather", city.name)) for city in CITIES
    }
    warnings: dict[str, Row] = {}
    for city in CITIES:
        for ahead in rng.sample(range(1, _WARNED), 6):
            day = (TODAY + datetime.timedelta(days=ahead)).isoformat()
            level = rng.choices(_LEVELS, (5, 3, 1))[0]
            warnings[f"{city.name}/{day}"] = {
                "city": city.name, "day": day, "hazard": rng.choice(_HAZARDS), "level": level,
            }  # fmt: skip
    return {
        "forecasts": dict(sorted(forecasts.items())),
        "warnings": dict(sorted(warnings.items())),
        "subscriptions": {},
    }


WORLD = World("weather", "Forecasts, comparisons, degree days, best days, warnings.", _tables)


def _forecast_of(view: View, city: str) -> Row:
    row = view.get("forecasts", city)
    if row is None:
        raise ToolError(f"there is no weather station in '{city}'")
    return row


def _place_of(day: str) -> int:
    """How many days ahead a day is."""
    ahead = (datetime.date.fromisoformat(day) - TODAY).days
    if not 0 <= ahead < _AHEAD:
        raise ToolError(f"the forecast covers {_AHEAD} days from today on, which leaves out {day}")
    return ahead


def _span(start: str, days: int) -> range:
    first = _place_of(start)
    if first + days > _AHEAD:
        raise ToolError(f"{days} days from {start} reach beyond the end of the forecast")
    return range(first, first + days)


def _day_at(ahead: int) -> str:
    return (TODAY + datetime.timedelta(days=ahead)).isoformat()


def _mean(row: Row, ahead: int) -> float:
    return float(row["min_c"][ahead] + row["max_c"][ahead]) / 2


_DAYS = integer("Number of days.", "forecast_days", minimum=2, maximum=31,
    pool=lambda view, rng: rng.randrange(3, 15))  # fmt: skip
_CITY = text("City.", "city")
_START = date("First day, YYYY-MM-DD.")


@WORLD.tool(
    "Forecast one day in a city: lowest and highest temperature, rain, wind, sunshine.",
    parameters={"city": _CITY, "day": date("Day, YYYY-MM-DD.")},
    outputs=(
        Output("max_c", "temperature_c", (
            "the highest temperature forecast for {city} on {day}",
            "the warmest it gets in {city} on {day}",
        )),
        Output("min_c", "temperature_c", (
            "the lowest temperature forecast for {city} on {day}",
            "the coldest it gets in {city} on {day}",
        )),
        Output("rain_mm", "rain_mm", (
            "the rain forecast for {city} on {day}",
            "the amount of rain that falls in {city} on {day}",
        )),
        Output("sun_hours", "sun_hours", (
            "the hours of sunshine forecast for {city} on {day}",
            "the sunshine that {city} has on {day}",
        )),
    ),
    wishes=(
        "What's the weather in {city} on {day}?",
        "Forecast for {city}, {day}.",
        "I'm going to be in {city} on {day}, so what should I expect of the weather?",
    ),
    reads=("forecasts",),
)  # fmt: skip
def day_forecast(view: View, city: str, day: str) -> dict[str, Any]:
    """One day of a city."""
    row, ahead = _forecast_of(view, city), _place_of(day)
    return {"city": city, "day": day} | {name: row[name][ahead] for name in row if name != "city"}


@WORLD.tool(
    "Sum up the forecast of a city over several days: total rain and sunshine, mean "
    "temperature, days with frost.",
    parameters={"city": _CITY, "start": _START, "days": _DAYS},
    outputs=(
        Output("rain_mm", "rain_mm", (
            "the total rain in {city} over {days} days from {start}",
            "the amount of rain that {city} gets in the {days} days that begin on {start}",
        )),
        Output("sun_hours", "sun_hours", (
            "the total sunshine in {city} over {days} days from {start}",
            "the sunshine that {city} gets in the {days} days that begin on {start}",
        )),
        Output("mean_c", "temperature_c", (
            "the mean temperature in {city} over {days} days from {start}",
            "the average temperature that {city} has in the {days} days that begin on {start}",
        )),
        Output("frost_days", "count", (
            "the number of frosty days in {city} over {days} days from {start}",
            "how many of the {days} days from {start} bring frost to {city}",
        )),
    ),
    wishes=(
        "How do the {days} days from {start} look in {city} on the whole?",
        "Weather totals for {city}: {days} days from {start}.",
        ("Could you sum up the {days} days in {city} that begin on {start}: rain, sunshine, how "
         "warm?"),
    ),
    reads=("forecasts",),
)  # fmt: skip
def weather_summary(view: View, city: str, start: str, days: int) -> dict[str, Any]:
    """Totals and means over some days."""
    row, span = _forecast_of(view, city), _span(start, days)
    return {
        "rain_mm": round(math.fsum(row["rain_mm"][ahead] for ahead in span), 1),
        "sun_hours": round(math.fsum(row["sun_hours"][ahead] for ahead in span), 1),
        "mean_c": round(math.fsum(_mean(row, ahead) for ahead in span) / days, 1),
        "frost_days": sum(row["min_c"][ahead] < 0 for ahead in span),
    }


@WORLD.tool(
    "Compute the heating, cooling or growing degree days of a city over several days.",
    parameters={
        "city": _CITY,
        "start": _START,
        "days": _DAYS,
        "kind": choice("Kind of degree days.", "degree_kind", ("heating", "cooling", "growing")),
        "base_c": number(
            "Base temperature in °C; 18 for heating and cooling, 10 for growing.", "temperature_c",
            minimum=0, maximum=30, pool=lambda view, rng: rng.randrange(8, 21), optional=True,
        ),
    },
    outputs=(
        Output("degree_days", "degree_days", (
            ("the {kind} degree days of {city} over {days} days from {start}[ with a base of "
             "{base_c}]"),
            ("the {kind} degree days that {city} collects in the {days} days that begin on "
             "{start}[ (base: {base_c})]"),
        )),
    ),
    wishes=(
        ("How many {kind} degree days does {city} have over {days} days from {start}[ with a "
         "base of {base_c}]?"),
        "{kind} degree days, {city}, {days} days from {start}[, base {base_c}].",
        ("I'm looking at the {days} days in {city} that begin on {start} and need their {kind} "
         "degree days[; please reckon with a base of {base_c}]."),
    ),
    reads=("forecasts",),
)  # fmt: skip
def degree_days(
    view: View, city: str, start: str, days: int, kind: str, base_c: float | None = None
) -> dict[str, Any]:
    """Sum of the degrees below (heating) or above (cooling, growing) the base."""
    row, span = _forecast_of(view, city), _span(start, days)
    base = base_c if base_c is not None else 10 if kind == "growing" else 18
    sign = -1 if kind == "heating" else 1
    total = math.fsum(max(sign * (_mean(row, ahead) - base), 0) for ahead in span)
    return {"degree_days": round(total, 1), "base_c": base}


@WORLD.tool(
    "Choose the day within several on which the forecast of a city suits an activity best.",
    parameters={
        "city": _CITY,
        "activity": choice("What is planned.", "outdoor_activity", tuple(_ACTIVITIES)),
        "start": _START,
        "days": _DAYS,
    },
    outputs=(
        Output("day", "date", (
            "the best day for {activity} in {city} out of the {days} days from {start}",
            ("whichever day suits {activity} in {city} most, out of the {days} that begin on "
             "{start}"),
        )),
        Output("max_c", "temperature_c", (
            ("the highest temperature on the best day for {activity} in {city} out of the {days} "
             "days from {start}"),
            ("the warmest it gets on whichever day suits {activity} in {city} most, out of the "
             "{days} that begin on {start}"),
        )),
    ),
    wishes=(
        "Which day is best for {activity} in {city}, out of the {days} days from {start}?",
        "{activity} in {city}: pick the best of {days} days from {start}.",
        ("We're planning {activity} while we're in {city} for {days} days from {start}. On which "
         "day does the weather suit it most?"),
    ),
    reads=("forecasts",),
)  # fmt: skip
def best_day_for(view: View, city: str, activity: str, start: str, days: int) -> dict[str, Any]:
    """The day with most points; of equal ones the first."""
    row, span = _forecast_of(view, city), _span(start, days)
    likes, per_degree, per_mm, per_kmh, per_hour = _ACTIVITIES[activity]

    def points(ahead: int) -> float:
        return float(
            100
            - per_degree * abs(_mean(row, ahead) - likes)
            - per_mm * row["rain_mm"][ahead]
            - per_kmh * max(row["wind_kmh"][ahead] - 15, 0)
            + per_hour * row["sun_hours"][ahead]
        )

    best = max(span, key=points)
    return {"day": _day_at(best), "points": round(points(best), 1), "max_c": row["max_c"][best]}


@WORLD.tool(
    "Compare the forecasts of cities for a day and rank them, the one that fits the liking "
    "first, equal ones by name.",
    parameters={
        "cities": array("Cities to compare.", _CITY, minItems=2, maxItems=10),
        "day": date("Day, YYYY-MM-DD."),
        "liking": choice("What comes first.", "weather_liking", tuple(_LIKINGS)),
    },
    outputs=(
        Output("best", "city", (
            "the {liking} of {cities} on {day}",
            "whichever place is {liking} on {day}, out of {cities}",
        )),
        Output("ranking", "list:city", (
            "{cities} in order for {day}, the {liking} first",
            "the ranking of {cities} by who is {liking} on {day}",
        )),
    ),
    wishes=(
        "Which of {cities} is {liking} on {day}?",
        "Rank {cities} for {day}, {liking} first.",
        "On {day} I could go to any of {cities}. Which one will be {liking}?",
    ),
    reads=("forecasts",),
)  # fmt: skip
def compare_cities(view: View, cities: Sequence[str], day: str, liking: str) -> dict[str, Any]:
    """Cities in order; ties by name."""
    ahead = _place_of(day)
    column, sign = _LIKINGS[liking]
    found = sorted(
        (sign * _forecast_of(view, city)[column][ahead], city) for city in dict.fromkeys(cities)
    )
    values = [sign * value for value, _ in found]
    return {"best": found[0][1], "ranking": [city for _, city in found], column: values}


@WORLD.tool(
    "Sort cities into those with an official warning on a day, at or above a level, and those "
    "without.",
    parameters={
        "cities": array("Cities to look at.", _CITY, minItems=2, maxItems=12),
        "day": date("Day, YYYY-MM-DD.", pool=draw_from("warnings", "day")),
        "level": choice("Least level.", "warning_level", _LEVELS, optional=True),
    },
    outputs=(
        Output("clear", "list:city", (
            "those of {cities} without a warning on {day}[ of level {level} or above]",
            ("the places among {cities} for which no warning[ of level {level} or worse] stands "
             "on {day}"),
        )),
        Output("warned_count", "count", (
            ("the number of places with a warning[ of level {level} or above] among {cities} on "
             "{day}"),
            "how many of {cities} have a warning[ of level {level} or worse] on {day}",
        )),
    ),
    wishes=(
        "Which of {cities} have a weather warning[ of level {level} or above] on {day}?",
        "Warnings[, {level} and up,] on {day}: {cities}.",
        ("We're choosing between {cities} for {day}; is there a weather warning[ of level "
         "{level} or worse] for any of these?"),
    ),
    reads=("forecasts", "warnings"),
)  # fmt: skip
def warned_cities(
    view: View, cities: Sequence[str], day: str, level: str = "yellow"
) -> dict[str, Any]:
    """Warned and clear cities, each in the given order."""
    _place_of(day)
    warned, clear = [], []
    for city in dict.fromkeys(cities):
        _forecast_of(view, city)
        row = view.get("warnings", f"{city}/{day}")
        if row and _LEVELS.index(row["level"]) >= _LEVELS.index(level):
            warned.append({"city": city, "hazard": row["hazard"], "level": row["level"]})
        else:
            clear.append(city)
    return {"warned": warned, "warned_count": len(warned), "clear": clear}


_LIMITS = [
    ({"hazard": "frost", "level": "yellow"}, "any frost warning"),
    ({"hazard": "frost", "level": "orange"}, "frost warnings from orange up"),
    ({"hazard": "heat", "level": "orange"}, "heat warnings from orange up"),
    ({"hazard": "rain", "level": "yellow"}, "any warning of heavy rain"),
    ({"hazard": "rain", "level": "red"}, "red warnings of heavy rain"),
    ({"hazard": "storm", "level": "yellow"}, "any storm warning"),
    ({"hazard": "storm", "level": "red"}, "red storm warnings"),
]


@WORLD.tool(
    "Have warnings for a city sent to an e-mail address. Adds to the subscriptions.",
    parameters={
        "email": text("Address to write to.", "email"),
        "city": _CITY,
        "about": record(
            "Which warnings are wanted.", "warning_wish",
            {
                "hazard": choice("Hazard.", "hazard", _HAZARDS),
                "level": choice("Least level.", "warning_level", _LEVELS),
            },
            pool=lambda view, rng: dict(rng.choice(_LIMITS)[0]),
            says={canonical.dumps(wish): words for wish, words in _LIMITS},
        ),
    },
    outputs=(
        Output("subscription_id", "warning_subscription", (
            "the subscription of {email} to {about} for {city}",
            "the notification by which {email} gets {about} for {city}",
        )),
        Output("next_day", "date", (
            ("the first day on which the subscription of {email} to {about} for {city} will "
             "bring mail"),
            "the day of the next message that {email} gets, being signed up to {about} for {city}",
        )),
    ),
    wishes=(
        "Send {about} for {city} to {email}.",
        "Please sign {email} up to {about}. It's about {city}.",
        "I'd like to be told in good time, so let {email} receive {about} for {city}.",
    ),
    reads=("forecasts", "warnings", "subscriptions"),
    writes=("subscriptions",),
    undo=Undo("unsubscribe_warnings", {"subscription_id": "result.subscription_id"}),
)  # fmt: skip
def subscribe_warnings(
    view: View, email: str, city: str, about: Mapping[str, str]
) -> dict[str, Any]:
    """A subscription; the same one twice is refused."""
    _forecast_of(view, city)
    subscription_id = content_id("ws", email, city, dict(about))
    if view.get("subscriptions", subscription_id):
        raise ToolError(f"{email} already gets these warnings for {city}: {subscription_id}")
    view.put("subscriptions", subscription_id, {"email": email, "city": city, **about})
    least = _LEVELS.index(about["level"])
    for ahead in range(_WARNED):
        row = view.get("warnings", f"{city}/{_day_at(ahead)}")
        if row and row["hazard"] == about["hazard"] and _LEVELS.index(row["level"]) >= least:
            return {"subscription_id": subscription_id, "next_day": row["day"]}
    return {"subscription_id": subscription_id}


@WORLD.tool(
    "Stop warnings by e-mail. Removes one from the subscriptions.",
    parameters={"subscription_id": text("Id of the subscription.", "warning_subscription")},
    wishes=(
        "Stop {subscription_id}.",
        "{subscription_id} is getting on my nerves, please end it.",
        "No more warnings by mail: would you cancel {subscription_id}?",
    ),
    reads=("subscriptions",),
    writes=("subscriptions",),
)  # fmt: skip
def unsubscribe_warnings(view: View, subscription_id: str) -> dict[str, Any]:
    """Remove the subscription without a trace."""
    row = view.get("subscriptions", subscription_id)
    if row is None:
        raise ToolError(f"nobody subscribes to '{subscription_id}'")
    view.remove("subscriptions", subscription_id)
    return {"stopped": subscription_id, "email": row["email"], "city": row["city"]}
