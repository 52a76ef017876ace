"""New numbers for the nodes of a trajectory, so that they tell nothing of what went wrong.

As an error is put in, a call that is left out leaves a gap, one too many has the highest number,
and an edge that was moved stands last. So the nodes are numbered anew by layer, tool and
arguments; calls that only the gold plan has follow.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from build.injectors.scene import Scene
from trajectory import canonical
from trajectory.descriptions import describe
from trajectory.graph import topology
from trajectory.plan import RESPONSE, ROOT, Node, Plan
from trajectory.references import KEY, is_reference

Names = Mapping[str, str]


def renumbered(scene: Scene) -> tuple[Scene, Names]:
    """Return the trajectory with new node ids throughout, in their order, and old id → new id."""
    gold = scene.stage.gold
    names = names_of(scene.plan, (node.id for node in gold.plan if node.is_call))
    changed = replace(
        scene,
        stage=replace(scene.stage, gold=replace(gold, plan=renamed(gold.plan, names))),
        plan=renamed(scene.plan, names),
        purposes={names[node]: names[purpose] for node, purpose in scene.purposes.items()},
        touched=frozenset(names[node] for node in scene.touched if node in names),
    )
    return changed, names


def names_of(plan: Plan, others: Iterable[str]) -> dict[str, str]:
    """Return new numbers for the calls of a plan, by layer, tool, arguments; then for others."""
    depths = topology(plan).depths()
    calls = [node for node in plan if node.is_call]
    # Of calls that are alike the one that was added comes last, whatever the number of its digits.
    calls.sort(
        key=lambda node: (depths.get(node.id, 0), node.name, _shape(node.para), _place(node.id))
    )
    ids = dict.fromkeys([*(node.id for node in calls), *others])
    return {ROOT: ROOT, RESPONSE: RESPONSE, **{id: str(n) for n, id in enumerate(ids, start=1)}}


def _shape(para: Any) -> str:
    """Return the text of arguments without the ids they refer to."""
    return canonical.dumps(_with_ids(para, None))


def _with_ids(value: Any, names: Names | None) -> Any:
    if is_reference(value):
        node = value[KEY]
        return {**value, KEY: "" if names is None else names.get(node, node)}
    if isinstance(value, dict):
        return {name: _with_ids(item, names) for name, item in value.items()}
    return [_with_ids(item, names) for item in value] if isinstance(value, list) else value


def renamed(plan: Plan, names: Names) -> Plan:
    """Return a plan with new ids in nodes, edges and references, listed in their order."""
    nodes = [_node(node, names) for node in plan]
    return Plan(tuple(sorted(nodes, key=lambda node: _place(node.id))))


def _node(node: Node, names: Names) -> Node:
    dep = tuple(sorted((names[dep] for dep in node.dep), key=_place))
    if not node.is_call:
        return node.change(id=names[node.id], dep=dep)
    para = _with_ids(node.para, names)
    return Node(names[node.id], node.name, para, describe(), dep, node.status)


def _place(id: str) -> tuple[int, int]:
    """Root first, then by number, the response last."""
    return (1, int(id)) if id.isdecimal() else (0 if id == ROOT else 2, 0)
