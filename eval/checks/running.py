"""The checks over a whole run: rows in, scores out, in several processes where that is quicker."""

import gc
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import groupby, islice
from multiprocessing import get_context
from typing import Any

import pararecover
from eval.checks.answers import Case, Checked, checked
from eval.results import Row, Run
from eval.rubric import CHECKS
from eval.selection import Selection
from trajectory import canonical
from trajectory.files import AnyPath

# Fewer rows than this are checked sooner than another process has started.
_FEW = 200
_AT_ONCE = 64
# Objects made between two collections of cycles.
_SELDOM = 50_000

Line = dict[str, Any]


def check_run(
    run: Run, selection: Selection, data: AnyPath | None = None, processes: int | None = None
) -> Iterator[Line]:
    """Yield the line of each row, in the order of the run.

    data: the dataset's folder. processes: None: one per core. Raises InputError on a row that is
    not of the selection.
    """
    rows = _known(run.rows(), frozenset(selection.ids))
    shelf = selection.shelf
    chosen = (shelf.config, shelf.split, data)
    count = processes or len(os.sched_getaffinity(0))
    if count == 1 or len(selection.ids) < _FEW:
        for part in _parts(rows):
            yield from _lines(part, shelf)
        return
    with get_context("spawn").Pool(count, _open, (chosen,)) as pool:
        for lines in pool.imap(_check, _parts(rows)):
            yield from lines


def _known(rows: Iterable[Row], ids: frozenset[str]) -> Iterator[Row]:
    for row in rows:
        if row.id not in ids:
            raise row.wrong(f"not among the {len(ids)} instances of the selection")
        yield row


def _parts(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while part := list(islice(rows, _AT_ONCE)):
        yield part


_SHELF: list[pararecover.Shelf] = []


def _open(chosen: tuple[str, str, Any]) -> None:
    """Open the shelf of a process that was started; few of its objects hold cycles to look for."""
    gc.set_threshold(_SELDOM)
    _SHELF[:] = [pararecover.Shelf(*chosen)]


def _check(rows: Sequence[Row]) -> list[Line]:
    return list(_lines(rows, _SHELF[0]))


def _lines(rows: Sequence[Row], shelf: pararecover.Shelf) -> Iterator[Line]:
    for id, many in groupby(rows, key=lambda row: row.id):
        case = Case(shelf.read(id))
        for row in many:
            yield line_of(row, checked(case, row.raw_output, row))


def line_of(row: Row, found: Checked) -> Line:
    """Return the line of the file of scores; claims have places in the thought."""
    return {
        "id": row.id,
        "sample": row.sample,
        "rater": CHECKS,
        "repeat": 0,
        "answer": canonical.text_digest(row.raw_output),
        "items": dict(found.items),
        "reasons": dict(found.reasons),
        "claims": [asdict(claim) for claim in found.claims],
    }
