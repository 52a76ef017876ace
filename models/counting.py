"""Tokens of messages, and what they may cost, told before anything is asked."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Estimate(NamedTuple):
    """Tokens and dollars of one question; None where nobody knows."""

    fixed: int
    prompt: int
    cost: float | None


def tokens(model: str, messages: Sequence[Mapping[str, Any]]) -> int:
    """Return how many tokens messages have, by the model's tokenizer where litellm knows it."""
    from models.providers import litellm

    return int(litellm().token_counter(model=model, messages=[dict(one) for one in messages]))


def estimate(model: str, messages: Sequence[Mapping[str, Any]], answer: int) -> Estimate:
    """Estimate a question whose answer has so many tokens; fixed: of the system's part."""
    prompt = tokens(model, messages)
    fixed = tokens(model, [one for one in messages if one["role"] == "system"])
    return Estimate(fixed, prompt, _cost(model, prompt, answer))


def _cost(model: str, prompt: int, answer: int) -> float | None:
    from models.providers import litellm

    try:
        asked, answered = litellm().cost_per_token(
            model=model, prompt_tokens=prompt, completion_tokens=answer
        )
    except Exception:  # noqa: BLE001 — whatever litellm raises, the price is unknown
        return None
    return float(asked + answered) or None
