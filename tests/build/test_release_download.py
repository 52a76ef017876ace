"""The download against a server on loopback that behaves as servers do on bad days."""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from build.release import main
from build.release_download import URL, download
from build.release_files import Source
from build.release_pins import NAME, read_pins, write_pins
from tests.build.release_shapes import augmented, line
from trajectory.files import InputError

SOURCE = Source("LEVEL-1/LEVEL-1_augmented.jsonl", 1, "augmented", 5)
OTHER = Source("LEVEL-1/LEVEL-1_real_rollout.jsonl", 1, "rollout", 1)
CONTENT = b"".join(line(augmented(number)) for number in range(5))


@dataclass
class Manners:
    """How a server behaves, and what it was asked for.

    files: path → content. breaks: after so many bytes it hangs up, one for each answer; later
    answers are whole. statuses: sent instead of the next answers.
    """

    files: dict[str, bytes] = field(default_factory=lambda: {SOURCE.path: CONTENT})
    breaks: list[int] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    knows_ranges: bool = True
    tells_length: bool = True
    sends_wrong_range: bool = False
    kind: str = "text/plain; charset=utf-8"
    ranges: list[str | None] = field(default_factory=list)


class Handler(BaseHTTPRequestHandler):
    manners: Manners

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        manners = self.manners
        asked = self.headers["Range"]
        manners.ranges.append(asked)
        content = manners.files.get(self.path.removeprefix("/data/"))
        if manners.statuses:
            self.send_error(manners.statuses.pop(0))
        elif content is None:
            self.send_error(404)
        else:
            self.answer(content, asked if manners.knows_ranges else None)

    def answer(self, content: bytes, asked: str | None) -> None:
        start = int(re.findall(r"\d+", asked)[0]) if asked else 0
        if asked and start >= len(content):
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(content)}")
            self.end_headers()
            return
        if self.manners.sends_wrong_range and asked:
            start = 0
        self.send_response(206 if asked else 200)
        self.send_header("Content-Type", self.manners.kind)
        if asked:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        if self.manners.tells_length:
            self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        ends = self.manners.breaks.pop(0) if self.manners.breaks else len(content)
        self.wfile.write(content[start : start + ends])


@dataclass(frozen=True)
class Server:
    url: str
    manners: Manners


@pytest.fixture
def server() -> Iterator[Server]:
    manners = Manners()
    handler = type("Bound", (Handler,), {"manners": manners})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        Thread(target=http.serve_forever, args=(0.01,), daemon=True).start()
        yield Server(f"http://127.0.0.1:{http.server_address[1]}", manners)
        http.shutdown()


def fetch(server: Server, data: Path, *sources: Source) -> list[str]:
    said: list[str] = []
    download(data, server.url, sources or [SOURCE], pause=0, say=said.append)
    return said


def left(data: Path) -> list[str]:
    return sorted(path.name for path in data.rglob("*") if path.is_file())


def test_a_file_is_fetched_checked_and_pinned(server: Server, tmp_path: Path) -> None:
    fetch(server, tmp_path)
    assert (tmp_path / SOURCE.path).read_bytes() == CONTENT
    assert read_pins(tmp_path) == {SOURCE.path: hashlib.sha256(CONTENT).hexdigest()}
    assert left(tmp_path) == ["LEVEL-1_augmented.jsonl", NAME]


def test_a_file_that_is_there_is_kept_and_not_asked_for(server: Server, tmp_path: Path) -> None:
    fetch(server, tmp_path)
    fetch(server, tmp_path)
    assert server.manners.ranges == [None]


def test_a_broken_connection_is_resumed_where_it_broke(server: Server, tmp_path: Path) -> None:
    server.manners.breaks = [1000, 1]
    said = fetch(server, tmp_path)
    assert (tmp_path / SOURCE.path).read_bytes() == CONTENT
    assert server.manners.ranges == [None, "bytes=1000-", "bytes=1001-"]
    assert sum("trying again" in text for text in said) == 2


def test_a_later_run_resumes_what_an_earlier_one_left(server: Server, tmp_path: Path) -> None:
    part = tmp_path / "LEVEL-1" / ".LEVEL-1_augmented.jsonl.part"
    part.parent.mkdir()
    part.write_bytes(CONTENT[:500])
    fetch(server, tmp_path)
    assert (tmp_path / SOURCE.path).read_bytes() == CONTENT
    assert server.manners.ranges == ["bytes=500-"]


def test_a_part_that_is_complete_already_is_taken(server: Server, tmp_path: Path) -> None:
    part = tmp_path / "LEVEL-1" / ".LEVEL-1_augmented.jsonl.part"
    part.parent.mkdir()
    part.write_bytes(CONTENT)
    fetch(server, tmp_path)
    assert (tmp_path / SOURCE.path).read_bytes() == CONTENT


def test_a_part_that_is_longer_than_the_file_is_fetched_anew(
    server: Server, tmp_path: Path
) -> None:
    part = tmp_path / "LEVEL-1" / ".LEVEL-1_augmented.jsonl.part"
    part.parent.mkdir()
    part.write_bytes(CONTENT + b"more")
    fetch(server, tmp_path)
    assert (tmp_path / SOURCE.path).read_bytes() == CONTENT


@pytest.mark.parametrize("manner", ["knows_ranges", "sends_wrong_range"])
def test_a_server_that_makes_no_sense_of_ranges_sends_all_again(
    manner: str, server: Server, tmp_path: Path
) -> None:
    setattr(server.manners, manner, manner == "sends_wrong_range")
    server.manners.breaks = [1000]
    fetch(server, tmp_path)
    assert (tmp_path / SOURCE.path).read_bytes() == CONTENT


def test_a_server_that_tells_no_length_is_checked_by_the_records(
    server: Server, tmp_path: Path
) -> None:
    server.manners.tells_length = False
    fetch(server, tmp_path)
    assert (tmp_path / SOURCE.path).read_bytes() == CONTENT
    (tmp_path / SOURCE.path).unlink()
    server.manners.breaks = [len(CONTENT) // 2]
    with pytest.raises(InputError):
        fetch(server, tmp_path)
    assert left(tmp_path) == [NAME]


def test_a_busy_server_is_asked_again_and_a_lasting_fault_ends_it(
    server: Server, tmp_path: Path
) -> None:
    server.manners.statuses = [503, 429, 500]
    fetch(server, tmp_path)
    (tmp_path / SOURCE.path).unlink()
    server.manners.statuses = [503] * 9
    with pytest.raises(InputError, match="cannot be fetched: the server answered 503"):
        fetch(server, tmp_path)
    assert len(server.manners.statuses) == 4


def test_a_connection_that_brings_a_little_each_time_is_not_given_up(
    server: Server, tmp_path: Path
) -> None:
    server.manners.breaks = [100] * 20
    fetch(server, tmp_path)
    assert (tmp_path / SOURCE.path).read_bytes() == CONTENT


def test_no_server_is_told_at_once(tmp_path: Path) -> None:
    said: list[str] = []
    with pytest.raises(InputError, match="cannot be fetched: no connection"):
        download(tmp_path, "http://127.0.0.1:9", [SOURCE, OTHER], pause=0, say=said.append)
    assert len(said) == 4


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"statuses": [404]}, "the server answered 404"),
        ({"statuses": [403]}, "the server answered 403"),
        ({"kind": "text/html"}, "sent a page instead of the data"),
        ({"files": {SOURCE.path: b"<!doctype html><p>Sign in"}}, "this is not the data"),
        ({"files": {SOURCE.path: b"version https://git-lfs"}}, "this is not the data"),
        ({"files": {SOURCE.path: line(augmented(1)) * 4}}, "another number of records"),
        ({"files": {SOURCE.path: b""}}, "another number of records"),
    ],
)
def test_what_is_not_the_data_is_refused_and_nothing_is_left(
    change: dict[str, Any], why: str, server: Server, tmp_path: Path
) -> None:
    vars(server.manners).update(change)
    said: list[str] = []
    with pytest.raises(InputError):
        download(tmp_path, server.url, [SOURCE], pause=0, say=said.append)
    assert why in said[-1]
    assert said[-1].count("\n") == 1
    assert left(tmp_path) == []


def test_a_file_that_is_not_to_be_had_does_not_keep_the_others_away(
    server: Server, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"not downloaded: LEVEL-1/LEVEL-1_real_rollout\.jsonl: "):
        fetch(server, tmp_path, OTHER, SOURCE)
    assert left(tmp_path) == ["LEVEL-1_augmented.jsonl", NAME]


def test_another_content_than_the_first_is_refused(server: Server, tmp_path: Path) -> None:
    fetch(server, tmp_path)
    (tmp_path / SOURCE.path).unlink()
    server.manners.files = {SOURCE.path: CONTENT.replace(b"Bled", b"Como")}
    said: list[str] = []
    with pytest.raises(InputError):
        download(tmp_path, server.url, [SOURCE], pause=0, say=said.append)
    assert "not the one that was first downloaded" in said[-1]
    assert left(tmp_path) == [NAME]


def test_a_file_of_the_users_own_is_pinned_only_when_it_has_the_published_length(
    server: Server, tmp_path: Path
) -> None:
    file = tmp_path / SOURCE.path
    file.parent.mkdir()
    file.write_bytes(CONTENT)
    fetch(server, tmp_path)
    assert read_pins(tmp_path)
    (tmp_path / NAME).unlink()
    file.write_bytes(line(augmented(1)))
    with pytest.raises(InputError):
        fetch(server, tmp_path)
    assert file.read_bytes() == line(augmented(1))
    assert not (tmp_path / NAME).exists()


def test_pins_that_are_none_are_told(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text(json.dumps(["x"]))
    with pytest.raises(InputError, match="these are no pins"):
        read_pins(tmp_path)
    write_pins(tmp_path, {"b": "1", "a": "2"})
    assert list(read_pins(tmp_path)) == ["a", "b"]


def test_only_web_addresses_are_fetched_from(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no address"):
        download(tmp_path, f"file://{tmp_path}")
    assert URL.startswith("https://")


def test_the_command_fetches_before_it_imports(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.manners.files = {}
    with pytest.raises(InputError, match="not downloaded"):
        main([str(tmp_path), "--download", "--url", server.url, "--out", str(tmp_path / "out")])
    assert capsys.readouterr().err.count("the server answered 404") == 4
    assert not (tmp_path / "out").exists()
