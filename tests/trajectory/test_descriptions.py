"""A desc is a function of call and result, and says no more than they do."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trajectory.values import JSON, TEXTS
from trajectory import canonical
from trajectory.descriptions import describe


@pytest.mark.parametrize(
    ("name", "arguments", "desc"),
    [
        ("find_hotel", {}, "Find hotel ()"),
        ("find_hotel", {"nights": 2.0, "city": "Oslo"}, "Find hotel (city: Oslo, nights: 2)"),
        ("findHotel", {"x": None}, "FindHotel (x: null)"),
        ("buy", {"ids": ["a", 1], "paid": True}, 'Buy (ids: ["a",1], paid: true)'),
        ("buy", {"id": {"$ref": "1"}}, "Buy (id: result of 1)"),
        ("buy", {"id": {"$ref": "1", "path": "a[0].b"}}, "Buy (id: result of 1 at a[0].b)"),
        ("buy", {"id": {"$ref": 1}}, 'Buy (id: {"$ref":1})'),
        ("buy", {"ids": [{"$ref": "1"}]}, 'Buy (ids: [{"$ref":"1"}])'),
        ("buy", ["x", 3], "Buy (x, 3)"),
        ("buy", [], "Buy ()"),
        ("buy", {"$ref": "1"}, "Buy (result of 1)"),
        ("", {}, " ()"),
    ],
)
def test_a_call_is_told_by_its_tool_and_arguments(name: str, arguments: Any, desc: str) -> None:
    assert describe(name, arguments) == desc


@pytest.mark.parametrize(
    ("results", "text"),
    [
        ({"b": 25.0, "a": "ü"}, '{"a":"ü","b":25}'),
        ("Error: no such city", '"Error: no such city"'),
        (None, "null"),
        ("", '""'),
        ([], "[]"),
    ],
)
def test_a_result_is_told_behind_the_call(results: Any, text: str) -> None:
    assert describe("buy", {"x": 1}, results) == f"Buy (x: 1). Result: {text}"


NAMES = st.text(st.characters(), max_size=8)
ARGUMENTS = st.dictionaries(TEXTS, JSON, max_size=4) | st.lists(JSON, max_size=3) | JSON


@given(NAMES, ARGUMENTS, JSON)
def test_one_call_and_result_have_one_desc_however_they_are_written(
    name: str, arguments: Any, results: Any
) -> None:
    read_again = canonical.loads(canonical.dumps(arguments))
    assert describe(name, read_again) == describe(name, arguments)
    assert describe(name, read_again, canonical.loads(canonical.dumps(results))) == describe(
        name, arguments, results
    )


@given(NAMES, ARGUMENTS, JSON)
def test_the_result_of_a_desc_is_the_result(name: str, arguments: Any, results: Any) -> None:
    before, after = describe(name, arguments), describe(name, arguments, results)
    assert after.startswith(before)
    told = after.removeprefix(before).removeprefix(". Result: ")
    assert canonical.same(canonical.loads(told), results)
