"""What users of such benchmarks complain of, and how published scripts failed: not so here."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from build.dataset import write_config
from eval.derive import Case, Scored, derive
from eval.results import read_row, read_run
from eval.scoring import RANKED, Table, notes, score
from eval.selection import Choice, select
from models.reading import write_answer
from tests.eval.handmade import (
    BOOK,
    CARRIED_ON,
    DONE,
    FIND_AGAIN,
    INVALID,
    RETRIED,
    RETRY,
    ROOT,
    TIMEOUT,
    Row,
    answer,
    book,
    by_group,
    call,
    carried_on,
    instance,
    looped,
    refused,
    response,
    retried,
    row,
    run_folder,
    table_of,
    task,
    write_rows,
)
from trajectory.instance import Instance
from trajectory.plan import read_plan

Make = Callable[[str], Row]


def scored(made: Row, one: Instance | None = None) -> Scored:
    return derive(read_row(made, "made", 1), Case(one or instance(made["id"], "T", TIMEOUT)))


# --- the denominator -------------------------------------------------------------------------

KINDS: dict[str, Make] = {
    "retried": lambda id: retried(id, ("1", TIMEOUT)),
    "carried_on": lambda id: carried_on(id, ("2", INVALID)),
    "looped": looped,
    "refused": refused,
}
CASES = (
    instance("A", "T1", TIMEOUT),
    instance("B", "T1", TIMEOUT, INVALID),
    instance("C", "T2", INVALID, source="rollout"),
    instance("D", "T3", TIMEOUT, rounds_gt=None, calls_gt=None, proof="none"),
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    kinds=st.lists(st.sampled_from(sorted(KINDS)), min_size=len(CASES), max_size=len(CASES)),
    deleted=st.sets(st.sampled_from([one.id for one in CASES]), min_size=1),
)
def test_deleting_rows_never_raises_a_strict_score(
    tmp_path: Path, kinds: list[str], deleted: set[str]
) -> None:
    rows = [KINDS[kind](one.id) for kind, one in zip(kinds, CASES, strict=True)]
    run = run_folder(tmp_path, list(CASES), rows)
    whole = by_group(table_of(run))
    write_rows(run, [made for made in rows if made["id"] not in deleted])
    for key, figure in by_group(table_of(run)).items():
        before, after = whole[key].strict, figure.strict
        if before is None or after is None:
            assert before == after
        elif key[1] == "invalid_dag":
            assert after >= before
        else:
            assert after <= before
        assert figure.unscored == whole[key].unscored


def test_one_surviving_row_is_a_quarter(tmp_path: Path) -> None:
    run = run_folder(tmp_path, [replace(CASES[0], id=id) for id in "ABCD"], [retried("A")])
    found = by_group(table_of(run))
    for metric in ("verified_pass_at_1", "verified_e5", "verified_tool_efficiency"):
        assert (found["all", metric].strict, found["all", metric].covered) == (1 / 4, 1)


def test_a_run_is_not_cut_off_at_ten_thousand_rows(tmp_path: Path) -> None:
    write_config(tmp_path, "level1", "test", CASES[:1])
    bare = tmp_path / "answers.jsonl"
    rows = ({"id": "A", "sample": sample, "answer": "No."} for sample in range(10_626))
    bare.write_text("".join(json.dumps(one) + "\n" for one in rows), "utf-8")
    counts = notes(score(read_run(bare), select(Choice("level1", data=tmp_path))))
    assert counts["rows"] == counts["model_invalid"] == 10_626


# --- answers that are none -------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        "NA",
        "null",
        "nan",
        "=1+1",
        "\x00\x1b",
        "[]",
        "{}",
        '{"tasks": 3}',
        "I'm sorry, but I can't help with that.",
        '<plan>{"tasks": [{"id": "1", "na',
        "x" * 40_000,
    ],
)
def test_an_answer_without_a_plan_is_invalid_and_earns_nothing(text: str) -> None:
    found = scored(row("A", text))
    assert found.outcome == "model_invalid"
    assert found.values["invalid_dag"] == 1
    assert not any(value for name, value in found.values.items() if name != "invalid_dag")


@pytest.mark.parametrize(
    "wrapped",
    [
        lambda text: f"```json\n{text}\n```",
        lambda text: f"Here is the plan.\n```\n{text}\n```\nI hope that it helps.",
        lambda text: text.replace('"status": false}]', '"status": false},]'),
        lambda text: f"<think>Hm. {{</think>{text}",
        lambda text: json.dumps({"plan": json.loads(text)}),
        lambda text: text.replace("true", "True").replace("null", "None"),
    ],
    ids=["fenced", "prose", "trailing_comma", "thinking", "wrapped", "python"],
)
def test_an_answer_in_another_dress_scores_the_same(wrapped: Callable[[str], str]) -> None:
    plain = json.dumps({"tasks": RETRIED})
    found = scored({**retried("A"), "raw_output": wrapped(plain)})
    assert found.values == scored({**retried("A"), "raw_output": plain}).values
    assert found.values["verified_e5"] == 1


# --- plans that earn nothing -----------------------------------------------------------------

ALL_DONE = [{**node, "status": True} for node in (ROOT, DONE, book("1"), response("2"))]
CYCLE = [ROOT, DONE, book("3"), task("3", "book", ["2"]), response("3")]


@pytest.mark.parametrize(
    ("tasks", "passed"),
    [
        ([], 0),
        (ALL_DONE, 1),
        (CYCLE, 0),
        ([ROOT, DONE, response()], 1),
        ([ROOT, DONE, response("9")], 0),
        ([ROOT, DONE, response("response")], 0),
        ([ROOT, DONE, book("1")], 0),
        ([ROOT, DONE, DONE, response("1")], 1),
    ],
    ids=["empty", "all_done", "cycle", "at_once", "dangling", "self_loop", "silent", "twice"],
)
def test_a_plan_that_does_no_work_is_carried_on_and_earns_nothing(
    instances: list[Instance], tasks: list[Row], passed: float
) -> None:
    static = {"id": instances[0].id, "answer": answer(tasks)}
    found = scored(static, instances[0])
    assert found.static
    assert found.values["pass_at_1"] == passed
    assert all(not found.values[metric] for metric in RANKED if metric != "invalid_dag")
    if not passed:
        assert found.values["e5"] == found.values["tool_efficiency"] == 0


def test_a_response_beyond_the_fortieth_round_did_not_pass() -> None:
    idle: list[list[Row] | None] = [[] for _ in range(36)]
    rounds: list[list[Row] | None] = [[FIND_AGAIN], [BOOK], *idle, None]
    at_40, at_41 = (scored(row("A", answer(RETRIED), *some)) for some in (rounds, [[], *rounds]))
    assert at_40.values["verified_e5"] == pytest.approx(4 / 40)
    assert at_41.values["pass_at_1"] == at_41.values["verified_pass_at_1"] == 0


def test_eighteen_rounds_against_six_are_a_third() -> None:
    idle: list[list[Row] | None] = [[] for _ in range(14)]
    found = scored(
        row("A", answer(RETRIED), [FIND_AGAIN], [BOOK], *idle, None),
        instance("A", "T", TIMEOUT, rounds_gt=6),
    )
    assert found.values["e5"] == pytest.approx(0.33, abs=0.004)


# --- what counts as right --------------------------------------------------------------------


def _book(arguments: Row, results: Any = None) -> Row:
    return retried("A", book=call("2", "book", arguments, results or {"booking": "b1"}))


@pytest.mark.parametrize(
    ("made", "right"),
    [
        (_book({"hotel": "h1", "nights": 2}), True),
        (_book({"nights": 2.0, "hotel": "h1"}), True),
        (_book({"hotel": "h1", "nights": 2, "note": "does not count"}), True),
        (_book({"hotel": "h1", "nights": 3}), False),
        (_book({"hotel": "h1", "nights": "2"}), False),
        (_book({"hotel": "h1", "nights": True}), False),
        (_book({"hotel": "h1"}), False),
        (_book({"hotel": "h1", "nights": 2}, {"booking": "b2"}), False),
        (_book({"hotel": "h1", "nights": 2}, {"error": "no room"}), False),
        ({**retried("A"), "state": "b" * 64}, False),
        ({**retried("A"), "state": None}, False),
        (row("A", answer(RETRIED), [FIND_AGAIN], [BOOK]), False),
        (row("A", answer(RETRIED), [FIND_AGAIN], [BOOK], [{**BOOK, "results": None}], None), False),
    ],
)
def test_right_is_the_goal_itself(made: Row, right: bool) -> None:
    assert scored(made).values["verified_pass_at_1"] == right


def test_a_dropped_duplicate_call_is_missed() -> None:
    one = instance("A", "T", TIMEOUT)
    twice = {**one.goal, "calls": [*one.goal["calls"], one.goal["calls"][1]]}
    assert scored(retried("A")).values["verified_pass_at_1"] == 1
    assert scored(retried("A"), replace(one, goal=twice)).values["verified_pass_at_1"] == 0


def test_work_that_the_response_does_not_wait_for_is_not_in_it() -> None:
    tasks = [*RETRIED[:-1], response("1b")]
    assert scored(row("A", answer(tasks), [FIND_AGAIN], [BOOK], None)).values["pass_at_1"] == 1
    made = row("A", answer(tasks), [FIND_AGAIN], [BOOK], None)
    assert scored(made).values["verified_pass_at_1"] == 0


def test_the_last_plan_that_was_given_decides() -> None:
    made = row("A", answer(CARRIED_ON), [], [FIND_AGAIN], [BOOK], None)
    assert scored(made).values["verified_pass_at_1"] == 0
    made["rounds"][1]["answer"] = answer(RETRIED)
    made["rounds"][2]["answer"] = "Go on."
    assert scored(made).values["verified_pass_at_1"] == 1


def test_calls_without_end_are_not_verified() -> None:
    # 3 × calls_gt + 10 = 16 calls after the snapshot are allowed.
    def made(more: int) -> Row:
        return row("A", answer(RETRIED), [FIND_AGAIN] * (15 - 1 + more), [BOOK] * 1, None)

    assert scored(made(1)).values["verified_pass_at_1"] == 1
    assert scored(made(2)).values["verified_pass_at_1"] == 0


def test_a_node_named_1_is_not_found_in_12() -> None:
    values = scored(retried("A", ("12", TIMEOUT))).values
    assert (values["node_f1"], values["type_f1"], values["joint_f1"]) == (0, 1, 0)


def test_naming_a_cause_twice_is_naming_it_once() -> None:
    values = scored(retried("A", ("1", TIMEOUT), ("1", TIMEOUT))).values
    assert values["node_precision"] == values["joint_f1"] == values["node_exact"] == 1


def test_naming_everything_is_no_exact_answer() -> None:
    values = scored(retried("A", ("1", TIMEOUT), ("2", TIMEOUT), ("1b", INVALID))).values
    assert (values["node_exact"], values["node_recall"]) == (0, 1)
    assert values["node_precision"] == pytest.approx(1 / 3)


# --- what is reported apart ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tasks", "noted"),
    [
        (RETRIED, set()),
        (CARRIED_ON, set()),
        ([ROOT, DONE, book("1")], {"no_response"}),
        ([ROOT, DONE, response("9")], {"response_unreachable"}),
        ([ROOT, RETRY, book("1b"), response("2")], {"executed_dropped"}),
        ([ROOT, {**DONE, "para": {"city": "Rome"}}, response("1")], {"executed_altered"}),
        ([ROOT, {**DONE, "dep": []}, response("1")], set()),
        ([ROOT, DONE, {**book("1"), "status": True}, response("2")], {"status_slips"}),
        ([ROOT, DONE, {**response("1"), "status": True}], {"status_slips"}),
    ],
)
def test_what_an_answer_does_to_what_ran_is_noted(tasks: list[Row], noted: set[str]) -> None:
    found = scored(row("A", answer(tasks), [], [], []))
    assert {name for name, is_so in found.notes.items() if is_so} == noted


def test_false_on_a_node_of_an_earlier_round_is_a_slip_unless_it_runs_again() -> None:
    shown = [ROOT, {**DONE, "desc": "Find."}, book("1"), response("2")]
    failed_book = call("2", "book", {"nights": 2}, {"error": "no hotel"})
    one = instance(
        "A", "T", TIMEOUT, plan={"tasks": shown}, tool_results=[failed_book],
        history=[[call("1", "find", {"city": "Oslo"}, {"error": "timed out"})]],
    )  # fmt: skip
    tasks = [ROOT, {**DONE, "status": False}, book("1"), response("2")]

    def made(*calls: Row) -> Row:
        told = row("A", answer(tasks), list(calls), None)
        for number, each in enumerate(told["rounds"], start=3):
            each["round"] = number
        return told

    assert scored(made(), one).notes["status_slips"]
    assert not scored(made({**FIND_AGAIN, "node": "1"}), one).notes["status_slips"]


def test_what_the_input_broke_counts_and_is_called_inherited() -> None:
    dangling = [ROOT, task("1", "find", ["root"], city="Oslo"), book("1", "7"), response("2")]
    one = instance("A", "T", TIMEOUT, plan={"tasks": dangling})
    kept = scored(row("A", answer(dangling), [], [], []), one)
    assert (kept.values["invalid_dag"], kept.notes["inherited"]) == (1, True)
    mended = scored(retried("A"), one)
    assert (mended.values["invalid_dag"], mended.notes["inherited"]) == (0, False)


# --- what nobody can know --------------------------------------------------------------------


def test_without_reference_rounds_a_record_is_unscored_and_counted(tmp_path: Path) -> None:
    run = run_folder(tmp_path, list(CASES), [retried(one.id) for one in CASES])
    found = by_group(table_of(run))
    for metric in ("e5", "tool_efficiency", "verified_pass_at_1", "verified_e5"):
        figure = found["all", metric]
        assert figure.unscored == 1
        assert figure.estimate is not None
        assert figure.estimate.n == 3
    assert found["all", "pass_at_1"].unscored == 0
    assert found["all", "e5"].strict == pytest.approx(3 / 4)


def test_an_error_without_a_known_cause_is_not_located() -> None:
    one = instance("A", "T", TIMEOUT)
    nowhere = replace(one, errors=[*one.errors, {"type": INVALID, "root_cause": None}])
    for made in (retried("A"), refused("A")):
        assert scored(made, nowhere).values["node_f1"] is None


def test_e5_as_published_counts_what_the_answer_calls_done() -> None:
    one = instance(
        "A", "T", TIMEOUT, edition="release", proof="none", goal=None,
        tools=[{"name": name, "description": "", "parameters": {}, "required": []}
               for name in ("find", "book")],
    )  # fmt: skip
    honest = scored(row("A", answer(RETRIED), [FIND_AGAIN], [BOOK], None), one)
    assert honest.values["e5_as_published"] == honest.values["e5"] == pytest.approx(3 / 4)
    # Nothing is called done, so that no round has run before the answer.
    tasks = [{**node, "status": False} for node in RETRIED]
    forgetful = scored(row("A", answer(tasks), [FIND_AGAIN], [BOOK], None), one)
    assert forgetful.values["e5_as_published"] == 1
    assert forgetful.values["e5"] == pytest.approx(3 / 4)
    assert forgetful.values["verified_e5"] is None


# --- controls --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tasks", "diagnosis", "alarm"),
    [
        (CARRIED_ON, [], 0),
        (list(reversed(CARRIED_ON)), [], 0),
        ([*CARRIED_ON[:-1], response("1", "2")], [], 0),
        (CARRIED_ON, [("1", TIMEOUT)], 1),
        (RETRIED, [], 1),
        ([ROOT, DONE, {**book("1"), "name": "reserve"}, response("2")], [], 1),
        ([ROOT, DONE, {**book("1"), "para": {"nights": 3}}, response("2")], [], 1),
        ([ROOT, DONE, book("1"), response("1")], [], 1),
        ([ROOT, DONE, response("1")], [], 1),
    ],
)
def test_a_right_plan_left_alone_is_no_false_alarm(
    tasks: list[Row], diagnosis: list[tuple[str, str]], alarm: float
) -> None:
    control = instance("A", "T")
    values = scored(row("A", answer(tasks, *diagnosis), [], [], []), control).values
    assert values["false_alarm"] == alarm
    assert "node_f1" not in values


def test_an_unreadable_answer_to_a_control_is_an_alarm() -> None:
    assert scored(refused("A"), instance("A", "T")).values["false_alarm"] == 1


# --- what is ranked --------------------------------------------------------------------------


def _official(folder: Path, **manifest: Any) -> Table:
    rows = [retried(one.id) for one in CASES[:2]]
    return table_of(run_folder(folder, list(CASES[:2]), rows, **manifest))


def test_a_whole_official_split_is_ranked(tmp_path: Path) -> None:
    table = _official(tmp_path)
    assert table.official
    ranked = {key for key, one in by_group(table).items() if one.ranked}
    assert ranked == {("all", metric) for metric in RANKED}


def test_a_part_a_replan_and_a_wanting_run_are_not_ranked(
    tmp_path: Path, instances: list[Instance]
) -> None:
    few = run_folder(tmp_path / "part", list(CASES[:2]), [retried("A")], selection={"ids": ["A"]})
    part = table_of(few)
    wanting = _official(tmp_path / "wanting", samples=2)
    assert part.coverage == 1
    assert not part.official
    assert not wanting.official
    said = [{"id": one.id, "raw_output": write_answer("", (), read_plan(one.plan))}
            for one in instances]  # fmt: skip
    replan = table_of(run_folder(tmp_path / "replan", instances, said, task="replan"))
    assert replan.coverage == 1
    assert not replan.official
    assert not any(one.ranked for one in by_group(replan).values())
