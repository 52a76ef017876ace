"""What a model answered: its thought, its plan and its diagnosis, and how they were read.

The asked form is ``<thought>…</thought>`` and ``<plan>{"diagnosis": […], "tasks": […]}</plan>``.
Models answer otherwise, so everything is read that has one meaning; what has none is refused
with a reason. Reading never raises, adds nothing, and says how it went.

Which plan counts, where there are several: one that is whole before one that breaks off, then
one in plan tags before one outside, then the later. Thinking and thoughts hold no answer, unless
nothing stands behind them and they hold a plan in plan tags.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from models.contents import Contents, Diagnosis, contents
from models.repair import Piece, pieces, strict
from models.tags import Kind, Section, plan_inside, split
from trajectory import canonical
from trajectory.plan import Plan, read_plan, write_plan

__all__ = ["LONGEST", "MARKS", "UNREAD", "Answer", "Diagnosis", "read_answer", "write_answer"]

# A longer answer is read only where it holds nothing but one strict JSON value and text.
LONGEST: Final = 2_000_000

# Every word that `Answer.how` may hold, in its order there.
MARKS: Final = (
    "tagged",  # the plan stands in plan tags
    "fenced",  # in a code fence
    "bare",  # in neither
    "inside",  # within thinking or a thought, behind which nothing stands
    "prose",  # text stands around it, outside of all tags
    "several",  # there are other plans
    "quoted",  # it is a text that holds JSON
    "wrapped",  # it stands under a key such as "plan"
    "list",  # it is the bare list of tasks
    "keyed",  # its tasks are an object of nodes by id
    "repaired",  # it, or what stands around it, was not strict JSON (see models.repair)
    "truncated",  # it breaks off among its nodes: the whole ones were kept
)
UNREAD: Final = "unread"

# Where no sign of another mark stands in the thought, there is nothing to cut.
_ASKED_BEFORE = re.compile(r"\s*(?:<thought>([^<[◁`~]*)</thought>)?\s*<plan>\s*")
_ASKED_BEHIND = re.compile(r"\s*</plan>\s*")


@dataclass(frozen=True, slots=True)
class Answer:
    """What was read from one answer of a model.

    thought: what stands in thought tags; without them under the key "thought" beside the plan;
        without that, the text in front of the plan.
    plan: as it was written, faults included; None where none could be read.
    diagnosis: from beside the plan; empty without a plan.
    how: words of MARKS joined by "+", among them tagged, fenced or bare; UNREAD without a plan.
    reason: one line: why there is no plan, or what the plan leaves out of the text; None where
        all is well. Positions are characters of the answer (of the inner text, where JSON stands
        within a text), counted from 0.
    reasoning: hidden or tagged thinking; stored, never judged.
    """

    thought: str
    plan: Plan | None
    diagnosis: tuple[Diagnosis, ...]
    how: str
    reason: str | None
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class _Found:
    """One JSON value of the answer: where it stands and what it says."""

    section: Section
    piece: Piece
    contents: Contents

    @property
    def rank(self) -> tuple[bool, bool, int]:
        """The plan of the greatest rank counts."""
        whole = "truncated" not in self.contents.marks
        return whole, self.section.kind == "plan", self.piece.start


def read_answer(text: str) -> Answer:
    """Read an answer; never raises; the time grows with the length (our own definition)."""
    whole = strict(text, 0, len(text))
    if whole:
        asked = _as_asked(text, whole)
        if asked:
            return asked
    elif len(text) > LONGEST:
        reason = f"{len(text)} characters that are not strict JSON, too many to repair"
        return _unread("", [], reason)
    sections = split(text, (whole.start, whole.end) if whole else None)
    found = [one for section in sections for one in _in_section(text, section, whole)]
    if not found:
        found = _inside(text, sections)
    plans = [one for one in found if not one.contents.problem]
    if not plans:
        return _unread(text, sections, _why_unread(text, sections, found))
    return _read(text, sections, found, max(plans, key=lambda one: one.rank))


def write_answer(thought: str, diagnosis: Sequence[Diagnosis], plan: Plan) -> str:
    """Write an answer in the asked form; `read_answer` reads the same from it.

    A thought that tags might not hold unchanged (it has marks, brackets or outer blanks) goes
    under the key "thought". Raises ValueError where the plan holds a number that JSON has not.
    """
    entries = [{"node": one.node, "type": one.type, "reason": one.reason} for one in diagnosis]
    body: dict[str, Any] = {"diagnosis": entries, **write_plan(plan)}
    in_tags = thought == thought.strip() and not any(mark in thought for mark in "<[{◁`~")
    tagged = f"<thought>{thought}</thought>\n" if in_tags else ""
    if not in_tags:
        body["thought"] = thought
    return f"{tagged}<plan>{canonical.dumps(body)}</plan>"


def _as_asked(text: str, whole: Piece) -> Answer | None:
    """Read an answer in exactly the asked form, or return None: a short cut, nothing more."""
    before = _ASKED_BEFORE.fullmatch(text, 0, whole.start)
    if not before or not _ASKED_BEHIND.fullmatch(text, whole.end):
        return None
    found = contents(whole)
    if found.problem or found.marks or found.left_out:
        return None
    thought = (before[1] or "").strip() or found.thought
    return Answer(thought, read_plan({"tasks": found.tasks}), found.diagnosis, "tagged", None)


def _in_section(text: str, section: Section, whole: Piece | None) -> Iterator[_Found]:
    """Yield what a section of the answer proper holds; `whole` is all there is, if given."""
    if section.kind not in {"rest", "plan"}:
        return
    if whole is None:
        found = pieces(text, section.start, section.end)
    else:
        found = [whole] if section.start <= whole.start < section.end else []
    after_break = False
    for piece in found:
        yield _Found(section, piece, contents(piece, after_break=after_break))
        after_break = after_break or piece.problem is not None


def _inside(text: str, sections: Sequence[Section]) -> list[_Found]:
    """Look for a plan in plan tags within the thinking or the thought that ends the answer."""
    if not sections or sections[-1].kind not in {"thought", "reasoning"}:
        return []
    section = plan_inside(text, sections[-1])
    found = list(_in_section(text, section, None)) if section else []
    return [_Found(one.section, one.piece, one.contents.marked("inside")) for one in found]


def _read(text: str, sections: Sequence[Section], found: Sequence[_Found], best: _Found) -> Answer:
    prose = _prose(text, sections, found, best)
    return Answer(
        _thought(text, sections, best.section) or best.contents.thought or prose[0],
        read_plan({"tasks": best.contents.tasks}),
        best.contents.diagnosis,
        _how(found, best, "".join(prose)),
        _left_out(found, best),
        _text_of(text, sections, "reasoning"),
    )


def _unread(text: str, sections: Sequence[Section], reason: str) -> Answer:
    return Answer(
        _text_of(text, sections, "thought"),
        None,
        (),
        UNREAD,
        reason,
        _text_of(text, sections, "reasoning"),
    )


def _why_unread(text: str, sections: Sequence[Section], found: Sequence[_Found]) -> str:
    if found:
        # What began as JSON and broke tells more than some other JSON that is no plan.
        worst = max(found, key=lambda one: (one.piece.problem is not None, one.rank))
        return worst.contents.problem or ""
    if not text.strip():
        return "empty answer"
    if sections and all(section.kind == "reasoning" for section in sections):
        return "nothing stands behind the thinking"
    return "no JSON found"


def _left_out(found: Sequence[_Found], best: _Found) -> str | None:
    """Say what of the JSON in an answer is not in its plan: what broke, what is torn."""
    if best.contents.left_out:
        return best.contents.left_out
    broken = [one.piece.problem for one in found if one.piece.problem]
    others = [one.contents.left_out for one in found if one.contents.left_out]
    left_out = [*broken, *others]
    return f"left out: {left_out[-1]}" if left_out else None


def _how(found: Sequence[_Found], best: _Found, prose: str) -> str:
    marks = set(best.contents.marks)
    if best.section.kind == "plan":
        marks.add("tagged")
    if best.section.fenced:
        marks.add("fenced")
    if not marks & {"tagged", "fenced"}:
        marks.add("bare")
    if prose:
        marks.add("prose")
    if sum(not one.contents.problem for one in found) > 1:
        marks.add("several")
    return "+".join(mark for mark in MARKS if mark in marks)


def _prose(
    text: str, sections: Sequence[Section], found: Sequence[_Found], best: _Found
) -> tuple[str, str]:
    """Return the text in front of and behind the plan, outside of all tags and JSON."""
    held: dict[int, list[Piece]] = {}
    for one in found:
        held.setdefault(one.section.start, []).append(one.piece)
    before: list[str] = []
    behind: list[str] = []
    for section in sections:
        if section.kind == "rest":
            for start, end in _gaps(section, held.get(section.start, [])):
                (behind if start >= best.piece.end else before).append(_plain(text[start:end]))
    return "\n".join(filter(None, before)), "\n".join(filter(None, behind))


def _gaps(section: Section, held: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    start = section.start
    for piece in held:
        yield start, piece.start
        start = piece.end
    yield start, section.end


def _plain(text: str) -> str:
    """Return a text without blanks, byte order mark and the rest of a fence around it."""
    return text.strip().strip("`~\ufeff").strip()


def _thought(text: str, sections: Sequence[Section], plan: Section) -> str:
    """Return the thought tagged in front of the plan and behind any other, else the next."""
    earlier = [section for section in sections if section.start < plan.start]
    other = max((i for i, section in enumerate(earlier) if section.kind == "plan"), default=-1)
    near = _text_of(text, earlier[other + 1 :], "thought")
    return near or _text_of(text, sections, "thought")


def _text_of(text: str, sections: Sequence[Section], kind: Kind) -> str:
    found = [
        text[section.start : section.end].strip() for section in sections if section.kind == kind
    ]
    return "\n".join(found)
