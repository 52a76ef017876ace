"""Scripted planners, by their trajectories; those that are told the truth, over many."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from build.dataset import write_config
from environment import opening, worlds
from eval import entries, knowing, leaderboard, run, score, verify
from eval.agents import Seen
from eval.derive import Case, derive
from eval.planners import PLANNERS
from eval.recovery import recover
from eval.results import read_row
from models.reading import Answer, read_answer
from trajectory import canonical
from trajectory.error_types import ErrorType
from trajectory.graph import is_valid
from trajectory.instance import Instance, from_record, to_record, view
from trajectory.plan import RESPONSE, ROOT, Plan, read_plan
from trajectory.references import references


def _row(name: str, instance: Instance) -> dict[str, Any]:
    return recover(instance, opening.start(instance), PLANNERS[name](instance))


def _values(name: str, instance: Instance) -> dict[str, float | None]:
    row = {"id": instance.id, **_row(name, instance)}
    return dict(derive(read_row(row, "made", 1), Case(instance)).values)


@pytest.mark.parametrize("name", ["respond_now", "flatten"])
def test_answering_without_the_work_reaches_nothing(name: str, instances: list[Instance]) -> None:
    values = _values(name, instances[0])
    assert values["pass_at_1"] == 1
    assert values["verified_pass_at_1"] == values["verified_e5"] == 0
    assert values["verified_tool_efficiency"] == 0


@pytest.mark.parametrize("name", ["mark_done", "do_nothing"])
def test_empty_answers_are_the_same_as_carrying_on(name: str, instances: list[Instance]) -> None:
    one = instances[0]
    carried, other = (_row(n, one) for n in ("carry_on", name))
    for key in ("completed", "ending", "state"):
        assert other[key] == carried[key]
    assert [r["calls"] for r in other["rounds"]] == [r["calls"] for r in carried["rounds"]]


def test_carrying_on_a_failed_look_up_books_nothing(instances: list[Instance]) -> None:
    row = _row("carry_on", instances[0])
    (booking,) = row["rounds"][0]["calls"]
    assert "has no value at" in booking["results"]["error"]
    assert _values("carry_on", instances[0])["verified_pass_at_1"] == 0


def test_blind_retry_mends_a_timeout_in_the_fewest_rounds(instances: list[Instance]) -> None:
    values = _values("blind_retry", instances[0])
    assert values["verified_pass_at_1"] == values["verified_e5"] == 1
    assert values["verified_tool_efficiency"] == 1
    assert values["e5"] == pytest.approx(3 / 4)


def test_blind_retry_adds_a_node_and_moves_its_consumers(instances: list[Instance]) -> None:
    text = PLANNERS["blind_retry"](instances[0]).answer(view(instances[0]), 0)
    assert text is not None
    plan = read_answer(text).plan
    assert plan is not None
    assert plan.by_id["1_retry_1"].para == plan.by_id["1"].para
    assert plan.by_id["2"].dep == ("1_retry_1",)
    assert plan.by_id["2"].para["hotel_id"]["$ref"] == "1_retry_1"  # type: ignore[call-overload]
    assert plan.by_id[RESPONSE].dep == ("2",)


def test_blind_retry_with_nothing_to_retry_carries_on(instances: list[Instance]) -> None:
    one = replace(instances[0], tool_results=[])
    row = _row("blind_retry", one)
    assert (row["outcome"], row["completed"]) == ("ok", True)


def test_a_planner_sees_no_more_than_a_model(instances: list[Instance]) -> None:
    shown: list[set[str]] = []

    class Spy:
        def answer(self, seen: Seen, later: int) -> str | None:
            shown.append(set(seen))
            return "no plan here"

    row = recover(instances[0], opening.start(instances[0]), Spy())
    assert shown == [{"query", "tools", "plan", "tool_results", "history"}]
    assert row["outcome"] == "model_invalid"
    assert row["rounds"] is None


def test_rounds_continue_those_of_the_instance(instances: list[Instance]) -> None:
    start = opening.start(instances[0])
    row = _row("carry_on", instances[0])
    assert start.rounds == 1
    assert [one["round"] for one in row["rounds"]] == [2, 3]


@pytest.mark.parametrize("name", ["respond_now", "flatten"])
def test_giving_up_reaches_no_goal(name: str, augmented: list[Instance]) -> None:
    for one in augmented:
        assert _values(name, one)["verified_pass_at_1"] == 0, one.id


@pytest.mark.parametrize("name", ["mark_done", "do_nothing"])
def test_doing_nothing_is_carrying_on(name: str, made: list[Instance]) -> None:
    for one in made:
        carried = _row("carry_on", one)
        assert [r["calls"] for r in _row(name, one)["rounds"]] == [
            r["calls"] for r in carried["rounds"]
        ], one.id


def test_carrying_on_mends_nothing_and_leaves_what_is_right(made: list[Instance]) -> None:
    for one in made:
        worth = _verified(_values("carry_on", one))
        assert (worth == [1, 1, 1]) == (not one.errors), one.id


def test_blind_retry_mends_what_only_needs_another_try(augmented: list[Instance]) -> None:
    """It tries a call three times, so that an outage of three rounds is too long for it."""
    failures = {"Timeout_Error", "Null_Error"}
    mended = [
        _verified(_values("blind_retry", one))
        for one in augmented
        if one.level == 1 and {*one.error_types} <= failures and len(one.repairs[0]) < 3
    ]
    assert mended
    assert all(worth == [1, 1, 1] for worth in mended)


# --- those that know the truth ---------------------------------------------------------------

KNOWING = ("oracle", "random_repair", "restart")
VERIFIED = ("verified_pass_at_1", "verified_e5", "verified_tool_efficiency")


@pytest.fixture(scope="module")
def worth(augmented: list[Instance]) -> dict[str, list[dict[str, float | None]]]:
    """What each planner that knows the truth is worth on each instance."""
    return {name: [_values(name, one) for one in augmented] for name in KNOWING}


def _answer(name: str, instance: Instance) -> Answer:
    text = PLANNERS[name](instance).answer(view(instance), 0)
    assert text is not None
    return read_answer(text)


def _plan(name: str, instance: Instance) -> Plan:
    plan = _answer(name, instance).plan
    assert plan is not None
    return plan


def _verified(values: Mapping[str, float | None]) -> list[float]:
    return [values[name] or 0.0 for name in VERIFIED]


def test_the_oracle_is_right_in_everything(
    worth: dict[str, list[dict[str, float | None]]], augmented: list[Instance]
) -> None:
    for one, values in zip(augmented, worth["oracle"], strict=True):
        assert _verified(values) == [1, 1, 1], one.id
        assert values["node_exact"] == values["type_f1"] == values["joint_f1"] == 1, one.id
        assert values["invalid_dag"] == 0, one.id


def test_the_oracle_gives_the_errors_of_the_instance_as_its_diagnosis(
    augmented: list[Instance],
) -> None:
    for one in augmented:
        named = [
            (found.node, found.type, found.reason) for found in _answer("oracle", one).diagnosis
        ]
        assert named == [(e["root_cause"], e["type"], one.error_reason) for e in one.errors]


@pytest.mark.parametrize("name", KNOWING)
def test_whoever_knows_the_truth_answers_once(name: str, augmented: list[Instance]) -> None:
    planner = PLANNERS[name](augmented[0])
    assert planner.answer(view(augmented[0]), 0) is not None
    assert planner.answer(view(augmented[0]), 1) is None


@pytest.mark.parametrize("name", KNOWING)
def test_where_there_is_no_truth_to_be_told_the_trajectory_is_carried_on(
    name: str, instances: list[Instance]
) -> None:
    one = replace(instances[0], gold_plan=None, goal=None, errors=[], error_types=())
    assert _row(name, one) == _row("carry_on", one)


def test_a_right_plan_is_left_alone_by_whoever_mends(instances: list[Instance]) -> None:
    control = replace(instances[0], errors=[], error_types=())
    for name in ("oracle", "random_repair"):
        assert _values(name, control)["false_alarm"] == 0


def test_starting_again_is_never_better_than_mending(
    worth: dict[str, list[dict[str, float | None]]], augmented: list[Instance]
) -> None:
    pairs = zip(augmented, worth["restart"], worth["oracle"], strict=True)
    fresh = 0
    for one, restarted, mended in pairs:
        if opening.start(one).rounds == 0:
            fresh += 1
            assert _verified(restarted) == _verified(mended), one.id
    assert fresh
    means = [_mean(worth[name]) for name in ("restart", "oracle")]
    assert all(restarted < mended for restarted, mended in zip(*means, strict=True))


def _mean(values: list[dict[str, float | None]]) -> list[float]:
    return [sum(column) / len(values) for column in zip(*map(_verified, values), strict=True)]


def test_starting_again_doubles_the_effects_that_were_made(augmented: list[Instance]) -> None:
    """What was booked before the snapshot is there twice after it."""
    for one in augmented:
        if not one.faults and not _has_effects(one):
            assert _values("restart", one)["verified_pass_at_1"] == 1, one.id
    doubled = [_values("restart", one) for one in augmented if _has_effects(one)]
    assert any((one["pass_at_1"], one["verified_pass_at_1"]) == (1, 0) for one in doubled)


def _has_effects(instance: Instance) -> bool:
    tools = worlds.tools(tuple(instance.environment["worlds"]))
    ran = [tools.get(call["name"]) for call in _calls_before(instance)]
    return any(tool is not None and tool.has_effect for tool in ran)


def _calls_before(instance: Instance) -> list[dict[str, Any]]:
    return [call for calls in [*instance.history, instance.tool_results] for call in calls]


def test_starting_again_uses_nothing_that_ran(augmented: list[Instance]) -> None:
    for one in augmented:
        anew, gold = _plan("restart", one), read_plan(one.gold_plan)
        known = {*read_plan(one.plan).by_id, *(call["node"] for call in _calls_before(one))}
        assert anew.by_id.keys() & known == {ROOT, RESPONSE}
        assert Counter(node.name for node in anew) == Counter(node.name for node in gold)
        assert {node.id for node in anew if node.status} == {ROOT}
        assert {found.node for node in anew for found in references(node.para)} <= anew.by_id.keys()


def test_ids_that_are_taken_are_not_taken_again(instances: list[Instance]) -> None:
    one = instances[0]
    tasks = [*one.plan["tasks"], {**one.plan["tasks"][1], "id": "1_1"}]
    anew = _plan("restart", replace(one, plan={"tasks": tasks}))
    assert set(anew.by_id) == {ROOT, "1_2", "2_1", RESPONSE}


def test_random_repairs_are_below_the_oracle(
    worth: dict[str, list[dict[str, float | None]]],
) -> None:
    means = [_mean(worth[name]) for name in ("random_repair", "oracle")]
    assert all(drawn < mended / 2 for drawn, mended in zip(*means, strict=True))


def test_random_repairs_change_as_many_nodes_as_the_repair(augmented: list[Instance]) -> None:
    def size(plan: Plan) -> int:
        return len(plan.nodes)

    changed = 0
    for one in augmented:
        mended, drawn = _plan("oracle", one), _plan("random_repair", one)
        assert is_valid(drawn), one.id
        assert size(drawn) == size(mended), one.id
        assert _working(drawn) != _working(read_plan(one.plan)), one.id
        changed += _working(drawn) != _working(mended)
    assert changed > len(augmented) / 2


def _working(plan: Plan) -> str:
    return canonical.dumps(sorted([n.id, n.name or "", n.para, sorted(n.dep)] for n in plan))


def test_random_repairs_name_one_node_and_one_type(augmented: list[Instance]) -> None:
    for one in augmented:
        (guess,) = _answer("random_repair", one).diagnosis
        assert read_plan(one.plan).by_id[guess.node].is_call
        assert guess.type in [kind.value for kind in ErrorType]


def test_random_repairs_follow_from_what_the_instance_holds(augmented: list[Instance]) -> None:
    """Neither the order of keys nor the goal, the gold plan or the values of edits matter."""
    for one in augmented:
        read = from_record(canonical.loads(canonical.dumps(to_record(one))))
        blind = replace(
            read,
            goal=None,
            gold_plan=None,
            errors=[],
            repairs=[[{**edit, "value": "-"} if "value" in edit else edit for edit in r]
                     for r in read.repairs],
        )  # fmt: skip
        assert _plan("random_repair", blind) == _plan("random_repair", one)


def test_dates_numbers_and_names_of_a_request_are_values() -> None:
    query = "Book Clara Kerrigan two rooms at 20:00 on 9 May 2026, for at most 49.5 EUR each."
    said = [*knowing._said(query)]
    assert {"2026-05-09", "Clara Kerrigan", "20:00", "EUR", 49.5, 2} <= {*said}
    assert 20 not in said


def test_values_of_random_repairs_were_said_or_seen(augmented: list[Instance]) -> None:
    for one in augmented:
        shown = read_plan(one.plan).by_id
        visible = canonical.dumps(view(one)).lower()
        for node in _plan("random_repair", one):
            old = shown[node.id].para if node.id in shown else {}
            assert isinstance(node.para, dict)
            for name, value in node.para.items():
                if isinstance(value, str) and value != (isinstance(old, dict) and old.get(name)):
                    assert value.lower() in visible or value[:4].isdigit(), (one.id, value)


def test_runs_of_those_that_know_the_truth_are_verified_and_ranked(
    augmented: list[Instance], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, level2 = tmp_path / "data", [one for one in augmented if one.level == 2]
    write_config(data, "level2", "test", level2)
    of = ["--level", "level2", "--data", str(data)]
    runs = [str(tmp_path / name) for name in (*KNOWING, "carry_on")]
    for folder in runs:
        run.main(["--agent", Path(folder).name, *of, "--out", folder])
        verify.main([folder, "--data", str(data)])
        assert f"{len(level2)} rows agree with their execution" in capsys.readouterr().out
        score.main([folder, "--data", str(data)])
        assert f"scripted:{Path(folder).name} on level2" in capsys.readouterr().out
    out = tmp_path / "leaderboard.json"
    leaderboard.main([*runs, "--data", str(data), "--out", str(out)])
    found = json.loads(out.read_text("utf-8"))["entries"]
    assert all(entry["baseline"] and entry["ranked"] for entry in found)
    assert (found[0]["agent"], found[0]["rank_interval"]) == ("scripted:oracle", [1, 1])
    assert found[1]["agent"] == "scripted:restart"
    assert "scripted:oracle (baseline)" in capsys.readouterr().out


def test_every_planner_is_marked_as_a_baseline() -> None:
    assert {f"scripted:{name}" for name in PLANNERS} == entries.BASELINES
