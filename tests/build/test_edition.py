"""An edition: the same whatever made it, and each part of it a part."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Self

import pytest

from build import edition as module
from build.edition import (
    ASKED,
    BATCH,
    CONTROLS,
    MOST_OF_A_TASK,
    SEED,
    Dropped,
    Edition,
    Numbered,
    Yield,
    batches,
    parts,
    ranked,
)
from build.frozen import members
from build.gold import Gold
from build.quotas import Slot, read_quotas, slots
from build.seeds.compose import Stream
from tests.build.samples import sample
from tests.diagnosis.budget import STAGE
from trajectory import canonical
from trajectory.error_types import ErrorType as T
from trajectory.instance import Instance, digest, view

SLOTS = slots(read_quotas(), SEED)


class Here:
    """Runs in this process what the build runs in others."""

    def __init__(self, processes: int) -> None:
        self.processes = processes

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def map(
        self, function: Callable[..., Any], *lists: Iterable[Any], chunksize: int
    ) -> Iterator[Any]:
        return map(function, *lists)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ProcessPoolExecutor", Here)


def last(found: Iterable[Edition]) -> Edition:
    edition = Edition()
    for edition in found:  # noqa: B007
        continue
    return edition


# --- slots and tasks, with instances that cost nothing ----------------------------------------


def named(count: int) -> list[Gold]:
    """Tasks that only have a name."""
    return [replace(STAGE.gold, id=f"task-{n}") for n in range(count)]


def made_up(seed: int, twinned: frozenset[int], gold: Gold, asked: Sequence[Numbered]) -> Yield:
    """Fill two slots of three, and twins of three of four of those that may have one."""
    given = Yield()
    for number, slot in asked:
        draw = int(canonical.digest([seed, gold.id, number])[:8], 16)
        if draw % 3 == 0:
            given.open.append((number, slot))
            given.dropped.append(Dropped(slot.types, draw % 8, "drawn"))
            continue
        given.instances[number] = replace(sample(number, level=slot.level), query_id=gold.id)
        if number in twinned and draw % 4:
            given.twins[number] = replace(sample(number, level=slot.level), query_id=gold.id)
    return given


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, here: None) -> None:
    monkeypatch.setattr(module, "filled", made_up)


def of(tasks: int, wanted: Sequence[Slot] = SLOTS) -> dict[str, dict[str, str]]:
    return members(parts(last(batches(named(tasks), wanted, 1)), len(wanted)))


@pytest.mark.parametrize("fewer", [1, 40, BATCH, BATCH + 1, 100])
def test_what_few_tasks_give_is_part_of_what_more_give(quick: None, fewer: int) -> None:
    few, more = of(fewer), of(2 * BATCH)
    assert few.keys() <= more.keys()
    for part in few:
        assert few[part].items() < more[part].items()


def test_a_part_is_part_of_the_whole_edition(quick: None) -> None:
    whole = last(batches(named(4000), SLOTS, 1))
    assert not whole.open
    assert whole.instances.keys() == {*range(1, len(SLOTS) + 1)}
    made = members(parts(whole, len(SLOTS)))
    assert {part: len(ids) for part, ids in made.items()} == {
        "level1/test": 2612,
        "level2/test": 5202,
        "controls/test": CONTROLS,
    }
    for part, ids in of(300).items():
        assert ids.items() < made[part].items()


def test_a_slot_that_stays_open_goes_to_a_later_task(quick: None) -> None:
    edition = last(batches(named(3), SLOTS[:12], 1))
    assert edition.instances.keys().isdisjoint(number for number, _ in edition.open)
    assert edition.instances.keys() | {n for n, _ in edition.open} == {*range(1, 13)}
    assert not last(batches(named(500), SLOTS[:12], 1)).open


def test_every_instance_is_of_the_level_of_its_slot(quick: None) -> None:
    edition = last(batches(named(200), SLOTS, 1))
    for number, instance in edition.instances.items():
        assert instance.level == SLOTS[number - 1].level


def test_no_task_is_asked_for_more_than_it_may_have(
    monkeypatch: pytest.MonkeyPatch, here: None
) -> None:
    asked_for: list[int] = []

    def none(seed: int, twinned: frozenset[int], gold: Gold, asked: Sequence[Numbered]) -> Yield:
        asked_for.append(len(asked))
        return Yield(open=[*asked])

    monkeypatch.setattr(module, "filled", none)
    edition = last(batches(named(3 * BATCH), SLOTS[: 2 * ASKED * BATCH], 1))
    assert {*asked_for[: 2 * BATCH]} == {ASKED}
    # Once all were tried, a task is asked for as many as it may have.
    assert max(asked_for) == MOST_OF_A_TASK
    assert len(edition.open) == 2 * ASKED * BATCH


def test_no_task_is_lost_between_batches(monkeypatch: pytest.MonkeyPatch, here: None) -> None:
    seen: list[str] = []

    def none(seed: int, twinned: frozenset[int], gold: Gold, asked: Sequence[Numbered]) -> Yield:
        seen.append(gold.id)
        return Yield(open=[*asked])

    monkeypatch.setattr(module, "filled", none)
    assert len([*batches(named(150), SLOTS, 1)]) == 3
    assert seen == [f"task-{n}" for n in range(150)]


def test_no_more_tasks_are_taken_than_needed(quick: None) -> None:
    tasks = iter(named(400))
    editions = [*batches(tasks, SLOTS[:60], 1)]
    assert not editions[-1].open
    assert len([*tasks]) == 400 - BATCH * len(editions) > 0


def test_what_was_dropped_counts_for_each_of_its_types(
    monkeypatch: pytest.MonkeyPatch, here: None
) -> None:
    dropped = [Dropped((T.SERIAL, T.NULL), 3, "so"), Dropped((T.SERIAL,), 3, "so")]
    monkeypatch.setattr(module, "filled", lambda seed, twinned, gold, asked: Yield(dropped=dropped))
    edition = last(batches(named(1), SLOTS, 1))
    assert edition.dropped == {(T.SERIAL, 3): 2, (T.NULL, 3): 1}
    assert edition.tasks == 0


def test_ids_tell_level_and_slot(quick: None) -> None:
    edition = last(batches(named(20), SLOTS, 1))
    for (config, _), found in parts(edition, len(SLOTS)).items():
        assert [one.id for one in found] == sorted(one.id for one in found)
        start = {"level1": "L1-aug-", "level2": "L2-aug-", "controls": "C-"}[config]
        assert all(one.id.removeprefix(start).isdecimal() for one in found)
    assert parts(Edition(), 0) == {}


def test_ranks_are_a_shuffle_that_a_seed_decides() -> None:
    assert sorted(ranked(50, 1)) == [*range(1, 51)]
    assert ranked(50, 1) == ranked(50, 1) != ranked(50, 2)


# --- real instances ---------------------------------------------------------------------------

WANTED = SLOTS[:30]


@pytest.fixture(scope="module")
def golds() -> list[Gold]:
    return [one.gold for one in islice(Stream(11), 7)]


def made_of(golds: Sequence[Gold], processes: int) -> Edition:
    """The edition of these tasks, in batches of three, with a twin for every second slot."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BATCH", 3)
        patch.setattr(module, "CONTROLS", len(WANTED) // 3)
        if processes == 1:
            patch.setattr(module, "ProcessPoolExecutor", Here)
        return last(batches(golds, WANTED, processes))


@pytest.fixture(scope="module")
def edition(golds: list[Gold]) -> Edition:
    return made_of(golds, 1)


def frozen(edition: Edition) -> dict[str, dict[str, str]]:
    return members(parts(edition, len(WANTED)))


def test_two_processes_make_the_same_instances(golds: list[Gold], edition: Edition) -> None:
    other = made_of(golds, 2)
    assert frozen(other) == frozen(edition)
    assert [*other.open] == [*edition.open]
    assert other.dropped == edition.dropped


@pytest.mark.parametrize("tasks", [2, 3])
def test_a_part_of_the_tasks_makes_a_part_of_the_instances(
    golds: list[Gold], edition: Edition, tasks: int
) -> None:
    few, whole = frozen(made_of(golds[:tasks], 1)), frozen(edition)
    assert few
    for part in few:
        assert few[part].items() <= whole[part].items()


def test_most_slots_are_filled_each_as_it_was_wanted(edition: Edition) -> None:
    assert len(edition.instances) > 0.7 * len(WANTED)
    for number, instance in edition.instances.items():
        slot = WANTED[number - 1]
        assert (instance.level, instance.error_types) == (slot.level, slot.types)
        assert (not instance.tool_results) == slot.fresh


def test_a_task_has_few_instances_and_no_two_look_the_same(edition: Edition) -> None:
    tasks = Counter(one.query_id for one in edition.instances.values())
    assert max(tasks.values()) <= MOST_OF_A_TASK
    assert edition.tasks == len(tasks)
    every = [*edition.instances.values(), *edition.twins.values()]
    assert len({canonical.digest(view(one)) for one in every}) == len(every)


def test_controls_are_twins_of_instances(edition: Edition) -> None:
    twins = edition.twins
    assert twins.keys() <= edition.instances.keys()
    assert len(twins) >= 3
    for number, twin in twins.items():
        one = edition.instances[number]
        assert (twin.query_id, twin.level) == (one.query_id, one.level)
        assert rounds(twin) == rounds(one)
        assert (twin.errors, twin.repairs, twin.error_types) == ([], [], ())


def rounds(instance: Instance) -> int:
    return len(instance.history) + bool(instance.tool_results)


def test_two_twins_that_look_the_same_are_one_control(
    golds: list[Gold], edition: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    twin = next(iter(edition.twins.values()))
    monkeypatch.setattr(module, "control", lambda stage, found, rng: twin)
    given = module.filled(SEED, frozenset(range(99)), golds[0], [*enumerate(WANTED[:4], start=1)])
    assert len(given.instances) > 1
    assert [*given.twins.values()] == [twin]


def test_an_instance_that_looks_like_another_is_not_taken(
    golds: list[Gold], edition: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = next(iter(edition.instances.values()))
    monkeypatch.setattr(module, "candidate", lambda stage, slot, rng: one)
    given = module.filled(SEED, frozenset(), golds[0], [*enumerate(WANTED[:3], start=1)])
    assert [*given.instances] == [1]
    assert [number for number, _ in given.open] == [2, 3]
    assert digest(given.instances[1]) == digest(one)
