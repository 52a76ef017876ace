"""A needed call is not in the plan."""

import random

import pytest

from build.gold import Gold
from build.injectors.fitting import is_said
from build.injectors.missing_call import INJECTOR
from build.injectors.scene import Place
from diagnosis.affected import affected
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
from trajectory.graph import is_valid
from trajectory.references import references

VARIETIES = {
    *("invented", "made_up", "earlier", "handed_on", "placeholder", "left_out"),
    *("invented_at_once", "made_up_at_once", "placeholder_at_once"),
}


@pytest.fixture(scope="module")
def found(golds: list[Gold]) -> list[Tried]:
    return list(tried(INJECTOR, golds))


def test_labels_tell_what_was_put_in(found: list[Tried]) -> None:
    for one in found:
        assert labelled(one.after) == claimed(one)


def test_labels_tell_it_beside_a_retry_as_well(golds: list[Gold]) -> None:
    found = list(tried_in(INJECTOR, retried(map(first_scene, golds[:10]))))
    assert found
    for one in found:
        assert labelled(one.after) == claimed(one)


def test_every_variety_occurs(found: list[Tried]) -> None:
    assert hows(found) >= VARIETIES


def test_the_call_is_gone_and_something_is_affected(found: list[Tried]) -> None:
    for one in found:
        scene = one.after
        assert one.place.node not in scene.plan.by_id
        assert not any(
            r.node == one.place.node for node in scene.plan for r in references(node.para)
        )
        assert is_valid(scene.plan)
        assert affected(scene.stage.gold_run, scene.run, {}, ())


def test_invented_data_are_untrue_and_not_said(found: list[Tried]) -> None:
    for one in found:
        if one.injection.how in ("invented", "made_up"):
            query = one.scene.stage.gold.query
            for edit in one.injection.edits:
                if edit["op"] == "set_argument" and not isinstance(edit["value"], list):
                    assert not is_said(edit["value"], query)
                    assert edit["value"] != one.scene.arguments(edit["node"])[edit["parameter"]]


def test_the_same_draws_give_the_same(golds: list[Gold]) -> None:
    once, again = (list(tried(INJECTOR, golds[:3])) for _ in range(2))
    assert [one.injection for one in once] == [one.injection for one in again]


def test_who_took_from_it_leaves_out_what_it_gave() -> None:
    injection = INJECTOR.put(parcels(), Place("2", how="left_out"), random.Random(1))
    assert injection is not None
    assert injection.edits == (
        {"op": "remove_node", "node": "2"},
        {"op": "remove_argument", "node": "3", "parameter": "parcel_id"},
    )
    assert injection.root_cause == "3"


def test_who_took_from_it_may_not_wait_for_what_it_waited_for() -> None:
    scene = parcels()
    for how, dep in {"placeholder": ("1",), "placeholder_at_once": ("root",)}.items():
        injection = INJECTOR.put(scene, Place("2", how=how), random.Random(1))
        assert injection is not None
        assert scene.after(injection).plan.by_id["3"].dep == dep


def test_nobody_misses_a_call_whose_result_nobody_takes() -> None:
    scene = parcels()
    place = Place("4", how="absent")
    assert place in INJECTOR.places(scene)
    assert INJECTOR.put(scene, place, random.Random(1)) is None


def test_schemas_alone_do() -> None:
    found = list(tried_in(INJECTOR, [parcels(known_tools=False)]))
    assert hows(found) >= {"made_up", "handed_on", "placeholder", "left_out"}
    for one in found:
        assert labelled(one.after) == claimed(one)
