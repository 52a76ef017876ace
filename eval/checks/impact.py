"""D4c: whether the thought names what the error reaches."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from eval.checks import lexicon
from eval.checks.account import Account
from eval.checks.case import Case
from eval.checks.mentions import Span
from eval.checks.plan_claims import TO_DEP, WAITS
from eval.checks.shown import PLAN
from eval.checks.structural import Verdict, listed
from trajectory.plan import RESPONSE


def impact(account: Account) -> Verdict:
    """Return D4c: whether the thought names what the error reaches.

    Held against the nodes affected later, where there are none against the delayed, else against
    naming nothing; root causes are left out. Named is a node in a clause that speaks of reach
    (downstream, affected, waits for it, will fail …); "everything downstream" of named nodes is
    all that waits for them, "the whole plan" is nobody. Root causes, nodes affected already and
    the response are neither right nor false. 1: all and no false one; 0.5: some, with no more
    false ones than right; 0: else. Where nothing is to be named: 1 where the thought reads
    something rightly and names none, 0.5 where it is empty of evidence or names one, 0 where
    there is no thought or it names more.
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
    for chain in _chains(account):
        behind = [place for place, id in enumerate(chain) if id in account.case.roots | found]
        found |= {*chain[behind[0] + 1 :]} if behind else set()
    for waiting, dep in sorted([*_waits_said(account), *_uses_said(account)]):
        if dep in account.case.roots or dep in found:
            found.add(waiting)
    return frozenset(found - spared)


_CHAIN: Final = re.compile(r"[\w-]+(?:\s*(?:->|→|=>|⇒)\s*[\w-]+)+", re.ASCII)
_ARROW: Final = re.compile(r"\s*(?:->|→|=>|⇒)\s*")


def _chains(account: Account) -> Iterator[list[str]]:
    """Yield the nodes of each chain of arrows ("8 -> 9 -> response") that the plan has so."""
    for match in _CHAIN.finditer(account.reading.text.text):
        ids = _ARROW.split(match[0])
        below = account.case.below
        if all(other in below.get(one, ()) for one, other in pairwise(ids)):
            yield ids


_SHOWN: Final = re.compile(r"[‹<]([\w-]+)[.\[]", re.ASCII)


def _uses_said(account: Account) -> Iterator[tuple[str, str]]:
    """Yield (node, dep) where a clause rightly says that a node takes ‹dep.path›."""
    text = account.reading.text
    for _, clause, intent in account.reading.clauses:
        for match in _SHOWN.finditer(text.text, clause.start, clause.end):
            before = [one for one in text.within(text.nodes, clause) if one.end <= match.start()]
            for node in before[-1].names if before and not intent else ():
                if node in account.case.below.get(match[1], ()):
                    yield node, match[1]


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
            spared |= {*_flat(here or before)}
            continue
        speaks = bool(lexicon.REACH.search(part))
        if speaks and not text.named_nodes(clause):
            found |= {*_flat(before if _ALL.search(part) else before[:1])}
        reaches = reaches or speaks
        found |= {*_flat(here)} if reaches else set()
        every = lexicon.EVERYTHING.search(part)
        if every and reaches and (here or lexicon.BELOW.search(every[0])):
            found |= _all_below(account.case, _flat(here) or focus)
        before += here
    return frozenset(found), frozenset(spared)


def _flat(many: Sequence[tuple[str, ...]]) -> list[str]:
    return [name for names in many for name in names]


_ALL: Final = re.compile(
    r"\b(?:both|they|these|those|all|them|each)\b|都|均|二者|两者|它们", re.IGNORECASE | re.ASCII
)


_SOURCE: Final = re.compile(
    r"(?:\b(?:of|from)|(?:reference|edge|dependency|link|pointer)s? (?:to|on|by|of))"
    r"\s+(?:the\s+)?$",
    re.IGNORECASE | re.ASCII,
)


def spoken_of(account: Account) -> frozenset[str]:
    """Return the nodes that clauses are about."""
    return frozenset(
        name for _, clause, _ in account.reading.clauses for name in _flat(_who(account, clause))
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
