"""New numbers for the nodes of a problem, so that they tell nothing about what went wrong.

As written, a call that was left out leaves a gap, one too many has the highest number, and an
edge that was moved stands last. The nodes of the faulty plan are numbered anew by layer, tool
and arguments; whatever else has an id (calls that are missing, those of the repair) follows.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from build.handwritten.writing import SHOWN, Evidence, Mistake, Problem, Task
from diagnosis.edits import Edit, apply_edits
from trajectory import canonical
from trajectory.descriptions import describe
from trajectory.graph import topology
from trajectory.plan import RESPONSE, ROOT, Node, Plan
from trajectory.references import KEY

Names = Mapping[str, str]

# What in an edit is an id, or a list of them.
_IDS = ("node", "dep", "into", "new", "consumers")


def renumbered(task: Task, problem: Problem) -> tuple[Task, Problem]:
    """Return a task and one of its problems with new node ids throughout.

    In the reason ids stand in braces, which go: "node {4}".
    """
    names = _names(task, problem)
    return (
        replace(task, calls=[_node(node, names) for node in task.calls]),
        replace(
            problem,
            mistakes=[_mistake(mistake, names) for mistake in problem.mistakes],
            reason=re.sub(r"\{(\w+)\}", lambda match: names[match[1]], problem.reason),
            before={n: _edits(edits, names) for n, edits in problem.before.items()},
            purposes={names[node]: names[purpose] for node, purpose in problem.purposes.items()},
        ),
    )


def tidy(plan: Plan) -> Plan:
    """Return a plan with its nodes and their deps in the order of the numbers."""
    nodes = (node.change(dep=tuple(sorted(node.dep, key=_place))) for node in plan)
    return Plan(tuple(sorted(nodes, key=lambda node: _place(node.id))), plan.problems)


def _place(id: str) -> tuple[int, int, str]:
    number, _, rest = id.partition("_")
    if number.isdecimal():
        return 1, int(number), rest
    return (0 if id == ROOT else 2), 0, id


def _names(task: Task, problem: Problem) -> dict[str, str]:
    """Return the new name of each id."""
    edits = [edit for one in problem.mistakes for edit in one.changes if one.after is None]
    first = apply_edits(task.plan, edits)
    depths = topology(first).depths()
    calls = [node for node in first if node.is_call]
    calls.sort(
        key=lambda node: (depths.get(node.id, 0), node.name, canonical.dumps(node.para), node.id)
    )
    later = [node.id for node in task.calls]
    later += [edit["node"] for one in problem.mistakes for edit in one.repair]
    ids = dict.fromkeys([*(node.id for node in calls), *later])
    plain = [id for id in ids if id.isdecimal()]
    names = {ROOT: ROOT, RESPONSE: RESPONSE}
    names.update((id, str(number)) for number, id in enumerate(plain, start=1))
    return _Derived(names)


class _Derived(dict[str, str]):
    """Names an id such as "2_retry" after the id it derives from."""

    def __missing__(self, id: str) -> str:
        base, mark, rest = id.partition("_")
        if not mark:
            raise KeyError(id)
        return f"{self[base]}_{rest}"


def _node(node: Node, names: Names) -> Node:
    para = _value(node.para, names)
    dep = tuple(sorted((names[dep] for dep in node.dep), key=_place))
    return Node(names[node.id], node.name, para, describe(node.name or "", para), dep)


def _mistake(mistake: Mistake, names: Names) -> Mistake:
    return replace(
        mistake,
        root_cause=names[mistake.root_cause],
        evidence=[_evidence(pointer, names) for pointer in mistake.evidence],
        repair=_edits(mistake.repair, names),
        changes=_edits(mistake.changes, names),
    )


def _evidence(pointer: Evidence, names: Names) -> Evidence:
    return {**pointer, "node": names[pointer["node"]]} if "node" in pointer else pointer


def _edits(edits: Sequence[Edit], names: Names) -> list[Edit]:
    return [
        {
            key: _ids(value, names) if key in _IDS else _value(value, names)
            for key, value in edit.items()
        }
        for edit in edits
    ]


def _ids(value: Any, names: Names) -> Any:
    if isinstance(value, list):
        return sorted((names[id] for id in value), key=_place)
    return names[value]


def _value(value: Any, names: Names) -> Any:
    """Return arguments with the ids in references changed."""
    if isinstance(value, dict):
        return {
            key: names[item] if key in {KEY, SHOWN} else _value(item, names)
            for key, item in value.items()
        }
    return [_value(item, names) for item in value] if isinstance(value, list) else value
