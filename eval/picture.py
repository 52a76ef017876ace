"""Pictures of a leaderboard: what the paper's metric shows beside what is verified; heat maps."""

import contextlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from eval.entries import RANKED_BY, Board, Entry, figure_of
from trajectory.error_types import ErrorType
from trajectory.files import InputError, write_aside

_PAIR: Final = (("pass_at_1", "Pass@1", "#b8c4d0"), ("verified_pass_at_1", "verified", "#1f5f8b"))
_KINDS: Final = (".png", ".svg")
_NO_DATE: Final = {".png": {"Software": None}, ".svg": {"Date": None}}
# On a darker cell than this a number is white.
_DARK: Final = 0.55


def draw(board: Board, path: Path) -> None:
    """Draw Pass@1 and verified Pass@1 of every agent, a panel a config, with 95% intervals.

    The same board gives the same bytes. Raises InputError on an ending other than .png or .svg.
    """
    configs = sorted({entry["config"] for entry in board["entries"]})
    entries = [[one for one in board["entries"] if one["config"] == config] for config in configs]
    height = max(3.6, 1.2 + 0.3 * max(map(len, entries)))
    with canvas(path, (1, len(configs)), (4.6 * len(configs), height), sharey=True) as (
        figure,
        panels,
    ):
        agents = sorted({entry["label"] for entry in board["entries"]}, reverse=True)
        for config, some, panel in zip(configs, entries, panels, strict=True):
            _bars(panel, some, agents)
            panel.set_title(config)
        marks = panels[0].get_legend_handles_labels()
        figure.legend(*marks, loc="outside lower center", ncols=2, frameon=False)


@contextlib.contextmanager
def canvas(
    path: Path, shape: tuple[int, int], size: tuple[float, float], **more: Any
) -> Iterator[tuple[Any, list[Any]]]:
    """Give a figure and its panels, written to `path` when the block ends well.

    shape: rows and columns of panels. size: inches. The same figure gives the same bytes. Raises
    InputError on an ending other than .png or .svg.
    """
    if path.suffix not in _KINDS:
        raise InputError("not a picture's name", file=path, wanted=" or ".join(_KINDS))
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot

    with mpl.rc_context({"svg.hashsalt": "pararecover", "font.size": 9}):
        figure, panels = pyplot.subplots(
            *shape, figsize=size, squeeze=False, layout="constrained", **more
        )
        try:
            yield figure, list(panels.flat)
            with write_aside(path) as file:
                kind = path.suffix
                figure.savefig(file, format=kind[1:], dpi=160, metadata=_NO_DATE[kind])
        finally:
            pyplot.close(figure)


def _bars(panel: Any, entries: Sequence[Entry], agents: Sequence[str]) -> None:
    labelled = {entry["label"]: entry for entry in entries}
    for shift, (metric, name, colour) in zip((0.2, -0.2), _PAIR, strict=True):
        known = [(place, labelled[one]) for place, one in enumerate(agents) if one in labelled]
        found = [(place, figure_of(entry, metric)) for place, entry in known]
        bars = [(place, one) for place, one in found if one and one["strict"] is not None]
        means = [100 * one["strict"] for _, one in bars]
        panel.barh(
            [place + shift for place, _ in bars],
            means,
            height=0.38,
            color=colour,
            label=name,
            xerr=_errors([one for _, one in bars]),
            error_kw={"elinewidth": 0.8, "ecolor": "#444444"},
        )
    panel.set_yticks(range(len(agents)), [short(agent) for agent in agents])
    panel.set_xlim(0, 100)
    panel.set_xlabel("%")
    bare(panel)


def _errors(found: Sequence[Entry]) -> list[list[float]]:
    """Return how far the intervals reach below and above the means; 0 without one."""
    means = [one["strict"] for one in found]
    ends = [one["ci"] or (mean, mean) for one, mean in zip(found, means, strict=True)]
    pairs = list(zip(means, ends, strict=True))
    below = [100 * max(0.0, mean - low) for mean, (low, _) in pairs]
    return [below, [100 * max(0.0, high - mean) for mean, (_, high) in pairs]]


def short(agent: str) -> str:
    """Return an agent's name as it stands at an axis."""
    return agent.removeprefix("scripted:").removeprefix("model:")


def bare(panel: Any) -> None:
    """Take the frame away above and to the right."""
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)


# --- heat maps -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heat:
    """A heat map: shares in [0, 1] by (row, column); none is a dash."""

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Mapping[tuple[str, str], float]


def draw_types(board: Board, path: Path, metric: str = RANKED_BY) -> None:
    """Draw a metric by error type and agent, a map a config, one below the other.

    Narrow enough to be read on a phone. The same board gives the same bytes. Raises InputError
    as `canvas` does, and where no entry has the metric by type.
    """
    heats = [
        _types_of([one for one in board["entries"] if one["config"] == config], config, metric)
        for config in sorted({entry["config"] for entry in board["entries"]})
    ]
    heats = [heat for heat in heats if heat.cells]
    if not heats:
        raise InputError("no figures by error type", got=metric, do="name another metric")
    draw_heat(heats, path)


def _types_of(entries: Sequence[Entry], config: str, metric: str) -> Heat:
    from eval.tables import head

    agents = [entry["label"] for entry in entries]
    found = {
        (kind.value, entry["label"]): figure_of(entry, metric, f"type:{kind.value}")
        for kind in ErrorType
        for entry in entries
    }
    cells = {
        place: one["strict"] for place, one in found.items() if one and one["strict"] is not None
    }
    rows = [kind.value for kind in ErrorType if any(row == kind.value for row, _ in cells)]
    return Heat(f"{config}: {head(metric)}, %", rows, agents, cells)


def draw_heat(heats: Sequence[Heat], path: Path) -> None:
    """Draw heat maps one below the other, the number in each cell."""
    wide = 1.9 + 0.5 * max(len(heat.columns) for heat in heats)
    tall = sum(1.5 + 0.27 * len(heat.rows) for heat in heats)
    ratios = {"height_ratios": [len(heat.rows) for heat in heats]}
    with canvas(path, (len(heats), 1), (wide, tall), gridspec_kw=ratios) as (_, panels):
        for heat, panel in zip(heats, panels, strict=True):
            _heat(panel, heat)


def _heat(panel: Any, heat: Heat) -> None:
    places = [(row, column) for row in heat.rows for column in heat.columns]
    values = [heat.cells.get(place, math.nan) for place in places]
    width = len(heat.columns)
    rows = [values[start : start + width] for start in range(0, len(values), width)]
    panel.imshow(rows, cmap="YlGnBu", vmin=0, vmax=1, aspect="auto")
    for y, row in enumerate(rows):
        for x, value in enumerate(row):
            said = "–" if math.isnan(value) else f"{100 * value:.0f}"
            colour = "white" if value > _DARK else "black"
            panel.text(x, y, said, ha="center", va="center", color=colour)
    names = [short(column) for column in heat.columns]
    panel.set_xticks(range(width), names, rotation=40, ha="right", rotation_mode="anchor")
    panel.set_yticks(range(len(heat.rows)), heat.rows)
    panel.tick_params(length=0)
    panel.set_title(heat.title)
    panel.spines[:].set_visible(False)
