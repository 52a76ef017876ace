"""The options of commands that ask judges, and the judges they make."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from eval.options import above_zero, positive
from eval.ratings import WITH_REFERENCE

if TYPE_CHECKING:
    from eval.judging.asking import Judge
    from eval.judging.records import Asked
    from models.budget import Budget


def add_judges(parser: argparse.ArgumentParser, *, repeats: bool = True) -> None:
    """Add the options that say who judges, and how it is asked.

    repeats: whether an answer may be judged more than once.
    """
    add = parser.add_argument
    add(
        "--judge",
        action="append",
        metavar="NAME",
        help="a model, as litellm names it; more than one may be given",
    )
    if repeats:
        add("--repeats", type=positive, default=1, help="judgements of each row (default 1)")
    add("--with-reference", action="store_true", help="show the proven cause and repair too")
    add("--seed", type=int, default=0, help="of the order of items (default 0)")
    add("--api-base", metavar="URL", help="of a server that speaks OpenAI's form")
    add("--temperature", type=float, default=0.0, help="default 0")
    add("--max-tokens", type=positive, help="of an answer (the provider's)")
    add("--tries", type=positive, default=3, help="questions until an answer can be read (3)")
    add("--concurrency", type=positive, default=8, help="calls at once (8)")
    add("--rpm", type=above_zero, help="at most so many calls a minute")
    add("--call-seconds", type=above_zero, default=120.0, help="of a call (120)")
    add("--max-cost", type=above_zero, metavar="USD", help="stop when spent")
    add("--max-tokens-total", type=positive, metavar="N", help="stop when used")
    add("--dry-run", action="store_true", help="show the first prompts; ask nothing")


def judges(options: argparse.Namespace) -> "Sequence[tuple[Judge, Asked]]":
    """Return the judges that were asked for, with one budget for all of them."""
    from models.budget import Budget

    budget = Budget(options.max_cost, options.max_tokens_total)
    return [_judge(options, name, budget) for name in dict.fromkeys(options.judge)]


def _judge(options: argparse.Namespace, name: str, budget: "Budget") -> "tuple[Judge, Asked]":
    from eval.judging.asking import Judge
    from eval.judging.prompts import read_judge_prompts
    from eval.judging.records import Asked
    from models.client import Client, Settings, sent_of

    settings = Settings(
        name,
        base=options.api_base,
        temperature=options.temperature,
        max_tokens=options.max_tokens,
        call_seconds=options.call_seconds,
    )
    client = Client(settings, concurrency=options.concurrency, rpm=options.rpm, budget=budget)
    prompts = read_judge_prompts()
    asked: dict[str, Any] = {
        "judge": name,
        "sent": sent_of(settings),
        "seed": options.seed,
        "tries": options.tries,
        "with_reference": options.with_reference,
    }
    digests = {one.prompt.name: one.prompt.digest for one in prompts.values()}
    rater = name + (WITH_REFERENCE if options.with_reference else "")
    return Judge(client, prompts, options.seed, options.tries), Asked(rater, asked, digests)
