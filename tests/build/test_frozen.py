from pathlib import Path

import pytest

from build import frozen
from tests.build.samples import sample
from trajectory.files import InputError

PARTS = {("level1", "test"): [sample(1), sample(2)], ("level2", "test"): [sample(3)]}


def test_the_same_instances_are_no_difference() -> None:
    members = frozen.members(PARTS)
    assert list(members) == ["level1/test", "level2/test"]
    assert not frozen.compare(members, frozen.members(PARTS))


def test_a_difference_names_the_ids() -> None:
    other = {
        ("level1", "test"): [sample(2, query="otherwise"), sample(5)],
        ("level2", "test"): [sample(3)],
    }
    found = frozen.compare(frozen.members(PARTS), frozen.members(other))
    assert found.changed == ("L1-test-000002",)
    assert found.added == ("L1-test-000005",)
    assert found.removed == ("L1-test-000001",)


def test_an_instance_in_another_config_is_a_difference() -> None:
    other = {("level2", "test"): [sample(1), sample(2), sample(3)]}
    found = frozen.compare(frozen.members(PARTS), frozen.members(other))
    assert (found.added, found.removed) == (("L1-test-000001", "L1-test-000002"),) * 2


def test_frozen_members_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "edition.json"
    members = frozen.members(PARTS)
    frozen.write(path, "2026.1", "0" * 64, members)
    assert frozen.read(path, "2026.1") == members


def test_nothing_is_frozen_until_there_is_a_file(tmp_path: Path) -> None:
    assert frozen.read(tmp_path / "edition.json", "2026.1") is None


@pytest.mark.parametrize("content", ["[]", "{}", '{"schema": 2, "members": {}}', "{", ""])
def test_another_file_is_one_clear_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / "edition.json"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError, match=r"edition\.json"):
        frozen.read(path, "2026.1")


def test_another_edition_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "edition.json"
    frozen.write(path, "2025.1", "0" * 64, {})
    with pytest.raises(
        InputError, match=r"another edition is frozen here: got 2025\.1; wanted 2026"
    ):
        frozen.read(path, "2026.1")
