"""Show instances of the dataset: request, tools, plan in layers with what ran, errors, repairs.

They are named by their ids, or drawn with --random. Errors are numbered from 0, as repairs name
them; 3 ← 1, 2 is a node that waits for two others, ‹1.city› the value at city of a node's result.
--blind shows only what a model may see, all of it, for readers who are to find the error; the id
alone tells the level.

Exit code: 0 when everything was shown; 2 when there is no such instance.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trajectory import canonical, command
from trajectory.error_types import ErrorType
from trajectory.files import InputError

if TYPE_CHECKING:
    from pararecover import Shelf
    from trajectory.instance import Instance

_EXAMPLES = (
    "python -m build.show L1-aug-000001",
    "python -m build.show --random 3 --seed 7 --type Timeout_Error --level 2",
    "python -m build.show --random 10 --config level2 --blind > readers.txt",
    "python -m build.show L2-aug-000007 --json",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _options(arguments)
    from build.shelves import shelf_of, shelves
    from build.showing.instance import show

    found = shelves(options.data, options.config, options.split)
    ids = options.ids or _drawn(found, options)
    instances = [shelf_of(id, found)[id] for id in ids]
    for place, instance in enumerate(instances):
        if options.json:
            print(canonical.dumps(_record(instance, blind=options.blind)))
        else:
            print("\n" * bool(place) + show(instance, blind=options.blind, full=options.full))
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser("build.show", __doc__, _EXAMPLES)
    parser.add_argument("ids", nargs="*", metavar="ID", help="instances to show")
    parser.add_argument("--data", type=Path, help="the dataset's folder (pararecover)")
    parser.add_argument("--config", help="look in this config only")
    parser.add_argument("--split", help="look in this split only")
    parser.add_argument("--random", type=int, metavar="N", help="draw so many instances")
    parser.add_argument("--seed", type=int, default=0, help="of the draw (0)")
    types = [kind.value for kind in ErrorType]
    parser.add_argument("--type", choices=types, metavar="TYPE", help="draw of this error type")
    parser.add_argument("--level", type=int, choices=(1, 2), help="draw of this level")
    parser.add_argument("--full", action="store_true", help="cut no result")
    parser.add_argument("--blind", action="store_true", help="only what a model may see")
    parser.add_argument("--json", action="store_true", help="print one JSON object an instance")
    options = parser.parse_args(arguments)
    if bool(options.ids) == (options.random is not None):
        parser.error("give ids, or --random N")
    if options.random is not None and options.random < 1:
        parser.error("--random must be at least 1")
    if options.ids and (options.type or options.level):
        parser.error("--type and --level are used with --random")
    return options


def _drawn(shelves: "Sequence[Shelf]", options: argparse.Namespace) -> list[str]:
    """Draw ids of the wanted type and level: the same by the same seed, whatever the machine."""
    columns = ("id", "level", "error_types")
    rows = [
        row
        for shelf in shelves
        for row in zip(*(shelf.column(name) for name in columns), strict=True)
    ]
    ids = {
        id
        for id, level, types in rows
        if options.level in (None, level) and (options.type is None or options.type in types)
    }
    if not ids:
        raise InputError("no instance is of this type and level", do="draw less narrowly")
    if len(ids) < options.random:
        print(f"there are only {len(ids)} such instances", file=sys.stderr)
    drawn = sorted(ids, key=lambda id: canonical.text_digest(f"{options.seed}:{id}"))
    return drawn[: options.random]


def _record(instance: "Instance", *, blind: bool) -> dict[str, object]:
    from trajectory.instance import to_record, view

    return {"id": instance.id, **view(instance)} if blind else to_record(instance)


if __name__ == "__main__":
    command.run(main)
