"""Whether a parameter and a key of a result are named alike: hotel_id and hotels[0].id are."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from build.button.content import singular

# Words that say little about what a value is.
_GENERIC: Final = frozenset(
    "code data date day id info item key list name number result text type value".split()
)
_PART: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+")


@dataclass(frozen=True)
class Name:
    """What a value is called: the words of its own key, and those of what it stands in."""

    own: frozenset[str]
    around: frozenset[str] = frozenset()


@lru_cache(maxsize=65536)
def name_of(keys: tuple[str, ...], around: str = "") -> Name:
    """Return the name of a value under these keys, the outermost first, inside `around`."""
    outer = frozenset[str]().union(*map(words, (around, *keys[:-1])))
    return Name(words(keys[-1]) if keys else frozenset(), outer)


@lru_cache(maxsize=65536)
def words(key: str) -> frozenset[str]:
    """Return the words of a key in lower case and the singular; figures are left out."""
    return frozenset(singular(part.lower()) for part in _PART.findall(key))


@lru_cache(maxsize=65536)
def agreement(wanted: Name, found: Name) -> int:
    """Return how well a parameter and a key agree: 2 named alike, 1 related, 0 not.

    Named alike: a word in common, and all of the parameter's words, a telling one among them,
    are in the key or in what it stands in. Related: a telling word in common, or the words of
    one contain those of the other ("date" and "start_date").
    """
    shared = wanted.own & found.own
    everything = found.own | found.around
    telling = (wanted.own & everything) - _GENERIC
    if shared and telling and wanted.own <= everything:
        return 2
    contained = bool(shared) and (wanted.own <= found.own or found.own <= wanted.own)
    return int(bool(telling) or contained)
