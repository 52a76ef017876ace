"""Habits with tools: wrong and invented ones, calls that nobody planned, calls too many."""

from collections.abc import Mapping
from typing import Any, Final

from build.rollouts.desk import Desk, literals
from build.rollouts.guesses import guess
from build.rollouts.planning import Draft
from trajectory.error_types import ErrorType
from trajectory.plan import RESPONSE, Node
from trajectory.references import is_reference, references
from trajectory.tools import Tool

# Verbs of calls that change something: a careful planner checks what it looked up, not these.
_CHANGING: Final = frozenset(
    "add allocate book cancel create delete draft enter log merge move open order pay post put "
    "record register remove rename renew reserve return schedule send set settle start stop "
    "take transfer update write".split()
)
_VERBS: Final = {"find": "search", "list": "get", "describe": "get", "book": "reserve"}


def wrong_tool(desk: Desk) -> bool:
    """Choose a listed tool that is like the right one, with arguments to suit it."""
    places = [(node, tool) for node in desk.fitting() for tool in _alike(desk, node)]
    if not places:
        return False
    node, tool = desk.rng.choice(places)
    para = _suited(node, tool, desk)
    desk.draft.set_call(node.id, name=tool.name, para=para)
    return desk.slip(ErrorType.TOOL_SELECT, node.id)


def _alike(desk: Desk, node: Node) -> list[Tool]:
    """Return the other tools, those only that share a word or a parameter with the right one."""
    right = desk.tool(node)
    if right is None:
        return []
    words = {word.rstrip("s") for word in right.name.split("_")}
    return [
        tool
        for tool in desk.tools
        if tool.name != right.name
        and (
            words & {word.rstrip("s") for word in tool.name.split("_")}
            or {*tool.parameters} & {*right.parameters}
        )
    ]


def _suited(node: Node, tool: Tool, desk: Desk) -> dict[str, Any]:
    """Give a tool the values of another one's call: by name, then by type, then invented."""
    given = dict(node.para) if isinstance(node.para, dict) else {}
    known: Mapping[str, Any] = tool.schema.get("properties", {})
    para = {name: given.pop(name) for name in known if name in given}
    for name in tool.schema.get("required", []):
        if name not in para:
            fitting = [other for other in given if _is_of(given[other], known[name])]
            para[name] = given.pop(fitting[0]) if fitting else guess(name, known[name], desk.rng)
    return para


def _is_of(value: Any, schema: Mapping[str, Any]) -> bool:
    kinds = {"string": str, "integer": int, "number": int | float, "array": list, "boolean": bool}
    kind = kinds.get(schema.get("type", ""))
    return is_reference(value) or (kind is not None and isinstance(value, kind))


def invented(desk: Desk) -> bool:
    """Call a tool by a name that is in no list."""
    nodes = desk.fitting()
    if not nodes:
        return False
    node = desk.rng.choice(nodes)
    names = [name for name in _names_like(node.name or "") if name not in desk.tools.names]
    desk.draft.set_call(node.id, name=desk.rng.choice(names))
    return desk.slip(ErrorType.TOOL_NAME, node.id)


def _names_like(name: str) -> list[str]:
    verb, *more = name.split("_")
    camel = verb + "".join(word.capitalize() for word in more)
    others = ["_".join([_VERBS.get(verb, "get"), *more]), f"{name}_v2", f"{name}_tool"]
    return [*dict.fromkeys((*others, camel if more else f"{name}_api", f"{name}_info"))]


def never_planned(desk: Desk) -> bool:
    """Leave a call out; who needs its result gets invented data."""
    nodes = [
        node
        for node in desk.fitting()
        if _takers(desk.draft, node.id) and not _shaken_takers(desk, node.id)
    ]
    if not nodes:
        return False
    node = desk.rng.choice(nodes)
    step, takers = desk.draft.made_for[node.id], _takers(desk.draft, node.id)
    for taker in takers:
        known = desk.draft.nodes[taker]
        tool = desk.tool(known)
        schema = tool.schema if tool else {}
        desk.draft.set_call(taker, para=_filled(known.para, "", schema, node.id, desk))
    desk.draft.remove(node.id)
    return desk.slip(ErrorType.MISSING_CALL, takers[0], *takers, step=step)


def _takers(draft: Draft, node: str) -> list[str]:
    return [taker for taker in draft.takers(node) if taker != RESPONSE]


def _shaken_takers(desk: Desk, node: str) -> bool:
    return any(taker in desk.shaken for taker in desk.draft.takers(node))


def _filled(value: Any, name: str, schema: Mapping[str, Any], gone: str, desk: Desk) -> Any:
    """Put invented data where values of a call that is left out would stand."""
    if is_reference(value):
        return guess(name, schema, desk.rng) if value["$ref"] == gone else value
    if isinstance(value, dict):
        known = schema.get("properties", {})
        return {key: _filled(value[key], key, known.get(key, {}), gone, desk) for key in value}
    if isinstance(value, list):
        return [_filled(part, name, schema.get("items", {}), gone, desk) for part in value]
    return value


def double_check(desk: Desk) -> bool:
    """Look something up a second time, and let who needs it wait for that as well."""
    nodes = [
        node
        for node in desk.fitting()
        if (node.name or "").split("_")[0] not in _CHANGING and not _shaken_takers(desk, node.id)
    ]
    if not nodes:
        return False
    node = desk.rng.choice(nodes)
    taker = desk.rng.choice(desk.draft.takers(node.id) or [RESPONSE])
    behind = (node.id,) if desk.rng.random() < 0.7 else node.dep
    new = desk.draft.add(desk.draft.free_id(), node.name or "", node.para, behind)
    desk.draft.set_deps(taker, (*desk.draft.deps(taker), new))
    return desk.slip(ErrorType.REDUNDANT_CALL, new, node.id, taker)


def extra_lookup(desk: Desk) -> bool:
    """Call a tool that nobody needs, with values at hand, before going on."""
    known = _at_hand(desk.draft)
    used = {step.tool for step in desk.draft.steps.values()}
    tools = [
        tool
        for tool in desk.tools
        if tool.name not in used
        and tool.name.split("_")[0] not in _CHANGING
        and {*tool.schema.get("required", [])} <= known.keys()
    ]
    takers = [node.id for node in desk.fitting()] + [RESPONSE]
    if not tools:
        return False
    tool, taker = desk.rng.choice(tools), desk.rng.choice(takers)
    para = {name: known[name] for name in tool.schema.get("required", [])}
    before = [dep for dep in desk.draft.deps(taker) if dep not in desk.shaken]
    dep = (desk.rng.choice(before),) if before and desk.rng.random() < 0.6 else ()
    new = desk.draft.add(desk.draft.free_id(), tool.name, para, dep)
    desk.draft.set_deps(taker, (*desk.draft.deps(taker), new))
    return desk.slip(ErrorType.REDUNDANT_CALL, new, taker)


def _at_hand(draft: Draft) -> dict[str, Any]:
    """Return the values that the wish gives, by parameter."""
    return {
        name: value
        for step in draft.steps.values()
        for name, value in step.arguments.items()
        if literals(value) and not any(references(value))
    }
