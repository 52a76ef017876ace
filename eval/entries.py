"""Entries of a leaderboard: runs verified, scored, and ranked beside each other."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from trajectory.files import InputError, read_json

if TYPE_CHECKING:
    from eval.intervals import Values
    from eval.results import Run
    from eval.scoring import Table

PAPER: Final = Path(__file__).with_name("paper_reported.json")
VERSION: Final = 2
RANKED_BY: Final = "verified_e5"
BASELINES: Final = frozenset(
    f"scripted:{name}"
    for name in (
        "mark_done respond_now flatten do_nothing carry_on blind_retry restart random_repair oracle"
    ).split()
)
# What run.json says of a run's instances and its making; the rest says how the agent was asked.
_NOT_ASKED: Final = frozenset(
    (
        *("schema", "agent", "config", "split", "edition", "dataset_hash", "selection"),
        *("samples", "code_version", "started", "shard"),
    )
)

Entry = dict[str, Any]
Board = dict[str, Any]


@dataclass(frozen=True)
class Entrant:
    """An entry, and the values of its instances that it is ranked by; tasks: of each instance."""

    entry: Entry
    values: "Values"
    tasks: Sequence[str]


def make_board(runs: Iterable[Path], data: Path | None) -> Board:
    """Return the leaderboard of these runs.

    Raises InputError where a run is no run folder, does not verify, or two runs are of one agent
    that was asked in one way, on one config.
    """
    entrants: list[Entrant] = []
    for path in runs:
        entrant = enter(path, data)
        _require_new(entrant.entry, [one.entry for one in entrants], path)
        entrants.append(entrant)
    rank(entrants)
    entries = [one.entry for one in entrants]
    entries.sort(key=lambda one: (one["config"], -(_mean(one) or 0.0), one["label"]))
    return {"schema": VERSION, "entries": entries, "reported_by_the_paper": read_json(PAPER)}


def _require_new(entry: Entry, others: Sequence[Entry], path: Path) -> None:
    same = ("agent", "config", "asked")
    if any(all(entry[key] == other[key] for key in same) for other in others):
        raise InputError(
            f"a second run of {entry['agent']} on {entry['config']}",
            file=path,
            do="give one of the two",
        )


def enter(path: Path, data: Path | None) -> Entrant:
    """Verify and score a run; returns its entry, not yet ranked. Raises InputError."""
    from eval.results import read_run
    from eval.scoring import score, strict
    from eval.selection import declared
    from eval.verify import verify

    run = read_run(path)
    if run.manifest is None:
        raise InputError("not a run folder", file=path, do="give folders that eval.run wrote")
    selection = declared(run.manifest, data)
    static = sum(verify(run, selection))
    table = score(run, selection)
    _, values = strict(table, [RANKED_BY])
    tasks = [cell.task for cell in table.cells.values()]
    ranked = table.official and not static
    return Entrant(_entry(run, run.manifest, table, ranked=ranked), values, tasks)


def _entry(run: "Run", manifest: Mapping[str, Any], table: "Table", *, ranked: bool) -> Entry:
    from eval.manifest import code_version
    from eval.scoring import figures, notes, to_record
    from eval.spending import spending

    selection = table.selection
    return {
        "agent": run.name,
        "label": label(manifest),
        "baseline": run.name in BASELINES,
        "run": run.path.as_posix(),
        "results_hash": hash_of(run.results),
        "config": selection.shelf.config,
        "split": selection.shelf.split,
        "edition": selection.edition,
        "dataset_hash": selection.shelf.digest,
        "instances": len(table.cells),
        "coverage": round(table.coverage, 6),
        "code_version": manifest["code_version"],
        "scorer_version": code_version(),
        "asked": {key: value for key, value in manifest.items() if key not in _NOT_ASKED},
        "raters": _raters(run.path),
        "samples": table.samples,
        "spent": spending(run).to_record(),
        "ranked": ranked,
        "rank_interval": None,
        "figures": [to_record(one, table) for one in figures(table)],
        "notes": notes(table),
    }


def label(manifest: Mapping[str, Any]) -> str:
    """Return the name of an agent with what else tells its runs apart.

    Where a model played the tools, nothing is verified: that stands in the name.
    """
    examples, player = manifest.get("few_shot"), manifest.get("environment")
    parts = [
        str(manifest["agent"]),
        *([f"{len(examples)} examples"] if examples else []),
        *([f"tools played by {player}, not verified"] if player else []),
    ]
    return ", ".join(parts)


def hash_of(file: Path) -> str:
    """Return the SHA-256 of a file."""
    with file.open("rb") as read:
        return hashlib.file_digest(read, "sha256").hexdigest()


def _raters(folder: Path) -> dict[str, str]:
    """Return who judged or checked a run, and the hash of the file of it."""
    from eval.rubric import read_scores, score_files

    files = score_files(folder)
    return {row.rater: hash_of(file) for file in files for row in islice(read_scores(file), 1)}


def figure_of(entry: Entry, metric: str, group: str = "all") -> Entry | None:
    """Return a figure of an entry, None where it has none."""
    found = (one for one in entry["figures"] if (one["metric"], one["group"]) == (metric, group))
    return next(found, None)


def _mean(entry: Entry) -> float | None:
    figure = figure_of(entry, RANKED_BY)
    return None if figure is None else figure["strict"]


def rank(entrants: Sequence[Entrant]) -> None:
    """Give each ranked entry its rank interval, among those of its config."""
    import numpy as np

    from eval.ranks import rank_intervals

    for config in sorted({one.entry["config"] for one in entrants}):
        ranked = [one for one in entrants if one.entry["ranked"] and one.entry["config"] == config]
        if ranked:
            values = np.concatenate([one.values for one in ranked])
            for one, ranks in zip(ranked, rank_intervals(values, ranked[0].tasks), strict=True):
                one.entry["rank_interval"] = list(ranks)
