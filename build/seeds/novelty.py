"""What makes a task new: its labelled graph, its request; and which split it belongs to.

The labelled graph of a task is its tools and edges, values left out. Test and train share none,
because the split is a function of the graph; tasks that touch a world kept for test are test.
"""

import re
from collections.abc import Sequence
from typing import Final

from environment import worlds
from trajectory import canonical
from trajectory.graph import topology
from trajectory.plan import RESPONSE, Plan

# Two requests over one labelled graph are near-duplicates from this share of common word triples.
NEAR: Final = 0.8
# Of a hundred labelled graphs, so many are kept for test.
TEST_SHARE: Final = 50


def graph_key(plan: Plan) -> str:
    """Return a digest that is equal for plans of equal labelled graph."""
    found = topology(plan)
    labels: dict[str, str] = {}
    for node in found.order:
        if node in plan.by_id:
            below = sorted(labels[dep] for dep in found.deps[node] or () if dep in labels)
            labels[node] = canonical.digest([plan.by_id[node].name or node, below])
    uses = sorted(labels[node] for node in found.calls)
    return canonical.digest([labels.get(RESPONSE, ""), uses])


def split_of(key: str, names: Sequence[str]) -> str:
    """Return "test" or "train" for a labelled graph over these worlds."""
    if any(worlds.world(name).test_only for name in names):
        return "test"
    return "test" if int(key[:8], 16) % 100 < TEST_SHARE else "train"


class Requests:
    """The requests taken so far; says whether another is too close to one of them."""

    def __init__(self) -> None:
        self._by_graph: dict[str, list[frozenset[str]]] = {}

    def is_near(self, key: str, query: str) -> bool:
        """Say whether a request of the same labelled graph shares most word triples."""
        triples = _triples(query)
        return any(
            len(triples & other) >= NEAR * len(triples | other)
            for other in self._by_graph.get(key, ())
        )

    def take(self, key: str, query: str) -> None:
        """Remember a request."""
        self._by_graph.setdefault(key, []).append(_triples(query))


def _triples(query: str) -> frozenset[str]:
    words = re.findall(r"\w+", query.lower())
    return frozenset(" ".join(words[i : i + 3]) for i in range(max(1, len(words) - 2)))
