import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build.button.conversation import Conversation, Note, read_conversation, read_file
from tests.build.button.conversations import call, conversation, said, tool, turn

FOUND = {"rooms": [{"room": "R-7712", "price": 81.5}]}


def two_turns() -> dict[str, Any]:
    return conversation(
        "A room in Oslo, please.",
        turn((call("find_rooms", city="Oslo"), FOUND), prose="First the rooms."),
        turn((call("book_room", room="R-7712"), {"booking": "B-1"})),
    )


def read(value: Any) -> tuple[Conversation, list[Note]]:
    found, notes = read_conversation(value, 17)
    assert found is not None, notes
    return found, notes


def reasons(value: Any) -> list[tuple[int | None, str, bool]]:
    return [(note.message, note.reason, note.skipped) for note in read_conversation(value, 17)[1]]


def test_a_conversation_is_read_whole() -> None:
    found, notes = read(two_turns())
    assert notes == []
    assert found.line == 17
    assert found.query == "A room in Oslo, please."
    assert [entry["name"] for entry in found.tools] == ["book_room", "find_rooms"]
    assert found.parallel is True
    assert found.final == "That is all."
    assert [(c.name, c.arguments, c.results) for t in found.turns for c in t.calls] == [
        ("find_rooms", {"city": "Oslo"}, FOUND),
        ("book_room", {"room": "R-7712"}, {"booking": "B-1"}),
    ]
    assert found.turns[0].prose == "First the rooms."


def test_the_published_role_systems_and_other_spellings_are_taken() -> None:
    value = two_turns()
    value["messages"][0]["role"] = "systems"
    value["messages"][1]["role"] = "User "
    assert read(value)[1] == []


@pytest.mark.parametrize(
    ("rule", "parallel"),
    [
        ("You should call one function at a time, and wait for it.", False),
        ("If possible, you can call multiple functions in parallel.", True),
        ("", None),
    ],
)
def test_the_sentence_on_parallel_calls_is_understood(rule: str, parallel: bool | None) -> None:
    value = two_turns()
    system = value["messages"][0]["content"].partition("</tool>")[0]
    value["messages"][0]["content"] = f"{system}</tool>\n{rule}"
    found, notes = read(value)
    assert found.parallel is parallel
    assert [note.reason for note in notes] == ([] if rule else ["no_parallel_sentence"])


def test_a_tool_that_speaks_of_parallel_calls_is_not_the_rule() -> None:
    tools = [{**tool("find_rooms"), "description": "Runs in parallel."}, tool("book_room")]
    value = two_turns()
    value["messages"][0]["content"] = f"<tool>{json.dumps(tools)}</tool> One function at a time."
    assert read(value)[0].parallel is False


@pytest.mark.parametrize(
    "listed",
    [
        json.dumps([tool("find_rooms"), tool("book_room")]),
        f"{json.dumps(tool('find_rooms'))}\n{json.dumps(tool('book_room'), indent=2)}",
        str([tool("find_rooms"), tool("book_room")]),
        f"```json\n{json.dumps([tool('find_rooms'), tool('book_room')])}\n```",
    ],
    ids=["list", "one after the other", "repr", "fenced"],
)
def test_tool_lists_in_other_forms_are_read(listed: str) -> None:
    value = two_turns()
    value["messages"][0]["content"] = f"<tool>{listed}</tool> one function at a time"
    found, notes = read(value)
    assert notes == []
    assert [entry["name"] for entry in found.tools] == ["find_rooms", "book_room"]


Spoiler = Callable[[list[dict[str, Any]]], Any]


def content(index: int, text: Any) -> Spoiler:
    return lambda messages: messages[index].update(content=text)


def names(cases: list[tuple[str, int | None, Spoiler]]) -> list[str]:
    return [f"{reason}-{number}" for number, (reason, _, _) in enumerate(cases)]


SPOILT: list[tuple[str, int | None, Spoiler]] = [
    ("no_tools", None, content(0, "Use what you like.")),
    ("no_request", None, lambda messages: messages.pop(1)),
    ("no_calls", None, lambda messages: messages.__delitem__(slice(2, 6))),
    ("unreadable_call", 3, content(2, "So: <call>find_rooms(Oslo)</call>")),
    ("unreadable_call", 3, content(2, '<call>[{"arguments": {}}]</call>')),
    ("unreadable_call", 3, content(2, '<call>[{"name": "f", "arguments": "Oslo"}]</call>')),
    ("unreadable_call", 3, content(2, f"<call>{'[' * 200}{']' * 200}</call>")),
    ("unreadable_results", 4, content(3, "It went well.")),
    ("no_results", 4, content(3, '[{"name": "find_rooms"}]')),
    ("no_results", 4, content(3, '[{"name": "find_flats", "results": {"n": 1}}]')),
    ("no_results", 4, lambda messages: messages.pop(3)),
    ("no_results", 6, lambda messages: messages.pop(5)),
    ("no_results", 5, lambda messages: messages.__delitem__(slice(5, 7))),
    ("call_not_ok", 4, content(3, '[{"name": "find_rooms", "results": {"error": "down"}}]')),
    ("call_not_ok", 4, content(3, '[{"name": "find_rooms", "results": null}]')),
]


@pytest.mark.parametrize(("reason", "message", "spoil"), SPOILT, ids=names(SPOILT))
def test_what_cannot_be_read_is_skipped_with_message_and_reason(
    reason: str, message: int | None, spoil: Spoiler
) -> None:
    value = two_turns()
    spoil(value["messages"])
    found, notes = read_conversation(value, 17)
    assert found is None
    assert [(n.line, n.message, n.reason) for n in notes if n.skipped] == [(17, message, reason)]


def test_an_unlisted_tool_skips_the_conversation() -> None:
    turns = turn((call("find_rooms"), FOUND))
    assert reasons(conversation("Rooms?", turns, tools=[tool("book_room")])) == [
        (None, "unknown_tool", True)
    ]


ODD: list[tuple[str, int | None, Spoiler]] = [
    ("unknown_role", 3, lambda messages: messages.insert(2, said("narrator", "Meanwhile"))),
    ("unknown_role", 3, lambda messages: messages.insert(2, {"text": "no role"})),
    ("more_requests", 7, lambda messages: messages.insert(6, said("user", "And a towel."))),
    ("prose_only", 3, lambda messages: messages.insert(2, said("assistant", "Let me think."))),
    ("results_without_calls", 3, lambda messages: messages.insert(2, said("tool", "[]"))),
    ("no_final", None, lambda messages: messages.pop()),
    ("mended_json", 3, content(2, "<call>[{name: 'find_rooms', arguments: {}}]</call>")),
    ("final_as_call", 7, content(6, '<call>[{"name": "final_answer", "arguments": {}}]</call>')),
]


@pytest.mark.parametrize(("reason", "message", "spoil"), ODD, ids=names(ODD))
def test_what_is_odd_is_read_and_reported(reason: str, message: int | None, spoil: Spoiler) -> None:
    value = two_turns()
    spoil(value["messages"])
    found, notes = read(value)
    assert (message, reason, False) in [(n.message, n.reason, n.skipped) for n in notes]
    assert len(found.turns) == 2


def test_arguments_that_the_schema_refuses_are_reported() -> None:
    tools = [tool("find_rooms", city={"type": "string"})]
    turns = turn((call("find_rooms", city=7), FOUND))
    assert reasons(conversation("7?", turns, tools=tools)) == [(None, "misfit_arguments", False)]


def test_results_in_another_order_find_their_calls() -> None:
    made = [(call("rate", of=name), {"rate": number}) for name, number in (("a", 1), ("b", 2))]
    value = conversation("Rate a and b.", turn(*made))
    entries = json.loads(value["messages"][3]["content"])
    value["messages"][3]["content"] = json.dumps(entries[::-1])
    found, _ = read(value)
    assert [(c.arguments["of"], c.results["rate"]) for c in found.turns[0].calls] == [
        ("a", 1),
        ("b", 2),
    ]


def test_results_without_names_go_by_place() -> None:
    value = two_turns()
    value["messages"][3]["content"] = json.dumps([{"results": FOUND}])
    assert read(value)[0].turns[0].calls[0].results == FOUND


def test_results_that_are_a_json_text_are_read_as_what_they_write() -> None:
    value = conversation("Rooms?", turn((call("find_rooms"), json.dumps(FOUND))))
    assert read(value)[0].turns[0].calls[0].results == FOUND


def test_a_torn_line_is_a_note_and_the_rest_is_read(tmp_path: Path) -> None:
    file = tmp_path / "conversations.jsonl"
    line = json.dumps(two_turns())
    file.write_text(f"\ufeff{line}\r\n\n{line[:99]}\n{line}\n", "utf-8")
    read_in = list(read_file(file))
    assert [found is not None for found, _ in read_in] == [True, False, True]
    assert [(n.line, n.reason) for _, notes in read_in for n in notes] == [(3, "not_json")]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(
    st.lists(
        st.fixed_dictionaries(
            {"role": st.sampled_from(["system", "user", "assistant", "tool"]), "content": JSON}
        ),
        max_size=6,
    )
)
def test_reading_never_raises_and_gives_a_reason(messages: list[dict[str, Any]]) -> None:
    found, notes = read_conversation({"messages": messages}, 1)
    assert found is not None or notes[-1].skipped


@given(JSON)
def test_anything_else_is_no_conversation(value: Any) -> None:
    assert read_conversation(value, 1)[0] is None
