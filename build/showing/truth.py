"""What a model may not see, in words: faults, errors with their evidence, repairs, the optimum.

Errors are numbered from 0, as repairs name them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from build.showing.text import (
    arguments_text,
    brief,
    call_text,
    counted,
    ids_text,
    labelled,
    node_text,
    value_text,
    wrapped,
)
from environment.faults import read_faults
from environment.ledger import Ledger
from trajectory import canonical
from trajectory.error_types import ErrorType
from trajectory.instance import Instance
from trajectory.plan import ROOT
from trajectory.references import follow

Words = Callable[[Mapping[str, Any]], str]


# --- faults ----------------------------------------------------------------------------------


def fault_lines(instance: Instance) -> Iterator[str]:
    """Yield a line for each scheduled fault."""
    for fault in read_faults(instance.faults):
        last = fault.first + fault.length - 1
        one, several = f"round {last} gets", f"rounds {fault.first} to {last} get"
        rounds = one if fault.length == 1 else several
        answer = value_text(fault.result())
        text = f"{fault.tool}: of the rounds that try it, {rounds} {answer}"
        yield from wrapped(text, "  ", "    ")


# --- errors ----------------------------------------------------------------------------------


def error_lines(instance: Instance, ledger: Ledger) -> Iterator[str]:
    """Yield what is known of each error, and the reason in words."""
    if not instance.errors:
        yield "  none"
    for number, error in enumerate(instance.errors):
        yield from wrapped(_head(number, error), "  ", "    ")
        if error.get("field"):
            yield from labelled("observed", _differing(error, "observed"), 4)
            yield from labelled("expected", _differing(error, "expected"), 4)
        for place, pointer in enumerate(error.get("evidence") or ()):
            label = "" if place else "evidence"
            yield from labelled(label, _pointed(instance, ledger, pointer), 4)
        if error.get("affected_now") is not None:
            yield from labelled("touched", _touched(error), 4)
    if instance.error_reason:
        yield from wrapped(instance.error_reason, "  In words: ", "    ")


def _head(number: int, error: Mapping[str, Any]) -> str:
    """Return the first line of an error: what of it is known."""
    tag, kind = error.get("tag"), error.get("type")
    cause, parameter = error.get("root_cause"), error.get("parameter")
    first = error.get("round")
    parts = [
        f"error {number}: {kind or 'of no known type'} ({error.get('category') or 'unknown'})",
        f"tagged {tag}" if tag not in (None, kind) else "",
        f"root cause {cause}" if cause is not None else "",
        f"parameter {parameter}" if parameter else "",
        (f"first ran in round {first}" if first else "has not run") if cause is not None else "",
        error.get("visible"),
    ]
    return " · ".join(filter(None, parts))


def _touched(error: Mapping[str, Any]) -> str:
    parts = {"now": "affected_now", "later": "affected_later", "delayed": "delayed"}
    return " · ".join(f"{word} {ids_text(error[key])}" for word, key in parts.items())


def _differing(error: Mapping[str, Any], key: str) -> str:
    """Say what was observed or expected, by the field of the error."""
    value = error[key]
    if error["type"] == ErrorType.PARALLELISM:
        return "no such edge" if value is None else f"{value[1]} waits for {value[0]}"
    if error["field"] == "dep":
        return _waits(value)
    if error["field"] == "call":
        return "no such call" if value is None else _written(value)
    if error["field"] == "name":
        return str(value)
    if error["field"] == "para" and isinstance(value, dict):
        # Arguments that have no names stand under the empty one.
        shown = value_text(value[""]) if "" in value else arguments_text(value)
        return shown or "nothing"
    return brief(value)


def _written(call: Mapping[str, Any]) -> str:
    return f"{call_text(call['tool'], call['arguments'])}, {_waits(call['dep'])}"


def _waits(dep: Sequence[str]) -> str:
    producers = [node for node in dep if node != ROOT]
    return f"waits for {ids_text(producers) if producers else 'nothing'}"


# --- evidence --------------------------------------------------------------------------------


def _pointed(instance: Instance, ledger: Ledger, pointer: Mapping[str, Any]) -> str:
    """Say where a pointer points, and what stands there."""
    kind = pointer.get("in")
    if kind == "query":
        return f"the request says “{pointer['text']}”"
    if not isinstance(kind, str) or kind not in _PLACES:
        return canonical.dumps(pointer)
    where = _PLACES[kind](pointer) + (f", {pointer['path']}" if pointer["path"] else "")
    try:
        return f"{where}: {brief(follow(_target(instance, ledger, pointer), pointer['path']))}"
    except LookupError:
        return f"{where}: nothing stands there"


_PLACES: Final[Mapping[str, Words]] = {
    "results": lambda pointer: f"result of {pointer['node']}",
    "plan": lambda pointer: f"node {pointer['node']}",
    "tools": lambda pointer: f"tool {pointer['tool']}",
}


def _target(instance: Instance, ledger: Ledger, pointer: Mapping[str, Any]) -> Any:
    """Return the last result, node or tool that a pointer names; raises LookupError."""
    if pointer["in"] == "results":
        last = ledger.last(pointer["node"])
        if last is None:
            raise LookupError(pointer["node"])
        return last.result
    if pointer["in"] == "plan":
        return _named(instance.plan["tasks"], "id", pointer["node"])
    return _named(instance.tools, "name", pointer["tool"])


def _named(things: Sequence[Any], key: str, name: str) -> Any:
    for thing in things:
        if thing[key] == name:
            return thing
    raise LookupError(name)


# --- repairs ---------------------------------------------------------------------------------


def repair_lines(instance: Instance) -> Iterator[str]:
    """Yield every listed repair, an edit a line."""
    for number, repair in enumerate(instance.repairs, start=1):
        yield f"  repair {number} of {len(instance.repairs)}"
        for edit in repair:
            yield from wrapped(_edit(edit), "    - ", "      ")


def _edit(edit: Mapping[str, Any]) -> str:
    words = _EDITS[edit["op"]](edit) if edit["op"] in _EDITS else canonical.dumps(edit)
    errors = edit.get("errors") or ()
    mended = ", ".join(map(str, errors))
    return f"{words} [error{'s' if len(errors) > 1 else ''} {mended}]" if errors else words


def _add_node(edit: Mapping[str, Any]) -> str:
    call = call_text(edit["tool"], edit["arguments"])
    consumers = edit.get("consumers")
    waiting = f"; {ids_text(consumers)} to wait for it" if consumers else ""
    return f"new node {node_text(edit['node'], edit['dep'])}: {call}{waiting}"


def _remove_node(edit: Mapping[str, Any]) -> str:
    heir = edit.get("into") or "what it waited for"
    return f"node {edit['node']}: take it out; who waited for it is to wait for {heir}"


def _set_tool(edit: Mapping[str, Any]) -> str:
    call = call_text(edit["tool"], edit["arguments"]) if "arguments" in edit else edit["tool"]
    return f"node {edit['node']}: call {call} instead"


_EDITS: Final[Mapping[str, Words]] = {
    "add_node": _add_node,
    "remove_node": _remove_node,
    "set_argument": lambda edit: (
        f"node {edit['node']}: set {edit['parameter']} to {value_text(edit['value'])}"
    ),
    "remove_argument": lambda edit: f"node {edit['node']}: drop {edit['parameter']}",
    "set_tool": _set_tool,
    "add_edge": lambda edit: f"node {edit['node']}: wait for {edit['dep']}",
    "remove_edge": lambda edit: f"node {edit['node']}: no longer wait for {edit['dep']}",
    "retry": lambda edit: f"node {edit['node']}: try it once more, as {edit['new']}",
}


# --- the optimum -----------------------------------------------------------------------------


def optimum_lines(instance: Instance) -> Iterator[str]:
    """Yield rounds and calls of the gold plan, and what is the least from the snapshot on."""
    gold = instance.rounds_gt, instance.calls_gt
    best = instance.rounds_opt, instance.calls_opt
    yield from labelled("gold", _counts(*gold))
    more = [a - b for a, b in zip(best, gold, strict=True) if a is not None and b is not None]
    against = f" (rounds {more[0]:+}, calls {more[1]:+})" if len(more) == len(gold) else ""
    yield from labelled("optimum", f"{_counts(*best)}{against}")


def _counts(rounds: int | None, calls: int | None) -> str:
    return ", ".join(
        f"unknown {noun}s" if count is None else counted(count, noun)
        for count, noun in ((rounds, "round"), (calls, "call"))
    )
