"""Writing an analysis: CSV a sheet, SVG a drawing, and one page of Markdown over all."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from eval.analysis.sheets import Sheet, to_csv, to_markdown
from trajectory.files import write_text

PAGE: Final = "analysis.md"


@dataclass(frozen=True)
class Drawing:
    """A picture that is drawn into a file; it stands below the sheet of its name."""

    name: str
    draw: Callable[[Path], None]


def write(out: Path, title: str, sheets: Sequence[Sheet], drawings: Sequence[Drawing]) -> list[str]:
    """Write all files of an analysis into a folder; returns their names."""
    drawn = {one.name: f"{one.name}.svg" for one in drawings}
    for one in drawings:
        one.draw(out / drawn[one.name])
    parts = [f"# {title}"]
    for sheet in sheets:
        write_text(out / f"{sheet.name}.csv", to_csv(sheet))
        parts.append(to_markdown(sheet))
        parts.append(f"[{sheet.name}.csv]({sheet.name}.csv)")
        if sheet.name in drawn:
            parts.append(f"![{sheet.title}]({drawn[sheet.name]})")
    write_text(out / PAGE, "\n\n".join(parts) + "\n")
    return [PAGE, *(f"{sheet.name}.csv" for sheet in sheets), *drawn.values()]
