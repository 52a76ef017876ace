"""Quotas: how many instances of which errors an edition has, and the slots that they make.

The quotas stand in splits/quotas.json: level 1 by type; level 2 by type of those with one error,
how many have two and three errors, and how often each type is among these.
"""

import random
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from build.frozen import SPLITS
from environment.world import generator
from trajectory.error_types import ErrorType
from trajectory.files import InputError, read_json

PATH: Final = SPLITS / "quotas.json"

# Shares of instances in which nothing has run yet, by level; with errors that only cost a round
# larger ones, since these must lie ahead. In all below the 13% of semantics.md.
_FRESH: Final = {1: 0.1, 2: 0.15}
_FRESH_OF_COSTS: Final = 0.4
_COSTS: Final = frozenset((ErrorType.PARALLELISM, ErrorType.REDUNDANT_CALL))
FAULTS: Final = frozenset((ErrorType.TIMEOUT, ErrorType.NULL))


class Slot(NamedTuple):
    """What an instance is to be.

    types: of its errors, sorted. fresh: whether nothing has run in it yet (r_pre = 0).
    """

    level: int
    types: tuple[ErrorType, ...]
    fresh: bool = False


def read_quotas(path: Path = PATH) -> Mapping[str, Any]:
    """Read quotas; raises InputError where they are none, or don't add up."""
    quotas: Any = read_json(path)
    if not _is_whole(quotas):
        raise InputError(
            "holds no quotas",
            file=path,
            wanted="counts by type under level1, level2.one, level2.several; level2.two, .three",
        )
    level2 = quotas["level2"]
    given, wanted = sum(level2["several"].values()), 2 * level2["two"] + 3 * level2["three"]
    if given != wanted:
        problem = "the types of instances with several errors don't fill them"
        raise InputError(problem, file=path, got=given, wanted=wanted)
    most = max(level2["several"].values(), default=0)
    if most > level2["two"] + level2["three"]:
        problem = "a type is to be more often among several errors than there are such instances"
        wanted = f"at most {level2['two'] + level2['three']}"
        raise InputError(problem, file=path, got=most, wanted=wanted)
    return dict(quotas)


def _is_whole(quotas: Any) -> bool:
    """Say whether all counts are there, and whole numbers by known types."""
    if not isinstance(quotas, dict) or not isinstance(quotas.get("level2"), dict):
        return False
    level2 = quotas["level2"]
    by_type = (quotas.get("level1"), level2.get("one"), level2.get("several"))
    plain, known = {name: level2.get(name) for name in ("two", "three")}, frozenset(ErrorType)
    return all(_are_counts(counts) and known.issuperset(counts or ()) for counts in by_type) and (
        _are_counts(plain)
    )


def _are_counts(counts: Any) -> bool:
    return isinstance(counts, dict) and all(
        isinstance(count, int) and not isinstance(count, bool) and count >= 0
        for count in counts.values()
    )


def slots(quotas: Mapping[str, Any], seed: int) -> list[Slot]:
    """Return the slots of an edition, in an order that tells nothing of their types."""
    rng = generator(seed, "slots")
    level2 = quotas["level2"]
    made = [Slot(1, (ErrorType(kind),)) for kind in _listed(quotas["level1"])]
    made += [Slot(2, (ErrorType(kind),)) for kind in _listed(level2["one"])]
    made += [Slot(2, types) for types in _several(level2, rng)]
    rng.shuffle(made)
    return [slot._replace(fresh=is_fresh(slot, rng)) for slot in made]


def _listed(counts: Mapping[str, int]) -> list[str]:
    return [kind for kind in sorted(counts) for _ in range(counts[kind])]


def is_fresh(slot: Slot, rng: random.Random) -> bool:
    """Draw whether nothing has run yet: but a fault must have shown, one of level 2 run on."""
    if not FAULTS.isdisjoint(slot.types) or (slot.level == 2 and len(slot.types) == 1):
        return False
    costs = not _COSTS.isdisjoint(slot.types)
    return rng.random() < (_FRESH_OF_COSTS if costs else _FRESH[slot.level])


def _several(level2: Mapping[str, Any], rng: random.Random) -> list[tuple[ErrorType, ...]]:
    """Put the types together by threes and twos, none twice in one instance."""
    left = Counter(level2["several"])
    sizes = [3] * level2["three"] + [2] * level2["two"]
    rng.shuffle(sizes)
    made = []
    for place, size in enumerate(sizes):
        chosen = _combined(left, size, len(sizes) - place, rng)
        left.subtract(chosen)
        made.append(tuple(sorted(map(ErrorType, chosen))))
    return made


def _combined(left: Counter[str], size: int, instances: int, rng: random.Random) -> list[str]:
    """Draw types by how many of each are left; one that every further instance needs is in."""
    chosen = [kind for kind in sorted(left) if left[kind] >= instances]
    while len(chosen) < size:
        open_ = {kind: left[kind] for kind in sorted(left) if left[kind] and kind not in chosen}
        chosen.append(rng.choices(list(open_), list(open_.values()))[0])
    return chosen
