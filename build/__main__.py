"""Build the dataset: put errors into trajectories of tasks, prove each, and write the folder.

The edition has the configs level1 and level2 (its quotas stand in splits/quotas.json) and
controls, clean twins of some of its trajectories. Nothing is taken that is not proven by
execution; what candidates failed at is printed. What is made is compared with what is frozen
in splits/: the same instances come out on every machine, in any number of processes. With
--tasks only so many tasks are composed, and what they give is a part of the same edition.

With --seeds the tasks are conversations of a file in BUTTON's format, whose calls are recorded:
the configs level1_button and level2_button, with what schemas, names, references and layers
prove. They are not frozen, and scores on them are never ranked.

Exit code: 0 when the dataset was made; 1 with --check when this machine makes other instances
than those frozen, or none are frozen yet; 2 when quotas can't be filled or nothing can be written.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from trajectory import canonical, command
from trajectory.files import InputError

if TYPE_CHECKING:
    from build.edition import Edition
    from build.frozen import Difference
    from build.gold import Gold
    from trajectory.instance import Instance

# Config and split.
Part = tuple[str, str]

_EXAMPLES = (
    "python -m build --tasks 40",
    "python -m build --tasks 40 --check",
    "python -m build --out /tmp/pararecover --tasks 40 --json",
    "python -m build --seeds button_instruct.jsonl",
    "python -m build",
)
_FROZEN: Final = "augmented.json"
_NAMED: Final = 5
_MOST_TASKS: Final = 20_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _options(arguments)
    if options.seeds is not None:
        return _made_of_conversations(options)
    from build.edition import parts
    from build.quotas import read_quotas, slots

    wanted = slots(read_quotas(), _seed())
    edition = _made(options, wanted)
    if edition.open and options.tasks is None:
        raise InputError("the quotas can't be filled", got=f"{len(edition.open)} slots left open")
    found = parts(edition, len(wanted))
    difference = _compared(found, options)
    files = {} if options.check else _written(options.out, found)
    report = _report(edition, found, files, difference)
    print(canonical.dumps(report) if options.json else _said(report, options.out))
    return 1 if options.check and (difference is None or difference) else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser("build", __doc__, _EXAMPLES)
    parser.add_argument(
        "--out", type=Path, default=Path("pararecover"), help="the dataset's folder (pararecover)"
    )
    parser.add_argument("--tasks", type=int, help="take only so many tasks: a part of it")
    parser.add_argument(
        "--seeds", type=Path, metavar="FILE", help="conversations to make it of, one a line"
    )
    parser.add_argument(
        "--processes", type=int, default=os.cpu_count() or 1, help="processes (one per core)"
    )
    parser.add_argument("--check", action="store_true", help="write nothing, compare only")
    parser.add_argument("--freeze", action="store_true", help="freeze what is made in splits/")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    if options.processes < 1 or (options.tasks is not None and options.tasks < 1):
        raise InputError("--tasks and --processes must be at least 1")
    if options.seeds is not None and (options.check or options.freeze):
        raise InputError("what is made of a file is not frozen", do="leave --check, --freeze out")
    if options.freeze and options.tasks is not None:
        raise InputError("only the whole edition can be frozen", do="leave --tasks out")
    if options.out.exists() and not options.out.is_dir():
        raise InputError("is no folder, so no dataset can be written there", file=options.out)
    return options


def _made_of_conversations(options: argparse.Namespace) -> int:
    from build.button.edition import button, report, text, written

    found = button(options.seeds, options.processes, options.tasks)
    told = report(found, written(options.out, found))
    print(canonical.dumps(told) if options.json else text(told))
    return 0


def _seed() -> int:
    from build.edition import SEED

    return SEED


def _made(options: argparse.Namespace, wanted: Sequence[Any]) -> "Edition":
    """Compose tasks and fill the slots, showing how far it is."""
    from tqdm import tqdm

    from build.edition import Edition, batches

    edition = Edition()
    tasks = islice(_tasks(options.processes), options.tasks or _MOST_TASKS)
    with tqdm(total=len(wanted), unit="instance", disable=None, file=sys.stderr) as bar:
        for edition in batches(tasks, wanted, options.processes):
            bar.update(len(edition.instances) - bar.n)
    return edition


def _tasks(processes: int) -> "Iterator[Gold]":
    """Yield the tasks of the test split without end."""
    from build.seeds.compose import Stream

    return (one.gold for one in Stream(_seed(), processes) if one.gold.split == "test")


def _compared(
    found: "Mapping[Part, Sequence[Instance]]", options: argparse.Namespace
) -> "Difference | None":
    """Compare with what is frozen, a part with that part; None where nothing is frozen yet."""
    from build import frozen
    from build.dataset import EDITION
    from pararecover import digest_of

    made, path = frozen.members(found), frozen.SPLITS / _FROZEN
    if options.freeze:
        digest = digest_of(one for part in found.values() for one in part)
        frozen.write(path, EDITION, digest, made)
    members = frozen.read(path, EDITION)
    if members is None:
        return None
    difference = frozen.compare(members, made)
    return difference if options.tasks is None else difference._replace(removed=())


def _written(folder: Path, parts: "Mapping[Part, Sequence[Instance]]") -> dict[Part, str]:
    from build.dataset import write_config

    return {part: str(write_config(folder, *part, found)) for part, found in parts.items()}


# --- what is said at the end -----------------------------------------------------------------


def _report(
    edition: "Edition",
    parts: "Mapping[Part, Sequence[Instance]]",
    files: Mapping[Part, str],
    difference: "Difference | None",
) -> dict[str, Any]:
    from build.dataset import EDITION
    from pararecover import digest_of

    every = [one for found in parts.values() for one in found]
    proven = [one for one in every if one.errors]
    return {
        "edition": EDITION,
        "digest": digest_of(every),
        "frozen": None if difference is None else difference._asdict(),
        "configs": [
            {
                "config": config,
                "split": split,
                "instances": len(found),
                "tasks": len({one.query_id for one in found}),
                "file": files.get((config, split)),
            }
            for (config, split), found in parts.items()
        ],
        "tasks": len({one.query_id for one in proven}),
        "most_of_a_task": max(Counter(one.query_id for one in proven).values(), default=0),
        "rounds": _counted(len(one.history) + bool(one.tool_results) for one in proven),
        "labels": _counted(len(one.error_types) for one in proven),
        "visible": _counted(error["visible"] for one in proven for error in one.errors),
        "dropped": [
            {"type": str(kind), "point": point, "candidates": count}
            for (kind, point), count in sorted(edition.dropped.items())
        ],
    }


def _counted(values: "Iterator[Any]") -> dict[str, int]:
    return {str(value): count for value, count in sorted(Counter(values).items())}


def _said(report: Mapping[str, Any], folder: Path) -> str:
    lines = [f"edition {report['edition']}, {report['digest']}"]
    for one in report["configs"]:
        place = f": {one['file']}" if one["file"] else ""
        lines.append(
            f"{one['config']}/{one['split']}{place}: {one['instances']} instances of "
            f"{one['tasks']} tasks, all proven"
        )
    for name in ("rounds", "labels", "visible"):
        counts = ", ".join(f"{value}: {count}" for value, count in report[name].items())
        lines.append(f"{name}: {counts}")
    lines += _said_of_dropped(report["dropped"])
    if any(one["file"] for one in report["configs"]):
        lines.append(f"card: {folder / 'README.md'}")
    lines.append(_said_of_frozen(report["frozen"]))
    return "\n".join(lines)


def _said_of_dropped(dropped: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the table of candidates that were dropped, by type and point of the proof."""
    points = sorted({one["point"] for one in dropped})
    if not points:
        return ["candidates dropped: none"]
    counts = {(one["type"], one["point"]): one["candidates"] for one in dropped}
    lines = [f"candidates dropped at point {'':8}" + "".join(f"{point:>6}" for point in points)]
    for kind in sorted({one["type"] for one in dropped}):
        row = "".join(f"{counts.get((kind, point), 0):>6}" for point in points)
        lines.append(f"  {kind:32}{row}")
    return lines


def _said_of_frozen(difference: Mapping[str, Sequence[str]] | None) -> str:
    if difference is None:
        return f"nothing is frozen in splits/{_FROZEN} yet: freeze it with --freeze"
    parts = [
        f"{len(ids)} {name} ({', '.join(ids[:_NAMED])}{', …' if len(ids) > _NAMED else ''})"
        for name, ids in difference.items()
        if ids
    ]
    if not parts:
        return f"the same as frozen in splits/{_FROZEN}"
    return f"other than frozen in splits/{_FROZEN}: {'; '.join(parts)}"


if __name__ == "__main__":
    command.run(main)
