"""Frozen membership: which instances an edition has, by id and digest (the folder splits/).

A machine makes an edition when it makes the same instances; where it doesn't, the ids that
differ say where to look.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from trajectory.files import InputError, read_json, write_json
from trajectory.instance import Instance, digest

SPLITS: Final = Path(__file__).parents[1] / "splits"
SCHEMA: Final = 1

# "level1/test" → id → digest.
Members = Mapping[str, Mapping[str, str]]


class Difference(NamedTuple):
    """Ids, sorted, in which made instances differ from the frozen ones."""

    changed: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.changed or self.added or self.removed)


def members(
    parts: Mapping[tuple[str, str], Iterable[Instance]],
) -> dict[str, dict[str, str]]:
    """Return the members of each config and split."""
    return {
        f"{config}/{split}": {one.id: digest(one) for one in found}
        for (config, split), found in parts.items()
    }


def compare(frozen: Members, made: Members) -> Difference:
    """Compare by config, split, id and digest."""
    old = {(part, id): text for part, ids in frozen.items() for id, text in ids.items()}
    new = {(part, id): text for part, ids in made.items() for id, text in ids.items()}
    return Difference(
        tuple(sorted(id for part, id in old.keys() & new.keys() if old[part, id] != new[part, id])),
        tuple(sorted(id for _, id in new.keys() - old.keys())),
        tuple(sorted(id for _, id in old.keys() - new.keys())),
    )


def write(path: Path, edition: str, digest: str, made: Members) -> None:
    """Freeze the members of an edition; `digest` identifies it as a whole."""
    frozen = {"schema": SCHEMA, "edition": edition, "digest": digest, "members": made}
    write_json(path, frozen)


def read(path: Path, edition: str) -> Members | None:
    """Return the frozen members of an edition, None where nothing is frozen yet.

    Raises InputError on any other content.
    """
    if not path.exists():
        return None
    found: Any = read_json(path)
    if not isinstance(found, dict) or found.get("schema") != SCHEMA or "members" not in found:
        raise InputError("holds no frozen members", file=path, wanted=f"schema {SCHEMA}")
    if found.get("edition") != edition:
        raise InputError(
            "another edition is frozen here", file=path, got=found.get("edition"), wanted=edition
        )
    members: Members = found["members"]
    return members
