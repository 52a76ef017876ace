"""A desc is a function of tool and result, and says no more than they do."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trajectory.values import JSON
from trajectory import canonical
from trajectory.descriptions import describe


@pytest.mark.parametrize(
    ("name", "desc"),
    [
        ("find_hotel", "Find hotel"),
        ("getWeather", "GetWeather"),
        ("éclair_order", "Éclair order"),
        ("_", ""),
        ("", ""),
    ],
)
def test_a_call_is_told_by_its_tool(name: str, desc: str) -> None:
    assert describe(name) == desc


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
    assert describe("buy", results) == f"Buy. Result: {text}"


NAMES = st.text(st.characters(), max_size=8)


@given(NAMES, JSON)
def test_a_result_has_one_desc_however_it_is_written(name: str, results: Any) -> None:
    read_again = canonical.loads(canonical.dumps(results))
    assert describe(name, read_again) == describe(name, results)


@given(NAMES, JSON)
def test_the_result_of_a_desc_is_the_result(name: str, results: Any) -> None:
    before, after = describe(name), describe(name, results)
    assert after.startswith(before)
    told = after.removeprefix(before).removeprefix(". Result: ")
    assert canonical.same(canonical.loads(told), results)
