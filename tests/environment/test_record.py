"""Where the executions of a release record begin, and how they are carried on."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from environment import opening
from environment.executor import Execution, Snapshot, Start, execute
from trajectory.instance import Instance
from trajectory.plan import Plan, read_plan

TOOLS = [
    {"name": name, "description": "Does it.", "parameters": {"x": {"type": "string"}}}
    for name in ("find", "book", "mail")
]


def task(id: str, name: str | None, *dep: str, done: bool = False, **more: Any) -> dict[str, Any]:
    task = {"id": id, "name": name, "para": {"x": id}, "desc": "Does it.", "dep": list(dep)}
    return {**task, "status": done, **more}


ROOT = task("root", None, done=True)
RESPONSE = task("response", None, "4")


def call(node: str | None, name: str, result: Any, x: str = "") -> dict[str, Any]:
    known = {} if node is None else {"node": node}
    return {**known, "name": name, "arguments": {"x": x or node}, "results": result}


def release(tasks: Sequence[Any], results: Sequence[Any] = ()) -> Instance:
    return Instance(
        id="L1-rel-rol-000001",
        level=1,
        source="rollout",
        agent="release",
        edition="release",
        query_id="1",
        query="Do it.",
        tools=TOOLS,
        plan={"tasks": list(tasks)},
        tool_results=list(results),
        history=[],
        rounds_gt=4,
        calls_gt=3,
        rounds_opt=None,
        calls_opt=None,
        error_types=("Timeout_Error",),
        error_reason="",
        errors=[],
        repairs=[],
        gold_plan=None,
        goal=None,
        faults=[],
        environment={"replay": {"file": "LEVEL-1_real_rollout.jsonl", "line": 1, "id": "1"}},
        proof="none",
    )


def begun(tasks: Sequence[Any], results: Sequence[Any] = ()) -> Start:
    return opening.start(release(tasks, results))


def ran(start: Start) -> list[tuple[int, str, Any]]:
    return [(entry.round, entry.node, entry.result) for entry in start.ledger]


def run(tasks: Sequence[Any], results: Sequence[Any] = (), answer: Any = None) -> Execution:
    """Carry a record on, or give one answer before."""
    one = release(tasks, results)
    start = opening.start(one)
    answers = [] if answer is None else [read_plan({"tasks": answer})]

    def planner(_: Snapshot) -> Plan | None:
        return answers.pop() if answers else None

    return execute(start, planner, opening.environment(one, start))


CHAIN = [
    ROOT,
    task("1", "find", "root", done=True, desc="Find it. Execution result: [1, 2]"),
    task("2", "book", "1", done=True, desc="Book it. Execution result: Error: sold out"),
    task("3", "mail", "2"),
    task("4", "mail", "3"),
    RESPONSE,
]
LAST = [call("3", "mail", "Error: timeout")]


def test_rounds_are_the_layers_of_executed_calls_and_one_for_last_results() -> None:
    assert begun(CHAIN).rounds == 2
    assert begun(CHAIN, LAST).rounds == 3
    assert begun([ROOT, task("4", "mail", "root"), RESPONSE]).rounds == 0


def test_the_ledger_tells_what_ran_in_its_round_with_what_the_record_says_came_of_it() -> None:
    start = begun(CHAIN, LAST)
    assert ran(start) == [
        (1, "1", [1, 2]),
        (2, "2", "Error: sold out"),
        (3, "3", "Error: timeout"),
    ]
    assert [entry.outcome for entry in start.ledger] == ["ok", "failed", "failed"]


def test_carried_on_it_runs_what_is_pending_and_completes() -> None:
    execution = run(CHAIN, LAST)
    assert [[entry.node for entry in one.entries] for one in execution.rounds] == [["4"], []]
    assert (execution.ending, execution.total_rounds, execution.slips) == ("completed", 5, {})


def test_an_answer_that_says_the_same_again_runs_nothing_again() -> None:
    said = [*CHAIN[:3], {**CHAIN[3], "status": True}, *CHAIN[4:]]
    for answer in (CHAIN, said):
        assert run(CHAIN, LAST, answer).calls_after == 1
    # A node of an earlier round set pending without a change is a slip, unless it had failed.
    again = run(CHAIN, LAST, [ROOT, {**CHAIN[1], "status": False}, *CHAIN[2:]])
    assert (again.calls_after, again.slips) == (1, {"false_without_change": 1})
    assert run(CHAIN, LAST, [ROOT, CHAIN[1], {**CHAIN[2], "status": False}, *CHAIN[3:]]).calls_after


def test_a_new_node_with_the_same_call_gets_the_recorded_result() -> None:
    retry = task("3b", "mail", "2", para={"x": "3"})
    answer = [*CHAIN[:4], retry, task("4", "mail", "3b"), RESPONSE]
    first = run(CHAIN, LAST, answer).rounds[0].entries[0]
    assert (first.node, first.result) == ("3b", "Error: timeout")


def test_last_results_may_be_those_of_executed_nodes() -> None:
    history = [call("1", "find", "Found."), call("2", "book", "Error: full"), *LAST]
    start = begun(CHAIN, history)
    assert ran(start) == [(1, "1", "Found."), (2, "2", "Error: full"), (3, "3", "Error: timeout")]
    assert len(start.snapshot.tool_results) == 3


def test_a_call_that_no_node_made_is_in_the_ledger_and_replayed() -> None:
    start = begun(CHAIN, [call(None, "mail", "Sent.", x="4")])
    assert ran(start)[-1] == (3, "", "Sent.")
    execution = run(CHAIN, [call(None, "mail", "Sent.", x="4")])
    assert [entry.result for entry in execution.rounds[1].entries] == ["Sent."]


def test_a_reference_is_in_the_ledger_as_it_was_sent() -> None:
    tasks = [
        *CHAIN[:3],
        task("3", "mail", "1", done=True, para={"x": {"$ref": "1", "path": "[1]"}}),
    ]
    assert list(begun(tasks).ledger)[-1].arguments == {"x": 2}
    free = [*CHAIN[:3], task("3", "mail", "1", done=True, para={"x": {"$ref": "1.output"}})]
    assert list(begun(free).ledger)[-1].arguments == {"x": {"$ref": "1.output"}}


def test_a_node_that_was_not_executed_takes_no_round_between_two_that_were() -> None:
    tasks = [ROOT, CHAIN[1], {**CHAIN[2], "status": False}, {**CHAIN[3], "status": True}, RESPONSE]
    assert executed_rounds_of(tasks) == {"1": 1, "3": 2}


def executed_rounds_of(tasks: Sequence[Any]) -> dict[str, int]:
    return {entry.node: entry.round for entry in begun(tasks).ledger}


def test_a_root_that_calls_a_tool_ran_and_one_under_another_name_took_no_round() -> None:
    tool = [task("root", "find", done=True), task("1", "book", "root", done=True), *CHAIN[4:]]
    assert executed_rounds_of(tool) == {"root": 1, "1": 2}
    named = [task("root", "start", done=True), task("1", "book", "root", done=True), *CHAIN[4:]]
    assert executed_rounds_of(named) == {"root": 0, "1": 1}
    # An answer that keeps the root as it stands does not run it.
    answer = [*named[:2], task("2", "mail", "1"), task("4", "mail", "2"), RESPONSE]
    assert [e.node for one in run(named, (), answer).rounds for e in one.entries] == ["2", "4"]


def test_a_response_with_a_call_never_counts_as_executed() -> None:
    tasks = [*CHAIN[:3], task("response", "mail", "2", done=True)]
    assert executed_rounds_of(tasks) == {"1": 1, "2": 2}
    assert run(tasks).completed


@pytest.mark.parametrize(
    "broken",
    [
        [task("1", "find", "gone", done=True), task("2", "book", "1", done=True)],
        [task("1", "find", "1", done=True), task("2", "book", "1", done=True)],
        [task("1", "find", dep="root", done=True), task("2", "book", "1", done=True)],
    ],
)
def test_a_broken_dep_of_an_executed_node_counts_as_none(broken: list[Any]) -> None:
    assert executed_rounds_of([ROOT, *broken, RESPONSE]) == {"1": 1, "2": 2}


def test_nodes_of_a_circle_ran_side_by_side_after_what_they_wait_for_besides() -> None:
    circle = [task("2", "book", "1", "3", done=True), task("3", "mail", "2", done=True)]
    behind = task("4", "mail", "2", done=True)
    rounds = {"1": 1, "2": 2, "3": 1, "4": 3}
    assert executed_rounds_of([CHAIN[1], *circle, behind]) == rounds


def test_a_circle_of_ten_thousand_opens() -> None:
    circle = [task(str(n), "find", str((n + 1) % 10_000), done=True) for n in range(10_000)]
    assert begun(circle).rounds == 1


def test_of_two_nodes_with_one_id_the_first_counts() -> None:
    assert executed_rounds_of([CHAIN[1], task("1", "mail", "1"), RESPONSE]) == {"1": 1}


@st.composite
def plans(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Draw the tasks of a plan, sound or not."""
    ids = st.sampled_from(["root", "response", "1", "2", "3", "4", "5", ""])
    dep = st.lists(st.one_of(ids, st.just("gone")), max_size=3)
    names = st.sampled_from(["find", "book", "mail", "nothing", None])
    return [
        task(id, draw(names), done=draw(st.booleans()), dep=draw(st.just("1") | dep))
        for id in draw(st.lists(ids, min_size=1, max_size=8))
    ]


@given(plans())
def test_every_executed_call_is_in_the_ledger(tasks: list[dict[str, Any]]) -> None:
    first = {one["id"]: one for one in reversed(tasks) if one["id"] not in ("", "response")}
    executed = {id for id, one in first.items() if one["status"] and one["name"]}
    assert {entry.node for entry in begun(tasks).ledger} == executed


@given(plans(), st.lists(st.sampled_from(["1", "2", "3", None]), max_size=4), st.randoms())
def test_any_plan_opens_and_ends_and_the_order_of_its_nodes_means_nothing(
    tasks: list[dict[str, Any]], made: list[str | None], rng: random.Random
) -> None:
    results = [call(node, "find", "Found.") for node in made]
    execution = run(tasks, results)
    assert execution.total_rounds <= 40 + execution.r_pre
    if len({one["id"] for one in tasks}) == len(tasks):
        rng.shuffle(tasks)
        again = run(tasks, results)
        assert again.rounds == execution.rounds
        assert list(again.ledger) == list(execution.ledger)
