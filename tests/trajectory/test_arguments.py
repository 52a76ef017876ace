import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from trajectory.arguments import check_arguments, check_call, find_faults
from trajectory.plan import Problem
from trajectory.tools import Catalogue, Tool, read_tools

STRING = {"type": "string"}
HOTEL = {
    "type": "object",
    "properties": {
        "hotel_id": STRING,
        "check_in": {"type": "string", "format": "date"},
        "nights": {"type": "integer", "minimum": 1},
        "room": {"type": "string", "enum": ["single", "double"]},
        "guests": {
            "type": "array",
            "items": {"type": "object", "properties": {"name": STRING}, "required": ["name"]},
        },
    },
    "required": ["hotel_id", "nights"],
    "additionalProperties": False,
}
GOOD = {"hotel_id": "H-1", "nights": 3}


def tool_of(schema: dict[str, Any]) -> Tool:
    return Tool("book_hotel", "Books.", schema)


def check(arguments: Any, schema: dict[str, Any] = HOTEL) -> list[tuple[str, str]]:
    return [(kind, detail) for kind, _, detail in check_arguments(tool_of(schema), arguments)]


def check_value(value: Any, schema: dict[str, Any]) -> list[tuple[str, str]]:
    return check({"x": value}, {"type": "object", "properties": {"x": schema}})


def test_good_arguments_have_no_problems() -> None:
    assert check(GOOD) == []
    full = {**GOOD, "check_in": "2026-03-14", "room": "double", "guests": [{"name": "Ana"}]}
    assert check(full) == []


def test_a_wrong_type_names_parameter_value_and_type() -> None:
    assert check({**GOOD, "nights": "three"}) == [
        ("wrong_type", "parameter 'nights': got \"three\" (string), wanted integer")
    ]


def test_nested_places_are_named() -> None:
    assert check({**GOOD, "guests": [{"name": "Ana"}, {"name": 5}, {}]}) == [
        ("wrong_type", "parameter 'guests[1].name': got 5 (integer), wanted string"),
        ("missing_parameter", "parameter 'guests[2].name': missing, wanted string"),
    ]


def test_a_renamed_parameter_is_unknown_and_missing() -> None:
    assert check({"hotelid": "H-1", "nights": 3}) == [
        ("unknown_parameter", "parameter 'hotelid': unknown; did you mean 'hotel_id'?"),
        ("missing_parameter", "parameter 'hotel_id': missing, wanted string"),
    ]


def test_an_unknown_name_close_to_none_lists_the_declared_ones() -> None:
    schema = {"type": "object", "properties": {"a": {}, "b": {}}, "additionalProperties": False}
    assert check({"zzzz": 1}, schema) == [
        ("unknown_parameter", "parameter 'zzzz': unknown; declared: 'a', 'b'")
    ]
    nothing = {"type": "object", "additionalProperties": False}
    assert check({"zzzz": 1}, nothing) == [
        ("unknown_parameter", "parameter 'zzzz': unknown; none is declared")
    ]


def test_an_open_schema_takes_unknown_names() -> None:
    assert check({"x": 1}, {"type": "object", "properties": {}}) == []


def test_the_flat_form_refuses_unknown_names() -> None:
    (tool,) = read_tools([{"name": "t", "parameters": {"city": STRING}, "required": ["city"]}])
    assert [problem.kind for problem in check_arguments(tool, {"city": "Rome", "day": 1})] == [
        "unknown_parameter"
    ]


def test_an_illegal_value_is_no_wrong_type() -> None:
    assert check({"hotel_id": "H", "nights": 0, "check_in": "2023-07-32", "room": "suite"}) == [
        ("bad_value", "parameter 'check_in': got \"2023-07-32\", wanted a date as YYYY-MM-DD"),
        ("bad_value", "parameter 'nights': got 0, wanted at least 1"),
        ("bad_value", 'parameter \'room\': got "suite", wanted "single" or "double"'),
    ]


def test_positional_arguments() -> None:
    wanted = "wanted an object with 'check_in', 'guests', 'hotel_id', 'nights' and 'room'"
    assert check(["H-1", 3]) == [
        ("positional_arguments", f"arguments: got a list of 2 values, {wanted}")
    ]
    assert check([{"hotel_id": "H-1"}])[0][0] == "positional_arguments"
    assert check(None) == [("wrong_type", f"arguments: got null, {wanted}")]
    assert check("H-1", {"type": "object"}) == [
        ("wrong_type", 'arguments: got "H-1" (string), wanted an empty object')
    ]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (25, "integer"),
        (25.0, "integer"),
        (25, "number"),
        (2.5, "number"),
        (10**30, "integer"),
        (True, "boolean"),
        (None, "null"),
        ("25", "string"),
        (2, ["string", "integer"]),
        (None, ["string", "null"]),
    ],
)
def test_values_of_their_type(value: Any, kind: Any) -> None:
    assert check_value(value, {"type": kind}) == []


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (True, "integer"),
        (True, "number"),
        (1, "boolean"),
        ("25", "integer"),
        (2.5, "integer"),
        (None, "string"),
        ("[1]", "array"),
        ([1], "object"),
        ({}, "array"),
        (True, ["string", "number"]),
    ],
)
def test_values_of_another_type(value: Any, kind: Any) -> None:
    assert [found for found, _ in check_value(value, {"type": kind})] == ["wrong_type"]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [1, {"y": float("nan")}]])
def test_nan_is_refused_wherever_it_stands(value: Any) -> None:
    ((kind, detail),) = check_value(value, {})
    assert kind == "bad_value"
    assert "wanted a finite number" in detail
    assert "parameter 'x" in detail


def test_what_json_cannot_hold_is_refused() -> None:
    assert [kind for kind, _ in check_value((1, 2), {})] == ["wrong_type"]
    assert [kind for kind, _ in check({1: "a"}, {"type": "object"})] == ["wrong_type"]


@pytest.mark.parametrize(
    ("schema", "good", "bad", "wanted"),
    [
        ({"minimum": 1}, 1, 0.5, "at least 1"),
        ({"maximum": 9}, 9, 10, "at most 9"),
        ({"exclusiveMinimum": 0}, 0.1, 0, "more than 0"),
        ({"exclusiveMaximum": 5}, 4, 5, "less than 5"),
        ({"multipleOf": 0.01}, 19.99, 19.995, "a multiple of 0.01"),
        ({"multipleOf": 5}, 10.0, 12, "a multiple of 5"),
        ({"minLength": 2}, "ab", "a", "at least 2 characters"),
        ({"maxLength": 1}, "日", "日本", "at most 1 character"),
        ({"pattern": "^[A-Z]{3}$"}, "EUR", "euro", "text that matches ^[A-Z]{3}$"),
        ({"minItems": 1}, [0], [], "at least 1 item"),
        ({"maxItems": 2}, [], [1, 2, 3], "at most 2 items"),
        ({"uniqueItems": True}, [1, "1", True], [1, 2, 1], "no item twice"),
        ({"const": "yes"}, "yes", "no", '"yes"'),
        ({"enum": [1, 2.5, "x"]}, 1.0, 3, '1, 2.5 or "x"'),
        ({"format": "email"}, "ana@example.com", "ana@example", "an e-mail address"),
    ],
)
def test_each_bound(schema: dict[str, Any], good: Any, bad: Any, wanted: str) -> None:
    assert check_value(good, schema) == []
    ((kind, detail),) = check_value(bad, schema)
    assert kind == "bad_value"
    assert detail == f"parameter 'x': got {json.dumps(bad, ensure_ascii=False)}, wanted {wanted}"


def test_equal_arguments_have_equal_problems_however_they_are_written() -> None:
    one = {"nights": "3", "room": {"b": 1, "a": [2.0]}, "stars": 4, "city": "Oslo"}
    other = {"city": "Oslo", "stars": 4.0, "room": {"a": [2], "b": 1.0}, "nights": "3"}
    assert check(one) == check(other)
    wide = {**HOTEL, "maxProperties": 9}
    assert check(one, wide) == check(other, wide)
    assert any('{"a": [2], "b": 1}' in detail for _, detail in check(one))


def test_an_option_of_another_type_is_a_wrong_type() -> None:
    assert [kind for kind, _ in check_value(3, {"enum": ["low", "high"]})] == ["wrong_type"]
    assert [kind for kind, _ in check_value(True, {"enum": [1, 0]})] == ["wrong_type"]


def test_any_of_tells_what_the_meant_option_lacks() -> None:
    place = {"type": "object", "properties": {"lat": {"type": "number"}}, "required": ["lat"]}
    either = {"anyOf": [STRING, place]}
    assert check_value("Rome", either) == []
    assert check_value({"lat": "41"}, either) == [
        ("wrong_type", "parameter 'x.lat': got \"41\" (string), wanted number")
    ]
    assert check_value(5, either) == [
        ("wrong_type", "parameter 'x': got 5 (integer), wanted string or object")
    ]


def test_one_of_wants_exactly_one_form() -> None:
    either = {"oneOf": [{"type": "integer"}, {"minimum": 10}]}
    assert check_value(3, either) == []
    assert [kind for kind, _ in check_value(12, either)] == ["bad_value"]
    assert check_value(2.5, either) != []


def test_all_of_gathers_everything() -> None:
    both = {"allOf": [{"minimum": 5}, {"multipleOf": 2}]}
    assert check_value(6, both) == []
    assert [kind for kind, _ in check_value(3, both)] == ["bad_value", "bad_value"]


def test_a_long_value_is_shortened() -> None:
    ((_, detail),) = check_value("x" * 10_000, {"type": "number"})
    assert len(detail) < 150


@pytest.mark.parametrize(
    ("schema", "good", "bad", "kind"),
    [
        ({"not": STRING}, 1, "a", "bad_value"),
        ({"type": "object", "minProperties": 1}, {"a": 1}, {}, "bad_value"),
        ({"propertyNames": {"maxLength": 1}}, {"a": 1}, {"ab": 1}, "bad_value"),
        ({"prefixItems": [STRING], "minItems": 1}, ["a"], [1], "wrong_type"),
        ({"$ref": "#/$defs/Day"}, "2026-03-14", "2026-02-30", "bad_value"),
        (
            {"patternProperties": {"^a": {}}, "additionalProperties": False},
            {"ab": 1},
            {"b": 1},
            "unknown_parameter",
        ),
        (
            {"patternProperties": {"^a": {}}, "required": ["ab"]},
            {"ab": 1},
            {},
            "missing_parameter",
        ),
    ],
)
def test_rarer_keywords_are_checked_too(
    schema: dict[str, Any], good: Any, bad: Any, kind: str
) -> None:
    whole = {
        "type": "object",
        "properties": {"x": schema},
        "$defs": {"Day": {"type": "string", "format": "date"}},
    }
    assert check({"x": good}, whole) == []
    ((found, detail),) = check({"x": bad}, whole)
    assert found == kind
    assert "parameter 'x" in detail


def test_a_schema_that_refers_to_itself_without_end_is_no_traceback() -> None:
    loop = {"type": "object", "$defs": {"A": {"$ref": "#/$defs/A"}}, "$ref": "#/$defs/A"}
    assert [kind for kind, _ in check({}, loop)] == ["bad_value"]


def test_nesting_too_deep_to_check_is_no_traceback() -> None:
    value: Any = 1
    for _ in range(5000):
        value = [value]
    assert [kind for kind, _ in check_value(value, {})] == ["bad_value"]


def test_a_type_that_json_does_not_have_is_the_programmers_error() -> None:
    with pytest.raises(ValueError, match="'dict' is no JSON type"):
        check({}, {"type": "dict"})


def test_an_unknown_tool_names_the_close_ones() -> None:
    catalogue = read_tools([{"name": "send_email"}, {"name": "book_hotel"}])
    assert check_call(catalogue, "send_email_retry", {}) == [
        Problem(
            "unknown_tool", None, "tool 'send_email_retry': unknown; did you mean 'send_email'?"
        )
    ]
    assert check_call(catalogue, "zzz", {})[0].detail == (
        "tool 'zzz': unknown; listed: 'send_email', 'book_hotel'"
    )
    assert check_call(Catalogue(()), "zzz", {})[0].kind == "unknown_tool"


def test_of_tools_that_share_a_name_the_best_fitting_counts() -> None:
    catalogue = read_tools(
        [
            {"name": "send", "parameters": {"to": STRING, "text": STRING}, "required": ["to"]},
            {"name": "send", "parameters": {"draft_id": STRING}, "required": ["draft_id"]},
        ]
    )
    assert check_call(catalogue, "send", {"draft_id": "d-1"}) == []
    assert check_call(catalogue, "send", {"to": "a", "text": "b"}) == []
    ((kind, _, detail),) = check_call(catalogue, "send", {"draft_id": 7})
    assert kind == "wrong_type"
    assert "'draft_id'" in detail


# --- the same verdict as jsonschema ------------------------------------------------------------

NUMBERS = st.integers(-3, 6) | st.sampled_from([0.0, 0.5, 1.0, 2.5, 4.0])
TEXTS = st.sampled_from(["", "a", "b", "ab", "abc", "1", "日本"])
SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=8,
)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "null"])
COUNTS = st.integers(0, 3)


def optional(**parts: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=parts)


SCHEMAS: st.SearchStrategy[Any] = st.recursive(
    st.booleans()
    | optional(
        type=TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
        enum=st.lists(VALUES, min_size=1, max_size=4),
        const=VALUES,
        minimum=NUMBERS,
        maximum=NUMBERS,
        exclusiveMinimum=NUMBERS,
        exclusiveMaximum=NUMBERS,
        # Powers of two: jsonschema divides floats, and so refuses 19.99 as a multiple of 0.01.
        multipleOf=st.sampled_from([0.25, 0.5, 1, 2, 3]),
        minLength=COUNTS,
        maxLength=COUNTS,
        pattern=st.sampled_from(["a", "^a", "b$", "^[ab]+$"]),
        minItems=COUNTS,
        maxItems=COUNTS,
        uniqueItems=st.booleans(),
    ),
    lambda inner: optional(
        type=TYPES,
        items=inner,
        properties=st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
        required=st.lists(st.sampled_from("abc"), max_size=2, unique=True),
        additionalProperties=inner,
        anyOf=st.lists(inner, min_size=1, max_size=3),
        oneOf=st.lists(inner, min_size=1, max_size=3),
        allOf=st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=5,
)
RARER = st.sampled_from(
    [
        {"not": {"type": "string"}},
        {"minProperties": 1},
        {"contains": {"type": "integer"}},
        {"if": {"type": "integer"}, "then": {"minimum": 2}, "else": {"type": "string"}},
    ]
)


def agrees(schema: Any, value: Any) -> None:
    """Hold our verdict against jsonschema's, at the top and as one parameter among others."""
    whole = {"type": "object", "properties": {"x": schema}}
    valid = Draft202012Validator(whole).is_valid({"x": value})
    faults = find_faults(Tool("t", "", whole), {"x": value})
    assert (not faults) == valid, (faults, whole, value)
    assert all(fault.path[0] == "x" and fault.text for fault in faults)


@given(SCHEMAS, VALUES)
def test_same_verdict_as_jsonschema(schema: Any, value: Any) -> None:
    agrees(schema, value)


@given(st.data(), SCHEMAS)
def test_same_verdict_where_the_value_is_made_to_fit(data: st.DataObject, schema: Any) -> None:
    """Most random values miss most schemas: here the good path is tried as well."""
    values = data.draw(st.lists(VALUES, min_size=8, max_size=8))
    whole = Draft202012Validator(schema)
    fitting = [value for value in values if whole.is_valid(value)]
    assume(fitting)
    for value in fitting:
        agrees(schema, value)


@given(SCHEMAS, RARER, VALUES)
def test_same_verdict_with_rarer_keywords(schema: Any, rarer: Any, value: Any) -> None:
    agrees({**schema, **rarer} if isinstance(schema, dict) else rarer, value)
