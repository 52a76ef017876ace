"""A leaderboard as a picture: what the paper's metric shows beside what is verified."""

from pathlib import Path
from typing import Any, Final

from trajectory.files import InputError, write_aside

_PAIR: Final = (("pass_at_1", "Pass@1", "#b8c4d0"), ("verified_pass_at_1", "verified", "#1f5f8b"))
_KINDS: Final = (".png", ".svg")


def draw(board: dict[str, Any], path: Path) -> None:
    """Draw Pass@1 and verified Pass@1 of every agent, a panel a config, with 95% intervals.

    The same board gives the same bytes. Raises InputError on an ending other than .png or .svg.
    """
    if path.suffix not in _KINDS:
        raise InputError("not a picture's name", file=path, wanted=" or ".join(_KINDS))
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot

    configs = sorted({entry["config"] for entry in board["entries"]})
    with mpl.rc_context({"svg.hashsalt": "pararecover", "font.size": 9}):
        figure, panels = pyplot.subplots(
            1,
            len(configs),
            figsize=(4.6 * len(configs), 3.6),
            squeeze=False,
            sharey=True,
            layout="constrained",
        )
        for config, panel in zip(configs, panels[0], strict=True):
            _panel(panel, [entry for entry in board["entries"] if entry["config"] == config])
            panel.set_title(config)
        marks = panels[0][0].get_legend_handles_labels()
        figure.legend(*marks, loc="outside lower center", ncols=2, frameon=False)
        with write_aside(path) as file:
            figure.savefig(file, format=path.suffix[1:], dpi=160, metadata=_NO_DATE[path.suffix])
        pyplot.close(figure)


_NO_DATE: Final = {".png": {"Software": None}, ".svg": {"Date": None}}


def _panel(panel: Any, entries: list[dict[str, Any]]) -> None:
    agents = sorted({entry["agent"] for entry in entries}, reverse=True)
    table = {(entry["agent"], one["metric"]): one for entry in entries for one in _overall(entry)}
    for shift, (metric, label, colour) in zip((0.2, -0.2), _PAIR, strict=True):
        for place, agent in enumerate(agents):
            figure = table.get((agent, metric))
            if figure is None or figure["strict"] is None:
                continue
            mean = 100 * figure["strict"]
            low, high = (100 * end for end in figure["ci"] or (figure["strict"],) * 2)
            error = [[max(0.0, mean - low)], [max(0.0, high - mean)]]
            panel.barh(
                place + shift,
                mean,
                height=0.38,
                color=colour,
                label=label if place == 0 else None,
                xerr=error if figure["ci"] else None,
                error_kw={"elinewidth": 0.8, "ecolor": "#444444"},
            )
    panel.set_yticks(range(len(agents)), [agent.removeprefix("scripted:") for agent in agents])
    panel.set_xlim(0, 100)
    panel.set_xlabel("%")
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)


def _overall(entry: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in entry["figures"] if one["group"] == "all"]
