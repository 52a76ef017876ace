"""Rollouts as instances: what is taken, what it says, and that anyone makes the same."""

from collections import Counter
from dataclasses import replace

import pytest

from build.gold import Gold
from build.points import Flaw
from build.proving import problems
from build.rollouts.candidates import DISAGREE, candidate
from build.rollouts.desk import Slip
from build.rollouts.filling import MOST_OF_A_TASK, played_for
from build.rollouts.loop import Shot, played
from build.rollouts.marginals import Quotas
from build.rollouts.planners import TEMPERS, Scripted, Task
from build.rollouts.planning import planned
from build.rollouts.renumbering import as_on_disk, renumbered
from build.stages import stage_of
from build.wishes import wish_of
from environment import opening
from environment.executor import Snapshot, carry_on, execute
from environment.world import generator
from tests.build.rollouts.made import rollouts_of
from trajectory import canonical
from trajectory.calls import Call, call_outcome
from trajectory.error_types import ErrorType
from trajectory.instance import Instance, digest, from_record, to_record


@pytest.fixture(scope="module")
def made(golds: list[Gold]) -> list[Instance]:
    return rollouts_of(golds[:6], 5, 5, seed=3, processes=1)


def test_rollouts_of_both_levels_are_made(made: list[Instance]) -> None:
    # So few tasks don't give all that so few instances are to be.
    levels = Counter(one.level for one in made)
    assert 4 <= levels[1] <= 5
    assert 3 <= levels[2] <= 5
    assert [one.id for one in made if one.level == 2][:2] == ["L2-rol-000001", "L2-rol-000002"]


def test_a_rollout_says_who_made_it_and_that_it_is_proven(made: list[Instance]) -> None:
    for one in made:
        assert one.source == "rollout"
        assert one.agent.removeprefix("scripted:") in TEMPERS
        assert one.proof == "full"
        assert 1 <= len(one.errors) <= 3


def test_the_same_come_out_in_any_number_of_processes(
    golds: list[Gold], made: list[Instance]
) -> None:
    again = rollouts_of(golds[:6], 5, 5, seed=3, processes=2)
    assert list(map(digest, again)) == list(map(digest, made))


def test_an_instance_begins_where_its_history_ended(made: list[Instance]) -> None:
    for one in made:
        start = opening.start(one)
        run = execute(start, carry_on, opening.environment(one, start))
        assert len(run.ledger) >= len(start.ledger)


def test_an_instance_that_is_read_again_is_proven_anew(made: list[Instance]) -> None:
    for one in made:
        assert list(problems(from_record(canonical.loads(canonical.dumps(to_record(one)))))) == []


def test_a_result_that_no_tool_gave_is_found(made: list[Instance]) -> None:
    one = next(one for one in made if one.history)
    (first, *calls), *rounds = one.history
    forged = [[{**first, "results": {"forged": True}}, *calls], *rounds]
    assert [flaw.point for flaw in problems(replace(one, history=forged))] == [0]


def test_no_task_has_more_instances_than_it_may(golds: list[Gold]) -> None:
    had = {gold.id: MOST_OF_A_TASK - 1 for gold in golds}
    made = rollouts_of(golds[:2], 2, 0, seed=3, processes=1, had=had)
    assert Counter(one.query_id for one in made) == {gold.id: 1 for gold in golds[:2]}


def test_a_snapshot_of_which_the_log_says_otherwise_is_dropped(golds: list[Gold]) -> None:
    gold = golds[0]
    plan = planned(gold.query, wish_of(gold)).plan()
    slips = (Slip(ErrorType.TIMEOUT, "1", 0),)
    shot = Shot(Snapshot(plan, (), ()), slips, ())
    assert candidate(stage_of(gold), shot, (), "scripted:nobody") == Flaw(0, DISAGREE)


def test_a_call_that_waits_to_run_again_is_shown_in_no_instance(golds: list[Gold]) -> None:
    gold = golds[0]
    plan = planned(gold.query, wish_of(gold)).plan()
    node = next(node for node in plan if node.is_call)
    ran = Call(node.id, node.name or "", node.para, {})
    made = candidate(
        stage_of(gold), Shot(Snapshot(plan, (), ((ran,),)), (), ()), (), "scripted:nobody"
    )
    assert made == Flaw(0, "a call that has run waits to run again")


def test_a_right_plan_is_no_candidate(golds: list[Gold]) -> None:
    gold = golds[0]
    plan = planned(gold.query, wish_of(gold)).plan()
    made = candidate(stage_of(gold), Shot(Snapshot(plan, (), ()), (), ()), (), "scripted:nobody")
    assert isinstance(made, Flaw)
    assert made != Flaw(0, DISAGREE)


def test_a_task_gives_no_two_instances_with_the_same_slips(golds: list[Gold]) -> None:
    for gold in golds[:2]:
        given = played_for(Quotas(9, 9, bound=False), 5, 0, ("careless", "terse"), gold, 14)
        looks = [canonical.dumps([one.agent, one.errors]) for one in given.instances]
        assert len({*looks}) == len(looks)


def test_new_numbers_change_nothing_but_names(golds: list[Gold]) -> None:
    """The same calls with the same answers in each round, listed in the order of their numbers."""
    for gold in golds[:4]:
        stage = stage_of(gold)
        for name in TEMPERS:
            rng = generator(3, "renumbered", gold.id, name)
            player = Scripted(TEMPERS[name], Task(gold.query, gold.tools, wish_of(gold)), rng)
            for shot in played(player, stage.environment(())):
                other = renumbered(shot, stage.environment(()))
                assert _nodes(other) == _nodes(shot)
                assert _made(other) == _made(shot)
                calls = [int(node.id) for node in other.snapshot.plan if node.is_call]
                assert calls == [*range(1, len(calls) + 1)]
                assert len(other.slips or ()) == len(shot.slips or ())


def _nodes(shot: Shot) -> Counter[tuple[str | None, bool, int]]:
    return Counter((node.name, node.status, len(node.dep)) for node in shot.snapshot.plan)


def _made(shot: Shot) -> list[Counter[str]]:
    """What each round called, and which calls succeeded."""
    rounds = (*shot.snapshot.history, shot.snapshot.tool_results)
    return [
        Counter(f"{call.name} {call_outcome(call.results)}" for call in calls) for calls in rounds
    ]


def test_a_number_is_judged_as_it_will_be_read(golds: list[Gold]) -> None:
    gold = golds[0]
    plan = planned(gold.query, wish_of(gold)).plan()
    first = next(node for node in plan if node.is_call)
    assert isinstance(first.para, dict)
    odd = plan.change({first.id: first.change(para={**first.para, "more": [25.0, {"a": 1.0}]})})
    read = as_on_disk(odd).by_id[first.id].para
    assert isinstance(read, dict)
    assert repr(read["more"]) == "[25, {'a': 1}]"
