"""A listed tool, but not the right one."""

import random

import pytest

from build.gold import Gold
from build.injectors.consequences import can_be_undone, has_effect
from build.injectors.scene import Place
from build.injectors.tool_select import INJECTOR
from tests.build.injectors.conftest import (
    Tried,
    claimed,
    first_scene,
    hows,
    labelled,
    retried,
    tried,
    tried_in,
)
from tests.build.injectors.parcels import TO_BRUSSELS, parcels
from trajectory.arguments import check_arguments
from trajectory.references import references

VARIETIES = {
    *("sibling", "other_place", "used_elsewhere"),
    *("create_for_find", "find_for_create", "other_effect"),
}


@pytest.fixture(scope="module")
def found(golds: list[Gold]) -> list[Tried]:
    return list(tried(INJECTOR, golds))


def test_labels_tell_what_was_put_in(found: list[Tried]) -> None:
    for one in found:
        assert labelled(one.after) == claimed(one)


def test_labels_tell_it_beside_a_retry_as_well(golds: list[Gold]) -> None:
    found = list(tried_in(INJECTOR, retried(map(first_scene, golds[:10]))))
    assert any(one.place.node in one.scene.purposes for one in found)
    for one in found:
        assert labelled(one.after) == claimed(one)


def test_every_variety_occurs(found: list[Tried]) -> None:
    assert hows(found) == VARIETIES


def test_the_arguments_are_the_wrong_tool_s_own(found: list[Tried]) -> None:
    for one in found:
        node, scene = one.after.plan.by_id[one.place.node], one.after
        assert {found.node for found in references(node.para)} <= scene.found.ancestors(node.id)
        last = scene.run.ledger.last(node.id)
        assert last is not None
        assert not check_arguments(scene.tool(node), last.arguments)


def test_a_wrong_effect_can_be_undone(found: list[Tried]) -> None:
    for one in found:
        tool, last = one.place.part, one.after.run.ledger.last(one.place.node)
        if has_effect(one.scene.stage, tool) and not can_be_undone(one.scene.stage, tool):
            assert last is not None
            assert last.outcome == "failed"


def test_the_same_draws_give_the_same(golds: list[Gold]) -> None:
    once, again = (list(tried(INJECTOR, golds[:3])) for _ in range(2))
    assert [one.injection for one in once] == [one.injection for one in again]


def test_values_of_the_right_call_are_taken_by_meaning() -> None:
    place = Place("2", "quote_shipping", "used_elsewhere")
    scene = parcels()
    made = [INJECTOR.put(scene, place, random.Random(seed)) for seed in range(10)]
    # By price it would be the call of node 1.
    arguments = {**TO_BRUSSELS, "sort_by": "days"}
    edit = {"op": "set_tool", "node": "2", "tool": "quote_shipping", "arguments": arguments}
    assert [one.edits for one in made if one is not None][:1] == [(edit,)]


def test_what_cannot_be_undone_is_done_nowhere() -> None:
    place = Place("3", "cancel_parcel", "create_for_find")
    scene = parcels()
    assert not any(INJECTOR.put(scene, place, random.Random(seed)) for seed in range(10))


def test_of_recorded_calls_the_right_arguments_stay_where_the_wrong_tool_refuses_them() -> None:
    scene = parcels(known_tools=False)
    place = Place("1", "register_parcel", "used_elsewhere")
    injection = INJECTOR.put(scene, place, random.Random(1))
    assert injection is not None
    assert injection.edits[0]["arguments"] == scene.plan.by_id["1"].para
    found = list(tried_in(INJECTOR, [scene]))
    assert found
    for one in found:
        assert labelled(one.after) == claimed(one)
        last = one.after.run.ledger.last(one.place.node)
        assert last is not None
        assert last.outcome == "failed"
