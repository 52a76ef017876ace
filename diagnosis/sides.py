"""One of two plans that are matched: its calls, what they take, and what of it has run.

Nothing here depends on node ids or on the order in which nodes are listed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

from environment.ledger import Ledger
from trajectory import canonical
from trajectory.graph import Topology, topology
from trajectory.plan import RESPONSE, ROOT, Node, Plan
from trajectory.references import KEY, follow, is_reference, read_reference, references

# So far around a node is looked to tell it from another that is the same call.
_NEIGHBOURHOOD: Final = 3
_NEVER: Final = float("inf")


class Link(NamedTuple):
    """A node that takes from a call, and the argument it takes it for; "": it only waits."""

    node: str
    where: str


@dataclass(frozen=True)
class Side:
    """A plan, and what of it has run."""

    plan: Plan
    ledger: Ledger

    @cached_property
    def found(self) -> Topology:
        """The topology of the plan."""
        return topology(self.plan)

    @cached_property
    def calls(self) -> Mapping[str, Node]:
        """The calls by id; root and the response are themselves in every plan."""
        nodes = self.plan.by_id
        return {id: nodes[id] for id in nodes if nodes[id].is_call and id not in (ROOT, RESPONSE)}

    def waits(self, node: str) -> Sequence[str]:
        """Return what a node waits for, after reduction.

        Where that is the same call, which has failed, it is what that one has waited for.
        """
        found: set[str] = set()
        for dep in self.found.reduced(node):
            again = self.has_failed(dep) and self.texts.get(dep, "") == self.texts.get(node)
            found |= {*self.waits(dep)} if again else {dep}
        return sorted(found)

    def is_taken(self, node: str) -> bool:
        """Say whether any node takes from the result of a call."""
        return any(link.where for link in self.links[node])

    @cached_property
    def links(self) -> Mapping[str, Sequence[Link]]:
        """Node → who takes from it and who waits for it."""
        links: dict[str, list[Link]] = {id: [] for id in self.plan.by_id}
        for node in self.plan.by_id.values():
            taken = [(one.node or "", one.where) for one in references(node.para)]
            waits = {*self.waits(node.id)} - {producer for producer, _ in taken}
            for producer, where in (*taken, *((dep, "") for dep in sorted(waits))):
                links.setdefault(producer, []).append(Link(node.id, where))
        return links

    # --- what has run -------------------------------------------------------------------------

    def has_failed(self, node: str) -> bool:
        """Say whether the last attempt of a node failed or gave nothing."""
        last = self.ledger.last(node)
        return last is not None and last.outcome != "ok"

    @cached_property
    def results(self) -> Mapping[str, Any]:
        """Call whose last attempt has succeeded → its result."""
        last = {entry.node: entry for entry in self.ledger}
        return {node: entry.result for node, entry in last.items() if entry.outcome == "ok"}

    @cached_property
    def values(self) -> Mapping[str, Any]:
        """Call → its arguments, each reference replaced by what it gives where that is known."""
        return {id: self._resolved(node.para) for id, node in self.calls.items()}

    def _resolved(self, value: Any) -> Any:
        if is_reference(value):
            found = read_reference(value, "")
            try:
                return follow(self.results[found.node or ""], found.path)
            except LookupError:
                return value
        if isinstance(value, dict):
            return {name: self._resolved(item) for name, item in value.items()}
        return [self._resolved(item) for item in value] if isinstance(value, list) else value

    # --- which calls are the same, and which comes first --------------------------------------

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """Call → a text of its tool and arguments, with those of what it takes in their place."""
        texts: dict[str, str] = {}
        for node in (self.calls[id] for id in self.found.order if id in self.calls):
            texts[node.id] = canonical.digest([node.name, with_names(node.para, texts)])
        return texts

    @cached_property
    def order(self) -> Sequence[str]:
        """The calls in the order in which they ran or can run, of equals the most taken from."""
        depths = self.found.depths()
        places = {id: self._place(id, depths.get(id, _NEVER)) for id in self.calls}
        # The neighbours are asked only where calls are equal in all else: most orders need none.
        looks = {} if len({*places.values()}) == len(places) else self._looks
        return sorted(places, key=lambda id: (places[id], looks.get(id), id))

    def _place(self, id: str, depth: float) -> tuple[float, float, int, int, str]:
        begun = min((entry.round for entry in self.ledger.attempts(id)), default=_NEVER)
        takers = [bool(link.where) for link in self.links[id]]
        return begun, depth, -sum(takers), -len(takers), self.texts.get(id, "")

    @cached_property
    def _looks(self) -> Mapping[str, str]:
        """Node → a text of what it is, what it waits for, who takes from it, and so on from these.

        Two nodes of one text are so much the same that it does not matter which is which.
        """
        looks = {id: canonical.digest(self._look(node)) for id, node in self.plan.by_id.items()}
        for _ in range(_NEIGHBOURHOOD):
            looks = {id: canonical.digest(self._around(id, looks)) for id in looks}
        return looks

    def _look(self, node: Node) -> Any:
        ran = [[entry.round, entry.result] for entry in self.ledger.attempts(node.id)]
        return [node.id == RESPONSE, node.name, with_names(node.para, {}), ran]

    def _around(self, id: str, looks: Mapping[str, str]) -> Any:
        waits = sorted(looks.get(dep, "") for dep in self.waits(id))
        links = sorted([looks[link.node], link.where] for link in self.links[id])
        return [looks[id], with_names(self.plan.by_id[id].para, looks), waits, links]


def with_names(value: Any, names: Mapping[str, str]) -> Any:
    """Return arguments with a name in place of each node that is referred to; "": it has none."""
    if is_reference(value):
        return {**value, KEY: names.get(read_reference(value, "").node or "", "")}
    if isinstance(value, dict):
        return {name: with_names(item, names) for name, item in value.items()}
    return [with_names(item, names) for item in value] if isinstance(value, list) else value
