import json

from build.button.conversation import Conversation, read_conversation
from build.button.writing import write_button
from build.gold import Gold
from trajectory import canonical


def read(gold: Gold, *, parallel: bool = True) -> Conversation:
    written = json.loads(json.dumps(write_button(gold, parallel=parallel)))
    found, notes = read_conversation(written, 1)
    assert notes == []
    assert found is not None
    return found


def test_what_is_written_is_read_without_a_note(golds: list[Gold]) -> None:
    for gold in golds:
        found = read(gold)
        assert found.query == gold.query
        assert canonical.same(found.tools, gold.tools)
        assert found.parallel is True
        assert found.final
        assert [[(c.name, c.arguments, c.results) for c in turn.calls] for turn in found.turns] == [
            [(c.name, c.arguments, c.results) for c in calls] for calls in gold.calls
        ]


def test_one_at_a_time_each_turn_holds_one_call(golds: list[Gold]) -> None:
    for gold in golds:
        found = read(gold, parallel=False)
        assert found.parallel is False
        assert [len(turn.calls) for turn in found.turns] == [1] * gold.calls_gt


def test_roles_and_tags_are_the_published_ones(golds: list[Gold]) -> None:
    messages = write_button(golds[0])["messages"]
    rounds = len(golds[0].calls)
    assert [message["role"] for message in messages] == [
        *("system", "user"),
        *["assistant", "tool"] * rounds,
        "assistant",
    ]
    assert all(set(message) == {"role", "content"} for message in messages)
    assert "<tool>" in messages[0]["content"]
    assert "<call>" in messages[2]["content"]
    assert messages[-1]["content"].endswith("</final>")


def test_the_words_tell_what_depends_on_what_only_when_asked(golds: list[Gold]) -> None:
    for gold in golds:
        plain, named = write_button(gold), write_button(gold, named=True)
        tools = {call.name for calls in gold.calls for call in calls}
        for index in range(2, len(plain["messages"]) - 1, 2):
            prose = plain["messages"][index]["content"].partition("<call>")[0]
            own = {call.name for call in gold.calls[index // 2 - 1]}
            assert not any(f" {name} " in prose for name in tools - own)
        assert plain["messages"][2] == named["messages"][2]
        assert plain["messages"][4] != named["messages"][4]


def test_writing_is_deterministic(golds: list[Gold]) -> None:
    assert json.dumps(write_button(golds[0])) == json.dumps(write_button(golds[0]))
