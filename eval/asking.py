"""A model as the agent of one instance: it is shown each snapshot and answers with a plan."""

import asyncio
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any, Final, Protocol, Self, TypeVar

from eval.agents import NoAnswerError, Seen
from eval.spending import Spent
from models.client import Client, Note
from models.prompting import Prompt, replan_messages
from models.replies import STOP, Reply
from models.trouble import FilteredError, LateError, OverflowedError

T = TypeVar("T")

# Trouble with one question that is the model's own failure, by the word that a row has for it.
_OWN: Final = {LateError: "late", OverflowedError: "overflow", FilteredError: "filter"}


class Asker:
    """A thread in which questions of many instances wait for their replies."""

    def __init__(self) -> None:
        self._thread = Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._ready = Event()

    async def _serve(self) -> None:
        # What a library leaves running in the loop is ended with it.
        self._loop, self._closing = asyncio.get_running_loop(), asyncio.Event()
        self._ready.set()
        await self._closing.wait()

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join()

    def wait(self, question: Coroutine[Any, Any, T]) -> T:
        """Return what a question comes to; called from other threads."""
        return asyncio.run_coroutine_threadsafe(question, self._loop).result()


class Style(Protocol):
    """How a snapshot becomes messages, and a reply the text of an answer."""

    @property
    def digest(self) -> str:
        """Return what identifies its wording."""
        ...

    def messages(self, seen: Seen) -> Sequence[Mapping[str, Any]]:
        """Return the messages that show a snapshot."""
        ...

    def tools(self, seen: Seen) -> Sequence[Mapping[str, Any]]:
        """Return native tools to send along; none where the prompt lists them."""
        ...

    def text(self, seen: Seen, reply: Reply) -> str:
        """Return the answer in the form that results hold."""
        ...


@dataclass(frozen=True)
class PlanStyle:
    """The model writes the plan as JSON; examples: pairs of what was asked and answered."""

    prompt: Prompt
    examples: Sequence[Sequence[str]] = ()

    @property
    def digest(self) -> str:
        """The prompt's."""
        return self.prompt.digest

    def messages(self, seen: Seen) -> Sequence[Mapping[str, Any]]:
        """Return the prompt filled with the snapshot."""
        return replan_messages(self.prompt, seen, self.examples)

    def tools(self, seen: Seen) -> Sequence[Mapping[str, Any]]:
        """Return none: the prompt lists them."""
        return ()

    def text(self, seen: Seen, reply: Reply) -> str:
        """Return the text as the model wrote it."""
        return reply.text


@dataclass
class ModelAgent:
    """Asks a model about the snapshots of one instance.

    seconds: that the model may take for all questions of the instance together; waiting for a
    turn is not its time. seed: of its sample.
    note: told of failed attempts. spent: what the last reply used and cost, None where nobody
    tells.
    """

    asker: Asker
    client: Client
    style: Style
    seconds: float
    seed: int | None = None
    note: Note | None = None
    spent: Spent = None
    taken: float = 0.0

    def answer(self, seen: Seen, later: int) -> str:
        """Return the model's answer to a snapshot.

        Raises NoAnswerError where there is none that counts; what a repeat can mend and what stops
        a run are raised as the client raises them.
        """
        self.spent = None
        left = self.seconds - self.taken
        if left <= 0:
            raise NoAnswerError("", "late: the instance's deadline passed")
        try:
            reply = self.asker.wait(
                self.client.ask(
                    self.style.messages(seen),
                    seconds=left,
                    tools=self.style.tools(seen),
                    seed=self.seed,
                    note=self.note,
                )
            )
        except tuple(_OWN) as error:
            self.taken += left if isinstance(error, LateError) else 0.0
            raise NoAnswerError("", f"{_OWN[type(error)]}: {error}") from None
        self.taken += reply.seconds
        self.spent = spent_on(reply)
        if reply.finish != STOP:
            raise NoAnswerError(reply.text, f"{reply.finish}: the reply ended so")
        return self.style.text(seen, reply)


def spent_on(reply: Reply) -> Spent:
    """Return what a reply used and cost; None where nobody told."""
    return None if reply.usage is None else (*reply.usage, reply.cost)


def usage_of(spent: Iterable[Spent]) -> dict[str, int] | None:
    """Return the tokens of all questions of a row; None where one of them is not known."""
    known = list(spent)
    if not known or any(one is None for one in known):
        return None
    return {
        "prompt": sum(one[0] for one in known if one),
        "completion": sum(one[1] for one in known if one),
    }


def cost_of(spent: Iterable[Spent]) -> float | None:
    """Return the dollars of all questions of a row; None where one of them is not known."""
    costs = [None if one is None else one[2] for one in spent]
    if not costs or any(cost is None for cost in costs):
        return None
    return round(sum(cost for cost in costs if cost is not None), 9)
