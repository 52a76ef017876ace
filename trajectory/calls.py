"""Calls of tools and what they returned: how they went, and which node of a plan made them."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from trajectory import canonical, literals
from trajectory.failures import tells_failure
from trajectory.plan import ROOT, Node, Plan, read_para
from trajectory.references import is_reference

Outcome = Literal["ok", "failed", "empty"]


@dataclass(frozen=True)
class Call:
    """One call of a tool.

    node: the id of the node that made it; None where the record does not say.
    name: the tool's name, "" where the record has none.
    arguments: named arguments, or whatever stood in their place.
    results: what the tool returned, a JSON value or a text.
    """

    node: str | None
    name: str
    arguments: Any
    results: Any


def call_outcome(results: Any) -> Outcome:
    """Say how a call went by what it returned: ok, failed, or empty (no answer at all).

    Empty is null, white space or a bare ``[]``, also as a text; an object that says that
    nothing was found is a true answer. A text is read as JSON or a Python repr first.
    """
    value = results if isinstance(results, dict) else _parsed(results)
    if value is None or value in ("", []):
        return "empty"
    return "failed" if tells_failure(value) else "ok"


def _parsed(results: Any) -> Any:
    """Return the value that a text writes, else the text without outer white space."""
    for _ in range(3):
        if not isinstance(results, str):
            break
        try:
            results = literals.parse(results)
        except ValueError:
            return results.strip()
    return results


def read_calls(value: Any) -> list[Call]:
    """Read calls from a list, its JSON text or Python repr; None and "" hold none.

    Never raises. A missing name is "", missing arguments are {}, missing results None;
    arguments that are a JSON text are parsed. What is no call is kept as the arguments of a
    call without a name.
    """
    parsed = _parsed(value)
    if parsed is None or parsed == "":
        return []
    entries = parsed if isinstance(parsed, list) else [parsed]
    return [_call(entry) for entry in entries]


def _call(entry: Any) -> Call:
    if not isinstance(entry, dict) or _CALL_KEYS.isdisjoint(entry):
        return Call(None, "", entry, None)
    node, name, arguments = entry.get("node"), entry.get("name"), entry.get("arguments")
    return Call(
        node if isinstance(node, str) else None,
        name if isinstance(name, str) else "",
        {} if arguments is None else _arguments(arguments),
        entry.get("results"),
    )


_CALL_KEYS: Final = frozenset(("name", "arguments", "results"))


def _arguments(value: Any) -> Any:
    """Parse arguments that are a JSON text; any other text is kept."""
    if not isinstance(value, str):
        return value
    parsed = _parsed(value)
    if parsed == "":
        return {}
    return parsed if isinstance(parsed, dict | list) else value


def write_calls(calls: Iterable[Call]) -> list[dict[str, Any]]:
    """Return calls in the release's form, with the node where it is known."""
    return [
        {
            **({} if call.node is None else {"node": call.node}),
            "name": call.name,
            "arguments": call.arguments,
            "results": call.results,
        }
        for call in calls
    ]


# --- which node made a call ------------------------------------------------------------------


def match_calls(plan: Plan, calls: Sequence[Call]) -> list[tuple[Call, str | None]]:
    """Return each call with the id of the node that made it, None where no node fits.

    A call that names a node of the plan is that node's. Else name and arguments decide, from
    the surest pass to the last: equal; equal but for spelling or position; equal wherever the
    node has a value rather than words for an earlier result; the only call and the only ready
    node of a name. Of nodes that fit, the ready come before the waiting and these before the
    executed, then the order of the plan counts. A node takes one call, and further copies of
    that call where no node is left for them.
    """
    return list(zip(calls, _Matching(plan, calls).result(), strict=True))


class _Matching:
    """Gives nodes to calls, pass by pass; `free` holds the nodes left, the likeliest first."""

    def __init__(self, plan: Plan, calls: Sequence[Call]) -> None:
        self.calls = calls
        self.given: list[str | None] = [None] * len(calls)
        nodes = [node for node in plan.by_id.values() if node.is_call]
        self.free = sorted(nodes, key=lambda node: _rank(node, plan))
        self.ready = [node for node in nodes if _rank(node, plan) == 0]

    def result(self) -> list[str | None]:
        self._by_node()
        for fits in (_equal, _spelt_alike, _compatible):
            self._by_arguments(fits)
        self._by_name()
        self._copies()
        return self.given

    def _open(self) -> list[int]:
        return [index for index, node in enumerate(self.given) if node is None]

    def _give(self, index: int, node: Node) -> None:
        self.given[index] = node.id
        self.free.remove(node)

    def _by_node(self) -> None:
        for index, call in enumerate(self.calls):
            node = next((node for node in self.free if node.id == call.node), None)
            if node is not None:
                self._give(index, node)

    def _by_arguments(self, fits: Callable[[Any, Any], bool]) -> None:
        rivals: dict[tuple[str, ...], list[int]] = {}
        for index in self._open():
            name, arguments = self.calls[index].name, read_para(self.calls[index].arguments)[0]
            nodes = [n.id for n in self.free if n.name == name and fits(n.para, arguments)]
            rivals.setdefault(tuple(nodes), []).append(index)
        for ids, indices in rivals.items():
            likeliest = [node for node in self.free if node.id in ids][: len(indices)]
            # Calls are recorded in the order they ran: of the nodes taken, the executed first.
            in_turn = sorted(likeliest, key=lambda node: not node.status)
            for index, node in zip(indices, in_turn, strict=False):
                self._give(index, node)

    def _by_name(self) -> None:
        names = [self.calls[index].name for index in self._open()]
        for index, name in zip(self._open(), names, strict=True):
            nodes = [node for node in self.ready if node.name == name and node in self.free]
            if len(nodes) == names.count(name) == 1:
                self._give(index, nodes[0])

    def _copies(self) -> None:
        keys = [(call.name, _text(call.arguments)) for call in self.calls]
        first: dict[tuple[str, str], str] = {}
        for key, node in zip(keys, self.given, strict=True):
            if node is not None:
                first.setdefault(key, node)
        for index in self._open():
            self.given[index] = first.get(keys[index])


def _rank(node: Node, plan: Plan) -> int:
    """Return 0 for a ready node, 1 for one that still waits, 2 for one that has run."""
    if node.status:
        return 2
    waits = [plan.by_id[dep] for dep in node.dep if dep in plan.by_id and dep != ROOT]
    return 0 if all(other.status for other in waits) else 1


def _text(value: Any) -> str:
    try:
        return canonical.dumps(value)
    except (ValueError, TypeError, RecursionError):
        return repr(value)


def _equal(para: Any, arguments: Any) -> bool:
    return _text(para) == _text(arguments)


def _spelt_alike(para: Any, arguments: Any) -> bool:
    left, right = _paired(para, arguments)
    return _text(_unspelt(left)) == _text(_unspelt(right))


def _compatible(para: Any, arguments: Any) -> bool:
    """Say whether a node's arguments are the call's wherever they are values already."""
    left, right = _paired(para, arguments)
    if isinstance(left, dict) and isinstance(right, dict):
        if left.keys() != right.keys():
            return False
        left, right = list(left.values()), [right[name] for name in left]
    if not isinstance(left, list) or not isinstance(right, list) or len(left) != len(right):
        return False
    return all(
        stands_for_result(mine) or _spelt_alike(mine, theirs)
        for mine, theirs in zip(left, right, strict=True)
    )


def _paired(para: Any, arguments: Any) -> tuple[Any, Any]:
    """Return both as lists of values where only one has names."""
    if isinstance(para, list) and isinstance(arguments, dict):
        return para, list(arguments.values())
    if isinstance(para, dict) and isinstance(arguments, list):
        return list(para.values()), arguments
    return para, arguments


def _unspelt(value: Any) -> Any:
    """Return a value without what retyping it changes: case, white space, quotes of numbers."""
    if isinstance(value, dict):
        return {str(key): _unspelt(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_unspelt(item) for item in value]
    if isinstance(value, str):
        return " ".join(value.replace("\\n", " ").casefold().split())
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _text(value)
    return value


_STANDS: Final = re.compile(
    r"""\s*(?:
    |\d+(?:\.\d+)?
    |(?:tbd|todo|n/?a|\?+|\.{3}|placeholder|unknown|待[填定]\S*|未提供|未知)
    |.*\b(?:outputs?|results?)[ _]*(?:of|from)[ _]*(?:task|step|node)?[ _]*\w+.*
    |.*\b(?:task|step|node)[ _]*[\w.-]+?[ _.']*s?[ _]*(?:outputs?|results?)\b.*
    |[$<{\[]+[^{}<>]*[}>\]]+
    |.*(?:任务|task|节点|步骤|第)?\s*\w+\s*(?:中|的)\s*(?:输出|结果|返回|获取|得到).*
    )\s*""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)


def stands_for_result(value: Any) -> bool:
    """Say whether a value of a plan only stands for one that an earlier result will give.

    These are references, and the words that plans of the release have in their place
    ("output_of_task1", "1的结果", ``{"id": "3"}``, "TBD", "").
    """
    if isinstance(value, str):
        return len(value) < 200 and _STANDS.fullmatch(value) is not None
    if isinstance(value, dict):
        return is_reference(value) or (list(value) == ["id"] and isinstance(value["id"], str))
    return isinstance(value, list) and bool(value) and all(map(stands_for_result, value))
