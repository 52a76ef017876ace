"""How agents do in worlds that occur in the split test only, beside the others."""

from collections.abc import Iterator, Sequence
from typing import Final

from environment import worlds
from eval.analysis.sheets import Cell, Sheet
from eval.analysis.studied import Studied, metrics_of
from eval.tables import head

_METRICS: Final = ("verified_pass_at_1", "verified_e5")
_NOTE: Final = (
    "Unseen: a tool of the instance's list belongs to a world that occurs in the split test only "
    "({names}); seen: none does. Difference seen − unseen: of other instances, so how hard they "
    "are differs too; read it beside that of oracle and the other scripted planners."
)


def sheets(studied: Sequence[Studied]) -> Iterator[Sheet]:
    """Yield the scores in seen and unseen worlds, and world by world."""
    names = metrics_of(studied, _METRICS)
    unseen = [name for name in worlds.world_names() if worlds.world(name).test_only]
    heads = ["config", "agent", "n seen", "n unseen"]
    for name in names:
        heads += [f"{head(name)}, seen", "unseen", "seen − unseen"]
    rows = [_row(one, names, unseen) for one in studied]
    note = _NOTE.format(names=", ".join(unseen))
    yield Sheet("worlds", "Seen and unseen worlds", note, heads, rows)
    by_world = [row for one in studied for row in _by_world(one, names, unseen)]
    heads = ["config", "agent", "world", "unseen", "n", *map(head, names)]
    note = "An instance counts under each world that its tool list is from."
    yield Sheet("worlds-each", "World by world", note, heads, by_world)


def _row(one: Studied, names: Sequence[str], unseen: Sequence[str]) -> list[Cell]:
    known = [id for id in one.ids if one.worlds[id]]
    new = [id for id in known if not set(unseen).isdisjoint(one.worlds[id])]
    old = [id for id in known if set(unseen).isdisjoint(one.worlds[id])]
    row: list[Cell] = [one.config, one.label, len(old), len(new)]
    for name in names:
        row += [one.share(name, old), one.share(name, new), one.gap(name, old, new)]
    return row


def _by_world(
    one: Studied, names: Sequence[str], unseen: Sequence[str]
) -> Iterator[Sequence[Cell]]:
    for world in sorted({world for some in one.worlds.values() for world in some}):
        ids = [id for id in one.ids if world in one.worlds[id]]
        mark = "yes" if world in unseen else "no"
        yield [one.config, one.label, world, mark, len(ids), *(one.share(n, ids) for n in names)]
