"""What a node's desc says: nothing before its call has run, then the result.

The only function that writes a desc of our plans. A desc repeats neither tool nor arguments, which
stand beside it in the node: words that stand twice would tell which of them are odd, and so give
errors away (semantics.md, proof point 6).
"""

from typing import Any

from trajectory import canonical
from trajectory.plan import ABSENT


def describe(results: Any = ABSENT) -> str:
    """Return the desc of a call, with its result once there is one."""
    return "" if results is ABSENT else f"Result: {canonical.dumps(results)}"
