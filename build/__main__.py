"""Build the dataset: make instances of tasks, prove each by execution, and write the folder.

The edition has the configs level1 and level2, of augmented instances (errors put into gold plans,
by the quotas in splits/quotas.json) and rollouts (scripted planners that err by themselves); their
minis of 200 instances; and controls, clean twins of some instances. --with-train makes as well
the split train, of tasks that share no labelled graph with test. Nothing is taken that is not
proven; what candidates failed at is printed. What is made is compared with what is frozen in
splits/: the same instances come out on every machine, in any number of processes. --mini makes
the minis alone; with --tasks only so many tasks are composed, and what they give is a part of
the same edition. A build of the whole that was stopped goes on where it was; what is kept for
that lies beside the folder until it is done.

With --seeds the tasks are conversations of a file in BUTTON's format, whose calls are recorded:
the configs level1_button and level2_button, with what schemas, names, references and layers
prove. They are not frozen, and scores on them are never ranked.

Exit code: 0 when the dataset was made; 1 with --check when this machine makes other instances
than those frozen, or none are frozen yet; 2 when quotas can't be filled or nothing can be written.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trajectory import canonical, command
from trajectory.files import InputError

if TYPE_CHECKING:
    from build.frozen import Difference
    from build.keeping import Kept
    from build.made import Made, Part, Parts

_EXAMPLES = (
    "python -m build --tasks 40",
    "python -m build --tasks 40 --check",
    "python -m build --out /tmp/pararecover --tasks 40 --json",
    "python -m build --mini",
    "python -m build --seeds button_instruct.jsonl",
    "python -m build --with-train",
    "python -m build",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _options(arguments)
    if options.seeds is not None:
        return _made_of_conversations(options)
    from build.minis import SUFFIX
    from build.said import report, text

    found, kept = _made(options)
    parts = {part: of for made in found.values() for part, of in made.parts.items()}
    if options.mini:
        parts = {part: of for part, of in parts.items() if part[0].endswith(SUFFIX)}
    whole = options.tasks is None and not options.mini
    differences = {split: _compared(split, parts, options, whole=whole) for split in found}
    files = {} if options.check else _written(options.out, parts)
    kept.done()
    told = report(found, parts, files, differences)
    print(canonical.dumps(told) if options.json else text(told, options.out))
    wrong = any(one is None or one for one in differences.values())
    return 1 if options.check and wrong else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser("build", __doc__, _EXAMPLES)
    parser.add_argument(
        "--out", type=Path, default=Path("pararecover"), help="the dataset's folder (pararecover)"
    )
    parser.add_argument("--tasks", type=int, help="take only so many tasks: a part of it")
    parser.add_argument("--mini", action="store_true", help="make the minis alone")
    parser.add_argument("--with-train", action="store_true", help="make the split train as well")
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
    _require_fitting(options)
    return options


def _require_fitting(options: argparse.Namespace) -> None:
    """Raise InputError for options that don't go together, or a place where nothing can lie."""
    if options.processes < 1 or (options.tasks is not None and options.tasks < 1):
        raise InputError("--tasks and --processes must be at least 1")
    if options.seeds is not None and (options.check or options.freeze or options.mini):
        problem = "what is made of a file is not frozen, and has no minis"
        raise InputError(problem, do="leave --check, --freeze and --mini out")
    if options.freeze and (options.tasks is not None or options.mini):
        problem = "only the whole edition can be frozen"
        raise InputError(problem, do="leave --tasks and --mini out")
    if options.mini and (options.tasks is not None or options.with_train):
        problem = "the minis are of tasks of their own number, of the split test"
        raise InputError(problem, do="leave --tasks and --with-train out")
    if options.out.exists() and not options.out.is_dir():
        raise InputError("is no folder, so no dataset can be written there", file=options.out)


def _made_of_conversations(options: argparse.Namespace) -> int:
    from build.button.edition import button, report, text, written

    found = button(options.seeds, options.processes, options.tasks)
    told = report(found, written(options.out, found))
    print(canonical.dumps(told) if options.json else text(told))
    return 0


def _made(options: argparse.Namespace) -> "tuple[dict[str, Made], Kept]":
    """Make the splits that are asked for, showing how far it is; what is kept goes at the end."""
    from tqdm import tqdm

    from build import minis, tasks
    from build.edition import SEED
    from build.keeping import Kept, kept_in
    from build.made import TEST, TRAIN, made

    splits = (TEST, TRAIN) if options.with_train else (TEST,)
    limit = minis.TASKS if options.mini else options.tasks
    kept = Kept() if limit or options.check else kept_in(options.out)
    source = tasks.composed(SEED, options.processes, kept)
    found = {}
    with tqdm(unit="instance", disable=None, file=sys.stderr) as bar:

        def tell(kind: str, count: int) -> None:
            bar.set_description(kind, refresh=False)
            bar.n = count
            bar.refresh()

        for split in splits:
            found[split] = made(split, source, limit, options.processes, tell, kept)
    return found, kept


def _compared(
    split: str, parts: "Parts", options: argparse.Namespace, *, whole: bool
) -> "Difference | None":
    """Compare with what is frozen, a part with that part; None where nothing is frozen yet."""
    from build import frozen
    from build.dataset import EDITION
    from build.said import digest

    found = {part: of for part, of in parts.items() if part[1] == split}
    made, path = frozen.members(found), frozen.SPLITS / f"{split}.json"
    if options.freeze:
        frozen.write(path, EDITION, digest(found), made)
    members = frozen.read(path, EDITION)
    if members is None:
        return None
    difference = frozen.compare(members, made)
    return difference if whole else difference._replace(removed=())


def _written(folder: Path, parts: "Parts") -> "dict[Part, str]":
    from build.dataset import write_config

    return {part: str(write_config(folder, *part, found)) for part, found in parts.items()}


if __name__ == "__main__":
    command.run(main)
