"""A planted answer."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Planted:
    """An answer to an instance, and the score that it is right to give one item of it.

    id: of the instance. item: one of `rubric.ITEMS`. score: 0, 0.5 or 1. language: en or zh.
    answer_text: as a model would write it. change: what was done to the truth, in a few words.
    """

    id: str
    item: str
    score: float
    language: str
    answer_text: str
    change: str
