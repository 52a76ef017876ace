"""The interface of whoever answers: a scripted planner, and later a model."""

from collections.abc import Mapping
from typing import Any, Protocol


class Agent(Protocol):
    """Answers the rounds of one instance; a new one is made for each (id, sample)."""

    def answer(self, seen: Mapping[str, Any]) -> str | None:
        """Return an answer as text, or None to carry on with the plan as it stands.

        seen: what a model may see (`trajectory.instance.view`): query, tools, plan,
        tool_results, history, as they stand now.
        """
        ...
