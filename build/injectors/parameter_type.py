"""Type_Error: the JSON type of a value is not the schema's."""

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from build.injectors.placeholders import placeholders
from build.injectors.scene import Scene
from build.injectors.slots import Slot, faults_with
from build.injectors.spoiling import Variety, spoiling
from environment import literals
from trajectory import canonical
from trajectory.error_types import ErrorType
from trajectory.references import KEY, follow, reference

_NUMBERED = re.compile(r"[A-Za-z]{0,4}-?\d+|\d{4}-\d\d-\d\d|\d\d:\d\d")
_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
).split()

# What a number counts, by the last word of its name; a plural names it itself.
_UNITS: Mapping[str, str] = {
    "quantity": "units",
    "count": "pieces",
    "age": "years",
    "price": "EUR",
    "amount": "EUR",
    "fee": "EUR",
    "salary": "EUR",
    "budget": "EUR",
    "percent": "percent",
    "people": "people",
    "kg": "kg",
    "km": "km",
    "ml": "ml",
    "mm": "mm",
    "min": "min",
}


def _holds(scene: Scene, slot: Slot, value: Any) -> bool:
    """Say whether a schema finds another type than it wants in the slot."""
    try:
        faults = faults_with(scene, slot, value)
    except LookupError:
        return False
    return any(f.kind == "wrong_type" and f.path[:1] == (slot.argument,) for f in faults)


# --- what a slot holds -----------------------------------------------------------------------


def _is_number(slot: Slot) -> bool:
    return isinstance(slot.value, int | float) and not isinstance(slot.value, bool)


def _has_unit(slot: Slot) -> bool:
    return _is_number(slot) and bool(_units(slot))


def _is_whole(slot: Slot) -> bool:
    return _is_number(slot) and slot.value in range(len(_WORDS))


def _is_named(slot: Slot) -> bool:
    """Say whether it has a name of its own; an item of an array has none."""
    return isinstance(slot.path[-1], str)


def _is_truth(slot: Slot) -> bool:
    return isinstance(slot.value, bool)


def _is_text(slot: Slot) -> bool:
    return isinstance(slot.value, str)


def _is_numbered(slot: Slot) -> bool:
    """Say whether a text is a number with letters before it at most, a day or a time."""
    return _is_text(slot) and re.fullmatch(_NUMBERED, slot.value) is not None


def _is_list(slot: Slot) -> bool:
    return isinstance(slot.value, list) and bool(slot.value)


def _is_plain_list(slot: Slot) -> bool:
    return _is_list(slot) and all(isinstance(item, str | int | float) for item in slot.value)


def _is_number_list(slot: Slot) -> bool:
    return _is_plain_list(slot) and not any(isinstance(item, str) for item in slot.value)


def _is_written_list(slot: Slot) -> bool:
    """Say whether a list has no reference in it."""
    return _is_list(slot) and canonical.same(slot.value, slot.true)


def _is_object(slot: Slot) -> bool:
    return isinstance(slot.value, dict) and not slot.is_referred


def _is_single(slot: Slot) -> bool:
    """Say whether a slot takes one value, so that a list of it is of another type."""
    return bool(slot.types) and "array" not in slot.types


def _is_scalar(slot: Slot) -> bool:
    return _is_single(slot) and "object" not in slot.types


def _is_no_text(slot: Slot) -> bool:
    return bool(slot.types) and "string" not in slot.types


def _refers_into(slot: Slot) -> bool:
    return slot.is_referred and bool(slot.value.get("path"))


def _refers_deep(slot: Slot) -> bool:
    return _refers_into(slot) and re.search(r"[.\[]", slot.value["path"]) is not None


def _takes_list(slot: Slot) -> bool:
    return "array" in slot.types and isinstance(slot.true, list) and bool(slot.true)


# --- values ----------------------------------------------------------------------------------


def _plain(value: float) -> str:
    return canonical.dumps(value)


def _number_text(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    texts = [_plain(slot.value)]
    if abs(slot.value) >= 1000:
        texts.append(f"{slot.value:,}")
    return [rng.choice(texts)]


def _with_unit(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    return _units(slot)


def _units(slot: Slot) -> list[str]:
    """Write a number as a person says it, else after the name of its parameter: "3 nights"."""
    number, last = _plain(slot.value), slot.name.rsplit("_", 1)[-1] if _is_named(slot) else ""
    unit = _UNITS.get(last, last if last.endswith("s") else "")
    said = [] if slot.means is None else [literals.words(slot.means, slot.value)]
    told = [f"{number} {unit}"] if unit else []
    return [text for text in (*said, *told) if text != number]


def _in_words(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    return [_WORDS[int(slot.value)]]


def _truth_text(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    return [rng.choice(("true", "True", "yes") if slot.value else ("false", "False", "no"))]


def _truth_number(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    return [int(slot.value)]


def _text_number(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    """Keep only the digits of a text: WH-35 becomes 35, 2026-03-14 becomes 20260314."""
    return [int("".join(re.findall(r"\d", slot.value)))]


def _json_text(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    return [canonical.dumps(slot.value)]


def _joined(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    link = rng.choice((", ", ",", " and ", "; "))
    return [link.join(item if isinstance(item, str) else _plain(item) for item in slot.value)]


def _texts(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    return [[_plain(item) for item in slot.value]]


def _as_object(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    """Turn a list into an object: of pairs the first gives the key, else numbers do."""
    items = slot.value
    if all(isinstance(item, dict) and len(item) == 2 for item in items):
        pairs = [
            sorted(item.values(), key=lambda part: not isinstance(part, str)) for item in items
        ]
        if all(isinstance(key, str) for key, _ in pairs):
            yield dict(pairs)
    yield {str(number): item for number, item in enumerate(items, start=1)}


def _lone(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    if slot.is_referred:
        path = slot.value.get("path", "")
        return [reference(slot.value[KEY], f"{path}[0]")]
    return [slot.value[0]]


def _in_list(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    return [[slot.value]]


def _in_object(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    keys = ("value", "name" if "string" in slot.types else "number")
    return [{rng.choice((*keys, slot.name) if _is_named(slot) else keys): slot.value}]


def _null(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    return [None]


def _placeholder(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    return placeholders(scene, slot, rng)


def _whole_result(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    return [reference(slot.value[KEY])]


def _outer(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    """Refer to what lies around the value: the entry, or the list of entries."""
    path = slot.value["path"]
    cuts = [match.start() for match in re.finditer(r"[.\[]", path)]
    return [reference(slot.value[KEY], path[:cut]) for cut in rng.sample(cuts, len(cuts)) if cut]


def _other_field(scene: Scene, slot: Slot, rng: random.Random) -> Iterator[Any]:
    """Refer to another field of the same entry, of another type."""
    around, dot, _ = slot.value["path"].rpartition(".")
    try:
        entry = follow(scene.result(slot.value[KEY]), around)
    except LookupError:
        return
    names = sorted(entry) if isinstance(entry, dict) else []
    for name in rng.sample(names, len(names)):
        if not isinstance(entry[name], dict | list):
            yield reference(slot.value[KEY], f"{around}{dot}{name}")


_VARIETIES: Mapping[str, Variety] = {
    "number_as_text": Variety(_is_number, _number_text),
    "number_with_unit": Variety(_has_unit, _with_unit),
    "number_in_words": Variety(_is_whole, _in_words),
    "text_as_number": Variety(_is_numbered, _text_number),
    "truth_as_text": Variety(_is_truth, _truth_text),
    "truth_as_number": Variety(_is_truth, _truth_number),
    "object_as_text": Variety(_is_object, _json_text),
    "array_as_text": Variety(_is_written_list, _json_text),
    "array_joined": Variety(_is_plain_list, _joined),
    "array_as_object": Variety(_is_written_list, _as_object),
    "items_as_texts": Variety(_is_number_list, _texts),
    "lone_element": Variety(_takes_list, _lone),
    "wrapped_in_array": Variety(_is_single, _in_list),
    "wrapped_in_object": Variety(_is_scalar, _in_object),
    "null": Variety(lambda slot: bool(slot.types), _null),
    "placeholder": Variety(_is_no_text, _placeholder),
    "whole_result": Variety(_refers_into, _whole_result),
    "outer_value": Variety(_refers_deep, _outer),
    "field_of_another_type": Variety(_refers_into, _other_field),
}

INJECTOR = spoiling(ErrorType.PARAMETER_TYPE, _VARIETIES, _holds)
