"""EMA, MAE, kappa and tau against the libraries that know them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from eval.reliability.measures import MEAN, Pair, agreements
from eval.reliability.rankings import compare, tau
from eval.rubric import SCORES

SIDES = st.lists(st.tuples(st.sampled_from(SCORES), st.sampled_from(SCORES)), min_size=1)


def pairs_of(sides: list[tuple[float, float]], item: str = "D3") -> list[Pair]:
    return [Pair(item, f"t{place}", *side) for place, side in enumerate(sides)]


@given(SIDES)
def test_kappa_is_sklearns(sides: list[tuple[float, float]]) -> None:
    one, _ = agreements(pairs_of(sides))
    first, second = ([round(2 * side[place]) for side in sides] for place in (0, 1))
    if len({*first, *second}) < 2:
        assert one.kappa is None
        return
    wanted = cohen_kappa_score(first, second, weights="linear", labels=[0, 1, 2])
    assert one.kappa == pytest.approx(wanted)


@given(SIDES)
def test_ema_and_mae_are_means_and_the_confusion_adds_up(sides: list[tuple[float, float]]) -> None:
    one, _ = agreements(pairs_of(sides))
    assert one.ema.mean == pytest.approx(np.mean([a == b for a, b in sides]))
    assert one.mae.mean == pytest.approx(np.mean([abs(a - b) for a, b in sides]))
    assert np.sum(one.confusion) == len(sides) == one.n


def test_the_mean_is_over_items_whatever_their_numbers() -> None:
    pairs = pairs_of([(1.0, 1.0)] * 9, "S1") + pairs_of([(0.0, 1.0)], "E1")
    *_, mean = agreements(pairs)
    assert (mean.item, mean.n, mean.ema.mean, mean.mae.mean) == (MEAN, 10, 0.5, 0.5)


def test_raters_who_differ_everywhere_agree_less_than_chance() -> None:
    one, _ = agreements(pairs_of([(0.0, 1.0), (1.0, 0.0)] * 20))
    assert one.kappa == pytest.approx(-1.0)
    assert one.kappa_ci is not None


def test_under_30_tasks_there_is_no_interval() -> None:
    one, _ = agreements(pairs_of([(0.0, 0.5), (1.0, 1.0)] * 10))
    assert (one.ema.ci, one.kappa_ci) == (None, None)


def test_whole_tasks_are_resampled() -> None:
    sides = [(1.0, 1.0), (1.0, 0.0)] * 60
    alone = agreements(pairs_of(sides))[0].ema.ci
    grouped = [Pair("D3", f"t{place // 4}", *side) for place, side in enumerate(sorted(sides))]
    together = agreements(grouped)[0].ema.ci
    assert alone is not None
    assert together is not None
    assert together[1] - together[0] > 1.5 * (alone[1] - alone[0])


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=8))
def test_tau_is_scipys(sides: list[tuple[int, int]]) -> None:
    stats = pytest.importorskip("scipy.stats")
    first, second = ([float(side[place]) for side in sides] for place in (0, 1))
    wanted = stats.kendalltau(first, second).statistic
    found = tau(first, second)
    assert (found is None and np.isnan(wanted)) or found == pytest.approx(wanted)


def test_moves_are_the_agents_whose_ranks_differ() -> None:
    ranking = compare({"a": 0.9, "b": 0.5, "c": 0.1}, {"a": 0.9, "b": 0.2, "c": 0.3, "d": 1.0})
    assert [(one.agent, one.first, one.second) for one in ranking.moves] == [
        ("b", 2, 3),
        ("c", 3, 2),
    ]
    assert ranking.tau == pytest.approx(1 / 3)
