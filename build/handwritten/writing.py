"""The words in which tasks and their errors are written by hand; the rest is computed.

A person writes the request, the gold plan, what went wrong, where it can be known from, and
how it is mended. What follows from these (history, results, descriptions, counts, affected
nodes) is found by running them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from diagnosis.edits import Edit
from environment.faults import Fault, Kind
from trajectory.descriptions import describe
from trajectory.error_types import ErrorType
from trajectory.plan import RESPONSE, ROOT, Node, Plan
from trajectory.references import reference as ref
from trajectory.references import references

__all__ = [
    "Evidence",
    "Mistake",
    "Problem",
    "Task",
    "add_edge",
    "add_node",
    "call",
    "fault",
    "in_plan",
    "in_request",
    "in_result",
    "in_tool",
    "ref",
    "remove_argument",
    "remove_edge",
    "remove_node",
    "retry",
    "set_argument",
    "set_tool",
    "shown",
]

Evidence = Mapping[str, Any]

SHOWN: Final = "$shown"


@dataclass(frozen=True)
class Mistake:
    """One error: its type, where it lies, how it came about, where it shows, how it is mended.

    changes: edits of the gold plan that make the error; a fault of the environment needs none.
    evidence: pointers into what a model sees, made by `in_request` and its like. later: the
    edits were made by the agent after that round; None: they stood in the plan from the start.
    """

    type: ErrorType
    root_cause: str
    evidence: Sequence[Evidence]
    repair: Sequence[Edit]
    changes: Sequence[Edit] = ()
    fault: Fault | None = None
    after: int | None = None


@dataclass(frozen=True)
class Problem:
    """An instance: what went wrong with a task, and after how many rounds it is looked at.

    reason: a readable paragraph on all of its errors. before: what the agent rightly did on the
    way, by the round after which it did so (a retry of a call that had failed). faults: those
    that were mended on the way. purposes: a node that is there for the same as a node of the
    gold plan → that node.
    """

    level: int
    rounds: int
    mistakes: Sequence[Mistake]
    reason: str
    before: Mapping[int, Sequence[Edit]] = field(default_factory=dict)
    faults: Sequence[Fault] = ()
    purposes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Task:
    """A request with its gold plan, and the problems made of it.

    id: of the task, part of no instance id. calls: nodes of the gold plan. others: listed tools
    that it does not need, four or more.
    """

    id: str
    request: str
    calls: Sequence[Node]
    others: str
    problems: Sequence[Problem]

    @property
    def plan(self) -> Plan:
        """The gold plan; the response waits for every call that no other call waits for."""
        waited = {dep for node in self.calls for dep in node.dep}
        last = tuple(node.id for node in self.calls if node.id not in waited)
        root = Node(ROOT, desc=self.request, status=True)
        response = Node(RESPONSE, desc="Answer the user.", dep=last)
        return Plan((root, *self.calls, response))

    @property
    def tool_names(self) -> list[str]:
        """The names of the listed tools, sorted, so that their order tells nothing."""
        needed = {node.name for node in self.calls if node.name is not None}
        return sorted(needed | set(self.others.split()))


def call(id: str, tool: str, /, *, after: str = "", **arguments: Any) -> Node:
    """Write a call of a plan; it waits for what it refers to, and for `after` by its effect."""
    named = {name.rstrip("_"): value for name, value in arguments.items()}
    dep = [one.node for one in references(named) if one.node is not None]
    dep = sorted({*dep, *after.split()})
    return Node(id, tool, named, describe(tool, named), tuple(dep) or (ROOT,))


# --- edits -----------------------------------------------------------------------------------


def add_node(node: Node, *consumers: str) -> Edit:
    """Add a call, for which the consumers wait."""
    dep = [item for item in node.dep if item != ROOT]
    call = {"node": node.id, "tool": node.name, "arguments": node.para, "dep": dep}
    return {"op": "add_node", **call, "consumers": list(consumers)}


def remove_node(node: str, into: str | None = None) -> Edit:
    """Remove a call; what waited for it waits for `into`, or for what it waited for."""
    return {"op": "remove_node", "node": node, **({} if into is None else {"into": into})}


def set_argument(node: str, parameter: str, value: Any) -> Edit:
    """Set an argument."""
    return {"op": "set_argument", "node": node, "parameter": parameter, "value": value}


def remove_argument(node: str, parameter: str) -> Edit:
    """Remove an argument."""
    return {"op": "remove_argument", "node": node, "parameter": parameter}


def set_tool(node: str, tool: str, **arguments: Any) -> Edit:
    """Set the tool of a call, and all its arguments where some are given."""
    edit = {"op": "set_tool", "node": node, "tool": tool}
    return {**edit, "arguments": arguments} if arguments else edit


def add_edge(node: str, dep: str) -> Edit:
    """Let a node wait for another one."""
    return {"op": "add_edge", "node": node, "dep": dep}


def remove_edge(node: str, dep: str) -> Edit:
    """Let a node no longer wait for another one."""
    return {"op": "remove_edge", "node": node, "dep": dep}


def retry(node: str, new: str) -> Edit:
    """Try a call once more, as a new node."""
    return {"op": "retry", "node": node, "new": new}


def fault(tool: str, kind: Kind, *, first: int = 1, length: int = 1) -> Fault:
    """Let a tool fail in so many of its try-rounds, counted from 1."""
    return Fault(tool, first, length, kind)


def shown(node: str, path: str) -> dict[str, str]:
    """The value that the last result of a node shows at a path, for an argument of a repair.

    What undoes a wrong effect takes it as a value: a reference would be to the next attempt.
    """
    return {SHOWN: node, "path": path}


# --- evidence --------------------------------------------------------------------------------


def in_request(words: str) -> Evidence:
    """The request says it in these words."""
    return {"in": "query", "text": words}


def in_result(node: str, path: str = "") -> Evidence:
    """The last result of a node shows it, at a path."""
    return {"in": "results", "node": node, "path": path}


def in_plan(node: str, path: str) -> Evidence:
    """The plan shows it in a node, at a path such as "dep" or "para.city"."""
    return {"in": "plan", "node": node, "path": path}


def in_tool(tool: str, path: str) -> Evidence:
    """The tool list shows it, at a path such as "description" or "parameters.required"."""
    return {"in": "tools", "tool": tool, "path": path}
