"""Which instances a run is about: declared before it starts, and the denominator of its scores."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pararecover
from eval.shards import Shard
from trajectory import canonical
from trajectory.files import AnyPath, InputError

_SHOWN = 5


@dataclass(frozen=True)
class Labels:
    """What an instance is counted under: its task, error types and source."""

    task: str
    types: tuple[str, ...]
    source: str


@dataclass(frozen=True)
class Selection:
    """The ids of a declared selection, sorted, and the shelf their instances stand on.

    edition: of the instances; one config and split holds one. whole: whether it is all of them.
    """

    shelf: pararecover.Shelf
    edition: str
    ids: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether it is a whole config and split."""
        return len(self.ids) == len(self.shelf)

    @cached_property
    def labels(self) -> Mapping[str, Labels]:
        """The labels of every instance on the shelf, by id."""
        columns = (self.shelf.column(name) for name in ("id", "query_id", "error_types", "source"))
        return {
            id: Labels(task, tuple(types), source)
            for id, task, types, source in zip(*columns, strict=True)
        }

    def manifest(self) -> dict[str, Any]:
        """Return what run.json says of the selection."""
        return {
            "config": self.shelf.config,
            "split": self.shelf.split,
            "edition": self.edition,
            "dataset_hash": self.shelf.digest,
            "selection": {"whole": self.whole, "ids": list(self.ids)},
        }


@dataclass(frozen=True)
class Choice:
    """What a user asks for: a config and split, and which of their instances.

    limit: the first so many by a stable hash of the id, so that a few stand for all. shard: the
    part of all this that one job of several does.
    """

    config: str
    split: str = "test"
    data: Path | None = None
    limit: int | None = None
    ids: Sequence[str] | None = None
    error_type: str | None = None
    source: str | None = None
    shard: Shard | None = None


def read_ids(given: str) -> list[str]:
    """Return ids from a list with commas, or from a file of that name: one a line, or commas.

    Raises InputError where the file can't be read as text, or no id is given.
    """
    try:
        text = Path(given).read_text("utf-8-sig") if Path(given).is_file() else given
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start + 1}", file=given) from None
    except OSError:
        # A long list is no name of a file.
        text = given
    ids = text.replace(",", " ").split()
    if not ids:
        raise InputError("no ids are given", got=given, wanted="ids or a file of ids")
    return ids


def config_of(level: str, edition: str | None) -> str:
    """Return the config of a level: ours, or that of an imported release."""
    return f"{level}_release" if edition == "release" else level


def select(choice: Choice) -> Selection:
    """Return the chosen instances; raises InputError on ids that do not exist, or none left."""
    shelf = pararecover.Shelf(choice.config, choice.split, choice.data)
    columns = (shelf.column(name) for name in ("id", "source", "error_types"))
    chosen = [
        id
        for id, source, types in zip(*columns, strict=True)
        if choice.source in (None, source)
        and (choice.error_type is None or choice.error_type in types)
    ]
    if choice.ids is not None:
        _require_known(choice.ids, shelf)
        chosen = sorted(set(chosen) & set(choice.ids))
    if choice.limit is not None:
        chosen = sorted(chosen, key=canonical.text_digest)[: choice.limit]
    if choice.shard is not None:
        chosen = choice.shard.of(chosen)
    if not chosen:
        raise InputError("no instance is chosen", got=choice.config, do="choose less narrowly")
    return _selection(shelf, chosen)


def declared(manifest: Mapping[str, Any], data: AnyPath | None) -> Selection:
    """Return the selection that a run's manifest declares.

    Raises InputError where the dataset at hand is another one than the run's.
    """
    shelf = pararecover.Shelf(manifest["config"], manifest["split"], data)
    if shelf.digest != manifest["dataset_hash"]:
        raise InputError(
            f"the run is about another dataset ({manifest['edition']})",
            got=manifest["dataset_hash"],
            wanted=shelf.digest,
            do="build or fetch the dataset of that edition and give its folder with --data",
        )
    ids = manifest["selection"]["ids"]
    _require_known(ids, shelf)
    return _selection(shelf, ids)


def _selection(shelf: pararecover.Shelf, ids: Iterable[str]) -> Selection:
    chosen = tuple(sorted(set(ids)))
    return Selection(shelf, shelf[chosen[0]].edition, chosen)


def _require_known(ids: Iterable[str], shelf: pararecover.Shelf) -> None:
    unknown = sorted(id for id in set(ids) if id not in shelf)
    if unknown:
        shown = ", ".join(unknown[:_SHOWN])
        more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
        raise InputError(f"not in {shelf.config}: {shown}{more}", do="check the ids")
