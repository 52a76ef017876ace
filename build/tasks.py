"""The tasks of a seed, composed as they are asked for, each once for all splits."""

from collections.abc import Iterable, Iterator
from itertools import count

from build.gold import Gold
from build.keeping import Kept


class Tasks:
    """Tasks in the order of their numbers; what one split has passed by waits for the others."""

    def __init__(self, golds: Iterable[Gold]) -> None:
        self._source = iter(golds)
        self._known: list[Gold] = []

    def of(self, split: str) -> Iterator[Gold]:
        """Yield the tasks of a split, from its first one on."""
        for number in count():
            if number == len(self._known):
                following = next(self._source, None)
                if following is None:
                    return
                self._known.append(following)
            if self._known[number].split == split:
                yield self._known[number]


def composed(seed: int, processes: int, kept: Kept | None = None) -> Tasks:
    """Return the tasks of a seed, without end; kept: those that were composed before."""
    from build.seeds.compose import Stream

    return Tasks(one.gold for one in Stream(seed, processes, kept))
