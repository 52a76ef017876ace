"""From items to dimensions: S, D, E and overall of one row (metrics.md, "The SDE rubric").

A dimension is the mean of its five items, overall the mean of the three; all in [0, 1]. S5 is
whether the updated plan is a legal graph. E5 is the verified E5 of the row's execution; on an
imported release, where nothing is proven, the paper's.
"""

from collections.abc import Mapping
from typing import Final

from environment.opening import RELEASE
from eval.metrics import INVALID_DAG, PARTS
from eval.rubric import DIMENSIONS, ITEMS

Items = Mapping[str, float | None]
Bounds = tuple[float, float]

_FIVE: Final = {name: (*items, f"{name}5") for name, items in DIMENSIONS.items() if name != "D"}
_ALL: Final = {**DIMENSIONS, **_FIVE}
NOTHING: Final[Items] = dict.fromkeys(ITEMS, 0.0)


def executed(values: Mapping[str, float | None], edition: str) -> Items:
    """Return S5 and E5 of a row by its other metrics; None where nobody can know them."""
    invalid = values.get(INVALID_DAG)
    e5 = values.get("e5" if edition == RELEASE else "verified_e5")
    return {"S5": None if invalid is None else 1.0 - invalid, "E5": e5}


def dimensions(items: Items) -> dict[str, float | None]:
    """Return s, d, e and overall of all 15 items; None where an item of it is unscored."""
    found = {name.lower(): _mean([items.get(item) for item in _ALL[name]]) for name in _ALL}
    return {part: found[part] if part in found else _mean([*found.values()]) for part in PARTS}


def bounds(items: Items) -> dict[str, Bounds]:
    """Return the least and the most that s, d, e and overall can be, whatever is unscored."""
    every = [item for some in _ALL.values() for item in some]
    least, most = (
        dimensions({item: end if items.get(item) is None else items[item] for item in every})
        for end in (0.0, 1.0)
    )
    return {part: (least[part] or 0.0, most[part] or 0.0) for part in PARTS}


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if len(known) == len(values) else None
