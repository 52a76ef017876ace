"""Running planners into a folder: resume, refusals, the same bytes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eval import run as eval_run
from eval.journal import cut_torn_line, locked
from trajectory.files import InputError

RunOf = Callable[..., Path]


def _rows(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "results.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _without_seconds(folder: Path) -> list[dict[str, Any]]:
    return [{**row, "seconds": 0} for row in _rows(folder)]


def test_a_run_writes_a_row_an_instance_and_its_manifest(run_of: RunOf) -> None:
    folder = run_of("carry_on")
    assert [row["id"] for row in _rows(folder)] == [f"L1-tst-{n:06d}" for n in range(3)]
    manifest = json.loads((folder / "run.json").read_text("utf-8"))
    assert manifest["agent"] == "scripted:carry_on"
    assert manifest["selection"] == {"whole": True, "ids": [row["id"] for row in _rows(folder)]}


def test_a_second_run_runs_nothing_again(run_of: RunOf, capsys: pytest.CaptureFixture[str]) -> None:
    folder = run_of("carry_on")
    before = (folder / "results.jsonl").read_bytes()
    run_of("carry_on")
    assert (folder / "results.jsonl").read_bytes() == before
    assert "nothing to do: all 3 rows are in" in capsys.readouterr().err


@pytest.mark.parametrize("left", [0, 1, 40, 4000])
def test_a_killed_run_is_taken_up_where_it_was(run_of: RunOf, left: int) -> None:
    folder = run_of("blind_retry")
    whole = _without_seconds(folder)
    results = folder / "results.jsonl"
    results.write_bytes(results.read_bytes()[:-left] if left else results.read_bytes())
    run_of("blind_retry")
    assert _without_seconds(folder) == whole


def test_other_settings_do_not_mix(run_of: RunOf) -> None:
    folder = run_of("carry_on")
    before = (folder / "results.jsonl").read_bytes()
    with pytest.raises(InputError, match="another samples: got 2; wanted 1"):
        run_of("carry_on", "--samples", "2")
    assert (folder / "results.jsonl").read_bytes() == before


def test_two_processes_do_not_share_a_folder(run_of: RunOf, tmp_path: Path) -> None:
    folder = tmp_path / "carry_on"
    folder.mkdir()
    with locked(folder), pytest.raises(InputError, match="another run is writing here"):
        run_of("carry_on")


def test_a_folder_that_cannot_be_made_is_said_before_any_work(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine", "utf-8")
    with pytest.raises(InputError, match="no run can be written here"):
        eval_run.main(["--agent", "carry_on", "--data", str(data), "--out", str(file)])
    assert file.read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--ids", "L1-none"], "not in level1: L1-none"),
        (["--error-type", "Serial_Error"], "no instance is chosen"),
        (["--level", "level2"], "no such config and split"),
    ],
)
def test_a_wrong_choice_is_one_line_and_leaves_no_folder(
    run_of: RunOf, tmp_path: Path, options: list[str], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        run_of("carry_on", *options)
    assert not (tmp_path / "carry_on").exists()


def test_a_limit_is_chosen_by_a_stable_hash(run_of: RunOf) -> None:
    assert len(_rows(run_of("carry_on", "--limit", "2"))) == 2


def test_replan_only_rows_have_no_rounds(run_of: RunOf) -> None:
    assert {row["rounds"] for row in _rows(run_of("carry_on", "--replan-only"))} == {None}


def test_only_the_torn_line_is_cut(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_bytes(b'{"a": 1}\n{"b": 2}\n{"c": ')
    assert cut_torn_line(file) == 6
    assert file.read_bytes() == b'{"a": 1}\n{"b": 2}\n'
    assert cut_torn_line(file) == 0
    file.write_bytes(b"x" * 200_000)
    assert cut_torn_line(file) == 200_000
