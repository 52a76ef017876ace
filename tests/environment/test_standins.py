from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from environment.standins import stand_in
from trajectory import canonical
from trajectory.calls import call_outcome
from trajectory.tools import Tool, read_tools


def tool(name: str, description: str = "Does it.") -> Tool:
    parameters = {"x": {"type": "number"}}
    return read_tools([{"name": name, "description": description, "parameters": parameters}]).tools[
        0
    ]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("check_oven", bool),
        ("calculateDistance", float),
        ("get_item_price", float),
        ("fetch_delivery_date", str),
        ("search_hotels", list),
        ("getBookings", list),
        ("get_weather", str),
        ("SendEmail", dict),
        ("x", dict),
        ("___", dict),
    ],
)
def test_the_name_decides_the_kind_of_value(name: str, kind: type) -> None:
    result = stand_in(tool(name), {"x": 1})
    assert result["stand_in"] is True
    assert result["tool"] == name
    assert isinstance(result["value"], kind)


def test_the_same_call_gives_the_same_and_another_call_or_tool_another() -> None:
    plain = stand_in(tool("get_code"), {"x": 25})
    assert plain == stand_in(tool("get_code"), {"x": 25.0})
    assert plain != stand_in(tool("get_code"), {"x": 26})
    assert plain != stand_in(tool("get_code", "Another."), {"x": 25})


def test_values_are_frozen() -> None:
    # They must be the same on every machine and in every version.
    assert stand_in(tool("get_code"), {"x": 1})["value"] == "code 4256"
    assert stand_in(tool("get_price"), {"x": 1})["value"] == 350.56


@given(
    st.text(min_size=1),
    st.dictionaries(st.text(), st.integers() | st.text() | st.lists(st.none())),
)
def test_every_stand_in_is_a_result_that_went_well(name: str, arguments: dict[str, Any]) -> None:
    result = stand_in(tool(name), arguments)
    assert call_outcome(result) == "ok"
    assert canonical.loads(canonical.dumps(result)) == result
