"""Parameter_Error: a right value under a name that the schema doesn't know, or under none."""

import random
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from build.injectors.balance import balanced
from build.injectors.keys import Key, keys, rekeyed, rename
from build.injectors.renaming import WAYS, Name, other_names
from build.injectors.scene import Injection, Injector, Place, Scene
from build.injectors.slots import resolved, set_value
from diagnosis.arguments import is_plain_object
from diagnosis.edits import Edit
from trajectory.arguments import find_faults
from trajectory.error_types import ErrorType
from trajectory.plan import Node
from trajectory.tools import Tool

_AROUND_ONE = ("options", "filters", "details", "criteria", "settings")
_AROUND_ALL = ("arguments", "parameters", "params", "input", "request")


def _places(scene: Scene) -> list[Place]:
    named = (node for node in scene.calls if isinstance(node.para, dict))
    return balanced(scene, (place for node in named for place in _of(scene, node)))


def _of(scene: Scene, node: Node) -> Iterator[Place]:
    tool, para = scene.tool(node), _named(node)
    yield Place(node.id, "", "positional")
    yield Place(node.id, "", "all_under_one_name")
    for name in sorted(para):
        yield from (Place(node.id, name, way) for way in WAYS if _new_names(tool, para, name, way))
        if len(para) > 1:
            yield Place(node.id, name, "under_an_outer_name")
        if is_plain_object(para[name]) and not {*para[name]} & {*tool.parameters, *para}:
            yield Place(node.id, name, "without_its_outer_name")
    for key in keys(scene, node):
        if any(_new_keys(tool, key, way) for way in WAYS):
            yield Place(node.id, key.where, f"key_{key.kind}")


def _named(node: Node) -> dict[str, Any]:
    return node.para if isinstance(node.para, dict) else {}


def _new_names(tool: Tool, para: Mapping[str, Any], name: str, way: str) -> list[str]:
    schema = tool.schema["properties"].get(name, {})
    known = Name(name, schema if isinstance(schema, dict) else {}, tool.name)
    return other_names(known, way, frozenset((*tool.parameters, *para)))


def _new_keys(tool: Tool, key: Key, way: str) -> list[str]:
    schema = key.schema.get("properties", {}).get(key.name, {})
    known = Name(key.name, schema if isinstance(schema, dict) else {}, tool.name)
    return other_names(known, way, key.names)


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
    names = _new_names(scene.tool(node), _named(node), place.part, place.how)
    return rename(_named(node), place.part, rng.choice(names))


def _positional(scene: Scene, node: Node, place: Place, rng: random.Random) -> Any:
    """Write the values alone, in the order of the schema."""
    para = _named(node)
    return [para[name] for name in scene.tool(node).parameters if name in para]


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
    taken = {*scene.tool(node).parameters, *_named(node)}
    return rng.choice([name for name in names if name not in taken])


def _rekey(scene: Scene, node: Node, place: Place, rng: random.Random) -> Edit:
    key = next(key for key in keys(scene, node) if key.where == place.part)
    new_keys = partial(_new_keys, scene.tool(node), key)
    way = rng.choice([way for way in WAYS if new_keys(way)])
    return set_value(key.slot, rekeyed(key, rng.choice(new_keys(way))))


_SHAPES = {
    "positional": _positional,
    "all_under_one_name": _all_under_one,
    "under_an_outer_name": _under_an_outer,
    "without_its_outer_name": _without_outer,
}

INJECTOR = Injector(ErrorType.PARAMETER_NAME, _places, _put)
