"""Means over clustered values and their intervals."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.intervals import (
    Estimate,
    Resampler,
    design_effect,
    estimates,
    macro,
    pass_at_k,
    wilson,
)


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


@pytest.mark.parametrize("value", [0.0, 1.0])
@pytest.mark.parametrize("rate", [True, False])
def test_values_all_alike_are_no_certainty(value: float, rate: bool) -> None:
    # Ten instances of each of 60 tasks count as 60: nothing tells them apart.
    found = _estimate([value] * 600, _tasks(60, 10), rate=rate)
    assert found is not None
    assert (found.mean, found.ci, found.method) == (value, wilson(value, 60), "wilson")


def test_the_design_effect_of_copies_is_their_number() -> None:
    sums, counts = np.array([10.0, 0.0] * 50), np.full(100, 10.0)
    assert design_effect(sums, counts) == pytest.approx(10, rel=0.02)
    assert design_effect(sums / 10, counts / 10) == pytest.approx(1, rel=0.02)


def test_a_mean_over_groups_weighs_them_alike() -> None:
    # 400 instances of a mean near 0.5, and 40 of one near 0.9.
    rng = np.random.default_rng(3)
    values = np.concatenate([rng.uniform(0, 1, 400), rng.uniform(0.8, 1, 40)])[None]
    resampler = Resampler(_tasks(440))
    groups = [resampler.group(places) for places in (np.arange(400), np.arange(400, 440))]
    sums = [group.sums(values[:, group.places]) for group in groups]
    means = np.array([one.means[0] for one in sums])
    draws = np.array([group.draws(one)[0] for group, one in zip(groups, sums, strict=True)])
    found = macro(means, draws, 440, 440)
    assert found is not None
    assert found.mean == pytest.approx(0.7, abs=0.03)
    assert found.ci is not None
    # The standard errors are 0.0144 and 0.0091, that of their mean is 0.0085.
    assert found.ci[1] - found.ci[0] == pytest.approx(2 * 1.96 * 0.0085, rel=0.1)


def test_a_mean_over_groups_leaves_out_what_is_not_scored() -> None:
    nothing = np.full(2000, np.nan)
    found = macro(np.array([0.5, np.nan]), np.array([np.full(2000, 0.5), nothing]), 40, 40)
    assert found == Estimate(0.5, 40, 40, (0.5, 0.5), "bootstrap")
    assert macro(np.array([np.nan]), nothing[None], 0, 0) is None


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
