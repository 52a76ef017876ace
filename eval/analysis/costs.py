"""Where rounds, calls, tokens and dollars go."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from eval.analysis.sheets import Cell, Part, Sheet
from eval.analysis.studied import Studied
from eval.spending import Spending, Spent, by_row, total

_NOTE: Final = (
    "Means over the rows, and sums over all answers, also those that did not count. Rounds and "
    "calls: since the answer. What nobody told is –, never 0; dollars only where the price of "
    "every answer is known. Per verified row: all that was spent, over the rows that reached the "
    "goal."
)
_PARTS: Final = (
    "The same by answer of a recovery (the first, the second, later ones) and by what came of it. "
    "Share: of the run's tokens."
)
_LATER: Final = "third and later"


def sheets(studied: Sequence[Studied]) -> Iterator[Sheet]:
    """Yield what each run used, and for what."""
    heads = ["config", "agent", "rows", "rounds", "calls", "answers", "prompt tokens"]
    heads += ["completion tokens", "dollars", "tokens per row", "tokens per verified row"]
    heads += ["dollars per verified row"]
    rows = [_row(one) for one in studied]
    yield Sheet("costs", "Where tokens and cost go", _NOTE, heads, rows)
    heads = ["config", "agent", "part", "answers", "prompt tokens", "completion tokens", "share"]
    parts = [row for one in studied for row in _parts(one)]
    yield Sheet("costs-by-part", "Tokens by answer and by outcome", _PARTS, heads, parts)


def _row(one: Studied) -> list[Cell]:
    rounds = [row.rounds for row in one.rows if row.rounds]
    calls = [len(each["calls"]) for some in rounds for each in some]
    spent = total(each for some in by_row(one.run).values() for each in some)
    rows, verified = len(one.rows), _verified(one)
    tokens = _tokens(spent)
    return [
        one.config,
        one.label,
        rows,
        sum(map(len, rounds)) / len(rounds) if rounds else None,
        sum(calls) / len(rounds) if rounds else None,
        spent.answers,
        *_known(spent),
        spent.dollars,
        _per(tokens, rows),
        _per(tokens, len(verified)),
        _per(spent.dollars, len(verified)),
    ]


def _tokens(spent: Spending) -> int | None:
    """Return all tokens; None where some answers did not tell theirs."""
    told = spent.answers and not spent.untold
    return spent.prompt + spent.completion if told else None


def _known(spent: Spending) -> tuple[int | None, int | None]:
    return (None, None) if _tokens(spent) is None else (spent.prompt, spent.completion)


def _per(amount: float | None, rows: int) -> float | None:
    return None if amount is None or not rows else amount / rows


def _verified(one: Studied) -> set[tuple[str, int]]:
    """Return the (id, sample) that reached the goal."""
    return {
        (id, scored.sample)
        for id, cell in one.table.cells.items()
        for scored in cell.scored
        if scored.values.get("verified_pass_at_1")
    }


def _parts(one: Studied) -> Iterator[list[Cell]]:
    spent = by_row(one.run)
    verified = _verified(one)
    parts: dict[str, list[Spent]] = defaultdict(list)
    for key, some in sorted(spent.items()):
        outcome = "rows that reached the goal" if key in verified else "rows that did not"
        parts[outcome] += some
        for place, each in enumerate(some):
            parts[("first", "second")[place] if place < 2 else _LATER].append(each)
    whole = _tokens(total(_all(spent.values())))
    if whole is None:
        return
    for part, some in parts.items():
        found = total(some)
        tokens = _tokens(found)
        share = None if tokens is None or not whole else Part(tokens / whole)
        yield [one.config, one.label, part, found.answers, *_known(found), share]


def _all(parts: Iterable[Iterable[Spent]]) -> Iterator[Spent]:
    return (each for some in parts for each in some)
