"""Rare varieties are offered as often as common ones."""

from build.gold import Gold
from build.injectors.balance import balanced
from build.injectors.scene import Place
from tests.build.injectors.conftest import first_scene

COMMON = [Place(str(number), how="common") for number in range(40)]
RARE = Place("40", how="rare")


def test_at_most_two_of_a_variety_are_offered_in_their_order(golds: list[Gold]) -> None:
    offered = balanced(first_scene(golds[0]), [*COMMON, RARE])
    assert [place.how for place in offered] == ["common", "common", "rare"]
    assert int(offered[0].node) < int(offered[1].node)
    assert offered == balanced(first_scene(golds[0]), [*COMMON, RARE])


def test_each_task_offers_others(golds: list[Gold]) -> None:
    offered = {place for gold in golds for place in balanced(first_scene(gold), COMMON)}
    assert len(offered) > 20


def test_a_place_that_is_none_at_a_closer_look_is_not_offered(golds: list[Gold]) -> None:
    even = balanced(first_scene(golds[0]), COMMON, lambda place: int(place.node) % 2 == 0)
    assert len(even) == 2
    assert all(int(place.node) % 2 == 0 for place in even)
    assert not balanced(first_scene(golds[0]), COMMON, lambda place: False)
