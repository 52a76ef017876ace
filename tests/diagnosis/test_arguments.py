"""Errors of arguments, each on one call: names inside and around objects above all."""

from typing import Any

import pytest

from diagnosis.arguments import Difference, differences
from trajectory.references import Reference, follow, reference
from trajectory.tools import Tool

LINE = {
    "type": "object",
    "properties": {
        "item": {"type": "string"},
        "count": {"type": "integer"},
        "note": {"type": "string"},
    },
    "required": ["item", "count"],
    "additionalProperties": False,
}
TOOL = Tool(
    "order",
    "Order.",
    {
        "type": "object",
        "properties": {
            "who": {"type": "string"},
            "first": LINE,
            "lines": {"type": "array", "items": LINE},
            "express": {"type": "boolean"},
        },
        "required": ["who", "first", "lines"],
        "additionalProperties": False,
    },
)
RIGHT: dict[str, Any] = {
    "who": "Ada",
    "first": {"item": "pen", "count": 2},
    "lines": [{"item": "cup", "count": 3}, {"item": "mug", "count": 3}],
    "express": True,
}
RESULTS = {"1": {"line": {"item": "pen", "size": 1}, "name": "Ada"}}


def found(**changes: Any) -> list[Difference]:
    """The differences after changes; a change to None takes the argument out."""
    changed = {**RIGHT, **changes}
    return judged({name: value for name, value in changed.items() if value is not None})


def judged(got: Any) -> list[Difference]:
    return list(differences(TOOL, got, RIGHT, (), value_of))


def value_of(one: Reference) -> Any:
    return follow(RESULTS[one.node or ""], one.path)


def test_right_arguments_do_not_differ() -> None:
    assert found() == []
    assert found(first={"count": 2.0, "item": "pen"}) == []


@pytest.mark.parametrize(
    ("changes", "type_"),
    [
        ({"first": {"item": "pen", "amount": 2}}, "Parameter_Error"),
        ({"lines": [{"item": "cup", "n": 3}, RIGHT["lines"][1]]}, "Parameter_Error"),
        ({"lines": [{"item": "cup", "n": 3}, {"item": "mug", "n": 3}]}, "Parameter_Error"),
        ({"first": {"item": "pen"}}, "Parameter_Missing"),
        ({"lines": [{"item": "cup"}, RIGHT["lines"][1]]}, "Parameter_Missing"),
        ({"first": {"item": "pen", "count": "2"}}, "Type_Error"),
        ({"first": "result of task 1"}, "Type_Error"),
        ({"lines": RIGHT["first"]}, "Type_Error"),
        ({"who": reference("1")}, "Type_Error"),
        ({"first": {"item": "pen", "count": 3}}, "Parameter_Invalid"),
        ({"lines": [RIGHT["lines"][0]]}, "Parameter_Invalid"),
        # A known name for another's value is no unknown one, a key too many renames nothing.
        ({"first": {"note": "pen", "count": 2}}, "Parameter_Invalid"),
        ({"first": {"item": "pen", "count": 2, "size": 1}}, "Parameter_Invalid"),
        ({"first": reference("1", "line")}, "Parameter_Invalid"),
        ({"who": reference("1", "nothing")}, "Parameter_Invalid"),
    ],
)
def test_an_argument_is_judged_inside(changes: dict[str, Any], type_: str) -> None:
    (name,) = changes
    (one,) = found(**changes)
    assert (one.type, one.parameter) == (type_, name)
    assert one.observed == {name: changes[name]}
    assert one.expected == {name: RIGHT[name]}


def test_a_renamed_argument_is_one_error() -> None:
    (one,) = found(who=None, customer="Ada")
    assert one == ("Parameter_Error", "who", {"customer": "Ada"}, {"who": "Ada"})


def test_fields_without_their_outer_name_are_one_error() -> None:
    (one,) = found(first=None, item="pen", count=2)
    observed = {"count": 2, "item": "pen"}
    assert one == ("Parameter_Error", "first", observed, {"first": RIGHT["first"]})


def test_arguments_under_an_invented_outer_name_are_one_error() -> None:
    (one,) = found(express=None, options={"express": True})
    assert one == (
        "Parameter_Error", "express", {"options": {"express": True}}, {"express": True},
    )  # fmt: skip
    (whole,) = judged({"arguments": RIGHT})
    assert whole == ("Parameter_Error", None, {"arguments": RIGHT}, RIGHT)


def test_a_value_that_is_not_the_right_one_is_not_renamed() -> None:
    kinds = [(one.type, one.parameter) for one in found(who=None, customer="Bob")]
    assert kinds == [("Parameter_Error", "customer"), ("Parameter_Missing", "who")]
    kinds = [(one.type, one.parameter) for one in found(first=None, item="pen", count=9)]
    assert ("Parameter_Missing", "first") in kinds


def test_positional_arguments_are_one_error() -> None:
    (one,) = judged(["Ada", 2])
    assert one == ("Parameter_Error", None, {"": ["Ada", 2]}, RIGHT)


def test_what_is_part_of_another_error_is_left_out() -> None:
    got = {**RIGHT, "who": "Bob"}
    assert list(differences(TOOL, got, RIGHT, {"who"}, value_of)) == []
