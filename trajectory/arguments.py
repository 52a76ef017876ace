"""Whether the arguments of a call fit its tool, and if not, why: in words that name the parameter.

Kinds of problems: missing_parameter, unknown_parameter, wrong_type, bad_value,
positional_arguments (a list instead of names), unknown_tool.
"""

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from trajectory import canonical
from trajectory.checks import Check, Fault, Faults, compile_schema, listed, typed
from trajectory.plan import Problem
from trajectory.schema import Path
from trajectory.tools import Catalogue, Tool


def check_arguments(tool: Tool, arguments: Any) -> list[Problem]:
    """Return what is wrong with `arguments` for `tool`, [] when nothing is.

    Raises ValueError where the schema of a tool made in code names a type JSON doesn't have.
    """
    return [Problem(fault.kind, None, fault.text) for fault in find_faults(tool, arguments)]


def check_call(catalogue: Catalogue, name: str, arguments: Any) -> list[Problem]:
    """Return what is wrong with a call: an unknown tool, or its arguments.

    Where several tools share the name, the one that fits best is taken.
    """
    tools = catalogue.named(name)
    if not tools:
        return [_unknown_tool(catalogue, name)]
    return min((check_arguments(tool, arguments) for tool in tools), key=len)


def find_faults(tool: Tool, arguments: Any) -> Faults:
    """Return what is wrong with `arguments` for `tool` with its places; empty when nothing is."""
    if not isinstance(arguments, dict):
        return [_not_named(tool, arguments)]
    try:
        if not _is_plain(arguments) and not _is_json(arguments):
            return list(_not_json(arguments, ()))
        return _compiled(tool.schema_text)(arguments)
    except RecursionError:
        return [Fault("bad_value", (), "values nested too deeply", "fewer levels")]


# Texts as keys, so that the equal tools of thousands of instances are compiled once.
@lru_cache(maxsize=8192)
def _compiled(schema_text: str) -> Check:
    return compile_schema(canonical.loads(schema_text))


def _unknown_tool(catalogue: Catalogue, name: str) -> Problem:
    close = catalogue.close(name)
    names = [f"'{other}'" for other in close or catalogue.names]
    if close:
        hint = f"did you mean {listed(names, 'or')}?"
    else:
        hint = f"listed: {', '.join(names)}" if names else "none is listed"
    return Problem("unknown_tool", None, f"tool '{name}': unknown; {hint}")


def _not_named(tool: Tool, arguments: Any) -> Fault:
    names = [f"'{name}'" for name in sorted(tool.parameters)]
    wanted = f"an object with {listed(names, 'and')}" if names else "an empty object"
    if not isinstance(arguments, list | tuple):
        return Fault("wrong_type", (), typed(arguments), wanted)
    count = f"a list of {len(arguments)} value{'' if len(arguments) == 1 else 's'}"
    return Fault("positional_arguments", (), count, wanted)


_PLAIN = frozenset((str, int, bool, type(None)))
_NAMES = frozenset((str,))


def _is_plain(arguments: dict[Any, Any]) -> bool:
    """Say at once of most arguments that JSON can hold them."""
    return _PLAIN.issuperset(map(type, arguments.values())) and _NAMES.issuperset(
        map(type, arguments)
    )


def _is_json(value: Any) -> bool:
    """Say whether JSON can hold a value."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, list):
        return all(map(_is_json, value))
    if isinstance(value, dict):
        return all(isinstance(key, str) for key in value) and all(map(_is_json, value.values()))
    return value is None or isinstance(value, str | int)


def _not_json(value: Any, path: Path) -> Iterator[Fault]:
    """Yield a fault for each part that JSON can't hold."""
    if isinstance(value, dict):
        for name, item in value.items():
            if not isinstance(name, str):
                yield Fault("wrong_type", path, f"the name {name!r}", "names that are texts")
            yield from _not_json(item, (*path, str(name)))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _not_json(item, (*path, f"[{index}]"))
    elif isinstance(value, float):
        if not math.isfinite(value):
            yield Fault("bad_value", path, str(value), "a finite number")
    elif not _is_json(value):
        yield Fault("wrong_type", path, typed(value), "a JSON value")
