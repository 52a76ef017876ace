"""Free-text references: words that stand for an earlier result where a `$ref` belongs.

Plans of the release write "output_of_task1", "任务1的输出" or ``{"id": "3"}``. Only in that
edition are they read as references, and marked; everywhere else they are plain values.
"""

import re
from collections.abc import Collection, Iterator
from typing import Any, Final, NamedTuple

from trajectory import canonical
from trajectory.plan import number_text
from trajectory.references import KEY, is_reference, read_reference


class FreeReference(NamedTuple):
    """A free-text reference inside arguments.

    where: the parameter it stands in, with the way inside it ("targets[0]").
    node: the id it means ("task1" means "1"). text: the value as it stands.
    """

    where: str
    node: str
    text: str

    @property
    def parameter(self) -> str:
        """The parameter it stands in; "" where the arguments are no object."""
        return re.split(r"[.\[]", self.where, maxsplit=1)[0]


def free_references(
    arguments: Any, ids: Collection[str], deps: Collection[str] = ()
) -> list[FreeReference]:
    """Return the free-text references inside arguments, in the order they stand, bare ids last.

    ids: the nodes that may be meant. deps: nodes for which their mere id ("3") stands too: a
    number as a text is more often a value, so this is read only as the whole value of a
    parameter, and of a node that waits for it. A well-formed `$ref` is none of these; one that
    names no node by itself ("1.output") is.
    """
    found = list(_found(arguments, "", ids))
    named = arguments.items() if isinstance(arguments, dict) else ()
    bare = [(name, value) for name, value in named if isinstance(value, str) and value in deps]
    return found + [FreeReference(name, value, canonical.dumps(value)) for name, value in bare]


def _found(value: Any, where: str, ids: Collection[str]) -> Iterator[FreeReference]:
    node = _meant(value, ids)
    if node is not None:
        yield FreeReference(where, node, canonical.dumps(value))
    elif isinstance(value, dict) and not is_reference(value):
        for key, item in value.items():
            yield from _found(item, f"{where}.{key}" if where else key, ids)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _found(item, f"{where}[{index}]", ids)


def _meant(value: Any, ids: Collection[str]) -> str | None:
    """Return the id of the node whose result a value stands for, or None."""
    if isinstance(value, str):
        return _meant_by_text(value, ids)
    if is_reference(value):
        return _meant_by_reference(value, ids)
    if isinstance(value, dict) and list(value) == ["id"]:
        return _meant_by_id(value["id"], ids)
    return None


def _meant_by_reference(value: dict[str, Any], ids: Collection[str]) -> str | None:
    if read_reference(value, "").node in ids or not isinstance(value[KEY], str):
        return None
    return _meant_by_text(value[KEY], ids) or _node("", value[KEY], ids)


def _meant_by_id(value: Any, ids: Collection[str]) -> str | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    name = number_text(value) if is_number else value
    return name if isinstance(name, str) and name in ids else None


def _meant_by_text(text: str, ids: Collection[str]) -> str | None:
    if len(text) > _LONGEST:
        return None
    text = text.strip()
    for pattern in _PATTERNS:
        match = pattern.fullmatch(text)
        node = _node(match["word"] or "", match["node"], ids) if match else None
        if node is not None:
            return node
    wrapped = _WRAPPED.fullmatch(text)
    if wrapped is None:
        return None
    inner = next(filter(None, wrapped.groups()))
    return _meant_by_text(inner, ids) or _node("", inner, ids)


def _node(word: str, text: str, ids: Collection[str]) -> str | None:
    """Return the longest id that `text` is or begins with before a path; `word` stood before it."""
    for name in (word + text, text):
        fitting = [each for each in ids if _begins(name, each)]
        if fitting:
            return max(fitting, key=len)
    return None


def _begins(name: str, node: str) -> bool:
    return name == node or (node != "" and name.startswith((f"{node}.", f"{node}[")))


# Prose that happens to begin like a reference is longer.
_LONGEST: Final = 80

_WORD: Final = r"(?P<word>(?:sub)?task|step|node|子?任务|步骤|节点)"
_RESULT: Final = r"(?:outputs?|results?|responses?|returns?|values?|data)"
_NAME: Final = r"(?P<node>[A-Za-z0-9_.\-]+?)"

_PATTERNS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # output_of_task1, results from step 2, photo_id_from_7
        (
            rf"(?:the )?(?:(?:[^\W_]+[ _])*?{_RESULT}[ _]?(?:of|from)|\w+_from)[ _](?:the )?"
            rf"{_WORD}?[ _#\-]*(?P<node>\S+)"
        ),
        # the address exported from task 6
        rf".*\b(?:of|from|by) (?:the )?{_WORD}[ _#\-]*(?P<node>\S+)",
        # task1_output, task 3's result, task2.output.email
        rf"{_WORD}[ _#\-]*{_NAME}(?:'s)?[ _.\-]+{_RESULT}(?:[\W_].*)?",
        # 1_output, root.output
        rf"(?P<word>){_NAME}[_.]{_RESULT}(?:[\W_].*)?",
        # 任务1的返回结果, task2中输出的邮件ID, 1中的植物ID
        (
            rf"{_WORD}?\s*{_NAME}\s*(?:号?(?:任务|步骤|节点))?\s*"
            r"(?:[中里]所?(?:的|输出|获取|返回|得到|找到|生成|提取|查询)"
            r"|的?(?:输出|返回|执行|获取|查询|结果|值|数据|列表)).*"
        ),
        # task1, 任务1
        r"(?P<word>task|node|任务|节点)[ _#]?(?P<node>[A-Za-z0-9_.\-\[\]]+)",
    )
)

# {{task1.output}}, ${1.city}, <task1_output>, $task1
_WRAPPED: Final = re.compile(r"\{\{(.+)\}\}|\$?\{(.+)\}|<(.+)>|\$([A-Za-z_].*)")
