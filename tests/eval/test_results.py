"""Results files as others write them, and every way in which they can be wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from eval.results import read_answers, read_run
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


def test_a_null_under_an_earlier_name_is_not_passed_over(tmp_path: Path) -> None:
    run = read_run(_file(tmp_path, {"id": "a", "raw_output": None, "text": "said"}))
    with pytest.raises(InputError, match=r'got {"raw_output": null}; wanted a text under'):
        list(run.rows())


def test_a_row_is_given_before_the_next_is_read(tmp_path: Path) -> None:
    path = _file(tmp_path, GOOD, {**GOOD, "id": "b"})
    path.write_bytes(path.read_bytes() + b"no row")
    rows = read_run(path).rows()
    assert [next(rows).id, next(rows).id] == ["a", "b"]
    with pytest.raises(InputError, match=r"answers.jsonl:3: .* cut off here"):
        next(rows)


MANIFEST = {
    "schema": 1,
    "agent": "scripted:carry_on",
    "task": "recovery",
    "config": "level1",
    "split": "test",
    "edition": "test",
    "dataset_hash": "0",
    "selection": {"ids": ["a"]},
    "samples": 1,
}


def _folder(folder: Path, manifest: Any, **files: str) -> Path:
    (folder / "run.json").write_text(json.dumps(manifest), "utf-8")
    for name, text in files.items():
        (folder / f"{name}.jsonl").write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        ([], "not a run's manifest"),
        ({**MANIFEST, "schema": 2}, "a run of another schema: got 2; wanted 1"),
        ({**MANIFEST, "samples": "1"}, "'samples' is wrong: got 1; wanted int"),
        ({**MANIFEST, "selection": {}}, "the selection is wrong"),
        ({**MANIFEST, "selection": {"ids": []}}, "the selection is wrong"),
        ({**MANIFEST, "selection": {"ids": ["a", 1]}}, "the selection is wrong"),
    ],
)
def test_a_wrong_manifest_is_named(tmp_path: Path, manifest: Any, said: str) -> None:
    with pytest.raises(InputError, match=rf"run\.json: {said}"):
        read_run(_folder(tmp_path, manifest))


def test_failed_attempts_and_answers_of_a_run_are_read(tmp_path: Path) -> None:
    attempts = '{"id": "a"}\n{"id": "a", "sample": 1}\n{"id": "a"}\n'
    answers = '{"id": "a", "sample": 0, "round": 3, "raw_output": "said"}\n'
    folder = _folder(tmp_path, MANIFEST, attempts=attempts, answers=answers, results="")
    run = read_run(folder)
    assert run.failed == {("a", 0), ("a", 1)}
    assert (list(run.rows()), run.name) == ([], "scripted:carry_on")
    (noted,) = read_answers(folder)
    assert (noted.key, noted.round, noted.raw_output) == (("a", 0), 3, "said")


@pytest.mark.parametrize("line", ['{"id": 1}', '{"id": "a", "sample": "x"}', "[]", '{"id": "a"'])
def test_a_wrong_attempt_is_named(tmp_path: Path, line: str) -> None:
    with pytest.raises(InputError, match=r"attempts\.jsonl:1"):
        read_run(_folder(tmp_path, MANIFEST, attempts=line))


@pytest.mark.parametrize("more", [{}, {"round": "3", "raw_output": ""}, {"round": 3}])
def test_a_wrong_answer_is_named(tmp_path: Path, more: dict[str, Any]) -> None:
    line = json.dumps({"id": "a", "sample": 0, **more})
    with pytest.raises(InputError, match=r"answers\.jsonl:1: id a: not an answer"):
        list(read_answers(_folder(tmp_path, MANIFEST, answers=line)))


def test_neither_a_run_nor_a_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such run folder"):
        read_run(tmp_path / "none")
    with pytest.raises(InputError, match=r"not a run folder: run\.json is not there"):
        read_run(tmp_path)
    (tmp_path / "run.json").write_text('{"agent": 3}', "utf-8")
    with pytest.raises(InputError, match=r"run\.json"):
        read_run(tmp_path)
