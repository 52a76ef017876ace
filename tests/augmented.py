"""A small set of augmented instances for tests that need real ones, as the build makes them.

Making them takes some seconds, so they are kept beside what pytest remembers, and made anew when
a source has changed. Which tasks they are of is nothing a test may rest on.
"""

import hashlib
from collections import deque
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

from build.candidates import NoPlaceError, candidate
from build.controls import control
from build.edition import Edition, parts
from build.injectors.scene import Stage
from build.quotas import FAULTS, Slot
from build.seeds.compose import Stream
from build.stages import stage_of
from environment.world import generator
from trajectory import canonical
from trajectory.error_types import ErrorType
from trajectory.files import read_json, write_json
from trajectory.instance import Instance, from_record, to_record

ROOT: Final = Path(__file__).parents[1]
SEED: Final = 5
TASKS: Final = 16
CONTROLS: Final = 8
# Types of errors that only cost a round: on level 2 they do not stand alone.
COSTS: Final = frozenset((ErrorType.PARALLELISM, ErrorType.REDUNDANT_CALL))
_PARTS: Final = ("trajectory", "models", "environment", "diagnosis", "build", "tests/augmented.py")


def wanted() -> list[Slot]:
    """Return what is made: level 1 with each type twice, level 2 with one to three errors."""
    types = list(ErrorType)
    lasting = [kind for kind in types if kind not in FAULTS]
    alone = [kind for kind in types if kind not in COSTS]
    pairs = [(types[n - 5], types[n]) for n in range(len(types))]
    triples = [(types[n - 9], types[n - 4], types[n]) for n in range(0, len(types), 2)]
    fresh = [(lasting[n - 3], lasting[n]) for n in range(0, len(lasting), 2)]
    return [
        *(Slot(1, (kind,)) for kind in types for _ in range(2)),
        *(Slot(1, (kind,), fresh=True) for kind in lasting[::2]),
        *(Slot(2, (kind,)) for kind in alone),
        *(Slot(2, tuple(sorted(kinds))) for kinds in [*pairs, *triples]),
        *(Slot(2, tuple(sorted(kinds)), fresh=True) for kinds in fresh),
    ]


def instances(folder: Path) -> list[Instance]:
    """Return the instances, controls last; the folder keeps them from one call to the next."""
    path, sources = folder / "augmented.json", _digest_of_sources()
    kept: dict[str, Any] = read_json(path) if path.exists() else {}
    if kept.get("sources") != sources:
        kept = {"sources": sources, "instances": [to_record(one) for one in made()]}
        write_json(path, kept)
    return [from_record(record) for record in canonical.loads(canonical.dumps(kept["instances"]))]


def _digest_of_sources() -> str:
    digest = hashlib.sha256()
    for part in _PARTS:
        for path in sorted([ROOT / part, *(ROOT / part).rglob("*.py")]):
            if path.is_file():
                digest.update(path.read_bytes())
    return digest.hexdigest()


def made() -> Iterator[Instance]:
    """Make the instances."""
    edition, slots = Edition(), wanted()
    golds = (one.gold for one in Stream(SEED, 1) if one.gold.split == "test")
    stages = deque(stage_of(gold) for gold in islice(golds, TASKS))
    for number, slot in enumerate(slots, start=1):
        found = _proven(stages, number, slot)
        edition.instances[number] = found
        rng = generator(SEED, "twin", str(number))
        if len(edition.twins) < CONTROLS and (twin := control(stages[-1], found, rng)):
            edition.twins[number] = twin
    for config in parts(edition, len(slots)).values():
        yield from config


def _proven(stages: deque[Stage], number: int, slot: Slot) -> Instance:
    """Return the first proven instance, its stage left as the last."""
    for attempt in range(3 * len(stages)):
        stages.rotate(-1)
        rng = generator(SEED, "candidate", str(number), str(attempt))
        try:
            found = candidate(stages[-1], slot, rng)
        except NoPlaceError:
            continue
        if isinstance(found, Instance):
            return found
    raise RuntimeError(f"no instance for {slot}")
