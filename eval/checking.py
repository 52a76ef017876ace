"""A leaderboard held against the runs it was made of."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from eval.entries import Board, Entrant, Entry, enter, rank
from trajectory import canonical
from trajectory.files import shortened

# The last of the six decimals may come out otherwise on another processor.
_SAME: Final = 1.5e-6


@dataclass(frozen=True)
class Checked:
    """What came of a check: differences, each a line; entries whose run is not at hand."""

    recomputed: int
    absent: Sequence[str]
    differences: Sequence[str]


def check(board: Board, file: Path, runs: Sequence[Path], data: Path | None) -> Checked:
    """Make each entry again whose run is at hand, and compare all it says.

    A run is at hand where the entry's `run` is a folder, from here or from beside the file, or
    where one of `runs` has that name. Rank intervals are compared where all the ranked runs of a
    config are at hand. Raises InputError where a run doesn't verify.
    """
    places = [(entry, _place(entry, file, runs)) for entry in board["entries"]]
    found = [(entry, enter(place, data)) for entry, place in places if place is not None]
    differences = [line for entry, again in found for line in _differences(entry, again.entry)]
    differences += _rank_differences(board["entries"], found)
    absent = [_name(entry) for entry, place in places if place is None]
    return Checked(len(found), absent, differences)


def _place(entry: Entry, file: Path, runs: Iterable[Path]) -> Path | None:
    told = Path(entry["run"])
    named = (one for one in runs if one.name == told.name)
    return next((one for one in (*named, told, file.parent / told) if one.is_dir()), None)


def _name(entry: Entry) -> str:
    return f"{entry['label']} on {entry['config']}"


def _differences(told: Entry, again: Entry) -> Iterator[str]:
    skipped = {"run", "rank_interval", "figures"}
    for key in sorted(again.keys() - skipped):
        if not _same(told[key], again[key]):
            yield _line(told, key, told[key], again[key])
    yield from _of_figures(told, again)


def _of_figures(told: Entry, again: Entry) -> Iterator[str]:
    first, second = _by_name(told), _by_name(again)
    for name in sorted({*first, *second}):
        one, other = first.get(name), second.get(name)
        if one is None or other is None:
            yield _line(told, name, one and one["strict"], other and other["strict"])
            continue
        for key in other:
            if not _same(one[key], other[key]):
                said = name if key == "strict" else f"{name}, {key}"
                yield _line(told, said, one[key], other[key])


def _by_name(entry: Entry) -> Mapping[str, Entry]:
    return {f"{one['metric']} of {one['group']}": one for one in entry["figures"]}


def _rank_differences(
    entries: Sequence[Entry], found: Sequence[tuple[Entry, Entrant]]
) -> Iterator[str]:
    """Rank those anew of whose config every ranked run is at hand."""
    for config in sorted({entry["config"] for entry in entries}):
        told = [one for one in entries if one["config"] == config and one["ranked"]]
        here = [(one, again) for one, again in found if one["config"] == config and one["ranked"]]
        if len(here) < len(told):
            continue
        rank([again for _, again in here])
        for one, again in here:
            ranks = again.entry["rank_interval"]
            if one["rank_interval"] != ranks:
                yield _line(one, "rank_interval", one["rank_interval"], ranks)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, float) or isinstance(other, float):
        return one is not None and other is not None and abs(one - other) < _SAME
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return all(map(_same, one, other))
    return bool(one == other)


def _line(entry: Entry, what: str, told: Any, again: Any) -> str:
    first, second = (shortened(canonical.dumps(value)) for value in (told, again))
    return f"{_name(entry)}: {what}: {first} in the file, {second} recomputed"
