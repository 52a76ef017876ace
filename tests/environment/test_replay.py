from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from environment.executor import Request
from environment.faults import Fault
from environment.ledger import Ledger
from environment.replay import RECORDED, Replay, recorded_value, replay_of
from environment.retracing import retraced
from trajectory.calls import Call, call_outcome
from trajectory.files import InputError
from trajectory.tools import read_tools

CATALOGUE = read_tools(
    [
        {
            "name": "find_shop",
            "description": "Finds shops.",
            "parameters": {"city": {"type": "string"}, "radius": {"type": "number"}},
            "required": ["city"],
        },
        {
            "name": "mail",
            "description": "Sends mail.",
            "parameters": {"to": {"type": "array"}, "text": {"type": "string"}},
            "required": ["to"],
        },
        {
            "name": "mail",
            "description": "Sends one.",
            "parameters": {"address": {"type": "string"}},
        },
    ]
)


def replay(*records: tuple[str, str, Any, Any], calls: Sequence[Call] = ()) -> Replay:
    ledger = Ledger()
    for node, tool, arguments, result in records:
        ledger.record(node, tool, arguments, 1, result)
    return Replay(CATALOGUE, ledger, calls)


def result(environment: Replay, tool: str, arguments: Any, problem: str | None = None) -> Any:
    return environment.run([Request("9", tool, arguments, problem)])[0]


def test_a_recorded_call_is_replayed_by_its_canonical_text() -> None:
    environment = replay(("1", "find_shop", {"city": "Rome", "radius": 25}, "Three shops"))
    assert result(environment, "find_shop", {"radius": 25.0, "city": "Rome"}) == "Three shops"
    assert result(environment, "find_shop", {"city": "Rome"})["stand_in"] is True


def test_the_arguments_as_recorded_count_too_but_the_plans_come_first() -> None:
    sent = {"city": "Rome"}
    calls = [Call("1", "find_shop", sent, "one"), Call("2", "find_shop", {"city": "Bari"}, "two")]
    environment = replay(
        ("1", "find_shop", ["Rome"], "one"),
        ("3", "find_shop", {"city": "Bari"}, "three"),
        calls=calls,
    )
    assert result(environment, "find_shop", sent) == "one"
    assert result(environment, "find_shop", ["Rome"]) == "one"
    assert result(environment, "find_shop", {"city": "Bari"}) == "three"


def test_of_several_records_the_last_success_is_replayed_else_the_last() -> None:
    call = ("find_shop", {"city": "Rome"})
    mended = replay(
        ("1", *call, "Error: timeout"), ("2", *call, "ok"), ("3", *call, "Error: again")
    )
    assert result(mended, *call) == "ok"
    failing = replay(("1", *call, "Error: timeout"), ("2", *call, "Error: again"))
    assert result(failing, *call) == "Error: again"


def test_what_is_recorded_is_not_judged() -> None:
    environment = replay(
        ("1", "no_such_tool", {}, "Error: unknown tool"), ("2", "mail", {"to": 1}, "Sent.")
    )
    assert result(environment, "no_such_tool", {}) == "Error: unknown tool"
    assert result(environment, "mail", {"to": 1}) == "Sent."
    assert result(environment, "mail", {"to": 1}, "a reference is wrong") == "Sent."


def test_other_calls_are_judged_in_order_tool_references_schema() -> None:
    environment = replay()
    unknown = result(environment, "find_shops", {"city": 1}, "a reference is wrong")
    assert "'find_shops'" in unknown["error"]
    assert "did you mean 'find_shop'" in unknown["error"]
    reference = result(environment, "find_shop", {"city": 1}, "reference in parameter 'city': no")
    assert reference == {"error": "reference in parameter 'city': no"}
    schema = result(environment, "find_shop", {"city": 1})
    assert schema == {"error": "parameter 'city': got 1 (integer), wanted string"}
    assert "'radius'" in result(environment, "find_shop", {"city": "Rome", "radius": "x"})["error"]


def test_of_tools_with_one_name_the_best_fitting_judges() -> None:
    assert result(replay(), "mail", {"address": "a@b.example"})["stand_in"] is True
    assert result(replay(), "mail", {"to": []})["stand_in"] is True


def test_words_for_the_result_of_a_node_that_ran_are_not_judged_as_a_value() -> None:
    environment = replay(("1", "find_shop", {"city": "Rome"}, "Three shops"))
    assert result(environment, "mail", {"to": "output_of_task1"})["stand_in"] is True
    assert result(environment, "mail", {"to": ["任务1的输出"]})["stand_in"] is True
    assert "'to'" in result(environment, "mail", {"to": "output_of_task2"})["error"]
    # A wrong name stays wrong, whatever stands under it.
    assert "'too'" in result(environment, "mail", {"too": "output_of_task1"})["error"]


def test_words_for_a_result_are_words_until_that_node_has_run() -> None:
    environment = replay()
    consumer = Request("2", "mail", {"to": "output_of_task1"})
    first, second = environment.run([Request("1", "find_shop", {"city": "Rome"}), consumer])
    assert (call_outcome(first), call_outcome(second)) == ("ok", "failed")
    assert call_outcome(environment.run([consumer])[0]) == "ok"


def test_a_reference_in_the_releases_own_words_is_excused_and_no_other() -> None:
    environment = replay(("1", "find_shop", {"city": "Rome"}, "Three shops"))
    problem = "reference in parameter 'to' to node '1.output': node '2' does not depend on it"
    assert result(environment, "mail", {"to": {"$ref": "1.output"}}, problem)["stand_in"] is True
    assert result(environment, "mail", {"to": {"$ref": "1"}}, problem) == {"error": problem}
    mixed = {"to": {"$ref": "1.output"}, "text": {"$ref": "1", "path": "a"}}
    assert result(environment, "mail", mixed, problem) == {"error": problem}


def test_a_text_that_writes_an_object_or_a_list_is_read_so_that_paths_lead_in() -> None:
    assert recorded_value('{"a": [1]}') == {"a": [1]}
    assert recorded_value("['a', None]") == ["a", None]
    assert recorded_value("[not, a, list") == "[not, a, list"
    assert recorded_value("25") == "25"
    assert recorded_value("") == ""
    assert recorded_value(None) is None


ROME = {"city": "Rome"}


def recorded(*faults: Fault) -> Replay:
    calls = [{"name": "find_shop", "arguments": ROME, "results": {"shop": "S-1"}}]
    return replay_of({RECORDED: calls}, CATALOGUE, faults)


def test_a_fault_answers_a_call_that_would_reach_its_tool_recorded_or_not() -> None:
    environment = recorded(Fault("find_shop", 2, 1, "timeout"))
    assert result(environment, "find_shop", {"city": 1})["error"].startswith("parameter 'city'")
    assert result(environment, "find_shop", ROME) == {"shop": "S-1"}
    assert result(environment, "find_shop", {"city": "Bari"})["error"].startswith("timeout: ")
    assert result(environment, "find_shop", ROME) == {"shop": "S-1"}
    assert environment.tried == {"find_shop": 3}


def test_a_copy_goes_its_own_way() -> None:
    environment = recorded(Fault("find_shop", 1, 1, "null"))
    copy = environment.fork()
    assert result(copy, "find_shop", ROME) is None
    assert (environment.tried, copy.tried) == ({}, {"find_shop": 1})
    assert result(environment, "find_shop", ROME) is None


def test_without_words_a_text_is_a_value() -> None:
    environment = recorded()
    environment.run([Request("1", "find_shop", ROME)])
    assert "'to'" in result(environment, "mail", {"to": "output_of_task1"})["error"]


def test_what_ran_is_run_again_and_must_give_the_same() -> None:
    ledger = Ledger()
    ledger.record("1", "find_shop", ROME, 1, None)
    ledger.record("2", "find_shop", ROME, 2, {"shop": "S-1"})
    fault = Fault("find_shop", 1, 1, "null")
    assert retraced(recorded(fault), ledger).tried == {"find_shop": 2}
    with pytest.raises(InputError, match="node '1' gives another result"):
        retraced(recorded(), ledger)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.just("$ref"), inner),
    max_leaves=8,
)


@given(st.sampled_from(["find_shop", "mail", "", "other"]), JSON, st.none() | st.text())
def test_it_never_raises_and_is_the_same_again(tool: str, arguments: Any, problem: str) -> None:
    first = result(replay(("1", "mail", {}, "x")), tool, arguments, problem)
    assert result(replay(("1", "mail", {}, "x")), tool, arguments, problem) == first
