"""The leaderboard file: made of verified runs, in its schema, read back and shown."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eval import leaderboard
from eval import run as eval_run
from trajectory.files import InputError

RunOf = Callable[..., Path]


@pytest.fixture(scope="module")
def made(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a leaderboard and its three runs."""
    folder = tmp_path_factory.mktemp("board")
    runs = [str(folder / agent) for agent in ("carry_on", "blind_retry", "respond_now")]
    for run in runs:
        eval_run.main(["--agent", Path(run).name, "--data", str(data), "--out", run])
    leaderboard.main([*runs, "--data", str(data), "--out", str(folder / "leaderboard.json")])
    return folder


@pytest.fixture
def board(made: Path, tmp_path: Path) -> Path:
    """A copy of it, for one test alone."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    file = tmp_path / "leaderboard.json"
    file.write_text(file.read_text("utf-8").replace(f"{made}/", f"{tmp_path}/"), "utf-8")
    return file


def test_entries_are_sorted_by_verified_e5_and_marked_as_baselines(board: Path) -> None:
    entries = json.loads(board.read_text("utf-8"))["entries"]
    assert [one["agent"] for one in entries] == [
        "scripted:blind_retry",
        "scripted:carry_on",
        "scripted:respond_now",
    ]
    assert all(one["baseline"] and one["ranked"] for one in entries)


def test_three_tasks_tell_nobody_apart(board: Path) -> None:
    entries = json.loads(board.read_text("utf-8"))["entries"]
    assert [one["rank_interval"] for one in entries] == [[1, 3]] * 3


def test_a_rank_is_said_as_the_interval_that_it_is(
    board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    leaderboard.main(["--show", str(board)])
    assert capsys.readouterr().out.count("  1–3  ") == 3


def test_an_entry_tells_all_that_is_needed_to_make_it_again(board: Path) -> None:
    entry = json.loads(board.read_text("utf-8"))["entries"][0]
    results = Path(entry["run"], "results.jsonl").read_bytes()
    assert entry["results_hash"] == hashlib.sha256(results).hexdigest()
    assert (entry["instances"], entry["samples"], entry["coverage"]) == (3, 1, 1)
    assert entry["asked"] == {"task": "recovery", "parameters": {}, "prompts": {}}
    assert entry["code_version"] == entry["scorer_version"]
    # A scripted planner tells of no tokens: they are unknown, not none.
    assert entry["spent"]["untold"] == entry["spent"]["answers"] > 0
    assert entry["spent"]["prompt_tokens"] is entry["spent"]["dollars"] is None


def test_who_judged_a_run_is_named_with_the_hash_of_the_scores(
    run_of: RunOf, data: Path, tmp_path: Path
) -> None:
    folder, out = run_of("carry_on"), tmp_path / "board.json"
    row = json.dumps({"id": "a", "sample": 0, "rater": "judge-1", "items": {}}) + "\n"
    (folder / "judgements-judge-1.jsonl").write_text(row, "utf-8")
    leaderboard.main([str(folder), "--data", str(data), "--out", str(out)])
    (entry,) = json.loads(out.read_text("utf-8"))["entries"]
    assert entry["raters"] == {"judge-1": hashlib.sha256(row.encode()).hexdigest()}


def test_runs_with_examples_are_entries_of_their_own(
    run_of: RunOf, data: Path, tmp_path: Path
) -> None:
    plain, shown = run_of("carry_on"), tmp_path / "shown"
    shutil.copytree(plain, shown)
    manifest = json.loads((shown / "run.json").read_text("utf-8"))
    (shown / "run.json").write_text(json.dumps({**manifest, "few_shot": ["x", "y"]}), "utf-8")
    out = tmp_path / "board.json"
    leaderboard.main([str(plain), str(shown), "--data", str(data), "--out", str(out)])
    labels = [one["label"] for one in json.loads(out.read_text("utf-8"))["entries"]]
    assert labels == ["scripted:carry_on", "scripted:carry_on, 2 examples"]


# --- the check -------------------------------------------------------------------------------


def test_a_board_that_was_written_is_found_right(
    board: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert leaderboard.main(["--check", str(board), "--data", str(data)]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert "3 entries made anew, 0 differences, 0 runs not at hand" in said.err


def _changed(board: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the first entry of a board, that of blind_retry."""
    value = json.loads(board.read_text("utf-8"))
    change(value["entries"][0])
    board.write_text(json.dumps(value), "utf-8")


def _claim(metric: str, key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(entry: dict[str, Any]) -> None:
        found = (one for one in entry["figures"] if one["metric"] == metric)
        next(one for one in found if one["group"] == "all")[key] = value

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_claim("e5", "strict", 0.76), "e5 of all: 0.76 in the file, 0.75 recomputed"),
        (_claim("e5", "n", 4), "e5 of all, n: 4 in the file, 3 recomputed"),
        (lambda one: one.update(samples=2), "samples: 2 in the file, 1 recomputed"),
        (lambda one: one.update(rank_interval=[1, 1]), "rank_interval: [1,1] in the file, [1,3]"),
        (lambda one: one["figures"].pop(), "null in the file, "),
    ],
)
def test_a_changed_number_is_named_with_its_entry_and_both_values(
    board: Path,
    data: Path,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[dict[str, Any]], None],
    said: str,
) -> None:
    _changed(board, change)
    capsys.readouterr()
    assert leaderboard.main(["--check", str(board), "--data", str(data)]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("scripted:blind_retry on level1: ")
    assert said in line


def test_changed_results_are_found(
    board: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Path(json.loads(board.read_text("utf-8"))["entries"][0]["run"])
    rows = (run / "results.jsonl").read_text("utf-8").splitlines(keepends=True)
    (run / "results.jsonl").write_text("".join(rows[1:]), "utf-8")
    capsys.readouterr()
    assert leaderboard.main(["--check", str(board), "--data", str(data)]) == 1
    said = capsys.readouterr().out
    assert "results_hash" in said
    assert "verified_e5 of all: 1 in the file, 0.666667 recomputed" in said.replace("1.0 ", "1 ")


def test_what_is_not_at_hand_is_named(
    board: Path, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.move(tmp_path / "carry_on", tmp_path / "elsewhere" / "carry_on")
    capsys.readouterr()
    asked = ["--check", str(board), "--data", str(data)]
    assert leaderboard.main(asked) == 0
    assert capsys.readouterr().out == "not at hand: scripted:carry_on on level1\n"
    assert leaderboard.main([str(tmp_path / "elsewhere" / "carry_on"), *asked]) == 0
    assert capsys.readouterr().out == ""
    for name in ("blind_retry", "respond_now"):
        shutil.rmtree(tmp_path / name)
    with pytest.raises(InputError, match="no run of this leaderboard is at hand"):
        leaderboard.main(asked)


def test_as_markdown_it_is_tables_with_pipes(
    board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    leaderboard.main(["--show", str(board), "--markdown"])
    said = capsys.readouterr().out
    assert "**level1 (test), 3 instances of 3 tasks**" in said
    rows = [line for line in said.splitlines() if line.startswith("| ")]
    assert rows[0].startswith("| agent | rank | verified Pass@1 |")
    assert rows[1].startswith("| --- | ---: |")
    assert {line.count("|") for line in rows[:5]} == {9}


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


def test_the_same_runs_give_the_same_bytes(board: Path, data: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.json"
    runs = [str(tmp_path / agent) for agent in ("respond_now", "blind_retry", "carry_on")]
    leaderboard.main([*runs, "--data", str(data), "--out", str(again)])
    assert again.read_bytes() == board.read_bytes()


@pytest.mark.parametrize("change", [{"schema": 1}, {"more": 1}, {"entries": [{"agent": "x"}]}])
def test_a_file_of_another_schema_is_refused(board: Path, change: dict[str, object]) -> None:
    value = json.loads(board.read_text("utf-8"))
    board.write_text(json.dumps({**value, **change}), "utf-8")
    with pytest.raises(InputError, match="not a leaderboard of schema 2"):
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
    assert (entry["ranked"], entry["rank_interval"]) == (False, None)


@pytest.mark.parametrize("option", ["--picture", "--heat-map"])
@pytest.mark.parametrize("kind", ["png", "svg"])
def test_a_picture_is_the_same_each_time(
    board: Path, tmp_path: Path, option: str, kind: str
) -> None:
    pictures = [tmp_path / f"{number}.{kind}" for number in (1, 2)]
    for path in pictures:
        leaderboard.main(["--show", str(board), option, str(path)])
    assert pictures[0].read_bytes() == pictures[1].read_bytes()
    assert len(pictures[0].read_bytes()) > 5000


def test_another_kind_of_picture_is_refused(board: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"wanted \.png or \.svg"):
        leaderboard.main(["--show", str(board), "--picture", str(tmp_path / "a.gif")])
