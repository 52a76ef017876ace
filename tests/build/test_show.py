"""python -m build.show: what is shown of an instance, and which instances are."""

import json
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pararecover
from build.dataset import write_config
from build.gold import Gold
from build.release_files import SOURCES
from build.release_records import read_record
from build.seeds.show import show as show_gold
from build.show import main
from build.showing.instance import show
from build.showing.text import WIDTH, brief, heading, natural, value_text, wrapped
from tests.build.samples import PLAIN
from trajectory.calls import read_calls
from trajectory.files import InputError, one_line
from trajectory.instance import Instance, view
from trajectory.plan import read_plan


def node(id: str, name: str | None, para: dict[str, Any], *dep: str, **more: Any) -> dict[str, Any]:
    return {
        "id": id, "name": name, "para": para, "desc": "", "dep": list(dep), "status": False, **more
    }  # fmt: skip


def tool(name: str, *parameters: str) -> dict[str, Any]:
    properties = {one: {"type": "string", "description": f"The {one}."} for one in parameters}
    schema = {"type": "object", "properties": properties, "required": list(parameters[:1])}
    return {"name": name, "description": f"What {name} does.", "parameters": schema}


TIMEOUT = {"error": "timeout: find_rooms did not answer within 30 seconds"}
ROOMS = {"rooms": [{"room": f"R{number}", "price": 80 + number} for number in range(30)]}

HOTEL = Instance(
    id="L2-aug-000099",
    level=2,
    source="augmented",
    agent="",
    edition="test",
    query_id="T7-000002",
    query="Book the cheapest room in Oslo for Ann, and one in Bergen, for three nights each.",
    tools=[
        tool("find_rooms", "city"),
        tool("book", "room", "nights", "guest"),
        tool("cancel", "booking"),
    ],
    plan={
        "tasks": [
            node("root", None, {}, status=True),
            node("10", "find_rooms", {"city": "Bergen"}, "2"),
            node("2", "find_rooms", {"city": "Oslo"}, "root", status=True),
            node(
                "3",
                "book",
                {"room": {"$ref": "2", "path": "rooms[0].room"}, "nights": "2", "guest": "Ann"},
                "2",
            ),
            node(
                "11",
                "book_room",
                {"room": {"$ref": "10", "path": "rooms[0].room"}, "nights": "3"},
                "10",
            ),
            node("response", None, {}, "3", "11"),
        ]
    },
    tool_results=[
        {"node": "10", "name": "find_rooms", "arguments": {"city": "Bergen"}, "results": TIMEOUT},
        {
            "node": "3",
            "name": "book",
            "arguments": {"room": "R0", "nights": "2", "guest": "Ann"},
            "results": {"booking": "B-1"},
        },
    ],
    history=[
        [
            {"node": "2", "name": "find_rooms", "arguments": {"city": "Oslo"}, "results": ROOMS},
            {"node": "1", "name": "find_rooms", "arguments": {"city": "Ooslo"}, "results": []},
        ]
    ],
    rounds_gt=3,
    calls_gt=4,
    rounds_opt=5,
    calls_opt=8,
    error_types=("Parallelism_Error", "Parameter_Invalid", "Timeout_Error"),
    error_reason="The room in Oslo is booked for two nights, and Bergen waits for no reason.",
    errors=[
        {
            "type": "Parameter_Invalid",
            "category": "argument",
            "round": 2,
            "root_cause": "3",
            "field": "para",
            "parameter": "nights",
            "observed": {"nights": "2"},
            "expected": {"nights": "3"},
            "affected_now": ["3"],
            "affected_later": [],
            "delayed": [],
            "visible": "implicit",
            "evidence": [
                {"in": "query", "text": "three nights"},
                {"in": "plan", "node": "3", "path": "para.nights"},
            ],
        },
        {
            "type": "Parallelism_Error",
            "category": "planning",
            "round": 2,
            "root_cause": "10",
            "field": "dep",
            "parameter": None,
            "observed": ["2", "10"],
            "expected": None,
            "affected_now": [],
            "affected_later": [],
            "delayed": ["11", "10"],
            "visible": "implicit",
            "evidence": [{"in": "tools", "tool": "find_rooms", "path": "description"}],
        },
        {
            "type": "Timeout_Error",
            "category": "tool",
            "round": 2,
            "root_cause": "10",
            "field": "result",
            "parameter": None,
            "observed": TIMEOUT,
            "expected": {"rooms": [{"room": "R7"}]},
            "affected_now": ["10"],
            "affected_later": ["11"],
            "delayed": [],
            "visible": "explicit",
            "evidence": [{"in": "results", "node": "10", "path": "error"}],
        },
    ],
    repairs=[
        [
            {"op": "set_argument", "node": "3", "parameter": "nights", "value": "3", "errors": [0]},
            {
                "op": "add_node",
                "node": "12",
                "tool": "cancel",
                "arguments": {"booking": "B-1"},
                "dep": [],
                "consumers": ["3"],
                "errors": [0],
            },
            {"op": "remove_edge", "node": "10", "dep": "2", "errors": [1]},
            {"op": "retry", "node": "10", "new": "10_retry", "errors": [1, 2]},
        ]
    ],
    gold_plan=None,
    goal=None,
    faults=[{"tool": "find_rooms", "first": 2, "length": 2, "kind": "timeout"}],
    environment={"worlds": [], "versions": [], "seed": 7},
    proof="full",
)

SHOWN = """\
── L2-aug-000099 · level 2 · augmented ─────────────────────────────────────────────────────────────
  task T7-000002 · edition test · proof full

Request
  Book the cheapest room in Oslo for Ann, and one in Bergen, for three nights each.

Tools
  in the plan find_rooms, book
  not in it   cancel
  not listed  book_room

Plan: 4 calls in 3 layers; 4 calls in 2 rounds ran so far
  layer 1
    2: find_rooms(city="Oslo")
        round 1  = {"rooms": [{"room": "R0", "price": 80}, {"room": "R1", "price": 81}, {"room":
                 "R2", "price": 82}, {"room": "R3", "price": 83}, {"room": "R4", "price": 84}, … 25
                 more]}
  layer 2
    3 ← 2: book(room=‹2.rooms[0].room›, nights="2", guest="Ann")
        round 2  with room="R0"
                 = {"booking": "B-1"}
        ▲ error 0: Parameter_Invalid
    10 ← 2: find_rooms(city="Bergen")
        round 2  FAILED {"error": "timeout: find_rooms did not answer within 30 seconds"}
        ▲ error 1: Parallelism_Error
        ▲ error 2: Timeout_Error
  layer 3
    11 ← 10: book_room(room=‹10.rooms[0].room›, nights="3")
        pending
  answer
    response ← 3, 11
  ran, and no node of the plan made it
    1: find_rooms(city="Ooslo")
        round 1  EMPTY []

Faults of the environment
  find_rooms: of the rounds that try it, rounds 2 to 3 get {"error": "timeout: find_rooms did not
    answer within 30 seconds"}

Errors
  error 0: Parameter_Invalid (argument) · root cause 3 · parameter nights · first ran in round 2 ·
    implicit
    observed    nights="2"
    expected    nights="3"
    evidence    the request says “three nights”
                node 3, para.nights: "2"
    touched     now 3 · later none · delayed none
  error 1: Parallelism_Error (planning) · root cause 10 · first ran in round 2 · implicit
    observed    10 waits for 2
    expected    no such edge
    evidence    tool find_rooms, description: "What find_rooms does."
    touched     now none · later none · delayed 10, 11
  error 2: Timeout_Error (tool) · root cause 10 · first ran in round 2 · explicit
    observed    {"error": "timeout: find_rooms did not answer within 30 seconds"}
    expected    {"rooms": [{"room": "R7"}]}
    evidence    result of 10, error: "timeout: find_rooms did not answer within 30 seconds"
    touched     now 10 · later 11 · delayed none
  In words: The room in Oslo is booked for two nights, and Bergen waits for no reason.

Repairs
  repair 1 of 1
    - node 3: set nights to "3" [error 0]
    - new node 12: cancel(booking="B-1"); 3 to wait for it [error 0]
    - node 10: no longer wait for 2 [error 1]
    - node 10: try it once more, as 10_retry [errors 1, 2]

Rounds and calls
  gold        3 rounds, 4 calls
  optimum     5 rounds, 8 calls (rounds +2, calls +4)
"""


def test_an_instance_is_shown_whole() -> None:
    assert show(HOTEL) + "\n" == SHOWN


def test_blind_shows_every_result_whole_and_nothing_of_the_truth() -> None:
    said = show(HOTEL, blind=True)
    assert '{"room": "R29", "price": 109}' in said
    assert "guest (optional): string. The guest." in said
    assert said == show(replace(PLAIN, id=HOTEL.id, **view(HOTEL)), blind=True)
    for truth in ("Parallelism", "FAILED", "EMPTY", "L2-aug-000099 ·", "T7-000002", "10_retry"):
        assert truth not in said


def test_full_cuts_no_result() -> None:
    assert '{"room": "R29", "price": 109}' in show(HOTEL, full=True)
    assert "R29" not in show(HOTEL)


def test_a_control_has_no_errors_and_no_repairs() -> None:
    control = replace(HOTEL, error_types=(), errors=[], repairs=[], faults=[], error_reason="")
    said = show(control)
    assert "\nErrors\n  none\n" in said
    assert "Repairs" not in said
    assert "Faults" not in said


def test_a_record_of_the_release_is_shown_with_what_is_odd_about_it() -> None:
    record = {
        "id": 7,
        "query_id": 3,
        "query": "查一下天气。",
        "tool_list": [{"name": "weather", "description": "d", "parameters": {}}],
        "plan": {
            "tasks": [
                {"id": "1", "name": "weather", "para": ["a", 1], "desc": "", "dep": ["9"]},
                {"id": "2", "name": "weather", "para": {}, "desc": "查天气，结果：晴", "dep": [],
                 "status": True},
                {"id": "3", "name": None, "para": {}, "desc": "compare", "dep": ["2"]},
                {"id": "response", "dep": ["3"], "status": True},
            ]
        },
        "fun_call": [{"name": "nobody", "arguments": {"a": 1}, "results": "x"}],
        "tag": "异常应对错误",
        "error_reason": "节点2没有处理超时。" * 20,
    }  # fmt: skip
    read = read_record(record, SOURCES[1], 5)
    said = show(read.instance)
    assert '1 ← 9: weather(["a", 1])' in said
    assert "never ready" in said
    assert "no DAG: node 1: dep '9' names no task" in said
    assert "says: 查天气，结果：晴" in said
    assert "3 ← 2 (no call)" in said
    assert "marked as executed" in said
    assert "ran, and no node of the plan made it\n    : nobody(a=1)" in said
    assert "tagged 异常应对错误" in said
    assert "optimum     unknown rounds, unknown calls" in said
    assert "LEVEL-1/LEVEL-1_real_rollout.jsonl, line 5, id 7" in said
    assert max(map(columns, said.splitlines())) <= WIDTH


def columns(line: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(char) in "WF") for char in line)


def test_instances_of_the_build_fit_and_name_every_edit_and_error(
    augmented: list[Instance],
) -> None:
    for instance in augmented:
        said = show(instance)
        assert all(columns(line) <= WIDTH for line in said.splitlines()), instance.id
        assert all(f"error {n}: {e['type']}" in said for n, e in enumerate(instance.errors))
        assert '"op"' not in said
        assert '"in"' not in said
        assert "nothing stands there" not in said


def test_a_repair_or_pointer_of_another_shape_is_shown_as_it_is() -> None:
    error = {**HOTEL.errors[0], "evidence": [{"in": "stars"}]}
    other = replace(HOTEL, errors=[error], repairs=[[{"op": "wait", "node": "3"}]])
    said = show(other)
    assert 'evidence    {"in":"stars"}' in said
    assert '- {"node":"3","op":"wait"}' in said


def test_evidence_that_points_to_nothing_says_so() -> None:
    pointer = {"in": "results", "node": "11", "path": "error"}
    error = {**HOTEL.errors[0], "evidence": [pointer]}
    assert "result of 11, error: nothing stands there" in show(replace(HOTEL, errors=[error]))


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ({"op": "remove_node"}, "node 3: take it out; who waited for it is to wait for what it"),
        ({"op": "remove_node", "into": "2"}, "node 3: take it out; who waited for it is to wait"),
        ({"op": "remove_argument", "parameter": "nights"}, "node 3: drop nights"),
        ({"op": "set_tool", "tool": "cancel"}, "node 3: call cancel instead"),
        (
            {"op": "set_tool", "tool": "cancel", "arguments": {"booking": "B"}},
            'node 3: call cancel(booking="B") instead',
        ),
        ({"op": "add_edge", "dep": "10"}, "node 3: wait for 10"),
    ],
)
def test_every_edit_has_its_words(edit: dict[str, Any], words: str) -> None:
    said = show(replace(HOTEL, repairs=[[{"node": "3", "errors": [0], **edit}]]))
    assert f"    - {words}" in said


@pytest.mark.parametrize(
    ("kind", "field", "observed", "expected", "words"),
    [
        ("Dependence_Null", "dep", [], ["10", "2"], ("waits for nothing", "waits for 2, 10")),
        ("Tool_name_Error", "name", "bok", "book", ("bok", "book")),
        ("Parameter_Error", "para", {"": ["R0"]}, {"room": "R0"}, ('["R0"]', 'room="R0"')),
        ("Parameter_Missing", "para", {}, {"room": "R0"}, ("nothing", 'room="R0"')),
        (
            "Toolcall_Missing",
            "call",
            None,
            {"tool": "cancel", "arguments": {}, "dep": ["root"]},
            ("no such call", "cancel(), waits for nothing"),
        ),
    ],
)
def test_what_differs_is_said_by_its_field(
    kind: str, field: str, observed: Any, expected: Any, words: tuple[str, str]
) -> None:
    error = {**HOTEL.errors[0], "type": kind, "field": field}
    said = show(replace(HOTEL, errors=[{**error, "observed": observed, "expected": expected}]))
    assert f"observed    {words[0]}\n    expected    {words[1]}\n" in said


def test_arguments_sent_otherwise_than_the_plan_has_them_are_shown() -> None:
    (first, last), changed = HOTEL.tool_results, {"room": "R0", "nights": "2"}
    again = replace(HOTEL, tool_results=[first, {**last, "arguments": changed}])
    assert 'round 2  as book(room="R0", nights="2")' in show(again)


def test_a_text_result_is_shown_though_the_desc_holds_it() -> None:
    tasks = [node("1", "book", {}, desc='Result: "done"', status=True)]
    call = {"node": "1", "name": "book", "arguments": {}, "results": "done"}
    said = show(replace(HOTEL, plan={"tasks": tasks}, history=[[call]], tool_results=[]))
    assert 'round 1  = "done"' in said


def test_a_task_is_drawn_as_an_instance_is() -> None:
    rounds = (*HOTEL.history, HOTEL.tool_results)
    gold = Gold(
        id="T7-000001",
        query=HOTEL.query,
        tools=HOTEL.tools,
        plan=read_plan(HOTEL.plan),
        calls=tuple(tuple(read_calls(calls)) for calls in rounds),
        rounds_gt=4,
        calls_gt=4,
        split="test",
        origin={},
        edges=(),
    )
    drawn = SHOWN.partition("ran so far\n")[2].partition("\n\n")[0].splitlines()
    lines = show_gold(gold).splitlines()
    assert lines[0].startswith("── T7-000001 · test · 4 calls, 3 layers ──")
    assert lines[-len(drawn) + 3 :] == [line for line in drawn if "▲" not in line]


# --- pieces ----------------------------------------------------------------------------------


@given(
    st.text(st.sampled_from("ab, 北京é\n\t\x1b") | st.characters(codec="utf-8"), max_size=400),
    st.sampled_from(["", "  ", "    - ", "  observed    "]),
    st.sampled_from([None, "    "]),
)
def test_wrapping_fits_and_loses_nothing(text: str, first: str, indent: str | None) -> None:
    lines = list(wrapped(text, first, indent))
    assert all(columns(line) <= WIDTH for line in lines)
    kept = "".join("".join(lines).split())
    assert kept == "".join(f"{first}{one_line(text)}".split())


def test_a_heading_has_the_whole_width() -> None:
    assert len(heading("L1-aug-000001")) == WIDTH
    assert len(heading("x" * 300)) == WIDTH


def test_a_value_is_cut_from_its_later_entries_on() -> None:
    value = {"count": 40, "rooms": [{"id": n, "name": "n" * 30} for n in range(40)]}
    assert brief(value, 120) == (
        '{"count": 40, "rooms": [{"id": 0, "name": "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"}, … 39 more]}'
    )
    assert brief(value, None) == value_text(value)
    assert len(brief("x" * 1000, 120)) <= 120


def test_a_reference_is_short_and_a_broken_one_is_shown_as_it_stands() -> None:
    assert value_text([{"$ref": "1", "path": "a[0]"}, {"$ref": "2"}]) == "[‹1.a[0]›, ‹2›]"
    assert value_text({"$ref": 1}) == '{"$ref": 1}'


def test_ids_are_sorted_by_their_numbers() -> None:
    assert sorted(["10", "2", "2_retry", "response", "2.1"], key=natural) == [
        "2",
        "2.1",
        "2_retry",
        "10",
        "response",
    ]


# --- the command -----------------------------------------------------------------------------


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A dataset of two levels, the second with a mini config, and controls."""
    first = [replace(HOTEL, id=f"L1-aug-{n:06}", level=1) for n in range(1, 9)]
    second = [replace(HOTEL, id=f"L2-aug-{n:06}", error_types=("Null_Error",)) for n in (1, 2)]
    write_config(tmp_path, "level1", "test", first)
    write_config(tmp_path, "level1", "train", [replace(first[0], id="L1-train-000001")])
    write_config(tmp_path, "level2", "test", second)
    write_config(tmp_path, "level2_mini", "test", second[:1])
    return tmp_path


def ids_of(said: str) -> list[str]:
    return [json.loads(line)["id"] for line in said.splitlines()]


def test_ids_are_found_in_every_config_and_split(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = ["L2-aug-000002", "L1-train-000001", "L1-aug-000003"]
    assert main([*wanted, "--data", str(data)]) == 0
    heads = [line for line in capsys.readouterr().out.splitlines() if line.startswith("──")]
    assert [head.split()[1] for head in heads] == wanted


def test_an_unknown_id_is_one_line_with_close_ones_and_nothing_is_shown(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError, match=r"^id L1-aug-00003: .*did you mean L1-aug-000003 or"):
        main(["L2-aug-000001", "L1-aug-00003", "--data", str(data)])
    with pytest.raises(InputError, match=r"nothing like it stands in level2/test$"):
        main(["?", "--config", "level2", "--data", str(data)])
    assert capsys.readouterr().out == ""


def test_config_and_split_restrict(data: Path) -> None:
    with pytest.raises(InputError, match="no such instance"):
        main(["L1-aug-000001", "--split", "train", "--data", str(data)])
    with pytest.raises(InputError, match=r"got level3/any; wanted level1/test or level1/train or"):
        main(["L1-aug-000001", "--config", "level3", "--data", str(data)])


def test_a_draw_is_of_the_type_and_level_and_the_same_by_the_same_seed(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def drawn(*options: str) -> list[str]:
        main(["--random", "3", "--json", "--data", str(data), *options])
        return ids_of(capsys.readouterr().out)

    assert drawn("--seed", "1") == drawn("--seed", "1") != drawn("--seed", "2")
    assert len(set(drawn("--level", "1"))) == 3
    assert all(id.startswith("L1") for id in drawn("--level", "1"))
    # Once each, though one also stands in the mini config.
    assert sorted(drawn("--type", "Null_Error")) == ["L2-aug-000001", "L2-aug-000002"]
    with pytest.raises(InputError, match="no instance is of this type and level"):
        drawn("--type", "Type_Error")


def test_fewer_than_were_asked_for_is_said(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--random", "5", "--level", "2", "--data", str(data)])
    assert capsys.readouterr().err == "there are only 2 such instances\n"


def test_json_is_the_record_and_blind_json_what_a_model_sees(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["L2-aug-000001", "--json", "--data", str(data)])
    record = json.loads(capsys.readouterr().out)
    assert record == pararecover.load("level2", data=data, ids=["L2-aug-000001"])[0]
    main(["L2-aug-000001", "--json", "--blind", "--data", str(data)])
    seen = json.loads(capsys.readouterr().out)
    assert seen == {"id": "L2-aug-000001", **view(HOTEL)}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "give ids, or --random N"),
        (["L1", "--random", "1"], "give ids, or --random N"),
        (["--random", "0"], "--random must be at least 1"),
        (["L1", "--level", "1"], "--type and --level are used with --random"),
        (["--random", "1", "--type", "Typo"], "invalid choice: 'Typo'"),
    ],
)
def test_wrong_options_are_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert said in lines[0]
