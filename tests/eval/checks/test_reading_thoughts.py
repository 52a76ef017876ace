"""What is named in a thought, and whether what it states holds."""

import pytest

from eval.checks.case import Case
from eval.checks.claims import claims
from eval.checks.mentions import Names, Text, names_of
from eval.checks.reading import Reading
from eval.checks.shown import Shown
from models.reading import Diagnosis
from tests.eval.checks.making import judged
from trajectory.instance import Instance
from trajectory.plan import read_plan

NAMES = Names(
    frozenset({"1", "2", "3", "4", "5", "12", "response", "4_retry_1"}),
    frozenset({"find_stop", "find_hotels"}),
    frozenset({"city"}),
    {"find_stop": ("4",)},
)


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("Node 3 failed.", ["3"]),
        ("step 3, then task 4", ["3", "4"]),
        ("nodes 1, 2 and 5 wait", ["1", "2", "5"]),
        ("nodes 2-4", ["2", "3", "4"]),
        ("Node '12' and node `5`", ["12", "5"]),
        ("节点3、4和5依赖节点1", ["3", "4", "5", "1"]),
        ("第4步失败，3号节点正常", ["4", "3"]),
        ("the edge 1 -> 3", ["1", "3"]),
        ("the response waits for 4_retry_1", ["response", "4_retry_1"]),
        # Amounts, rounds, dates and times are no nodes.
        ("It cost 12 in round 3, for 2 nights at 5.", []),
        ("from 12 March, 4 guests, 3 rooms", []),
        ("价格是12，共3晚", []),
        ("node 1.5 percent", []),
        ("There was no response in 5 seconds", []),
    ],
)
def test_nodes_are_named_with_a_word_that_says_so(text: str, nodes: list[str]) -> None:
    found = [name for one in Text(text, NAMES).nodes for name in one.names]
    assert [name for name in found if name in NAMES.ids] == nodes


def test_what_is_quoted_names_nobody() -> None:
    text = Text("It said \"reference to node '5': node '3' does not depend on it\".", NAMES)
    assert text.nodes == []


def test_sentences_are_not_cut_within_quotes_and_values() -> None:
    text = Text('It said "a. b, c" of [1, {"x": 2}]. Then it ended.', NAMES)
    assert len(text.sentences) == 2
    assert len(text.clauses(text.sentences[0])) == 1


# --- claims ----------------------------------------------------------------------------------


@pytest.fixture
def case(instances: list[Instance]) -> Case:
    """A search (node 1) timed out; the booking (node 2) refers to what it should have found."""
    return Case(instances[0])


def _claims(case: Case, thought: str) -> set[tuple[str, str]]:
    shown = Shown(case, case.plan)
    reading = Reading(Text(thought, names_of(case, case.plan)), shown)
    return {(one.kind, one.verdict) for one in claims(reading)}


@pytest.mark.parametrize(
    ("thought", "claim"),
    [
        ("Node 1 (find_hotels) is the first call.", ("tool", "right")),
        ("Node 2 (find_hotels) is the first call.", ("tool", "wrong")),
        ("节点1（find_hotels）是第一个调用。", ("tool", "right")),
        ("Node 2 depends on node 1.", ("edge", "right")),
        ("Node 1 depends on node 2.", ("edge", "wrong")),
        ("节点2依赖节点1。", ("edge", "right")),
        ("节点2不依赖节点1。", ("edge", "wrong")),
        ("Node 1 waits for nothing.", ("edge", "right")),
        ("节点1不依赖任何节点。", ("edge", "right")),
        ("Node 2 is still pending.", ("status", "right")),
        ("Node 2 has already run.", ("status", "wrong")),
        ("节点2尚未执行。", ("status", "right")),
        ("节点2已经执行。", ("status", "wrong")),
        ("Node 1 timed out.", ("outcome", "right")),
        ("The call of node 1 failed.", ("outcome", "right")),
        ("节点1超时。", ("outcome", "right")),
        ("Node 1 succeeded.", ("outcome", "wrong")),
        ("find_hotels timed out.", ("outcome", "right")),
        ("Node 9 is missing.", ("node", "invented")),
        ("The hotel_ranker is down.", ("name", "invented")),
        ("The result held the id XY-99123.", ("value", "invented")),
        ("Node 1 was called with city = 'Paris'.", ("value", "right")),
        ("Node 1 was called with city = 'Athens'.", ("value", "invented")),
        ("Node 1 asks for check_in 2026-03-10.", ("value", "right")),
        ("It uses hotels[0].hotel_id of node 1.", ("field", "right")),
    ],
)
def test_what_is_stated_is_looked_up(case: Case, thought: str, claim: tuple[str, str]) -> None:
    assert claim in _claims(case, thought)


@pytest.mark.parametrize(
    "thought",
    [
        "Node 1 should wait for node 2.",
        "Node 2 would fail.",
        "I let node 1 depend on node 2.",
        "If node 2 fails, I try it again.",
        "我让节点1依赖节点2。",
        "节点2将会失败。",
    ],
)
def test_wishes_and_fears_are_no_statements(case: Case, thought: str) -> None:
    assert not {verdict for _, verdict in _claims(case, thought)} & {"wrong", "invented"}


# --- root cause, reach -----------------------------------------------------------------------


@pytest.fixture
def located(cases: list[Case]) -> Case:
    """An instance with one error of an argument, which reaches one node or more later."""
    return next(
        case
        for case in cases
        if len(case.errors) == 1
        and case.errors[0]["field"] == "para"
        and case.errors[0]["parameter"]
        and case.reached_later
    )


def test_the_cause_is_node_kind_and_particulars(located: Case) -> None:
    (error,) = located.errors
    node, parameter = error["root_cause"], error["parameter"]
    other = next(one.id for one in located.plan if one.is_call and one.id not in located.affected)
    tag = error["type"]
    right = [Diagnosis(node, tag)]

    def cause(thought: str, diagnosis: list[Diagnosis]) -> float | None:
        return judged(located, thought, None, diagnosis).items["D3"]

    assert cause(f'The root cause is node {node}: a {tag} of "{parameter}".', right) == 1.0
    assert cause(f'The root cause is node {node}: a {tag} of "{parameter}".', []) == 1.0
    assert cause(f"根本原因是节点{node}：参数“{parameter}”有误（{tag}）。", right) == 1.0
    assert cause(f"The root cause is node {node}, which timed out.", []) == 0.5
    assert cause(f"The root cause is node {other}: it timed out.", []) == 0.0
    wrong = [Diagnosis(other, "Timeout_Error")]
    assert cause(f"Node {other} timed out.", wrong) == 0.0
    both = f'The root cause is node {node}: a {tag} of "{parameter}".'
    assert cause(both, [*right, *wrong]) == 0.5
    assert cause("", []) == 0.0


def test_the_reach_is_named_whole_and_alone(located: Case) -> None:
    reached = sorted(located.reached_later)
    far = [one.id for one in located.plan if one.is_call and one.id not in located.affected]

    def reach(thought: str) -> float | None:
        return judged(located, thought).items["D4"]

    listed = "、".join(reached)
    assert reach(f"Downstream, nodes {', '.join(reached)} are affected.") == 1.0
    assert reach(f"下游的节点{listed}会受到影响。") == 1.0
    assert reach("Nothing else is affected.") == 0.0
    if far:
        assert reach(f"Nodes {', '.join([*reached, far[0]])} are affected.") == 0.5
    assert reach(f"Nodes {', '.join(reached)} are not affected.") == 0.0


def test_a_plan_without_its_calls_reaches_nothing(located: Case) -> None:
    found = judged(located, "x", read_plan({"tasks": [{"id": "response"}]}))
    assert (found.items["E2"], found.items["E3"]) == (0.0, 0.0)


# --- one test a fault that readers' answers showed --------------------------------------------


def test_marks_within_a_quoted_message_open_nothing() -> None:
    told = 'Node 1 failed: "got {"city": "Seoul", "n …  "pl-3"} (object), wanted string". '
    text = Text(f"{told}Node 4 is affected. I retry node 1.", NAMES)
    assert len(text.sentences) == 3


def test_a_message_retold_in_another_language_is_not_invented(case: Case) -> None:
    assert ("value", "invented") not in _claims(case, "节点1的报错是“find_hotels 没有 响应”。")
    assert ("value", "invented") in _claims(case, "节点1返回了“XY-99123 没有房间”。")


def test_the_whole_plan_is_nobody(located: Case) -> None:
    assert judged(located, "The whole plan is affected by this.").items["D4"] == 0.0
    assert judged(located, "整个计划全都受到波及。").items["D4"] == 0.0


def test_that_calls_failed_is_no_evidence_of_results(timed_out: Case) -> None:
    node = timed_out.errors[0]["root_cause"]
    tool = timed_out.plan.by_id[node].name
    assert judged(timed_out, f"Node {node} failed. 节点{node}失败。").items["D2"] == 0.0
    assert judged(timed_out, f"Node {node} ({tool}) timed out.").items["D2"] == 1.0


@pytest.fixture
def timed_out(cases: list[Case]) -> Case:
    """An instance whose one error is a call that timed out in the last round, awaited by others."""
    return next(
        case
        for case in cases
        if [error["type"] for error in case.errors] == ["Timeout_Error"]
        and any(
            case.errors[0]["root_cause"] in node.dep and node.id not in case.ledger and node.is_call
            for node in case.plan
        )
    )


def test_keeping_what_changes_is_no_consistency(located: Case) -> None:
    (error,) = located.errors
    node, parameter = error["root_cause"], error["parameter"]
    said = f'I mend "{parameter}" of node {node}.'
    assert judged(located, said).items["S1"] == 1.0
    assert judged(located, f"{said} Node {node} stays as it is.").items["S1"] == 0.5
    still = f"{said} I leave it at false so that it runs."
    assert judged(located, still).items["S1"] == 1.0


def test_an_old_attempt_is_not_waited_for_beside_its_stand_in(timed_out: Case) -> None:
    old, plan = timed_out.errors[0]["root_cause"], timed_out.repaired[0]
    added = {node.id for node in plan} - {node.id for node in timed_out.plan}
    waiting = next(n for n in plan if n.is_call and n.id not in added and added & {*n.dep})
    (new,) = added & {*waiting.dep}
    plan = plan.change({new: plan.by_id[new].change(dep=plan.by_id[old].dep)})
    assert judged(timed_out, "x", plan).items["S2"] == 1.0
    both = plan.change({waiting.id: waiting.change(dep=(*waiting.dep, old))})
    assert judged(timed_out, "x", both).items["S2"] == 0.5


def test_an_argument_that_changes_without_a_word_is_noticed(located: Case) -> None:
    (error,) = located.errors
    node, parameter = error["root_cause"], error["parameter"]
    plan = located.repaired[0]
    other, name = next(
        (one, key)
        for one in plan
        if one.is_call and one.id not in located.ledger and isinstance(one.para, dict)
        for key, value in sorted(one.para.items())
        if isinstance(value, str | int) and not isinstance(value, bool) and key != parameter
    )
    assert isinstance(other.para, dict)
    value = other.para[name]
    changed = other.change(
        para={**other.para, name: f"{value}x" if value == str(value) else 1 + value}
    )
    silent = plan.change({other.id: changed})
    said = f'I mend "{parameter}" of node {node}. Node {other.id} stays as it is.'
    assert (judged(located, said, silent).items["S1"] or 0) <= 0.5


def test_a_chain_of_arrows_behind_the_cause_is_its_reach(timed_out: Case) -> None:
    node = timed_out.errors[0]["root_cause"]
    (reached, *more) = sorted(timed_out.reached_later)
    wanted = 0.5 if more else 1.0
    assert judged(timed_out, f"One branch: {node} -> {reached}.").items["D4"] == wanted
    assert judged(timed_out, f"One branch: {reached} -> {node}.").items["D4"] == 0.0


def test_that_nothing_is_changed_is_no_word_of_a_change(located: Case) -> None:
    assert judged(located, "Nothing is wrong; the plan stays as it is.").items["S1"] == 0.0


def test_who_takes_a_value_of_the_cause_is_reached(timed_out: Case) -> None:
    node = timed_out.errors[0]["root_cause"]
    (reached, *more) = sorted(timed_out.reached_later)
    wanted = 0.5 if more else 1.0
    assert (
        judged(timed_out, f"Node {reached} takes its day from ‹{node}.day›.").items["D4"] == wanted
    )
    assert judged(timed_out, f"Node {node} takes its day from ‹{reached}.day›.").items["D4"] == 0.0


def test_a_message_repeated_is_no_evidence_of_results(timed_out: Case) -> None:
    node = timed_out.errors[0]["root_cause"]
    (failed,) = (one for one in timed_out.ledger.attempts(node) if one.outcome == "failed")
    said = f'Node {node} failed. It says "{failed.result["error"]}".'
    assert judged(timed_out, said).items["D2"] in {0.0, 0.5}


def test_a_thought_that_names_no_node_reads_nothing_of_the_plan(located: Case) -> None:
    tool = located.plan.by_id[located.errors[0]["root_cause"]].name
    assert judged(located, f"The schema of {tool} wants more; it failed.").items["D1"] != 1.0
    assert judged(located, "Something failed and is pending.").items["D1"] == 0.0
