import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build.release_files import SOURCES
from build.release_records import Imported, LeftOutError, read_record
from environment import opening
from environment.executor import carry_on, execute
from tests.build.release_shapes import (
    FOUND,
    RESPONSE,
    ROOT,
    SHAPES,
    TASKS,
    augmented,
    plan,
    rollout1,
    rollout2,
    task,
    with_task,
)
from trajectory.instance import from_row, to_row
from trajectory.plan import read_plan

AUGMENTED, ROLLOUT1, AUGMENTED2, ROLLOUT2 = SOURCES


def read(changes: dict[str, Any]) -> Imported:
    return read_record(rollout1(7, **changes), ROLLOUT1, 3)


def kinds(imported: Imported) -> set[str]:
    return {problem.kind for problem in imported.problems}


def test_a_record_of_each_file_becomes_an_instance() -> None:
    one = read_record(augmented(269), AUGMENTED, 3).instance
    assert (one.id, one.level, one.source, one.agent) == ("L1-rel-aug-000269", 1, "augmented", "")
    assert (one.query_id, one.rounds_gt, one.calls_gt) == ("4711", 4, 3)
    assert (one.error_types, one.error_reason) == (("Timeout_Error",), "")
    two = read_record(rollout1(8), ROLLOUT1, 1).instance
    assert (two.id, two.source, two.agent) == ("L1-rel-rol-000008", "rollout", "release")
    assert (two.query_id, two.rounds_gt, two.error_types) == ("4711", 4, ("Timeout_Error",))
    assert two.error_reason == "节点2调用超时后，智能体未作处理。"
    three = read_record(rollout2(1422), ROLLOUT2, 9).instance
    assert (three.id, three.level) == ("L2-rel-rol-001422", 2)
    # By meaning, not by the letter: 错误串行 tags independent steps that are chained.
    assert three.error_types == ("Type_Error", "Parallelism_Error")
    assert read_record(augmented(5), AUGMENTED2, 1).instance.id == "L2-rel-aug-000005"


def test_what_the_release_does_not_tell_is_unknown_and_never_zero() -> None:
    one = read({"round_gt": None}).instance
    assert (one.rounds_gt, one.rounds_opt, one.calls_opt) == (None, None, None)
    assert (one.edition, one.proof, one.goal, one.gold_plan) == ("release", "none", None, None)
    (error,) = one.errors
    assert error["type"] == "Timeout_Error"
    assert error["category"] == "tool"
    assert error["tag"] == "异常应对错误"
    assert error["root_cause"] is None
    assert error["affected_later"] is None


def test_a_plain_record_has_no_problem_but_its_free_reference() -> None:
    assert kinds(read({})) == {"free_reference"}
    place = read({}).instance.environment["replay"]
    assert (place["file"], place["line"], place["id"]) == (
        "LEVEL-1/LEVEL-1_real_rollout.jsonl",
        3,
        "7",
    )
    assert place["problems"] == [
        {
            "kind": "free_reference",
            "node": "3",
            "detail": "parameter 'boat': \"output_of_task2\" read as node '2'",
        }
    ]


PROBLEMS = {
    "two tools of one name": {"required_undeclared"},
    "an enum whose options stand in the prose": {"no_options"},
    "a wrapped plan": {"wrapped", "beside_plan"},
    "ids that are numbers": {"id_number"},
    "no response": {"no_response"},
    "no name": {"call_unmatched"},
    "null as a name": {"call_unmatched"},
    "para as a list of one": {"para_wrapped_list"},
    "para as a list of a text": {"para_json_text"},
    "para in parts": {"para_merged"},
    "para as two calls": {"para_positional", "call_arguments_differ"},
    "para by position": {"para_positional", "call_arguments_differ"},
    "para as pairs": {"para_key_value"},
    "para as an empty text": {"para_json_text", "call_arguments_differ"},
    "para as an empty text in a list": {"para_json_text", "call_arguments_differ"},
    "para empty": {"call_arguments_differ"},
    "para null": {"para_missing", "call_arguments_differ"},
    "para missing": {"para_missing", "call_arguments_differ"},
    "para as prose": {"para_scalar", "call_arguments_differ"},
    "para broken": {"para_scalar", "call_arguments_differ"},
    "para as the schema": {"call_arguments_differ"},
    "a parameter beside para": {"extra_key"},
    "dep null": {"dep_missing"},
    "dep as a text": {"dep_not_list"},
    "a dep that is not there": {"dangling_dep"},
    "a dep on itself": {"self_loop"},
    "a circle": {"cycle", "ran_before_dep"},
    "one id twice": {"duplicate_id", "self_loop", "dangling_dep"},
    "executed behind a pending one": {"ran_before_dep"},
    "a response that is done": {"response_marked"},
    "the error told": set[str](),
    "a reference with output": {"para_positional"},
    "no last results": {"no_last_results"},
    "the whole history": {"results_of_executed"},
    "a call that is not in the plan": {"call_unmatched"},
    "a call by position": {"call_arguments_differ"},
    "a call without a name": {"call_unreadable"},
    "arguments that were repaired": {"call_arguments_differ"},
    "calls that are none": {"call_unreadable"},
    "gt unknown": {"gt_unknown"},
    "gt as prose": {"gt_unreadable"},
    "another type": {"other_type"},
    "a tag that nobody knows": {"unknown_tag"},
    "a key that nobody knows": {"unknown_key"},
    "no tool list": {"no_tools"},
    "half a character": {"lone_surrogate"},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_comes_in_with_its_problems_and_can_be_played(shape: str) -> None:
    imported = read(SHAPES[shape])
    assert kinds(imported) - {"free_reference"} == PROBLEMS.get(shape, set())
    one = from_row(to_row(imported.instance))
    start = opening.start(one)
    execution = execute(start, carry_on, opening.environment(one, start))
    assert execution.ending in ("completed", "stalled")
    assert json.dumps(to_row(one), ensure_ascii=False).encode()


def test_the_plan_is_kept_as_it_stands() -> None:
    for changes in SHAPES.values():
        given = read_plan(changes.get("plan", plan(*TASKS)))
        kept = read(changes).instance.plan["tasks"]
        if given.response is not None and "plan" in changes:
            assert read_plan({"tasks": kept}).nodes == given.nodes
    odd = with_task("2", para=["lake=Bled"], dep=None)
    assert read(odd).instance.plan["tasks"] == json.loads(odd["plan"])["tasks"]


def test_the_tools_are_kept_as_they_stand() -> None:
    for name in ("tools as a Python repr", "anyOf", "a JSON Schema"):
        assert len(read(SHAPES[name]).instance.tools) == 3
    assert read({}).instance.tools == json.loads(rollout1()["tool_list"])


def test_calls_name_their_nodes_and_keep_their_own_arguments() -> None:
    sent = read(SHAPES["arguments that were repaired"]).instance.tool_results
    assert sent == [{"node": "2", **FOUND, "arguments": {"lake": "Bled"}}]
    assert read(SHAPES["a call that is not in the plan"]).instance.tool_results == [
        {**FOUND, "name": "findBoats"}
    ]


def test_labels_are_a_set_in_the_order_of_the_tags() -> None:
    tags = {"tag_1": "错误并行", "tag_2": "错误并行", "tag_3": "其他错误类型"}
    one = read_record(rollout2(1, **tags), ROLLOUT2, 1).instance
    assert one.error_types == ("Serial_Error",)
    assert [(error["type"], error["tag"]) for error in one.errors] == [
        ("Serial_Error", "错误并行"),
        (None, "其他错误类型"),
    ]


def test_a_wrong_answer_to_a_failure_is_told_by_the_evidence() -> None:
    empty = {"fun_call": [{**FOUND, "results": ""}]}
    assert read(empty).instance.error_types == ("Null_Error",)
    assert read({}).instance.error_types == ("Timeout_Error",)


def test_an_instance_without_labels_says_so() -> None:
    record = rollout1()
    del record["tag"]
    imported = read_record(record, ROLLOUT1, 1)
    assert "no_tag" in kinds(imported)
    assert imported.instance.error_types == ()


def test_a_record_without_a_task_is_a_task_of_its_own() -> None:
    imported = read({"query_id": None})
    assert "no_query_id" in kinds(imported)
    assert imported.instance.query_id == "L1-rel-rol-7"


def test_leaks_are_looked_for_in_augmented_records_alone() -> None:
    shape = SHAPES["the error told"]
    assert "leak" in kinds(read_record(augmented(1, **shape), AUGMENTED, 1))
    assert "leak" not in kinds(read(shape))


def test_without_a_response_one_is_added_that_waits_for_every_end() -> None:
    more = task("4", "ListLakes", {}, "List again.", "1")
    ends = []
    for tasks in ([*TASKS[:-1], more], [more, *reversed(TASKS[:-1])]):
        one = read({"plan": plan(*tasks)}).instance
        added = one.plan["tasks"][-1]
        ends.append((added["id"], added["dep"]))
        start = opening.start(one)
        execution = execute(start, carry_on, opening.environment(one, start))
        ran = [sorted(entry.node for entry in round_.entries) for round_ in execution.rounds]
        assert (ran, execution.ending) == ([["3", "4"], []], "completed")
    assert ends == [("response", ["3", "4"])] * 2


def test_a_plan_without_any_end_does_not_answer_at_once() -> None:
    circle = [task(id, "ListLakes", {}, "List.", dep) for id, dep in (("1", "2"), ("2", "1"))]
    one = read({"plan": plan(ROOT, *circle), "fun_call": []}).instance
    start = opening.start(one)
    assert execute(start, carry_on, opening.environment(one, start)).ending == "stalled"
    alone = read({"plan": plan(ROOT), "fun_call": []}).instance
    assert alone.plan["tasks"][-1]["dep"] == ["root"]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"id": None}, "no id"),
        ({"id": " "}, "no id"),
        ({"id": True}, "no id"),
        ({"plan": None}, "no plan"),
        ({"plan": '{"tasks": [{"id": "1", '}, "no plan: "),
        ({"plan": '{"tasks": [{"id": "1", "para": NaN}]}'}, "no plan: "),
        ({"plan": '{"tasks": []}'}, "no plan: empty"),
        ({"plan": "[" * 5000}, "no plan: "),
        ({"fun_call": [{"name": "x", "arguments": "[" * 500 + "]" * 500}]}, "nested too deeply"),
    ],
)
def test_a_record_that_makes_no_sense_says_why(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(LeftOutError, match=why):
        read(changes)


@pytest.mark.parametrize("record", [None, [], "text", 3])
def test_a_line_that_is_no_object_says_so(record: Any) -> None:
    with pytest.raises(LeftOutError, match="no JSON object"):
        read_record(record, ROLLOUT1, 1)


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def test_what_is_nested_too_deeply_stays_out() -> None:
    with pytest.raises(LeftOutError, match="nested too deeply"):
        read({"mood": nested(500)})
    with pytest.raises(LeftOutError, match="nested too deeply"):
        read({"tool_list": json.dumps([{"name": "x", "description": nested(600)}])})


# Any character, half a pair too.
TEXTS = st.text(st.characters(exclude_categories=()))
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
CHANGES = st.dictionaries(st.sampled_from([*rollout1(), "tag_1", "x"]), JSON, max_size=4)
NODES = st.dictionaries(st.sampled_from([*RESPONSE, "x"]), JSON | st.sampled_from(["1", "2"]))


@given(CHANGES, st.lists(NODES, max_size=4) | st.none())
def test_any_record_comes_in_or_says_why_not(changes: Any, nodes: Any) -> None:
    if nodes is not None:
        changes["plan"] = json.dumps({"tasks": [{"id": "9"}, *nodes]})
    try:
        one = read(changes).instance
    except LeftOutError:
        pass
    else:
        assert from_row(to_row(one)) == from_row(to_row(from_row(to_row(one))))
        start = opening.start(one)
        execute(start, carry_on, opening.environment(one, start))
