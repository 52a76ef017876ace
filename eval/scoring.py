"""From rows to figures: one pass over a run, then means with intervals for every group.

N is the declared selection, never the rows present. Strict scores count what is missing or
failed for lack of a harness as failures over N; covered scores leave it out (metrics.md).
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np

from eval.derive import EFFICACY, LOCALISATION, NOTES, Case, Scored, derive
from eval.intervals import Estimate, Group, Places, Resampler, pass_at_k
from eval.results import Run
from eval.selection import Selection
from trajectory.error_types import ErrorType

LOWER_IS_BETTER: Final = frozenset(("invalid_dag",))
# Values that are 0 or 1 in one sample of one instance.
RATES: Final = frozenset(("invalid_dag", "pass_at_1", "verified_pass_at_1", "node_exact"))
RANKED: Final = ("verified_pass_at_1", "verified_e5", "verified_tool_efficiency", "invalid_dag")
# Configs whose whole split is ranked.
OFFICIAL: Final = ("level1", "level2", "level1_mini", "level2_mini")
# These two types a retry mends that understands nothing.
TOOL_FAULTS: Final = frozenset((ErrorType.TIMEOUT.value, ErrorType.NULL.value))

# Metrics that need the executor; carried on unchanged they are another thing, and named so.
_EXECUTED: Final = (*EFFICACY, "e5_as_published")


@dataclass
class Cell:
    """One instance of the selection: its labels and the values of its samples by metric."""

    task: str
    types: tuple[str, ...]
    source: str
    values: dict[str, list[float | None]] = field(default_factory=dict)
    present: int = 0
    invalid: int = 0
    notes: dict[str, int] = field(default_factory=dict)

    def take(self, scored: Scored) -> None:
        """Add a sample."""
        self.present += 1
        self.invalid += scored.outcome == "model_invalid"
        for name, value in scored.values.items():
            self.values.setdefault(
                f"{name}_static" if _is_static(scored, name) else name, []
            ).append(value)
        for name, noted in scored.notes.items():
            self.notes[name] = self.notes.get(name, 0) + noted


def _is_static(scored: Scored, metric: str) -> bool:
    return scored.static and metric in _EXECUTED


@dataclass(frozen=True)
class Table:
    """All that was scored of one run.

    cells: by id, one for each instance of the selection. harness: (id, sample) that failed.
    """

    selection: Selection
    agent: str
    samples: int
    cells: Mapping[str, Cell]
    harness: int

    @property
    def metrics(self) -> list[str]:
        """The metrics that have values, in the order they came; all where there is no row."""
        found = dict.fromkeys(name for cell in self.cells.values() for name in cell.values)
        return list(found) or ["invalid_dag", *EFFICACY, *LOCALISATION]

    @cached_property
    def coverage(self) -> float:
        """Rows present over rows declared."""
        return sum(cell.present for cell in self.cells.values()) / (len(self.cells) * self.samples)

    @property
    def official(self) -> bool:
        """Whether its ranked metrics may be ranked: a whole official split, all answered."""
        whole = self.selection.whole and self.selection.shelf.config in OFFICIAL
        return whole and self.coverage == 1.0


def score(run: Run, selection: Selection) -> Table:
    """Score the rows of a run, one at a time.

    Raises InputError on a row whose id is not in the selection, or that is no row.
    """
    samples = int(run.manifest["samples"]) if run.manifest else 1
    cells = {id: _cell(selection, id) for id in selection.ids}
    seen: set[tuple[str, int]] = set()
    case: Case | None = None
    for row in run.rows():
        if row.id not in cells:
            raise row.wrong(f"not among the {len(cells)} instances of the selection")
        if case is None or case.instance.id != row.id:
            case = Case(selection.shelf[row.id])
        if run.manifest is None:
            samples = max(samples, row.sample + 1)
        elif row.sample >= samples:
            raise row.wrong("a sample that was not declared", got=row.sample, wanted=f"< {samples}")
        cells[row.id].take(derive(row, case, recovers=run.recovers))
        seen.add(row.key)
    failed = {key for key in run.failed if key not in seen and key[0] in cells}
    return Table(selection, run.name, samples, cells, len(failed))


def _cell(selection: Selection, id: str) -> Cell:
    labels = selection.labels[id]
    return Cell(labels.task, labels.types, labels.source)


@dataclass(frozen=True)
class Figure:
    """One number: a metric of a group of instances.

    strict, covered: means, None where nothing can be scored. unscored: instances whose value
    cannot be known. estimate: of the strict mean.
    """

    metric: str
    group: str
    ranked: bool
    strict: float | None
    covered: float | None
    coverage: float
    unscored: int
    estimate: Estimate | None


def figures(table: Table, metrics: Sequence[str] | None = None) -> list[Figure]:
    """Return every figure of a table: each metric for all, per source, type and the like."""
    chosen = [name for name in table.metrics if metrics is None or _plain(name) in metrics]
    cells = list(table.cells.values())
    columns = {metric: _column(table, metric, cells) for metric in chosen}
    resampler = Resampler([cell.task for cell in cells])
    present = np.array([cell.present for cell in cells])
    found = []
    for group, places in _groups(cells):
        drawn = resampler.group(places)
        found += [
            _figure(table, columns[metric], group, metric, drawn, present[places])
            for metric in chosen
        ]
    return [*found, *(_macro(found, metric, table) for metric in chosen)]


def _plain(metric: str) -> str:
    return metric.removesuffix("_static")


def _groups(cells: Sequence[Cell]) -> Iterator[tuple[str, Places]]:
    """Yield the groups of instances that figures are given for; "all" is the first."""
    yield "all", np.arange(len(cells))
    without = np.array([TOOL_FAULTS.isdisjoint(cell.types) for cell in cells])
    if without.any() and not without.all():
        yield "without_tool_faults", np.flatnonzero(without)
    sources = np.array([cell.source for cell in cells])
    for source in np.unique(sources):
        yield f"source:{source}", np.flatnonzero(sources == source)
    alone = np.array([len(cell.types) == 1 for cell in cells])
    for kind in (one.value for one in ErrorType):
        labelled = np.array([kind in cell.types for cell in cells])
        single = labelled & alone
        if labelled.any():
            yield f"type:{kind}", np.flatnonzero(labelled)
        if single.any() and (single != labelled).any():
            yield f"single:{kind}", np.flatnonzero(single)


@dataclass(frozen=True)
class _Column:
    """A metric over all instances: strict and covered values, nan where there is none."""

    strict: Places
    covered: Places


def _column(table: Table, metric: str, cells: Sequence[Cell]) -> _Column:
    values = [_values(table, metric, cell) for cell in cells]
    return _Column(np.array([one for one, _ in values]), np.array([one for _, one in values]))


def _values(table: Table, metric: str, cell: Cell) -> tuple[float, float]:
    """Return the strict and the covered value of one instance; nan: unscored, or not covered."""
    values = cell.values.get(metric, ())
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return math.nan, math.nan
    worst = 1.0 if metric in LOWER_IS_BETTER else 0.0
    missing = table.samples - len(known)
    strict = (sum(known) + worst * missing) / table.samples
    return strict, sum(known) / len(known) if known else math.nan


def _figure(
    table: Table, column: _Column, group: str, metric: str, drawn: Group, present: Places
) -> Figure:
    strict, covered = column.strict[drawn.places], column.covered[drawn.places]
    rate = _plain(metric) in RATES and table.samples == 1
    found = drawn.estimate(strict, rate=rate)
    answered = covered[~np.isnan(covered)]
    return Figure(
        metric=metric,
        group=group,
        ranked=table.official and group == "all" and metric in RANKED,
        strict=found.mean if found else None,
        covered=float(answered.mean()) if len(answered) else None,
        coverage=float(present.sum() / (len(present) * table.samples)),
        unscored=int(np.isnan(strict).sum()),
        estimate=found,
    )


def _macro(found: Iterable[Figure], metric: str, table: Table) -> Figure:
    """Return the mean over error types of a metric's strict and covered means."""
    by_type = [one for one in found if one.metric == metric and one.group.startswith("type:")]
    strict = [one.strict for one in by_type if one.strict is not None]
    covered = [one.covered for one in by_type if one.covered is not None]
    return Figure(
        metric=metric,
        group="macro_types",
        ranked=False,
        strict=sum(strict) / len(strict) if strict else None,
        covered=sum(covered) / len(covered) if covered else None,
        coverage=table.coverage,
        unscored=sum(one.unscored for one in by_type),
        estimate=None,
    )


def passes_at_k(table: Table, metric: str, k: int) -> float | None:
    """Return the strict mean chance that one of k samples passes; None under k samples."""
    if k > table.samples:
        return None
    chances = []
    for cell in table.cells.values():
        right = sum(value or 0.0 for value in cell.values.get(metric, []))
        chances.append(pass_at_k(table.samples, int(right), k))
    return sum(chances) / len(chances)


def notes(table: Table) -> dict[str, Any]:
    """Return what is reported apart, as counts of rows, and the outcomes."""
    cells = table.cells.values()
    present = sum(cell.present for cell in cells)
    counts = {name: sum(cell.notes.get(name, 0) for cell in cells) for name in NOTES}
    return {
        "declared": len(table.cells) * table.samples,
        "rows": present,
        "model_invalid": sum(cell.invalid for cell in cells),
        "harness_error": table.harness,
        "missing": len(table.cells) * table.samples - present - table.harness,
        **counts,
    }


def to_record(figure: Figure, table: Table) -> dict[str, Any]:
    """Return a figure as an object for programs; numbers in [0, 1]."""
    found = figure.estimate
    return {
        "agent": table.agent,
        "metric": figure.metric,
        "level": table.selection.shelf.config,
        "group": figure.group,
        "ranked": figure.ranked,
        "strict": figure.strict,
        "covered": figure.covered,
        "coverage": figure.coverage,
        "n": found.n if found else 0,
        "tasks": found.tasks if found else 0,
        "unscored": figure.unscored,
        "ci": list(found.ci) if found and found.ci else None,
        "ci_method": found.method if found else "",
    }


__all__ = [
    "LOCALISATION",
    "Figure",
    "Table",
    "figures",
    "notes",
    "passes_at_k",
    "score",
    "to_record",
]
