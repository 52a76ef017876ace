"""Semantic types: what a value is, beyond its JSON type.

Types meet by name: an output that is a "city" fits every parameter that wants a "city", in
any world. A type may be a kind of a wider one ("price" is an "amount"): it fits there too.
Types of one world only (ids of its things) need no entry here; an id is said after the name of
its type, a "hotel_id" as "hotel h-7cdac3fc".
"""

import datetime
import random
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from environment.people import people
from environment.places import BY_NAME, CITIES, CITY_NAMES

# The day on which every world stands.
TODAY = datetime.date(2026, 3, 2)

Draw = Callable[[random.Random, int], Any]


@dataclass(frozen=True)
class Meaning:
    """A semantic type.

    wider: the type it is a kind of, or None.
    draw: (rng, seed of the world) → a value that a user could say, or None: never literal.
    say: value → the words a user would write.
    """

    wider: str | None = None
    draw: Draw | None = None
    say: Callable[[Any], str] = str


def _day(rng: random.Random, seed: int) -> str:
    return (TODAY + datetime.timedelta(days=rng.randrange(1, 120))).isoformat()


def _past_day(rng: random.Random, seed: int) -> str:
    return (TODAY - datetime.timedelta(days=rng.randrange(1, 180))).isoformat()


def say_date(value: str) -> str:
    """Return a day as a person writes it: "14 March 2026"."""
    try:
        day = datetime.date.fromisoformat(value)
    except ValueError:
        return value
    return f"{day.day} {day:%B} {day.year}"


def _say_country(value: str) -> str:
    """Return a country as it stands in a sentence: "the Netherlands"."""
    article = value in ("Czech Republic", "Netherlands", "United Kingdom", "United States")
    return f"the {value}" if article else value


def _plain(value: Any) -> str:
    """Return a number without a trailing ".0"."""
    return f"{value:g}" if isinstance(value, float) and abs(value) < 1e6 else str(value)


def _with_unit(unit: str) -> Callable[[Any], str]:
    return lambda value: f"{_plain(value)} {unit}"


def _step(low: float, high: float, step: float) -> Draw:
    count = round((high - low) / step)
    return lambda rng, seed: round(low + step * rng.randrange(count + 1), 6)


def _whole(low: int, high: int) -> Draw:
    return lambda rng, seed: rng.randrange(low, high + 1)


def _clock(rng: random.Random, seed: int) -> str:
    return f"{rng.randrange(7, 21):02d}:{rng.choice((0, 15, 30, 45)):02d}"


def _position(rng: random.Random, seed: int) -> dict[str, float]:
    city = rng.choice(CITIES)
    return {"lat": city.lat, "lon": city.lon}


MEANINGS: Mapping[str, Meaning] = {
    "city": Meaning(draw=lambda rng, seed: rng.choice(CITY_NAMES)),
    "country": Meaning(draw=lambda rng, seed: rng.choice(CITIES).country, say=_say_country),
    "currency": Meaning(draw=lambda rng, seed: rng.choice(CITIES).currency),
    "position": Meaning(
        draw=_position,
        say=lambda value: f"the point at latitude {value['lat']} and longitude {value['lon']}",
    ),
    "address": Meaning(),
    "date": Meaning(draw=_day, say=say_date),
    "past_date": Meaning(wider="date", draw=_past_day, say=say_date),
    "time": Meaning(draw=_clock),
    "year": Meaning(wider="count", draw=_whole(2015, 2026)),
    "person": Meaning(draw=lambda rng, seed: rng.choice(people(seed)).name),
    "email": Meaning(draw=lambda rng, seed: rng.choice(people(seed)).email),
    "phone": Meaning(draw=lambda rng, seed: rng.choice(people(seed)).phone),
    "amount": Meaning(draw=_step(5, 500, 0.5), say=_plain),
    "price": Meaning(wider="amount", draw=_step(5, 500, 0.5), say=_with_unit("EUR")),
    "property_price": Meaning(
        wider="price", draw=_step(120000, 640000, 5000), say=_with_unit("EUR")
    ),
    "salary": Meaning(wider="price", draw=_step(36000, 96000, 500), say=_with_unit("EUR a year")),
    # From 2: sentences speak of "{nights} nights".
    "count": Meaning(wider="amount", draw=_whole(2, 12)),
    "percent": Meaning(wider="amount", draw=_whole(1, 60), say=_with_unit("percent")),
    "rating": Meaning(wider="amount", draw=_step(3, 5, 0.5), say=_plain),
    "distance_km": Meaning(wider="amount", draw=_whole(1, 200), say=_with_unit("km")),
    "weight_kg": Meaning(wider="amount", draw=_step(0.5, 30, 0.5), say=_with_unit("kg")),
    "duration_min": Meaning(wider="amount", draw=_step(15, 240, 15), say=_with_unit("minutes")),
    "temperature_c": Meaning(wider="amount", draw=_whole(-10, 35), say=_with_unit("°C")),
    "energy_kwh": Meaning(wider="amount", draw=_whole(1, 400), say=_with_unit("kWh")),
    "energy_kcal": Meaning(wider="amount", draw=_whole(100, 2500), say=_with_unit("kcal")),
    "power_w": Meaning(wider="amount", draw=_step(20, 2400, 20), say=_with_unit("W")),
    "weight_g": Meaning(wider="amount", draw=_step(50, 800, 25), say=_with_unit("g")),
    "volume_ml": Meaning(wider="amount", draw=_step(10, 250, 10), say=_with_unit("ml")),
    "concentration": Meaning(wider="amount", draw=_step(0.5, 40, 0.5), say=_with_unit("mg/L")),
    "volume_l": Meaning(wider="amount", draw=_whole(5, 200), say=_with_unit("litres")),
    "area_m2": Meaning(wider="amount", draw=_whole(2, 120), say=_with_unit("m²")),
    "rain_mm": Meaning(wider="amount", draw=_whole(0, 40), say=_with_unit("mm")),
    "sun_hours": Meaning(wider="amount", draw=_whole(10, 90), say=_with_unit("hours of sunshine")),
    "degree_days": Meaning(wider="amount", draw=_whole(20, 600), say=_plain),
    "hours": Meaning(wider="amount", draw=_step(5, 80, 0.5), say=_with_unit("hours")),
    "points": Meaning(wider="amount", draw=_whole(2, 60), say=_plain),
    "ratio": Meaning(wider="amount", draw=_step(0.5, 4, 0.5), say=_plain),
    "text": Meaning(),
}


@cache
def fits(given: str, wanted: str) -> bool:
    """Say whether a value of type `given` can stand where `wanted` is asked for."""
    if given == wanted:
        return True
    if given.startswith("list:") and wanted.startswith("list:"):
        return fits(given[5:], wanted[5:])
    meaning = MEANINGS.get(given)
    return meaning is not None and meaning.wider is not None and fits(meaning.wider, wanted)


def say(means: str, value: Any) -> str:
    """Return the words for a value of this type, lists as "A, B and C"."""
    if isinstance(value, list):
        return _say_list(means.removeprefix("list:"), value)
    meaning = MEANINGS.get(means)
    if meaning is not None:
        return meaning.say(value)
    return f"{noun(means)} {value}" if means.endswith("_id") else _plain(value)


def _say_list(means: str, values: list[Any]) -> str:
    if means.endswith("_id") and len(values) > 1:
        return f"{_plural(noun(means))} {enumerated(map(str, values))}"
    return enumerated(say(means, value) for value in values)


def enumerated(words: Iterable[str]) -> str:
    """Return words as "A, B and C"."""
    listed = list(words)
    return " and ".join(filter(None, (", ".join(listed[:-1]), *listed[-1:])))


# Units and the like at the end of a type's name, which nobody says.
_UNSAID: Final = re.compile(r"_(id|km|kg|g|l|m2|mm|c|w|kwh|kcal|min|eur)$")


@cache
def noun(means: str) -> str:
    """Return the everyday word for a type: a "room_booking_id" is a room booking."""
    means = "amount" if fits(means, "amount") else means
    return _UNSAID.sub("", means).removeprefix("past_").replace("_", " ")


def _plural(noun: str) -> str:
    if noun.endswith("y"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "sh", "ch")) else f"{noun}s"


def position_of(city: str) -> dict[str, float]:
    """Return where a city lies, degrees north and east."""
    place = BY_NAME[city]
    return {"lat": place.lat, "lon": place.lon}
