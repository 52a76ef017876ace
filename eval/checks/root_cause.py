"""D3c: whether thought and diagnosis name the true cause."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from eval.checks.account import Account
from eval.checks.lexicon import CAUSE, KINDS, TAGS
from eval.checks.mentions import Span
from eval.checks.structural import Verdict, listed


def root_cause(account: Account, false: Collection[str]) -> Verdict:
    """Return D3c: whether thought and diagnosis name the true cause, and none of `false_causes`.

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
    if not account.case.errors:
        return (0.0, f"false: {listed([*false])}") if false else (1.0, "no cause is named, rightly")
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
    by_type = _is_type(kind, entries)
    if not spans:
        return (0.5 if by_type else 0.25), f"node {node} is in the diagnosis alone"
    by_words = not entries and any(kind in _kinds(account, span) for span in spans)
    if not (by_type or by_words):
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


def false_causes(account: Account) -> list[str]:
    """Return the nodes that diagnosis or thought call the cause and that are none, sorted."""
    roots = account.case.roots
    diagnosed = {one.node or one.type for one in account.diagnosis if one.node not in roots}
    return sorted(diagnosed | {named[0] for named in _causes(account) if roots.isdisjoint(named)})


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
