"""What the first view shows: every entry of the leaderboard with its figures by group."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from eval.boards import SHOWN
from eval.entries import Board, Entry
from eval.metrics import AS_PUBLISHED, FALSE_ALARM, LOWER_IS_BETTER, METRICS, RUBRIC
from eval.rubric import ITEMS, NAMES
from eval.tables import head
from trajectory.error_types import CATEGORY, ErrorType

Record = dict[str, Any]

_KEPT: Final = (
    *("agent", "label", "baseline", "run", "config", "split", "edition", "instances", "samples"),
    *("coverage", "ranked", "rank_interval", "asked", "raters", "spent", "notes"),
    *("results_hash", "dataset_hash", "code_version", "scorer_version"),
)


def overview(board: Board, names: Mapping[str, str], played: Sequence[str]) -> Record:
    """Return the first view. names: of the runs, by their paths; played: runs with played tools."""
    return {
        "metrics": {name: head(name) for name in METRICS},
        "shown": [*SHOWN, AS_PUBLISHED, FALSE_ALARM, *RUBRIC],
        "lower": sorted(LOWER_IS_BETTER),
        "items": list(ITEMS),
        "dimensions": dict(NAMES),
        "types": [kind.value for kind in ErrorType],
        "categories": {kind.value: CATEGORY[kind] for kind in ErrorType},
        "runs": [
            {
                **{name: entry.get(name) for name in _KEPT},
                "name": names[entry["run"]],
                "played": entry["run"] in played,
                "figures": _figures(entry),
            }
            for entry in board["entries"]
        ],
    }


def _figures(entry: Entry) -> Record:
    """Return the figures by group and metric: mean, least, most, n, tasks."""
    found: dict[str, dict[str, list[Any]]] = {}
    for one in entry["figures"]:
        ends = one["ci"] or [None, None]
        found.setdefault(one["group"], {})[one["metric"]] = [
            one["strict"],
            *ends,
            one["n"],
            one["tasks"],
        ]
    return found
