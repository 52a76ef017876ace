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

Places = npt.NDArray[Any]

RESAMPLES: Final = 2000
_AT_ONCE: Final = 100
SEED: Final = 20260101
# Below these numbers of tasks no interval is shown, or Wilson's.
FEW_TASKS: Final = 30
SOME_TASKS: Final = 100
# A rate nearer to 0 or 1 than this is shown with Wilson's interval.
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
    ci: tuple[float, float] | None
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
        for start in range(0, RESAMPLES, _AT_ONCE):
            drawn = rng.multinomial(count, np.full(count, 1 / count), size=_AT_ONCE)
            self._weights[:, start : start + _AT_ONCE] = drawn.T

    def group(self, places: Places) -> "Group":
        """Return the group of the instances at these places."""
        present, index = np.unique(self._tasks[places], return_inverse=True)
        return Group(places, index, self._weights[present])


@dataclass(frozen=True)
class Group:
    """Instances of a selection and the resamples of their tasks.

    places: where they stand in the selection. index: the task of each, counted within the
    group. weights: how often each task is drawn in each resample, (tasks, RESAMPLES).
    """

    places: Places
    index: Places
    weights: Places

    def estimate(self, values: Places, *, rate: bool) -> Estimate | None:
        """Return the mean of values with its interval, None where all of them are nan.

        values: one an instance of the group, in [0, 1], nan where unscored. rate: whether each
        is 0 or 1.
        """
        scored = ~np.isnan(values)
        if not scored.any():
            return None
        tasks = len(self.weights)
        sums = np.bincount(self.index[scored], values[scored], minlength=tasks)
        counts = np.bincount(self.index[scored], minlength=tasks).astype(float)
        mean, n, tasks = (
            float(sums.sum() / counts.sum()),
            int(scored.sum()),
            int((counts > 0).sum()),
        )
        if tasks < FEW_TASKS:
            return Estimate(mean, n, tasks, None, "")
        if rate and (tasks < SOME_TASKS or not EDGE <= mean <= 1 - EDGE):
            effective = n / _design_effect(sums, counts, mean)
            return Estimate(mean, n, tasks, wilson(mean, effective), "wilson")
        return Estimate(mean, n, tasks, self._bootstrap(sums, counts), "bootstrap")

    def _bootstrap(self, sums: Places, counts: Places) -> tuple[float, float]:
        drawn = counts.astype(np.float32) @ self.weights
        means = (sums.astype(np.float32) @ self.weights)[drawn > 0] / drawn[drawn > 0]
        low, high = np.quantile(means, (0.025, 0.975))
        return float(low), float(high)


def wilson(mean: float, n: float) -> tuple[float, float]:
    """Return Wilson's 95% interval of a rate; n may be a fraction (effective number)."""
    z2 = _Z * _Z
    centre = (mean + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z / (1 + z2 / n) * math.sqrt(mean * (1 - mean) / n + z2 / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def pass_at_k(n: int, correct: int, k: int) -> float:
    """Return the chance that one of k samples is right, of n of which `correct` are.

    The unbiased estimate 1 − C(n−c, k) / C(n, k); raises ValueError where k > n.
    """
    if not 1 <= k <= n:
        raise ValueError(f"k = {k} of {n} samples")
    return 1.0 - math.comb(n - correct, k) / math.comb(n, k)


def _design_effect(sums: Any, counts: Any, mean: float) -> float:
    """Return the variance of the mean over that of a simple random sample; at least 1."""
    n, tasks = counts.sum(), len(counts)
    simple = mean * (1 - mean) / (n - 1) if n > 1 else 0.0
    if simple <= 0 or tasks < 2:
        return 1.0
    residuals = sums - mean * counts
    clustered = tasks / (tasks - 1) * float((residuals**2).sum()) / n**2
    return max(1.0, float(clustered / simple))
