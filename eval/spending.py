"""What a run used: tokens and dollars, as its journal of answers noted them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from eval.results import Key, Run, read_answers


@dataclass(frozen=True)
class Spending:
    """Tokens of prompts and completions, and dollars, over so many answers.

    untold: answers whose use nobody told. dollars: None where the price of any is unknown; what
    is unknown is never 0.
    """

    answers: int = 0
    untold: int = 0
    prompt: int = 0
    completion: int = 0
    dollars: float | None = None

    def to_record(self) -> dict[str, Any]:
        """Return it as an object for programs; dollars to six decimals."""
        known = self.answers > self.untold
        return {
            "answers": self.answers,
            "untold": self.untold,
            "prompt_tokens": self.prompt if known else None,
            "completion_tokens": self.completion if known else None,
            "dollars": None if self.dollars is None else round(self.dollars, 6),
        }


# Tokens of a question and of its reply, and dollars; None: nobody told.
Spent = tuple[int, int, float | None] | None


def total(spent: Iterable[Spent]) -> Spending:
    """Add up what answers used; None: nobody told."""
    every = list(spent)
    told = [one for one in every if one is not None]
    prices = [dollars for _, _, dollars in told]
    priced = bool(told) and len(told) == len(every) and None not in prices
    return Spending(
        answers=len(every),
        untold=len(every) - len(told),
        prompt=sum(prompt for prompt, _, _ in told),
        completion=sum(completion for _, completion, _ in told),
        dollars=sum(price for price in prices if price is not None) if priced else None,
    )


def by_row(run: Run) -> Mapping[Key, list[Spent]]:
    """Return what each answer used, by (id, sample); those that did not count were paid too.

    Nothing is known of a bare file. Raises InputError on a journal that can't be read.
    """
    found: dict[Key, list[Spent]] = defaultdict(list)
    if run.manifest is not None:
        for noted in read_answers(run.path):
            found[noted.key].append(noted.spent)
    return found


def spending(run: Run) -> Spending:
    """Return what a run used in all."""
    return total(one for spent in by_row(run).values() for one in spent)
