"""Habits with arguments: placeholders, positions, other names and types, gaps, untrue values."""

from collections.abc import Mapping
from typing import Any, Final

from build.rollouts.desk import Desk, literals
from build.rollouts.guesses import nearly
from trajectory import canonical
from trajectory.error_types import ErrorType
from trajectory.plan import Node
from trajectory.references import is_reference, references

Named = dict[str, Any]

# They name the tool, not the node: nodes get other numbers once a rollout is complete.
_PLACEHOLDERS: Final = (
    "result of {}",
    "output_of_{}",
    "{{{{{}.result}}}}",
    "<from {}>",
    "the value returned by {}",
)
_SAME: Final = {
    "city": ("location", "city_name"),
    "day": ("date", "on_date"),
    "quantity": ("amount", "count"),
    "amount": ("value", "total"),
    "person": ("name", "person_name"),
    "title": ("name", "heading"),
    "items": ("list", "entries"),
    "last": ("n", "limit"),
}


def placeholder(desk: Desk) -> bool:
    """Write words where the value of an earlier result belongs."""
    places = [(node, name) for node in desk.fitting() for name in _taking(node)]
    if not places:
        return False
    node, name = desk.rng.choice(places)
    value, schema = _named(node)[name], _schema(desk, node, name)
    words = desk.rng.choice(_PLACEHOLDERS)
    if isinstance(value, list) and desk.rng.random() < 0.5:
        put: Any = [_words(desk, words, item) if is_reference(item) else item for item in value]
        schema = schema.get("items", {})
    else:
        put = _words(desk, words, value)
    kind = schema.get("type") if isinstance(put, list) else _schema(desk, node, name).get("type")
    untrue = ErrorType.PARAMETER_INVALID if kind == "string" else ErrorType.PARAMETER_TYPE
    return _set(desk, node, {name: put}, untrue)


def _taking(node: Node) -> list[str]:
    return [name for name, value in _named(node).items() if any(references(value))]


def _words(desk: Desk, words: str, value: Any) -> str:
    node = next((one.node for one in references(value) if one.node), "")
    return words.format(desk.draft.nodes[node].name if node in desk.draft.nodes else "it")


def positional(desk: Desk) -> bool:
    """Give the arguments as a list in their order; several calls at a time have this style."""
    nodes = [node for node in desk.fitting() if len(_named(node)) > 0]
    if not nodes:
        return False
    first = desk.rng.choice(nodes)
    like = [node for node in nodes if node.name == first.name and node is not first]
    for node in (first, *like[: desk.rng.choice((0, 0, 1, 2))]):
        tool = desk.tool(node)
        named = _named(node)
        order = [name for name in tool.parameters if name in named] if tool else sorted(named)
        desk.draft.set_call(node.id, para=[named[name] for name in order])
        desk.slip(ErrorType.PARAMETER_NAME, node.id)
    return True


def renamed(desk: Desk) -> bool:
    """Give a value under a name of the planner's own."""
    places = [(node, name) for node in desk.fitting() for name in _named(node)]
    if not places:
        return False
    node, name = desk.rng.choice(places)
    known = desk.tool(node)
    taken = {*_named(node), *(known.parameters if known else ())}
    names = [one for one in _other_names(name) if one not in taken]
    if not names:
        return False
    new = desk.rng.choice(names)
    para = {new if one == name else one: value for one, value in _named(node).items()}
    desk.draft.set_call(node.id, para=para)
    return desk.slip(ErrorType.PARAMETER_NAME, node.id)


def _other_names(name: str) -> list[str]:
    first, *more = name.split("_")
    camel = first + "".join(word.capitalize() for word in more)
    shorter = [first, more[-1]] if more else []
    longer = [f"{name}s"] if not name.endswith("s") else [name[:-1]]
    return [*dict.fromkeys((*_SAME.get(name, ()), camel, *shorter, *longer, f"{name}_value"))]


def wrong_type(desk: Desk) -> bool:
    """Give a value in another JSON type."""
    places = [
        (node, name, other)
        for node in desk.fitting()
        for name, value in _named(node).items()
        for other in _other_types(value)
    ]
    if not places:
        return False
    node, name, other = desk.rng.choice(places)
    if _schema(desk, node, name).get("type") == "string" and isinstance(other, str):
        return False
    return _set(desk, node, {name: other}, ErrorType.PARAMETER_TYPE)


def _other_types(value: Any) -> list[Any]:
    if is_reference(value):
        return [[value]]
    if isinstance(value, bool):
        return [str(value).lower(), "yes" if value else "no"]
    if isinstance(value, int | float):
        return [canonical.dumps(value), [value]]
    if isinstance(value, list):
        plain = literals(value) and all(isinstance(item, str | int | float) for item in value)
        return [", ".join(map(str, value))] if plain else [{"items": value}]
    if isinstance(value, dict):
        return [canonical.dumps(value)] if literals(value) else [[value]]
    return [[value], {"value": value}]


def left_out(desk: Desk) -> bool:
    """Leave a required parameter out."""
    places = [
        (node, name)
        for node in desk.fitting()
        for name in _required(desk, node)
        if literals(_named(node).get(name)) or desk.rng.random() < 0.3
    ]
    if not places:
        return False
    node, name = desk.rng.choice(places)
    desk.draft.set_call(node.id, para={k: v for k, v in _named(node).items() if k != name})
    return desk.slip(ErrorType.PARAMETER_MISSING, node.id)


def _required(desk: Desk, node: Node) -> list[str]:
    tool = desk.tool(node)
    wanted = tool.schema.get("required", []) if tool else []
    return [name for name in wanted if name in _named(node)]


def untrue(desk: Desk) -> bool:
    """Give a value nearly right: one off, a slip of the pen, another entry of a list."""
    places = [(node, name) for node in desk.fitting() for name in _named(node)]
    if not places:
        return False
    node, name = desk.rng.choice(places)
    other = nearly(_named(node)[name], _schema(desk, node, name), desk.rng)
    if other is None or str(other) in desk.draft.query:
        return False
    return _set(desk, node, {name: other}, ErrorType.PARAMETER_INVALID)


def _set(desk: Desk, node: Node, put: Mapping[str, Any], kind: ErrorType) -> bool:
    desk.draft.set_call(node.id, para={**_named(node), **put})
    return desk.slip(kind, node.id)


def _named(node: Node) -> Named:
    return node.para if isinstance(node.para, dict) else {}


def _schema(desk: Desk, node: Node, name: str) -> Mapping[str, Any]:
    tool = desk.tool(node)
    known: Mapping[str, Any] = tool.schema.get("properties", {}) if tool else {}
    found: Mapping[str, Any] = known.get(name, {})
    return found
