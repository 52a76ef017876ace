"""Reading what a judge answered, strictly: what has not one meaning is unscored, never a 0.

The asked form is one JSON object: item → {"reason": text, "score": 1, 0.5 or 0}. Prose and fences
around it are passed over, and so is thinking. A score may be a bare number, and a number in quotes;
anything else ("1 / 0.5 / 0", 0.7, true, "N/A") is none. Where an item is scored twice and not
alike, nothing is known of it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from eval.rubric import SCORES
from models.repair import strict
from models.tags import split
from trajectory.files import shortened

# Braces at which an object is looked for: an answer has few, and each costs a reading.
_MOST_STARTS: Final = 100
_SAID: Final[Mapping[str, float]] = {"0": 0.0, "0.0": 0.0, "0.5": 0.5, "1": 1.0, "1.0": 1.0}


@dataclass(frozen=True)
class Verdict:
    """What was read of the items that were asked for.

    scores, reasons: by item; a score is None where it can't be read, and `problems` says why.
    """

    scores: Mapping[str, float | None]
    reasons: Mapping[str, str]
    problems: Mapping[str, str]

    @property
    def read(self) -> int:
        """How many items are scored."""
        return sum(score is not None for score in self.scores.values())

    @property
    def whole(self) -> bool:
        """Whether all of them are."""
        return self.read == len(self.scores)


def unread(items: Sequence[str], why: str) -> Verdict:
    """Return the verdict in which nothing could be read."""
    return Verdict(dict.fromkeys(items), {}, dict.fromkeys(items, why))


def read_verdict(text: str, items: Sequence[str]) -> Verdict:
    """Read a judge's answer to a question about some items; never raises."""
    asked = frozenset(items)
    found = [one for one in _objects(text) if asked & {key for key, _ in one}]
    if not found:
        return unread(items, "no JSON object with the items")
    scores: dict[str, float | None] = {}
    reasons: dict[str, str] = {}
    problems: dict[str, str] = {}
    for item in items:
        told = [value for pairs in found for key, value in pairs if key == item]
        scores[item], problem = _score(told)
        if problem:
            problems[item] = problem
        reason = next((why for value in told if (why := _reason(value))), "")
        if reason:
            reasons[item] = reason
    return Verdict(scores, reasons, problems)


def _score(told: Sequence[Any]) -> tuple[float | None, str]:
    """Return the one score that the entries of an item give, else why there is none."""
    if not told:
        return None, "missing"
    given = []
    for value in told:
        some = [one for key, one in value if key == "score"] if _is_object(value) else [value]
        if not some:
            return None, "no score"
        given += some
    scores = [_number(value) for value in given]
    if None in scores:
        wrong = given[scores.index(None)]
        return None, f"{shortened(wrong)} is none of 0, 0.5, 1"
    if len(set(scores)) > 1:
        return None, "scored twice and not alike"
    return scores[0], ""


def _number(value: Any) -> float | None:
    if isinstance(value, str):
        return _SAID.get(value.strip())
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if value in SCORES else None


def _reason(value: Any) -> str:
    if not _is_object(value):
        return ""
    return next((one for key, one in value if key == "reason" and isinstance(one, str)), "")


class _Pairs(list[tuple[str, Any]]):
    """An object's keys and values as they stand, a repeated key too."""


def _is_object(value: Any) -> bool:
    return isinstance(value, _Pairs)


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_Pairs)


def _objects(text: str) -> Iterator[_Pairs]:
    """Yield the outermost objects outside of thinking, in their order."""
    whole = strict(text, 0, len(text))
    for section in split(text, (whole.start, whole.end) if whole else None):
        if section.kind != "reasoning":
            yield from _in(text[section.start : section.end])


def _in(text: str) -> Iterator[_Pairs]:
    start = text.find("{")
    for _ in range(_MOST_STARTS):
        if start < 0:
            return
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            yield value
        start = text.find("{", end)


def schema(order: Sequence[str]) -> dict[str, Any]:
    """Return the JSON schema of a verdict, for judges that answer in the form of one."""
    entry = {
        "type": "object",
        "properties": {
            "reason": {"type": "string"},
            "score": {"type": "number", "enum": [1, 0.5, 0]},
        },
        "required": ["reason", "score"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": dict.fromkeys(order, entry),
        "required": list(order),
        "additionalProperties": False,
    }
