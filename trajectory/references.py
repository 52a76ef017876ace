"""References: a value that comes from an earlier result, and paths into results.

Written ``{"$ref": "<node id>", "path": "<dotted path with [i], optional>"}`` anywhere inside
the arguments. Exactly this is a reference; everything else is a literal.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

KEY: Final = "$ref"
_KEYS: Final = frozenset((KEY, "path"))
_NESTED: Final = (dict, list)


class Reference(NamedTuple):
    """A reference inside arguments.

    where: the parameter it stands in, with the way inside it ("guests[0].name").
    node: the id it names; None when the reference is malformed.
    path: the way into that node's result; "" is the whole result.
    """

    where: str
    node: str | None
    path: str


class UnresolvedError(Exception):
    """A reference that cannot be resolved; the text names node and parameter."""


def reference(node: str, path: str = "") -> dict[str, str]:
    """Write a reference."""
    return {KEY: node, "path": path} if path else {KEY: node}


def is_reference(value: Any) -> bool:
    """Say whether a value is meant as a reference, well-formed or not."""
    return isinstance(value, dict) and KEY in value


def read_reference(value: dict[str, Any], where: str) -> Reference:
    """Read a value that `is_reference`."""
    node, path = value[KEY], value.get("path", "")
    if _KEYS.issuperset(value) and isinstance(node, str) and isinstance(path, str):
        return Reference(where, node, path)
    return Reference(where, None, "")


def references(arguments: Any, where: str = "") -> Iterator[Reference]:
    """Yield every reference inside arguments, by name: the order of keys means nothing."""
    if is_reference(arguments):
        yield read_reference(arguments, where)
    elif isinstance(arguments, dict):
        for key in sorted(arguments):
            yield from references(arguments[key], f"{where}.{key}" if where else key)
    elif isinstance(arguments, list):
        for index, value in enumerate(arguments):
            yield from references(value, f"{where}[{index}]")


def resolve(arguments: Any, lookup: Callable[[Reference], Any], where: str = "") -> Any:
    """Return the arguments with each reference replaced by what `lookup` gives for it.

    `lookup` raises UnresolvedError where a reference cannot be resolved; it comes through, of
    several the first by name.
    """
    if isinstance(arguments, dict):
        if KEY in arguments:
            return lookup(read_reference(arguments, where))
        return {
            key: resolve(value, lookup, f"{where}.{key}" if where else key)
            if isinstance(value, _NESTED)
            else value
            for key, value in sorted(arguments.items())
        }
    if isinstance(arguments, list):
        return [resolve(item, lookup, f"{where}[{i}]") for i, item in enumerate(arguments)]
    return arguments


# A dot parts two steps, so none stands in front; no list has an index of ten digits.
_STEP = re.compile(r"(?:^|(?<=[^.])\.)([^.\[\]]+)|\[([0-9]{1,9})\]")


@lru_cache(maxsize=4096)
def _steps(path: str) -> tuple[str | int, ...] | None:
    """Split a path into keys and indices, or None where it is no path."""
    steps: list[str | int] = []
    position = 0
    while position < len(path):
        match = _STEP.match(path, position)
        if match is None or match.end() == position:
            return None
        steps.append(match[1] if match[1] is not None else int(match[2]))
        position = match.end()
    return tuple(steps)


def follow(value: Any, path: str) -> Any:
    """Return the value at a path ("hotels[0].name"; "" is the value itself).

    Raises LookupError where there is none.
    """
    steps = _steps(path)
    if steps is None:
        raise LookupError(f"{path!r} is no path")
    for step in steps:
        fits = isinstance(value, list) if isinstance(step, int) else isinstance(value, dict)
        if not fits:
            raise LookupError(f"no value at {path!r}")
        try:
            value = value[step]
        except (KeyError, IndexError):
            raise LookupError(f"no value at {path!r}") from None
    return value
