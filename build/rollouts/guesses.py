"""Guesses: values that a planner puts down without knowing them, and values nearly right."""

import random
import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any, Final

from trajectory.references import is_reference

Schema = Mapping[str, Any]

_WORDS: Final = {
    "city": ("Springfield", "Riverton", "Lakeside", "Fairview"),
    "town": ("Springfield", "Riverton", "Lakeside", "Fairview"),
    "origin": ("Springfield", "Riverton", "Lakeside"),
    "destination": ("Fairview", "Greenville", "Riverton"),
    "email": ("user@example.com", "contact@example.com", "info@example.org"),
    "name": ("John Doe", "Jane Smith", "Alex Johnson"),
    "person": ("John Doe", "Jane Smith", "Alex Johnson"),
    "people": ("John Doe", "Jane Smith", "Alex Johnson"),
    "team": ("Springfield United", "Riverton Rovers"),
    "time": ("10:00", "15:30", "09:15"),
    "starts": ("10:00", "15:30", "09:15"),
}
_PLAIN: Final = ("default", "standard", "sample", "general")
_NUMBERED: Final = re.compile(r"^(.*?)(\d+)$")


def guess(name: str, schema: Schema, rng: random.Random) -> Any:
    """Return a value that could stand for a parameter: of its type, and invented."""
    if "enum" in schema:
        return rng.choice(schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        return [guess(name, schema.get("items", {}), rng) for _ in range(rng.randint(1, 2))]
    if kind == "object":
        fields = schema.get("properties", {})
        required = schema.get("required", list(fields))
        return {key: guess(key, fields[key], rng) for key in required if key in fields}
    if kind == "boolean":
        return rng.random() < 0.5
    if kind in {"integer", "number"}:
        return _number(schema, rng)
    return _text(name, schema, rng)


def _number(schema: Schema, rng: random.Random) -> int | float:
    low = schema.get("minimum", schema.get("exclusiveMinimum", 0))
    return int(max(low + 1, 0)) + rng.choice((1, 2, 4, 9, 19, 49, 99))


def _text(name: str, schema: Schema, rng: random.Random) -> str:
    if schema.get("format") == "date":
        return str(date(2026, 1, 1) + timedelta(rng.randrange(365)))
    words = name.lower().split("_")
    if words[-1] in {"id", "ids"}:
        return f"{words[0][:2].upper()}-{rng.choice((1001, 1234, 12345, 10001, 99))}"
    fitting = next((_WORDS[word] for word in reversed(words) if word in _WORDS), _PLAIN)
    return rng.choice(fitting)


def nearly(value: Any, schema: Schema, rng: random.Random) -> Any:
    """Return a value nearly the right one, as carelessness makes it; None where none fits."""
    if is_reference(value):
        return _other_place(value, rng)
    if "enum" in schema:
        others = [one for one in schema["enum"] if one != value]
        return rng.choice(others) if others else None
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return _near_number(value, rng)
    if isinstance(value, list):
        return _near_list(value, schema, rng)
    return _near_text(value, rng) if isinstance(value, str) else None


def _other_place(value: Mapping[str, Any], rng: random.Random) -> Any:
    """Refer to the wrong entry of a list."""
    found = re.search(r"\[(\d+)\](?=[^\[]*$)", value.get("path", ""))
    if found is None:
        return None
    place = int(found[1])
    other = rng.choice([n for n in (0, 1, 2) if n != place])
    path = value["path"]
    return {**value, "path": f"{path[: found.start()]}[{other}]{path[found.end() :]}"}


def _near_number(value: float, rng: random.Random) -> float:
    ways = [value + 1, value - 1, value * 10, value * 2]
    if abs(value) >= 10 and float(value).is_integer():
        swapped = int(str(int(value))[::-1])
        ways += [swapped] if swapped not in {0, value} else []
    return rng.choice([way for way in ways if way > 0 and way != value] or [value + 1])


def _near_list(value: list[Any], schema: Schema, rng: random.Random) -> Any:
    if len(value) > 2 and rng.random() < 0.4:
        gone = rng.randrange(len(value))
        return [*value[:gone], *value[gone + 1 :]]
    if not value:
        return None
    place = rng.randrange(len(value))
    other = nearly(value[place], schema.get("items", {}), rng)
    return None if other is None else [*value[:place], other, *value[place + 1 :]]


def _near_text(value: str, rng: random.Random) -> str | None:
    if re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        day = date.fromisoformat(value)
        return str(rng.choice((day + timedelta(1), day + timedelta(7), day - timedelta(1))))
    numbered = _NUMBERED.match(value)
    if numbered is not None:
        number = int(numbered[2]) + rng.choice((1, 2, 10))
        return f"{numbered[1]}{number:0{len(numbered[2])}}"
    if len(value) < 4 or not any(map(str.isalpha, value)):
        return None
    place = rng.randrange(1, len(value) - 1)
    slipped = value[:place] + value[place + 1] + value[place] + value[place + 2 :]
    return slipped if slipped != value else None
