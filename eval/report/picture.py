"""An instance's plan as a picture (.svg): what ran, what failed, the root cause, the repair."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final

from diagnosis.edits import apply_edits
from eval.checks.case import Case
from eval.checks.changes import Change
from eval.report import marks
from eval.report.layout import HEIGHT, WIDTH, Layout, layout
from trajectory.instance import Instance
from trajectory.plan import Node, Plan

_GAP: Final = 34
_NAME: Final = 22
# The frame of each mark, the last that holds counts: line, filling, dashes.
_FRAMES: Final[Mapping[str, tuple[str, str, str]]] = {
    marks.PENDING: ("#7b8794", "#ffffff", "4 3"),
    marks.RAN: ("#3e4c59", "#eef2f5", ""),
    "empty": ("#8a5a00", "#fff4dc", ""),
    "failed": ("#a61b1b", "#fde8e8", ""),
    marks.DELAYED: ("#8a5a00", "", "4 3"),
    marks.AFFECTED: ("#8a5a00", "", ""),
    marks.ROOT_CAUSE: ("#a61b1b", "", ""),
    marks.NEW: ("#0b6b4f", "#e3f6ee", ""),
    marks.CHANGED: ("#0b6b4f", "#e3f6ee", ""),
}
_THICK: Final = frozenset((marks.ROOT_CAUSE, marks.NEW, marks.CHANGED))


def svg(instance: Instance) -> str:
    """Return the plan as it was shown, above the plan after its first repair."""
    case = Case(instance)
    shown = marks.before(instance, case.plan, case.ledger)
    parts = [("The plan as it was shown", case.plan, shown)]
    if instance.repairs:
        mended = apply_edits(case.plan, instance.repairs[0])
        change = Change(case.plan, mended, case.ledger)
        parts.append(("After the proven repair", mended, marks.after(change, case.ledger)))
    return _stacked(parts)


def _stacked(parts: Iterable[tuple[str, Plan, marks.Marks]]) -> str:
    lines: list[str] = []
    top, width = 0, 0
    for title, plan, marked in parts:
        placed = layout(plan)
        lines.append(f'<text x="12" y="{top + 22}" class="title">{escape(title)}</text>')
        lines.append(f'<g transform="translate(0 {top + _GAP})">{_plan(plan, placed, marked)}</g>')
        top += placed.size[1] + _GAP
        width = max(width, placed.size[0])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top}" '
        f'width="{width}" height="{top}" role="img">\n<style>{_STYLE}</style>\n'
        f'<rect width="{width}" height="{top}" fill="#ffffff"/>\n' + "\n".join(lines) + "\n</svg>\n"
    )


_STYLE: Final = (
    "text{font:12px system-ui,sans-serif;fill:#1f2933}.title{font-weight:600;font-size:14px}"
    ".badge{font-size:10.5px;fill:#52606d}path{fill:none;stroke:#9aa5b1;stroke-width:1.4}"
)


def _plan(plan: Plan, placed: Layout, marked: marks.Marks) -> str:
    nodes = [_node(plan.by_id[id], place, marked[id]) for id, place in placed.places.items()]
    return "".join([*(f'<path d="{line.path}"/>' for line in placed.lines), *nodes])


def _node(node: Node, place: tuple[int, int], known: Sequence[str]) -> str:
    line, filling, dashes = _frame(known)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    thick = 2.6 if _THICK & {*known} else 1.2
    title = f"{node.id}: {node.name}" if node.name else node.id
    name = title if len(title) <= _NAME else f"{title[: _NAME - 1]}…"
    return (
        f'<g transform="translate({place[0]} {place[1]})"><title>{escape(title)}</title>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="6" fill="{filling}" stroke="{line}" '
        f'stroke-width="{thick}"{dashed}/>'
        f'<text x="10" y="19">{escape(name)}</text>'
        f'<text x="10" y="36" class="badge">{escape(" · ".join(known))}</text></g>'
    )


def _frame(known: Sequence[str]) -> tuple[Any, ...]:
    line, filling, dashes = _FRAMES[known[0]]
    for mark in known[1:]:
        stroke, fill, dashed = _FRAMES[mark]
        line, filling, dashes = stroke, fill or filling, dashed or dashes
    return line, filling, dashes
