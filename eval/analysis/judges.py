"""RQ3: whether judges agree (metrics.md, "Judge reliability")."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Final

from eval.analysis.sheets import Cell, Part, Sheet
from eval.analysis.studied import Studied
from eval.reliability.measures import agreements
from eval.reliability.pairing import of_raters
from eval.reliability.rankings import compare, dimension_means, overall
from eval.rubric import DIMENSIONS, ScoreRow, read_scores, score_files

# Of a run, by rater.
Scores = Mapping[str, Sequence[ScoreRow]]

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
    found: dict[str, list[ScoreRow]] = defaultdict(list)
    for file in score_files(folder):
        for row in read_scores(file):
            found[row.rater].append(row)
    return found


def _means(one: Studied, found: Scores) -> Iterator[list[Cell]]:
    for rater, rows in sorted(found.items()):
        means = dimension_means(rows)
        cells = [Part(means[name]) if name in means else None for name in DIMENSIONS]
        yield [one.config, one.label, rater, len(rows), *cells]


def _agreement(scores: Sequence[tuple[Studied, Scores]]) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for config, a, b, some in _sides(scores):
        pairs = [
            pair
            for one, found in some
            for pair in of_raters(found[a], found[b], dict(zip(one.ids, one.tasks, strict=True)))
        ]
        rows += [
            [config, a, b, one.item, one.n, one.ema.mean, one.mae.mean, one.kappa]
            for one in agreements(pairs)
        ]
    return rows


def _ranks(scores: Sequence[tuple[Studied, Scores]]) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for config, a, b, some in _sides(scores):
        means = [{one.label: overall(found[rater]) for one, found in some} for rater in (a, b)]
        ranking = compare(*means)
        rows.append([config, a, b, ranking.agents, ranking.tau])
    return rows


def _sides(
    scores: Sequence[tuple[Studied, Scores]],
) -> Iterator[tuple[str, str, str, list[tuple[Studied, Scores]]]]:
    """Yield each two raters of a config with the runs that both scored."""
    for config in sorted({one.config for one, _ in scores}):
        of_config = [(one, found) for one, found in scores if one.config == config]
        for a, b in combinations(sorted({rater for _, found in of_config for rater in found}), 2):
            yield config, a, b, [(one, found) for one, found in of_config if {a, b} <= {*found}]
