"""Figures of a set of tasks: domains, tools, shapes, sizes, order of mention."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from build.gold import Gold
from build.seeds.compose import Candidate
from trajectory.graph import layers


def figures(candidates: Sequence[Candidate], dropped: int) -> dict[str, Any]:
    """Return the figures as a JSON object; counts are keyed by text."""
    golds = [one.gold for one in candidates]
    taus = [one.tau for one in candidates if one.tau is not None]
    return {
        "tasks": len(golds),
        "near_duplicates_dropped": dropped,
        "split": _counts(gold.split for gold in golds),
        "worlds": _counts(name for gold in golds for name in gold.origin["worlds"]),
        "tools_called": len(
            {call.name for gold in golds for calls in gold.calls for call in calls}
        ),
        "labelled_graphs": len({one.key for one in candidates}),
        "calls": _counts(gold.calls_gt for gold in golds),
        "layers": _counts(gold.rounds_gt - 1 for gold in golds),
        "with_parallel_layer": sum(_widest(one) > 1 for one in candidates),
        "with_edge_by_effect": sum(map(has_effect_edge, golds)),
        "mention_tau_mean": round(sum(taus) / len(taus), 4) if taus else None,
        "draws_per_task": round(sum(one.tries for one in candidates) / max(1, len(golds)), 1),
    }


def has_effect_edge(gold: Gold) -> bool:
    """Say whether a call of a task waits for another one's effect and takes no value from it."""
    return any(edge.how == "effect" for edge in gold.edges)


def _widest(one: Candidate) -> int:
    return max(map(len, layers(one.gold.plan)))


def _counts(values: Any) -> dict[str, int]:
    table = Counter(values)
    return {str(key): table[key] for key in sorted(table)}
