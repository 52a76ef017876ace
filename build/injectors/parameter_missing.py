"""Parameter_Missing: a required parameter is absent, of a call or of an object inside one."""

import random
from collections.abc import Iterator

from build.injectors.balance import balanced
from build.injectors.keys import keys, rekeyed
from build.injectors.scene import Injection, Injector, Place, Scene
from build.injectors.slots import set_value
from diagnosis.edits import Edit
from trajectory.error_types import ErrorType
from trajectory.plan import Node
from trajectory.references import references


def _places(scene: Scene) -> list[Place]:
    return balanced(scene, (place for node in scene.calls for place, _ in _offers(scene, node)))


def _offers(scene: Scene, node: Node) -> Iterator[tuple[Place, Edit]]:
    """Yield what can be left out of a call, and how."""
    for name in scene.tool(node).schema.get("required", ()):
        if name in node.para:
            gone = {"op": "remove_argument", "node": node.id, "parameter": name}
            yield Place(node.id, name, _how(node, name)), gone
    for key in keys(scene, node):
        if key.name in key.schema.get("required", ()):
            place = Place(node.id, key.where, key.kind)
            yield place, set_value(key.slot, rekeyed(key, None))


def _how(node: Node, name: str) -> str:
    if len(node.para) == 1:
        return "the_only_one"
    para = node.para if isinstance(node.para, dict) else {}
    return "from_a_result" if any(references(para[name])) else "from_the_request"


def _put(scene: Scene, place: Place, rng: random.Random) -> Injection:
    edit = dict(_offers(scene, scene.plan.by_id[place.node]))[place]
    return Injection(ErrorType.PARAMETER_MISSING, place.node, place.how, (edit,))


INJECTOR = Injector(ErrorType.PARAMETER_MISSING, _places, _put)
