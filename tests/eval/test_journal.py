"""Files of a run: whole lines, one writer, nothing left of a crash."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from eval.journal import Journal, cut_torn_line, locked, order_lines, require_writable, sweep
from trajectory import canonical
from trajectory.files import InputError, read_jsonl


def test_only_the_torn_line_is_cut(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_bytes(b'{"a": 1}\n{"b": 2}\n{"c": ')
    assert cut_torn_line(file) == 6
    assert file.read_bytes() == b'{"a": 1}\n{"b": 2}\n'
    assert cut_torn_line(file) == 0
    file.write_bytes(b"x" * 200_000)
    assert cut_torn_line(file) == 200_000
    assert cut_torn_line(tmp_path / "none") == 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(max_size=5), max_size=4), st.integers(0, 60))
def test_a_journal_cut_anywhere_keeps_its_whole_lines(
    tmp_path: Path, texts: list[str], kept: int
) -> None:
    file = tmp_path / "lines"
    file.unlink(missing_ok=True)
    with Journal(file) as journal:
        ends = [0]
        for text in texts:
            journal.append({"text": text})
            ends.append(file.stat().st_size)
    file.write_bytes(file.read_bytes()[:kept])
    cut_torn_line(file)
    whole = sum(0 < end <= kept for end in ends)
    assert [one for _, one in read_jsonl(file, empty_ok=True)] == [
        {"text": text} for text in texts[:whole]
    ]
    with Journal(file) as journal:
        journal.append({"text": "more"})
    assert file.read_bytes().count(b"\n") == whole + 1


@pytest.mark.parametrize("row", [{"cost": float("nan")}, {"cost": float("inf")}])
def test_what_json_has_not_never_enters_a_file(tmp_path: Path, row: dict[str, Any]) -> None:
    with Journal(tmp_path / "lines") as journal, pytest.raises(ValueError, match="not JSON"):
        journal.append(row)
    assert (tmp_path / "lines").read_bytes() == b""


def test_a_lock_goes_with_its_holder(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(InputError, match="another run"), locked(tmp_path):
        pass
    with locked(tmp_path):
        pass


def test_lines_are_ordered_by_their_keys_byte_for_byte(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_bytes(b'{"a":  3}\n\n{"a":1.0}\r\n{"a": 2}\n')
    keys = {line: value["a"] for line, value in read_jsonl(file)}
    order_lines(file, keys)
    assert file.read_bytes() == b'{"a":1.0}\r\n{"a": 2}\n{"a":  3}\n'
    before = file.stat().st_mtime_ns
    order_lines(file, {1: 1, 2: 2, 3: 3})
    assert file.stat().st_mtime_ns == before
    assert canonical.loads(file.read_bytes().splitlines()[0]) == {"a": 1}


def test_drafts_are_swept_and_nothing_else(tmp_path: Path) -> None:
    for name in (".results.jsonl.0a1b2c3d.part", "results.jsonl", ".lock", "mine.part"):
        (tmp_path / name).touch()
    sweep(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        ".lock",
        "mine.part",
        "results.jsonl",
    ]


def test_a_place_to_write_is_tried_without_a_trace(tmp_path: Path) -> None:
    require_writable(tmp_path / "new" / "run")
    require_writable(tmp_path)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    for wrong in (tmp_path / "file", tmp_path / "file" / "run", Path("/proc/none/run")):
        with pytest.raises(InputError, match="no run can be written here"):
            require_writable(wrong)


def test_a_line_without_a_key_goes_though_the_others_are_in_order(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_text("old\na\nb\n", "utf-8")
    order_lines(path, {2: "a", 3: "b"})
    assert path.read_text("utf-8") == "a\nb\n"
