"""Trivial answers: thoughts that name nothing, or everything. No diagnosis is due to them."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from eval.planted import thoughts
from eval.planted.answer import Planted
from eval.planted.scene import NoPlaceError, Scene, Told
from models.contents import Diagnosis
from models.reading import write_answer
from trajectory.instance import Instance

# Whatever a rater gives them, their mean over D1 to D5 is to be at most this (our own definition).
AT_MOST: Final = 0.25


def every_node(scene: Scene) -> Told:
    """Every node is named as a cause and as affected."""
    ids = [node.id for node in scene.calls]
    said = {
        "en": f"Nodes {', '.join(ids)} and the response are affected; all of them are wrong.",
        "zh": f"节点{'、'.join(ids)}和 response 都受影响，全部都错了。",
    }
    named = tuple(Diagnosis(id, "Parameter_Invalid") for id in ids)
    return Told(said[scene.language], named, scene.mended)


TRIVIAL: Final[tuple[Callable[[Scene], Told], ...]] = (
    thoughts.empty,
    thoughts.copied,
    thoughts.everything,
    every_node,
)


def trivial(instances: Iterable[Instance]) -> Iterator[Planted]:
    """Yield each trivial answer to each instance that it fits, languages in turn; item: D3."""
    for number, instance in enumerate(instances):
        for make in TRIVIAL:
            scene = Scene(instance, "en" if number % 2 else "zh", 0, make.__name__)
            try:
                told = make(scene)
            except NoPlaceError:
                continue
            text = write_answer(told.thought, told.diagnosis, told.plan)
            name = (make.__doc__ or "").strip().rstrip(".")
            yield Planted(instance.id, "D3", 0.0, scene.language, text, name)
