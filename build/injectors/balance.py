"""Rare varieties of an error are offered as often as common ones."""

from collections.abc import Callable, Iterable
from itertools import islice

from build.injectors.scene import Place, Scene
from environment.world import generator

# Of each variety so many places are offered in one trajectory, out of so many looked at.
_MOST, _LOOKED_AT = 2, 8


def _any(place: Place) -> bool:
    return True


def balanced(
    scene: Scene, places: Iterable[Place], is_one: Callable[[Place], bool] = _any
) -> list[Place]:
    """Return at most two places of each variety, varieties in the order of their first place.

    Which two is drawn anew for each task, and always the same for it. is_one: says of a place
    at a closer look whether it is one.
    """
    rng = generator(0, "places", scene.stage.gold.id)
    found: dict[str, list[Place]] = {}
    for place in places:
        found.setdefault(place.how, []).append(place)
    chosen = []
    for these in found.values():
        order = rng.sample(range(len(these)), min(len(these), _LOOKED_AT))
        kept = islice((index for index in order if is_one(these[index])), _MOST)
        chosen += [these[index] for index in sorted(kept)]
    return chosen
