"""The proof finds what does not hold: one claim of a sound instance is spoilt at a time."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from build import proof
from build.handwritten import TASKS
from build.handwritten.making import make_instance
from trajectory import canonical
from trajectory.instance import Instance, from_record, to_record


def made(task: str, level: int) -> Instance:
    """Make the instance of a task on a level, proven."""
    written = next(one for one in TASKS if one.id == task)
    problem = next(one for one in written.problems if one.level == level)
    return make_instance(f"L{level}-hand-000000", written, problem)


@pytest.fixture(scope="module")
def sunny() -> Instance:
    """A room was booked in the wrong city: drift through three rounds, undone by the repair."""
    return made("sunny-weekend", 2)


@pytest.fixture(scope="module")
def concert() -> Instance:
    """A timeout and an argument of the wrong type."""
    return made("vienna-concert", 2)


def wrong(instance: Instance, spoil: Callable[[dict[str, Any]], None]) -> list[str]:
    record = canonical.loads(canonical.dumps(to_record(instance)))
    spoil(record)
    return list(proof.problems(from_record(record)))


def test_a_sound_instance_has_no_problem(sunny: Instance, concert: Instance) -> None:
    assert list(proof.problems(sunny)) == list(proof.problems(concert)) == []


def test_the_gold_plan_must_reach_the_goal(sunny: Instance) -> None:
    said = wrong(sunny, lambda one: one["goal"].update(state="0" * 64))
    assert "the gold plan does not reach the goal" in said
    assert "repair 1: it is not right" in said


def test_rounds_and_calls_of_the_gold_plan_are_counted(sunny: Instance) -> None:
    said = wrong(sunny, lambda one: one.update(rounds_gt=5))
    assert said == ["the gold plan takes 4 rounds and 5 calls"]


def test_an_instance_that_goes_right_by_itself_is_none(sunny: Instance) -> None:
    def spoil(one: dict[str, Any]) -> None:
        one.update(plan=one["gold_plan"], tool_results=[], history=[], rounds_opt=4, calls_opt=5)

    assert "carried on as it is, it is right" in wrong(sunny, spoil)


def test_a_repair_must_be_right_and_minimal(sunny: Instance, concert: Instance) -> None:
    assert wrong(sunny, lambda one: one["repairs"][0].pop()) == ["repair 1: it is not right"]
    assert wrong(sunny, lambda one: one["repairs"].clear()) == ["there is no repair"]
    more = {"op": "set_argument", "node": "6", "parameter": "nights", "value": 2, "errors": [1]}
    said = wrong(concert, lambda one: one["repairs"][0].append(more))
    assert said == ["repair 1: 2 of its 3 edits are enough"]


def test_an_edit_that_cannot_be_made_is_no_repair(sunny: Instance) -> None:
    said = wrong(sunny, lambda one: one["repairs"][0][0].update(node="99"))
    assert said == ["repair 1: it is not right"]


def test_each_error_is_mended_by_an_edit_of_its_own(concert: Instance) -> None:
    said = wrong(concert, lambda one: one["repairs"][0][0].update(errors=[0, 1]))
    assert said == ["repair 1: no edit is for error 0 alone"]


def test_a_better_way_than_the_optimum_voids_an_instance(sunny: Instance) -> None:
    said = wrong(sunny, lambda one: one.update(rounds_opt=sunny.rounds_opt + 1))  # type: ignore[operator]
    assert "7 rounds and 11 calls by 2 edits is better than the optimum" in said


def test_no_text_gives_an_error_away(sunny: Instance) -> None:
    said = wrong(sunny, lambda one: one["plan"]["tasks"][2].update(desc="Find hotels in Rome"))
    assert said == ["the desc of node '2' is not that of its call"]


def test_every_error_needs_evidence_that_is_there(sunny: Instance) -> None:
    def spoil(one: dict[str, Any]) -> None:
        one["errors"][0]["evidence"] = [
            {"in": "query", "text": "rainiest"},
            {"in": "plan", "node": "1", "path": "para.cities[9]"},
            {"in": "results", "node": "99", "path": ""},
            {"in": "tools", "tool": "compare_cities", "path": "description"},
        ]

    said = wrong(sunny, spoil)
    assert [text.partition(" points")[0] for text in said] == [
        'error 0: {"in":"query","text":"rainiest"}',
        'error 0: {"in":"plan","node":"1","path":"para.cities[9]"}',
        'error 0: {"in":"results","node":"99","path":""}',
    ]
    assert wrong(sunny, lambda one: one["errors"][0].update(evidence=[])) == [
        "error 0 has no evidence"
    ]


def test_an_untrue_value_is_not_said_elsewhere(sunny: Instance) -> None:
    said = wrong(sunny, lambda one: one["errors"][0].update(observed={"liking": "details"}))
    assert said == ["error 0: the request says 'details' as well"]
    day = {"observed": {"day": "2026-05-09"}}
    assert wrong(sunny, lambda one: one["errors"][0].update(day)) == [
        "error 0: the request says '2026-05-09' as well"
    ]


def test_a_fault_has_shown_on_one_node(sunny: Instance, concert: Instance) -> None:
    fault = {"tool": "find_trains", "first": 1, "length": 1, "kind": "timeout"}
    assert wrong(sunny, lambda one: one["faults"].append(fault)) == [
        "the fault of find_trains has not shown"
    ]
    copies = replace(concert, history=[[*concert.history[0], concert.history[0][1]]])
    assert list(proof._of_faults(copies)) == [
        "the fault of find_trains answered several nodes in one round"
    ]


def test_the_level_follows_from_the_errors(sunny: Instance) -> None:
    assert wrong(sunny, lambda one: one.update(level=1)) == ["it is of level 2"]

    def spoil(one: dict[str, Any]) -> None:
        one["errors"][0]["affected_now"] = ["1"]

    assert wrong(sunny, spoil) == [
        "it is of level 1",
        "the error lies in an earlier round and went on into no later call",
    ]


def test_an_error_affects_something(sunny: Instance) -> None:
    nothing: dict[str, list[str]] = {"affected_now": [], "affected_later": [], "delayed": []}
    said = wrong(sunny, lambda one: one["errors"][0].update(nothing))
    assert "error 0 affects nothing" in said
    pending = {"affected_now": ["1", "7"]}
    assert wrong(sunny, lambda one: one["errors"][0].update(pending)) == [
        "error 0 is said to have affected what has not run"
    ]
