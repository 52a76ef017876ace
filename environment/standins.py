"""Stand-ins: what a call returns where there is neither a tool to run nor a recorded result.

A stand-in depends on the tool's signature and the call's arguments alone, by a stable hash, so
that the same call gives the same everywhere. It is a JSON object marked ``"stand_in": true``;
scores that rest on stand-ins are never ranked.
"""

import datetime
import re
from typing import Any, Final

from trajectory import canonical
from trajectory.tools import Tool


def stand_in(tool: Tool, arguments: Any) -> dict[str, Any]:
    """Return ``{"stand_in": true, "tool": name, "value": ...}`` for a call of `tool`.

    The words of the tool's name decide what kind of value it is: a verdict, a number, a date, a
    list, a text, or the id of what was done.
    """
    signature = [tool.name, tool.description, tool.schema, arguments]
    seed = int(canonical.digest(signature)[:15], 16)
    return {"stand_in": True, "tool": tool.name, "value": _value(_words(tool.name), seed)}


def is_stand_in(result: Any) -> bool:
    """Say whether a result is a stand-in."""
    return isinstance(result, dict) and result.get("stand_in") is True


def _words(name: str) -> list[str]:
    """Return the words of a name in snake_case, camelCase or PascalCase, in lower case."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    return re.findall(r"[^\W_]+", parted.lower()) or ["value"]


def _value(words: list[str], seed: int) -> Any:
    verb, last = words[0], words[-1]
    thing = " ".join(words[1:] or words)
    if verb in _JUDGES:
        # A check that fails by chance would send every plan astray.
        return True
    if verb in _COUNTS or last in _NUMBERS:
        return round(1 + seed % 99_900 / 100, 2)
    if last in _DATES:
        return (datetime.date(2025, 1, 1) + datetime.timedelta(days=seed % 365)).isoformat()
    if verb in _SEEKS or (verb in _GETS and last.endswith("s")):
        return [{"id": f"{last}-{seed % 9000 + n}", "name": f"{thing} {n}"} for n in (1, 2, 3)]
    if verb in _GETS:
        return f"{thing} {seed % 9000 + 1}"
    return {"id": f"{last}-{seed % 9000 + 1}", "done": True}


_JUDGES: Final = frozenset("check verify validate confirm is has can test ensure".split())
_COUNTS: Final = frozenset("calculate compute count sum average measure convert estimate".split())
_NUMBERS: Final = frozenset(
    "price cost total amount rate distance number percentage score average count".split()
)
_DATES: Final = frozenset("date day deadline".split())
_SEEKS: Final = frozenset("list search find filter".split())
_GETS: Final = frozenset(
    "get fetch retrieve read load extract select recommend identify generate show view".split()
)
