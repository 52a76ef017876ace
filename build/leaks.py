"""Descs that give an injected error away.

In augmented records the desc of a node sometimes says what was done to it ("(Redundant step)",
"incorrectly used a tool"), or tells the failure of a call that is still to run.
"""

import re
from typing import Final

from trajectory.failures import text_failed
from trajectory.plan import Node, Plan
from trajectory.told_results import take_apart


def leaks(plan: Plan, query: str) -> list[tuple[str, str]]:
    """Return (node id, the words that tell) of each node whose desc may give an error away.

    Words that the request or the tool's name has too are the task's own; what a desc tells as
    the result of an executed call is no leak.
    """
    found = ((node.id, _words_that_tell(node, query)) for node in plan if node.id != "root")
    return [(node, words) for node, words in found if words]


def _words_that_tell(node: Node, query: str) -> str:
    told = take_apart(node.desc)
    if not node.status and told.result and text_failed(told.result):
        return told.result
    own = f"{query} {(node.name or '').replace('_', ' ')}".casefold()
    matches = (match[0] for match in _TELLING.finditer(told.call))
    return next((words for words in matches if words.casefold() not in own), "")


_TELLING: Final = re.compile(
    r"""\b(?:redundan\w+|unnecessar\w+|needless\w*|incorrect\w*|wrong\w*|erroneous\w*|mistaken\w*
        |misus\w+|misspel\w+|invalid\w*|illegal\w*|non-?existent|intentional\w*|deliberate\w*
        |inject\w+|hallucinat\w+|duplicate\s(?:step|call|task)\w*|should\shave\b)
    |\b(?:parameters?|arguments?|dependenc(?:y|ies))\s(?:is|are)\smissing
    |\bmissing\s(?:required\s)?(?:parameters?|arguments?|dependenc\w+)
    |\bbut\b[^.]*?\b(?:timed\sout|fail\w*|missing)
    |冗余|多余|错误地|误用|不必要|故意|缺少依赖|缺少参数""",
    re.VERBOSE | re.IGNORECASE,
)
