"""Augmented instances: slots filled with proven instances of tasks, and clean twins of some.

Tasks come one after another, in batches; each takes some of the open slots and fills those that
it has a place for, each by the first of a few candidates that is proven. What stays open goes to
the tasks that follow. Every draw has a generator of its own, and batches are of one size, so
that the instances do not depend on how many processes make them.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count, islice
from typing import Final, NamedTuple

from build.candidates import NoPlaceError, candidate
from build.controls import control
from build.gold import Gold
from build.gold_proof import gold_flaws
from build.injectors.scene import Stage
from build.keeping import Kept
from build.quotas import Slot
from build.sizes import suits
from build.stages import stage_of
from environment.simulation import read_setting
from environment.world import generator
from trajectory import canonical
from trajectory.instance import Instance, look

SEED: Final = 20261
CONTROLS: Final = 400
# Twins are made for so many more slots than there are controls, since not every one has a twin.
_SPARE_TWINS: Final = 1.5
# Slots that a task is asked for, and how many instances it may have.
ASKED: Final = 5
MOST_OF_A_TASK: Final = 14
_TRIES: Final = 4
# Tasks of a batch.
BATCH: Final = 64

# A slot and its number, from 1.
Numbered = tuple[int, Slot]


class Dropped(NamedTuple):
    """A candidate that was dropped: the types it was to have, and which point did not hold."""

    types: tuple[str, ...]
    point: int
    why: str


@dataclass(frozen=True)
class Yield:
    """What a task gave: instances and twins by the number of the slot, slots left open."""

    instances: dict[int, Instance] = field(default_factory=dict)
    twins: dict[int, Instance] = field(default_factory=dict)
    open: list[Numbered] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)


@dataclass
class Edition:
    """What is made so far.

    open: slots without an instance. untried: how many no task was asked for yet. dropped:
    candidates by type (several types: each) and point.
    """

    instances: dict[int, Instance] = field(default_factory=dict)
    twins: dict[int, Instance] = field(default_factory=dict)
    open: deque[Numbered] = field(default_factory=deque)
    untried: int = 0
    dropped: Counter[tuple[str, int]] = field(default_factory=Counter)
    tasks: int = 0


def batches(
    tasks: Iterable[Gold],
    wanted: Sequence[Slot],
    processes: int,
    seed: int = SEED,
    *,
    twins: bool = True,
    kept: Kept | None = None,
) -> Iterator[Edition]:
    """Fill slots batch by batch; yields the edition as it stands, until no slot is open.

    twins: whether clean twins are made, which become controls. kept: batches made before.
    """
    edition = Edition(open=deque(enumerate(wanted, start=1)), untried=len(wanted))
    most = int(CONTROLS * _SPARE_TWINS) if twins else 0
    twinned = frozenset(ranked(len(wanted), seed)[:most])
    source = iter(tasks)
    with ProcessPoolExecutor(processes) as pool:
        for number in count():
            if not edition.open:
                return
            golds = list(islice(source, BATCH))
            if not golds:
                return
            asked = [_taken(edition) for _ in golds]
            fill = partial(filled, seed, twinned)
            make = partial(_listed, pool, fill, golds, asked)
            for given in (kept or Kept()).of(f"augmented-{number:04}", make):
                _take(edition, given)
            yield edition


def _listed(
    pool: Executor,
    fill: Callable[[Gold, Sequence[Numbered]], Yield],
    golds: Sequence[Gold],
    asked: Sequence[Sequence[Numbered]],
) -> list[Yield]:
    return list(pool.map(fill, golds, asked, chunksize=4))


def ranked(count: int, seed: int) -> list[int]:
    """Return the numbers of so many slots in the order in which their twins become controls."""
    numbers = range(1, count + 1)
    return sorted(numbers, key=lambda number: canonical.digest([seed, "control", number]))


def parts(
    edition: Edition, wanted: int, split: str = "test", seed: int = SEED
) -> dict[tuple[str, str], list[Instance]]:
    """Return the instances by config and split, numbered by their slots.

    wanted: the number of slots. split: whose tasks they are of. The controls are the twins of the
    slots that come first in rank; a part of an edition has those that are sure to be controls of
    the whole.
    """
    made, mark = sorted(edition.instances.items()), mark_of(split)
    named = [replace(one, id=f"L{one.level}-aug-{mark}{number:06}") for number, one in made]
    twins = [
        replace(edition.twins[number], id=f"C-{number:06}")
        for number in _controls(edition, wanted, seed)
    ]
    found = {
        ("level1", split): [one for one in named if one.level == 1],
        ("level2", split): [one for one in named if one.level == 2],
        ("controls", split): twins,
    }
    return {part: instances for part, instances in found.items() if instances}


def mark_of(split: str) -> str:
    """Return what stands before the number in an id, so that no two splits share one."""
    return "" if split == "test" else f"{split}-"


def _controls(edition: Edition, wanted: int, seed: int) -> list[int]:
    """Return the numbers of the slots whose twins are controls."""
    order = ranked(wanted, seed)
    if edition.open:
        order = order[:CONTROLS]
    return sorted([number for number in order if number in edition.twins][:CONTROLS])


def _taken(edition: Edition) -> tuple[Numbered, ...]:
    """Take slots for one task; once all were tried it is asked for as many as it may have.

    What is open by then has a place in few tasks only.
    """
    count = ASKED if edition.untried > 0 else MOST_OF_A_TASK
    edition.untried -= count
    return tuple(edition.open.popleft() for _ in range(min(count, len(edition.open))))


def _take(edition: Edition, given: Yield) -> None:
    edition.instances.update(given.instances)
    edition.twins.update(given.twins)
    edition.open.extend(given.open)
    edition.dropped.update((kind, one.point) for one in given.dropped for kind in one.types)
    edition.tasks += bool(given.instances)


def filled(seed: int, twinned: frozenset[int], gold: Gold, asked: Sequence[Numbered]) -> Yield:
    """Fill slots with instances of one task; no two look the same, nor do any two twins."""
    stage = stage_of(gold)
    if _is_flawed(gold, stage):
        return Yield(open=list(asked))
    given = Yield()
    seen: set[str] = set()
    for number, slot in asked:
        found = None
        if suits(gold, slot.types, str(number)):
            found = _first_proven(given, seed, stage, (number, slot))
        if found is None or look(found) in seen:
            given.open.append((number, slot))
            continue
        seen.add(look(found))
        given.instances[number] = found
        if number in twinned:
            twin = control(stage, found, generator(seed, "twin", str(number)))
            if twin is not None and look(twin) not in seen:
                seen.add(look(twin))
                given.twins[number] = twin
    return given


def _is_flawed(gold: Gold, stage: Stage) -> bool:
    """Say whether point 1 does not hold of a task, told as it will be told from disk."""
    setting, counts = read_setting(gold.origin), (gold.rounds_gt, gold.calls_gt)
    found = gold_flaws(gold.plan, stage.catalogue, setting, gold.goal or {}, counts)
    return next(found, None) is not None


def _first_proven(given: Yield, seed: int, stage: Stage, asked: Numbered) -> Instance | None:
    """Draw candidates until one is proven; those that are not are noted."""
    number, slot = asked
    for attempt in range(_TRIES):
        rng = generator(seed, "candidate", stage.gold.id, str(number), str(attempt))
        try:
            found = candidate(stage, slot, rng)
        except NoPlaceError:
            return None
        if isinstance(found, Instance):
            return found
        given.dropped.append(Dropped(slot.types, found.point, found.why))
    return None
