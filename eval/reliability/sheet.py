"""What annotators get: a sheet to fill in, and the answers to read beside it.

The sheet has a line for each item of each answer, its score blank; the text shows what a judge
sees, and nothing of the truth (docs/annotating.md).
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from eval.judging.material import Material, material
from eval.results import Row, Run
from eval.rubric import ITEMS
from eval.selection import Selection
from models.reading import read_answer
from trajectory import canonical
from trajectory.files import write_text

COLUMNS: Final = ("id", "sample", "item", "score", "reason")
_PROSE: Final = ("query", "thought")
SHEET, TEXT = "scores.csv", "answers.md"
_HEADS: Final = {
    "query": "Request",
    "tools": "Tools",
    "plan": "Previous plan",
    "tool_results": "Results of the last round",
    "history": "Results of earlier rounds",
    "thought": "Thought of the answer",
    "answer": "Updated plan of the answer",
}


def rows_to_score(run: Run, selection: Selection, limit: int | None) -> list[Row]:
    """Return the rows that hold a plan, of the first so many instances by a stable hash."""
    ids = frozenset(sorted(selection.ids, key=canonical.text_digest)[:limit])
    rows = (row for row in run.rows() if row.id in ids and not row.gave_none)
    return sorted(
        (row for row in rows if read_answer(row.raw_output).plan), key=lambda row: row.key
    )


def sheet(rows: Iterable[Row]) -> str:
    """Return the sheet as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([row.id, row.sample, item, "", ""] for row in rows for item in ITEMS)
    return out.getvalue()


def text(rows: Sequence[Row], selection: Selection) -> str:
    """Return the answers with what was shown to who gave them, as Markdown."""
    shown = (
        (row, material(selection.shelf.read(row.id), read_answer(row.raw_output))) for row in rows
    )
    return "\n".join(line for row, one in shown for line in _lines(row, one))


def _lines(row: Row, shown: Material) -> Iterator[str]:
    yield f"# {row.id}, sample {row.sample}\n"
    for name, head in _HEADS.items():
        value = shown.fields[name]
        yield f"## {head}\n\n{_fenced(value, is_json=name not in _PROSE)}\n"


def _fenced(value: str, *, is_json: bool) -> str:
    """Return a text, or JSON indented, in a fence that it cannot close."""
    told = json.dumps(canonical.loads(value), ensure_ascii=False, indent=1) if is_json else value
    longest = max(map(len, re.findall(r"`+", told)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{'json' if is_json else 'text'}\n{told}\n{fence}"


def write(folder: Path, rows: Sequence[Row], selection: Selection) -> None:
    """Write both files."""
    write_text(folder / TEXT, text(rows, selection))
    write_text(folder / SHEET, sheet(rows))
