"""Whether it matters to a judge how early in its question an item stands (our own definition)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eval.intervals import FEW_TASKS, Interval, Resampler, middle
from eval.reliability.pairing import Tasks, places, task_of
from eval.rubric import ITEMS, ScoreRow


@dataclass(frozen=True)
class OrderEffect:
    """The mean score of items in the first half of their question less that in the second.

    Each item counts alike; in [-1, 1], 0 where order is nothing to the judge. n: scores.
    ci: 95% over tasks, None under 30.
    """

    difference: float
    n: int
    tasks: int
    ci: Interval | None


def order_effect(rows: Sequence[ScoreRow], tasks: Tasks) -> OrderEffect | None:
    """Return the order effect of a judge; None where no item stood at both places."""
    found = [(row, told) for row in rows if (told := places(row))]
    if not found:
        return None
    values = np.full((2, len(ITEMS), len(found)), np.nan)
    for column, (row, told) in enumerate(found):
        for item, early in told.items():
            values[0 if early else 1, ITEMS.index(item), column] = row.items[item]
    both = ~np.isnan(values).all(axis=2).any(axis=0)
    if not both.any():
        return None
    resampler = Resampler([task_of(row, tasks) for row, _ in found])
    group = resampler.group(np.arange(len(found)))
    parts = [group.sums(half[both]) for half in values]
    difference = float(np.mean(parts[0].means - parts[1].means))
    apart = group.draws(parts[0]) - group.draws(parts[1])
    drawn = np.ma.masked_invalid(apart).mean(axis=0).filled(np.nan)
    count = len(group.weights)
    n = int((~np.isnan(values[:, both])).sum())
    return OrderEffect(difference, n, count, middle(drawn) if count >= FEW_TASKS else None)
