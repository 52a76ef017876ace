"""Examples for a prompt: instances of the split train with their right answers."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pararecover
from environment.world import generator
from eval.knowing import oracle
from models.prompting import SEEN, Prompt
from trajectory.files import InputError
from trajectory.instance import Instance, view

TRAIN: Final = "train"


@dataclass(frozen=True)
class Example:
    """What was asked about an instance, and the answer that mends it."""

    id: str
    asked: str
    answered: str


def examples(
    count: int, seed: int, config: str, data: Path | None, prompt: Prompt, tasks: Iterable[str] = ()
) -> list[Example]:
    """Return so many examples of a level, the same for the same seed.

    config: whose split train they are from. tasks: of the selection under test; none of theirs is
    taken. Raises InputError where the split is not there, or too small.
    """
    try:
        shelf = pararecover.Shelf(config.removesuffix("_mini"), TRAIN, data)
    except InputError as error:
        do = "make the split train: python -m build --with-train"
        raise InputError(f"no examples can be drawn: {error}", do=do) from None
    barred = frozenset(tasks)
    tasks_of = zip(shelf.column("id"), shelf.column("query_id"), strict=True)
    open_ = sorted(id for id, task in tasks_of if task not in barred)
    if len(open_) < count:
        raise InputError("too few examples", got=f"{len(open_)} instances in {config}/{TRAIN}")
    drawn = generator(seed, "few-shot").sample(open_, count)
    return [_example(shelf[id], prompt) for id in drawn]


def _example(instance: Instance, prompt: Prompt) -> Example:
    seen = {name: value for name, value in view(instance).items() if name in SEEN}
    return Example(instance.id, prompt.filled(seen), oracle(instance) or "")
