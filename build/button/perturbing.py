"""Ways in which a recorded conversation blurs where values come from, applied to our own tasks.

Each kind changes the calls of a gold plan and leaves its edges as they are, so that a reader's
edges can be told right or wrong. The changed calls are only read, never run.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from build.button.content import DISTINCT, weight
from build.gold import Gold
from trajectory import canonical
from trajectory.calls import Call
from trajectory.references import is_reference, read_reference, references

Pair = tuple[str, str]


@dataclass(frozen=True)
class Blurred:
    """A task with changed calls.

    touched: the edges (dep, node) of which a value was changed. named: the assistant's words name
    the tools whose results a turn uses.
    """

    gold: Gold
    touched: frozenset[Pair]
    named: bool = False


# A value as it stands in an argument → as it shall stand there; None leaves it as it is.
Change = Callable[[Any], Any]


def plain(gold: Gold) -> Blurred:
    """Return the task as it is."""
    return Blurred(gold, frozenset())


def rounded(gold: Gold) -> Blurred:
    """Round the numbers that come from results."""
    return _with_arguments(gold, _round)


def _round(value: Any) -> Any:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    rough = round(value, -2) if abs(value) >= 1000 else round(value, 0 if abs(value) >= 100 else 1)
    return rough if rough not in (value, 0) else None


def reformatted(gold: Gold) -> Blurred:
    """Write the values that come from results in another way."""
    return _with_arguments(gold, _reformat)


def _reformat(value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:,}"
    if not isinstance(value, str):
        return None
    try:
        day = date.fromisoformat(value)
    except ValueError:
        other = value.replace("-", " ").replace("_", " ")
        return other.lower() if other.isupper() else other.upper()
    return f"{_MONTHS[day.month - 1]} {day.day}, {day.year}"


_MONTHS: Final = (
    "January February March April May June July August September October November December"
).split()


def in_text(gold: Gold) -> Blurred:
    """Put the values that come from results into a sentence of the argument."""

    def told(value: Any) -> Any:
        known = isinstance(value, str | int | float) and weight(value) >= DISTINCT
        return f"This is about {value}, as agreed." if known else None

    return _with_arguments(gold, told)


def nested(gold: Gold) -> Blurred:
    """Put arguments and results deeper into objects and lists."""
    calls = _each_call(
        gold,
        lambda call: replace(
            call,
            arguments={"request": {"parameters": call.arguments}},
            results={"status": "ok", "data": [{"content": call.results}]},
        ),
    )
    return Blurred(replace(gold, calls=calls), frozenset(_pairs(gold)))


def from_prose(gold: Gold) -> Blurred:
    """Put the values that arguments take into sentences of the results."""
    taken: dict[str, set[str]] = {}
    touched: set[Pair] = set()
    for call, found, value in _uses(gold):
        if isinstance(value, str | int | float) and weight(value) >= DISTINCT:
            taken.setdefault(found, set()).add(canonical.dumps(value))
            touched.add((found, call))

    def told(call: Call) -> Call:
        texts = taken.get(call.node or "", set())
        return replace(call, results=_mapped(call.results, lambda value: _sentence(value, texts)))

    return Blurred(replace(gold, calls=_each_call(gold, told)), frozenset(touched))


def _sentence(value: Any, texts: set[str]) -> Any:
    if isinstance(value, dict | list) or canonical.dumps(value) not in texts:
        return value
    return f"The system has put down {value} for this."


def colliding(gold: Gold) -> Blurred:
    """Give the things that results name small numbers, counted anew under each key."""
    numbers: dict[str, int] = {}
    counts: dict[str, int] = {}
    touched: set[Pair] = set()
    paths = {(r.node, node.id): r.path for node in gold.plan for r in references(node.para)}
    for node, dep, value in _uses(gold):
        if isinstance(value, str):
            key = paths[dep, node].rpartition(".")[2].partition("[")[0]
            if value not in numbers:
                counts[key] = counts.get(key, 0) + 1
                numbers[value] = counts[key]
            touched.add((dep, node))

    def number(value: Any) -> Any:
        return numbers.get(value, value) if isinstance(value, str) else value

    calls = _each_call(
        gold,
        lambda call: replace(
            call, arguments=_mapped(call.arguments, number), results=_mapped(call.results, number)
        ),
    )
    return Blurred(replace(gold, calls=calls), frozenset(touched))


def by_effect(gold: Gold) -> Blurred:
    """Leave out the arguments that come from results: only the order of turns is left."""
    para = {node.id: node.para for node in gold.plan}

    def bare(call: Call) -> Call:
        own = para[call.node or ""]
        kept = {
            name: value
            for name, value in call.arguments.items()
            if not (isinstance(own, dict) and any(references(own.get(name))))
        }
        return replace(call, arguments=kept)

    return Blurred(replace(gold, calls=_each_call(gold, bare)), frozenset(_pairs(gold)))


def named(gold: Gold) -> Blurred:
    """As `by_effect`, with words that name the tools whose results are used."""
    return replace(by_effect(gold), named=True)


KINDS: Final[dict[str, Callable[[Gold], Blurred]]] = {
    "plain": plain,
    "rounded": rounded,
    "reformatted": reformatted,
    "nested": nested,
    "result in prose": from_prose,
    "argument in prose": in_text,
    "colliding": colliding,
    "effect only": by_effect,
    "named in prose": named,
}


# --- going through calls -----------------------------------------------------------------------


def _pairs(gold: Gold) -> Iterator[Pair]:
    for edge in gold.edges:
        yield edge.dep, edge.node


def _each_call(gold: Gold, change: Callable[[Call], Call]) -> tuple[tuple[Call, ...], ...]:
    return tuple(tuple(map(change, calls)) for calls in gold.calls)


def _uses(gold: Gold) -> Iterator[tuple[str, str, Any]]:
    """Yield (node, the call whose result it uses, value) for each reference of the plan."""
    for calls in gold.calls:
        for call in calls:
            para = gold.plan.by_id[call.node or ""].para
            for dep, value in _beside(para, call.arguments):
                yield call.node or "", dep, value


def _beside(para: Any, arguments: Any) -> Iterator[tuple[str, Any]]:
    """Yield each reference's node with the value that stands in its place in the call."""
    if is_reference(para):
        yield str(read_reference(para, "").node), arguments
    elif isinstance(para, dict):
        for key, part in para.items():
            yield from _beside(part, arguments[key])
    elif isinstance(para, list):
        for part, argument in zip(para, arguments, strict=True):
            yield from _beside(part, argument)


def _with_arguments(gold: Gold, change: Change) -> Blurred:
    """Change the scalars of arguments that come from results."""
    touched: set[Pair] = set()

    def changed(para: Any, arguments: Any, node: str) -> Any:
        if is_reference(para):
            new = _mapped(arguments, lambda value: _or_same(change(value), value))
            if not canonical.same(new, arguments):
                touched.add((str(read_reference(para, "").node), node))
            return new
        if isinstance(para, dict):
            return {key: changed(para[key], arguments[key], node) for key in arguments}
        if isinstance(para, list):
            pairs = zip(para, arguments, strict=True)
            return [changed(part, argument, node) for part, argument in pairs]
        return arguments

    def anew(call: Call) -> Call:
        node = call.node or ""
        return replace(call, arguments=changed(gold.plan.by_id[node].para, call.arguments, node))

    return Blurred(replace(gold, calls=_each_call(gold, anew)), frozenset(touched))


def _or_same(new: Any, old: Any) -> Any:
    return old if new is None else new


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return a value with each scalar in it changed."""
    if isinstance(value, dict):
        return {key: _mapped(item, change) for key, item in value.items()}
    if isinstance(value, list):
        return [_mapped(item, change) for item in value]
    return change(value)
