"""Means over clustered values and their intervals."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.intervals import Estimate, Resampler, estimates, pass_at_k, wilson


def _estimate(values: list[float], tasks: list[str], *, rate: bool) -> Estimate | None:
    group = Resampler(tasks).group(np.arange(len(values)))
    sums = group.sums(np.array([values], float))
    (found,) = estimates(sums, group.draws(sums), [rate])
    return found


def _tasks(count: int, each: int = 1) -> list[str]:
    return [f"T{number}" for number in range(count) for _ in range(each)]


def test_under_30_tasks_only_n_is_shown() -> None:
    found = _estimate([1.0, 0.0] * 14, _tasks(28), rate=True)
    assert found == Estimate(0.5, 28, 28, None, "")


def test_a_rate_of_under_100_tasks_has_wilsons_interval() -> None:
    found = _estimate([1.0, 0.0] * 25, _tasks(50), rate=True)
    assert found is not None
    assert found.method == "wilson"
    # Wilson at 25 of 50, by the textbook: 0.3664 to 0.6336.
    assert found.ci == pytest.approx((0.3664, 0.6336), abs=1e-4)


def test_a_rate_near_its_edge_has_wilsons_interval_in_any_number() -> None:
    found = _estimate([1.0] * 199 + [0.0], _tasks(200), rate=True)
    assert found is not None
    assert found.method == "wilson"
    assert found.ci is not None
    assert found.ci[0] < 0.995 < found.ci[1] < 1


def test_a_mean_of_many_tasks_is_bootstrapped_near_the_normal_interval() -> None:
    rng = np.random.default_rng(1)
    values = rng.uniform(0, 1, 400)
    found = _estimate(list(values), _tasks(400), rate=False)
    assert found is not None
    assert found.ci is not None
    half = 1.96 * values.std(ddof=1) / math.sqrt(400)
    assert found.ci == pytest.approx((found.mean - half, found.mean + half), abs=0.006)


def test_copies_of_a_task_narrow_nothing() -> None:
    rng = np.random.default_rng(2)
    single = [float(value) for value in rng.uniform(0, 1, 150)]
    copied = [value for value in single for _ in range(10)]
    one = _estimate(single, _tasks(150), rate=False)
    ten = _estimate(copied, _tasks(150, 10), rate=False)
    assert one is not None
    assert ten is not None
    assert one.ci is not None
    assert ten.ci == pytest.approx(one.ci, abs=1e-6)
    assert ten.n == 1500


def test_values_that_are_not_scored_count_nowhere() -> None:
    found = _estimate([1.0, math.nan] * 40, _tasks(80), rate=False)
    assert found is not None
    assert (found.n, found.tasks, found.mean) == (40, 40, 1.0)
    assert _estimate([math.nan], ["T"], rate=True) is None


def test_the_same_values_give_the_same_interval() -> None:
    values, tasks = [0.1, 0.9, 0.4] * 50, _tasks(150)
    assert _estimate(values, tasks, rate=False) == _estimate(values, tasks, rate=False)


@given(st.integers(1, 12), st.data())
def test_pass_at_k_is_the_share_of_draws_with_a_right_one(n: int, data: st.DataObject) -> None:
    correct, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    wrong = math.comb(n - correct, k) / math.comb(n, k)
    assert pass_at_k(n, correct, k) == pytest.approx(1 - wrong)
    assert pass_at_k(n, correct, 1) == pytest.approx(correct / n)


def test_pass_at_more_than_there_is_an_error() -> None:
    with pytest.raises(ValueError, match="k = 3 of 2"):
        pass_at_k(2, 1, 3)


@given(st.floats(0, 1), st.floats(1, 1e5))
def test_wilsons_interval_holds_its_mean_and_stays_inside(mean: float, n: float) -> None:
    low, high = wilson(mean, n)
    assert 0 <= low <= mean + 1e-12
    assert mean - 1e-12 <= high <= 1
