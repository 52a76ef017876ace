"""The declared selection: which ids, in which order, of which dataset."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from build.dataset import write_config
from eval.selection import Choice, declared, read_ids, select
from trajectory.files import InputError
from trajectory.instance import Instance

IDS = tuple(f"L1-tst-{number:06d}" for number in range(3))


def chosen(data: Path, **more: Any) -> tuple[str, ...]:
    return select(Choice("level1", data=data, **more)).ids


def test_everything_is_chosen_in_the_order_of_the_ids(data: Path) -> None:
    found = select(Choice("level1", data=data))
    assert (found.ids, found.whole, found.edition) == (IDS, True, "test")


def test_ids_are_chosen_once_whatever_their_order(data: Path) -> None:
    assert chosen(data, ids=[IDS[2], IDS[0], IDS[2]]) == (IDS[0], IDS[2])


def test_a_smaller_limit_chooses_from_what_a_larger_chose(data: Path) -> None:
    limited = [set(chosen(data, limit=limit)) for limit in (1, 2, 3, 10)]
    assert [len(ids) for ids in limited] == [1, 2, 3, 3]
    assert limited[0] < limited[1] < limited[2] == limited[3]


def test_choices_narrow_each_other(data: Path) -> None:
    assert chosen(data, source="augmented", error_type="Timeout_Error", limit=3) == IDS
    for none in ({"source": "rollout"}, {"error_type": "Null_Error"}):
        with pytest.raises(InputError, match="no instance is chosen"):
            chosen(data, **none)


def test_unknown_ids_are_named(data: Path) -> None:
    many = [f"x{number}" for number in range(9)]
    with pytest.raises(InputError, match="not in level1: x0, x1, x2, x3, x4 and 4 more"):
        chosen(data, ids=[*many, IDS[0]])


def test_a_declared_selection_is_the_one_that_was_made(data: Path) -> None:
    made = select(Choice("level1", data=data, limit=2))
    again = declared(made.manifest(), data)
    assert (again.ids, again.manifest()) == (made.ids, made.manifest())
    assert not again.whole


def test_another_dataset_than_the_runs_is_refused(
    data: Path, instances: list[Instance], tmp_path: Path
) -> None:
    manifest = select(Choice("level1", data=data)).manifest()
    changed = [replace(instances[0], query="Other words."), *instances[1:]]
    write_config(tmp_path, "level1", "test", changed)
    with pytest.raises(InputError, match="the run is about another dataset") as caught:
        declared(manifest, tmp_path)
    assert "\n" not in str(caught.value)
    manifest = {**manifest, "selection": {"ids": ["L1-gone"]}}
    with pytest.raises(InputError, match="not in level1: L1-gone"):
        declared(manifest, data)


def test_ids_are_read_from_a_list_or_a_file(tmp_path: Path) -> None:
    assert read_ids("a,b, c") == ["a", "b", "c"]
    assert read_ids(",".join(["L1-tst-000000"] * 900)) == ["L1-tst-000000"] * 900
    file = tmp_path / "ids"
    file.write_bytes(b"\xef\xbb\xbfa\r\nb,c\n\n")
    assert read_ids(str(file)) == ["a", "b", "c"]
    file.write_bytes(b"a\xff")
    with pytest.raises(InputError, match="not UTF-8 at byte 2"):
        read_ids(str(file))
    for empty in ("", " ,"):
        with pytest.raises(InputError, match="no ids are given"):
            read_ids(empty)
