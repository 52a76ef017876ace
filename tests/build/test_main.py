"""python -m build: what it makes, prints and writes, and how it ends."""

import re
import shutil
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import pytest

import pararecover
from build import edition, frozen, made, minis, tasks
from build.__main__ import main
from build.dataset import CANARY, EDITION
from build.gold import Gold
from build.made import Wanted
from build.points import Flaw
from build.quotas import Slot
from build.rollouts import filling
from build.seeds.compose import Stream
from build.tasks import Tasks
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
ROLLOUTS = {1: 2, 2: 1}


@pytest.fixture(scope="module")
def golds() -> list[Gold]:
    found = [one.gold for one in islice(Stream(edition.SEED, 1), 18)]
    return [g for split in ("test", "train") for g in found if g.split == split][:13]


@pytest.fixture
def build(
    golds: list[Gold],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., tuple[int, str]]:
    """Build a small edition, with the twins of three instances or so."""

    def few(quotas: object, seed: int) -> list[Slot]:
        return SLOTS

    monkeypatch.setattr(tasks, "composed", lambda *_: Tasks(golds))
    monkeypatch.setattr(made, "slots", few)
    monkeypatch.setattr(made, "WANTED", {"test": Wanted(ROLLOUTS, 3), "train": Wanted(ROLLOUTS, 0)})
    monkeypatch.setattr(edition, "MOST_OF_A_TASK", 2)
    monkeypatch.setattr(edition, "CONTROLS", 3)
    # A thread keeps what is made once of a world from one build to the next.
    monkeypatch.setattr(made, "PASSES", 2)
    for module in (edition, filling):
        monkeypatch.setattr(module, "ProcessPoolExecutor", ThreadPoolExecutor)
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
    found = {config: read(folder, config) for config in CONFIGS}
    assert code == 0
    every = [one for config in sorted(found) for one in found[config]]
    assert f"edition {EDITION}\n" in said
    assert f"\ntest {pararecover.digest_of(every)}\n" in said
    counted = Counter((one.level, one.source) for one in every if one.errors)
    wanted = {(1, "augmented"): 4, (2, "augmented"): 2, (1, "rollout"): 2, (2, "rollout"): 1}
    assert counted == wanted
    for config, of in found.items():
        of_tasks = len({one.query_id for one in of})
        counts = f"{len(of)} instances of {of_tasks} tasks, all proven"
        assert re.search(rf"{config}/test: .*/{config}/test-\w{{8}}\.parquet: {counts}", said)
    assert f"card: {folder}/README.md" in said
    assert said.splitlines()[-1] == (
        "nothing is frozen in splits/test.json yet: freeze it with --freeze"
    )


def test_train_shares_no_task_and_no_id_with_test(build: Build, tmp_path: Path) -> None:
    code, said = build("--with-train", "--freeze")
    assert code == 0
    assert said.splitlines()[-1] == "the same as frozen in splits/train.json"
    folder = tmp_path / "out"
    by_split = {
        split: [
            one
            for level in ("level1", "level2")
            for one in pararecover.load_instances(level, split, folder)
        ]
        for split in ("test", "train")
    }
    assert len(by_split["train"]) == len(by_split["test"]) == len(SLOTS) + 3
    for named in ("id", "query_id"):
        test, train = ({getattr(one, named) for one in by_split[split]} for split in by_split)
        assert test.isdisjoint(train)
    assert not (folder / "controls" / "train").exists()


def test_minis_are_the_same_alone_and_with_the_rest(
    build: Build, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(minis, "TASKS", 5)
    monkeypatch.setattr(minis, "SIZE", 2)
    build()
    folder = tmp_path / "out"
    with_rest = {path.name: path.read_bytes() for path in folder.glob("level?_mini/*.parquet")}
    assert len(with_rest) == 2
    for level in ("level1", "level2"):
        mini, whole = read(folder, f"{level}_mini"), read(folder, level)
        assert len(mini) == 2
        assert {one.id: one for one in mini}.items() <= {one.id: one for one in whole}.items()
    shutil.rmtree(folder)
    build("--mini")
    assert {path.name: path.read_bytes() for path in folder.glob("*/*.parquet")} == with_rest


def test_the_card_counts_what_was_made(build: Build, tmp_path: Path) -> None:
    build()
    card = (tmp_path / "out" / "README.md").read_text("utf-8")
    for config in CONFIGS:
        found = read(tmp_path / "out", config)
        of_tasks = len({one.query_id for one in found})
        rollouts = sum(one.source == "rollout" for one in found)
        counts = f"{len(found)} | {rollouts} | {len(found) - rollouts} | {of_tasks}"
        assert f"| `{config}` | test | {EDITION} | {counts} |" in card
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
    def written() -> dict[str, bytes]:
        files = sorted((tmp_path / "out").rglob("*.parquet"))
        return {path.name: path.read_bytes() for path in files}

    build()
    first = written()
    for module in (edition, filling):
        monkeypatch.setattr(module, "ProcessPoolExecutor", ProcessPoolExecutor)
    build("--processes", "2")
    assert written() == first


def test_check_writes_nothing_and_ends_with_1_while_nothing_is_frozen(
    build: Build, tmp_path: Path
) -> None:
    code, said = build("--check")
    assert code == 1
    assert "nothing is frozen in splits/test.json yet" in said
    assert not (tmp_path / "out").exists()


def test_what_is_frozen_is_the_same_whole_and_in_part(build: Build) -> None:
    assert build("--freeze")[0] == 0
    code, said = build("--check")
    assert code == 0
    assert said.splitlines()[-1] == "the same as frozen in splits/test.json"
    for few in range(1, 4):
        code, said = build("--check", "--tasks", str(few))
        assert code == 0, said


def test_check_names_what_differs(build: Build, golds: list[Gold]) -> None:
    build("--freeze")
    members = dict(frozen.read(frozen.SPLITS / "test.json", EDITION) or {})
    level1 = dict(members["level1/test"])
    first, second = sorted(level1)[:2]
    level1[first], level1["L1-aug-000099"] = "0" * 64, level1.pop(second)
    frozen.write(frozen.SPLITS / "test.json", EDITION, "", {**members, "level1/test": level1})
    code, said = build("--check")
    assert code == 1
    assert said.splitlines()[-1] == (
        f"other than frozen in splits/test.json: 1 changed ({first}); 1 added ({second}); "
        "1 removed (L1-aug-000099)"
    )


def test_json_is_one_object(build: Build) -> None:
    _, said = build("--json")
    found = canonical.loads(said)
    assert found["edition"] == EDITION
    counts = {one["config"]: one["instances"] for one in found["configs"]}
    assert counts == {"level1": 6, "level2": 3, "controls": counts["controls"]}
    assert all(Path(one["file"]).is_file() for one in found["configs"])
    test = found["splits"]["test"]
    assert test["frozen"] is None
    assert sum(test["labels"].values()) == 9
    build("--freeze")
    told = canonical.loads(build("--json")[1])["splits"]["test"]
    assert told["frozen"] == {"changed": [], "added": [], "removed": []}


@pytest.mark.parametrize(
    ("tasks_there", "left"),
    [(1, r"\d"), (0, str(len(SLOTS)))],
)
def test_quotas_that_cannot_be_filled_stop_the_build_before_anything_is_written(
    build: Build,
    golds: list[Gold],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    tasks_there: int,
    left: str,
) -> None:
    few = [gold for gold in golds if gold.split == "test"][:tasks_there]
    monkeypatch.setattr(tasks, "composed", lambda *_: Tasks(few))
    with pytest.raises(InputError, match=f"the quotas can't be filled: got {left} slots left open"):
        build()
    assert not (tmp_path / "out").exists()


def test_too_few_rollouts_stop_the_build_too(
    build: Build, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(made, "WANTED", {"test": Wanted({1: 400, 2: 1}, 3)})
    with pytest.raises(InputError, match=r"the tasks give too few rollouts: got \d+ rollouts"):
        build()
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--tasks", "0"], "--tasks and --processes must be at least 1"),
        (["--processes", "0"], "--tasks and --processes must be at least 1"),
        (["--tasks", "2", "--freeze"], "only the whole edition can be frozen"),
        (["--mini", "--freeze"], "only the whole edition can be frozen"),
        (["--mini", "--tasks", "200"], "the minis are of tasks of their own number"),
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
    found = islice(tasks.composed(edition.SEED, 1).of("test"), 2)
    assert [one.id for one in found] == [one.id for one in golds[:2]]


def test_a_build_that_was_stopped_goes_on_where_it_was(
    build: Build, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class BrokenError(Exception):
        pass

    def broken(*_: object) -> None:
        raise BrokenError

    with monkeypatch.context() as patched:
        patched.setattr(filling, "played_for", broken)
        with pytest.raises(BrokenError):
            build()
    assert not (tmp_path / "out").exists()
    assert list(tmp_path.glob(".out.making/*/test/augmented-0000.pickle"))
    with monkeypatch.context() as patched:
        patched.setattr(edition, "filled", broken)
        assert build()[0] == 0
    assert not list(tmp_path.glob(".out.making*"))
    first = {path.name for path in (tmp_path / "out").rglob("*.parquet")}
    assert build()[0] == 0
    assert {path.name for path in (tmp_path / "out").rglob("*.parquet")} == first
