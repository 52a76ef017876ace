"""A run as it is studied: scored once, with what its instances say of their errors."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from eval.analysis.sheets import Gap, Share
from eval.entries import label
from eval.intervals import FEW_TASKS, Resampler, Values, estimates, middle
from eval.metrics import RATES
from eval.results import Row, Run, read_run
from eval.scoring import Table, plain, score, strict
from eval.selection import declared
from trajectory import canonical
from trajectory.files import InputError

# Read in this order, where runs have them.
MAIN: Final = (
    "verified_pass_at_1",
    "verified_e5",
    "verified_tool_efficiency",
    "pass_at_1",
    "e5",
    "tool_efficiency",
    "invalid_dag",
)


@dataclass(frozen=True)
class Studied:
    """A run and its table. label: the agent, with what else tells its runs apart."""

    run: Run
    table: Table
    label: str

    @property
    def config(self) -> str:
        """The config that it is about."""
        return self.table.selection.shelf.config

    @property
    def ids(self) -> Sequence[str]:
        """The instances, in the order of all values."""
        return list(self.table.cells)

    @cached_property
    def tasks(self) -> Sequence[str]:
        """The task of each instance."""
        return [cell.task for cell in self.table.cells.values()]

    @cached_property
    def values(self) -> Mapping[str, Values]:
        """The strict values of each metric, nan where unscored."""
        names, values = strict(self.table)
        return dict(zip(names, values, strict=True))

    @cached_property
    def errors(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """The errors of each instance."""
        return self._column("errors")

    @cached_property
    def worlds(self) -> Mapping[str, Sequence[str]]:
        """The worlds that each instance's tools run in; none where they are only recorded."""
        found = self._column("environment")
        return {id: tuple((place or {}).get("worlds", ())) for id, place in found.items()}

    def _column(self, name: str) -> dict[str, Any]:
        shelf = self.table.selection.shelf
        texts = zip(shelf.column("id"), shelf.column(name), strict=True)
        return {id: canonical.loads(text) for id, text in texts if id in self.table.cells}

    @cached_property
    def rows(self) -> Sequence[Row]:
        """The rows, by id and sample."""
        return sorted(self.run.rows(), key=lambda row: row.key)

    @cached_property
    def _resampler(self) -> Resampler:
        return Resampler(self.tasks)

    def share(self, metric: str, ids: Iterable[str] | None = None) -> Share | None:
        """Return the mean of a metric over some instances; None where nothing is scored."""
        if metric not in self.values:
            return None
        group = self._resampler.group(self._places(ids))
        found = group.sums(self.values[metric][None, group.places])
        (one,) = estimates(found, group.draws(found), [plain(metric) in RATES])
        return None if one is None else Share(one.mean, one.ci, one.n, one.tasks)

    def gap(self, metric: str, ids: Iterable[str], others: Iterable[str]) -> Gap | None:
        """Return the difference of a metric between two parts of the run, whatever tasks share.

        Resampled together; no interval where either part has under 30 tasks.
        """
        both = [list(ids), list(others)]
        shares = [self.share(metric, one) for one in both]
        first, second = shares
        if first is None or second is None:
            return None
        mean = first.mean - second.mean
        if min(first.tasks, second.tasks) < FEW_TASKS:
            return Gap(mean, None)
        groups = [self._resampler.group(self._places(one)) for one in both]
        draws = [one.draws(one.sums(self.values[metric][None, one.places]))[0] for one in groups]
        return Gap(mean, middle(draws[0] - draws[1]))

    def _places(self, ids: Iterable[str] | None) -> Values:
        if ids is None:
            return np.arange(len(self.ids))
        wanted = set(ids)
        return np.array([place for place, id in enumerate(self.ids) if id in wanted], int)

    def where(self, holds: Callable[[Mapping[str, Any]], bool]) -> list[str]:
        """Return the instances that have an error of which something holds."""
        return [id for id in self.ids if any(map(holds, self.errors[id]))]


def study(path: Path, data: Path | None) -> Studied:
    """Read and score a run folder; raises InputError."""
    run = read_run(path)
    if run.manifest is None:
        raise InputError("not a run folder", file=path, do="give folders that eval.run wrote")
    return Studied(run, score(run, declared(run.manifest, data)), label(run.manifest))


def metrics_of(studied: Iterable[Studied], wanted: Sequence[str] = MAIN) -> list[str]:
    """Return those of the wanted metrics that any of the runs has."""
    return [name for name in wanted if any(name in one.values for one in studied)]
