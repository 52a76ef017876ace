"""A leaderboard as people read it: tables of text or Markdown, one a config, in percent."""

from collections.abc import Sequence
from typing import Any, Final

from eval.entries import Board, Entry, figure_of
from eval.ranks import said
from eval.tables import grid, head, percent, pipes

SHOWN: Final = (
    "verified_pass_at_1",
    "verified_e5",
    "verified_tool_efficiency",
    "pass_at_1",
    "e5",
    "invalid_dag",
)
# Shown where an entry has them.
_MORE: Final = ("checked_overall", "judged_overall")


def text_of(board: Board) -> str:
    """Return a leaderboard as tables, and the paper's figures."""
    parts = (f"{title}\n{grid(heads, rows)}" for title, heads, rows in _tables(board))
    return "\n\n".join([*parts, _RANKS])


def markdown_of(board: Board) -> str:
    """Return the same as Markdown."""
    parts = (f"**{title}**\n\n{pipes(heads, rows)}" for title, heads, rows in _tables(board))
    return "\n\n".join([*parts, _RANKS])


_RANKS: Final = (
    "Percent, with 95% intervals over tasks; strict scores. Rank: from 1 + the agents with "
    "significantly more verified E5 to all minus those with less (paired, Holm, p < 0.05)."
)

_Table = tuple[str, Sequence[str], Sequence[Sequence[str]]]


def _tables(board: Board) -> list[_Table]:
    configs = sorted({entry["config"] for entry in board["entries"]})
    tables = [_of_config(board, config) for config in configs]
    return [*tables, _reported(board["reported_by_the_paper"])]


def _of_config(board: Board, config: str) -> _Table:
    entries = [entry for entry in board["entries"] if entry["config"] == config]
    shown = [*SHOWN, *(name for name in _MORE if any(figure_of(one, name) for one in entries))]
    rows = [
        [
            entry["label"] + (" (baseline)" if entry["baseline"] else ""),
            said(entry["rank_interval"]),
            *(_cell(entry, metric) for metric in shown),
        ]
        for entry in entries
    ]
    first = entries[0]["figures"][0]
    title = f"{config} ({entries[0]['edition']}), {first['n']} instances of {first['tasks']} tasks"
    return title, ["agent", "rank", *map(head, shown)], rows


def _cell(entry: Entry, metric: str) -> str:
    """Return a figure in percent; of a run that was carried on unchanged the static one."""
    figure = figure_of(entry, metric)
    if figure is not None:
        return percent(figure["strict"], figure["ci"])
    static = figure_of(entry, f"{metric}_static")
    if static is None or static["strict"] is None:
        return "–"
    return f"{percent(static['strict'], static['ci'])} static"


# The paper's names of metrics without a judge, by ours.
_REPORTED: Final = {
    "tool_efficiency": "tool_use_efficiency",
    "pass_at_1": "pass_at_1",
    "e5": "e5",
    "invalid_dag": "invalid_dag_rate",
}


def _reported(reported: dict[str, Any]) -> _Table:
    figures = reported["judge_free_level1"]
    rows = [
        [f"Qwen3-8B, {model}", *(f"{figures[name][model]:.2f}" for name in _REPORTED.values())]
        for model in ("base", "dpo")
    ]
    title = "LEVEL-1 as reported by the paper, not verified"
    return title, ["model", *map(head, _REPORTED)], rows
