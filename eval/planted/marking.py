"""How often a rater is right about planted answers, item by item."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import numpy as np

from eval.intervals import Estimate, wilson
from eval.planted.answer import Planted
from eval.rubric import DIMENSIONS, ITEMS, SCORES

K = TypeVar("K", str, float)

ALL = "all"


class Given(NamedTuple):
    """A planted answer, and what a rater gave it by item; None: unscored."""

    answer: Planted
    items: Mapping[str, float | None]
    reasons: Mapping[str, str] = MappingProxyType({})

    @property
    def score(self) -> float | None:
        """What the item that the answer is about was given."""
        return self.items.get(self.answer.item)

    @property
    def reason(self) -> str:
        """Why."""
        return self.reasons.get(self.answer.item, "")

    @property
    def is_right(self) -> bool:
        """Whether the rater gave the right score; unscored is not right."""
        return self.score == self.answer.score


@dataclass(frozen=True)
class Accuracy:
    """How often a rater is right about an item, or about all.

    right: share of n, with Wilson's 95% interval. error: mean absolute error of what is scored.
    by_language, by_score: shares of parts. unscored: how many. confusion: rows by the right score
    of 0, 0.5, 1, columns by the given one.
    """

    item: str
    n: int
    right: Estimate
    error: float
    by_language: Mapping[str, float]
    by_score: Mapping[float, float]
    unscored: int
    confusion: Sequence[Sequence[int]]


def accuracies(given: Sequence[Given]) -> list[Accuracy]:
    """Return the accuracy on each item that has answers, in the rubric's order, and on all."""
    items = [item for item in ITEMS if any(one.answer.item == item for one in given)]
    parts = [[one for one in given if one.answer.item == item] for item in items]
    return [
        _accuracy(item, some) for item, some in zip([*items, ALL], [*parts, given], strict=True)
    ]


def _accuracy(item: str, given: Sequence[Given]) -> Accuracy:
    share = _share(given)
    tasks = len({one.answer.id for one in given})
    scored = [(one.answer.score, one.score) for one in given if one.score is not None]
    confusion = np.zeros((len(SCORES), len(SCORES)), int)
    for right, got in scored:
        confusion[SCORES.index(right), SCORES.index(got)] += 1
    return Accuracy(
        item=item,
        n=len(given),
        right=Estimate(share, len(given), tasks, wilson(share, len(given)), "wilson"),
        error=float(np.mean([abs(a - b) for a, b in scored])) if scored else float("nan"),
        by_language=_by(given, lambda one: one.answer.language),
        by_score=_by(given, lambda one: one.answer.score),
        unscored=len(given) - len(scored),
        confusion=confusion.tolist(),
    )


def _share(given: Iterable[Given]) -> float:
    return float(np.mean([one.is_right for one in given]))


def _by(given: Sequence[Given], key: Callable[[Given], K]) -> dict[K, float]:
    keys = sorted({key(one) for one in given})
    return {name: _share([one for one in given if key(one) == name]) for name in keys}


def trivial_means(given: Sequence[Given]) -> dict[str, float]:
    """Return the mean of D1 to D5 by what the answers are; what is unscored counts nowhere."""
    found: dict[str, list[float]] = {}
    for one in given:
        known = [score for item in DIMENSIONS["D"] if (score := one.items.get(item)) is not None]
        found.setdefault(one.answer.change, []).extend(known)
    return {name: float(np.mean(scores)) for name, scores in found.items() if scores}
