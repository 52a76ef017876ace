"""Hold the labeller against the instances of a dataset: precision and recall of each type.

The labeller is shown the trajectory of each augmented instance and its gold plan, whose ids are
drawn anew; it is not shown labels, purposes or ids that belong together. What it finds is
compared with what the instance tells: type by type, and then by root cause as well. Instances
whose trajectory is a rollout have their labels from the labeller, so they show nothing here.

Exit code: 0 when precision and recall are at least 0.95 in the mean and 0.85 for each type;
1 when they are not; 2 when there is nothing to label.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from trajectory import canonical, command
from trajectory.files import InputError

if TYPE_CHECKING:
    from build.labelling import Comparison, Row
    from trajectory.instance import Instance

_EXAMPLES = (
    "python -m build.label",
    "python -m build.label --config level2 --limit 500",
    "python -m build.label --data /tmp/pararecover --json",
)
# The least that is asked for in the mean over the types, and of each type.
MEAN: Final = 0.95
EACH: Final = 0.85
_SHOWN: Final = 20


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _options(arguments)
    from build.labelling import compared

    found = [compared(instance) for instance in _instances(options)]
    if not found:
        raise InputError("there is no augmented instance to label", file=options.data)
    report = _report(found)
    print(canonical.dumps(report) if options.json else _said(report))
    return 0 if report["enough"] else 1


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser("build.label", __doc__, _EXAMPLES)
    parser.add_argument("--data", type=Path, help="the dataset's folder (pararecover)")
    parser.add_argument("--config", help="label instances of this config only")
    parser.add_argument("--split", help="label instances of this split only")
    parser.add_argument("--limit", type=int, help="label only so many instances")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    if options.limit is not None and options.limit < 1:
        raise InputError("--limit must be at least 1", got=options.limit)
    return options


def _instances(options: argparse.Namespace) -> "Iterator[Instance]":
    """Yield the augmented instances, showing how far it is."""
    from tqdm import tqdm

    from build.labelling import is_labelled
    from build.shelves import shelves

    found = shelves(options.data, options.config, options.split)
    every = (shelf[id] for shelf in found for id in shelf)
    labelled = islice(filter(is_labelled, every), options.limit)
    yield from tqdm(labelled, unit="instance", disable=None, file=sys.stderr)


def _report(comparisons: "Sequence[Comparison]") -> dict[str, Any]:
    from build.labelling import mean, share, table

    rows = table(comparisons)
    figures = [figure for row in rows for figure in (row.precision, row.recall)]
    means = [mean(row.precision for row in rows), mean(row.recall for row in rows)]
    return {
        "instances": len(comparisons),
        "types": [_row(row) for row in rows],
        "precision": means[0],
        "recall": means[1],
        "root_cause": share(sum(row.right for row in rows), sum(row.both for row in rows)),
        "enough": all(one is None or one >= MEAN for one in means)
        and all(one is None or one >= EACH for one in figures),
        "agreeing": sum(one.told == one.found for one in comparisons),
        "disagreeing": [
            {"id": one.id, "told": _listed(one.told), "found": _listed(one.found)}
            for one in comparisons
            if one.told != one.found
        ],
    }


def _row(row: "Row") -> dict[str, Any]:
    shares = {"precision": row.precision, "recall": row.recall, "root_cause": row.root_cause}
    return {**row._asdict(), **shares}


def _listed(errors: Any) -> list[str]:
    return [" at ".join(error) for error in sorted(errors.elements())]


def _said(report: dict[str, Any]) -> str:
    lines = [f"{'type':24}{'told':>7}{'found':>7}{'precision':>11}{'recall':>9}{'root cause':>12}"]
    for one in report["types"]:
        shares = (
            one["precision"],
            one["recall"],
            one["right"] / one["both"] if one["both"] else None,
        )
        counts = f"{one['told']:>7}{one['found']:>7}"
        lines.append(f"{one['type']:24}{counts}{_shares(shares)}")
    means = report["precision"], report["recall"], report["root_cause"]
    lines.append(f"{'mean':24}{'':14}{_shares(means)}")
    lines.append(f"the same labels: {report['agreeing']} of {report['instances']} instances")
    others = report["disagreeing"]
    for one in others[:_SHOWN]:
        told, found = (", ".join(one[key]) or "nothing" for key in ("told", "found"))
        lines.append(f"  {one['id']}: told {told}; found {found}")
    if len(others) > _SHOWN:
        lines.append(f"  … {len(others) - _SHOWN} more")
    return "\n".join(lines)


def _shares(shares: Sequence[float | None]) -> str:
    texts = ["–" if share is None else f"{share:.3f}" for share in shares]
    return f"{texts[0]:>11}{texts[1]:>9}{texts[2]:>12}"


if __name__ == "__main__":
    command.run(main)
