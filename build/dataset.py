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
from trajectory.error_types import CATEGORY, ErrorType
from trajectory.files import InputError, write_aside, write_text
from trajectory.instance import Instance, digest, to_row

# Stands in every instance and in the card, so that the data can be found in training corpora.
CANARY: Final = (
    "pararecover-canary-f1a1de04-014b-4d9f-99b2-f32d57fd3e2e: test data, keep out of training"
)

EDITION: Final = "2026.1"
# Made of conversations in BUTTON's format, whose calls are only recorded.
BUTTON_EDITION: Final = f"{EDITION}-button"

CARD: Final = Path(__file__).parents[1] / "dataset_card.md"

# Rows of a row group: some megabytes, of which a reader may take one.
_ROWS: Final = 500
_NAME: Final = re.compile(r"(\w+)-[0-9a-f]{8}\.parquet")
_PLACE: Final = re.compile(r"\{\{(\w+)\}\}")

Files = Mapping[tuple[str, str], Path]


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
            _write_rows(file, _noted(instances, pairs), pairs)
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


def _noted(instances: Iterable[Instance], pairs: list[tuple[str, str]]) -> Iterator[Instance]:
    """Yield the instances, and put id and digest of each into `pairs`."""
    for instance in instances:
        pairs.append((instance.id, digest(instance)))
        yield instance


def _require_single(pairs: Iterable[tuple[str, str]]) -> None:
    times = Counter(id for id, _ in pairs)
    if not times:
        raise ValueError("a config needs at least one instance")
    twice = sorted(id for id, count in times.items() if count > 1)
    if twice:
        raise ValueError(f"ids occur twice: {', '.join(twice[:3])}")


def _write_rows(file: Any, instances: Iterable[Instance], pairs: list[tuple[str, str]]) -> None:
    """Write the rows, and at the end the digest of the `pairs` that they have filled."""
    import pyarrow as pa
    from pyarrow import parquet

    schema = pararecover.arrow_schema()
    with parquet.ParquetWriter(file, schema, compression="zstd", write_page_index=True) as writer:
        rows = map(to_row, instances)
        while group := list(islice(rows, _ROWS)):
            writer.write_table(pa.Table.from_pylist(group, schema))
        told = pararecover.DIGEST_KEY.decode()
        writer.add_key_value_metadata({told: pararecover.digest_of_pairs(pairs)})


def _found(folder: Path) -> dict[tuple[str, str], Path]:
    """Return the files in a folder; of two for one config and split the newer."""
    paths = sorted(folder.glob("*/*.parquet"), key=lambda path: (path.stat().st_mtime_ns, path))
    named = ((path, _NAME.fullmatch(path.name)) for path in paths)
    return {(path.parent.name, match[1]): path for path, match in named if match}


# --- the card ----------------------------------------------------------------------------------


def _write_card(folder: Path, files: Files) -> Path:
    path = folder / pararecover.INDEX
    write_text(path, card(CARD.read_text("utf-8"), folder, files))
    return path


def card(template: str, folder: Path, files: Files) -> str:
    """Return the text of README.md: the template with its configs and its tables of counts.

    Raises ValueError where the template has no YAML header or a place that nothing fills.
    """
    start, header, body = template.split("---\n", 2)
    if start:
        raise ValueError("a card begins with its YAML header")
    columns = {key: _columns(path) for key, path in sorted(files.items())}
    filled = {
        "canary": CANARY,
        "sizes": _sizes(columns),
        "error_types": _error_types(columns),
    }
    for name in _PLACE.findall(body):
        if name not in filled:
            raise ValueError(f"nothing fills the place {name!r} of the card")
    body = _PLACE.sub(lambda match: filled[match[1]], body)
    return f"---\n{header}{_configs(folder, files)}---\n{body}"


def _configs(folder: Path, files: Files) -> str:
    """Return the YAML that tells `datasets` which files belong to which config."""
    splits: dict[str, list[str]] = {}
    for (config, split), path in sorted(files.items()):
        place = path.relative_to(folder).as_posix()
        splits.setdefault(config, []).append(f"  - split: {split}\n    path: {place}\n")
    if not splits:
        return ""
    default = "level1" if "level1" in splits else min(splits)
    lines = ["configs:\n"]
    for config, parts in splits.items():
        lines.append(f"- config_name: {config}\n")
        if config == default:
            lines.append("  default: true\n")
        lines.extend(["  data_files:\n", *parts])
    return "".join(lines)


Columns = Mapping[str, list[Any]]


def _columns(path: Path) -> Columns:
    from pyarrow import parquet

    names = ["edition", "query_id", "error_types"]
    columns: Columns = parquet.read_table(path, columns=names, partitioning=None).to_pydict()
    return columns


def _sizes(columns: Mapping[tuple[str, str], Columns]) -> str:
    rows = [
        (
            f"`{config}`",
            split,
            ", ".join(sorted(set(part["edition"]))),
            len(part["query_id"]),
            len(set(part["query_id"])),
        )
        for (config, split), part in columns.items()
    ]
    return _table(("config", "split", "edition", "instances", "tasks"), rows)


def _error_types(columns: Mapping[tuple[str, str], Columns]) -> str:
    """Return how many instances carry each type; one with two labels counts under both."""
    counts = {
        key: Counter(name for labels in part["error_types"] for name in set(labels))
        for key, part in columns.items()
    }
    heads = [config if split == "test" else f"{config} {split}" for config, split in columns]
    rows = [
        (f"`{name}`", CATEGORY[name], *(counts[key][name] for key in columns)) for name in ErrorType
    ]
    return _table(("error type", "category", *heads), rows)


def _table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    heads = list(heads)
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)
