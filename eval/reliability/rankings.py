"""Whether raters rank agents alike: Kendall's tau, and which ranks move."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from eval.rubric import DIMENSIONS, ScoreRow


@dataclass(frozen=True)
class Move:
    """An agent that two raters rank differently; ranks from 1, equals share the best."""

    agent: str
    first: int
    second: int


@dataclass(frozen=True)
class Ranking:
    """How two raters order the same agents. tau: None where either tells nobody apart."""

    agents: int
    tau: float | None
    moves: Sequence[Move]


def compare(first: Mapping[str, float], second: Mapping[str, float]) -> Ranking:
    """Compare two orders by the agents that are in both; more is better."""
    both = sorted(first.keys() & second.keys())
    one, other = ([side[agent] for agent in both] for side in (first, second))
    pairs = zip(both, ranks(one), ranks(other), strict=True)
    moves = [Move(agent, a, b) for agent, a, b in pairs if a != b]
    return Ranking(len(both), tau(one, other), sorted(moves, key=lambda move: move.first))


def overall(rows: Iterable[ScoreRow]) -> float:
    """Return the mean of the dimensions' means of judged items, over rows scored in all of one.

    In [0, 1]; 0 where no row is. S5 and E5 are not in it: they are no rater's.
    """
    means = dimension_means(rows).values()
    return sum(means) / len(means) if means else 0.0


def dimension_means(rows: Iterable[ScoreRow]) -> dict[str, float]:
    """Return the mean of each dimension's judged items, over rows in which all are scored."""
    every = list(rows)
    found = {}
    for name, wanted in DIMENSIONS.items():
        scored = [[row.items[item] for item in wanted] for row in every]
        known = [value for some in scored if None not in some for value in some]
        if known:
            found[name] = sum(value or 0.0 for value in known) / len(known)
    return found


def ranks(values: Sequence[float]) -> list[int]:
    """Return the rank of each value, from 1 for the most; equal values share the best."""
    return [1 + sum(other > value for other in values) for value in values]


def tau(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return Kendall's tau-b of two orders; None where either tells nobody apart."""
    signs = [
        (_sign(first[a] - first[b]), _sign(second[a] - second[b]))
        for a, b in combinations(range(len(first)), 2)
    ]
    apart = [sum(pair[side] != 0 for pair in signs) for side in (0, 1)]
    if not all(apart):
        return None
    alike = sum(one * other for one, other in signs)
    return float(alike / (apart[0] * apart[1]) ** 0.5)


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
