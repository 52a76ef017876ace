"""Intervals hold the truth as often as they say: a small part of benchmarks/coverage.py."""

import pytest

from benchmarks import coverage

# 400 datasets: an interval that holds in 95% holds in fewer than 91.5% of them once in a thousand.
COUNT, LEAST = 400, 0.915


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("tasks", [60, 150])
def test_intervals_hold_the_truth(number: int, tasks: int) -> None:
    share, width, _ = coverage.coverage(coverage.TRUTHS[number], tasks, COUNT)
    assert share >= LEAST
    # Nothing is gained by an interval of all there is.
    assert width < 0.2


@pytest.mark.parametrize("share", [1.0, 0.8])
def test_intervals_of_differences_hold_the_truth(share: float) -> None:
    holds, width, told = coverage.paired_coverage(0.4, share, 60, COUNT)
    assert holds >= LEAST
    assert width < 0.2
    # Equal agents are told apart in 5%; one with four fifths of the other's rate in most.
    assert told < 0.085 if share == 1 else told > 0.5
