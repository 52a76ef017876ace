"""What marks the nodes of a drawn plan: what ran, what is wrong, what an answer changed."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from environment.ledger import Ledger
from eval.checks.changes import ADDED, AGAIN, ANEW, Change
from trajectory.instance import Instance
from trajectory.plan import RESPONSE, Plan

ROOT_CAUSE: Final = "root cause"
AFFECTED: Final = "affected"
DELAYED: Final = "delayed"
PENDING: Final = "pending"
RAN: Final = "ran"
CHANGED: Final = "changed"
NEW: Final = "new"
# What an attempt's outcome is called on a node.
OUTCOMES: Final[Mapping[str, str]] = {"ok": RAN, "failed": "failed", "empty": "empty"}

Marks = dict[str, list[str]]


def before(instance: Instance, plan: Plan, ledger: Ledger) -> Marks:
    """Return the marks of each node of the plan as it was shown."""
    errors = instance.errors or ()
    reached = _named(errors, "affected_now") | _named(errors, "affected_later")
    roots = {error.get("root_cause") for error in errors}
    late = _named(errors, "delayed")
    return {
        node.id: [
            _outcome(node.id, ledger),
            *([ROOT_CAUSE] if node.id in roots else []),
            *([AFFECTED] if node.id in reached - roots else []),
            *([DELAYED] if node.id in late - reached - roots else []),
        ]
        for node in plan
    }


def after(change: Change, ledger: Ledger, *, answered: bool = False) -> Marks:
    """Return the marks of each node of an answer's plan.

    ledger: as it stood at the end. answered: whether the response was given.
    """
    changed = _changed(change)
    return {
        node.id: [
            RAN if answered and node.id == RESPONSE else _outcome(node.id, ledger),
            *([NEW] if node.id not in change.old.by_id else []),
            *([CHANGED] if node.id in changed else []),
        ]
        for node in change.new
    }


def told(change: Change) -> list[list[str]]:
    """Return what an answer changes, as (node, what) in the words of `eval.checks.changes`."""
    return [[node, what] for (node, what), many in sorted(change.places.items()) if many > 0]


def _changed(change: Change) -> set[str]:
    nodes = {node for node, what in change.places if node and what.split(" ")[0] != ADDED}
    again = {node for node, what in change.places if what in (AGAIN, ANEW)}
    stood_in = {*change.stands_in.values()}
    heirs = {new for new, old in change.stands_in.items() if old in nodes}
    return (nodes - (again & stood_in)) & change.old.by_id.keys() | heirs


def _outcome(node: str, ledger: Ledger) -> str:
    last = ledger.last(node)
    return PENDING if last is None else OUTCOMES[last.outcome]


def _named(errors: Sequence[Mapping[str, Any]], field: str) -> set[str]:
    return {node for error in errors for node in _nodes(error, field)}


def _nodes(error: Mapping[str, Any], field: str) -> Iterable[str]:
    return error.get(field) or ()
