"""Parameter_Error: a right value under a name that the schema doesn't know, or under none."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

from build.injectors.balance import balanced
from build.injectors.keys import Key, keys, rekeyed, rename
from build.injectors.renaming import Name, name_of, other_names, ways
from build.injectors.scene import Injection, Injector, Place, Scene
from build.injectors.slots import resolved, set_value
from diagnosis.arguments import is_plain_object
from diagnosis.edits import Edit
from trajectory.arguments import find_faults
from trajectory.error_types import ErrorType
from trajectory.plan import Node, read_para
from trajectory.tools import Tool

_AROUND_ONE = ("options", "filters", "details", "criteria", "settings")
_AROUND_ALL = ("arguments", "parameters", "params", "input", "request")


def _places(scene: Scene) -> list[Place]:
    named = (node for node in scene.calls if isinstance(node.para, dict))
    return balanced(scene, (place for node in named for place in _of(scene, node)))


def _of(scene: Scene, node: Node) -> Iterator[Place]:
    tool, para = scene.tool(node), _named(node)
    taken = _taken(tool, para)
    # Some lists, of one object above all, are read as names and values again.
    if isinstance(read_para(_in_order(tool, para))[0], list):
        yield Place(node.id, "", "positional")
    yield Place(node.id, "", "all_under_one_name")
    for name in sorted({*para} & {*tool.parameters}):
        yield from (Place(node.id, name, way) for way in ways(_argument(tool, name), taken))
        if len(para) > 1:
            yield Place(node.id, name, "under_an_outer_name")
        if is_plain_object(para[name]) and taken.isdisjoint(para[name]):
            yield Place(node.id, name, "without_its_outer_name")
    for key in keys(scene, node):
        if ways(_key(tool, key), key.names):
            yield Place(node.id, key.where, f"key_{key.kind}")


def _named(node: Node) -> dict[str, Any]:
    return node.para if isinstance(node.para, dict) else {}


def _taken(tool: Tool, para: Mapping[str, Any]) -> frozenset[str]:
    return frozenset((*tool.parameters, *para))


def _argument(tool: Tool, name: str) -> Name:
    return name_of(name, tool.schema["properties"][name], tool.name)


def _key(tool: Tool, key: Key) -> Name:
    return name_of(key.name, key.schema.get("properties", {}).get(key.name), tool.name)


# --- putting it there ------------------------------------------------------------------------


def _put(scene: Scene, place: Place, rng: random.Random) -> Injection | None:
    node = scene.plan.by_id[place.node]
    if place.how.startswith("key_"):
        edit = _rekey(scene, node, place, rng)
    else:
        new = _SHAPES.get(place.how, _renamed)(scene, node, place, rng)
        edit = {"op": "set_tool", "node": node.id, "tool": node.name, "arguments": new}
        if not _is_refused(scene, node, new):
            return None
    return Injection(ErrorType.PARAMETER_NAME, place.node, place.how, (edit,))


def _is_refused(scene: Scene, node: Node, arguments: Any) -> bool:
    """Say whether the schema minds: some take names that they don't know."""
    return bool(find_faults(scene.tool(node), resolved(scene, arguments)))


def _renamed(scene: Scene, node: Node, place: Place, rng: random.Random) -> Any:
    tool, para = scene.tool(node), _named(node)
    names = other_names(_argument(tool, place.part), place.how, _taken(tool, para))
    return rename(para, place.part, rng.choice(names))


def _positional(scene: Scene, node: Node, place: Place, rng: random.Random) -> Any:
    return _in_order(scene.tool(node), _named(node))


def _in_order(tool: Tool, para: Mapping[str, Any]) -> list[Any]:
    """Return the values alone, in the order of the schema."""
    return [para[name] for name in tool.parameters if name in para]


def _all_under_one(scene: Scene, node: Node, place: Place, rng: random.Random) -> Any:
    return {_free(scene, node, _AROUND_ALL, rng): _named(node)}


def _under_an_outer(scene: Scene, node: Node, place: Place, rng: random.Random) -> Any:
    outer, name = _free(scene, node, _AROUND_ONE, rng), place.part
    para = rename(_named(node), name, outer)
    return {**para, outer: {name: para[outer]}}


def _without_outer(scene: Scene, node: Node, place: Place, rng: random.Random) -> Any:
    """Spread the fields of an object among the arguments, where it stood."""
    flat: dict[str, Any] = {}
    for name, value in _named(node).items():
        flat.update(value if name == place.part else {name: value})
    return flat


def _free(scene: Scene, node: Node, names: tuple[str, ...], rng: random.Random) -> str:
    taken = _taken(scene.tool(node), _named(node))
    return rng.choice([name for name in names if name not in taken])


def _rekey(scene: Scene, node: Node, place: Place, rng: random.Random) -> Edit:
    key = next(key for key in keys(scene, node) if key.where == place.part)
    name = _key(scene.tool(node), key)
    way = rng.choice(ways(name, key.names))
    return set_value(key.slot, rekeyed(key, rng.choice(other_names(name, way, key.names))))


_SHAPES = {
    "positional": _positional,
    "all_under_one_name": _all_under_one,
    "under_an_outer_name": _under_an_outer,
    "without_its_outer_name": _without_outer,
}

INJECTOR = Injector(ErrorType.PARAMETER_NAME, _places, _put)
