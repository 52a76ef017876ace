"""Cutting an answer into what is meant as thinking, as thought, as plan, and the rest.

Only marks are looked at, never what the text says: the tags of the asked format, the tags and
channel markers in which models of several makes wrap their thinking, and code fences.
"""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["rest", "plan", "thought", "reasoning"]

_THINKING = r"(?:\w+:)?(?:think(?:ing)?|antthinking|reasoning|analysis|scratchpad)"
# It begins with a class of characters, which the engine looks for quickly.
_TAG = re.compile(
    rf"""[<[◁](?:
      (?P<think> (?<=<) {_THINKING}\b[^<>]*> | (?<=\[) think] | (?<=◁) think▷
        | (?<=<) \|(?:begin|start)_(?:of_)?(?:thought|thinking)\|>
        | (?<=<) \|channel>thought
        | (?<=<) \|channel\|>(?!\s*final)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>)
    | (?P<unthink> (?<=<) /{_THINKING}\s*> | (?<=\[) /think] | (?<=◁) /think▷
        | (?<=<) \|end_(?:of_)?(?:thought|thinking)\|>
        | (?<=<) channel\|>)
    | (?P<turn> (?<=<) \|channel\|>\s*final[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>
        | (?<=<) \|start\|>\w* | (?<=<) \|(?:end|return|call)\|>)
    | (?<=<) (?: (?P<thought> thoughts?\b[^<>]*>) | (?P<unthought> /thoughts?\s*>)
               | (?P<plan> plan\b[^<>]*>) | (?P<unplan> /plan\s*>))
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_FENCE = re.compile(r"(?P<fence>^[ \t]*(?:`{3,}|~{3,})[\w+.-]*)", re.MULTILINE)
# What is left of channel markers where a server strips special tokens.
_STRIPPED = re.compile(r"\A\s*(?P<think>analysis)|(?P<unthink>assistantfinal)")
_PLAN = re.compile(r"<plan\b[^<>]*>", re.IGNORECASE)
_UNPLAN = re.compile(r"</plan\s*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of the answer between two marks.

    kind: plan and thought (between such tags), reasoning (thinking), rest.
    start, end: character positions in the answer, the marks themselves left out.
    fenced: it stands in a code fence.
    """

    kind: Kind
    start: int
    end: int
    fenced: bool = False


def split(text: str, hole: tuple[int, int] | None = None) -> list[Section]:
    """Cut an answer into its sections, in their order; blank ones are left out.

    hole: start and end of a stretch known to be one JSON value, in which no mark is looked for.
    A closing think tag that nothing opened makes all that stands before it thinking. A thought
    lasts until its closing tag, whatever stands in it; an unclosed one until the plan. Linear.
    """
    marks = _marks(text, *(hole or (len(text), len(text))))
    splitter = _Splitter(text, marks)
    for mark in marks:
        splitter.take(mark)
    splitter.cut(len(text), len(text), "rest")
    return splitter.sections


def plan_inside(text: str, section: Section) -> Section | None:
    """Return what stands in the last plan tags of a section, or None."""
    opened = list(_PLAN.finditer(text, section.start, section.end))
    if not opened:
        return None
    start = opened[-1].end()
    closed = _UNPLAN.search(text, start, section.end)
    return Section("plan", start, closed.start() if closed else section.end)


def _marks(text: str, start: int, end: int) -> list[re.Match[str]]:
    patterns = [_TAG]
    if "```" in text or "~~~" in text:
        patterns.append(_FENCE)
    if "assistantfinal" in text and text.lstrip().startswith("analysis"):
        patterns.append(_STRIPPED)
    marks = [
        mark
        for pattern in patterns
        for mark in (*pattern.finditer(text, 0, start), *pattern.finditer(text, end))
    ]
    return sorted(marks, key=lambda mark: mark.start())


class _Splitter:
    """Walks over the marks; `kind` is that of the section now open, which began at `start`."""

    def __init__(self, text: str, marks: list[re.Match[str]]) -> None:
        self.text = text
        self.sections: list[Section] = []
        self.start = 0
        self.kind: Kind = "rest"
        self.around: Kind = "rest"  # what goes on when the thinking ends
        self.fenced = False
        self.last = {mark.lastgroup: mark.start() for mark in marks}
        self.tagged = False  # thought or plan tags have opened

    def take(self, mark: re.Match[str]) -> None:
        """Go on over one mark."""
        name = mark.lastgroup
        if self.kind == "reasoning":
            if name in {"unthink", "turn"}:
                self.mark(mark, self.around)
        elif self.kind == "thought":
            self.in_thought(mark)
        elif name == "unthink":
            self.all_was_thinking(mark)
        elif name == "think":
            self.think(mark)
        elif name == "fence":
            fenced = not self.fenced
            self.mark(mark, self.kind)
            self.fenced = fenced
        else:
            self.tag(mark)

    def in_thought(self, mark: re.Match[str]) -> None:
        if mark.lastgroup == "think":
            if self.closed_later("unthink", mark):
                self.think(mark)
        elif mark.lastgroup == "unthink":
            self.all_was_thinking(mark)
        elif mark.lastgroup == "unthought":
            self.mark(mark, "rest")
        elif mark.lastgroup == "plan" and not self.closed_later("unthought", mark):
            self.mark(mark, "plan")

    def closed_later(self, name: str, mark: re.Match[str]) -> bool:
        return self.last.get(name, -1) > mark.start()

    def tag(self, mark: re.Match[str]) -> None:
        if mark.lastgroup == "plan":
            self.mark(mark, "plan")
        elif mark.lastgroup == "thought":
            self.mark(mark, "thought")
        elif mark.lastgroup == "unthought":
            if not self.tagged:
                self.kind = "thought"  # the opening tag was part of the prompt
            self.mark(mark, "rest")
        else:
            self.mark(mark, "rest" if mark.lastgroup == "unplan" else self.kind)

    def think(self, mark: re.Match[str]) -> None:
        self.around = self.kind
        self.mark(mark, "reasoning")

    def all_was_thinking(self, mark: re.Match[str]) -> None:
        self.sections.clear()
        self.start, self.kind, self.fenced = 0, "reasoning", False
        self.mark(mark, "rest")

    def mark(self, mark: re.Match[str], kind: Kind) -> None:
        self.cut(mark.start(), mark.end(), kind)

    def cut(self, end: int, start: int, kind: Kind) -> None:
        """Close the open section at `end` and open one of this kind at `start`."""
        if end > self.start and not self.text[self.start : end].isspace():
            self.sections.append(Section(self.kind, self.start, end, self.fenced))
        if kind != self.kind:
            self.fenced = False
        self.tagged = self.tagged or kind in {"plan", "thought"}
        self.start, self.kind = start, kind
