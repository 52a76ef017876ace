"""The JSON type of a value is not the schema's."""

from random import Random
from typing import Any

import pytest

from build.gold import Gold
from build.injectors.parameter_type import _VARIETIES, INJECTOR
from build.injectors.scene import Scene
from build.injectors.slots import Slot, slots
from environment.meanings import MEANINGS
from environment.world import Parameter
from tests.build.injectors.conftest import (
    claimed,
    first_scene,
    hows,
    labelled,
    retried,
    tried,
    tried_in,
)
from trajectory.plan import Node
from trajectory.references import references

RARE = {"truth_as_text", "truth_as_number"}


def test_labels_tell_what_was_put_in(golds: list[Gold]) -> None:
    found = list(tried(INJECTOR, golds))
    assert hows(found) >= _VARIETIES.keys() - RARE
    for one in found:
        assert labelled(one.after) == claimed(one)
        last = one.after.run.ledger.last(one.place.node)
        assert last is not None
        assert last.outcome == "failed"


def test_labels_tell_it_beside_a_retry_as_well(golds: list[Gold]) -> None:
    for one in tried_in(INJECTOR, retried(map(first_scene, golds[:8]))):
        assert labelled(one.after) == claimed(one)


def test_references_are_spoilt_as_well_as_literals(golds: list[Gold]) -> None:
    for how in ("placeholder", "null", "lone_element", "wrapped_in_array"):
        kinds = {
            any(references(one.scene.plan.by_id[one.place.node].para[_argument(one.place.part)]))
            for one in tried(INJECTOR, golds)
            if one.injection.how == how
        }
        assert kinds == {True, False}, how


def _argument(where: str) -> Any:
    return where.split(".", maxsplit=1)[0].split("[", maxsplit=1)[0]


def test_the_same_draws_give_the_same_values(golds: list[Gold]) -> None:
    first, again = (list(tried(INJECTOR, golds[:5], seed=3)) for _ in range(2))
    assert [one.injection for one in first] == [one.injection for one in again]


def test_slots_lie_inside_arrays_and_objects(golds: list[Gold]) -> None:
    scenes = map(first_scene, golds)
    found = [slot for scene in scenes for node in scene.calls for slot in slots(scene, node)]
    for slot in found:
        assert slot.is_referred or any(references(slot.value)) or slot.value == slot.true
        assert slot.means is not None
        assert slot.means.schema == slot.schema
    assert any(isinstance(slot.path[-1], int) for slot in found)
    assert {len(slot.path) for slot in found} >= {1, 2, 3}


def slot(value: Any, name: str = "n", type_: str = "", means: str = "") -> Slot:
    parameter = Parameter({}, means) if means in MEANINGS else None
    node = Node("2", "find", {name: value})
    return Slot(node, (name,), {"type": type_} if type_ else {}, parameter, value, value)


@pytest.mark.parametrize(
    ("how", "spoilt", "new"),
    [
        ("number_as_text", slot(120), "120"),
        ("number_as_text", slot(2.5), "2.5"),
        ("number_with_unit", slot(3, "nights"), "3 nights"),
        ("number_with_unit", slot(120.0, "limit", means="price"), "120 EUR"),
        ("number_in_words", slot(12), "twelve"),
        ("text_as_number", slot("WH-35"), 35),
        ("text_as_number", slot("2026-03-14"), 20260314),
        ("truth_as_number", slot(True), 1),
        ("object_as_text", slot({"lat": 1.5}), '{"lat":1.5}'),
        ("array_as_text", slot(["a", "b"]), '["a","b"]'),
        ("array_as_object", slot([{"item": "pen", "n": 2}]), {"pen": 2}),
        ("array_as_object", slot(["a", "b"]), {"1": "a", "2": "b"}),
        ("items_as_texts", slot([1, 2.0]), ["1", "2"]),
        ("lone_element", slot(["a", "b"], type_="array"), "a"),
        ("wrapped_in_array", slot("a", type_="string"), ["a"]),
        ("null", slot("a", type_="string"), None),
    ],
)  # fmt: skip
def test_values_become_others(how: str, spoilt: Slot, new: Any, golds: list[Gold]) -> None:
    scene: Scene = first_scene(golds[0])
    assert _VARIETIES[how].fits(spoilt)
    assert next(iter(_VARIETIES[how].values(scene, spoilt, Random(1)))) == new


def test_an_item_of_an_array_has_no_name_of_its_own(golds: list[Gold]) -> None:
    item = slot(3, "nights", "integer")._replace(path=("nights", 0))
    scene = first_scene(golds[0])
    assert not _VARIETIES["number_with_unit"].fits(item)
    for seed in range(9):
        (value,) = _VARIETIES["wrapped_in_object"].values(scene, item, Random(seed))
        assert {*value} <= {"value", "number"}


@pytest.mark.parametrize(
    ("how", "value"),
    [
        ("number_as_text", True),
        ("number_in_words", 120),
        ("text_as_number", "Oslo"),
        ("text_as_number", "h-7cdac3fc"),
        ("array_joined", [{"a": 1}]),
        ("items_as_texts", ["a"]),
        ("number_with_unit", 2),
    ],
)
def test_some_values_cannot_be_spoilt_so(how: str, value: Any) -> None:
    assert not _VARIETIES[how].fits(slot(value))
