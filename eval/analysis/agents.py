"""RQ1: how well agents recover, by level."""

from collections.abc import Iterator, Sequence

from eval.analysis.pictures import draw_bars
from eval.analysis.sheets import Part, Sheet
from eval.analysis.studied import MAIN, Studied, metrics_of
from eval.analysis.writer import Drawing
from eval.tables import head

_NOTE = (
    "Strict scores in percent with 95% intervals over tasks: what is missing counts as failure. "
    "Not ranked here: the leaderboard ranks, and says which ranks the data leave open."
)
# Of the localisation metrics and of scores by checks and judges, where a run has them.
_MORE = (
    "node_f1",
    "type_f1",
    "false_alarm",
    *(f"{rater}_{part}" for rater in ("checked", "judged") for part in ("s", "d", "e", "overall")),
)


def sheets(studied: Sequence[Studied]) -> Iterator[Sheet]:
    """Yield the main results, a row a run."""
    names = metrics_of(studied, (*MAIN, *_MORE))
    rows = [
        [
            one.config,
            one.label,
            len(one.ids),
            len(set(one.tasks)),
            Part(one.table.coverage),
            *(one.share(name) for name in names),
        ]
        for one in studied
    ]
    heads = ["config", "agent", "n", "tasks", "coverage", *map(head, names)]
    yield Sheet("agents", "Agents by level (RQ1)", _NOTE, heads, rows)


def drawings(studied: Sequence[Studied]) -> Iterator[Drawing]:
    """Yield verified E5 of each agent, a panel a config."""
    shares = {(one.config, one.label): one.share("verified_e5") for one in studied}
    known = {place: share for place, share in shares.items() if share is not None}
    if known:
        yield Drawing("agents", lambda path: draw_bars(known, "verified E5, %", path))
