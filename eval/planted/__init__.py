"""Planted answers: answers whose right score of one item is known, to hold any rater against.

Each is made from a proven instance by one controlled change: the truth told in several people's
words, and the truth with one thing done wrong. So the score is known from how it was made, not
from any rater. Those that readers wrote are read by `eval.planted.reading`.
"""

from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Final

from eval.planted.answer import Planted

if TYPE_CHECKING:
    import pararecover
    from eval.planted.changes import Change
    from eval.planted.shelves import Shelves
    from trajectory.instance import Instance

__all__ = ["MANY", "Planted", "planted", "proven"]

# How many are made for each item.
MANY: Final = 40
# So many instances are looked at; what finds no place in any of them is left out.
_MOST: Final = 300


def planted(shelf: "pararecover.Shelf | Shelves", seed: int = 0, many: int = MANY) -> list[Planted]:
    """Return `many` planted answers for each item, half of them in Chinese; fewer where few fit.

    The same for the same instances and seed. Right scores of 1, 0.5 and 0 take turns, as far as
    the instances of the shelf have places for the changes.
    """
    from eval.planted.changes import CHANGES
    from eval.rubric import ITEMS

    instances = proven(shelf, seed)
    found: list[Planted] = []
    for item in ITEMS:
        changes = [one for one in CHANGES if one.item == item]
        found += _of_item(changes, instances, many)
    return found


def proven(shelf: "pararecover.Shelf | Shelves", seed: int = 0) -> "list[Instance]":
    """Return the proven instances with errors among the first 300 of a shelf by a stable hash."""
    from trajectory import canonical

    order = sorted(shelf, key=lambda id: canonical.text_digest(f"{seed} {id}"))
    read = (shelf.read(id) for id in order[:_MOST])
    return [one for one in read if one.errors and one.repairs and one.proof == "full"]


def _of_item(
    changes: "Sequence[Change]", instances: "Sequence[Instance]", many: int
) -> list[Planted]:
    """Return the answers of one item: scores take turns, within a score its changes."""
    scores = sorted({one.score for one in changes}, reverse=True)
    makers = {
        (score, language): _by_turns(
            [one for one in changes if one.score == score], instances, language
        )
        for score in scores
        for language in ("en", "zh")
    }
    found: list[Planted] = []
    turns = cycle(makers)
    left = set(makers)
    while left and len(found) < many:
        turn = next(turns)
        made = next(makers[turn], None) if turn in left else None
        if made is None:
            left.discard(turn)
        else:
            found.append(made)
    return found


def _by_turns(
    changes: "Sequence[Change]", instances: "Sequence[Instance]", language: str
) -> Iterator[Planted]:
    """Yield answers of some changes in turn, each instance once with each."""
    streams = [_made(change, instances, language) for change in changes]
    while streams:
        for stream in list(streams):
            made = next(stream, None)
            if made is None:
                streams.remove(stream)
            else:
                yield made


def _made(change: "Change", instances: "Sequence[Instance]", language: str) -> Iterator[Planted]:
    """Yield the answers of one change, its speakers in turn."""
    from eval.planted.scene import NoPlaceError, Scene
    from eval.telling import VOICES
    from models.reading import write_answer

    voices = len(VOICES[language])
    start = (len(change.name) + (language == "zh")) % max(1, len(instances))
    for number, instance in enumerate((*instances[start:], *instances[:start])):
        scene = Scene(
            instance, language, number % voices, f"{change.item} {change.name} {language}"
        )
        try:
            told = change.make(scene)
        except NoPlaceError:
            continue
        text = write_answer(told.thought, told.diagnosis, told.plan)
        yield Planted(instance.id, change.item, change.score, language, text, change.name)
