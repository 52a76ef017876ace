"""The small pieces of such a text: lines that fit, values, calls."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from trajectory import canonical
from trajectory.files import one_line, shortened
from trajectory.plan import ABSENT, ROOT
from trajectory.references import is_reference, read_reference

WIDTH: Final = 100

# A longer word is broken wherever the line ends.
_LONGEST_WORD: Final = 60

# Three lines of a result tell what it is about.
BRIEF: Final = 240


def heading(text: str) -> str:
    """Return a line of the whole width that begins with a text."""
    start = f"── {shortened(text, WIDTH - 8)} "
    return start + "─" * (WIDTH - _columns(start))


def wrapped(text: str, first: str = "", indent: str | None = None) -> Iterator[str]:
    """Yield a text in lines of at most `WIDTH` columns, white space as one space.

    first: what the first line begins with. indent: what the others do; None: as many spaces.
    A wide character, as of Chinese, takes two columns.
    """
    indent = " " * _columns(first) if indent is None else indent
    line = first
    for piece in _pieces(one_line(text)):
        if line != indent and _columns(line) + _columns(piece.rstrip()) > WIDTH:
            yield line.rstrip()
            line = indent
        line += piece
    yield line.rstrip()


def _pieces(text: str) -> Iterator[str]:
    """Yield the parts between which a line may end, each with the space behind it."""
    for word in text.split(" "):
        whole = word.isascii() or not any(map(_is_wide, word))
        parts = [word] if whole and len(word) <= _LONGEST_WORD else list(word)
        yield from parts[:-1]
        yield f"{parts[-1] if parts else ''} "


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(1 + _is_wide(char) for char in text)


def _is_wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF"


def labelled(label: str, text: str, indent: int = 2) -> Iterator[str]:
    """Yield the lines of a text behind its label, the texts of a section below each other."""
    yield from wrapped(text, f"{' ' * indent}{label:<11} ")


class Most(NamedTuple):
    """How much of a value is shown: entries of a list, keys of an object, characters of a text."""

    entries: int
    keys: int
    characters: int


def value_text(value: Any, most: Most | None = None) -> str:
    """Return a value as JSON with spaces, references as ‹node.path›; at most so much of it."""
    if is_reference(value):
        found = read_reference(value, "")
        if found.node is not None:
            return f"‹{found.node}.{found.path}›" if found.path else f"‹{found.node}›"
    if isinstance(value, dict):
        parts = [f"{canonical.dumps(str(key))}: {value_text(value[key], most)}" for key in value]
        return f"{{{_joined(parts, most and most.keys)}}}"
    if isinstance(value, list):
        return f"[{_joined([value_text(one, most) for one in value], most and most.entries)}]"
    if isinstance(value, str) and most:
        return canonical.dumps(shortened(value, most.characters))
    return canonical.dumps(value)


def _joined(parts: Sequence[str], most: int | None) -> str:
    shown = parts if most is None or len(parts) <= most else parts[:most]
    more = len(parts) - len(shown)
    return ", ".join((*shown, f"… {more} more") if more else shown)


# Later entries of a list go first: what an entry is like can then still be seen.
_LESS_AND_LESS: Final = (
    *(Most(entries, 12, 80) for entries in (5, 3, 2, 1)),
    *(Most(1, keys, 40) for keys in (8, 5, 3)),
)


def brief(value: Any, limit: int | None = BRIEF) -> str:
    """Return a value as text of at most `limit` characters; None: the whole."""
    text = value_text(value)
    if limit is None or len(text) <= limit:
        return text
    texts = (value_text(value, most) for most in _LESS_AND_LESS)
    return next((text for text in texts if len(text) <= limit), shortened(text, limit))


def arguments_text(arguments: Any) -> str:
    """Return named arguments as ``name=value, …``, anything else as the value that it is."""
    if isinstance(arguments, dict) and not is_reference(arguments):
        return ", ".join(f"{name}={value_text(value)}" for name, value in arguments.items())
    return "" if arguments is ABSENT else value_text(arguments)


def call_text(name: str, arguments: Any) -> str:
    """Return a call: ``book(day="2026-04-01", city=‹1.city›)``."""
    return f"{name}({arguments_text(arguments)})"


def node_text(id: str, dep: Iterable[str]) -> str:
    """Return a node and what it waits for: ``3 ← 1, 2``."""
    after = [one for one in dep if one != ROOT]
    return f"{id} ← {', '.join(after)}" if after else id


def ids_text(ids: Iterable[str]) -> str:
    """Return ids in their natural order, "none" where there are none."""
    return ", ".join(sorted(ids, key=natural)) or "none"


def natural(id: str) -> list[str | int]:
    """Return what ids are sorted by so that 2 comes before 10."""
    parts = re.split(r"([0-9]{1,18})", id)
    return [int(part) if place % 2 else part for place, part in enumerate(parts)]


def counted(count: int, noun: str) -> str:
    """Return a count with its noun: "1 call", "2 calls"."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
