"""Tables of text for people: percent, with 95% intervals."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from eval.metrics import LOCALISATION, RUBRIC
from eval.scoring import ITEM_METRICS, Figure, Table, notes, plain, rated_share

# Short heads of columns.
HEADS: Final[Mapping[str, str]] = {
    "verified_pass_at_1": "verified Pass@1",
    "verified_e5": "verified E5",
    "verified_tool_efficiency": "verified tool use",
    "pass_at_1": "Pass@1",
    "e5": "E5",
    "tool_efficiency": "tool use",
    "invalid_dag": "invalid DAG",
    "false_alarm": "false alarm",
    "e5_as_published": "E5 as published",
    "node_exact": "root cause",
    "node_precision": "node precision",
    "node_recall": "node recall",
    "node_f1": "node F1",
    "type_f1": "type F1",
    "joint_f1": "joint F1",
    **{f"{how}_{part}": f"{how} {part.upper()}" for how in ("checked", "judged") for part in "sde"},
    "checked_overall": "checked overall",
    "judged_overall": "judged overall",
}


def head(metric: str) -> str:
    """Return the name of a metric as people read it."""
    name = re.sub(r"pass_at_(\d+)", r"Pass@\1", plain(metric)).replace("verified_", "verified ")
    return HEADS.get(plain(metric), name) + (" (static)" if plain(metric) != metric else "")


def number(figure: Figure) -> str:
    """Return a figure in percent with its interval: "41.2 [38.0, 44.5]"; – where unscored."""
    found = figure.estimate
    return percent(figure.strict, found.ci if found else None)


def percent(mean: float | None, interval: Sequence[float] | None) -> str:
    """Return a share in percent, with its interval where there is one; – where there is none."""
    if mean is None:
        return "–"
    if interval is None:
        return f"{100 * mean:.1f}"
    return f"{100 * mean:.1f} [{100 * interval[0]:.1f}, {100 * interval[1]:.1f}]"


def points(difference: float, interval: Sequence[float] | None) -> str:
    """Return a difference of shares in points of percent, signed, with its interval."""
    if interval is None:
        return f"{100 * difference:+.1f}"
    return f"{100 * difference:+.1f} [{100 * interval[0]:+.1f}, {100 * interval[1]:+.1f}]"


def grid(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return columns side by side, the first to the left, the others to the right."""
    widths = [max(len(row[i]) for row in (heads, *rows)) for i in range(len(heads))]
    lines = [_line(row, widths) for row in (heads, *rows)]
    return "\n".join([lines[0], "─" * len(lines[0]), *lines[1:]])


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = row
    cells = [text.rjust(width) for text, width in zip(others, widths[1:], strict=True)]
    return "  ".join([first.ljust(widths[0]), *cells]).rstrip()


def pipes(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of Markdown, the first column to the left, the others to the right."""
    marks = ["---", *["---:"] * (len(heads) - 1)]
    escaped = (
        [cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in (heads, *rows)
    )
    first, *others = (f"| {' | '.join(row)} |" for row in escaped)
    return "\n".join([first, f"| {' | '.join(marks)} |", *others])


def report(table: Table, found: Sequence[Figure]) -> str:
    """Return the figures of a run as tables: a row a group, a column a metric, in percent.

    The rubric's dimensions and what the diagnosis names stand in tables of their own. Scores are
    strict; where rows are wanting, a row of covered scores stands below that of all.
    """
    title = f"{table.agent} on {table.selection.shelf.config} ({table.selection.edition})"
    apart = (frozenset(RUBRIC), frozenset(LOCALISATION), frozenset(ITEM_METRICS))
    first = [one for one in found if not any(plain(one.metric) in names for names in apart)]
    others = [[one for one in found if plain(one.metric) in names] for names in apart]
    grids = [_grid(part) for part in (first, *others[:2]) if part]
    said = [_apart(table), *raters(table, found)]
    return "\n\n".join([title, *grids, *_items(others[2]), "\n".join(said)])


def _items(found: Sequence[Figure]) -> list[str]:
    """Return the items as one table, a row an item, a column a rater; none without items."""
    if not found:
        return []
    shown = {one.metric: one for one in found}
    raters = list(dict.fromkeys(name.split("_")[0] for name in shown))
    items = list(dict.fromkeys(name.split("_")[1] for name in shown))
    rows = [[item.upper(), *(number(shown[f"{how}_{item}"]) for how in raters)] for item in items]
    return [grid(["item", *raters], rows)]


def raters(table: Table, found: Sequence[Figure]) -> list[str]:
    """Return lines that say who scored by the rubric, how much of it, and the worst case."""
    lines = []
    for how, one in table.rated.used.items():
        prompts = ", ".join(f"{name} {digest[:12]}" for name, digest in one.prompts.items())
        more = f", {one.repeats} repeats" if one.repeats > 1 else ""
        lines.append(f"{how} by {one.rater}{f' ({prompts})' if prompts else ''}{more}")
        lines += [
            f"{head(each.metric)}: {100 * rated_share(table, each.metric):.1f}% of rows scored, "
            f"{each.unscored} instances unscored; worst case {_ends(each.bounds)}"
            for each in found
            if each.bounds and each.metric.startswith(how)
        ]
    if table.rated.others:
        lines.append(f"judged too, not shown: {', '.join(table.rated.others)}; choose by --judge")
    return lines


def _ends(bounds: tuple[float, float]) -> str:
    return f"{100 * bounds[0]:.1f} to {100 * bounds[1]:.1f}"


def _grid(found: Sequence[Figure]) -> str:
    shown = list(dict.fromkeys(one.metric for one in found))
    rows = []
    for group in dict.fromkeys(one.group for one in found):
        figures = {one.metric: one for one in found if one.group == group}
        rows.append([group, *_sizes(figures), *(number(figures[name]) for name in shown)])
        if group == "all" and figures[shown[0]].coverage < 1:
            covered = (percent(figures[name].covered, None) for name in shown)
            rows.append(["all, covered", "", "", *covered])
    return grid(["", "n", "tasks", *map(head, shown)], rows)


def _sizes(figures: Mapping[str, Figure]) -> tuple[str, str]:
    """Return the most instances and tasks that are behind a figure of one group."""
    sizes = [(one.estimate.n, one.estimate.tasks) for one in figures.values() if one.estimate]
    n, tasks = max(sizes, default=(0, 0))
    return str(n), str(tasks)


def _apart(table: Table) -> str:
    counts = notes(table)
    said = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items())
    played = f" (tools played by {table.player})" if table.player else ""
    ranked = "" if table.official else f" · not ranked{played}"
    return f"coverage {100 * table.coverage:.1f}%{ranked} · {said}"
