"""Minis: 200 instances of a level for a quick look, in the proportions of the whole.

They are drawn from the first tasks of the edition, so that they can be built without the rest, and
are the same instances under the same ids.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from trajectory import canonical
from trajectory.instance import Instance

SIZE: Final = 200
# Their instances stand in level1 and level2 already.
SUFFIX: Final = "_mini"
# So many first tasks of the test split hold enough instances of each level and source.
TASKS: Final = 128


def mini(instances: Iterable[Instance], shares: Mapping[str, int]) -> list[Instance]:
    """Return instances of one level, evenly over sources, then over error types.

    instances: those of the first tasks. shares: how many instances of each source the whole
    level has. Raises ValueError where a source has fewer than its part of a mini.
    """
    chosen: list[Instance] = []
    for source, count in _parts(shares).items():
        there = sorted((one for one in instances if one.source == source), key=_stratum)
        if len(there) < count:
            raise ValueError(f"{len(there)} instances of {source} for a mini, {count} are needed")
        chosen += _evenly(there, count)
    return sorted(chosen, key=lambda one: one.id)


def _parts(shares: Mapping[str, int]) -> dict[str, int]:
    """Return the sizes of the sources' parts; the last takes what rounding leaves."""
    total = sum(shares.values())
    parts = {source: round(SIZE * share / total) for source, share in sorted(shares.items())}
    last = max(parts)
    return {**parts, last: SIZE - sum(parts.values()) + parts[last]}


def _stratum(instance: Instance) -> tuple[tuple[str, ...], str]:
    return instance.error_types, canonical.digest(["mini", instance.id])


def _evenly(there: Sequence[Instance], count: int) -> list[Instance]:
    return [there[place * len(there) // count] for place in range(count)]
