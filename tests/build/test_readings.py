"""Readers' plans against gold plans, by the command."""

import json
from pathlib import Path

import pytest

from build import readings
from build.gold import to_record
from build.seeds.compose import candidate
from trajectory.files import InputError, write_jsonl
from trajectory.plan import write_plan

ROOT = Path(__file__).parents[2]


@pytest.fixture
def seeds(tmp_path: Path) -> Path:
    path = tmp_path / "seeds.jsonl"
    write_jsonl(path, [to_record(candidate(7, number).gold) for number in range(2)])
    return path


def test_the_gold_plan_itself_matches_and_a_plan_less_a_call_does_not(
    seeds: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = (candidate(7, number).gold for number in range(2))
    part = write_plan(second.plan)["tasks"][2:]
    rows = [{"id": first.id, **write_plan(first.plan)}, {"id": second.id, "tasks": part}]
    write_jsonl(tmp_path / "reader.jsonl", rows)
    readings.main([str(tmp_path / "reader.jsonl"), "--seeds", str(seeds), "--json"])
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["matches"] for one in said] == [True, False]


def test_an_unknown_task_is_named(seeds: Path, tmp_path: Path) -> None:
    write_jsonl(tmp_path / "reader.jsonl", [{"id": "T0", "tasks": []}])
    with pytest.raises(InputError, match=r"reader.jsonl:1: id T0: no such task"):
        readings.main([str(tmp_path / "reader.jsonl"), "--seeds", str(seeds)])


def test_the_readings_kept_in_reports_match_as_the_report_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = ROOT / "reports" / "requests"
    files = sorted(map(str, folder.glob("reader-*.jsonl")))
    readings.main([*files, "--seeds", str(folder / "seeds.jsonl")])
    assert capsys.readouterr().out.splitlines()[-1] == "27 of 30 match"
