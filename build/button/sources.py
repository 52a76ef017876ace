"""The values that earlier results hold, and which of them an argument can come from.

A call that only gives back what it was asked ("hotel_id" in the details of a hotel) is no
source of it, unless it chose it: the best of the hotels it was asked to compare is its result.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from build.button.content import (
    DISTINCT,
    Key,
    is_rounded,
    keys_of,
    stands_in,
    weight,
)
from build.button.names import Name, agreement, name_of
from trajectory import canonical
from trajectory.calls import Call
from trajectory.references import reference

# How an argument resembles the value it comes from, and how sure that alone makes.
EXACT: Final = ("exact", 1.0)
SPELLED: Final = ("spelled", 0.9)
ROUNDED: Final = ("rounded", 0.8)
EMBEDDED: Final = ("embedded", 0.8)

# A text this long that stands inside another is no chance.
_EMBEDDED_WEIGHT: Final = 5


Role = Literal["new", "chosen", "given back"]


@dataclass(frozen=True)
class Source:
    """A value in the result of a call.

    node, turn: the call and its turn. link: what gives exactly this value in a plan, a reference
    or a list of references; None where no path leads there. role: chosen, when the call was
    offered the value among others and put it first; given back, when it was asked with it.
    place: sum of the list indices on the way to it. order: counts all sources.
    """

    node: str
    turn: int
    value: Any
    name: Name
    link: Any
    role: Role
    place: int
    order: int


@dataclass
class Sources:
    """All values of earlier results, to be found by what they say."""

    _exact: dict[str, list[Source]] = field(default_factory=dict)
    _spelled: dict[Key, list[Source]] = field(default_factory=dict)
    _scalars: list[Source] = field(default_factory=list)
    _all: list[Source] = field(default_factory=list)

    def learn(self, node: str, turn: int, call: Call) -> None:
        """Take in the result of a call."""
        asked = _Asked(call.arguments)
        for value, steps, link in _values(node, call.results, ()):
            name = name_of(tuple(step for step in steps if isinstance(step, str)), call.name)
            place = sum(step for step in steps if isinstance(step, int))
            role = asked.role(value, name, place)
            self._add(Source(node, turn, value, name, link, role, place, len(self._all)))

    def _add(self, source: Source) -> None:
        self._all.append(source)
        self._exact.setdefault(_text(source.value), []).append(source)
        if not isinstance(source.value, dict | list):
            self._scalars.append(source)
            for key in sorted(keys_of(source.value)):
                self._spelled.setdefault(key, []).append(source)

    def equal(self, value: Any) -> list[Source]:
        """Return the sources of exactly this value."""
        return self._exact.get(_text(value), [])

    def spelled(self, value: Any) -> list[Source]:
        """Return the sources that spell a scalar in another way."""
        found = (source for key in sorted(keys_of(value)) for source in self._spelled.get(key, ()))
        return list({source.order: source for source in found}.values())

    def rounded(self, value: Any) -> list[Source]:
        """Return the sources that a number is rounded from."""
        if not _is_number(value):
            return []
        return [
            source
            for source in self._scalars
            if _is_number(source.value) and is_rounded(value, source.value)
        ]

    def holding(self, value: Any) -> list[Source]:
        """Return the longer texts in which a telling scalar stands."""
        if weight(value) < DISTINCT:
            return []
        return [
            source
            for source in self._scalars
            if isinstance(source.value, str) and stands_in(value, source.value)
        ]

    def held_by(self, text: Any) -> list[Source]:
        """Return the telling values that stand inside a longer text."""
        if not isinstance(text, str) or " " not in text.strip():
            return []
        return [
            source
            for source in self._scalars
            if weight(source.value) >= _EMBEDDED_WEIGHT and stands_in(source.value, text)
        ]


def _text(value: Any) -> str:
    """Return the canonical text, of a text without its escapes."""
    return f'"{value}' if isinstance(value, str) else canonical.dumps(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


Steps = tuple[str | int, ...]


def _values(node: str, value: Any, steps: Steps) -> Iterator[tuple[Any, Steps, Any]]:
    """Yield every value inside a result that carries information, with its way and its link.

    A list of objects also gives the list of what stands under one key in each of them.
    """
    if weight(value) == 0:
        return
    yield value, steps, _reference(node, steps)
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _values(node, item, (*steps, key))
    elif isinstance(value, list):
        yield from _columns(node, value, steps)
        for index, item in enumerate(value):
            yield from _values(node, item, (*steps, index))


def _columns(node: str, rows: list[Any], steps: Steps) -> Iterator[tuple[Any, Steps, Any]]:
    if len(rows) < 2 or not all(isinstance(row, dict) for row in rows):
        return
    for key in rows[0]:
        if all(key in row and not isinstance(row[key], dict | list) for row in rows):
            links = [_reference(node, (*steps, index, key)) for index in range(len(rows))]
            yield [row[key] for row in rows], (*steps, key), None if None in links else links


def _reference(node: str, steps: Steps) -> Any:
    """Return a reference, or None where a key holds what separates the steps of a path."""
    if any(isinstance(step, str) and not _PLAIN_KEY.fullmatch(step) for step in steps):
        return None
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return reference(node, path.removeprefix("."))


_PLAIN_KEY: Final = re.compile(r"[^.\[\]]+")


class _Asked:
    """The arguments of a call, to tell what its result only gives back."""

    def __init__(self, arguments: Any) -> None:
        self.fixed: dict[Key, list[Name]] = {}
        self.offered: dict[Key, list[Name]] = {}
        self.wholes: set[str] = set()
        self._take(arguments, (), alternatives=False)

    def _take(self, value: Any, keys: tuple[str, ...], *, alternatives: bool) -> None:
        if isinstance(value, dict | list):
            self.wholes.add(canonical.dumps(value))
        if isinstance(value, dict):
            for key, item in value.items():
                self._take(item, (*keys, key), alternatives=alternatives)
        elif isinstance(value, list):
            for item in value:
                self._take(item, keys, alternatives=alternatives or len(value) > 1)
        else:
            for key in keys_of(value):
                table = self.offered if alternatives else self.fixed
                table.setdefault(key, []).append(name_of(keys))

    def role(self, value: Any, name: Name, place: int) -> Role:
        """Say what the call has to do with a value of its result."""
        if isinstance(value, dict | list):
            return "given back" if canonical.dumps(value) in self.wholes else "new"
        if _told(self.fixed, value, name):
            return "given back"
        if _told(self.offered, value, name):
            return "given back" if place else "chosen"
        return "new"


def _told(given: dict[Key, list[Name]], value: Any, name: Name) -> bool:
    """Say whether a value was given: a telling text, or anything under a name like its own."""
    names = [other for key in keys_of(value) for other in given.get(key, ())]
    if isinstance(value, str) and weight(value) >= DISTINCT:
        return bool(names)
    return any(agreement(other, name) for other in names)
