"""The interface of whoever answers: a scripted planner, or a model."""

from collections.abc import Mapping
from typing import Any, Protocol

Seen = Mapping[str, Any]


class NoAnswerError(Exception):
    """An agent gave no answer that counts: it refused, was cut off, or came too late.

    text: what it said all the same. reason: one line.
    """

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(reason)
        self.text, self.reason = text, reason


class Agent(Protocol):
    """Answers the rounds of one instance; what it keeps decides nothing, so runs can be resumed."""

    def answer(self, seen: Seen, later: int) -> str | None:
        """Return an answer as text, or None to carry on with the plan as it stands.

        seen: what a model may see (`trajectory.instance.view`): query, tools, plan,
        tool_results, history, as they stand now. later: rounds run since the instance's own
        snapshot; 0 for the first answer, which is the one that counts as raw_output. Raises
        NoAnswerError where there is none: the first is then model_invalid, a later one carries on.
        """
        ...
