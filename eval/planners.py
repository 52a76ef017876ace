"""Scripted planners: the trivial baselines that stand beside every score (metrics.md).

Each answers through the same text interface as a model. All but those of `eval.knowing` see no
more than one.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from eval import knowing
from eval.agents import Agent, Seen
from models.reading import write_answer
from trajectory import canonical
from trajectory.calls import Call, call_outcome, read_calls
from trajectory.instance import Instance
from trajectory.plan import RESPONSE, ROOT, Node, Plan, read_plan
from trajectory.references import KEY, is_reference, references

MOST_TRIES: Final = 3


class OneAnswer:
    """Answers once, with a change of the snapshot, and carries on from there."""

    def __init__(self, change: Callable[[Plan, Seen], Plan], thought: str) -> None:
        self._change = change
        self._thought = thought

    def answer(self, seen: Seen, later: int) -> str | None:
        """Return the changed snapshot the first time, then None."""
        if later:
            return None
        return write_answer(self._thought, (), self._change(read_plan(seen["plan"]), seen))


class BlindRetry:
    """Tries every failed or empty call of the last round again, whatever the reason.

    The same call stands as a new node; whoever waited for the old node waits for the new one.
    A call is tried at most three times in all.
    """

    def answer(self, seen: Seen, later: int) -> str | None:
        """Return the plan with retries; with nothing to retry what carries on, later None."""
        plan = read_plan(seen["plan"])
        calls = read_calls(seen["tool_results"])
        failed = [call for call in calls if call_outcome(call.results) != "ok"]
        tried = [call for round_ in seen["history"] for call in read_calls(round_)] + calls
        again = [call for call in failed if call.node in plan.by_id and _tries(call, tried)]
        if not again:
            carried = _carry_on(plan, seen)
            return None if later else write_answer("Nothing failed.", (), carried)
        for call in again:
            plan = _with_retry(plan, call.node or "")
        return write_answer("Some calls failed, so I try them again.", (), plan)


def _tries(call: Call, tried: Sequence[Call]) -> bool:
    """Say whether a call may be tried once more."""
    key = _key(call)
    return sum(_key(one) == key for one in tried) < MOST_TRIES


def _key(call: Call) -> str:
    return canonical.dumps([call.name, call.arguments])


def _with_retry(plan: Plan, old: str) -> Plan:
    number = 1
    while (new := f"{old}_retry_{number}") in plan.by_id:
        number += 1
    nodes = [_moved(node, old, new) for node in plan.nodes]
    copy = plan.by_id[old].change(id=new, status=False)
    return Plan((*nodes, copy), plan.problems)


def _moved(node: Node, old: str, new: str) -> Node:
    """Let a node that waits for `old` wait for `new`, and one that refers to it refer to that."""
    changes: dict[str, Any] = {}
    if old in node.dep:
        changes["dep"] = tuple(new if item == old else item for item in node.dep)
    if any(found.node == old for found in references(node.para)):
        changes["para"] = _referring(node.para, old, new)
    return node.change(**changes) if changes else node


def _referring(value: Any, old: str, new: str) -> Any:
    if is_reference(value):
        return {**value, KEY: new} if value[KEY] == old else value
    if isinstance(value, dict):
        return {key: _referring(item, old, new) for key, item in value.items()}
    if isinstance(value, list):
        return [_referring(item, old, new) for item in value]
    return value


def _ran(seen: Seen) -> set[str]:
    """Return the ids of the nodes that ran."""
    rounds = [*seen["history"], seen["tool_results"]]
    return {call.node for calls in rounds for call in read_calls(calls) if call.node is not None}


def _with_status(plan: Plan, done: Callable[[Node], bool]) -> Plan:
    return Plan(
        tuple(
            node if node.status == done(node) else node.change(status=done(node)) for node in plan
        ),
        plan.problems,
    )


def _mark_done(plan: Plan, _: Seen) -> Plan:
    return _with_status(plan, lambda _: True)


def _carry_on(plan: Plan, seen: Seen) -> Plan:
    ran = _ran(seen)
    return _with_status(plan, lambda node: node.status or node.id in ran)


def _do_nothing(plan: Plan, _: Seen) -> Plan:
    return plan


def _respond_now(plan: Plan, _: Seen) -> Plan:
    return _freed(plan, lambda node: node.id == RESPONSE)


def _flatten(plan: Plan, _: Seen) -> Plan:
    return _freed(plan, lambda node: node.id != ROOT)


def _freed(plan: Plan, which: Callable[[Node], bool]) -> Plan:
    """Let some nodes wait for nothing."""
    nodes = tuple(node.change(dep=()) if which(node) else node for node in plan)
    return Plan(nodes, plan.problems)


class Told:
    """Gives an answer that was made from the truth, and carries on from there."""

    def __init__(self, text: str) -> None:
        self._text = text

    def answer(self, seen: Seen, later: int) -> str | None:
        """Return the answer the first time, then None."""
        return None if later else self._text


def _told(tell: Callable[[Instance], str | None]) -> Callable[[Instance], Agent]:
    """Return the maker of a planner that is told its answer; told nothing, it carries on."""

    def planner(instance: Instance) -> Agent:
        text = tell(instance)
        return PLANNERS["carry_on"](instance) if text is None else Told(text)

    return planner


def _one(change: Callable[[Plan, Seen], Plan], thought: str) -> Callable[[Instance], Agent]:
    return lambda _: OneAnswer(change, thought)


# Name → maker of a planner for one instance; only planners that know the truth look at it.
PLANNERS: Final[Mapping[str, Callable[[Instance], Agent]]] = {
    "mark_done": _one(_mark_done, "Everything is done."),
    "respond_now": _one(_respond_now, "I answer at once."),
    "flatten": _one(_flatten, "Nothing depends on anything."),
    "do_nothing": _one(_do_nothing, "The plan stays as it is."),
    "carry_on": _one(_carry_on, "What ran has run; the rest goes on."),
    "blind_retry": lambda _: BlindRetry(),
    "oracle": _told(knowing.oracle),
    "random_repair": _told(knowing.random_repair),
    "restart": _told(knowing.restart),
}
