"""The tools of an instance: by name, or as a model sees them."""

from collections.abc import Iterator, Mapping
from typing import Any

from build.showing.text import labelled, value_text, wrapped
from trajectory.plan import Plan
from trajectory.tools import Catalogue, Tool

# What a schema says in words of its own.
_SAID = ("type", "description")


def name_lines(catalogue: Catalogue, plan: Plan) -> Iterator[str]:
    """Yield the names: those that the plan calls, the others, and what it calls besides."""
    called = list(dict.fromkeys(node.name for node in plan if node.name is not None))
    groups = {
        "in the plan": [name for name in catalogue.names if name in called],
        "not in it": [name for name in catalogue.names if name not in called],
        "not listed": [name for name in called if name not in catalogue.names],
    }
    for label, names in groups.items():
        if names:
            yield from labelled(label, ", ".join(names))


def tool_lines(catalogue: Catalogue) -> Iterator[str]:
    """Yield each tool with its description and parameters, as a model may know them."""
    for tool in catalogue:
        yield from wrapped(f"{tool.name}: {tool.description}", "  ", "    ")
        for name in tool.parameters:
            yield from wrapped(_parameter(tool, name), "      ", "          ")
        rest = {key: value for key, value in tool.schema.items() if key not in _KNOWN}
        if rest:
            yield from wrapped(value_text(rest), "      ", "          ")


_KNOWN = frozenset(("type", "properties", "required", "additionalProperties"))


def _parameter(tool: Tool, name: str) -> str:
    """Return what the schema says of a parameter."""
    schema = tool.schema["properties"][name]
    if not isinstance(schema, dict):
        return f"{name}: {value_text(schema)}"
    needed = "required" if name in tool.schema.get("required", ()) else "optional"
    rest = {key: value for key, value in schema.items() if key not in _SAID}
    parts = (_type(schema), schema.get("description"), value_text(rest) if rest else "")
    return f"{name} ({needed}): {' '.join(str(part) for part in parts if part)}"


def _type(schema: Mapping[str, Any]) -> str:
    kind = schema.get("type")
    if kind is None:
        return ""
    return f"{kind if isinstance(kind, str) else ' or '.join(map(str, kind))}."
