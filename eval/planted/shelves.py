"""Several configs as one shelf, for answers to instances of any of them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pararecover
from trajectory.files import InputError
from trajectory.instance import Instance

MINIS: Final = ("level1_mini", "level2_mini")
_WHOLE: Final = ("level1", "level2")


class Shelves:
    """The instances of some configs' test split, by id."""

    def __init__(self, configs: Sequence[str], data: Path | None) -> None:
        self._shelves = [pararecover.Shelf(config, "test", data) for config in configs]

    def __iter__(self) -> Iterator[str]:
        return (id for shelf in self._shelves for id in shelf)

    def __getitem__(self, id: str) -> Instance:
        return self.read(id)

    def read(self, id: str) -> Instance:
        """Return an instance; raises InputError where no config has it."""
        for shelf in self._shelves:
            if id in shelf:
                return shelf.read(id)
        configs = ", ".join(shelf.config for shelf in self._shelves)
        raise InputError(
            "no such instance", got=id, wanted=f"one of {configs}", do="python -m build --mini"
        )


def shelves(data: Path | None) -> Shelves:
    """Return the minis, or the levels where they were not built; raises InputError without both."""
    has_minis = {*MINIS} <= {config for config, _ in pararecover.index(data)}
    return Shelves(MINIS if has_minis else _WHOLE, data)
