"""Rollouts for tests: what some tasks give."""

from collections.abc import Iterable, Mapping

from build.gold import Gold
from build.rollouts.filling import Filling, fillings, numbered
from build.rollouts.marginals import Quotas
from trajectory.instance import Instance


def rollouts_of(
    golds: Iterable[Gold],
    level1: int,
    level2: int,
    seed: int,
    processes: int,
    had: Mapping[str, int] | None = None,
) -> list[Instance]:
    """Return so many proven rollouts, fewer where the tasks don't give them."""
    quotas = Quotas(level1, level2)
    filling = Filling(quotas)
    for filling in fillings(golds, quotas, seed, processes, had):  # noqa: B007
        continue
    return numbered(filling.instances)
