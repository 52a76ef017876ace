"""Parameter_Missing: a required parameter is absent."""

import random

from build.injectors.scene import Injection, Injector, Place, Scene
from trajectory.error_types import ErrorType


def _places(scene: Scene) -> list[Place]:
    return [
        Place(node.id, name)
        for node in scene.calls
        for name in scene.tool(node).schema.get("required", ())
        if name in node.para
    ]


def _put(scene: Scene, place: Place, rng: random.Random) -> Injection:
    edit = {"op": "remove_argument", "node": place.node, "parameter": place.part}
    return Injection(ErrorType.PARAMETER_MISSING, place.node, "left_out", (edit,))


INJECTOR = Injector(ErrorType.PARAMETER_MISSING, _places, _put)
