"""Edges on their way to become wrong: what a node needs, and how it comes to need another."""

import random
from collections.abc import Iterable

from build.injectors.moving import moved
from build.injectors.outages import keeps_faults
from build.injectors.scene import Injection, Place, Scene
from diagnosis.edits import Edit
from trajectory.error_types import ErrorType
from trajectory.plan import RESPONSE, Node
from trajectory.references import references

# How an edge is known that can be proven to be needed.
_PROVEN = frozenset(("value", "effect"))

# How often the references are tried to move with a wrong edge.
_MOVED = 0.5


def consumers(scene: Scene) -> list[Node]:
    """Return the nodes whose edges can be made wrong: calls, and the response at the end.

    Where results are only recorded, nothing shows what the response needs.
    """
    ends = (node for node in scene.plan if node.id == RESPONSE and node.id not in scene.touched)
    return [*scene.calls, *(ends if scene.stage.world_tools else ())]


def needed(scene: Scene, node: Node) -> list[str]:
    """Return the producers that a node needs and waits for, modulo reduction, sorted.

    Nothing where one of them has no node, or where the edge can't be proven.
    """
    purpose = scene.purpose(node.id)
    known = {edge.dep: edge.how for edge in scene.stage.gold.edges if edge.node == purpose}
    wanted = scene.wanted.reduced(purpose)
    newest = [scene.newest(producer) for producer in wanted]
    if None in newest or not {known.get(producer, "value") for producer in wanted} <= _PROVEN:
        return []
    return sorted(dep for dep in scene.found.reduced(node.id) if dep in newest)


def told_by(node: Node, producer: str) -> str:
    """Say what tells that a node needs a producer: a reference, being the response, an effect."""
    if any(one.node == producer for one in references(node.para)):
        return "reference"
    return "response" if node.id == RESPONSE else "effect"


def beside(scene: Scene, node: Node, producer: str) -> tuple[set[str], set[str]]:
    """Return the other deps of a node, and all that these wait for."""
    others = {*(scene.found.deps[node.id] or ())} - {producer}
    return others, set().union(*map(scene.found.ancestors, others))


def is_open(scene: Scene, node: str) -> bool:
    """Say whether a node is one that a wrong edge can lead to: a right and newest call."""
    return node in scene.found.calls - scene.touched and scene.newest(scene.purpose(node)) == node


def rewired(node: Node, gone: Iterable[str], new: str | None = None) -> tuple[Edit, ...]:
    """Return the edits by which a node no longer waits for some nodes, but for a new one."""
    edits: list[Edit] = [{"op": "remove_edge", "node": node.id, "dep": dep} for dep in gone]
    if new is not None and new not in node.dep:
        edits.append({"op": "add_edge", "node": node.id, "dep": new})
    return tuple(edits)


def replaced(
    scene: Scene, place: Place, new: str, type: ErrorType, rng: random.Random
) -> Injection | None:
    """Let a node wait for `new` in the place of a producer, at times with its references moved.

    None where no call would run in another round or give another result.
    """
    node, producer = scene.plan.by_id[place.node], place.part
    told = told_by(node, producer)
    values = moved(scene, node, producer, new, rng) if rng.random() < _MOVED else ()
    how = "moved" if values else "left" if told == "reference" else told
    edits = (*rewired(node, [producer], new), *values)
    injection = Injection(type, node.id, "_".join(dict.fromkeys((place.how, how))), edits)
    return injection if counts(scene, injection) else None


def counts(scene: Scene, injection: Injection) -> bool:
    """Say whether a call runs in another round or gives another result than before.

    The faults must answer the same calls as before, and the errors that are there already must
    stay what they are.
    """
    new = scene.after(injection)
    changes = [*scene.run.ledger] != [*new.run.ledger]
    kept = all(_wrong(scene, node) in {None, _wrong(new, node)} for node in scene.touched)
    return changes and kept and keeps_faults(scene, new)


def _wrong(scene: Scene, node: str) -> tuple[frozenset[str | None], tuple[str, ...]] | None:
    """Return the producers that a node needs and waits for, and its deps; None: all is right.

    Both are modulo reduction, so that edges elsewhere can change them.
    """
    purpose = scene.purpose(node)
    if node not in scene.plan.by_id or purpose not in scene.wanted.deps:
        return None
    producers = frozenset(map(scene.newest, scene.wanted.reduced(purpose)))
    deps = scene.found.reduced(node)
    return None if producers == {*deps} else (producers & scene.found.ancestors(node), deps)
