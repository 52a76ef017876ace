"""What an answer changes of the plan that it was shown, as places.

They are normalised, so that the same mending by other means is the same (metrics.md, "Process
checks": E1c).

A place is (node, what): the tool or an argument of a call, an edge, a further attempt, a node
added, removed, dropped or renamed. A new node that stands in for an old one counts as that one:
its consumers move with it, and reruns of what hangs on a changed node are derived, no change of
their own.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from environment.ledger import Ledger
from trajectory import canonical
from trajectory.graph import Topology, topology
from trajectory.plan import ROOT, Node, Plan
from trajectory.references import KEY, is_reference

Place = tuple[str, str]
Places = Counter[Place]

CALL, AGAIN, ANEW, ADDED, REMOVED, DROPPED, RESET = (
    *("call", "again", "anew", "added", "removed", "dropped", "reset"),
)
# So much of the arguments of a call that failed a further attempt shares.
_ALIKE = 0.5

STRUCTURAL = frozenset((AGAIN, ANEW, ADDED, REMOVED, DROPPED))


def is_structural(place: Place) -> bool:
    """Say whether a place is a step or an edge, rather than what a call says."""
    what = place[1].partition(" ")[0]
    return what in STRUCTURAL or what.startswith("edge")


@dataclass(frozen=True)
class Change:
    """Two plans and what had run between; `old` is the shown one."""

    old: Plan
    new: Plan
    ledger: Ledger

    @cached_property
    def added(self) -> tuple[Node, ...]:
        """The new calls, those first that others wait for."""
        order = {id: place for place, id in enumerate(topology(self.new).order)}
        new = [node for node in self.new.by_id.values() if node.id not in self.old.by_id]
        calls = [node for node in new if node.is_call]
        return tuple(sorted(calls, key=lambda node: (order.get(node.id, len(order)), node.id)))

    @cached_property
    def stands_in(self) -> Mapping[str, str]:
        """New node → the old node that it stands in for; a new purpose has no entry."""
        found: dict[str, str] = {}
        taken: set[str] = set()
        for node in self.added:
            again = self._attempt_after(node, found)
            old = again or self._replaced(node, taken)
            if old is not None:
                found[node.id] = old
                taken.add(old)
        return found

    def _attempt_after(self, node: Node, found: Mapping[str, str]) -> str | None:
        """Return the old node of the attempt that a new node waits for and repeats."""
        for dep in node.dep:
            other = self.new.by_id.get(dep)
            known = other is not None and dep in found and other.name == node.name
            if known and other is not None and _same(other.para, node.para):
                return found[dep]
        return None

    def _replaced(self, node: Node, taken: Iterable[str]) -> str | None:
        done = {*taken}
        olds = [one for one in self.old.by_id.values() if one.is_call and one.id not in done]
        scored = [(self._likeness(node, one), one.id) for one in olds]
        best = max(((score, id) for score, id in scored if score > 0), default=None)
        return None if best is None else min(id for score, id in scored if score == best[0])

    def _likeness(self, node: Node, old: Node) -> float:
        """Say how well a new node can stand in for an old one; 0: not at all."""
        moved = self._moved(old.id, node.id)
        gone = old.id not in self.new.by_id
        last = self.ledger.last(old.id)
        awaited = moved or self._was_awaited(old.id) or old.id in node.dep
        failed = last is not None and last.outcome != "ok" and awaited
        shared = _shared(node.para, old.para)
        left = moved and not self._still_awaited(old.id)
        if node.name == old.name and (gone or left or (failed and (moved or shared >= _ALIKE))):
            return 2 + moved + gone + 2 * shared
        after = old.id in topology(self.new).ancestors(node.id)
        return moved + gone if left and not after else 0

    def _moved(self, old: str, new: str) -> int:
        """Count who waited for the old node and, itself or in a copy, waits for the new one."""
        taken = [one for one in self.new if new in one.dep and old not in one.dep]
        count = 0
        for node in self.old.by_id.values():
            if old in node.dep:
                count += any(
                    one.id == node.id or (one.id not in self.old.by_id and one.name == node.name)
                    for one in taken
                )
        return count

    def _was_awaited(self, old: str) -> bool:
        """Say whether anybody who had not run yet, or not well, waited for a node."""
        waiting = (node.id for node in self.old if old in node.dep)
        lasts = (self.ledger.last(id) for id in waiting)
        return any(last is None or last.outcome != "ok" for last in lasts)

    def _still_awaited(self, old: str) -> bool:
        """Say whether anybody who is yet to run waits for a node."""
        return any(
            old in node.dep and not (node.status and node.id in self.ledger) for node in self.new
        )

    def purpose(self, id: str) -> str:
        """Return the old node that a node is or stands in for; a new purpose is its own."""
        return self.stands_in.get(id, id)

    @cached_property
    def topologies(self) -> tuple[Topology, Topology]:
        """Who waits for whom, before and after."""
        return topology(self.old), topology(self.new)

    @cached_property
    def places(self) -> Places:
        """Every place that differs, as often as it does."""
        own, reruns = self._own(), self._reruns()
        edited = {node for node, what in (*own, *reruns) if node and what != RESET}
        found = Counter(own)
        for node, what in reruns:
            if not edited & self.topologies[0].ancestors(node):
                found[node, what] += 1
        return found

    def _own(self) -> list[Place]:
        found: list[Place] = []
        heirs = {*self.stands_in.values()}
        for node in self.old.by_id.values():
            now = self.new.by_id.get(node.id)
            if now is not None:
                found += self._kept(node, now)
            elif node.is_call:
                gone = DROPPED if node.id in self.ledger else REMOVED
                found += [(node.id, gone)] if gone == DROPPED or node.id not in heirs else []
        for node in self.added:
            found += self._of_added(node)
        return found

    def _kept(self, node: Node, now: Node) -> list[Place]:
        if node.id == ROOT:
            return []
        return [*self._calls(node, now), *self._edges(node.id, now)]

    def _of_added(self, node: Node) -> list[Place]:
        old = self.stands_in.get(node.id)
        if old is None:
            return [("", f"{ADDED} {node.name}")]
        kept = self.old.by_id[old]
        found = [*self._calls(kept, node), *self._edges(old, node)]
        return [*found, (old, ANEW)] if old not in self.ledger else found

    def _calls(self, old: Node, new: Node) -> list[Place]:
        if not old.is_call and not new.is_call:
            return []
        if old.name != new.name:
            return [(old.id, CALL)]
        before, now = old.para, self._normal(new.para)
        if _same(before, now):
            return []
        if not (isinstance(before, dict) and isinstance(now, dict)):
            return [(old.id, "para")]
        names = sorted(before.keys() | now.keys())
        return [(old.id, f"para {name}") for name in names if not _same_at(before, now, name)]

    def _normal(self, value: Any) -> Any:
        """Return arguments with references to stand-ins as those to the old nodes."""
        if is_reference(value):
            return {**value, KEY: self.purpose(value[KEY])} if _is_text(value[KEY]) else value
        if isinstance(value, dict):
            return {name: self._normal(item) for name, item in value.items()}
        if isinstance(value, list):
            return [self._normal(item) for item in value]
        return value

    def _edges(self, old: str, new: Node) -> list[Place]:
        """Return the edges of a node that are more or fewer, after reduction.

        Edges to or from what is new or gone are part of that.
        """
        before, after = self.topologies
        was = before.ancestors(old)
        deps = after.deps.get(new.id)
        if deps is None:
            return [(old, "edge ?")]
        now = {self.purpose(dep) for dep in after.reduced(new.id)}
        above = {self.purpose(dep) for dep in after.ancestors(new.id)}
        more = {dep for dep in now if dep != old and dep in self.old.by_id} - was
        less = {
            dep
            for dep in before.reduced(old)
            if dep not in above and {dep, *self._heirs(dep)} & self.new.by_id.keys()
        }
        return [
            *((old, f"edge+ {dep}") for dep in sorted(more)),
            *((old, f"edge- {dep}") for dep in sorted(less)),
        ]

    def _heirs(self, old: str) -> list[str]:
        return [new for new, one in self.stands_in.items() if one == old]

    def _reruns(self) -> list[Place]:
        """Return what runs again as it was: stand-ins without a difference, and resets."""
        found: list[Place] = []
        for node in self.added:
            old = self.stands_in.get(node.id)
            if old is not None and old in self.ledger:
                same = not self._calls(self.old.by_id[old], node)
                found += [(old, AGAIN)] if same else []
        for node in self.old.by_id.values():
            now = self.new.by_id.get(node.id)
            if now is None or not node.is_call or not node.status or now.status:
                continue
            if not self._calls(node, now) and _waits_for(node) == _waits_for(now):
                last = self.ledger.last(node.id)
                ok = last is not None and last.outcome == "ok"
                found.append((node.id, RESET if ok else AGAIN))
        return found

    def is_kept(self, id: str) -> bool:
        """Say whether a node stands in both plans with the same call."""
        old, new = self.old.by_id.get(id), self.new.by_id.get(id)
        return old is not None and new is not None and not self._calls(old, new)

    def runs_anew(self, id: str) -> bool:
        """Say whether the answer lets an old node, or its stand-in, run again or otherwise."""
        return id in self._anew

    @cached_property
    def _anew(self) -> frozenset[str]:
        places = (*self._own(), *self._reruns())
        changed = {node for node, what in places if what != RESET and node in self.new.by_id}
        return frozenset(changed | {*self.stands_in.values()})


def _same(left: Any, right: Any) -> bool:
    try:
        return canonical.same(left, right)
    except (TypeError, ValueError):
        return False


def _same_at(left: Mapping[str, Any], right: Mapping[str, Any], name: str) -> bool:
    return name in left and name in right and _same(left[name], right[name])


def _shared(left: Any, right: Any) -> float:
    """Return the share of arguments that two calls have in common."""
    if not (isinstance(left, dict) and isinstance(right, dict)):
        return float(_same(left, right))
    names = left.keys() | right.keys()
    return sum(_same_at(left, right, name) for name in names) / len(names) if names else 1.0


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _waits_for(node: Node) -> frozenset[str]:
    return frozenset(node.dep) - {ROOT}
