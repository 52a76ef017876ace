"""The list of instances: columns, so that ten thousand rows are read at once."""

from collections.abc import Mapping, Sequence
from typing import Any

from eval.report.details import outcome
from eval.report.tools import Tools
from eval.scoring import Cell, Table
from trajectory.error_types import ErrorType
from trajectory.instance import Instance

Record = dict[str, Any]

# One letter a sample; "-": the run is not about the instance, "m": it has no row of it.
LETTERS = {"verified": "v", "passed": "p", "failed": "f", "invalid": "i"}
MISSING = "m"
_TYPES = {kind.value: place for place, kind in enumerate(ErrorType)}


class Listing:
    """The columns, filled an instance at a time in the order of the list."""

    def __init__(self) -> None:
        self.columns: dict[str, list[Any]] = {
            name: [] for name in ("id", "level", "source", "types", "visible", "query", "tools")
        }

    def add(self, one: Instance, tools: Tools) -> None:
        """Add an instance."""
        errors = one.errors or ()
        values: Mapping[str, Any] = {
            "id": one.id,
            "level": one.level,
            "source": one.source if one.errors else "control",
            "types": [_TYPES[name] for name in one.error_types if name in _TYPES],
            "visible": sorted({error["visible"] for error in errors if error.get("visible")}),
            "query": one.query,
            "tools": list(tools.numbers(one)),
        }
        for name, column in self.columns.items():
            column.append(values[name])


def outcomes(table: Table, ids: Sequence[str]) -> list[str]:
    """Return, for each instance of the list, a letter a sample of a run."""
    return [_letters(table.cells[id], table) if id in table.cells else "-" for id in ids]


def _letters(cell: Cell, table: Table) -> str:
    found = {one.sample: LETTERS[outcome(one)] for one in cell.scored}
    return "".join(found.get(sample, MISSING) for sample in range(table.samples))
