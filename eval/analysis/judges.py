"""RQ3: whether judges agree (metrics.md, "Judge reliability")."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Final

from eval.analysis.sheets import Cell, Part, Sheet
from eval.analysis.studied import Studied
from eval.rubric import DIMENSIONS, read_scores, score_files

# Of a run, by rater, then by (id, sample, repeat): a score in [0, 1] by item, unscored left out.
Key = tuple[str, int, int]
Items = Mapping[str, float]
Scores = Mapping[str, Mapping[Key, Items]]

_MEANS_NOTE: Final = (
    "Mean of the judged items of each dimension (S5 and E5 are not in it), in percent, over the "
    "rows in which all of them are scored; rows: those that the rater looked at. Checks are ours "
    "and made by program; judged and checked scores are never mixed."
)
_PAIRS_NOTE: Final = (
    "On the items that both raters scored of the same rows. EMA: share of exact matches; MAE: "
    "mean absolute error; kappa: Cohen's, linearly weighted. The paper: average EMA 0.8067, MAE "
    "0.1208."
)
_RANKS_NOTE: Final = (
    "Kendall's tau of the agents' order by the mean of the three dimensions, over the agents that "
    "both raters scored."
)


def sheets(studied: Sequence[Studied]) -> Iterator[Sheet]:
    """Yield the raters' means, how they agree, and whether they rank agents alike."""
    scores = [(one, read(one.run.path)) for one in studied]
    scores = [(one, found) for one, found in scores if found]
    heads = ["config", "agent", "rater", "rows", *DIMENSIONS]
    means = [row for one, found in scores for row in _means(one, found)]
    yield Sheet("raters", "Scores by rater (RQ3)", _MEANS_NOTE, heads, means)
    heads = ["config", "rater", "other rater", "item", "n", "EMA", "MAE", "kappa"]
    yield Sheet("agreement", "Agreement of raters (RQ3)", _PAIRS_NOTE, heads, _agreement(scores))
    heads = ["config", "rater", "other rater", "agents", "tau"]
    yield Sheet("ranking", "Agents as raters rank them (RQ3)", _RANKS_NOTE, heads, _ranks(scores))


def read(folder: Path) -> Scores:
    """Return the scores that lie in a run's folder; raises InputError on what is no row."""
    found: dict[str, dict[Key, Items]] = defaultdict(dict)
    for file in score_files(folder):
        for row in read_scores(file):
            items = {name: one for name, one in row.items.items() if one is not None}
            found[row.rater][row.id, row.sample, row.repeat] = items
    return found


def _means(one: Studied, found: Scores) -> Iterator[list[Cell]]:
    for rater, rows in sorted(found.items()):
        means = _dimensions(rows)
        cells = [Part(means[name]) if name in means else None for name in DIMENSIONS]
        yield [one.config, one.label, rater, len(rows), *cells]


def _dimensions(rows: Mapping[Key, Items]) -> dict[str, float]:
    """Return the mean of each dimension's judged items, over rows in which all are scored."""
    found = {}
    for name, wanted in DIMENSIONS.items():
        whole = [items for items in rows.values() if items.keys() >= set(wanted)]
        scores = [items[item] for items in whole for item in wanted]
        if scores:
            found[name] = sum(scores) / len(scores)
    return found


def _agreement(scores: Sequence[tuple[Studied, Scores]]) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for config in sorted({one.config for one, _ in scores}):
        some = [found for one, found in scores if one.config == config]
        for a, b in combinations(sorted({rater for found in some for rater in found}), 2):
            pairs = _pairs([(found[a], found[b]) for found in some if {a, b} <= found.keys()])
            rows += [[config, a, b, item, *measures(each)] for item, each in pairs.items()]
    return rows


Pairs = list[tuple[float, float]]


def _pairs(sides: Sequence[tuple[Mapping[Key, Items], Mapping[Key, Items]]]) -> dict[str, Pairs]:
    """Return what two raters gave, by item and for all items together."""
    found: dict[str, Pairs] = defaultdict(list)
    for first, second in sides:
        for key in first.keys() & second.keys():
            for item in first[key].keys() & second[key].keys():
                pair = (first[key][item], second[key][item])
                found[item].append(pair)
                found["all"].append(pair)
    return dict(sorted(found.items()))


def measures(pairs: Pairs) -> tuple[int, float, float, float | None]:
    """Return n, EMA, MAE and linearly weighted kappa of pairs of scores of 0, 0.5 and 1.

    Kappa is None where both raters only ever gave one score, the same.
    """
    from sklearn.metrics import cohen_kappa_score

    exact = sum(one == other for one, other in pairs) / len(pairs)
    error = sum(abs(one - other) for one, other in pairs) / len(pairs)
    first, second = ([round(2 * pair[side]) for pair in pairs] for side in (0, 1))
    if len({*first, *second}) < 2:
        return len(pairs), exact, error, None
    kappa = cohen_kappa_score(first, second, weights="linear", labels=[0, 1, 2])
    return len(pairs), exact, error, float(kappa)


def _ranks(scores: Sequence[tuple[Studied, Scores]]) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for config in sorted({one.config for one, _ in scores}):
        some = [found for one, found in scores if one.config == config]
        for a, b in combinations(sorted({rater for found in some for rater in found}), 2):
            both = [found for found in some if {a, b} <= found.keys()]
            means = [[_overall(found[rater]) for found in both] for rater in (a, b)]
            rows.append([config, a, b, len(both), tau(*means)])
    return rows


def _overall(rows: Mapping[Key, Items]) -> float:
    found = _dimensions(rows).values()
    return sum(found) / len(found) if found else 0.0


def tau(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return Kendall's tau-b of two orders; None where either tells nobody apart."""
    ties = [0, 0]
    agreed = 0
    pairs = list(combinations(range(len(first)), 2))
    for a, b in pairs:
        signs = [(side[a] > side[b]) - (side[a] < side[b]) for side in (first, second)]
        agreed += signs[0] * signs[1]
        ties = [count + (sign == 0) for count, sign in zip(ties, signs, strict=True)]
    below = (len(pairs) - ties[0]) * (len(pairs) - ties[1])
    return None if not below else float(agreed / below**0.5)
