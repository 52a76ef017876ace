"""Reading runs for the page, and writing its folder."""

import contextlib
import secrets
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from eval.checks.case import Case
from eval.entries import Board, Entry
from eval.report import chunks
from eval.report.details import instance_detail, row_detail
from eval.report.listing import Listing, outcomes
from eval.report.overview import overview
from eval.report.tools import Tools
from eval.results import Key, Row, Run, read_run
from eval.rubric import ScoreRow, read_scores, score_files
from eval.scoring import Table, score
from eval.selection import declared
from trajectory.files import InputError
from trajectory.instance import Instance

PAGE: Final = Path(__file__).with_name("page")
DATA: Final = "data"
# Tells a folder of ours from any other.
MARK: Final = "pararecover-report.txt"
_SAID: Final = (
    "A report of ParaRecover (python -m eval.report): open index.html in a browser.\n"
    "The folder is replaced whole when the report is made again.\n"
)
# So many instances stand in one file.
CHUNK: Final = 32


class Done(NamedTuple):
    """What was written."""

    runs: int
    instances: int
    rows: int


@dataclass(frozen=True)
class Reported:
    """A run of the report: what it declared, its table, its entry of the leaderboard, its name."""

    run: Run
    table: Table
    entry: Entry
    name: str


@dataclass(frozen=True)
class Report:
    """All runs of a report, in the order of their leaderboard."""

    board: Board
    runs: Sequence[Reported]

    def ids(self) -> list[str]:
        """Return the ids of all instances that any of the runs is about, sorted."""
        return sorted({id for one in self.runs for id in one.table.cells})

    def instance(self, id: str) -> Instance:
        """Return an instance; that of one id is the same in every config."""
        tables = (one.table for one in self.runs)
        return next(one.selection.shelf for one in tables if id in one.cells).read(id)


def read(paths: Sequence[Path], board: Board, data: Path | None) -> Report:
    """Score the runs of a leaderboard; raises InputError as eval.score does."""
    from tqdm import tqdm

    runs = {path.as_posix(): path for path in paths}
    names = _names([entry["run"] for entry in board["entries"]])
    found = []
    for entry in tqdm(board["entries"], unit="run", disable=None, file=sys.stderr):
        run = read_run(runs[entry["run"]])
        if run.manifest is None:
            raise InputError("not a run folder", file=run.path)
        table = score(run, declared(run.manifest, data))
        found.append(Reported(run, table, entry, names[entry["run"]]))
    return Report(board, found)


def _names(paths: Sequence[str]) -> dict[str, str]:
    """Return a short name of each run: its folder's, or all of its path where two have one."""
    many = Counter(Path(path).name for path in paths)
    return {path: Path(path).name if many[Path(path).name] == 1 else path for path in paths}


def require_place(out: Path) -> None:
    """Hold that a report may be written to a path; raises InputError where something else is."""
    if out.exists() and not (out / MARK).is_file() and not _is_empty(out):
        raise InputError(
            "something else than a report is there", file=out, do="give --out another folder"
        )


def _is_empty(out: Path) -> bool:
    return out.is_dir() and not any(out.iterdir())


def write(report: Report, out: Path) -> Done:
    """Write the folder of a report aside, then put it in place of an older one."""
    require_place(out)
    with _aside(out.resolve()) as folder:
        for file in sorted(PAGE.iterdir()):
            shutil.copyfile(file, folder / file.name)
        (folder / MARK).write_text(_SAID, "utf-8")
        (folder / DATA).mkdir()
        return _write_data(report, folder / DATA)


@contextlib.contextmanager
def _aside(out: Path) -> Iterator[Path]:
    """Give a folder that becomes `out`, whole, when the block ends well."""
    out.parent.mkdir(parents=True, exist_ok=True)
    part = out.with_name(f".{out.name}.{secrets.token_hex(4)}.part")
    old = part.with_suffix(".old")
    try:
        part.mkdir()
        yield part
        if out.exists():
            out.rename(old)
        part.rename(out)
    finally:
        if old.exists() and not out.exists():
            old.rename(out)
        shutil.rmtree(part, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _write_data(report: Report, folder: Path) -> Done:
    from tqdm import tqdm

    ids, listing, tools = report.ids(), Listing(), Tools()
    runs = [_Rows(one) for one in report.runs]
    written = 0
    parts = range(0, len(ids), CHUNK)
    for number, start in enumerate(tqdm(parts, unit="file", disable=None, file=sys.stderr)):
        cases = {id: Case(report.instance(id)) for id in ids[start : start + CHUNK]}
        for case in cases.values():
            listing.add(case.instance, tools)
        shown = {id: instance_detail(one, tools.numbers(one.instance)) for id, one in cases.items()}
        chunks.write(folder, f"instances-{number}", shown)
        for place, run in enumerate(runs):
            rows = {id: told for id, case in cases.items() if (told := run.details(case))}
            if rows:
                chunks.write(folder, f"rows-{place}-{number}", rows)
            written += sum(map(len, rows.values()))
    letters = [outcomes(one.table, ids) for one in report.runs]
    chunks.write(folder, "tools", tools.entries)
    chunks.write(folder, "list", {"chunk": CHUNK, **listing.columns, "outcomes": letters})
    played = [one.entry["run"] for one in report.runs if one.run.player]
    names = {one.entry["run"]: one.name for one in report.runs}
    chunks.write(folder, "overview", overview(report.board, names, played))
    return Done(len(report.runs), len(ids), written)


class _Rows:
    """The rows of a run, given out by id in rising order, with their scores."""

    def __init__(self, one: Reported) -> None:
        self._table = one.table
        self._ratings: dict[Key, list[ScoreRow]] = defaultdict(list)
        for file in score_files(one.run.path):
            for rating in read_scores(file):
                self._ratings[rating.id, rating.sample].append(rating)
        self._groups = groupby(_in_order(one.run), key=lambda row: row.id)
        self._next = next(self._groups, None)

    def details(self, case: Case) -> list[dict[str, Any]]:
        """Return what is shown of the rows of an instance; none where there are none."""
        if self._next is None or self._next[0] != case.instance.id:
            return []
        scored = {one.sample: one for one in self._table.cells[case.instance.id].scored}
        told = [
            row_detail(
                case,
                row,
                scored[row.sample],
                self._ratings.get(row.key, ()),
            )
            for row in self._next[1]
        ]
        self._next = next(self._groups, None)
        return told


def _in_order(run: Run) -> Iterable[Row]:
    """Return rows by id and sample; they are held at once only where the file has another order."""
    is_sorted = all(one.key < other.key for one, other in pairwise(run.rows()))
    return run.rows() if is_sorted else sorted(run.rows(), key=lambda row: row.key)
