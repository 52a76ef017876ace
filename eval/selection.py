"""Which instances a run is about: declared before it starts, and the denominator of its scores."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pararecover
from trajectory import canonical
from trajectory.files import AnyPath, InputError
from trajectory.instance import Instance

_SHOWN = 5


@dataclass(frozen=True)
class Selection:
    """The instances of a declared selection, in the order of their ids.

    whole: whether it is a whole config and split. dataset_hash: of the whole config and split.
    """

    config: str
    split: str
    edition: str
    dataset_hash: str
    whole: bool
    instances: tuple[Instance, ...]

    def manifest(self) -> dict[str, Any]:
        """Return what run.json says of the selection."""
        return {
            "config": self.config,
            "split": self.split,
            "edition": self.edition,
            "dataset_hash": self.dataset_hash,
            "selection": {"whole": self.whole, "ids": [one.id for one in self.instances]},
        }


@dataclass(frozen=True)
class Choice:
    """What a user asks for: a config and split, and which of their instances.

    limit: the first so many by a stable hash of the id, so that a few stand for all.
    """

    config: str
    split: str = "test"
    data: Path | None = None
    limit: int | None = None
    ids: Sequence[str] | None = None
    error_type: str | None = None
    source: str | None = None


def select(choice: Choice) -> Selection:
    """Return the chosen instances; raises InputError on ids that do not exist, or none left."""
    everything = pararecover.load_instances(choice.config, choice.split, choice.data)
    chosen = [one for one in everything if _matches(one, choice)]
    if choice.ids is not None:
        _require_known(choice.ids, (one.id for one in everything), choice)
        wanted = set(choice.ids)
        chosen = [one for one in chosen if one.id in wanted]
    if choice.limit is not None:
        chosen = sorted(chosen, key=lambda one: canonical.text_digest(one.id))[: choice.limit]
    if not chosen:
        raise InputError("no instance is chosen", got=choice.config, do="choose less narrowly")
    return _selection(choice, everything, chosen)


def declared(manifest: Mapping[str, Any], data: AnyPath | None) -> Selection:
    """Return the selection that a run's manifest declares.

    Raises InputError where the dataset at hand is another one than the run's.
    """
    place = Path(data) if data is not None else None
    choice = Choice(manifest["config"], manifest["split"], place)
    everything = pararecover.load_instances(choice.config, choice.split, place)
    whole = pararecover.digest_of(everything)
    if whole != manifest["dataset_hash"]:
        raise InputError(
            f"the run is about another dataset ({manifest['edition']})",
            got=manifest["dataset_hash"],
            wanted=whole,
            do="build or fetch the dataset of that edition and give its folder with --data",
        )
    wanted = manifest["selection"]["ids"]
    _require_known(wanted, (one.id for one in everything), choice)
    ids = set(wanted)
    return _selection(choice, everything, [one for one in everything if one.id in ids])


def _selection(
    choice: Choice, everything: Sequence[Instance], chosen: Iterable[Instance]
) -> Selection:
    instances = tuple(sorted(chosen, key=lambda one: one.id))
    return Selection(
        choice.config,
        choice.split,
        instances[0].edition,
        pararecover.digest_of(everything),
        len(instances) == len(everything),
        instances,
    )


def _matches(instance: Instance, choice: Choice) -> bool:
    by_source = choice.source is None or instance.source == choice.source
    by_type = choice.error_type is None or choice.error_type in instance.error_types
    return by_source and by_type


def _require_known(ids: Iterable[str], known: Iterable[str], choice: Choice) -> None:
    unknown = sorted(set(ids) - set(known))
    if unknown:
        shown = ", ".join(unknown[:_SHOWN])
        more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
        raise InputError(f"not in {choice.config}: {shown}{more}", do="check the ids")
