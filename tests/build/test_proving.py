"""Whatever is tampered with in a proven instance, the proof finds it: one test for each kind."""

import copy
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, Final, NamedTuple

import pytest

from build.points import Flaw
from build.proving import problems
from build.seeds.compose import Stream
from environment import worlds
from environment.simulation import read_setting
from tests.build.rollouts.made import rollouts_of
from trajectory import canonical
from trajectory.descriptions import describe
from trajectory.error_types import CATEGORY, ErrorType
from trajectory.instance import FIELDS, Instance, from_record, from_row, to_record, to_row
from trajectory.plan import RESPONSE, ROOT, read_plan
from trajectory.references import KEY, references

Record = dict[str, Any]

# Of so many instances that a kind of tampering fits, each is tried.
TRIED: Final = 3


class Kind(NamedTuple):
    """A kind of tampering: how it is done, and the points of the proof of which one sees it.

    spoil: changes a record; returns False where there is nothing of the kind in it to spoil.
    """

    name: str
    spoil: Callable[[Record], bool | None]
    points: frozenset[int]


KINDS: list[Kind] = []


def kind(*points: int) -> Callable[[Callable[[Record], bool | None]], Callable[..., bool | None]]:
    """Take a function as a kind of tampering of proven instances."""

    def take(spoil: Callable[[Record], bool | None]) -> Callable[[Record], bool | None]:
        KINDS.append(Kind(spoil.__name__, spoil, frozenset(points)))
        return spoil

    return take


def tampered(
    instances: list[Instance], spoil: Callable[[Record], bool | None]
) -> Iterator[Instance]:
    for instance in instances:
        record = copy.deepcopy(to_record(instance))
        if spoil(record) is not False:
            yield from_record(record)


def said(instance: Instance) -> list[Flaw]:
    return list(problems(instance))


# --- the errors ------------------------------------------------------------------------------


def put(key: str, value: Any, *points: int) -> None:
    """Let a kind be: the first error says something else under a key."""

    def spoil(one: Record) -> bool | None:
        error = one["errors"][0]
        new = value(error) if callable(value) else value
        if canonical.same(new, error[key]):
            return False
        error[key] = new
        return None

    KINDS.append(Kind(f"error_{key}", spoil, frozenset(points)))


put("type", lambda error: next(kind for kind in ErrorType if kind != error["type"]).value, 0)
put("category", lambda error: next(c for c in CATEGORY.values() if c != error["category"]), 0)
put("round", lambda error: (error["round"] or 0) + 1, 0)
put("root_cause", lambda error: "1" if error["root_cause"] == RESPONSE else RESPONSE, 0)
put("field", lambda error: "para" if error["field"] != "para" else "dep", 0)
put("parameter", lambda error: "city" if error["parameter"] is None else None, 0)
put("observed", {"tool": "none"}, 0)
put("expected", {"tool": "none"}, 0)
put("visible", lambda error: "implicit" if error["visible"] != "implicit" else "drifted", 0)
for reach in ("affected_now", "affected_later", "delayed"):
    put(reach, lambda error, reach=reach: [*error[reach], "99"], 5)
    put(reach, lambda error, reach=reach: error[reach][1:], 5)
put("evidence", [], 7)
put("evidence", lambda error: error["evidence"][1:], 7)
put("evidence", lambda error: [*error["evidence"], {"in": "query", "text": "the"}], 7)
put("evidence", lambda error: [{**error["evidence"][0], "in": "results", "node": "99"}], 7)
put("evidence", lambda error: [{"in": "plan", "node": error["root_cause"], "path": "x"}], 7)


@kind(0)
def an_observed_value_of_an_argument(one: Record) -> bool | None:
    return _spoil_argument(one, "observed")


@kind(0)
def an_expected_value_of_an_argument(one: Record) -> bool | None:
    return _spoil_argument(one, "expected")


def _spoil_argument(one: Record, side: str) -> bool | None:
    for error in one["errors"]:
        if error["field"] == "para" and error[side]:
            name = min(error[side])
            error[side][name] = "something else"
            return None
    return False


@kind(0)
def an_error_that_says_more(one: Record) -> None:
    one["errors"][0]["note"] = "look at node 2"


@kind(0)
def errors_in_another_order(one: Record) -> bool | None:
    if len(one["errors"]) < 2:
        return False
    one["errors"].reverse()
    return None


@kind(0)
def an_error_left_out(one: Record) -> bool | None:
    if len(one["errors"]) < 2:
        return False
    one["errors"].pop()
    return None


@kind(0)
def all_errors_left_out(one: Record) -> None:
    one.update(errors=[], error_types=[], error_reason="", repairs=[])


@kind(0)
def an_error_told_twice(one: Record) -> None:
    one["errors"].append(one["errors"][0])


@kind(0)
def other_error_types(one: Record) -> None:
    others = [kind.value for kind in ErrorType if kind not in one["error_types"]]
    one["error_types"] = [*one["error_types"][1:], others[0]]


@kind(0)
def error_types_told_twice(one: Record) -> None:
    one["error_types"] = [*one["error_types"], one["error_types"][-1]]


@kind(0)
def error_reason(one: Record) -> None:
    one["error_reason"] = one["error_reason"].replace("ode ", "ode 1")


# --- the repairs -----------------------------------------------------------------------------


@kind(3)
def an_edit_removed(one: Record) -> None:
    one["repairs"][0].pop()


@kind(3)
def an_edit_added(one: Record) -> None:
    edit = {"op": "add_edge", "node": RESPONSE, "dep": "1", "errors": [0]}
    one["repairs"][0].append(edit)


@kind(3)
def a_value_of_an_edit(one: Record) -> bool | None:
    return _first_edit(one, "set_argument", lambda edit: edit.update(value="something else"))


@kind(3)
def a_tool_of_an_edit(one: Record) -> bool | None:
    return _first_edit(
        one, "set_tool", lambda edit: edit.update(tool=one["tools"][0]["name"] + "s")
    )


@kind(3)
def another_op(one: Record) -> bool | None:
    return _first_edit(one, "add_edge", lambda edit: edit.update(op="remove_edge"))


@kind(3)
def an_edge_of_an_edit(one: Record) -> bool | None:
    return _first_edit(one, "add_edge", lambda edit: edit.update(dep=ROOT))


@kind(3)
def arguments_of_an_added_call(one: Record) -> bool | None:
    return _first_edit(one, "add_node", lambda edit: edit.update(arguments={}))


@kind(3)
def consumers_of_an_added_call(one: Record) -> bool | None:
    return _first_edit(one, "add_node", lambda edit: edit.update(consumers=[]))


@kind(3)
def the_name_of_a_retry(one: Record) -> bool | None:
    return _first_edit(one, "retry", lambda edit: edit.update(new="99"))


def _first_edit(one: Record, op: str, spoil: Callable[[Record], None]) -> bool | None:
    for edit in (edit for repair in one["repairs"] for edit in repair):
        if edit["op"] == op:
            spoil(edit)
            return None
    return False


@kind(3)
def the_node_of_an_edit(one: Record) -> None:
    one["repairs"][0][0]["node"] = "99"


@kind(3)
def errors_that_an_edit_mends(one: Record) -> None:
    edit = one["repairs"][0][0]
    edit["errors"] = [*edit["errors"], 7]


@kind(3)
def errors_that_edits_mend_exchanged(one: Record) -> bool | None:
    first, last = one["repairs"][0][0], one["repairs"][0][-1]
    if first["errors"] == last["errors"]:
        return False
    first["errors"], last["errors"] = last["errors"], first["errors"]
    return None


@kind(3)
def a_repair_dropped(one: Record) -> None:
    one["repairs"].pop()


@kind(3)
def a_repair_told_twice(one: Record) -> None:
    one["repairs"].append(one["repairs"][0])


@kind(3)
def rounds_opt_one_more(one: Record) -> None:
    one["rounds_opt"] += 1


@kind(3)
def rounds_opt_one_less(one: Record) -> None:
    one["rounds_opt"] -= 1


@kind(3)
def calls_opt_one_more(one: Record) -> None:
    one["calls_opt"] += 1


@kind(3)
def calls_opt_one_less(one: Record) -> None:
    one["calls_opt"] -= 1


# --- the gold plan and its goal --------------------------------------------------------------


@kind(1)
def rounds_gt(one: Record) -> None:
    one["rounds_gt"] += 1


@kind(1)
def calls_gt(one: Record) -> None:
    one["calls_gt"] -= 1


@kind(1)
def the_result_of_a_goal_call(one: Record) -> None:
    one["goal"]["calls"][0]["result"] = {"count": 0}


@kind(1)
def the_state_of_the_goal(one: Record) -> None:
    one["goal"]["state"] = "0" * 64


@kind(1)
def a_goal_call_dropped(one: Record) -> None:
    one["goal"]["calls"].pop()


@kind(1)
def no_goal_at_all(one: Record) -> None:
    one["goal"]["calls"].clear()


@kind(1)
def a_goal_call_told_twice(one: Record) -> None:
    one["goal"]["calls"].append(one["goal"]["calls"][0])


@kind(1)
def an_argument_of_the_goal_that_counts_no_more(one: Record) -> None:
    call = one["goal"]["calls"][0]
    name = min(call["arguments"])
    del call["arguments"][name]
    call["counts"].remove(name)


@kind(1)
def a_literal_of_the_gold_plan(one: Record) -> bool | None:
    for node in reversed(one["gold_plan"]["tasks"]):
        for name, value in node["para"].items():
            if isinstance(value, int) and not isinstance(value, bool):
                node["para"][name] = value + 1
                node["desc"] = describe()
                return None
    return False


@kind(0, 1, 3)
def a_reference_of_the_gold_plan(one: Record) -> bool | None:
    for node in one["gold_plan"]["tasks"]:
        for value in node["para"].values():
            if isinstance(value, dict) and KEY in value:
                value["path"] = "elsewhere"
                node["desc"] = describe()
                return None
    return False


@kind(1)
def an_edge_of_the_gold_plan_removed(one: Record) -> None:
    node = next(n for n in reversed(one["gold_plan"]["tasks"]) if [*references(n["para"])])
    node["dep"] = [ROOT]


@kind(0, 1)
def an_edge_of_the_gold_plan_added(one: Record) -> bool | None:
    gold = read_plan(one["gold_plan"])
    first = [node.id for node in gold if node.is_call and node.dep == (ROOT,)]
    if len(first) < 2:
        return False
    _wait(one["gold_plan"], first[-1], first[0])
    return None


@kind(0, 1)
def a_call_of_the_gold_plan_added(one: Record) -> None:
    tasks = one["gold_plan"]["tasks"]
    again = next(node for node in tasks if node["dep"] == [ROOT])
    tasks.insert(1, {**again, "id": "99"})
    tasks[-1]["dep"].append("99")


@kind(0)
def a_gold_node_that_says_it_has_run(one: Record) -> None:
    one["gold_plan"]["tasks"][1]["status"] = True


@kind(6)
def the_desc_of_a_gold_node(one: Record) -> None:
    one["gold_plan"]["tasks"][1]["desc"] += " (done)"


@kind(0)
def purposes_that_are_not(one: Record) -> None:
    one["gold_plan"].setdefault("purposes", {})["99"] = "1"


@kind(0, 3)
def purposes_exchanged(one: Record) -> None:
    calls = [node["id"] for node in one["plan"]["tasks"] if node["name"]]
    gold = [node["id"] for node in one["gold_plan"]["tasks"] if node["name"]]
    one["gold_plan"].setdefault("purposes", {})[calls[0]] = gold[-1]


@kind(0, 3)
def purposes_left_out(one: Record) -> bool | None:
    return None if one["gold_plan"].pop("purposes", None) else False


# --- what a model sees -----------------------------------------------------------------------


def _wait(plan: Record, node: str, dep: str) -> None:
    found = next(one for one in plan["tasks"] if one["id"] == node)
    found["dep"] = [*(one for one in found["dep"] if one != ROOT), dep]


@kind(6)
def a_desc_that_gives_an_error_away(one: Record) -> None:
    root_cause = one["errors"][0]["root_cause"]
    node = next(node for node in one["plan"]["tasks"] if node["id"] == root_cause)
    node["desc"] += " (this is wrong)"


@kind(6)
def the_desc_of_the_root(one: Record) -> None:
    one["plan"]["tasks"][0]["desc"] += " Mind node 2."


@kind(6)
def the_desc_of_the_response(one: Record) -> None:
    one["plan"]["tasks"][-1]["desc"] = "Answer the user once the error is mended."


@kind(0)
def a_node_that_says_more(one: Record) -> None:
    one["plan"]["tasks"][1]["note"] = "wrong"


@kind(0)
def a_plan_that_says_more(one: Record) -> None:
    one["plan"]["hint"] = "node 2 is wrong"


@kind(0)
def purposes_shown_in_the_plan(one: Record) -> None:
    one["plan"]["purposes"] = {"2": "1"}


@kind(0)
def a_result_in_the_history(one: Record) -> bool | None:
    if not one["history"]:
        return False
    one["history"][0][0]["results"] = {"count": 0}
    return None


@kind(0)
def a_result_of_the_last_round(one: Record) -> bool | None:
    if not one["tool_results"]:
        return False
    one["tool_results"][0]["results"] = {"count": 0}
    return None


@kind(0)
def an_argument_in_the_history(one: Record) -> bool | None:
    if not one["history"]:
        return False
    one["history"][-1][-1]["arguments"]["more"] = 1
    return None


@kind(0)
def a_call_of_the_history_left_out(one: Record) -> bool | None:
    if not one["history"]:
        return False
    one["history"][0].pop()
    return None


@kind(0)
def a_call_that_says_more(one: Record) -> bool | None:
    if not one["tool_results"]:
        return False
    one["tool_results"][0]["note"] = "wrong"
    return None


@kind(0)
def a_round_left_out(one: Record) -> bool | None:
    if not one["history"]:
        return False
    one["history"].pop()
    return None


@kind(0)
def the_last_round_left_out(one: Record) -> bool | None:
    if not one["history"]:
        return False
    one["tool_results"] = []
    return None


@kind(0)
def an_empty_round(one: Record) -> None:
    one["history"].append([])


@kind(0)
def more_rounds_than_run(one: Record) -> None:
    one["history"] += [[{"node": "1", "name": "x", "arguments": {}, "results": {}}]] * 12


@kind(0)
def a_status_flipped(one: Record) -> None:
    one["plan"]["tasks"][1]["status"] ^= True


@kind(0)
def a_status_in_words(one: Record) -> None:
    node = one["plan"]["tasks"][1]
    node["status"] = str(node["status"]).lower()


@kind(0)
def the_response_marked(one: Record) -> None:
    one["plan"]["tasks"][-1]["status"] = True


@kind(0)
def an_edge_of_the_plan_changed(one: Record) -> bool | None:
    """An edge to a call that runs first, where none leads yet."""
    plan = read_plan(one["plan"])
    calls = [node for node in plan if node.is_call]
    for node in reversed(calls):
        for other in calls:
            if other is not node and node.dep == other.dep == (ROOT,):
                _wait(one["plan"], node.id, other.id)
                return None
    return False


@kind(0, 3)
def an_argument_of_the_plan(one: Record) -> bool | None:
    """Another literal in a call that is still to run and that no error concerns."""
    wrong = {error["root_cause"] for error in one["errors"]}
    for node in one["plan"]["tasks"]:
        if node["name"] and not node["status"] and node["id"] not in wrong:
            for name, value in node["para"].items() if isinstance(node["para"], dict) else ():
                if isinstance(value, str):
                    node["para"][name] = f"{value}x"
                    node["desc"] = describe()
                    return None
    return False


@kind(0)
def a_node_added_to_the_plan(one: Record) -> None:
    first = one["plan"]["tasks"][1]
    one["plan"]["tasks"].insert(1, {**first, "id": "99"})


@kind(0)
def a_node_told_twice(one: Record) -> None:
    one["plan"]["tasks"].insert(1, one["plan"]["tasks"][1])


@kind(0)
def the_root_removed(one: Record) -> None:
    del one["plan"]["tasks"][0]


@kind(0)
def the_response_removed(one: Record) -> None:
    del one["plan"]["tasks"][-1]


@kind(0)
def a_dep_told_twice(one: Record) -> None:
    one["plan"]["tasks"][-1]["dep"] *= 2


@kind(0)
def arguments_of_the_root(one: Record) -> None:
    one["plan"]["tasks"][0]["para"] = {"hint": "node 2 is wrong"}


@kind(0)
def a_node_removed_from_the_plan(one: Record) -> None:
    del one["plan"]["tasks"][-2]


@kind(6)
def the_request(one: Record) -> None:
    one["query"] = "Please do what the plan says."


def _say(one: Record, query: str) -> None:
    """Let the request be another one wherever it is told."""
    one["query"] = query
    for plan in (one["plan"], one["gold_plan"]):
        plan["tasks"][0]["desc"] = query


@kind(1)
def a_request_that_says_nothing_of_it(one: Record) -> None:
    _say(one, "Please do what the plan says.")


@kind(1, 7)
def a_request_without_the_evidence(one: Record) -> bool | None:
    for error in one["errors"]:
        for pointer in error["evidence"]:
            if pointer["in"] == "query":
                _say(one, one["query"].replace(pointer["text"], "that"))
                return None
    return False


@kind(7)
def a_request_that_says_the_untrue_value_as_well(one: Record) -> bool | None:
    untrue = (e for e in one["errors"] if e["type"] == ErrorType.PARAMETER_INVALID)
    for value in (value for error in untrue for value in error["observed"].values()):
        if isinstance(value, str | int):
            _say(one, f"{one['query']} Or was it {value}?")
            return None
    return False


# --- the tools -------------------------------------------------------------------------------


@kind(0, 1)
def a_tool_that_is_needed_removed(one: Record) -> None:
    needed = one["goal"]["calls"][0]["tool"]
    one["tools"] = [tool for tool in one["tools"] if tool["name"] != needed]


@kind(0, 1)
def no_tools(one: Record) -> None:
    one["tools"] = []


@kind(0)
def the_description_of_a_tool(one: Record) -> None:
    one["tools"][0]["description"] += " Reads nothing."


@kind(0)
def the_schema_of_a_tool(one: Record) -> None:
    one["tools"][-1]["parameters"]["required"] = []


@kind(0)
def a_tool_told_twice(one: Record) -> None:
    one["tools"].append(one["tools"][0])


@kind(0)
def a_tool_of_no_world(one: Record) -> None:
    one["tools"].append({**one["tools"][0], "name": "find_everything"})


@kind(0)
def a_tool_of_another_world(one: Record) -> None:
    here = read_setting(one["environment"]).worlds
    other = next(name for name in worlds.world_names() if name not in here)
    one["tools"].append(next(iter(worlds.world(other).tools.values())).to_catalogue())


# --- faults, environment, level, and the rest ------------------------------------------------


@kind(0)
def a_fault_removed(one: Record) -> bool | None:
    return None if one["faults"] and one["faults"].pop() else False


@kind(0)
def a_fault_added(one: Record) -> None:
    tool = one["goal"]["calls"][0]["tool"]
    one["faults"].append({"tool": tool, "first": 9, "length": 1, "kind": "timeout"})


@kind(0)
def a_fault_moved(one: Record) -> bool | None:
    return _spoil_fault(one, "first", lambda first: first + 1)


@kind(0, 3, 5)
def a_fault_that_lasts_longer(one: Record) -> bool | None:
    """A fault that is an error: there is a further failure to come."""
    if not {"Timeout_Error", "Null_Error"} & {*one["error_types"]}:
        return False
    return _spoil_fault(one, "length", lambda length: length % 3 + 1, place=-1)


@kind(0)
def a_fault_without_end(one: Record) -> bool | None:
    return _spoil_fault(one, "length", lambda _: 10**9)


@kind(0)
def a_fault_of_another_kind(one: Record) -> bool | None:
    return _spoil_fault(one, "kind", lambda kind: "null" if kind != "null" else "empty_text")


@kind(0)
def a_fault_of_no_kind(one: Record) -> bool | None:
    return _spoil_fault(one, "kind", lambda _: "fire")


def _spoil_fault(one: Record, key: str, value: Callable[[Any], Any], place: int = 0) -> bool | None:
    if not one["faults"]:
        return False
    one["faults"][place][key] = value(one["faults"][place][key])
    return None


@kind(0)
def the_level(one: Record) -> None:
    one["level"] = 3 - one["level"]


@kind(0, 1)
def the_seed_of_the_environment(one: Record) -> bool | None:
    if one["environment"]["worlds"] == ["arithmetic"]:
        return False
    one["environment"]["seed"] += 1
    return None


@kind(0)
def the_version_of_a_world(one: Record) -> None:
    one["environment"]["versions"][0] += 1


@kind(0)
def a_world_removed(one: Record) -> None:
    one["environment"]["worlds"].pop()
    one["environment"]["versions"].pop()


@kind(0)
def an_environment_that_says_more(one: Record) -> None:
    one["environment"]["clock"] = "12:00"


@kind(0)
def a_proof_that_is_not_tried(one: Record) -> None:
    one["proof"] = "structural"


@kind(0)
def another_edition(one: Record) -> None:
    one["edition"] = "release"


@kind(0)
def the_canary(one: Record) -> None:
    one["canary"] = ""


@kind(0)
def another_source(one: Record) -> None:
    one["source"] = "rollout"


# --- all of it -------------------------------------------------------------------------------


def test_what_the_build_makes_is_proven(
    augmented: list[Instance], controls: list[Instance]
) -> None:
    """As it is read from disk, where the keys of objects stand in another order."""
    for one in (*augmented, *controls):
        assert said(from_row(to_row(one))) == [], one.id


@pytest.mark.parametrize("one", KINDS, ids=[one.name for one in KINDS])
def test_tampering_is_caught(one: Kind, augmented: list[Instance]) -> None:
    found = [said(instance) for instance in islice(tampered(augmented, one.spoil), TRIED)]
    assert found
    assert all(one.points & {flaw.point for flaw in flaws} for flaws in found), found


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("odd", [None, [], {}, 7, "x", [None], {"tasks": [{}]}, [{"node": []}]])
def test_whatever_a_field_holds_is_told_in_one_line(
    name: str, odd: Any, augmented: list[Instance]
) -> None:
    if name == "error_types":
        pytest.skip("whatever it holds is read as a list")
    record = {**to_record(augmented[-1]), name: odd}
    flaws = said(from_record(record))
    assert flaws or odd in ("x", getattr(augmented[-1], name))
    assert all(flaw.why.isprintable() for flaw in flaws)


# --- controls --------------------------------------------------------------------------------


def test_a_control_with_an_error_in_its_plan_is_none(
    augmented: list[Instance],
) -> None:
    for one in augmented[:TRIED]:
        clean = replace(one, errors=[], error_types=(), error_reason="", repairs=[])
        assert 0 in {flaw.point for flaw in said(clean)}


def test_a_control_tells_of_no_error(augmented: list[Instance], controls: list[Instance]) -> None:
    for one, other in zip(controls, augmented, strict=False):
        assert said(replace(one, errors=other.errors))
        for name in ("error_types", "error_reason", "repairs"):
            flaws = said(replace(one, **{name: getattr(other, name)}))
            assert flaws == [Flaw(0, "it tells of errors although it is a control")]


def test_what_a_control_costs_is_counted(controls: list[Instance]) -> None:
    for one in controls[:TRIED]:
        assert one.calls_opt is not None
        assert {flaw.point for flaw in said(replace(one, calls_opt=one.calls_opt + 1))} == {3}


def test_texts_of_a_control_give_nothing_away(controls: list[Instance]) -> None:
    for one in tampered(controls[:TRIED], the_desc_of_the_root):
        assert {flaw.point for flaw in said(one)} == {6}


# --- rollouts --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rollouts() -> list[Instance]:
    golds = [one.gold for one in islice(Stream(13), 4)]
    return rollouts_of(golds, 3, 5, seed=3, processes=1)


def test_rollouts_are_proven(rollouts: list[Instance]) -> None:
    for one in rollouts:
        assert said(from_row(to_row(one))) == [], one.id


@pytest.mark.parametrize(
    "spoil",
    [
        a_result_in_the_history,
        a_result_of_the_last_round,
        a_status_flipped,
        a_status_in_words,
        a_plan_that_says_more,
        a_node_told_twice,
        a_fault_added,
        the_level,
    ],
)
def test_tampering_with_rollouts_is_caught(
    spoil: Callable[[Record], bool | None], rollouts: list[Instance]
) -> None:
    found = [said(one) for one in tampered(rollouts, spoil)]
    assert found
    assert all(any(flaw.point == 0 for flaw in flaws) for flaws in found), found
