"""The search for a shorter way: it finds one where there is one, and none where there is none."""

from dataclasses import replace

import pytest

from diagnosis.shortest import GoldCall, gold_rounds, key_of, shorter_way, typed
from environment.simulation import base_tables, setting
from environment.state import State, View
from environment.world import WorldTool
from environment.worlds import world

PLACE = setting(["travel"], 7)
TOOLS = world("travel").tools


def _state() -> State:
    return State(base_tables(PLACE))


def _call(tool: WorldTool, *, asked: bool, **arguments: object) -> GoldCall:
    result = tool.body(View(_state(), "travel"), **arguments)
    return GoldCall(tool, tuple(key_of(value) for value in arguments.values()), result, asked)


SAID = [
    typed("city", "Paris"),
    typed("date", "2026-03-10"),
    typed("count", 2),
    typed("person", "Ada Abara"),
]
STAY = {"check_in": "2026-03-10", "nights": 2}


@pytest.fixture
def hotel() -> str:
    found = TOOLS["find_hotels"].body(View(_state(), "travel"), city="Paris", **STAY)
    return str(found["hotels"][0]["hotel_id"])


def test_nothing_is_shorter_than_looking_up_and_booking(hotel: str) -> None:
    gold = [
        _call(TOOLS["find_hotels"], asked=False, city="Paris", **STAY),
        _call(TOOLS["book_room"], asked=True, hotel_id=hotel, guest="Ada Abara", **STAY),
    ]
    assert shorter_way(list(TOOLS.values()), SAID, gold, _state()) is None


def test_a_call_whose_value_the_request_says_is_needless(hotel: str) -> None:
    gold = [
        _call(TOOLS["find_hotels"], asked=False, city="Paris", **STAY),
        _call(TOOLS["describe_hotel"], asked=False, hotel_id=hotel),
        _call(TOOLS["find_hotels"], asked=True, city="Paris", check_in="2026-03-10", nights=2),
    ]
    found = shorter_way(list(TOOLS.values()), SAID, gold, _state())
    assert found is not None
    assert "1 rounds of calls instead of 2" in found


def test_a_detour_over_another_tool_is_found(hotel: str) -> None:
    gold = [
        _call(TOOLS["find_hotels"], asked=False, city="Paris", **STAY),
        _call(TOOLS["describe_hotel"], asked=False, hotel_id=hotel),
        _call(TOOLS["book_room"], asked=True, hotel_id=hotel, guest="Ada Abara", **STAY),
    ]
    assert shorter_way(list(TOOLS.values()), SAID, gold, _state()) is not None


def test_what_a_call_gives_back_of_its_arguments_is_no_way_to_have_them(hotel: str) -> None:
    cities = {"city": "Paris", **STAY}
    again = {"hotel_id": hotel, "guest": "Ada Abara", **STAY}
    booked = _call(TOOLS["book_room"], asked=True, **again)
    echo = replace(booked, result={**booked.result, "hotel_id": hotel})
    gold = [_call(TOOLS["find_hotels"], asked=False, **cities), echo]
    assert shorter_way(list(TOOLS.values()), SAID, gold, _state()) is None


def test_a_call_that_waits_for_an_effect_runs_a_round_later() -> None:
    booked = _call(TOOLS["find_hotels"], asked=True, city="Paris", **STAY)
    after = replace(booked, needs=(key_of("Paris"),), after=(0,))
    assert gold_rounds(SAID, [booked, after]) == 2
    assert shorter_way(list(TOOLS.values()), SAID, [booked, after], _state()) is None


def test_a_gold_call_that_needs_what_nothing_gives_is_an_error(hotel: str) -> None:
    gold = [_call(TOOLS["describe_hotel"], asked=True, hotel_id=hotel)]
    with pytest.raises(ValueError, match="nothing gives"):
        shorter_way(list(TOOLS.values()), SAID, gold, _state())


def test_keys_tell_true_from_one_and_not_25_from_25_0() -> None:
    assert key_of(25) == key_of(25.0)
    assert key_of(True) != key_of(1)
    assert key_of("1") != key_of(1)
    assert key_of([1, {"a": 2.0}]) == key_of([1.0, {"a": 2}])
