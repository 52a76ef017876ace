"""Where a value stands among the arguments of a call: what it is, and what should be there.

A slot is an argument, an item of an array or a field of an object in one; what a reference
stands for has none.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from build.injectors.scene import Scene
from diagnosis.edits import Edit
from environment.world import Parameter
from trajectory.arguments import find_faults
from trajectory.checks import Faults
from trajectory.plan import Node
from trajectory.references import Reference, follow, is_reference, resolve

Schema = Mapping[str, Any]
Path = tuple[str | int, ...]


class Slot(NamedTuple):
    """A place for a value.

    path: the argument, then keys and indices. schema: of the value; {} where there is none.
    means: the declaration of the value; None where only its schema is known. value: as the plan
    has it. true: the value itself, references resolved.
    """

    node: Node
    path: Path
    schema: Schema
    means: Parameter | None
    value: Any
    true: Any

    @property
    def argument(self) -> str:
        """The name of the argument in which it lies."""
        return str(self.path[0])

    @property
    def name(self) -> str:
        """The innermost name around it."""
        return str(next(step for step in reversed(self.path) if isinstance(step, str)))

    @property
    def where(self) -> str:
        """Its place in words, as in "lines[0].quantity"."""
        steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        return "".join(steps)[1:]

    @property
    def is_referred(self) -> bool:
        """Whether its value is a reference."""
        return is_reference(self.value)

    @property
    def types(self) -> frozenset[str]:
        """The JSON types that its schema allows; empty where it says none."""
        kinds = self.schema.get("type", ())
        return frozenset([kinds] if isinstance(kinds, str) else kinds)


def slots(scene: Scene, node: Node) -> Iterator[Slot]:
    """Yield the slots of a call, arguments in the order of the schema, what lies inside after."""
    true = scene.arguments(node.id)
    if not isinstance(node.para, dict) or not isinstance(true, dict):
        return
    tool = scene.tool(node)
    for name in tool.parameters:
        if name in node.para and name in true:
            schema = tool.schema["properties"][name]
            means = scene.stage.parameter(tool.name, name)
            yield from _within(
                Slot(node, (name,), _object(schema), means, node.para[name], true[name])
            )


def _within(slot: Slot) -> Iterator[Slot]:
    yield slot
    if slot.is_referred:
        return
    if isinstance(slot.value, dict):
        fields, known = _object(slot.schema.get("properties")), _fields(slot.means)
        for key in slot.value:
            yield from _within(_inner(slot, key, fields.get(key), known.get(key)))
    elif isinstance(slot.value, list):
        item = None if slot.means is None else slot.means.items
        for index in range(len(slot.value)):
            yield from _within(_inner(slot, index, slot.schema.get("items"), item))


def _inner(slot: Slot, step: str | int, schema: Any, means: Parameter | None) -> Slot:
    value, true = slot.value[step], slot.true[step]
    return Slot(slot.node, (*slot.path, step), _object(schema), means, value, true)


def _fields(means: Parameter | None) -> Mapping[str, Parameter]:
    return {} if means is None else means.fields


def _object(schema: Any) -> Schema:
    return schema if isinstance(schema, dict) else {}


def with_value(slot: Slot, value: Any) -> Any:
    """Return the argument of a slot with another value in the slot."""
    return _with(slot.node.para, slot.path, value)[slot.argument]


def _with(whole: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    copy: Any = dict(whole) if isinstance(whole, dict) else list(whole)
    copy[path[0]] = _with(whole[path[0]], path[1:], value)
    return copy


def set_value(slot: Slot, value: Any) -> Edit:
    """Return the edit that puts a value into a slot."""
    new = with_value(slot, value)
    return {"op": "set_argument", "node": slot.node.id, "parameter": slot.argument, "value": new}


def resolved(scene: Scene, value: Any) -> Any:
    """Return a value with its references resolved as in the gold run; raises LookupError."""

    def value_of(one: Reference) -> Any:
        return follow(scene.stage.results[scene.purpose(one.node or "")], one.path)

    return resolve(value, value_of)


def arguments_with(scene: Scene, slot: Slot, value: Any) -> dict[str, Any]:
    """Return the resolved arguments of a call with another value in a slot; raises LookupError."""
    new = resolved(scene, with_value(slot, value))
    return {**scene.arguments(slot.node.id), slot.argument: new}


def faults_with(scene: Scene, slot: Slot, value: Any) -> Faults:
    """Return what the schema says of a call with another value in a slot; raises LookupError."""
    return find_faults(scene.tool(slot.node), arguments_with(scene, slot, value))
