"""A call too many, where it costs a round or leaves a wrong effect."""

import random

import pytest

from build.gold import Gold
from build.injectors.consequences import can_be_undone, has_effect, mended, rounds, run_of
from build.injectors.redundant_call import INJECTOR
from build.injectors.scene import Place
from diagnosis.affected import affected
from diagnosis.courses import Courses
from diagnosis.labels import labels
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
from trajectory.references import reference

IN_THE_WAY = {"again", "again_taken", "for_all", "other_values", "look_up", "check"}


@pytest.fixture(scope="module")
def found(golds: list[Gold]) -> list[Tried]:
    return list(tried(INJECTOR, golds[:15]))


def test_labels_tell_what_was_put_in(found: list[Tried]) -> None:
    for one in found:
        assert labelled(one.after) == claimed(one)


def test_every_variety_occurs(found: list[Tried]) -> None:
    assert hows(found) >= {*IN_THE_WAY, "unasked"}


def test_it_succeeds_and_costs_a_round_or_leaves_an_effect(found: list[Tried]) -> None:
    for one in found:
        new = one.injection.root_cause
        run, state = run_of(one.after)
        last = run.ledger.last(new)
        assert last is not None
        assert last.outcome == "ok"
        later = run.total_rounds > one.scene.run.total_rounds
        assert later or state != run_of(one.scene)[1]
        assert later or one.injection.how not in IN_THE_WAY
        assert new in affected(one.scene.stage.gold_run, run, {}, ()).later


def test_its_effect_can_be_undone(found: list[Tried]) -> None:
    for one in found:
        tool = one.after.plan.by_id[one.injection.root_cause].name or ""
        stage = one.scene.stage
        assert not has_effect(stage, tool) or can_be_undone(stage, tool)


def test_it_still_counts_once_other_errors_are_mended(golds: list[Gold]) -> None:
    found = list(tried_in(INJECTOR, retried(map(first_scene, golds[:8]))))
    assert any(one.place.part in one.scene.purposes for one in found)
    for one in found:
        assert labelled(one.after) == claimed(one)
        clean = mended(one.scene)
        if one.injection.how in IN_THE_WAY:
            assert rounds(clean.after(one.injection).plan) > rounds(clean.plan)


def test_the_same_draws_give_the_same(golds: list[Gold]) -> None:
    once, again = (list(tried(INJECTOR, golds[:2])) for _ in range(2))
    assert [one.injection for one in once] == [one.injection for one in again]


def test_a_call_is_made_again_and_its_second_result_taken() -> None:
    scene = parcels()
    injection = INJECTOR.put(scene, Place("2", "1", "again_taken"), random.Random(1))
    assert injection is not None
    new = injection.root_cause
    after = scene.after(injection).plan.by_id
    assert (after[new].name, after[new].para) == (after["1"].name, after["1"].para)
    assert (after[new].dep, after["2"].dep) == (("1",), (new,))
    assert after["2"].para == {
        **scene.plan.by_id["2"].para,  # type: ignore[dict-item]
        "carrier_id": reference(new, "quotes[0].carrier_id"),
    }


def test_of_two_calls_that_are_the_same_the_second_is_needless(found: list[Tried]) -> None:
    seen = 0
    for one in (one for one in found if one.injection.how in {"again_taken", "for_all"}):
        (first,) = one.after.plan.by_id[one.injection.root_cause].dep
        left = [node.id for node in one.after.plan if first in node.dep]
        assert one.injection.how == "again_taken" or left == [one.injection.root_cause]
        seen += 1
    assert seen


def test_an_effect_is_had_twice() -> None:
    scene = parcels()
    injection = INJECTOR.put(scene, Place("2", how="twice"), random.Random(1))
    assert injection is not None
    assert run_of(scene.after(injection))[1] != run_of(scene)[1]


def test_a_dead_end_beside_the_longest_way_is_no_place() -> None:
    places = INJECTOR.places(parcels())
    assert not [place for place in places if place.node == "4" and place.how in IN_THE_WAY]
    assert not [place for place in places if place.part == "4" and place.how in IN_THE_WAY]


def test_schemas_alone_show_what_stands_in_the_way() -> None:
    found = list(tried_in(INJECTOR, [parcels(known_tools=False)]))
    assert hows(found) == {"again", "again_taken", "for_all"}
    for one in found:
        assert labelled(one.after) == claimed(one)


def test_what_an_effect_too_many_reaches_is_seen_once_it_has_run() -> None:
    scene = parcels()
    injection = INJECTOR.put(scene, Place("2", how="twice"), random.Random(1))
    assert injection is not None
    after = scene.after(injection)
    case = after.case(after.run.ledger)
    courses = Courses(case, labels(case), (), 3, scene.stage.run)
    assert courses.reach(0)[0].now == (injection.root_cause,)
