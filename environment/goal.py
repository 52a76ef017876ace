"""The goal of a task, and whether an execution reached it (semantics.md, "Goal").

A goal is ``{"calls": [{"tool", "arguments", "counts", "result"}], "state": digest}``: the calls
that the response needs, each with the resolved values of the parameters that count (their
names stand in `counts`), and the whole state at the end ("" where there is none).
"""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from environment.ledger import Entry
from environment.world import WorldTool
from trajectory import canonical
from trajectory.calls import Call
from trajectory.graph import topology
from trajectory.plan import RESPONSE, Plan
from trajectory.tools import Catalogue


class Attempts(Protocol):
    """What is asked of a ledger here."""

    def last(self, node: str) -> Entry | None:
        """Return the last attempt of a node, or None."""
        ...


def make_goal(
    entries: Iterable[Entry], tools: Mapping[str, WorldTool], state: str
) -> dict[str, Any]:
    """Return the goal that consists of these calls of a gold run and the state at its end."""
    calls = [_goal_call(entry, tools[entry.tool]) for entry in entries]
    return {"calls": sorted(calls, key=canonical.dumps), "state": state}


def recorded_goal(calls: Iterable[Call], catalogue: Catalogue) -> dict[str, Any]:
    """Return the goal that consists of these recorded calls: every argument counts, no state."""
    wanted = [
        {
            "tool": call.name,
            "arguments": call.arguments,
            "counts": sorted({*catalogue.named(call.name)[0].parameters, *call.arguments}),
            "result": call.results,
        }
        for call in calls
    ]
    return {"calls": sorted(wanted, key=canonical.dumps), "state": ""}


def _goal_call(entry: Entry, tool: WorldTool) -> dict[str, Any]:
    counts = sorted(name for name, part in tool.parameters.items() if part.counts)
    return {
        "tool": entry.tool,
        "arguments": tool.counted(entry.arguments),
        "counts": counts,
        "result": entry.result,
    }


def reached(goal: Mapping[str, Any], plan: Plan, ledger: Attempts, state: str) -> bool:
    """Say whether an execution reached the goal.

    plan: as it stood at the end. ledger: all that ran, before the snapshot and after it.
    state: digest at the end. Whether the response was completed is not asked here.
    """
    return bool(state == goal["state"]) and not missing(goal, plan, ledger)


def missing(goal: Mapping[str, Any], plan: Plan, ledger: Attempts) -> list[dict[str, Any]]:
    """Return the goal calls that no node carries, as many times as they are wanting.

    A node carries a goal call when it is an ancestor of the response and its last attempt is
    ok, with the same tool, counted arguments and result; each node carries one.
    """
    free = _behind_response(plan, ledger)
    wanting = []
    for call in goal["calls"]:
        place = next((i for i, entry in enumerate(free) if _carries(entry, call)), None)
        if place is None:
            wanting.append(dict(call))
        else:
            del free[place]
    return wanting


def _carries(entry: Entry, call: Mapping[str, Any]) -> bool:
    if entry.tool != call["tool"]:
        return False
    arguments = entry.arguments
    if isinstance(arguments, dict):
        arguments = {name: arguments[name] for name in call["counts"] if name in arguments}
    return canonical.same(arguments, call["arguments"]) and canonical.same(
        entry.result, call["result"]
    )


def _behind_response(plan: Plan, ledger: Attempts) -> list[Entry]:
    """Return the last attempt of each ancestor of the response, where it is ok."""
    found = topology(plan)
    if RESPONSE not in found.deps:
        return []
    last = (ledger.last(node) for node in sorted(found.ancestors(RESPONSE)))
    return [entry for entry in last if entry is not None and entry.outcome == "ok"]
