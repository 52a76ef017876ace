"""Sizes: a plan's number of calls must not tell that one is missing from it, or one too many.

A call left out makes a plan smaller by one, a needless one larger. So of the tasks that such an
error may be put into, those are taken for which the sizes that come out are those of all tasks.
"""

from collections.abc import Collection, Mapping
from typing import Final

from build.gold import Gold
from build.seeds.compose import CALLS
from environment.world import generator
from trajectory.error_types import ErrorType

# How much an error changes the number of calls by.
_CHANGE: Final[Mapping[ErrorType, int]] = {
    ErrorType.MISSING_CALL: -1,
    ErrorType.REDUNDANT_CALL: 1,
}
# The largest ratio of shares that is taken in full; what is over it is rare.
_FULL: Final = 1.6


def suits(gold: Gold, types: Collection[ErrorType], key: str) -> bool:
    """Draw whether errors of these types are put into a task; always the same for one key."""
    ratio = _ratio(gold.calls_gt, sum(_CHANGE.get(kind, 0) for kind in types))
    return ratio is None or generator(0, "size", gold.id, key).random() < ratio / _FULL


def _ratio(calls: int, change: int) -> float | None:
    """Return how common plans of the new size are for each of this one; None for no change."""
    if not change:
        return None
    return CALLS.get(calls + change, 0) / CALLS[calls]
