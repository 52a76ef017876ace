"""The chat style: a model is shown tool-calling messages, and its calls are read as a plan."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from eval.agents import Seen
from models import chat
from models.prompting import Prompt, read_prompt
from models.replies import Reply


@dataclass(frozen=True)
class ChatStyle:
    """Shows a snapshot as a conversation with native calls."""

    prompt: Prompt = field(default_factory=lambda: read_prompt("chat", ("query",)))

    @property
    def digest(self) -> str:
        """The prompt's."""
        return self.prompt.digest

    def messages(self, seen: Seen) -> Sequence[Mapping[str, Any]]:
        """Return the conversation."""
        query = self.prompt.filled({"query": seen["query"]})
        return chat.messages(seen, self.prompt.system, query)

    def tools(self, seen: Seen) -> Sequence[Mapping[str, Any]]:
        """Return the tool list in OpenAI's form."""
        return chat.tools(seen)

    def text(self, seen: Seen, reply: Reply) -> str:
        """Return the reply's calls as a plan."""
        return chat.answer(seen, reply)
