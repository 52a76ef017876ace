"""python -m build.prove: what it proves, what it says of flaws, and its exit codes."""

import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from build.dataset import write_config
from build.prove import main
from trajectory.files import InputError
from trajectory.instance import Instance


@pytest.fixture(scope="module")
def data(
    tmp_path_factory: pytest.TempPathFactory, augmented: list[Instance], controls: list[Instance]
) -> Path:
    """Three sound instances of each level and two controls."""
    folder = tmp_path_factory.mktemp("proven")
    for level in (1, 2):
        write_config(folder, f"level{level}", "test", of(augmented, level))
    write_config(folder, "controls", "test", controls[:2])
    return folder


def of(instances: list[Instance], level: int) -> list[Instance]:
    return [one for one in instances if one.level == level][:3]


def spoilt(instance: Instance) -> Instance:
    assert instance.calls_opt is not None
    return replace(instance, calls_opt=instance.calls_opt + 1)


def test_all_of_a_folder_is_proven(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(data), "--processes", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "proven: 8 of 8 instances"
    assert [line.split() for line in lines[1:3]] == [
        ["point", "holds", "fails", "untried"],
        ["0", "claims:", "labels,", "level,", "faults,", "trajectory", "8", "0", "0"],
    ]
    assert len(lines) == 10


def test_some_are_chosen(
    data: Path, augmented: list[Instance], capsys: pytest.CaptureFixture[str]
) -> None:
    ids = [one.id for one in of(augmented, 2)[:2]]
    assert main([*ids, ids[0], "--data", str(data)]) == 0
    assert capsys.readouterr().out.startswith("proven: 2 of 2 instances\n")
    assert main(["--config", "controls", "--split", "test", "--data", str(data)]) == 0
    assert capsys.readouterr().out.startswith("proven: 2 of 2 instances\n")


def test_flaws_are_told_line_by_line(
    tmp_path: Path, augmented: list[Instance], capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, *_ = of(augmented, 1)
    write_config(tmp_path, "level1", "test", [first, spoilt(second)])
    assert main(["--data", str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "proven: 1 of 2 instances"
    assert lines[5].split()[-3:] == ["1", "1", "0"]
    best = f"{second.rounds_opt}, {second.calls_opt}"
    assert lines[-1] == f"{second.id}: point 3: the optimum is ({best})"


def test_of_many_flaws_the_first_are_told(
    tmp_path: Path, augmented: list[Instance], capsys: pytest.CaptureFixture[str]
) -> None:
    first = of(augmented, 1)[0]
    many = [replace(first, id=f"L1-aug-{number:06}", canary="") for number in range(24)]
    write_config(tmp_path, "level1", "test", many)
    assert main(["--data", str(tmp_path), "--processes", "1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2:] == [
        "L1-aug-000019: point 0: edition or canary are not those of our data",
        "… 4 more",
    ]
    assert lines[3].split()[-3:] == ["0", "0", "24"]


def test_json_holds_all_of_it(
    tmp_path: Path, augmented: list[Instance], capsys: pytest.CaptureFixture[str]
) -> None:
    one = of(augmented, 2)[0]
    write_config(tmp_path, "level2", "test", [spoilt(one)])
    assert main(["--data", str(tmp_path), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["instances"], report["proven"], report["recorded"]) == (1, 0, {})
    assert [point["fails"] for point in report["points"]] == [0, 0, 0, 1, 0, 0, 0, 0]
    assert [(flaw["config"], flaw["split"], flaw["id"]) for flaw in report["flaws"]] == [
        ("level2", "test", one.id)
    ]


def test_what_is_only_recorded_is_counted_apart(
    tmp_path: Path, augmented: list[Instance], capsys: pytest.CaptureFixture[str]
) -> None:
    one = replace(of(augmented, 1)[0], proof="none", environment={"replay": {}})
    write_config(tmp_path, "level1_release", "test", [one])
    write_config(tmp_path, "level1_button", "test", [replace(one, proof="structural")])
    assert main(["--data", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "proven: 0 of 0 instances",
        "not provable by execution, proof none: 1",
        "not provable by execution, proof structural: 1",
    ]


def test_ours_are_not_counted_apart(tmp_path: Path, augmented: list[Instance]) -> None:
    one = replace(of(augmented, 1)[0], proof="none", environment={"replay": {}})
    write_config(tmp_path, "level1", "test", [one])
    assert main(["--data", str(tmp_path)]) == 1


def test_an_instance_stands_where_it_belongs(
    tmp_path: Path,
    augmented: list[Instance],
    controls: list[Instance],
    capsys: pytest.CaptureFixture[str],
) -> None:
    first, second = of(augmented, 1)[0], of(augmented, 2)[0]
    write_config(tmp_path, "level1", "test", [second])
    write_config(tmp_path, "level2", "test", controls[:1])
    write_config(tmp_path, "controls", "test", [first])
    assert main(["--data", str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines()[-3:] == [
        f"{first.id}: point 0: it has errors, but stands among the controls",
        f"{second.id}: point 0: it is of level 2, but stands in level1",
        f"{controls[0].id}: point 0: it has no error, but stands in level2",
    ]


def test_several_processes_tell_the_same(
    tmp_path: Path, augmented: list[Instance], capsys: pytest.CaptureFixture[str]
) -> None:
    first = of(augmented, 1)[0]
    many = [replace(first, id=f"L1-aug-{number:06}") for number in range(18)]
    many[4], many[17] = replace(many[4], level=2), spoilt(many[17])
    write_config(tmp_path, "level1", "test", many)
    outputs = []
    for processes in "12":
        assert main(["--data", str(tmp_path), "--processes", processes]) == 1
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]


def test_an_unknown_id_is_told_with_those_like_it(data: Path, augmented: list[Instance]) -> None:
    id = of(augmented, 1)[0].id
    with pytest.raises(InputError, match=f"did you mean .*{id}"):
        main([f"{id}0", "--data", str(data)])
    with pytest.raises(InputError, match="there is no such instance"):
        main(["nothing like it", "--data", str(data)])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--data", "/nowhere"], "there is no dataset in this folder"),
        (["--config", "level9"], "no such config and split"),
        (["--processes", "0"], "--processes must be at least 1"),
    ],
)
def test_what_cannot_be_meant_is_told(data: Path, options: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        main(["--data", str(data), *options])


def test_help_comes_at_once_and_ends_with_examples() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "build.prove", "--help"]
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert time.perf_counter() - began < 5
    assert "Examples:" in done.stdout.splitlines()[-5]
    heavy = ("pyarrow", "datasets", "environment", "pararecover", "tqdm")
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert loaded.isdisjoint(heavy)
