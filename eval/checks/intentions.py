"""S1c: whether what the thought says it will do is what the plan does.

An intention is a clause that tells of what the answer does ("I retry node 2", "把节点3的 city
改为…", "node 5 now waits for node 4"), read as one of a few acts with the nodes, parameters and
values it names. It is kept when the plan shows the act.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from eval.checks import lexicon
from eval.checks.changes import ADDED, AGAIN, ANEW, CALL, DROPPED, REMOVED, RESET, Change
from eval.checks.mentions import Span
from eval.checks.reading import Reading
from eval.checks.shown import flat
from eval.checks.structural import Verdict, listed
from trajectory.plan import RESPONSE


@dataclass(frozen=True)
class Intention:
    """One act that a thought announces: what, to which nodes, tools, parameters, with what.

    named: the nodes that its clause names; nodes: those, and what "it" and the like stand for.
    """

    acts: frozenset[str]
    named: tuple[str, ...]
    nodes: tuple[str, ...]
    tools: tuple[str, ...]
    parameters: tuple[str, ...]
    values: tuple[str, ...]
    words: str


def consistency(reading: Reading, change: Change) -> Verdict:
    """Return S1c: whether what the thought says it will do is what the plan does.

    1: every intention is kept, and every node that changes is spoken of; where nothing changes, the
    thought says so. 0.5: some intentions are kept and some not, or a change is made without a
    word. 0: no intention is kept but that of leaving things as they are, or none is announced
    though the plan changes. An intention in words that the lexicon has not is not seen, nor which
    of several is the main one.
    """
    if not reading.text.raw.strip():
        return 0.0, "there is no thought"
    found = [*intentions(reading)]
    kept = [one for one in found if is_kept(one, change)]
    broken = [f"not so in the plan: {one.words.strip()}" for one in found if one not in kept]
    spoken = _spoken(reading, change, found)
    if not found:
        if change.places:
            return 0.0, "nothing is announced"
        said = bool(lexicon.ACTIONS["keep"].search(reading.text.text))
        return (1.0 if said else 0.5), "nothing is announced, nothing changed"
    if (broken or change.places) and all(one.acts == {"keep"} for one in kept):
        return 0.0, listed(broken) or "nothing is announced but to leave things as they are"
    if broken:
        return 0.5, listed(broken)
    return (1.0, "announced and done") if spoken == 1 else (0.5, "more is changed than is said")


def _spoken(reading: Reading, change: Change, found: list[Intention]) -> float:
    """Return the share of changed nodes that the thought speaks of; 1 where nothing changes.

    An act that names no node speaks of all that it fits.
    """
    text = reading.text
    named = {change.purpose(name) for one in text.nodes for name in one.names}
    tools = {one.name for one in text.tools}
    changed = {node or what.removeprefix(f"{ADDED} ") for node, what in change.places}
    if not changed:
        return 1.0
    if any(
        not one.nodes and not one.tools and one.acts & {"retry", "restart", "finish"}
        for one in found
    ):
        return 1.0
    silent = {*_silent(reading, change, found)}
    names = {node.id: node.name for node in (*change.old, *change.new)}
    new = {change.purpose(node.id) for node in change.added}
    spoken = [
        one
        for one in changed - silent
        if one in named or one in tools or names.get(one) in tools or (one in new and not named)
    ]
    return len(spoken) / len(changed)


def _silent(reading: Reading, change: Change, found: list[Intention]) -> Iterator[str]:
    """Yield the nodes of which arguments change, none of which is named.

    What is announced of a node without the name of an argument may mean any of them.
    """
    said = {one.name for one in reading.text.parameters}
    changed: dict[str, set[str]] = {}
    for node, what in change.places:
        kind, _, parameter = what.partition(" ")
        if kind == "para" and parameter:
            changed.setdefault(node, set()).add(parameter)
    for node, parameters in changed.items():
        acts = [one for one in found if node in map(change.purpose, one.nodes)]
        told = [one for one in acts if one.acts & {"set", "add", "remove"}]
        if said.isdisjoint(parameters) and acts and all(one.parameters for one in told):
            yield node


def intentions(reading: Reading) -> Iterator[Intention]:
    """Yield what a thought announces, clause by clause; an object is looked for in the sentence."""
    text = reading.text
    focus: tuple[str, ...] = ()
    for sentence, clause, intent in reading.clauses:
        nodes = tuple(text.named_nodes(clause, by_tool=False))
        part = text.part(clause)
        acts = frozenset(name for name, pattern in lexicon.ACTIONS.items() if pattern.search(part))
        if intent and acts and not _is_label(part) and not lexicon.WEIGHED.search(part):
            yield Intention(
                acts,
                nodes,
                (*nodes, *(focus if _leans(part) else ())),
                tuple(one.name for one in text.within(text.tools, clause)),
                tuple(one.name for one in text.within(text.parameters, clause)),
                tuple(_values(reading, clause)),
                part,
            )
        focus = nodes or tuple(text.named_nodes(sentence, by_tool=False)) or focus


# A word in front of a colon announces nothing by itself.
_LABEL: Final = re.compile(r"\W*(?:(?:the|my)\s+)?\w{0,12}\W*", re.ASCII | re.IGNORECASE)
_LABEL_ZH: Final = re.compile(r"\W*(?:修复|修正|更正|改动|修改)(?:方案|如下|方法|步骤)?\W*")


def _is_label(part: str) -> bool:
    return bool(_LABEL.fullmatch(part) and part.isascii()) or bool(_LABEL_ZH.fullmatch(part))


def _leans(part: str) -> bool:
    """Say whether a clause speaks of what was named before it."""
    if re.search(r"其他|其余|别的|其它", part):
        return False
    words = f" {part.lower()} "
    return any(f" {one} " in words for one in ("it", "its", "them", "this", "that")) or any(
        one in part for one in ("它", "该", "其", "此")
    )


def _values(reading: Reading, clause: Span) -> Iterator[str]:
    """Yield the values that something is set to: what stands behind "to", "为" and the like."""
    text = reading.text
    for one in text.within(text.values, clause):
        before = text.text[clause.start : one.start].rstrip(" \"'`(=:")
        if before.lower().endswith(
            (" to", "with", "=", ":", "as", "use", "into", "为", "成", "是", "用")
        ):
            yield one.name


def is_kept(one: Intention, change: Change) -> bool:
    """Say whether the plan shows an act of an intention, for what it names."""
    stands = _values_stand(one, change) and _tools_stand(one, change)
    if "keep" in one.acts and one.named:
        stands = stands and _keeps(one.named, one, change)
    return stands and any(_is_done(act, one, change) for act in sorted(one.acts))


def _tools_stand(one: Intention, change: Change) -> bool:
    """Say whether the nodes of an intention have, or had, one of the tools that it names."""
    ids = {*one.nodes, *(new for new, old in change.stands_in.items() if old in one.nodes)}
    nodes = [node for plan in (change.old, change.new) for node in plan if node.id in ids]
    if "set" not in one.acts or not one.tools or not nodes:
        return True
    return any(node.name in one.tools for node in nodes)


def _values_stand(one: Intention, change: Change) -> bool:
    """Say whether the values that are to be set stand in the new plan."""
    if not one.acts & {"set", "add"} or not one.values:
        return True
    written = flat([[node.para, node.name, node.id, [*node.dep]] for node in change.new])
    return all(flat(value) in written for value in one.values)


def _is_done(act: str, one: Intention, change: Change) -> bool:
    known = [node for node in one.nodes if node in change.old.by_id or node in change.new.by_id]
    if one.nodes and not known:
        return False
    if act == "keep":
        return _keeps(known, one, change)
    if act == "restart":
        return len(change.stands_in) >= max(1, len(_calls(change)) // 2)
    if act == "finish":
        return _answers_at_once(change) or not change.places
    if act == "retry":
        tried = known or [node.id for node in change.old if node.id in change.ledger]
        anew = any(change.runs_anew(node) or node not in change.old.by_id for node in tried)
        return anew or _any_of(known, one, change, {AGAIN, ANEW, RESET}, added=True)
    if act == "add":
        return _adds(known, one, change)
    if act == "remove":
        return _removes(known, one, change)
    if act == "wire":
        return _wires(known, one, change)
    if not one.values and any(_moved(node, change) for node in known):
        return True
    return _any_of(known, one, change, {CALL, "para", "edge+", "edge-", AGAIN}, added=True)


def _keeps(known: Sequence[str], one: Intention, change: Change) -> bool:
    """Say whether what is named stays as it was, or pending where that is what is announced."""
    if known and lexicon.PENDING.search(one.words):
        return not any(node.status for node in change.new if node.id in known)
    return not any(_touched(node, change) for node in known)


def _calls(change: Change) -> list[str]:
    return [node.id for node in change.old if node.is_call]


def _whats(change: Change, node: str) -> set[str]:
    purpose = change.purpose(node)
    return {what.partition(" ")[0] for id, what in change.places if id == purpose}


def _touched(node: str, change: Change) -> bool:
    return bool(_whats(change, node) & {CALL, "para", DROPPED, REMOVED, ANEW, "edge+", "edge-"})


def _any_of(
    known: list[str], one: Intention, change: Change, wanted: set[str], *, added: bool
) -> bool:
    """Say whether something of a kind is changed: at the named nodes, tools and parameters."""
    if one.parameters and "set" in one.acts:
        names = {what.partition(" ")[2] for _, what in change.places if what.startswith("para ")}
        new = {name for node in change.added if isinstance(node.para, dict) for name in node.para}
        anew = any(what in {CALL, "para"} for _, what in change.places)
        if not anew and names.union(new).isdisjoint(one.parameters):
            return False
    if known:
        new_nodes = {node.id for node in change.added}
        return any(_whats(change, node) & wanted or (added and node in new_nodes) for node in known)
    kinds = {what.partition(" ")[0] for _, what in change.places}
    return bool(kinds & wanted) or (added and bool(change.added))


def _adds(known: list[str], one: Intention, change: Change) -> bool:
    kinds = {what.partition(" ")[0] for _, what in change.places}
    if ("wire" in one.acts or one.parameters) and kinds & {"edge+", "para"}:
        return True
    if not change.added:
        return False
    ids, tools = {node.id for node in change.added}, {node.name for node in change.added}
    if one.tools:
        return not tools.isdisjoint(one.tools)
    new_named = [node for node in known if node not in change.old.by_id]
    return not new_named or not ids.isdisjoint(new_named)


def _removes(known: list[str], one: Intention, change: Change) -> bool:
    """Say whether what is named is gone: an edge, an argument, else the nodes themselves."""
    places = [(node, what.partition(" ")[0]) for node, what in change.places]
    if "wire" in one.acts:
        edges = [node for node, what in places if what == "edge-"]
        return bool(edges) and (not known or bool({*edges} & {*known}) or _unwired(known, change))
    if one.parameters:
        held = {change.purpose(node) for node in known}
        return any(what in {"para", CALL} and (not held or node in held) for node, what in places)
    if known:
        return any(node not in change.new.by_id for node in known)
    return any(what in {"edge-", "para", CALL, REMOVED, DROPPED} for _, what in places)


def _unwired(known: list[str], change: Change) -> bool:
    places = {(node, what) for node, what in change.places if what.startswith("edge-")}
    return any(what.partition(" ")[2] in known for _, what in places)


def _wires(known: list[str], one: Intention, change: Change) -> bool:
    if known and all(_moved(node, change) for node in known):
        return True
    if len(known) == 1:
        # "Which now waits for node 6."
        return any(known[0] in node.dep and _moved(node.id, change) for node in change.new)
    for node in known:
        others = {other for other in known if other != node}
        now = change.new.by_id.get(node)
        anew = _moved(node, change) or node not in change.old.by_id
        deps = set() if now is None else {*now.dep, *map(change.purpose, now.dep)}
        if anew and others & deps:
            return True
    if not known:
        return any(what.startswith("edge") for _, what in change.places) or bool(change.stands_in)
    return _unwired(known, change)


def _moved(node: str, change: Change) -> bool:
    """Say whether a node waits for others than it did."""
    old, new = change.old.by_id.get(node), change.new.by_id.get(node)
    return old is not None and new is not None and {*old.dep} != {*new.dep}


def _answers_at_once(change: Change) -> bool:
    response = change.new.by_id.get(RESPONSE)
    return response is not None and {*response.dep} <= {"root"}
