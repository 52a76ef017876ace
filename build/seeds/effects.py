"""Effects that can be seen: which tools of a world show in their results what another one wrote."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Final

from build.seeds.meeting import MOST_LAYERS, Pair, market, required, tools_of
from build.seeds.sketch import DeadEndError, Size, draw_sketch
from build.seeds.values import fill
from environment.literals import can_draw
from environment.meanings import fits
from environment.simulation import Setting, setting
from environment.world import WorldTool, generator

# How often a pair is tried before it is given up.
_TRIALS: Final = 6


@cache
def pairs_of(name: str, seed: int) -> tuple[Pair, ...]:
    """Return the pairs of a world in which a reader could be asked for after a writer.

    Left out are those where no difference was seen in some trials; where the writer needs calls
    of other worlds, that is found out only with them.
    """
    return tuple(pair for pair in _pairs(name) if _may_show(pair, seed))


def _pairs(name: str) -> Iterator[Pair]:
    """Yield writers and readers of one table; nobody does a thing only to take another one back.

    What the reader wants to know can be said, or is of a type that the writer is told as well.
    """
    undone = {tool.undo.tool for tool in tools_of(name) if tool.undo is not None}
    for writer in tools_of(name):
        for reader in tools_of(name):
            if (
                reader is not writer
                and set(writer.writes) & set(reader.reads)
                and reader.name not in undone
                and all(_is_told(reader, part, writer) for part in required(reader))
            ):
                yield Pair(writer, reader)


def _is_told(reader: WorldTool, name: str, writer: WorldTool) -> bool:
    wanted = reader.parameters[name]
    given = (writer.parameters[part] for part in required(writer))
    return can_draw(wanted) or any(fits(part.means, wanted.means) for part in given)


def _may_show(pair: Pair, seed: int) -> bool:
    """Say whether a difference is seen in one of some trials with the tools of the pair's world."""
    world = pair.writer.world
    place, own = setting([world], seed), market((world,))
    size = Size(calls=1, layers=2 + own.low[pair.writer.name], goals=1)
    if size.layers > MOST_LAYERS:
        return True
    rng = generator(seed, "pair", pair.writer.name, pair.reader.name)
    return any(_shows(pair, place, size, rng) for _ in range(_TRIALS))


def _shows(pair: Pair, place: Setting, size: Size, rng: random.Random) -> bool:
    try:
        fill(draw_sketch(rng, market(place.worlds), size, pair), place, rng)
    except DeadEndError:
        return False
    return True
