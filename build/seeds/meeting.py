"""Where types meet: which tools produce a value that a parameter wants."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from environment import worlds
from environment.meanings import fits
from environment.world import Output, Parameter, WorldTool

# Too wide to be handed on by themselves: "as many nights as there are hotels" is no wish.
_LITERAL_ONLY = frozenset(("count", "year", "percent", "text", "rating", "time", "duration_min"))


@dataclass(frozen=True)
class Producer:
    """A tool and the output of it that fits."""

    tool: WorldTool
    output: Output


def may_refer(parameter: Parameter) -> bool:
    """Say whether a value of this parameter may come from an earlier result."""
    return parameter.means not in _LITERAL_ONLY and "enum" not in parameter.schema


@cache
def producers(means: str, names: tuple[str, ...]) -> tuple[Producer, ...]:
    """Return the outputs that fit a semantic type, over the tools of these worlds, sorted."""
    return tuple(
        Producer(tool, output)
        for name in names
        for tool in sorted(worlds.world(name).tools.values(), key=lambda tool: tool.name)
        for output in tool.outputs
        if output.phrases and output.means not in _LITERAL_ONLY and fits(output.means, means)
    )


@cache
def grows(means: str, item: str | None, names: tuple[str, ...]) -> bool:
    """Say whether tools of these worlds produce a type, or the items of a list of it."""
    return bool(producers(means, names) or (item is not None and producers(item, names)))


@cache
def goal_tools(names: tuple[str, ...]) -> tuple[tuple[WorldTool, ...], tuple[int, ...]]:
    """Return the tools that can be asked for, with weights: those that take results come more."""
    tools = [
        tool
        for name in names
        for tool in sorted(worlds.world(name).tools.values(), key=lambda tool: tool.name)
    ]
    weights = [
        1 + 2 * sum(can_grow(part, names) for part in tool.parameters.values()) for tool in tools
    ]
    return tuple(tools), tuple(weights)


def can_grow(parameter: Parameter, names: tuple[str, ...]) -> bool:
    """Say whether a required value, or the items of one, can come from results."""
    if parameter.optional or not may_refer(parameter):
        return False
    return grows(parameter.means, parameter.items.means if parameter.items else None, names)


@cache
def neighbours(name: str) -> tuple[str, ...]:
    """Return the other worlds with which a world shares a type, either way, sorted."""
    return tuple(
        other
        for other in worlds.world_names()
        if other != name and (_feeds(other, name) or _feeds(name, other))
    )


@cache
def _feeds(giver: str, taker: str) -> bool:
    return any(
        producers(means, (giver,)) for means in sorted(_wanted(worlds.world(taker).tools.values()))
    )


def _wanted(tools: Iterable[WorldTool]) -> set[str]:
    return {
        means
        for tool in tools
        for parameter in tool.parameters.values()
        if not parameter.optional
        for means in _referred(parameter)
    }


def _referred(parameter: Parameter) -> list[str]:
    parts: Mapping[str, Parameter] = parameter.fields
    inner = [parameter.items] if parameter.items else list(parts.values())
    return [part.means for part in (parameter, *inner) if may_refer(part)]
