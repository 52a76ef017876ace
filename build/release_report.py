"""What an import of the release found: counted for the table, listed for the report."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from build.release_files import Source
from build.release_records import Imported
from trajectory.error_types import ErrorType
from trajectory.files import shortened


@dataclass(frozen=True)
class LeftOut:
    """A record that did not come in: its line, its id, if it has one, and why."""

    line: int
    id: str | None
    why: str


@dataclass
class FileReport:
    """What one file of the release gave."""

    source: Source
    path: Path
    imported: list[Imported] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    @property
    def records(self) -> int:
        """Records in the file."""
        return len(self.imported) + len(self.left_out)

    def problems(self) -> Counter[str]:
        """Return how many records have each kind of problem."""
        return Counter(
            kind for one in self.imported for kind in {problem.kind for problem in one.problems}
        )

    def error_types(self) -> Counter[str]:
        """Return how many records carry each error type; one with two labels counts twice."""
        return Counter(name for one in self.imported for name in one.instance.error_types)

    def counts(self) -> dict[str, Any]:
        """Return the file's row of the table."""
        return {
            "file": self.source.path,
            "records": self.records,
            "published": self.source.records,
            "imported": len(self.imported),
            "left_out": len(self.left_out),
            "with_problems": sum(bool(one.problems) for one in self.imported),
            "problems": dict(sorted(self.problems().items())),
            "error_types": {name.value: self.error_types()[name] for name in ErrorType},
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield every problem of the file, one a row, in the order of its lines."""
        yield from sorted((*self._left_out_rows(), *self._problem_rows()), key=lambda r: r["line"])

    def _left_out_rows(self) -> Iterator[dict[str, Any]]:
        for one in self.left_out:
            yield self._row(one.line, one.id, None, "left_out", one.why)

    def _problem_rows(self) -> Iterator[dict[str, Any]]:
        for one in self.imported:
            line = one.instance.environment["replay"]["line"]
            for kind, node, detail in one.problems:
                yield self._row(line, one.id, node, kind, detail)

    def _row(
        self, line: int, id: str | None, node: str | None, kind: str, detail: str
    ) -> dict[str, Any]:
        place = {"file": self.source.path, "line": line, "id": id}
        return {**place, "node": node, "kind": kind, "detail": shortened(detail, 500)}


def table(reports: Sequence[FileReport]) -> str:
    """Return the counts of all files as text: per file, then per kind and per error type."""
    rows = [report.counts() for report in reports]
    files = [
        (
            row["file"],
            f"{row['records']:,} of {row['published']:,}",
            f"{row['imported']:,}",
            f"{row['left_out']:,}",
            f"{row['with_problems']:,}",
        )
        for row in rows
    ]
    names = [report.source.path.rpartition("/")[2].removesuffix(".jsonl") for report in reports]
    parts = [
        _aligned(("file", "records", "imported", "left out", "with problems"), files),
        _aligned(("problem (records)", *names), _by_kind([row["problems"] for row in rows])),
        _aligned(("error type (records)", *names), _by_type([row["error_types"] for row in rows])),
    ]
    return "\n\n".join(part for part in parts if part)


def _by_kind(counts: Sequence[Mapping[str, int]]) -> list[tuple[str, ...]]:
    kinds = sorted({kind for one in counts for kind in one})
    return [(kind, *(f"{one.get(kind, 0):,}" for one in counts)) for kind in kinds]


def _by_type(counts: Sequence[Mapping[str, int]]) -> list[tuple[str, ...]]:
    return [(name.value, *(f"{one[name.value]:,}" for one in counts)) for name in ErrorType]


def _aligned(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in columns, the first to the left and the others to the right."""
    lines = [heads, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
