"""Plans are the same but for names: ids and listing order say nothing, everything else does."""

from typing import Any

import pytest

from trajectory.plan import Plan, read_plan
from trajectory.renaming import same_but_for_names


def _plan(tasks: list[dict[str, Any]]) -> Plan:
    return read_plan({"tasks": tasks})


LOOK = {"id": "1", "name": "find", "para": {"city": "Oslo"}, "dep": ["root"]}
BOOK = {"id": "2", "name": "book", "para": {"id": {"$ref": "1", "path": "a[0]"}}, "dep": ["1"]}
END = {"id": "response", "dep": ["2"]}
GOLD = _plan([LOOK, BOOK, END])


def test_other_names_another_order_and_another_path_are_the_same() -> None:
    look = {**LOOK, "id": "x", "dep": []}
    book = {**BOOK, "id": "y", "para": {"id": {"$ref": "x"}}, "dep": ["x", "root"]}
    assert same_but_for_names(GOLD, _plan([{**END, "dep": ["y"]}, book, look]))


@pytest.mark.parametrize(
    "tasks",
    [
        [LOOK, {**BOOK, "para": {"id": "h-1"}}, END],
        [{**LOOK, "para": {"city": "Rome"}}, BOOK, END],
        [LOOK, {**BOOK, "name": "cancel"}, END],
        [LOOK, LOOK | {"id": "3"}, BOOK, END],
        [LOOK, END | {"dep": ["1"]}],
        [LOOK, {"id": "3", "name": "wait", "dep": []}, BOOK | {"dep": ["1", "3"]}, END],
    ],
)
def test_another_value_tool_call_or_edge_is_another_plan(tasks: list[dict[str, Any]]) -> None:
    assert not same_but_for_names(GOLD, _plan(tasks))


def test_an_edge_that_another_way_implies_counts_as_absent() -> None:
    third = {"id": "3", "name": "tell", "para": {"x": {"$ref": "2"}}, "dep": ["2"]}
    end = {**END, "dep": ["3"]}
    with_shortcut = {**third, "dep": ["1", "2"]}
    assert same_but_for_names(
        _plan([LOOK, BOOK, third, end]), _plan([LOOK, BOOK, with_shortcut, end])
    )
