"""A node waits for one that it does not need."""

import random
from dataclasses import replace

import pytest

from build.gold import Gold
from build.injectors.consequences import rounds
from build.injectors.parallelism import INJECTOR
from build.injectors.retries import with_retries
from build.injectors.scene import Place, Scene
from diagnosis.edits import apply_edits
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
from tests.build.injectors.written import BIRTHDAY, DESK, written
from trajectory.graph import is_valid


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
    assert hows(found) == {"same_tool", "siblings", "branches", "later"}
    assert "retry" in hows(beside_retries)


def test_all_takes_a_round_more_and_gives_the_same(
    found: list[Tried], beside_retries: list[Tried]
) -> None:
    for one in [*found, *beside_retries]:
        assert one.after.run.completed
        assert one.after.run.total_rounds > one.scene.run.total_rounds
        results = [
            {entry.node: entry.result for entry in scene.run.ledger}
            for scene in (one.scene, one.after)
        ]
        assert results[0] == results[1]


def test_no_cycle_and_no_edge_that_held_already(found: list[Tried]) -> None:
    for one in found:
        assert is_valid(one.after.plan)
        assert one.place.node != "response"
        assert one.place.part not in one.scene.found.ancestors(one.place.node)


def test_no_effect_wants_the_order(found: list[Tried]) -> None:
    for one in found:
        tools = one.scene.stage.world_tools
        node, other = (
            tools[one.scene.plan.by_id[id].name or ""] for id in (one.place.node, one.place.part)
        )
        if node.world == other.world:
            assert not {*node.writes} & {*other.reads, *other.writes}
            assert not {*other.writes} & {*node.reads, *node.writes}


def test_the_same_draws_give_the_same(golds: list[Gold]) -> None:
    one, two = ([each.injection for each in tried(INJECTOR, golds[:5])] for _ in range(2))
    assert one == two


def test_one_example() -> None:
    scene = written(DESK)
    # What is added to one cart has an order, and so has all that comes before it.
    assert INJECTOR.places(scene) == [
        Place("1", "2", "same_tool"),
        Place("2", "1", "same_tool"),
    ]
    injection = INJECTOR.put(scene, Place("1", "2", "same_tool"), random.Random(1))
    assert injection is not None
    assert injection.edits == ({"op": "add_edge", "node": "1", "dep": "2"},)
    assert rounds(scene.after(injection).plan) == rounds(scene.plan) + 1


def test_a_look_up_is_not_let_wait_for_what_comes_after_a_write_to_its_table() -> None:
    # Node 4 lists the parcels that node 2 registers, and node 3 waits for that.
    assert INJECTOR.places(parcels()) == []


def test_without_known_tools_only_calls_that_ran_together_are_free() -> None:
    scene = parcels(known_tools=False)
    assert INJECTOR.places(scene) == []
    together = [scene.run.rounds[0].entries]
    calls = tuple(tuple(entry.to_call() for entry in entries) for entries in together)
    gold = replace(scene.stage.gold, calls=calls)
    known = Scene(replace(scene.stage, gold=gold), scene.plan)
    assert INJECTOR.places(known) == [Place("1", "4", "branches")]


def test_the_round_is_lost_even_once_other_errors_are_mended() -> None:
    scene = written(BIRTHDAY)
    # The longest way is 2, 4, 5, 6. Without the edge from 4 to 5 it would be 1, 3, 6.
    loose = scene.plan.by_id["5"].change(dep=("root",))
    wrong = replace(scene, plan=scene.plan.change({"5": loose}), touched=frozenset({"5"}))
    edge = [{"op": "add_edge", "node": "1", "dep": "2"}]
    assert rounds(apply_edits(scene.plan, edge)) == rounds(scene.plan)
    assert rounds(apply_edits(wrong.plan, edge)) > rounds(wrong.plan)
    assert ("1", "2") not in {(place.node, place.part) for place in INJECTOR.places(wrong)}
