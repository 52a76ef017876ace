"""Two agents on the same instances: differences, p by flipped signs, Holm, ranks."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.paired import Difference, differences, flipped, holm
from eval.ranks import rank_intervals, said

# It ships no types.
stats: Any = pytest.importorskip("scipy.stats")


def _one(a: list[float], b: list[float], tasks: list[str]) -> Difference:
    (found,) = differences(np.array([a]), np.array([b]), tasks)
    assert found is not None
    return found


def _tasks(count: int, each: int = 1) -> list[str]:
    return [f"T{number:03d}" for number in range(count) for _ in range(each)]


def _scipy(sums: list[float], **more: Any) -> float:
    return float(
        stats.permutation_test(
            (np.array(sums),), np.sum, permutation_type="samples", **more
        ).pvalue
    )  # fmt: skip


@given(st.lists(st.integers(-4, 4).map(lambda one: one / 4), min_size=2, max_size=9))
def test_p_of_few_tasks_is_scipys_exact_one(sums: list[float]) -> None:
    (p,) = flipped(np.array([sums]))
    if any(sums):
        assert p == pytest.approx(_scipy(sums))
    else:
        assert p is None


def test_p_of_many_tasks_is_scipys_within_what_chance_does() -> None:
    rng = np.random.default_rng(4)
    rows = rng.normal(0.15, 1, (3, 80)).round(2)
    for sums, p in zip(rows, flipped(rows), strict=True):
        assert p == pytest.approx(_scipy(list(sums), n_resamples=20_000, rng=5), abs=0.015)


def test_copies_within_a_task_are_one_sign_to_flip() -> None:
    # Five tasks of 20 instances in which a alone is right: 2 of 32 choices of signs reach that.
    found = _one([1.0] * 100, [0.0] * 100, _tasks(5, 20))
    assert (found.p, found.a_more, found.b_more, found.n) == (2 / 32, 5, 0, 100)
    assert (found.ci, found.smallest) == (None, None)


def test_where_no_task_differs_nothing_is_tested_and_nothing_is_sure() -> None:
    found = _one([1.0] * 60, [1.0] * 60, _tasks(60))
    assert (found.mean, found.p) == (0, None)
    assert found.ci is not None
    assert found.ci[0] == -found.ci[1]
    assert 0.01 < found.ci[1] < 0.05


def test_the_interval_of_many_differing_tasks_is_near_the_t_interval() -> None:
    rng = np.random.default_rng(6)
    a, b = rng.uniform(0, 1, 300), rng.uniform(0, 0.8, 300)
    found = _one(list(a), list(b), _tasks(300))
    wanted = stats.ttest_rel(a, b).confidence_interval()
    assert found.ci == pytest.approx((wanted.low, wanted.high), abs=0.006)
    # 2.8 standard errors are found in 80 of 100 samples.
    assert found.smallest == pytest.approx(2.8 * (a - b).std(ddof=1) / math.sqrt(300), rel=0.01)


def test_the_smallest_difference_is_found_in_four_of_five_samples() -> None:
    rng = np.random.default_rng(7)
    noise = rng.normal(0, 0.3, (400, 80))
    smallest = 2.8 * 0.3 / math.sqrt(80)
    found = [p for p in flipped(noise + smallest) if p is not None and p < 0.05]
    assert 0.72 < len(found) / 400 < 0.88


def test_an_instance_counts_where_both_are_scored() -> None:
    nan = math.nan
    found = _one([1, nan, 1, 0], [0, 1, nan, 0], _tasks(4))
    assert (found.n, found.tasks, found.a, found.b) == (2, 2, 0.5, 0)
    assert differences(np.array([[nan]]), np.array([[1.0]]), ["T"]) == [None]


def test_swapping_sides_turns_the_difference_round() -> None:
    rng = np.random.default_rng(8)
    a, b = rng.integers(0, 2, (2, 90)).astype(float)
    one, other = _one(list(a), list(b), _tasks(45, 2)), _one(list(b), list(a), _tasks(45, 2))
    assert one.mean == -other.mean
    assert one.p == other.p
    assert one.ci is not None
    assert other.ci == pytest.approx((-one.ci[1], -one.ci[0]))


def test_holm_by_hand() -> None:
    # 3 × 0.01, 2 × 0.02, and 1 × 0.03, which may not fall below the one before.
    assert holm([0.03, None, 0.01, 0.02]) == pytest.approx([0.04, None, 0.03, 0.04])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_never_lowers_a_p_and_keeps_their_order(p: list[float]) -> None:
    adjusted = holm(p)
    pairs = sorted(zip(p, adjusted, strict=True))
    assert all(own <= new for own, new in pairs if new is not None)
    assert [new for _, new in pairs] == sorted(new for _, new in pairs if new is not None)


def test_a_rank_is_as_wide_as_the_data_leave_it() -> None:
    # 60 tasks: the first two differ in three of them, the third is right in none.
    best = [1.0] * 60
    near = [0.0] * 3 + [1.0] * 57
    values = np.array([near, best, [0.0] * 60])
    assert rank_intervals(values, _tasks(60)) == [(1, 2), (1, 2), (3, 3)]


def test_three_tasks_tell_nobody_apart() -> None:
    assert rank_intervals(np.array([[1.0] * 3, [0.0] * 3]), _tasks(3)) == [(1, 2), (1, 2)]
    assert rank_intervals(np.array([[1.0] * 3]), _tasks(3)) == [(1, 1)]


def test_equal_agents_are_rarely_told_apart() -> None:
    rng = np.random.default_rng(9)
    tries = [rank_intervals(rng.integers(0, 2, (5, 60)) + 0.0, _tasks(60)) for _ in range(15)]
    assert sum(ranks != [(1, 5)] * 5 for ranks in tries) <= 4


def test_ranks_are_said_as_what_they_may_be() -> None:
    assert [said(one) for one in ((2, 4), (3, 3), None)] == ["2–4", "3", "–"]
