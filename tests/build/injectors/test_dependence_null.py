"""A needed producer is missing from a node's dep, and nothing is in its place."""

import random
from dataclasses import replace

import pytest

from build.gold import Edge, Gold
from build.injectors.dependence_null import INJECTOR
from build.injectors.retries import with_retries
from build.injectors.scene import Place, Scene
from tests.build.injectors.conftest import (
    Tried,
    claimed,
    first_scene,
    hows,
    labelled,
    tried,
    tried_in,
)
from tests.build.injectors.parcels import parcels
from tests.build.injectors.written import BIRTHDAY, CONCERT, written


@pytest.fixture(scope="module")
def found(golds: list[Gold]) -> list[Tried]:
    return list(tried(INJECTOR, golds))


def test_labels_tell_what_was_put_in(found: list[Tried]) -> None:
    for one in found:
        assert labelled(one.after) == claimed(one)


def test_labels_tell_it_beside_a_retry_as_well(golds: list[Gold]) -> None:
    rng = random.Random(1)
    scenes = filter(None, (with_retries(first_scene(gold), rng) for gold in golds))
    found = list(tried_in(INJECTOR, scenes))
    assert any(one.place.part in one.scene.purposes for one in found)
    for one in found:
        assert labelled(one.after) == claimed(one)


def test_every_variety_occurs(found: list[Tried]) -> None:
    assert hows(found) >= {
        *("only_reference", "one_reference", "some_reference", "all_reference"),
        *("only_response", "one_response", "all_response"),
    }


def test_nothing_is_put_in_and_no_reference_moves(found: list[Tried]) -> None:
    for one in found:
        node = one.place.node
        before, after = one.scene.plan.by_id[node], one.after.plan.by_id[node]
        assert before.para == after.para
        assert {*after.dep} - {"root"} < {*before.dep}
        needed = one.scene.wanted.reduced(node)
        assert {*one.after.found.reduced(node)} < {*needed}


def test_all_and_only_leave_the_node_on_root(found: list[Tried]) -> None:
    for one in found:
        left = one.after.plan.by_id[one.place.node].dep
        assert (left == ("root",)) == (one.place.how in {"all", "only"})


def test_some_call_runs_differently(found: list[Tried]) -> None:
    for one in found:
        assert [*one.scene.run.ledger] != [*one.after.run.ledger]


def test_the_same_draws_give_the_same(golds: list[Gold]) -> None:
    one, two = ([each.injection for each in tried(INJECTOR, golds[:5])] for _ in range(2))
    assert one == two


def test_one_example() -> None:
    scene = parcels()
    assert INJECTOR.places(scene) == [
        Place("2", how="only"),
        Place("3", how="only"),
        Place("response", "3", "one"),
        Place("response", "4", "one"),
        Place("response", how="all"),
    ]
    injection = INJECTOR.put(scene, Place("3", how="only"), random.Random(1))
    assert injection is not None
    assert injection.edits == ({"op": "remove_edge", "node": "3", "dep": "2"},)


def test_a_response_that_misses_what_runs_anyway_is_no_error_that_shows() -> None:
    scene = parcels()
    # Node 4 runs in the first round, whoever waits for it.
    assert INJECTOR.put(scene, Place("response", "4", "one"), random.Random(1)) is None


def test_an_edge_by_effect_can_be_missing_too() -> None:
    scene = written(BIRTHDAY)
    injection = INJECTOR.put(scene, Place("5", how="only"), random.Random(1))
    assert injection is not None
    assert injection.how == "only_effect"


def test_no_predecessor_is_left_in_the_place_of_a_producer() -> None:
    scene = written(CONCERT)
    # Node 6 waits for 3, and for 1, which 3 waits for.
    injection = INJECTOR.put(scene, Place("6", how="only"), random.Random(1))
    assert injection is not None
    assert scene.after(injection).plan.by_id["6"].dep == ("root",)


def test_an_edge_that_is_only_likely_is_no_place() -> None:
    scene = parcels()
    likely = replace(scene.stage.gold, edges=(Edge("2", "3", "turn_order", 0.5),))
    places = INJECTOR.places(Scene(replace(scene.stage, gold=likely), scene.plan))
    assert {place.node for place in places} == {"2", "response"}
