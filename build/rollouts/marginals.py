"""Marginals of the published rollouts, and quotas after them.

The figures count labels by type over the records of the release (1,421 of level 1, 1,391 of level
2); its one label for a wrong answer to a tool's failure stands half for timeouts, half for empty
answers.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from build.rollouts.desk import COSTS
from trajectory.error_types import ErrorType
from trajectory.instance import Instance

Shares = Mapping[ErrorType, float]
# Level, and of what: all, a type, a number of labels or of rounds.
Key = tuple[int | str, ...]

# Rollouts of the release by level.
PUBLISHED: Final = {1: 1421, 2: 1391}

TYPES: Final[Mapping[int, Shares]] = {
    1: {
        ErrorType.PARAMETER_TYPE: 135,
        ErrorType.PARAMETER_NAME: 86,
        ErrorType.PARAMETER_INVALID: 151,
        ErrorType.PARAMETER_MISSING: 144,
        ErrorType.MISSING_CALL: 120,
        ErrorType.REDUNDANT_CALL: 108,
        ErrorType.TIMEOUT: 28,
        ErrorType.NULL: 28,
        ErrorType.TOOL_NAME: 72,
        ErrorType.TOOL_SELECT: 79,
        ErrorType.PARALLELISM: 224,
        ErrorType.SERIAL: 80,
        ErrorType.DEPENDENCE: 98,
        ErrorType.DEPENDENCE_NULL: 69,
    },
    2: {
        ErrorType.PARAMETER_TYPE: 290,
        ErrorType.PARAMETER_NAME: 130,
        ErrorType.PARAMETER_INVALID: 240,
        ErrorType.PARAMETER_MISSING: 100,
        ErrorType.MISSING_CALL: 205,
        ErrorType.REDUNDANT_CALL: 190,
        ErrorType.TIMEOUT: 85,
        ErrorType.NULL: 85,
        ErrorType.TOOL_NAME: 195,
        ErrorType.TOOL_SELECT: 95,
        ErrorType.PARALLELISM: 160,
        ErrorType.SERIAL: 75,
        ErrorType.DEPENDENCE: 185,
        ErrorType.DEPENDENCE_NULL: 105,
    },
}

# Labels of a record of level 2.
LABELS: Final[Mapping[int, float]] = {1: 0.67, 2: 0.12, 3: 0.21}
# Rounds that ran before a snapshot of level 2.
ROUNDS: Final[Mapping[int, float]] = {
    0: 0.13,
    1: 0.25,
    2: 0.32,
    3: 0.19,
    4: 0.04,
    5: 0.04,
    7: 0.015,
}
# So many and more count as one.
MANY_ROUNDS: Final = 6
# One error has run on only after two rounds, so that fewer snapshots than these are earlier.
_MOST_ROUNDS: Final[Mapping[int, Mapping[int, float]]] = {
    1: {0: 0.12, 1: 0.45, 2: 0.3, 3: 0.2, 4: 0.12, 5: 0.08, 6: 0.06},
    2: {0: 0.12, 1: 0.27, 2: 0.42, 3: 0.3, 4: 0.15, 5: 0.08, 6: 0.05},
}
# By how much a type may be over its quota, so that instances with several still fit.
_SLACK: Final = {1: 1.0, 2: 1.08}
# Errors that only cost calls or rounds stand beside others; so many have none of these.
_COSTLESS: Final = 0.35
_MOST_OF_PLANNER: Final = 0.2


class Quotas:
    """How many instances are wanted, and of what; what has been taken is counted off."""

    def __init__(self, level1: int, level2: int, *, bound: bool = True) -> None:
        """Make quotas for so many instances of each level.

        bound: near the published marginals; else only the levels count.
        """
        wanted = {1: level1, 2: level2}
        left: Counter[Key] = Counter({(level, "all"): count for level, count in wanted.items()})
        if bound:
            left.update(dict(_types(wanted)))
            left.update(dict(_labels(wanted)))
            left.update(dict(_rounds(wanted)))
            left[2, "costless"] = math.ceil(left[2, "labels", 2] * _COSTLESS)
            left[2, "costless"] += math.ceil(left[2, "labels", 3] * _COSTLESS)
        most = math.ceil(_MOST_OF_PLANNER * (level1 + level2)) if bound else level1 + level2
        self._left, self._full, self._bound = left, left.copy(), bound
        self._most_of_planner = most
        self._planners: Counter[str] = Counter()

    def copy(self) -> "Quotas":
        """Return quotas that stand where these do."""
        other = Quotas(0, 0)
        other._left, other._full, other._bound = self._left.copy(), self._full, self._bound
        other._most_of_planner, other._planners = self._most_of_planner, self._planners.copy()
        return other

    def need(self, level: int, types: Sequence[ErrorType], rounds: int, agent: str) -> float:
        """Return how much such an instance is wanted: 0, not at all, to 1."""
        if self._planners[agent] >= self._most_of_planner:
            return 0.0
        times = self._counted(level, types, rounds)
        if any(self._left[key] < count for key, count in times.items()):
            return 0.0
        return min(self._left[key] / self._full[key] for key in times)

    def _counted(self, level: int, types: Sequence[ErrorType], rounds: int) -> Counter[Key]:
        """Return from which quotas an instance takes how much."""
        keys: list[Key] = [(level, "all")]
        if self._bound:
            keys += [(level, "labels", len(types)), (level, "rounds", min(rounds, MANY_ROUNDS))]
            keys += [(level, kind) for kind in types]
            if len(types) > 1 and COSTS.isdisjoint(types):
                keys.append((level, "costless"))
        return Counter(keys)

    def take(self, instance: Instance) -> bool:
        """Count an instance off; False where it is not wanted any more."""
        kind = _kind(instance)
        if not self.need(*kind):
            return False
        self.count_off(*kind)
        return True

    def give_back(self, instance: Instance) -> None:
        """Want another one such as an instance that was taken."""
        level, types, rounds, agent = _kind(instance)
        self._left.update(self._counted(level, types, rounds))
        self._planners[agent] -= 1

    def count_off(self, level: int, types: Sequence[ErrorType], rounds: int, agent: str) -> None:
        """Note that such an instance is taken."""
        self._left.subtract(self._counted(level, types, rounds))
        self._planners[agent] += 1

    @property
    def filled(self) -> bool:
        """Whether nothing more is wanted."""
        return not any(self._left[level, "all"] for level in (1, 2))


def _kind(instance: Instance) -> tuple[int, list[ErrorType], int, str]:
    """Return what quotas ask of an instance: level, types, rounds, planner."""
    types = [ErrorType(error["type"]) for error in instance.errors]
    rounds = len(instance.history) + bool(instance.tool_results)
    return instance.level, types, rounds, instance.agent


def _types(wanted: Mapping[int, int]) -> Iterator[tuple[Key, int]]:
    """Yield how often each type is wanted, at level 2 as one of one to three."""
    labels = {1: 1.0, 2: sum(number * share for number, share in LABELS.items())}
    for level, shares in TYPES.items():
        times = wanted[level] * labels[level] * _SLACK[level] / sum(shares.values())
        yield from (((level, kind), math.ceil(times * share)) for kind, share in shares.items())


def _labels(wanted: Mapping[int, int]) -> Iterator[tuple[Key, int]]:
    two, three = (round(wanted[2] * LABELS[number]) for number in (2, 3))
    yield (1, "labels", 1), wanted[1]
    yield (2, "labels", 1), wanted[2] - two - three
    yield (2, "labels", 2), two
    yield (2, "labels", 3), three


def _rounds(wanted: Mapping[int, int]) -> Iterator[tuple[Key, int]]:
    for level, shares in _MOST_ROUNDS.items():
        for rounds, share in shares.items():
            yield (level, "rounds", rounds), math.ceil(wanted[level] * share)
