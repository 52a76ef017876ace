"""Running planners into a folder: resume, refusals, the same bytes."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eval import run as eval_run
from eval.journal import locked
from trajectory.files import InputError

RunOf = Callable[..., Path]

ROOT = Path(__file__).parents[2]


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


def test_what_differs_is_named_in_few_words(run_of: RunOf) -> None:
    run_of("carry_on", "--limit", "2")
    with pytest.raises(InputError, match="another selection: got 3 instances; wanted 2 instances"):
        run_of("carry_on")
    with pytest.raises(InputError, match="another task: got replan; wanted recovery"):
        run_of("carry_on", "--limit", "2", "--replan-only")


def test_noted_answers_are_not_asked_for_again_and_not_noted_twice(run_of: RunOf) -> None:
    folder = run_of("blind_retry")
    answers = (folder / "answers.jsonl").read_bytes()
    rows = _without_seconds(folder)
    noted = [json.loads(line) for line in answers.splitlines()]
    assert [sorted(one) for one in noted] == [["id", "raw_output", "round", "sample"]] * 3
    assert [one["raw_output"] for one in noted] == [row["raw_output"] for row in rows]
    assert [one["round"] for one in noted] == [row["rounds"][0]["round"] for row in rows]
    # Stopped between the answers of the last instance and its row.
    lines = (folder / "results.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "results.jsonl").write_bytes(b"".join(lines[:-1]))
    run_of("blind_retry")
    assert (folder / "answers.jsonl").read_bytes() == answers
    assert _without_seconds(folder) == rows
    # An answer that was paid for counts, whatever would be said now.
    other = answers.replace(b"so I try them again", b"and so on", 3)
    (folder / "answers.jsonl").write_bytes(other)
    (folder / "results.jsonl").write_bytes(b"")
    run_of("blind_retry")
    assert all("and so on" in row["raw_output"] for row in _rows(folder))


@pytest.mark.parametrize("key", ["results.jsonl", "answers.jsonl"])
def test_a_broken_line_inside_a_file_is_named_and_nothing_is_lost(run_of: RunOf, key: str) -> None:
    folder = run_of("carry_on")
    first, *rest = (folder / key).read_bytes().splitlines(keepends=True)
    broken = first[:40] + b"\n" + b"".join(rest)
    (folder / key).write_bytes(broken)
    with pytest.raises(InputError, match=f"{key}:1"):
        run_of("carry_on")
    assert (folder / key).read_bytes() == broken


def test_a_row_that_nobody_asked_for_is_named(run_of: RunOf) -> None:
    folder = run_of("carry_on")
    with (folder / "results.jsonl").open("ab") as file:
        file.write(b'{"id": "L1-tst-000000", "sample": 4, "raw_output": ""}\n')
    with pytest.raises(InputError, match=r"results.jsonl:4: id L1-tst-000000: sample 4 of it"):
        run_of("carry_on")


def test_results_without_a_manifest_are_not_touched(run_of: RunOf, tmp_path: Path) -> None:
    file = tmp_path / "carry_on" / "results.jsonl"
    file.parent.mkdir()
    file.write_text("mine", "utf-8")
    with pytest.raises(InputError, match=r"results.jsonl is here without a run.json"):
        run_of("carry_on")
    assert [path.name for path in file.parent.iterdir() if path.name != ".lock"] == [file.name]
    assert file.read_text("utf-8") == "mine"


def test_rows_are_ordered_by_id_and_sample_whatever_was_there_first(run_of: RunOf) -> None:
    folder = run_of("carry_on", "--samples", "12")
    whole = _without_seconds(folder)
    assert [(row["id"], row["sample"]) for row in whole] == [
        (f"L1-tst-{number:06d}", sample) for number in range(3) for sample in range(12)
    ]
    lines = (folder / "results.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "results.jsonl").write_bytes(b"".join(lines[20:3:-1]))
    run_of("carry_on", "--samples", "12")
    assert _without_seconds(folder) == whole


def test_a_limited_run_can_be_chosen_by_a_file_of_ids(run_of: RunOf, tmp_path: Path) -> None:
    ids = tmp_path / "ids.txt"
    ids.write_bytes(b"\xef\xbb\xbfL1-tst-000002\r\n\r\nL1-tst-000000\r\n")
    rows = _rows(run_of("carry_on", "--ids", str(ids)))
    assert [row["id"] for row in rows] == ["L1-tst-000000", "L1-tst-000002"]


def test_the_same_run_gives_the_same_bytes(run_of: RunOf, tmp_path: Path) -> None:
    first = run_of("blind_retry")
    first = first.rename(tmp_path / "first")
    second = run_of("blind_retry")
    assert _without_seconds(first) == _without_seconds(second)
    assert (first / "answers.jsonl").read_bytes() == (second / "answers.jsonl").read_bytes()
    manifests = [json.loads((one / "run.json").read_text("utf-8")) for one in (first, second)]
    assert manifests[0] | {"started": ""} == manifests[1] | {"started": ""}


def test_what_was_done_is_said_as_json_too(
    run_of: RunOf, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = run_of("carry_on", "--json")
    said = json.loads(capsys.readouterr().out)
    assert said == {
        "run": str(folder),
        "rows": 3,
        "new": 3,
        "skipped": 0,
        "due": 0,
        "bytes_cut": 0,
        "stopped": "",
        "trouble": "",
        "spent": None,
    }


def _command(data: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "eval.run", "--agent", "blind_retry", "--data", str(data), *more]


def test_a_run_killed_thrice_loses_nothing_it_wrote(data: Path, tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    samples = ("--samples", "60")
    subprocess.run(_command(data, "--out", str(whole), *samples), cwd=ROOT, check=True)
    results = killed / "results.jsonl"
    for enough in (10, 60, 120):
        with subprocess.Popen(_command(data, "--out", str(killed), *samples), cwd=ROOT) as process:
            while process.poll() is None and _lines(results) < enough:
                time.sleep(0.001)
            process.kill()
        kept = results.read_bytes().splitlines(keepends=True)
        assert len(kept) >= enough
    subprocess.run(_command(data, "--out", str(killed), *samples), cwd=ROOT, check=True)
    assert _without_seconds(killed) == _without_seconds(whole)
    assert (killed / "answers.jsonl").read_bytes() == (whole / "answers.jsonl").read_bytes()
    assert {path.name for path in killed.iterdir()} == {path.name for path in whole.iterdir()}


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--limit", "0"], "wanted a number from 1 on, got '0'"),
        (["--error-type", "Timeout"], "invalid choice: 'Timeout'"),
        (["--ids", "L1-none"], "not in level1: L1-none"),
        (["--config", "level1", "--edition", "release"], "--config says it already"),
        (["--level", "level1", "--config", "controls"], "not allowed with"),
        (["--out", "/dev/null/run"], "/dev/null/run: no run can be written here"),
    ],
)
def test_a_wrong_call_ends_with_one_line_and_2(
    data: Path, tmp_path: Path, options: list[str], said: str
) -> None:
    done = subprocess.run(
        _command(data, "--out", str(tmp_path / "run"), *options),
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr
    assert not (tmp_path / "run").exists()


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
