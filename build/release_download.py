"""Fetching the published files: resumed where a connection drops, checked before they are kept.

Each file is fetched into a part beside its place, which survives a failed run, and takes its
name once it has as many records as were published and, from the second time on, the SHA-256
that was pinned on first use.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from build.download import PAUSE, Say, UnreachableError, provide, to_stderr
from build.release_files import SOURCES, Source
from build.release_pins import read_pins, require, sha256, write_pins
from trajectory.files import InputError

COMMIT: Final = "db0e010a30f118c88356062fabc0843a79279249"
URL: Final = f"https://raw.githubusercontent.com/gbw206/ParaRecover/{COMMIT}"


def download(
    data: Path,
    url: str = URL,
    sources: Iterable[Source] = SOURCES,
    *,
    pause: float = PAUSE,
    say: Say | None = None,
) -> None:
    """Fetch the files that `data` lacks, below the address `url`/data; keep those that it has.

    pause: seconds before the second try of a file, twice as many before each further one.
    Raises InputError where a file is not to be had or is not what was published, once the
    others are fetched; and at once where the server does not answer.
    """
    if not url.startswith(("https://", "http://")):
        raise InputError("no address to fetch from", got=url, wanted="https://…")
    say = say or to_stderr
    faults = []
    for source in sources:
        try:
            _provide(data, f"{url.rstrip('/')}/data/{source.path}", source, pause, say)
        except UnreachableError:
            raise
        except InputError as fault:
            say(f"{fault}\n")
            faults.append(source.path)
    if faults:
        raise InputError(
            f"not downloaded: {', '.join(faults)}",
            do="without --download what is there is imported",
        )


def _provide(data: Path, url: str, source: Source, pause: float, say: Say) -> None:
    """See to it that `data` has a file, that it is the published one, and that it is pinned."""
    pins = read_pins(data)
    found: list[str] = []

    def check(content: Path, origin: str) -> None:
        found.append(_checked(content, origin, source, pins.get(source.path)))

    provide(url, data / source.path, check, name=source.path, pause=pause, say=say)
    if pins.get(source.path) != found[-1]:
        write_pins(data, {**pins, source.path: found[-1]})


def _checked(content: Path, origin: str, source: Source, pin: str | None) -> str:
    """Return the SHA-256 of a file; raises InputError where it is not what was published."""
    _require_records(content, origin, source)
    found = sha256(content)
    require(origin, pin or found, found)
    return found


def _require_records(content: Path, origin: str, source: Source) -> None:
    records = 0
    with content.open("rb") as file:
        for line in file:
            if line.strip():
                if not records and not _is_object(line):
                    start = line[:80].decode("utf-8", "replace")
                    raise InputError("this is not the data", file=origin, got=start)
                records += 1
    if records != source.records:
        raise InputError(
            "another number of records than was published",
            file=origin,
            got=f"{records:,}",
            wanted=f"{source.records:,}",
        )


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
