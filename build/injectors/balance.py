"""Rare varieties of an error are offered as often as common ones."""

from collections.abc import Iterable

from build.injectors.scene import Place, Scene
from environment.world import generator

# Of each variety so many places are offered in one trajectory.
_MOST = 2


def balanced(scene: Scene, places: Iterable[Place]) -> list[Place]:
    """Return at most two places of each variety, varieties in the order of their first place.

    Which two is drawn anew for each task and variety, and always the same for them.
    """
    found: dict[str, list[Place]] = {}
    for place in places:
        found.setdefault(place.how, []).append(place)
    return [place for how, these in found.items() for place in _some(scene, how, these)]


def _some(scene: Scene, how: str, places: list[Place]) -> list[Place]:
    if len(places) <= _MOST:
        return places
    rng = generator(0, "places", scene.stage.gold.id, how)
    return [places[index] for index in sorted(rng.sample(range(len(places)), _MOST))]
