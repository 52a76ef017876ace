"""Asking models through litellm: many questions at once, and one loop that owns all retries.

Keys come from the environment only; none ever stands in a text of ours.
"""

import asyncio
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from models.budget import Budget
from models.providers import (
    address,
    bare,
    cost_of,
    errors,
    litellm,
    require_tools,
    taken,
    takes_schema,
)
from models.replies import Reply, read_reply
from models.trouble import (
    FilteredError,
    LateError,
    ModelTroubleError,
    OverflowedError,
    UnreachableError,
    kind_of,
    told,
    wait_told,
)
from trajectory.files import InputError

Messages = Sequence[Mapping[str, Any]]
Note = Callable[[Mapping[str, Any]], None]

_ATTEMPTS: Final = 6
_LONGEST_BACKOFF: Final = 60.0
# Seconds between the first questions: those that start in a bunch are replied to in a bunch, again
# and again, and each bunch waits for the processor while the provider has nothing to do.
_SPREAD: Final = 0.008
# Parameters that a provider may not take.
_OPTIONAL: Final = ("temperature", "top_p", "max_tokens", "seed")
# The loop below owns retries and deadlines; litellm's own come later than the attempt's.
_OURS: Final[Mapping[str, Any]] = {"max_retries": 0, "timeout": 3600.0, "drop_params": True}


@dataclass(frozen=True)
class Settings:
    """A model and how it is asked.

    name: as litellm knows it ("openai/gpt-4o"). base: the address of a server of one's own that
    speaks the OpenAI form, with or without a key. call_seconds: the deadline of one attempt;
    seconds: of a question with all its attempts and the waits between them; waiting for a place
    among the open questions is not the model's time. first_wait: seconds before the second attempt,
    doubled for each further one; a provider that says how long to wait is believed.
    """

    name: str
    base: str | None = None
    temperature: float | None = 0.0
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    call_seconds: float = 120.0
    seconds: float = 600.0
    first_wait: float = 1.0

    def parameters(self) -> dict[str, Any]:
        """Return what a manifest notes: no user or key that stands in the address."""
        noted = {**asdict(self), "base": self.base and bare(self.base)}
        return {name: value for name, value in noted.items() if value is not None}


class Client:
    """Asks one model, at most so many questions at once and so many a minute."""

    def __init__(
        self,
        settings: Settings,
        *,
        concurrency: int = 8,
        rpm: float | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.settings = settings
        self.budget = budget or Budget()
        self._open = asyncio.Semaphore(concurrency)
        self._gap = 60.0 / rpm if rpm else 0.0
        self._next = 0.0
        self._to_spread = concurrency
        self._jitter = random.Random(settings.seed)

    async def ask(
        self,
        messages: Messages,
        *,
        seconds: float | None = None,
        schema: Mapping[str, Any] | None = None,
        tools: Sequence[Mapping[str, Any]] = (),
        seed: int | None = None,
        note: Note | None = None,
    ) -> Reply:
        """Return the model's reply.

        seconds: what is left of a deadline that spans several questions. schema: of the JSON that
        the reply is to be, sent where the model takes one. tools: native tools. seed: instead of
        the settings'. note: told of every attempt that failed, as plain JSON without keys.

        Raises the errors of `models.trouble`, and InputError where no repeat would help: no key,
        an unknown model, a request that the provider doesn't take.
        """
        sent = sent_of(self.settings, schema, tools, seed)
        left = self.settings.seconds if seconds is None else min(seconds, self.settings.seconds)
        request = self._request(messages, sent, seed)
        for attempt in range(1, _ATTEMPTS + 1):
            async with self._open:
                await self._turn()
                self.budget.require()
                started = time.monotonic()
                try:
                    response = await self._within(request, left)
                except errors() as error:
                    problem = error
                else:
                    return self._read(response, sent, time.monotonic() - started)
            left -= time.monotonic() - started
            wait = self._judged(problem, attempt, left, note)
            left -= wait
            await asyncio.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _request(
        self, messages: Messages, sent: Mapping[str, Any], seed: int | None
    ) -> dict[str, Any]:
        """Return what litellm is given: it renames and leaves out by itself what `sent` tells."""
        return {
            **address(self.settings.name, self.settings.base),
            **dict(_given(self.settings, seed)),
            **{name: sent[name] for name in ("response_format", "tools") if name in sent},
            **_OURS,
            "messages": [dict(message) for message in messages],
        }

    async def _within(self, request: Mapping[str, Any], left: float) -> Any:
        async with asyncio.timeout(min(left, self.settings.call_seconds)):
            return await litellm().acompletion(**request)

    def _read(self, response: Any, sent: Mapping[str, Any], seconds: float) -> Reply:
        reply = read_reply(response, cost_of(response), sent, seconds)
        self.budget.add(reply.usage, reply.cost)
        return reply

    def _judged(self, error: Exception, attempt: int, left: float, note: Note | None) -> float:
        """Note a failed attempt; return the seconds to wait, or raise what follows from it."""
        late = isinstance(error, TimeoutError)
        kind = "again" if late else kind_of(error)
        said = f"no reply in {self.settings.call_seconds:g} seconds" if late else told(error)
        if note is not None:
            status = getattr(error, "status_code", None)
            note({"attempt": attempt, "status": status, "kind": kind, "error": said})
        if kind == "overflow":
            raise OverflowedError(said) from None
        if kind == "filter":
            raise FilteredError(said) from None
        if kind == "permanent":
            raise InputError(f"model {self.settings.name} can't be asked: {said}") from None
        wait = self._wait(error, attempt)
        if attempt == _ATTEMPTS or wait >= left:
            ended = f"{attempt} attempts failed, the last one with: {said}"
            raise (LateError if late else UnreachableError)(ended) from None
        return wait

    def _wait(self, error: Exception, attempt: int) -> float:
        """Return the seconds until the next attempt; all questions wait as long as asked to."""
        wait = wait_told(error)
        if wait is None:
            backoff = min(self.settings.first_wait * 2 ** (attempt - 1), _LONGEST_BACKOFF)
            return float(backoff * (0.5 + self._jitter.random()))
        self._next = max(self._next, time.monotonic() + wait)
        return wait

    async def _turn(self) -> None:
        """Wait for the turn that the limit of questions a minute and the provider give."""
        now = time.monotonic()
        turn = max(self._next, now)
        self._next = turn + (max(self._gap, _SPREAD) if self._to_spread > 0 else self._gap)
        self._to_spread -= 1
        if turn > now:
            await asyncio.sleep(turn - now)


@dataclass(frozen=True)
class Model:
    """A model that is asked one question at a time, from code that doesn't wait otherwise."""

    name: str
    base: str | None = None
    seconds: float = 120.0
    first_wait: float = 1.0

    def ask(self, messages: Messages) -> Reply:
        """Return the model's reply; raises InputError in one line where there is none."""
        settings = replace(Settings(self.name, self.base), seconds=self.seconds)
        settings = replace(settings, first_wait=self.first_wait)
        try:
            return asyncio.run(Client(settings).ask(messages))
        except ModelTroubleError as error:
            raise InputError(f"model {self.name} can't be asked: {error}") from None

    def answer(self, system: str, user: str) -> str:
        """Return the text of the reply to a question under some instructions; as `ask`."""
        given = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        return self.ask(given).text


def sent_of(
    settings: Settings,
    schema: Mapping[str, Any] | None = None,
    tools: Sequence[Mapping[str, Any]] = (),
    seed: int | None = None,
) -> dict[str, Any]:
    """Return the parameters as the provider gets them; what it doesn't take is not among them."""
    sent = dict(taken(settings.name, _given(settings, seed)))
    if schema is not None and takes_schema(settings.name):
        form = {"name": "answer", "schema": dict(schema), "strict": True}
        sent["response_format"] = {"type": "json_schema", "json_schema": form}
    if tools:
        require_tools(settings.name)
        sent["tools"] = [dict(tool) for tool in tools]
    return sent


def _given(settings: Settings, seed: int | None) -> tuple[tuple[str, Any], ...]:
    values = {name: getattr(settings, name) for name in _OPTIONAL}
    values["seed"] = settings.seed if seed is None else seed
    return tuple((name, value) for name, value in values.items() if value is not None)
