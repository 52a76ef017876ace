"""Files in and out: errors of the user in one line, JSON Lines read strictly, whole files written.

Reading either gives every value of a file or raises `InputError` naming file and line. Writing
goes to a file beside the target that takes its name once it is complete, so a reader never
meets half a file and a failed run leaves the old one as it was.
"""

import contextlib
import json
import os
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from trajectory import canonical

AnyPath = str | os.PathLike[str]

_BOM = b"\xef\xbb\xbf"
_SHOWN = 80
_PART = ".part"
# Lines of tens of kilobytes are common, and slow to put together from small pieces.
_BUFFER = 1 << 20


class InputError(Exception):
    """Something the user gave is wrong: the text is one line that says where, what and what to do.

    `problem` alone is required. `file`, `line` (from 1) and `id` say where; `got` and `wanted`
    what stood there and what should; `do` is advice. A text is shown as it is, any other value
    as JSON; a long `id` or `got` is cut to about 80 characters, and control characters are escaped.
    """

    def __init__(
        self,
        problem: str,
        *,
        file: AnyPath | None = None,
        line: int | None = None,
        id: object = None,
        got: object = None,
        wanted: object = None,
        do: str | None = None,
    ) -> None:
        self.problem = problem
        self.file = file
        self.line = line
        self.id = id
        place = ":".join(str(part) for part in (file, line) if part is not None)
        details = [
            f"got {shortened(got)}" if got is not None else "",
            f"wanted {_text(wanted)}" if wanted is not None else "",
            do or "",
        ]
        parts = [
            place,
            f"id {shortened(id)}" if id is not None else "",
            problem,
            "; ".join(filter(None, details)),
        ]
        super().__init__(one_line(": ".join(filter(None, parts))))


def one_line(text: str) -> str:
    """Return `text` with runs of white space as one space and unprintable characters escaped."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in " ".join(text.split())
    )


def shortened(value: object, length: int = _SHOWN) -> str:
    """Return one line of at most `length` characters that shows `value`, cut in its middle."""
    text = _text(value)
    # Only the ends are shown, so a value of 40 MB need not be cleaned whole.
    text = one_line(text if len(text) <= 4 * length else f"{text[:length]} … {text[-length:]}")
    if len(text) <= length:
        return text
    tail = length // 4
    return f"{text[: length - tail - 3]} … {text[-tail:]}"


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return repr(value)


def read_jsonl(path: AnyPath, *, empty_ok: bool = False) -> Iterator[tuple[int, Any]]:
    """Yield (line number from 1, value) of each line of a JSON Lines file, one line in memory.

    A byte order mark, CRLF, blank lines and separators such as U+2028 inside texts are taken.
    Raises InputError on a missing file or a folder, on a line that is not strict JSON in UTF-8
    (also NaN, or nesting too deep to read), and, unless `empty_ok`, on a file without values.
    """
    found = False
    with _opened(path) as file:
        # Only \n ends a line: a text's own separators never do.
        for number, line in enumerate(file, 1):
            content = line.removeprefix(_BOM) if number == 1 else line
            if content and not content.isspace():
                found = True
                yield number, _parsed(content, path, number)
    if not found and not empty_ok:
        raise InputError("the file is empty", file=path, wanted="at least one line of JSON")


def read_json(path: AnyPath) -> Any:
    """Return the one JSON value that a file holds; raises InputError as `read_jsonl` does."""
    with _opened(path) as file:
        content = file.read().removeprefix(_BOM)
    if not content.strip():
        raise InputError("the file is empty", file=path, wanted="a JSON value")
    return _parsed(content, path, None)


@contextlib.contextmanager
def _opened(path: AnyPath) -> Iterator[IO[bytes]]:
    try:
        with Path(path).open("rb", _BUFFER) as file:
            yield file
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from None


def _parsed(content: bytes, path: AnyPath, line: int | None) -> Any:
    try:
        return canonical.loads(content)
    except ValueError as error:
        whole = content.endswith(b"\n")
        raise InputError(
            _why_not_json(error),
            file=path,
            line=line,
            got=content.decode("utf-8", "replace"),
            do=None if whole else "the file may have been cut off here",
        ) from None


def _why_not_json(error: ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 at byte {error.start + 1} (0x{error.object[error.start]:02x})"
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON at character {error.pos + 1} ({error.msg})"
    return f"not JSON ({error})"


@contextlib.contextmanager
def write_aside(path: AnyPath) -> Iterator[IO[bytes]]:
    """Give a binary file that becomes `path`, whole and on disk, when the block ends well.

    Missing folders are made. When the block raises, nothing is left and an older file stays.
    A path that is no regular file (/dev/stdout, a pipe) is written to directly. An OSError
    names `path`.
    """
    target = Path(path)
    try:
        if target.exists() and not target.is_file():
            with target.open("wb") as file:
                yield file
            return
        # A link stays a link: what it points to is replaced.
        target = target.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        with _renamed_to(target) as file:
            yield file
    except OSError as error:
        unnamed = error.filename is None or str(error.filename).endswith(_PART)
        if unnamed and error.errno is not None:
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


@contextlib.contextmanager
def _renamed_to(target: Path) -> Iterator[IO[bytes]]:
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}{_PART}")
    try:
        with part.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def write_text(path: AnyPath, text: str) -> None:
    """Write `text` in UTF-8, its line ends as they are, a lone surrogate as its JSON escape."""
    with write_aside(path) as file:
        file.write(_encoded(text))


def write_json(path: AnyPath, value: Any, indent: int | None = 2) -> None:
    """Write `value` as JSON, keys in their order. Raises ValueError on NaN and infinities."""
    write_text(path, json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent) + "\n")


def write_jsonl(path: AnyPath, rows: Iterable[Any]) -> None:
    """Write each of `rows` as one line of JSON. Raises ValueError on NaN and infinities."""
    with write_aside(path) as file:
        for row in rows:
            file.write(json_line(row))


def json_line(value: Any) -> bytes:
    """Return `value` as one line of JSON in UTF-8, with its line end: what a journal appends."""
    return _encoded(json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n")


def _encoded(text: str) -> bytes:
    # Python's escape of a lone surrogate is JSON's escape of it too.
    return text.encode("utf-8", "backslashreplace")
