"""The report's folder: what is in it, what it replaces, and that nothing in it can run."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from eval import leaderboard
from eval.report.__main__ import main
from eval.report.chunks import script
from trajectory.files import InputError


def read(page: Path, name: str) -> Any:
    """Read a file of data as the browser does, less the call."""
    text = (page / "data" / f"{name}.js").read_text("utf-8")
    (value,) = re.fullmatch(r'pararecover\("[^"]*",(.*)\);\n', text, re.DOTALL).groups()  # type: ignore[union-attr]
    return json.loads(value)


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_same_runs_give_the_same_bytes(page: Path, runs: list[Path], shelf: Path) -> None:
    before = files(page)
    assert main([*map(str, runs), "--data", str(shelf), "--out", str(page)]) == 0
    assert files(page) == before


def test_a_leaderboard_that_holds_the_runs_gives_the_same_page(
    page: Path, runs: list[Path], shelf: Path, tmp_path: Path
) -> None:
    board = tmp_path / "board.json"
    leaderboard.main([*map(str, runs), "--data", str(shelf), "--out", str(board)])
    arguments = [*map(str, runs), "--data", str(shelf), "--leaderboard", str(board)]
    assert main([*arguments, "--out", str(tmp_path / "page")]) == 0
    assert files(tmp_path / "page") == files(page)


def test_a_leaderboard_of_other_results_is_refused(
    runs: list[Path], shelf: Path, tmp_path: Path
) -> None:
    board = tmp_path / "board.json"
    leaderboard.main([str(runs[0]), "--data", str(shelf), "--out", str(board)])
    with pytest.raises(InputError, match="does not hold this run as it is now"):
        main([*map(str, runs), "--leaderboard", str(board), "--out", str(tmp_path / "page")])
    assert not (tmp_path / "page").exists()


def test_a_folder_that_is_no_report_stays(runs: list[Path], tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="something else than a report is there"):
        main([str(runs[0]), "--out", str(tmp_path)])
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_report_that_fails_leaves_the_older_one(
    page: Path, runs: list[Path], shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(page, tmp_path / "page")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("eval.report.chunks.write", full)
    with pytest.raises(OSError, match="No space"):
        main([*map(str, runs), "--data", str(shelf), "--out", str(tmp_path / "page")])
    assert files(tmp_path / "page") == files(page)
    assert [path.name for path in tmp_path.iterdir()] == ["page"]


def test_a_report_whose_renaming_fails_leaves_the_older_one(
    page: Path, runs: list[Path], shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(page, tmp_path / "page")
    rename = Path.rename

    def refused(self: Path, target: Path) -> Path:
        if self.suffix == ".part":
            raise PermissionError(13, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refused)
    with pytest.raises(PermissionError):
        main([str(runs[1]), "--data", str(shelf), "--out", str(tmp_path / "page")])
    assert files(tmp_path / "page") == files(page)
    assert [path.name for path in tmp_path.iterdir()] == ["page"]


def test_the_folder_one_stands_in_can_be_written(
    runs: list[Path], shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([str(runs[1]), "--data", str(shelf), "--out", "."]) == 0
    assert (tmp_path / "index.html").is_file()


def test_a_run_with_played_tools_is_marked_and_not_ranked(
    runs: list[Path], shelf: Path, tmp_path: Path
) -> None:
    played = tmp_path / "played"
    shutil.copytree(runs[1], played)
    told = json.loads((played / "run.json").read_text("utf-8"))
    (played / "run.json").write_text(json.dumps({**told, "environment": "model:x"}), "utf-8")
    assert main([str(played), "--data", str(shelf), "--out", str(tmp_path / "page")]) == 0
    (run,) = read(tmp_path / "page", "overview")["runs"]
    assert (run["played"], run["ranked"], run["rank_interval"]) == (True, False, None)
    told = {name: one[0] for name, one in run["figures"]["all"].items()}
    assert {one for name, one in told.items() if name.startswith("verified")} == {None}
    assert {*read(tmp_path / "page", "list")["outcomes"][0]} == {"p"}
    for (row,) in read(tmp_path / "page", "rows-0-0").values():
        assert row["outcome"] == "passed"
        assert row["values"]["verified_e5"] is None


def test_the_list_tells_how_every_row_ended(page: Path) -> None:
    listed, overview = read(page, "list"), read(page, "overview")
    place = [one["agent"] for one in overview["runs"]].index("scripted:oracle")
    assert {*listed["outcomes"][place]} == {"v"}
    assert len({len(column) for name, column in listed.items() if name not in _NO_COLUMN}) == 1


_NO_COLUMN = ("chunk", "outcomes")


def test_each_row_tells_thought_claims_scores_and_rounds(page: Path) -> None:
    overview = read(page, "overview")
    place = [one["agent"] for one in overview["runs"]].index("scripted:oracle")
    for (row,) in read(page, f"rows-{place}-0").values():
        assert row["outcome"] == "verified"
        assert row["claims"]
        assert {one["rater"] for one in row["raters"]} == {"checks"}
        assert row["rounds"][-1]["response"]
        marked = [mark for node in row["plan"]["nodes"] for mark in node["marks"]]
        assert {"changed", "new"} & {*marked} or row["changes"]


def test_roots_and_affected_nodes_are_marked_as_the_instance_says(page: Path) -> None:
    for one in read(page, "instances-0").values():
        marks = {node["id"]: node["marks"] for node in one["plan"]["nodes"]}
        roots = {error["root_cause"] for error in one["errors"]}
        assert {id for id, some in marks.items() if "root cause" in some} == roots & marks.keys()


def test_nothing_in_a_text_ends_the_script() -> None:
    said = script("x", {"t": "</script><!-- \u2028 \ud800"}).decode("utf-8")
    assert "<" not in said
    assert "\u2028" not in said
    assert json.loads(said[len('pararecover("x",') : -3])["t"] == "</script><!-- \u2028 \ud800"


def test_data_that_is_no_json_is_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        script("x", float("nan"))


def test_a_picture_shows_the_plan_before_and_after(shelf: Path, tmp_path: Path, page: Path) -> None:
    id = next(iter(read(page, "instances-0")))
    out = tmp_path / "one.svg"
    assert main(["--picture", id, "--data", str(shelf), "--out", str(out)]) == 0
    text = out.read_text("utf-8")
    assert "root cause" in text
    assert "After the proven repair" in text


def test_a_picture_of_no_instance_is_one_line(shelf: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such id: got"):
        main(["--picture", "L9", "--data", str(shelf), "--out", str(tmp_path / "one.svg")])


def test_runs_or_a_picture(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="give run folders, or --picture ID"):
        main(["--out", str(tmp_path / "page")])
