"""The readable paragraph on what went wrong: made of the errors, for people."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from trajectory import canonical
from trajectory.error_types import ErrorType
from trajectory.plan import RESPONSE

Error = Mapping[str, Any]


def reason(errors: Sequence[Error]) -> str:
    """Return one paragraph: each error, and what it reaches."""
    return " ".join(f"{_SAID[ErrorType(one['type'])](one)} {_reached(one)}" for one in errors)


def _reached(error: Error) -> str:
    now, later, delayed = error["affected_now"], error["affected_later"], error["delayed"]
    others = [node for node in now if node != error["root_cause"]]
    parts = []
    if others:
        parts.append(f"it has already reached {_nodes(others)}")
    behind = [node for node in later if node != error["root_cause"]]
    if behind:
        parts.append(f"{_nodes(behind)} will differ or not run")
    if delayed:
        parts.append(f"{_nodes(delayed)} {_verb(delayed, 'runs', 'run')} later than needed")
    if not parts:
        return "Nothing else is reached yet." if now or later else "It only costs time."
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


def _verb(nodes: Sequence[str], one: str, many: str) -> str:
    return one if len(nodes) == 1 else many


def _node(node: str) -> str:
    return "the response" if node == RESPONSE else f"node {node}"


def _nodes(nodes: Sequence[str]) -> str:
    if len(nodes) == 1:
        return _node(nodes[0])
    return f"nodes {', '.join(nodes[:-1])} and {nodes[-1]}"


def _subject(error: Error) -> str:
    text = _node(error["root_cause"])
    return f"{text[:1].upper()}{text[1:]}"


def _value(value: Any) -> str:
    return canonical.dumps(value)


def _listed(arguments: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}: {_value(arguments[name])}" for name in sorted(arguments))


def _got(error: Error) -> str:
    return _listed(error["observed"])


def _wanted(error: Error) -> str:
    return _listed(error["expected"])


def _misnamed(error: Error) -> str:
    return (
        f"{_subject(error)} gives its arguments under wrong names ({_got(error)}); the schema "
        f"wants {_wanted(error)}."
    )


def _mistyped(error: Error) -> str:
    return (
        f"{_subject(error)} gives '{error['parameter']}' in a wrong type ({_got(error)}); wanted "
        f"{_wanted(error)}."
    )


def _invalid(error: Error) -> str:
    return (
        f"{_subject(error)} gives '{error['parameter']}' an illegal or untrue value "
        f"({_got(error)}); request and results give {_wanted(error)}."
    )


def _left_out(error: Error) -> str:
    return f"{_subject(error)} lacks the required argument {_wanted(error)}."


def _unlisted(error: Error) -> str:
    return (
        f"{_subject(error)} calls '{error['observed']}', which is in no list; the tool is "
        f"'{error['expected']}'."
    )


def _unfit(error: Error) -> str:
    return (
        f"{_subject(error)} calls '{error['observed']}', which does something else; the right "
        f"tool is '{error['expected']}'."
    )


def _absent(error: Error) -> str:
    call = error["expected"]
    text = f"No node calls '{call['tool']}' with {_value(call['arguments'])}"
    return f"{text}, which {_node(error['root_cause'])} needs first."


def _needless(error: Error) -> str:
    call = error["observed"]
    return f"{_subject(error)} calls '{call['tool']}' although nothing needs that call."


def _needless_edge(error: Error) -> str:
    dep, node = error["observed"]
    return f"Node {node} waits for node {dep} although it needs nothing of it."


def _deps(nodes: Sequence[str]) -> str:
    return _nodes(nodes) if nodes else "nothing"


def _early(error: Error) -> str:
    return (
        f"{_subject(error)} waits for {_deps(error['observed'])} and so runs no later than what "
        f"it needs: it must wait for {_deps(error['expected'])}."
    )


def _misdirected(error: Error) -> str:
    return (
        f"{_subject(error)} waits for {_deps(error['observed'])} where it must wait for "
        f"{_deps(error['expected'])}."
    )


def _unwaiting(error: Error) -> str:
    return (
        f"{_subject(error)} waits for {_deps(error['observed'])} although it uses what "
        f"{_deps(error['expected'])} {_verb(error['expected'], 'gives', 'give')}."
    )


def _timed_out(error: Error) -> str:
    return f"{_subject(error)} makes the right call, but the tool did not answer in time."


def _came_empty(error: Error) -> str:
    return (
        f"{_subject(error)} makes the right call, but the tool answered with nothing "
        f"({_value(error['observed'])})."
    )


_SAID: Final[Mapping[ErrorType, Callable[[Error], str]]] = {
    ErrorType.SERIAL: _early,
    ErrorType.PARALLELISM: _needless_edge,
    ErrorType.DEPENDENCE: _misdirected,
    ErrorType.DEPENDENCE_NULL: _unwaiting,
    ErrorType.TOOL_NAME: _unlisted,
    ErrorType.TOOL_SELECT: _unfit,
    ErrorType.MISSING_CALL: _absent,
    ErrorType.REDUNDANT_CALL: _needless,
    ErrorType.NULL: _came_empty,
    ErrorType.TIMEOUT: _timed_out,
    ErrorType.PARAMETER_NAME: _misnamed,
    ErrorType.PARAMETER_TYPE: _mistyped,
    ErrorType.PARAMETER_INVALID: _invalid,
    ErrorType.PARAMETER_MISSING: _left_out,
}
