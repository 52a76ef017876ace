"""What a node's desc says: its tool's words, and after its round the result.

The only function that writes a result into a desc; a desc is a function of the tool's name and the
result, so that no text can give an error away (semantics.md, proof point 6). It doesn't repeat the
arguments: words that stand twice would tell which of them are odd.
"""

from typing import Any

from trajectory import canonical
from trajectory.plan import ABSENT


def describe(name: str, results: Any = ABSENT) -> str:
    """Return the desc of a call of a tool, and of its result once there is one."""
    words = name.replace("_", " ").strip()
    call = f"{words[:1].upper()}{words[1:]}"
    if results is ABSENT:
        return call
    return f"{call}. Result: {canonical.dumps(results)}"
