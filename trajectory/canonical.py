"""One text for one value: canonical JSON, its digest, and strict reading.

Two values that mean the same (key order, ``25`` against ``25.0``) have the same canonical
text on every machine and Python version, so the text can be compared, hashed and frozen.
"""

import hashlib
import json
import math
from collections.abc import Sequence
from typing import Any, Final

import orjson

# Above this, neighbouring floats are more than 1 apart and "integral" says nothing.
_EXACT = 2**53

# Deeper than any real plan, shallow enough for every recursive reader of one.
DEEPEST: Final = 100
_NESTING: Final = frozenset((dict, list))
_NUMBERS: Final = frozenset((int, float))
_PLAIN: Final = frozenset((str, bool, int, type(None)))
_LEAVES: Final = _PLAIN | _NUMBERS

# A run of 19 digits may be an integer beyond 64 bits, which orjson would round.
_DIGITS = bytes.maketrans(b"123456789", b"0" * 9)
_LONG_NUMBER = b"0" * 19


def dumps(value: Any) -> str:
    """Return the canonical JSON text of `value`.

    Keys sorted by code point, no spaces, no escapes beyond JSON's own; a float that is a
    whole number below 2**53 is written as an integer. Raises ValueError on NaN, infinities
    and nesting beyond the interpreter's stack, TypeError on what JSON cannot hold.
    """
    try:
        return json.dumps(
            normal(value),
            sort_keys=True,
            separators=(",", ":"),
            ensure_ascii=False,
            allow_nan=False,
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None


def digest(value: Any) -> str:
    """Return the SHA-256 of the canonical text of `value`, 64 hex digits."""
    return text_digest(dumps(value))


def text_digest(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, 64 hex digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def normal(value: Any) -> Any:
    """Return `value` with whole floats as integers and tuples as lists, at every depth."""
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < _EXACT else value
    if isinstance(value, dict):
        return {key: normal(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [normal(item) for item in value]
    return value


def same(left: Any, right: Any) -> bool:
    """Say whether two JSON values mean the same; unlike ``==``, true is not 1.

    May raise as `dumps` does.
    """
    # Executions of one task share their results.
    if left is right:
        return True
    try:
        if left == right:
            if _plainly_same(left, right):
                return True
        elif _plainly_other(left, right):
            return False
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return dumps(left) == dumps(right)


def _plainly_same(left: Any, right: Any) -> bool:
    """Say of two equal values whether they are of the same kinds; False also where unsure."""
    kind = type(left)
    if kind is dict:
        return _all_plainly_same([*left.values()], [right[key] for key in left])
    if kind is list or kind is tuple:
        return _all_plainly_same(left, right)
    if kind is type(right):
        return kind in _LEAVES and (kind is not float or math.isfinite(left))
    return kind in _NUMBERS and type(right) in _NUMBERS and abs(left) < _EXACT


def _all_plainly_same(left: Sequence[Any], right: Sequence[Any]) -> bool:
    kinds = [*map(type, left)]
    # Most objects and lists hold no further ones, and no numbers that have two forms.
    if _PLAIN.issuperset(kinds) and kinds == [*map(type, right)]:
        return True
    return all(map(_plainly_same, left, right))


def _plainly_other(left: Any, right: Any) -> bool:
    """Say of two unequal values whether they surely differ; False also where unsure."""
    kind = type(left)
    if kind is not type(right):
        return False
    if kind is dict:
        shared = (name for name in left if type(name) is str and name in right)
        return any(
            left[name] != right[name] and _plainly_other(left[name], right[name]) for name in shared
        )
    return kind is str or kind is int


def loads(text: str | bytes) -> Any:
    """Parse strict JSON: no NaN, no infinities, no trailing text.

    Raises ValueError (with the position) on anything else, also on nesting too deep to
    read. What orjson refuses or rounds although JSON allows it (lone surrogates, integers
    beyond 64 bits) is read by the standard library.
    """
    try:
        data = text.encode() if isinstance(text, str) else text
        if _LONG_NUMBER in data.translate(_DIGITS):
            return _loads_slowly(text)
        return orjson.loads(data)
    except (UnicodeEncodeError, orjson.JSONDecodeError):
        return _loads_slowly(text)


def too_deep(value: Any, limit: int = DEEPEST) -> bool:
    """Say whether a JSON value holds more than `limit` lists and objects one within another."""
    if type(value) not in _NESTING:
        return False
    if limit == 0:
        return True
    for item in value.values() if type(value) is dict else value:
        if type(item) in _NESTING and too_deep(item, limit - 1):
            return True
    return False


def _loads_slowly(text: str | bytes) -> Any:
    if isinstance(text, bytes):
        text = text.decode("utf-8")
    try:
        return json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits} is beyond the range of a number")
    return number
