"""The interface of whoever answers: a scripted planner, and later a model."""

from collections.abc import Mapping
from typing import Any, Protocol

Seen = Mapping[str, Any]


class Agent(Protocol):
    """Answers the rounds of one instance; it keeps no state, so that a run can be taken up."""

    def answer(self, seen: Seen, later: int) -> str | None:
        """Return an answer as text, or None to carry on with the plan as it stands.

        seen: what a model may see (`trajectory.instance.view`): query, tools, plan,
        tool_results, history, as they stand now. later: rounds run since the instance's own
        snapshot; 0 for the first answer, which is the one that counts as raw_output.
        """
        ...
