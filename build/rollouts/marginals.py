"""Marginals of the published rollouts, and quotas after them.

The figures count labels by type over the records of the release (1,421 of level 1, 1,391 of level
2); its one label for a wrong answer to a tool's failure stands half for timeouts, half for empty
answers.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from trajectory.error_types import ErrorType
from trajectory.instance import Instance

Shares = Mapping[ErrorType, float]

LEVEL1: Final = 1421
LEVEL2: Final = 1391

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
# Rounds that ran before a snapshot of level 2; what the last says is of six and more.
ROUNDS: Final[Mapping[int, float]] = {
    0: 0.13, 1: 0.25, 2: 0.32, 3: 0.19, 4: 0.04, 5: 0.04, 6: 0.015
}  # fmt: skip
# One error has run on only after two rounds, so that fewer snapshots than these are earlier.
_MOST_ROUNDS: Final[Mapping[int, Mapping[int, float]]] = {
    1: {0: 0.12, 1: 0.45, 2: 0.3, 3: 0.2, 4: 0.12, 5: 0.08, 6: 0.06},
    2: {0: 0.12, 1: 0.27, 2: 0.42, 3: 0.3, 4: 0.15, 5: 0.08, 6: 0.05},
}
# By how much a type may be over its quota, so that instances with several still fit.
_SLACK: Final = 1.08
_MOST_OF_PLANNER: Final = 0.2


class Quotas:
    """How many instances are wanted, and of what; what has been taken is counted off."""

    def __init__(self, level1: int, level2: int) -> None:
        self.wanted = {1: level1, 2: level2}
        self._left: Counter[tuple[object, ...]] = Counter()
        for level, count in self.wanted.items():
            published = sum(TYPES[level].values())
            labels = count * (1 if level == 1 else sum(n * part for n, part in LABELS.items()))
            for kind, part in TYPES[level].items():
                self._left[level, kind] = math.ceil(labels * part / published * _slack(level))
            for rounds, part in _MOST_ROUNDS[level].items():
                self._left[level, "rounds", rounds] = math.ceil(count * part)
        self._left.update({(1, "labels", 1): level1})
        for number, left in _shared(level2).items():
            self._left[2, "labels", number] = left
        self._most_of_planner = math.ceil(_MOST_OF_PLANNER * (level1 + level2))
        self._planners: Counter[str] = Counter()
        self._full = dict(self._left)

    def copy(self) -> "Quotas":
        """Return quotas that stand where these do."""
        other = object.__new__(Quotas)
        other.__dict__ = {**self.__dict__, "_left": self._left.copy()}
        other.__dict__["_planners"] = self._planners.copy()
        return other

    def need(self, level: int, types: Iterable[ErrorType], rounds: int, agent: str) -> float:
        """Return how much such an instance is wanted: 0, not at all, to 1."""
        keys = _keys(level, list(types), rounds)
        if self._planners[agent] >= self._most_of_planner or self._over(keys):
            return 0.0
        return min(self._left[key] / self._full[key] for key in keys)

    def _over(self, keys: list[tuple[object, ...]]) -> bool:
        times = Counter(keys)
        return any(self._left[key] < count for key, count in times.items())

    def take(self, instance: Instance) -> bool:
        """Count an instance off; False where it is not wanted any more."""
        types = [ErrorType(error["type"]) for error in instance.errors]
        rounds = len(instance.history) + bool(instance.tool_results)
        if not self.need(instance.level, types, rounds, instance.agent):
            return False
        self._left.subtract(_keys(instance.level, types, rounds))
        self._planners[instance.agent] += 1
        return True

    @property
    def filled(self) -> bool:
        """Whether nothing more is wanted."""
        return not any(self._left[level, "labels", n] for level in (1, 2) for n in LABELS)


def _slack(level: int) -> float:
    return _SLACK if level == 2 else 1.0


def _shared(count: int) -> dict[int, int]:
    """Return how many records have how many labels."""
    two, three = (round(count * LABELS[number]) for number in (2, 3))
    return {1: count - two - three, 2: two, 3: three}


def _keys(level: int, types: list[ErrorType], rounds: int) -> list[tuple[object, ...]]:
    number = len(types) if level == 2 else 1
    kinds: list[tuple[object, ...]] = [(level, kind) for kind in types]
    return [*kinds, (level, "labels", number), (level, "rounds", min(rounds, 6))]
