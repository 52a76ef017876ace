"""The arithmetic world: exact results, the order of ties, the notebook and its undoing."""

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import arithmetic


@pytest.fixture
def view() -> View:
    tables = arithmetic.WORLD.tables(7)
    state = State({("arithmetic", table): rows for table, rows in tables.items()})
    return View(state, "arithmetic")


def test_sums_do_not_depend_on_the_order(view: View) -> None:
    assert arithmetic.sum_amounts(view, [0.1, 0.2, 0.3])["total"] == 0.6
    assert arithmetic.sum_amounts(view, [40, 2.5], [2.5, 10]) == {"total": 30, "terms": 4}


def test_amounts_without_a_weight_count_once(view: View) -> None:
    assert arithmetic.average_amounts(view, [10, 20, 30], [4]) == {"mean": 15, "weight": 6}
    with pytest.raises(ToolError, match="3 weights were given for 2 amounts"):
        arithmetic.average_amounts(view, [1, 2], [1, 1, 1])
    with pytest.raises(ToolError, match="add up to 0"):
        arithmetic.average_amounts(view, [1, 2], [0, 0])


@pytest.mark.parametrize(
    ("which", "expected"),
    [
        ("smallest", {"amount": 3, "label": "B", "place": 2}),
        ("largest", {"amount": 9, "label": "A", "place": 1}),
        ("middle", {"amount": 3, "label": "item 3", "place": 3}),
    ],
)
def test_of_equal_amounts_the_first_is_chosen(
    view: View, which: str, expected: dict[str, object]
) -> None:
    assert arithmetic.pick_amount(view, [9, 3, 3, 9], which, ["A", "B"]) == expected


def test_a_change_is_told_in_three_ways(view: View) -> None:
    told = arithmetic.compare_amounts(view, 80, 100)
    assert told == {"difference": 20, "ratio": 1.25, "change_percent": 25}
    with pytest.raises(ToolError, match=r"7\.5 cannot be compared with 0"):
        arithmetic.compare_amounts(view, 0, 7.5)


def test_interest_is_added_as_often_as_asked(view: View) -> None:
    assert arithmetic.compound_interest(view, 1000, 12, 1)["balance"] == 1120
    monthly = arithmetic.compound_interest(view, 1000, 12, 1, "monthly")
    assert monthly == {"balance": 1126.83, "interest": 126.83}


def test_units(view: View) -> None:
    assert arithmetic.convert_distance(view, 10, "miles")["value"] == 6.2137
    told = arithmetic.convert_duration(view, 150, "hours")
    assert told == {"value": 2.5, "unit": "hours", "clock": "2 h 30 min"}


@pytest.mark.parametrize(("direction", "rounded"), [("nearest", 15), ("up", 15), ("down", 10)])
def test_halves_are_rounded_up(view: View, direction: str, rounded: float) -> None:
    assert arithmetic.round_amount(view, 12.5, 5, direction)["rounded"] == rounded


def test_a_label_is_used_once_until_it_is_struck_out(view: View) -> None:
    arithmetic.keep_number(view, "quote for the club", 12.5)
    assert arithmetic.recall_number(view, "quote for the club")["amount"] == 12.5
    with pytest.raises(ToolError, match="'quote for the club' is already in the notebook"):
        arithmetic.keep_number(view, "quote for the club", 13)
    assert arithmetic.forget_number(view, "quote for the club")["amount"] == 12.5
    with pytest.raises(ToolError, match="nothing is noted under 'quote for the club'"):
        arithmetic.recall_number(view, "quote for the club")
