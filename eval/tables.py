"""Tables of text for people."""

from collections.abc import Mapping, Sequence
from typing import Final

from eval.derive import LOCALISATION
from eval.scoring import Figure, Table, notes

# Short heads of columns.
HEADS: Final[Mapping[str, str]] = {
    "verified_pass_at_1": "verified Pass@1",
    "verified_e5": "verified E5",
    "verified_tool_efficiency": "verified tool use",
    "pass_at_1": "Pass@1",
    "e5": "E5",
    "tool_efficiency": "tool use",
    "invalid_dag": "invalid DAG",
    "e5_as_published": "E5 as published",
    "node_exact": "root cause",
    "node_precision": "node precision",
    "node_recall": "node recall",
    "node_f1": "node F1",
    "type_f1": "type F1",
    "joint_f1": "joint F1",
}


def head(metric: str) -> str:
    """Return the name of a metric as people read it."""
    plain = metric.removesuffix("_static")
    return HEADS.get(plain, plain) + (" (static)" if plain != metric else "")


def number(figure: Figure) -> str:
    """Return a figure in percent with its interval: "41.2 [38.0, 44.5]"; – where unscored."""
    if figure.strict is None:
        return "–"
    found = figure.estimate
    if found is None:
        return f"{100 * figure.strict:.1f}"
    if found.ci is None:
        return f"{100 * figure.strict:.1f} (n = {found.n})"
    low, high = found.ci
    return f"{100 * figure.strict:.1f} [{100 * low:.1f}, {100 * high:.1f}]"


def grid(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return columns side by side, the first to the left, the others to the right."""
    widths = [max(len(row[i]) for row in (heads, *rows)) for i in range(len(heads))]
    lines = [_line(row, widths) for row in (heads, *rows)]
    return "\n".join([lines[0], "─" * len(lines[0]), *lines[1:]])


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = row
    cells = [text.rjust(width) for text, width in zip(others, widths[1:], strict=True)]
    return "  ".join([first.ljust(widths[0]), *cells]).rstrip()


def report(table: Table, found: Sequence[Figure]) -> str:
    """Return the figures of a run as tables: a row a group, a column a metric, in percent.

    What the diagnosis names stands in a table of its own.
    """
    title = f"{table.agent} on {table.selection.shelf.config} ({table.selection.edition})"
    parts = [
        [one for one in found if (one.metric in LOCALISATION) == located]
        for located in (False, True)
    ]
    return "\n\n".join([title, *(_grid(part) for part in parts if part), _apart(table)])


def _grid(found: Sequence[Figure]) -> str:
    metrics = list(dict.fromkeys(one.metric for one in found))
    groups = list(dict.fromkeys(one.group for one in found))
    cells = {(one.group, one.metric): number(one) for one in found}
    rows = [[group, *(cells.get((group, metric), "–") for metric in metrics)] for group in groups]
    return grid(["", *map(head, metrics)], rows)


def _apart(table: Table) -> str:
    counts = notes(table)
    said = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items())
    ranked = "" if table.official else " · not ranked"
    return f"coverage {100 * table.coverage:.1f}%{ranked} · {said}"
