"""Planted answers that readers wrote, frozen: what lies here is what they wrote, byte for byte.

They saw the rubric and the instances with their truth, and no rater (docs/annotating.md). Their
files were hashed before any rater was held against them.
"""

import hashlib
from pathlib import Path
from typing import Final

from eval.planted.answer import Planted
from eval.planted.reading import read_planted
from trajectory.files import InputError

FOLDER: Final = Path(__file__).with_name("readers")
SUMS: Final = FOLDER / "SHA256SUMS"


def files() -> dict[Path, str]:
    """Return the frozen files with their SHA-256; raises InputError where one has changed."""
    found = {}
    for line in SUMS.read_text("utf-8").splitlines():
        wanted, name = line.split()
        path = FOLDER / name
        got = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
        if got != wanted:
            raise InputError(
                "a frozen file has changed", file=path, got=got, wanted=wanted, do="restore it"
            )
        found[path] = wanted
    return found


def frozen() -> list[Planted]:
    """Return all frozen answers, in the order of their files."""
    return [one for path in files() for one in read_planted(path)]
