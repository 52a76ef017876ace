"""The dataset on disk: one Parquet file per config and split, and the README.md that names them.

File names carry a hash of the content, because `datasets` caches by file name. README.md is
the index: it is written once the new file lies there and before the old one goes, so that at
every moment it names files that exist.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pararecover
from build.card import TEMPLATE, Files, card
from build.tally import KEY, Tally
from trajectory.files import InputError, write_aside, write_text
from trajectory.instance import Instance, digest, to_row

# Stands in every instance and in the card, so that the data can be found in training corpora.
CANARY: Final = (
    "pararecover-canary-f1a1de04-014b-4d9f-99b2-f32d57fd3e2e: test data, keep out of training"
)

EDITION: Final = "2026.1"
# Made of conversations in BUTTON's format, whose calls are only recorded.
BUTTON_EDITION: Final = f"{EDITION}-button"

# Rows of a row group: some megabytes, of which a reader may take one.
_ROWS: Final = 500
_NAME: Final = re.compile(r"(\w+)-[0-9a-f]{8}\.parquet")


def write_config(folder: Path, config: str, split: str, instances: Iterable[Instance]) -> Path:
    """Write the instances of a config and split, and README.md; return the Parquet file.

    The older file of that config and split goes once the new one is in place; other configs
    stay. Instances are taken one by one and stand in their order. Raises ValueError where there
    are none or an id occurs twice, InputError where `folder` is a file.
    """
    if not re.fullmatch(r"\w+", config) or not re.fullmatch(r"\w+", split):
        raise ValueError(f"{config}/{split} is no config and split")
    if folder.exists() and not folder.is_dir():
        raise InputError("is no folder, so no dataset can be written there", file=folder)
    draft = folder / config / f".{split}.draft"
    pairs: list[tuple[str, str]] = []
    try:
        with write_aside(draft) as file:
            _write_rows(file, instances, pairs)
        _require_single(pairs)
        path = draft.with_name(f"{split}-{pararecover.digest_of_pairs(pairs)[:8]}.parquet")
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    _write_card(folder, {**_found(folder), (config, split): path})
    for other in path.parent.glob(f"{split}-*.parquet"):
        if other != path:
            other.unlink()
    return path


def write_card(folder: Path) -> Path:
    """Write README.md anew from dataset_card.md for the files that exist; return its path."""
    return _write_card(folder, _found(folder))


def _require_single(pairs: Iterable[tuple[str, str]]) -> None:
    times = Counter(id for id, _ in pairs)
    if not times:
        raise ValueError("a config needs at least one instance")
    twice = sorted(id for id, count in times.items() if count > 1)
    if twice:
        raise ValueError(f"ids occur twice: {', '.join(twice[:3])}")


def _write_rows(file: Any, instances: Iterable[Instance], pairs: list[tuple[str, str]]) -> None:
    """Write the rows, and at the end their digest and tally; `pairs` takes ids and digests."""
    import pyarrow as pa
    from pyarrow import parquet

    schema, counted = pararecover.arrow_schema(), Tally()

    def rows() -> Iterator[Mapping[str, Any]]:
        for instance in instances:
            pairs.append((instance.id, digest(instance)))
            counted.add(instance)
            yield to_row(instance)

    with parquet.ParquetWriter(file, schema, compression="zstd", write_page_index=True) as writer:
        source = rows()
        while group := list(islice(source, _ROWS)):
            writer.write_table(pa.Table.from_pylist(group, schema))
        told = pararecover.DIGEST_KEY.decode()
        writer.add_key_value_metadata({told: pararecover.digest_of_pairs(pairs)})
        writer.add_key_value_metadata({KEY.decode(): counted.to_json().decode()})


def _found(folder: Path) -> dict[tuple[str, str], Path]:
    """Return the files in a folder; of two for one config and split the newer."""
    paths = sorted(folder.glob("*/*.parquet"), key=lambda path: (path.stat().st_mtime_ns, path))
    named = ((path, _NAME.fullmatch(path.name)) for path in paths)
    return {(path.parent.name, match[1]): path for path, match in named if match}


def _write_card(folder: Path, files: Files) -> Path:
    path = folder / pararecover.INDEX
    write_text(path, card(TEMPLATE.read_text("utf-8"), folder, files, CANARY))
    return path
