"""A call that failed and was rightly tried again."""

import random
from dataclasses import replace

import pytest

from build.gold import Gold
from build.injectors.outages import answered, tries
from build.injectors.retries import with_retries
from build.injectors.scene import Scene
from diagnosis.labels import labels
from environment.executor import Snapshot, carry_on, execute, start_of
from environment.goal import reached
from environment.ledger import Ledger
from tests.build.injectors.conftest import first_scene
from tests.build.injectors.parcels import parcels
from trajectory.graph import is_valid
from trajectory.references import references


@pytest.fixture(scope="module")
def found(golds: list[Gold]) -> list[tuple[Scene, Scene]]:
    """The trajectories before and after, some with a second call that is tried again."""
    rng = random.Random(1)
    pairs = []
    for before in map(first_scene, golds):
        scene = before
        for _ in range(2):
            new = with_retries(scene, rng)
            if new is not None:
                pairs.append((scene, new))
                scene = new
    return pairs


def test_most_tasks_have_a_call_that_can_be_tried_again(
    found: list[tuple[Scene, Scene]], golds: list[Gold]
) -> None:
    once = [new for before, new in found if not before.purposes]
    assert len(once) >= 0.8 * len(golds)
    assert {fault.length for new in once for fault in new.faults} == {1, 2}
    assert {"timeout", "null"} <= {fault.kind for new in once for fault in new.faults}


def test_the_goal_is_reached_without_an_error(found: list[tuple[Scene, Scene]]) -> None:
    for _, new in found:
        environment = new.stage.environment(new.faults)
        run = execute(start_of(Snapshot(new.plan, (), ())), carry_on, environment)
        goal, state = new.stage.gold.goal, environment.digest()
        assert goal is not None
        assert state is not None
        assert run.completed
        assert reached(goal, run.plan, run.ledger, state)
        assert labels(new.case(run.ledger)) == []
        assert is_valid(new.plan)


def test_a_retry_waits_for_the_attempt_before_it(found: list[tuple[Scene, Scene]]) -> None:
    for before, new in found:
        fault = new.faults[-1]
        added = [node for node in new.purposes if node not in before.purposes]
        assert len(added) == fault.length
        attempts = [new.plan.by_id[added[0]].dep[0], *added]
        for attempt, retry in zip(attempts, added, strict=False):
            assert new.plan.by_id[retry].dep == (attempt,)
        assert [[attempt] for attempt in attempts[:-1]] == answered(new, fault)
        assert {new.purpose(attempt) for attempt in attempts} == {new.purpose(attempts[-1])}


def test_who_waited_for_the_call_now_waits_for_its_last_retry(
    found: list[tuple[Scene, Scene]],
) -> None:
    for before, new in found:
        added = [node for node in new.purposes if node not in before.purposes]
        first, last = new.plan.by_id[added[0]].dep[0], added[-1]
        for node in before.plan:
            after = new.plan.by_id[node.id]
            wanted = {last if dep == first else dep for dep in node.dep}
            assert {*after.dep} == wanted
            referred = {last if one.node == first else one.node for one in references(node.para)}
            assert {one.node for one in references(after.para)} == referred


def test_each_failed_attempt_alone_is_of_its_tool(found: list[tuple[Scene, Scene]]) -> None:
    for _, new in found:
        for fault in new.faults:
            assert all(len(nodes) == 1 for nodes in answered(new, fault))


def test_only_the_failed_attempts_fail(found: list[tuple[Scene, Scene]]) -> None:
    for _, new in found:
        failed = [entry.node for entry in new.run.ledger if entry.outcome != "ok"]
        hit = [node for fault in new.faults for nodes in answered(new, fault) for node in nodes]
        assert sorted(failed) == sorted(hit)


def test_at_most_so_many_attempts_fail(golds: list[Gold]) -> None:
    rng = random.Random(1)
    scenes = [with_retries(first_scene(gold), rng, most=1) for gold in golds]
    assert {scene.faults[0].length for scene in scenes if scene is not None} == {1}


def test_the_same_draws_give_the_same(golds: list[Gold]) -> None:
    one, two = (with_retries(first_scene(golds[0]), random.Random(3)) for _ in range(2))
    assert one is not None
    assert two is not None
    assert (one.plan, one.purposes, one.faults) == (two.plan, two.purposes, two.faults)


def test_a_node_with_an_error_is_not_tried_again() -> None:
    touched = replace(parcels(), touched=frozenset({"1", "3", "4"}))
    for seed in range(10):
        new = with_retries(touched, random.Random(seed))
        assert new is not None
        assert {*new.purposes.values()} == {"2"}


def test_where_no_call_is_left_there_is_no_retry() -> None:
    touched = replace(parcels(), touched=frozenset({"1", "2", "3", "4"}))
    assert with_retries(touched, random.Random(1)) is None


def test_a_round_in_which_a_call_never_reached_its_tool_is_not_tried() -> None:
    scene = parcels()
    plan = scene.plan
    # Node 3 names what node 2 doesn't give: the reference fails, and the tool isn't called.
    wrong = plan.by_id["3"].change(para={"parcel_id": {"$ref": "2", "path": "nothing"}})
    assert tries(scene, "track_parcel") == {3: ["3"]}
    assert tries(replace(scene, plan=plan.change({"3": wrong})), "track_parcel") == {}


def test_one_example() -> None:
    scene = replace(parcels(), touched=frozenset({"1", "3", "4"}))
    new = next(
        found
        for seed in range(20)
        if (found := with_retries(scene, random.Random(seed))) is not None
        and found.faults[0].length == 2
    )
    assert new.purposes == {"5": "2", "6": "2"}
    assert [new.plan.by_id[node].dep for node in ("5", "6", "3")] == [("2",), ("5",), ("6",)]
    assert new.plan.by_id["3"].para == {"parcel_id": {"$ref": "6", "path": "parcel_id"}}
    assert [(entry.node, entry.outcome != "ok") for entry in Ledger(new.run.ledger)] == [
        ("1", False),
        ("4", False),
        ("2", True),
        ("5", True),
        ("6", False),
        ("3", False),
    ]
