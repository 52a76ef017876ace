"""The name of the tool is in no list."""

import random

import pytest

from build.gold import Gold
from build.injectors.scene import Place, Scene
from build.injectors.tool_name import INJECTOR
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
from tests.build.injectors.parcels import parcels

VARIETIES = {
    *("letter_lost", "letter_doubled", "letters_swapped", "word_order", "other_verb"),
    *("other_case", "plural", "longer", "retry", "version", "namespace", "helper"),
}


@pytest.fixture(scope="module")
def found(golds: list[Gold]) -> list[Tried]:
    return list(tried(INJECTOR, golds[:8]))


def test_labels_tell_what_was_put_in(found: list[Tried]) -> None:
    for one in found:
        assert labelled(one.after) == claimed(one)


def test_every_variety_occurs(found: list[Tried]) -> None:
    assert hows(found) == VARIETIES


def test_the_name_is_new_and_the_call_fails(found: list[Tried]) -> None:
    for one in found:
        node = one.after.plan.by_id[one.place.node]
        assert node.name not in one.scene.stage.catalogue.names
        assert node.para == one.scene.plan.by_id[node.id].para
        last = one.after.run.ledger.last(node.id)
        assert last is not None
        assert last.outcome == "failed"


def test_a_call_tried_again_gets_a_name_for_that(golds: list[Gold]) -> None:
    found = list(tried_in(INJECTOR, retried(map(first_scene, golds[:8]))))
    again = [one for one in found if one.place.node in one.scene.purposes]
    assert hows(again) == {"retry", "version", "helper"}
    for one in found:
        assert labelled(one.after) == claimed(one)


def test_the_same_draws_give_the_same(golds: list[Gold], found: list[Tried]) -> None:
    again = tried(INJECTOR, golds[:2])
    assert [one.injection for one in again] == [
        one.injection for one in found if one.scene.stage.gold in golds[:2]
    ]


@pytest.mark.parametrize(
    ("node", "how", "name"),
    [
        ("4", "plural", "find_parcel"),
        ("3", "plural", "track_parcels"),
        ("3", "word_order", "parcel_track"),
    ],
)
def test_what_a_name_is_turned_into(node: str, how: str, name: str) -> None:
    injection = INJECTOR.put(parcels(), Place(node, how=how), random.Random(1))
    assert injection is not None
    assert injection.edits == ({"op": "set_tool", "node": node, "tool": name},)


def test_names_in_camel_case_stay_so() -> None:
    scene = parcels()
    node = scene.plan.by_id["3"].change(name="findParcel")
    camel = Scene(scene.stage, scene.plan.change({"3": node}))
    for how, name in {"plural": "findParcels", "other_case": "find_parcel"}.items():
        injection = INJECTOR.put(camel, Place("3", how=how), random.Random(1))
        assert injection is not None
        assert injection.edits[0]["tool"] == name


def test_a_name_in_the_list_is_none_that_is_invented() -> None:
    scene = parcels()
    node = scene.plan.by_id["3"].change(name="find_parcel")
    other = Scene(scene.stage, scene.plan.change({"3": node}))
    assert INJECTOR.put(other, Place("3", how="plural"), random.Random(1)) is None
