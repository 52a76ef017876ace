"""The four files of the published release, and reading them line by line."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from trajectory import canonical
from trajectory.files import InputError, one_line


@dataclass(frozen=True)
class Source:
    """One file of the release.

    path: below the folder that holds LEVEL-1 and LEVEL-2. source: as in an instance.
    records: how many the published file has.
    """

    path: str
    level: int
    source: Literal["augmented", "rollout"]
    records: int

    @property
    def prefix(self) -> str:
        """What the ids of its instances begin with; an id of the release is unique in its file."""
        return f"L{self.level}-rel-{'aug' if self.source == 'augmented' else 'rol'}"

    @property
    def config(self) -> str:
        """The config its instances go to."""
        return f"level{self.level}_release"


SOURCES: Final = (
    Source("LEVEL-1/LEVEL-1_augmented.jsonl", 1, "augmented", 2612),
    Source("LEVEL-1/LEVEL-1_real_rollout.jsonl", 1, "rollout", 1421),
    Source("LEVEL-2/LEVEL-2_augmented.jsonl", 2, "augmented", 5202),
    Source("LEVEL-2/LEVEL-2_real_rollout.jsonl", 2, "rollout", 1391),
)


@dataclass(frozen=True)
class Line:
    """A line that is not blank: its number from 1, and its value, or why it has none."""

    number: int
    value: Any = None
    fault: str = ""


def data_folder(folder: Path) -> Path:
    """Return the folder that holds LEVEL-1 and LEVEL-2: `folder`, or data/ inside it."""
    inside = any((folder / Path(source.path).parent).is_dir() for source in SOURCES)
    return folder if inside else folder / "data"


def present(folder: Path) -> list[tuple[Source, Path]]:
    """Return the files of the release that a folder has; raises InputError if none."""
    data = data_folder(folder)
    found = [(source, data / source.path) for source in SOURCES if (data / source.path).exists()]
    if not found:
        raise InputError(
            "no file of the release in this folder",
            file=folder,
            wanted=f"data/{SOURCES[0].path} or another of the four",
            do="--download fetches them",
        )
    return found


def strangers(folder: Path) -> list[Path]:
    """Return the JSON Lines files beside those of the release, which nothing here reads."""
    data = data_folder(folder)
    known = {data / source.path for source in SOURCES}
    return [path for path in sorted(data.rglob("*.jsonl")) if path not in known]


def read_lines(path: Path) -> Iterator[Line]:
    """Yield each line of a file that is not blank; a broken one with its fault.

    One bad record must not stop the rest. A byte order mark, CRLF and blank lines are taken.
    Raises InputError where the file holds nothing, OSError where it cannot be read.
    """
    found = False
    with path.open("rb") as file:
        for number, content in enumerate(file, start=1):
            text = content.removeprefix(_BOM) if number == 1 else content
            if text.strip():
                found = True
                yield _line(number, text)
    if not found:
        raise InputError("the file is empty", file=path, wanted="one JSON object a line")


_BOM: Final = b"\xef\xbb\xbf"


def _line(number: int, content: bytes) -> Line:
    try:
        return Line(number, canonical.loads(content))
    except ValueError as error:
        cut_off = "" if content.endswith(b"\n") else "; the file may have been cut off here"
        return Line(number, fault=f"not JSON: {one_line(str(error))}{cut_off}")
