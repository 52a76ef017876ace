"""The files of a run while it is written: a lock, appended lines, and what a crash left behind."""

import errno
import fcntl
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import IO, Any, Final, Self

from trajectory.files import InputError, json_line, write_aside

_LOCK: Final = ".lock"
_END = b"\n"
_TAIL = 1 << 16


def require_writable(folder: Path) -> None:
    """Raise InputError where a run could not be written; nothing is made for it."""
    place = folder
    try:
        while not place.exists():
            place = place.parent
        with tempfile.TemporaryFile(dir=place):
            return
    except OSError as error:
        raise InputError(
            f"no run can be written here: {error.strerror}", file=folder, do="take another --out"
        ) from None


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep every other process out of a run folder; the lock goes with the process.

    Raises InputError where another process is at work in it.
    """
    with (folder / _LOCK).open("wb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(
                "another run is writing here", file=folder, do="wait for it, or take another --out"
            ) from None
        yield


def sweep(folder: Path) -> None:
    """Remove the drafts of files that a crash kept from being whole; the folder is locked."""
    for draft in folder.glob(".*.part"):
        draft.unlink()


def cut_torn_line(path: Path) -> int:
    """Cut off what a crash left after the last whole line; returns the number of bytes cut."""
    if not path.exists():
        return 0
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        end = _last_line_end(file, size)
        if end < size:
            file.truncate(end)
        return size - end


def _last_line_end(file: IO[bytes], size: int) -> int:
    """Return the position behind the last line end, 0 where there is none."""
    end = size
    while end > 0:
        start = max(0, end - _TAIL)
        file.seek(start)
        found = file.read(end - start).rfind(_END)
        if found >= 0:
            return start + found + 1
        end = start
    return 0


class Journal:
    """Appends lines to a file, from any thread; each is handed to the system before `append` ends.

    Where the disk takes no more, lines are held and written once it does: `held` says how many.
    A line is never written in part and followed by another.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab", buffering=0)
        self._held: list[bytes] = []
        self._lock = Lock()
        self.problem = ""

    @property
    def held(self) -> int:
        """How many lines wait for room."""
        with self._lock:
            return len(self._held)

    def append(self, row: Mapping[str, Any]) -> None:
        """Write one row as a line, or hold it."""
        with self._lock:
            self._held.append(json_line(row))
            self._write()

    def flush(self) -> bool:
        """Try to write what is held; say whether all is written."""
        with self._lock:
            self._write()
            return not self._held

    def _write(self) -> None:
        while self._held:
            size = self._file.seek(0, os.SEEK_END)
            try:
                if self._file.write(self._held[0]) == len(self._held[0]):
                    del self._held[0]
                    continue
                self.problem = os.strerror(errno.ENOSPC)
            except OSError as error:
                self.problem = error.strerror or str(error)
            self._file.truncate(size)
            return

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def order_lines(path: Path, keys: Mapping[int, Any]) -> None:
    """Order the lines of a file by their keys, written aside and renamed, one in memory.

    keys: line number from 1 → key; a line without one goes, but for those behind the last that
    has one. A file that is in order already stays untouched.
    """
    order = sorted(keys, key=keys.__getitem__)
    if order == list(range(1, len(order) + 1)):
        return
    with path.open("rb") as file:
        starts = [0]
        for line in file:
            starts.append(starts[-1] + len(line))
        with write_aside(path) as target:
            for number in order:
                file.seek(starts[number - 1])
                target.write(file.readline())
