"""Figures of small runs, computed by hand; and what no run may gain by."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from build import release
from eval import commands, e5, invalid_dag, localization, score, verify
from eval import run as eval_run
from eval.results import read_run
from eval.scoring import Figure, Table, figures, notes
from eval.scoring import score as score_run
from eval.selection import Choice, declared, select
from trajectory.files import InputError
from trajectory.instance import Instance

RunOf = Callable[..., Path]


def _table(folder: Path, data: Path) -> Table:
    run = read_run(folder)
    assert run.manifest is not None
    return score_run(run, declared(run.manifest, data))


def _all(table: Table) -> dict[str, Figure]:
    return {one.metric: one for one in figures(table) if one.group == "all"}


def _edit(folder: Path, change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> None:
    file = folder / "results.jsonl"
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    file.write_text("".join(json.dumps(row) + "\n" for row in change(rows)), "utf-8")


def test_blind_retry_by_hand(run_of: RunOf, data: Path) -> None:
    # Three instances of 3 rounds and 2 calls. One round ran; the retry, the booking and the
    # response are three more: 4 rounds against 3 (E5 75) or the proven 4 (100); 3 calls against
    # 2 (66.7) or the proven 3 (100).
    found = _all(_table(run_of("blind_retry"), data))
    assert found["pass_at_1"].strict == found["verified_pass_at_1"].strict == 1
    assert found["e5"].strict == pytest.approx(3 / 4)
    assert found["verified_e5"].strict == 1
    assert found["tool_efficiency"].strict == pytest.approx(2 / 3)
    assert found["verified_tool_efficiency"].strict == 1
    assert found["invalid_dag"].strict == 0


def test_one_row_of_three_is_a_third_of_the_strict_score(run_of: RunOf, data: Path) -> None:
    folder = run_of("blind_retry")
    _edit(folder, lambda rows: rows[:1])
    table = _table(folder, data)
    found = _all(table)
    assert found["verified_e5"].strict == pytest.approx(1 / 3)
    assert found["verified_e5"].covered == 1
    assert found["invalid_dag"].strict == pytest.approx(2 / 3)
    assert table.coverage == pytest.approx(1 / 3)
    assert not any(one.ranked for one in found.values())
    assert notes(table)["missing"] == 2


def test_covered_scores_stand_below_where_rows_are_wanting(
    run_of: RunOf, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = run_of("blind_retry")
    _edit(folder, lambda rows: rows[:1])
    capsys.readouterr()
    score.main([str(folder), "--data", str(data)])
    said = capsys.readouterr().out
    covered = next(line for line in said.splitlines() if line.startswith("all, covered"))
    assert covered.split()[2:6] == ["0.0", "100.0", "100.0", "75.0"]
    assert "coverage 33.3% · not ranked" in said


def test_a_run_of_another_level_than_asked_for_is_refused(run_of: RunOf, data: Path) -> None:
    with pytest.raises(InputError, match="of another config: got level2; wanted level1"):
        score.main([str(run_of("carry_on")), "--data", str(data), "--level", "level2"])


def test_failed_attempts_are_harness_errors_not_answers(run_of: RunOf, data: Path) -> None:
    folder = run_of("blind_retry")
    _edit(folder, lambda rows: rows[1:])
    attempt = {"id": "L1-tst-000000", "sample": 0, "error": "503"}
    (folder / "attempts.jsonl").write_text(json.dumps(attempt) + "\n", "utf-8")
    counts = notes(_table(folder, data))
    assert (counts["harness_error"], counts["missing"]) == (1, 0)


def test_a_run_of_no_rows_fails_everything(run_of: RunOf, data: Path) -> None:
    folder = run_of("blind_retry")
    _edit(folder, lambda rows: [])
    found = _all(_table(folder, data))
    assert found["verified_e5"].strict == 0
    assert found["invalid_dag"].strict == 1
    assert found["verified_e5"].covered is None


def test_an_answer_that_cannot_be_read_is_invalid_and_nothing_else(
    run_of: RunOf, data: Path
) -> None:
    folder = run_of("blind_retry")
    _edit(folder, lambda rows: [{**rows[0], "raw_output": "Sorry.", "rounds": None}, *rows[1:]])
    table = _table(folder, data)
    assert notes(table)["model_invalid"] == 1
    assert _all(table)["invalid_dag"].strict == pytest.approx(1 / 3)
    figure = _all(table)["verified_pass_at_1"]
    assert figure.strict == figure.covered == pytest.approx(2 / 3)
    assert not any(name.endswith("_static") for name in _all(table))


def test_what_a_row_claims_is_not_believed(run_of: RunOf, data: Path) -> None:
    folder = run_of("carry_on")
    claims = {
        "completed": True,
        "e5": 1.0,
        "verified": True,
        "outcome": "ok",
        "plan": {"tasks": []},
    }
    _edit(folder, lambda rows: [{**row, **claims} for row in rows])
    found = _all(_table(folder, data))
    assert found["verified_pass_at_1"].strict == 0
    assert found["invalid_dag"].strict == 0


def test_shuffled_rows_keep_their_scores(run_of: RunOf, data: Path) -> None:
    folder = run_of("blind_retry")
    _edit(folder, lambda rows: [{**rows[0], "raw_output": "no"}, *rows[1:]])
    before = [(one.metric, one.group, one.strict) for one in figures(_table(folder, data))]
    _edit(folder, lambda rows: rows[::-1])
    assert [(one.metric, one.group, one.strict) for one in figures(_table(folder, data))] == before


def test_rows_of_another_dataset_are_refused(
    run_of: RunOf, data: Path, instances: list[Instance]
) -> None:
    folder = run_of("carry_on")
    manifest = json.loads((folder / "run.json").read_text("utf-8"))
    (folder / "run.json").write_text(json.dumps({**manifest, "dataset_hash": "0" * 64}), "utf-8")
    with pytest.raises(InputError, match="the run is about another dataset"):
        _table(folder, data)


def test_an_id_outside_the_selection_is_refused(run_of: RunOf, data: Path) -> None:
    folder = run_of("carry_on")
    _edit(folder, lambda rows: [{**rows[0], "id": "L1-none"}])
    with pytest.raises(InputError, match=r"results.jsonl:1: id L1-none: not among the 3"):
        _table(folder, data)


def test_rounds_that_do_not_follow_the_snapshot_are_refused(run_of: RunOf, data: Path) -> None:
    folder = run_of("carry_on")

    def later(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        rounds = [{**one, "round": one["round"] + 1} for one in rows[0]["rounds"]]
        return [{**rows[0], "rounds": rounds}]

    _edit(folder, later)
    with pytest.raises(InputError, match="rounds don't follow the snapshot: got 3; wanted 2"):
        _table(folder, data)


def test_a_bare_file_is_scored_static_and_told_so(
    run_of: RunOf, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = (run_of("blind_retry") / "results.jsonl").read_text("utf-8").splitlines()
    bare = tmp_path / "answers.jsonl"
    said = [{"id": r["id"], "answer": r["raw_output"]} for r in map(json.loads, rows)]
    bare.write_text("".join(json.dumps(row) + "\n" for row in said), "utf-8")
    table = score_run(read_run(bare), select(Choice("level1", data=data)))
    found = _all(table)
    assert found["verified_e5_static"].strict == 1
    assert "verified_e5" not in found
    assert not any(one.ranked for one in found.values() if one.metric.endswith("_static"))
    score.main([str(bare), "--level", "level1", "--data", str(data)])
    assert commands.STATIC_NOTE in capsys.readouterr().out


def test_a_bare_file_needs_a_level(tmp_path: Path, data: Path) -> None:
    bare = tmp_path / "answers.jsonl"
    bare.write_text('{"id": "a", "answer": "b"}\n', "utf-8")
    with pytest.raises(InputError, match="say --level"):
        score.main([str(bare), "--data", str(data)])


def test_json_has_an_object_for_each_figure(
    run_of: RunOf, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = run_of("blind_retry")
    capsys.readouterr()
    e5.main([str(folder), "--data", str(data), "--json"])
    rows = json.loads(capsys.readouterr().out)
    assert {"metric", "level", "strict", "covered", "coverage", "n", "tasks", "ci"} <= set(rows[0])
    assert {row["metric"] for row in rows} == {"e5", "verified_e5"}
    invalid_dag.main([str(folder), "--data", str(data), "--json"])
    assert {row["metric"] for row in json.loads(capsys.readouterr().out)} == {"invalid_dag"}


def test_baselines_of_localisation(
    run_of: RunOf, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # The failed node is the root cause in all three; each plan has four nodes.
    found = {
        table.agent: _all(table)
        for table in localization.baselines(select(Choice("level1", data=data)))
    }
    assert found["baseline:last_failed_node"]["joint_f1"].strict == 1
    assert found["baseline:most_frequent_type"]["node_f1"].strict == 0
    assert found["baseline:every_node"]["node_precision"].strict == pytest.approx(1 / 4)
    localization.main([str(run_of("carry_on")), "--data", str(data)])
    assert "last_failed_node" in capsys.readouterr().out


def test_pass_at_k_over_samples(run_of: RunOf, data: Path) -> None:
    folder = run_of("blind_retry", "--samples", "3")

    def spoilt(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**row, "state": None} if row["sample"] else row for row in rows]

    _edit(folder, spoilt)
    found = _all(_table(folder, data))
    # One of three samples is right: 1 − C(2, k) / C(3, k).
    assert found["verified_pass_at_1"].strict == pytest.approx(1 / 3)
    assert found["verified_pass_at_2"].strict == pytest.approx(2 / 3)
    assert found["verified_pass_at_3"].strict == 1
    assert "verified_pass_at_4" not in found


def test_records_of_the_release_are_scored_and_never_ranked(
    release_sample: Path, tmp_path: Path
) -> None:
    data, folder = tmp_path / "data", tmp_path / "run"
    release.main([str(release_sample), "--out", str(data)])
    where = ["--edition", "release", "--level", "level1", "--data", str(data)]
    eval_run.main(["--agent", "carry_on", *where, "--out", str(folder)])
    table = _table(folder, data)
    found = _all(table)
    assert found["pass_at_1"].strict == 1
    assert found["e5_as_published"].strict is not None
    for metric in ("verified_pass_at_1", "verified_e5", "node_f1"):
        assert found[metric].strict is None
        assert found[metric].unscored == len(table.cells)
    assert not any(one.ranked for one in found.values())
    assert verify.main([str(folder), "--data", str(data)]) == 0
    # The answers alone, carried on unchanged, come to the same.
    bare = tmp_path / "answers.jsonl"
    rows = map(json.loads, (folder / "results.jsonl").read_text("utf-8").splitlines())
    bare.write_text(
        "".join(json.dumps({"id": r["id"], "text": r["raw_output"]}) + "\n" for r in rows), "utf-8"
    )
    static = _all(score_run(read_run(bare), select(Choice("level1_release", data=data))))
    assert static["e5_static"].strict == found["e5"].strict
    assert static["tool_efficiency_static"].strict == found["tool_efficiency"].strict
