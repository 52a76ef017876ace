"""Claims of tools and results: how calls went, parameters, values, fields."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from eval.checks import lexicon
from eval.checks.lexicon import KINDS
from eval.checks.mentions import Mention, Span
from eval.checks.plan_claims import is_negated
from eval.checks.reading import Claim, Held, Reading
from eval.checks.shown import PLAN, TOOL, flat
from trajectory.error_types import ErrorType
from trajectory.plan import RESPONSE
from trajectory.references import is_reference

_SNAKE: Final = re.compile(r"(?<![\w$.\[-])[A-Za-z]+(?:_[A-Za-z0-9]+)+(?![\w(\[-])", re.ASCII)


_PATH: Final = re.compile(r"[A-Za-z_]\w*(?:\[\d+\])+(?:\.[A-Za-z_]\w*)*", re.ASCII)


def paths(reading: Reading) -> Iterator[Claim]:
    """Yield paths into results that the plan has or that lead to something."""
    for match in _PATH.finditer(reading.text.text):
        items = reading.shown.place_of(match[0])
        if items and not reading.is_intent(match.start()):
            yield Claim(match.start(), match.end(), "field", "right", items, match[0])


def names(reading: Reading) -> Iterator[Claim]:
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


def outcomes(reading: Reading, sentence: Span, clause: Span) -> Iterator[Claim]:
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
            if is_negated(text, match.start()) or _is_quoted(reading, match):
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
    verdict: Held = "right" if right else "wrong"
    yield Claim(match.start(), match.end(), "outcome", verdict, (PLAN, TOOL), f"{id} {what}")


def _how(outcome: str, result: Any) -> str:
    if outcome == "failed" and "timeout" in flat(result):
        return "timeout"
    return outcome


# --- parameters and values -------------------------------------------------------------------


def parameters(reading: Reading, sentence: Span, clause: Span) -> Iterator[Claim]:
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


def values(reading: Reading, sentence: Span, clause: Span) -> Iterator[Claim]:
    """Yield values that are stated, of a parameter or by themselves."""
    text = reading.text
    part = text.part(clause)
    wished = bool(lexicon.NORMATIVE.search(part))
    for one in text.within(text.values, clause):
        items = reading.shown.place_of(one.name)
        parameter = _named_before(reading, one)
        if parameter is not None and not wished and items is not None:
            held = _held(reading, sentence, clause, parameter)
            if held and not any(flat(one.name) in value for value in held):
                yield Claim(
                    one.start, one.end, "value", "wrong", (TOOL,), f"{parameter.name} {one.name}"
                )
                continue
        if items is not None:
            if reading.is_about_calls(sentence) and _tells(one):
                yield Claim(one.start, one.end, "value", "right", items, one.name)
        elif _is_retold(reading, one):
            continue
        elif not wished and (parameter is not None or _is_definite(reading, one)):
            yield Claim(one.start, one.end, "value", "invented", (TOOL,), one.name)


def _is_retold(reading: Reading, value: Mention) -> bool:
    """Say whether quoted words tell something shown in another language, names as they stand."""
    names = re.findall(r"[!-~]+", value.name)
    foreign = any("\u4e00" <= char <= "\u9fff" for char in value.name)
    return foreign and all(
        reading.shown.place_of(name) is not None or not name.strip("/.,;:!?-") for name in names
    )


def _tells(value: Mention) -> bool:
    """Say whether a value is more than a small number, which stands everywhere."""
    try:
        return float(value.name) >= _SMALL or not float(value.name).is_integer()
    except ValueError:
        return True


_SMALL: Final = 10


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
