"""One text for one value, whatever wrote it; nothing but strict JSON is read."""

import hashlib
import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trajectory.values import JSON, nested, to_the_letter
from trajectory import canonical


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (25, "25"),
        (25.0, "25"),
        (-0.0, "0"),
        (-3.0, "-3"),
        (0.1, "0.1"),
        (2.0**53 - 1, "9007199254740991"),
        (2.0**53, "9007199254740992.0"),
        (1e22, "1e+22"),
        (-(10**30), "-1" + "0" * 30),
        (True, "true"),
        (None, "null"),
        ((1, (2.0,)), "[1,[2]]"),
        ({"b": 1.0, "a": {"d": [], "c": {}}}, '{"a":{"c":{},"d":[]},"b":1}'),
    ],
)
def test_canonical_text(value: Any, text: str) -> None:
    assert canonical.dumps(value) == text


def test_keys_are_sorted_by_code_point() -> None:
    assert canonical.dumps(dict.fromkeys(["😀", "\uffff", "é", "a", "Z", ""], 0)) == (
        '{"":0,"Z":0,"a":0,"é":0,"\uffff":0,"😀":0}'
    )


def test_texts_stand_as_they_are_but_for_the_escapes_json_needs() -> None:
    assert canonical.dumps('a"\\/\n\x00é°😀') == r'"a\"\\/\n\u0000é°😀"'


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_not_written(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical.dumps({"a": [number]})


def test_what_json_cannot_hold_is_not_written() -> None:
    with pytest.raises(TypeError):
        canonical.dumps({"a": {1, 2}})


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", '{"a": -Infinity}', "1e999", "[-1e400]"])
def test_what_is_no_number_is_not_read(text: str) -> None:
    for given_as in (text, text.encode()):
        with pytest.raises(ValueError, match=r"."):
            canonical.loads(given_as)


@pytest.mark.parametrize(
    "text", ["", " ", "{", "[1,]", "{'a': 1}", '{"a": 1} x', "[1] [2]", "\ufeff[]", '"\n"', "01"]
)
def test_a_text_that_is_not_strict_json_is_refused_with_the_position(text: str) -> None:
    with pytest.raises(ValueError, match=r"line \d+ column \d+"):
        canonical.loads(text)


def test_bytes_that_are_not_utf_8_are_refused() -> None:
    with pytest.raises(UnicodeDecodeError):
        canonical.loads(b'["caf\xe9"]')


@pytest.mark.parametrize("digits", ["9" * 18, "9" * 19, "18446744073709551616", "1" + "0" * 400])
def test_integers_of_any_size_keep_their_value(digits: str) -> None:
    for text in (digits, f"[-{digits}]", f'{{"a": {digits}}}'):
        assert canonical.dumps(canonical.loads(text)) == text.replace(" ", "")


def test_an_integer_too_long_for_python_is_refused() -> None:
    with pytest.raises(ValueError, match="digits"):
        canonical.loads("9" * 5000)


def test_half_a_character_is_read_written_and_hashed() -> None:
    assert canonical.loads(r'"\ud800"') == canonical.loads('"\ud800"') == "\ud800"
    assert canonical.loads(canonical.dumps(["\ud800"])) == ["\ud800"]
    assert canonical.digest("\ud800") != canonical.digest("\ud801")


@pytest.mark.parametrize("depth", [100, 700, 5000, 200_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_deep_nesting_is_read_or_refused_never_more(depth: int, opening: str, closing: str) -> None:
    text = f"{opening * depth}1{closing * depth}"
    try:
        value = canonical.loads(text)
    except ValueError:
        assert depth > 100
    else:
        assert canonical.too_deep(value) == (depth > 100)


def test_what_is_nested_beyond_the_stack_is_not_written() -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        canonical.dumps(nested(5000))


@pytest.mark.parametrize("key", [None, "a"])
def test_too_deep_counts_lists_and_objects_one_within_another(key: str | None) -> None:
    assert not canonical.too_deep(nested(canonical.DEEPEST, 1, key))
    assert canonical.too_deep(nested(canonical.DEEPEST + 1, 1, key))
    assert canonical.too_deep(nested(100_000, 1, key))
    assert not canonical.too_deep([[1]] * 1000, 2)


@given(JSON, st.integers(0, 4))
def test_too_deep_is_what_its_definition_says(value: Any, limit: int) -> None:
    assert canonical.too_deep(value, limit) == (depth(value) > limit)


def depth(value: Any) -> int:
    inner = (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    )
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


@given(JSON)
def test_reading_what_was_written_gives_the_same(value: Any) -> None:
    text = canonical.dumps(value)
    assert to_the_letter(canonical.loads(text)) == to_the_letter(canonical.normal(value))
    assert canonical.dumps(canonical.loads(text)) == text


@given(JSON)
def test_the_order_of_keys_says_nothing(value: Any) -> None:
    assert canonical.dumps(turned(value)) == canonical.dumps(value)


def turned(value: Any) -> Any:
    """The value with every object's keys the other way round."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(value)}
    return [turned(item) for item in value] if isinstance(value, list) else value


@given(JSON)
def test_reading_is_that_of_the_standard_library(value: Any) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False, indent=1)):
        assert to_the_letter(canonical.loads(text)) == to_the_letter(json.loads(text))


@given(JSON)
def test_a_digest_is_that_of_the_canonical_text(value: Any) -> None:
    text = canonical.dumps(value).encode("utf-8", "surrogatepass")
    assert canonical.digest(value) == hashlib.sha256(text).hexdigest()


ALIKE = st.recursive(
    st.sampled_from([0, 0.0, -0.0, 1, 1.0, True, False, None, "", "1"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=3,
)


@given(ALIKE, ALIKE)
def test_values_are_the_same_when_type_and_value_are(left: Any, right: Any) -> None:
    assert canonical.same(left, right) == (list(parts(left)) == list(parts(right)))


def parts(value: Any) -> Iterator[Any]:
    """The scalars of a value with their types and ways, numbers being of one type."""
    if isinstance(value, dict):
        yield "object", sorted(value)
        for key in sorted(value):
            yield from parts(value[key])
    elif isinstance(value, list):
        yield "list", len(value)
        for item in value:
            yield from parts(item)
    else:
        yield "number" if type(value) in {int, float} else type(value), value


@given(ALIKE | JSON, ALIKE | JSON)
def test_values_are_the_same_when_their_texts_are(left: Any, right: Any) -> None:
    assert canonical.same(left, right) == (canonical.dumps(left) == canonical.dumps(right))
    assert canonical.same(left, turned(left))


@pytest.mark.parametrize("exact", [2**53, 2**60, 10**30])
def test_whole_floats_beyond_their_precision_are_no_integers(exact: int) -> None:
    assert not canonical.same(float(exact), exact)
    assert canonical.same(float(exact), float(exact))


def test_what_has_no_text_is_not_compared() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical.same([math.nan], [math.nan])
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(ValueError, match="nested too deeply"):
        canonical.same(endless, [endless])


def test_true_is_not_one() -> None:
    assert not canonical.same({"a": True}, {"a": 1})
    assert canonical.same({"a": 1.0}, {"a": 1})
