"""How often 95% intervals hold the truth, and tests of no difference find one, in simulations.

    python benchmarks/coverage.py [DATASETS]

Draws so many datasets (2,000 unless told otherwise) of 60 to 1,500 tasks from a known truth.
Tasks have one to fourteen instances, which are alike within a task (intraclass correlation 0.3).
The intervals are those of `eval.intervals` and `eval.paired`, by the code that a score goes
through. Prints the share of intervals that hold the truth (wanted: 92 to 98%), how wide they are,
and how often two agents differ at p < 0.05 (wanted where they are equal: at most 5%).
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
import numpy.typing as npt

from eval.intervals import Estimate, Group, Resampler, Sums, estimates
from eval.paired import LEVEL, flipped, interval_of

Values = npt.NDArray[Any]

SEED: Final = 20260201
TASKS: Final = (60, 150, 500, 1500)
ALIKE: Final = 0.3
MOST: Final = 14
_DATASETS: Final = 2000
_AT_ONCE: Final = 250


@dataclass(frozen=True)
class Truth:
    """What is drawn from: `sums` draws what the instances of each task add up to.

    sums: (generator, sizes) → sums, both (datasets, tasks). mean: over instances, the truth.
    rate: whether each value is 0 or 1.
    """

    name: str
    mean: float
    rate: bool
    sums: Callable[[np.random.Generator, Values], Values]


def chances(rng: np.random.Generator, mean: float, shape: tuple[int, ...]) -> Values:
    """Draw the chance of each task: a beta distribution whose intraclass correlation is ALIKE."""
    total = 1 / ALIKE - 1
    return rng.beta(mean * total, (1 - mean) * total, shape)


def _rate(mean: float) -> Truth:
    def sums(rng: np.random.Generator, sizes: Values) -> Values:
        return rng.binomial(sizes, chances(rng, mean, sizes.shape))

    return Truth(f"rate of {100 * mean:.0f}%", mean, True, sums)


# A score as E5 is one: 0 where it failed, else 1 or, for half of them, about 0.6.
def _score(passes: float) -> Truth:
    def sums(rng: np.random.Generator, sizes: Values) -> Values:
        passed = rng.binomial(sizes, chances(rng, passes, sizes.shape))
        partly = rng.binomial(passed, 0.5)
        few = np.maximum(partly, 1)
        return (passed - partly) + partly * rng.beta(6 * few, 4 * few)

    return Truth(f"mean score of {80 * passes:.0f}%", 0.8 * passes, False, sums)


# Tasks with many instances are hard: numerator and denominator of the mean hang together.
def _dependent(rng: np.random.Generator, sizes: Values) -> Values:
    return rng.binomial(sizes, 0.8 * chances(rng, 0.5, sizes.shape) + 0.2 * (sizes < MOST / 2))


def _dependent_mean() -> float:
    sizes = np.arange(1, MOST + 1)
    return float((sizes * (0.4 + 0.2 * (sizes < MOST / 2))).sum() / sizes.sum())


TRUTHS: Final = (
    _rate(0.02),
    _rate(0.4),
    _rate(0.98),
    _score(0.5),
    _score(0.04),
    Truth("ratio", _dependent_mean(), False, _dependent),
)


def datasets(rng: np.random.Generator, truth: Truth, tasks: int, count: int) -> Sums:
    """Draw datasets: what each task adds up to in each, and its number of instances."""
    sizes = rng.integers(1, MOST + 1, (count, tasks))
    return Sums(truth.sums(rng, sizes).astype(float), sizes.astype(float))


def group_of(tasks: int) -> Group:
    """Return the group of a selection with one place for each task."""
    return Resampler([f"{task:06d}" for task in range(tasks)]).group(np.arange(tasks))


def found(truth: Truth, tasks: int, count: int) -> Iterator[Estimate | None]:
    """Yield the estimate of each dataset, by the code that a score goes through."""
    rng = np.random.default_rng([SEED, tasks, int(1000 * truth.mean)])
    group = group_of(tasks)
    for start in range(0, count, _AT_ONCE):
        drawn = datasets(rng, truth, tasks, min(_AT_ONCE, count - start))
        rates = [truth.rate] * len(drawn.sums)
        yield from estimates(drawn, group.draws(drawn), rates)


def coverage(truth: Truth, tasks: int, count: int) -> tuple[float, float, float]:
    """Return the share of intervals that hold the truth, the mean width, the share of Wilson's."""
    known = [(one.ci, one.method) for one in found(truth, tasks, count) if one and one.ci]
    holds = [low <= truth.mean <= high for (low, high), _ in known]
    widths = [high - low for (low, high), _ in known]
    wilson = [method == "wilson" for _, method in known]
    return sum(holds) / count, sum(widths) / count, sum(wilson) / count


# Two agents: the rate of the first, and the share of it that the second has.
PAIRS: Final = ((0.02, 1.0), (0.04, 0.5), (0.4, 1.0), (0.4, 0.8))


def gaps(mean: float, share: float, tasks: int, count: int) -> Sums:
    """Draw pairs of agents with the same chances by task, those of the second times `share`."""
    rng = np.random.default_rng([SEED, tasks, int(1000 * mean), int(10 * share)])
    sizes = rng.integers(1, MOST + 1, (count, tasks))
    each = chances(rng, mean, sizes.shape)
    sums = rng.binomial(sizes, each) - rng.binomial(sizes, each * share)
    return Sums(sums.astype(float), sizes.astype(float))


def paired_coverage(
    mean: float, share: float, tasks: int, count: int
) -> tuple[float, float, float]:
    """Return how often the interval of a difference holds it, its width, and how often p < 0.05."""
    drawn = gaps(mean, share, tasks, count)
    draws = group_of(tasks).draws(drawn)
    rows = zip(drawn.sums, drawn.counts, draws, strict=True)
    ends = np.array([interval_of(*row) for row in rows])
    truth = mean * (1 - share)
    holds = (ends[:, 0] <= truth) & (truth <= ends[:, 1])
    p = flipped(drawn.sums)
    told = sum(one is not None and one < LEVEL for one in p)
    return float(holds.mean()), float((ends[:, 1] - ends[:, 0]).mean()), told / count


def main(count: int) -> None:
    """Print the table."""
    print(f"{count} datasets each; share of 95% intervals that hold the truth (mean width)")
    for truth in TRUTHS:
        for tasks in TASKS:
            share, width, wilson = coverage(truth, tasks, count)
            text = f"{100 * share:.1f}% ({100 * width:.1f} points, {100 * wilson:.0f}% Wilson's)"
            print(f"{truth.name:18} {tasks:5} tasks  {text}", flush=True)
    print("differences of two agents, and how often p < 0.05")
    for mean, share in PAIRS:
        for tasks in TASKS:
            holds, width, told = paired_coverage(mean, share, tasks, count)
            text = f"{100 * holds:.1f}% ({100 * width:.1f} points) p < 0.05: {100 * told:.1f}%"
            print(f"{mean:4.0%} and {mean * share:4.0%}      {tasks:5} tasks  {text}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else _DATASETS)
