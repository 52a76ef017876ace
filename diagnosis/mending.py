"""The difference between a plan and the gold plan, as normalised edits.

Each edit is one of those of `diagnosis.edits`, as small as they come, and names the errors that
it mends (semantics.md, "Repair"). Three kinds make up all that a repair can need: edits that
turn the plan into the gold one, further attempts of calls that met a fault, and calls that take
back what a wrong call has done. Reruns of what hangs on an edited node are derived, not edits.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from diagnosis.edits import Edit
from diagnosis.labels import Case, Label, gold_arguments
from environment.faults import Fault
from environment.ledger import Entry, Ledger
from environment.world import WorldTool
from trajectory import canonical
from trajectory.error_types import ErrorType
from trajectory.plan import RESPONSE, Node
from trajectory.references import follow, references

_FAULTS = frozenset((ErrorType.TIMEOUT, ErrorType.NULL))


class UnblamedError(Exception):
    """A difference that is no error's: the labels do not say all that is wrong."""


class IrreversibleError(Exception):
    """A wrong effect that no listed tool takes back."""


def plan_edits(case: Case, found: Sequence[Label]) -> list[Edit]:
    """Return the edits that turn the plan into the gold one, calls that are missing first.

    Raises UnblamedError where no label accounts for a difference.
    """
    edits = [*_added(case, found)]
    for wanted, node in _pairs(case):
        if wanted.is_call:
            edits += _call_edits(case, found, wanted, node)
        edits += _edge_edits(case, found, wanted, node)
    return [*edits, *_removed(case, found)]


def _pairs(case: Case) -> Iterator[tuple[Node, Node]]:
    """Yield (gold node, newest node of the plan) of each purpose that has both, response last."""
    for purpose, node in sorted(case.nodes.items()):
        if purpose in case.gold.by_id:
            yield case.gold.by_id[purpose], node
    response = case.plan.by_id.get(RESPONSE)
    if response is not None:
        yield case.gold.by_id[RESPONSE], response


def _id_of(case: Case, purpose: str) -> str:
    """Return the node of the plan for a purpose; a missing call keeps its id of the gold plan."""
    node = case.nodes.get(purpose)
    return purpose if node is None else node.id


def _added(case: Case, found: Sequence[Label]) -> Iterator[Edit]:
    for purpose in (node for node in case.wanted.order if node in case.missing):
        wanted = case.gold.by_id[purpose]
        consumers = [n for n in case.wanted.order if purpose in case.wanted.reduced(n)]
        there = [_id_of(case, n) for n in consumers if n in case.nodes or n == RESPONSE]
        yield {
            "op": "add_node",
            "node": purpose,
            "tool": wanted.name,
            "arguments": gold_arguments(case, wanted.para),
            "dep": sorted(_id_of(case, dep) for dep in case.wanted.reduced(purpose)),
            "consumers": sorted(there),
            "errors": [_missing_label(case, found, purpose)],
        }


def _removed(case: Case, found: Sequence[Label]) -> Iterator[Edit]:
    for node in case.needless:
        if node not in case.ledger:
            yield {"op": "remove_node", "node": node, "errors": [_needless_label(found, node)]}


def _call_edits(case: Case, found: Sequence[Label], wanted: Node, node: Node) -> Iterator[Edit]:
    if node.name != wanted.name:
        blamed = _label(found, node.id, "name")
        yield {"op": "set_tool", "node": node.id, "tool": wanted.name, "errors": blamed}
    right = gold_arguments(case, wanted.para)
    got = node.para if isinstance(node.para, dict) else {}
    for name in sorted(right.keys() | got.keys()):
        edit = {"node": node.id, "parameter": name}
        if name not in right:
            edit = {"op": "remove_argument", **edit}
        elif name in got and canonical.dumps(got[name]) == canonical.dumps(right[name]):
            continue
        else:
            edit = {"op": "set_argument", **edit, "value": right[name]}
        yield {**edit, "errors": _blamed_argument(case, found, wanted, node, name)}


def _blamed_argument(
    case: Case, found: Sequence[Label], wanted: Node, node: Node, name: str
) -> list[int]:
    """Return whose error an argument is: its own, its tool's, or that of what it refers to."""
    if node.name != wanted.name:
        return _label(found, node.id, "name")
    own = [
        number
        for number, label in enumerate(found)
        if (label.root_cause, label.field) == (node.id, "para") and _is_about(label, name)
    ]
    if own:
        return own
    both = [para.get(name) for para in (wanted.para, node.para) if isinstance(para, dict)]
    named = {one.node for one in references(both)}
    for purpose in sorted(named & {*case.missing}, key=str):
        return [_missing_label(case, found, str(purpose))]
    for needless in sorted(named & {*case.needless}, key=str):
        return [_needless_label(found, str(needless))]
    return _label(found, node.id, "dep")


def _is_about(label: Label, name: str) -> bool:
    shown = [part for part in (label.observed, label.expected) if isinstance(part, Mapping)]
    return label.parameter == name or any(name in part for part in shown)


def _edge_edits(case: Case, found: Sequence[Label], wanted: Node, node: Node) -> Iterator[Edit]:
    needed = [p for p in case.wanted.reduced(wanted.id) if p not in case.missing]
    above = case.found.ancestors(node.id)
    for purpose in needed:
        producer = _id_of(case, purpose)
        if producer not in above:
            blamed = _blamed_edge(case, found, wanted, node)
            yield {"op": "add_edge", "node": node.id, "dep": producer, "errors": blamed}
    right = {wanted.id, *case.wanted.ancestors(wanted.id)}
    for dep in case.found.reduced(node.id):
        # Of a needless call its removal takes care; a retry waits for the attempt before it.
        if case.purpose(dep) not in right and dep not in case.needless:
            blamed = _blamed_edge(case, found, wanted, node)
            yield {"op": "remove_edge", "node": node.id, "dep": dep, "errors": blamed}


def _blamed_edge(case: Case, found: Sequence[Label], wanted: Node, node: Node) -> list[int]:
    """Return whose error an edge is: its node's, or that of a missing or needless call by it."""
    own = [n for n, one in enumerate(found) if (one.root_cause, one.field) == (node.id, "dep")]
    if own:
        return own
    for purpose in sorted({*case.missing} & {*wanted.dep}):
        return [_missing_label(case, found, purpose)]
    for needless in sorted({*case.needless} & {*node.dep}):
        return [_needless_label(found, needless)]
    raise UnblamedError(f"an edge of node {node.id}")


def _label(found: Sequence[Label], node: str, field: str) -> list[int]:
    numbers = [n for n, one in enumerate(found) if (one.root_cause, one.field) == (node, field)]
    if not numbers:
        raise UnblamedError(f"{field} of node {node}")
    return numbers


def _missing_label(case: Case, found: Sequence[Label], purpose: str) -> int:
    """Return the label of a missing call: the labels stand in the order of the purposes."""
    for number, label in enumerate(found):
        if label.type == ErrorType.MISSING_CALL and label.purpose == purpose:
            return number
    raise UnblamedError(f"missing call {purpose}")


def _needless_label(found: Sequence[Label], node: str) -> int:
    for number, label in enumerate(found):
        if label.type == ErrorType.REDUNDANT_CALL and label.root_cause == node:
            return number
    raise UnblamedError(f"needless call {node}")


# --- further attempts ------------------------------------------------------------------------


def retries(
    case: Case, found: Sequence[Label], faults: Iterable[Fault], tried: Mapping[str, int]
) -> list[Edit]:
    """Return one further attempt for each failure still to come, and one that succeeds.

    tried: tool → try-rounds so far.
    """
    edits: list[Edit] = []
    ids = new_ids(case)
    due = {fault.tool: fault.first + fault.length - 1 for fault in faults}
    for number, label in enumerate(found):
        if label.type in _FAULTS:
            tool = case.plan.by_id[label.root_cause].name or ""
            node = label.root_cause
            for _ in range(max(0, due.get(tool, 0) - tried.get(tool, 0)) + 1):
                new = next(ids)
                edits.append({"op": "retry", "node": node, "new": new, "errors": [number]})
                node = new
    return edits


def new_ids(case: Case) -> Iterator[str]:
    """Yield ids that neither plan has, without end."""
    taken = case.plan.by_id.keys() | case.gold.by_id.keys()
    number = max((int(id) for id in taken if id.isdecimal()), default=0)
    while True:
        number += 1
        yield str(number)


# --- what wrong calls have done --------------------------------------------------------------


def compensations(
    case: Case,
    found: Sequence[Label],
    gold: Ledger,
    tools: Mapping[str, WorldTool],
    ids: Iterator[str],
) -> list[Edit]:
    """Return a call for each wrong effect so far that takes it back; the response waits for it.

    gold: what the gold plan runs. tools: those listed. Raises IrreversibleError where none of
    them takes an effect back, UnblamedError where no label accounts for one.
    """
    wanted = Counter(_call_key(entry) for entry in gold)
    edits = []
    for entry in case.ledger:
        tool = tools.get(entry.tool)
        if tool is None or not tool.has_effect or entry.outcome != "ok":
            continue
        if wanted[_call_key(entry)]:
            wanted[_call_key(entry)] -= 1
            continue
        edits.append(_undoing(entry, tool, tools, next(ids), _blamed_effect(case, found, entry)))
    return edits


def _call_key(entry: Entry) -> tuple[str, str]:
    return entry.tool, canonical.dumps(entry.arguments)


def _undoing(
    entry: Entry, tool: WorldTool, tools: Mapping[str, WorldTool], new: str, blamed: list[int]
) -> Edit:
    if tool.undo is None or tool.undo.tool not in tools:
        raise IrreversibleError(entry.tool)
    known = {"arguments": entry.arguments, "result": entry.result}
    arguments = {name: follow(known, path) for name, path in tool.undo.arguments.items()}
    return {
        "op": "add_node",
        "node": new,
        "tool": tool.undo.tool,
        "arguments": arguments,
        "dep": [],
        "consumers": [RESPONSE],
        "errors": blamed,
    }


def _blamed_effect(case: Case, found: Sequence[Label], entry: Entry) -> list[int]:
    """Return the errors that a wrong effect may come from: its node's own, else those above.

    Raises UnblamedError where there is none.
    """
    above = case.found.ancestors(entry.node) if entry.node in case.found.deps else frozenset()
    for causes in ({entry.node}, above):
        blamed = [number for number, one in enumerate(found) if one.root_cause in causes]
        if blamed:
            return blamed
    raise UnblamedError(f"what node {entry.node} has done")
