"""The leaderboard file: made of verified runs, in its schema, read back and shown."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eval import leaderboard
from trajectory.files import InputError

RunOf = Callable[..., Path]


@pytest.fixture
def board(run_of: RunOf, data: Path, tmp_path: Path) -> Path:
    out = tmp_path / "leaderboard.json"
    runs = [str(run_of(agent)) for agent in ("carry_on", "blind_retry", "respond_now")]
    leaderboard.main([*runs, "--data", str(data), "--out", str(out)])
    return out


def test_entries_are_sorted_by_verified_e5_and_marked_as_baselines(board: Path) -> None:
    entries = json.loads(board.read_text("utf-8"))["entries"]
    assert [one["agent"] for one in entries] == [
        "scripted:blind_retry",
        "scripted:carry_on",
        "scripted:respond_now",
    ]
    assert all(one["baseline"] and one["ranked"] for one in entries)


def test_without_intervals_nobody_is_told_apart(board: Path) -> None:
    entries = json.loads(board.read_text("utf-8"))["entries"]
    assert {one["rank"] for one in entries} == {1}


def _entry(agent: str, *ci: float) -> dict[str, Any]:
    figure = {"metric": "verified_e5", "group": "all", "strict": sum(ci) / 2, "ci": list(ci)}
    return {"agent": agent, "config": "level1", "ranked": True, "rank": None, "figures": [figure]}


def test_ranks_are_shared_where_intervals_overlap_the_best_of_the_rank() -> None:
    # b overlaps a, and c overlaps b but not a: c opens a rank of its own.
    entries = [_entry("a", 0.6, 0.8), _entry("b", 0.5, 0.7), _entry("c", 0.4, 0.55)]
    unranked = {**_entry("d", 0.3, 0.4), "ranked": False}
    leaderboard.rank([*entries, unranked, _entry("e", 0.1, 0.2)])
    assert [one["rank"] for one in entries] == [1, 1, 3]
    assert unranked["rank"] is None


def test_the_papers_figures_are_shown_as_reported(
    board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    leaderboard.main(["--show", str(board)])
    said = capsys.readouterr().out
    assert "as reported by the paper, not verified" in said
    assert "Qwen3-8B, dpo" in said


def test_the_papers_figures_stand_beside_as_reported(board: Path) -> None:
    reported = json.loads(board.read_text("utf-8"))["reported_by_the_paper"]
    assert "not verified" in reported["note"]
    assert reported["judge_free_level1"]["pass_at_1"] == {"base": 91.84, "dpo": 94.3}


def test_a_board_that_was_written_is_shown_again(
    board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    leaderboard.main(["--show", str(board)])
    said = capsys.readouterr().out
    assert "scripted:blind_retry (baseline)" in said
    assert "3 instances of 3 tasks" in said


def test_the_same_runs_give_the_same_bytes(
    board: Path, run_of: RunOf, data: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again.json"
    runs = [str(run_of(agent)) for agent in ("respond_now", "blind_retry", "carry_on")]
    leaderboard.main([*runs, "--data", str(data), "--out", str(again)])
    assert again.read_bytes() == board.read_bytes()


@pytest.mark.parametrize("change", [{"schema": 2}, {"more": 1}, {"entries": [{"agent": "x"}]}])
def test_a_file_of_another_schema_is_refused(board: Path, change: dict[str, object]) -> None:
    value = json.loads(board.read_text("utf-8"))
    board.write_text(json.dumps({**value, **change}), "utf-8")
    with pytest.raises(InputError, match="not a leaderboard of schema 1"):
        leaderboard.main(["--show", str(board)])


def test_a_run_that_does_not_hold_leaves_no_file(run_of: RunOf, data: Path, tmp_path: Path) -> None:
    folder, out = run_of("carry_on"), tmp_path / "board.json"
    rows = (folder / "results.jsonl").read_text("utf-8")
    state = json.loads(rows.splitlines()[0])["state"]
    (folder / "results.jsonl").write_text(rows.replace(state, "0" * 64, 1), "utf-8")
    with pytest.raises(InputError, match="state is not what the execution gives"):
        leaderboard.main([str(folder), "--data", str(data), "--out", str(out)])
    assert not out.exists()


def test_two_runs_of_one_agent_are_refused(run_of: RunOf, data: Path) -> None:
    folder = str(run_of("carry_on"))
    with pytest.raises(InputError, match="a second run of scripted:carry_on on level1"):
        leaderboard.main([folder, folder, "--data", str(data)])


def test_a_bare_file_is_no_run(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"id": "a", "answer": "b"}\n', "utf-8")
    with pytest.raises(InputError, match="not a run folder"):
        leaderboard.main([str(file)])


def test_part_of_a_split_is_not_ranked(run_of: RunOf, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "board.json"
    run = run_of("carry_on", "--limit", "2")
    leaderboard.main([str(run), "--data", str(data), "--out", str(out)])
    (entry,) = json.loads(out.read_text("utf-8"))["entries"]
    assert (entry["ranked"], entry["rank"]) == (False, None)


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_the_picture_is_the_same_each_time(board: Path, tmp_path: Path, kind: str) -> None:
    pictures = [tmp_path / f"{number}.{kind}" for number in (1, 2)]
    for path in pictures:
        leaderboard.main(["--show", str(board), "--picture", str(path)])
    assert pictures[0].read_bytes() == pictures[1].read_bytes()
    assert len(pictures[0].read_bytes()) > 5000


def test_another_kind_of_picture_is_refused(board: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"wanted \.png or \.svg"):
        leaderboard.main(["--show", str(board), "--picture", str(tmp_path / "a.gif")])
