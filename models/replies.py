"""What a model replied: text, calls of tools, why it ended, what it used and cost."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

# How a reply may end that says what it has to say; all others are failures of the model.
STOP: Final = "stop"
_COMPLETION: Final = "completion_tokens"
_FINISHES: Final[Mapping[str, str]] = {
    "stop": STOP,
    "eos": STOP,
    "tool_calls": STOP,
    "function_call": STOP,
    "length": "length",
    "max_tokens": "length",
    "content_filter": "filter",
    "safety": "filter",
    "refusal": "refusal",
}


class Usage(NamedTuple):
    """Tokens of a question and of its reply."""

    prompt: int
    completion: int


@dataclass(frozen=True)
class Reply:
    """What a model said.

    text: "" where it said nothing. finish: stop, length, filter, refusal, or empty (no choices, or
    neither text nor calls). usage, cost (US dollars): None where nobody tells, never 0 for that.
    sent: the parameters as they were really sent. seconds: of the attempt that succeeded.
    thinking: reasoning that came apart from the text. tool_calls: native calls, in their order.
    """

    text: str
    finish: str
    usage: Usage | None
    cost: float | None
    sent: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    thinking: str = ""
    tool_calls: tuple[Mapping[str, Any], ...] = ()

    @property
    def cut(self) -> bool:
        """Whether it was cut off at its length."""
        return self.finish == "length"


def read_reply(response: Any, cost: float | None, sent: Mapping[str, Any], seconds: float) -> Reply:
    """Read a response of litellm, whose choices may be none and whose content may be null."""
    choices = getattr(response, "choices", None) or []
    message = choices[0].message if choices else None
    text = _text(getattr(message, "content", None))
    calls = tuple(_call(one) for one in getattr(message, "tool_calls", None) or ())
    finish = _finish(choices[0]) if choices else "empty"
    refusal = getattr(message, "refusal", None)
    if finish == STOP and not text and not calls:
        finish = "refusal" if refusal else "empty"
    return Reply(
        text=text or _text(refusal),
        finish=finish,
        usage=_usage(response),
        cost=cost,
        sent=sent,
        seconds=round(seconds, 3),
        thinking=_text(getattr(message, "reasoning_content", None)),
        tool_calls=calls,
    )


def _text(value: Any) -> str:
    """Return content as a text; some providers send a list of parts."""
    if isinstance(value, list):
        return "".join(str(part.get("text", "")) for part in value if isinstance(part, dict))
    return value if isinstance(value, str) else ""


def _finish(choice: Any) -> str:
    told = getattr(choice, "finish_reason", None)
    return _FINISHES.get(str(told).lower(), STOP)


def _call(one: Any) -> Mapping[str, Any]:
    function = one.function
    return {"id": one.id, "name": function.name or "", "arguments": function.arguments or ""}


def _usage(response: Any) -> Usage | None:
    found = getattr(response, "usage", None)
    prompt, completion = (getattr(found, name, None) for name in ("prompt_tokens", _COMPLETION))
    if not isinstance(prompt, int) or not isinstance(completion, int) or not prompt + completion:
        return None
    return Usage(prompt, completion)
