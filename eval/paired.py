"""Paired comparison of two agents on the same instances (metrics.md, "Denominator and outcomes").

Instances of one task (query_id) hang together, so a task is the unit: were there no difference,
all that a task adds to it could as well have the other sign. All signs are tried where few tasks
differ, else 20,000 that are drawn.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from eval.intervals import FEW_TASKS, SEED, Interval, Places, Resampler, Values, middle

LEVEL: Final = 0.05
FLIPS: Final = 20_000
# Of so many tasks that differ, all signs are tried.
_ALL_SIGNS: Final = 14
_AT_ONCE: Final = 2_000
# A sum of floats in another order differs by less than this, and is the same.
_SAME: Final = 1e-9
_Z: Final = 1.959964
# A difference of so many standard errors is found in 80 of 100 samples: the z of 0.8 on top.
_FOUND: Final = _Z + 0.841621


@dataclass(frozen=True)
class Difference:
    """The difference a − b of a metric's means over n instances of `tasks` tasks.

    ci: its 95% interval, None under 30 tasks. p: two-sided, by flipped signs; None where no task
    differs. a_more, b_more: the tasks in which a, or b, has more: these decide. smallest: the
    difference that is found at p < 0.05 in 80 of 100 samples of this size and spread; None under
    30 tasks.
    """

    a: float
    b: float
    n: int
    tasks: int
    ci: Interval | None
    p: float | None
    a_more: int
    b_more: int
    smallest: float | None

    @property
    def mean(self) -> float:
        """The difference."""
        return self.a - self.b


def differences(a: Values, b: Values, tasks: Sequence[str]) -> list[Difference | None]:
    """Return the difference of each metric; None where nothing is scored in both.

    a, b: (metrics, instances), nan where unscored. tasks: of each instance. An instance counts
    where both have a value.
    """
    gaps = a - b
    group = Resampler(tasks).group(np.arange(len(tasks)))
    found = group.sums(gaps)
    draws = group.draws(found)
    p = flipped(found.sums)
    known = ~np.isnan(gaps)
    return [
        _difference(a[i][known[i]], b[i][known[i]], found.sums[i], found.counts[i], draws[i], p[i])
        for i in range(len(gaps))
    ]


def _difference(
    a: Values, b: Values, sums: Values, counts: Values, drawn: Values, p: float | None
) -> Difference | None:
    if not len(a):
        return None
    sums, counts = sums[counts > 0], counts[counts > 0]
    enough = len(sums) >= FEW_TASKS
    return Difference(
        a=float(a.mean()),
        b=float(b.mean()),
        n=len(a),
        tasks=len(sums),
        ci=interval_of(sums, counts, drawn) if enough else None,
        p=p,
        a_more=int((sums > _SAME).sum()),
        b_more=int((sums < -_SAME).sum()),
        smallest=_smallest(sums, counts) if enough else None,
    )


def interval_of(sums: Values, counts: Values, drawn: Values) -> Interval:
    """Return the interval of a difference: bootstrapped, or, where few tasks differ, normal.

    sums, counts: of the differences by task. drawn: their mean in each resample.
    """
    if _few_differ(sums):
        sums, counts = _with_halves(sums, counts)
        mean, half = sums.sum() / counts.sum(), _Z * _spread(sums, counts)
        return max(-1.0, float(mean - half)), min(1.0, float(mean + half))
    return middle(drawn)


def _smallest(sums: Values, counts: Values) -> float:
    if _few_differ(sums):
        sums, counts = _with_halves(sums, counts)
    return min(1.0, _FOUND * _spread(sums, counts))


def _few_differ(sums: Values) -> bool:
    """Say whether so few tasks differ that the sample knows too little of its spread."""
    return bool((np.abs(sums) > _SAME).sum() < FEW_TASKS)


def _with_halves(sums: Values, counts: Values) -> tuple[Values, Values]:
    """Return a sample with half a task more for either side, in which that side has everything.

    After Bonett and Price (2012), who add one pair for either side to pairs of rates; half a
    task is what keeps intervals of clustered instances true (benchmarks/coverage.py).
    """
    half = counts.mean() / 2
    return np.append(sums, [half, -half]), np.append(counts, [half, half])


def _spread(sums: Values, counts: Values) -> float:
    """Return the standard error of a mean over instances, clustered by task."""
    tasks, n = len(sums), counts.sum()
    residuals = sums - sums.sum() / n * counts
    return math.sqrt(tasks / (tasks - 1) * float((residuals**2).sum())) / float(n)


def flipped(sums: Values) -> list[float | None]:
    """Return the two-sided p of each row: how often sums of random signs are as far from 0.

    sums: (rows, tasks), what each task adds to a difference. Exact where few tasks differ, None
    where none does.
    """
    differ = (np.abs(sums) > _SAME).sum(axis=1)
    p: list[float | None] = [None] * len(sums)
    for row in np.flatnonzero((differ > 0) & (differ <= _ALL_SIGNS)):
        p[row] = _exact(sums[row])
    many = np.flatnonzero(differ > _ALL_SIGNS)
    if len(many):
        counts = _drawn(sums[many])
        for row, count in zip(many, counts, strict=True):
            p[row] = (1 + int(count)) / (1 + FLIPS)
    return p


def _exact(sums: Values) -> float:
    deciding = sums[np.abs(sums) > _SAME]
    return int(_as_far(_all_signs(len(deciding)), deciding[None])[0]) / float(2 ** len(deciding))


def _all_signs(count: int) -> Values:
    """Return every choice of signs of so many tasks, (tasks, choices)."""
    numbers = np.arange(2**count)
    return 1.0 - 2.0 * (numbers[None] >> np.arange(count)[:, None] & 1)


def _drawn(sums: Values) -> Places:
    """Return how many of `FLIPS` drawn choices of signs are as far from 0 as what was found."""
    rng = np.random.default_rng(SEED)
    counts = np.zeros(len(sums), np.int64)
    for _ in range(FLIPS // _AT_ONCE):
        signs = 1.0 - 2.0 * rng.integers(2, size=(sums.shape[1], _AT_ONCE), dtype=np.int8)
        counts += _as_far(signs, sums)
    return counts


def _as_far(signs: Values, sums: Values) -> Places:
    reached = np.abs(sums @ signs) >= np.abs(sums.sum(axis=1, keepdims=True)) - _SAME
    return np.asarray(reached.sum(axis=1))


def holm(p: Sequence[float | None]) -> list[float | None]:
    """Return the p of several tests, adjusted together (Holm 1979); at most 1.

    None: no task differs, so that nothing could be found; such tests do not count (Tarone 1990).
    """
    tests = sorted((value, place) for place, value in enumerate(p) if value is not None)
    adjusted: list[float | None] = [None] * len(p)
    most = 0.0
    for rank, (value, place) in enumerate(tests):
        most = max(most, min(1.0, (len(tests) - rank) * value))
        adjusted[place] = most
    return adjusted
