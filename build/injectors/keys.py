"""Names inside arguments: the keys of objects, alone, in an array, or in each item of one."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from build.injectors.scene import Scene
from build.injectors.slots import Schema, Slot, slots
from diagnosis.arguments import is_plain_object
from trajectory.plan import Node


class Key(NamedTuple):
    """A key of an object, or of each object of an array.

    slot: the object, or the array. schema: of the object. kind: inside, in_an_item, in_each_item.
    """

    slot: Slot
    schema: Schema
    name: str
    kind: str

    @property
    def where(self) -> str:
        """Its place in words, as in "lines[].quantity"."""
        each = "[]" if self.kind == "in_each_item" else ""
        return f"{self.slot.where}{each}.{self.name}"

    @property
    def names(self) -> frozenset[str]:
        """The names that the object has or can have."""
        items = self.slot.value if isinstance(self.slot.value, list) else [self.slot.value]
        return frozenset(
            (*self.schema.get("properties", ()), *(key for item in items for key in item))
        )


def keys(scene: Scene, node: Node) -> Iterator[Key]:
    """Yield the keys inside the arguments of a call."""
    for slot in slots(scene, node):
        if is_plain_object(slot.value):
            kind = "in_an_item" if isinstance(slot.path[-1], int) else "inside"
            yield from (Key(slot, slot.schema, name, kind) for name in slot.value)
        elif _holds_objects(slot.value):
            schema = slot.schema.get("items")
            shared = set.intersection(*({*item} for item in slot.value))
            for name in sorted(shared):
                yield Key(slot, schema if isinstance(schema, dict) else {}, name, "in_each_item")


def _holds_objects(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 1 and all(map(is_plain_object, value))


def rekeyed(key: Key, new: str | None) -> Any:
    """Return the value of the slot with the key renamed, or gone, order kept."""
    value = key.slot.value
    if isinstance(value, list):
        return [rename(item, key.name, new) for item in value]
    return rename(value, key.name, new)


def rename(named: dict[str, Any], old: str, new: str | None) -> dict[str, Any]:
    """Return an object with a key renamed, or gone where `new` is None, order kept."""
    pairs = ((new if name == old else name, value) for name, value in named.items())
    return {name: value for name, value in pairs if name is not None}
