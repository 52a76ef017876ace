"""Quotas: what is wanted of rollouts, and that what was taken is wanted no more."""

import pytest

from build.rollouts.marginals import PUBLISHED, TYPES, Quotas
from trajectory.error_types import ErrorType

TIMEOUT, NULL = ErrorType.TIMEOUT, ErrorType.NULL


@pytest.mark.parametrize("level", [1, 2])
def test_the_published_figures_name_every_type(level: int) -> None:
    assert TYPES[level].keys() == {*ErrorType}


def test_level_1_has_one_label_a_record() -> None:
    assert abs(sum(TYPES[1].values()) - PUBLISHED[1]) <= 1


def taken(quotas: Quotas, kind: ErrorType) -> int:
    """How many instances of a type are taken until no more are wanted."""
    times = 0
    while quotas.need(1, [kind], times % 6, f"scripted:{times % 4}"):
        quotas.count_off(1, [kind], times % 6, f"scripted:{times % 4}")
        times += 1
    return times


def test_a_type_that_is_rare_is_wanted_less_often() -> None:
    assert 0 < taken(Quotas(100, 0), TIMEOUT) < taken(Quotas(100, 0), ErrorType.PARALLELISM)


def test_nothing_is_wanted_of_a_planner_that_gave_its_share() -> None:
    quotas = Quotas(50, 50)
    kinds = [kind for kind in ErrorType for _ in range(3)]
    for place, kind in enumerate(kinds):
        if quotas.need(1, [kind], place % 6, "scripted:one"):
            quotas.count_off(1, [kind], place % 6, "scripted:one")
    assert not any(quotas.need(1, [kind], 2, "scripted:one") for kind in ErrorType)
    assert quotas.need(1, [ErrorType.PARALLELISM], 5, "scripted:two")


def test_several_of_a_type_need_as_much_room() -> None:
    quotas = Quotas(0, 10)
    assert quotas.need(2, [TIMEOUT], 2, "scripted:one")
    assert not quotas.need(2, [NULL, NULL, NULL], 2, "scripted:one")


def test_copies_are_counted_apart() -> None:
    quotas = Quotas(1, 0, bound=False)
    other = quotas.copy()
    other.count_off(1, [NULL], 1, "scripted:one")
    assert other.filled
    assert not quotas.filled
