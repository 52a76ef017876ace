"""python -m build: what it prints, what it writes, and how it ends."""

import re
from pathlib import Path

import pytest

import pararecover
from build import frozen, handwritten
from build.__main__ import main
from build.dataset import CANARY
from build.handwritten import making
from tests.build.samples import sample
from trajectory import canonical
from trajectory.files import InputError

SAMPLES = [sample(1), sample(2), sample(3, level=2)]


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Let the build make three small instances, frozen in a folder of the test."""
    splits = tmp_path / "splits"
    parts = {("level1", "test"): SAMPLES[:2], ("level2", "test"): SAMPLES[2:]}
    frozen.write(splits / "handwritten.json", making.EDITION, "", frozen.members(parts))
    monkeypatch.setattr(handwritten, "instances", lambda: iter(SAMPLES))
    monkeypatch.setattr(frozen, "SPLITS", splits)
    return splits


def test_it_says_what_it_made_and_where(
    few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    assert main(["--out", str(folder)]) == 0
    said = capsys.readouterr().out
    digest = pararecover.digest_of(SAMPLES)
    assert f"edition 2026.1-handwritten, {digest}\n" in said
    assert re.search(
        r"level1/test: .*/out/level1/test-\w{8}\.parquet: 2 instances of 2 tasks, all proven", said
    )
    assert f"card: {folder}/README.md" in said
    assert "the same as frozen in splits/handwritten.json" in said
    assert pararecover.load_instances("level1", data=folder) == SAMPLES[:2]
    assert pararecover.load_instances("level2", data=folder) == SAMPLES[2:]


def test_check_writes_nothing_and_names_what_differs(
    few: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "out"
    assert main(["--check", "--out", str(folder)]) == 0
    other = [sample(1, query="otherwise"), sample(2), sample(4)]
    monkeypatch.setattr(handwritten, "instances", lambda: iter(other))
    assert main(["--check", "--out", str(folder)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == (
        "other than frozen in splits/handwritten.json: 1 changed (L1-test-000001); "
        "1 added (L1-test-000004); 1 removed (L1-test-000003)"
    )
    assert not folder.exists()


def test_freezing_makes_what_differs_the_same(few: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handwritten, "instances", lambda: iter([sample(9)]))
    assert main(["--check"]) == 1
    assert main(["--check", "--freeze"]) == 0
    assert main(["--check"]) == 0


def test_json_is_one_object(few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json", "--out", str(tmp_path / "out")]) == 0
    found = canonical.loads(capsys.readouterr().out)
    assert found["digest"] == pararecover.digest_of(SAMPLES)
    assert found["frozen"] == {"changed": [], "added": [], "removed": []}
    assert [(one["config"], one["instances"]) for one in found["configs"]] == [
        ("level1", 2),
        ("level2", 1),
    ]
    assert Path(found["configs"][0]["file"]).is_file()


def test_an_instance_that_cannot_be_proven_stops_the_build_before_anything_is_written(
    few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> object:
        yield sample(1)
        raise InputError("carried on as it is, it is right", id="L1-hand-000002")

    monkeypatch.setattr(handwritten, "instances", broken)
    with pytest.raises(InputError, match="L1-hand-000002"):
        main(["--out", str(tmp_path / "out")])
    assert not (tmp_path / "out").exists()


def test_this_machine_makes_the_frozen_edition_and_its_card(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "pararecover"
    assert main(["--out", str(folder)]) == 0
    assert "the same as frozen" in capsys.readouterr().out
    card = (folder / "README.md").read_text("utf-8")
    made = [*pararecover.load_instances("level1", data=folder)]
    made += pararecover.load_instances("level2", data=folder)
    for level in (1, 2):
        count = sum(one.level == level for one in made)
        assert f"| `level{level}` | test | 2026.1-handwritten | {count} | 30 |" in card
    counts = [
        sum("Serial_Error" in one.error_types for one in made if one.level == level)
        for level in (1, 2)
    ]
    assert f"| `Serial_Error` | planning | {counts[0]} | {counts[1]} |" in card
    assert CANARY in card
    assert "{{" not in card
