"""Dependence_Error: an edge leads to a wrong node, which is no predecessor of the right one."""

import random

from build.injectors.edges import beside, consumers, is_open, needed, replaced
from build.injectors.scene import Injection, Injector, Place, Scene
from trajectory.error_types import ErrorType
from trajectory.plan import Node


def _places(scene: Scene) -> list[Place]:
    return [
        Place(node.id, producer, where)
        for node in consumers(scene)
        for producer in needed(scene, node)
        for where, found in _others(scene, node, producer).items()
        if found
    ]


def _others(scene: Scene, node: Node, producer: str) -> dict[str, list[str]]:
    """Return the nodes that can stand in the place of a producer, each list sorted.

    stale: earlier attempts of the producer. beside, sooner, later: calls for something else
    that run in the same round as the producer, before or after it.
    """
    depths, purpose = scene.found.depths(), scene.purpose(producer)
    _, above = beside(scene, node, producer)
    found: dict[str, list[str]] = {"stale": [], "beside": [], "sooner": [], "later": []}
    for one in sorted(scene.found.calls - above - {producer}):
        if scene.purpose(one) == purpose:
            found["stale"].append(one)
        elif _is_unrelated(scene, node, producer, one):
            gap = depths[one] - depths[producer]
            found["later" if gap > 0 else "sooner" if gap else "beside"].append(one)
    return found


def _is_unrelated(scene: Scene, node: Node, producer: str, one: str) -> bool:
    """Say whether a node neither comes before or after a producer nor waits for its consumer."""
    purpose, wanted = scene.purpose(producer), scene.purpose(one)
    consumer = scene.purpose(node.id)
    return (
        is_open(scene, one)
        and one not in {node.id, *(scene.found.deps[node.id] or ())}
        and one not in scene.found.ancestors(producer)
        and not {node.id, producer} & scene.found.ancestors(one)
        and wanted not in {*scene.wanted.ancestors(purpose), *scene.wanted.ancestors(consumer)}
        and not {consumer, purpose} & scene.wanted.ancestors(wanted)
    )


def _put(scene: Scene, place: Place, rng: random.Random) -> Injection | None:
    node = scene.plan.by_id[place.node]
    new = rng.choice(_others(scene, node, place.part)[place.how])
    return replaced(scene, place, new, ErrorType.DEPENDENCE, rng)


INJECTOR = Injector(ErrorType.DEPENDENCE, _places, _put)
