from collections.abc import Callable
from pathlib import Path

import pytest

from build.download import fetch, git_blob, provide
from tests.build.loopback import Server
from trajectory.files import InputError

CONTENT = bytes(range(256)) * 40


def require(content: bytes) -> Callable[[Path, str], None]:
    def check(file: Path, origin: str) -> None:
        if file.read_bytes() != content:
            raise InputError("another file", file=origin)

    return check


def silent(text: str) -> None:
    """Say nothing."""


def get(server: Server, target: Path, content: bytes = CONTENT) -> None:
    provide(server.url, target, require(content), pause=0, say=silent)


@pytest.fixture
def server(loopback: Server) -> Server:
    loopback.content = CONTENT
    return loopback


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "data" / "file.jsonl"


def test_a_file_is_fetched_once(server: Server, target: Path) -> None:
    get(server, target)
    get(server, target)
    assert target.read_bytes() == CONTENT
    assert server.requests == 1
    assert [path.name for path in target.parent.iterdir()] == ["file.jsonl"]


def test_a_broken_connection_is_resumed_where_it_broke(server: Server, target: Path) -> None:
    server.breaks = [1000, 500]
    get(server, target)
    assert target.read_bytes() == CONTENT
    assert server.asked == [None, "bytes=1000-", "bytes=1500-"]


def test_a_later_run_goes_on_from_the_part(server: Server, target: Path) -> None:
    server.breaks = [3000] + [0] * 9
    with pytest.raises(InputError, match="cannot be fetched"):
        get(server, target)
    assert not target.exists()
    server.breaks = []
    get(server, target)
    assert target.read_bytes() == CONTENT
    assert server.asked[-1] == "bytes=3000-"


def test_a_server_that_knows_no_ranges_sends_all_again(server: Server, target: Path) -> None:
    server.breaks, server.ranges = [3000], False
    get(server, target)
    assert target.read_bytes() == CONTENT


def test_a_part_that_is_whole_already_is_taken(server: Server, target: Path) -> None:
    target.parent.mkdir()
    (target.parent / ".file.jsonl.part").write_bytes(CONTENT)
    get(server, target)
    assert target.read_bytes() == CONTENT


def test_a_part_longer_than_the_file_is_fetched_anew(server: Server, target: Path) -> None:
    target.parent.mkdir()
    (target.parent / ".file.jsonl.part").write_bytes(CONTENT + b"!")
    get(server, target)
    assert target.read_bytes() == CONTENT


@pytest.mark.parametrize("status", [429, 503])
def test_a_passing_refusal_is_waited_out(server: Server, target: Path, status: int) -> None:
    server.statuses = [status, status]
    get(server, target)
    assert target.read_bytes() == CONTENT


def test_a_lasting_refusal_is_one_line(server: Server, target: Path) -> None:
    server.statuses = [404]
    with pytest.raises(InputError, match="answered 404"):
        get(server, target)
    assert server.requests == 1


def test_another_file_is_refused_and_not_kept(server: Server, target: Path) -> None:
    with pytest.raises(InputError, match="another file"):
        get(server, target, b"what was published")
    assert list(target.parent.iterdir()) == []


def test_a_file_that_is_there_is_checked(server: Server, target: Path) -> None:
    target.parent.mkdir()
    target.write_bytes(b"mine")
    with pytest.raises(InputError, match="another file"):
        get(server, target)
    assert target.read_bytes() == b"mine"
    assert server.requests == 0


def test_a_page_instead_of_the_file_is_refused(server: Server, target: Path) -> None:
    server.kind = "text/html"
    with pytest.raises(InputError, match="a page"):
        get(server, target)


def test_nobody_there_is_one_line(target: Path) -> None:
    with pytest.raises(InputError, match="no connection"):
        provide("http://127.0.0.1:9/x", target, require(b""), pause=0, say=silent)


def test_only_the_web_is_fetched_from(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no address"):
        fetch(f"file://{tmp_path}", tmp_path / "x", "x", say=silent)


@pytest.mark.parametrize(
    ("content", "id"),
    [
        (b"", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"),
        (b"hello\n", "ce013625030ba8dba906f756967f9e9ca394464a"),
    ],
)
def test_the_blob_id_is_git_s(tmp_path: Path, content: bytes, id: str) -> None:
    (tmp_path / "x").write_bytes(content)
    assert git_blob(tmp_path / "x") == id
