"""An edge leads to a wrong node."""

import random

import pytest

from build.gold import Gold
from build.injectors.dependence import INJECTOR
from build.injectors.retries import with_retries
from build.injectors.scene import Place
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


@pytest.fixture(scope="module")
def found(golds: list[Gold]) -> list[Tried]:
    return list(tried(INJECTOR, golds))


@pytest.fixture(scope="module")
def beside_retries(golds: list[Gold]) -> list[Tried]:
    rng = random.Random(1)
    scenes = filter(None, (with_retries(first_scene(gold), rng) for gold in golds))
    return list(tried_in(INJECTOR, scenes))


def test_labels_tell_what_was_put_in(found: list[Tried], beside_retries: list[Tried]) -> None:
    for one in [*found, *beside_retries]:
        assert labelled(one.after) == claimed(one)


def test_every_variety_occurs(found: list[Tried], beside_retries: list[Tried]) -> None:
    assert hows(found) >= {
        f"{where}_{how}" for where in ("beside", "sooner", "later") for how in ("left", "moved")
    }
    assert hows(beside_retries) >= {"stale_left", "stale_moved", "stale_response"}


def test_the_node_waits_for_one_that_is_no_predecessor_of_its_producer(
    found: list[Tried], beside_retries: list[Tried]
) -> None:
    for one in [*found, *beside_retries]:
        node, producer = one.place.node, one.place.part
        new = {*(one.after.found.deps[node] or ())} - {*(one.scene.found.deps[node] or ())}
        assert len(new) == 1
        assert producer not in one.after.found.ancestors(node)
        purpose = one.scene.purpose(producer)
        assert not {*map(one.scene.purpose, new)} & one.scene.wanted.ancestors(purpose)
        assert is_valid(one.after.plan)


def test_some_call_runs_differently_and_faults_answer_the_same(
    found: list[Tried], beside_retries: list[Tried]
) -> None:
    for one in [*found, *beside_retries]:
        assert [*one.scene.run.ledger] != [*one.after.run.ledger]
        hit = {entry.node for entry in one.scene.run.ledger if entry.outcome != "ok"}
        assert hit <= {entry.node for entry in one.after.run.ledger if entry.outcome != "ok"}


def test_a_moved_reference_takes_a_value_that_fits(found: list[Tried]) -> None:
    for one in found:
        if one.injection.how.endswith("moved"):
            entry = one.after.run.ledger.last(one.place.node)
            assert entry is not None
            assert not any(references(entry.arguments))
            assert entry.arguments != one.scene.arguments(one.place.node)


def test_the_same_draws_give_the_same(golds: list[Gold]) -> None:
    one, two = ([each.injection for each in tried(INJECTOR, golds[:5])] for _ in range(2))
    assert one == two


def test_one_example_of_a_stale_edge() -> None:
    scene = next(retried([parcels()]))
    assert scene.purposes == {"5": "1"}
    place = Place("2", "5", "stale")
    assert place in INJECTOR.places(scene)
    injections = [INJECTOR.put(scene, place, random.Random(seed)) for seed in range(9)]
    edges = (
        {"op": "remove_edge", "node": "2", "dep": "5"},
        {"op": "add_edge", "node": "2", "dep": "1"},
    )
    failed = {"$ref": "1", "path": "quotes[0].carrier_id"}
    moved = {"op": "set_argument", "node": "2", "parameter": "carrier_id", "value": failed}
    edits = [one.edits for one in injections if one is not None]
    assert edges in edits
    assert (*edges, moved) in edits


def test_what_another_dep_waits_for_is_in_no_ones_place() -> None:
    # The response waits for 1 and 2 by way of 3, and there is nothing else than 4.
    assert not [one for one in INJECTOR.places(parcels()) if one.node == "response"]
