"""The card: README.md of the dataset's folder, with its configs, counts and examples of the data.

Its text stands in dataset_card.md; every number and example in it is taken from the files.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import pararecover
from build import minis, tally
from build.rollouts.marginals import TYPES
from build.showing.instance import example
from trajectory.error_types import CATEGORY, ErrorType
from trajectory.instance import Instance, from_row

TEMPLATE: Final = Path(__file__).parents[1] / "dataset_card.md"

_PLACE: Final = re.compile(r"\{\{(\w+)\}\}")
# The config whose instances are shown as examples.
_SHOWN: Final = ("level1", "test")
_LEVELS: Final = {"level1": 1, "level2": 2}
_SIZES: Final = ("labels", "calls", "rounds", "visible")

Files = Mapping[tuple[str, str], Path]


class Group(NamedTuple):
    """The instances of one source in a config and split: a column of the card's tables."""

    config: str
    split: str
    source: str
    counts: Mapping[str, Mapping[str, int]]

    @property
    def head(self) -> str:
        """Its name in a table."""
        named = self.config if self.split == "test" else f"{self.config} {self.split}"
        return named if self.config == "controls" else f"{named} {self.source}"


def card(template: str, folder: Path, files: Files, canary: str) -> str:
    """Return the text of README.md: the template with its configs, tables and examples.

    Raises ValueError where the template has no YAML header or a place that nothing fills.
    """
    start, header, body = template.split("---\n", 2)
    if start:
        raise ValueError("a card begins with its YAML header")
    tallies = {part: tally.read(path) for part, path in sorted(files.items())}
    groups = [
        Group(*part, source, counts)
        for part, (_, sources) in tallies.items()
        for source, counts in sorted(sources.items())
        if not part[0].endswith(minis.SUFFIX)
    ]
    filled = {
        "canary": canary,
        "sizes": _sizes(tallies),
        "error_types": _error_types(groups),
        "figures": _figures(groups),
        "rollouts": _rollouts(groups),
        "examples": _examples(files.get(_SHOWN)),
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


# --- tables ----------------------------------------------------------------------------------


def _sizes(tallies: Mapping[tuple[str, str], tuple[int, tally.Counts]]) -> str:
    rows = []
    for (config, split), (tasks, sources) in tallies.items():
        sizes = {source: sum(counts["labels"].values()) for source, counts in sources.items()}
        editions = sorted({one for counts in sources.values() for one in counts["edition"]})
        told = [sizes.get(source, 0) for source in pararecover.SOURCES]
        rows.append((f"`{config}`", split, ", ".join(editions), sum(told), *told, tasks))
    heads = ("config", "split", "edition", "instances", *pararecover.SOURCES, "tasks")
    return _table(heads, rows)


def _error_types(groups: Sequence[Group]) -> str:
    """Return how many instances carry each type; one with two labels counts under both."""
    labelled = [group for group in groups if group.counts["types"]]
    rows = [
        (f"`{name}`", CATEGORY[name], *(group.counts["types"].get(name, 0) for group in labelled))
        for name in ErrorType
    ]
    return _table(("error type", "category", *(group.head for group in labelled)), rows)


def _figures(groups: Sequence[Group]) -> str:
    """Return the distributions of labels, calls of the task, rounds that ran, and visibility."""
    rows = []
    for name in _SIZES:
        values = sorted({value for group in groups for value in group.counts[name]}, key=_order)
        for value in values:
            counts = (group.counts[name].get(value, 0) for group in groups)
            rows.append((f"{name}: {value}", *counts))
    return _table(("", *(group.head for group in groups)), rows)


def _rollouts(groups: Sequence[Group]) -> str:
    """Return the share of each type among the labels of our rollouts beside the published one."""
    columns: dict[str, Mapping[Any, float]] = {}
    for group in groups:
        level = _LEVELS.get(group.config)
        if level and (group.split, group.source) == ("test", "rollout"):
            columns[f"level {level}, here"] = group.counts["types"]
            columns[f"level {level}, published"] = TYPES[level]
    rows = [
        (
            f"`{name}`",
            *(f"{counts.get(name, 0) / sum(counts.values()):.1%}" for counts in columns.values()),
        )
        for name in ErrorType
    ]
    return _table(("error type", *columns), rows)


def _order(value: str) -> tuple[int, str]:
    return (int(value), "") if value.isdigit() else (1 << 30, value)


def _table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    heads = list(heads)
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)


# --- examples --------------------------------------------------------------------------------


def _examples(path: Path | None) -> str:
    """Return a real instance of each error type, in words."""
    chosen = {} if path is None else _chosen(path)
    parts = [
        f"**`{name}`** (`{chosen[name].id}`)\n\n```text\n{example(chosen[name])}\n```"
        for name in ErrorType
        if name in chosen
    ]
    return "\n\n".join(parts) or "Level 1 is not in this folder: no examples."


def _chosen(path: Path) -> dict[str, Instance]:
    """Return by type the proven augmented instance of the fewest calls, the first of these."""
    from pyarrow import parquet

    columns = ["id", "source", "proof", "error_types", "calls_gt"]
    told = parquet.read_table(path, columns=columns, partitioning=None).to_pylist()
    best: dict[str, tuple[Any, ...]] = {}
    for place, row in enumerate(told):
        if row["source"] == "augmented" and row["proof"] == "full":
            for name in row["error_types"]:
                best[name] = min(best.get(name, (1 << 30,)), (row["calls_gt"], row["id"], place))
    places = {name: place for name, (*_, place) in best.items()}
    rows = dict(_rows(path, frozenset(places.values())))
    return {name: rows[place] for name, place in places.items()}


def _rows(path: Path, places: frozenset[int]) -> Iterator[tuple[int, Instance]]:
    """Yield the instances at some places of a file, one row group in memory."""
    from pyarrow import parquet

    file, start = parquet.ParquetFile(path), 0
    for group in range(file.num_row_groups):
        count = file.metadata.row_group(group).num_rows
        here = sorted(place for place in places if start <= place < start + count)
        if here:
            table = file.read_row_group(group).take([place - start for place in here])
            yield from zip(here, map(from_row, table.to_pylist()), strict=True)
        start += count
