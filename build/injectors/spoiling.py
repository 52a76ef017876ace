"""The injectors of wrong values: another value is put into a slot, in one of many ways."""

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from build.injectors.balance import balanced
from build.injectors.scene import Injection, Injector, Place, Scene
from build.injectors.slots import Slot, set_value, slots
from trajectory.error_types import ErrorType


def _always(scene: Scene, slot: Slot) -> bool:
    return True


class Variety(NamedTuple):
    """A way to spoil a value.

    fits: whether a slot can be spoilt so. values: what could stand there, in the order in which
    it is tried. found: whether the trajectory has such values, where only it can tell.
    """

    fits: Callable[[Slot], bool]
    values: Callable[[Scene, Slot, random.Random], Iterable[Any]]
    found: Callable[[Scene, Slot], bool] = _always


Holds = Callable[[Scene, Slot, Any], bool]


def spoiling(kind: ErrorType, varieties: Mapping[str, Variety], holds: Holds) -> Injector:
    """Return the injector that puts wrong values into slots.

    holds: whether a value is an error of this type there; the first that is so is taken.
    """

    def places(scene: Scene) -> list[Place]:
        found = {
            Place(node.id, slot.where, how): slot
            for node in scene.calls
            for slot in slots(scene, node)
            for how, variety in varieties.items()
            if variety.fits(slot)
        }
        return balanced(scene, found, lambda one: varieties[one.how].found(scene, found[one]))

    def put(scene: Scene, place: Place, rng: random.Random) -> Injection | None:
        found = slots(scene, scene.plan.by_id[place.node])
        slot = next(slot for slot in found if slot.where == place.part)
        for value in varieties[place.how].values(scene, slot, rng):
            if holds(scene, slot, value):
                return Injection(kind, place.node, place.how, (set_value(slot, value),))
        return None

    return Injector(kind, places, put)
