"""Compare plans that readers wrote from request and tools alone with the gold plans.

A reader's file is JSON Lines: id, and tasks as in a plan. A plan matches when it makes the same
calls of the same results as the gold plan, whatever its nodes are called. Exit code 0 when every
reading was compared, whatever it says.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from build.gold import Gold, from_record
from trajectory import canonical, command
from trajectory.files import InputError, read_jsonl
from trajectory.plan import read_plan
from trajectory.renaming import calls

_EXAMPLES = (
    "python -m build.readings reports/requests/reader-1.jsonl --seeds reports/requests/seeds.jsonl",
    "python -m build.readings reports/requests/*.jsonl --seeds reports/requests/seeds.jsonl --json",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = command.parser("build.readings", __doc__, _EXAMPLES)
    parser.add_argument("files", nargs="+", type=Path, help="readers' files")
    parser.add_argument("--seeds", type=Path, required=True, help="the tasks with their gold plans")
    parser.add_argument("--json", action="store_true", help="print one JSON object a reading")
    options = parser.parse_args(arguments)
    golds = {gold.id: gold for _, row in read_jsonl(options.seeds) for gold in [from_record(row)]}
    readings = [one for file in options.files for one in _readings(file, golds)]
    for one in readings:
        print(canonical.dumps(one) if options.json else _line(one))
    if not options.json:
        print(f"{sum(one['matches'] for one in readings)} of {len(readings)} match")
    return 0


def _readings(file: Path, golds: Mapping[str, Gold]) -> Iterator[dict[str, Any]]:
    for line, row in read_jsonl(file):
        task = str(row.get("id")) if isinstance(row, dict) else ""
        if task not in golds:
            raise InputError("no such task", file=file, line=line, id=task, do="check --seeds")
        yield {"file": file.name, "id": task, **_compared(golds[task], row)}


def _compared(gold: Gold, row: Mapping[str, Any]) -> dict[str, Any]:
    """Say whether a reading matches, and by how many calls it does not."""
    plan = read_plan(dict(row))
    wanted, given = calls(gold.plan), calls(plan)
    return {
        "matches": wanted == given,
        "missing": sum((wanted - given).values()),
        "other": sum((given - wanted).values()),
    }


def _line(one: Mapping[str, Any]) -> str:
    if one["matches"]:
        return f"{one['id']}  {one['file']}  match"
    return f"{one['id']}  {one['file']}  {one['missing']} calls missing, {one['other']} others"


if __name__ == "__main__":
    command.run(main)
