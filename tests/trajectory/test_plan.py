"""Plans are read from every shape seen in the wild, nothing raises, nothing is lost."""

import copy
import json
import math
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trajectory.values import JSON, TEXTS, nested, to_the_letter
from trajectory import canonical
from trajectory import plan as plan_module
from trajectory.plan import ABSENT, KEYS, Node, Plan, Problem, read_para, read_plan, write_plan

SOUND = {
    "id": "1",
    "name": "find_hotel",
    "para": {"city": "Oslo"},
    "desc": "Find a hotel.",
    "dep": ["root"],
    "status": False,
}


def read(**fields: Any) -> tuple[Node, list[str]]:
    """The sound node with some fields changed (ABSENT: left out), and kinds of its problems."""
    task = {key: value for key, value in {**SOUND, **fields}.items() if value is not ABSENT}
    plan = read_plan({"tasks": [task]})
    (node,) = plan.nodes
    assert to_the_letter(write_plan(plan)) == to_the_letter({"tasks": [task]})
    return node, [problem.kind for problem in plan.problems]


def test_a_node_in_the_format_is_read_as_it_stands() -> None:
    node, problems = read()
    assert node == Node("1", "find_hotel", {"city": "Oslo"}, "Find a hotel.", ("root",), False)
    assert not problems
    assert not node.raw
    assert node.is_call
    assert node.has_dep_list


# --- ids ---


IDS = """root response 1 2.1 3-1 6A 6A_pre 2_retry 3_retry_1 1_fixed retry_send_email 4_attempt_1
compare_prices 节点1 01"""


@pytest.mark.parametrize("id", [*IDS.split(), " ", "a b"])
def test_any_text_is_an_id(id: str) -> None:
    node, problems = read(id=id)
    assert node.id == id
    assert not problems


@pytest.mark.parametrize(("number", "text"), [(3, "3"), (3.0, "3"), (2.1, "2.1"), (-0.0, "0")])
def test_an_id_that_is_a_number_is_read_as_text_and_marked(number: float, text: str) -> None:
    node, problems = read(id=number)
    assert node.id == text
    assert problems == ["id_number"]
    assert node.raw == {"id": number}


@pytest.mark.parametrize("id", [ABSENT, None, "", True, [], {"id": "1"}])
def test_a_node_without_an_id_is_kept_and_named_by_its_place(id: Any) -> None:
    node, problems = read(id=id)
    assert node.id == ""
    assert problems == ["id_missing"]
    odd = read_plan([SOUND, {**SOUND, "id": None, "desc": 1}])
    assert [(problem.kind, problem.node) for problem in odd.problems] == [
        ("id_missing", None),
        ("desc_not_text", None),
    ]
    assert all("task 1" in problem.detail for problem in odd.problems)


def test_places_in_the_list_say_nothing() -> None:
    tasks = [{**SOUND, "id": id} for id in ("response", "7", "root", "2")]
    plan = read_plan(tasks)
    assert [node.id for node in plan] == ["response", "7", "root", "2"]
    assert plan.response is plan.nodes[0]
    assert not plan.problems


def test_the_first_of_several_nodes_of_one_id_stands_for_it() -> None:
    plan = read_plan([{**SOUND, "desc": "one"}, {**SOUND, "desc": "two"}])
    assert len(plan.nodes) == 2
    assert plan.by_id["1"].desc == "one"


def test_a_response_may_be_missing() -> None:
    assert read_plan([SOUND]).response is None


# --- names ---


@pytest.mark.parametrize("id", ["root", "response"])
@pytest.mark.parametrize("name", [ABSENT, None, "", "root", "response"])
def test_root_and_response_mostly_name_no_tool(id: str, name: Any) -> None:
    node, problems = read(id=id, name=name)
    assert node.name is None
    assert not node.is_call
    assert not problems


@pytest.mark.parametrize("id", ["root", "response"])
def test_root_and_response_can_carry_a_call(id: str) -> None:
    node, problems = read(id=id)
    assert node.is_call
    assert not problems


@pytest.mark.parametrize("name", [ABSENT, None, ""])
def test_a_node_in_the_middle_can_do_without_a_tool(name: Any) -> None:
    node, problems = read(name=name)
    assert not node.is_call
    assert not problems


@pytest.mark.parametrize("name", ["send_email", "sendEmail", "SendEmail", "response", "发送"])
def test_any_other_text_is_the_name_of_a_tool(name: str) -> None:
    assert read(name=name)[0].name == name


def test_a_name_that_is_no_text_is_marked() -> None:
    node, problems = read(name=["a"])
    assert node.name == '["a"]'
    assert problems == ["name_not_text"]


# --- para ---

SCHEMA = {"city": {"type": "string", "description": "Where."}}


@pytest.mark.parametrize(
    ("raw", "para", "shape"),
    [
        # An object is the rule, and whatever it holds stays: the schema echoed back too.
        ({}, {}, None),
        ({"a": 1}, {"a": 1}, None),
        (SCHEMA, SCHEMA, None),
        # Nothing.
        ([], {}, None),
        ("", {}, None),
        ("  ", {}, None),
        (None, {}, "missing"),
        (ABSENT, {}, "missing"),
        # Objects in a list, merged where no key occurs twice.
        ([{"a": 1}], {"a": 1}, "wrapped_list"),
        ([{}], {}, "wrapped_list"),
        ([{"a": 1}, {"b": [2]}], {"a": 1, "b": [2]}, "merged"),
        ([{"a": 1}, {"a": 2}], [{"a": 1}, {"a": 2}], "positional"),
        # JSON texts.
        ("{}", {}, "json_text"),
        ('{"a": 1}', {"a": 1}, "json_text"),
        ('[{"a": 1}, {"b": 2}]', {"a": 1, "b": 2}, "json_text"),
        ('["x", 3]', ["x", 3], "json_text"),
        ("[]", {}, "json_text"),
        (["{}"], {}, "json_text"),
        (['{"a": 1}'], {"a": 1}, "json_text"),
        (['{"a": 1}', '{"b": 2}'], {"a": 1, "b": 2}, "json_text"),
        (['{"a": 1}', '{"a": 2}'], ['{"a": 1}', '{"a": 2}'], "positional"),
        # Keys and values.
        (["city=Oslo", "nights: 2"], {"city": "Oslo", "nights": 2}, "key_value"),
        (
            ['to = "Ann"', "note='hi'", "x=null"],
            {"to": "Ann", "note": "hi", "x": None},
            "key_value",
        ),
        (["q=a=b"], {"q": "a=b"}, "key_value"),
        (['guests=["Ann", "Bob"]'], {"guests": ["Ann", "Bob"]}, "key_value"),
        ("city=Oslo", {"city": "Oslo"}, "key_value"),
        ("city: Oslo", {"city": "Oslo"}, "key_value"),
        (["a=1", "a=2"], ["a=1", "a=2"], "positional"),
        (["a=1", "x"], ["a=1", "x"], "positional"),
        (["a=1", '{"b": 2}'], ["a=1", '{"b": 2}'], "positional"),
        (["https://example.org/a"], ["https://example.org/a"], "positional"),
        (["10:30"], ["10:30"], "positional"),
        # The rest stays in its places.
        (["x", 3], ["x", 3], "positional"),
        ([None], [None], "positional"),
        ([{"a": 1}, "x"], [{"a": 1}, "x"], "positional"),
        ([["a"]], [["a"]], "positional"),
        ("Oslo", ["Oslo"], "scalar"),
        ("https://example.org", ["https://example.org"], "scalar"),
        ('{"a": 1', ['{"a": 1'], "scalar"),
        ("{'a': 1}", ["{'a': 1}"], "scalar"),
        ("5", ["5"], "scalar"),
        ("null", ["null"], "scalar"),
        (5, [5], "scalar"),
        (True, [True], "scalar"),
    ],
)
def test_arguments_are_named_where_they_can_be(raw: Any, para: Any, shape: str | None) -> None:
    node, problems = read(para=raw)
    assert to_the_letter(node.para) == to_the_letter(para)
    assert problems == ([f"para_{shape}"] if shape else [])
    assert ("para" in node.raw) == (not isinstance(raw, dict))


def test_shapes_are_tried_in_their_order() -> None:
    """An object before merged ones before JSON texts before keys and values."""
    assert read_para({"a": "b=1"}) == ({"a": "b=1"}, "")
    assert read_para([{"a": "b=1"}]) == ({"a": "b=1"}, "wrapped_list")
    assert read_para(['{"a": "b=1"}']) == ({"a": "b=1"}, "json_text")
    assert read_para(['a={"b": 1}']) == ({"a": {"b": 1}}, "key_value")
    assert read_para(["b:1", 2]) == (["b:1", 2], "positional")


@pytest.mark.parametrize(
    "value",
    [
        "output_of_task1",
        "task1_output",
        "task3 result",
        "1的结果",
        "任务1的输出",
        {"id": "3"},
        {"$ref": "1.output"},
        "3",
        "TBD",
        "待填",
        "",
    ],
)
def test_words_for_earlier_results_stay_as_they_are(value: Any) -> None:
    node, problems = read(para={"x": value})
    assert node.para == {"x": value}
    assert not problems


def test_a_parameter_beside_para_is_kept_and_named() -> None:
    node, problems = read(city="Oslo", nights=None)
    assert node.extra == {"city": "Oslo", "nights": None}
    assert problems == ["extra_key", "extra_key"]
    assert node.para == {"city": "Oslo"}


# --- dep, desc, status ---


@pytest.mark.parametrize(
    ("raw", "dep", "kind", "is_list"),
    [
        ([], (), None, True),
        (["root"], ("root",), None, True),
        (["2", "1", "2"], ("2", "1", "2"), None, True),
        ([""], ("",), None, True),
        (None, (), "dep_missing", True),
        (ABSENT, (), "dep_missing", True),
        ([1, 2.0, "x"], ("1", "2", "x"), "dep_not_text", True),
        ([None, True], ("null", "true"), "dep_not_text", True),
        ([["1"], {"id": "1"}], ('["1"]', '{"id":"1"}'), "dep_not_text", True),
        ("1", (), "dep_not_list", False),
        ("", (), "dep_not_list", False),
        (1, (), "dep_not_list", False),
        ({"1": True}, (), "dep_not_list", False),
        (False, (), "dep_not_list", False),
        # What stands for "no such key" inside, written by someone else.
        ("\0absent", (), "dep_not_list", False),
        ("absent", (), "dep_not_list", False),
    ],
)
def test_dep_is_a_list_or_left_out(raw: Any, dep: Any, kind: str | None, is_list: bool) -> None:
    node, problems = read(dep=raw)
    assert node.dep == dep
    assert problems == ([kind] if kind else [])
    assert node.has_dep_list == is_list


@pytest.mark.parametrize(
    ("raw", "desc", "kind"),
    [
        ("", "", None),
        ("Find.\nExecution result: {}", "Find.\nExecution result: {}", None),
        ("查找酒店。结果：无", "查找酒店。结果：无", None),
        (None, "", None),
        (ABSENT, "", None),
        (["a", 1.0], '["a",1]', "desc_not_text"),
        (5, "5", "desc_not_text"),
    ],
)
def test_desc_is_a_text(raw: Any, desc: str, kind: str | None) -> None:
    node, problems = read(desc=raw)
    assert node.desc == desc
    assert problems == ([kind] if kind else [])


@pytest.mark.parametrize("raw", [1, 1.0, "true", "True", " TRUE "])
def test_a_status_that_means_true_is_read_as_true(raw: Any) -> None:
    node, problems = read(status=raw)
    assert node.status is True
    assert problems == ["status_not_bool"]


@pytest.mark.parametrize("raw", [0, 2, "false", "done", "", None, [], [True], {}, ABSENT])
def test_any_other_status_that_is_no_boolean_is_read_as_false(raw: Any) -> None:
    node, problems = read(status=raw)
    assert node.status is False
    assert problems == ["status_not_bool"]


def test_an_executed_node_may_wait_for_one_that_is_not() -> None:
    plan = read_plan([SOUND, {**SOUND, "id": "2", "dep": ["1"], "status": True}])
    assert not plan.problems


# --- wrappers ---

TASKS = [{**SOUND, "id": "root", "dep": []}, SOUND]
AS_TEXT = json.dumps({"tasks": TASKS}, ensure_ascii=False)
KEYED = {"tasks": {task["id"]: {**task, "id": task["id"]} for task in TASKS}}


@pytest.mark.parametrize(
    ("value", "kinds"),
    [
        ({"tasks": TASKS}, []),
        (TASKS, []),
        (AS_TEXT, []),
        (AS_TEXT.encode(), []),
        (json.dumps(AS_TEXT), []),
        (json.dumps(TASKS), []),
        ({"original_plan": AS_TEXT, "error": "cut off"}, ["wrapped"]),
        (json.dumps({"original_plan": AS_TEXT}), ["wrapped"]),
        ({"original_plan": {"tasks": TASKS}}, ["wrapped"]),
        ({"plan": {"tasks": TASKS}}, ["wrapped"]),
        ({"plan": TASKS}, ["wrapped"]),
        (KEYED, ["tasks_by_id"]),
        ({"tasks": TASKS, "thought": "x"}, ["extra_key"]),
    ],
)
def test_a_plan_is_found_in_what_holds_it(value: Any, kinds: list[str]) -> None:
    plan = read_plan(value)
    assert plan.nodes == read_plan({"tasks": TASKS}).nodes
    assert [problem.kind for problem in plan.problems] == kinds


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "no_tasks"),
        (5, "no_tasks"),
        ({}, "no_tasks"),
        ({"nodes": []}, "no_tasks"),
        ("null", "no_tasks"),
        ({"tasks": None}, "tasks_not_list"),
        ({"tasks": "[]"}, "tasks_not_list"),
        ({"tasks": {"a": 1}}, "tasks_not_list"),
        ("", "broken_json"),
        ("no plan", "broken_json"),
        (AS_TEXT[:-2], "broken_json"),
        (AS_TEXT.replace("false", "NaN"), "broken_json"),
        (b"\xff", "broken_json"),
    ],
)
def test_what_holds_no_tasks_has_no_nodes_and_says_why(value: Any, kind: str) -> None:
    plan = read_plan(value)
    assert not plan.nodes
    assert [problem.kind for problem in plan.problems] == [kind]
    assert plan.problems[0].detail


def test_an_empty_list_of_tasks_is_a_plan_without_nodes() -> None:
    assert read_plan({"tasks": []}) == Plan(())


def test_wrappers_end_somewhere() -> None:
    text = AS_TEXT
    for _ in range(10):
        text = json.dumps(text)
    for value in (text, nested(10, TASKS, "plan"), nested(5000, TASKS, "plan")):
        assert [problem.kind for problem in read_plan(value).problems][-1] == "no_tasks"


def test_tasks_that_are_no_objects_keep_their_places() -> None:
    tasks = ["a", SOUND, None, [SOUND], {**SOUND, "id": "2"}, 5]
    plan = read_plan({"tasks": tasks})
    assert [node.id for node in plan] == ["1", "2"]
    assert [problem.kind for problem in plan.problems] == ["task_not_object"] * 4
    assert write_plan(plan) == {"tasks": tasks}
    changed = plan.change({"1": plan.nodes[0].change(status=True)})
    assert write_plan(changed)["tasks"][2:] == tasks[2:]


# --- changing and writing ---


def test_a_changed_field_is_written_anew_and_the_others_as_they_stood() -> None:
    (node,) = read_plan([{"id": 1, "para": "a=1", "dep": None, "status": "true"}]).nodes
    changed = node.change(dep=("2",), status=False)
    assert changed.raw == {"id": 1, "name": ABSENT, "para": "a=1", "desc": ABSENT}
    assert write_plan(Plan((changed,))) == {
        "tasks": [{"id": 1, "para": "a=1", "dep": ["2"], "status": False}]
    }


def test_a_plan_replaces_nodes_in_place() -> None:
    plan = read_plan(TASKS)
    done = plan.nodes[1].change(status=True)
    assert plan.change({"1": done}).nodes == (plan.nodes[0], done)
    assert not plan.nodes[1].status


def test_a_node_made_here_is_written_in_the_format() -> None:
    assert write_plan(Plan((Node("response", dep=("1",)),))) == {
        "tasks": [
            {"id": "response", "name": None, "para": {}, "desc": "", "dep": ["1"], "status": False}
        ]
    }


def test_nodes_made_without_arguments_share_none() -> None:
    assert Node("1").para is not Node("2").para


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda plan: pickle.loads(pickle.dumps(plan))], ids=["copy", "pickle"]
)
def test_a_copied_plan_is_written_the_same(copied: Any) -> None:
    plan = read_plan([{"id": "1"}])
    assert copied(plan) == plan
    assert write_plan(copied(plan)) == {"tasks": [{"id": "1"}]}


# --- anything at all ---

NAMES = st.sampled_from(["1", "2", "root", "response", "", "find"])
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "id": NAMES | st.integers(0, 3) | JSON,
    "name": NAMES | JSON,
    "para": st.dictionaries(NAMES, JSON, max_size=2) | st.lists(JSON, max_size=2) | JSON,
    "desc": TEXTS | JSON,
    "dep": st.lists(NAMES | JSON, max_size=3) | JSON,
    "status": st.booleans() | JSON,
}
LOOSE_TASKS = st.fixed_dictionaries({}, optional={**FIELDS, "more": JSON})
TASK_LISTS = st.lists(LOOSE_TASKS | st.fixed_dictionaries(FIELDS) | JSON, max_size=5)


@given(TASK_LISTS, st.dictionaries(TEXTS, JSON, max_size=2))
def test_what_was_read_is_written_back_to_the_letter(tasks: Any, beside: Any) -> None:
    value = {**beside, "tasks": tasks}
    before = to_the_letter(value)
    plan = read_plan(value)
    assert to_the_letter(write_plan(plan)) == before
    assert to_the_letter(value) == before
    assert read_plan(write_plan(plan)) == plan


@given(TASK_LISTS)
def test_a_text_is_read_as_the_value_that_it_writes(tasks: Any) -> None:
    text = canonical.dumps(tasks)
    assert to_the_letter(write_plan(read_plan(text))["tasks"]) == to_the_letter(
        canonical.normal(tasks)
    )


@given(st.fixed_dictionaries(FIELDS))
def test_the_quick_way_reads_a_task_as_the_slow_one(task: dict[str, Any]) -> None:
    problems: list[Problem] = []
    slow = plan_module._odd_node(task, 0, problems)
    plan = read_plan([task])
    assert to_the_letter(list(map(repr, plan.nodes))) == to_the_letter([repr(slow)])
    assert plan.problems == tuple(problems)


@given(TASK_LISTS)
def test_a_node_has_the_types_that_it_declares(tasks: Any) -> None:
    for node in read_plan(tasks):
        assert type(node.id) is str
        assert node.name is None or (type(node.name) is str and node.name)
        assert type(node.para) in {dict, list}
        assert type(node.desc) is str
        assert type(node.dep) is tuple
        assert all(type(dep) is str for dep in node.dep)
        assert type(node.status) is bool
        assert set(node.raw) <= set(KEYS)
        assert not set(node.extra) & set(KEYS)


PYTHON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text() | st.binary()
    | st.sampled_from([ABSENT, {1}, 1j, range(3)]),
    lambda inner: st.lists(inner, max_size=3)
    | st.tuples(inner)
    | st.dictionaries(st.sampled_from([*KEYS, "tasks", "plan", "original_plan", 1, None]), inner),
    max_leaves=12,
)  # fmt: skip


@given(PYTHON | st.text() | st.binary() | JSON)
def test_nothing_raises(value: Any) -> None:
    plan = read_plan(value)
    write_plan(plan)
    assert all(problem.kind and problem.detail for problem in plan.problems)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "value", [math.nan, [math.inf], 10**5000, {1, 2}], ids=["nan", "infinity", "long", "set"]
)
def test_a_value_that_json_has_not_is_read_as_something(key: str, value: Any) -> None:
    plan = read_plan([{**SOUND, key: value}])
    assert plan.problems
    assert write_plan(plan)["tasks"][0][key] is value


# --- depth ---


@pytest.mark.parametrize("depth", [100, 700, 5000])
@pytest.mark.parametrize("key", [None, "a"])
def test_a_deep_value_is_refused_wherever_it_stands(depth: int, key: str | None) -> None:
    deep = nested(depth, 1, key)
    values: list[Any] = [
        *({"tasks": [{**SOUND, name: deep}]} for name in (*KEYS, "beside")),
        {"tasks": [{"id": "1", "para": {"a": deep}}]},
        {"tasks": [SOUND, deep] if key is None else [SOUND, {**SOUND, "more": [deep]}]},
        {"tasks": [SOUND], "more": deep},
    ]
    for value in values:
        plan = read_plan(value)
        assert not plan.nodes
        assert [problem.kind for problem in plan.problems] == ["too_deep"]
    assert not read_plan(deep).nodes


@pytest.mark.parametrize("depth", [100, 700, 5000, 200_000])
def test_a_deep_text_is_refused_as_a_plan_and_kept_as_a_text(depth: int) -> None:
    deep = "[" * depth + "]" * depth
    (problem,) = read_plan(f'{{"tasks": [{{"id": "1", "para": {deep}}}]}}').problems
    assert problem.kind in {"too_deep", "broken_json"}
    node, kinds = read(para=f'{{"a": {deep}}}')
    assert node.para == [f'{{"a": {deep}}}']
    assert kinds == ["para_scalar"]


@given(TASK_LISTS)
def test_what_was_read_has_a_canonical_text(tasks: Any) -> None:
    deepest = read_plan([{**SOUND, "para": nested(canonical.DEEPEST - 1, 1, "a")}])
    assert deepest.nodes
    for plan in (read_plan(tasks), deepest):
        assert canonical.loads(canonical.dumps(write_plan(plan)))["tasks"] is not None
