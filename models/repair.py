"""Finding JSON in a text, and mending the spelling of what is not quite JSON.

A repair changes how a value is spelled, never the value: other quotes, unquoted keys, Python's
True and None, comments, trailing commas, raw line breaks in strings. It adds no key, no string
and no object. Where a text breaks off, whole nodes are kept as they were written and the torn
one is dropped. What would have to be guessed (a quote inside a string, an object left open in
the middle, NaN) is refused with its position.

json-repair is not used for this: it guesses structure (of `{"para": {"a": 1, "dep": []` it makes
dep an argument) and takes time that grows with the square of the text.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final

from trajectory import canonical

# orjson itself stops at 1,024; whoever walks through a value by recursion needs room as well.
MAX_DEPTH: Final = 100
_NESTED = f"nested deeper than {MAX_DEPTH} brackets"

_OBJECT = re.compile(r"""\{\s*(?:["'“”„‘’/#}]|[\w$]+\s*[:：])""")
_AFTER_BREAK = re.compile(rf"""{_OBJECT.pattern}|["']tasks["']\s*:\s*\[""")
_TASKS = '"tasks"'
_BEGINNING = re.compile(rf"""{_OBJECT.pattern}|\[\s*[{{/#]""")
_TOKEN = re.compile(
    r"""
      (?P<space> \s+ | //[^\n]* | \#[^\n]* | /\*(?:[^*]|\*(?!/))*+(?:\*/)?)
    | (?P<string> "(?:[^"\\]|\\.)*+" | '(?:[^'\\]|\\.)*+'
        | [“”„](?:[^“”\\]|\\.)*+[“”] | [‘’](?:[^‘’\\]|\\.)*+[‘’])
    | (?P<torn> ["'“”„‘’].*)
    | (?P<number> -?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.+-]))
    | (?P<word> -?(?:[^\W\d]|\$)[\w$.-]*)
    | (?P<open> [{\[]) | (?P<close> [}\]]) | (?P<comma> [,，]) | (?P<colon> [:：])
    | (?P<odd> .)
    """,
    re.VERBOSE | re.DOTALL,
)
_CONTAINERS = frozenset({dict, list})
_GOES_ON = re.compile(r"\s*[,:\]}]")
_BLANK = re.compile(r"\s*\Z")
_WORDS = {"true": "true", "false": "false", "null": "null"}
_WORDS |= {"True": "true", "False": "false", "None": "null"}

_VALUE = {"string", "torn", "number", "word", "open"}
# What may come, by what is awaited: a key, its colon, its value, an item of a list, what follows.
_MAY_COME: dict[str, set[str]] = {
    "a key": {"string", "torn", "number", "word", "close"},
    "a colon": {"colon"},
    "a value": _VALUE,
    "an item": {*_VALUE, "close"},
    "a comma or a bracket": {"comma", "close"},
}


@dataclass(frozen=True, slots=True)
class Piece:
    """One JSON value found in a text, or why what began there could not be read.

    start, end: its characters in the text; for a broken piece, end is where reading stopped.
    value: what was read; meaningless where `problem` says why not.
    repaired: it was not strict JSON.
    torn: the text broke off, and what was not whole is left out; nodes_torn: it did so before
        the end of the tasks, so that nodes may be missing.
    """

    start: int
    end: int
    value: Any = None
    problem: str | None = None
    repaired: bool = False
    torn: bool = False
    nodes_torn: bool = False


def strict(text: str, start: int, end: int) -> Piece | None:
    """Return the one strict JSON value in text[start:end], text before and behind it allowed.

    None where there is none, or more than one. Only objects, lists of objects and texts in
    quotes (JSON within JSON) count.
    """
    begun = _BEGINNING.search(text, start, end)
    first = begun.start() if begun else end
    last = max(text.rfind("}", first, end), text.rfind("]", first, end))
    quoted = _quoted(text, start, end)
    if quoted:
        first, last = quoted
    if last < first:
        return None
    try:
        value = canonical.loads(text[first : last + 1])
    except ValueError:
        return None
    brackets = text.count("{", first, last) + text.count("[", first, last)
    problem = _too_deep(value) if brackets > MAX_DEPTH else None
    return Piece(first, last + 1, value, problem)


def _too_deep(value: Any) -> str | None:
    level = [value]
    for _ in range(MAX_DEPTH):
        items = chain.from_iterable(v.values() if type(v) is dict else v for v in level)
        level = [item for item in items if type(item) in _CONTAINERS]
        if not level:
            return None
    return _NESTED


def pieces(text: str, start: int, end: int) -> list[Piece]:
    """Return all JSON values in text[start:end] in their order, and the broken beginnings.

    Linear in the length: a broken piece is looked into only from where it broke. What is looked
    for there are objects and the tasks that a broken object held; no other list, which may be
    the arguments of a broken node.
    """
    whole = strict(text, start, end)
    if whole:
        return [whole]
    found: list[Piece] = []
    beginning = _BEGINNING
    while begun := beginning.search(text, start, end):
        first = begun.start() if begun[0][0] in "{[" else begun.end() - 1
        piece = mend(text, first, end)
        found.append(piece)
        start = piece.end
        if piece.problem:
            beginning = _AFTER_BREAK
    return found


def mend(text: str, start: int, end: int) -> Piece:
    """Read the value that begins at `start`, mending its spelling; it may end before `end`."""
    mender = _Mender()
    for token in _TOKEN.finditer(text, start, end):
        kind = token.lastgroup or "odd"
        problem = mender.take(kind, token[0])
        if problem and (mender.lacks_only_its_end(kind) or _is_last(token, end)):
            return _torn(mender, start, token.start())
        if problem:
            stop = end if len(mender.stack) >= MAX_DEPTH else max(token.start(), start + 1)
            return Piece(start, stop, problem=_broken(token.start(), problem))
        if not mender.stack:
            return _ended(mender, text, start, token.end(), end)
    return _torn(mender, start, end)


def _is_last(token: re.Match[str], end: int) -> bool:
    """Say whether a token is a word or number that the end of the text may have torn."""
    torn = token.lastgroup in {"word", "odd"}
    return torn and _BLANK.match(token.string, token.end(), end) is not None


def _ended(mender: "_Mender", text: str, start: int, stop: int, end: int) -> Piece:
    if mender.closed_a_list and _GOES_ON.match(text, stop, end):
        problem = "the brackets do not match"
        return Piece(start, stop, problem=_broken(stop, problem))
    try:
        return Piece(start, stop, canonical.loads(text[start:stop]))
    except ValueError:
        return _loaded(Piece(start, stop, repaired=True), "".join(mender.out))


def _torn(mender: "_Mender", start: int, stop: int) -> Piece:
    torn = Piece(start, stop, repaired=True, torn=True, nodes_torn=not mender.has_tasks)
    return _loaded(torn, mender.cut())


def _loaded(piece: Piece, mended: str) -> Piece:
    try:
        return replace(piece, value=canonical.loads(mended))
    except ValueError as error:
        problem = f"JSON broken in what begins at character {piece.start}: {_message(error)}"
        return Piece(piece.start, piece.end, problem=problem)


def _broken(position: int, problem: str) -> str:
    return f"JSON broken at character {position}: {problem}"


def _message(error: ValueError) -> str:
    return str(getattr(error, "msg", error))


def _quoted(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the first and last character of a section that is one text in quotes."""
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    quoted = end - start > 1 and text[start] == text[end - 1] == '"'
    return (start, end - 1) if quoted else None


@dataclass(slots=True)
class _Open:
    """A bracket still open: what closes it, the key it stands under, and how much is whole.

    whole: number of written tokens up to the last child that can't go on.
    """

    closer: str
    key: str
    whole: int


class _Mender:
    """Writes the tokens of a value as strict JSON; refuses what cannot come where it comes."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.stack: list[_Open] = []
        self.awaits = "a value"
        self.key = ""
        self.closed_a_list = False
        self.has_tasks = False  # the nodes have all been read

    def take(self, kind: str, token: str) -> str | None:
        """Take one token; return what is wrong with it, if anything."""
        if kind == "space":
            return None
        if kind not in _MAY_COME[self.awaits]:
            return f"{_short(token)} where {self.awaits} should be"
        if kind == "torn":
            return None  # it reaches to the end, where it is cut off
        write: Callable[[str], str | None] = getattr(self, kind)
        return write(token)

    def lacks_only_its_end(self, kind: str) -> bool:
        """Say whether only closing brackets around a whole plan are missing before plain text."""
        ended = self.awaits == "a comma or a bracket" and kind in {"word", "odd"}
        return ended and self.has_tasks and not any(map(_holds_nodes, self.stack))

    def cut(self) -> str:
        """Return what is whole, closed: up to the last whole item of the outermost list.

        The outermost list is that of the nodes (or an object of nodes by id), so a torn node
        goes and no whole one does; where no list is open, the last whole member counts.
        """
        depth = next((i for i, item in enumerate(self.stack) if _holds_nodes(item)), -1)
        kept = self.stack[: depth + 1] if depth >= 0 else self.stack
        closers = "".join(item.closer for item in reversed(kept))
        return "".join(self.out[: kept[-1].whole]) + closers if kept else ""

    def string(self, token: str) -> str | None:
        try:
            text = _json_string(token)
        except ValueError as error:
            return str(error)
        self.key_or_value(text)
        if self.awaits != "a colon":
            self.stack[-1].whole = len(self.out)
        return None

    def number(self, token: str) -> None:
        self.key_or_value(f'"{token}"' if self.awaits == "a key" else token)

    def word(self, token: str) -> str | None:
        if self.awaits == "a key":
            self.key_or_value(f'"{token}"')
            return None
        if token not in _WORDS:
            return f"{_short(token)} is no JSON value"
        self.key_or_value(_WORDS[token])
        return None

    def key_or_value(self, text: str) -> None:
        if self.awaits == "a key":
            self.key = text
            self.awaits = "a colon"
        else:
            self.awaits = "a comma or a bracket"
        self.out.append(text)

    def open(self, sign: str) -> str | None:
        if len(self.stack) >= MAX_DEPTH:
            return _NESTED
        self.out.append(sign)
        key = self.key if self.awaits == "a value" else ""
        self.stack.append(_Open("}" if sign == "{" else "]", key, len(self.out)))
        self.awaits = "a key" if sign == "{" else "an item"
        return None

    def close(self, sign: str) -> str | None:
        if sign == "}" and [item.closer for item in self.stack[-2:]] == ["}", "]"]:
            # Safe, unlike closing an object: no member can have got into the wrong place.
            self.closed_a_list = True
            self.close("]")
        last = self.stack.pop()
        if sign != last.closer:
            return f"{sign} where {last.closer} should be"
        if self.out[-1] == ",":
            self.out.pop()
        self.out.append(sign)
        self.awaits = "a comma or a bracket"
        if self.stack:
            self.stack[-1].whole = len(self.out)
        if last.key == _TASKS and not any(map(_holds_nodes, self.stack)):
            self.has_tasks = True
        return None

    def comma(self, _: str) -> None:
        last = self.stack[-1]
        last.whole = len(self.out)
        self.out.append(",")
        self.awaits = "a key" if last.closer == "}" else "an item"

    def colon(self, _: str) -> None:
        self.out.append(":")
        self.awaits = "a value"


def _holds_nodes(item: _Open) -> bool:
    return item.closer == "]" or item.key == _TASKS


# What needs care when a string is written in double quotes.
_CARE = re.compile(r"\\.|[\"\x00-\x1f]", re.DOTALL)


def _json_string(token: str) -> str:
    """Write a quoted text as a JSON string; raises ValueError on an escape JSON has not."""
    return '"' + _CARE.sub(_written, token[1:-1]) + '"'


def _written(found: re.Match[str]) -> str:
    text = found[0]
    if text == "\\'":
        return "'"
    if text == '"':
        return '\\"'
    if text[0] != "\\":
        return f"\\u{ord(text):04x}"
    if text[1] not in '"\\/bfnrtu':
        raise ValueError(f"{_short(text)} is no escape of JSON")
    return text


def _short(token: str) -> str:
    return repr(token if len(token) <= 20 else token[:17] + "...")
