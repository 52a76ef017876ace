"""A desc is a function of the result, and says no more than it."""

from typing import Any

import pytest
from hypothesis import given

from tests.trajectory.values import JSON
from trajectory import canonical
from trajectory.descriptions import describe


def test_before_a_call_has_run_nothing_is_told_of_it() -> None:
    assert describe() == ""


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
def test_a_result_is_told_once_there_is_one(results: Any, text: str) -> None:
    assert describe(results) == f"Result: {text}"


@given(JSON)
def test_a_result_has_one_desc_however_it_is_written(results: Any) -> None:
    read_again = canonical.loads(canonical.dumps(results))
    assert describe(read_again) == describe(results)
    assert canonical.same(canonical.loads(describe(results).removeprefix("Result: ")), results)
