"""python -m eval.checks, on run folders and files."""

import json
from pathlib import Path

import pytest

from build.dataset import write_config
from eval import run as eval_run
from eval.checks.__main__ import main
from eval.rubric import ITEMS, read_scores
from trajectory.files import InputError
from trajectory.instance import Instance


@pytest.fixture(scope="module")
def data(augmented: list[Instance], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("some")
    write_config(folder, "level2", "test", augmented[:6])
    return folder


@pytest.fixture
def ran(data: Path, tmp_path: Path) -> Path:
    out = tmp_path / "oracle"
    eval_run.main(
        ["--agent", "oracle", "--level", "level2", "--data", str(data), "--out", str(out)]
    )
    return out


def test_a_run_is_checked_into_its_folder(
    ran: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(ran), "--data", str(data)]) == 0
    table = capsys.readouterr().out
    assert "S1c" in table
    assert "6 rows" in table
    rows = list(read_scores(ran / "checks.jsonl"))
    assert len(rows) == 6
    assert {row.rater for row in rows} == {"checks"}
    assert all(row.items["E2"] == 1.0 for row in rows)
    assert all(set(row.reasons) == set(ITEMS) for row in rows)
    claims = [claim for row in rows for claim in row.raw["claims"]]
    assert {claim["verdict"] for claim in claims} == {"right"}


def test_json_is_one_object(ran: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(ran), "--data", str(data), "--json", "--out", str(ran / "other.jsonl")])
    found = json.loads(capsys.readouterr().out)
    assert found["rows"] == 6
    assert found["items"]["E1"] == {
        "mean": 1,
        "ci": None,
        "n": 6,
        "tasks": found["items"]["E1"]["tasks"],
    }
    assert not (ran / "checks.jsonl").exists()
    assert (ran / "other.jsonl").is_file()


def test_a_row_of_another_selection_is_named(ran: Path, data: Path) -> None:
    line = json.dumps({"id": "L2-zzz-000001", "raw_output": "x"})
    file = ran.parent / "answers.jsonl"
    file.write_text(line + "\n", "utf-8")
    with pytest.raises(InputError, match="not among the 6 instances"):
        main([str(file), "--level", "level2", "--data", str(data)])
    assert not list(ran.parent.glob("*checks.jsonl"))


def test_several_processes_give_what_one_gives(
    ran: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from eval.checks import running
    from eval.results import read_run
    from eval.selection import declared

    run = read_run(ran)
    assert run.manifest is not None
    selection = declared(run.manifest, data)
    one = list(running.check_run(run, selection, data, processes=1))
    monkeypatch.setattr(running, "_FEW", 0)
    assert list(running.check_run(run, selection, data, processes=2)) == one
