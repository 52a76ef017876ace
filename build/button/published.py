"""BUTTON's published file: where it is, how it is known, what it may be used for."""

from pathlib import Path
from typing import Any, Final

from trajectory.files import InputError

_REPOSITORY: Final = "PKU-Baichuan-MLSystemLab/BUTTON"
_COMMIT: Final = "47cb720ed223b249a2f1d0a3faf1cb1eb7175622"
_PATH: Final = "data/button_instruct.jsonl"
BLOB: Final = "5dfcf62a141df95b4c58a3bb185bfa45560022ec"
LICENCE: Final = "CC BY 4.0"
NAME: Final = "button_instruct.jsonl"
URL: Final = f"https://raw.githubusercontent.com/{_REPOSITORY}/{_COMMIT}/{_PATH}"


def download(target: Path, url: str = URL) -> None:
    """Fetch the published file to `target` unless it is there; either way check its git blob id.

    Raises InputError where it can't be had or is another file.
    """
    from build.download import git_blob, provide

    def check(file: Path, origin: str) -> None:
        found = git_blob(file)
        if found != BLOB:
            raise InputError(
                "this is not the published file",
                file=origin,
                got=f"git blob {found}",
                wanted=BLOB,
                do="give another place for the download" if origin == str(target) else None,
            )

    provide(url, target, check)


def origin_of(file: Path) -> dict[str, Any]:
    """Return what a gold plan says of the file it was read from.

    Source, commit and licence are known of the published file only, by its git blob id.
    """
    from build.download import git_blob

    blob = git_blob(file)
    origin = {"format": "BUTTON", "file": file.name, "blob": blob}
    if blob != BLOB:
        return {**origin, "licence": None}
    place = {"source": f"https://github.com/{_REPOSITORY}", "commit": _COMMIT, "path": _PATH}
    return {**origin, **place, "licence": LICENCE}
