"""A reference is exactly the form of semantics.md; a path leads to a value or nowhere."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trajectory.values import JSON, TEXTS, nested, to_the_letter
from trajectory.references import (
    Reference,
    UnresolvedError,
    follow,
    is_reference,
    read_reference,
    reference,
    references,
    resolve,
)

RESULT = {
    "hotels": [{"name": "Astra", "price": {"amount": 90}}, {"name": "Bolt", "tags": [["a", "b"]]}],
    "0": "zero",
    "a b": {"ü-1": None},
    "": "nameless",
    "a.b": "dotted",
}


@pytest.mark.parametrize(
    ("value", "node", "path"),
    [
        ({"$ref": "1"}, "1", ""),
        ({"$ref": "1", "path": ""}, "1", ""),
        ({"$ref": "1", "path": "hotels[0].name"}, "1", "hotels[0].name"),
        ({"path": "a", "$ref": "2_retry"}, "2_retry", "a"),
        ({"$ref": "1.output"}, "1.output", ""),
        ({"$ref": ""}, "", ""),
    ],
)
def test_the_form_of_a_reference(value: dict[str, Any], node: str, path: str) -> None:
    assert is_reference(value)
    assert list(references({"x": value})) == [Reference("x", node, path)]


@pytest.mark.parametrize(
    "value",
    [
        {"$ref": 1},
        {"$ref": None},
        {"$ref": ["1"]},
        {"$ref": {"$ref": "1"}},
        {"$ref": "1", "path": None},
        {"$ref": "1", "path": ["a"]},
        {"$ref": "1", "path": 0},
        {"$ref": "1", "default": 5},
        {"$ref": "1", "path": "a", "note": ""},
    ],
)
def test_what_is_meant_as_a_reference_and_is_none_names_no_node(value: dict[str, Any]) -> None:
    assert is_reference(value)
    assert read_reference(value, "x") == Reference("x", None, "")


@pytest.mark.parametrize(
    "value",
    [
        "output_of_task1",
        "1的结果",
        "$ref",
        {"ref": "1"},
        {"id": "3"},
        {"path": "a"},
        ["$ref", "1"],
        '{"$ref": "1"}',
        None,
        3,
    ],
)
def test_everything_else_is_a_literal(value: Any) -> None:
    assert not is_reference(value)
    assert list(references({"x": value})) == []
    assert resolve({"x": value}, refuse) == {"x": value}


def refuse(found: Reference) -> Any:
    raise UnresolvedError(f"nothing at {found.where}")


def test_a_written_reference_is_read_again() -> None:
    for node, path in (("1", ""), ("2.1", "a[0].b")):
        assert read_reference(reference(node, path), "") == Reference("", node, path)
    assert reference("1") == {"$ref": "1"}


ARGUMENTS = {
    "city": {"$ref": "1", "path": "city"},
    "guests": [{"name": {"$ref": "2"}, "age": 3}, {"$ref": "3", "path": "[0]"}],
    "bad": {"deep": [[{"$ref": 1}]]},
    "plain": "task1",
}


def test_references_are_found_wherever_they_stand_with_their_place() -> None:
    assert list(references(ARGUMENTS)) == [
        Reference("bad.deep[0][0]", None, ""),
        Reference("city", "1", "city"),
        Reference("guests[0].name", "2", ""),
        Reference("guests[1]", "3", "[0]"),
    ]
    assert list(references([{"$ref": "1"}, "x"])) == [Reference("[0]", "1", "")]
    assert list(references({"$ref": "1"})) == [Reference("", "1", "")]


def test_each_reference_is_replaced_and_nothing_else() -> None:
    before = copy.deepcopy(ARGUMENTS)
    assert resolve(ARGUMENTS, lambda found: [found.where]) == {
        "city": ["city"],
        "guests": [{"name": ["guests[0].name"], "age": 3}, ["guests[1]"]],
        "bad": {"deep": [[["bad.deep[0][0]"]]]},
        "plain": "task1",
    }
    assert before == ARGUMENTS
    assert resolve([{"$ref": "1"}], lambda found: found.node) == ["1"]
    assert resolve({"$ref": "1"}, lambda found: found.node) == "1"


def test_what_a_reference_stands_for_is_not_looked_into() -> None:
    assert resolve({"x": {"$ref": "1"}}, lambda _: {"$ref": "2"}) == {"x": {"$ref": "2"}}


def test_a_reference_that_cannot_be_resolved_comes_through() -> None:
    with pytest.raises(UnresolvedError, match=r"nothing at bad\.deep"):
        resolve(ARGUMENTS, refuse)


def test_of_several_references_the_first_by_name_is_refused_in_whatever_order_they_stand() -> None:
    for names in ("ab", "ba"):
        with pytest.raises(UnresolvedError, match="nothing at a"):
            resolve({name: {"$ref": name} for name in names}, refuse)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("", RESULT),
        ("hotels", RESULT["hotels"]),
        ("hotels[0].name", "Astra"),
        ("hotels[0].price.amount", 90),
        ("hotels[1].tags[0][1]", "b"),
        ("hotels[00].name", "Astra"),
        ("0", "zero"),
        ("a b.ü-1", None),
    ],
)
def test_a_path_leads_to_a_value(path: str, value: Any) -> None:
    assert follow(RESULT, path) == value


def test_a_path_into_a_list_begins_with_an_index() -> None:
    assert follow([[1, {"a": 2}]], "[0][1].a") == 2


@pytest.mark.parametrize(
    "path",
    [
        # There is no such value.
        "flats",
        "hotels[2]",
        "hotels.name",
        "hotels.0",
        "hotels.length",
        "hotels[0][0]",
        "hotels[0].name.first",
        "hotels[0].name[0]",
        "[0]",
        "0[0]",
        "Hotels",
        "a.b",
        "hotels[999999999]",
        # There is no such path.
        ".",
        ".hotels",
        "hotels.",
        "hotels..name",
        "hotels.[0]",
        "hotels[0]name",
        "hotels[-1]",
        "hotels[]",
        "hotels[x]",
        "hotels['0']",
        "hotels[0",
        "hotels]",
        "hotels[ 0 ]",
        "hotels[0:1]",
        "hotels[*]",
        "hotels[٠]",
        "hotels[²]",
        "$.hotels",
    ],
)
def test_a_path_that_leads_nowhere_is_a_lookup_error(path: str) -> None:
    with pytest.raises(LookupError, match=r"^no value at|is no path$"):
        follow(RESULT, path)


@pytest.mark.parametrize("digit", "09")
def test_an_index_beyond_what_python_reads_leads_nowhere(digit: str) -> None:
    with pytest.raises(LookupError):
        follow(RESULT, f"hotels[{digit * 5000}]")


@pytest.mark.parametrize("value", [None, "text", 5, True, [], {}])
def test_the_empty_path_is_the_value_itself_and_any_other_is_none_of_a_scalar(value: Any) -> None:
    assert follow(value, "") == value
    for path in ("a", "[0]"):
        with pytest.raises(LookupError):
            follow(value, path)


def places(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value inside a value with its path, as far as keys can be written in one."""
    yield path, value
    if isinstance(value, dict):
        for key, item in value.items():
            if key and not set(key) & set(".[]"):
                yield from places(item, f"{path}.{key}" if path else key)
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, f"{path}[{index}]")


@given(JSON)
def test_every_path_leads_to_its_value(value: Any) -> None:
    for path, item in places(value):
        assert follow(value, path) is item


@given(JSON, TEXTS | st.text(st.sampled_from("ab.[]01"), max_size=8))
def test_any_other_path_is_a_lookup_error_and_nothing_worse(value: Any, path: str) -> None:
    try:
        found = follow(value, path)
    except LookupError:
        return
    assert any(item is found for _, item in places(value))


REFERENCES = st.builds(reference, st.sampled_from("123"), st.sampled_from(["", "a[0]"]))
WITH_REFERENCES = st.recursive(
    JSON | REFERENCES | st.fixed_dictionaries({"$ref": JSON}),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(WITH_REFERENCES)
def test_what_is_resolved_is_what_is_found(arguments: Any) -> None:
    asked: list[Reference] = []
    resolved = resolve(arguments, asked.append)
    assert asked == list(references(arguments))
    assert list(references(resolved)) == []
    if not asked:
        assert to_the_letter(resolved) == to_the_letter(arguments)


def test_the_deepest_arguments_of_a_plan_are_resolved() -> None:
    deep = nested(98, {"$ref": "1"}, "a")
    assert resolve(deep, lambda _: 5) == nested(98, 5, "a")
    assert next(references(deep)).where.count("a") == 98
