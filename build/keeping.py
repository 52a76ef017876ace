"""What a build has made so far, kept on disk so that one that was stopped can be taken up.

Each part is pickled once under its name, in a folder named after the code that makes it: another
code starts anew. The folder goes when the build is done. Only files that a build of ours wrote
there are read.
"""

import hashlib
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from trajectory.files import write_aside

T = TypeVar("T")

_ROOT: Final = Path(__file__).parents[1]
# What decides the content of an edition.
_PARTS: Final = ("trajectory", "models", "environment", "diagnosis", "build", "splits")


class Kept:
    """Parts of a build; folder: None keeps nothing."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def under(self, name: str) -> "Kept":
        """Return what is kept under a name of its own."""
        return Kept(None if self._folder is None else self._folder / name)

    def has(self, name: str) -> bool:
        """Say whether a part of this name is kept."""
        return self._folder is not None and (self._folder / f"{name}.pickle").exists()

    def of(self, name: str, make: Callable[[], T]) -> T:
        """Return the part of a name: the one that is kept, else a new one, which is kept then."""
        if self._folder is None:
            return make()
        path = self._folder / f"{name}.pickle"
        if self.has(name):
            part: T = pickle.loads(path.read_bytes())  # noqa: S301 — our own, see above
            return part
        part = make()
        path.parent.mkdir(parents=True, exist_ok=True)
        with write_aside(path) as file:
            file.write(pickle.dumps(part))
        return part

    def done(self) -> None:
        """Remove what was kept."""
        if self._folder is not None:
            shutil.rmtree(self._folder.parent, ignore_errors=True)


def kept_in(folder: Path) -> Kept:
    """Return what is kept beside a dataset's folder, of this code; of other code it goes."""
    place = folder.with_name(f".{folder.name}.making")
    here = place / _code()
    for other in place.glob("*"):
        if other != here:
            shutil.rmtree(other, ignore_errors=True)
    return Kept(here)


def _code() -> str:
    """Return a digest of all that decides what a build makes."""
    digest = hashlib.sha256()
    for part in _PARTS:
        for path in sorted((_ROOT / part).rglob("*")):
            if path.suffix in (".py", ".txt", ".jsonl") or path.name == "quotas.json":
                digest.update(str(path.relative_to(_ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()[:16]
