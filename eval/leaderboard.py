"""Make a leaderboard of runs: each verified, scored over its declared selection, and ranked.

Runs that cannot be verified stop everything: nothing is written. Only whole official splits with
every row answered are ranked, by verified E5; runs whose intervals overlap the best of their rank
share it. The paper's figures stand beside, as reported. LEADERBOARD.md documents the file.
"""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from trajectory import canonical, command
from trajectory.files import InputError, read_json, write_json

SCHEMA: Final = Path(__file__).with_name("leaderboard.schema.json")
PAPER: Final = Path(__file__).with_name("paper_reported.json")
VERSION: Final = 1
RANKED_BY: Final = "verified_e5"
SHOWN: Final = (
    "verified_pass_at_1",
    "verified_e5",
    "verified_tool_efficiency",
    "pass_at_1",
    "e5",
    "invalid_dag",
)
BASELINES: Final = frozenset(
    f"scripted:{name}"
    for name in (
        "mark_done respond_now flatten do_nothing carry_on blind_retry restart random_repair oracle"
    ).split()
)

_EXAMPLES = (
    "python -m eval.leaderboard runs/carry_on runs/respond_now --out leaderboard.json",
    "python -m eval.leaderboard --show leaderboard.json --picture leaderboard.png",
)

Entry = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = command.parser("eval.leaderboard", __doc__, _EXAMPLES)
    parser.add_argument("runs", nargs="*", type=Path, help="run folders")
    parser.add_argument("--out", type=Path, help="write the leaderboard to this file")
    parser.add_argument("--show", type=Path, help="print a leaderboard that was written before")
    parser.add_argument("--picture", type=Path, help="draw it into this file (.png or .svg)")
    parser.add_argument("--data", type=Path, help="the dataset's folder (default: pararecover)")
    parser.add_argument("--json", action="store_true", help="print the leaderboard as JSON")
    options = parser.parse_args(arguments)
    if bool(options.show) == bool(options.runs):
        raise InputError("give run folders, or --show FILE")
    board = read_board(options.show) if options.show else make_board(options.runs, options.data)
    if options.out:
        write_board(options.out, board)
    if options.picture:
        from eval.picture import draw

        draw(board, options.picture)
    print(canonical.dumps(board) if options.json else text_of(board))
    if options.out:
        print(f"{len(board['entries'])} runs, wrote {options.out}", file=sys.stderr)
    return 0


def make_board(runs: Iterable[Path], data: Path | None) -> dict[str, Any]:
    """Return the leaderboard of these runs.

    Raises InputError where a run is no run folder, does not verify, or two runs are of one agent
    on one config.
    """
    entries: list[Entry] = []
    for path in runs:
        entry = _entry(path, data)
        for other in entries:
            if (other["agent"], other["config"]) == (entry["agent"], entry["config"]):
                raise InputError(
                    f"a second run of {entry['agent']} on {entry['config']}",
                    file=path,
                    do="give one of the two",
                )
        entries.append(entry)
    entries.sort(key=lambda one: (one["config"], -(_mean(one) or 0.0), one["agent"]))
    rank(entries)
    return {"schema": VERSION, "entries": entries, "reported_by_the_paper": read_json(PAPER)}


def _entry(path: Path, data: Path | None) -> Entry:
    from eval.results import read_run
    from eval.scoring import figures, notes, score, to_record
    from eval.selection import declared
    from eval.verify import verify

    run = read_run(path)
    if run.manifest is None:
        raise InputError("not a run folder", file=path, do="give folders that eval.run wrote")
    selection = declared(run.manifest, data)
    static = sum(verify(run, selection))
    table = score(run, selection)
    return {
        "agent": run.name,
        "baseline": run.name in BASELINES,
        "config": selection.shelf.config,
        "edition": selection.edition,
        "dataset_hash": selection.shelf.digest,
        "code_version": run.manifest["code_version"],
        "samples": table.samples,
        "ranked": table.official and not static,
        "rank": None,
        "figures": [to_record(one, table) for one in figures(table)],
        "notes": notes(table),
    }


def _figure(entry: Entry, metric: str) -> Entry | None:
    return next(
        (one for one in entry["figures"] if one["metric"] == metric and one["group"] == "all"), None
    )


def _mean(entry: Entry) -> float | None:
    figure = _figure(entry, RANKED_BY)
    return None if figure is None else figure["strict"]


def rank(entries: Sequence[Entry]) -> None:
    """Give ranks within each config; who overlaps the best of a rank shares it."""
    for config in sorted({entry["config"] for entry in entries}):
        best: Entry | None = None
        ranked = (one for one in entries if one["config"] == config and one["ranked"])
        for place, entry in enumerate(ranked, start=1):
            if best is None or not _overlap(best, entry):
                best = entry
                entry["rank"] = place
            else:
                entry["rank"] = best["rank"]


def _overlap(one: Entry, other: Entry) -> bool:
    """Say whether two intervals overlap; without an interval nobody is told apart."""
    first, second = (_figure(entry, RANKED_BY) for entry in (one, other))
    if first is None or second is None or first["ci"] is None or second["ci"] is None:
        return True
    return bool(first["ci"][0] <= second["ci"][1] and second["ci"][0] <= first["ci"][1])


def read_board(path: Path) -> dict[str, Any]:
    """Read a leaderboard; raises InputError where it does not keep its schema."""
    board = read_json(path)
    _require_valid(board, path)
    return dict(board)


def write_board(path: Path, board: dict[str, Any]) -> None:
    """Write a leaderboard that keeps its schema."""
    _require_valid(board, path)
    write_json(path, board)


def _require_valid(board: Any, path: Path) -> None:
    from jsonschema import Draft202012Validator

    errors = sorted(
        Draft202012Validator(read_json(SCHEMA)).iter_errors(board), key=lambda one: one.json_path
    )
    if errors:
        raise InputError(
            f"not a leaderboard of schema {VERSION} at {errors[0].json_path}: {errors[0].message}",
            file=path,
        )


def text_of(board: dict[str, Any]) -> str:
    """Return a leaderboard as tables, one a config, in percent, and the paper's figures."""
    configs = sorted({entry["config"] for entry in board["entries"]})
    tables = [_config_text(board, config) for config in configs]
    return "\n\n".join([*tables, _reported_text(board["reported_by_the_paper"])])


def _config_text(board: dict[str, Any], config: str) -> str:
    from eval.tables import grid, head

    entries = [entry for entry in board["entries"] if entry["config"] == config]
    rows = [
        [
            entry["agent"] + (" (baseline)" if entry["baseline"] else ""),
            "–" if entry["rank"] is None else str(entry["rank"]),
            *(_cell(entry, metric) for metric in SHOWN),
        ]
        for entry in entries
    ]
    first = entries[0]["figures"][0]
    title = f"{config} ({entries[0]['edition']}), {first['n']} instances of {first['tasks']} tasks"
    return f"{title}\n{grid(['agent', 'rank', *map(head, SHOWN)], rows)}"


def _cell(entry: Entry, metric: str) -> str:
    """Return a figure in percent; of a run that was carried on unchanged the static one."""
    from eval.tables import percent

    figure = _figure(entry, metric)
    if figure is not None:
        return percent(figure["strict"], figure["ci"])
    static = _figure(entry, f"{metric}_static")
    if static is None or static["strict"] is None:
        return "–"
    return f"{percent(static['strict'], static['ci'])} static"


# The paper's names of metrics without a judge, by ours.
_REPORTED: Final = {
    "tool_efficiency": "tool_use_efficiency",
    "pass_at_1": "pass_at_1",
    "e5": "e5",
    "invalid_dag": "invalid_dag_rate",
}


def _reported_text(reported: dict[str, Any]) -> str:
    from eval.tables import grid, head

    figures = reported["judge_free_level1"]
    rows = [
        [f"Qwen3-8B, {model}", *(f"{figures[name][model]:.2f}" for name in _REPORTED.values())]
        for model in ("base", "dpo")
    ]
    title = "LEVEL-1 as reported by the paper, not verified"
    return f"{title}\n{grid(['model', *map(head, _REPORTED)], rows)}"


if __name__ == "__main__":
    command.run(main)
