import json
import re
import subprocess
import sys
import time
from itertools import cycle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.reading import LONGEST, MARKS, UNREAD, Answer, Diagnosis, read_answer, write_answer
from trajectory.plan import Plan, read_plan, write_plan

TASKS: list[dict[str, Any]] = [
    {"id": "root", "name": None, "para": {}, "desc": "Book it", "dep": [], "status": True},
    {
        "id": "1",
        "name": "find_hotel",
        "para": {"city": "Zürich", "nights": 3, "wishes": ["quiet", 'it\'s "high" up']},
        "desc": 'Find a hotel. Result: {"id": 7}',
        "dep": ["root"],
        "status": True,
    },
    {
        "id": "2",
        "name": "book",
        "para": {"hotel": {"$ref": "1", "path": "id"}, "breakfast": False, "note": None},
        "desc": "Book: # not // a comment, [really]",
        "dep": ["1"],
        "status": False,
    },
    {"id": "response", "name": None, "para": {}, "desc": "说明", "dep": ["2"], "status": False},
]
OLD = [TASKS[0], {**TASKS[3], "dep": ["root"]}]
BODY = json.dumps({"tasks": TASKS}, ensure_ascii=False)
OLD_BODY = json.dumps({"tasks": OLD}, ensure_ascii=False)
PLAN = read_plan({"tasks": TASKS})
OLD_PLAN = read_plan({"tasks": OLD})


def reads(text: str, how: str, plan: Plan = PLAN) -> Answer:
    """Assert that a text is read as this plan in this way, nothing left out."""
    answer = read_answer(text)
    assert (answer.reason, answer.how) == (None, how)
    assert answer.plan is not None
    assert answer.plan.nodes == plan.nodes
    return answer


def refuses(text: str) -> str:
    """Assert that no plan is read, and return the reason."""
    answer = read_answer(text)
    assert (answer.plan, answer.how, answer.diagnosis) == (None, UNREAD, ())
    assert answer.reason
    assert "\n" not in answer.reason
    return answer.reason


# The asked form


def test_asked_form() -> None:
    entry = {"node": "2", "type": "Null_Error", "reason": "it came back empty"}
    body = json.dumps({"diagnosis": [entry], "tasks": TASKS})
    answer = reads(f"<thought>\nNode 2 failed.\n</thought>\n<plan>{body}</plan>", "tagged")
    assert answer.thought == "Node 2 failed."
    assert answer.diagnosis == (Diagnosis("2", "Null_Error", "it came back empty"),)
    assert answer.reasoning == ""


def test_short_cut_reads_the_same_as_the_long_way() -> None:
    asked = f"<thought>Node 2 failed.</thought><plan>{BODY}</plan>"
    assert read_answer(asked) == read_answer(asked.replace("<plan>", "<plan >"))


@pytest.mark.parametrize(
    "tags",
    ["<PLAN>{}</PLAN>", "<plan version='2'>\n{}\n</plan>", "<plan>{}", "<Plan>{}</plan >"],
)
def test_plan_tags_in_any_case_with_attributes_or_unclosed(tags: str) -> None:
    reads(tags.replace("{}", BODY), "tagged")


@pytest.mark.parametrize(
    "text",
    [
        "<thought>It failed.<plan>{}</plan>",
        "<thought>It failed.</thought>{}",
        "<THOUGHT kind='x'>It failed.</THOUGHT><plan>{}</plan>",
        "It failed.</thought><plan>{}</plan>",
        "<plan>{}</plan><thought>It failed.</thought>",
    ],
)
def test_thought_tags(text: str) -> None:
    answer = read_answer(text.replace("{}", BODY))
    assert answer.plan is not None
    assert answer.plan.nodes == PLAN.nodes
    assert answer.thought == "It failed."


def test_thought_that_quotes_a_plan_does_not_answer_with_it() -> None:
    text = f"<thought>The <plan> was {OLD_BODY}.</thought><plan>{BODY}</plan>"
    assert reads(text, "tagged").thought == f"The <plan> was {OLD_BODY}."


def test_thought_that_speaks_of_tags() -> None:
    answer = reads(f"<thought>No <think> or <plan> here</thought><plan>{BODY}</plan>", "tagged")
    assert answer.thought == "No <think> or <plan> here"


def test_byte_order_mark_is_no_prose() -> None:
    reads(f"\ufeff{BODY}", "bare")


def test_marks_within_strings_are_text() -> None:
    tasks = [{**TASKS[0], "desc": "Answer in <plan> tags: </plan></think>\n```\n"}]
    body = json.dumps({"tasks": tasks})
    for text, how in [(body, "bare"), (f"<plan>{body}</plan>", "tagged")]:
        reads(f"{text}", how, read_plan({"tasks": tasks}))


# Without tags


def test_clean_json() -> None:
    reads(BODY, "bare")
    reads(json.dumps({"tasks": TASKS}, indent=2), "bare")


@pytest.mark.parametrize("fence", ["```json\n{}\n```", "```\n{}```", "~~~\n{}\n~~~", "```JSON\n{}"])
def test_fenced(fence: str) -> None:
    reads(fence.replace("{}", BODY), "fenced")


def test_fenced_in_tags() -> None:
    reads(f"<plan>\n```json\n{BODY}\n```\n</plan>", "tagged+fenced")


def test_several_fences() -> None:
    text = f"```python\nprint({{'a': 1}})\n```\nso\n```json\n{BODY}\n```\nand\n```\n{{}}\n```"
    reads(text, "fenced+prose")


def test_prose_before_and_behind() -> None:
    text = f"I see [two] {{odd}} things, don't I?\n{BODY}\nHope this [helps] {{you}}!"
    answer = reads(text, "bare+prose")
    assert answer.thought == "I see [two] {odd} things, don't I?"


def test_prose_is_no_thought_where_a_thought_is_tagged() -> None:
    answer = reads(f"Sure!\n<thought>It failed.</thought>\n<plan>{BODY}</plan>", "tagged+prose")
    assert answer.thought == "It failed."


def test_json_in_prose_that_is_no_plan_is_passed_over() -> None:
    reads(f'It got {{"error": "x"}} from [{{"name": "book"}}].\n{BODY}', "bare+prose")


def test_bare_list() -> None:
    reads(json.dumps(TASKS), "bare+list")
    reads(f"<plan>{json.dumps(TASKS)}</plan>", "tagged+list")


def test_lists_of_calls_are_no_plan() -> None:
    assert refuses('[{"id": "call_1", "name": "book", "arguments": {}}]') == "a list without nodes"


def test_wrapped() -> None:
    reads(json.dumps({"plan": {"tasks": TASKS}}), "bare+wrapped")
    reads(json.dumps({"plan": TASKS}), "bare+wrapped+list")


def test_wrapped_as_a_json_text() -> None:
    reads(json.dumps({"plan": BODY}), "bare+quoted+wrapped")


def test_thought_and_diagnosis_as_keys() -> None:
    for inner in ({"tasks": TASKS}, {"plan": {"tasks": TASKS}}):
        told = {"thought": "It failed.", **inner, "diagnosis": {"node": 2, "type": None}}
        answer = read_answer(json.dumps(told))
        assert answer.plan is not None
        assert answer.thought == "It failed."
        assert answer.diagnosis == (Diagnosis("2", "", ""),)


def test_double_encoded() -> None:
    reads(json.dumps(BODY), "bare+quoted")
    reads(f"```json\n{json.dumps(json.dumps(BODY))}\n```", "fenced+quoted")


def test_tasks_by_id() -> None:
    by_id = {task["id"]: {**task} for task in TASKS}
    reads(json.dumps({"tasks": by_id}), "bare+keyed")
    keys_only = {name: {k: v for k, v in task.items() if k != "id"} for name, task in by_id.items()}
    reads(json.dumps({"tasks": keys_only}), "bare+keyed")


# Thinking


@pytest.mark.parametrize(
    "thinking",
    [
        "<think>{}</think>",
        "<Think>{}</Think>",
        "<thinking>{}</thinking>",
        "<antThinking>{}</antThinking>",
        "<seed:think>{}</seed:think>",
        "<reasoning effort='high'>{}</reasoning>",
        "<|begin_of_thought|>{}<|end_of_thought|>",
        "<|START_THINKING|>{}<|END_THINKING|>",
        "[THINK]{}[/THINK]",
        "◁think▷{}◁/think▷",
        "{}</think>",
        "{}\n[/THINK]",
        "<|channel|>analysis<|message|>{}<|end|><|start|>assistant<|channel|>final<|message|>",
        "<|channel|>analysis<|message|>{}<|channel|>final <|constrain|>json<|message|>",
        "<|channel>thought\n{}<channel|>",
        "analysis{}assistantfinal",
    ],
)
def test_thinking_is_stored_and_holds_no_answer(thinking: str) -> None:
    hidden = f"First <plan>{OLD_BODY}</plan>, then ```\n{OLD_BODY}\n``` no"
    before = thinking.replace("{}", hidden)
    answer = reads(f"{before}\n<thought>It failed.</thought><plan>{BODY}</plan>", "tagged")
    assert (answer.reasoning, answer.thought) == (hidden, "It failed.")
    reads(before + BODY, "bare")
    assert refuses(before + "I cannot do that.") == "no JSON found"


def test_harmony_ends() -> None:
    channel = "<|channel|>final<|message|>"
    reads(f"<|channel|>analysis<|message|>no<|end|>{channel}{BODY}<|return|>", "bare")
    reads(f"{channel}<plan>{BODY}</plan><|return|>", "tagged")


def test_thinking_within_the_plan_tags() -> None:
    answer = reads(f"<plan><think>{OLD_BODY}</think>{BODY}</plan>", "tagged")
    assert answer.reasoning == OLD_BODY


def test_thinking_behind_which_nothing_stands() -> None:
    reads(f"<think>So <plan>{OLD_BODY}</plan>. No: <plan>{BODY}</plan>", "tagged+inside")
    reads(f"<think>So <plan>{BODY}</plan></think>\n", "tagged+inside")
    assert refuses(f"<think>So {BODY}") == "nothing stands behind the thinking"


# Repairs


def test_python_repr() -> None:
    reads(repr({"tasks": TASKS}), "bare+repaired")


def test_single_quotes() -> None:
    text = "{'tasks': [{'id': '1', 'desc': 'He said \"no\", didn\\'t he', 'dep': []}]}"
    reads(
        text,
        "bare+repaired",
        read_plan('[{"id":"1","desc":"He said \\"no\\", didn\'t he","dep":[]}]'),
    )


def test_trailing_commas() -> None:
    text = json.dumps({"tasks": TASKS}, indent=1)
    text = re.sub(r"(?<=[^\[{,])\n\s*(?=[]}])", " ,", text)
    assert text.endswith(" ,] ,}")
    reads(text, "bare+repaired")
    reads(f"<plan>{text}</plan>", "tagged+repaired")


def test_comments() -> None:
    lines = json.dumps({"tasks": TASKS}, indent=1).splitlines()
    signs = cycle(["# it's", '// ["', "/* {'\n */"])
    text = "\n".join(f"{line} {sign}" for line, sign in zip(lines[:-1], signs, strict=False))
    reads(f"{text}\n}}", "bare+repaired")


def test_python_constants() -> None:
    text = BODY.replace("false", "False").replace("true", "True").replace("null", "None")
    reads(text, "bare+repaired")


def test_unquoted_keys() -> None:
    text = BODY
    for key in ("tasks", "id", "name", "para", "desc", "dep", "status", "$ref"):
        text = text.replace(f'"{key}":', f"{key}:")
    reads(text, "bare+repaired")
    reads(f"<plan>{text}</plan>", "tagged+repaired")


def test_curly_quotes() -> None:
    keys = BODY
    for key in ("tasks", "id", "name", "para"):
        keys = keys.replace(f'"{key}":', f"“{key}”：")
    reads(keys, "bare+repaired")
    reads(
        '{“tasks”: [{“id”: “1”, “desc”: “so "it" is”, ‘dep’: []}]}',
        "bare+repaired",
        read_plan([{"id": "1", "desc": 'so "it" is', "dep": []}]),
    )


def test_raw_line_breaks_in_strings() -> None:
    tasks = [{**TASKS[0], "desc": "one\ntwo\r\n\tthree"}]
    text = json.dumps({"tasks": tasks}).replace("\\n", "\n").replace("\\t", "\t")
    reads(text.replace("\\r", "\r"), "bare+repaired", read_plan({"tasks": tasks}))


def test_repair_in_a_fence_and_prose() -> None:
    reads(f"Here:\n```json\n{BODY[:-1]},}}\n```\nDone.", "fenced+prose+repaired")


def test_list_left_open_where_its_object_closes() -> None:
    reads(f"{BODY[:-2]}}}", "bare+repaired")


@pytest.mark.parametrize("behind", ["", "\n", "\nThat is all.", "```", "\n```\nThat is all."])
def test_missing_last_bracket(behind: str) -> None:
    answer = read_answer(BODY[:-1] + behind)
    assert answer.plan is not None
    assert answer.plan.nodes == PLAN.nodes
    assert "truncated" not in answer.how
    assert answer.reason
    assert answer.reason.startswith("the text breaks off at character ")
    assert answer.reason.endswith(", behind the tasks")


# What would have to be guessed


@pytest.mark.parametrize(
    ("tasks", "reason"),
    [
        ('[{"id": "1", "para": {"a": 1, "dep": [], {"id": "2"}]', "character 51: '{' where a key"),
        ('[{"id": "1", "para": {"a": 1, "dep": []]', "character 49: ] where } should be"),
        ('[{"id": "1"}}, {"id": "2"}]', "the brackets do not match"),
        ('[{"id": "1"}], {"id": "2"}]', "where a key should be"),
        ('[{"id": "1", "desc": "say "hi" now"}]', "character 37: 'hi' where a comma"),
        ('[{"id": "1" "dep": []}]', "where a comma or a bracket should be"),
        ('[{"id": "1", "dep": ["1" "2"]}]', "where a comma or a bracket should be"),
        ('[{"id": "1", "dep": []}, ...]', "'.' where an item should be"),
        ('[{"id": "1", "dep": [TBD]}]', "'TBD' is no JSON value"),
        ('[{"id": "1", "para": NaN}]', "'NaN' is no JSON value"),
        ('[{"id": "1", "para": [-Infinity,]}]', "'-Infinity' is no JSON value"),
        ('[{"id": "1", "para": [1e999,]}]', "JSON broken"),
        ('[{"id": "1", "para": [01]}]', "where an item should be"),
        ("[{'id': '1', 'desc': 'a\\x41'}]", "is no escape of JSON"),
        ('[{"id": "1", "para": "\\u12"}]', "JSON broken"),
    ],
)
def test_refused_with_a_reason(tasks: str, reason: str) -> None:
    assert reason in refuses(f'{{"tasks": {tasks}}}')
    assert refuses(f"Plan:\n```json\n{{'tasks': {tasks}}}\n```\nDone").startswith("JSON broken")


def test_arguments_of_a_broken_node_are_no_plan() -> None:
    inner = '[{"id": "3", "dep": []}]'
    assert refuses(f'{{"tasks": [{{"id": "1", "desc": "a "b" c", "para": {inner}}}]}}')
    assert refuses('{"tasks": [{"id": "1", "desc": oh, "para": {"tasks": [{"id": 3}]}}]}')


def test_break_beside_the_tasks_leaves_them_whole() -> None:
    told = f'{{"thought": "so "it" is", "plan": {BODY}}}'
    answer = read_answer(told)
    assert answer.plan is not None
    assert answer.plan.nodes == PLAN.nodes
    assert answer.reason == (
        "left out: JSON broken at character 17: 'it' where a comma or a bracket should be"
    )
    beside = f'{{"diagnosis": [{{"node": "1", "reason": "so "it" is"}}], {BODY[1:]}'
    assert read_answer(beside).plan == answer.plan
    assert "repaired" in read_answer(beside).how


# Several plans


def test_later_whole_plan_counts() -> None:
    reads(f"{OLD_BODY}\n{BODY}", "bare+several")
    reads(f"It was\n```\n{OLD_BODY}\n```\nand is\n```\n{BODY}\n```", "fenced+prose+several")
    answer = reads(
        f"<thought>a</thought><plan>{OLD_BODY}</plan><thought>b</thought><plan>{BODY}</plan>",
        "tagged+several",
    )
    assert answer.thought == "b"


def test_tagged_plan_counts_before_an_untagged_later_one() -> None:
    reads(f"<plan>{BODY}</plan> It was {OLD_BODY}", "tagged+prose+several")


def test_whole_plan_counts_before_a_truncated_one() -> None:
    text = f"<plan>{BODY}</plan>\n<plan>{OLD_BODY[:-60]}"
    answer = read_answer(text)
    assert answer.plan is not None
    assert answer.plan.nodes == PLAN.nodes
    assert answer.how == "tagged+several"
    assert answer.reason
    assert answer.reason.startswith(f"left out: the text breaks off at character {len(text)}")


def test_whole_plan_counts_before_a_broken_one() -> None:
    answer = read_answer(f"{BODY}\n{OLD_BODY.replace('true', 'maybe')}")
    assert answer.plan is not None
    assert answer.plan.nodes == PLAN.nodes
    assert answer.reason
    assert "'maybe' is no JSON value" in answer.reason


# Truncation


def test_truncated_at_every_character_invents_nothing() -> None:
    for end in range(len(BODY)):
        for text in (BODY[:end], f"<plan>{BODY[:end]}", f"```json\n{BODY[:end]}\n```"):
            answer = read_answer(text)
            if answer.plan is None:
                continue
            kept = answer.plan.nodes
            assert kept == PLAN.nodes[: len(kept)]
            assert len(kept) > 0
            assert answer.reason
            assert ("truncated" in answer.how) == (end < len(BODY) - 1)


def test_truncated_keeps_whole_nodes_and_says_so() -> None:
    torn = BODY[: BODY.index('"breakfast"')]
    answer = read_answer(torn)
    assert answer.plan is not None
    assert [node.id for node in answer.plan.nodes] == ["root", "1"]
    assert answer.how == "bare+repaired+truncated"
    assert answer.reason == (
        f"the text breaks off at character {len(torn)}, within the tasks; whole nodes kept: 2"
    )


def test_truncated_before_the_first_whole_node() -> None:
    assert "before the first whole node" in refuses('{"tasks": [{"id": "1", "dep": [], "pa')
    assert "before the first whole node" in refuses('{"tasks": [')
    assert "an object without tasks" in refuses('{"diagnosis": [{"node": "1"}, {"nod')


def test_truncated_tasks_by_id() -> None:
    answer = read_answer('{"tasks": {"1": {"dep": []}, "2": {"dep": ["1"], "para": {}')
    assert answer.plan is not None
    assert [node.id for node in answer.plan.nodes] == ["1"]
    assert answer.how == "bare+keyed+repaired+truncated"


def test_truncated_behind_the_tasks() -> None:
    answer = read_answer(f'{BODY[:-1]}, "diagnosis": [{{"node": "1"}}, {{"node": "2", "ty')
    assert answer.plan is not None
    assert answer.plan.nodes == PLAN.nodes
    assert answer.diagnosis == (Diagnosis("1"),)
    assert answer.how == "bare+repaired"
    assert answer.reason
    assert answer.reason.endswith("behind the tasks")


# No plan


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty answer"),
        (" \n\t", "empty answer"),
        ("I cannot help with that.", "no JSON found"),
        ("<plan></plan>", "no JSON found"),
        ("nan", "no JSON found"),
        ("<think>Hm.</think>", "nothing stands behind the thinking"),
        ('{"a": 1, "b": 2}', "an object without tasks, its keys: 'a', 'b'"),
        ("{}", "an object without tasks, its keys: none"),
        ('{"tasks": "1, 2"}', "a plan whose tasks are a text, not a list of nodes"),
        ('{"tasks": null}', "a plan whose tasks are null, not a list of nodes"),
        ('{"tasks": {"1": 2}}', "a plan whose tasks are an object, not a list of nodes"),
        ('{"tasks": ["a", 1]}', "a plan whose tasks hold no object"),
        ('{"plan": 3}', "a number where the plan should be"),
        ('{"plan": "tbd"}', "within a text: no JSON found"),
        ('"hello"', "within a text: no JSON found"),
    ],
)
def test_no_plan(text: str, reason: str) -> None:
    assert refuses(text) == reason


def test_empty_tasks_are_a_plan_without_nodes() -> None:
    reads('{"tasks": []}', "bare", Plan(()))


def test_faults_of_a_plan_are_kept_for_those_who_judge_them() -> None:
    tasks = [{"id": 1, "dep": ["9", "1"]}, {"id": 1, "dep": "x"}, "odd"]
    answer = read_answer(json.dumps({"tasks": tasks}))
    assert answer.plan == read_plan({"tasks": tasks})


def test_thought_is_kept_without_a_plan() -> None:
    answer = read_answer("<think>a</think><thought>It failed.</thought>I stop.")
    assert (answer.thought, answer.reasoning, answer.plan) == ("It failed.", "a", None)


# Hostile texts

MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    "unit",
    ["[", "{", "[{", "`", "```\n", '{"', "{'", '{"a', '["a" "b', '"', "<", "<plan>{", "</think>",
     "<think></think>", "{/*", '{"a":"\\"', "{a:1 \"{a:1 '", '"tasks":[', "“{", '{"a":[1}},', "\\"],
)  # fmt: skip
def test_no_text_makes_reading_hang(unit: str) -> None:
    # Processor seconds with much room: work that grows with the square would take minutes.
    began = time.process_time()
    assert read_answer(unit * (200_000 // len(unit))).plan is None
    assert time.process_time() - began < 20


def test_forty_megabytes_of_brackets() -> None:
    began = time.process_time()
    assert "too many to repair" in refuses("[" * 40 * MEGABYTE)
    assert time.process_time() - began < 60


def test_long_strict_answers_are_read() -> None:
    tasks = [{**TASKS[0], "desc": "x" * LONGEST}]
    reads(json.dumps({"tasks": tasks}), "bare", read_plan(tasks))


def test_deep_nesting_is_refused() -> None:
    deep = "[" * 500 + "]" * 500
    assert (
        refuses(f'{{"tasks": [{{"id": "1", "dep": {deep}}}]}}') == "nested deeper than 100 brackets"
    )
    assert "nested deeper than 100" in refuses(f"{{'tasks': [{{'id': '1', 'dep': {deep}}}]}}")


# Properties

pieces_of_text = st.sampled_from(
    ["{", "}", "[", "]", '"', "'", "“", ",", ":", "\\", "\n", "```", "<plan>", "</plan>", "<think>",
     "</think>", "<thought>", "</thought>", '"tasks"', '{"tasks": [', '{"id": "1"}', "None", "NaN",
     "1", "-", "#", "/*", "//", "<|channel|>", "<|message|>", "\ud800", "\0", " "]
)  # fmt: skip


@given(st.one_of(st.text(), st.lists(st.one_of(pieces_of_text, st.text(max_size=3))).map("".join)))
def test_never_raises(text: str) -> None:
    answer = read_answer(text)
    assert answer.how == UNREAD or set(answer.how.split("+")) <= set(MARKS)
    assert (answer.plan is None) == (answer.how == UNREAD)
    assert answer.plan is not None or answer.reason


GOOD = f"<think>Hm.</think><thought>Node 1 failed.</thought>\n<plan>\n{BODY}\n</plan>\nDone."


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for item in value.items() for part in item for text in strings(part)]
    if isinstance(value, list):
        return [text for item in value for text in strings(item)]
    return [value] if isinstance(value, str) else []


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


@given(st.data())
def test_mutated_answers_never_raise_and_gain_nothing(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([GOOD, BODY, repr({"tasks": TASKS}), GOOD + OLD_BODY]))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 12))
        text = text[:at] + data.draw(st.one_of(st.just(""), pieces_of_text)) + text[at + cut :]
    plan = read_answer(text).plan or Plan(())
    written = letters(re.sub(r"\\[bfnrt]", "", text))
    for string in strings(write_plan(plan)["tasks"]):
        assert letters(string) in written


names = st.text(min_size=1, max_size=8)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), st.text(),
              st.floats(allow_nan=False, allow_infinity=False)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(names, inner, max_size=3)),
    max_leaves=8,
)  # fmt: skip
nodes = st.fixed_dictionaries(
    {"id": names, "name": st.one_of(st.none(), names), "desc": st.text(),
     "para": st.dictionaries(names, values, max_size=3),
     "dep": st.lists(names, max_size=3), "status": st.booleans()}
)  # fmt: skip
diagnoses = st.builds(Diagnosis, st.text(), st.text(), st.text())
thoughts = st.one_of(st.text(), st.lists(pieces_of_text, max_size=6).map("".join))


@given(thoughts, st.lists(diagnoses, max_size=3), st.lists(nodes, max_size=4))
def test_written_answers_read_back(
    thought: str, diagnosis: list[Diagnosis], tasks: list[dict[str, Any]]
) -> None:
    plan = read_plan({"tasks": tasks})
    answer = read_answer(write_answer(thought, diagnosis, plan))
    assert answer == Answer(thought, plan, tuple(diagnosis), "tagged", None, "")


@given(st.lists(nodes, min_size=1, max_size=4))
def test_python_reprs_read_as_the_same_plan_or_not_at_all(tasks: list[dict[str, Any]]) -> None:
    answer = read_answer(repr({"tasks": tasks}))
    assert answer.plan is None or answer.plan.nodes == read_plan({"tasks": tasks}).nodes


def test_canonical_text() -> None:
    text = write_answer("So.", [Diagnosis("1", "Null_Error", "why")], Plan(PLAN.nodes[:1]))
    assert text == (
        "<thought>So.</thought>\n"
        '<plan>{"diagnosis":[{"node":"1","reason":"why","type":"Null_Error"}],"tasks":[{"dep":[],'
        '"desc":"Book it","id":"root","name":null,"para":{},"status":true}]}</plan>'
    )


def test_importing_is_cheap() -> None:
    code = "import models.reading, sys; print('litellm' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
