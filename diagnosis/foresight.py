"""Foresight: what can be told of a plan without running it, that it cannot reach the goal.

Most edits of a plan mend nothing, and that shows without execution: a call that the goal needs
stands in no node behind the response, or only in nodes that are bound to fail. Whatever is
not certain counts as possible and is run.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from diagnosis.edits import Edit, changed_by
from environment.executor import Start
from trajectory import canonical
from trajectory.arguments import find_faults
from trajectory.checks import Fault
from trajectory.graph import Topology, topology
from trajectory.plan import RESPONSE, Node, Plan
from trajectory.references import Reference, references
from trajectory.tools import Catalogue, Tool

# What a goal wants of one call.
Wanted = Mapping[str, Any]


@dataclass(frozen=True)
class _Seen:
    """What is known of a node by itself.

    fails: its tool or its literal arguments are refused wherever it runs. refers: its
    references. may_be: for each goal call, whether the node could carry it.
    """

    node: Node
    fails: bool
    refers: tuple[Reference, ...]
    may_be: tuple[bool, ...]


@dataclass
class Foresight:
    """Looks at plans that could be the answer to one snapshot."""

    start: Start
    goal: Mapping[str, Any]
    catalogue: Catalogue
    _seen: dict[int, _Seen] = field(default_factory=dict)

    def is_beside(self, edits: Iterable[Edit]) -> bool:
        """Say whether it is certain that edits change nothing for a goal call that lacks a node.

        Then the call lacks one after them as well.
        """
        wanting = self._wanting
        if wanting is None:
            return False
        number, nodes = wanting
        tool = self.goal["calls"][number]["tool"]
        return not any(
            edit.get("tool") == tool or not nodes.isdisjoint(changed_by(edit)) for edit in edits
        )

    @cached_property
    def _wanting(self) -> tuple[int, frozenset[str]] | None:
        """A goal call that no node of the snapshot can carry, and the nodes that decide on it.

        Of several that with the fewest nodes: those that call its tool, and all that these wait
        for or refer to.
        """
        plan = self.start.snapshot.plan
        found = topology(plan)
        doomed = self._doomed(plan, found, found.order)
        calls = [plan.by_id[node] for node in found.order if node in found.calls]
        wanting = [
            (number, self._deciding(plan, found, call["tool"]))
            for number, call in enumerate(self.goal["calls"])
            if not any(self._can_be(node, number, node.id in doomed) for node in calls)
        ]
        return min(wanting, key=lambda pair: len(pair[1]), default=None)

    def _deciding(self, plan: Plan, found: Topology, tool: str) -> frozenset[str]:
        stack = [node.id for node in plan if node.is_call and node.name == tool]
        nodes: set[str] = set()
        while stack:
            node = stack.pop()
            if node in nodes or node not in plan.by_id:
                continue
            nodes.add(node)
            stack += found.ancestors(node) if node in found.deps else ()
            stack += [one.node for one in self._of(plan.by_id[node]).refers if one.node]
        return frozenset(nodes)

    def is_hopeless(self, plan: Plan) -> bool:
        """Say whether it is certain that this answer does not reach the goal."""
        found = topology(plan)
        if RESPONSE not in found.order:
            return True
        behind = [node for node in found.order if node in found.ancestors(RESPONSE)]
        doomed = self._doomed(plan, found, behind)
        calls = [node for node in behind if node in found.calls]
        return not all(
            any(self._can_be(plan.by_id[node], number, node in doomed) for node in calls)
            for number in range(len(self.goal["calls"]))
        )

    def _can_be(self, node: Node, number: int, doomed: bool) -> bool:
        """Say whether a node could carry a goal call, by what it did or by what it will do."""
        if not doomed and self._of(node).may_be[number]:
            return True
        last = self.start.ledger.last(node.id)
        if last is None or last.outcome != "ok":
            return False
        wanted = self.goal["calls"][number]
        return last.tool == wanted["tool"] and canonical.same(last.result, wanted["result"])

    def _doomed(self, plan: Plan, found: Topology, behind: Sequence[str]) -> set[str]:
        """Return the nodes that have no good result and are bound to get none."""
        doomed: set[str] = set()
        changed = self._changed(plan)
        for node in behind:
            if node in found.calls and not self._has_result(node):
                above = found.ancestors(node)
                if self._stays_failed(node, above, changed) or self._must_fail(
                    plan.by_id[node], above, doomed
                ):
                    doomed.add(node)
        return doomed

    def _changed(self, plan: Plan) -> set[str]:
        """Return the nodes that are not as they stood in the snapshot."""
        shown = self.start.snapshot.plan.by_id
        return {node.id for node in plan if shown.get(node.id) is not node}

    def _has_result(self, node: str) -> bool:
        return any(entry.outcome == "ok" for entry in self.start.ledger.attempts(node))

    def _stays_failed(self, node: str, above: Iterable[str], changed: set[str]) -> bool:
        """Say whether a node has run without success and nothing lets it run again."""
        ran = node in self.start.ledger
        return ran and node not in changed and changed.isdisjoint(above)

    def _must_fail(self, node: Node, above: frozenset[str], doomed: set[str]) -> bool:
        seen = self._of(node)
        return seen.fails or any(one.node not in above or one.node in doomed for one in seen.refers)

    def _of(self, node: Node) -> _Seen:
        known = self._seen.get(id(node))
        if known is None:
            refers = tuple(references(node.para))
            may_be = tuple(_may_be(node, wanted) for wanted in self.goal["calls"])
            known = _Seen(node, refuses(self.catalogue, node.name or "", node.para), refers, may_be)
            # The node is kept with what is known of it, so that its id stays its own.
            self._seen[id(node)] = known
        return known


def refuses(catalogue: Catalogue, name: str, para: Any) -> bool:
    """Say whether every tool of a name refuses the arguments, whatever they refer to."""
    if not isinstance(para, dict):
        return True
    tools = [tool for tool in catalogue.named(name) if _takes_names(tool, para)]
    if not tools:
        return True
    open_ = {key for key, value in para.items() if any(references(value))}
    return all(
        any(_is_certain(fault, open_) for fault in find_faults(tool, para)) for tool in tools
    )


def _takes_names(tool: Tool, para: Mapping[str, Any]) -> bool:
    """Say of most wrong arguments at once that a tool refuses their names."""
    schema = tool.schema
    if not all(name in para for name in schema.get("required", ())):
        return False
    known = schema.get("properties", {})
    return schema.get("additionalProperties", True) is not False or all(n in known for n in para)


def _is_certain(fault: Fault, open_: Collection[str]) -> bool:
    """Say whether arguments have a fault whatever the values of the open parameters will be."""
    return (
        not fault.path
        or (fault.kind in _OF_NAMES and len(fault.path) == 1)
        or (fault.path[0] not in open_)
    )


_OF_NAMES = frozenset(("missing_parameter", "unknown_parameter"))


def _may_be(node: Node, wanted: Wanted) -> bool:
    """Say whether tool and literal arguments of a node are those of a goal call."""
    if node.name != wanted["tool"] or not isinstance(node.para, dict):
        return False
    right = wanted["arguments"]
    counted = {name: node.para[name] for name in wanted["counts"] if name in node.para}
    return counted.keys() == right.keys() and all(
        any(references(value)) or canonical.same(value, right[name])
        for name, value in counted.items()
    )
