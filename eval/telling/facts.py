"""What is to be said of an instance: its errors, what they reach, and the edits that mend it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from environment import opening
from environment.ledger import Ledger
from trajectory import canonical
from trajectory.graph import topology
from trajectory.instance import Instance
from trajectory.plan import Plan
from trajectory.references import is_reference

LONGEST = 60


@dataclass(frozen=True)
class Facts:
    """The truth of an instance, ready to be put into words.

    errors, edits: as the instance has them, the edits those of its first repair. reached: the
    nodes affected later, else the delayed, root causes left out.
    """

    plan: Plan
    ledger: Ledger
    errors: Sequence[Mapping[str, Any]]
    edits: Sequence[Mapping[str, Any]]
    reached: tuple[str, ...]

    def tool(self, node: str) -> str:
        """Return the tool that a node calls, "" for the response."""
        found = self.plan.by_id.get(node)
        return (found.name or "") if found is not None else ""

    def deps(self, node: str) -> tuple[str, ...]:
        """Return the nodes that a node waits for, after reduction."""
        found = topology(self.plan)
        return found.reduced(node) if node in found.deps else ()

    def ran(self, node: str) -> bool:
        """Say whether a node has run."""
        return node in self.ledger

    def result(self, node: str) -> str:
        """Return what the last call of a node gave, its error where it has one; a few words."""
        last = self.ledger.last(node)
        if last is None:
            return ""
        value = last.result
        told = (
            value["error"]
            if isinstance(value, dict) and isinstance(value.get("error"), str)
            else None
        )
        text = canonical.dumps(value) if told is None else told
        return text if len(text) <= 2 * LONGEST else text[: 2 * LONGEST].rsplit(" ", 1)[0]

    def piece(self, node: str) -> tuple[str, str]:
        """Return how the last call of a node went, and its error or a plain value of its result."""
        last = self.ledger.last(node)
        if last is None or last.outcome == "empty":
            return "", ""
        if last.outcome == "failed":
            return "failed", self.result(node)
        found = _first_plain(last.result)
        return ("ok", found) if found else ("", "")

    def argument(self, node: str) -> tuple[str, Any] | None:
        """Return (name, value) of a plain argument of a node."""
        para = self.plan.by_id[node].para
        named = sorted(para.items()) if isinstance(para, dict) else []
        return next(((name, value) for name, value in named if is_plain(value)), None)


def _first_plain(value: Any) -> str:
    """Return the first text or number inside a result, as people write it."""
    if isinstance(value, dict):
        value = [value[name] for name in sorted(value)]
    if isinstance(value, list):
        return next((found for item in value if (found := _first_plain(item))), "")
    plain = isinstance(value, str | int | float) and not isinstance(value, bool)
    return shown(value) if plain and len(str(value)) > 1 else ""


def facts(instance: Instance) -> Facts:
    """Gather the facts of an instance."""
    start = opening.start(instance)
    roots = {error["root_cause"] for error in instance.errors}
    later = {node for error in instance.errors for node in error["affected_later"]} - roots
    late = {node for error in instance.errors for node in error["delayed"]} - roots
    repair = instance.repairs[0] if instance.repairs else []
    reached = tuple(sorted(later or late, key=in_order))
    return Facts(start.snapshot.plan, start.ledger, instance.errors, repair, reached)


def in_order(node: str) -> tuple[int, str]:
    """Return what nodes are sorted by: numbers first."""
    return (int(node), "") if node.isdecimal() else (1 << 30, node)


def is_plain(value: Any) -> bool:
    """Say whether a value is a text, a number or the like."""
    return not isinstance(value, dict | list)


def source(value: Any) -> tuple[str, str] | None:
    """Return (node, path) where a value is a reference."""
    if is_reference(value) and isinstance(value.get("$ref"), str):
        return value["$ref"], str(value.get("path") or "")
    return None


def shown(value: Any) -> str:
    """Return a value as people write it: texts in quotes, cut where it is long."""
    if isinstance(value, str) and len(value) <= LONGEST:
        return f'"{value}"'
    text = canonical.dumps(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…".replace('"', "")
