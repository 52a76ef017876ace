"""What can go wrong with a question to a model, and what follows from it.

What a repeat can mend is tried again; what is the model's own failure counts as its answer; what
no repeat mends (a wrong key, an unknown model) stops everything, as an InputError of one line.
"""

import datetime
import email.utils
import math
import os
import re
from typing import Any, Final, Literal

from trajectory.files import one_line, shortened

Kind = Literal["again", "overflow", "filter", "permanent"]

_AGAIN: Final = frozenset((408, 409, 425, 429))
_SECRET: Final = re.compile(r"(?:sk|key|Bearer)[-_ ][\w*.-]{4,}", re.IGNORECASE)
_SECRETS: Final = ("_KEY", "_KEY_ID", "_TOKEN", "_SECRET", "_PASSWORD")
_OVERFLOW: Final = re.compile(
    r"context.?(?:length|window)|maximum context|too many tokens|prompt is too long", re.IGNORECASE
)
_SHOWN: Final = 300
_LONGEST_WAIT: Final = 300.0


class ModelTroubleError(Exception):
    """A question that brought no reply; the text says why in one line, without a key."""


class UnreachableError(ModelTroubleError):
    """All attempts met what a repeat can mend: a failure of the harness, not of the model."""


class LateError(ModelTroubleError):
    """The deadline passed: counted as the model's failure."""


class OverflowedError(ModelTroubleError):
    """The question is longer than the model's context: counted as the model's failure."""


class FilteredError(ModelTroubleError):
    """The provider's filter refused question or reply: counted as the model's failure."""


class SpentError(ModelTroubleError):
    """The budget is reached; no call was started."""


def kind_of(error: Exception) -> Kind:
    """Say what follows from an error of litellm."""
    name, status = type(error).__name__, getattr(error, "status_code", None)
    if name == "ContextWindowExceededError":
        return "overflow"
    if name == "ContentPolicyViolationError":
        return "filter"
    if name in ("Timeout", "APIConnectionError", "RateLimitError", "JSONDecodeError"):
        return "again"
    if isinstance(status, int) and 400 <= status < 500 and status not in _AGAIN:
        return "overflow" if _OVERFLOW.search(str(error)) else "permanent"
    return "again"


def wait_told(error: Exception) -> float | None:
    """Return the seconds that Retry-After asks for, at most five minutes; None without one."""
    told = _headers(error).get("retry-after")
    if not told:
        return None
    try:
        seconds = float(told)
    except ValueError:
        seconds = _until(str(told))
    return None if math.isnan(seconds) else min(max(seconds, 0.0), _LONGEST_WAIT)


def _headers(error: Exception) -> dict[str, Any]:
    """Return the headers of the response behind an error, names in small letters."""
    response = getattr(error, "response", None)
    found = getattr(error, "litellm_response_headers", None) or getattr(response, "headers", None)
    return {str(name).lower(): value for name, value in dict(found or {}).items()}


def _until(date: str) -> float:
    """Return the seconds until an HTTP date; 0 for what is none."""
    try:
        when = email.utils.parsedate_to_datetime(date)
    except ValueError:
        return 0.0
    if when.tzinfo is None:
        when = when.replace(tzinfo=datetime.UTC)
    return (when - datetime.datetime.now(datetime.UTC)).total_seconds()


def told(error: BaseException) -> str:
    """Return an error as one short line without keys."""
    return shortened(scrubbed(one_line(str(error) or type(error).__name__)), _SHOWN)


def scrubbed(text: str) -> str:
    """Return a text without what looks like a key, and without the keys of the environment."""
    for name, value in os.environ.items():
        if name.endswith(_SECRETS) and len(value) >= 8:
            text = text.replace(value, "[key]")
    return _SECRET.sub("[key]", text)
