"""eval.agreement as it is run."""

import json
from pathlib import Path
from typing import Any

import pytest

from eval import run as eval_run
from eval.agreement import main
from eval.rubric import DIMENSIONS, ITEMS
from trajectory.files import InputError


def scores(path: Path, rater: str, ids: list[str], score: float, **more: Any) -> Path:
    items = dict.fromkeys(ITEMS, score)
    rows = [
        {"id": id, "sample": 0, "rater": rater, "repeat": 0, "items": items, **more} for id in ids
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.fixture(scope="module")
def runs(data: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("runs")
    for agent in ("carry_on", "blind_retry"):
        eval_run.main(["--agent", agent, "--data", str(data), "--out", str(folder / agent)])
    return [folder / "carry_on", folder / "blind_retry"]


@pytest.fixture(scope="module")
def ids(runs: list[Path]) -> list[str]:
    lines = (runs[0] / "results.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line)["id"] for line in lines]


def told(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    capsys.readouterr()
    assert main([*map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_two_files(
    data: Path, ids: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = scores(tmp_path / "a.jsonl", "a", ids, 1.0)
    second = scores(tmp_path / "b.jsonl", "b", ids, 0.5)
    found = told(capsys, first, second, "--data", data)
    assert found["raters"] == ["a", "b"]
    assert [one["item"] for one in found["items"]] == [*ITEMS, "mean"]
    assert found["items"][-1]["ema"]["mean"] == 0
    assert found["items"][-1]["mae"]["mean"] == 0.5
    assert found["items"][0]["confusion"] == [[0, 0, 0], [0, 0, 0], [0, len(ids), 0]]


def test_a_rater_against_itself_and_the_order(
    data: Path, ids: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    order = list(DIMENSIONS["S"])
    rows = []
    for repeat in (0, 1):
        seen = order if repeat == 0 else order[::-1]
        early = {item: float(item in seen[:2]) for item in order}
        calls = {"S": {"order": seen}}
        more = {"repeat": repeat, "items": early, "calls": calls}
        rows.append(scores(tmp_path / f"{repeat}", "a", ids, 0, **more).read_text("utf-8"))
    (tmp_path / "a.jsonl").write_text("".join(rows), "utf-8")
    found = told(capsys, tmp_path / "a.jsonl", "--data", data)
    assert found["order"]["difference"] == 1
    assert found["order"]["n"] == 8 * len(ids)
    assert found["items"][-1]["ema"]["mean"] == 0


def test_runs_are_ranked_by_both_raters(
    data: Path, runs: list[Path], ids: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for run, one, other in zip(runs, (1.0, 0.0), (0.0, 0.5), strict=True):
        scores(run / "judgements-a.jsonl", "a", ids, one)
        scores(run / "judgements-b.jsonl", "b", ids, other)
    found = told(capsys, *runs, "--raters", "a", "b", "--data", data)
    assert found["ranking"]["tau"] == -1
    assert len(found["ranking"]["moves"]) == 2
    with pytest.raises(InputError, match=r"this rater scored nothing here: got c; wanted a, b"):
        main([*map(str, runs), "--raters", "a", "c", "--data", str(data)])


def test_a_sheet_holds_every_item_and_the_text_no_truth(
    data: Path, runs: list[Path], ids: list[str], tmp_path: Path
) -> None:
    assert main(["--sheet", str(runs[0]), "--data", str(data), "--out", str(tmp_path)]) == 0
    lines = (tmp_path / "scores.csv").read_text("utf-8").splitlines()
    assert lines[0] == "id,sample,item,score,reason"
    assert len(lines) == 1 + len(ITEMS) * len(ids)
    shown = (tmp_path / "answers.md").read_text("utf-8")
    assert all(f"# {id}, sample 0" in shown for id in ids)
    assert "root_cause" not in shown
    assert "Timeout_Error" not in shown


def test_a_filled_sheet_is_read_back(
    data: Path, runs: list[Path], ids: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["--sheet", str(runs[0]), "--data", str(data), "--out", str(tmp_path)])
    sheet = tmp_path / "scores.csv"
    sheet.write_text(sheet.read_text("utf-8").replace(",,\n", ",1,\n"), "utf-8")
    found = told(capsys, sheet, sheet, "--data", data)
    assert found["items"][-1]["n"] == len(ITEMS) * len(ids)
    assert found["items"][-1]["ema"]["mean"] == 1


def test_what_cannot_be_compared_is_one_line(data: Path, ids: list[str], tmp_path: Path) -> None:
    a = scores(tmp_path / "a.jsonl", "a", ids, 1.0)
    strange = scores(tmp_path / "b.jsonl", "b", ["L9"], 1.0)
    with pytest.raises(InputError, match="nothing that both scored: got a and b"):
        main([str(a), str(strange), "--data", str(data)])
    with pytest.raises(InputError, match=r"b.jsonl:1: .*L9.*: no such instance in the dataset"):
        main([str(strange), str(strange), "--data", str(data)])
    with pytest.raises(InputError, match="one rater, each row scored once"):
        main([str(a), "--data", str(data)])
    with pytest.raises(InputError, match="nothing to compare"):
        main([])
