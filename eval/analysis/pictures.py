"""Pictures of an analysis: bars with intervals, points, stacked shares."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from eval.analysis.sheets import Gap, Share
from eval.picture import bare, canvas, short

_BLUE: Final = "#1f5f8b"
_MARKS: Final = "os^Dv*"


def draw_bars(shares: Mapping[tuple[str, str], Share], said: str, path: Path) -> None:
    """Draw shares by (panel, bar) in percent, with their intervals; said: the axis."""
    panels = sorted({panel for panel, _ in shares})
    bars = sorted({bar for _, bar in shares}, reverse=True)
    size = (1.6 + 3.2 * len(panels), 1.2 + 0.28 * len(bars))
    with canvas(path, (1, len(panels)), size, sharey=True) as (_, drawn):
        for name, panel in zip(panels, drawn, strict=True):
            for place, bar in enumerate(bars):
                share = shares.get((name, bar))
                if share is not None:
                    panel.barh(place, 100 * share.mean, color=_BLUE, xerr=_reach(share))
            panel.set_yticks(range(len(bars)), [short(bar) for bar in bars])
            panel.set_xlim(0, 100)
            panel.set_xlabel(said)
            panel.set_title(name)
            bare(panel)


def _reach(share: Share) -> list[list[float]] | None:
    """Return how far the interval reaches to either side of the mean."""
    if share.ci is None:
        return None
    low, high = share.ci
    return [[100 * max(0.0, share.mean - low)], [100 * max(0.0, high - share.mean)]]


def draw_marks(shares: Mapping[tuple[str, str, str], Share], path: Path) -> None:
    """Draw shares by (panel, line, mark) in percent: marks on lines, so that one sees their gap."""
    panels = sorted({panel for panel, _, _ in shares})
    lines = sorted({line for _, line, _ in shares}, reverse=True)
    marks = list(dict.fromkeys(mark for _, _, mark in shares))
    size = (1.6 + 3.4 * len(panels), 1.6 + 0.28 * len(lines))
    with canvas(path, (1, len(panels)), size, sharey=True) as (figure, drawn):
        for name, panel in zip(panels, drawn, strict=True):
            for form, mark in zip(_MARKS, marks, strict=False):
                found = [(shares.get((name, line, mark)), y) for y, line in enumerate(lines)]
                at = [(100 * share.mean, y) for share, y in found if share is not None]
                xs, ys = [x for x, _ in at], [y for _, y in at]
                panel.plot(xs, ys, form, label=mark, markersize=6, alpha=0.8, clip_on=False)
            panel.set_yticks(range(len(lines)), [short(line) for line in lines])
            panel.grid(axis="y", color="#dddddd", linewidth=0.8)
            panel.set_xlim(0, 100)
            panel.set_xlabel("%")
            panel.set_title(name)
            bare(panel)
        legend = drawn[0].get_legend_handles_labels()
        figure.legend(*legend, loc="outside lower center", ncols=len(marks), frameon=False)


def draw_stacks(counts: Mapping[str, Mapping[str, int]], kinds: Sequence[str], path: Path) -> None:
    """Draw how the counts of each bar are distributed over kinds, in percent of the bar."""
    bars = {bar: some for bar, some in counts.items() if sum(some.values())}
    with canvas(path, (1, 1), (7.2, 1.6 + 0.32 * len(bars))) as (figure, (panel,)):
        left = [0.0] * len(bars)
        for place, kind in enumerate(kinds):
            parts = [100 * some.get(kind, 0) / sum(some.values()) for some in bars.values()]
            marks = {"color": f"C{place % 10}", "hatch": "" if place < 10 else "///"}
            panel.barh(range(len(bars)), parts, left=left, label=kind, **marks)
            left = [start + part for start, part in zip(left, parts, strict=True)]
        panel.set_yticks(range(len(bars)), list(bars))
        panel.invert_yaxis()
        panel.set_xlim(0, 100)
        panel.set_xlabel("% of the errors")
        bare(panel)
        figure.legend(loc="outside lower center", ncols=4, frameon=False, fontsize=7)


def draw_gaps(gaps: Mapping[tuple[str, str], Gap], said: str, path: Path) -> None:
    """Draw differences by (panel, line) as points with intervals; said: the axis."""
    panels = list(dict.fromkeys(panel for panel, _ in gaps))
    lines = list(dict.fromkeys(line for _, line in gaps))
    size = (1.8 + 3.4 * len(panels), 1.2 + 0.28 * len(lines))
    with canvas(path, (1, len(panels)), size, sharey=True, sharex=True) as (_, drawn):
        for name, panel in zip(panels, drawn, strict=True):
            for place, line in enumerate(lines):
                gap = gaps.get((name, line))
                if gap is not None:
                    low, high = gap.ci or (gap.mean, gap.mean)
                    panel.plot([100 * low, 100 * high], [place, place], color=_BLUE)
                    panel.plot([100 * gap.mean], [place], "o", color=_BLUE, markersize=4)
            panel.axvline(0, color="#aaaaaa", linewidth=0.8)
            panel.set_yticks(range(len(lines)), lines)
            panel.set_xlabel(said)
            panel.set_title(name, fontsize=8)
            bare(panel)
        drawn[0].invert_yaxis()
