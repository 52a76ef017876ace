"""Say how far raters agree: judges, checks and people, on the 13 judged items of the rubric.

Two files of scores: exact matches (EMA), mean absolute error (MAE), linearly weighted kappa and n
for each item and in the mean, with 95% intervals over tasks and what was given against what. One
file with repeats: the rater against itself, and whether it matters where in its question an item
stood. Run folders with --raters A B: both raters over all these runs, Kendall's tau of how they
rank the agents, and which ranks move. People's scores are read from CSV, .xlsx or JSON Lines with
id, item and score; --sheet writes an empty one for a run (docs/annotating.md).
"""

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eval.options import positive
from trajectory import canonical, command
from trajectory.files import InputError

if TYPE_CHECKING:
    from eval.reliability.measures import Agreement, Pair
    from eval.reliability.order import OrderEffect
    from eval.reliability.rankings import Ranking
    from eval.rubric import ScoreRow

_EXAMPLES: Final = (
    "python -m eval.agreement --sheet runs/carry_on --limit 20 --out sheet",
    "python -m eval.agreement runs/carry_on/checks.jsonl runs/carry_on/checks.jsonl",
    "python -m eval.agreement --help",
)
_DIGITS: Final = 6


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _options(arguments)
    if options.sheet:
        return _sheet(options)
    if options.raters:
        told, text = _of_runs(options)
    elif len(options.scores) == 1:
        told, text = _of_one(options)
    else:
        told, text = _of_two(options)
    print(canonical.dumps(told) if options.json else text)
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser("eval.agreement", __doc__, _EXAMPLES)
    parser.add_argument("scores", nargs="*", type=Path, help="one or two files of scores; or runs")
    parser.add_argument("--raters", nargs=2, metavar="NAME", help="two raters of these run folders")
    parser.add_argument("--data", type=Path, help="the dataset's folder (default: pararecover)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--sheet", type=Path, metavar="RUN", help="write a sheet for annotators")
    parser.add_argument("--limit", type=positive, help="of the sheet: so many instances, by hash")
    parser.add_argument("--out", type=Path, help="the sheet's folder")
    options = parser.parse_args(arguments)
    if options.sheet and not options.out:
        raise InputError("no folder for the sheet", do="give --out FOLDER")
    if not options.sheet and not options.scores:
        raise InputError("nothing to compare", do="give one or two files of scores")
    if not options.raters and len(options.scores) > 2:
        raise InputError(
            f"{len(options.scores)} files of scores",
            wanted="one or two",
            do="of run folders say which raters: --raters A B",
        )
    return options


def _sheet(options: argparse.Namespace) -> int:
    from eval.reliability.sheet import rows_to_score, write
    from eval.results import read_run
    from eval.selection import declared

    run = read_run(options.sheet)
    if run.manifest is None:
        raise InputError("not a run folder", file=options.sheet)
    selection = declared(run.manifest, options.data)
    rows = rows_to_score(run, selection, options.limit)
    write(options.out, rows, selection)
    print(f"{len(rows)} answers to score in {options.out}", file=sys.stderr)
    return 0


# --- what is compared ------------------------------------------------------------------------

_Told = tuple[dict[str, Any], str]


def _of_two(options: argparse.Namespace) -> _Told:
    from eval.reliability.pairing import of_raters, tasks_of
    from eval.reliability.reading import read_rater

    first, second = (read_rater(path) for path in options.scores)
    names = first[0].rater, second[0].rater
    return _agreement(of_raters(first, second, tasks_of(options.data)), names)


def _of_one(options: argparse.Namespace) -> _Told:
    from eval.reliability.order import order_effect
    from eval.reliability.pairing import has_repeats, of_repeats, tasks_of
    from eval.reliability.reading import read_rater

    (file,) = options.scores
    rows = read_rater(file)
    tasks = tasks_of(options.data)
    effect = order_effect(rows, tasks)
    if not has_repeats(rows) and effect is None:
        raise InputError(
            "one rater, each row scored once, in no order that is told",
            file=file,
            do="give a second file, or judge with --repeats 2",
        )
    rater = rows[0].rater
    pairs = of_repeats(rows, tasks)
    told, text = _agreement(pairs, (rater, "itself")) if pairs else ({"rater": rater}, rater)
    return {**told, "order": _order_record(effect)}, "\n\n".join([text, _order_text(effect)])


def _of_runs(options: argparse.Namespace) -> _Told:
    from eval.reliability.pairing import of_raters, tasks_of
    from eval.reliability.rankings import compare, overall

    runs = [(path, _rows_of(path, options.raters)) for path in options.scores]
    names = _names_of(path for path, _ in runs)
    tasks = tasks_of(options.data)
    pairs = [pair for _, (one, other) in runs for pair in of_raters(one, other, tasks)]
    means = [{names[path]: overall(sides[place]) for path, sides in runs} for place in range(2)]
    ranking = compare(*means)
    told, text = _agreement(pairs, tuple(options.raters))
    record = {**told, "ranking": {**vars(ranking), "moves": [vars(one) for one in ranking.moves]}}
    return record, f"{text}\n\n{_ranking_text(ranking)}"


def _rows_of(folder: Path, raters: Iterable[str]) -> "tuple[list[ScoreRow], list[ScoreRow]]":
    """Return what each of two raters gave the rows of a run; raises InputError without either."""
    from eval.rubric import read_scores, score_files

    if not folder.is_dir():
        raise InputError("not a run folder", file=folder)
    rows = [row for file in score_files(folder) for row in read_scores(file)]
    known = sorted({row.rater for row in rows})
    for name in raters:
        if name not in known:
            raise InputError(
                "this rater scored nothing here",
                file=folder,
                got=name,
                wanted=", ".join(known) or "a rater (python -m eval.checks, eval.sde)",
            )
    first, second = ([row for row in rows if row.rater == name] for name in raters)
    return first, second


def _names_of(folders: Iterable[Path]) -> Mapping[Path, str]:
    from eval.entries import label
    from eval.results import read_run

    found: dict[Path, str] = {}
    for path in folders:
        run = read_run(path)
        name = label(run.manifest) if run.manifest else run.name
        if name in found.values():
            raise InputError(
                f"a second run of {name}", file=path, do="compare one config at a time"
            )
        found[path] = name
    return found


# --- how it is told --------------------------------------------------------------------------


def _agreement(pairs: "Sequence[Pair]", names: tuple[str, ...]) -> _Told:
    from eval.reliability.measures import agreements

    if not pairs:
        raise InputError(
            "nothing that both scored", got=" and ".join(names), do="score the same rows"
        )
    found = agreements(pairs)
    record = {"raters": list(names), "items": [_record(one) for one in found]}
    return record, f"{names[0]} and {names[1]}\n\n{_table(found)}"


def _record(one: "Agreement") -> dict[str, Any]:
    shares = {
        name: {"mean": round(told.mean, _DIGITS), "ci": _ends(told.ci)}
        for name, told in (("ema", one.ema), ("mae", one.mae))
    }
    kappa = None if one.kappa is None else round(one.kappa, _DIGITS)
    return {
        "item": one.item,
        "n": one.n,
        "tasks": one.tasks,
        **shares,
        "kappa": {"mean": kappa, "ci": _ends(one.kappa_ci)},
        "confusion": one.confusion,
    }


def _ends(interval: Sequence[float] | None) -> list[float] | None:
    return None if interval is None else [round(end, _DIGITS) for end in interval]


def _table(found: "Sequence[Agreement]") -> str:
    from eval.tables import grid

    rows = [
        [
            one.item,
            str(one.n),
            _number(one.ema.mean, one.ema.ci),
            _number(one.mae.mean, one.mae.ci),
            _number(one.kappa, one.kappa_ci),
            "  ".join("/".join(map(str, row)) for row in one.confusion),
        ]
        for one in found
    ]
    heads = ["item", "n", "EMA", "MAE", "kappa", "second 0/0.5/1 where first 0, 0.5, 1"]
    return grid(heads, rows)


def _number(value: float | None, interval: Sequence[float] | None) -> str:
    if value is None:
        return "–"
    ends = f" [{interval[0]:.3f}, {interval[1]:.3f}]" if interval else ""
    return f"{value:.3f}{ends}"


def _order_record(effect: "OrderEffect | None") -> dict[str, Any] | None:
    if effect is None:
        return None
    return {**vars(effect), "difference": round(effect.difference, _DIGITS), "ci": _ends(effect.ci)}


def _order_text(effect: "OrderEffect | None") -> str:
    if effect is None:
        return "order effect: not known (no order of items is told)"
    told = _number(effect.difference, effect.ci)
    return f"order effect: {told} (items asked early less the same asked late; n {effect.n})"


def _ranking_text(ranking: "Ranking") -> str:
    tau = "–" if ranking.tau is None else f"{ranking.tau:.3f}"
    moves = [f"{one.agent}: {one.first} → {one.second}" for one in ranking.moves]
    return f"Kendall's tau over {ranking.agents} agents: {tau}; moved: {', '.join(moves) or 'none'}"


if __name__ == "__main__":
    command.run(main)
