"""A gold plan: a task with its request, tools, plan, and what happened when it ran."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from trajectory.calls import Call, read_calls, write_calls
from trajectory.plan import Plan, read_plan, write_plan


class Edge(NamedTuple):
    """An edge of a plan: how it is known (value, effect, prose, turn_order), how sure (0 to 1)."""

    dep: str
    node: str
    how: str
    confidence: float


@dataclass(frozen=True)
class Gold:
    """A task and its gold plan.

    tools: the tool list as a model sees it. plan: nodes with ``$ref``, all statuses false but
    the root's. calls: rounds of calls with node ids, resolved arguments and results.
    rounds_gt: layers of tool calls + 1. calls_gt: calls. split: train or test.
    origin: the environment's setting; or file, line and licence of a read conversation, and how
    many calls each of its turns has; or recorded calls, with that origin.
    goal: as in an instance, None where nothing can be run.
    """

    id: str
    query: str
    tools: list[dict[str, Any]]
    plan: Plan
    calls: tuple[tuple[Call, ...], ...]
    rounds_gt: int
    calls_gt: int
    split: str
    origin: Mapping[str, Any]
    edges: tuple[Edge, ...]
    goal: Mapping[str, Any] | None = None

    def with_split(self, split: str) -> "Gold":
        """Return the task as a member of a split."""
        return replace(self, split=split)


def to_record(gold: Gold) -> dict[str, Any]:
    """Return a gold plan as a plain JSON object."""
    return {
        "id": gold.id,
        "query": gold.query,
        "tools": gold.tools,
        "plan": write_plan(gold.plan),
        "calls": [write_calls(calls) for calls in gold.calls],
        "rounds_gt": gold.rounds_gt,
        "calls_gt": gold.calls_gt,
        "split": gold.split,
        "origin": dict(gold.origin),
        "edges": [edge._asdict() for edge in gold.edges],
        "goal": None if gold.goal is None else dict(gold.goal),
    }


def from_record(record: Mapping[str, Any]) -> Gold:
    """Read a plain JSON object; raises KeyError on a missing field."""
    return Gold(
        id=record["id"],
        query=record["query"],
        tools=record["tools"],
        plan=read_plan(record["plan"]),
        calls=tuple(tuple(read_calls(calls)) for calls in record["calls"]),
        rounds_gt=record["rounds_gt"],
        calls_gt=record["calls_gt"],
        split=record["split"],
        origin=record["origin"],
        edges=tuple(Edge(**edge) for edge in record["edges"]),
        goal=record["goal"],
    )
