"""Read a file in BUTTON's format into gold plans; or write tasks in it, or measure the reader.

Each edge of a gold plan says how it was found (value: an argument comes from the result; prose:
the assistant's words name it; turn_order: only the order of turns shows it) and how sure it is.
What is odd or can't be read is reported with its line and reason. The network is used with
--download only, which fetches the published file (CC BY 4.0) to FILE and checks it.
"""

import collections
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from build.button import published
from trajectory import canonical, command
from trajectory.files import InputError, write_jsonl

_EXAMPLES = (
    "python -m build.button button_instruct.jsonl --download --out gold.jsonl",
    "python -m build.button mine.jsonl --report odd.jsonl --json",
    "python -m build.button seeds.jsonl --write conversations.jsonl",
    "python -m build.button seeds.jsonl --measure",
)


_Item = TypeVar("_Item")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _parser().parse_args(arguments)
    if options.one_at_a_time and not (options.write or options.measure):
        raise InputError("--one-at-a-time goes with --write or --measure")
    if options.write:
        _write(options)
    elif options.measure:
        _measure(options)
    else:
        _read(options)
    return 0


def _parser() -> ArgumentParser:
    parser = command.parser("build.button", __doc__, _EXAMPLES)
    parser.add_argument("file", type=Path, metavar="FILE", help="conversations, one a line")
    parser.add_argument("--out", type=Path, help="write the gold plans to this JSON Lines file")
    parser.add_argument("--report", type=Path, help="write what was odd to this JSON Lines file")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument(
        "--download", action="store_true", help="fetch the published file to FILE if it isn't there"
    )
    parser.add_argument(
        "--url", default=published.URL, help="fetch it from there instead, as from a mirror"
    )
    tasks = parser.add_mutually_exclusive_group()
    tasks.add_argument(
        "--write",
        type=Path,
        metavar="OUT",
        help="FILE holds tasks of build.seeds: write them in BUTTON's format",
    )
    tasks.add_argument(
        "--measure",
        action="store_true",
        help="FILE holds tasks: write, blur and read them, print recall and precision of edges",
    )
    parser.add_argument(
        "--one-at-a-time", action="store_true", help="write or measure with one call a turn"
    )
    return parser


# --- reading -----------------------------------------------------------------------------------


def _read(options: Namespace) -> None:
    if options.download:
        published.download(options.file, options.url)
    from build.button.reading import Reading
    from build.gold import to_record

    reading = Reading(options.file)
    records = (to_record(gold) for gold, _ in reading.golds())
    try:
        if options.out:
            write_jsonl(options.out, records)
        else:
            collections.deque(records, maxlen=0)
    finally:
        if options.report:
            write_jsonl(options.report, (note._asdict() for note in reading.notes))
    _print(reading.figures(), as_json=options.json)


def _print(figures: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(canonical.dumps(figures))
        return
    from build.button.reading import said

    figures["licence"] = figures["licence"] or "not known (not the published file)"
    for name, value in figures.items():
        print(f"{name}: {value if isinstance(value, str | int) else said(value)}")


# --- tasks -------------------------------------------------------------------------------------


def _write(options: Namespace) -> None:
    from build.button.measuring import read_golds
    from build.button.writing import write_button

    golds = read_golds(options.file)
    parallel = not options.one_at_a_time
    write_jsonl(options.write, (write_button(gold, parallel=parallel) for gold in golds))
    print(f"{len(golds)} conversations written to {options.write}", file=sys.stderr)


def _measure(options: Namespace) -> None:
    from build.button.measuring import measure, read_golds

    golds = _with_progress(read_golds(options.file), "task")
    scores = measure(golds, parallel=not options.one_at_a_time)
    rows = {kind: score.to_row() for kind, score in scores.items()}
    if options.json:
        print(canonical.dumps(rows))
        return
    print(f"{'kind':<18} {'tasks':>6} {'edges':>6} {'recall':>7} {'precis.':>7}  of those changed")
    for kind, row in rows.items():
        changed = f"{_number(row['recall_touched'])} of {row['touched']}" if row["touched"] else ""
        print(
            f"{kind:<18} {row['tasks']:>6} {row['edges']:>6} {_number(row['recall']):>7} "
            f"{_number(row['precision']):>7}  {changed}"
        )


def _number(share: float | None) -> str:
    return "–" if share is None else f"{share:.3f}"


def _with_progress(items: Iterable[_Item], unit: str) -> Iterator[_Item]:
    from tqdm import tqdm

    yield from tqdm(items, unit=unit, disable=None, file=sys.stderr)


if __name__ == "__main__":
    command.run(main)
