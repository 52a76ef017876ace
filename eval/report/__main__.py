"""Write runs as a page that works offline: scores, heat map, leaderboard, every instance.

The folder holds index.html, to be opened in a browser from the disk: scores with intervals and
rank intervals, a heat map of error types, and an explorer of the instances with the plan before
and after each answer, the rounds, the checked claims of the thought and judges' reasons. Runs are
verified and scored as eval.leaderboard does, or taken from a leaderboard that holds them already.
Nothing in it asks the network. The same runs give the same bytes.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from trajectory import canonical, command
from trajectory.files import InputError, write_text

if TYPE_CHECKING:
    from eval.entries import Board
    from trajectory.instance import Instance

_EXAMPLES: Final = (
    "python -m eval.report runs/carry_on runs/blind_retry --out report",
    "python -m eval.report runs/* --leaderboard leaderboard.json --out report",
    "python -m eval.report --picture L1-aug-000001 --out instance.svg",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _options(arguments)
    if options.picture:
        return _picture(options)
    from eval.report.pages import read, require_place, write

    require_place(options.out)
    board = _board(options.leaderboard, options.runs, options.data)
    done = write(read(options.runs, board, options.data), options.out)
    if options.json:
        print(canonical.dumps({**done._asdict(), "folder": options.out.as_posix()}))
    print(
        f"{done.runs} runs, {done.instances} instances, {done.rows} rows; "
        f"open {options.out / 'index.html'} in a browser",
        file=sys.stderr,
    )
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser("eval.report", __doc__, _EXAMPLES)
    parser.add_argument("runs", nargs="*", type=Path, help="run folders")
    parser.add_argument("--out", type=Path, required=True, help="the folder to write")
    parser.add_argument("--data", type=Path, help="the dataset's folder (default: pararecover)")
    parser.add_argument("--leaderboard", type=Path, help="take entries from this leaderboard")
    parser.add_argument("--picture", metavar="ID", help="only draw this instance's plan (.svg)")
    parser.add_argument("--json", action="store_true", help="print what was written as JSON")
    options = parser.parse_args(arguments)
    if bool(options.picture) == bool(options.runs):
        raise InputError("give run folders, or --picture ID")
    return options


def _board(file: Path | None, runs: Sequence[Path], data: Path | None) -> "Board":
    """Return the runs' entries; raises InputError where a leaderboard lacks one as it is."""
    from eval.entries import hash_of, label, make_board
    from eval.leaderboard import read_board
    from eval.results import read_run

    if file is None:
        return make_board(runs, data)
    board = read_board(file)
    entries = {(one["label"], one["results_hash"]): one for one in board["entries"]}
    places = {}
    for path in runs:
        run = read_run(path)
        key = (label(run.manifest or {"agent": run.name}), hash_of(run.results))
        if key not in entries:
            raise InputError(
                "the leaderboard does not hold this run as it is now",
                file=path,
                do=f"make {file} again, or leave out --leaderboard",
            )
        places[key] = path.as_posix()
    kept = [{**one, "run": places[key]} for key, one in entries.items() if key in places]
    return {**board, "entries": kept}


def _picture(options: argparse.Namespace) -> int:
    from eval.report.picture import svg

    if options.out.suffix != ".svg":
        raise InputError("not a picture's name", file=options.out, wanted=".svg")
    write_text(options.out, svg(_instance(options.picture, options.data)))
    print(f"wrote {options.out}", file=sys.stderr)
    return 0


def _instance(id: str, data: Path | None) -> "Instance":
    import pararecover

    for config, split in sorted(pararecover.index(data)):
        shelf = pararecover.Shelf(config, split, data)
        if id in shelf:
            return shelf.read(id)
    raise InputError("there is no such id", got=id)


if __name__ == "__main__":
    command.run(main)
