"""The SDE rubric: its items, and files of scores (metrics.md, "The SDE rubric").

A line of a file of scores is one object: what one rater gave one row of a run. A judge, the checks
and people all write this form: {"id", "sample", "rater", "repeat", "items": {"S1": 1.0, …},
"reasons": {"S1": "…"}}; an item that is null or not there is unscored. Raters may add keys.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from trajectory.files import AnyPath, InputError, read_jsonl

# The items that a judge scores, by dimension; S5 and E5 come from execution.
DIMENSIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "S": ("S1", "S2", "S3", "S4"),
    "D": ("D1", "D2", "D3", "D4", "D5"),
    "E": ("E1", "E2", "E3", "E4"),
}
NAMES: Final[Mapping[str, str]] = {"S": "structure", "D": "diagnosis", "E": "evolution"}
ITEMS: Final = tuple(item for items in DIMENSIONS.values() for item in items)
SCORES: Final = (0.0, 0.5, 1.0)
CHECKS: Final = "checks"
CHECKS_FILE: Final = "checks.jsonl"
JUDGEMENTS: Final = "judgements-*.jsonl"

_ITEMS: Final = frozenset(ITEMS)

Key = tuple[str, int, str, int]


@dataclass(frozen=True)
class ScoreRow:
    """What a rater gave one row of a run.

    items: all 13, None where unscored. reasons: by item, where given. repeat: from 0. raw: the
    whole line as it was read. file, line: where it stands.
    """

    id: str
    sample: int
    rater: str
    repeat: int
    items: Mapping[str, float | None]
    reasons: Mapping[str, str] = field(default_factory=dict)
    raw: Mapping[str, Any] = field(default_factory=dict)
    file: str = ""
    line: int = 0

    @property
    def key(self) -> Key:
        """What there is one row of."""
        return self.id, self.sample, self.rater, self.repeat

    @property
    def whole(self) -> bool:
        """Whether every item is scored."""
        return None not in self.items.values()


def read_scores(path: AnyPath) -> Iterator[ScoreRow]:
    """Yield the rows of a file of scores, each (id, sample, rater, repeat) once, as they stand.

    A line replaces an earlier one of the same key that left items unscored, as a judge's resumed
    run writes them. Raises InputError, with file and line, on what is no row, on a score other
    than 0, 0.5, 1 or null, on an item that the rubric lacks, and on a second whole row of a key.
    """
    rows: dict[Key, ScoreRow] = {}
    for line, value in read_jsonl(path, empty_ok=True):
        row = score_row(value, path, line)
        known = rows.get(row.key)
        if known is not None and known.whole:
            raise InputError(
                f"second row of sample {row.sample}, repeat {row.repeat} by {row.rater}; "
                f"the first is line {known.line}",
                file=path,
                line=line,
                id=row.id,
                do="keep one of the two",
            )
        rows[row.key] = row
    yield from rows.values()


def score_row(value: Any, file: AnyPath, line: int) -> ScoreRow:
    """Read one line of a file of scores; raises InputError naming file and line."""
    if not isinstance(value, dict):
        raise InputError("not a row of scores", file=file, line=line, got=value, wanted="an object")
    id, rater = value.get("id"), value.get("rater")
    for name, text in (("id", id), ("rater", rater)):
        if not isinstance(text, str) or not text:
            raise InputError(f"{name!r} is wrong", file=file, line=line, got=text, wanted="a text")
    numbers = [_number(value, name, file, line) for name in ("sample", "repeat")]
    items, reasons = value.get("items"), value.get("reasons", {})
    if not isinstance(items, dict) or not isinstance(reasons, dict):
        raise InputError("a row without items", file=file, line=line, id=id, got=sorted(value))
    unknown = sorted(items.keys() - _ITEMS)
    if unknown:
        raise InputError("no such item", file=file, line=line, id=id, got=unknown[0])
    scores = {item: checked_score(items.get(item), item, file, line) for item in ITEMS}
    return ScoreRow(
        str(id), numbers[0], str(rater), numbers[1], scores, reasons, value, str(file), line
    )


def checked_score(value: Any, item: str, file: AnyPath, line: int) -> float | None:
    """Return a score as a float, None for null; raises InputError on anything else."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value not in SCORES:
        raise InputError(
            f"a wrong score of {item}",
            file=file,
            line=line,
            got=value,
            wanted="0, 0.5, 1, or null for unscored",
        )
    return float(value)


def _number(value: Mapping[str, Any], name: str, file: AnyPath, line: int) -> int:
    found = value.get(name, 0)
    if isinstance(found, bool) or not isinstance(found, int) or found < 0:
        raise InputError(f"a wrong {name}", file=file, line=line, got=found, wanted="0, 1, …")
    return found


def score_files(folder: Path) -> list[Path]:
    """Return the files of scores that lie in a run folder: the checks' first, then judges'."""
    checks = folder / CHECKS_FILE
    return [*([checks] if checks.is_file() else []), *sorted(folder.glob(JUDGEMENTS))]
