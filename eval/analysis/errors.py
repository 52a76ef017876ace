"""RQ2: which errors are hard, and what LEVEL-2 adds to that."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from eval.analysis.sheets import Cell, Share, Sheet
from eval.analysis.studied import Studied, metrics_of
from eval.analysis.writer import Drawing
from eval.picture import Heat, draw_heat
from eval.tables import head
from trajectory.error_types import CATEGORIES, CATEGORY, ErrorType

_METRICS: Final = ("verified_pass_at_1", "verified_e5", "node_f1", "type_f1")
_DRAWN: Final = ("verified_e5", "verified_e5_static")

# Each way to part errors: its name, its values in order, and what an error says of it.
_TYPES: Final = tuple(kind.value for kind in ErrorType)
_VISIBLE: Final = ("explicit", "implicit", "drifted")

_NOTES: Final[Mapping[str, str]] = {
    "type": "An instance counts under each of its labels.",
    "category": (
        "The paper names the three categories; which type sits in which is our reading: "
        + "; ".join(
            f"{name}: " + ", ".join(kind.value for kind in ErrorType if CATEGORY[kind] == name)
            for name in CATEGORIES
        )
        + ". An instance counts under each category that it has an error of."
    ),
    "visible": (
        "How an error shows at the snapshot: explicit, by a failing or empty result; drifted, by "
        "wrong values in results of later nodes; implicit, only by reasoning. An instance counts "
        "under each way that one of its errors shows."
    ),
}
_VALUES: Final[Mapping[str, Sequence[str]]] = {
    "type": _TYPES,
    "category": CATEGORIES,
    "visible": _VISIBLE,
}


def sheets(studied: Sequence[Studied]) -> Iterator[Sheet]:
    """Yield the scores by type, category and visibility, and LEVEL-1 beside LEVEL-2."""
    names = metrics_of(studied, _METRICS)
    for part, values in _VALUES.items():
        rows = [row for one in studied for row in _rows(one, part, values, names)]
        heads = ["config", "agent", part, "n", *map(head, names)]
        yield Sheet(f"errors-by-{part}", f"Errors by {part} (RQ2)", _NOTES[part], heads, rows)
    yield _levels(studied)


def _rows(
    one: Studied, part: str, values: Iterable[str], names: Iterable[str]
) -> Iterator[Sequence[Cell]]:
    for value in values:
        ids = of(one, part, value)
        if ids:
            yield [
                one.config,
                one.label,
                value,
                len(ids),
                *(one.share(name, ids) for name in names),
            ]


def of(one: Studied, part: str, value: str) -> list[str]:
    """Return the instances with an error of this type, category or visibility."""

    def holds(error: Mapping[str, Any]) -> bool:
        return bool(error.get(part) == value)

    return one.where(holds)


def _levels(studied: Sequence[Studied]) -> Sheet:
    """Return verified E5 by type, the configs beside each other."""
    configs = sorted({one.config for one in studied})
    found = {(one.config, one.label): one for one in studied}
    rows: list[list[Cell]] = []
    for agent in sorted({one.label for one in studied}):
        for kind in (None, *_TYPES):
            cells = [_of_level(found.get((config, agent)), kind) for config in configs]
            if any(cells):
                rows.append([agent, kind or "all", *cells])
    note = "Verified E5 in percent. Other instances, other tasks: nothing is paired here."
    heads = ["agent", "type", *configs]
    return Sheet("levels", "Levels beside each other (RQ2)", note, heads, rows)


def _of_level(one: Studied | None, kind: str | None) -> Share | None:
    if one is None:
        return None
    return one.share("verified_e5", None if kind is None else of(one, "type", kind))


def drawings(studied: Sequence[Studied]) -> Iterator[Drawing]:
    """Yield heat maps of types and agents, one a config."""
    heats = [heat for heat in _heats(studied) if heat.cells]
    if heats:
        yield Drawing("errors-by-type", lambda path: draw_heat(heats, path))


def _heats(studied: Sequence[Studied]) -> Iterator[Heat]:
    for config in sorted({one.config for one in studied}):
        some = [one for one in studied if one.config == config]
        for metric in metrics_of(some, _DRAWN):
            shares = {
                (kind, one.label): one.share(metric, of(one, "type", kind))
                for one in some
                for kind in _TYPES
            }
            cells = {place: share.mean for place, share in shares.items() if share}
            rows = [kind for kind in _TYPES if any(row == kind for row, _ in cells)]
            labels = [one.label for one in some]
            yield Heat(f"{config}: {head(metric)}, %", rows, labels, cells)
