"""A plan drawn in layers: each node's call, what it waits for, and what came of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from build.showing.text import BRIEF, arguments_text, brief, call_text, natural, node_text, wrapped
from environment.ledger import Entry, Ledger
from trajectory import canonical
from trajectory.descriptions import describe
from trajectory.files import shortened
from trajectory.graph import topology
from trajectory.plan import RESPONSE, ROOT, Node, Plan

# What the response of every plan of ours says.
_ANSWER = "Answer the user."


@dataclass(frozen=True)
class Drawing:
    """A plan and what ran, to be drawn.

    notes: lines that stand under a node, by its id. limit: characters of a result or desc;
    None: the whole. judged: whether it is said which calls failed.
    """

    plan: Plan
    ledger: Ledger
    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    limit: int | None = BRIEF
    judged: bool = True

    def lines(self) -> Iterator[str]:
        """Yield the lines: layer by layer, then the response, then what stands apart."""
        for title, nodes in self._parts().items():
            if nodes:
                yield f"  {title}"
            for node in nodes:
                yield from self._node(node)
        yield from self._strays()

    def _parts(self) -> dict[str, list[Node]]:
        """Return the nodes under the title of their part."""
        depths = topology(self.plan).depths()
        deepest = max(1, *depths.values())
        parts: dict[str, list[Node]] = {
            **{f"layer {number}": [] for number in range(1, deepest + 1)},
            "answer": [],
            "never ready: on a circle, or waiting for what is not there": [],
        }
        *_, answer, never = parts
        for node in sorted(self.plan, key=lambda node: natural(node.id)):
            if node.id not in depths:
                parts[never].append(node)
            elif node.id == RESPONSE:
                parts[answer].append(node)
            elif node.id != ROOT or node.is_call:
                # A node without a call stands with those that it waits for.
                parts[f"layer {max(1, depths[node.id])}"].append(node)
        return parts

    def _node(self, node: Node) -> Iterator[str]:
        yield from wrapped(_call(node), "    ", "        ")
        if self._says_more(node):
            desc = node.desc if self.limit is None else shortened(node.desc, self.limit)
            yield from self._under(f"says: {desc}")
        attempts = self.ledger.attempts(node.id)
        for entry in attempts:
            yield from self._attempt(node, entry)
        if not attempts and (node.is_call or node.status):
            yield from self._under("marked as executed" if node.status else "pending")
        for note in self.notes.get(node.id, ()):
            yield from self._under(f"▲ {note}")

    def _says_more(self, node: Node) -> bool:
        """Say whether a desc says anything besides the call and its result."""
        known = {"", describe(), _ANSWER}
        last = self.ledger.last(node.id)
        if last is not None:
            known.add(describe(last.result))
        return node.desc not in known

    def _under(self, text: str) -> Iterator[str]:
        yield from wrapped(text, " " * 8)

    def _attempt(self, node: Node | None, entry: Entry) -> Iterator[str]:
        start = f"        round {entry.round}  "
        sent = _sent(node, entry)
        if sent:
            yield from wrapped(sent, start)
            start = " " * len(start)
        yield from wrapped(self._result(node, entry), start)

    def _result(self, node: Node | None, entry: Entry) -> str:
        mark = "=" if entry.outcome == "ok" or not self.judged else entry.outcome.upper()
        told = node is not None and self._says_more(node) and _is_in(entry.result, node.desc)
        return f"{mark} {'as it says' if told else brief(entry.result, self.limit)}"

    def _strays(self) -> Iterator[str]:
        """Yield what ran and has no node, or none any more."""
        gone = [entry for entry in self.ledger if entry.node not in self.plan.by_id]
        if gone:
            yield "  ran, and no node of the plan made it"
        for entry in gone:
            yield from wrapped(
                f"{entry.node}: {call_text(entry.tool, entry.arguments)}", "    ", "        "
            )
            yield from self._attempt(None, entry)


def _call(node: Node) -> str:
    """Return a node as the plan has it: the very shape of its arguments may be the error."""
    dep = node.dep if node.has_dep_list else [f"{canonical.dumps(node.raw['dep'])} (no list)"]
    start = node_text(node.id, dep)
    if node.name is not None:
        return f"{start}: {call_text(node.name, node.raw.get('para', node.para))}"
    return start if node.id == RESPONSE else f"{start} (no call)"


def _is_in(result: Any, desc: str) -> bool:
    return isinstance(result, str) and bool(result) and result in desc


def _sent(node: Node | None, entry: Entry) -> str:
    """Return what was sent where the plan does not have it as it stands: values of references."""
    if node is None:
        return ""
    para: Any = node.para
    named = isinstance(para, dict) and isinstance(entry.arguments, dict)
    if entry.tool != node.name or not named or para.keys() != entry.arguments.keys():
        same = entry.tool == node.name and canonical.same(para, entry.arguments)
        return "" if same else f"as {call_text(entry.tool, entry.arguments)}"
    other = {n: v for n, v in entry.arguments.items() if not canonical.same(v, para[n])}
    return f"with {arguments_text(other)}" if other else ""
