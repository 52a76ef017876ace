"""What a text names: nodes, tools, parameters, values; and its sentences and clauses.

A node is named by its id with a word before or behind it that says so ("node 3", "steps 2 and 4",
"节点3、5", "第3步", "3号任务", "find_stop (4)"), by an arrow between two ids, or, where its id is a
word of its own, by that. A bare number never names a node, so an amount never does. A tool is
named by its whole name, also with blanks for underscores, and brings the one node that calls it.
What is named in other words ("the hotel search") is not seen.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from eval.checks.case import Case
from trajectory.plan import RESPONSE, ROOT, Plan

# One character for one, so that places stay.
_WIDE: Final = str.maketrans(
    "\u3000（）“”‘’，：；！？【】「」『』＝＃～＞", ' ()""\'\',:;!?[]""""=#~>'
)


def narrowed(text: str) -> str:
    """Return a text with full-width punctuation as in English, every character in its place."""
    return text.translate(_WIDE)


@dataclass(frozen=True)
class Mention:
    """A place in a text that names something; names: one id, or several of a list."""

    start: int
    end: int
    kind: str
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        """The first name."""
        return self.names[0]


# --- sentences -------------------------------------------------------------------------------

_SENTENCE: Final = re.compile(r"[。!?\n]+|;|\.(?=\s|$|[\"')\]])")
_CLAUSE: Final = re.compile(
    r",|:\s|—|–\s|\b(?:so|and|but|because|since|while|which|whereas|therefore|hence|then|although|though)\b|而且|因此|所以|但是|但|因为|由于|于是|从而|并且|并|然后",
    re.IGNORECASE | re.ASCII,
)
# A mark between words opens or closes nothing: messages that are quoted hold marks of their own.
_QUOTED: Final = re.compile(
    r"(?<!\w)\"[^\"\n]{0,300}\"(?!\w)|`[^`\n]{0,300}`|(?<![\w])'[^'\n]{0,200}'(?!\w)", re.ASCII
)


@dataclass(frozen=True)
class Span:
    """A stretch of a text: a sentence, or a clause of one."""

    start: int
    end: int


_MARKS: Final = ",:—–"
# Before an "and" so few characters are part of a list, and no clause.
_SHORT: Final = 24
# A value written out: what stands in brackets is not cut.
_NESTED: Final = re.compile(
    r"[\[{][^\[\]{}\n]*(?:[\[{][^\[\]{}\n]*[\]}][^\[\]{}\n]*)*[\]}]", re.ASCII
)


def _split(
    text: str, pattern: re.Pattern[str], start: int, end: int, kept: Sequence[Span]
) -> list[Span]:
    """Cut a stretch at a pattern, never within what is kept whole."""
    starts = [one.start for one in kept]
    parts, begin = [], start
    for match in pattern.finditer(text, start, end):
        index = bisect_right(starts, match.start()) - 1
        if index >= 0 and match.start() < kept[index].end:
            continue
        short = match.start() - begin < _SHORT and match[0].lower() == "and"
        if short:
            continue
        if match.start() > begin:
            parts.append(Span(begin, match.start()))
        marks = pattern is _SENTENCE or match[0][0] in _MARKS
        begin = match.end() if marks else match.start()
    if end > begin:
        parts.append(Span(begin, end))
    return parts


def _merged(spans: Sequence[Span]) -> list[Span]:
    """Return stretches in order, those that overlap as one."""
    merged: list[Span] = []
    for one in spans:
        if merged and one.start < merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, one.end))
        else:
            merged.append(one)
    return merged


# --- nodes -----------------------------------------------------------------------------------

_ID: Final = r"[\"'`#\[(]*(?:[A-Za-z]*\d\w*|[A-Za-z][\w-]*\d\w*)(?:-[A-Za-z]\w*)*(?!\.\d)[\"'`\])]*"
_AND: Final = r"\s*(?:,\s*(?:and|or)?|、|and|or|&|/|as well as|和|与|及|以及|或|跟)\s*"
_TO: Final = r"\s*(?:-|–|—|to|through|till|至|到|~)\s*"
_LISTED: Final = re.compile(
    rf"(?:\b(?P<one>node|task|step|nodes|tasks|steps)(?:\s+(?:ids?|numbers?|no\.?))?|(?P<zh>节点|任务|步骤|结点)(?:编号|号)?)\s*[:#]?\s*"
    rf"(?P<ids>{_ID}(?:(?:{_AND}|{_TO}){_ID}(?!\s*(?:个|次|轮|项|%|rounds?\b|times\b|nights?\b|days?\b)))*)",
    re.IGNORECASE | re.ASCII,
)
_NUMBERED: Final = re.compile(
    r"第\s*(\d+)\s*(?:步|个节点|个任务|号节点|号任务)|(?<![\w.])(\d+)\s*号(?:节点|任务|步骤)?",
    re.ASCII,
)
_ARROW: Final = re.compile(rf"(?<![\w.])({_ID})\s*(?:->|→|=>|⇒)\s*({_ID})(?![\w.])", re.ASCII)
_RESPONSE: Final = re.compile(
    r"\b(?:the|final|node|task)\s+[\"'`]?response\b|[\"'`]response[\"'`]|\bresponse\s+(?:node|task|step)|(?<![A-Za-z])response(?=\s*(?:节点|任务|依赖|等待))|(?:节点|任务)\s*response|^response\b|响应(?:节点|任务)?(?!时间|超时)|回复节点|回答节点|最终(?:答复|回复|回答)",
    re.IGNORECASE | re.ASCII,
)
_STRIP: Final = "\"'`#[]()"


def node_mentions(text: str, ids: frozenset[str]) -> Iterator[Mention]:
    """Yield where nodes are named; an id that no plan has is yielded too, as it is written."""
    yield from _in_words(text, ids)
    yield from _by_sign(text, ids)


def _in_words(text: str, ids: frozenset[str]) -> Iterator[Mention]:
    """Yield nodes named by a word and an id, and ids that are words by themselves."""
    for match in _LISTED.finditer(text):
        many = match["zh"] is not None or match["one"].lower().endswith("s")
        names, end = _names(match["ids"], match.start("ids"), ids, many=many)
        if names:
            yield Mention(match.start(), end, "node", names)
    for match in _NUMBERED.finditer(text):
        name = match[1] or match[2]
        if name in ids:
            yield Mention(match.start(), match.end(), "node", (name,))
    words = sorted((id for id in ids if _is_word(id)), key=len, reverse=True)
    if words:
        pattern = "|".join(map(re.escape, words))
        for match in re.finditer(rf"(?<![\w-])(?:{pattern})(?![\w-])", text, re.ASCII):
            yield Mention(match.start(), match.end(), "node", (match[0],))


def _by_sign(text: str, ids: frozenset[str]) -> Iterator[Mention]:
    """Yield nodes at the ends of an arrow, and the response."""
    for match in _ARROW.finditer(text):
        for group in (1, 2):
            name = match[group].strip(_STRIP)
            if name in ids:
                yield Mention(match.start(group), match.end(group), "node", (name,))
    for match in _RESPONSE.finditer(text):
        yield Mention(match.start(), match.end(), "node", (RESPONSE,))


def _is_word(id: str) -> bool:
    """Say whether an id can only be an id: no number, no word of the language."""
    return id not in {ROOT, RESPONSE} and not id.isdecimal() and bool(re.search(r"[\d_-]", id))


_PART: Final = re.compile(
    rf"(?P<to>{_TO}(?=[\"'`#]*\d))|(?P<and>{_AND})|(?P<word>nodes?|tasks?|steps?|节点|任务|步骤)|(?P<id>{_ID})",
    re.IGNORECASE | re.ASCII,
)


def _names(
    listed: str, offset: int, ids: frozenset[str], *, many: bool
) -> tuple[tuple[str, ...], int]:
    """Return the ids of a list and where it ends; a list stops at what is no id of a plan."""
    names: list[str] = []
    end, ranged, plain_comma = offset, False, False
    for match in _PART.finditer(listed):
        if match["to"]:
            ranged = True
        elif match["and"]:
            plain_comma = match["and"].strip() == ","
        elif match["id"]:
            name = match["id"].strip(_STRIP)
            if names and (name not in ids or (plain_comma and not many)):
                break
            if ranged and names and names[-1].isdecimal() and name.isdecimal():
                span = range(int(names[-1]) + 1, min(int(name), int(names[-1]) + 60))
                names += [str(number) for number in span if str(number) in ids]
            names.append(name)
            end, ranged, plain_comma = offset + match.end(), False, False
    return tuple(dict.fromkeys(names)), end


# --- tools, parameters, values ---------------------------------------------------------------


@lru_cache(maxsize=2048)
def _all_forms(names: frozenset[str]) -> dict[str, str]:
    """Return how names are written, in lower case, with the name of each; the longest first."""
    exact = {form.lower(): name for name in sorted(names) for form in _forms(name)}
    exact |= {name.lower(): name for name in sorted(names)}
    return {form: exact[form] for form in sorted(exact, key=lambda form: (-len(form), form))}


def _forms(name: str) -> Iterator[str]:
    yield name
    if "_" in name:
        yield name.replace("_", " ")
        yield name.replace("_", "-")


def named_in(text: str, names: frozenset[str], kind: str) -> Iterator[Mention]:
    """Yield where one of these names stands as a whole word, in any case; of two the longer."""
    lower = text.lower()
    # A letter whose lower case is longer would move what stands behind it.
    lower = lower if len(lower) == len(text) else text
    found: dict[int, tuple[int, str]] = {}
    for form, name in _all_forms(names).items():
        start = lower.find(form)
        while start >= 0:
            end = start + len(form)
            if (
                start not in found
                and not _goes_on(lower, start - 1, "-")
                and not _goes_on(lower, end)
            ):
                found[start] = end, text[start:end] if text[start:end] in names else name
            start = lower.find(form, start + 1)
    last = 0
    for start, (end, name) in sorted(found.items()):
        if start >= last:
            last = end
            yield Mention(start, end, kind, (name,))


def _goes_on(text: str, place: int, more: str = "") -> bool:
    """Say whether a word goes on at a place, as words of ASCII do; more: what goes on too."""
    if not 0 <= place < len(text):
        return False
    char = text[place]
    return char in more or char == "_" or (char.isascii() and char.isalnum())


_VALUE: Final = re.compile(
    r"[\w.+-]+@[\w-]+\.[\w.]+"  # an address
    r"|(?<![\w-])\d{4}-\d\d?-\d\d?(?:T[\d:]+)?"  # a date
    r"|(?<![\w-])[A-Za-z]{1,12}-[\w.]*\d[\w.-]*\w"  # an id of a thing
    r"|(?<![\w.-])-?\d+(?:,\d{3})+(?:\.\d+)?(?![\w-])|(?<![\w.-])-?\d+\.\d+(?![\w-])|(?<![\w.:-])-?\d{2,}(?![\w:-])"
    r"|(?<![\d:])\d{1,2}:\d\d(?![\d:])",
    re.ASCII,
)


def values_in(text: str) -> Iterator[Mention]:
    """Yield what looks like a value: quoted words, dates, addresses, ids of things, numbers."""
    for match in _QUOTED.finditer(text):
        inner = match[0][1:-1].strip()
        if inner:
            yield Mention(match.start(), match.end(), "quote", (inner,))
    for match in _VALUE.finditer(text):
        yield Mention(match.start(), match.end(), "value", (match[0].replace(",", ""),))


# --- a text as a whole -----------------------------------------------------------------------


@dataclass(frozen=True)
class Names:
    """What can be named: ids of nodes, tools and parameters, and which nodes call a tool."""

    ids: frozenset[str]
    tools: frozenset[str]
    parameters: frozenset[str]
    callers: Mapping[str, tuple[str, ...]]


def names_of(case: Case, answered: Plan) -> Names:
    """Return what can be named of an instance and of the plan that answers it."""
    nodes = {**answered.by_id, **case.plan.by_id}
    callers: dict[str, tuple[str, ...]] = {}
    for node in case.plan.by_id.values():
        if node.is_call and node.name:
            callers[node.name] = (*callers.get(node.name, ()), node.id)
    tools = {node.name for node in nodes.values() if node.is_call and node.name}
    written = {name for node in nodes.values() if isinstance(node.para, dict) for name in node.para}
    declared = {name for tool in case.catalogue for name in tool.parameters}
    return Names(
        frozenset(nodes) - {ROOT},
        frozenset({*case.catalogue.names, *tools} - {""}),
        frozenset(declared | written),
        callers,
    )


@dataclass(frozen=True)
class Text:
    """A text with what it names, in the order it names it."""

    raw: str
    known: Names

    @cached_property
    def text(self) -> str:
        """The text with narrow punctuation."""
        return narrowed(self.raw)

    @cached_property
    def nodes(self) -> list[Mention]:
        """Nodes, by id; overlapping mentions are one, and quoted words name nobody."""
        found = _apart(node_mentions(self.text, self.known.ids))
        return [one for one in found if not self._is_quoted(one)]

    @cached_property
    def _quotes(self) -> list[Span]:
        """What stands between quotes."""
        return [Span(m.start() + 1, m.end() - 1) for m in _QUOTED.finditer(self.text)]

    def _is_quoted(self, one: Mention) -> bool:
        return any(_is_inside(one, span) for span in self._quotes)

    @cached_property
    def tools(self) -> list[Mention]:
        """Tools, by name; within other quoted words they are none."""
        found = _apart(named_in(self.text, self.known.tools, "tool"))
        return [one for one in found if not self._is_quoted(one)]

    @cached_property
    def parameters(self) -> list[Mention]:
        """Parameters, by name."""
        return _apart(named_in(self.text, self.known.parameters, "parameter"))

    @cached_property
    def values(self) -> list[Mention]:
        """Values; what names a node, a tool or a parameter is none."""
        taken = [*self.nodes, *self.tools]
        return [
            one
            for one in _apart(values_in(self.text))
            if not any(one.start < other.end and other.start < one.end for other in taken)
        ]

    @cached_property
    def sentences(self) -> list[Span]:
        """The sentences; what stands in quotes is not cut."""
        return _split(self.text, _SENTENCE, 0, len(self.text), self._written)

    @cached_property
    def _written(self) -> list[Span]:
        """What stands in quotes or brackets, in order."""
        found = [*_QUOTED.finditer(self.text), *_NESTED.finditer(self.text)]
        spans = (Span(match.start(), match.end()) for match in found)
        return _merged(sorted(spans, key=lambda one: (one.start, -one.end)))

    def clauses(self, sentence: Span) -> list[Span]:
        """The clauses of a sentence; lists of nodes and what stands in quotes are not cut."""
        kept = [*self._written, *(Span(one.start, one.end) for one in (*self.nodes, *self.values))]
        kept.sort(key=lambda one: (one.start, -one.end))
        return _split(self.text, _CLAUSE, sentence.start, sentence.end, _merged(kept))

    def within(self, mentions: Sequence[Mention], span: Span) -> list[Mention]:
        """Return the mentions that begin within a stretch."""
        return [one for one in mentions if span.start <= one.start < span.end]

    def part(self, span: Span) -> str:
        """Return the words of a stretch, without those that it quotes."""
        return self._unquoted[span.start : span.end]

    @cached_property
    def _unquoted(self) -> str:
        """The text with blanks for what is quoted, every other character in its place."""
        text = self.text
        for span in self._quotes:
            if " " in text[span.start : span.end]:
                text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
        return text

    def named_nodes(self, span: Span, *, by_tool: bool = True) -> list[str]:
        """Return the nodes that a stretch names, by id or as the one that calls a tool it names."""
        found = [name for one in self.within(self.nodes, span) for name in one.names]
        if by_tool:
            for one in self.within(self.tools, span):
                callers = self.known.callers.get(one.name, ())
                if len(callers) == 1:
                    found.append(callers[0])
        return list(dict.fromkeys(found))


def _is_inside(one: Mention, span: Span) -> bool:
    """Say whether a mention is a part, and not the whole, of a stretch."""
    inside = span.start <= one.start and one.end <= span.end
    return inside and one.end - one.start < span.end - span.start


def _apart(mentions: Iterator[Mention]) -> list[Mention]:
    """Return mentions in order, of overlapping ones the longest."""
    kept: list[Mention] = []
    for one in sorted(mentions, key=lambda one: (one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept
