"""A node waits for a predecessor of its producer."""

import random
from collections.abc import Iterator

import pytest

from build.gold import Gold
from build.injectors.retries import with_retries
from build.injectors.scene import Place, Scene
from build.injectors.serial import INJECTOR
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
from trajectory.graph import is_valid
from trajectory.references import references


@pytest.fixture(scope="module")
def found(golds: list[Gold]) -> list[Tried]:
    by_hand = tried_in(INJECTOR, [written(CONCERT), written(BIRTHDAY)])
    return [*tried(INJECTOR, golds), *by_hand]


def with_retry(golds: list[Gold]) -> Iterator[Scene]:
    rng = random.Random(1)
    return filter(None, (with_retries(first_scene(gold), rng) for gold in golds))


def test_labels_tell_what_was_put_in(found: list[Tried]) -> None:
    for one in found:
        assert labelled(one.after) == claimed(one)


def test_labels_tell_it_beside_a_retry_as_well(golds: list[Gold]) -> None:
    found = list(tried_in(INJECTOR, with_retry(golds)))
    assert any(one.place.part in one.scene.purposes for one in found)
    for one in found:
        assert labelled(one.after) == claimed(one)


def test_every_variety_occurs(found: list[Tried]) -> None:
    assert hows(found) >= {
        *("near_left", "near_moved", "near_effect", "far_left", "far_moved", "kept_left"),
        "response",
    }


def test_the_node_waits_for_a_predecessor_and_runs_no_later_than_its_producer(
    found: list[Tried],
) -> None:
    for one in found:
        node, producer = one.place.node, one.place.part
        depths = one.after.found.depths()
        deps = one.after.found.deps[node] or ()
        assert producer not in one.after.found.ancestors(node)
        assert {*deps} & one.scene.wanted.ancestors(producer)
        assert all(depths[dep] < depths[producer] for dep in deps)
        assert is_valid(one.after.plan)


def test_some_call_runs_differently(found: list[Tried]) -> None:
    for one in found:
        assert [*one.scene.run.ledger] != [*one.after.run.ledger]


def test_a_moved_reference_gives_another_value_and_the_call_is_made(found: list[Tried]) -> None:
    moved = [one for one in found if one.injection.how.endswith("moved")]
    for one in moved:
        node = one.after.plan.by_id[one.place.node]
        assert one.place.part not in {each.node for each in references(node.para)}
        entry = one.after.run.ledger.last(node.id)
        assert entry is not None
        assert not any(references(entry.arguments))
        assert entry.arguments != one.scene.arguments(node.id)


def test_the_same_draws_give_the_same(golds: list[Gold]) -> None:
    one, two = ([each.injection for each in tried(INJECTOR, golds[:5])] for _ in range(2))
    assert one == two


def test_one_example() -> None:
    scene = parcels()
    assert INJECTOR.places(scene) == [
        Place("3", "2", "near"),
        Place("response", "3", "response"),
    ]
    injections = [
        INJECTOR.put(scene, Place("3", "2", "near"), random.Random(seed)) for seed in range(9)
    ]
    edges = (
        {"op": "remove_edge", "node": "3", "dep": "2"},
        {"op": "add_edge", "node": "3", "dep": "1"},
    )
    assert edges in [one.edits for one in injections if one is not None]


def test_an_edge_by_effect_can_be_replaced_too() -> None:
    scene = written(BIRTHDAY)
    assert Place("5", "4", "near") in INJECTOR.places(scene)
    injection = INJECTOR.put(scene, Place("5", "4", "near"), random.Random(1))
    assert injection is not None
    assert injection.how == "near_effect"
    after = scene.after(injection)
    # The cart was empty when its contents were ordered.
    last = after.run.ledger.last("5")
    assert last is not None
    assert last.outcome == "failed"


def test_where_another_dep_delays_the_node_there_is_no_place() -> None:
    # Node 6 waits for 3, which waits for 1, but also for 5, which comes still later.
    places = INJECTOR.places(written(BIRTHDAY))
    assert {(place.part, place.how) for place in places if place.node == "6"} == {
        ("5", "near"),
        ("5", "far"),
    }


def test_without_known_tools_references_move_to_what_the_schema_allows() -> None:
    scene = parcels(known_tools=False)
    injections = [
        INJECTOR.put(scene, Place("3", "2", "near"), random.Random(seed)) for seed in range(20)
    ]
    moved = [one for one in injections if one is not None and one.how == "near_moved"]
    assert moved
    values = [one.edits[-1]["value"] for one in moved]
    assert {value["$ref"] for value in values} == {"1"}
    assert {value["path"] for value in values} >= {"quotes[0].carrier_id"}
