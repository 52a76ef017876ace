"""Asking a judge about one answer: a question for each dimension, again where none can be read."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from eval.asking import cost_of, usage_of
from eval.judging.material import Material
from eval.judging.prompts import JudgePrompt, order_of
from eval.judging.verdict import Verdict, read_verdict, schema, unread
from eval.spending import Spent
from models.client import Client
from models.prompting import Message
from models.replies import STOP, Reply
from models.trouble import FilteredError, LateError, OverflowedError, SpentError, UnreachableError

# What a repeat can mend, at another time.
_DUE: Final = (UnreachableError, LateError, SpentError)

Call = dict[str, Any]


@dataclass(frozen=True)
class Judge:
    """A model that judges.

    seed: of the order of items. tries: questions until an answer can be read whole.
    """

    client: Client
    prompts: Mapping[str, JudgePrompt]
    seed: int = 0
    tries: int = 3

    async def ask(
        self, shown: Material, key: Sequence[object], dimensions: Sequence[str]
    ) -> tuple[dict[str, Call], list[Exception]]:
        """Ask for some dimensions at once; return the calls by dimension, and what failed.

        key: of the question, by which the items are ordered. What failed can be asked again.
        Raises InputError where the provider refuses every question.
        """
        questions = (self._dimension(shown, key, name) for name in dimensions)
        found = await asyncio.gather(*questions, return_exceptions=True)
        calls: dict[str, Call] = {}
        failed: list[Exception] = []
        for name, one in zip(dimensions, found, strict=True):
            if isinstance(one, dict):
                calls[name] = one
            elif isinstance(one, _DUE):
                failed.append(one)
            else:
                raise one
        return calls, failed

    async def _dimension(self, shown: Material, key: Sequence[object], name: str) -> Call:
        prompt, order = self.prompts[name], order_of(name, self.seed, *key)
        messages = prompt.messages(shown, order)
        replies: list[Reply] = []
        best = unread(order, "not asked")
        for _ in range(self.tries):
            try:
                reply = await self.client.ask(messages, schema=schema(order))
            except (OverflowedError, FilteredError) as error:
                best = unread(order, str(error)) if not best.read else best
                break
            replies.append(reply)
            verdict = _read(reply, order)
            best = verdict if verdict.read > best.read or not best.read else best
            if best.whole:
                break
            messages = [*messages, *_again(reply, verdict)]
        return _call(order, replies, best)


def _read(reply: Reply, order: Sequence[str]) -> Verdict:
    if reply.finish != STOP:
        return unread(order, f"the reply ended so: {reply.finish}")
    return read_verdict(reply.text, order)


def _again(reply: Reply, verdict: Verdict) -> list[Message]:
    """Return what is said to a judge whose answer could not be read; nothing after no answer."""
    if not reply.text.strip():
        return []
    wrong = "; ".join(f"{item}: {why}" for item, why in verdict.problems.items())
    asked = f"This answer could not be read ({wrong}). Give the whole answer again in the form."
    return [{"role": "assistant", "content": reply.text}, {"role": "user", "content": asked}]


def _call(order: Sequence[str], replies: Sequence[Reply], best: Verdict) -> Call:
    """Return what is kept of the questions about one dimension."""
    spent: list[Spent] = [None if one.usage is None else (*one.usage, one.cost) for one in replies]
    return {
        "scores": dict(best.scores),
        "reasons": dict(best.reasons),
        "unscored": dict(best.problems),
        "order": list(order),
        "raw": [one.text for one in replies],
        "finish": [one.finish for one in replies],
        "usage": usage_of(spent),
        "cost": cost_of(spent),
        "seconds": round(sum(one.seconds for one in replies), 3),
    }
