"""Parallelism_Error: a node waits for one that it does not need, and so all takes a round more."""

import random
from collections.abc import Mapping
from typing import Any

from build.injectors.consequences import mended, rounds
from build.injectors.edges import counts, is_open, rewired
from build.injectors.scene import Injection, Injector, Place, Scene
from diagnosis.edits import apply_edits
from environment.world import WorldTool
from trajectory.error_types import ErrorType
from trajectory.plan import Node


def _places(scene: Scene) -> list[Place]:
    # The round must still be lost once the other errors are mended.
    plans = [scene.plan, mended(scene).plan]
    lengths = [rounds(plan) for plan in plans]
    return [
        Place(node.id, other.id, _how(scene, node, other))
        for node in scene.calls
        for other in scene.calls
        if _is_needless(scene, node, other)
        and all(
            rounds(apply_edits(plan, rewired(node, (), other.id))) > length
            for plan, length in zip(plans, lengths, strict=True)
        )
    ]


def _is_needless(scene: Scene, node: Node, other: Node) -> bool:
    """Say whether neither of two calls waits for the other, nor any effect wants an order."""
    one, two = scene.purpose(node.id), scene.purpose(other.id)
    return (
        node.id != other.id
        and is_open(scene, other.id)
        and node.id not in scene.found.ancestors(other.id)
        and other.id not in scene.found.ancestors(node.id)
        and one not in scene.wanted.ancestors(two)
        and two not in scene.wanted.ancestors(one)
        and _is_free(scene, node, other)
    )


def _is_free(scene: Scene, node: Node, other: Node) -> bool:
    """Say whether two calls can run in any order, and with them all that the edge would order.

    Where it isn't known what their tools do, only if they ran together in the gold run.
    """
    known = scene.stage.world_tools
    if not known:
        pair = {scene.purpose(node.id), scene.purpose(other.id)}
        return any(pair <= {call.node for call in calls} for calls in scene.stage.gold.calls)
    before = {other.id, *scene.found.ancestors(other.id)}
    after = {one for one in scene.found.calls if node.id in {one, *scene.found.ancestors(one)}}
    return not any(
        _disturb(known, scene.plan.by_id[one], scene.plan.by_id[two])
        for two in after
        for one in before - scene.found.ancestors(two)
    )


def _disturb(known: Mapping[str, WorldTool], one: Node, two: Node) -> bool:
    """Say whether one of two calls writes what the other reads or writes."""
    tools = known.get(one.name or ""), known.get(two.name or "")
    if tools[0] is None or tools[1] is None or tools[0].world != tools[1].world:
        return False
    first, second = tools[0], tools[1]
    return _disturbs(first, second) or _disturbs(second, first)


def _disturbs(writer: WorldTool, reader: WorldTool) -> bool:
    return bool({*writer.writes} & {*reader.reads, *reader.writes})


def _how(scene: Scene, node: Node, other: Node) -> str:
    """Say how two calls stand to each other, by their layers in the gold plan."""
    depths = scene.wanted.depths()
    one, two = scene.purpose(node.id), scene.purpose(other.id)
    if node.id != one or other.id != two:
        return "retry"
    if depths[one] != depths[two]:
        return "later" if depths[two] > depths[one] else "sooner"
    if node.name == other.name:
        return "same_tool"
    return "siblings" if _feed_one(scene, one, two) else "branches"


def _feed_one(scene: Scene, one: str, two: str) -> bool:
    """Say whether some node of the gold plan waits for both."""
    return any({one, two} <= {*(deps or ())} for deps in scene.wanted.deps.values())


def _put(scene: Scene, place: Place, rng: random.Random) -> Injection | None:
    edits = rewired(scene.plan.by_id[place.node], (), place.part)
    injection = Injection(ErrorType.PARALLELISM, place.node, place.how, edits)
    same = _results(scene) == _results(scene.after(injection))
    return injection if same and counts(scene, injection) else None


def _results(scene: Scene) -> dict[str, Any]:
    return {entry.node: entry.result for entry in scene.run.ledger}


INJECTOR = Injector(ErrorType.PARALLELISM, _places, _put)
