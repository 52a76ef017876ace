"""Serial_Error: a node waits for a predecessor of its producer, and runs no later than that."""

import random

from build.injectors.edges import beside, consumers, is_open, needed, replaced
from build.injectors.scene import Injection, Injector, Place, Scene
from trajectory.error_types import ErrorType
from trajectory.plan import RESPONSE, Node


def _places(scene: Scene) -> list[Place]:
    return [
        Place(node.id, producer, where)
        for node in consumers(scene)
        for producer in needed(scene, node)
        for where, found in _predecessors(scene, node, producer).items()
        if found
    ]


def _predecessors(scene: Scene, node: Node, producer: str) -> dict[str, list[str]]:
    """Return the predecessors of a producer that can stand in its place, each list sorted.

    near: the producer waits for it. far: it comes before these. kept: the node waits for it
    anyway, so that only the edge to the producer goes. response: whichever, for the response.
    """
    purpose = scene.purpose(producer)
    others, above = beside(scene, node, producer)
    found: dict[str, list[str]] = {"near": [], "far": [], "kept": [], "response": []}
    if not _runs_no_later(scene, others, producer):
        return found
    for one in sorted(scene.found.ancestors(producer) - above):
        wanted = scene.purpose(one)
        if is_open(scene, one) and wanted in scene.wanted.ancestors(purpose):
            near = "near" if wanted in scene.wanted.reduced(purpose) else "far"
            where = "kept" if one in others else near
            found["response" if node.id == RESPONSE else where].append(one)
    return found


def _runs_no_later(scene: Scene, others: set[str], producer: str) -> bool:
    """Say whether all others are done before a producer is, here and in the gold plan."""
    here, gold = scene.found.depths(), scene.wanted.depths()
    purpose = scene.purpose
    return all(
        here[dep] < here[producer] and gold[purpose(dep)] < gold[purpose(producer)]
        for dep in others
    )


def _put(scene: Scene, place: Place, rng: random.Random) -> Injection | None:
    node = scene.plan.by_id[place.node]
    new = rng.choice(_predecessors(scene, node, place.part)[place.how])
    return replaced(scene, place, new, ErrorType.SERIAL, rng)


INJECTOR = Injector(ErrorType.SERIAL, _places, _put)
