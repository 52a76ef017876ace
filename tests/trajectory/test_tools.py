import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from trajectory.files import read_jsonl
from trajectory.tools import Catalogue, Tool, close_names, read_tools, write_tools

CLOSED = {"type": "object", "additionalProperties": False}


def schema_of(parameters: Any, required: Any = None, **more: Any) -> dict[str, Any]:
    """Read one tool and return its schema, which must be a sound one."""
    entry = {"name": "tool", "description": "A tool.", "parameters": parameters, **more}
    if required is not None:
        entry["required"] = required
    (tool,) = read_tools([entry]).tools
    Draft202012Validator.check_schema(tool.schema)
    return tool.schema


def kinds_of(*parameters: Any) -> list[str]:
    entries = [{"name": "tool", "parameters": each} for each in parameters]
    return [problem.kind for problem in read_tools(entries).problems]


def test_the_flat_form_becomes_a_closed_object() -> None:
    schema = schema_of(
        {"city": {"type": "string", "description": "Where."}, "days": {"type": "number"}}, ["city"]
    )
    assert schema == {
        **CLOSED,
        "properties": {
            "city": {"type": "string", "description": "Where."},
            "days": {"type": "number"},
        },
        "required": ["city"],
    }


def test_a_json_schema_keeps_its_own_word_on_unknown_names() -> None:
    open_one = schema_of({"type": "object", "properties": {"city": {"type": "string"}}})
    assert open_one == {"type": "object", "properties": {"city": {"type": "string"}}}
    closed = schema_of({"type": "object", "properties": {}, "additionalProperties": False})
    assert closed == {**CLOSED, "properties": {}}


@pytest.mark.parametrize("name", ["type", "items", "name", "required", "properties", "enum"])
def test_a_flat_parameter_may_be_called_as_a_keyword(name: str) -> None:
    spec = {"type": "string", "description": f"The {name} of the recipe."}
    assert schema_of({name: spec}, [name]) == {
        **CLOSED,
        "properties": {name: spec},
        "required": [name],
    }


def test_a_flat_map_of_type_and_properties_is_no_json_schema() -> None:
    flat = {
        "type": {"type": "string", "description": "The kind of house."},
        "properties": {"type": "array", "description": "The houses to filter."},
        "required": {"type": "boolean", "description": "Whether one must be found."},
    }
    schema = schema_of(flat, ["type", "properties"])
    assert list(schema["properties"]) == ["type", "properties", "required"]
    assert schema["properties"]["properties"]["type"] == "array"
    assert schema["required"] == ["type", "properties"]


def test_a_json_schema_may_have_parameters_called_type_and_properties() -> None:
    inner = {"type": {"type": "string"}, "properties": {"type": "array"}}
    schema = schema_of({"type": "object", "properties": inner, "required": ["type"]})
    assert schema == {"type": "object", "properties": inner, "required": ["type"]}


def test_a_json_schema_without_its_type_is_recognised() -> None:
    schema = schema_of({"properties": {"city": {"type": "string"}}, "required": ["city"]})
    assert schema["properties"] == {"city": {"type": "string"}}
    assert schema["required"] == ["city"]


def test_beside_another_parameter_properties_is_one_too() -> None:
    schema = schema_of({"city": {"type": "string"}, "properties": {"garden": {}}})
    assert list(schema["properties"]) == ["city", "properties"]


@pytest.mark.parametrize("parameters", [{}, [], None, "{}"])
@pytest.mark.parametrize("required", [[], None])
def test_a_tool_without_arguments(parameters: Any, required: Any) -> None:
    assert schema_of(parameters, required) == {**CLOSED, "properties": {}}


def test_required_may_be_absent_nested_or_in_the_map() -> None:
    city = {"type": "string"}
    assert "required" not in schema_of({"city": city})
    assert schema_of({"city": {**city, "required": True}})["required"] == ["city"]
    assert schema_of({"city": city, "required": ["city"]})["required"] == ["city"]
    assert schema_of({"city": {**city, "required": False}}, ["city"])["required"] == ["city"]


def test_required_names_that_are_not_declared_are_told_and_not_asked_for() -> None:
    catalogue = read_tools([{"name": "t", "parameters": {"a": {}}, "required": ["a", "b"]}])
    assert catalogue.tools[0].schema["required"] == ["a"]
    assert [problem.kind for problem in catalogue.problems] == ["required_undeclared"]
    assert "'b'" in catalogue.problems[0].detail


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("dict", "object"),
        ("float", "number"),
        ("int", "integer"),
        ("Integer", "integer"),
        ("list", "array"),
        ("List[str]", "array"),
        ("tuple", "array"),
        ("str", "string"),
        ("bool", "boolean"),
        (["string", "null"], ["string", "null"]),
        ("string|null", ["string", "null"]),
        ("string or number", ["string", "number"]),
    ],
)
def test_other_names_of_types(name: Any, kind: Any) -> None:
    assert schema_of({"x": {"type": name}})["properties"] == {"x": {"type": kind}}
    assert kinds_of({"x": {"type": name}}) == []


def test_any_constrains_nothing_and_is_no_problem() -> None:
    assert schema_of({"x": {"type": "any"}})["properties"] == {"x": {}}
    assert kinds_of({"x": {"type": "any"}}) == []


def test_an_unknown_type_constrains_nothing_and_is_told() -> None:
    catalogue = read_tools([{"name": "paint", "parameters": {"x": {"type": "colour"}}}])
    assert catalogue.tools[0].schema["properties"] == {"x": {}}
    (problem,) = catalogue.problems
    assert problem.kind == "unknown_type"
    assert "'paint'" in problem.detail
    assert "'colour'" in problem.detail


def test_enum_as_a_type_finds_its_options() -> None:
    wanted = {"type": "string", "enum": ["low", "high"]}
    for key in ("enum", "values"):
        spec = {"type": "enum", key: ["low", "high"]}
        assert schema_of({"level": spec})["properties"] == {"level": wanted}
    numbers = schema_of({"level": {"type": "enum", "enum": [1, 2]}})
    assert numbers["properties"] == {"level": {"enum": [1, 2]}}


def test_enum_as_a_type_with_its_options_in_the_prose_alone() -> None:
    spec = {"type": "enum", "description": "Possible values: 'daily', 'weekly'"}
    assert schema_of({"often": spec})["properties"] == {
        "often": {"description": spec["description"]}
    }
    assert kinds_of({"often": spec}) == ["no_options"]


def test_any_of_as_a_type() -> None:
    options = [{"type": "str"}, {"type": "int"}]
    assert schema_of({"x": {"type": "anyOf", "anyOf": options}})["properties"] == {
        "x": {"anyOf": [{"type": "string"}, {"type": "integer"}]}
    }
    assert kinds_of({"x": {"type": "anyOf"}}) == ["no_options"]


def test_arrays_without_items_and_with_items_as_a_word() -> None:
    assert schema_of({"x": {"type": "array"}})["properties"] == {"x": {"type": "array"}}
    assert schema_of({"x": {"type": "array", "items": "str"}})["properties"] == {
        "x": {"type": "array", "items": {"type": "string"}}
    }


def test_nested_objects_are_read_in_depth() -> None:
    spec = {
        "type": "array",
        "items": {
            "type": "dict",
            "properties": {"name": {"type": "str", "required": True}, "age": {"type": "int"}},
        },
    }
    assert schema_of({"guests": spec})["properties"]["guests"]["items"] == {
        "type": "object",
        "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
        "required": ["name"],
    }


def test_older_drafts_are_read_as_the_newest() -> None:
    spec = {"type": "number", "minimum": 0, "exclusiveMinimum": True}
    assert schema_of({"x": spec})["properties"]["x"]["exclusiveMinimum"] == 0
    pair = {"type": "array", "items": [{"type": "string"}, {"type": "number"}]}
    assert schema_of({"x": pair})["properties"]["x"]["prefixItems"] == pair["items"]


@pytest.mark.parametrize(
    "spec",
    [
        {"minimum": "0"},
        {"minLength": -1},
        {"pattern": "("},
        {"enum": "low, high"},
        {"multipleOf": 0},
        {"anyOf": {}},
        {"properties": ["name"]},
        {"$ref": "http://example.com/other.json"},
        {"default": float("nan")},
    ],
)
def test_keywords_that_make_no_sense_are_dropped_and_told(spec: Any) -> None:
    described = {"type": "string", "description": "A value.", **spec}
    assert schema_of({"x": described})["properties"]["x"] == {
        "type": "string",
        "description": "A value.",
    }
    assert kinds_of({"x": described}) == ["bad_keyword"]


def test_references_inside_the_schema_stay() -> None:
    parameters = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/Place"}},
        "$defs": {"Place": {"type": "str"}},
    }
    assert schema_of(parameters)["properties"] == {"a": {"$ref": "#/$defs/Place"}}


def test_a_list_of_named_specs() -> None:
    schema = schema_of([{"name": "city", "type": "string", "required": True}])
    assert schema["properties"] == {"city": {"type": "string"}}
    assert schema["required"] == ["city"]


def test_a_word_in_place_of_a_spec() -> None:
    assert schema_of({"city": "string"})["properties"] == {"city": {"type": "string"}}
    assert kinds_of({"city": "The city."}) == ["bad_parameter"]


ENTRY = {"name": "find", "description": "Finds.", "parameters": {"x": {"type": "string"}}}


@pytest.mark.parametrize(
    "value",
    [
        [ENTRY],
        json.dumps([ENTRY]),
        repr([ENTRY]),
        [{"type": "function", "function": ENTRY}],
        [json.dumps(ENTRY)],
        {"tools": [ENTRY]},
        ENTRY,
    ],
)
def test_every_wrapping_of_a_list(value: Any) -> None:
    catalogue = read_tools(value)
    assert catalogue.names == ("find",)
    assert catalogue.tools[0].description == "Finds."
    assert catalogue.tools[0].schema["properties"] == {"x": {"type": "string"}}
    assert catalogue.problems == ()


def test_a_python_repr_that_is_no_json() -> None:
    catalogue = read_tools("[{'name': 'it', 'parameters': {'x': {'default': None}}, 'ok': True}]")
    assert catalogue.names == ("it",)
    assert catalogue.problems == ()


def test_names_that_repeat_are_all_kept() -> None:
    other = {**ENTRY, "parameters": {"y": {"type": "number"}}}
    catalogue = read_tools([ENTRY, other])
    assert catalogue.names == ("find",)
    assert [tool.parameters for tool in catalogue.named("find")] == [("x",), ("y",)]
    assert catalogue.named("lose") == ()


def test_what_was_read_is_written_back_unchanged() -> None:
    entries = [
        {"type": "function", "function": ENTRY, "strict": True},
        {"name": "odd", "parameters": {"x": {"type": "colour", "values": [1.0]}}, "required": None},
        json.dumps(ENTRY),
        "no tool",
        {"description": "nameless"},
        None,
    ]
    catalogue = read_tools(entries)
    assert catalogue.names == ("find", "odd")
    assert write_tools(catalogue) == entries
    assert write_tools(read_tools(json.dumps(entries))) == entries
    unreadable = [problem for problem in catalogue.problems if problem.kind == "unreadable_tool"]
    assert len(unreadable) == 3


def test_a_text_that_is_no_list_is_kept_as_an_entry() -> None:
    catalogue = read_tools("[{'name': ")
    assert catalogue.tools == ()
    assert write_tools(catalogue) == ["[{'name': "]
    assert [problem.kind for problem in catalogue.problems] == ["unreadable_tool"]


@pytest.mark.parametrize("value", [None, "", "null"])
def test_no_list_at_all_is_told(value: Any) -> None:
    assert [problem.kind for problem in read_tools(value).problems] == ["no_tools"]


def test_tools_made_in_code_are_written_as_json_schema() -> None:
    tool = Tool("find", "Finds.", {**CLOSED, "properties": {"x": {"type": "string"}}})
    written = write_tools(Catalogue((tool,)))
    assert written == [{"name": "find", "description": "Finds.", "parameters": tool.schema}]
    assert read_tools(written).tools[0].schema == tool.schema


def test_close_names_come_in_a_fixed_order() -> None:
    catalogue = read_tools([{"name": n} for n in ("send_email", "send_mail", "book", "sendEmail")])
    assert catalogue.close("send_email_retry") == ["send_email", "sendEmail", "send_mail"]
    assert catalogue.close("SEND_EMAIL")[0] == "send_email"
    assert catalogue.close("zzz") == []
    assert close_names("ab", ("ac", "aa")) == close_names("ab", ("aa", "ac"))


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    *("type", "items", "properties", "required", "enum", "anyOf", "pattern"),
                    *("minimum", "minLength", "$ref", "$defs", "default", "name", "parameters"),
                    *("function", "exclusiveMinimum", "dependentRequired", "not", "format", "x"),
                ]
            ),
            inner | st.sampled_from(["object", "string", "enum", "array", "dict", "#/$defs/x"]),
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JUNK)
def test_reading_never_raises_and_always_gives_sound_schemas(value: Any) -> None:
    for odd in (value, [{"name": "tool", "parameters": value, "required": value}], repr(value)):
        catalogue = read_tools(odd)
        for tool in catalogue:
            Draft202012Validator.check_schema(tool.schema)
            assert tool.schema["type"] == "object"
            assert tool.schema_text


def test_deep_nesting_is_no_error() -> None:
    spec: Any = {"type": "string"}
    for _ in range(400):
        spec = {"type": "array", "items": spec}
    catalogue = read_tools([{"name": "deep", "parameters": {"x": spec}}])
    assert "bad_parameter" in [problem.kind for problem in catalogue.problems]
    read_tools("[" * 100_000)


def test_the_sample_of_the_release(release_sample: Path) -> None:
    odd: list[str] = []
    for path in sorted(release_sample.glob("data/*/*.jsonl")):
        for _, row in read_jsonl(path):
            catalogue = read_tools(row["tool_list"])
            assert write_tools(catalogue) == json.loads(row["tool_list"])
            odd.extend(problem.kind for problem in catalogue.problems)
    assert set(odd) == {"no_options"}
