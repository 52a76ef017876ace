"""Scores side by side: of two raters, of one rater twice, of one item early and late."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import pararecover
from eval.reliability.measures import Pair
from eval.rubric import ITEMS, ScoreRow
from trajectory.files import InputError

Tasks = Mapping[str, str]


def tasks_of(data: Path | None) -> Tasks:
    """Return the task of each instance of a dataset, by id."""
    known: dict[str, str] = {}
    for config, split in sorted(pararecover.index(data)):
        shelf = pararecover.Shelf(config, split, data)
        known |= zip(shelf.column("id"), shelf.column("query_id"), strict=True)
    return known


def task_of(row: ScoreRow, tasks: Tasks) -> str:
    """Return the task of a row's instance; raises InputError where it is not known."""
    if row.id not in tasks:
        raise InputError(
            "no such instance in the dataset",
            file=row.file,
            line=row.line,
            id=row.id,
            do="give the dataset's folder (--data), or the scores of this run alone",
        )
    return tasks[row.id]


def of_raters(first: Iterable[ScoreRow], second: Iterable[ScoreRow], tasks: Tasks) -> list[Pair]:
    """Return what two raters gave the same items of the same rows; of repeats the first counts."""
    ones, others = _first(first), _first(second)
    both = sorted(ones.keys() & others.keys())
    return [pair for key in both for pair in _pairs(ones[key], others[key], tasks)]


def _first(rows: Iterable[ScoreRow]) -> dict[tuple[str, int], ScoreRow]:
    found: dict[tuple[str, int], ScoreRow] = {}
    for row in sorted(rows, key=lambda row: row.key):
        found.setdefault((row.id, row.sample), row)
    return found


def of_repeats(rows: Iterable[ScoreRow], tasks: Tasks) -> list[Pair]:
    """Return what a rater gave the same items of the same rows at two times, each two once."""
    repeated: dict[tuple[str, int], list[ScoreRow]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.key):
        repeated[row.id, row.sample].append(row)
    return [
        pair
        for some in repeated.values()
        for one, other in combinations(some, 2)
        for pair in _pairs(one, other, tasks)
    ]


def _pairs(one: ScoreRow, other: ScoreRow, tasks: Tasks) -> list[Pair]:
    task = task_of(one, tasks)
    sides = ((item, one.items[item], other.items[item]) for item in ITEMS)
    return [
        Pair(item, task, first, second)
        for item, first, second in sides
        if first is not None and second is not None
    ]


def places(row: ScoreRow) -> dict[str, bool]:
    """Return of each scored item whether it stood in the first half of its question.

    The item in the middle of an odd number counts as none; nothing where the order is not told.
    """
    calls = row.raw.get("calls")
    if not isinstance(calls, Mapping):
        return {}
    orders = [call.get("order", []) for call in calls.values() if isinstance(call, Mapping)]
    found = {
        item: place < len(order) / 2
        for order in orders
        for place, item in enumerate(order)
        if 2 * place + 1 != len(order)
    }
    return {item: early for item, early in found.items() if row.items.get(item) is not None}


def has_repeats(rows: Sequence[ScoreRow]) -> bool:
    """Say whether any row was scored more than once."""
    return len({(row.id, row.sample) for row in rows}) < len(rows)
