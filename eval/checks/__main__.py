"""Check a run: the 13 judged items of the rubric by program, without a judge.

Each row's thought, diagnosis and plan are held against what was shown and against the proven
truth: what the thought states is looked up, the plan is executed. The scores go to checks.jsonl
in the run folder, with reasons and every claim of the thought (right, wrong, invented); means
over the checked rows, with 95% intervals by task, are printed. Rows of an imported release have
no proven truth and stay unscored. An answer without a plan has 0 in all items.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eval import commands
from trajectory import canonical, command

if TYPE_CHECKING:
    from eval.intervals import Estimate
    from eval.selection import Selection

_EXAMPLES: Final = (
    "python -m eval.checks runs/carry_on",
    "python -m eval.checks runs/carry_on --json",
    "python -m eval.checks answers.jsonl --level level1 --out checks.jsonl",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = commands.parser("eval.checks", __doc__, _EXAMPLES)
    parser.add_argument("--out", type=Path, help="write to this file (default: in the run folder)")
    parser.add_argument("--processes", type=int, help="processes (one per core)")
    options = parser.parse_args(arguments)
    from tqdm import tqdm

    from eval.checks.running import check_run
    from eval.results import read_run
    from trajectory.files import write_jsonl

    run, selection = read_run(options.run), commands.selection_of(options)
    lines = check_run(run, selection, options.data, options.processes)
    found = list(tqdm(lines, unit="row", disable=None, file=sys.stderr))
    file = options.out or _beside(run.path, has_folder=run.manifest is not None)
    write_jsonl(file, found)
    rows = [(line["id"], line["items"]) for line in found]
    means = estimates(rows, selection)
    if options.json:
        print(canonical.dumps({"agent": run.name, "file": str(file), **_record(means, rows)}))
    else:
        print(_table(run.name, means, rows))
        print(f"written: {file}", file=sys.stderr)
    return 0


def _beside(path: Path, *, has_folder: bool) -> Path:
    from eval.rubric import CHECKS_FILE

    return path / CHECKS_FILE if has_folder else path.with_name(f"{path.stem}-{CHECKS_FILE}")


def estimates(
    rows: "Sequence[tuple[str, dict[str, Any]]]", selection: "Selection"
) -> "dict[str, Estimate | None]":
    """Return the mean of each item over the rows that are scored, with its interval by task."""
    import numpy as np

    from eval import intervals
    from eval.rubric import ITEMS

    if not rows:
        return dict.fromkeys(ITEMS)
    resampler = intervals.Resampler([selection.labels[id].task for id, _ in rows])
    group = resampler.group(np.arange(len(rows)))
    values = np.array([[items[item] for _, items in rows] for item in ITEMS], float)
    sums = group.sums(values)
    found = intervals.estimates(sums, group.draws(sums), [False] * len(ITEMS))
    return dict(zip(ITEMS, found, strict=True))


def _record(
    means: "dict[str, Estimate | None]", rows: "Sequence[tuple[str, dict[str, Any]]]"
) -> dict[str, Any]:
    items = {
        item: None
        if one is None
        else {
            "mean": round(one.mean, 6),
            "ci": [round(end, 6) for end in one.ci] if one.ci else None,
            "n": one.n,
            "tasks": one.tasks,
        }
        for item, one in means.items()
    }
    return {"rows": len(rows), "unscored": _unscored(rows), "items": items}


def _unscored(rows: "Sequence[tuple[str, dict[str, Any]]]") -> int:
    return sum(None in items.values() for _, items in rows)


def _table(
    name: str,
    means: "dict[str, Estimate | None]",
    rows: "Sequence[tuple[str, dict[str, Any]]]",
) -> str:
    from eval.tables import grid, percent

    lines = [
        [f"{item}c", "–", "", ""]
        if one is None
        else [f"{item}c", percent(one.mean, one.ci), str(one.n), str(one.tasks)]
        for item, one in means.items()
    ]
    unscored = _unscored(rows)
    beside = f", {unscored} of them unscored (no proven truth)" if unscored else ""
    title = f"{name}, checked: {len(rows)} rows{beside}"
    return f"{title}\n\n{grid(['', '%', 'n', 'tasks'], lines)}"


if __name__ == "__main__":
    command.run(main)
