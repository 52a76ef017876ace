"""What the downloaded files of the release were: their SHA-256, written down on first use.

The pins lie in release.sha256.json beside the data, and from then on a file that is another
one is refused, whether it was fetched anew or just read.
"""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from build.release_files import Source
from trajectory.files import InputError, read_json, write_json

NAME: Final = "release.sha256.json"


def check(data: Path, sources: Iterable[Source]) -> None:
    """Raise InputError where a file that has a pin is another one; files without are taken."""
    pins = read_pins(data)
    for source in sources:
        if source.path in pins:
            require(str(data / source.path), pins[source.path], sha256(data / source.path))


def require(file: str, pinned: str, found: str) -> None:
    """Raise InputError where the SHA-256 of a file is not the pinned one."""
    if found != pinned:
        raise InputError(
            f"the file is not the one that was first downloaded (see {NAME})",
            file=file,
            got=f"SHA-256 {found}",
            wanted=pinned,
            do="remove the file, or its pin if you want this one",
        )


def read_pins(data: Path) -> dict[str, str]:
    """Return the pinned SHA-256 of each file by its path below `data`; {} before first use."""
    path = data / NAME
    if not path.exists():
        return {}
    pins = read_json(path)
    if not isinstance(pins, dict) or not all(isinstance(pin, str) for pin in pins.values()):
        raise InputError("these are no pins", file=path, wanted="an object of SHA-256 by file")
    return pins


def write_pins(data: Path, pins: Mapping[str, str]) -> None:
    """Write the pins of files."""
    write_json(data / NAME, dict(sorted(pins.items())))


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file, 64 hex digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
