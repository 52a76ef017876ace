"""RQ4: what examples, or training, changed: pairs of runs on the same instances."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from eval.analysis.errors import of
from eval.analysis.pictures import draw_gaps
from eval.analysis.sheets import Cell, Gap, Part, Sheet
from eval.analysis.studied import Studied
from eval.analysis.writer import Drawing
from eval.compare import compare
from eval.paired import Difference, differences, holm
from eval.picture import short
from eval.tables import head
from trajectory.error_types import ErrorType
from trajectory.files import InputError

Pair = tuple[Studied, Studied]

_BY_TYPE: Final = "verified_e5"
_NOTE: Final = (
    "Paired on the same instances. p: by task, signs flipped; adjusted (Holm) for the metrics of "
    "one pair that differ anywhere. Smallest: the difference that so many tasks show in 80 of "
    "100 cases."
)
_TYPES_NOTE: Final = (
    "Verified E5, paired on the instances with an error of each type; p adjusted (Holm) for the "
    "types of one pair."
)


def pairs(before: Sequence[Studied], after: Sequence[Studied]) -> list[Pair]:
    """Return runs before and after side by side; raises InputError on unequal numbers."""
    if len(before) != len(after):
        raise InputError(
            "not a run after for each run before",
            got=f"{len(before)} before, {len(after)} after",
            do="give --before and --after as many runs, in the same order",
        )
    return list(zip(before, after, strict=True))


def sheets(found: Sequence[Pair]) -> Iterator[Sheet]:
    """Yield the difference of each metric, and that of verified E5 by type."""
    heads = ["config", "before", "after", "metric", "score before", "score after", "after − before"]
    tested = ["p", "p (Holm)", "smallest", "tasks"]
    rows = [row for pair in found for row in _metrics(pair)]
    yield Sheet("change", "Before and after (RQ4)", _NOTE, [*heads, *tested], rows)
    heads[3] = "type"
    rows = [row for pair in found for row in _types(pair)]
    title = "Before and after, by error type (RQ4)"
    yield Sheet("change-by-type", title, _TYPES_NOTE, [*heads, *tested], rows)


def _metrics(pair: Pair) -> Iterator[list[Cell]]:
    before, after = pair
    found = compare(after.table, before.table)
    for name, one in found.differences.items():
        yield [*_named(pair), head(name), *_cells(one, found.adjusted[name])]


def _named(pair: Pair) -> tuple[str, str, str]:
    before, after = pair
    names = (before.label, after.label)
    if names[0] == names[1]:
        names = (before.run.path.name, after.run.path.name)
    return before.config, *names


def _cells(one: Difference, adjusted: float | None) -> list[Cell]:
    gap = Gap(one.mean, one.ci)
    smallest = None if one.smallest is None else Part(one.smallest)
    return [Part(one.b), Part(one.a), gap, one.p, adjusted, smallest, one.tasks]


def _by_type(pair: Pair) -> dict[str, Difference]:
    before, after = pair
    found: dict[str, Difference] = {}
    if all(_BY_TYPE in one.values for one in pair):
        for kind in (one.value for one in ErrorType):
            ids = set(of(before, "type", kind))
            places = [place for place, id in enumerate(before.ids) if id in ids]
            sides: list[Any] = [one.values[_BY_TYPE][None, places] for one in (after, before)]
            tasks = list(np.array(before.tasks)[places])
            one = differences(sides[0], sides[1], tasks)[0] if places else None
            if one is not None:
                found[kind] = one
    return found


def _types(pair: Pair) -> Iterator[list[Cell]]:
    found = _by_type(pair)
    adjusted = holm([one.p for one in found.values()])
    for (kind, one), p in zip(found.items(), adjusted, strict=True):
        yield [*_named(pair), kind, *_cells(one, p)]


def _title(pair: Pair) -> str:
    config, before, after = _named(pair)
    return f"{config}: {short(before)} → {short(after)}"


def drawings(found: Sequence[Pair]) -> Iterator[Drawing]:
    """Yield the differences by type, a panel a pair."""
    gaps = {
        (_title(pair), kind): Gap(one.mean, one.ci)
        for pair in found
        for kind, one in _by_type(pair).items()
    }
    if gaps:
        said = "verified E5, after − before, points"
        yield Drawing("change-by-type", lambda path: draw_gaps(gaps, said, path))
