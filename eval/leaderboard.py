"""Make a leaderboard of runs: each verified, scored over its declared selection, and ranked.

Runs that cannot be verified stop everything: nothing is written. Only whole official splits with
every row answered are ranked, by verified E5; a rank is an interval, as wide as the data leave
it. The paper's figures stand beside, as reported. LEADERBOARD.md documents the file. With --check
each entry whose run is at hand is made anew; exit code 1 where anything differs.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from trajectory import canonical, command
from trajectory.files import InputError, read_json, write_json

if TYPE_CHECKING:
    from eval.entries import Board

SCHEMA: Final = Path(__file__).with_name("leaderboard.schema.json")
DIFFERENT: Final = 1

_EXAMPLES = (
    "python -m eval.leaderboard runs/carry_on runs/respond_now --out leaderboard.json",
    "python -m eval.leaderboard --show leaderboard.json --picture leaderboard.png",
    "python -m eval.leaderboard --show leaderboard.json --markdown",
    "python -m eval.leaderboard --show leaderboard.json --heat-map types.svg",
    "python -m eval.leaderboard --check leaderboard.json",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = command.parser("eval.leaderboard", __doc__, _EXAMPLES)
    parser.add_argument("runs", nargs="*", type=Path, help="run folders")
    parser.add_argument("--out", type=Path, help="write the leaderboard to this file")
    parser.add_argument("--show", type=Path, help="print a leaderboard that was written before")
    parser.add_argument("--check", type=Path, help="make its entries anew, and compare")
    parser.add_argument("--picture", type=Path, help="draw it into this file (.png or .svg)")
    parser.add_argument(
        "--heat-map", type=Path, help="draw verified E5 by error type into this file"
    )
    parser.add_argument("--data", type=Path, help="the dataset's folder (default: pararecover)")
    parser.add_argument("--markdown", action="store_true", help="print the tables as Markdown")
    parser.add_argument("--json", action="store_true", help="print the leaderboard as JSON")
    options = parser.parse_args(arguments)
    if options.check:
        return _check(options.check, options.runs, options.data, json=options.json)
    if bool(options.show) == bool(options.runs):
        raise InputError("give run folders, or --show FILE, or --check FILE")
    board = _board(options.show, options.runs, options.data)
    if options.out:
        write_board(options.out, board)
    _draw(board, options.picture, options.heat_map)
    print(_said(board, json=options.json, markdown=options.markdown))
    if options.out:
        print(f"{len(board['entries'])} runs, wrote {options.out}", file=sys.stderr)
    return 0


def _board(file: Path | None, runs: Sequence[Path], data: Path | None) -> "Board":
    if file is not None:
        return read_board(file)
    from eval.entries import make_board

    return make_board(runs, data)


def _draw(board: "Board", picture: Path | None, heat_map: Path | None) -> None:
    if picture:
        from eval.picture import draw

        draw(board, picture)
    if heat_map:
        from eval.picture import draw_types

        draw_types(board, heat_map)


def _said(board: "Board", *, json: bool, markdown: bool) -> str:
    from eval.boards import markdown_of, text_of

    if json:
        return canonical.dumps(board)
    return markdown_of(board) if markdown else text_of(board)


def _check(file: Path, runs: Sequence[Path], data: Path | None, *, json: bool) -> int:
    from eval.checking import check

    found = check(read_board(file), file, runs, data)
    if not found.recomputed:
        raise InputError(
            "no run of this leaderboard is at hand", file=file, do="give its run folders too"
        )
    if json:
        print(canonical.dumps(vars(found)))
    else:
        for line in (*found.differences, *(f"not at hand: {name}" for name in found.absent)):
            print(line)
    print(
        f"{found.recomputed} entries made anew, {len(found.differences)} differences, "
        f"{len(found.absent)} runs not at hand",
        file=sys.stderr,
    )
    return DIFFERENT if found.differences else 0


def read_board(path: Path) -> "Board":
    """Read a leaderboard; raises InputError where it does not keep its schema."""
    board = read_json(path)
    _require_valid(board, path)
    return dict(board)


def write_board(path: Path, board: "Board") -> None:
    """Write a leaderboard that keeps its schema."""
    _require_valid(board, path)
    write_json(path, board)


def _require_valid(board: Any, path: Path) -> None:
    from jsonschema import Draft202012Validator

    from eval.entries import VERSION

    errors = sorted(
        Draft202012Validator(read_json(SCHEMA)).iter_errors(board), key=lambda one: one.json_path
    )
    if errors:
        raise InputError(
            f"not a leaderboard of schema {VERSION} at {errors[0].json_path}: {errors[0].message}",
            file=path,
            do="make it again: python -m eval.leaderboard",
        )


if __name__ == "__main__":
    command.run(main)
