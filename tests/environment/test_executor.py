"""What semantics.md says of plans, the executor and its ledger, and what must always hold."""

import random
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from environment.executor import (
    MAX_IDLE,
    MAX_ROUNDS,
    Execution,
    Planner,
    Request,
    Snapshot,
    Start,
    carry_on,
    execute,
    start_of,
)
from trajectory import canonical
from trajectory.calls import Call, call_outcome
from trajectory.descriptions import describe
from trajectory.plan import Node, Plan, read_plan, write_plan
from trajectory.references import follow, reference, resolve

FAILED = {"error": "no such city"}
OK = {"value": 1}


@dataclass
class Scripted:
    """An environment that gives each node its results in turn, then OK, and notes what it ran."""

    results: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    ran: list[list[Request]] = field(default_factory=list)
    times: Counter[str] = field(default_factory=Counter)

    def run(self, requests: Sequence[Request]) -> list[Any]:
        self.ran.append(list(requests))
        self.times.update(request.node for request in requests)
        return [self._result(request) for request in requests]

    def _result(self, request: Request) -> Any:
        if request.problem is not None:
            return {"error": request.problem}
        mine = self.results.get(request.node, ())
        times = self.times[request.node]
        return mine[times - 1] if times <= len(mine) else OK

    def digest(self) -> str | None:
        return None


def call(id: str, *dep: str, name: str | None = "t", status: bool = False, **para: Any) -> Node:
    return Node(id, name, para, dep=dep, status=status)


def thought(id: str, *dep: str) -> Node:
    return Node(id, dep=dep)


def response(*dep: str, status: bool = False) -> Node:
    return Node("response", dep=dep, status=status)


def plan(*nodes: Node) -> Plan:
    return Plan((Node("root", status=True), *nodes))


def begin(*nodes: Node) -> Start:
    """Start where nothing has run."""
    return start_of(Snapshot(plan(*nodes), (), ()))


def after(nodes: Sequence[Node], *rounds: Mapping[str, Any]) -> Start:
    """Start behind these rounds, each node → result, as the executor would show it."""
    para = {node.id: node.para for node in nodes}
    results: dict[str, Any] = {}
    calls = []
    for one in rounds:
        calls.append(tuple(Call(id, "t", resolved(para[id], results), one[id]) for id in one))
        results |= one
    earlier = {id for one in rounds[:-1] for id in one}
    shown = [
        node.change(status=True, desc=describe(results[node.id])) if node.id in earlier else node
        for node in nodes
    ]
    return start_of(Snapshot(plan(*shown), calls[-1] if calls else (), tuple(calls[:-1])))


def resolved(para: Any, results: Mapping[str, Any]) -> Any:
    """Return the arguments as sent: as they are written where a reference leads nowhere."""
    try:
        return resolve(para, lambda found: follow(results[found.node or ""], found.path))
    except LookupError:
        return para


class Answers:
    """A planner that gives these answers in turn, then carries on, and keeps what it saw."""

    def __init__(self, *answers: Plan | Callable[[Snapshot], Plan] | None) -> None:
        self._answers = list(answers)
        self.seen: list[Snapshot] = []

    def __call__(self, snapshot: Snapshot) -> Plan | None:
        self.seen.append(snapshot)
        answer = self._answers.pop(0) if self._answers else None
        return answer(snapshot) if callable(answer) else answer


def went(run: Execution) -> list[list[str]]:
    """Return the nodes of each round after the answer; the response's round ends with it."""
    return [
        [entry.node for entry in one.entries] + ["response"] * (one.response and not one.entries)
        for one in run.rounds
    ]


def go(start: Start, *answers: Plan | None) -> list[list[str]]:
    return went(execute(start, Answers(*answers), Scripted()))


# --- references --------------------------------------------------------------------------------


def sent(*nodes: Node, **results: Sequence[Any]) -> dict[str, Request]:
    """Return the last request of each node."""
    environment = Scripted(results)
    execute(begin(*nodes), carry_on, environment)
    return {one.node: one for requests in environment.ran for one in requests}


def test_a_reference_is_resolved_anywhere_inside_the_arguments() -> None:
    found = sent(
        call("1"),
        call("2", "1", a=reference("1"), b={"c": [0, reference("1", "rows[1].id")]}),
        response("2"),
        **{"1": [{"rows": [{"id": 7}, {"id": 8}]}]},
    )
    assert found["2"].problem is None
    assert found["2"].arguments == {"a": {"rows": [{"id": 7}, {"id": 8}]}, "b": {"c": [0, 8]}}


def test_a_reference_reaches_every_ancestor() -> None:
    found = sent(call("1"), call("2", "1"), thought("3", "2"), call("4", "3", a=reference("1")))
    assert found["4"].arguments == {"a": OK}


@pytest.mark.parametrize(
    ("value", "names"),
    [
        (reference("1"), ("'1'", "'a.b[0]'", "does not depend on it")),
        (reference("nowhere"), ("'nowhere'", "'a.b[0]'")),
        (reference("4"), ("'4'", "'a.b[0]'")),
        (reference("note"), ("'note'", "'a.b[0]'", "has not run")),
        (reference("2", "value.deeper"), ("'2'", "'a.b[0]'", "value.deeper")),
        (reference("2", "..x["), ("'2'", "'a.b[0]'")),
        ({"$ref": "2", "more": 1}, ("'a.b[0]'",)),
        ({"$ref": 2}, ("'a.b[0]'",)),
        ({"$ref": "2", "path": None}, ("'a.b[0]'",)),
    ],
)
def test_any_other_reference_is_an_error_of_that_call(value: Any, names: Sequence[str]) -> None:
    nodes = (
        call("1"),
        call("2"),
        thought("note", "2"),
        call("4", "note", a={"b": [value]}),
        response("4"),
    )
    found = sent(*nodes)["4"]
    assert found.problem is not None
    assert [name for name in names if name not in found.problem] == []
    assert found.arguments == {"a": {"b": [value]}}


def test_whatever_is_no_reference_is_a_literal() -> None:
    literals: dict[str, Any] = {
        "a": "output_of_task1",
        "b": "$ref",
        "c": {"ref": "1"},
        "d": ["{1}"],
    }
    assert sent(call("1"), call("2", "1", **literals))["2"].arguments == literals


# --- reading a plan ----------------------------------------------------------------------------


def run_read(*tasks: Mapping[str, Any]) -> list[list[str]]:
    return go(start_of(Snapshot(read_plan({"tasks": list(tasks)}), (), ())))


def test_numbers_as_ids_are_texts() -> None:
    one, two = {"id": 1, "name": "t"}, {"id": "2", "name": "t", "dep": [1]}
    assert run_read(one, two, {"id": "response", "dep": [2.0]}) == [["1"], ["2"], ["response"]]


def test_root_always_exists_and_is_what_nothing_means() -> None:
    for dep in (["root"], [], None):
        one = {"id": "1", "name": "t", "dep": dep}
        assert run_read(one, {"id": "response", "dep": ["1"]}) == [["1"], ["response"]]
    assert run_read({"id": "1", "name": "t"}, {"id": "response", "dep": ["1"]})[0] == ["1"]


def test_a_dep_that_is_a_text_is_never_met_and_the_rest_runs() -> None:
    tasks = (
        {"id": "1", "name": "t", "dep": "root"},
        {"id": "2", "name": "t", "dep": []},
        {"id": "response", "dep": ["1", "2"]},
    )
    assert run_read(*tasks) == [["2"], [], [], []]


def test_a_node_without_a_tool_completes_with_its_last_dep_and_takes_no_round() -> None:
    nodes = (
        call("1"),
        call("2", "1"),
        thought("compare", "1", "2"),
        thought("ask", "compare"),
        call("3", "ask"),
        response("3", "ask"),
    )
    assert go(begin(*nodes)) == [["1"], ["2"], ["3"], ["response"]]
    assert go(begin(thought("1"), response("1"))) == [["response"]]


def test_a_response_that_carries_a_call_runs_it_in_its_own_round() -> None:
    answer = Node("response", "send", {"text": reference("1", "value")}, dep=("1",))
    environment = Scripted()
    run = execute(begin(call("1"), call("2"), call("3", "2"), answer), carry_on, environment)
    assert went(run) == [["1", "2"], ["response"]]
    assert environment.ran[1] == [Request("response", "send", {"text": 1})]
    assert run.completed
    assert run.rounds[-1].response


# --- the snapshot ------------------------------------------------------------------------------


def shown(snapshot: Snapshot) -> dict[str, bool]:
    return {node.id: node.status for node in snapshot.plan}


def test_the_ledger_begins_with_history_and_last_round() -> None:
    nodes = (call("1"), call("2", "1"), call("3", "2"), response("3"))
    run = execute(after(nodes, {"1": FAILED}, {"2": None}), carry_on, Scripted())
    told = [(one.node, one.round, one.attempt, one.outcome) for one in run.ledger]
    assert told == [("1", 1, 1, "failed"), ("2", 2, 1, "empty"), ("3", 3, 1, "ok")]
    assert (run.r_pre, run.r_exec, run.total_rounds, run.calls_after) == (2, 2, 4, 1)


def test_a_planner_sees_the_plan_as_it_was_sent_into_the_last_round() -> None:
    nodes = (call("1", a=1), call("2", "1", a=reference("1", "value")), call("3", "2"))
    planner = Answers()
    execute(begin(*nodes, thought("note", "1"), response("3")), planner, Scripted())
    first, second, third, fourth = planner.seen
    assert shown(first) == {"root": True} | dict.fromkeys(
        ["1", "2", "3", "note", "response"], False
    )
    assert (first.tool_results, first.history) == ((), ())
    assert shown(second) == shown(first)
    assert second.tool_results == (Call("1", "t", {"a": 1}, OK),)
    assert second.plan.by_id["1"].desc == ""
    assert shown(third) == shown(first) | {"1": True, "note": True}
    assert third.plan.by_id["1"].desc == describe(OK)
    assert third.plan.by_id["note"].desc == ""
    assert third.history == (second.tool_results,)
    assert third.tool_results == (Call("2", "t", {"a": 1}, OK),)
    assert fourth.plan.by_id["2"].desc == describe(OK)
    assert [one.rounds for one in planner.seen] == [0, 1, 2, 3]


def test_the_results_of_the_instances_last_round_enter_desc_one_round_later() -> None:
    nodes = (call("1", a=1), call("2", "1", a=2), call("3", "2"), response("3"))
    planner = Answers()
    execute(after(nodes, {"1": OK}, {"2": FAILED}), planner, Scripted())
    assert [one.plan.by_id["2"].desc for one in planner.seen] == [
        "",
        describe(FAILED),
    ]


def test_only_the_executor_writes_results_into_desc() -> None:
    nodes = (call("1", a=1), call("2", "1"), call("3", "2"), response("3"))
    forged = {"1": "It went well.", "2": "So did this.", "3": "And this will."}
    start = after(nodes, {"1": FAILED})
    answer = plan(
        *(node.change(desc=forged.get(node.id, ""), status=node.id == "1") for node in nodes)
    )
    planner = Answers(answer)
    execute(start, planner, Scripted())
    third = planner.seen[2].plan.by_id
    assert third["1"].desc == describe(FAILED)
    assert third["2"].desc == describe(OK)
    assert third["3"].desc == "And this will."


def test_a_desc_tells_what_ran_and_not_what_an_answer_made_of_it() -> None:
    nodes = (call("1", a=1), call("2"), response("2"))
    planner = Answers(plan(call("1", status=True, a=99), call("2"), response("2")))
    execute(after(nodes, {"1": FAILED}), planner, Scripted())
    assert planner.seen[1].plan.by_id["1"].desc == describe(FAILED)


# --- settled and ready -------------------------------------------------------------------------


def test_ready_nodes_run_together_and_a_failed_dep_is_settled() -> None:
    nodes = (call("1"), call("2"), call("3", "1"), call("4", "1", "2"), response("3", "4"))
    run = execute(begin(*nodes), carry_on, Scripted({"1": [FAILED], "2": [None]}))
    assert went(run) == [["1", "2"], ["3", "4"], ["response"]]


def test_consumers_and_response_wait_for_a_dep_that_is_to_run_again() -> None:
    start = after([call("1"), call("2", "1"), response("2")], {"1": OK}, {"2": OK})
    answer = plan(call("1", a=5), call("2", "1", status=True), call("3", "1"), response("1", "2"))
    assert go(start, answer) == [["1"], ["response"]]
    answer = plan(call("1", a=5), call("2", "1"), response("2"))
    assert go(start, answer) == [["1"], ["2"], ["response"]]


def test_calls_of_a_round_see_results_as_of_its_start() -> None:
    nodes = (call("1"), call("2", "1"), call("3", "2", a=reference("1", "value")), response("3"))
    start = after(nodes, {"1": {"value": "old"}}, {"2": OK})
    answer = plan(call("1", a=5), call("2", "1", status=True), *nodes[2:])
    environment = Scripted({"1": [{"value": "new"}]})
    run = execute(start, Answers(answer), environment)
    assert went(run) == [["1", "3"], ["response"]]
    assert environment.ran[0][1].arguments == {"a": "old"}


def test_nodes_that_wait_for_the_response_or_for_nothing_that_exists_never_run() -> None:
    nodes = (call("1", "response"), call("2", "gone"), call("3"), response("3"))
    assert go(begin(*nodes)) == [["3"], ["response"]]


# --- again -------------------------------------------------------------------------------------

CHAIN = (call("1", a=1), call("2", "1", a=reference("1", "value")), response("2"))


def again(outcome: Any, *nodes: Node, **results: Sequence[Any]) -> Execution:
    """Answer with these nodes once 1 and 2 of CHAIN have run; 2 is of the last round."""
    start = after(CHAIN, {"1": outcome}, {"2": OK})
    return execute(start, Answers(plan(*nodes)), Scripted(results))


def slips(run: Execution) -> dict[str, int]:
    return dict(run.slips)


DONE_2 = call("2", "1", status=True, a=reference("1", "value"))


def test_false_with_changed_arguments_runs_again() -> None:
    run = again(OK, call("1", a=2), DONE_2, response("1"))
    assert went(run) == [["1"], ["response"]]
    assert [one.attempt for one in run.ledger.attempts("1")] == [1, 2]
    assert slips(run) == {}


def test_false_with_a_changed_tool_runs_again() -> None:
    assert went(again(OK, call("1", name="u", a=1), DONE_2, response("1")))[0] == ["1"]


def test_true_with_changed_arguments_does_not_run_again() -> None:
    run = again(OK, call("1", a=2, status=True), DONE_2, response("1"))
    assert went(run) == [["response"]]


def test_equal_arguments_are_the_same_call_however_they_are_written() -> None:
    start = after([call("1", a=25, b=True), call("2", "1"), response("2")], {"1": OK}, {"2": OK})
    same, other = call("1", b=True, a=25.0), call("1", a=25, b=1)
    done = call("2", "1", status=True)
    assert go(start, plan(same, done, response("2"))) == [["response"]]
    assert go(start, plan(other, done, response("1")))[0] == ["1"]


def test_arguments_are_compared_as_resolved_when_the_node_is_ready() -> None:
    again_2 = call("2", "1", a=reference("1", "value"))
    literal_2 = call("2", "1", a=1)
    assert went(again(OK, call("1", a=1, status=True), literal_2, response("2"))) == [["response"]]
    changed = again(OK, call("1", a=2), again_2, response("2"), **{"1": [{"value": 9}]})
    assert went(changed) == [["1"], ["2"], ["response"]]
    assert changed.ledger.attempts("2")[-1].arguments == {"a": 9}


@pytest.mark.parametrize("outcome", [FAILED, None, "", []])
def test_a_failed_or_empty_node_that_was_shown_true_is_tried_again_once(outcome: Any) -> None:
    run = again(outcome, call("1", a=1), DONE_2, response("1"), **{"1": [FAILED]})
    assert went(run) == [["1"], ["response"]]
    assert slips(run) == {}


def test_each_answer_buys_one_more_attempt() -> None:
    nodes = (call("1"), call("2"), call("3", "2"), call("4", "3"), response("1", "4"))
    start = after(nodes, {"1": FAILED}, {"2": OK})

    def retry(snapshot: Snapshot) -> Plan:
        return snapshot.plan.change({"1": snapshot.plan.by_id["1"].change(status=False)})

    run = execute(start, Answers(retry, None, retry), Scripted({"1": [FAILED] * 5}))
    assert went(run) == [["1", "3"], ["4"], ["1"], ["response"]]
    assert [one.attempt for one in run.ledger.attempts("1")] == [1, 2, 3]


def test_a_good_node_marked_false_is_a_slip_and_read_as_true() -> None:
    run = again(OK, call("1", a=1), DONE_2, response("1"))
    assert went(run) == [["response"]]
    assert slips(run) == {"false_without_change": 1}


def test_a_node_of_the_last_round_left_false_is_no_slip_and_not_tried_again() -> None:
    start = after(CHAIN[:1] + CHAIN[2:], {"1": FAILED})
    run = execute(start, Answers(plan(call("1", a=1), call("3"), response("1"))), Scripted())
    assert went(run) == [["response"]]
    assert slips(run) == {}


def test_a_new_node_tries_the_call_of_the_last_round_again() -> None:
    start = after([call("1", a=1), response("1")], {"1": FAILED})
    answer = plan(call("1", a=1), call("1b", a=1), response("1b"))
    assert go(start, answer) == [["1b"], ["response"]]


def test_a_stale_node_marked_false_runs_again() -> None:
    # 2 ran before 3; now it waits for 3.
    nodes = (call("1"), call("2"), call("3", "1"), response("2", "3"))
    start = after(nodes, {"1": OK, "2": OK}, {"3": OK})
    done = [call("1", status=True), call("3", "1", status=True)]
    assert go(start, plan(*done, call("2", "3"), response("2"))) == [["2"], ["response"]]
    assert go(start, plan(*done, call("2", "3", status=True), response("2"))) == [["response"]]
    # A dep of the same round makes stale as well; one before it does not.
    assert go(start, plan(*done, call("2", "1"), response("2"))) == [["2"], ["response"]]
    later = plan(call("1", status=True), call("2", status=True), call("3", "1"), response("3"))
    assert go(start, later) == [["response"]]


def test_what_a_node_without_a_tool_waits_for_makes_stale_too() -> None:
    nodes = (call("1"), call("2"), call("3", "1"), thought("note", "3"), response("2", "3"))
    start = after(nodes, {"1": OK, "2": OK}, {"3": OK})
    done = [call("1", status=True), call("3", "1", status=True), thought("note", "3")]
    assert go(start, plan(*done, call("2", "note"), response("2"))) == [["2"], ["response"]]


def test_descendants_are_run_again_in_turn_by_one_answer() -> None:
    nodes = (call("1", a=1), call("2", "1"), call("3", "2"), call("4", "3"), response("4"))
    start = after(nodes, {"1": OK}, {"2": OK}, {"3": OK})
    answer = plan(call("1", a=2), *nodes[1:])
    assert go(start, answer) == [["1"], ["2"], ["3"], ["4"], ["response"]]


def test_true_without_an_entry_is_read_as_false_and_counted() -> None:
    nodes = (call("1", status=True), call("2", "1", status=True), response("2"))
    run = execute(begin(*CHAIN), Answers(plan(*nodes)), Scripted())
    assert went(run) == [["1"], ["2"], ["response"]]
    assert slips(run) == {"true_without_entry": 2}


def test_dropped_and_altered_nodes_stay_in_the_ledger() -> None:
    run = again(OK, call("1", a=1, status=True, name="u"), call("9"), response("9"))
    assert went(run) == [["9"], ["response"]]
    assert [(one.node, one.tool) for one in run.ledger] == [("1", "t"), ("2", "t"), ("9", "t")]
    assert run.total_rounds == 4


def test_a_dropped_node_can_come_back_and_has_run() -> None:
    start = after([call("1"), response("1")], {"1": OK})
    without = plan(call("2"), call("3", "2"), response("3"))
    back = plan(call("1"), call("2", status=True), call("3", "2"), response("1", "3"))
    run = execute(start, Answers(without, back), Scripted())
    assert went(run) == [["2"], ["3"], ["response"]]
    assert slips(run) == {}


# --- carried on as it is -----------------------------------------------------------------------


def told(run: Execution) -> str:
    """Return everything an execution tells but the answers and the order of the nodes."""
    rounds = [
        [one.number, one.response, [[e.node, e.tool, e.arguments, e.result] for e in one.entries]]
        for one in run.rounds
    ]
    entries = [[e.node, e.tool, e.arguments, e.round, e.attempt, e.outcome] for e in run.ledger]
    behind = sorted(run.response_ancestors)
    return canonical.dumps([run.r_pre, rounds, run.ending, entries, dict(run.slips), behind])


@pytest.mark.parametrize("first", [{}, {"1": OK}, {"1": FAILED}, {"1": None}])
def test_an_answer_equal_to_the_snapshot_means_carry_on(first: Mapping[str, Any]) -> None:
    nodes = (call("1"), call("2", "1"), call("3"), response("2"))
    start = after(nodes, first) if first else begin(*nodes)

    def same(snapshot: Snapshot) -> Plan:
        return read_plan(canonical.loads(canonical.dumps(write_plan(snapshot.plan))))

    def other_order(snapshot: Snapshot) -> Plan:
        return Plan(tuple(reversed(snapshot.plan.nodes)))

    def executed_as_true(snapshot: Snapshot) -> Plan:
        return plan(*(node.change(status=node.id in first) for node in nodes))

    as_it_is = told(execute(start, carry_on, Scripted()))
    for answer in (same, other_order):
        assert told(execute(start, answer, Scripted())) == as_it_is
        assert told(execute(start, Answers(answer), Scripted())) == as_it_is
    assert told(execute(start, Answers(executed_as_true), Scripted())) == as_it_is


def test_an_answer_with_a_stray_task_is_not_the_snapshot() -> None:
    nodes = (call("1"), call("2", "1"), response("2"))
    start = after(nodes, {"1": FAILED}, {"2": OK})
    again = read_plan({"tasks": [*write_plan(start.snapshot.plan)["tasks"], "and so on"]})
    run = execute(start, Answers(again), Scripted())
    assert run.plan.strays == again.strays
    assert execute(start, Answers(start.snapshot.plan), Scripted()).plan.strays == ()


def test_an_answer_equal_to_the_snapshot_leaves_what_is_to_run_again() -> None:
    nodes = (call("1", a=1), call("2", "1"), call("3", "2"), response("3"))
    start = after(nodes, {"1": OK}, {"2": OK}, {"3": OK})
    first = plan(call("1", a=2), *nodes[1:])
    wanted = [["1"], ["2"], ["3"], ["response"]]
    assert go(start, first) == wanted
    assert went(execute(start, Answers(first, *[lambda s: s.plan] * 3), Scripted())) == wanted


# --- the response ------------------------------------------------------------------------------


def test_an_answer_that_marks_the_response_changes_nothing() -> None:
    run = execute(begin(*CHAIN), Answers(plan(*CHAIN[:2], response("2", status=True))), Scripted())
    assert went(run) == [["1"], ["2"], ["response"]]
    assert slips(run) == {"response_marked": 1}


def test_the_response_runs_alone_before_anything_else_and_ends_it() -> None:
    nodes = (call("1"), call("2"), call("3", "1"), call("4", "3"), response("1"))
    run = execute(begin(*nodes), carry_on, Scripted())
    assert went(run) == [["1", "2"], ["response"]]
    assert (run.ending, run.completed) == ("completed", True)
    assert run.rounds[-1].entries == ()


def test_the_response_waits_for_its_deps_alone_and_knows_its_ancestors() -> None:
    run = execute(begin(call("1"), call("2", "1"), call("3"), response("2")), carry_on, Scripted())
    assert run.response_ancestors == {"1", "2"}
    without = execute(begin(call("1")), carry_on, Scripted())
    assert without.response_ancestors == frozenset()


# --- rounds ------------------------------------------------------------------------------------


def test_three_idle_rounds_in_a_row_end_it_as_stalled_and_count() -> None:
    run = execute(begin(call("1"), response("gone")), carry_on, Scripted())
    assert (run.ending, went(run), run.total_rounds) == ("stalled", [["1"], [], [], []], 4)


def test_a_round_with_a_call_begins_the_count_of_idle_rounds_anew() -> None:
    stuck = plan(call("1"), response("gone"))
    more = plan(call("1", status=True), call("2"), response("gone"))
    run = execute(begin(call("1"), response("gone")), Answers(stuck, None, None, more), Scripted())
    assert went(run) == [["1"], [], [], ["2"], [], [], []]


def endless(snapshot: Snapshot) -> Plan:
    """Add a call in every round."""
    return plan(*snapshot.plan.nodes[1:], call(f"n{len(snapshot.history)}"))


@pytest.mark.parametrize("before", [0, 1, 12, 39])
def test_forty_rounds_in_all_end_it_as_capped(before: int) -> None:
    nodes = [call(f"b{number}") for number in range(before)]
    start = after([*nodes, response("gone")], *({node.id: OK} for node in nodes))
    run = execute(start, endless, Scripted())
    assert (run.r_pre, run.ending, run.total_rounds) == (before, "capped", MAX_ROUNDS)


def test_the_response_may_run_in_the_fortieth_round() -> None:
    chain = [call(str(n), *([str(n - 1)] if n else [])) for n in range(MAX_ROUNDS)]
    late = execute(begin(*chain, response(chain[-2].id)), carry_on, Scripted())
    assert (late.ending, late.total_rounds) == ("completed", 40)
    too_late = execute(begin(*chain, response(chain[-1].id)), carry_on, Scripted())
    assert (too_late.ending, too_late.total_rounds) == ("capped", 40)


def test_r_pre_is_the_instances_whatever_the_answer_claims() -> None:
    start = after([call("1"), call("2", "1"), response("2")], {"1": OK})
    run = execute(start, Answers(plan(response())), Scripted())
    assert (run.r_pre, run.r_exec) == (1, 1)


# --- broken and huge plans ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "nodes",
    [
        (),
        (call("1", "1"), response("1")),
        (call("1", "2"), call("2", "1"), response("1")),
        (call("1", "gone"), response("1")),
        (call("1"), call("1", a=2), response("1")),
        (call("1"), response("1"), response()),
        (call(""), response("")),
        (response("response"),),
        (Node("1", "t", dep=(), raw={"dep": "root"}), response("1")),
    ],
)
def test_what_can_never_run_ends_as_stalled(nodes: Sequence[Node]) -> None:
    run = execute(begin(*nodes), carry_on, Scripted())
    assert run.ending == "stalled"
    assert run.total_rounds <= 1 + MAX_IDLE
    for id in ("", "response", "1"):
        assert id not in run.ledger or [node.id for node in nodes].count(id) == 1


def test_what_has_run_is_settled_though_its_node_is_broken_now() -> None:
    start = after([call("1"), call("2"), response("2")], {"1": OK})
    doubled = plan(call("1", status=True), call("1"), call("2", "1"), response("2"))
    in_circle = plan(call("1", "2", status=True), call("2", "1"), response("2"))
    as_text = plan(call("1").change(dep=()), call("2", "1"), response("2"))
    as_text = as_text.change({"1": Node("1", "t", raw={"dep": "root"})})
    for answer in (doubled, in_circle, as_text):
        assert go(start, answer) == [["2"], ["response"]]


LARGE = 10_000


def line(number: int, name: str | None) -> list[Node]:
    return [Node(str(n), name, dep=(str(n + 1),) if n + 1 < number else ()) for n in range(number)]


HUGE_ANSWER = [call(f"h{n}", f"h{n - 1}") for n in range(LARGE)]
HUGE = {
    "side by side": [call(str(n)) for n in range(LARGE)],
    "a chain of calls": line(LARGE, "t"),
    "a chain without tools": line(LARGE, None),
    "a circle": [*line(LARGE, None)[:-1], Node(str(LARGE - 1), dep=("0",))],
    "diamonds": [
        Node(f"{n}{side}", dep=(f"{n - 1}a", f"{n - 1}b") if n else ())
        for n in range(LARGE // 2)
        for side in "ab"
    ],
    "all the same": [call("1")] * LARGE,
}


@pytest.mark.parametrize("kind", HUGE)
@pytest.mark.parametrize("planner", [carry_on, lambda snapshot: plan(*HUGE_ANSWER)])
def test_ten_thousand_nodes_take_seconds(kind: str, planner: Planner) -> None:
    started = time.perf_counter()
    last = HUGE[kind][-1].id
    execute(begin(call("ran"), *HUGE[kind], response(last)), planner, Scripted())
    assert time.perf_counter() - started < 20


def test_a_huge_plan_behind_what_has_run_in_a_circle_takes_seconds() -> None:
    # 0 has run and waits for the end of a chain that begins behind it.
    chain = [Node(str(n), dep=(str(n - 1),)) for n in range(1, LARGE)]
    start = after([call("0"), response("0")], {"0": OK})
    answer = plan(call("0", str(LARGE - 1), status=True), *chain, response(str(LARGE - 1)))
    started = time.perf_counter()
    assert go(start, answer) == [["response"]]
    assert time.perf_counter() - started < 20


# --- whatever the plan, whatever the planner ---------------------------------------------------

IDS = ("1", "2", "3", "4", "root", "response", "")
SOME_RESULTS: tuple[Any, ...] = (OK, {"value": [2]}, FAILED, None, "", [])


@dataclass
class Moody:
    """An environment whose results depend on the calls so far, and which notes them."""

    seed: int
    asked: Counter[str] = field(default_factory=Counter)

    def run(self, requests: Sequence[Request]) -> list[Any]:
        keys = [canonical.dumps([r.tool, r.arguments, r.problem]) for r in requests]
        results = [
            SOME_RESULTS[int(canonical.digest([self.seed, key, self.asked[key]]), 16) % 6]
            for key in keys
        ]
        self.asked.update(keys)
        return results

    def digest(self) -> str | None:
        return None


ids = st.sampled_from(IDS)
values = st.one_of(
    st.integers(0, 1),
    st.builds(reference, ids, st.sampled_from(["", "value", "value[0]"])),
)
nodes = st.builds(
    Node,
    id=ids,
    name=st.sampled_from([None, "t", "t", "u"]),
    para=st.dictionaries(st.sampled_from("ab"), values, max_size=2),
    dep=st.lists(st.one_of(ids, st.just("gone")), max_size=3).map(tuple),
    status=st.booleans(),
    raw=st.sampled_from([{}, {}, {}, {"dep": "root"}]),
)
plans = st.builds(lambda listed: Plan(tuple(listed)), st.lists(nodes, max_size=7))


@st.composite
def answers(draw: st.DrawFn) -> Callable[[Snapshot], Plan | None]:
    """Draw an answer: none, any plan, or the snapshot with some nodes turned, moved or gone."""
    if draw(st.booleans()):
        other = draw(st.one_of(st.none(), plans))
        return lambda _: other
    turned, gone = draw(st.sets(ids)), draw(st.sets(ids, max_size=1))
    added = draw(st.lists(nodes, max_size=2))

    def changed(snapshot: Snapshot) -> Plan:
        kept = (node for node in snapshot.plan if node.id not in gone)
        told = [n.change(status=not n.status) if n.id in turned else n for n in kept]
        return Plan((*told, *added))

    return changed


histories = st.lists(
    st.dictionaries(st.sampled_from("123"), st.sampled_from(SOME_RESULTS), min_size=1, max_size=2),
    max_size=3,
)


@st.composite
def starts(draw: st.DrawFn) -> Start:
    first = draw(plans)
    calls = [
        tuple(Call(id, "t", {"a": draw(values)}, result) for id, result in one.items())
        for one in draw(histories)
    ]
    return start_of(Snapshot(first, calls[-1] if calls else (), tuple(calls[:-1])))


Script = list[Callable[[Snapshot], Plan | None]]
scripts = st.lists(answers(), max_size=12)


@given(starts(), scripts, st.integers(0, 3))
def test_it_always_ends_and_never_runs_a_call_that_it_must_not(
    start: Start, script: Script, seed: int
) -> None:
    watch = Watch(start, script)
    run = execute(start, watch, Moody(seed))
    assert run.r_exec >= 1
    assert run.total_rounds <= MAX_ROUNDS
    idle = [one.idle for one in run.rounds]
    assert (run.ending == "stalled") == (idle[-MAX_IDLE:] == [True] * MAX_IDLE)
    assert run.completed == run.rounds[-1].response
    assert not any(one.response for one in run.rounds[:-1])
    assert [one.number for one in run.rounds] == [run.r_pre + n + 1 for n in range(run.r_exec)]
    watch.check(run)


class Watch:
    """A planner that keeps what it saw and answered, to judge afterwards what ran."""

    def __init__(self, start: Start, script: Script) -> None:
        self.start = start
        self.script = list(script)
        self.seen: list[Snapshot] = []
        self.plans: list[Plan | None] = []

    def __call__(self, snapshot: Snapshot) -> Plan | None:
        self.seen.append(snapshot)
        answer = self.script.pop(0)(snapshot) if self.script else None
        self.plans.append(answer)
        return answer

    def check(self, run: Execution) -> None:
        """Hold each attempt against the rules, worked out here once more from the ledger alone."""
        current: Plan | None = None
        shown: Snapshot | None = None
        since: Counter[str] = Counter()
        for one, snapshot, answer in zip(run.rounds, self.seen, self.plans, strict=True):
            if answer is not None and texts(answer) != texts(snapshot.plan):
                current, shown, since = answer, snapshot, Counter()
            plan_now = current or self.start.snapshot.plan
            for entry in one.entries:
                before = [e for e in run.ledger if e.node == entry.node and e.round < one.number]
                node = only(plan_now, entry.node)
                assert (node.name or "") == entry.tool
                assert deps_met(node, plan_now, run, one.number)
                if before:
                    assert shown is not None
                    assert not node.status
                    assert since[entry.node] == 0
                    assert may_run_again(node, shown, before[-1], entry, run)
                since[entry.node] += 1


def texts(one: Plan) -> list[str]:
    return sorted(canonical.dumps(task) for task in write_plan(one)["tasks"])


def only(one: Plan, id: str) -> Node:
    found = [node for node in one if node.id == id]
    assert len(found) == 1, "a node whose id is not unique ran"
    return found[0]


def deps_met(node: Node, one: Plan, run: Execution, number: int, depth: int = 0) -> bool:
    """Every dep has run before this round, or is a node without a tool whose deps are met."""
    assert node.has_dep_list
    assert depth <= len(IDS), "a circle"
    for dep in node.dep:
        named = [other for other in one if other.id == dep]
        if dep == "root" and not any(other.is_call for other in named):
            continue
        assert named, "a dep that names no node was met"
        if any(entry.node == dep and entry.round < number for entry in run.ledger):
            continue
        assert not only(one, dep).is_call
        assert deps_met(only(one, dep), one, run, number, depth + 1)
    return True


def may_run_again(node: Node, shown: Snapshot, last: Any, now: Any, run: Execution) -> bool:
    other = (last.tool, canonical.dumps(last.arguments)) != (
        now.tool,
        canonical.dumps(now.arguments),
    )
    shown_true = any(one.status for one in shown.plan if one.id == node.id)
    retry = shown_true and last.outcome != "ok"
    return other or retry or stale(node, last, now, run)


def stale(node: Node, last: Any, now: Any, run: Execution) -> bool:
    """Any dep, or what stands behind a dep without a tool, ran no sooner than the node itself.

    Of a node without a tool everything that ran is allowed for: a necessary condition.
    """
    rounds = [entry.round for entry in run.ledger if entry.round < now.round]
    known = {entry.node: entry.round for entry in run.ledger if entry.round < now.round}
    return any(last.round <= known.get(dep, max(rounds, default=0)) for dep in node.dep)


@given(starts(), scripts, st.integers(0, 3), st.randoms(use_true_random=False))
def test_the_order_in_which_nodes_are_listed_never_matters(
    start: Start, script: Script, seed: int, rng: random.Random
) -> None:
    def shuffled(one: Plan) -> Plan:
        listed = list(one.nodes)
        rng.shuffle(listed)
        return Plan(tuple(listed), one.problems)

    def shuffling(answer: Callable[[Snapshot], Plan | None]) -> Callable[[Snapshot], Plan | None]:
        def answered(snapshot: Snapshot) -> Plan | None:
            given_ = answer(snapshot)
            return None if given_ is None else shuffled(given_)

        return answered

    first = Snapshot(
        shuffled(start.snapshot.plan), start.snapshot.tool_results, start.snapshot.history
    )
    one, other = Watch(start, script), Watch(start, [shuffling(answer) for answer in script])
    run = execute(start, one, Moody(seed))
    again_ = execute(Start(first, start.ledger, start.rounds), other, Moody(seed))
    assert told(run) == told(again_)
    assert [texts(snapshot.plan) for snapshot in one.seen] == [
        texts(snapshot.plan) for snapshot in other.seen
    ]


@given(starts(), st.integers(0, 3))
def test_carrying_on_is_answering_what_was_shown(start: Start, seed: int) -> None:
    as_it_is = told(execute(start, carry_on, Moody(seed)))
    assert told(execute(start, lambda snapshot: snapshot.plan, Moody(seed))) == as_it_is


@given(starts(), scripts, st.integers(0, 3))
def test_snapshots_tell_what_ran(start: Start, script: Script, seed: int) -> None:
    watch = Watch(start, script)
    run = execute(start, watch, Moody(seed))
    for one, snapshot in zip(run.rounds, watch.seen[1:], strict=False):
        assert snapshot.tool_results == tuple(entry.to_call() for entry in one.entries)
        earlier = {entry.node for entry in run.ledger if entry.round < one.number}
        for node in snapshot.plan:
            if node.status and node.is_call and node.id not in ("root", "response"):
                assert node.id in earlier
            if node.id in {entry.node for entry in one.entries} | {"response"}:
                assert not node.status
    calls = [one for round_ in watch.seen[-1].history for one in round_]
    assert all(call_outcome(one.results) in ("ok", "failed", "empty") for one in calls)


@given(starts(), scripts, st.integers(0, 3))
def test_a_snapshot_says_the_same_whenever_it_is_looked_at(
    start: Start, script: Script, seed: int
) -> None:
    late, soon = Watch(start, script), Watch(start, script)
    shown_soon: list[list[str]] = []

    def looking(snapshot: Snapshot) -> Plan | None:
        shown_soon.append(texts(snapshot.plan))
        return soon(snapshot)

    execute(start, late, Moody(seed))
    execute(start, looking, Moody(seed))
    assert [texts(one.plan) for one in late.seen] == shown_soon
