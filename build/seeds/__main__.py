"""Compose tasks over the worlds: request, tools, gold plan, executed and proven.

Each task is the first draw of its number that runs, whose request determines its goal, and for
which no shorter composition of the listed tools is found. The same count and seed give the same
bytes, whatever the number of processes.
"""

import hashlib
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from build.gold import Gold, to_record
from build.seeds.compose import Candidate, Stream
from build.seeds.figures import figures
from build.seeds.show import show
from trajectory import canonical, command
from trajectory.files import InputError, write_jsonl

_EXAMPLES = (
    "python -m build.seeds --count 5 --show",
    "python -m build.seeds --count 200 --seed 7 --out seeds.jsonl",
    "python -m build.seeds --count 2000 --seed 7 --json",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = command.parser("build.seeds", __doc__, _EXAMPLES)
    parser.add_argument("--count", type=int, default=100, help="number of tasks (default 100)")
    parser.add_argument("--seed", type=int, default=7, help="seed of worlds and tasks (default 7)")
    parser.add_argument("--processes", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--out", type=Path, help="write the tasks to this JSON Lines file")
    parser.add_argument("--blind", type=Path, help="write id, request and tools only, for readers")
    parser.add_argument("--show", action="store_true", help="print each task for reading")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args(arguments)
    if options.count < 1:
        raise InputError("--count must be at least 1", got=options.count)
    stream = Stream(options.seed, options.processes)
    found = list(_with_progress(islice(stream, options.count), options.count))
    golds = [one.gold for one in found]
    if options.show:
        print("\n\n".join(show(gold) for gold in golds))
    if options.out:
        write_jsonl(options.out, map(to_record, golds))
    if options.blind:
        write_jsonl(options.blind, map(_blind, golds))
    table = {**figures(found, stream.dropped), "sha256": _digest(golds)}
    if options.json:
        print(canonical.dumps(table))
    elif not options.show:
        print("\n".join(f"{name}: {canonical.dumps(value)}" for name, value in table.items()))
    where = f"wrote {options.out}" if options.out else "wrote nothing (--out FILE)"
    print(f"{len(golds)} tasks, {stream.dropped} near-duplicates dropped, {where}", file=sys.stderr)
    return 0


def _blind(gold: Gold) -> dict[str, Any]:
    return {"id": gold.id, "query": gold.query, "tools": gold.tools}


def _with_progress(tasks: Iterator[Candidate], count: int) -> Iterator[Candidate]:
    from tqdm import tqdm

    yield from tqdm(tasks, total=count, unit="task", disable=None, file=sys.stderr)


def _digest(golds: Sequence[Gold]) -> str:
    """Return the SHA-256 over the canonical lines of the tasks, in their order."""
    total = hashlib.sha256()
    for gold in golds:
        total.update(f"{canonical.dumps(to_record(gold))}\n".encode())
    return total.hexdigest()


if __name__ == "__main__":
    command.run(main)
