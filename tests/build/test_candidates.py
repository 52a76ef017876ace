"""Candidates: proven instances as a slot wants them, or what does not hold."""

import random
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import pytest

from build import candidates as module
from build.candidates import (
    Course,
    NoPlaceError,
    candidate,
    course_of,
    drawn,
    examined,
)
from build.dataset import CANARY, EDITION
from build.gold import Gold
from build.injectors.scene import Scene
from build.instances import instance_of
from build.points import Flaw, flaws
from build.quotas import Slot
from build.renumbering import renumbered
from build.seeds.compose import Stream
from build.stages import stage_of
from diagnosis.edits import Edit, apply_edits
from tests.diagnosis.budget import (
    EXAMPLES,
    GOLD,
    STAGE,
    add,
    again,
    call,
    course,
    gone,
    outage,
    part,
    put,
    stage,
    wait,
)
from trajectory.error_types import ErrorType as T
from trajectory.instance import Instance, digest
from trajectory.plan import Node, Plan
from trajectory.references import reference as ref

FRESH_NEVER = (T.TIMEOUT, T.NULL)


class Drawn(NamedTuple):
    """A slot, and what came of it."""

    slot: Slot
    found: Instance | Flaw


@pytest.fixture(scope="module")
def golds() -> list[Gold]:
    return [one.gold for one in islice(Stream(11), 5)]


@pytest.fixture(scope="module")
def every(golds: list[Gold]) -> list[Drawn]:
    """Candidates for all kinds of slots."""
    types = sorted(T)
    wanted = [Slot(1, (kind,)) for kind in types]
    wanted += [Slot(1, (kind,), fresh=True) for kind in types if kind not in FRESH_NEVER]
    wanted += [Slot(2, (kind,)) for kind in types if kind not in (T.PARALLELISM, T.REDUNDANT_CALL)]
    wanted += [Slot(2, tuple(sorted((types[n - 5], types[n])))) for n in range(14)]
    wanted += [
        Slot(2, tuple(sorted((types[n - 9], types[n - 4], types[n])))) for n in range(0, 14, 2)
    ]
    stages = [stage_of(gold) for gold in golds]
    found = []
    for number, slot in enumerate(wanted):
        rng = random.Random(number)
        for one in (stages[number % len(stages)], stages[(number + 1) % len(stages)]):
            try:
                found.append(Drawn(slot, candidate(one, slot, rng)))
            except NoPlaceError:
                continue
    return found


def proven(every: list[Drawn]) -> list[tuple[Slot, Instance]]:
    return [(slot, found) for slot, found in every if isinstance(found, Instance)]


def rounds(instance: Instance) -> int:
    return len(instance.history) + bool(instance.tool_results)


def ran(instance: Instance) -> dict[str, int]:
    every = [*instance.history, instance.tool_results]
    return {call["node"]: number for number, calls in enumerate(every, 1) for call in calls}


# --- what a slot gives ------------------------------------------------------------------------


def test_most_candidates_are_proven(every: list[Drawn]) -> None:
    assert len(proven(every)) > 0.8 * len(every)
    for found in (found for _, found in every if isinstance(found, Flaw)):
        assert found.why
        assert 0 <= found.point <= 7


def test_an_instance_has_the_types_the_level_and_the_start_of_its_slot(every: list[Drawn]) -> None:
    for slot, instance in proven(every):
        assert instance.level == slot.level
        assert instance.error_types == slot.types
        assert [error["type"] for error in instance.errors] == [*slot.types]
        assert (rounds(instance) == 0) == slot.fresh


def test_level_1_shows_its_error_in_the_last_round_or_has_it_still_ahead(
    every: list[Drawn],
) -> None:
    for _, instance in (pair for pair in proven(every) if pair[0].level == 1):
        (error,) = instance.errors
        when = ran(instance)
        reached = {
            when[node] for node in (error["root_cause"], *error["affected_now"]) if node in when
        }
        assert reached <= {rounds(instance)}


def test_one_error_of_level_2_has_gone_on_into_later_calls(every: list[Drawn]) -> None:
    alone = [one for slot, one in proven(every) if (slot.level, len(slot.types)) == (2, 1)]
    assert alone
    for instance in alone:
        (error,) = instance.errors
        when = ran(instance)
        assert len({when[node] for node in error["affected_now"]}) > 1


def test_what_only_costs_a_round_lies_ahead(every: list[Drawn]) -> None:
    for _, instance in proven(every):
        for error in instance.errors:
            if error["type"] == T.PARALLELISM:
                assert error["root_cause"] not in ran(instance)
            if error["type"] == T.REDUNDANT_CALL and error["root_cause"] in ran(instance):
                # Else it has an effect, which is taken back.
                assert all(any(e["op"] == "add_node" for e in r) for r in instance.repairs)


def test_an_outage_has_shown(every: list[Drawn]) -> None:
    for _, instance in proven(every):
        for error in instance.errors:
            if error["type"] in FRESH_NEVER:
                assert error["root_cause"] in ran(instance)
                assert error["round"] == ran(instance)[error["root_cause"]]


def test_the_frame_of_an_instance(every: list[Drawn], golds: list[Gold]) -> None:
    tasks = {gold.id: gold for gold in golds}
    for _, one in proven(every):
        gold = tasks[one.query_id]
        assert (one.id, one.edition, one.source, one.agent) == ("", EDITION, "augmented", "")
        assert (one.proof, one.canary) == ("full", CANARY)
        assert (one.query, one.tools, one.goal) == (gold.query, gold.tools, gold.goal)
        assert (one.rounds_gt, one.calls_gt) == (gold.rounds_gt, gold.calls_gt)
        assert one.environment == gold.origin
        assert one.error_reason


def test_the_same_draws_give_the_same(golds: list[Gold]) -> None:
    slot = Slot(2, (T.PARAMETER_INVALID, T.REDUNDANT_CALL))
    one, two = (candidate(stage_of(golds[0]), slot, random.Random(3)) for _ in range(2))
    if isinstance(one, Instance) and isinstance(two, Instance):
        assert digest(one) == digest(two)
    assert one == two


def test_where_an_error_has_no_place() -> None:
    alone = Plan((GOLD.by_id["root"], GOLD.by_id["2"], Node("response", dep=("2",))))
    with pytest.raises(NoPlaceError):
        candidate(stage(alone), Slot(1, (T.SERIAL,)), random.Random(1))


def test_what_only_costs_a_round_is_put_in_last(golds: list[Gold]) -> None:
    kinds = (T.PARALLELISM, T.PARAMETER_INVALID, T.TOOL_NAME)
    claims = []
    for gold in golds:
        try:
            claims.append(drawn(stage_of(gold), Slot(2, kinds), random.Random(1)).claims)
        except NoPlaceError:
            continue
    assert claims
    for found in claims:
        assert [kind for kind, _ in found][-1] == T.PARALLELISM


# --- candidates by hand -----------------------------------------------------------------------


def tried(
    monkeypatch: pytest.MonkeyPatch, level: int, rounds: int, found: Course
) -> Instance | Flaw:
    """What becomes of a trajectory that is cut there."""
    monkeypatch.setattr(module, "_drawn_and_cut", lambda stage, slot, rng: (found, rounds))
    return candidate(found.scene.stage, Slot(level, ()), random.Random(1))


def of_example(kind: T, root_cause: str) -> Course:
    _, edits, faults = EXAMPLES[kind]
    return replace(course(*edits, faults=faults), claims=[(kind, root_cause)])


def test_a_candidate_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    one = tried(monkeypatch, 1, 4, of_example(T.PARAMETER_TYPE, "5"))
    assert isinstance(one, Instance)
    assert one.error_types == ("Type_Error",)
    assert (one.rounds_gt, one.calls_gt, one.rounds_opt, one.calls_opt) == (6, 7, 7, 8)
    assert [[call["node"] for call in calls] for calls in one.history] == [
        ["1", "2"],
        ["3", "7"],
        ["4"],
    ]
    assert [call["node"] for call in one.tool_results] == ["5"]
    assert one.repairs == [
        [{"op": "set_argument", "node": "5", "parameter": "step", "value": 150, "errors": [0]}]
    ]
    assert one.gold_plan["tasks"][5]["id"] == "5"
    assert "purposes" not in one.gold_plan


def test_other_errors_than_were_put_in(monkeypatch: pytest.MonkeyPatch) -> None:
    for claims in ([], [(T.PARAMETER_TYPE, "4")], [(T.PARAMETER_INVALID, "5")]):
        found = replace(of_example(T.PARAMETER_TYPE, "5"), claims=claims)
        assert tried(monkeypatch, 1, 4, found) == Flaw(
            0, "the plan holds other errors than were put in"
        )


def test_of_a_missing_call_the_root_cause_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    found = of_example(T.MISSING_CALL, "2")
    assert isinstance(tried(monkeypatch, 1, 5, found), Instance)


def test_a_wrong_effect_that_cannot_be_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    task = stage(unlisted=["forget_number"])
    found = replace(
        course(put("3", "amount", 900), stage=task), claims=[(T.PARAMETER_INVALID, "3")]
    )
    assert tried(monkeypatch, 1, 2, found) == Flaw(3, "IrreversibleError: keep_number")
    assert isinstance(tried(monkeypatch, 1, 1, found), Instance)


def test_what_is_right_as_it_is_carried_on(monkeypatch: pytest.MonkeyPatch) -> None:
    found = of_example(T.PARALLELISM, "3")
    assert isinstance(tried(monkeypatch, 1, 1, found), Instance)
    assert tried(monkeypatch, 1, 2, found) == Flaw(2, "carried on as it is, it is right")


def test_an_error_that_needs_no_mending_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    # The round that the needless edge costs is lost.
    edits: list[Edit] = [wait("3", "7"), put("5", "step", "150")]
    claims = [(T.PARALLELISM, "3"), (T.PARAMETER_TYPE, "5")]
    found = replace(course(*edits), claims=claims)
    assert isinstance(tried(monkeypatch, 2, 1, found), Instance)
    assert tried(monkeypatch, 2, 4, found) == Flaw(4, "no edit is for error 0 alone")


def test_a_sibling_that_an_outage_still_meets(monkeypatch: pytest.MonkeyPatch) -> None:
    found = replace(course(faults=[outage("average_amounts", length=2)]), claims=[(T.TIMEOUT, "2")])
    assert tried(monkeypatch, 1, 1, found) == Flaw(
        3, "no subset of the difference to gold reaches the goal"
    )


def test_an_outage_that_answers_two_calls_of_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    two = add("8", "average_amounts", [], ["6"], amounts=[1, 3])
    gold = apply_edits(GOLD, [two])
    found = course(faults=[outage("average_amounts")], stage=stage(gold))
    claims = [(T.TIMEOUT, "2"), (T.TIMEOUT, "8")]
    result = tried(monkeypatch, 2, 1, replace(found, claims=claims))
    assert result == Flaw(0, "the fault of average_amounts answered several nodes in one round")


def test_a_difference_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    edits: list[Edit] = [
        {"op": "set_tool", "node": id, "tool": "average_amount", "arguments": {"a": 1, "b": 2}}
        for id in ("2", "5", "7")
    ]
    found = replace(course(*edits), claims=[(T.TOOL_NAME, id) for id in ("2", "5", "7")])
    assert tried(monkeypatch, 2, 1, found) == Flaw(
        3, "the difference to gold is too large to be searched"
    )


# --- retries that are no error ----------------------------------------------------------------


def test_an_instance_tells_what_its_retries_are_for(monkeypatch: pytest.MonkeyPatch) -> None:
    edits: list[Edit] = [again("2", "8"), put("5", "step", "150")]
    found = course(*edits, faults=[outage("average_amounts")], purposes={"8": "2"})
    one = tried(monkeypatch, 1, 4, replace(found, claims=[(T.PARAMETER_TYPE, "5")]))
    assert isinstance(one, Instance)
    assert one.gold_plan["purposes"] == {"8": "2"}
    assert one.faults == [{"tool": "average_amounts", "first": 1, "length": 1, "kind": "timeout"}]


def test_a_retry_of_what_has_not_failed_yet_looks_needless(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    edits: list[Edit] = [again("5", "8"), put("7", "amounts", [ref("1", "total"), "600"])]
    found = course(*edits, faults=[outage("round_amount")], purposes={"8": "5"})
    found = replace(found, claims=[(T.PARAMETER_TYPE, "7")])
    assert tried(monkeypatch, 1, 2, found) == Flaw(
        0, "node 5 is tried again although it has not failed"
    )
    assert isinstance(tried(monkeypatch, 2, 4, found), Flaw)


def test_an_attempt_that_would_succeed_by_now_is_one_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once node 1 is mended node 5 runs again as well, and node 8 has nothing to make good."""
    edits: list[Edit] = [again("5", "8"), put("1", "amounts", [100, 250.5, 194.5])]
    found = course(*edits, faults=[outage("round_amount")], purposes={"8": "5"})
    found = replace(found, claims=[(T.PARAMETER_INVALID, "1")])
    assert tried(monkeypatch, 2, 5, found) == Flaw(
        3, "the repair without attempt 5 is better than the optimum: (11, 14)"
    )


# --- levels -----------------------------------------------------------------------------------


def levelled(monkeypatch: pytest.MonkeyPatch, found: Course, rounds: int) -> list[int]:
    """The levels of which a trajectory is an instance when it is cut there."""
    results = {level: tried(monkeypatch, level, rounds, found) for level in (1, 2)}
    return [level for level, result in results.items() if isinstance(result, Instance)]


def test_an_error_is_of_level_1_until_it_has_gone_on(monkeypatch: pytest.MonkeyPatch) -> None:
    found = of_example(T.PARAMETER_NAME, "1")
    assert [levelled(monkeypatch, found, rounds) for rounds in (0, 1, 2, 3)] == [
        [1],
        [1],
        [2],
        [2],
    ]


def test_an_error_of_an_earlier_round_that_went_on_nowhere_is_of_neither(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = of_example(T.TOOL_NAME, "7")
    assert [levelled(monkeypatch, found, rounds) for rounds in (1, 2, 3, 4)] == [[1], [1], [], []]


def test_several_errors_are_of_level_2_wherever_they_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    edits: list[Edit] = [put("5", "step", "150"), part("6", "2")]
    claims = [(T.PARAMETER_TYPE, "5"), (T.DEPENDENCE_NULL, "6")]
    found = replace(course(*edits), claims=claims)
    assert [levelled(monkeypatch, found, rounds) for rounds in (0, 2, 4)] == [[2], [2], [2]]


def two_takers() -> Plan:
    """Nodes 4 and 5 take from node 3; node 4 comes first by number, but waits for 2 as well."""
    return Plan(
        (
            Node("root", status=True, desc=STAGE.gold.query),
            call("1", "sum_amounts", amounts=[100, 250.5]),
            call("2", "round_amount", "1", amount=ref("1", "total"), step=5, direction="down"),
            call("3", "average_amounts", "1", amounts=[ref("1", "total"), 600]),
            call(
                "4", "compare_amounts", "2", "3",
                before=ref("3", "mean"), after=ref("2", "rounded"),
            ),
            call("5", "round_amount", "3", amount=ref("3", "mean"), step=150, direction="up"),
            call("6", "compare_amounts", "5", before=120, after=ref("5", "rounded")),
            Node("response", dep=("4", "6"), desc="Answer the user."),
        )
    )  # fmt: skip


def test_a_missing_call_counts_from_where_it_is_missed_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    edits: list[Edit] = [
        gone("3"),
        put("4", "before", 440),
        put("5", "amount", 440),
        part("5", "1"),
    ]
    found = course(*edits, stage=stage(two_takers()))
    when = {entry.node: entry.round for entry in found.run.ledger}
    assert when == {"1": 1, "5": 1, "2": 2, "6": 2, "4": 3}
    found = replace(found, claims=[(T.MISSING_CALL, "4")])
    # After round 1 it shows in node 5; after round 2 it has gone on into node 6.
    assert [levelled(monkeypatch, found, rounds) for rounds in (0, 1, 2)] == [[1], [1], [2]]


# --- cutting ----------------------------------------------------------------------------------


def cuts(found: Course, slot: Slot) -> set[int]:
    """Where a trajectory may be cut for a slot."""
    places = set()
    for seed in range(40):
        try:
            places.add(module._cut(found, slot, random.Random(seed)))
        except NoPlaceError:
            return set()
    return places


@pytest.mark.parametrize(
    ("kind", "root_cause", "level", "wanted"),
    [
        # The error runs in round 4; a fresh slot has nothing run.
        (T.PARAMETER_TYPE, "5", 1, {1, 2, 3, 4}),
        (T.PARAMETER_TYPE, "5", 2, {5}),
        (T.PARAMETER_NAME, "1", 1, {1}),
        (T.PARAMETER_NAME, "1", 2, {2, 3, 4, 5}),
        # A fault is none before it has shown.
        (T.NULL, "5", 1, {4}),
        (T.NULL, "5", 2, {5}),
        (T.TIMEOUT, "2", 1, {1}),
        # Of round 3 node 3 would run in round 2: by then nothing is lost.
        (T.PARALLELISM, "3", 1, {1}),
        # Node 8 runs in round 5.
        (T.REDUNDANT_CALL, "8", 1, {1, 2, 3, 4}),
        # Nothing comes after it.
        (T.TOOL_NAME, "7", 2, set()),
    ],
)
def test_where_a_trajectory_is_cut(kind: T, root_cause: str, level: int, wanted: set[int]) -> None:
    found = of_example(kind, root_cause)
    assert cuts(found, Slot(level, (kind,))) == wanted
    fresh = cuts(found, Slot(level, (kind,), fresh=True))
    assert fresh == ({0} if level == 1 and kind not in FRESH_NEVER else set())


def test_a_needless_effect_may_have_run() -> None:
    edit = add("8", "keep_number", ["1"], [], label="quote for the club", amount=1)
    found = replace(course(edit), claims=[(T.REDUNDANT_CALL, "8")])
    assert cuts(found, Slot(1, (T.REDUNDANT_CALL,))) == {1, 2}


def test_several_errors_are_cut_where_all_of_them_still_count() -> None:
    edits: list[Edit] = [put("5", "step", "150"), wait("3", "7")]
    claims = [(T.PARALLELISM, "3"), (T.PARAMETER_TYPE, "5")]
    found = replace(course(*edits), claims=claims)
    assert cuts(found, Slot(2, (T.PARALLELISM, T.PARAMETER_TYPE))) == {1}


def test_an_error_of_the_response_is_of_level_1_to_the_end() -> None:
    found = replace(course(part("response", "7")), claims=[(T.DEPENDENCE_NULL, "response")])
    assert cuts(found, Slot(1, (T.DEPENDENCE_NULL,))) == {1, 2, 3, 4, 5}
    assert cuts(found, Slot(2, (T.DEPENDENCE_NULL,))) == set()


# --- the trajectory itself --------------------------------------------------------------------


def test_a_course_stands_as_it_did_after_each_round() -> None:
    found = course()
    assert found.rounds == 5
    assert [snapshot.rounds for snapshot in found.snapshots] == [0, 1, 2, 3, 4, 5]
    assert found.first("5") == 4
    assert found.first("99") is None
    digests = [environment.digest() for environment in found.environments]
    assert digests[0] == digests[1] != digests[2] == digests[5]


def test_an_instance_is_the_same_whatever_the_ids_were(monkeypatch: pytest.MonkeyPatch) -> None:
    edit = put("5", "step", "150")
    scene = Scene(STAGE, apply_edits(GOLD, [edit]))
    found = []
    for one in (scene, renumbered(scene)[0]):
        made = course_of(renumbered(one)[0])
        found.append(instance_of(STAGE.gold, examined(made, 4), level=1, source="augmented"))
    assert digest(found[0]) == digest(found[1])
    assert not [*flaws(found[0], examined(course_of(renumbered(scene)[0]), 4))]
