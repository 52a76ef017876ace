"""What changed between two plans."""

from dataclasses import dataclass
from typing import Any

from trajectory import canonical
from trajectory.plan import ROOT, Node, Para, Plan

Edge = tuple[str, str]


@dataclass(frozen=True)
class Difference:
    """Nodes and edges by which a new plan differs from an old one; all parts are sorted.

    changed: id → what is different, out of name, para, dep, status, desc, extra; for para also
        each argument as "para.<name>" where both are named arguments.
    edges_added, edges_removed: (dep, node); an edge from root says nothing and is left out.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: dict[str, tuple[str, ...]]
    edges_added: tuple[Edge, ...]
    edges_removed: tuple[Edge, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def difference(old: Plan, new: Plan) -> Difference:
    """Compare two plans by node id (the first node of each id); listing order says nothing.

    Raises ValueError where arguments hold what JSON has not (NaN).
    """
    before, after = old.by_id, new.by_id
    changes = {
        node: parts
        for node in sorted(before.keys() & after.keys())
        if (parts := _changed_parts(before[node], after[node]))
    }
    old_edges, new_edges = _edges(old), _edges(new)
    return Difference(
        tuple(sorted(after.keys() - before.keys())),
        tuple(sorted(before.keys() - after.keys())),
        changes,
        tuple(sorted(new_edges - old_edges)),
        tuple(sorted(old_edges - new_edges)),
    )


def _changed_parts(old: Node, new: Node) -> tuple[str, ...]:
    parts = []
    if old.name != new.name:
        parts.append("name")
    parts.extend(_changed_para(old.para, new.para))
    if _waits_for(old) != _waits_for(new) or old.has_dep_list != new.has_dep_list:
        parts.append("dep")
    if old.status != new.status:
        parts.append("status")
    if old.desc != new.desc:
        parts.append("desc")
    if not canonical.same(old.extra, new.extra):
        parts.append("extra")
    return tuple(parts)


def _changed_para(old: Para, new: Para) -> list[str]:
    if canonical.same(old, new):
        return []
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return ["para"]
    names = sorted(old.keys() | new.keys())
    return ["para", *(f"para.{name}" for name in names if not _same_argument(old, new, name))]


def _same_argument(old: dict[str, Any], new: dict[str, Any], name: str) -> bool:
    if (name in old) != (name in new):
        return False
    return canonical.same(old[name], new[name])


def _waits_for(node: Node) -> frozenset[str]:
    return frozenset(node.dep) - {ROOT}


def _edges(plan: Plan) -> set[Edge]:
    return {(dep, node.id) for node in plan.by_id.values() for dep in _waits_for(node)}
