"""Tools and the catalogue of them, read from every form a tool list has been seen in.

Reading never raises: what is odd about a list stands in `Catalogue.problems`, and each entry
is kept as it was, so that `write_tools` gives it back unchanged.
"""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import orjson

from trajectory import canonical, literals
from trajectory.plan import Problem
from trajectory.schema import Schema, read_parameters


@dataclass(frozen=True)
class Tool:
    """A tool as a model sees it.

    schema: the JSON Schema (draft 2020-12) of its arguments, an object.
    raw: the entry it was read from; None for a tool made in code.
    """

    name: str
    description: str
    schema: Schema
    raw: Any = None

    @cached_property
    def schema_text(self) -> str:
        """The canonical text of the schema: equal for tools that take the same arguments."""
        return canonical.dumps(self.schema)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the declared parameters."""
        return tuple(self.schema.get("properties", ()))


@dataclass(frozen=True)
class Catalogue:
    """The tools of a task in their order; names may repeat with other schemas.

    problems: what was odd about the list.
    entries: the list as it was read, entries that are no tools included; empty when made in
        code.
    """

    tools: tuple[Tool, ...]
    problems: tuple[Problem, ...] = ()
    entries: tuple[Any, ...] = field(default=(), repr=False)

    @cached_property
    def _by_name(self) -> Mapping[str, tuple[Tool, ...]]:
        table: dict[str, tuple[Tool, ...]] = {}
        for tool in self.tools:
            table[tool.name] = (*table.get(tool.name, ()), tool)
        return table

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Each name once, in order of appearance."""
        return tuple(self._by_name)

    def named(self, name: str) -> tuple[Tool, ...]:
        """Return all tools of that name, in order; () where there is none."""
        return self._by_name.get(name, ())

    def close(self, name: str) -> list[str]:
        """Return at most three listed names that resemble `name`, the closest first."""
        return list(close_names(name, self.names))

    def __iter__(self) -> Iterator[Tool]:
        return iter(self.tools)

    def __len__(self) -> int:
        return len(self.tools)


@lru_cache(maxsize=4096)
def close_names(name: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return at most three of `names` that resemble `name`, the closest first.

    Case is ignored; of equally close names the alphabetically earlier comes first.
    """
    wanted = name.casefold()
    scored = [(_likeness(wanted, other.casefold()), other) for other in set(names)]
    close = sorted((-score, other) for score, other in scored if score >= 0.6)
    return tuple(other for _, other in close[:3])


def _likeness(left: str, right: str) -> float:
    matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
    # The quick bound spares the quadratic comparison of unlike names.
    return matcher.ratio() if matcher.quick_ratio() >= 0.6 else 0.0


def read_tools(value: Any) -> Catalogue:
    """Read a tool list: a list, its JSON text or Python repr, in the flat form or JSON Schema.

    An entry is ``{name, description, parameters[, required]}``, or that under "function".
    Never raises.
    """
    problems: list[Problem] = []
    entries = _entries(value, problems)
    read = [_tool(entry, index, problems) for index, entry in enumerate(entries)]
    tools = tuple(tool for tool in read if tool is not None)
    return Catalogue(tools, tuple(problems), tuple(entries))


def write_tools(catalogue: Catalogue) -> list[Any]:
    """Return the tool list as it was read; tools made in code in the form of JSON Schema."""
    if catalogue.entries:
        return list(catalogue.entries)
    return [_written(tool) for tool in catalogue.tools]


def _written(tool: Tool) -> Any:
    if tool.raw is not None:
        return tool.raw
    return {"name": tool.name, "description": tool.description, "parameters": tool.schema}


def _entries(value: Any, problems: list[Problem]) -> Sequence[Any]:
    """Find the list of entries; a value that holds none becomes the only, unreadable entry."""
    parsed = _parsed(value)
    if isinstance(parsed, list):
        return parsed
    if isinstance(parsed, dict):
        for key in ("tools", "functions"):
            if isinstance(parsed.get(key), list):
                return list(parsed[key])
        return [parsed]
    if parsed is None or parsed == "":
        problems.append(Problem("no_tools", None, "there is no tool list"))
        return []
    return [value]


def _parsed(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return literals.parse(value)
    except ValueError:
        return value.strip()


def _tool(entry: Any, index: int, problems: list[Problem]) -> Tool | None:
    """Read one entry; the same tools stand in the lists of thousands of instances."""
    try:
        text = orjson.dumps(entry, option=_AS_IT_IS) if isinstance(entry, dict) else b""
    except TypeError:
        text = b""
    # What JSON has not is written as null.
    if not text or b"null" in text:
        return _read_tool(entry, index, problems)
    tool, odd = _known_tool(text)
    return tool if tool is not None and not odd else _read_tool(entry, index, problems)


_AS_IT_IS = (
    orjson.OPT_PASSTHROUGH_DATETIME
    | orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_SUBCLASS
)


@lru_cache(maxsize=4096)
def _known_tool(text: bytes) -> tuple[Tool | None, bool]:
    """Return a tool by the text of its entry, and whether anything about it was odd."""
    problems: list[Problem] = []
    tool = _read_tool(canonical.loads(text), 0, problems)
    return tool, bool(problems)


def _read_tool(entry: Any, index: int, problems: list[Problem]) -> Tool | None:
    declared = _parsed(entry)
    if isinstance(declared, dict) and isinstance(declared.get("function"), dict):
        declared = declared["function"]
    name = declared.get("name") if isinstance(declared, dict) else None
    if not isinstance(name, str) or not name:
        problems.append(Problem("unreadable_tool", None, f"entry {index} is no tool with a name"))
        return None
    parameters = _parsed(declared.get("parameters"))
    schema, odd = read_parameters(parameters or None, declared.get("required"), name)
    problems.extend(odd)
    description = declared.get("description")
    return Tool(name, description if isinstance(description, str) else "", schema, entry)
