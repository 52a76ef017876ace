"""Every world keeps the rules of environment/worlds/README.md: declarations and behaviour.

Behaviour is watched on walks: from a fresh state, every tool is called again and again with
literals and with values that earlier successful calls of the walk gave.
"""

import ast
import inspect
import json
import random
import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema
import pytest

from environment import literals
from environment.meanings import MEANINGS, fits
from environment.world import Output, Parameter, World, WorldTool
from environment.worlds import world, world_names
from tests.environment.walks import SEED, Seen, call, keeps_schema, walked
from trajectory import canonical
from trajectory.calls import call_outcome
from trajectory.references import follow

SLOT = re.compile(r"\{([^{}]*)\}")
BRACKETS = re.compile(r"\[([^\[\]]*)\]")
# Words that would give away which step comes before which.
ORDERS = re.compile(r"\b(?:then|after that|afterwards|finally|in the end)\b", re.IGNORECASE)
# How a description says that a second call is no second deed.
AGAIN_CHANGES_NOTHING = re.compile(r"changes nothing|idempotent", re.IGNORECASE)

WORLDS = [world(name) for name in world_names()]
TOOLS = [tool for one in WORLDS for tool in one.tools.values()]

each_world = pytest.mark.parametrize("one", WORLDS, ids=lambda one: one.name)
each_tool = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: f"{tool.world}-{tool.name}")


# Worlds


@pytest.mark.parametrize("name", world_names())
def test_imports(name: str) -> None:
    one = world(name)
    assert one.name == name
    assert len(one.tools) > 0
    assert one.summary.endswith(".")


def test_tool_names_are_unique_over_all_worlds() -> None:
    count = Counter(tool.name for tool in TOOLS)
    assert [name for name, times in count.items() if times > 1] == []


def test_worlds_tools_and_bodies_are_many() -> None:
    bodies = {body_shape(tool) for tool in TOOLS}
    assert len(WORLDS) >= 24
    assert len(TOOLS) >= 160
    assert len(bodies) >= 100


# What makes a body more than a look-up.
WORK = (ast.For, ast.While, ast.BinOp, ast.Compare, ast.comprehension, ast.Lambda)


def body_shape(tool: WorldTool) -> str:
    """Return the kinds of the nodes of a body, names and constants left out.

    All that only look a row up are one, and so are all that only put or remove one.
    """
    source = ast.parse(textwrap.dedent(inspect.getsource(tool.body))).body[0]
    assert isinstance(source, ast.FunctionDef)
    statements = source.body[1:] if ast.get_docstring(source) else source.body
    parts = [part for statement in statements for part in ast.walk(statement)]
    if not any(isinstance(part, WORK) and not is_none_test(part) for part in parts):
        return f"plain, effect: {tool.has_effect}"
    return " ".join(type(part).__name__ for part in parts)


def is_none_test(part: ast.AST) -> bool:
    if not isinstance(part, ast.Compare):
        return False
    other = part.comparators[0]
    return isinstance(other, ast.Constant) and other.value is None


@each_world
def test_tables_come_from_the_seed(one: World) -> None:
    tables = one.tables(SEED)
    text = canonical.dumps(tables)
    assert canonical.dumps(one.tables(SEED)) == text
    assert json.loads(text) == canonical.normal(tables)
    for name, rows in tables.items():
        assert re.fullmatch(r"[a-z_]+", name)
        assert {type(key) for key in rows} <= {str}
        assert {type(row) for row in rows.values()} <= {dict}
    if any(tables.values()):
        assert canonical.dumps(one.tables(SEED + 1)) != text


@each_world
def test_base_tables_stay_as_they_are(one: World) -> None:
    found = walked(one.name)
    assert found.tables_before == found.tables_after


# Declarations


@each_tool
def test_schema_and_signature_agree(tool: WorldTool) -> None:
    jsonschema.Draft202012Validator.check_schema(tool.schema)
    _, *given = inspect.signature(tool.body).parameters.values()
    assert [part.name for part in given] == list(tool.parameters)
    for part in given:
        has_default = part.default is not inspect.Parameter.empty
        assert has_default == tool.parameters[part.name].optional, part.name


@each_tool
def test_names_and_descriptions(tool: WorldTool) -> None:
    assert re.fullmatch(r"[a-z]+(_[a-z0-9]+)*", tool.name)
    assert 25 <= len(tool.description) <= 400
    assert tool.description.endswith(".")
    for name, parameter in every_parameter(tool.parameters):
        assert parameter.schema["description"], name
        assert parameter.means, name


@each_tool
def test_required_parameters_can_be_had(tool: WorldTool) -> None:
    given = {output.means for other in world(tool.world).tools.values() for output in other.outputs}
    for name, parameter in tool.parameters.items():
        if not parameter.optional:
            assert can_be_had(parameter, given), name


@each_tool
def test_wishes_say_the_call(tool: WorldTool) -> None:
    assert len(tool.wishes) >= 3
    assert len(set(tool.wishes)) == len(tool.wishes)
    said: set[str] = set()
    for wish in tool.wishes:
        check_sentence(tool, wish)
        assert missing(tool, wish) == set(), wish
        assert wish[-1] in ".?!", wish
        assert tool.name not in wish
        said |= roots(wish)
    unsaid = {name for name, one in tool.parameters.items() if one.counts} - said
    assert unsaid == set(), "no wish says these"


@each_tool
def test_phrases_say_the_call(tool: WorldTool) -> None:
    assert len({output.path for output in tool.outputs}) == len(tool.outputs)
    for output in tool.outputs:
        assert output.phrases, output.path
        for phrase in output.phrases:
            check_sentence(tool, phrase)
            assert missing(tool, phrase) == set(), phrase
            assert not phrase.endswith((".", "?", "!")), phrase


@each_tool
def test_undo_is_a_tool_of_the_world(tool: WorldTool) -> None:
    if tool.undo is None:
        return
    assert tool.writes
    other = world(tool.world).tools[tool.undo.tool]
    required = {name for name, one in other.parameters.items() if not one.optional}
    assert required <= set(tool.undo.arguments) <= set(other.parameters)
    for path in tool.undo.arguments.values():
        assert path.startswith(("arguments.", "result."))


@each_tool
def test_words_belong_to_values(tool: WorldTool) -> None:
    for name, parameter in every_parameter(tool.parameters):
        values = [canonical.loads(text) for text in parameter.says or {} if text]
        template = (parameter.says or {}).get("", "")
        assert set(SLOT.findall(template)) <= (set(parameter.fields) or {"value"}), name
        options = parameter.schema.get("enum")
        assert options is None or all(value in options for value in values), name


def every_parameter(parameters: Mapping[str, Parameter]) -> Iterator[tuple[str, Parameter]]:
    """Yield parameters with their items and fields, at every depth."""
    for name, parameter in parameters.items():
        yield name, parameter
        inner = dict(parameter.fields)
        if parameter.items is not None:
            inner["[]"] = parameter.items
        for below, part in every_parameter(inner):
            yield f"{name}.{below}", part


def can_be_had(parameter: Parameter, given: set[str]) -> bool:
    """Say whether a value is literal, or comes out of a tool, whole or part by part."""
    if literals.can_draw(parameter) or any(fits(means, parameter.means) for means in given):
        return True
    if parameter.items is not None:
        return can_be_had(parameter.items, given)
    parts = [part for part in parameter.fields.values() if not part.optional]
    return bool(parts) and all(can_be_had(part, given) for part in parts)


def roots(sentence: str) -> set[str]:
    return {slot.split(".")[0] for slot in SLOT.findall(sentence)}


def missing(tool: WorldTool, sentence: str) -> set[str]:
    """Return the required parameters that a sentence doesn't say outside of brackets."""
    required = {name for name, one in tool.parameters.items() if not one.optional and one.counts}
    return required - roots(BRACKETS.sub("", sentence))


def check_sentence(tool: WorldTool, sentence: str) -> None:
    """Slots are parameters or their fields, optional ones in brackets, all in balance."""
    bare = SLOT.sub("", sentence)
    assert not set("{}") & set(bare), sentence
    assert not set("[]") & set(BRACKETS.sub("", bare)), sentence
    assert "  " not in sentence
    assert not ORDERS.search(sentence), sentence
    for slot in SLOT.findall(sentence):
        check_slot(tool.parameters, slot)
    optional = {name for name, one in tool.parameters.items() if one.optional}
    assert not roots(BRACKETS.sub("", sentence)) & optional, sentence
    for inside in BRACKETS.findall(sentence):
        assert roots(inside) & optional, sentence


def check_slot(parameters: Mapping[str, Parameter], slot: str) -> None:
    for name in slot.split("."):
        assert name in parameters, slot
        parameters = parameters[name].fields


# Behaviour


@each_tool
def test_only_its_own_refusals_are_raised(tool: WorldTool) -> None:
    assert [
        (seen.crash, seen.arguments) for seen in walked(tool.world).of(tool) if seen.crash
    ] == []


@each_tool
def test_some_calls_succeed(tool: WorldTool) -> None:
    calls = walked(tool.world).of(tool)
    assert calls, "no arguments could be drawn"
    assert [seen.refusal for seen in calls if seen.succeeded], Counter(
        seen.refusal for seen in calls
    ).most_common(3)


@each_tool
def test_results_are_plain_json_objects(tool: WorldTool) -> None:
    for seen in walked(tool.world).successes(tool):
        assert isinstance(seen.result, dict)
        assert seen.result
        assert call_outcome(seen.result) == "ok", seen.result
        text = canonical.dumps(seen.result)
        assert canonical.same(canonical.loads(text), seen.result)
        assert all(round(value, 6) == value for value in floats(seen.result)), seen.result


@each_tool
def test_refusals_are_one_sentence_that_names_a_value(tool: WorldTool) -> None:
    for seen in walked(tool.world).of(tool):
        if seen.refusal is not None:
            assert 10 <= len(seen.refusal) <= 240, seen.refusal
            assert "\n" not in seen.refusal
            assert call_outcome({"error": seen.refusal}) == "failed"
            assert ". " not in seen.refusal
            assert any(text in seen.refusal for text in leaves(seen.arguments)), (
                seen.refusal, seen.arguments,
            )  # fmt: skip


@each_tool
def test_refused_calls_change_nothing(tool: WorldTool) -> None:
    for seen in walked(tool.world).of(tool):
        if seen.refusal is not None:
            assert seen.after.digest() == seen.before.digest(), seen.refusal


@each_tool
def test_declared_tables_are_those_touched(tool: WorldTool) -> None:
    calls = walked(tool.world).of(tool)
    assert {name for seen in calls for name in seen.read} == set(tool.reads)
    assert {name for seen in calls for name in seen.written} == set(tool.writes)
    tables = set(world(tool.world).tables(SEED))
    assert {*tool.reads, *tool.writes} <= tables


@each_tool
def test_outputs_are_there_and_of_their_kind(tool: WorldTool) -> None:
    for output in tool.outputs:
        values = list(found_values(tool, output))
        assert values, f"{output.path} was never found"
        wanted = kinds_of(output.means)
        for value in values:
            assert value not in ("", None), output.path
            assert kind(value) in wanted, (output.path, value, wanted)
            if output.means.startswith("list:"):
                assert {kind(item) for item in value} <= kinds_of(output.means[5:]), value


@each_tool
def test_same_call_same_result(tool: WorldTool) -> None:
    for seen in walked(tool.world).of(tool)[:12]:
        again = call(tool, seen.arguments, seen.before)
        assert (again.refusal, again.crash) == (seen.refusal, seen.crash)
        assert canonical.dumps(again.result) == canonical.dumps(seen.result)
        assert again.after.digest() == seen.after.digest()


@each_tool
def test_undo_restores_the_state(tool: WorldTool) -> None:
    if tool.undo is None:
        return
    other = world(tool.world).tools[tool.undo.tool]
    for seen in walked(tool.world).successes(tool):
        arguments = undo_arguments(seen)
        assert keeps_schema(other, arguments), arguments
        back = call(other, arguments, seen.after)
        assert back.succeeded, (back.refusal or back.crash, seen.arguments)
        assert back.after.digest() == seen.before.digest(), seen.arguments


@each_tool
def test_no_silent_second_deed(tool: WorldTool) -> None:
    if not tool.has_effect or AGAIN_CHANGES_NOTHING.search(tool.description):
        return
    for seen in walked(tool.world).successes(tool):
        assert seen.after.digest() != seen.before.digest(), seen.arguments
        again = call(tool, seen.arguments, seen.after)
        assert not again.succeeded or again.after.digest() != seen.after.digest(), seen.arguments


@each_tool
def test_what_does_not_count_touches_nothing(tool: WorldTool) -> None:
    prose = [name for name, parameter in tool.parameters.items() if not parameter.counts]
    for seen in walked(tool.world).successes(tool) if prose else ():
        other = {name: f"{value}!" if name in prose else value
                 for name, value in seen.arguments.items()}  # fmt: skip
        again = call(tool, other, seen.before)
        assert canonical.dumps(again.result) == canonical.dumps(seen.result)
        assert again.after.digest() == seen.after.digest()


def floats(value: Any) -> Iterator[float]:
    """Yield the numbers with a fraction inside a value."""
    if isinstance(value, float):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from floats(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from floats(item)


def leaves(value: Any) -> Iterator[str]:
    """Yield how the single values inside arguments may be written in a sentence."""
    if isinstance(value, dict):
        for item in value.values():
            yield from leaves(item)
    elif isinstance(value, list):
        yield str(len(value))
        for item in value:
            yield from leaves(item)
    elif isinstance(value, bool):
        yield str(value).lower()
    elif isinstance(value, float):
        yield from (str(value), f"{value:g}", f"{value:.2f}")
    elif value != "":
        yield str(value)


def found_values(tool: WorldTool, output: Output) -> Iterator[Any]:
    for seen in walked(tool.world).successes(tool):
        try:
            yield follow(seen.result, output.path)
        except LookupError:
            continue


def kind(value: Any) -> str:
    """Return what JSON calls a value, integers as numbers."""
    names = {bool: "boolean", int: "number", float: "number", str: "string", dict: "object",
             list: "array"}  # fmt: skip
    return names.get(type(value), "null")


def kinds_of(means: str) -> set[str]:
    """Return the JSON types that a meaning has: its own, or its consumers' in any world."""
    if means.startswith("list:"):
        return {"array"}
    meaning = MEANINGS.get(means)
    if meaning is not None:
        example = meaning.draw(random.Random(SEED), SEED) if meaning.draw else ""
        return {kind(example)}
    named = {parameter.schema["type"].replace("integer", "number")
             for tool in TOOLS
             for _, parameter in every_parameter(tool.parameters)
             if parameter.means == means}  # fmt: skip
    return named or {"string", "number", "object", "boolean"}


def undo_arguments(seen: Seen) -> dict[str, Any]:
    """Return the arguments of the undoing call; what an optional one came from may be absent."""
    assert seen.tool.undo is not None
    whole = {"arguments": seen.arguments, "result": seen.result}
    given = {}
    for name, path in seen.tool.undo.arguments.items():
        try:
            given[name] = follow(whole, path)
        except LookupError:
            assert world(seen.tool.world).tools[seen.tool.undo.tool].parameters[name].optional
    return given
