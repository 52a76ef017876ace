"""From rows to figures: one pass over a run, then means with intervals for every group.

N is the declared selection, never the rows present. Strict scores count what is missing or
failed in the harness as failures over N; covered scores leave it out (metrics.md).
"""

import gc
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from environment.opening import RELEASE
from eval import intervals, metrics
from eval.derive import UNREAD, Case, Scored, derive
from eval.dimensions import NOTHING, bounds, dimensions, executed
from eval.intervals import Estimate, Places, Resampler, Values, pass_at_k
from eval.ratings import CHECKED, JUDGED, Rated, ratings_of
from eval.results import Row, Run
from eval.rubric import ITEMS
from eval.selection import Selection
from trajectory.error_types import ErrorType

RANKED: Final = ("verified_pass_at_1", "verified_e5", "verified_tool_efficiency", "invalid_dag")
# Configs whose whole test split is ranked.
OFFICIAL: Final = ("level1", "level2", "level1_mini", "level2_mini")
# A dimension is ranked where a rater scored at least this share of the rows.
RATED_ENOUGH: Final = 0.99
# The items themselves, shown when asked for.
ITEM_METRICS: Final = tuple(f"{how}_{item.lower()}" for how in (CHECKED, JUDGED) for item in ITEMS)
# These two types a retry mends that understands nothing.
TOOL_FAULTS: Final = frozenset((ErrorType.TIMEOUT.value, ErrorType.NULL.value))

_STATIC: Final = "_static"
_AT_1: Final = "pass_at_1"
_DIGITS: Final = 6


@dataclass
class Cell:
    """One instance of the selection: its labels, and its samples as they were scored.

    unknown: metrics that nobody can know for it.
    """

    task: str
    types: tuple[str, ...]
    source: str
    unknown: frozenset[str] = frozenset()
    scored: list[Scored] = field(default_factory=list)

    @property
    def present(self) -> int:
        """How many samples there are."""
        return len(self.scored)

    def named(self) -> set[str]:
        """Return the metrics that its samples have, a static one by its name."""
        return {_named(name, one) for one in self.scored for name in one.values}

    def values(self, metric: str) -> list[float]:
        """Return the values of its samples that are known."""
        return [value for value in self.told(metric) if value is not None]

    def told(self, metric: str) -> list[float | None]:
        """Return the values of its samples, None where unscored."""
        name = plain(metric)
        return [
            one.values[name]
            for one in self.scored
            if name in one.values and _named(name, one) == metric
        ]

    def bounds(self, metric: str) -> list[tuple[float, float]]:
        """Return, by sample, the least and the most that a dimension can be."""
        name = plain(metric)
        return [
            one.bounds[name]
            for one in self.scored
            if name in one.bounds and _named(name, one) == metric
        ]


def _named(metric: str, scored: Scored) -> str:
    return metric + _STATIC if scored.static and metric in metrics.EXECUTED else metric


@dataclass(frozen=True)
class Table:
    """All that was scored of one run.

    cells: by id, one for each instance of the selection. harness: how many (id, sample) failed.
    declared: whether the run said before it started what it is about. player: who played the
    tools, None where calls ran. rated: who scored its rows by the rubric.
    """

    selection: Selection
    agent: str
    samples: int
    cells: Mapping[str, Cell]
    harness: int = 0
    declared: bool = False
    player: str | None = None
    rated: Rated = field(default_factory=Rated)

    @cached_property
    def metrics(self) -> list[str]:
        """The metrics of its rows, in the order of tables."""
        cells = self.cells.values()
        found = {name for cell in cells for name in cell.named()}
        if not found:
            found = {metrics.INVALID_DAG, *metrics.EFFICACY, *metrics.LOCALISATION}
        order = [name + suffix for name in metrics.METRICS for suffix in ("", _STATIC)]
        return [name for name in order if name in found]

    @property
    def static(self) -> bool:
        """Whether any row was carried on unchanged."""
        return any(one.static for cell in self.cells.values() for one in cell.scored)

    @cached_property
    def coverage(self) -> float:
        """Rows present over rows declared."""
        return sum(cell.present for cell in self.cells.values()) / (len(self.cells) * self.samples)

    @property
    def official(self) -> bool:
        """Whether its ranked metrics may be ranked: a whole official split, run to the end.

        What a model made up in place of results is not ranked.
        """
        shelf = self.selection.shelf
        whole = self.selection.whole and shelf.config in OFFICIAL and shelf.split == "test"
        ran = self.declared and self.player is None
        ours = ran and self.selection.edition != RELEASE
        return whole and ours and self.coverage == 1.0 and not self.static


def rated_share(table: Table, metric: str) -> float:
    """Return the share of the rows present in which a dimension is scored."""
    rows = sum(cell.present for cell in table.cells.values())
    return sum(len(cell.values(metric)) for cell in table.cells.values()) / rows if rows else 0.0


def _uncollected(rows: Iterator[Row]) -> Iterator[Row]:
    """Yield rows with the cycle collector at rest: they hold no cycles to look for."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield from rows
    finally:
        if was_on:
            gc.enable()


def score(run: Run, selection: Selection, judge: str | None = None) -> Table:
    """Score the rows of a run, one at a time.

    judge: whose judgements count, where several judged the run. Raises InputError on a row whose
    id is not in the selection, or that is no row.
    """
    rated = ratings_of(run.path, judge) if run.manifest is not None else Rated()
    cells = empty_cells(selection)
    samples = int(run.manifest["samples"]) if run.manifest else 1
    keys = set()
    case: Case | None = None
    for row in _uncollected(run.rows()):
        if row.id not in cells:
            raise row.wrong(f"not among the {len(cells)} instances of the selection")
        if run.manifest is None:
            samples = max(samples, row.sample + 1)
        elif row.sample >= samples:
            raise row.wrong("a sample that was not declared", got=row.sample, wanted=f"< {samples}")
        case = _case(row, selection, case)
        cells[row.id].unknown = case.unknown
        found = derive(row, case, recovers=run.recovers)
        found = _unverified(found) if run.player else found
        cells[row.id].scored.append(_with_ratings(found, row, rated, selection.edition))
        keys.add(row.key)
    for id, cell in cells.items():
        if not cell.present:
            cell.unknown = metrics.unknown(selection.shelf.read(id, without=UNREAD))
    failed = {key for key in run.failed if key not in keys and key[0] in cells}
    declared = run.manifest is not None
    return Table(selection, run.name, samples, cells, len(failed), declared, run.player, rated)


def _unverified(scored: Scored) -> Scored:
    """Leave out what is verified: where a model played the tools, nothing ran that could be."""
    hidden = dict.fromkeys(name for name in scored.values if name.startswith("verified_"))
    return replace(scored, values={**scored.values, **hidden})


def _with_ratings(scored: Scored, row: Row, rated: Rated, edition: str) -> Scored:
    """Add what raters gave a row; an answer without a plan has 0 in every item."""
    if not rated.used:
        return scored
    values = dict(scored.values)
    limits: dict[str, tuple[float, float]] = {}
    failed = scored.outcome == "model_invalid"
    for how, ratings in rated.used.items():
        items = NOTHING if failed else ratings.of(row)
        all_items = {**items, **executed(scored.values, edition)}
        if failed:
            all_items |= {"S5": 0.0, "E5": 0.0}
        values |= {f"{how}_{item.lower()}": items.get(item) for item in ITEMS}
        values |= {f"{how}_{part}": one for part, one in dimensions(all_items).items()}
        limits |= {f"{how}_{part}": ends for part, ends in bounds(all_items).items()}
    return replace(scored, values=values, bounds=limits)


def empty_cells(selection: Selection) -> dict[str, Cell]:
    """Return a cell for each instance of a selection, with its labels and without values."""
    labels = ((id, selection.labels[id]) for id in selection.ids)
    return {id: Cell(one.task, one.types, one.source) for id, one in labels}


def _case(row: Row, selection: Selection, last: Case | None) -> Case:
    """Return what a row is held against, the last one again for a further sample."""
    # Tools are needed where something is to run, and to read where a record of the release begins.
    recorded = row.rounds is not None and selection.edition != RELEASE
    enough = last is not None and (recorded or last.instance.tools is not None)
    if last is not None and last.instance.id == row.id and enough:
        return last
    return Case(selection.shelf.read(row.id, without=UNREAD if recorded else ()))


# --- figures ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Figure:
    """One number: a metric of a group of instances.

    strict, covered: means, None where nothing can be scored. unscored: instances whose value
    cannot be known. estimate: of the strict mean. bounds: of a dimension of the rubric over all
    instances, the least and the most that the strict mean can be, whatever is unscored.
    """

    metric: str
    group: str
    ranked: bool
    strict: float | None
    covered: float | None
    coverage: float
    unscored: int
    estimate: Estimate | None
    bounds: tuple[float, float] | None = None


@dataclass(frozen=True)
class _Columns:
    """Metrics over all instances: strict and covered values, nan where there is none.

    Both are (metrics, instances). rates: which of them are shares of right samples.
    """

    metrics: Sequence[str]
    rates: Sequence[bool]
    strict: Values
    covered: Values


def figures(table: Table, chosen: Sequence[str] | None = None) -> list[Figure]:
    """Return every figure of a table: each metric for all, per source, type and the like.

    chosen: metrics by their plain names (None: all of `metrics.METRICS`); Pass@1 brings Pass@k
    with it.
    """
    cells = list(table.cells.values())
    columns = _columns(table, chosen, cells)
    resampler = Resampler([cell.task for cell in cells])
    present = np.array([cell.present for cell in cells])
    found: list[Figure] = []
    by_type = []
    for name, places in _groups(cells):
        group = resampler.group(places)
        sums = group.sums(columns.strict[:, places])
        draws = group.draws(sums)
        estimated = intervals.estimates(sums, draws, columns.rates)
        coverage = float(present[places].sum() / (len(places) * table.samples))
        found += _figures(table, columns, name, places, estimated, coverage)
        if name.startswith("type:"):
            by_type.append((sums.means, draws))
    return [*found, *_macro(table, columns, cells, found, by_type)]


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


def _columns(table: Table, chosen: Sequence[str] | None, cells: Sequence[Cell]) -> _Columns:
    wanted = [name for name in table.metrics if chosen is None or plain(name) in chosen]
    if chosen is not None:
        rated = tuple(table.rated.used)
        wanted += [name for name in ITEM_METRICS if name in chosen and name.startswith(rated)]
    named = [(name, name, 1) for name in wanted]
    named += [
        (name.replace(_AT_1, f"pass_at_{k}"), name, k)
        for name in wanted
        if _AT_1 in name
        for k in _tries(table.samples)
    ]
    pairs = [[_values(table, base, k, cell) for cell in cells] for _, base, k in named]
    both = np.array(pairs, float).reshape(len(named), len(cells), 2)
    rates = [plain(base) in metrics.RATES for _, base, _ in named]
    return _Columns([name for name, _, _ in named], rates, both[:, :, 0], both[:, :, 1])


def strict(table: Table, chosen: Sequence[str] | None = None) -> tuple[Sequence[str], Values]:
    """Return metrics and their strict values, (metrics, instances), nan where unscored.

    chosen: as for `figures`. Instances stand in the order of the table's cells.
    """
    columns = _columns(table, chosen, list(table.cells.values()))
    return columns.metrics, columns.strict


def _tries(samples: int) -> list[int]:
    """Return the numbers k of Pass@k beyond 1: powers of two, and all samples."""
    powers = [2**power for power in range(1, samples.bit_length())]
    return sorted({k for k in (*powers, samples) if 1 < k <= samples})


def plain(metric: str) -> str:
    """Return the name of a metric whether it is static or not."""
    return metric.removesuffix(_STATIC)


def _values(table: Table, metric: str, k: int, cell: Cell) -> tuple[float, float]:
    """Return the strict and the covered value of one instance; nan: unscored, or not covered.

    A sample that is there and unscored counts in neither.
    """
    if plain(metric) in cell.unknown:
        return math.nan, math.nan
    told = cell.told(metric)
    values = [value for value in told if value is not None]
    if k > 1:
        strict = pass_at_k(table.samples, int(sum(values)), k)
        return strict, pass_at_k(len(values), int(sum(values)), k) if len(values) >= k else math.nan
    worst = float(plain(metric) in metrics.LOWER_IS_BETTER)
    counted = table.samples - (len(told) - len(values))
    if not counted:
        return math.nan, math.nan
    strict = (sum(values) + worst * (counted - len(values))) / counted
    return strict, sum(values) / len(values) if values else math.nan


def _figures(
    table: Table,
    columns: _Columns,
    group: str,
    places: Places,
    estimated: Sequence[Estimate | None],
    coverage: float,
) -> Iterator[Figure]:
    for index, metric in enumerate(columns.metrics):
        covered = columns.covered[index, places]
        answered = covered[~np.isnan(covered)]
        found = estimated[index]
        yield Figure(
            metric=metric,
            group=group,
            ranked=group == "all" and _is_ranked(table, metric),
            strict=found.mean if found else None,
            covered=float(answered.mean()) if len(answered) else None,
            coverage=coverage,
            unscored=int(np.isnan(columns.strict[index, places]).sum()),
            estimate=found,
            bounds=_bounds(table, metric) if group == "all" else None,
        )


def _is_ranked(table: Table, metric: str) -> bool:
    if metric in metrics.RUBRIC:
        return table.official and rated_share(table, metric) >= RATED_ENOUGH
    return table.official and metric in RANKED


def _bounds(table: Table, metric: str) -> tuple[float, float] | None:
    """Return the least and the most of a dimension's strict mean; what is missing is 0."""
    if plain(metric) not in metrics.RUBRIC:
        return None
    ends = [one for cell in table.cells.values() for one in cell.bounds(metric)]
    declared = len(table.cells) * table.samples
    least, most = (sum(one[side] for one in ends) / declared for side in (0, 1))
    return least, most


def _macro(
    table: Table,
    columns: _Columns,
    cells: Sequence[Cell],
    found: Sequence[Figure],
    by_type: Sequence[tuple[Values, Values]],
) -> Iterator[Figure]:
    """Yield the means over error types of each metric."""
    labelled = np.array([bool(cell.types) for cell in cells])
    tasks = np.array([cell.task for cell in cells])
    for index, metric in enumerate(columns.metrics if by_type else ()):
        counted = labelled & ~np.isnan(columns.strict[index])
        means = np.array([one[index] for one, _ in by_type])
        draws = np.array([one[index] for _, one in by_type])
        number = len(np.unique(tasks[counted]))
        estimate = intervals.macro(means, draws, int(counted.sum()), number)
        same = [one for one in found if one.metric == metric and one.group.startswith("type:")]
        covered = [one.covered for one in same if one.covered is not None]
        yield Figure(
            metric=metric,
            group="macro_types",
            ranked=False,
            strict=estimate.mean if estimate else None,
            covered=sum(covered) / len(covered) if covered else None,
            coverage=table.coverage,
            unscored=int((labelled & np.isnan(columns.strict[index])).sum()),
            estimate=estimate,
        )


# --- for programs ----------------------------------------------------------------------------


def notes(table: Table) -> dict[str, int]:
    """Return what is reported apart, as counts of rows, and the outcomes."""
    rows = [one for cell in table.cells.values() for one in cell.scored]
    declared = len(table.cells) * table.samples
    counts = {name: sum(one.notes.get(name, False) for one in rows) for name in metrics.NOTES}
    return {
        "declared": declared,
        "rows": len(rows),
        "model_invalid": sum(one.outcome == "model_invalid" for one in rows),
        "harness_error": table.harness,
        "missing": declared - len(rows) - table.harness,
        **counts,
    }


def to_record(figure: Figure, table: Table) -> dict[str, Any]:
    """Return a figure as an object for programs; numbers in [0, 1], to six decimals."""
    found = figure.estimate
    bounded = {"bounds": [_rounded(end) for end in figure.bounds]} if figure.bounds else {}
    return {
        "agent": table.agent,
        "metric": figure.metric,
        "level": table.selection.shelf.config,
        "group": figure.group,
        "ranked": figure.ranked,
        "strict": _rounded(figure.strict),
        "covered": _rounded(figure.covered),
        "coverage": _rounded(figure.coverage),
        "n": found.n if found else 0,
        "tasks": found.tasks if found else 0,
        "unscored": figure.unscored,
        "ci": [_rounded(end) for end in found.ci] if found and found.ci else None,
        "ci_method": found.method if found else "",
        **bounded,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)
