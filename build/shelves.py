"""The configs and splits of a dataset's folder that a command looks at, and finding ids in them."""

from collections.abc import Sequence
from pathlib import Path

from pararecover import FOLDER, Shelf, index
from trajectory.files import InputError
from trajectory.tools import close_names


def shelves(data: Path | None, config: str | None, split: str | None) -> list[Shelf]:
    """Return the configs and splits of a folder; None: whichever there are.

    Raises InputError where there are none.
    """
    parts = list(index(data))
    chosen = [part for part in parts if config in (None, part[0]) and split in (None, part[1])]
    if not chosen:
        raise InputError(
            "the dataset has no such config and split",
            file=data or FOLDER,
            got=f"{config or 'any'}/{split or 'any'}",
            wanted=" or ".join("/".join(part) for part in parts),
        )
    return [Shelf(*part, data) for part in chosen]


def shelf_of(id: str, among: Sequence[Shelf]) -> Shelf:
    """Return the first shelf that holds an instance; raises InputError where none does."""
    for shelf in among:
        if id in shelf:
            return shelf
    raise InputError("there is no such instance", id=id, do=_advice(id, among))


def _advice(id: str, among: Sequence[Shelf]) -> str:
    close = close_names(id, tuple(known for shelf in among for known in shelf))
    if close:
        return f"did you mean {' or '.join(close)}?"
    places = ", ".join(f"{shelf.config}/{shelf.split}" for shelf in among)
    return f"nothing like it stands in {places}"
