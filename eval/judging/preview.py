"""What a judge would be asked, and about what that costs, before anything is asked."""

from collections.abc import Sequence

from eval.judging.asking import Judge
from eval.judging.desk import Judged
from eval.judging.material import Material, material
from eval.judging.prompts import order_of
from models.counting import estimate
from models.prompting import Message
from models.reading import read_answer
from pararecover import Shelf

# Of a verdict on one item: a reason of two sentences, and the form around it.
_ITEM_TOKENS = 80


def preview(
    shelf: Shelf, judge: Judge, answers: Sequence[Judged], repeats: int, *, reference: bool
) -> str:
    """Return the questions about the first answer that holds a plan, and the cost of all."""
    name = judge.client.settings.name
    read = ((one, read_answer(one.text)) for one in answers if not one.gave_none)
    found = next(((one, answer) for one, answer in read if answer.plan is not None), None)
    if found is None:
        return "no answer holds a plan: nothing is asked"
    one, answer = found
    seen = material(shelf[one.id], answer, reference=reference)
    parts, tokens, answered, cost = [], 0, 0, 0.0
    priced = True
    for dimension in one.dimensions:
        messages = _messages(judge, seen, one, dimension)
        parts += [f"--- {each['role']} ({dimension})\n{each['content']}" for each in messages]
        replied = _ITEM_TOKENS * len(judge.prompts[dimension].items)
        told = estimate(name, messages, replied)
        tokens, answered, cost = tokens + told.prompt, answered + replied, cost + (told.cost or 0.0)
        priced = priced and told.cost is not None
    rows = len(answers) * repeats
    price = f"about ${cost * rows:.4f}" if priced else "unknown"
    return (
        "\n\n".join(parts)
        + f"\n\n--- {one.id}: {tokens} tokens for {len(one.dimensions)} questions\n"
        f"{rows} judgements like this one: {tokens * rows} tokens asked, about "
        f"{answered * rows} answered, cost {price}"
    )


def _messages(judge: Judge, seen: Material, one: Judged, dimension: str) -> list[Message]:
    order = order_of(dimension, judge.seed, one.id, one.sample, 0)
    return judge.prompts[dimension].messages(seen, order)
