"""Values of the right type that a tool does not take: impossible, out of bounds, of nothing."""

import datetime
import random
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from build.injectors.placeholders import placeholders
from build.injectors.renaming import WAYS, name_of, other_names
from build.injectors.scene import Scene
from build.injectors.slots import Slot
from build.injectors.spoiling import Variety
from trajectory.formats import is_date
from trajectory.references import KEY, follow, reference

_ID = re.compile(r"[A-Za-z]{1,5}-?[\da-f]*\d[\da-f]*(\.\d+)?")
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.\w+")
_CLOCK = re.compile(r"\d\d:\d\d")


# --- what a slot holds -----------------------------------------------------------------------


def is_text(slot: Slot) -> bool:
    """Say whether it holds a literal text out of no fixed list."""
    return isinstance(slot.value, str) and "enum" not in slot.schema


def is_day(slot: Slot) -> bool:
    """Say whether it holds a literal day."""
    return is_text(slot) and is_date(slot.value)


def is_clock(slot: Slot) -> bool:
    """Say whether it holds a literal time of day."""
    return is_text(slot) and _CLOCK.fullmatch(slot.value) is not None


def is_id(slot: Slot) -> bool:
    """Say whether it holds a literal id or number of a thing, such as WH-35."""
    return is_text(slot) and _ID.fullmatch(slot.value) is not None


def is_address(slot: Slot) -> bool:
    """Say whether an e-mail address should stand in it, said by the request or not."""
    return _takes_text(slot) and re.fullmatch(_ADDRESS, str(slot.true)) is not None


def is_name(slot: Slot) -> bool:
    """Say whether it holds a literal name of a person, place or thing."""
    return is_text(slot) and re.fullmatch(r"[^\W\d][^\d@:]{3,40}", slot.value) is not None


def is_number(slot: Slot) -> bool:
    """Say whether it holds a literal number."""
    return isinstance(slot.value, int | float) and not isinstance(slot.value, bool)


def is_option(slot: Slot) -> bool:
    """Say whether it holds one out of a fixed list of texts."""
    return isinstance(slot.value, str) and "enum" in slot.schema


def is_list(slot: Slot) -> bool:
    """Say whether it holds a list that is written out, references in it or not."""
    return isinstance(slot.value, list) and bool(slot.value)


def _is_bounded(slot: Slot) -> bool:
    return is_number(slot) and not _BOUNDS.isdisjoint(slot.schema)


_BOUNDS = frozenset(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"))


def _takes_text(slot: Slot) -> bool:
    return "string" in slot.types


def _takes_list(slot: Slot) -> bool:
    return "array" in slot.types


def refers_into(slot: Slot) -> bool:
    """Say whether it holds a reference to a part of a result."""
    return slot.is_referred and bool(slot.value.get("path"))


# --- values ----------------------------------------------------------------------------------


def shuffled(rng: random.Random, values: Iterable[Any]) -> list[Any]:
    """Return values in a drawn order."""
    known = list(values)
    return rng.sample(known, len(known))


def _impossible_day(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    year, month, day = slot.value.split("-")
    return shuffled(
        rng,
        (
            *(f"{year}-{month}-32", f"{year}-{month}-00", f"{year}-13-{day}", f"{year}-00-{day}"),
            *(f"{year}-02-30", f"{year}-04-31", f"{year}-06-31", f"{year}-02-29"),
        ),
    )


def _day_in_another_form(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    day = datetime.date.fromisoformat(slot.value)
    forms = ("%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%Y/%m/%d", "%m-%d-%Y", "%Y%m%d", "%b %d, %Y")
    written = [day.strftime(form) for form in forms]
    return shuffled(rng, (*written, f"{slot.value}T00:00:00Z", f"{day.day}-{day.month}"))


def _impossible_time(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    hour, minute = slot.value.split(":")
    return shuffled(rng, (f"{hour}:75", f"25:{minute}", f"24:{minute}", f"{hour}:60", "31:00"))


def _time_in_another_form(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    hour, minute = map(int, slot.value.split(":"))
    half = "am" if hour < 12 else "pm"
    twelve = hour % 12 or 12
    return shuffled(
        rng,
        (
            *(f"{twelve}:{minute:02} {half}", f"{twelve}{half}", f"{hour:02}{minute:02}"),
            *(f"{hour}.{minute:02}", f"{hour:02}:{minute:02}:00", f"{hour}h{minute:02}"),
        ),
    )


def _out_of_range(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    schema, step = slot.schema, 1 if isinstance(slot.value, int) else 0.5
    least = [schema[key] for key in ("minimum", "exclusiveMinimum") if key in schema]
    most = [schema[key] for key in ("maximum", "exclusiveMaximum") if key in schema]
    below = [value for low in least for value in (low - step, low - 5 * step)]
    above = [value for high in most for value in (high + step, high + 20 * step, 10 * high)]
    return shuffled(rng, (*below, *above))


def _not_positive(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    return shuffled(rng, {0: None, -slot.value: None, -1: None})


def _not_an_option(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    option = slot.value
    first = re.split(r"[ _-]", option)[0]
    return shuffled(
        rng,
        (
            *(
                option.upper(),
                option.capitalize(),
                option.replace(" ", "_"),
                option.replace("_", " "),
            ),
            *(
                f"{option}s",
                f"{option}_{slot.name}",
                f"{slot.name}_{option}",
                f"by_{option}",
                first,
            ),
            *("any", "default", "other", "all", option[:3], f"{option}_desc"),
        ),
    )


def _empty_list(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    return [[]]


def _item_twice(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    return [[*slot.value, rng.choice(slot.value)]]


def _bad_address(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    who, _, domain = slot.true.partition("@")
    return shuffled(
        rng,
        (
            *(f"{who} at {domain}", f"{who}{domain}", f"{who}@@{domain}", f"{who}@", f"@{domain}"),
            *(f"{who}@{domain.split('.')[0]}", f"{who.replace('.', ' ')}@{domain}"),
        ),
    )


def _unknown_id(scene: Scene, slot: Slot, rng: random.Random) -> Iterator[Any]:
    yield from (other_digits(slot.value, rng) for _ in range(5))


def other_digits(text: str, rng: random.Random) -> str:
    """Return a text with one to three of its digits changed."""
    places = [place for place, letter in enumerate(text) if letter.isdecimal()]
    new = list(text)
    for place in rng.sample(places, min(len(places), rng.randint(1, 3))):
        new[place] = rng.choice([digit for digit in "123456789" if digit != text[place]])
    return "".join(new)


def _id_in_another_form(scene: Scene, slot: Slot, rng: random.Random) -> Iterable[Any]:
    plain = slot.value.replace("-", "")
    tail = re.sub(r"^[A-Za-z]+-?", "", slot.value)
    kind = slot.name.removesuffix("_id").replace("_", " ")
    forms = (slot.value.lower(), slot.value.upper(), plain, f"#{tail}", f"{kind} {tail}")
    return shuffled(rng, (*forms, slot.value.replace("-", "_"), f"{slot.name}:{slot.value}"))


def _mistyped(scene: Scene, slot: Slot, rng: random.Random) -> Iterator[Any]:
    """Swap two neighbouring letters, or leave one out."""
    text = slot.value
    small = [letter.isalpha() and letter.islower() for letter in text]
    pairs = [at for at in range(len(text) - 1) if small[at] and small[at + 1]]
    for at in shuffled(rng, pairs):
        if text[at] != text[at + 1]:
            swapped = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
            yield rng.choice((swapped, text[:at] + text[at + 1 :]))


def _path_to_nothing(scene: Scene, slot: Slot, rng: random.Random) -> Iterator[Any]:
    """Refer to where the result has nothing: a wrong key, too high an index, too deep."""
    node, path = slot.value[KEY], slot.value["path"]
    around, dot, last = path.rpartition(".")
    name = name_of(last, slot.schema, "")
    keys = [new for way in WAYS for new in other_names(name, way, frozenset((last,)))]
    wrong = [f"{around}{dot}{key}" for key in rng.sample(keys, min(len(keys), 6))]
    wrong += [f"result.{path}", f"data.{path}", re.sub(r"\[\d+\]", "", path), f"{path}.value"]
    wrong.append(re.sub(r"\[\d+\]", "[9]", path))
    for new in shuffled(rng, wrong):
        try:
            follow(scene.result(node), new)
        except LookupError:
            yield reference(node, new)


ILLEGAL: Mapping[str, Variety] = {
    "impossible_day": Variety(is_day, _impossible_day),
    "day_in_another_form": Variety(is_day, _day_in_another_form),
    "impossible_time": Variety(is_clock, _impossible_time),
    "time_in_another_form": Variety(is_clock, _time_in_another_form),
    "out_of_range": Variety(_is_bounded, _out_of_range),
    "not_positive": Variety(is_number, _not_positive),
    "not_an_option": Variety(is_option, _not_an_option),
    "placeholder": Variety(_takes_text, placeholders),
    "empty_list": Variety(_takes_list, _empty_list),
    "item_twice": Variety(is_list, _item_twice),
    "bad_address": Variety(is_address, _bad_address),
    "unknown_id": Variety(is_id, _unknown_id),
    "id_in_another_form": Variety(is_id, _id_in_another_form),
    "mistyped": Variety(is_name, _mistyped),
    "path_to_nothing": Variety(refers_into, _path_to_nothing),
}
