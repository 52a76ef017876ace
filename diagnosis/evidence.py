"""Evidence: from where in what a model sees an error can be known (semantics.md, point 7).

A pointer is ``{"in": "query", "text"}``, ``{"in": "plan", "node", "path"}``, ``{"in": "tools",
"tool", "path"}`` or ``{"in": "results", "node", "path"}``. An error without any is no instance.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from diagnosis.arguments import is_plain_object
from diagnosis.labels import Case, Label
from environment.meanings import say
from environment.world import Parameter, WorldTool
from trajectory import canonical
from trajectory.arguments import find_faults
from trajectory.error_types import ErrorType
from trajectory.references import follow, references

Pointer = Mapping[str, Any]


@dataclass(frozen=True)
class Sight:
    """What a model sees: the request, the plan and results so far (in `case`), the tools.

    tools: what the listed tools are, by name; empty where only their schemas are known.
    shows: the nodes whose results show the error; those of others tell of other errors.
    """

    query: str
    case: Case
    tools: Mapping[str, WorldTool]
    shows: Collection[str]


def evidence(sight: Sight, label: Label) -> list[Pointer]:
    """Return where an error can be known from, the plainest first."""
    return [*_OF[label.type](sight, label), *_failing(sight, label)]


def _failing(sight: Sight, label: Label) -> Iterator[Pointer]:
    """Point to the failing or empty last result of the root cause."""
    last = sight.case.ledger.last(label.root_cause)
    if last is None or label.root_cause not in sight.shows:
        return
    if last.outcome == "failed":
        path = "error" if isinstance(last.result, dict) and "error" in last.result else ""
        yield in_results(label.root_cause, path)
    elif last.outcome == "empty":
        yield in_results(label.root_cause)


def in_query(text: str) -> Pointer:
    """The request says it in these words."""
    return {"in": "query", "text": text}


def in_plan(node: str, path: str) -> Pointer:
    """The plan shows it in a node, at a path such as "dep" or "para.city"."""
    return {"in": "plan", "node": node, "path": path}


def in_tool(tool: str, path: str) -> Pointer:
    """The tool list shows it, at a path such as "description" or "parameters.required"."""
    return {"in": "tools", "tool": tool, "path": path}


def in_results(node: str, path: str = "") -> Pointer:
    """The last result of a node shows it, at a path."""
    return {"in": "results", "node": node, "path": path}


# --- arguments -------------------------------------------------------------------------------


def _name(sight: Sight, label: Label) -> Iterator[Pointer]:
    yield from _in_schema(sight, label)
    yield in_plan(label.root_cause, "para")


def _in_schema(sight: Sight, label: Label) -> Iterator[Pointer]:
    tool = _tool_of(sight, label)
    known = sight.case.catalogue.named(tool)[0].parameters
    about = [name for name in sorted({*label.expected, label.parameter or ""}) if name in known]
    for name in about:
        yield in_tool(tool, f"parameters.properties.{name}")
    if not about:
        yield in_tool(tool, "parameters.properties")


def _type(sight: Sight, label: Label) -> Iterator[Pointer]:
    name = label.parameter or ""
    inside = _to_difference(label.observed.get(name), label.expected.get(name))
    path = ".".join(("parameters.properties", name, *inside, "type"))
    yield in_tool(_tool_of(sight, label), path)
    yield in_plan(label.root_cause, f"para.{name}")


def _to_difference(got: Any, right: Any) -> Iterator[str]:
    """Yield the steps that lead in a schema to what it says of the first part that differs."""
    if is_plain_object(got) and is_plain_object(right):
        parts = [(name, got[name], right[name]) for name in sorted(got.keys() & right.keys())]
    elif isinstance(got, list) and isinstance(right, list):
        parts = [("", one, other) for one, other in zip(got, right, strict=False)]
    else:
        return
    for name, one, other in parts:
        if not canonical.same(one, other):
            yield from ("properties", name) if name else ("items",)
            yield from _to_difference(one, other)
            return


def _left_out(sight: Sight, label: Label) -> Iterator[Pointer]:
    yield in_tool(_tool_of(sight, label), "parameters.required")
    yield in_plan(label.root_cause, "para")


def _untrue(sight: Sight, label: Label) -> Iterator[Pointer]:
    """Point to the schema that forbids a value, and to what gives the true one."""
    name = label.parameter or ""
    yield from _forbidding(sight, label, name)
    expected = label.expected.get(name)
    parameter = _parameter(sight, _tool_of(sight, label), name)
    for text in _said(sight.query, expected, parameter):
        yield in_query(text)
    for found in references(expected):
        node = found.node or ""
        last = sight.case.ledger.last(node)
        if last is not None and _leads(last.result, found.path):
            yield in_results(node, found.path)
        elif node in sight.case.plan.by_id:
            yield in_plan(node, "name")


def _forbidding(sight: Sight, label: Label, name: str) -> Iterator[Pointer]:
    tool = sight.case.catalogue.named(_tool_of(sight, label))[0]
    value = label.observed.get(name)
    faults = find_faults(tool, {name: value}) if not any(references(value)) else ()
    if any(fault.path[:1] == (name,) for fault in faults):
        yield in_tool(tool.name, f"parameters.properties.{name}")


def _leads(result: Any, path: str) -> bool:
    try:
        follow(result, path)
    except LookupError:
        return False
    return True


def _said(query: str, value: Any, parameter: Parameter | None) -> Iterator[str]:
    """Yield the words in which a request says a value, and those of its parts."""
    yield from (word for word in words_of(value, parameter) if stands_in(word, query))
    if isinstance(value, list):
        for item in value:
            yield from _said(query, item, None if parameter is None else parameter.items)
    if isinstance(value, dict) and not any(references(value)):
        for name in sorted(value):
            part = None if parameter is None else parameter.fields.get(name)
            yield from _said(query, value[name], part)


def words_of(value: Any, parameter: Parameter | None) -> list[str]:
    """Return how a request can say a value as a whole, within a sentence and at its beginning."""
    words = [*_words(value, parameter), *_words_of_scalar(value)]
    return list(dict.fromkeys([*words, *(word[:1].upper() + word[1:] for word in words)]))


def _words(value: Any, parameter: Parameter | None) -> Iterator[str]:
    if parameter is None or any(references(value)):
        return
    told = (parameter.says or {}).get(canonical.dumps(value))
    if told:
        yield told
    elif not isinstance(value, dict | list):
        yield say(parameter.means, value)


def _words_of_scalar(value: Any) -> Iterator[str]:
    if isinstance(value, str) or (isinstance(value, int | float) and not isinstance(value, bool)):
        yield canonical.dumps(value).strip('"')


def stands_in(words: str, query: str) -> bool:
    """Say whether a request holds these words, not as a part of others."""
    return bool(words) and re.search(rf"(?<!\w){re.escape(words)}(?!\w)", query) is not None


def _tool_of(sight: Sight, label: Label) -> str:
    return sight.case.plan.by_id[label.root_cause].name or ""


def _parameter(sight: Sight, tool: str, name: str) -> Parameter | None:
    known = sight.tools.get(tool)
    return None if known is None else known.parameters.get(name)


# --- tools -----------------------------------------------------------------------------------


def _unlisted(sight: Sight, label: Label) -> Iterator[Pointer]:
    yield in_plan(label.root_cause, "name")
    yield in_tool(label.expected, "name")


def _not_right(sight: Sight, label: Label) -> Iterator[Pointer]:
    yield in_tool(label.expected, "description")
    yield in_tool(label.observed, "description")


def _absent(sight: Sight, label: Label) -> Iterator[Pointer]:
    """Point to the tool that nobody calls, and to what stands in place of its result."""
    call = label.expected
    yield in_tool(call["tool"], "description")
    for name in sorted(call["arguments"]):
        parameter = _parameter(sight, call["tool"], name)
        for text in _said(sight.query, call["arguments"][name], parameter):
            yield in_query(text)
    if label.root_cause in sight.case.found.calls:
        yield in_plan(label.root_cause, "para")


def _needless(sight: Sight, label: Label) -> Iterator[Pointer]:
    """Point to the call, and to the one that it repeats."""
    yield in_plan(label.root_cause, "para")
    for node in sight.case.plan:
        if node.id != label.root_cause and node.name == label.observed["tool"]:
            yield in_plan(node.id, "para")


# --- edges -----------------------------------------------------------------------------------


def _edge(sight: Sight, label: Label) -> Iterator[Pointer]:
    """Point to the references that no dep stands behind, else to what the producers give."""
    node = sight.case.plan.by_id[label.root_cause]
    above = sight.case.found.ancestors(node.id)
    for found in references(node.para):
        if found.node not in above:
            yield in_plan(node.id, f"para.{found.where}")
    yield in_plan(node.id, "dep")
    for producer in label.expected:
        if producer not in above:
            right = sight.case.gold.by_id[sight.case.purpose(producer)]
            yield in_tool(right.name or "", "description")


def _needless_edge(sight: Sight, label: Label) -> Iterator[Pointer]:
    yield in_plan(label.root_cause, "dep")
    if label.root_cause in sight.case.found.calls:
        yield in_plan(label.root_cause, "para")


def _nothing(sight: Sight, label: Label) -> Iterator[Pointer]:
    """A fault of the environment shows in nothing but its result."""
    return iter(())


_OF = {
    ErrorType.PARAMETER_NAME: _name,
    ErrorType.PARAMETER_TYPE: _type,
    ErrorType.PARAMETER_MISSING: _left_out,
    ErrorType.PARAMETER_INVALID: _untrue,
    ErrorType.TOOL_NAME: _unlisted,
    ErrorType.TOOL_SELECT: _not_right,
    ErrorType.MISSING_CALL: _absent,
    ErrorType.REDUNDANT_CALL: _needless,
    ErrorType.SERIAL: _edge,
    ErrorType.DEPENDENCE: _edge,
    ErrorType.DEPENDENCE_NULL: _edge,
    ErrorType.PARALLELISM: _needless_edge,
    ErrorType.TIMEOUT: _nothing,
    ErrorType.NULL: _nothing,
}
