"""Right in type, and illegal for the tool or untrue to request and results."""

from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from build.gold import Gold
from build.injectors.illegal import ILLEGAL
from build.injectors.parameter_invalid import INJECTOR, _is_said
from build.injectors.scene import Scene
from build.injectors.slots import Slot
from build.injectors.untrue import UNTRUE
from build.stages import stage_of
from diagnosis.labels import labels
from environment.meanings import say_date
from environment.world import Parameter, integer
from tests.build.injectors.conftest import (
    Tried,
    claimed,
    first_scene,
    hows,
    labelled,
    retried,
    tried,
    tried_in,
)
from trajectory.arguments import find_faults
from trajectory.plan import Node
from trajectory.references import reference, references

# Few tasks have times, truth values or addresses.
RARE = {
    *("impossible_time", "time_in_another_form", "another_time", "flipped"),
    *("bad_address", "another_address"),
}


@pytest.fixture(scope="module")
def found(golds: list[Gold]) -> list[Tried]:
    return list(tried(INJECTOR, golds))


def observed(one: Tried) -> tuple[str, Any, Any]:
    (label,) = labels(one.after.case(one.after.run.ledger))
    name = label.parameter or ""
    return name, label.observed[name], label.expected[name]


def test_labels_tell_what_was_put_in(found: list[Tried]) -> None:
    assert hows(found) >= {*ILLEGAL, *UNTRUE} - RARE
    for one in found:
        assert labelled(one.after) == claimed(one)


def test_labels_tell_it_beside_a_retry_as_well(golds: list[Gold]) -> None:
    for one in tried_in(INJECTOR, retried(map(first_scene, golds[:8]))):
        assert labelled(one.after) == claimed(one)


def test_much_of_it_goes_unnoticed_by_the_tool(found: list[Tried]) -> None:
    outcomes = [one.after.run.ledger.last(one.place.node) for one in found]
    unnoticed = sum(last is not None and last.outcome == "ok" for last in outcomes)
    assert len(found) / 4 < unnoticed < len(found) * 3 / 4


def test_no_wrong_value_goes_through_a_call_that_cannot_be_taken_back(found: list[Tried]) -> None:
    final = 0
    for one in found:
        last = one.after.run.ledger.last(one.place.node)
        assert last is not None
        tool = one.scene.stage.world_tools[last.tool]
        if tool.has_effect and tool.undo is None:
            final += 1
            assert last.outcome == "failed", (one.injection, last.result)
    assert final


def test_the_request_says_no_untrue_value(found: list[Tried]) -> None:
    for one in found:
        name, value, true = observed(one)
        if isinstance(value, str) and value != true:
            words = (value, say_date(value))
            query = one.scene.stage.gold.query
            assert not any(f" {text} " in f" {query} " for text in words), (name, value)


def test_a_reference_is_to_a_call_before(found: list[Tried]) -> None:
    for one in found:
        above = one.after.found.ancestors(one.place.node)
        for ref in references(one.after.plan.by_id[one.place.node].para):
            assert ref.node in above


def test_references_go_astray_and_give_way_to_guesses(found: list[Tried]) -> None:
    for one in found:
        _, value, true = observed(one)
        if one.injection.how in {"another_entry", "another_field", "another_result"}:
            assert any(references(value))
            assert any(references(true))
        if one.injection.how == "result_for_words":
            assert len(list(references(value))) == len(list(references(true))) + 1
        if one.injection.how == "hard_coded":
            assert len(list(references(value))) == len(list(references(true))) - 1


def test_where_only_schemas_are_known_they_have_to_forbid_it(golds: list[Gold]) -> None:
    scenes = (Scene(replace(stage_of(gold), world_tools={}), gold.plan) for gold in golds[:10])
    several = list(tried_in(INJECTOR, scenes))
    assert len(hows(several)) >= 5
    for one in several:
        node = one.after.plan.by_id[one.place.node]
        last = one.after.run.ledger.last(node.id)
        assert last is not None
        unresolved = any(references(last.arguments))
        assert unresolved or find_faults(one.scene.tool(node), last.arguments)


def test_the_same_draws_give_the_same_values(golds: list[Gold]) -> None:
    first, again = (list(tried(INJECTOR, golds[:5], seed=3)) for _ in range(2))
    assert [one.injection for one in first] == [one.injection for one in again]


def test_what_the_request_says_is_known_by_its_words(golds: list[Gold]) -> None:
    first = first_scene(golds[0])
    gold = replace(golds[0], query="Three nights from 2 May 2026 in Oslo, 4 stars, the cheapest.")
    scene = Scene(replace(first.stage, gold=gold), gold.plan)
    says = {'"price"': "cheapest"}
    text = Parameter({"type": "string"}, "city", says=says)
    spoken = slot("x", means=text)
    assert all(_is_said(scene, spoken, value) for value in ("Oslo", "2026-05-02", 4, "price"))
    assert not any(_is_said(scene, spoken, value) for value in ("Os", "2026-05-03", 40, "cost"))


def slot(value: Any, means: Parameter | None = None, **schema: Any) -> Slot:
    node = Node("2", "find", {"order": value})
    return Slot(node, ("order",), schema, means, value, value)


@pytest.mark.parametrize(
    ("how", "spoilt", "new"),
    [
        ("impossible_day", slot("2026-05-14"), "2026-05-32"),
        ("day_in_another_form", slot("2026-05-14"), "14/05/2026"),
        ("impossible_time", slot("09:30"), "09:75"),
        ("time_in_another_form", slot("21:05"), "9:05 pm"),
        ("out_of_range", slot(3, minimum=1, maximum=14), 15),
        ("out_of_range", slot(3, minimum=1, maximum=14), 0),
        ("not_positive", slot(3), -3),
        ("not_an_option", slot("best_rated", enum=["best_rated"]), "best rated"),
        ("bad_address", slot("ana.ek@example.com", type="string"), "ana.ek@@example.com"),
        ("another_address", slot("ana.ek@example.com", type="string"), "ek.ana@example.com"),
        ("id_in_another_form", slot("WH-35"), "warehouse 35"),
        ("another_day", slot("2026-05-31"), "2026-06-01"),
        ("day_and_month_swapped", slot("2026-05-04"), "2026-04-05"),
        ("another_year", slot("2026-05-04"), "2025-05-04"),
        ("another_time", slot("23:45"), "00:00"),
        ("another_number", slot(3), 4),
        ("another_number", slot(2.5), 3.0),
        ("slip_of_digits", slot(120), 1200),
        ("slip_of_digits", slot(120), 210),
        ("flipped", slot(True), False),
        ("one_left_out", slot([1, 2]), [2]),
        ("item_twice", slot([1]), [1, 1]),
        ("empty_list", slot([1], type="array"), []),
    ],
)  # fmt: skip
def test_values_become_others(how: str, spoilt: Slot, new: Any, golds: list[Gold]) -> None:
    variety = {**ILLEGAL, **UNTRUE}[how]
    if how == "id_in_another_form":
        spoilt = spoilt._replace(path=("warehouse_id",))
    scene = first_scene(golds[0])
    assert variety.fits(spoilt)
    drawn = [value for seed in range(8) for value in variety.values(scene, spoilt, Random(seed))]
    assert any(type(value) is type(new) and value == new for value in drawn)


@pytest.mark.parametrize(
    ("how", "spoilt"),
    [
        ("impossible_day", slot("12:30")),
        ("day_and_month_swapped", slot("2026-05-05")),
        ("day_and_month_swapped", slot("2026-05-14")),
        ("unknown_id", slot("Oslo")),
        ("mistyped", slot("WH-35")),
        ("mistyped", slot("low", enum=["low"])),
        ("not_positive", slot(True)),
        ("out_of_range", slot(3)),
        ("one_left_out", slot([1])),
        ("another_entry", slot(reference("1", "city"))),
        ("flipped", slot(1)),
        ("result_for_words", slot(3)),
    ],
)
def test_some_values_cannot_be_spoilt_so(how: str, spoilt: Slot) -> None:
    assert not {**ILLEGAL, **UNTRUE}[how].fits(spoilt)


def test_slips_keep_whole_numbers_whole(golds: list[Gold]) -> None:
    scene, means = first_scene(golds[0]), integer("Nights.", "count")
    spoilt = slot(3, means=means)
    values = islice(UNTRUE["slip_of_digits"].values(scene, spoilt, Random(0)), 9)
    assert sorted(values) == [6, 30, 300]
