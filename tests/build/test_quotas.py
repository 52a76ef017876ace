"""Quotas: what an edition is to hold, and the slots that this makes."""

import copy
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from build.edition import SEED
from build.quotas import FAULTS, Slot, read_quotas, slots
from trajectory.error_types import ErrorType as T
from trajectory.files import InputError, write_json

QUOTAS = read_quotas()
SLOTS = slots(QUOTAS, SEED)

# Source queries of the release's augmented file by type.
LEVEL1 = {
    T.PARAMETER_NAME: 190,
    T.PARAMETER_TYPE: 187,
    T.PARAMETER_INVALID: 190,
    T.PARAMETER_MISSING: 189,
    T.MISSING_CALL: 186,
    T.REDUNDANT_CALL: 189,
    T.NULL: 183,
    T.TIMEOUT: 190,
    T.TOOL_NAME: 185,
    T.SERIAL: 183,
    T.DEPENDENCE: 180,
    T.DEPENDENCE_NULL: 184,
    T.PARALLELISM: 188,
    T.TOOL_SELECT: 188,
}


def of_level(level: int) -> list[Slot]:
    return [slot for slot in SLOTS if slot.level == level]


def test_level_1_has_each_type_as_often_as_the_release() -> None:
    assert len(of_level(1)) == sum(LEVEL1.values()) == 2612
    assert Counter(slot.types for slot in of_level(1)) == {(k,): n for k, n in LEVEL1.items()}


def test_level_2_has_one_two_and_three_errors_in_their_shares() -> None:
    sizes = Counter(len(slot.types) for slot in of_level(2))
    assert sum(sizes.values()) == 5202
    shares = {size: round(100 * count / 5202) for size, count in sizes.items()}
    assert shares == {1: 67, 2: 12, 3: 21}


def test_level_2_gives_every_type_its_share() -> None:
    counts = Counter(kind for slot in of_level(2) for kind in slot.types)
    assert counts.keys() == {*T}
    assert max(counts.values()) - min(counts.values()) <= 1


def test_no_instance_has_an_error_type_twice() -> None:
    for slot in SLOTS:
        assert len({*slot.types}) == len(slot.types)
        assert list(slot.types) == sorted(slot.types)


def test_a_type_meets_every_other() -> None:
    pairs = {frozenset((a, b)) for slot in SLOTS for a in slot.types for b in slot.types if a != b}
    assert len(pairs) == len(T) * (len(T) - 1) // 2


def test_at_most_13_percent_begin_where_nothing_has_run() -> None:
    assert 0.04 < sum(slot.fresh for slot in SLOTS) / len(SLOTS) <= 0.13
    for level in (1, 2):
        assert any(slot.fresh for slot in of_level(level))


def test_what_has_to_have_run_is_never_fresh() -> None:
    for slot in SLOTS:
        if not FAULTS.isdisjoint(slot.types) or (slot.level == 2 and len(slot.types) == 1):
            assert not slot.fresh


def test_what_only_costs_a_round_does_not_run_on_unnoticed() -> None:
    alone = {slot.types[0] for slot in of_level(2) if len(slot.types) == 1}
    assert alone == {*T} - {T.PARALLELISM, T.REDUNDANT_CALL}


def test_the_order_tells_nothing_of_the_types() -> None:
    first = SLOTS[: len(SLOTS) // 10]
    assert 0.25 < sum(slot.level == 1 for slot in first) / len(first) < 0.42
    assert {kind for slot in first for kind in slot.types} == {*T}


def test_slots_are_the_same_each_time_and_others_with_another_seed() -> None:
    assert slots(QUOTAS, SEED) == SLOTS
    other = slots(QUOTAS, SEED + 1)
    assert other != SLOTS
    types = [Counter((slot.level, *slot.types) for slot in found) for found in (SLOTS, other)]
    assert [sum(found.values()) for found in types] == [7814, 7814]


# --- small and broken quotas ------------------------------------------------------------------


def few(**several: int) -> dict[str, Any]:
    return {
        "level1": {"Type_Error": 1},
        "level2": {"one": {"Null_Error": 2}, "two": 2, "three": 1, "several": several},
    }


def test_a_type_that_every_instance_needs_is_in_each(tmp_path: Path) -> None:
    quotas = few(Serial_Error=3, Type_Error=2, Null_Error=1, Timeout_Error=1)
    write_json(tmp_path / "quotas.json", quotas)
    for seed in range(50):
        made = [slot.types for slot in slots(read_quotas(tmp_path / "quotas.json"), seed)]
        several = [types for types in made if len(types) > 1]
        assert sorted(map(len, several)) == [2, 2, 3]
        assert all(T.SERIAL in types for types in several)
        assert Counter(kind for types in several for kind in types) == {
            T.SERIAL: 3,
            T.PARAMETER_TYPE: 2,
            T.NULL: 1,
            T.TIMEOUT: 1,
        }


def without(*path: str) -> Callable[[dict[str, Any]], None]:
    def spoil(quotas: dict[str, Any]) -> None:
        for key in path[:-1]:
            quotas = quotas[key]
        del quotas[path[-1]]

    return spoil


def having(value: Any, *path: str) -> Callable[[dict[str, Any]], None]:
    def spoil(quotas: dict[str, Any]) -> None:
        for key in path[:-1]:
            quotas = quotas[key]
        quotas[path[-1]] = value

    return spoil


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (without("level1"), "holds no quotas"),
        (without("level2"), "holds no quotas"),
        (without("level2", "one"), "holds no quotas"),
        (without("level2", "three"), "holds no quotas"),
        (without("level2", "several"), "holds no quotas"),
        (having([], "level2"), "holds no quotas"),
        (having({"Typo_Error": 3}, "level1"), "holds no quotas"),
        (having("many", "level1", "Type_Error"), "holds no quotas"),
        (having(1.5, "level1", "Type_Error"), "holds no quotas"),
        (having(-1, "level2", "one", "Null_Error"), "holds no quotas"),
        (having(True, "level2", "two"), "holds no quotas"),
        (having(623, "level2", "two"), "don't fill them: got 4527; wanted 4525"),
        (having(0, "level2", "several", "Type_Error"), "don't fill them: got 4259; wanted 4527"),
    ],
)
def test_broken_quotas_are_told_in_one_line(
    spoil: Callable[[dict[str, Any]], None], said: str, tmp_path: Path
) -> None:
    quotas = copy.deepcopy(dict(QUOTAS))
    spoil(quotas)
    path = tmp_path / "quotas.json"
    write_json(path, quotas)
    with pytest.raises(InputError) as caught:
        read_quotas(path)
    line = str(caught.value)
    assert said in line
    assert str(path) in line
    assert "\n" not in line


def test_a_type_cannot_be_in_more_instances_than_there_are(tmp_path: Path) -> None:
    path = tmp_path / "quotas.json"
    write_json(path, few(Serial_Error=5, Type_Error=2))
    with pytest.raises(InputError, match="got 5; wanted at most 3"):
        read_quotas(path)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "7"])
def test_a_file_that_holds_no_quotas_at_all(text: str, tmp_path: Path) -> None:
    path = tmp_path / "quotas.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=r"quotas\.json"):
        read_quotas(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_quotas(tmp_path / "none.json")
