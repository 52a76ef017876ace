"""Sheets: tables that are written as CSV for programs and as Markdown for people."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from eval.intervals import Interval
from eval.tables import percent, pipes, points

_DIGITS: Final = 6
_LEAST: Final = 0.001


@dataclass(frozen=True)
class Share:
    """A mean in [0, 1] over n instances of `tasks` tasks, with its 95% interval or None."""

    mean: float
    ci: Interval | None
    n: int
    tasks: int


@dataclass(frozen=True)
class Gap:
    """A difference of two shares, in [−1, 1], with its 95% interval or None."""

    mean: float
    ci: Interval | None


@dataclass(frozen=True)
class Part:
    """A share in [0, 1] that has no interval."""

    mean: float


Cell = str | int | float | Share | Gap | Part | None


@dataclass(frozen=True)
class Sheet:
    """A table. name: of its file. note: what one has to know to read it; rows as wide as heads."""

    name: str
    title: str
    note: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Cell]]


def to_csv(sheet: Sheet) -> str:
    """Return a sheet as CSV; a column of shares becomes its mean, its interval and n."""
    wide = [_kind([row[place] for row in sheet.rows]) for place in range(len(sheet.heads))]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    named = zip(sheet.heads, wide, strict=True)
    writer.writerow([head for name, parts in named for head in _heads(name, parts)])
    for row in sheet.rows:
        cells = zip(row, wide, strict=True)
        writer.writerow([value for cell, parts in cells for value in _values(cell, parts)])
    return text.getvalue()


# What a column is spread over, besides itself.
_INTERVAL: Final = ("low", "high")
_WITH_N: Final = (*_INTERVAL, "n", "tasks")


def _kind(cells: Sequence[Cell]) -> Sequence[str]:
    if any(isinstance(cell, Share) for cell in cells):
        return _WITH_N
    return _INTERVAL if any(isinstance(cell, Gap) for cell in cells) else ()


def _heads(name: str, parts: Sequence[str]) -> list[str]:
    return [name, *(f"{name} {part}" for part in parts)]


def _values(cell: Cell, parts: Sequence[str]) -> list[str | int | float | None]:
    if isinstance(cell, Share | Gap):
        low, high = cell.ci or (None, None)
        sizes = (cell.n, cell.tasks) if isinstance(cell, Share) else ()
        return [_rounded(cell.mean), _rounded(low), _rounded(high), *sizes]
    if isinstance(cell, Part):
        return [_rounded(cell.mean), *[None] * len(parts)]
    if isinstance(cell, str):
        return [_plain(cell), *[None] * len(parts)]
    return [_rounded(cell), *[None] * len(parts)]


def _rounded(value: float | None) -> float | None:
    return round(value, _DIGITS) + 0.0 if isinstance(value, float) else value


def _plain(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def to_markdown(sheet: Sheet) -> str:
    """Return a sheet as a section of Markdown, shares in percent."""
    rows = [[_said(cell) for cell in row] for row in sheet.rows]
    table = pipes(sheet.heads, rows) if rows else "Nothing to show."
    return "\n\n".join(filter(None, [f"## {sheet.title}", sheet.note, table]))


def _said(cell: Cell) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, Share):
        return percent(cell.mean, cell.ci)
    if isinstance(cell, Gap):
        return points(cell.mean, cell.ci)
    if isinstance(cell, Part):
        return percent(cell.mean, None)
    if isinstance(cell, float):
        return "< 0.001" if 0 < cell < _LEAST else f"{cell:.3f}"
    return str(cell)
