"""Merge the shards of a run, made by jobs on other machines, into the run that one job would give.

All parts of I/N must be there, with the same settings and the same dataset. Rows, answers and
failed attempts are taken over, sorted by id and sample.
Exit code: 0 when the run was written; 2 when parts are missing, differ, or overlap otherwise.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from eval.manifest import require_same
from eval.results import ANSWERS, ATTEMPTS, MANIFEST, PLAYED, RESULTS, Run, read_run
from eval.shards import Shard, shard
from trajectory import canonical, command
from trajectory.files import InputError, read_jsonl, write_json, write_jsonl

_EXAMPLES = ("python -m eval.merge runs/x-1 runs/x-2 --out runs/x",)
# Of a shard alone.
_OWN: Final = frozenset(("shard", "selection", "started"))

Line = Mapping[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = command.parser("eval.merge", __doc__, _EXAMPLES)
    parser.add_argument("runs", nargs="+", type=Path, help="folders of the shards")
    parser.add_argument("--out", required=True, type=Path, help="folder of the whole run")
    parser.add_argument("--data", type=Path, help="the dataset's folder (default: pararecover)")
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")
    options = parser.parse_args(arguments)
    if (options.out / MANIFEST).exists():
        raise InputError("a run is here already", file=options.out, do="take another --out")
    parts = [read_run(path) for path in options.runs]
    merged = _manifest(parts, options.data)
    options.out.mkdir(parents=True, exist_ok=True)
    files = (RESULTS, ANSWERS, PLAYED, ATTEMPTS)
    counts = {name: _merged(parts, options.out, name) for name in files}
    write_json(options.out / MANIFEST, merged)
    told = {"run": str(options.out), "parts": len(parts), "rows": counts[RESULTS]}
    if options.json:
        print(canonical.dumps(told))
    wanted = len(merged["selection"]["ids"]) * merged["samples"]
    print(
        f"{counts[RESULTS]} of {wanted} rows of {len(parts)} parts in {options.out}",
        file=sys.stderr,
    )
    return 0


def _manifest(parts: Sequence[Run], data: Path | None) -> dict[str, Any]:
    """Return the manifest of the run that the parts make; raises InputError where it is none."""
    from eval.selection import declared

    first = parts[0].manifest or {}
    found: dict[int, Run] = {}
    count = 0
    for part in parts:
        told = part.manifest or {}
        one = _shard(part)
        require_same(first, told, part.path / MANIFEST, _OWN)
        count = count or one.parts
        if one.parts != count or one.number in found:
            known = ", ".join(f"{number}/{count}" for number in sorted(found))
            raise InputError("does not fit the other parts", file=part.path, got=one, wanted=known)
        found[one.number] = part
    missing = [f"{number}/{count}" for number in range(1, count + 1) if number not in found]
    if missing:
        raise InputError("parts are missing", got=", ".join(missing), do="run or give them too")
    ids = sorted(id for part in parts for id in (part.manifest or {})["selection"]["ids"])
    whole = {key: value for key, value in first.items() if key not in _OWN}
    selection = declared({**whole, "selection": {"ids": ids}}, data)
    started = min(str((part.manifest or {}).get("started")) for part in parts)
    return {**whole, **selection.manifest(), "started": started}


def _shard(part: Run) -> Shard:
    told = (part.manifest or {}).get("shard")
    try:
        return shard(str(told))
    except argparse.ArgumentTypeError:
        problem = "is no shard of a run"
        raise InputError(problem, file=part.path, do="merge what --shard I/N made") from None


def _merged(parts: Sequence[Run], out: Path, name: str) -> int:
    """Write the lines of all parts, sorted; return how many there are."""
    files = [part.path / name for part in parts if (part.path / name).is_file()]
    if not files:
        return 0
    lines = sorted(_lines(files), key=_place)
    write_jsonl(out / name, lines)
    return len(lines)


def _lines(files: Sequence[Path]) -> Iterator[Line]:
    for file in files:
        for line, value in read_jsonl(file, empty_ok=True):
            if not isinstance(value, dict) or not isinstance(value.get("id"), str):
                raise InputError("not a row", file=file, line=line, got=value)
            yield value


def _place(line: Line) -> tuple[str, int, int, int]:
    return line["id"], line.get("sample", 0), line.get("round", 0), line.get("attempt", 0)


if __name__ == "__main__":
    command.run(main)
