"""Small instances for tests of the dataset on disk: their truth means nothing."""

from dataclasses import replace
from typing import Any

from trajectory.instance import Instance

PLAIN = Instance(
    id="L1-test-000001",
    level=1,
    source="augmented",
    agent="",
    edition="test",
    query_id="q-1",
    query="Book the „Ibis“ in Köln\u2028and tell me 旅费.",
    tools=[{"name": "book", "description": "Book.", "parameters": {"type": "object"}}],
    plan={"tasks": [{"id": "root", "name": None, "para": {}, "dep": [], "status": True}]},
    tool_results=[{"node": "1", "name": "book", "arguments": {"price": 0.1}, "results": None}],
    history=[],
    rounds_gt=2,
    calls_gt=1,
    rounds_opt=3,
    calls_opt=2,
    error_types=("Null_Error",),
    error_reason="Nothing came back.",
    errors=[{"type": "Null_Error", "big": 12345678901234567890, "small": 1e-9}],
    repairs=[[{"op": "retry", "node": "1", "errors": [0]}]],
    gold_plan=None,
    goal=None,
    faults=[],
    environment={"worlds": [], "versions": [], "seed": 1},
    proof="none",
)


def sample(number: int, **changes: Any) -> Instance:
    """Return an instance with this number in id and task."""
    return replace(PLAIN, id=f"L1-test-{number:06}", query_id=f"q-{number}", **changes)
