"""What the desc of a node tells of its result, in records that keep it nowhere else.

The release appends a result to the description of the call, with a marker ("Execution result:",
"结果：") or none at all. Our own editions don't need this: there `describe` writes the desc.
"""

import re
from typing import Final, NamedTuple

from trajectory.failures import text_failed


class Told(NamedTuple):
    """A desc taken apart: what the call does, and its result; "" where no result can be told."""

    call: str
    result: str


def take_apart(desc: str) -> Told:
    """Split a desc where its result begins.

    That is behind the first marker, else where a sentence or clause begins to report success
    or a failure. Without either the whole desc is the call's, although it may end with a result.
    """
    for marker in _MARKER.finditer(desc):
        if desc[marker.end() :].strip():
            return Told(desc[: marker.start()].strip(), desc[marker.end() :].strip())
    for clause in _CLAUSE.finditer(desc):
        if _SUCCEEDED.match(clause[0]) or text_failed(clause[0]):
            start = clause.start()
            return Told(desc[:start].strip(), desc[start:].strip())
    return Told(desc.strip(), "")


def told_result(desc: str) -> str:
    """Return what a desc tells of the result of a call that ran: all of it where in doubt."""
    told = take_apart(desc)
    return told.result or told.call


_MARKER: Final = re.compile(
    r"""(?:(?:(?:tool|function)[ ])?(?:call|execution|执行|调用)[ ]?)?
    (?:\b(?:results?|outputs?)(?:[ ](?:is|are|was|obtained|returned))?
    |(?:返回|执行|调用|获取|输出)?结果(?:为|是|返回)?
    |返回(?!错误)[^，。；：:\s]{0,10}
    |输出(?:为|是)?
    |已完成)\s*[:：]\s*""",
    re.VERBOSE | re.IGNORECASE,
)

_SUCCEEDED: Final = re.compile(r"success|已?成功|已", re.IGNORECASE)

# A clause runs to the end of its sentence or to a comma; a point inside a number ends nothing.
_CLAUSE: Final = re.compile(r"[^\s，,。；;！!？?\n](?:[^，,。；;！!？?\n.]|\.(?!\s|$))*\.?")
