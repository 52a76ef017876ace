"""Small tasks, and what an injector does at each of its places in them."""

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import pytest

from build.gold import Gold
from build.injectors.scene import Injection, Injector, Place, Scene
from build.seeds.compose import Stream
from build.stages import stage_of
from diagnosis.edits import apply_edits
from diagnosis.labels import labels
from environment.faults import Fault
from trajectory.references import KEY


@pytest.fixture(scope="session")
def golds() -> list[Gold]:
    """Return 25 tasks, and the next two in which a call takes a list of objects."""
    tasks = (one.gold for one in Stream(11))
    first = list(islice(tasks, 25))
    return [*first, *islice(filter(_takes_objects, tasks), 2)]


def _takes_objects(gold: Gold) -> bool:
    values = (v for node in gold.plan if isinstance(node.para, dict) for v in node.para.values())
    lists = (value for value in values if isinstance(value, list))
    return any(isinstance(item, dict) and KEY not in item for items in lists for item in items)


class Tried(NamedTuple):
    """A place, what was injected there, and the trajectory before and after."""

    scene: Scene
    place: Place
    injection: Injection
    after: Scene


def first_scene(gold: Gold) -> Scene:
    """The gold plan, nothing put in yet."""
    return Scene(stage_of(gold), gold.plan)


def retried(scenes: Iterable[Scene]) -> Iterator[Scene]:
    """The same with a timeout and its retry: of the first call that alone is of its tool."""
    for scene in scenes:
        names = [node.name for node in scene.calls]
        node = next((node for node in scene.calls if names.count(node.name) == 1), None)
        if node is not None:
            new = scene.free_id()
            plan = apply_edits(scene.plan, [{"op": "retry", "node": node.id, "new": new}])
            fault = Fault(node.name or "", 1, 1, "timeout")
            yield Scene(scene.stage, plan, {new: node.id}, (fault,))


def tried(injector: Injector, golds: Iterable[Gold], seed: int = 1) -> Iterator[Tried]:
    """Put the error into each of its places in each gold plan, one at a time."""
    yield from tried_in(injector, map(first_scene, golds), seed)


def tried_in(injector: Injector, scenes: Iterable[Scene], seed: int = 1) -> Iterator[Tried]:
    """Put the error into each of its places in each trajectory, one at a time."""
    rng = random.Random(seed)
    for scene in scenes:
        for place in injector.places(scene):
            injection = injector.put(scene, place, rng)
            if injection is not None:
                yield Tried(scene, place, injection, scene.after(injection))


def labelled(scene: Scene) -> list[tuple[str, str]]:
    """The types and root causes that the labels tell, once the plan has run."""
    return [(label.type, label.root_cause) for label in labels(scene.case(scene.run.ledger))]


def claimed(one: Tried) -> list[tuple[str, str]]:
    """The type and root cause that the injector names."""
    return [(one.injection.type, one.injection.root_cause)]


def hows(found: Sequence[Tried]) -> set[str]:
    """Which varieties occur."""
    return {one.injection.how for one in found}
