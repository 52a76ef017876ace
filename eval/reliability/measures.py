"""Agreement of two raters on scores of 0, 0.5 and 1 (metrics.md, "Judge reliability").

EMA is the share of exact matches, MAE the mean absolute error, kappa Cohen's with linear weights.
Each item has its own; the mean is over items. Intervals are 95%, whole tasks resampled.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from eval import intervals
from eval.intervals import FEW_TASKS, Estimate, Interval, Resampler, Values
from eval.rubric import ITEMS, SCORES

MEAN = "mean"

_PLACE = {score: place for place, score in enumerate(SCORES)}
# Distance of two scores, in cells of a confusion laid flat.
_APART: Values = np.abs(np.subtract.outer(SCORES, SCORES)).ravel()


class Pair(NamedTuple):
    """What two raters gave one item of one answer; task: the one that the instance is of."""

    item: str
    task: str
    first: float
    second: float


@dataclass(frozen=True)
class Agreement:
    """How two raters agree on an item, or in the mean over items.

    kappa: None where either rater gave one score only and the other the same: then nothing can be
    said beyond chance. kappa_ci: None under 30 tasks. confusion: rows by the first rater's score,
    columns by the second's, both 0, 0.5, 1.
    """

    item: str
    n: int
    tasks: int
    ema: Estimate
    mae: Estimate
    kappa: float | None
    kappa_ci: Interval | None
    confusion: Sequence[Sequence[int]]


def kappa_of(confusion: Values) -> Values:
    """Return linearly weighted kappa of confusions laid flat, (9, …); nan where it is undefined.

    1 − Σ w·O / Σ w·E, w the distance of two scores, O what was seen, E what the raters' own shares
    of scores lead to by chance. Undefined where both only ever gave one score, the same.
    """
    square = confusion.reshape(len(SCORES), len(SCORES), -1).astype(float)
    n = square.sum(axis=(0, 1))
    chance = square.sum(axis=1)[:, None] * square.sum(axis=0)[None]
    apart = _APART.reshape(len(SCORES), len(SCORES), 1)
    seen, expected = (apart * square).sum(axis=(0, 1)) * n, (apart * chance).sum(axis=(0, 1))
    found = np.full(n.shape, np.nan)
    np.divide(seen, expected, out=found, where=expected > 0)
    return (1.0 - found).reshape(confusion.shape[1:])


def agreements(pairs: Sequence[Pair]) -> list[Agreement]:
    """Return the agreement on each item that has pairs, in the rubric's order, and the mean."""
    if not pairs:
        return []
    resampler = Resampler([pair.task for pair in pairs])
    found, draws = [], []
    for item in ITEMS:
        places = [place for place, pair in enumerate(pairs) if pair.item == item]
        if places:
            one, drawn = _of_item(item, [pairs[place] for place in places], places, resampler)
            found.append(one)
            draws.append(drawn)
    return [*found, _mean(pairs, found, np.array(draws))]


def _of_item(
    item: str, pairs: Sequence[Pair], places: Sequence[int], resampler: Resampler
) -> tuple[Agreement, Values]:
    """Return the agreement on an item, and EMA, MAE and kappa in each resample, (3, resamples)."""
    first, second = np.array([(pair.first, pair.second) for pair in pairs]).T
    cells = np.array([3 * _PLACE[pair.first] + _PLACE[pair.second] for pair in pairs])
    group = resampler.group(np.array(places))
    sums = group.sums(np.array([first == second, np.abs(first - second)], float))
    drawn = group.draws(sums)
    ema, mae = intervals.estimates(sums, drawn, [True, False])
    if ema is None or mae is None:
        raise AssertionError("an item with pairs has estimates")
    by_task = np.array(
        [np.bincount(group.index[cells == cell], minlength=ema.tasks) for cell in range(9)]
    )
    confusion = by_task.sum(axis=1)
    kappas = kappa_of(by_task.astype(np.float32) @ group.weights)
    kappa = float(kappa_of(confusion))
    one = Agreement(
        item=item,
        n=ema.n,
        tasks=ema.tasks,
        ema=ema,
        mae=mae,
        kappa=None if np.isnan(kappa) else kappa,
        kappa_ci=_interval(kappas, kappa, ema.tasks),
        confusion=confusion.reshape(3, 3).tolist(),
    )
    return one, np.vstack([drawn, kappas])


def _mean(pairs: Sequence[Pair], found: Sequence[Agreement], draws: Values) -> Agreement:
    """Return the mean over items; kappa over those that have one. draws: (items, 3, resamples)."""
    tasks = len({pair.task for pair in pairs})
    ema, mae = (
        intervals.macro(
            np.array([getattr(one, name).mean for one in found]),
            draws[:, place],
            len(pairs),
            tasks,
        )
        for place, name in enumerate(("ema", "mae"))
    )
    if ema is None or mae is None:
        raise AssertionError("a mean over items is known")
    known = [place for place, one in enumerate(found) if one.kappa is not None]
    kappa = float(np.mean([found[place].kappa for place in known])) if known else np.nan
    drawn = draws[known, 2]
    counts = (~np.isnan(drawn)).sum(axis=0)
    kappas = np.full(draws.shape[2], np.nan)
    np.divide(np.nansum(drawn, axis=0), counts, out=kappas, where=counts > 0)
    return Agreement(
        item=MEAN,
        n=len(pairs),
        tasks=tasks,
        ema=ema,
        mae=mae,
        kappa=kappa if known else None,
        kappa_ci=_interval(kappas, kappa, tasks),
        confusion=np.sum([one.confusion for one in found], axis=0).tolist(),
    )


def _interval(kappas: Values, kappa: float, tasks: int) -> Interval | None:
    if tasks < FEW_TASKS or np.isnan(kappa) or np.isnan(kappas).all():
        return None
    return intervals.middle(kappas)
