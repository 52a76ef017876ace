"""Compare two runs on the same instances: whether one is better, or chance alone.

For each metric: the difference A − B in points of percent with its 95% interval; p, of the
differences of whole tasks with their signs flipped; p adjusted for all the metrics (Holm);
the tasks in which one of the two has more, which alone decide; and the smallest difference that
so many tasks show in 80 of 100 cases. Scores are strict: what is missing counts as failure.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eval import commands
from trajectory import canonical, command
from trajectory.files import InputError

if TYPE_CHECKING:
    from eval.paired import Difference
    from eval.scoring import Table

_EXAMPLES = (
    "python -m eval.compare runs/carry_on runs/blind_retry",
    "python -m eval.compare runs/carry_on runs/blind_retry --metrics verified_e5 --json",
    "python -m eval.compare runs/carry_on answers.jsonl --level level1 --common",
)
_DIGITS: Final = 6


@dataclass(frozen=True)
class Comparison:
    """Two agents on n instances of `tasks` tasks; left_out: instances only one of them declared.

    differences: by metric. adjusted: p of each, adjusted for all of them together.
    """

    a: str
    b: str
    config: str
    n: int
    tasks: int
    left_out: int
    differences: Mapping[str, "Difference"]
    adjusted: Mapping[str, float | None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = command.parser("eval.compare", __doc__, _EXAMPLES)
    parser.add_argument("a", type=Path, help="a run folder, or a JSON Lines file of answers")
    parser.add_argument("b", type=Path, help="the one to compare it with")
    parser.add_argument("--metrics", nargs="+", help="these metrics alone (default: all)")
    parser.add_argument(
        "--common", action="store_true", help="compare on the instances that both declare"
    )
    commands.add_options(parser)
    options = parser.parse_args(arguments)
    tables = [_table(options, path) for path in (options.a, options.b)]
    found = compare(tables[0], tables[1], options.metrics, common=options.common)
    print(canonical.dumps(to_record(found)) if options.json else text(found))
    return 0


def _table(options: argparse.Namespace, path: Path) -> "Table":
    return commands.scored(argparse.Namespace(**{**vars(options), "run": path}))


def compare(
    a: "Table", b: "Table", metrics: Sequence[str] | None = None, *, common: bool = False
) -> Comparison:
    """Compare two tables, metric by metric (None: all that both have).

    Raises InputError where they are not about the same instances (common: where they share
    none), or a metric is not in both.
    """
    from eval.paired import differences, holm
    from eval.scoring import strict

    ids = _shared(a, b, common=common)
    shared = _metrics(a, b, metrics)
    sides = []
    for table in (a, b):
        places = {id: place for place, id in enumerate(table.cells)}
        names, values = strict(table)
        rows = [list(names).index(name) for name in shared]
        sides.append(values[rows][:, [places[id] for id in ids]])
    tasks = [a.cells[id].task for id in ids]
    found = zip(shared, differences(sides[0], sides[1], tasks), strict=True)
    known = {name: one for name, one in found if one is not None}
    adjusted = holm([one.p for one in known.values()])
    return Comparison(
        a=_named(a),
        b=_named(b),
        config=a.selection.shelf.config,
        n=len(ids),
        tasks=len(set(tasks)),
        left_out=len(a.cells.keys() ^ b.cells.keys()),
        differences=known,
        adjusted=dict(zip(known, adjusted, strict=True)),
    )


def _shared(a: "Table", b: "Table", *, common: bool) -> list[str]:
    first, second = (one.selection for one in (a, b))
    if common:
        ids = sorted(a.cells.keys() & b.cells.keys())
        if first.edition == second.edition and ids:
            return ids
        raise InputError(
            "the runs share no instance", got=f"{_said(a)} and {_said(b)}", do="compare others"
        )
    if first.ids == second.ids and first.shelf.digest == second.shelf.digest:
        return list(a.cells)
    raise InputError(
        "the runs are not about the same instances",
        got=f"{_said(a)} and {_said(b)}",
        do="give runs over one selection, or --common to compare on what both declare",
    )


def _said(table: "Table") -> str:
    one = table.selection
    return f"{len(one.ids)} of {one.shelf.config} {one.shelf.digest[:8]}"


def _metrics(a: "Table", b: "Table", wanted: Sequence[str] | None) -> list[str]:
    from eval.scoring import strict

    second = set(strict(b)[0])
    both = [name for name in strict(a)[0] if name in second]
    absent = [name for name in wanted or () if name not in both]
    if absent or not both:
        raise InputError(
            "no metric of both runs", got=", ".join(absent), wanted=", ".join(both), do="see --help"
        )
    return both if wanted is None else [name for name in both if name in wanted]


def to_record(found: Comparison) -> dict[str, Any]:
    """Return a comparison as an object for programs: shares in [−1, 1], to six decimals."""
    return {
        "a": found.a,
        "b": found.b,
        "config": found.config,
        "n": found.n,
        "tasks": found.tasks,
        "left_out": found.left_out,
        "metrics": [
            {
                "metric": name,
                "a": _rounded(one.a),
                "b": _rounded(one.b),
                "difference": _rounded(one.mean),
                "n": one.n,
                "tasks": one.tasks,
                "ci": None if one.ci is None else [_rounded(end) for end in one.ci],
                "p": _rounded(one.p),
                "p_holm": _rounded(found.adjusted[name]),
                "tasks_a_more": one.a_more,
                "tasks_b_more": one.b_more,
                "smallest": _rounded(one.smallest),
            }
            for name, one in found.differences.items()
        ],
    }


def _named(table: "Table") -> str:
    played = f", tools played by {table.player}, not verified" if table.player else ""
    return f"{table.agent}{played}"


def _rounded(value: float | None) -> float | None:
    # A minus before nothing says nothing.
    return None if value is None else round(value, _DIGITS) + 0.0


_HEADS: Final = ("", "A", "B", "A − B", "p", "p (Holm)", "A more", "B more", "smallest shown")


def text(found: Comparison) -> str:
    """Return a comparison as a table in percent, and what it says."""
    from eval.paired import LEVEL
    from eval.tables import grid, head, points

    rows = [
        [
            _marked(head(name), name),
            f"{100 * one.a:.1f}",
            f"{100 * one.b:.1f}",
            points(one.mean, one.ci),
            _p(one.p, 0),
            _p(found.adjusted[name], LEVEL),
            str(one.a_more),
            str(one.b_more),
            "–" if one.smallest is None else f"{100 * one.smallest:.1f}",
        ]
        for name, one in found.differences.items()
    ]
    tests = sum(one.p is not None for one in found.differences.values())
    left_out = f", on what both declare ({found.left_out} left out)" if found.left_out else ""
    lines = [
        f"A: {found.a} · B: {found.b}",
        f"{found.config}, {found.n} instances of {found.tasks} tasks{left_out}",
        grid(_HEADS, rows),
        f"* p < {LEVEL} after Holm's adjustment for the {tests} metrics that differ anywhere",
        "↓ lower is better · A more, B more: tasks, the only ones that decide",
        "smallest shown: the difference that so many tasks show in 80 of 100 cases",
    ]
    if any(one.ci is None for one in found.differences.values()):
        lines.append("under 30 tasks: no interval")
    return "\n".join(lines)


def _marked(said: str, metric: str) -> str:
    from eval.metrics import LOWER_IS_BETTER
    from eval.scoring import plain

    return f"{said} ↓" if plain(metric) in LOWER_IS_BETTER else said


def _p(value: float | None, level: float) -> str:
    if value is None:
        return "–"
    return ("< 0.001" if value < 0.001 else f"{value:.3f}") + ("*" if value < level else "")


if __name__ == "__main__":
    command.run(main)
