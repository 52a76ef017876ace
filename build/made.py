"""What a split of the edition holds: augmented instances, controls, rollouts, and the minis.

All are made of the same tasks, one after another; what the first tasks give does not depend on
those that follow, so that a part of the edition, and the minis, can be made without the rest.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

from build import minis
from build.curation import read_decisions
from build.edition import CONTROLS, SEED, Edition, batches, mark_of, parts
from build.gold import Gold
from build.keeping import Kept
from build.quotas import Slot, read_quotas, slots
from build.rollouts.filling import PASSES, Filling, Plays, fillings, numbered
from build.rollouts.marginals import PUBLISHED, Quotas
from build.tasks import Tasks
from trajectory.files import InputError
from trajectory.instance import Instance

# Config and split.
Part = tuple[str, str]
Parts = dict[Part, list[Instance]]
# Told of what is being made and how much of it there is.
Tell = Callable[[str, int], None]

TEST: Final = "test"
TRAIN: Final = "train"
_MOST_TASKS: Final = 20_000


class Wanted(NamedTuple):
    """What a split is to have: rollouts by level, controls; its slots are those of the quotas."""

    rollouts: Mapping[int, int]
    controls: int


class Crew(NamedTuple):
    """Who makes it: so many processes, told of progress, with what was kept of an earlier build."""

    processes: int
    tell: Tell
    kept: Kept


# Train has 4,000 and 6,000 instances with those of the quotas.
WANTED: Final[Mapping[str, Wanted]] = {
    TEST: Wanted(PUBLISHED, CONTROLS),
    TRAIN: Wanted({1: 1388, 2: 798}, 0),
}


@dataclass(frozen=True)
class Made:
    """What was made for a split, whole or of so many tasks, and what it was made of."""

    edition: Edition
    filling: Filling
    parts: Parts


def made(
    split: str,
    tasks: Tasks,
    limit: int | None,
    processes: int,
    tell: Tell,
    kept: Kept | None = None,
) -> Made:
    """Make a split of the first tasks, or all of it where no limit is given.

    tell: told how far it is. kept: what a build that was stopped had made of this split. Raises
    InputError where the tasks do not give all that is wanted of the whole.
    """
    wanted, slots_ = WANTED[split], slots(read_quotas(), SEED)
    taken: list[Gold] = []
    source = _noted(islice(tasks.of(split), limit or _MOST_TASKS), taken)
    crew = Crew(processes, tell, (kept or Kept()).under(split))
    edition = _augmented(source, slots_, wanted, crew)
    filling = _rollouts(taken, edition, wanted, crew, once=limit is not None)
    if limit is None:
        _require_whole(edition, filling)
    parts_ = _parts(split, edition, filling, slots_)
    if split == TEST and len(taken) >= minis.TASKS:
        parts_ |= _minis(parts_, taken, filling, slots_, wanted)
    return Made(edition, filling, dict(sorted(parts_.items())))


def _noted(golds: Iterator[Gold], taken: list[Gold]) -> Iterator[Gold]:
    for gold in golds:
        taken.append(gold)
        yield gold


def _augmented(
    golds: Iterator[Gold], slots_: Sequence[Slot], wanted: Wanted, crew: Crew
) -> Edition:
    edition = Edition(open=deque(enumerate(slots_, start=1)))
    twins, kept = bool(wanted.controls), crew.kept
    for edition in batches(golds, slots_, crew.processes, twins=twins, kept=kept):
        crew.tell("augmented", len(edition.instances))
    return edition


def _rollouts(
    golds: Sequence[Gold],
    edition: Edition,
    wanted: Wanted,
    crew: Crew,
    *,
    once: bool,
) -> Filling:
    """Let all planners play the tasks: once where the tasks are a part, else while there is need.

    A task that has instances already gives fewer.
    """
    quotas = Quotas(wanted.rollouts[1], wanted.rollouts[2])
    had = Counter(one.query_id for one in edition.instances.values())
    filling = Filling(quotas)
    passes = 1 if once else PASSES
    plays = Plays(passes=passes, decisions=read_decisions(), kept=crew.kept)
    for filling in fillings(golds, quotas, SEED, crew.processes, had, plays):
        crew.tell("rollouts", len(filling.instances))
    return filling


def _require_whole(edition: Edition, filling: Filling) -> None:
    if edition.open:
        raise InputError("the quotas can't be filled", got=f"{len(edition.open)} slots left open")
    if not filling.quotas.filled:
        got = f"{len(filling.instances)} rollouts"
        raise InputError("the tasks give too few rollouts", got=got)


def _parts(split: str, edition: Edition, filling: Filling, slots_: Sequence[Slot]) -> Parts:
    """Return the instances by config and split; in a level the rollouts last."""
    found = parts(edition, len(slots_), split)
    for one in filling.numbered(mark_of(split)):
        found.setdefault((f"level{one.level}", split), []).append(one)
    return found


def _minis(
    parts_: Parts, taken: Sequence[Gold], filling: Filling, slots_: Sequence[Slot], wanted: Wanted
) -> Parts:
    """Draw the minis of what the first tasks gave when they were first asked."""
    first = {gold.id for gold in taken[: minis.TASKS]}
    early = {one.id for one in numbered(filling.taken[: filling.ends[minis.TASKS - 1]])}
    drawn: Parts = {}
    for level, rollouts in wanted.rollouts.items():
        augmented = sum(slot.level == level for slot in slots_)
        of_level = [
            one
            for one in parts_[f"level{level}", TEST]
            if one.query_id in first and (one.source == "augmented" or one.id in early)
        ]
        shares = {"augmented": augmented, "rollout": rollouts}
        drawn[f"level{level}{minis.SUFFIX}", TEST] = minis.mini(of_level, shares)
    return drawn
