"""Asking models through litellm: many questions at once, and one loop that owns all retries.

Keys come from the environment only, under the names that litellm knows; none ever stands in a text
of ours. litellm takes seconds to import, so that happens with the first question.
"""

import asyncio
import logging
import os
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any, Final

from models.budget import Budget
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
# Parameters that a provider may not know; what is left out is not said to have been sent.
_OPTIONAL: Final = ("temperature", "top_p", "max_tokens", "seed")


@dataclass(frozen=True)
class Settings:
    """A model and how it is asked.

    name: as litellm knows it ("openai/gpt-4o"). base: the address of a server of one's own that
    speaks the OpenAI form. call_seconds: the deadline of one attempt; seconds: of a question with
    all its attempts. first_wait: seconds before the second attempt, doubled for each further one.
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
        """Return what a manifest notes."""
        return {name: value for name, value in asdict(self).items() if value is not None}


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
        _require_key(self.settings)
        sent = sent_of(self.settings, schema, tools, seed)
        limit = self.settings.seconds if seconds is None else min(seconds, self.settings.seconds)
        try:
            async with asyncio.timeout(limit):
                return await self._asked(messages, sent, note)
        except TimeoutError:
            raise LateError(f"no reply in {limit:g} seconds") from None

    async def _asked(self, messages: Messages, sent: Mapping[str, Any], note: Note | None) -> Reply:
        """Try until there is a reply; a wait holds no place among the open questions."""
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                async with self._open:
                    await self._turn()
                    self.budget.require()
                    return await self._once(messages, sent)
            except _errors() as error:
                wait = self._judged(error, attempt, note)
            await asyncio.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    async def _once(self, messages: Messages, sent: Mapping[str, Any]) -> Reply:
        started = time.monotonic()
        parameters = _parameters(self.settings, sent)
        listed = [dict(message) for message in messages]
        async with asyncio.timeout(self.settings.call_seconds):
            response = await litellm().acompletion(messages=listed, **parameters)
        reply = read_reply(response, _cost(response), sent, time.monotonic() - started)
        self.budget.add(reply.usage, reply.cost)
        return reply

    def _judged(self, error: Exception, attempt: int, note: Note | None) -> float:
        """Note a failed attempt; return the seconds to wait, or raise what follows from it."""
        kind = "again" if isinstance(error, TimeoutError) else kind_of(error)
        said = told(error) if str(error) else f"no reply in {self.settings.call_seconds:g} seconds"
        if note is not None:
            status = getattr(error, "status_code", None)
            note({"attempt": attempt, "status": status, "kind": kind, "error": said})
        if kind == "overflow":
            raise OverflowedError(said) from None
        if kind == "filter":
            raise FilteredError(said) from None
        if kind == "permanent":
            raise InputError(f"model {self.settings.name} can't be asked: {said}") from None
        if attempt == _ATTEMPTS:
            raise UnreachableError(
                f"{attempt} attempts failed, the last one with: {said}"
            ) from None
        backoff = min(self.settings.first_wait * 2 ** (attempt - 1), _LONGEST_BACKOFF)
        wait = wait_told(error)
        return backoff * (0.5 + self._jitter.random()) if wait is None else wait

    async def _turn(self) -> None:
        """Wait for the turn that the limit of questions a minute gives."""
        if self._gap:
            now = time.monotonic()
            turn = max(self._next, now)
            self._next = turn + self._gap
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


# --- litellm -----------------------------------------------------------------------------------


@cache
def litellm() -> Any:
    """Return litellm, told not to look for prices or settings outside, nor to print banners."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
    import litellm as module

    module.suppress_debug_info = True
    module.telemetry = False
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
    return module


@cache
def _errors() -> tuple[type[Exception], ...]:
    """Return the classes that the errors of a question are of."""
    from openai import OpenAIError

    return (TimeoutError, OpenAIError, ValueError)


@cache
def _require_key(settings: Settings) -> None:
    """A missing key looks like a failure of the provider, and would be tried again."""
    missing = litellm().validate_environment(model=settings.name)["missing_keys"]
    if missing:
        keys = ", ".join(sorted(missing))
        raise InputError(f"no key for model {settings.name}", do=f"set {keys} in the environment")


def sent_of(
    settings: Settings,
    schema: Mapping[str, Any] | None = None,
    tools: Sequence[Mapping[str, Any]] = (),
    seed: int | None = None,
) -> dict[str, Any]:
    """Return the parameters that go to the provider: those that it knows."""
    known = _supported(settings.name)
    values = {name: getattr(settings, name) for name in _OPTIONAL}
    values["seed"] = settings.seed if seed is None else seed
    sent = {
        name: value
        for name, value in values.items()
        if value is not None and (known is None or name in known)
    }
    if schema is not None and _takes_schema(settings.name):
        form = {"name": "answer", "schema": dict(schema), "strict": True}
        sent["response_format"] = {"type": "json_schema", "json_schema": form}
    if tools:
        sent["tools"] = [dict(tool) for tool in tools]
    return sent


@cache
def _supported(name: str) -> frozenset[str] | None:
    """Return the parameters that a model's provider knows; None where litellm doesn't tell."""
    found = litellm().get_supported_openai_params(model=name)
    return None if found is None else frozenset(found)


@cache
def _takes_schema(name: str) -> bool:
    return bool(litellm().supports_response_schema(model=name))


def _parameters(settings: Settings, sent: Mapping[str, Any]) -> dict[str, Any]:
    base = {} if settings.base is None else {"api_base": settings.base}
    # The loop above owns retries and deadlines; litellm's own come later than the attempt's.
    return {"model": settings.name, **base, **sent, "max_retries": 0, "timeout": 3600.0}


def _cost(response: Any) -> float | None:
    """Return the cost in US dollars; None for a model whose price litellm doesn't know."""
    try:
        cost = litellm().completion_cost(completion_response=response)
    except Exception:  # noqa: BLE001 — whatever litellm raises, the price is unknown
        return None
    return float(cost) if cost else None
