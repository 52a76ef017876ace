"""Does anything but the error give an error away? Trivial guessers are let loose on the dataset.

Each is a logistic regression over one thing that should tell nothing (descs without results, ids,
key order, node order), trained and tried on different tasks, to tell the instances of both levels
from the controls. Printed is the area under the ROC curve, over all and by error type, with a 95%
interval by task; 0.5 is chance. Over the whole plan it is printed as the cheap baseline, as are two
guesses of what is wrong: the most frequent type, and the last node that failed.

Exit code: 0 when all was tried; 1 with --check when a guesser that should learn nothing has an area
outside 0.45 to 0.55.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from trajectory import canonical, command
from trajectory.files import InputError

if TYPE_CHECKING:
    from build.leaking import Auc
    from trajectory.instance import Instance

_EXAMPLES = (
    "python -m build.leakage",
    "python -m build.leakage --check --json",
)
_LEVELS: Final = ("level1", "level2")
_CONTROLS: Final = "controls"

Found = Mapping[str, Sequence["Auc"]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _options(arguments)
    from build.leaking import BLIND, OPEN, aucs, last_failed_node, most_frequent_type

    faulty = [one for level in _LEVELS for one in _instances(level, options.data)]
    controls = _instances(_CONTROLS, options.data)
    found: dict[str, list[Auc]] = {}
    for name, words in {**BLIND, **OPEN}.items():
        print(f"guessing by {name}", file=sys.stderr)
        found[name] = aucs(faulty, controls, words)
    kind, share = most_frequent_type(faulty)
    guesses = {"most frequent type": {"type": kind, "right": share}}
    guesses["last failed node"] = {"right": last_failed_node(faulty)}
    outside = [
        f"{name}, {one.of}: {one.value:.3f}" for name in BLIND for one in _outside(found[name])
    ]
    told = {
        "faulty": len(faulty),
        "controls": len(controls),
        "auc": {name: [one._asdict() for one in many] for name, many in found.items()},
        "guesses": guesses,
        "outside": outside,
    }
    print(canonical.dumps(told) if options.json else "\n".join(_text(found, told)))
    return 1 if options.check and outside else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser("build.leakage", __doc__, _EXAMPLES)
    parser.add_argument("--data", type=Path, help="the dataset's folder (pararecover)")
    parser.add_argument("--check", action="store_true", help="exit 1 where something leaks")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser.parse_args(arguments)


def _instances(config: str, data: Path | None) -> "list[Instance]":
    from pararecover import load_instances

    found = load_instances(config, data=data)
    if len({one.query_id for one in found}) < _FEWEST:
        got = f"{len({one.query_id for one in found})} tasks in {config}"
        raise InputError("too few tasks to guess by", got=got, do="build more: python -m build")
    return found


_FEWEST: Final = 10


def _outside(many: "Sequence[Auc]") -> "Iterator[Auc]":
    from build.leaking import HIGH, LOW

    yield from (one for one in many if not LOW <= one.value <= HIGH)


def _text(found: Found, told: Mapping[str, Any]) -> Iterator[str]:
    yield f"{told['faulty']} faulty trajectories against {told['controls']} controls"
    yield f"{'AUC [95% by task]':22}{'n':>6}" + "".join(f"{name:>22}" for name in found)
    for rows in zip(*found.values(), strict=True):
        cells = (f"{one.value:.3f} [{one.low:.3f}, {one.high:.3f}]" for one in rows)
        yield f"{rows[0].of:22}{rows[0].n:6}" + "".join(f"{cell:>22}" for cell in cells)
    frequent = told["guesses"]["most frequent type"]
    yield f"most frequent type ({frequent['type']}) as the diagnosis: {frequent['right']:.1%} right"
    failed = told["guesses"]["last failed node"]
    yield f"last failed node as the root cause: {failed['right']:.1%} right"
    yield "outside 0.45 to 0.55: " + ("; ".join(told["outside"]) or "none")


if __name__ == "__main__":
    command.run(main)
