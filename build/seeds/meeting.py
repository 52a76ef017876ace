"""Where types meet: which tools produce a value that a parameter wants, and how far that leads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
        for tool in tools_of(name)
        for output in tool.outputs
        if output.phrases and output.means not in _LITERAL_ONLY and fits(output.means, means)
    )


@cache
def tools_of(name: str) -> tuple[WorldTool, ...]:
    """Return the tools of a world by name."""
    return tuple(sorted(worlds.world(name).tools.values(), key=lambda tool: tool.name))


class Slot(NamedTuple):
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
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.tools = tuple(tool for name in names for tool in tools_of(name))
        found = {tool.name: [_slot(p, tool, names) for p in required(tool)] for tool in self.tools}
        self.low = _lows(found)
        self.slots = {name: tuple(map(self._with_low, slots)) for name, slots in found.items()}
        self.chains = self._chains()
        self.weights = tuple(
            1 + 2 * sum(slot.grows for slot in self.slots[tool.name]) for tool in self.tools
        )

    def _with_low(self, slot: Slot) -> Slot:
        return slot._replace(low=1 + _least(self.low, slot)) if slot.grows else slot

    def _chains(self) -> tuple[frozenset[str], ...]:
        chains = [frozenset(name for name, low in self.low.items() if low == 0)]
        for below in range(1, MOST_LAYERS):
            longer = (
                tool.name
                for tool in self.tools
                if self.low[tool.name] <= below
                and any(_leads_on(slot, below, chains) for slot in self.slots[tool.name])
            )
            chains.append(frozenset(longer))
        return tuple(chains)

    def links(self, slot: Slot, below: int) -> list[Producer]:
        """Return the producers of a value through which so many layers can lie below its call."""
        ends = self.chains[below - 1]
        return [one for one in _linking(slot, below) if one.tool.name in ends]


def _linking(slot: Slot, below: int) -> tuple[Producer, ...]:
    """Return the producers that a chain may go through; the items of a list end it."""
    if not slot.grows:
        return ()
    return slot.producers() if below == 1 else slot.whole


def _leads_on(slot: Slot, below: int, chains: Sequence[frozenset[str]]) -> bool:
    ends = chains[below - 1]
    return any(one.tool.name in ends for one in _linking(slot, below))


@lru_cache(maxsize=64)
def market(names: tuple[str, ...]) -> Market:
    """Return the market of these worlds."""
    return Market(names)


def required(tool: WorldTool) -> list[str]:
    """Return the names of a tool's required parameters."""
    return [name for name, parameter in tool.parameters.items() if not parameter.optional]


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
    return tuple(one for name in names for one in _feeding_in(name, means, taker.world, taker.name))


@cache
def _feeding_in(name: str, means: str, world: str, taker: str) -> tuple[Producer, ...]:
    tool = worlds.world(world).tools[taker]
    return tuple(one for one in _produced_in(name, means) if _may_feed(one, tool))


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
            needed = (1 + _least(lows, slot) for slot in places if not slot.literal)
            lows[name] = min(lows[name], max(needed, default=0))
    return lows


def _least(lows: Mapping[str, int], slot: Slot) -> int:
    return min([lows[one.tool.name] for one in slot.producers()], default=_NEVER)


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
        for tool in tools_of(name)
        for name in required(tool)
        for part in _parts(tool.parameters[name])
        if may_refer(part)
    }
    return tuple(sorted(found))


def _parts(parameter: Parameter) -> list[Parameter]:
    inner = [parameter.items] if parameter.items else list(parameter.fields.values())
    return [parameter, *inner]
