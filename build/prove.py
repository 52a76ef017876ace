"""Prove instances of the dataset anew: all that they say is held against what is found.

Each is run from its start; its labels, the reach of its errors, their evidence, the repairs and
the optimum are worked out again, by the points of the proof:

  0  claims: labels, level, faults, trajectory   4  every edit of a repair is needed
  1  the gold plan reaches the goal soonest      5  what each error reaches
  2  carried on as it is, it is not right        6  no text gives an error away
  3  the repairs are right                       7  evidence for each error

Points 2 to 7 rest on 0 and 1: where these fail, they may stay untried. Instances whose results
are only recorded can't be proven by execution; they are counted apart.

Exit code: 0 when all that can be proven is; 1 when anything does not hold; 2 when there is no
such instance.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from trajectory import canonical, command
from trajectory.files import InputError

if TYPE_CHECKING:
    from build.points import Flaw
    from pararecover import Shelf
    from trajectory.instance import Instance

_EXAMPLES = (
    "python -m build.prove",
    "python -m build.prove L1-aug-000001 L2-aug-000007",
    "python -m build.prove --config level1 --split test --processes 2",
    "python -m build.prove --data /tmp/pararecover --json",
)
_POINTS: Final = (
    "claims: labels, level, faults, trajectory",
    "gold plan reaches the goal soonest",
    "carried on as it is, not right",
    "repairs are right",
    "repairs are minimal",
    "reach of the errors",
    "texts give nothing away",
    "evidence",
)
_SHOWN: Final = 20
# Configs whose results are only recorded.
_RECORDED: Final = ("_release", "_button")
# Instances that a process proves at a time: of one row group, which it reads once.
_AT_ONCE: Final = 16

# Config, split, id.
Place = tuple[str, str, str]


class Proof(NamedTuple):
    """What was found of an instance; proof: what it says itself that is proven of it.

    flaws: None where nothing of it can be run.
    """

    place: Place
    proof: str
    flaws: "Sequence[Flaw] | None"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _options(arguments)
    from build.shelves import shelf_of, shelves

    found = shelves(options.data, options.config, options.split)
    if options.ids:
        places = [_place(shelf_of(id, found), id) for id in dict.fromkeys(options.ids)]
    else:
        places = [_place(shelf, id) for shelf in found for id in shelf]
    report = _report(list(_proofs(places, options)))
    print(canonical.dumps(report) if options.json else _said(report))
    return 1 if report["flaws"] else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser("build.prove", __doc__, _EXAMPLES)
    parser.add_argument("ids", nargs="*", metavar="ID", help="instances to prove (all)")
    parser.add_argument("--data", type=Path, help="the dataset's folder (pararecover)")
    parser.add_argument("--config", help="prove this config only")
    parser.add_argument("--split", help="prove this split only")
    parser.add_argument(
        "--processes", type=int, default=os.cpu_count() or 1, help="processes (one per core)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    if options.processes < 1:
        raise InputError("--processes must be at least 1", got=options.processes)
    return options


def _place(shelf: "Shelf", id: str) -> Place:
    return shelf.config, shelf.split, id


def _proofs(places: Sequence[Place], options: argparse.Namespace) -> Iterator[Proof]:
    """Prove instances in their order, showing how far it is."""
    from tqdm import tqdm

    prove = partial(proof_of, options.data)
    processes = min(options.processes, -(-len(places) // _AT_ONCE))
    with tqdm(total=len(places), unit="instance", disable=None, file=sys.stderr) as bar:
        for proof in _mapped(prove, places, processes):
            bar.update()
            yield proof


def _mapped(prove: Any, places: Sequence[Place], processes: int) -> Iterator[Proof]:
    if processes < 2:
        yield from map(prove, places)
        return
    # The shelves have been opened here, with threads that a fork would not have.
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        yield from pool.map(prove, places, chunksize=_AT_ONCE)


@cache
def _shelf(config: str, split: str, data: Path | None) -> "Shelf":
    """Return a shelf, which keeps what it has read."""
    from pararecover import Shelf

    return Shelf(config, split, data)


def proof_of(data: Path | None, place: Place) -> Proof:
    """Prove one instance of a folder."""
    from build.points import Flaw
    from build.proving import is_runnable, problems

    config, split, id = place
    try:
        instance = _shelf(config, split, data)[id]
    except (KeyError, TypeError, ValueError) as error:
        return Proof(place, "", [Flaw(0, f"its row cannot be read: {error}")])
    if config.endswith(_RECORDED) and not is_runnable(instance) and instance.proof != "full":
        return Proof(place, instance.proof, None)
    return Proof(place, instance.proof, [*_misplaced(config, instance), *problems(instance)])


def _misplaced(config: str, instance: "Instance") -> "Iterator[Flaw]":
    from build.points import Flaw

    if config == "controls":
        if instance.errors:
            yield Flaw(0, "it has errors, but stands among the controls")
    elif not instance.errors:
        yield Flaw(0, f"it has no error, but stands in {config}")
    elif not config.startswith(f"level{instance.level}"):
        yield Flaw(0, f"it is of level {instance.level}, but stands in {config}")


# --- what is said at the end -----------------------------------------------------------------


def _report(proofs: Sequence[Proof]) -> dict[str, Any]:
    proven = [proof for proof in proofs if proof.flaws is not None]
    return {
        "instances": len(proven),
        "proven": sum(not proof.flaws for proof in proven),
        "recorded": dict(sorted(Counter(p.proof for p in proofs if p.flaws is None).items())),
        "points": [_point(point, proven) for point in range(len(_POINTS))],
        "flaws": [
            {"config": config, "split": split, "id": id, "point": flaw.point, "why": flaw.why}
            for (config, split, id), _, flaws in proven
            for flaw in flaws or ()
        ],
    }


def _point(point: int, proofs: Sequence[Proof]) -> dict[str, Any]:
    """Count in how many instances a point holds, fails, or stays untried since others failed."""
    failing = [{flaw.point for flaw in proof.flaws or ()} for proof in proofs]
    fails = sum(point in points for points in failing)
    untried = sum(
        point not in points and min(points, default=8) < min(point, 2) for points in failing
    )
    return {
        "point": point,
        "what": _POINTS[point],
        "holds": len(proofs) - fails - untried,
        "fails": fails,
        "untried": untried,
    }


def _said(report: dict[str, Any]) -> str:
    lines = [f"proven: {report['proven']} of {report['instances']} instances"]
    for proof, count in report["recorded"].items():
        lines.append(f"not provable by execution, proof {proof}: {count}")
    lines.append(f"{'point':45}{'holds':>8}{'fails':>8}{'untried':>9}")
    for one in report["points"]:
        name = f"{one['point']}  {one['what']}"
        lines.append(f"{name:45}{one['holds']:>8}{one['fails']:>8}{one['untried']:>9}")
    flaws = report["flaws"]
    lines += [f"{one['id']}: point {one['point']}: {one['why']}" for one in flaws[:_SHOWN]]
    if len(flaws) > _SHOWN:
        lines.append(f"… {len(flaws) - _SHOWN} more")
    return "\n".join(lines)


if __name__ == "__main__":
    command.run(main)
