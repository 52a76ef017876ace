"""Claims of the plan: nodes, the tools that they call, edges, statuses."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from eval.checks import lexicon
from eval.checks.mentions import Mention, Span
from eval.checks.reading import Claim, Held, Reading
from eval.checks.shown import PLAN, TOOL
from trajectory.graph import topology
from trajectory.references import references


def nodes(reading: Reading) -> Iterator[Claim]:
    """Yield nodes that are in no plan."""
    known = reading.text.known.ids
    for one in reading.text.nodes:
        for name in one.names:
            if name not in known:
                yield Claim(one.start, one.end, "node", "invented", (PLAN,), name)


_IS_OF: Final = re.compile(
    r"[\s\"'`(,:;=]*(?:(?:which|that)\s+)?(?:(?:calls?|called|calling|uses?|using|used|is|runs?|ran|made|makes|with|invokes?|invoked|names?)\s+)?(?:the\s+)?(?:tool|call|调用(?:了|的)?|使用(?:了|的)?|用的?|是|执行|运行|的|工具)*[\s\"'`(,:的]*",
    re.IGNORECASE | re.ASCII,
)
_IS_AT: Final = re.compile(
    r"[\s\"'`)]*(?:\(|\[|(?:call\s+)?(?:at|in|of|by|on)\s|即|在)[\s\"'`(]*",
    re.IGNORECASE | re.ASCII,
)


def pairs(reading: Reading) -> Iterator[Claim]:
    """Yield (node, tool) that are said to belong together."""
    text = reading.text
    for tool in text.tools:
        before = [one for one in text.nodes if one.end <= tool.start and len(one.names) == 1]
        behind = [one for one in text.nodes if one.start >= tool.end and len(one.names) == 1]
        if before and _IS_OF.fullmatch(text.text[before[-1].end : tool.start]):
            yield from _pair(reading, before[-1], tool)
        elif behind and _IS_AT.fullmatch(text.text[tool.end : behind[0].start]):
            yield from _pair(reading, behind[0], tool)
        elif _CALLS.search(text.text[max(0, tool.start - 24) : tool.start]):
            yield from _called(reading, tool)


# The tool that a node is said to call, further away from it.
_CALLS: Final = re.compile(
    r"(?:calls?|called|uses?|used|invokes?|invoked|names?|named|says|asks for|runs"
    r"|调用(?:了|的是)?|使用(?:了|的是)?|用的是|用了|写的是)[\s\"'`:]*$",
    re.IGNORECASE | re.ASCII,
)


def _called(reading: Reading, tool: Mention) -> Iterator[Claim]:
    """Yield that a node calls a tool, where it does; so far apart the words may mean another."""
    for sentence, clause, intent in reading.clauses:
        if clause.start <= tool.start < clause.end and not intent:
            for id in reading.subjects(sentence, clause, tool.start)[:1]:
                node = reading.case.plan.by_id.get(id)
                if node is not None and node.name == tool.name:
                    about = f"{id} {tool.name}"
                    yield Claim(tool.start, tool.end, "tool", "right", (PLAN, TOOL), about)


def _pair(reading: Reading, node: Mention, tool: Mention) -> Iterator[Claim]:
    id = node.name
    shown, new = reading.case.plan.by_id.get(id), reading.shown.answered.by_id.get(id)
    names = {one.name for one in (shown, new) if one is not None and one.is_call}
    if names:
        right = tool.name in names
        start, end = min(node.start, tool.start), max(node.end, tool.end)
        verdict: Held = "right" if right else "wrong"
        yield Claim(start, end, "tool", verdict, (PLAN, TOOL), f"{id} {tool.name}")


WAITS: Final = re.compile(
    r"(?P<no>(?:does|do|did)(?:\s+not|n't)\s+|no longer\s+|not\s+|never\s+|不|没有|并未|未|并不)?"
    r"(?P<verb>(?:depend(?:s|ed|ing)?(?:\s+only|\s+directly)?\s+(?:up)?on"
    r"|(?:is|are)\s+dependent\s+on|wait(?:s|ed|ing)?(?:\s+only)?\s+(?:for|on)"
    r"|hang(?:s|ing)?\s+(?:only\s+)?on|依赖(?:于|了)?|等(?:待|着)))"
    r"\s*(?:只|仅)?\s*",
    re.IGNORECASE | re.ASCII,
)
_NOTHING: Final = re.compile(
    r"(?:nothing|no (?:other |further )?(?:node|one|other|task|step)"
    r"|(?:the )?root\b|\[\]|an(?:y|ything)\b|任何|其他|别的)",
    re.IGNORECASE | re.ASCII,
)
_ANY: Final = re.compile(r"any|任何|其他|别的", re.IGNORECASE)


def edges(reading: Reading) -> Iterator[Claim]:
    """Yield the edges that are stated: who waits for whom."""
    text = reading.text
    for sentence, clause, intent in reading.clauses:
        if intent:
            continue
        for match in WAITS.finditer(text.text, clause.start, clause.end):
            before = [one for one in text.within(text.nodes, sentence) if one.end <= match.start()]
            behind = [one for one in text.within(text.nodes, sentence) if one.start >= match.end()]
            if not before:
                continue
            gap = text.text[before[-1].end : match.start()]
            # "It" is what the sentence began with.
            who = before[0] if _PRONOUN.search(gap) else before[-1]
            if lexicon.NORMATIVE.search(gap) or lexicon.FUTURE.search(gap) or len(gap) > _FAR:
                continue
            yield from _edge(reading, who, behind, match)


_FAR: Final = 40
TO_DEP: Final = re.compile(
    r"(?:\s|[\"'`(]|(?:only|both|the|either|just|results?|outputs?|data|of|from|upstream|wrong"
    r"|到|了|于|上游|前置|的)(?![A-Za-z]))*",
    re.IGNORECASE | re.ASCII,
)
_PRONOUN: Final = re.compile(
    r"(?:\b(?:it|they|which)|它(?:们)?|却|该(?:节点|任务|步骤))"
    r"(?:\s*(?:却|在|still|then|also))*\s*$",
    re.IGNORECASE | re.ASCII,
)
_TAKES: Final = re.compile(
    r"(?:refers?|referring|references?|referencing|uses?|using|takes?|taking|needs?|reads?|consumes?"
    r"|gets?|builds? on"
    r"|draws? on|relies on|from|of|inputs?"
    r"|引用|使用|用到|要用|需要|取自|来自|读取|拿)",
    re.IGNORECASE | re.ASCII,
)


def _edge(
    reading: Reading, who: Mention, behind: Sequence[Mention], match: re.Match[str]
) -> Iterator[Claim]:
    found = topology(reading.case.plan)
    negated = match["no"] is not None
    nothing = _NOTHING.match(reading.text.text, match.end())
    if nothing:
        # "Does not depend on any" says what "depends on nothing" says.
        negated = negated and not _ANY.match(nothing[0])
        for id in who.names:
            if id in found.deps:
                right = (not found.reduced(id)) != negated
                yield _edge_claim(who.start, match.end(), f"{id} -", right)
        return
    if not behind or not TO_DEP.fullmatch(reading.text.text[match.end() : behind[0].start]):
        return
    for id in who.names:
        for dep in behind[0].names:
            if id in found.deps and dep in found.deps and id != dep:
                right = (dep in found.ancestors(id)) != negated
                about = f"{id} {'x' if negated else '<'} {dep}"
                yield _edge_claim(who.start, behind[0].end, about, right)


def uses(reading: Reading) -> Iterator[Claim]:
    """Yield which node is rightly said to use the result of another.

    Two nodes in a clause with a word for using between them may be told of otherwise, so what
    is not so in the plan counts as nothing.
    """
    text = reading.text
    for sentence, clause, intent in reading.clauses:
        found = [] if intent else text.within(text.nodes, clause)
        for giver in found:
            if not _TAKES.search(text.text, clause.start, giver.start):
                continue
            who = reading.subjects(sentence, clause, giver.start)
            for id in who:
                node = reading.case.plan.by_id.get(id)
                used = {one.node for one in references(node.para)} if node is not None else set()
                for name in giver.names:
                    if name in used:
                        yield _edge_claim(giver.start, giver.end, f"{id} uses {name}", True)


def _edge_claim(start: int, end: int, about: str, right: bool) -> Claim:
    return Claim(start, end, "edge", "right" if right else "wrong", (PLAN,), about)


# --- statuses ---------------------------------------------------------------------------------


def is_negated(text: str, place: int) -> bool:
    """Say whether a negation stands right before a word."""
    return bool(
        re.search(
            r"(?:\bnot|n't|never|\bno|不|没有?|未|并未)\s*(?:yet|been|even|曾|能)?\s*$",
            text[max(0, place - 12) : place],
            re.IGNORECASE | re.ASCII,
        )
    )


# What is waited for has not happened yet.
_UNTIL: Final = re.compile(
    r"\b(?:wait\w*|until|before|after|when)\b|等(?!待执行)|之前|之后", re.IGNORECASE | re.ASCII
)


def statuses(reading: Reading, sentence: Span, clause: Span) -> Iterator[Claim]:
    """Yield which nodes are said to have run, or to be still to run."""
    text = reading.text.text
    for pattern, told in ((lexicon.PENDING, False), (lexicon.DONE, True)):
        for match in pattern.finditer(text, clause.start, clause.end):
            # "has not run" holds "run" too.
            if told and (
                lexicon.PENDING.search(text, max(clause.start, match.start() - 12), match.end())
                or is_negated(text, match.start())
            ):
                continue
            if lexicon.FUTURE.search(text, clause.start, match.start()):
                continue
            if _UNTIL.search(text, clause.start, match.start()):
                continue
            near = reading.subjects(sentence, clause, match.start(), near=True)
            for id in reading.subjects(sentence, clause, match.start()):
                found = _status(reading, id, match, told=told)
                yield from (one for one in found if near or one.verdict == "right")


def _status(reading: Reading, id: str, match: re.Match[str], *, told: bool) -> Iterator[Claim]:
    node = reading.case.plan.by_id.get(id)
    if node is None:
        return
    ran = id in reading.case.ledger
    # A node of the last round has run and is shown with status false: both can be said of it.
    right = told in (ran, node.status)
    verdict: Held = "right" if right else "wrong"
    yield Claim(match.start(), match.end(), "status", verdict, (PLAN,), f"{id} {told}")
