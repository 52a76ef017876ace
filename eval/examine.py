"""Examine a rater: how often it is right about planted answers, whose right scores are known.

The answers are made from proven instances by one controlled change each (ours), and written by
readers who knew the truth and saw no rater (readers', frozen with a hash). --checks examines our
process checks, --judge a model through the same prompts and the same reading as eval.sde; its
judgements are kept in --out and taken up where they were left. Printed by item: the share of right
scores with its 95% interval, by language, and what was given against what was right. Trivial
answers (no thought, a message copied, everything is wrong, every node named) have no diagnosis;
the mean of D1 to D5 that a rater gives them is printed too.

Exit code: 0 when every answer was rated; 1 when some are still due (run it again); 2 when the
input is wrong or the provider refuses; 130 when it was interrupted.
"""

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eval.judging.options import add_judges, judges
from eval.options import positive
from trajectory import canonical, command
from trajectory.files import InputError

if TYPE_CHECKING:
    from eval.planted import Planted
    from eval.planted.marking import Accuracy, Given
    from eval.planted.shelves import Shelves

_EXAMPLES: Final = (
    "python -m eval.examine --checks",
    "python -m eval.examine --checks --planted readers --wrong",
    "python -m eval.examine --help",
)
OURS, READERS = "ours", "readers"
_TRIVIAL: Final = "trivial"
_TRIVIAL_OF: Final = 40
_INTERRUPTED: Final = 130
_DIGITS: Final = 6

# The given scores by the name of the answers' source; each with the answers' number of the due.
_Marks = dict[str, "list[Given]"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _options(arguments)
    from eval.planted.shelves import Shelves, shelves

    shelf = Shelves(options.config, options.data) if options.config else shelves(options.data)
    sources = _sources(options, shelf)
    if options.checks:
        _print(options, "checks", {name: _checked(some, shelf) for name, some in sources.items()})
        return 0
    return _judged(options, sources, shelf)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser("eval.examine", __doc__, _EXAMPLES)
    add = parser.add_argument
    add("--checks", action="store_true", help="examine the process checks: no model, no network")
    add("--planted", action="append", metavar="WHAT", help="ours, readers, or a file (both)")
    add("--many", type=positive, default=40, help="of ours: so many answers an item (40)")
    add("--config", action="append", help="where the instances stand (the minis)")
    add("--data", type=Path, help="the dataset's folder (default: pararecover)")
    add("--out", type=Path, default=Path("examined"), help="folder of judgements (examined)")
    add("--wrong", action="store_true", help="list the answers that were rated wrong")
    add("--json", action="store_true", help="print the figures as JSON")
    add_judges(parser, repeats=False)
    options = parser.parse_args(arguments)
    if options.checks == bool(options.judge):
        raise InputError("nobody to examine, or two", do="give --checks, or --judge NAME")
    return options


def _sources(options: argparse.Namespace, shelf: "Shelves") -> "dict[str, list[Planted]]":
    """Return the planted answers by their source, and the trivial ones."""
    from itertools import islice

    from eval.planted import planted, proven
    from eval.planted.frozen import frozen
    from eval.planted.reading import read_planted
    from eval.planted.trivial import trivial

    found: dict[str, list[Planted]] = {}
    for name in options.planted or (OURS, READERS):
        if name == OURS:
            found[name] = planted(shelf, many=options.many)
        else:
            found[name] = frozen() if name == READERS else list(read_planted(name))
    found[_TRIVIAL] = list(trivial(islice(proven(shelf), _TRIVIAL_OF)))
    return found


def _checked(answers: "Sequence[Planted]", shelf: "Shelves") -> "list[Given]":
    from tqdm import tqdm

    from eval.checks import Case, checked
    from eval.planted.marking import Given

    cases: dict[str, Case] = {}
    found = []
    for one in tqdm(answers, unit="answer", disable=None, file=sys.stderr):
        case = cases.setdefault(one.id, Case(shelf.read(one.id)))
        told = checked(case, one.answer_text)
        found.append(Given(one, told.items, told.reasons))
    return found


# --- judges ----------------------------------------------------------------------------------


def _judged(
    options: argparse.Namespace, sources: "Mapping[str, list[Planted]]", shelf: "Shelves"
) -> int:
    """Let each judge judge what is due, and print how it did."""
    from eval.asking import Asker
    from eval.judging.desk import Desk
    from eval.judging.records import file_name
    from eval.sde import said

    # One instance has several answers: they are told apart as samples are.
    keyed = _keyed(one for some in sources.values() for one in some)
    answers = {key: _to_judge(key, one) for key, one in keyed.items()}
    if options.dry_run:
        print(f"{len(answers)} answers would be judged by {', '.join(options.judge)}")
        return 0
    reports = []
    with Asker() as asker:
        for judge, asked in judges(options):
            desk = Desk(shelf, judge, asked, asker, answers, reference=options.with_reference)
            file = options.out / file_name(asked.rater)
            options.out.mkdir(parents=True, exist_ok=True)
            reports.append(desk.judge_all(file, 1, options.concurrency))
            _print(options, asked.rater, _marks(file, keyed, sources))
            if desk.stop.is_set:
                break
    for one in reports:
        print(said(one), file=sys.stderr)
    if any(one["stopped"] == "interrupted" for one in reports):
        return _INTERRUPTED
    return 1 if any(one["due"] for one in reports) else 0


_Key = tuple[str, int]


def _keyed(answers: "Iterable[Planted]") -> "dict[_Key, Planted]":
    counts: dict[str, int] = {}
    found = {}
    for one in answers:
        number = counts.get(one.id, 0)
        counts[one.id] = number + 1
        found[one.id, number] = one
    return found


def _to_judge(key: _Key, one: "Planted") -> Any:
    """Return an answer of which only the dimension of its item is judged."""
    from eval.judging.desk import Judged

    return Judged(*key, one.answer_text, dimensions=(one.item[0],))


def _marks(
    file: Path, keyed: "Mapping[_Key, Planted]", sources: "Mapping[str, list[Planted]]"
) -> _Marks:
    from eval.planted.marking import Given
    from eval.rubric import read_scores

    rows = {(row.id, row.sample): row for row in read_scores(file)}
    given = {
        id(one): Given(one, rows[key].items, rows[key].reasons)
        for key, one in keyed.items()
        if key in rows
    }
    return {
        name: [given[id(one)] for one in some if id(one) in given] for name, some in sources.items()
    }


# --- how it is told --------------------------------------------------------------------------


def _print(options: argparse.Namespace, rater: str, marks: _Marks) -> None:
    if options.json:
        print(canonical.dumps(_record(rater, marks)))
        return
    parts = [_table(rater, name, some) for name, some in marks.items() if name != _TRIVIAL and some]
    print("\n\n".join([*parts, _of_trivial(marks.get(_TRIVIAL, []))]))
    if options.wrong:
        wrong = [one for name, some in marks.items() if name != _TRIVIAL for one in some]
        print("\n" + "\n".join(_line(one) for one in wrong if not one.is_right))


def _record(rater: str, marks: _Marks) -> dict[str, Any]:
    from eval.planted.frozen import files
    from eval.planted.marking import accuracies, trivial_means

    hashes = {path.name: digest for path, digest in files().items()} if READERS in marks else {}
    return {
        "rater": rater,
        "frozen": hashes,
        "items": {
            name: [_accuracy(one) for one in accuracies(some)]
            for name, some in marks.items()
            if name != _TRIVIAL and some
        },
        "trivial": trivial_means(marks.get(_TRIVIAL, [])),
    }


def _accuracy(one: "Accuracy") -> dict[str, Any]:
    low, high = one.right.ci or (None, None)
    return {
        "item": one.item,
        "n": one.n,
        "right": round(one.right.mean, _DIGITS),
        "ci": [low, high],
        "error": one.error,
        "unscored": one.unscored,
        "by_language": dict(one.by_language),
        "by_score": {str(score): share for score, share in one.by_score.items()},
        "confusion": one.confusion,
    }


def _table(rater: str, source: str, given: "Sequence[Given]") -> str:
    from eval.planted.frozen import files
    from eval.planted.marking import accuracies
    from eval.tables import grid, percent

    rows = [
        [
            one.item,
            str(one.n),
            percent(one.right.mean, one.right.ci),
            *(percent(one.by_language.get(language), None) for language in ("en", "zh")),
            *(percent(one.by_score.get(score), None) for score in (0.0, 0.5, 1.0)),
            str(one.unscored),
        ]
        for one in accuracies(given)
    ]
    heads = ["item", "n", "right, %", "en", "zh", "of 0", "of 0.5", "of 1", "unscored"]
    hashes = [f"{path.name} {digest[:12]}" for path, digest in files().items()]
    frozen = f" (frozen: {', '.join(hashes)})" if source == READERS else ""
    return f"{rater} on planted answers: {source}{frozen}\n\n{grid(heads, rows)}"


def _of_trivial(given: "Sequence[Given]") -> str:
    from eval.planted.marking import trivial_means
    from eval.planted.trivial import AT_MOST

    means = trivial_means(given)
    told = "; ".join(f"{name}: {mean:.3f}" for name, mean in means.items())
    return f"mean of D1 to D5 of trivial answers (at most {AT_MOST}): {told}"


def _line(one: "Given") -> str:
    answer = one.answer
    score = "unscored" if one.score is None else f"{one.score:g}"
    return (
        f"{answer.id} {answer.item} {answer.language}: right {answer.score:g}, given {score} "
        f"({one.reason}); {answer.change}"
    )


if __name__ == "__main__":
    command.run(main)
