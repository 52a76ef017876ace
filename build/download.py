"""Fetching one file over http or https: resumed where a connection drops, checked, then renamed.

What has come so far lies in a part beside the target, which survives a failed run; a later one
goes on from its end. The part takes the target's name once the check accepts it.
"""

import contextlib
import hashlib
import http.client
import re
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from trajectory.files import InputError, one_line

Say = Callable[[str], None]
# Takes a file and where it is from; raises InputError where it is not what it should be.
Check = Callable[[Path, str], None]

_CHUNK: Final = 1 << 18
_TIMEOUT: Final = 60.0

# Tries in a row that bring nothing new.
_TRIES: Final = 5
PAUSE: Final = 1.0
_PASSING: Final = frozenset((408, 425, 429, 500, 502, 503, 504))


def provide(
    url: str,
    target: Path,
    check: Check,
    *,
    name: str | None = None,
    pause: float = PAUSE,
    say: Say | None = None,
) -> None:
    """See to it that `target` is there and passes the check; fetch it from `url` where it is not.

    name: what messages call it, the file's name unless told. pause: seconds before the second
    try, twice as many before each further one. Raises InputError where there is nothing to
    fetch, or where the file is another one.
    """
    say = say or to_stderr
    name = name or target.name
    if target.exists():
        say(f"{name}: there already\n")
        check(target, str(target))
        return
    part = target.with_name(f".{target.name}.part")
    part.parent.mkdir(parents=True, exist_ok=True)
    fetch(url, part, name, pause=pause, say=say)
    try:
        check(part, url)
    except InputError:
        # What is wrong now would be resumed and stay wrong.
        part.unlink()
        raise
    part.replace(target)


def fetch(url: str, part: Path, name: str, *, pause: float = PAUSE, say: Say | None = None) -> None:
    """Fetch a file into `part`, going on where it ends; `name` is said in messages.

    Raises InputError where the address is none or the server refuses, UnreachableError where
    tries in a row bring nothing new.
    """
    if not url.startswith(("https://", "http://")):
        raise InputError("no address to fetch from", got=url, wanted="https://…")
    _Fetch(url, part, name, pause, say or to_stderr).run()


def git_blob(path: Path) -> str:
    """Return the id that git gives a file's content, 40 hex digits."""
    # git's own choice of hash, not ours.
    total = hashlib.sha1(f"blob {path.stat().st_size}\0".encode(), usedforsecurity=False)
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            total.update(chunk)
    return total.hexdigest()


def to_stderr(text: str) -> None:
    """Show progress on stderr at once."""
    sys.stderr.write(text)
    sys.stderr.flush()


class UnreachableError(InputError):
    """The server does not answer, however often it is asked."""


class _PassingError(Exception):
    """Something that another try may mend; the text says what."""


@dataclass
class _Fetch:
    """Fetching one file into its part, try by try."""

    url: str
    part: Path
    name: str
    pause: float
    say: Say

    def run(self) -> None:
        """Fetch until the part is complete; raises InputError when it can't be."""
        idle = 0
        while True:
            before = self._size()
            try:
                self._try()
            except _PassingError as problem:
                idle = 1 if self._size() > before else idle + 1
                if idle >= _TRIES:
                    raise UnreachableError(f"cannot be fetched: {problem}", file=self.url) from None
                self.say(f"{self.name}: {problem}; trying again\n")
                time.sleep(self.pause * 2 ** (idle - 1))
            else:
                self.say(f"{self.name}: {_megabytes(self._size())}\n")
                return

    def _size(self) -> int:
        return self.part.stat().st_size if self.part.exists() else 0

    def _try(self) -> None:
        have = self._size()
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
        # `fetch` lets no other scheme than http and https come here.
        request = urllib.request.Request(self.url, headers=headers)  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT) as response:  # noqa: S310
                self._receive(response, have)
        except urllib.error.HTTPError as error:
            with contextlib.closing(error):
                self._refused(error, have)
        except urllib.error.URLError as error:
            raise _PassingError(f"no connection ({one_line(str(error.reason))})") from None
        except (http.client.HTTPException, ConnectionError, TimeoutError) as error:
            raise _PassingError(f"no answer ({type(error).__name__})") from None

    def _receive(self, response: http.client.HTTPResponse, have: int) -> None:
        """Write what the server sends behind the part, or, where it sends all, in its place."""
        if response.headers.get_content_type() == "text/html":
            raise InputError("the server sent a page instead of the data", file=self.url)
        resumed = response.status == http.client.PARTIAL_CONTENT
        start, total = _extent(response)
        if resumed and start != have:
            self.part.unlink(missing_ok=True)
            raise _PassingError("the server sent another range than asked for")
        try:
            with self.part.open("ab" if resumed else "wb") as file:
                for chunk in _chunks(response):
                    file.write(chunk)
                    self._progress(file.tell(), total)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.part)) from error
        if total is not None and self._size() != total:
            reached = f"{_megabytes(self._size())} of {_megabytes(total)}"
            raise _PassingError(f"the connection broke at {reached}")

    def _refused(self, error: urllib.error.HTTPError, have: int) -> None:
        """Take a status other than 2xx: return where the part is complete already."""
        if error.code in _PASSING:
            raise _PassingError(f"the server answered {error.code}")
        if error.code != http.client.REQUESTED_RANGE_NOT_SATISFIABLE or not have:
            raise InputError(f"the server answered {error.code} {error.reason}", file=self.url)
        if error.headers.get("Content-Range", "").strip() != f"bytes */{have}":
            self.part.unlink()
            raise _PassingError("the part is longer than the file")

    def _progress(self, size: int, total: int | None) -> None:
        if sys.stderr.isatty():
            of = f" of {_megabytes(total)}" if total is not None else ""
            self.say(f"\r{self.name}: {_megabytes(size)}{of}   \r")


def _extent(response: http.client.HTTPResponse) -> tuple[int | None, int | None]:
    """Return where in the file an answer begins and the file's size, None where it is not said."""
    if response.status == http.client.PARTIAL_CONTENT:
        match = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", "").strip())
        if match is None:
            return None, None
        return int(match[1]), None if match[2] == "*" else int(match[2])
    length = response.headers.get("Content-Length", "")
    return 0, int(length) if length.isdecimal() else None


def _chunks(response: http.client.HTTPResponse) -> Iterator[bytes]:
    """Yield what comes; an end that comes too early is seen by the size alone."""
    try:
        while chunk := response.read(_CHUNK):
            yield chunk
    except (http.client.HTTPException, OSError) as error:
        raise _PassingError(f"the connection broke ({type(error).__name__})") from None


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"


_CONTENT_RANGE: Final = re.compile(r"bytes ([0-9]{1,15})-[0-9]+/([0-9]{1,15}|\*)")
