"""A task as a person wants to read it: request, tools, plan in layers, calls and results."""

from collections.abc import Iterator

from build.gold import Gold
from build.showing.drawing import Drawing
from build.showing.text import counted, heading, wrapped
from environment.executor import Snapshot, start_of


def show(gold: Gold) -> str:
    """Return a task as text of at most 100 columns."""
    return "\n".join(_lines(gold))


def _lines(gold: Gold) -> Iterator[str]:
    shape = f"{counted(gold.calls_gt, 'call')}, {counted(gold.rounds_gt - 1, 'layer')}"
    yield heading(f"{gold.id} · {gold.split} · {shape}")
    yield from wrapped(gold.query, "  ")
    names = ", ".join(tool["name"] for tool in gold.tools)
    yield from wrapped(names, "  tools: ", "    ")
    ledger = start_of(Snapshot(gold.plan, (), gold.calls)).ledger
    yield from Drawing(gold.plan, ledger).lines()
