"""A right value under a name that the schema doesn't know, or under none."""

from random import Random

import pytest

from build.gold import Gold
from build.injectors.parameter_name import INJECTOR
from build.injectors.renaming import WAYS, Name, other_names, plural, singular
from build.injectors.scene import Place
from diagnosis.labels import labels
from tests.build.injectors.conftest import (
    claimed,
    first_scene,
    hows,
    labelled,
    retried,
    tried,
    tried_in,
)
from trajectory import canonical
from trajectory.plan import read_plan, write_plan
from trajectory.references import references

SHAPES = {
    *("positional", "all_under_one_name", "under_an_outer_name", "without_its_outer_name"),
    *("key_inside", "key_in_an_item", "key_in_each_item"),
}


def test_labels_tell_what_was_put_in(golds: list[Gold]) -> None:
    found = list(tried(INJECTOR, golds))
    assert hows(found) == {*WAYS, *SHAPES}
    for one in found:
        assert labelled(one.after) == claimed(one)
        last = one.after.run.ledger.last(one.place.node)
        assert last is not None
        assert last.outcome == "failed"


def test_labels_tell_it_beside_a_retry_as_well(golds: list[Gold]) -> None:
    for one in tried_in(INJECTOR, retried(map(first_scene, golds[:8]))):
        assert labelled(one.after) == claimed(one)


def test_a_new_name_is_no_parameter_and_the_value_stays(golds: list[Gold]) -> None:
    referred = 0
    for one in tried(INJECTOR, golds):
        if one.injection.how not in WAYS:
            continue
        (label,) = labels(one.after.case(one.after.run.ledger))
        (new,) = label.observed
        (old,) = label.expected
        assert old == one.place.part
        assert new not in one.scene.tool(one.scene.plan.by_id[one.place.node]).parameters
        assert canonical.same(label.observed[new], label.expected[old])
        before = one.scene.plan.by_id[one.place.node].para
        after = one.after.plan.by_id[one.place.node].para
        assert list(after).index(new) == list(before).index(old)
        referred += any(references(label.observed))
    assert referred


def test_the_same_draws_give_the_same_names(golds: list[Gold]) -> None:
    first, again = (list(tried(INJECTOR, golds[:5], seed=3)) for _ in range(2))
    assert [one.injection for one in first] == [one.injection for one in again]


def test_positional_arguments_stand_in_the_order_of_the_schema(golds: list[Gold]) -> None:
    scene = first_scene(golds[0])
    node = next(node for node in scene.calls if len(node.para) > 1)
    injection = INJECTOR.put(scene, Place(node.id, "", "positional"), Random(0))
    assert injection is not None
    assert isinstance(node.para, dict)
    given = [name for name in scene.tool(node).parameters if name in node.para]
    assert scene.after(injection).plan.by_id[node.id].para == [node.para[name] for name in given]


def test_arguments_are_read_as_they_were_written(golds: list[Gold]) -> None:
    for one in tried(INJECTOR, golds):
        again = read_plan(write_plan(one.after.plan))
        assert [node.para for node in again] == [node.para for node in one.after.plan]


@pytest.mark.parametrize(
    ("way", "name", "new"),
    [
        ("synonym", "city", ["town", "location", "place"]),
        ("synonym", "order_id", ["order_number", "order_ref", "booking_number"]),
        ("camel_case", "max_price", ["maxPrice"]),
        ("pascal_case", "max_price", ["MaxPrice"]),
        ("kebab_case", "max_price", ["max-price"]),
        ("capitals", "city", ["CITY"]),
        ("singular_or_plural", "city", ["cities"]),
        ("singular_or_plural", "item_ids", ["item_id"]),
        ("singular_or_plural", "sort_by", []),
        ("shortened", "quantity", ["qty"]),
        ("spelt_out", "hotel_id", ["hotel_identifier", "hotel_number"]),
        ("cut", "hotel_id", ["hotel", "id"]),
        ("turned", "max_price", ["price_max"]),
        ("prefixed", "city", ["hotel_city"]),
        ("camel_case", "city", []),
    ],
)
def test_names_become_others(way: str, name: str, new: list[str]) -> None:
    known = Name(name, "string", "find_hotels")
    assert list(other_names(known, way, frozenset((name,)))) == new


def test_what_is_taken_in_any_writing_is_no_new_name() -> None:
    known = Name("city", "string", "find_hotels")
    taken = frozenset(("city", "Town", "place"))
    assert other_names(known, "synonym", taken) == ("location",)


@pytest.mark.parametrize(
    ("one", "many"),
    [("city", "cities"), ("day", "days"), ("match", "matches"), ("box", "boxes"), ("id", "ids")],
)
def test_plurals(one: str, many: str) -> None:
    assert (plural(one), singular(many)) == (many, one)
    assert singular("status") == "status"
