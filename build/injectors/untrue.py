"""Values that a tool takes and that are not true: against the request or an earlier result."""

import datetime
import random
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from build.injectors.fitting import Given, drawn, from_result
from build.injectors.illegal import (
    is_address,
    is_clock,
    is_day,
    is_list,
    is_number,
    is_option,
    is_text,
    other_digits,
    refers_into,
    shuffled,
)
from build.injectors.scene import Scene
from build.injectors.slots import Slot
from build.injectors.spoiling import Variety
from environment import literals
from environment.meanings import fits
from environment.world import Parameter
from trajectory import canonical
from trajectory.references import KEY, follow, reference

# How many values are drawn before one is given up.
_TRIES = 6


# --- what a slot holds -----------------------------------------------------------------------


def _is_thing(slot: Slot) -> bool:
    """Say whether it holds a text that means a thing: no day, no time."""
    thing = is_text(slot) and not is_day(slot) and not is_clock(slot)
    return thing and slot.means is not None and literals.can_draw(slot.means)


def _is_truth(slot: Slot) -> bool:
    return isinstance(slot.value, bool)


def _is_swappable(slot: Slot) -> bool:
    """Say whether a day stays one with day and month exchanged."""
    return is_day(slot) and slot.value[5:7] != slot.value[8:] and int(slot.value[8:]) <= 12


def _is_several(slot: Slot) -> bool:
    return is_list(slot) and len(slot.value) > 1


def _is_literal(slot: Slot) -> bool:
    """Say whether the request says its value, and a result could have the same meaning."""
    told = canonical.same(slot.value, slot.true)
    return told and slot.means is not None and "enum" not in slot.schema


def _is_referred(slot: Slot) -> bool:
    return slot.is_referred


def _means_something(slot: Slot) -> bool:
    return slot.is_referred and slot.means is not None


def _refers_to_entry(slot: Slot) -> bool:
    return slot.is_referred and "[" in slot.value.get("path", "")


# --- against the request ---------------------------------------------------------------------


def _another_value(scene: Scene, slot: Slot, rng: random.Random) -> Iterator[Any]:
    """Draw another one from the world, where a user can say such values."""
    for _ in range(_TRIES):
        value = _drawn(scene, slot, slot.means, rng)
        if value is not None:
            yield value


def _counts(scene: Scene, slot: Slot) -> bool:
    """Say whether an argument counts for a goal, a remark for instance does not."""
    known = scene.stage.parameter(slot.node.name or "", slot.argument)
    return known is not None and known.counts


def _drawn(scene: Scene, slot: Slot, means: Parameter | None, rng: random.Random) -> Any:
    try:
        return None if means is None else drawn(scene.stage, slot.node.name or "", means, rng)
    except LookupError:
        return None


def _another_day(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    day = datetime.date.fromisoformat(slot.value)
    ways = shuffled(rng, (-7, -2, -1, 1, 2, 3, 7, 10, 30))
    return [(day + datetime.timedelta(days=days)).isoformat() for days in ways]


def _day_and_month_swapped(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    year, month, day = slot.value.split("-")
    return [f"{year}-{day}-{month}"]


def _another_year(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    year, rest = int(slot.value[:4]), slot.value[4:]
    return [f"{other}{rest}" for other in shuffled(rng, (year - 1, year + 1, year - 2))]


def _another_time(scene: Scene, slot: Slot, rng: random.Random) -> Iterator[Any]:
    hour, minute = map(int, slot.value.split(":"))
    for minutes in shuffled(rng, (-120, -60, -30, -15, 15, 30, 60, 120, 720)):
        hours, rest = divmod((hour * 60 + minute + minutes) % 1440, 60)
        yield f"{hours:02}:{rest:02}"


def _another_number(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    small = 1 if isinstance(slot.value, int) else 0.5
    ways = shuffled(rng, (-2, -1, 1, 2, 3, 5))
    return [round(slot.value + small * step, 6) for step in ways]


def _slip_of_digits(scene: Scene, slot: Slot, rng: random.Random) -> Iterator[Any]:
    """Shift the point, double the number, or swap its first two digits: 120 becomes 210."""
    kind, digits = type(slot.value), str(slot.value)
    if re.match(r"(\d)(?!\1)[1-9]", digits) and rng.random() < 0.5:
        yield kind(digits[1] + digits[0] + digits[2:])
    for factor in shuffled(rng, (10, 2, 0.1, 100)):
        value = round(slot.value * factor, 6)
        if kind(value) == value:
            yield kind(value)


def _another_option(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    return shuffled(rng, (option for option in slot.schema["enum"] if isinstance(option, str)))


def _flipped(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    return [not slot.value]


def _another_address(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    """Change the part after the @, or the order of the names before it."""
    who, _, domain = slot.true.partition("@")
    names = who.split(".")
    turned = [".".join(reversed(names))] if len(names) > 1 else []
    first = [f"{names[0][:1]}.{names[-1]}"] if len(names) > 1 else [f"{who}1"]
    domains = ("example.org", "example.net", f"mail.{domain}")
    others = [f"{who}@{other}" for other in domains if other != domain]
    return shuffled(rng, (*others, *(f"{other}@{domain}" for other in (*turned, *first))))


def _one_left_out(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    places = shuffled(rng, range(len(slot.value)))
    return [[*slot.value[:place], *slot.value[place + 1 :]] for place in places]


def _one_too_many(scene: Scene, slot: Slot, rng: random.Random) -> Iterator[Any]:
    for _ in range(_TRIES):
        value = _drawn(scene, slot, None if slot.means is None else slot.means.items, rng)
        if value is not None:
            yield [*slot.value, value]


def _result_for_words(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    """Refer to an earlier result where the request says the value."""
    return shuffled(rng, (given.written for given in _givens(scene, slot)))


def _givens(scene: Scene, slot: Slot) -> Iterator[Given]:
    """Yield what the calls before give that could stand in the slot by what it means."""
    if slot.means is not None:
        for node in sorted(scene.found.ancestors(slot.node.id) & scene.found.calls):
            if scene.newest(scene.purpose(node)) == node and node not in scene.touched:
                given = from_result(scene, scene.plan.by_id[node])
                yield from (one for one in given if fits(one.means, slot.means.means))


def _is_given(scene: Scene, slot: Slot) -> bool:
    return any(not canonical.same(given.value, slot.true) for given in _givens(scene, slot))


# --- against an earlier result ---------------------------------------------------------------


def _another_entry(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    """Refer to another entry of the list: the second hotel instead of the first."""
    return shuffled(rng, _entries(scene, slot))


def _entries(scene: Scene, slot: Slot) -> list[Any]:
    node, path = slot.value[KEY], slot.value["path"]
    before, index, after = re.split(r"\[(\d+)\]", path, maxsplit=1)
    places = range(len(follow(scene.result(node), before)))
    return [reference(node, f"{before}[{n}]{after}") for n in places if n != int(index)]


def _has_entries(scene: Scene, slot: Slot) -> bool:
    return bool(_entries(scene, slot))


def _another_field(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    """Refer to another field beside the right one."""
    return shuffled(rng, _fields_beside(scene, slot))


def _fields_beside(scene: Scene, slot: Slot) -> list[Any]:
    node, path = slot.value[KEY], slot.value["path"]
    around, dot, last = path.rpartition(".")
    beside = follow(scene.result(node), around)
    if not isinstance(beside, dict):
        return []
    kind = _family(slot.true)
    keys = [key for key in sorted(beside) if key != last and _family(beside[key]) == kind]
    return [reference(node, f"{around}{dot}{key}") for key in keys]


def _has_fields_beside(scene: Scene, slot: Slot) -> bool:
    return bool(_fields_beside(scene, slot))


def _family(value: Any) -> type:
    """Return the kind of a JSON value, whole numbers being numbers like others."""
    return float if type(value) is int else type(value)


def _another_result(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    """Refer to what another call gives, or the same call elsewhere, of the same meaning."""
    return shuffled(rng, (given.written for given in _givens(scene, slot)))


def _hard_coded(scene: Scene, slot: Slot, rng: random.Random) -> Iterator[Any]:
    """Write down a guess in place of what the result gives."""
    yield from _another_value(scene, slot, rng)
    if isinstance(slot.true, str) and any(letter.isdecimal() for letter in slot.true):
        yield from (other_digits(slot.true, rng) for _ in range(_TRIES))
    elif isinstance(slot.true, int | float) and not isinstance(slot.true, bool):
        kind = type(slot.true)
        yield from (kind(slot.true + change) for change in shuffled(rng, (-5, 3, 10, 25, 100)))


_UNTRUE: Mapping[str, Variety] = {
    "another_value": Variety(_is_thing, _another_value, _counts),
    "another_day": Variety(is_day, _another_day),
    "day_and_month_swapped": Variety(_is_swappable, _day_and_month_swapped),
    "another_year": Variety(is_day, _another_year),
    "another_time": Variety(is_clock, _another_time),
    "another_number": Variety(is_number, _another_number),
    "slip_of_digits": Variety(is_number, _slip_of_digits),
    "another_option": Variety(is_option, _another_option),
    "flipped": Variety(_is_truth, _flipped),
    "another_address": Variety(is_address, _another_address),
    "one_left_out": Variety(_is_several, _one_left_out),
    "one_too_many": Variety(is_list, _one_too_many),
    "result_for_words": Variety(_is_literal, _result_for_words, _is_given),
    "another_entry": Variety(_refers_to_entry, _another_entry, _has_entries),
    "another_field": Variety(refers_into, _another_field, _has_fields_beside),
    "another_result": Variety(_means_something, _another_result, _is_given),
    "hard_coded": Variety(_is_referred, _hard_coded),
}


def _where_tools_run(variety: Variety) -> Variety:
    """Let it be offered only where the tools really run: else nothing tells what is true."""

    def found(scene: Scene, slot: Slot) -> bool:
        return bool(scene.stage.world_tools) and variety.found(scene, slot)

    return variety._replace(found=found)


UNTRUE: Mapping[str, Variety] = {how: _where_tools_run(one) for how, one in _UNTRUE.items()}
