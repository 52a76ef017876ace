"""Dependence_Null: a needed producer is missing from a node's dep, and nothing is in its place."""

import random
from collections.abc import Iterator

from build.injectors.edges import consumers, counts, needed, rewired, told_by
from build.injectors.scene import Injection, Injector, Place, Scene
from trajectory.error_types import ErrorType
from trajectory.plan import Node


def _places(scene: Scene) -> list[Place]:
    """Return per node: each of several producers, some of them, and all."""
    return [place for node in consumers(scene) for place in _of_node(scene, node)]


def _of_node(scene: Scene, node: Node) -> Iterator[Place]:
    producers = needed(scene, node)
    if len(producers) > 1:
        yield from (Place(node.id, producer, "one") for producer in producers)
    if len(producers) > 2:
        yield Place(node.id, how="some")
    if producers:
        yield Place(node.id, how="all" if len(producers) > 1 else "only")


def _put(scene: Scene, place: Place, rng: random.Random) -> Injection | None:
    node = scene.plan.by_id[place.node]
    producers = needed(scene, node)
    lost = _lost(place, producers, rng)
    told = sorted({told_by(node, producer) for producer in lost})
    edits = rewired(node, _gone(scene, node, {*producers} - {*lost}))
    how = "_".join((place.how, *told))
    injection = Injection(ErrorType.DEPENDENCE_NULL, node.id, how, edits)
    return injection if counts(scene, injection) else None


def _lost(place: Place, producers: list[str], rng: random.Random) -> list[str]:
    """Return the producers that a node is to wait for no more."""
    if place.how == "one":
        return [place.part]
    if place.how == "some":
        return rng.sample(producers, rng.randint(2, len(producers) - 1))
    return producers


def _gone(scene: Scene, node: Node, kept: set[str]) -> list[str]:
    """Return the deps that go: all but those kept and what these wait for.

    A predecessor of a producer that is missing would stand in its place.
    """
    behind = set().union(*map(scene.found.ancestors, kept))
    return [dep for dep in scene.found.deps[node.id] or () if dep not in kept | behind]


INJECTOR = Injector(ErrorType.DEPENDENCE_NULL, _places, _put)
