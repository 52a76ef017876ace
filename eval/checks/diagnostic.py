"""D1c to D5c: what the thought makes of plan and results, held against them and against the truth.

Each rule returns a score of 0, 0.5 or 1 and the reason in one line. No rule reads praise or
requests: only claims that can be looked up count. A text in other words than the lexicon's, or a
chain of reasoning, is beyond them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from eval.checks import lexicon
from eval.checks.case import Case
from eval.checks.claims import PLAN, TO_DEP, TOOL, WAITS, Claim, Reading, flat
from eval.checks.lexicon import CAUSE, KINDS, TAGS
from eval.checks.mentions import Span
from eval.checks.structural import Verdict, listed
from models.reading import Diagnosis
from trajectory.plan import RESPONSE


@dataclass(frozen=True)
class Account:
    """What an answer says of the trouble: the thought, read, and the diagnosis."""

    case: Case
    reading: Reading
    diagnosis: tuple[Diagnosis, ...]

    @property
    def says_nothing(self) -> bool:
        """Whether there is no thought."""
        return not self.reading.text.raw.strip()

    @cached_property
    def copied(self) -> bool:
        """Whether the thought is nothing but words of a result."""
        said = flat(self.reading.text.raw).strip(" .")
        return bool(said) and said in self.reading.shown.results

    def claims(self, item: str | None = None) -> list[Claim]:
        """Return the claims, or those that count for an item."""
        return [one for one in self.reading.claims if item is None or item in one.items]


def _counts(claims: Sequence[Claim]) -> tuple[int, int]:
    right = sum(one.verdict == "right" for one in claims)
    return right, len(claims) - right


def _told(claims: Sequence[Claim]) -> str:
    bad = [f"{one.verdict}: {one.kind} {one.about}" for one in claims if one.verdict != "right"]
    right, _ = _counts(claims)
    return listed([f"{right} right", *bad], 4)


# --- D1c, D2c --------------------------------------------------------------------------------


def plan_evidence(account: Account) -> Verdict:
    """Return D1c: whether the thought names and rightly reads the previous plan.

    Counted are claims of the tool of a node, of edges, of statuses and of how a node's call went
    (`claims`). 1: two or more are right and none is wrong or invented. 0.5: one is right and none
    wrong, or more are right than sentences wrong. 0: else. A node that is only named says nothing.
    """
    return _evidence(account, PLAN)


def tool_evidence(account: Account) -> Verdict:
    """Return D2c: whether it names and rightly reads tools, parameters, errors and values.

    Counted are claims of a node's tool, of parameters and their values, of how calls went, and
    of values and quoted words of results. 1: two or more are right and none is wrong or invented.
    0.5: one is right and none wrong, or more right than sentences wrong. 0: else, and where the
    thought is nothing but a copied result.
    """
    if account.copied:
        return 0.0, "a result is copied"
    return _evidence(account, TOOL)


def _evidence(account: Account, item: str) -> Verdict:
    if account.says_nothing:
        return 0.0, "there is no thought"
    claims = account.claims(item)
    right, _ = _counts(claims)
    wrong = _flawed(account, claims)
    if right >= 2 and not wrong:
        return 1.0, _told(claims)
    return (0.5 if right > wrong else 0.0), _told(claims)


# --- D3c -------------------------------------------------------------------------------------


def root_cause(account: Account) -> Verdict:
    """Return D3c: whether thought and diagnosis name the true cause, and no false one.

    For each error: is its root-cause node named (by id, or as the one that calls a named tool) in
    a sentence that says what is wrong, or in the diagnosis; is the kind the right one, by the
    words of the thought or the type of the diagnosis; is its tool, parameter or other node named
    too. False is an entry of the diagnosis for another node, and a sentence that calls another
    node the cause. 1: all of every error, none false. 0.5: a node without its kind or particulars,
    some of several errors, or more right than false ones. 0: else. For a control: 1 where no cause
    is named. A sound reason for a wrong kind is not seen.
    """
    if account.says_nothing and not account.diagnosis:
        return 0.0, "there is no thought"
    false = sorted({*_false_causes(account)})
    if not account.case.errors:
        return (0.0, f"false: {listed(false)}") if false else (1.0, "no cause is named, rightly")
    marks = [_named(account, error) for error in account.case.errors]
    reasons = [why for _, why in marks] + [f"false: node {node}" for node in false]
    found = sum(mark for mark, _ in marks)
    if found == len(marks) and not false:
        return 1.0, listed(reasons)
    some = found > 0 and len(false) <= sum(mark > 0 for mark, _ in marks)
    if false and not _is_asserted(account):
        some = False
    return (0.5 if some else 0.0), listed(reasons)


def _is_asserted(account: Account) -> bool:
    """Say whether a root cause is called the cause, rather than told of in passing."""
    roots = account.case.roots
    named = [*_causes(account), [one.node for one in account.diagnosis]]
    return any(not roots.isdisjoint(nodes) for nodes in named)


def _named(account: Account, error: Mapping[str, Any]) -> tuple[float, str]:
    """Return how much of an error is named, in [0, 1], and a remark."""
    node, kind = error["root_cause"], error["type"]
    entries = {one.type for one in account.diagnosis if one.node == node}
    spans = [*_about(account, node, any_kind=_is_type(kind, entries))]
    # A diagnosis without a word of it in the thought is a guess that nobody can follow.
    if not spans and not entries:
        return 0.0, f"node {node} is not named as a cause"
    kinds = {name for span in spans for name in _kinds(account, span)}
    by_type = _is_type(kind, entries)
    right = by_type if entries else kind in kinds
    if not spans:
        return (0.5 if by_type else 0.25), f"node {node} is in the diagnosis alone"
    if not right:
        return 0.5, f"node {node}, not as {kind}"
    if not _particular(account, error, spans):
        return 0.5, f"node {node} as {kind}, without what of it"
    return 1.0, f"node {node} as {kind}"


def _is_type(kind: str, entries: set[str]) -> bool:
    return any(entry.strip().lower() == kind.lower() for entry in entries)


def _about(account: Account, node: str, *, any_kind: bool = False) -> Iterator[Span]:
    """Yield the sentences that say of a node what is wrong with it, without what is to be done.

    A sentence without a node of its own is about the node of the one before it. any_kind: the
    words need not be those of a kind of error, as the diagnosis tells the kind.
    """
    text = account.reading.text
    focus: list[str] = []
    for sentence in text.sentences:
        facts = [
            one
            for whole, one, intent in account.reading.clauses
            if whole == sentence and not intent
        ]
        if not facts:
            continue
        stretch = Span(facts[0].start, facts[-1].end)
        focus = text.named_nodes(stretch) or focus
        if node in focus and (any_kind or _kinds(account, stretch)):
            yield stretch


def _kinds(account: Account, span: Span) -> set[str]:
    """Return the kinds of errors that a stretch has words for."""
    # A quoted message tells the kind too.
    part = account.reading.text.text[span.start : span.end]
    tagged = {kind for kind, pattern in TAGS.items() if pattern.search(part)}
    return tagged or {str(kind) for kind, pattern in KINDS.items() if pattern.search(part)}


def _particular(account: Account, error: Mapping[str, Any], spans: Sequence[Span]) -> bool:
    """Say whether tool, parameter, value or other node of an error is named near it."""
    text = account.reading.text
    node = account.case.plan.by_id.get(error["root_cause"])
    names = {error["parameter"], node.name if node is not None else None}
    names |= {name for side in (error["observed"], error["expected"]) for name in _words_of(side)}
    names |= {*node.dep} if node is not None else set()
    mentioned = {one.name for one in (*text.tools, *text.parameters, *text.values)}
    mentioned |= {
        name for span in spans for name in text.named_nodes(span) if name != error["root_cause"]
    }
    return not {str(name) for name in names if name}.isdisjoint(mentioned)


def _words_of(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield name
            yield from _words_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from _words_of(item)
    elif value is not None:
        yield str(value)


_REJECTED: Final = re.compile(
    r"(?:\bnot|n't|\bno|nor|neither|rule[sd]? out|rather than|unlikely|innocent"
    r"|only (?:a|the) (?:symptom|consequence|result)|symptom|consequence"
    r"|不是|并非|而非|排除|无关|只是|症状|结果)",
    re.IGNORECASE | re.ASCII,
)


def _false_causes(account: Account) -> Iterator[str]:
    roots = account.case.roots
    for one in account.diagnosis:
        if one.node not in roots:
            yield one.node or one.type
    for named in _causes(account):
        if roots.isdisjoint(named):
            yield named[0]


def _causes(account: Account) -> Iterator[list[str]]:
    """Yield the nodes that are called the cause outright, one word for it after another."""
    text = account.reading.text
    for sentence, clause, intent in account.reading.clauses:
        part = text.part(clause)
        for match in CAUSE.finditer(part) if not intent else ():
            if _REJECTED.search(part):
                continue
            place = clause.start + match.start()
            named = _cause_at(account, sentence, clause, place, place + len(match[0]))
            if named:
                yield named


_EXPLICIT: Final = re.compile(
    r"root[- ]cause|culprit|the (?:real |true |actual |underlying )?(?:cause|problem|fault|trouble)"
    r"|to blame|at fault|根因|根本原因|症结|问题(?:出)?在|错在|源于|源自|罪魁|起因",
    re.IGNORECASE | re.ASCII,
)


def _cause_at(account: Account, sentence: Span, clause: Span, start: int, end: int) -> list[str]:
    """Return the nodes that a word for a cause is about, where it is said outright."""
    text = account.reading.text
    if not _EXPLICIT.search(text.text, start, end):
        return []
    behind = [one for one in text.within(text.nodes, clause) if one.start >= end]
    if behind:
        return list(behind[0].names)
    return account.reading.subjects(sentence, clause, start)


# --- D4c -------------------------------------------------------------------------------------


def impact(account: Account) -> Verdict:
    """Return D4c: whether the thought names what the error reaches.

    Held against the nodes affected later, where there are none against the delayed, else against
    naming nothing; root causes are left out. Named is a node in a clause that speaks of reach
    (downstream, affected, waits for it, will fail …); "everything downstream" of named nodes is
    all that waits for them. Root causes, nodes affected already and the response are neither
    right nor false. 1: all and no false one; 0.5: some, with no more false ones than right; 0:
    else. Where nothing is to be named: 1 where the thought reads something rightly and names
    none, 0.5 where it is empty of evidence or names one, 0 where there is no thought or it names
    more.
    """
    if account.says_nothing:
        return 0.0, "there is no thought"
    case = account.case
    wanted, named = case.reached_later, _reached(account)
    neutral = case.roots | case.affected | {RESPONSE}
    false = named - wanted - neutral
    if not wanted:
        return _of_none(account, false)
    hits = named & wanted
    remark = f"{len(hits)} of {len(wanted)} named" + (
        f"; false: {listed(sorted(false))}" if false else ""
    )
    if hits == wanted and not false:
        return 1.0, remark
    return (0.5 if hits and len(false) <= len(hits) else 0.0), remark


def _of_none(account: Account, false: frozenset[str]) -> Verdict:
    if len(false) > 1:
        return 0.0, f"nothing is reached; false: {listed(sorted(false))}"
    if false:
        return 0.5, f"nothing is reached; false: {listed(sorted(false))}"
    reads = any(one.verdict == "right" for one in account.claims()) and not account.copied
    return (1.0, "nothing is named, rightly") if reads else (0.5, "nothing is named, nor read")


def _reached(account: Account) -> frozenset[str]:
    """Return the nodes that are named as reached."""
    found: set[str] = set()
    spared: set[str] = set()
    focus: list[str] = []
    for sentence in account.reading.text.sentences:
        focus = account.reading.text.named_nodes(sentence) or focus
        more, less = _reached_in(account, sentence, focus)
        found |= more
        spared |= less
    for waiting, dep in _waits_said(account):
        if dep in account.case.roots or dep in found:
            found.add(waiting)
    return frozenset(found - spared)


def _waits_said(account: Account) -> Iterator[tuple[str, str]]:
    """Yield (node, dep) that the thought rightly says of the plan: who waits for, or uses, whom."""
    for claim in account.claims(PLAN):
        if claim.kind == "edge" and claim.verdict == "right":
            node, how, dep = claim.about.split(" ", 2)[0], claim.about, claim.about.split(" ")[-1]
            if " < " in how or " uses " in how:
                yield node, dep


def _reached_in(
    account: Account, sentence: Span, focus: Sequence[str]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the nodes that a sentence calls reached, and those that it calls untouched.

    A clause about reach that names no node is about the first node before it, or about all of
    them ("so both are blocked").
    """
    text = account.reading.text
    found: set[str] = set()
    spared: set[str] = set()
    before: list[tuple[str, ...]] = []
    reaches = False
    for whole, clause, intent in account.reading.clauses:
        if whole != sentence or intent:
            continue
        part, here = text.part(clause), _who(account, clause)
        if lexicon.UNTOUCHED.search(part):
            spared |= {*_flat(here)}
            continue
        speaks = bool(lexicon.REACH.search(part))
        if speaks and not text.named_nodes(clause):
            found |= {*_flat(before if _ALL.search(part) else before[:1])}
        reaches = reaches or speaks
        found |= {*_flat(here)} if reaches else set()
        if lexicon.EVERYTHING.search(part) and reaches:
            found |= _all_below(account.case, _flat(here) or focus)
        before += here
    return frozenset(found), frozenset(spared)


def _flat(many: Sequence[tuple[str, ...]]) -> list[str]:
    return [name for names in many for name in names]


_ALL: Final = re.compile(
    r"\b(?:both|they|these|those|all|them|each)\b|都|均|二者|两者|它们", re.IGNORECASE | re.ASCII
)


_SOURCE: Final = re.compile(
    r"(?:\b(?:of|from)|(?:reference|edge|dependency|link|pointer)s? (?:to|on|by|of))\s+(?:the\s+)?$",
    re.IGNORECASE | re.ASCII,
)


def _who(account: Account, clause: Span) -> list[tuple[str, ...]]:
    """Return the nodes that a clause is about, mention by mention.

    Left out are those that others are said to wait for, and those that something comes from.
    """
    text = account.reading.text
    gone = [
        one
        for match in WAITS.finditer(text.text, clause.start, clause.end)
        for one in text.within(text.nodes, clause)
        if one.start >= match.end() and TO_DEP.fullmatch(text.text[match.end() : one.start])
    ]
    found = [
        one
        for one in text.within(text.nodes, clause)
        if one not in gone and not _SOURCE.search(text.text[clause.start : one.start])
    ]
    tools = ((one, text.known.callers.get(one.name, ())) for one in text.within(text.tools, clause))
    by_tool = [(one.start, nodes) for one, nodes in tools if len(nodes) == 1]
    return [names for _, names in sorted([*((one.start, one.names) for one in found), *by_tool])]


def _all_below(case: Case, nodes: Sequence[str]) -> frozenset[str]:
    if not nodes:
        return frozenset(node.id for node in case.plan if node.is_call)
    return frozenset(below for node in nodes for below in case.below.get(node, ()))


# --- D5c -------------------------------------------------------------------------------------


def restraint(account: Account) -> Verdict:
    """Return D5c: whether there is enough independent evidence, and nothing invented.

    1: the cause is named (D3c above 0), two or more claims of different kinds are right, none is
    wrong or invented, no false cause is named, and words rule something out or name what stays
    uncertain. 0.5: the cause is named, some claims are right and none is wrong or invented, with
    no more than one false cause. 0: else. Whether what is ruled out is a likely cause cannot be
    seen.
    """
    cause, _ = root_cause(account)
    claims = account.claims()
    right, wrong = _counts(claims)
    kinds = {one.kind for one in claims if one.verdict == "right"}
    false = {*_false_causes(account)}
    told = _told(claims) + ("; a false cause is named" if false else "")
    if account.says_nothing or account.copied or not right or not cause:
        return 0.0, told
    if wrong or len(false) > 1:
        return 0.0, told
    if len(kinds) < 2 or false:
        return 0.5, told
    weighed = bool(lexicon.WEIGHED.search(account.reading.text.text))
    return (1.0, told) if weighed else (0.5, f"{told}; nothing is ruled out or left open")


def _flawed(account: Account, claims: Sequence[Claim]) -> int:
    """Count the sentences that hold a wrong or invented claim."""
    bad = [one.start for one in claims if one.verdict != "right"]
    sentences = account.reading.text.sentences
    return sum(any(s.start <= place < s.end for place in bad) for s in sentences)
