"""Instances of one recorded task: errors of every type are tried, the first proven are taken."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from build.candidates import NoPlaceError, candidate
from build.gold import Gold
from build.injectors.scene import Stage
from build.points import Flaw
from build.quotas import Slot, is_fresh
from build.stages import stage_of
from environment.world import generator
from trajectory import canonical
from trajectory.error_types import ErrorType
from trajectory.instance import Instance, view

SEED: Final = 20262
# Instances of a task on each level.
MOST: Final = 3
# Combinations of so many types are tried for level 2, beside each type alone.
_COMBINED: Final = (2, 2, 2, 2, 2, 2, 3, 3, 3, 3)
_TRIES: Final = 4


@dataclass(frozen=True)
class Made:
    """What a task gave: instances without ids, and (type, flaw) of each candidate dropped."""

    instances: list[Instance] = field(default_factory=list)
    dropped: list[tuple[ErrorType, Flaw]] = field(default_factory=list)


def made(gold: Gold) -> Made:
    """Return instances of a recorded task, no two of which look the same; always the same ones."""
    stage, given = stage_of(gold), Made()
    looks: set[str] = set()
    for level in (1, 2):
        most = len(looks) + MOST
        for slot in _slots(level, generator(SEED, "slots", gold.id, str(level))):
            found = _first_proven(given, stage, slot)
            look = canonical.digest(view(found)) if found is not None else ""
            if found is not None and look not in looks:
                looks.add(look)
                given.instances.append(found)
            if len(looks) == most:
                break
    return given


def _slots(level: int, rng: random.Random) -> Iterator[Slot]:
    """Yield what a task is tried for, in a drawn order; nothing comes twice."""
    types = sorted(ErrorType)
    wanted: dict[tuple[ErrorType, ...], None] = {(kind,): None for kind in types}
    for size in _COMBINED if level == 2 else ():
        wanted[tuple(sorted(rng.sample(types, size)))] = None
    for chosen in rng.sample([*wanted], len(wanted)):
        slot = Slot(level, chosen)
        yield slot._replace(fresh=is_fresh(slot, rng))


def _first_proven(given: Made, stage: Stage, slot: Slot) -> Instance | None:
    """Draw candidates until one is proven; those that are not are noted."""
    for attempt in range(_TRIES):
        rng = generator(SEED, stage.gold.id, canonical.dumps(slot), str(attempt))
        try:
            found = candidate(stage, slot, rng)
        except NoPlaceError:
            return None
        if isinstance(found, Instance):
            return found
        given.dropped.extend((kind, found) for kind in slot.types)
    return None
