"""Which errors a plan holds: a snapshot against the gold plan, by the exact types.

The rules are those of semantics.md, "Exact types", in its order. Only the two plans, the tools,
the ledger and the purposes of the nodes are read: how an error came about is not known here.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from math import inf
from typing import Any

from diagnosis.arguments import differences
from environment.faults import is_of_a_fault
from environment.ledger import Ledger
from trajectory.error_types import ErrorType
from trajectory.graph import Topology, topology
from trajectory.plan import RESPONSE, Node, Plan
from trajectory.references import KEY, Reference, follow, is_reference, references
from trajectory.tools import Catalogue


@dataclass(frozen=True)
class Label:
    """One error of a plan.

    field: para, name, dep, call or result. parameter: its name in the schema, for an error of
    an argument; None where it concerns several. observed, expected: the arguments, tool, deps,
    call or result that differ; of the arguments only those that do; for a needless edge the edge
    and nothing. purpose: of a missing call the node of the gold plan.
    """

    type: ErrorType
    root_cause: str
    field: str
    parameter: str | None
    observed: Any
    expected: Any
    purpose: str | None = None


@dataclass(frozen=True)
class Case:
    """What labels are read from.

    gold, plan: the gold plan and the snapshot. purposes: node of the snapshot → node of the
    gold plan; a node without an entry has the purpose of its own id. ledger: what has run.
    results: node of the gold plan → its result in the gold run.
    """

    gold: Plan
    plan: Plan
    purposes: Mapping[str, str]
    catalogue: Catalogue
    ledger: Ledger
    results: Mapping[str, Any]

    @cached_property
    def nodes(self) -> dict[str, Node]:
        """Purpose → its newest node in the plan: of those that have run the last, else by order."""
        order = {node: place for place, node in enumerate(topology(self.plan).order)}

        def age(node: Node) -> tuple[float, int]:
            last = self.ledger.last(node.id)
            return (inf if last is None else last.round, order.get(node.id, len(order)))

        found = sorted(self.plan.by_id.values(), key=age)
        return {self.purpose(node.id): node for node in found if node.is_call}

    def purpose(self, node: str) -> str:
        """Return what a node is for."""
        return self.purposes.get(node, node)

    @cached_property
    def needless(self) -> tuple[str, ...]:
        """Nodes of the plan that no purpose of the gold plan needs, sorted."""
        calls = (node.id for node in self.plan.by_id.values() if node.is_call)
        return tuple(sorted(node for node in calls if self.purpose(node) not in self.gold.by_id))

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """Purposes of the gold plan that have no node, sorted."""
        calls = (node.id for node in self.gold.by_id.values() if node.is_call)
        return tuple(sorted(node for node in calls if node not in self.nodes))

    @cached_property
    def wanted(self) -> Topology:
        """The topology of the gold plan."""
        return topology(self.gold)

    @cached_property
    def found(self) -> Topology:
        """The topology of the plan."""
        return topology(self.plan)


def labels(case: Case) -> list[Label]:
    """Return the errors of a plan, sorted by type and root cause."""
    found = [
        *_missing(case),
        *_needless(case),
        *_tools(case),
        *_edges(case),
        *_arguments(case),
        *_faults(case),
    ]
    return sorted(found, key=lambda label: (label.type, label.root_cause, label.parameter or ""))


def _missing(case: Case) -> Iterator[Label]:
    for purpose in case.missing:
        first = _first_in_need(case, purpose)
        root_cause = first if first == RESPONSE else case.nodes[first].id
        call = _wanted(case, case.gold.by_id[purpose])
        yield Label(ErrorType.MISSING_CALL, root_cause, "call", None, None, call, purpose)


def _wanted(case: Case, node: Node) -> dict[str, Any]:
    """Return a call of the gold plan as it would stand in the plan."""
    dep = [case.nodes[one].id if one in case.nodes else one for one in node.dep]
    return {"tool": node.name, "arguments": gold_arguments(case, node.para), "dep": dep}


def _first_in_need(case: Case, purpose: str) -> str:
    """Return the first purpose that is there and takes from a call, else that waits for it."""
    consumers = [n for n in case.wanted.order if purpose in (case.wanted.deps[n] or ())]
    behind = [n for n in case.wanted.order if purpose in case.wanted.ancestors(n)]
    return next(n for n in (*consumers, *behind) if n in case.nodes or n == RESPONSE)


def _needless(case: Case) -> Iterator[Label]:
    for node in case.needless:
        call = _written(case.plan.by_id[node])
        yield Label(ErrorType.REDUNDANT_CALL, node, "call", None, call, None)


def _written(node: Node) -> dict[str, Any]:
    return {"tool": node.name, "arguments": node.para, "dep": list(node.dep)}


def _pairs(case: Case) -> Iterator[tuple[Node, Node]]:
    """Yield (gold node, newest node of the plan) of each purpose that has both."""
    for purpose, node in sorted(case.nodes.items()):
        if purpose in case.gold.by_id:
            yield case.gold.by_id[purpose], node


def _tools(case: Case) -> Iterator[Label]:
    for wanted, node in _pairs(case):
        if node.name != wanted.name:
            listed = node.name in case.catalogue.names
            kind = ErrorType.TOOL_SELECT if listed else ErrorType.TOOL_NAME
            yield Label(kind, node.id, "name", None, node.name, wanted.name)


def _edges(case: Case) -> Iterator[Label]:
    pairs = list(_pairs(case))
    response = case.plan.by_id.get(RESPONSE)
    if response is not None:
        pairs.append((case.gold.by_id[RESPONSE], response))
    for wanted, node in pairs:
        yield from _edge(case, wanted, node)


def _edge(case: Case, wanted: Node, node: Node) -> Iterator[Label]:
    """Judge the deps of one node; those around a missing or a needless call are not its own."""
    around = set(case.missing) & set(wanted.dep) or set(case.needless) & set(node.dep)
    if around:
        return
    needed = {purpose: case.nodes[purpose].id for purpose in case.wanted.reduced(wanted.id)}
    above = case.found.ancestors(node.id)
    absent = sorted(purpose for purpose, producer in needed.items() if producer not in above)
    extra = [
        dep
        for dep in case.found.reduced(node.id)
        if dep not in needed.values()
        and not any(dep in case.found.ancestors(producer) for producer in needed.values())
    ]
    deps = list(case.found.reduced(node.id)), sorted(needed.values())
    if absent:
        kind = _kind_of_edge(case, absent, wanted, node)
        yield Label(kind, node.id, "dep", None, *deps)
    else:
        for dep in extra:
            # A retry waits for the attempt before it.
            if case.purpose(dep) not in {wanted.id, *case.wanted.ancestors(wanted.id)}:
                edge = [dep, node.id]
                yield Label(ErrorType.PARALLELISM, node.id, "dep", None, edge, None)


def _kind_of_edge(case: Case, absent: list[str], wanted: Node, node: Node) -> ErrorType:
    """Say what stands in the place of the producers that a node does not wait for."""
    needed = {case.nodes[purpose].id for purpose in case.wanted.reduced(wanted.id)}
    instead = [dep for dep in _first_deps(case, node.id, case.found.reduced) if dep not in needed]
    if not instead:
        return ErrorType.DEPENDENCE_NULL
    # By the layers of the gold plan: other errors of the plan don't make this one another.
    depths = case.wanted.depths()
    deps = _first_deps(case, node.id, lambda id: case.found.deps[id] or ())
    start = max(depths.get(case.purpose(dep), 0) for dep in deps)
    later = (producer for producer in absent if start < depths[producer])
    before = set().union(*map(case.wanted.ancestors, later))
    predecessors = all(case.purpose(dep) in before for dep in instead)
    return ErrorType.SERIAL if predecessors else ErrorType.DEPENDENCE


def _first_deps(case: Case, node: str, deps: Callable[[str], Iterable[str]]) -> list[str]:
    """Return the deps of a call; in the place of its earlier attempts theirs."""
    purpose, found, seen = case.purpose(node), set[str](), set[str]()
    left = [*deps(node)]
    while left:
        dep = left.pop()
        if dep not in case.plan.by_id or case.purpose(dep) != purpose:
            found.add(dep)
        elif dep not in seen:
            seen.add(dep)
            left += deps(dep)
    return sorted(found)


def _arguments(case: Case) -> Iterator[Label]:
    moved = {label.root_cause for label in _edges(case)}
    for wanted, node in _pairs(case):
        if node.name == wanted.name and isinstance(wanted.para, dict):
            right = gold_arguments(case, wanted.para)
            tool = case.catalogue.named(node.name or "")[0]
            ignored = _part_of_others(case, node.para, wanted.para, node.id in moved)
            value_of = partial(_gold_value, case)
            for one in differences(tool, node.para, right, ignored, value_of):
                yield Label(one.type, node.id, "para", *one[1:])


def _part_of_others(
    case: Case, got: Any, wanted: Mapping[str, Any], edge_is_wrong: bool
) -> set[str]:
    """Return the arguments whose difference belongs to a wrong edge, missing or needless call."""
    gone = (
        set(wanted) if edge_is_wrong else {n for n in wanted if _names(wanted[n]) & {*case.missing}}
    )
    referring = {name for name in gone if _names(wanted[name])}
    named = got if isinstance(got, dict) else {}
    return referring | {name for name in named if _names(named[name]) & {*case.needless}}


def _names(value: Any) -> set[str | None]:
    """Return the nodes that a value refers to."""
    return {reference.node for reference in references(value)}


def _gold_value(case: Case, reference: Reference) -> Any:
    """Return what a reference gives in the gold run; raises LookupError where it gives nothing."""
    return follow(case.results[case.purpose(reference.node or "")], reference.path)


def gold_arguments(case: Case, value: Any) -> Any:
    """Return gold arguments with each reference to the newest node of its purpose."""
    if is_reference(value):
        node = case.nodes.get(value[KEY])
        return {**value, KEY: node.id} if node else value
    if isinstance(value, dict):
        return {name: gold_arguments(case, item) for name, item in value.items()}
    if isinstance(value, list):
        return [gold_arguments(case, item) for item in value]
    return value


def _faults(case: Case) -> Iterator[Label]:
    for wanted, node in _pairs(case):
        last = case.ledger.last(node.id)
        # A fault is an error of its own only where the call is right.
        if last is not None and node.name == wanted.name and is_of_a_fault(last.result):
            empty = last.outcome == "empty"
            kind = ErrorType.NULL if empty else ErrorType.TIMEOUT
            yield Label(kind, node.id, "result", None, last.result, case.results.get(wanted.id))
