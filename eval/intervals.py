"""Means with 95% intervals over clustered instances (metrics.md, "Denominator and outcomes").

Instances of one task (query_id) are not independent, so whole tasks are resampled. For rates the
Wilson interval stands beside it, with the number of instances divided by the design effect.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

RESAMPLES: Final = 2000
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


def estimate(values: Sequence[float], clusters: Sequence[str], *, rate: bool) -> Estimate | None:
    """Return the mean of values with its interval, None where there are no values.

    values: in [0, 1]. clusters: the task of each. rate: whether each value is 0 or 1.
    """
    if not values:
        return None
    sums, counts = _by_cluster(values, clusters)
    mean = float(sums.sum() / counts.sum())
    n, tasks = len(values), len(sums)
    if tasks < FEW_TASKS:
        return Estimate(mean, n, tasks, None, "")
    if rate and (tasks < SOME_TASKS or not EDGE <= mean <= 1 - EDGE):
        effective = n / _design_effect(sums, counts, mean)
        return Estimate(mean, n, tasks, wilson(mean, effective), "wilson")
    return Estimate(mean, n, tasks, _bootstrap(sums, counts), "bootstrap")


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


def _by_cluster(values: Sequence[float], clusters: Sequence[str]) -> tuple[Any, Any]:
    """Return sum and number of the values of each cluster, in the order of their names."""
    _, index = np.unique(np.asarray(clusters, dtype=object).astype(str), return_inverse=True)
    sums = np.bincount(index, weights=np.asarray(values, dtype=float))
    return sums, np.bincount(index).astype(float)


def _design_effect(sums: Any, counts: Any, mean: float) -> float:
    """Return the variance of the mean over that of a simple random sample; at least 1."""
    n, tasks = counts.sum(), len(counts)
    simple = mean * (1 - mean) / n
    if simple <= 0 or tasks < 2:
        return 1.0
    residuals = sums - mean * counts
    clustered = tasks / (tasks - 1) * float((residuals**2).sum()) / n**2
    return max(1.0, float(clustered / simple))


def _bootstrap(sums: Any, counts: Any) -> tuple[float, float]:
    weights = _weights(len(sums))
    means = (weights @ sums) / (weights @ counts)
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)


@lru_cache(maxsize=8)
def _weights(tasks: int) -> Any:
    """Return how often each task is drawn in each resample; the same for the same number."""
    rng = np.random.default_rng([SEED, tasks])
    return rng.multinomial(tasks, np.full(tasks, 1 / tasks), size=RESAMPLES).astype(np.float32)
