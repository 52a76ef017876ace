import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pararecover
from build.release import main
from build.release_pins import NAME, sha256
from tests.build.release_shapes import augmented, line, rollout1, rollout2, write_release
from trajectory.files import InputError

ROOT = Path(__file__).parents[2]
AUGMENTED, ROLLOUT1, ROLLOUT2 = (
    "LEVEL-1_augmented",
    "LEVEL-1_real_rollout",
    "LEVEL-2_real_rollout",
)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "pararecover"


def imported(folder: Path, out: Path, *options: str) -> int:
    return main([str(folder), "--out", str(out), *options])


def ids(out: Path, config: str) -> list[str]:
    return [one.id for one in pararecover.load_instances(config, data=out)]


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(capsys.readouterr().out)
    return value


def test_all_files_become_the_two_configs(tmp_path: Path, out: Path) -> None:
    files: dict[str, list[Any]] = {
        ROLLOUT2: [rollout2(1422), b"\n"],
        AUGMENTED: [augmented(1), augmented(2)],
        ROLLOUT1: [rollout1(1)],
        "LEVEL-2_augmented": [augmented(1)],
    }
    assert imported(write_release(tmp_path, files), out) == 0
    assert ids(out, "level1_release") == [
        "L1-rel-aug-000001",
        "L1-rel-aug-000002",
        "L1-rel-rol-000001",
    ]
    assert ids(out, "level2_release") == ["L2-rel-aug-000001", "L2-rel-rol-001422"]


def test_any_subset_comes_in_from_the_folder_or_its_data_folder(tmp_path: Path, out: Path) -> None:
    write_release(tmp_path, {ROLLOUT2: [rollout2(1422)]})
    assert imported(tmp_path, out) == 0
    assert list(pararecover.index(out)) == [("level2_release", "test")]
    assert imported(tmp_path / "data", out) == 0
    assert ids(out, "level2_release") == ["L2-rel-rol-001422"]


def test_the_same_files_give_the_same_dataset(tmp_path: Path, out: Path) -> None:
    write_release(tmp_path, {AUGMENTED: [augmented(1), augmented(2)]})
    imported(tmp_path, out)
    first = list(pararecover.index(out).values())
    imported(tmp_path, out)
    assert list(pararecover.index(out).values()) == first


def test_the_table_tells_files_problems_and_types(
    tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_release(tmp_path, {AUGMENTED: [augmented(1), augmented(2, round_gt=None)]})
    (tmp_path / "data" / "more.jsonl").write_bytes(b"{}\n")
    assert imported(tmp_path, out) == 0
    lines = capsys.readouterr().out.splitlines()
    cells = [text.split() for text in lines]
    assert ["LEVEL-1/LEVEL-1_augmented.jsonl", "2", "of", "2,612", "2", "0", "2"] in cells
    assert ["free_reference", "2"] in cells
    assert ["gt_unknown", "1"] in cells
    assert ["Timeout_Error", "2"] in cells
    assert any(text.startswith("level1_release: ") for text in lines)
    assert f"not read: {tmp_path / 'data' / 'more.jsonl'}" in lines


def test_json_tells_the_same(tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_release(tmp_path, {AUGMENTED: [augmented(1), b"{\n"]})
    assert imported(tmp_path, out, "--json") == 2
    report = told(capsys)
    (file,) = report["files"]
    assert (file["records"], file["imported"], file["left_out"]) == (2, 1, 1)
    assert (file["published"], file["problems"]) == (2612, {"free_reference": 1})
    assert file["error_types"]["Timeout_Error"] == 1
    assert len(file["error_types"]) == 14
    assert Path(report["configs"]["level1_release"]).exists()


BROKEN: dict[str, bytes] = {
    "NaN": line(rollout1(2)).replace(b'"Ana"', b"NaN").replace(b"4711", b"NaN"),
    "bytes that are not UTF-8": line(rollout1(2)).replace(b"Bled", b"Bl\xffd"),
    "a torn line": line(rollout1(2))[:-40],
    "no object": b"[1, 2]\n",
    "no plan": line(rollout1(2, plan="lost")),
    "an id twice": line(rollout1(1)),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_bad_record_is_named_and_the_others_come_in(
    name: str, tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    last = [] if name == "a torn line" else [rollout1(3)]
    write_release(tmp_path, {ROLLOUT1: [rollout1(1), BROKEN[name], *last]})
    report = tmp_path / "report.jsonl"
    assert imported(tmp_path, out, "--report", str(report)) == 2
    assert len(ids(out, "level1_release")) == 1 + len(last)
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(f"{tmp_path / 'data' / 'LEVEL-1' / ROLLOUT1}.jsonl:2: ")
    rows = [json.loads(text) for text in report.read_text("utf-8").splitlines()]
    (row,) = [row for row in rows if row["kind"] == "left_out"]
    assert (row["file"], row["line"]) == (f"LEVEL-1/{ROLLOUT1}.jsonl", 2)
    assert row["detail"] in said


def test_many_bad_records_are_counted(
    tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_release(tmp_path, {ROLLOUT1: [rollout1(1), *[b"{\n"] * 25]})
    assert imported(tmp_path, out) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 11
    assert said[-1].startswith("… and 15 more")


def test_the_report_lists_every_problem_in_the_order_of_the_lines(
    tmp_path: Path, out: Path
) -> None:
    records = [augmented(9), b"{\n", augmented(5, round_gt=None)]
    write_release(tmp_path, {AUGMENTED: records})
    report = tmp_path / "report.jsonl"
    imported(tmp_path, out, "--report", str(report))
    rows = [json.loads(text) for text in report.read_text("utf-8").splitlines()]
    assert [(row["line"], row["id"], row["node"], row["kind"]) for row in rows] == [
        (1, "9", "3", "free_reference"),
        (2, None, None, "left_out"),
        (3, "5", "3", "free_reference"),
        (3, "5", None, "gt_unknown"),
    ]


def test_bom_crlf_blank_lines_and_long_lines_are_taken(tmp_path: Path, out: Path) -> None:
    long = line(augmented(3, mood="x" * 40_000_000))
    lines = [b"\xef\xbb\xbf", line(augmented(1)).replace(b"\n", b"\r\n"), b"\r\n \n", long, b"\n"]
    write_release(tmp_path, {AUGMENTED: lines})
    assert imported(tmp_path, out) == 0
    assert ids(out, "level1_release") == ["L1-rel-aug-000001", "L1-rel-aug-000003"]


def nothing(folder: Path) -> None:
    folder.mkdir()


def a_file(folder: Path) -> None:
    folder.write_bytes(b"{}\n")


def not_there(folder: Path) -> None:
    assert not folder.exists()


def empty(folder: Path) -> None:
    write_release(folder, {AUGMENTED: [augmented(1)], ROLLOUT1: [b" \n"]})


def only_bad(folder: Path) -> None:
    write_release(folder, {AUGMENTED: [b"{\n", b"[]\n"]})


def a_folder_as_file(folder: Path) -> None:
    (folder / "data" / "LEVEL-1" / f"{AUGMENTED}.jsonl").mkdir(parents=True)


def another_than_pinned(folder: Path) -> None:
    write_release(folder, {AUGMENTED: [augmented(1)]})
    (folder / "data" / NAME).write_text(json.dumps({f"LEVEL-1/{AUGMENTED}.jsonl": "0" * 64}))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (nothing, "no file of the release"),
        (a_file, "no file of the release"),
        (not_there, "no file of the release"),
        (empty, "the file is empty"),
        (only_bad, "no record can be read"),
        (another_than_pinned, "not the one that was first downloaded"),
    ],
)
def test_wrong_input_is_one_line_and_writes_nothing(
    make: Callable[[Path], None], said: str, tmp_path: Path, out: Path
) -> None:
    make(tmp_path / "release")
    with pytest.raises(InputError, match=said):
        imported(tmp_path / "release", out, "--report", str(tmp_path / "report"))
    assert not out.exists()
    assert not (tmp_path / "report").exists()


def test_what_can_not_be_read_or_written_raises_what_the_command_tells_in_one_line(
    tmp_path: Path, out: Path
) -> None:
    a_folder_as_file(tmp_path / "release")
    with pytest.raises(IsADirectoryError):
        imported(tmp_path / "release", out)
    out.write_bytes(b"a file where the folder should be")
    write_release(tmp_path / "good", {AUGMENTED: [augmented(1)]})
    with pytest.raises((OSError, InputError), match=r"level1_release|pararecover"):
        imported(tmp_path / "good", out)


def test_a_pinned_file_that_is_the_same_comes_in(tmp_path: Path, out: Path) -> None:
    write_release(tmp_path, {AUGMENTED: [augmented(1)]})
    name = f"LEVEL-1/{AUGMENTED}.jsonl"
    pins = {name: sha256(tmp_path / "data" / name)}
    (tmp_path / "data" / NAME).write_text(json.dumps(pins))
    assert imported(tmp_path, out) == 0


def test_url_without_download_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as stop:
        main([str(tmp_path), "--url", "https://example.org"])
    assert stop.value.code == 2


def test_the_command_tells_an_error_in_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "build.release", str(tmp_path / "nowhere")],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


def test_all_records_of_the_sample_come_in(
    release_sample: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert imported(release_sample, out, "--json") == 0
    files = told(capsys)["files"]
    assert [file["imported"] for file in files] == [15, 29, 30]
    assert [file["left_out"] for file in files] == [0, 0, 0]
    assert files[0]["problems"]["leak"] == 4
