"""The three prompts of a judge: one for each dimension, its items with what 1, 0.5 and 0 mean.

They are files of models/prompts. Behind the line `=== items` stand the items, parted by empty
lines; a judge is shown them in an order drawn for each question.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from environment.world import generator
from eval.judging.material import Material
from eval.rubric import DIMENSIONS
from models.prompting import Message, Prompt, read_prompt
from trajectory import canonical
from trajectory.files import InputError

FIELDS: Final = (
    *("mark", "query", "tools", "plan", "tool_results", "history"),
    *("thought", "answer", "reference", "items", "form"),
)
_ITEMS: Final = "\n=== items\n"
_ANCHORS: Final = ("1", "0.5", "0")


@dataclass(frozen=True)
class JudgePrompt:
    """The prompt of one dimension; items: the text of each, in the rubric's order."""

    prompt: Prompt
    items: Mapping[str, str]

    def messages(self, shown: Material, order: Sequence[str]) -> list[Message]:
        """Return the question about one answer, its items in an order."""
        asked = "\n\n".join(self.items[item] for item in order)
        return self.prompt.messages(
            {**shown.fields, "mark": shown.mark, "items": asked, "form": form(order)}
        )


def form(order: Sequence[str]) -> str:
    """Return the form of a verdict: JSON that scores nothing where it is only repeated."""
    entry = {"reason": "<reason>", "score": "<1, 0.5 or 0>"}
    return canonical.dumps(dict.fromkeys(order, entry))


def read_judge_prompts() -> dict[str, JudgePrompt]:
    """Return the prompts by dimension; raises InputError where a file lacks a field or an item."""
    return {name: _read(f"judge_{name.lower()}", items) for name, items in DIMENSIONS.items()}


def _read(name: str, items: Sequence[str]) -> JudgePrompt:
    prompt = read_prompt(name, FIELDS)
    user, _, told = prompt.user.partition(_ITEMS)
    blocks = {block.split()[0]: block.strip() for block in told.split("\n\n") if block.strip()}
    if tuple(blocks) != tuple(items):
        raise InputError(
            "the items are wrong", file=name, got=" ".join(blocks), wanted=" ".join(items)
        )
    for item, block in blocks.items():
        anchors = tuple(re.findall(r"^([\d.]+): ", block, re.MULTILINE))
        if anchors != _ANCHORS:
            raise InputError(f"{item} has wrong anchors", file=name, got=anchors, wanted=_ANCHORS)
    return JudgePrompt(replace(prompt, user=user.strip()), blocks)


def order_of(dimension: str, seed: int, *key: object) -> list[str]:
    """Return the items of a dimension in the order drawn for one question."""
    order = list(DIMENSIONS[dimension])
    generator(seed, "order of items", dimension, *map(str, key)).shuffle(order)
    return order
