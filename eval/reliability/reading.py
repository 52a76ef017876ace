"""Scores of any rater: files of scores, and people's as CSV, .xlsx or JSON Lines.

People's files hold one score a row under the columns id, item and score, in any order; sample,
rater, repeat and reason may be there too. A blank score is unscored.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from eval.rubric import ITEMS, ScoreRow, read_scores, score_row
from trajectory.files import InputError, read_jsonl

COLUMNS: Final = ("id", "item", "score")
_MORE: Final = ("sample", "rater", "repeat", "reason")
_SCORES: Final[Mapping[str, float | None]] = {
    "": None,
    **dict.fromkeys(("0", "0.0", "0,0"), 0.0),
    **dict.fromkeys(("0.5", ".5", "0,5"), 0.5),
    **dict.fromkeys(("1", "1.0", "1,0"), 1.0),
}
_SEPARATORS: Final = ",;\t"

# One score as it was read: line, and the value of each column.
_Line = tuple[int, Mapping[str, Any]]


def read_rater(path: Path) -> list[ScoreRow]:
    """Return the scores of one rater; raises InputError, with file and line, on what is none.

    The rater is what the rows tell, else the file's name. Raises InputError on two raters too.
    """
    suffix = path.suffix.lower()
    if suffix == ".csv":
        rows = _joined(_rows_of(_csv(path), path), path)
    elif suffix == ".xlsx":
        rows = _joined(_rows_of(_sheet(path), path), path)
    elif _holds_rows(path):
        rows = list(read_scores(path))
    else:
        rows = _joined(_objects(path), path)
    raters = sorted({row.rater for row in rows})
    if not rows:
        raise InputError("no scores", file=path)
    if len(raters) > 1:
        raise InputError("several raters", file=path, got=", ".join(raters), do="one a file")
    return rows


def _holds_rows(path: Path) -> bool:
    """Say whether a JSON Lines file holds a row of scores a line, rather than one score."""
    for _, value in read_jsonl(path):
        return isinstance(value, dict) and "items" in value
    return False


def _objects(path: Path) -> Iterator[_Line]:
    for line, value in read_jsonl(path):
        if not isinstance(value, dict):
            raise InputError("not a score", file=path, line=line, got=value, wanted="an object")
        yield line, value


def _csv(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells), separated by what separates the first line's columns."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            head = file.readline()
            file.seek(0)
            separator = max(_SEPARATORS, key=head.count)
            reader = csv.reader(file, delimiter=separator, strict=True)
            for cells in reader:
                yield reader.line_num, cells
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from None
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start + 1}", file=path) from None
    except csv.Error as error:
        raise InputError(f"not CSV: {error}", file=path) from None


def _sheet(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield (row, cells) of the first sheet of a workbook, of formulas what they last came to."""
    from zipfile import BadZipFile

    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = load_workbook(path, read_only=True, data_only=True)
        rows = [*book.worksheets[0].iter_rows(values_only=True)]
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from None
    except (BadZipFile, InvalidFileException, KeyError, ValueError, IndexError) as error:
        raise InputError(f"not a workbook: {error}", file=path) from None
    for number, row in enumerate(rows, 1):
        yield number, ["" if cell is None else str(cell) for cell in row]


def _rows_of(rows: Iterable[tuple[int, Sequence[str]]], path: Path) -> Iterator[_Line]:
    """Yield each row below the heads by its columns; blank rows are passed over."""
    heads: list[str] | None = None
    for line, cells in rows:
        texts = [cell.strip() for cell in cells]
        if not any(texts):
            continue
        if heads is None:
            heads = [text.lower() for text in texts]
            _require_heads(heads, path, line)
            continue
        found = dict(zip(heads, [*texts, *[""] * len(heads)], strict=False))
        yield line, {name: found[name] for name in (*COLUMNS, *_MORE) if found.get(name)}


def _require_heads(heads: Sequence[str], path: Path, line: int) -> None:
    missing = [name for name in COLUMNS if heads.count(name) != 1]
    if missing:
        raise InputError(
            f"no single column {missing[0]!r}",
            file=path,
            line=line,
            got=", ".join(heads),
            wanted=", ".join(COLUMNS),
        )


def _joined(lines: Iterable[_Line], path: Path) -> list[ScoreRow]:
    """Put single scores together to rows."""
    rows: dict[Any, dict[str, Any]] = {}
    first: dict[Any, int] = {}
    for line, value in lines:
        item = str(value.get("item") or "").upper()
        if item not in ITEMS:
            raise InputError("no such item", file=path, line=line, got=value.get("item"))
        head = {
            "id": value.get("id"),
            "sample": _whole(value.get("sample", 0)),
            "rater": value.get("rater") or path.stem,
            "repeat": _whole(value.get("repeat", 0)),
        }
        key = tuple(map(str, head.values()))
        seen = first.setdefault((key, item), line)
        if seen != line:
            raise InputError(
                f"a second score of {item}; the first is line {seen}",
                file=path,
                line=line,
                id=head["id"],
            )
        row = rows.setdefault(key, {**head, "items": {}, "reasons": {}, "line": line})
        row["items"][item] = _score(value.get("score"))
        if value.get("reason"):
            row["reasons"][item] = str(value["reason"])
        # Read at once, so that what is wrong is told with its own line.
        score_row({**row, "items": {item: row["items"][item]}}, path, line)
    return [score_row(row, path, row["line"]) for row in rows.values()]


def _score(value: Any) -> Any:
    """Return a score as a number where it is one of the rubric's; else as it is, to be refused."""
    return _SCORES.get(value.strip(), value) if isinstance(value, str) else value


def _whole(value: Any) -> Any:
    """Return a number that a sheet holds as text; else as it is, to be refused."""
    if isinstance(value, str) and value.removesuffix(".0").isdecimal():
        return int(value.removesuffix(".0"))
    return value
