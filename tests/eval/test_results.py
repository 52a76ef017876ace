"""Results files as others write them, and every way in which they can be wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from eval.results import read_run
from trajectory.files import InputError

GOOD = {"id": "a", "answer": "text"}


def _file(folder: Path, *rows: Any) -> Path:
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.mark.parametrize(
    "key", ["raw_output", "answer", "output", "response", "completion", "text"]
)
def test_an_answer_is_found_under_its_usual_names(tmp_path: Path, key: str) -> None:
    (row,) = read_run(_file(tmp_path, {"id": "a", key: "said"})).rows()
    assert (row.id, row.sample, row.raw_output, row.rounds) == ("a", 0, "said", None)


def test_two_rows_of_one_sample_are_both_named(tmp_path: Path) -> None:
    run = read_run(_file(tmp_path, GOOD, {**GOOD, "sample": 1}, GOOD))
    with pytest.raises(InputError, match=r"answers.jsonl:3: id a: .* the first is line 1"):
        list(run.rows())


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ([1], "not a row"),
        ({"answer": "x"}, "a row without an id"),
        ({"id": 7, "answer": "x"}, "a row without an id"),
        ({"id": "a"}, "without an answer's text"),
        ({"id": "a", "answer": None}, "without an answer's text"),
        ({**GOOD, "sample": -1}, "a wrong sample"),
        ({**GOOD, "sample": True}, "a wrong sample"),
        ({**GOOD, "state": 3}, "a wrong state"),
        ({**GOOD, "rounds": []}, "rounds are wrong"),
        ({**GOOD, "rounds": [{}]}, "round 1 after the answer is wrong"),
        (
            {**GOOD, "rounds": [{"round": 1, "calls": [], "response": True}] * 2},
            "not numbered one by one|a round follows",
        ),
    ],
)
def test_a_wrong_row_is_named(tmp_path: Path, row: Any, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        list(read_run(_file(tmp_path, GOOD | {"id": "b"}, row)).rows())
    assert "answers.jsonl:2" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b'{"id": "a", "answer": "x"}\n{"id": "b", "ans', "answers.jsonl:2"),
        (b'{"id": "a", "answer": "x", "cost": NaN}\n', "answers.jsonl:1"),
        (b'{"id": "a", "answer": "\xff"}\n', "not UTF-8"),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=said):
        list(read_run(path).rows())


def test_a_mark_carriage_returns_and_a_line_of_40_mb_are_read(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    long = json.dumps({"id": "b", "answer": "x" * 40_000_000})
    path.write_bytes(b'\xef\xbb\xbf{"id": "a", "answer": "x"}\r\n' + long.encode() + b"\r\n")
    assert [row.id for row in read_run(path).rows()] == ["a", "b"]


def test_neither_a_run_nor_a_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such run folder"):
        read_run(tmp_path / "none")
    with pytest.raises(InputError, match=r"not a run folder: run\.json is not there"):
        read_run(tmp_path)
    (tmp_path / "run.json").write_text('{"agent": 3}', "utf-8")
    with pytest.raises(InputError, match=r"run\.json"):
        read_run(tmp_path)
