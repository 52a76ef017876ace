"""Wishes: what a task's request asks for, as a typed form without nodes, edges or rounds.

A wish is ``{"goals": [call, …], "order": [[i, j], …]}``: goal j is asked for once goal i is done.
A call is ``{"tool", "arguments"}``; an argument is a literal, ``{"of": call, "path": "…"}`` for a
value of another call's result, or a list of either. What is needed twice stands twice. It is the
request with its meaning worked out, and all that a scripted planner knows beyond what a model
sees.
"""

from collections.abc import Mapping
from typing import Any

from build.gold import Gold
from trajectory.graph import topology
from trajectory.plan import RESPONSE, Plan
from trajectory.references import is_reference, read_reference, references

Wish = Mapping[str, Any]


def wish_of(gold: Gold) -> Wish:
    """Return the wish that a task's request makes.

    Its goals are the calls that no other one takes a value from, and both calls of an order that
    no value makes plain.
    """
    plan = gold.plan
    calls = [node.id for node in plan if node.is_call]
    taken = {found.node for node in plan for found in references(node.para)}
    order = [pair for node in calls for pair in _orders(plan, node)]
    ends = {node for pair in order for node in pair}
    goals = [node for node in calls if node not in taken or node in ends]
    return {
        "goals": [_call(plan, node) for node in goals],
        "order": [[goals.index(before), goals.index(after)] for before, after in order],
    }


def _orders(plan: Plan, node: str) -> list[tuple[str, str]]:
    """Return (earlier, later) for each call that a call waits for without taking its values."""
    wanted = plan.by_id[node]
    given = {found.node or "" for found in references(wanted.para)}
    behind = given.union(*(_givers(plan, giver) for giver in given))
    deps = topology(plan).deps[node] or ()
    return [(dep, node) for dep in deps if dep != RESPONSE and dep not in behind]


def _givers(plan: Plan, node: str) -> frozenset[str]:
    """Return the calls from which values come into a call, directly or not."""
    given = {found.node or "" for found in references(plan.by_id[node].para)}
    return frozenset(given.union(*(_givers(plan, giver) for giver in given)))


def _call(plan: Plan, node: str) -> dict[str, Any]:
    wanted = plan.by_id[node]
    return {"tool": wanted.name, "arguments": _meant(plan, wanted.para)}


def _meant(plan: Plan, value: Any) -> Any:
    """Return arguments with each reference as a call and a path into its result."""
    if is_reference(value):
        found = read_reference(value, "")
        return {"of": _call(plan, found.node or ""), "path": found.path}
    if isinstance(value, dict):
        return {name: _meant(plan, part) for name, part in value.items()}
    if isinstance(value, list):
        return [_meant(plan, part) for part in value]
    return value
