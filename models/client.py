"""Asking a model: one question through litellm, with a deadline and a few attempts.

Keys come from the environment only, under the names that litellm knows; none ever stands in a
text of ours. litellm takes seconds to import, so that happens with the first question.
"""

import asyncio
import logging
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from trajectory.files import InputError, one_line, shortened

Messages = Sequence[Mapping[str, str]]

_SECONDS: Final = 120.0
_ATTEMPTS: Final = 4
_FIRST_WAIT: Final = 1.0
_AGAIN: Final = frozenset((408, 409, 429, 500, 502, 503, 504))
_SECRET: Final = re.compile(r"(?:sk|key|Bearer)[-_ ][\w*.-]{4,}", re.IGNORECASE)
_SHOWN: Final = 300


@dataclass(frozen=True)
class Reply:
    """What a model said.

    text: "" where it said nothing. cut: whether it was cut off at its length. tokens: prompt and
    completion, None where the provider tells nothing.
    """

    text: str
    cut: bool
    tokens: tuple[int, int] | None


@dataclass(frozen=True)
class Model:
    """A model and how it is asked.

    name: as litellm knows it ("openai/gpt-4o"). base: the address of a server of one's own that
    speaks the OpenAI form. seconds: the deadline of a question, all attempts together.
    """

    name: str
    base: str | None = None
    temperature: float = 0.0
    seconds: float = _SECONDS
    first_wait: float = _FIRST_WAIT

    def ask(self, messages: Messages) -> Reply:
        """Return the model's reply.

        Raises InputError in one line where the key is missing, the provider refuses, or no reply
        came in time.
        """
        return asyncio.run(self._in_time(messages))

    def answer(self, system: str, user: str) -> str:
        """Return the text of the reply to a question under some instructions; as `ask`."""
        told = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        return self.ask(told).text

    async def _in_time(self, messages: Messages) -> Reply:
        _require_key(self.name)
        try:
            return await asyncio.wait_for(self._asked(messages), self.seconds)
        except TimeoutError:
            problem = f"model {self.name} gave no reply in {self.seconds:g} seconds"
            raise InputError(problem) from None

    async def _asked(self, messages: Messages) -> Reply:
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return _read(await _litellm().acompletion(**self._parameters(messages)))
            except _errors() as error:
                if attempt == _ATTEMPTS or getattr(error, "status_code", 500) not in _AGAIN:
                    raise InputError(self._said(error)) from None
            await asyncio.sleep(self.first_wait * 2 ** (attempt - 1))
        raise AssertionError("the last attempt returns or raises")

    def _parameters(self, messages: Messages) -> dict[str, Any]:
        parameters: dict[str, Any] = {
            "model": self.name,
            "messages": [dict(message) for message in messages],
            "temperature": self.temperature,
            "max_retries": 0,
        }
        return parameters if self.base is None else {**parameters, "api_base": self.base}

    def _said(self, error: Exception) -> str:
        told = scrubbed(shortened(one_line(str(error)), _SHOWN))
        return f"model {self.name} can't be asked: {told}"


def scrubbed(text: str) -> str:
    """Return a text without what looks like a key, and without the keys of the environment."""
    for name, value in os.environ.items():
        if name.endswith(("_KEY", "_TOKEN", "_SECRET")) and len(value) >= 8:
            text = text.replace(value, "[key]")
    return _SECRET.sub("[key]", text)


@cache
def _litellm() -> Any:
    """Return litellm, told not to look for prices or settings outside, nor to print banners."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
    return litellm


@cache
def _errors() -> type[Exception]:
    """Return the class that all errors of litellm are of."""
    from openai import OpenAIError

    return OpenAIError


def _require_key(name: str) -> None:
    """A missing key looks like a failure of the provider, and would be tried again."""
    missing = _litellm().validate_environment(model=name)["missing_keys"]
    if missing:
        keys = ", ".join(sorted(missing))
        raise InputError(f"no key for model {name}", do=f"set {keys} in the environment")


def _read(response: Any) -> Reply:
    """Read a response, whose choices may be none and whose content may be null."""
    choices = response.choices or []
    text = (choices[0].message.content if choices else None) or ""
    usage = getattr(response, "usage", None)
    tokens = None if usage is None else (usage.prompt_tokens or 0, usage.completion_tokens or 0)
    return Reply(text, bool(choices) and choices[0].finish_reason == "length", tokens)
