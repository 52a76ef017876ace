"""Answer the paper's questions from runs: CSV, Markdown and SVG in one folder.

Agents by level; errors by type, category and visibility; agreement of judges; runs before and
after few-shot or training; types of errors in the data and in agents' own plans; Pass@1 against
E5 with the worst cases; seen against unseen worlds; where tokens and cost go. analysis.md has it
all. The same runs give the same bytes.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from trajectory import command
from trajectory.files import InputError

if TYPE_CHECKING:
    from eval.analysis.sheets import Sheet
    from eval.analysis.studied import Studied
    from eval.analysis.writer import Drawing

_EXAMPLES = (
    "python -m eval.analyze runs/* --out analysis",
    "python -m eval.analyze runs/* --before runs/base --after runs/few_shot --out analysis",
)
_PLANS: Final = 500


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _options(arguments)
    from eval.analysis.writer import write

    found = _studied(options.runs, options.data)
    studied = sorted(found, key=lambda one: (one.config, one.label))
    _require_different(studied)
    before, after = (_studied(some, options.data) for some in (options.before, options.after))
    sheets, drawings = _answers(studied, options.plans)
    if before or after:
        more = _changes(before, after)
        sheets, drawings = [*sheets, *more[0]], [*drawings, *more[1]]
    named = [sheet for sheet in sheets if sheet.rows]
    files = write(options.out, "Analysis of runs on ParaRecover", named, drawings)
    print(f"{len(files)} files in {options.out}; read {files[0]} first", file=sys.stderr)
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser("eval.analyze", __doc__, _EXAMPLES)
    parser.add_argument("runs", nargs="+", type=Path, help="run folders")
    parser.add_argument("--out", type=Path, required=True, help="the folder to write into")
    parser.add_argument("--data", type=Path, help="the dataset's folder (default: pararecover)")
    parser.add_argument("--before", nargs="+", type=Path, default=[], help="runs before a change")
    parser.add_argument("--after", nargs="+", type=Path, default=[], help="the runs after it")
    parser.add_argument(
        "--plans", type=int, default=_PLANS, help=f"label so many plans of a run ({_PLANS})"
    )
    options = parser.parse_args(arguments)
    if options.out.exists() and not options.out.is_dir():
        raise InputError("not a folder", file=options.out, do="give --out a folder")
    return options


def _studied(paths: Sequence[Path], data: Path | None) -> "list[Studied]":
    from tqdm import tqdm

    from eval.analysis.studied import study

    return [study(path, data) for path in tqdm(paths, unit="run", disable=None, file=sys.stderr)]


def _require_different(studied: "Sequence[Studied]") -> None:
    seen: set[tuple[str, str]] = set()
    for one in studied:
        if (one.config, one.label) in seen:
            raise InputError(
                f"a second run of {one.label} on {one.config}",
                file=one.run.path,
                do="give one of the two",
            )
        seen.add((one.config, one.label))


def _answers(studied: "Sequence[Studied]", plans: int) -> "tuple[list[Sheet], list[Drawing]]":
    from eval.analysis import agents, costs, discrepancy, errors, judges, standing, unseen

    labelled = standing.label_plans(studied, plans)
    sheets = [
        *agents.sheets(studied),
        *errors.sheets(studied),
        *judges.sheets(studied),
        *standing.sheets(labelled, plans),
        *discrepancy.sheets(studied),
        *unseen.sheets(studied),
        *costs.sheets(studied),
    ]
    drawings = [
        *agents.drawings(studied),
        *errors.drawings(studied),
        *standing.drawings(labelled),
        *discrepancy.drawings(studied),
    ]
    return sheets, drawings


def _changes(
    before: "Sequence[Studied]", after: "Sequence[Studied]"
) -> "tuple[list[Sheet], list[Drawing]]":
    from eval.analysis import change

    found = change.pairs(before, after)
    return list(change.sheets(found)), list(change.drawings(found))


if __name__ == "__main__":
    command.run(main)
