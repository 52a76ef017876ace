"""Where types meet: which tools produce a value that a parameter wants, and how far that leads."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final, NamedTuple

from environment import worlds
from environment.literals import can_draw
from environment.meanings import fits
from environment.world import Output, Parameter, WorldTool

# Layers of tool calls, at most.
MOST_LAYERS: Final = 7
# Stands for "not at all" among numbers of layers.
_NEVER: Final = 10**6

# Too wide to be handed on by themselves: "as many nights as there are hotels" is no wish.
_LITERAL_ONLY = frozenset(("count", "year", "percent", "text", "rating", "time", "duration_min"))


@dataclass(frozen=True)
class Producer:
    """A tool and the output of it that fits."""

    tool: WorldTool
    output: Output


class Pair(NamedTuple):
    """Two tools of a world: one writes what the other reads."""

    writer: WorldTool
    reader: WorldTool


@cache
def _produced_in(name: str, means: str) -> tuple[Producer, ...]:
    return tuple(
        Producer(tool, output)
        for tool in _tools_of(name)
        for output in tool.outputs
        if output.phrases and output.means not in _LITERAL_ONLY and fits(output.means, means)
    )


@cache
def _tools_of(name: str) -> tuple[WorldTool, ...]:
    return tuple(sorted(worlds.world(name).tools.values(), key=lambda tool: tool.name))


@dataclass(frozen=True)
class Slot:
    """A required parameter of a tool, and what can give its value in some worlds.

    literal: whether a user can say it. whole: producers of the value. by_item: producers of the
    items of a list. grows: whether a value from results is wanted where a user could say it.
    low: the fewest layers of calls that give it.
    """

    name: str
    parameter: Parameter
    literal: bool
    whole: tuple[Producer, ...]
    by_item: tuple[Producer, ...]
    grows: bool
    low: int = _NEVER

    def producers(self) -> tuple[Producer, ...]:
        """Return the producers of the value and of its items."""
        return (*self.whole, *self.by_item)


class Market:
    """What the tools of some worlds can give each other.

    tools: all of them, by world and name. weights: how much each is to be asked for; those that
    take results come more. slots: the required parameters of each tool, by its name.
    low: the fewest layers of calls that a call of a tool needs below itself.
    chains: for a number of layers, the tools whose calls can have so many below themselves.
    pairs: writers and readers of one table.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.tools = tuple(tool for name in names for tool in _tools_of(name))
        found = {tool.name: [_slot(p, tool, names) for p in _required(tool)] for tool in self.tools}
        self.low = _lows(found)
        self.slots = {name: tuple(map(self._with_low, slots)) for name, slots in found.items()}
        self.chains = self._chains()
        self.weights = tuple(
            1 + 2 * sum(slot.grows for slot in self.slots[tool.name]) for tool in self.tools
        )
        self.pairs = tuple(pair for name in names for pair in _pairs_of(name))

    def _with_low(self, slot: Slot) -> Slot:
        low = min((self.low[one.tool.name] for one in slot.producers()), default=_NEVER)
        return replace(slot, low=1 + low)

    def _chains(self) -> tuple[frozenset[str], ...]:
        chains = [frozenset(name for name, low in self.low.items() if low == 0)]
        for below in range(1, MOST_LAYERS):
            longer = (
                tool.name
                for tool in self.tools
                if self.low[tool.name] <= below
                and any(self.links(slot, below, chains) for slot in self.slots[tool.name])
            )
            chains.append(frozenset(longer))
        return tuple(chains)

    def can_give(self, layers: int, *, effect: bool) -> bool:
        """Say whether a task can have so many layers, with a reader above its writer or without."""
        if effect:
            return any(pair.writer.name in self.chains[layers - 2] for pair in self.pairs)
        return bool(self.chains[layers - 1])

    def links(
        self, slot: Slot, below: int, chains: Sequence[frozenset[str]] | None = None
    ) -> list[Producer]:
        """Return the producers of a value through which so many layers can lie below its call."""
        if not slot.grows:
            return []
        ends = (chains or self.chains)[below - 1]
        wanted = slot.producers() if below == 1 else slot.whole
        return [one for one in wanted if one.tool.name in ends]


@lru_cache(maxsize=64)
def market(names: tuple[str, ...]) -> Market:
    """Return the market of these worlds."""
    return Market(names)


def _required(tool: WorldTool) -> Iterable[str]:
    return (name for name, parameter in tool.parameters.items() if not parameter.optional)


def _slot(name: str, tool: WorldTool, names: Sequence[str]) -> Slot:
    parameter = tool.parameters[name]
    whole = _feeding(parameter.means, tool, names)
    by_item = _feeding(parameter.items.means, tool, names) if parameter.items else ()
    grows = may_refer(parameter) and bool(whole or by_item)
    return Slot(name, parameter, _is_literal(tool.world, tool.name, name), whole, by_item, grows)


@cache
def _is_literal(world: str, tool: str, parameter: str) -> bool:
    return can_draw(worlds.world(world).tools[tool].parameters[parameter])


def _feeding(means: str, taker: WorldTool, names: Sequence[str]) -> tuple[Producer, ...]:
    found = (one for name in names for one in _produced_in(name, means))
    return tuple(one for one in found if _may_feed(one, taker))


def _may_feed(producer: Producer, taker: WorldTool) -> bool:
    """Say whether a person would want this: nobody does a thing only to take it back."""
    giver = producer.tool
    if giver is taker:
        return False
    if not giver.has_effect:
        return True
    return producer.output.means.endswith("_id") and (
        giver.undo is None or giver.undo.tool != taker.name
    )


def _lows(slots: Mapping[str, Sequence[Slot]]) -> dict[str, int]:
    """Return the fewest layers below a call of each tool, _NEVER where it can't be completed."""
    lows = dict.fromkeys(slots, _NEVER)
    for _ in range(MOST_LAYERS):
        for name, places in slots.items():
            needed = (
                1 + min((lows[one.tool.name] for one in slot.producers()), default=_NEVER)
                for slot in places
                if not slot.literal
            )
            lows[name] = min(lows[name], max(needed, default=0))
    return lows


@cache
def _pairs_of(name: str) -> tuple[Pair, ...]:
    """Return the pairs of a world in which a reader could be asked for after a writer.

    Nobody does a thing only to take another one back. What the reader wants to know can be said,
    or is of a type that the writer is told as well.
    """
    undone = {tool.undo.tool for tool in _tools_of(name) if tool.undo is not None}
    return tuple(
        Pair(writer, reader)
        for writer in _tools_of(name)
        for reader in _tools_of(name)
        if writer is not reader
        and set(writer.writes) & set(reader.reads)
        and reader.name not in undone
        and all(_is_told(reader, part, writer) for part in _required(reader))
    )


def _is_told(reader: WorldTool, name: str, writer: WorldTool) -> bool:
    wanted = reader.parameters[name]
    return can_draw(wanted) or any(
        fits(part.means, wanted.means) for part in writer.parameters.values() if not part.optional
    )


def may_refer(parameter: Parameter) -> bool:
    """Say whether a value of this parameter may come from an earlier result."""
    return parameter.means not in _LITERAL_ONLY and "enum" not in parameter.schema


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
    return any(_produced_in(giver, means) for means in _wanted_in(taker))


@cache
def _wanted_in(name: str) -> tuple[str, ...]:
    """Return the types of which a world's tools require values that may come from results."""
    found = {
        part.means
        for tool in _tools_of(name)
        for required in _required(tool)
        for part in _parts(tool.parameters[required])
        if may_refer(part)
    }
    return tuple(sorted(found))


def _parts(parameter: Parameter) -> list[Parameter]:
    inner = [parameter.items] if parameter.items else list(parameter.fields.values())
    return [parameter, *inner]
