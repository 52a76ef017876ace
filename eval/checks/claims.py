"""Claims: what a thought states of plan and results, each held against what was shown.

A claim is right, wrong (something else was shown) or invented (it was never shown at all). Looked
for are: nodes; the tool of a node; edges; statuses; how calls went; parameters of a node's tool;
values of parameters; values and quoted words of results, plan and request; names of tools. Only
what is stated as a fact counts: wishes, intentions and expectations are read elsewhere. What is
told in other words than the lexicon has is not seen, and so neither right nor wrong.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

from eval.checks import lexicon
from eval.checks.case import Case
from eval.checks.lexicon import KINDS
from eval.checks.mentions import Mention, Span, Text, narrowed
from trajectory import canonical
from trajectory.error_types import ErrorType
from trajectory.graph import topology
from trajectory.plan import RESPONSE, Plan
from trajectory.references import is_reference, references

Verdict = Literal["right", "wrong", "invented"]
PLAN: Final = "D1"
TOOL: Final = "D2"


@dataclass(frozen=True)
class Claim:
    """One statement: where it stands in the text, what it is about, and whether it holds.

    items: the items that it counts for, of D1 and D2; () where it is of the request alone.
    about: what tells two claims apart that say different things.
    """

    start: int
    end: int
    kind: str
    verdict: Verdict
    items: tuple[str, ...]
    about: str


@dataclass(frozen=True)
class Shown:
    """What was shown, as text to look things up in; `answered` is the plan that answers it."""

    case: Case
    answered: Plan

    @cached_property
    def results(self) -> str:
        """The results of all rounds so far."""
        return flat([entry.result for entry in self.case.ledger])

    @cached_property
    def plan(self) -> str:
        """The plan's nodes and the arguments as they were sent."""
        nodes = [[node.id, node.name, node.para, [*node.dep]] for node in self.case.plan]
        return flat([nodes, [entry.arguments for entry in self.case.ledger]])

    @cached_property
    def rest(self) -> str:
        """The request, the tools, and the plan that answers."""
        nodes = [[node.id, node.name, node.para] for node in self.answered]
        one = self.case.instance
        return flat([one.query, one.tools, nodes])

    @cached_property
    def numbers(self) -> tuple[frozenset[float], frozenset[float], frozenset[float]]:
        """The numbers of results, plan and rest."""
        return _numbers(self.results), _numbers(self.plan), _numbers(self.rest)

    def place_of(self, value: str) -> tuple[str, ...] | None:
        """Return the items that a value counts for by where it stands; None: it stands nowhere."""
        wanted = flat(value)
        number = _number(value)
        texts = (self.results, self.plan, self.rest)
        parts = [part.strip() for part in re.split(r"…|\.\.\.", wanted) if part.strip()] or [wanted]
        for text, numbers, items in zip(
            texts, self.numbers, ((TOOL,), (PLAN, TOOL), ()), strict=True
        ):
            if all(part in text for part in parts) if number is None else number in numbers:
                return items
        return None


def flat(value: Any) -> str:
    """Return the text of a value in lower case, without escapes, quotes and double blanks."""
    text = value if isinstance(value, str) else canonical.dumps(value)
    return " ".join(re.sub(r"[\"'`\\]", "", narrowed(text)).lower().split())


_NUMBER: Final = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?", re.ASCII)
_ALONE: Final = re.compile(r"-?\d+(?:\.\d+)?", re.ASCII)


def _numbers(text: str) -> frozenset[float]:
    return frozenset(float(match) for match in _NUMBER.findall(text))


def _number(value: str) -> float | None:
    return float(value) if _ALONE.fullmatch(value) else None


# --- reading ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reading:
    """A text read beside what was shown."""

    text: Text
    shown: Shown

    @property
    def case(self) -> Case:
        """The instance."""
        return self.shown.case

    @cached_property
    def clauses(self) -> list[tuple[Span, Span, bool]]:
        """(sentence, clause, whether it tells of what the answer does) in order."""
        found = []
        for sentence in self.text.sentences:
            before = False
            for clause in self.text.clauses(sentence):
                part = self.text.part(clause)
                bare = bool(lexicon.BARE.match(part))
                before = bool(lexicon.INTENT.search(part)) or bare
                found.append((sentence, clause, before))
        return found

    @cached_property
    def claims(self) -> list[Claim]:
        """All claims in the order of the text, each once."""
        found = [*_nodes(self), *_names(self), *_paths(self), *_edges(self), *_uses(self)]
        found += [one for one in _pairs(self) if not self.is_intent(one.start)]
        for sentence, clause, intent in self.clauses:
            if not intent:
                found += _parameters(self, sentence, clause)
                found += _statuses(self, sentence, clause)
                found += _outcomes(self, sentence, clause)
                found += _values(self, sentence, clause)
        once = {(one.kind, one.about, one.verdict): one for one in reversed(found)}
        return sorted(once.values(), key=lambda one: (one.start, one.end, one.kind))

    def is_intent(self, place: int) -> bool:
        """Say whether the clause at a place tells of what the answer does."""
        return any(intent for _, one, intent in self.clauses if one.start <= place < one.end)

    def subjects(
        self, sentence: Span, clause: Span, place: int, *, near: bool = False
    ) -> list[str]:
        """Return the nodes that a word at a place is about: the nearest before it, else behind.

        In the clause before the sentence; near: in the clause alone. A node that is named by its tool alone is one of those
        that call it: see `one_of`.
        """
        for span in (clause,) if near else (clause, sentence):
            nodes = self.text.within(self.text.nodes, span)
            tools = self.text.within(self.text.tools, span)
            before = [one for one in nodes if one.end <= place]
            if before:
                return list(before[-1].names)
            called = self._called([one for one in tools if one.end <= place][-1:])
            if called:
                return called
            if span == clause and nodes:
                return list(nodes[0].names)
            if span == clause and (called := self._called(tools[:1])):
                return called
        return []

    def _called(self, tools: Sequence[Mention]) -> list[str]:
        return [id for one in tools for id in self.text.known.callers.get(one.name, ())]

    def one_of(self, ids: Sequence[str]) -> bool:
        """Say whether nodes are all that call one tool, and so may be meant as one of them."""
        return len(ids) > 1 and any(
            tuple(ids) == callers for callers in self.text.known.callers.values()
        )


# --- nodes, tools, edges ---------------------------------------------------------------------


def _nodes(reading: Reading) -> Iterator[Claim]:
    known = reading.text.known.ids
    for one in reading.text.nodes:
        for name in one.names:
            if name not in known:
                yield Claim(one.start, one.end, "node", "invented", (PLAN,), name)


_SNAKE: Final = re.compile(r"(?<![\w$.\[-])[A-Za-z]+(?:_[A-Za-z0-9]+)+(?![\w(\[-])", re.ASCII)


_PATH: Final = re.compile(r"[A-Za-z_]\w*(?:\[\d+\])+(?:\.[A-Za-z_]\w*)*", re.ASCII)


def _paths(reading: Reading) -> Iterator[Claim]:
    """Yield paths into results that the plan has or that lead to something."""
    for match in _PATH.finditer(reading.text.text):
        items = reading.shown.place_of(match[0])
        if items and not reading.is_intent(match.start()):
            yield Claim(match.start(), match.end(), "field", "right", items, match[0])


def _names(reading: Reading) -> Iterator[Claim]:
    """Yield names in the form of tools: fields of results, and what stands nowhere."""
    tags = {kind.value.lower() for kind in ErrorType}
    known = {*reading.text.known.tools, *reading.text.known.parameters, *reading.text.known.ids}
    for match in _SNAKE.finditer(reading.text.text):
        name = match[0]
        if name in known or name.lower() in tags:
            continue
        items = reading.shown.place_of(name)
        if items is None:
            yield Claim(match.start(), match.end(), "name", "invented", (TOOL,), name)
        elif items and not reading.is_intent(match.start()):
            yield Claim(match.start(), match.end(), "field", "right", (TOOL,), name)


_IS_OF: Final = re.compile(
    r"[\s\"'`(,:;=]*(?:(?:which|that)\s+)?(?:(?:calls?|called|calling|uses?|using|used|is|runs?|ran|made|makes|with|invokes?|invoked|names?)\s+)?(?:the\s+)?(?:tool|call|调用(?:了|的)?|使用(?:了|的)?|用的?|是|执行|运行|的|工具)*[\s\"'`(,:的]*",
    re.IGNORECASE | re.ASCII,
)
_IS_AT: Final = re.compile(
    r"[\s\"'`)]*(?:\(|\[|(?:call\s+)?(?:at|in|of|by|on)\s|即|在)[\s\"'`(]*",
    re.IGNORECASE | re.ASCII,
)


def _pairs(reading: Reading) -> Iterator[Claim]:
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
        verdict: Verdict = "right" if right else "wrong"
        yield Claim(start, end, "tool", verdict, (PLAN, TOOL), f"{id} {tool.name}")


WAITS: Final = re.compile(
    r"(?P<no>(?:does|do|did)(?:\s+not|n't)\s+|no longer\s+|not\s+|never\s+|不|没有|并未|未|并不)?"
    r"(?P<verb>(?:depend(?:s|ed|ing)?(?:\s+only|\s+directly)?\s+(?:up)?on"
    r"|(?:is|are)\s+dependent\s+on|wait(?:s|ed|ing)?(?:\s+only)?\s+(?:for|on)"
    r"|hang(?:s|ing)?\s+(?:only\s+)?on|依赖(?:于|了)?|等待))"
    r"\s*(?:只|仅)?\s*",
    re.IGNORECASE | re.ASCII,
)
_NOTHING: Final = re.compile(
    r"(?:nothing|no (?:other |further )?(?:node|one|other|task|step)"
    r"|(?:the )?root\b|\[\]|an(?:y|ything)\b|任何|其他|别的)",
    re.IGNORECASE | re.ASCII,
)
_ANY: Final = re.compile(r"any|任何|其他|别的", re.IGNORECASE)


def _edges(reading: Reading) -> Iterator[Claim]:
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
    r"(?:refers?|referring|references?|referencing|uses?|using|takes?|taking|needs?|reads?|consumes?|gets?|builds? on"
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


def _uses(reading: Reading) -> Iterator[Claim]:
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


# --- statuses and outcomes -------------------------------------------------------------------


def _is_negated(text: str, place: int) -> bool:
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


def _statuses(reading: Reading, sentence: Span, clause: Span) -> Iterator[Claim]:
    """Yield which nodes are said to have run, or to be still to run."""
    text = reading.text.text
    for pattern, told in ((lexicon.PENDING, False), (lexicon.DONE, True)):
        for match in pattern.finditer(text, clause.start, clause.end):
            # "has not run" holds "run" too.
            if told and (
                lexicon.PENDING.search(text, max(clause.start, match.start() - 12), match.end())
                or _is_negated(text, match.start())
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
    verdict: Verdict = "right" if right else "wrong"
    yield Claim(match.start(), match.end(), "status", verdict, (PLAN,), f"{id} {told}")


def _outcomes(reading: Reading, sentence: Span, clause: Span) -> Iterator[Claim]:
    """Yield how calls are said to have gone."""
    text = reading.text.text
    told = (
        ("timeout", KINDS[ErrorType.TIMEOUT]),
        ("empty", KINDS[ErrorType.NULL]),
        ("failed", lexicon.FAILED),
        ("ok", lexicon.SUCCEEDED),
    )
    for what, pattern in told:
        for match in pattern.finditer(text, clause.start, clause.end):
            if lexicon.FUTURE.search(text, clause.start, match.start()):
                continue
            if _is_negated(text, match.start()) or _is_quoted(reading, match):
                continue
            ids = reading.subjects(sentence, clause, match.start())
            found = [one for id in ids for one in _outcome(reading, id, match, what)]
            right = [one for one in found if one.verdict == "right"]
            # Further away the words may be about another node: nothing is held against them.
            sure = ids == reading.subjects(sentence, clause, match.start(), near=True)
            yield from found if sure and not (right and reading.one_of(ids)) else right


def _is_quoted(reading: Reading, match: re.Match[str]) -> bool:
    return any(
        one.start <= match.start() < one.end and one.kind == "quote" and one.end > match.end()
        for one in reading.text.values
    )


def _outcome(reading: Reading, id: str, match: re.Match[str], what: str) -> Iterator[Claim]:
    entries = reading.case.ledger.attempts(id)
    if id == RESPONSE or id not in reading.case.plan.by_id:
        return
    got = {_how(entry.outcome, entry.result) for entry in entries}
    right = what in got or (what == "failed" and bool(got - {"ok"}))
    # Words for nothing are said of much else; they tell against nobody.
    if not right and what == "empty":
        return
    verdict: Verdict = "right" if right else "wrong"
    yield Claim(match.start(), match.end(), "outcome", verdict, (PLAN, TOOL), f"{id} {what}")


def _how(outcome: str, result: Any) -> str:
    if outcome == "failed" and "timeout" in flat(result):
        return "timeout"
    return outcome


# --- parameters and values -------------------------------------------------------------------


def _parameters(reading: Reading, sentence: Span, clause: Span) -> Iterator[Claim]:
    """Yield parameters that are named with a node or tool that has them, and their values."""
    text = reading.text
    for one in text.within(text.parameters, clause):
        ids = text.named_nodes(sentence)
        tools = [each.name for each in text.within(text.tools, sentence)]
        owners = [id for id in ids if one.name in _parameters_of(reading, id)]
        declared = any(
            one.name in tool.parameters
            for name in tools
            for tool in reading.case.catalogue.named(name)
        )
        if owners or declared:
            about = f"{one.name} {owners[0] if owners else ''}"
            yield Claim(one.start, one.end, "parameter", "right", (TOOL,), about)


def _parameters_of(reading: Reading, id: str) -> set[str]:
    names: set[str] = set()
    for plan in (reading.case.plan, reading.shown.answered):
        node = plan.by_id.get(id)
        if node is not None and node.is_call:
            names |= {*node.para} if isinstance(node.para, dict) else set()
            for tool in reading.case.catalogue.named(node.name or ""):
                names |= {*tool.parameters}
    return names


_EQUALS: Final = re.compile(
    r"[\"'`\s]*(?:=|:|is|was|got|gets|holds?|held|has|had|set to|given as|to|as|of|with|value|the"
    r"|为|是|等于|被?设(?:置)?(?:为|成)|取值|的值|收到|得到|传入|写(?:成|作)了?|了|却|\s)+[\"'`\s]*",
    re.IGNORECASE | re.ASCII,
)
_SAYS: Final = re.compile(
    r"(?:said|says?|returned|returns?|message|error|reads?|told|reported|complain\w*|with"
    r"|报错|返回|提示|消息|信息|显示|错误)[\s:,(为是了“]*$",
    re.IGNORECASE | re.ASCII,
)


def _values(reading: Reading, sentence: Span, clause: Span) -> Iterator[Claim]:
    """Yield values that are stated, of a parameter or by themselves."""
    text = reading.text
    part = text.part(clause)
    wished = bool(lexicon.NORMATIVE.search(part))
    for one in text.within(text.values, clause):
        items = reading.shown.place_of(one.name)
        parameter = _named_before(reading, one)
        if parameter is not None and not wished and items is not None:
            held = _held(reading, sentence, clause, parameter)
            if held and "…" not in one.name and flat(one.name) not in held:
                yield Claim(
                    one.start, one.end, "value", "wrong", (TOOL,), f"{parameter.name} {one.name}"
                )
                continue
        if items is not None:
            yield Claim(one.start, one.end, "value", "right", items, one.name)
        elif not wished and _is_definite(reading, one):
            yield Claim(one.start, one.end, "value", "invented", (TOOL,), one.name)


def _named_before(reading: Reading, value: Mention) -> Mention | None:
    """Return the parameter that a value is said to be of."""
    before = [one for one in reading.text.parameters if one.end <= value.start]
    if before and _EQUALS.fullmatch(reading.text.text[before[-1].end : value.start]):
        return before[-1]
    return None


def _held(reading: Reading, sentence: Span, clause: Span, parameter: Mention) -> set[str]:
    """Return what the nodes in question hold for a parameter; empty where none is named."""
    held: set[str] = set()
    for id in reading.subjects(sentence, clause, parameter.start):
        paras = [entry.arguments for entry in reading.case.ledger.attempts(id)]
        for plan in (reading.case.plan, reading.shown.answered):
            paras += [node.para for node in plan if node.id == id]
        for para in paras:
            if isinstance(para, dict) and parameter.name in para:
                held |= set(_leaves(para[parameter.name]))
    return held


def _leaves(value: Any) -> Iterator[str]:
    yield flat(value)
    items: Iterable[Any] = ()
    if isinstance(value, dict):
        items = value.values() if not is_reference(value) else [value["$ref"], value.get("path")]
    elif isinstance(value, list):
        items = value
    for item in items:
        yield from _leaves(item)


def _is_definite(reading: Reading, value: Mention) -> bool:
    """Say whether a value is put as something that was shown, rather than as a manner of speech."""
    if value.kind == "value":
        return True
    if re.search(r"[\d_@$]", value.name):
        return True
    return bool(_SAYS.search(reading.text.text[max(0, value.start - 24) : value.start]))
