"""An instance of the benchmark: a trajectory that has gone wrong, and the proven truth.

The fields are those of design.md, "An instance". On disk free JSON is canonical JSON text
(`to_row`); in memory it is plain JSON values.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from trajectory import canonical

# Columns that hold canonical JSON text.
JSON_FIELDS: Final = (
    "tools",
    "plan",
    "tool_results",
    "history",
    "errors",
    "repairs",
    "gold_plan",
    "goal",
    "faults",
    "environment",
    "curation",
)

_FREE: Final = frozenset(JSON_FIELDS)

# All that a model may ever see.
VISIBLE_FIELDS: Final = ("query", "tools", "plan", "tool_results", "history")


@dataclass(frozen=True)
class Instance:
    """One record of the dataset.

    id: unique over all levels and sources ("L2-aug-003411").
    level: 1 or 2. source: rollout or augmented. agent: who made a rollout, "" for augmented.
    edition: ours, or "release". query_id: the task; clusters and splits go by it.
    tools: the tool list as a model sees it. plan: the snapshot, ``{"tasks": [...]}``.
    tool_results: calls of the last round. history: rounds of calls before it.
    rounds_gt, calls_gt: rounds and calls of the gold plan. rounds_opt, calls_opt: what had run
        at the snapshot and what the proven repair needs. None: not known (release).
    error_types: names of `ErrorType`, 1 to 3 in our edition, 0 for a control.
    error_reason: one readable paragraph. errors: machine-readable truth, one object an error.
    repairs: all minimal repairs found, at most 8. gold_plan: None where there is none.
    goal: ``{"calls": [...], "state": digest}``. faults: scheduled failures.
    environment: what the tools run in. proof: full, structural or none.
    canary: marks the data in training corpora. curation: decision, reviewer and reason where
        somebody looked at it, else None.
    """

    id: str
    level: int
    source: str
    agent: str
    edition: str
    query_id: str
    query: str
    tools: Any
    plan: Any
    tool_results: Any
    history: Any
    rounds_gt: int | None
    calls_gt: int | None
    rounds_opt: int | None
    calls_opt: int | None
    error_types: tuple[str, ...]
    error_reason: str
    errors: Any
    repairs: Any
    gold_plan: Any
    goal: Any
    faults: Any
    environment: Any
    proof: str
    canary: str = ""
    curation: Any = None


FIELDS: Final = tuple(item.name for item in fields(Instance))


def to_record(instance: Instance) -> dict[str, Any]:
    """Return the instance as a plain JSON object, every field as a JSON value."""
    return {name: _listed(getattr(instance, name)) for name in FIELDS}


def from_record(record: Mapping[str, Any]) -> Instance:
    """Read a plain JSON object; raises KeyError on a missing field."""
    known = {name: record[name] for name in FIELDS}
    known["error_types"] = tuple(known["error_types"])
    return Instance(**known)


def to_row(instance: Instance) -> dict[str, Any]:
    """Return the instance as a row of the dataset: free JSON as canonical text."""
    record = to_record(instance)
    return {
        name: canonical.dumps(value) if name in JSON_FIELDS else value
        for name, value in record.items()
    }


def from_row(row: Mapping[str, Any]) -> Instance:
    """Read a row of the dataset; raises KeyError on a missing column, ValueError on bad JSON."""
    loads = canonical.loads
    return from_record({n: loads(row[n]) if n in _FREE else row[n] for n in FIELDS})


def digest(instance: Instance) -> str:
    """Return the SHA-256 of the canonical text of an instance: its identity."""
    return canonical.digest(to_record(instance))


def view(instance: Instance) -> dict[str, Any]:
    """Return all that a model may see of an instance; nothing else ever reaches a prompt."""
    return {name: getattr(instance, name) for name in VISIBLE_FIELDS}


def look(instance: Instance) -> str:
    """Return a digest of what a model may see of an instance: two that share it are the same."""
    return canonical.digest(view(instance))


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
