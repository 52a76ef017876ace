"""Means with 95% intervals over clustered instances (metrics.md, "Denominator and outcomes").

Instances of one task (query_id) are not independent, so whole tasks are resampled. For rates the
Wilson interval stands beside it, with the number of instances divided by the design effect.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

# Values are floats and nan where nothing is scored; places are indices of instances.
Values = npt.NDArray[Any]
Places = npt.NDArray[Any]
Interval = tuple[float, float]

RESAMPLES: Final = 2000
_AT_ONCE: Final = 100
SEED: Final = 20260101
# Below these numbers of tasks no interval is shown, or Wilson's.
FEW_TASKS: Final = 30
SOME_TASKS: Final = 100
# A mean nearer to 0 or 1 than this is shown with Wilson's interval.
EDGE: Final = 0.05
_Z: Final = 1.959964


@dataclass(frozen=True)
class Estimate:
    """A mean over n values of `tasks` tasks; ci: its 95% interval, None under 30 tasks.

    method: how the interval was found, bootstrap or wilson; "" without one.
    """

    mean: float
    n: int
    tasks: int
    ci: Interval | None
    method: str


class Resampler:
    """Draws whole tasks of one selection, the same ones for every figure of it.

    A figure of a group takes from each resample the tasks that it has instances of.
    """

    def __init__(self, tasks: Sequence[str]) -> None:
        """Take the task of each instance of the selection."""
        names, self._tasks = np.unique(np.asarray(tasks, dtype=str), return_inverse=True)
        count = len(names)
        rng = np.random.default_rng(SEED)
        self._weights = np.empty((count, RESAMPLES), np.float32)
        shift = count * np.arange(_AT_ONCE)[:, None]
        for start in range(0, RESAMPLES, _AT_ONCE):
            drawn = rng.integers(count, size=(_AT_ONCE, count)) + shift
            times = np.bincount(drawn.ravel(), minlength=_AT_ONCE * count)
            self._weights[:, start : start + _AT_ONCE] = times.reshape(_AT_ONCE, count).T

    def group(self, places: Places) -> "Group":
        """Return the group of the instances at these places."""
        present, index = np.unique(self._tasks[places], return_inverse=True)
        return Group(places, index, self._weights[present])


@dataclass(frozen=True)
class Sums:
    """What a group's values add up to by task: sums and numbers of values, (metrics, tasks)."""

    sums: Values
    counts: Values

    @property
    def means(self) -> Values:
        """The mean of each metric, nan where nothing is scored."""
        return _ratio(self.sums.sum(axis=1), self.counts.sum(axis=1))


@dataclass(frozen=True)
class Group:
    """Instances of a selection and the resamples of their tasks.

    places: where they stand in the selection. index: the task of each, counted within the
    group. weights: how often each task is drawn in each resample, (tasks, RESAMPLES).
    """

    places: Places
    index: Places
    weights: Values

    def sums(self, values: Values) -> Sums:
        """Add up (metrics, instances) by task; nan counts nowhere."""
        scored = ~np.isnan(values)
        tasks = len(self.weights)
        sums = [
            np.bincount(self.index[known], row[known], minlength=tasks)
            for row, known in zip(values, scored, strict=True)
        ]
        counts = [np.bincount(self.index[known], minlength=tasks) for known in scored]
        return Sums(np.array(sums, float), np.array(counts, float))

    def draws(self, found: Sums) -> Values:
        """Return the mean of each metric in each resample, nan where no scored task is drawn."""
        sums = found.sums.astype(np.float32) @ self.weights
        return _ratio(sums, found.counts.astype(np.float32) @ self.weights)


def _ratio(sums: Values, counts: Values) -> Values:
    ratio = np.full(sums.shape, np.nan)
    np.divide(sums, counts, out=ratio, where=counts > 0)
    return ratio


def estimates(found: Sums, draws: Values, rates: Sequence[bool]) -> list[Estimate | None]:
    """Return the mean of each metric with its interval, None where nothing is scored.

    rates: which of the metrics are 0 or 1 in every instance (or the mean of such).
    """
    parts = zip(found.sums, found.counts, draws, rates, strict=True)
    return [_estimate(sums, counts, drawn, rate=rate) for sums, counts, drawn, rate in parts]


def _estimate(sums: Values, counts: Values, drawn: Values, *, rate: bool) -> Estimate | None:
    n, tasks = int(counts.sum()), int((counts > 0).sum())
    if not n:
        return None
    mean = float(sums.sum() / n)
    if tasks < FEW_TASKS:
        return Estimate(mean, n, tasks, None, "")
    # Few tasks decide a mean near an edge: resamples know too little of its spread, or none.
    # No mean in [0, 1] spreads more than a rate, so there Wilson's interval is a safe one.
    at_edge = not EDGE <= mean <= 1 - EDGE
    if at_edge or (rate and tasks < SOME_TASKS):
        effective = n / design_effect(sums, counts)
        return Estimate(mean, n, tasks, wilson(mean, effective), "wilson")
    return Estimate(mean, n, tasks, middle(drawn), "bootstrap")


def macro(means: Values, draws: Values, n: int, tasks: int) -> Estimate | None:
    """Return the mean over groups of a metric's means; None where no group is scored.

    means: (groups,). draws: (groups, RESAMPLES). n, tasks: instances and tasks in any of them.
    """
    if np.isnan(means).all():
        return None
    mean = float(np.nanmean(means))
    if tasks < FEW_TASKS:
        return Estimate(mean, n, tasks, None, "")
    if mean in {0.0, 1.0}:
        return Estimate(mean, n, tasks, wilson(mean, tasks), "wilson")
    known = ~np.isnan(draws)
    drawn = _ratio(np.where(known, draws, 0).sum(axis=0), known.sum(axis=0))
    return Estimate(mean, n, tasks, middle(drawn), "bootstrap")


def middle(drawn: Values) -> Interval:
    """Return what 95% of the resamples lie in; nan counts nowhere."""
    low, high = np.quantile(drawn[~np.isnan(drawn)], (0.025, 0.975))
    return float(low), float(high)


def wilson(mean: float, n: float) -> Interval:
    """Return Wilson's 95% interval of a rate; n may be a fraction (effective number)."""
    z2 = _Z * _Z
    centre = (mean + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z / (1 + z2 / n) * math.sqrt(mean * (1 - mean) / n + z2 / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def design_effect(sums: Values, counts: Values) -> float:
    """Return the variance of a rate over that of a simple random sample; at least 1.

    sums, counts: of the values by task. Where all values are equal nothing tells instances of
    one task apart, and each task counts once. A rate that few tasks differ in tells little: its
    design effect is drawn towards that one, as if one more task differed (our own definition;
    without it too few intervals of 60 tasks hold a rate of 2%: benchmarks/coverage.py).
    """
    sums, counts = sums[counts > 0], counts[counts > 0]
    n, tasks = counts.sum(), len(counts)
    once = n / tasks
    mean = sums.sum() / n
    if tasks < 2 or not 0 < mean < 1:
        return float(once)
    simple = mean * (1 - mean) / (n - 1)
    residuals = sums - mean * counts
    clustered = tasks / (tasks - 1) * (residuals**2).sum() / n**2
    differ = min((sums > 0).sum(), (sums < counts).sum())
    return float((differ * max(1.0, clustered / simple) + once) / (differ + 1))


def pass_at_k(n: int, correct: int, k: int) -> float:
    """Return the chance that one of k samples is right, of n of which `correct` are.

    The unbiased estimate 1 − C(n−c, k) / C(n, k); raises ValueError where k > n.
    """
    if not 1 <= k <= n:
        raise ValueError(f"k = {k} of {n} samples")
    return 1.0 - math.comb(n - correct, k) / math.comb(n, k)
