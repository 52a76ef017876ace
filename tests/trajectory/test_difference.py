"""What changed between two plans: nodes, their parts, edges; never the order of anything."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trajectory.values import JSON
from trajectory.difference import Difference, difference
from trajectory.plan import ABSENT, Plan, read_plan

FIND = {
    "id": "1",
    "name": "find_hotel",
    "para": {"city": "Oslo", "nights": 2},
    "desc": "Find.",
    "dep": ["root"],
    "status": False,
}
BOOK = {**FIND, "id": "2", "name": "book", "para": {"hotel": {"$ref": "1"}}, "dep": ["1"]}
SAME = Difference((), (), {}, (), ())


def plan_of(*tasks: Any) -> Plan:
    return read_plan({"tasks": list(tasks)})


def changed(**fields: Any) -> tuple[str, ...]:
    """What is different about a node once some fields are changed (ABSENT: left out)."""
    task = {key: value for key, value in {**FIND, **fields}.items() if value is not ABSENT}
    found = difference(plan_of(FIND, BOOK), plan_of(task, BOOK))
    assert (found.added, found.removed) == ((), ())
    return found.changed.get("1", ())


def test_equal_plans_have_no_difference() -> None:
    found = difference(plan_of(FIND, BOOK), plan_of(BOOK, FIND))
    assert found == SAME
    assert not found


def test_added_and_removed_nodes_come_with_their_edges() -> None:
    third = {**BOOK, "id": "3", "dep": ["1", "2", "root"]}
    found = difference(plan_of(FIND, BOOK), plan_of(FIND, BOOK, third))
    assert found == Difference(("3",), (), {}, (("1", "3"), ("2", "3")), ())
    assert found
    back = difference(plan_of(FIND, BOOK, third), plan_of(FIND, BOOK))
    assert back == Difference((), ("3",), {}, (), (("1", "3"), ("2", "3")))
    assert back


def test_a_moved_edge_is_one_removed_and_one_added() -> None:
    other = {**FIND, "id": "3"}
    old, new = plan_of(FIND, other, BOOK), plan_of(FIND, other, {**BOOK, "dep": ["3"]})
    assert difference(old, new) == Difference((), (), {"2": ("dep",)}, (("3", "2"),), (("1", "2"),))


@pytest.mark.parametrize(
    ("fields", "parts"),
    [
        ({"name": "find_flat"}, ("name",)),
        ({"name": None}, ("name",)),
        ({"status": True}, ("status",)),
        ({"desc": "Find. Result: 1"}, ("desc",)),
        ({"dep": ["2"]}, ("dep",)),
        ({"dep": "root"}, ("dep",)),
        ({"para": {"city": "Rome", "nights": 2}}, ("para", "para.city")),
        ({"para": {"city": "Oslo"}}, ("para", "para.nights")),
        (
            {"para": {"city": "Oslo", "nights": "2", "stars": None}},
            ("para", "para.nights", "para.stars"),
        ),
        ({"para": {"city": "Oslo", "nights": True}}, ("para", "para.nights")),
        ({"para": ["Oslo", 2]}, ("para",)),
        ({"city": "Oslo"}, ("extra",)),
        (
            {"name": "x", "para": {}, "dep": [], "status": True, "desc": ""},
            ("name", "para", "para.city", "para.nights", "status", "desc"),
        ),
    ],
)
def test_what_is_different_about_a_node(fields: dict[str, Any], parts: tuple[str, ...]) -> None:
    assert changed(**fields) == parts


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"id": 1},
        {"para": {"nights": 2.0, "city": "Oslo"}},
        {"para": [{"city": "Oslo"}, {"nights": 2}]},
        {"para": ["city=Oslo", "nights=2"]},
        {"dep": []},
        {"dep": None},
        {"dep": ABSENT},
        {"dep": ["root", "root"]},
        {"status": "false"},
    ],
)
def test_what_means_the_same_is_no_difference(fields: dict[str, Any]) -> None:
    assert changed(**fields) == ()


def test_positional_arguments_are_compared_as_a_whole() -> None:
    old, new = plan_of({**FIND, "para": ["a", 1]}), plan_of({**FIND, "para": ["a", 2]})
    assert difference(old, new).changed == {"1": ("para",)}
    assert not difference(old, plan_of({**FIND, "para": ["a", 1.0]}))


def test_true_is_not_one() -> None:
    old, new = plan_of({**FIND, "para": {"late": True}}), plan_of({**FIND, "para": {"late": 1}})
    assert difference(old, new).changed == {"1": ("para", "para.late")}


def test_nested_arguments_are_named_by_their_parameter() -> None:
    old = plan_of({**FIND, "para": {"guest": {"name": "Ann", "age": 3}, "tags": ["a"]}})
    new = plan_of({**FIND, "para": {"guest": {"name": "Bob", "age": 3}, "tags": ["a"]}})
    assert difference(old, new).changed == {"1": ("para", "para.guest")}


def test_of_nodes_with_one_id_the_first_is_compared() -> None:
    second = {**FIND, "name": "other", "dep": ["2"]}
    assert not difference(plan_of(FIND, BOOK), plan_of(FIND, second, BOOK))


IDS = st.sampled_from(["1", "2", "3", "root", "response"])
TASKS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"id": IDS},
    optional={
        "name": st.sampled_from(["find", "book", None]),
        "para": st.dictionaries(st.sampled_from("ab"), JSON, max_size=2) | st.just([1]),
        "desc": st.sampled_from(["", "Find."]),
        "dep": st.lists(IDS, max_size=3),
        "status": st.booleans(),
        "more": st.just(1),
    },
)
LISTS = st.lists(TASKS, max_size=5, unique_by=lambda task: task["id"])


@given(LISTS, LISTS)
def test_the_other_way_round_added_and_removed_change_places(old: Any, new: Any) -> None:
    there, back = difference(plan_of(*old), plan_of(*new)), difference(plan_of(*new), plan_of(*old))
    assert (there.added, there.edges_added) == (back.removed, back.edges_removed)
    assert (there.removed, there.edges_removed) == (back.added, back.edges_added)
    assert there.changed == back.changed


@given(LISTS, LISTS, st.randoms(use_true_random=False))
def test_the_listing_order_says_nothing(old: Any, new: Any, random: Any) -> None:
    shuffled = [
        {**task, **({"dep": random.sample(task["dep"], len(task["dep"]))} if "dep" in task else {})}
        for task in random.sample(new, len(new))
    ]
    assert difference(plan_of(*old), plan_of(*new)) == difference(plan_of(*old), plan_of(*shuffled))


@given(LISTS)
def test_a_plan_does_not_differ_from_itself(tasks: Any) -> None:
    assert difference(plan_of(*tasks), plan_of(*copy.deepcopy(tasks))) == SAME


@given(LISTS, LISTS)
def test_nodes_edges_and_parts_are_those_of_the_definition(old: Any, new: Any) -> None:
    before = {task["id"]: task for task in old}
    after = {task["id"]: task for task in new}
    found = difference(plan_of(*old), plan_of(*new))
    assert set(found.added) == set(after) - set(before)
    assert set(found.removed) == set(before) - set(after)
    assert set(found.edges_added) == edges(new) - edges(old)
    assert set(found.edges_removed) == edges(old) - edges(new)
    for id in set(before) & set(after):
        parts = found.changed.get(id, ())
        defaults = {"status": False, "desc": ""}
        for key, default in defaults.items():
            assert (key in parts) == (before[id].get(key, default) != after[id].get(key, default))
    assert bool(found) == (found != SAME)


def edges(tasks: Any) -> set[tuple[str, str]]:
    return {(dep, task["id"]) for task in tasks for dep in task.get("dep", ()) if dep != "root"}
