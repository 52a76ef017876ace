"""Rank intervals: which ranks the data leave open to each of several agents.

An agent's rank is at least 1 + the agents that are significantly better, and at most all minus
those that are significantly worse; paired on the same instances, Holm's adjustment over all
pairs (our own definition; LEADERBOARD.md).
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from eval.intervals import Resampler, Values
from eval.paired import LEVEL, flipped, holm

Ranks = tuple[int, int]


def rank_intervals(values: Values, tasks: Sequence[str]) -> list[Ranks]:
    """Return the first and last rank of each agent, from 1; more is better.

    values: (agents, instances), nan where unscored: a pair counts where both have a value.
    tasks: of each instance.
    """
    count = len(values)
    pairs = list(combinations(range(count), 2))
    better, worse = np.zeros(count, int), np.zeros(count, int)
    if pairs:
        first, second = (np.array(side) for side in zip(*pairs, strict=True))
        group = Resampler(tasks).group(np.arange(len(tasks)))
        sums = group.sums(values[first] - values[second]).sums
        for (a, b), total, p in zip(pairs, sums.sum(axis=1), holm(flipped(sums)), strict=True):
            if p is not None and p < LEVEL:
                winner, loser = (a, b) if total > 0 else (b, a)
                better[loser] += 1
                worse[winner] += 1
    return [(int(1 + better[one]), int(count - worse[one])) for one in range(count)]


def said(ranks: Sequence[int] | None) -> str:
    """Return ranks as people read them: "2–4"; "2" where they are one; "–" for none."""
    if ranks is None:
        return "–"
    first, last = ranks
    return str(first) if first == last else f"{first}–{last}"
