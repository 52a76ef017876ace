"""python -m build: what it makes, prints and writes, and how it ends."""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import pytest

import pararecover
from build import __main__ as command
from build import edition, frozen
from build.__main__ import main
from build.dataset import CANARY, EDITION
from build.gold import Gold
from build.points import Flaw
from build.quotas import Slot
from build.seeds.compose import Stream
from trajectory import canonical
from trajectory.error_types import ErrorType
from trajectory.files import InputError
from trajectory.instance import Instance

CONFIGS = ("level1", "level2", "controls")
# Errors for which nearly every task has a place.
SLOTS = [
    *(Slot(1, (kind,)) for kind in (ErrorType.PARAMETER_MISSING, ErrorType.TOOL_NAME)),
    *(Slot(1, (kind,)) for kind in (ErrorType.PARAMETER_NAME, ErrorType.TIMEOUT)),
    Slot(2, (ErrorType.PARAMETER_INVALID, ErrorType.TOOL_NAME)),
    Slot(2, (ErrorType.PARAMETER_MISSING, ErrorType.TIMEOUT)),
]


@pytest.fixture(scope="module")
def golds() -> list[Gold]:
    found = (one.gold for one in Stream(edition.SEED, 1) if one.gold.split == "test")
    return list(islice(found, 6))


@pytest.fixture
def build(
    golds: list[Gold],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., tuple[int, str]]:
    """Build a small edition, with the twins of three instances or so."""

    def tasks(processes: int) -> Iterator[Gold]:
        return iter(golds)

    def few(quotas: object, seed: int) -> list[Slot]:
        return SLOTS

    monkeypatch.setattr(command, "_tasks", tasks)
    monkeypatch.setattr("build.quotas.slots", few)
    monkeypatch.setattr(edition, "MOST_OF_A_TASK", 2)
    monkeypatch.setattr(edition, "CONTROLS", 3)
    # A thread keeps what is made once of a world from one build to the next.
    monkeypatch.setattr(edition, "ProcessPoolExecutor", ThreadPoolExecutor)
    monkeypatch.setattr(frozen, "SPLITS", tmp_path / "splits")

    def run(*options: str) -> tuple[int, str]:
        code = main(["--out", str(tmp_path / "out"), "--processes", "1", *options])
        return code, capsys.readouterr().out

    return run


Build = Callable[..., tuple[int, str]]


def read(folder: Path, config: str) -> list[Instance]:
    return pararecover.load_instances(config, data=folder)


def test_it_says_what_it_made_and_where(build: Build, tmp_path: Path) -> None:
    code, said = build()
    folder = tmp_path / "out"
    made = {config: read(folder, config) for config in CONFIGS}
    assert code == 0
    every = [one for found in made.values() for one in found]
    assert f"edition {EDITION}, {pararecover.digest_of(every)}\n" in said
    assert (len(made["level1"]), len(made["level2"])) == (4, 2)
    for config, found in made.items():
        tasks = len({one.query_id for one in found})
        counts = f"{len(found)} instances of {tasks} tasks, all proven"
        assert re.search(rf"{config}/test: .*/{config}/test-\w{{8}}\.parquet: {counts}", said)
    assert f"card: {folder}/README.md" in said
    assert said.splitlines()[-1] == (
        "nothing is frozen in splits/augmented.json yet: freeze it with --freeze"
    )


def test_the_card_counts_what_was_made(build: Build, tmp_path: Path) -> None:
    build()
    card = (tmp_path / "out" / "README.md").read_text("utf-8")
    for config in CONFIGS:
        found = read(tmp_path / "out", config)
        tasks = len({one.query_id for one in found})
        assert f"| `{config}` | test | {EDITION} | {len(found)} | {tasks} |" in card
    assert CANARY in card
    assert "{{" not in card


def test_what_was_dropped_is_told_by_type_and_point(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dropped(stage: object, slot: Slot, rng: object) -> Flaw:
        return Flaw(2 + slot.level, "made up")

    monkeypatch.setattr(edition, "candidate", dropped)
    _, said = build("--check", "--tasks", "3")
    table = said[said.index("candidates dropped") :].splitlines()[:6]
    assert [line.split() for line in table] == [
        ["candidates", "dropped", "at", "point", "3", "4"],
        ["Parameter_Error", "4", "0"],
        ["Parameter_Invalid", "0", "4"],
        ["Parameter_Missing", "4", "4"],
        ["Timeout_Error", "4", "4"],
        ["Tool_name_Error", "4", "4"],
    ]


def test_the_same_is_made_twice_in_any_number_of_processes(
    build: Build, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def made() -> dict[str, bytes]:
        files = sorted((tmp_path / "out").rglob("*.parquet"))
        return {path.name: path.read_bytes() for path in files}

    build()
    first = made()
    monkeypatch.setattr(edition, "ProcessPoolExecutor", ProcessPoolExecutor)
    build("--processes", "2")
    assert made() == first


def test_check_writes_nothing_and_ends_with_1_while_nothing_is_frozen(
    build: Build, tmp_path: Path
) -> None:
    code, said = build("--check")
    assert code == 1
    assert "nothing is frozen in splits/augmented.json yet" in said
    assert not (tmp_path / "out").exists()


def test_what_is_frozen_is_the_same_whole_and_in_part(build: Build) -> None:
    assert build("--freeze")[0] == 0
    code, said = build("--check")
    assert code == 0
    assert said.splitlines()[-1] == "the same as frozen in splits/augmented.json"
    for tasks in range(1, 4):
        code, said = build("--check", "--tasks", str(tasks))
        assert code == 0, said


def test_check_names_what_differs(build: Build, golds: list[Gold]) -> None:
    build("--freeze")
    members = dict(frozen.read(frozen.SPLITS / "augmented.json", EDITION) or {})
    level1 = dict(members["level1/test"])
    first, second = sorted(level1)[:2]
    level1[first], level1["L1-aug-000099"] = "0" * 64, level1.pop(second)
    frozen.write(frozen.SPLITS / "augmented.json", EDITION, "", {**members, "level1/test": level1})
    code, said = build("--check")
    assert code == 1
    assert said.splitlines()[-1] == (
        f"other than frozen in splits/augmented.json: 1 changed ({first}); 1 added ({second}); "
        "1 removed (L1-aug-000099)"
    )


def test_json_is_one_object(build: Build, tmp_path: Path) -> None:
    _, said = build("--json")
    found = canonical.loads(said)
    assert found["edition"] == EDITION
    assert found["frozen"] is None
    counts = {one["config"]: one["instances"] for one in found["configs"]}
    assert counts == {"level1": 4, "level2": 2, "controls": counts["controls"]}
    assert all(Path(one["file"]).is_file() for one in found["configs"])
    assert found["labels"] == {"1": 4, "2": 2}
    build("--freeze")
    assert canonical.loads(build("--json")[1])["frozen"] == {
        "changed": [],
        "added": [],
        "removed": [],
    }


def test_quotas_that_cannot_be_filled_stop_the_build_before_anything_is_written(
    build: Build, golds: list[Gold], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(command, "_tasks", lambda processes: iter(golds[:1]))
    with pytest.raises(InputError, match=r"the quotas can't be filled: got \d slots left open"):
        build()
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--tasks", "0"], "--tasks and --processes must be at least 1"),
        (["--processes", "0"], "--tasks and --processes must be at least 1"),
        (["--tasks", "2", "--freeze"], "only the whole edition can be frozen"),
        (["--out", "dataset_card.md"], "is no folder"),
    ],
)
def test_wrong_options_are_one_line(options: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        main(options)


def test_a_wrong_word_ends_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--tasks", "few"])
    assert left.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_tasks_of_the_edition_are_those_of_the_test_split(golds: list[Gold]) -> None:
    found = islice(command._tasks(1), 2)
    assert [one.id for one in found] == [one.id for one in golds[:2]]
