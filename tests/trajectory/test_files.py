import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajectory.files import (
    InputError,
    json_line,
    one_line,
    read_json,
    read_jsonl,
    shortened,
    write_aside,
    write_json,
    write_jsonl,
    write_text,
)

FULL_DISK = Path("/dev/full")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rows.jsonl"


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def rows(path: Path, content: bytes) -> list[tuple[int, Any]]:
    path.write_bytes(content)
    return list(read_jsonl(path))


def refusal(path: Path, content: bytes) -> str:
    with pytest.raises(InputError) as caught:
        rows(path, content)
    message = str(caught.value)
    assert message.splitlines() == [message]
    return message.removeprefix(str(path))


def test_message_names_place_problem_and_advice_in_one_line() -> None:
    error = InputError(
        "no such id",
        file="results.jsonl",
        line=17,
        id="L1-aug-000003",
        got="L1\naug",
        wanted="an id of level1",
        do="run eval.run again",
    )
    assert str(error) == (
        "results.jsonl:17: id L1-aug-000003: no such id: "
        "got L1 aug; wanted an id of level1; run eval.run again"
    )


def test_message_leaves_out_what_is_not_given() -> None:
    assert str(InputError("no such agent")) == "no such agent"
    assert str(InputError("wrong", file=Path("a.json"), do="fix it")) == "a.json: wrong: fix it"


def test_message_shows_values_as_json() -> None:
    assert (
        str(InputError("wrong", got={"a": None}, wanted=[1]))
        == 'wrong: got {"a": null}; wanted [1]'
    )
    assert str(InputError("wrong", got={1}.union())) == "wrong: got {1}"


def test_long_got_is_cut_and_keeps_both_ends() -> None:
    message = str(InputError("wrong", got="start" + "x" * 40_000_000 + "end"))
    assert message.startswith("wrong: got start")
    assert message.endswith("end")
    assert len(message) < 100


@given(st.text())
def test_one_line_is_one_printable_line(text: str) -> None:
    line = one_line(text)
    assert line.isprintable()
    line.encode("utf-8")


@given(st.text(max_size=500))
def test_shortened_is_never_longer(text: str) -> None:
    assert len(shortened(text)) <= 80


def test_byte_order_mark_crlf_and_blank_lines_are_taken(path: Path) -> None:
    content = b'\xef\xbb\xbf{"a": 1}\r\n\r\n  \t\n[2]\r\n\n"3"'
    assert rows(path, content) == [(1, {"a": 1}), (4, [2]), (6, "3")]


def test_line_and_paragraph_separators_end_no_line(path: Path) -> None:
    text = "a\u2028b\u2029c\u0085d"
    assert rows(path, json.dumps(text, ensure_ascii=False).encode()) == [(1, text)]


def test_a_line_of_40_mb_is_taken(path: Path) -> None:
    text = "x" * 40_000_000
    assert rows(path, json.dumps([text]).encode()) == [(1, [text])]


@pytest.mark.parametrize("content", [b"NaN", b'{"a": -Infinity}', b"[1e999]"])
def test_numbers_that_are_not_finite_are_refused(path: Path, content: bytes) -> None:
    assert refusal(path, b"1\n" + content + b"\n").startswith(":2: not JSON")


def test_integers_of_any_size_keep_their_value(path: Path) -> None:
    assert rows(path, b"[123456789012345678901234567890]") == [
        (1, [123456789012345678901234567890])
    ]


def test_lone_surrogates_are_read_and_written_again(path: Path) -> None:
    assert rows(path, b'"\\ud800"') == [(1, "\ud800")]
    write_jsonl(path, ["\ud800"])
    assert path.read_bytes() == b'"\\ud800"\n'


def test_torn_line_is_named_and_said_to_be_cut(path: Path) -> None:
    message = refusal(path, b'{"id": "a"}\n{"id": "b", "pl')
    assert message.startswith(":2: not JSON at character")
    assert '"pl' in message
    assert message.endswith("the file may have been cut off here")


def test_two_values_on_a_line_are_refused(path: Path) -> None:
    assert refusal(path, b'{"a": 1} {"b": 2}\n').startswith(":1: not JSON at character 10")


def test_bytes_that_are_not_utf8_are_named(path: Path) -> None:
    assert refusal(path, b'1\n"caf\xe9"\n').startswith(":2: not UTF-8 at byte 5 (0xe9): got")


def test_utf16_is_refused(path: Path) -> None:
    assert ":1: not UTF-8" in refusal(path, '{"a": 1}'.encode("utf-16"))


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_nesting_too_deep_is_refused(path: Path, opening: bytes) -> None:
    assert refusal(path, opening * 200_000 + b"\n").startswith(":1: not JSON")


def test_missing_file_and_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing.jsonl", tmp_path):
        with pytest.raises(InputError, match=f"^{path}: cannot be read: "):
            list(read_jsonl(path))


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b"\n \r\n"])
def test_file_without_values_is_refused_unless_allowed(path: Path, content: bytes) -> None:
    assert refusal(path, content).startswith(": the file is empty")
    assert list(read_jsonl(path, empty_ok=True)) == []


def test_lines_before_a_wrong_one_are_given(path: Path) -> None:
    path.write_bytes(b"1\n2\n{\n")
    lines = read_jsonl(path)
    assert [next(lines), next(lines)] == [(1, 1), (2, 2)]
    with pytest.raises(InputError):
        next(lines)


def test_read_json_takes_a_mark_and_names_the_file(path: Path) -> None:
    path.write_bytes(b'\xef\xbb\xbf{\r\n"a": 1}\r\n')
    assert read_json(path) == {"a": 1}
    path.write_bytes(b'{\n"a": ')
    with pytest.raises(InputError, match=f"^{path}: not JSON at character"):
        read_json(path)
    path.write_bytes(b" \n")
    with pytest.raises(InputError, match=f"^{path}: the file is empty"):
        read_json(path)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)  # fmt: skip


@given(st.lists(JSON_VALUES))
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, values: list[Any]
) -> None:
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    write_jsonl(path, values)
    assert [value for _, value in read_jsonl(path, empty_ok=True)] == values
    write_json(path, values)
    assert read_json(path) == values


def test_json_is_indented_unescaped_utf8_with_unix_line_ends(path: Path) -> None:
    write_json(path, {"b": "städte 结果", "a": 1})
    assert path.read_bytes() == '{\n  "b": "städte 结果",\n  "a": 1\n}\n'.encode()
    write_json(path, {"b": 1}, indent=None)
    assert path.read_bytes() == b'{"b": 1}\n'
    write_text(path, "a\nb\r\n")
    assert path.read_bytes() == b"a\nb\r\n"


def test_json_line_is_one_line() -> None:
    assert json_line({"text": "a\nb"}) == b'{"text": "a\\nb"}\n'


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}])
def test_what_json_cannot_hold_is_refused_and_the_old_file_stays(path: Path, value: Any) -> None:
    path.write_text("old", encoding="utf-8")
    with pytest.raises((ValueError, TypeError)):
        write_json(path, [value])
    with pytest.raises((ValueError, TypeError)):
        write_jsonl(path, [1, value])
    assert path.read_text(encoding="utf-8") == "old"
    assert names(path.parent) == [path.name]


@pytest.mark.parametrize("stop", [InputError("wrong"), KeyboardInterrupt()])
def test_interrupted_write_leaves_the_old_file_whole(path: Path, stop: BaseException) -> None:
    def rows_that_stop() -> Iterator[int]:
        yield from range(100_000)
        raise stop

    path.write_text("old", encoding="utf-8")
    with pytest.raises(type(stop)):
        write_jsonl(path, rows_that_stop())
    assert path.read_text(encoding="utf-8") == "old"
    assert names(path.parent) == [path.name]


def test_file_appears_only_when_complete(path: Path) -> None:
    with write_aside(path) as file:
        file.write(b"new")
        assert not path.exists()
    assert path.read_bytes() == b"new"
    assert names(path.parent) == [path.name]


def test_missing_folders_are_made(tmp_path: Path) -> None:
    write_json(tmp_path / "a" / "b" / "c.json", 1)
    assert (tmp_path / "a" / "b" / "c.json").read_bytes() == b"1\n"


def test_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_new_file_has_the_mode_that_the_user_asked_for(path: Path) -> None:
    old = os.umask(0o027)
    try:
        write_text(path, "new")
    finally:
        os.umask(old)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_target_that_is_a_folder_or_lies_below_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path, tmp_path / "file" / "below.json"):
        with pytest.raises(OSError, match=str(tmp_path)):
            write_json(path, 1)
    assert names(tmp_path) == ["file"]


@pytest.mark.skipif(not FULL_DISK.exists(), reason="no /dev/full here")
def test_full_disk_is_told_with_the_name_of_the_file() -> None:
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write_json(FULL_DISK, "x" * 100_000)
    assert FULL_DISK.is_char_device()


def test_full_disk_names_the_target_and_leaves_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=f"No space left on device: '{path}'"):
        write_json(path, 1)
    assert names(path.parent) == []


def test_target_that_can_not_be_replaced_is_named(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(part: Path, target: Path) -> None:
        raise PermissionError(13, "Permission denied", str(part), None, str(target))

    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(PermissionError, match=f"Permission denied: '{path}'$"):
        write_json(path, 1)


def test_endless_id_is_cut() -> None:
    assert len(str(InputError("a row without text", id="x" * 1_000_000))) < 200
