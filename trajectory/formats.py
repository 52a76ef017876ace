"""Formats of texts, checked strictly: dates and times as RFC 3339 has them, e-mail addresses."""

import datetime
import re
from collections.abc import Callable, Mapping
from typing import Final

_TIME = re.compile(r"([0-9]{2}:[0-9]{2}:[0-9]{2})(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})")
_EMAIL = re.compile(
    r"(?=.{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@(?=.{1,255}\Z)(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+"
    r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
)


def is_date(text: str) -> bool:
    """Say whether `text` is a day of the calendar, written YYYY-MM-DD."""
    # fromisoformat takes other ways of writing a day as well.
    if len(text) != 10 or not text[4] == text[7] == "-":
        return False
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_time(text: str) -> bool:
    """Say whether `text` is a time of day with its offset, as in 14:30:00Z; no leap seconds."""
    match = _TIME.fullmatch(text)
    if match is None:
        return False
    clock, _, offset = match.groups()
    try:
        datetime.time.fromisoformat(clock)
        return offset in "Zz" or bool(datetime.time.fromisoformat(offset[1:]))
    except ValueError:
        return False


def is_date_time(text: str) -> bool:
    """Say whether `text` is a day and a time with offset, as in 2026-03-14T09:30:00+01:00."""
    return len(text) > 11 and text[10] in "Tt" and is_date(text[:10]) and is_time(text[11:])


def is_email(text: str) -> bool:
    """Say whether `text` is an address such as ana@example.com, its domain with a dot."""
    return _EMAIL.fullmatch(text) is not None


# Each format: its check, and how a message names what is wanted.
FORMATS: Final[Mapping[str, tuple[Callable[[str], bool], str]]] = {
    "date": (is_date, "a date as YYYY-MM-DD"),
    "time": (is_time, "a time as HH:MM:SSZ"),
    "date-time": (is_date_time, "a date and time as YYYY-MM-DDTHH:MM:SSZ"),
    "email": (is_email, "an e-mail address"),
}
