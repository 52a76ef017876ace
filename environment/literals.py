"""Literal arguments: values that a user could say, drawn from a tool's declaration.

`draw` gives a value for one parameter, `arguments` for a whole call, `words` the way a user
would write a value down. Everything is drawn with the generator that is passed in, so the same
generator state gives the same values.
"""

import math
import random
from collections.abc import Mapping
from typing import Any

from environment.meanings import MEANINGS, enumerated, say
from environment.state import View
from environment.world import Parameter, WorldTool
from trajectory import canonical

_TRIES = 30
# Sentences speak of several: a list of one, "1 nights", would need sentences of its own.
_SHORTEST_LIST, _LONGEST_LIST = 2, 4
_LEAST_WHOLE = 2


def can_draw(parameter: Parameter) -> bool:
    """Say whether the parameter has literal values at all.

    Ids of things that only a call can create have none: they are taken from results.
    """
    if parameter.pool or "enum" in parameter.schema or parameter.schema["type"] == "boolean":
        return True
    if parameter.items is not None:
        return can_draw(parameter.items)
    if parameter.fields:
        return all(can_draw(part) for part in parameter.fields.values() if not part.optional)
    meaning = MEANINGS.get(parameter.means)
    return (meaning is not None and meaning.draw is not None) or _has_least(parameter.schema)


def draw(parameter: Parameter, view: View, rng: random.Random, seed: int) -> Any:
    """Return a literal value of a parameter.

    The first that applies: the parameter's pool, its enum, either truth value, a list of drawn
    items (different ones where there are enough), a record of drawn fields (optional ones in
    half of the cases), a value of its meaning within the limits of the schema, any number
    within the limits. `view` is a view of the tool's world, `seed` that world's.
    Raises LookupError where there is no literal (`can_draw`).
    """
    schema = parameter.schema
    if parameter.pool is not None:
        return parameter.pool(view, rng)
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if schema["type"] == "boolean":
        return rng.random() < 0.5
    if parameter.items is not None:
        return _items(parameter, parameter.items, view, rng, seed)
    if parameter.fields:
        return _fields(parameter.fields, view, rng, seed)
    return _plain(parameter, rng, seed)


def arguments(tool: WorldTool, view: View, rng: random.Random, seed: int) -> dict[str, Any]:
    """Return literal arguments of a call, each optional one in half of the cases.

    Raises LookupError where a required parameter has no literal.
    """
    return _fields(tool.parameters, view, rng, seed)


def words(parameter: Parameter, value: Any) -> str:
    """Return how a user writes a value of this parameter.

    Its own words (`says`); else lists as "A, B and C", records by their template or as their
    fields in the order of their declaration ("3 SKU-1042"), anything else as its meaning says
    it, in the parameter's template if it has one.
    """
    own = parameter.says or {}
    found = own.get(canonical.dumps(value))
    if found is not None:
        return found
    if parameter.items is not None and isinstance(value, list):
        return _list_words(parameter.items, value)
    if parameter.fields and isinstance(value, dict) and parameter.means not in MEANINGS:
        said = {name: words(parameter.fields[name], item) for name, item in value.items()}
        order = " ".join(f"{{{name}}}" for name in parameter.fields if name in value)
        return own.get("", order).format(**said)
    return own.get("", "{value}").format(value=say(parameter.means, value))


def _list_words(item: Parameter, values: list[Any]) -> str:
    if item.says or item.fields or item.items is not None:
        return enumerated(words(item, value) for value in values)
    return say(f"list:{item.means}", values)


def _items(
    parameter: Parameter, item: Parameter, view: View, rng: random.Random, seed: int
) -> list[Any]:
    least, longest = parameter.schema.get("minItems", 1), parameter.schema.get("maxItems", math.inf)
    most = max(least, min(longest, _LONGEST_LIST))
    wanted = rng.randint(min(max(least, _SHORTEST_LIST), most), most)
    found: dict[str, Any] = {}
    for _ in range(_TRIES):
        if len(found) >= wanted:
            break
        value = draw(item, view, rng, seed)
        found.setdefault(canonical.dumps(value), value)
    values = list(found.values())
    while len(values) < least:
        values.append(draw(item, view, rng, seed))
    return values


def _fields(
    fields: Mapping[str, Parameter], view: View, rng: random.Random, seed: int
) -> dict[str, Any]:
    given = {}
    for name, part in fields.items():
        if not part.optional or (can_draw(part) and rng.random() < 0.5):
            given[name] = draw(part, view, rng, seed)
    return given


def _plain(parameter: Parameter, rng: random.Random, seed: int) -> Any:
    """Return a text or number: of the meaning if one fits the schema, else within its limits."""
    meaning = MEANINGS.get(parameter.means)
    if meaning is not None and meaning.draw is not None:
        for _ in range(_TRIES):
            value = meaning.draw(rng, seed)
            if _allowed(parameter.schema, value):
                return value
    if _has_least(parameter.schema):
        return _number(parameter.schema, rng)
    raise LookupError(f"a {parameter.means} has no literal")


def _allowed(schema: Mapping[str, Any], value: Any) -> bool:
    """Say whether a drawn value keeps the limits of a schema."""
    if schema["type"] == "integer" and not isinstance(value, int):
        return False
    if schema["type"] not in ("integer", "number"):
        return True
    return bool(
        schema.get("minimum", -math.inf) <= value <= schema.get("maximum", math.inf)
        and schema.get("exclusiveMinimum", -math.inf)
        < value
        < schema.get("exclusiveMaximum", math.inf)
        and value % schema.get("multipleOf", value or 1) == 0
    )


def _has_least(schema: Mapping[str, Any]) -> bool:
    return "minimum" in schema or "exclusiveMinimum" in schema


def _number(schema: Mapping[str, Any], rng: random.Random) -> float:
    """Return a number of a few digits between the limits of a schema."""
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", low + 100)
    step = schema.get("multipleOf", 1 if schema["type"] == "integer" else 10 ** _digits(high - low))
    low += step if "exclusiveMinimum" in schema else 0
    if schema["type"] == "integer" and step == 1:
        low = max(low, min(_LEAST_WHOLE, high))
    value = low + step * rng.randint(0, int((high - low) / step))
    return int(value) if schema["type"] == "integer" else round(value, 6)


def _digits(span: float) -> int:
    """Return the power of ten that cuts a span into 10 to 100 steps, or more where it is wide."""
    return min(0, math.floor(math.log10(span)) - 1) if span > 0 else 0
