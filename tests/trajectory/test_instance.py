"""An instance keeps its value on every way through the data set, and shows a model five fields."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trajectory.values import JSON, TEXTS, to_the_letter
from trajectory import canonical
from trajectory.instance import (
    FIELDS,
    JSON_FIELDS,
    VISIBLE_FIELDS,
    Instance,
    digest,
    from_record,
    from_row,
    to_record,
    to_row,
    view,
)

INSTANCE = Instance(
    id="L1-hand-000001",
    level=1,
    source="augmented",
    agent="",
    edition="1",
    query_id="q-1",
    query="Book a hotel in Oslo — 2 nights.",
    tools=[{"name": "book", "parameters": {"nights": {"type": "number"}}, "required": []}],
    plan={"tasks": [{"id": "1", "name": "book", "para": {"nights": 2.0}, "dep": ["root"]}]},
    tool_results=[{"node": "1", "name": "book", "arguments": {}, "results": "Error: °"}],
    history=[],
    rounds_gt=2,
    calls_gt=1,
    rounds_opt=3,
    calls_opt=None,
    error_types=("Parameter_Missing",),
    error_reason="The number of nights is missing.",
    errors=[{"type": "Parameter_Missing", "root_cause": "1", "expected": 2}],
    repairs=[[{"op": "set_argument", "node": "1", "errors": [0]}]],
    gold_plan=None,
    goal={"calls": [], "state": "0" * 64},
    faults=[],
    environment={"world": "hotels", "seed": 123456789012345678901234567890},
    proof="full",
    canary="canary",
)
# Frozen: data sets are known by the digests of their instances.
DIGEST = "b68796012eb7e4553454792438c23937cf45bcfb81fbef2906b8b7f4387f2e8e"

COUNTS = st.none() | st.integers(0, 40)
INSTANCES = st.builds(
    Instance,
    **dict.fromkeys(["id", "source", "agent", "edition", "query_id", "query", "proof"], TEXTS),
    **dict.fromkeys(JSON_FIELDS, JSON),
    **dict.fromkeys(["rounds_gt", "calls_gt", "rounds_opt", "calls_opt"], COUNTS),
    level=st.integers(1, 2),
    error_types=st.lists(TEXTS, max_size=3).map(tuple),
    error_reason=TEXTS,
    canary=TEXTS,
)


def test_a_digest_is_the_same_on_every_machine_and_in_every_year() -> None:
    assert digest(INSTANCE) == DIGEST


@pytest.mark.parametrize("name", FIELDS)
def test_a_digest_tells_every_field(name: str) -> None:
    changed: dict[str, Any] = {name: "changed"}
    assert digest(replace(INSTANCE, **changed)) != DIGEST


def test_a_digest_tells_unknown_from_nothing() -> None:
    digests = {digest(replace(INSTANCE, rounds_gt=value)) for value in (None, 0, 1)}
    assert len(digests) == 3


def test_a_digest_does_not_tell_how_a_value_is_written() -> None:
    plan = {"tasks": [{"dep": ["root"], "para": {"nights": 2}, "name": "book", "id": "1"}]}
    assert digest(replace(INSTANCE, plan=plan)) == DIGEST
    types = ["Parameter_Missing"]
    assert digest(from_record({**to_record(INSTANCE), "error_types": types})) == DIGEST


@given(INSTANCES)
def test_a_record_is_read_as_it_was_written(instance: Instance) -> None:
    record = to_record(instance)
    assert list(record) == list(FIELDS)
    assert from_record(record) == instance
    assert from_record(json.loads(json.dumps(record))) == instance


@given(INSTANCES)
def test_a_row_is_read_as_it_was_written(instance: Instance) -> None:
    row = to_row(instance)
    assert list(row) == list(FIELDS)
    read = from_row(row)
    assert to_the_letter(to_record(read)) == to_the_letter(canonical.normal(to_record(instance)))
    assert to_row(read) == row
    assert digest(read) == digest(instance)


@given(INSTANCES)
def test_a_row_holds_texts_counts_and_one_list_of_texts(instance: Instance) -> None:
    row = to_row(instance)
    assert isinstance(row.pop("error_types"), list)
    assert {type(value) for value in row.values()} <= {str, int, type(None)}
    for name in JSON_FIELDS:
        assert canonical.dumps(canonical.loads(row[name])) == row[name]


@pytest.mark.parametrize("name", FIELDS)
def test_a_missing_column_is_an_error(name: str) -> None:
    row = to_row(INSTANCE)
    del row[name]
    with pytest.raises(KeyError, match=name):
        from_row(row)
    with pytest.raises(KeyError, match=name):
        from_record(row)


def test_further_columns_are_left_alone() -> None:
    row = {**to_row(INSTANCE), "more": 1}
    assert from_row(row) == INSTANCE
    assert row["plan"] == to_row(INSTANCE)["plan"]


@pytest.mark.parametrize("text", ["", "{", "[NaN]", "None"])
def test_a_column_that_holds_no_json_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        from_row({**to_row(INSTANCE), "goal": text})


def test_a_model_sees_five_fields_and_no_word_of_another() -> None:
    secrets: dict[str, Any] = {name: f"secret of {name}" for name in FIELDS}
    shown = view(replace(INSTANCE, **secrets))
    assert shown == {name: secrets[name] for name in VISIBLE_FIELDS}
    assert set(shown) == {"query", "tools", "plan", "tool_results", "history"}
