"""One text for one value: canonical JSON, its digest, and strict reading.

Two values that mean the same (key order, ``25`` against ``25.0``) have the same canonical
text on every machine and Python version, so the text can be compared, hashed and frozen.
"""

import hashlib
import json
import math
from typing import Any

import orjson

# Above this, neighbouring floats are more than 1 apart and "integral" says nothing.
_EXACT = 2**53


def dumps(value: Any) -> str:
    """Return the canonical JSON text of `value`.

    Keys sorted by code point, no spaces, no escapes beyond JSON's own; a float that is a
    whole number below 2**53 is written as an integer. Raises ValueError on NaN and
    infinities, TypeError on what JSON cannot hold.
    """
    return json.dumps(
        normal(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


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
    """Say whether two JSON values mean the same; unlike ``==``, true is not 1."""
    return dumps(left) == dumps(right)


def loads(text: str | bytes) -> Any:
    """Parse strict JSON: no NaN, no infinities, no trailing text.

    Raises ValueError (with the position) on anything else, also on nesting too deep to
    read. What orjson refuses although JSON allows it (integers beyond 64 bits, lone
    surrogates) is read by the standard library.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return _loads_slowly(text)


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
