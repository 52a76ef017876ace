"""A tool doesn't answer, or answers with nothing, and nobody tries again."""

import random
from collections.abc import Iterable
from dataclasses import replace

import pytest

from build.gold import Gold
from build.injectors import null, timeout
from build.injectors.outages import alone, answered, keeps_faults
from build.injectors.retries import with_retries
from build.injectors.scene import Injector, Place
from diagnosis.labels import labels
from environment.faults import Fault
from environment.ledger import Ledger
from tests.build.injectors.conftest import Tried, claimed, first_scene, hows, tried, tried_in
from tests.build.injectors.parcels import parcels
from trajectory.error_types import ErrorType

INJECTORS = (timeout.INJECTOR, null.INJECTOR)


@pytest.fixture(scope="module", params=INJECTORS, ids=lambda injector: injector.type.value)
def injector(request: pytest.FixtureRequest) -> Injector:
    assert isinstance(request.param, Injector)
    return request.param


@pytest.fixture(scope="module")
def found(injector: Injector, golds: list[Gold]) -> list[Tried]:
    return [*tried(injector, golds), *tried(injector, golds, seed=2)]


@pytest.fixture(scope="module")
def beside_retries(injector: Injector, golds: list[Gold]) -> list[Tried]:
    rng = random.Random(1)
    scenes = filter(None, (with_retries(first_scene(gold), rng) for gold in golds))
    return list(tried_in(injector, scenes))


def labelled_then(one: Tried) -> list[tuple[str, str]]:
    """The labels once the root cause has run; later ones of its tool may be answered as well."""
    last = one.after.run.ledger.last(one.injection.root_cause)
    assert last is not None
    ran = Ledger(entry for entry in one.after.run.ledger if entry.round <= last.round)
    return [(label.type, label.root_cause) for label in labels(one.after.case(ran))]


def test_labels_tell_what_was_put_in(found: list[Tried], beside_retries: list[Tried]) -> None:
    for one in [*found, *beside_retries]:
        assert labelled_then(one) == claimed(one)


def test_every_length_and_kind_occurs(injector: Injector, found: list[Tried]) -> None:
    kinds = ["timeout"]
    if injector.type is ErrorType.NULL:
        kinds = ["null", "empty_text", "empty_list"]
    assert hows(found) >= {f"{kind}_{length}" for kind in kinds for length in (1, 2, 3)}


def test_in_each_round_the_fault_answers_one_node_of_its_tool(
    found: list[Tried], beside_retries: list[Tried]
) -> None:
    for one in [*found, *beside_retries]:
        fault = one.injection.fault
        assert fault is not None
        rounds = answered(one.after, fault)
        assert rounds[0] == [one.injection.root_cause]
        assert all(len(nodes) == 1 for nodes in rounds)
        assert (len(rounds) > 1) == one.injection.how.endswith("sibling")
        for node in (node for nodes in rounds for node in nodes):
            last = one.after.run.ledger.last(node)
            assert last is not None
            assert last.result == fault.result()


def test_the_plan_stays(found: list[Tried]) -> None:
    for one in found:
        assert one.after.plan == one.scene.plan


def test_other_faults_answer_the_same_as_before(beside_retries: list[Tried]) -> None:
    assert beside_retries
    for one in beside_retries:
        assert keeps_faults(one.scene, one.after)
        assert len({fault.tool for fault in one.after.faults}) == len(one.after.faults)


def test_the_same_draws_give_the_same(injector: Injector, golds: list[Gold]) -> None:
    one, two = ([each.injection for each in tried(injector, golds[:5])] for _ in range(2))
    assert one == two


def nodes(places: Iterable[Place]) -> list[str]:
    return [place.node for place in places]


def test_calls_of_one_tool_in_one_round_are_no_place(golds: list[Gold]) -> None:
    for scene in map(first_scene, golds):
        for node in alone(scene):
            last = scene.run.ledger.last(node.id)
            assert last is not None
            beside = [e for e in scene.run.ledger if e.round == last.round and e.tool == last.tool]
            assert len(beside) == 1


def test_a_call_that_fails_already_is_no_place(injector: Injector) -> None:
    scene = parcels()
    wrong = scene.plan.by_id["2"].change(para={})
    broken = replace(scene, plan=scene.plan.change({"2": wrong}), touched=frozenset({"2"}))
    # Node 3 waits for the parcel that node 2 does not register.
    assert nodes(injector.places(scene)) == ["1", "2", "3", "4"]
    assert nodes(injector.places(broken)) == ["1", "4"]


def test_a_tool_with_a_fault_gets_no_further_one(injector: Injector) -> None:
    scene = replace(parcels(), faults=(Fault("quote_shipping", 5, 1, "null"),))
    assert nodes(injector.places(scene)) == ["2", "3", "4"]


def test_one_example() -> None:
    scene = parcels()
    injection = timeout.INJECTOR.put(scene, Place("2"), random.Random(1))
    assert injection is not None
    assert injection.fault is not None
    assert (injection.fault.tool, injection.fault.first) == ("register_parcel", 1)
    last = scene.after(injection).run.ledger.last("2")
    assert last is not None
    assert last.result == {"error": "timeout: register_parcel did not answer within 30 seconds"}


def test_later_rounds_of_a_tool_count_from_its_tries(golds: list[Gold]) -> None:
    later = [
        one.injection.fault
        for one in tried(timeout.INJECTOR, golds)
        if one.injection.fault is not None and one.injection.fault.first > 1
    ]
    assert later
