"""What a value says, however it is spelled: its words, numbers, days and times.

Two spellings of one value share a key: ``25`` and "25.0", "2026-03-02" and "March 2, 2026",
"bk-7B02" and "BK 7b02", "house" and "Houses". A day written with figures only ("02/03/2026")
has a key for either way to read it.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from trajectory import canonical

# A value of at least this weight tells by itself where it comes from (`weight`).
DISTINCT: Final = 4

Key = tuple[str, str]


@dataclass(frozen=True)
class Content:
    """What a text says: its words (see `singular`) between single spaces, and the keys in it."""

    words: str
    numbers: frozenset[str]
    days: frozenset[str]
    times: frozenset[str]


@lru_cache(maxsize=65536)
def content_of(text: str) -> Content:
    """Return what a text says."""
    return Content(
        f" {' '.join(_words(text))} ",
        frozenset(_numbers(text)),
        frozenset(day for match in _DAY.finditer(text) for day in _days_of(match)),
        frozenset(filter(None, map(_time_of, _TIME.finditer(text)))),
    )


def keys_of(value: Any) -> frozenset[Key]:
    """Return the keys of a scalar; other values and texts without letters or figures have none."""
    if isinstance(value, bool) or value is None:
        return frozenset()
    if isinstance(value, int | float):
        return frozenset((("number", canonical.dumps(value)),))
    return _keys_of_text(value) if isinstance(value, str) else frozenset()


@lru_cache(maxsize=65536)
def _keys_of_text(text: str) -> frozenset[Key]:
    number = _AMOUNT.fullmatch(text)
    if number is not None:
        return frozenset((("number", _number_text(number["number"])),))
    found: set[Key] = set()
    day = _DAY.search(text)
    if day is not None:
        rest = text[: day.start()] + text[day.end() :]
        time = _TIME.search(rest)
        clock = _time_of(time) if time else ""
        if not _BESIDE_DAY.sub("", _TIME.sub("", rest)):
            late = "" if clock in ("", "00:00") else f" {clock}"
            found.update(("day", f"{iso}{late}") for iso in _days_of(day))
    time = _TIME.fullmatch(text.strip())
    if time is not None and _time_of(time):
        found.add(("time", _time_of(time)))
    letters = "".join(_words(text))
    if letters and not found:
        found.add(("letters", letters))
    return frozenset(found)


def weight(value: Any) -> int:
    """Return how telling a value is: about its number of characters that carry information.

    0 for booleans, null and the empty text; for a number one more than its significant digits,
    2 for a year; 3 for a time of day; the letters and figures of other texts, 1 for a common word
    such as "active".
    """
    if isinstance(value, bool) or value is None:
        return 0
    if isinstance(value, int | float):
        return _weight_of_number(canonical.dumps(value))
    if isinstance(value, str):
        return _weight_of_text(value)
    inner = value.values() if isinstance(value, dict) else value
    return sum(map(weight, inner))


@lru_cache(maxsize=65536)
def _weight_of_text(text: str) -> int:
    kinds = dict(keys_of(text))
    if "number" in kinds:
        return _weight_of_number(kinds["number"])
    if "day" in kinds:
        return DISTINCT + 2
    if "time" in kinds:
        return DISTINCT - 1
    letters = kinds.get("letters", "")
    return min(len(letters), 1) if letters in _COMMON else len(letters)


def _weight_of_number(number: str) -> int:
    is_year = number.isdecimal() and 1900 <= int(number) <= 2100
    return 2 if is_year else 1 + _digits(number)


def _digits(number: str) -> int:
    return len(number.lstrip("-").partition("e")[0].replace(".", "").strip("0"))


def is_rounded(rough: float, exact: float) -> bool:
    """Say whether one number is the other with fewer digits: rounded, cut off or rounded up."""
    if rough == exact or not rough:
        return False
    text = canonical.dumps(rough)
    if "e" in text or len(canonical.dumps(exact)) > 30:
        return False
    _, _, fraction = text.partition(".")
    zeros = 0 if fraction else len(text) - len(text.rstrip("0"))
    step = 10.0 ** (zeros - len(fraction))
    return abs(rough - exact) < step * (1 - 1e-9) and _digits(text) < _digits(
        canonical.dumps(exact)
    )


class Said:
    """What the user's request says."""

    def __init__(self, request: str) -> None:
        self.content = content_of(request)
        letters = self.content.words.split()
        self._words = frozenset(letters)
        self._letters = "".join(letters)

    def says(self, value: Any) -> bool:
        """Say whether the request holds a scalar, whatever the spelling."""
        return any(self._has(key) for key in keys_of(value))

    def _has(self, key: Key) -> bool:
        kind, text = key
        if kind == "number":
            return text.lstrip("-") in self.content.numbers
        if kind == "day":
            iso = text[:10]
            return iso in self.content.days or iso[4:] in self.content.days
        if kind == "time":
            return text in self.content.times
        return _within(text, self.content.words, self._letters)

    def covers(self, text: str) -> bool:
        """Say whether at least half of the longer words of a text stand in the request."""
        words = [word for word in content_of(text).words.split() if len(word) > 2]
        return bool(words) and 2 * sum(word in self._words for word in words) >= len(words)


def _within(letters: str, words: str, run: str) -> bool:
    """Say whether letters stand in a text as whole words, spaces aside."""
    if letters not in run:
        return False
    pattern = r"\b" + " ?".join(map(re.escape, letters)) + r"\b"
    return re.search(pattern, words) is not None


def stands_in(value: Any, text: str) -> bool:
    """Say whether a scalar stands inside a longer text as whole words, a number or a day."""
    there = content_of(text)
    for kind, key in keys_of(value):
        if kind == "number" and key in there.numbers:
            return True
        if kind == "day" and key[:10] in there.days:
            return True
        if kind == "letters" and _whole(value, there.words):
            return True
    return False


def _whole(value: str, words: str) -> bool:
    inner = content_of(value).words
    return inner in words and len(inner) < len(words)


# --- numbers -----------------------------------------------------------------------------------

_FIGURES: Final = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_NUMBER: Final = re.compile(
    rf"(?<![\w.\-/:])(?P<number>-?(?:{_FIGURES}))(?!\d|[.,:/\-]\d|[A-Za-z]+\d)"
)
_UNIT: Final = r"[$€£¥%]|[A-Z]{3}|°?[CF]|(?:[kcm]?m²?|[km]?g|m?l|k?wh?|h|hours?|min|minutes?|s)"
_AMOUNT: Final = re.compile(
    rf"\s*(?:[$€£¥]\s*|[A-Z]{{3}}\s+)?(?P<number>-?(?:{_FIGURES}))\s*(?:{_UNIT})?\s*"
)
_UNITS: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SPOKEN: Final = {
    **{word: number for number, word in enumerate(_UNITS)},
    **{word: 10 * number for number, word in enumerate(_TENS, 2)},
    **{
        f"{ten}-{unit}": 10 * number + single
        for number, ten in enumerate(_TENS, 2)
        for single, unit in enumerate(_UNITS[1:10], 1)
    },
    "once": 1,
    "twice": 2,
    "dozen": 12,
    "hundred": 100,
    "thousand": 1000,
}
_SPOKEN_WORD: Final = re.compile(
    r"\b(?:" + "|".join(sorted(_SPOKEN, key=len, reverse=True)) + r")\b", re.IGNORECASE
)


def _numbers(text: str) -> Iterator[str]:
    for match in _NUMBER.finditer(text):
        yield _number_text(match["number"])
    for match in _SPOKEN_WORD.finditer(text):
        yield str(_SPOKEN[match[0].lower()])


def _number_text(figures: str) -> str:
    number = figures.replace(",", "")
    return canonical.dumps(float(number) if "." in number else int(number[:300]))


# --- days and times ----------------------------------------------------------------------------

_MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY: Final = re.compile(
    rf"""(?<![\w\-/.])(?:
      (?P<y>\d{{4}})(?P<sep>[-/.])(?P<m>\d{{1,2}})(?P=sep)(?P<d>\d{{1,2}})
    | (?P<a>\d{{1,2}})(?P<sep2>[-/.])(?P<b>\d{{1,2}})(?P=sep2)(?P<y2>\d{{4}})
    | (?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m3>{_MONTH})\b\.?(?:,?\s+(?P<y3>\d{{4}}))?
    | (?P<m4>{_MONTH})\b\.?\s+(?:the\s+)?(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)
      (?:,?\s+(?P<y4>\d{{4}}))?
    )(?!\d)""",
    re.VERBOSE | re.IGNORECASE,
)
_TIME: Final = re.compile(
    r"""(?<![\d:.])(?:
      (?P<h>\d{1,2}):(?P<min>\d\d)(?::\d\d(?:\.\d+)?)?\s*(?P<half>[ap]\.?m\b\.?)?
    | (?P<h2>\d{1,2})\s*(?P<half2>[ap]\.?m\b\.?)
    )(?![\d:])""",
    re.VERBOSE | re.IGNORECASE,
)
# Weekdays, "T", "Z", commas and the like say nothing beside a day.
_BESIDE_DAY: Final = re.compile(
    r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|[TZ]|at|on|the|\W",
    re.IGNORECASE,
)


def _days_of(match: re.Match[str]) -> Iterator[str]:
    """Yield the day as YYYY-MM-DD, without a year as -MM-DD; both where two are possible."""
    part = match.groupdict()
    if part["y"]:
        yield from _day(part["y"], int(part["m"]), int(part["d"]))
    elif part["y2"]:
        first, second = int(part["a"]), int(part["b"])
        yield from _day(part["y2"], first, second)
        if first != second:
            yield from _day(part["y2"], second, first)
    else:
        month = _MONTHS.index((part["m3"] or part["m4"])[:3].lower()) + 1
        yield from _day(part["y3"] or part["y4"] or "", month, int(part["d3"] or part["d4"]))


def _day(year: str, month: int, day: int) -> Iterator[str]:
    if 1 <= month <= 12 and 1 <= day <= 31:
        yield f"{year}-{month:02}-{day:02}"


def _time_of(match: re.Match[str]) -> str:
    """Return the time as HH:MM, "" where there is no such time."""
    hour, minute = int(match["h"] or match["h2"]), int(match["min"] or 0)
    half = (match["half"] or match["half2"] or "").lower()
    if half and not 1 <= hour <= 12:
        return ""
    if half:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    return f"{hour:02}:{minute:02}" if hour < 24 and minute < 60 else ""


# --- words -------------------------------------------------------------------------------------

_WORD: Final = re.compile(r"[^\W_]+")


def _words(text: str) -> list[str]:
    """Return the words of a text in lower case and the singular."""
    return list(map(singular, _WORD.findall(unicodedata.normalize("NFKC", text).casefold())))


def singular(word: str) -> str:
    """Return a word in lower case without the ending of a plural: rough, but always the same."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plural else word


_COMMON: Final = frozenset(
    """
    active all any approved available basic booked business cancelled celsius closed completed
    confirmed created daily default delivered done economy eur euro failed false first gbp good
    healthy high imperial inactive kilometers kilometres low medium metric miles moderate monday
    monthly morning moderate new none normal null open paid pending premium processed ready
    scheduled sent shipped standard success successful sunny true unknown updated urgent usd valid
    verified weekly yearly yes
    """.split()
)
