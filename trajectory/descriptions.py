"""What a node's desc says: its call, and after its round the result.

The only function that writes a result into a desc; a desc is a function of call and result,
so that no text can give an error away (semantics.md, proof point 6).
"""

from typing import Any

from trajectory import canonical
from trajectory.plan import ABSENT
from trajectory.references import is_reference, read_reference


def describe(name: str, arguments: Any, results: Any = ABSENT) -> str:
    """Return the desc of a call as written in the plan, and of its result once there is one."""
    words = name.replace("_", " ").strip()
    call = f"{words[:1].upper()}{words[1:]} ({_arguments(arguments)})"
    if results is ABSENT:
        return call
    return f"{call}. Result: {canonical.dumps(results)}"


def _arguments(arguments: Any) -> str:
    if isinstance(arguments, dict) and not is_reference(arguments):
        return ", ".join(f"{name}: {_value(arguments[name])}" for name in sorted(arguments))
    if isinstance(arguments, list):
        return ", ".join(_value(value) for value in arguments)
    return _value(arguments)


def _value(value: Any) -> str:
    if isinstance(value, str):
        return value
    if is_reference(value):
        found = read_reference(value, "")
        if found.node is not None:
            place = f" at {found.path}" if found.path else ""
            return f"result of {found.node}{place}"
    return canonical.dumps(value)
