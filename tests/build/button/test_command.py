import json
from pathlib import Path
from typing import Any

import pytest

from build.button.__main__ import main
from build.button.published import LICENCE
from build.gold import Gold, from_record, to_record
from tests.build.button.conversations import call, conversation, turn
from tests.build.loopback import Server
from trajectory import canonical
from trajectory.files import InputError


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def file_of(path: Path, values: list[Any]) -> Path:
    path.write_text("".join(f"{json.dumps(value)}\n" for value in values), "utf-8")
    return path


GOOD = conversation(
    "A room in Oslo.",
    turn((call("find_rooms", city="Oslo"), {"room_id": "R-7712"})),
    turn((call("book", room_id="R-7712"), {"booking": "B-551"})),
)
FAILED = conversation("A room.", turn((call("find_rooms"), {"error": "down"})))


@pytest.fixture
def conversations(tmp_path: Path) -> Path:
    return file_of(tmp_path / "own.jsonl", [GOOD, FAILED, 7, GOOD])


def test_figures_gold_plans_and_report(
    conversations: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, report = tmp_path / "gold.jsonl", tmp_path / "odd.jsonl"
    assert main([str(conversations), "--out", str(out), "--report", str(report), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "conversations": 4,
        "read": 2,
        "skipped": {"call_not_ok": 1, "no_messages": 1},
        "odd": {},
        "calls": 4,
        "edges": {"value": 2, "prose": 0, "turn_order": 0},
        "licence": None,
    }
    golds = [from_record(record) for record in lines(out)]
    assert [gold.id for gold in golds] == ["BUTTON-000001", "BUTTON-000004"]
    assert [gold.origin["line"] for gold in golds] == [1, 4]
    assert golds[0].origin["file"] == "own.jsonl"
    assert golds[0].origin["licence"] is None
    assert [(row["line"], row["message"], row["reason"]) for row in lines(report)] == [
        (2, 4, "call_not_ok"),
        (3, None, "no_messages"),
    ]


def test_the_figures_are_readable(conversations: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(conversations)])
    said = capsys.readouterr().out
    assert "conversations: 4\nread: 2\n" in said
    assert "skipped: 1 call not ok, 1 no messages\n" in said
    assert "edges: 2 value, 0 prose, 0 turn order\n" in said


def test_nothing_readable_is_an_error_with_its_reason_and_no_output(tmp_path: Path) -> None:
    file = file_of(tmp_path / "own.jsonl", [FAILED])
    out, report = tmp_path / "gold.jsonl", tmp_path / "odd.jsonl"
    with pytest.raises(InputError, match=r"own.jsonl:1: no conversation .* call_not_ok"):
        main([str(file), "--out", str(out), "--report", str(report)])
    assert not out.exists()
    assert len(lines(report)) == 1


def test_an_empty_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="empty"):
        main([str(file_of(tmp_path / "own.jsonl", []))])


def test_tasks_are_written_and_come_back(
    golds: list[Gold], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seeds = file_of(tmp_path / "seeds.jsonl", list(map(to_record, golds[:4])))
    written, out = tmp_path / "conversations.jsonl", tmp_path / "gold.jsonl"
    main([str(seeds), "--write", str(written)])
    main([str(written), "--out", str(out), "--json"])
    assert json.loads(capsys.readouterr().out)["read"] == 4
    assert [from_record(record).calls_gt for record in lines(out)] == [
        gold.calls_gt for gold in golds[:4]
    ]


def test_the_reader_is_measured(
    golds: list[Gold], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seeds = file_of(tmp_path / "seeds.jsonl", list(map(to_record, golds[:3])))
    main([str(seeds), "--measure"])
    said = capsys.readouterr().out
    assert [line.split()[0] for line in said.splitlines()[:3]] == ["kind", "plain", "rounded"]
    main([str(seeds), "--measure", "--one-at-a-time", "--json"])
    assert json.loads(capsys.readouterr().out)["plain"]["tasks"] == 3


def test_one_at_a_time_needs_something_to_write(conversations: Path) -> None:
    with pytest.raises(InputError, match="--one-at-a-time"):
        main([str(conversations), "--one-at-a-time"])


def test_the_published_file_is_fetched_checked_and_named_as_origin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loopback: Server
) -> None:
    content = f"{json.dumps(GOOD)}\n".encode()
    loopback.content = content
    monkeypatch.setattr("build.button.published.BLOB", git_id(content))
    target, out = tmp_path / "data" / "button.jsonl", tmp_path / "gold.jsonl"
    main([str(target), "--download", "--url", loopback.url, "--out", str(out)])
    assert target.read_bytes() == content
    origin = lines(out)[0]["origin"]
    assert (origin["licence"], origin["line"]) == (LICENCE, 1)
    assert origin["source"] == "https://github.com/PKU-Baichuan-MLSystemLab/BUTTON"
    main([str(target), "--download", "--url", loopback.url, "--json"])
    assert loopback.requests == 1


def test_another_file_than_the_published_one_is_refused(tmp_path: Path, loopback: Server) -> None:
    loopback.content = f"{json.dumps(GOOD)}\n".encode()
    target = tmp_path / "button.jsonl"
    with pytest.raises(InputError, match="not the published file"):
        main([str(target), "--download", "--url", loopback.url])
    assert list(tmp_path.iterdir()) == []


def git_id(content: bytes) -> str:
    import hashlib

    return hashlib.sha1(f"blob {len(content)}\0".encode() + content).hexdigest()


def test_records_are_canonical_json(conversations: Path, tmp_path: Path) -> None:
    out = tmp_path / "gold.jsonl"
    main([str(conversations), "--out", str(out)])
    again = tmp_path / "again.jsonl"
    main([str(conversations), "--out", str(again)])
    assert out.read_bytes() == again.read_bytes()
    assert all(canonical.dumps(record) for record in lines(out))
