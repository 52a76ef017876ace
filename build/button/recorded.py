"""Gold plans of which instances can be made although nothing runs: their calls are recorded.

What schemas, names, references and layers show holds whatever the tools do. So a plan is taken
only where its edges are sure, that is where a reference stands behind each, and where the
recorded calls, replayed, lead through it as it says. Everything else is left out, with a reason.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from build.button.conversation import Note
from build.gold import Edge, Gold, from_record, to_record
from build.stages import stage_of
from environment.executor import MAX_ROUNDS
from environment.goal import reached, recorded_goal
from environment.replay import RECORDED
from trajectory import canonical
from trajectory.calls import Call, write_calls
from trajectory.references import references
from trajectory.tools import Catalogue, read_tools

# A reference is taken where the reader is at least so sure of it (`build.button.tracing`): so no
# other result holds the value, and more than the value itself tells where it comes from.
SURE: Final = 0.75
# What may be odd about a conversation without touching its calls.
_HARMLESS: Final = frozenset(("final_as_call", "no_final", "no_parallel_sentence", "prose_only"))


class UnusableError(Exception):
    """No instance can be made of a gold plan; the text is the reason, one or a few words."""


def recorded(gold: Gold, notes: Iterable[Note]) -> Gold:
    """Return a gold plan that instances can be made of, its calls recorded in its origin.

    notes: what was odd about its conversation. The tools are listed in one form, and the calls
    stand as they were made: those of a turn at once. Raises UnusableError.
    """
    for reason in (*_malformed(notes), *_ambiguous(gold), *_unsure(gold)):
        raise UnusableError(reason)
    # As it will be read from disk, where keys are sorted.
    gold = from_record(canonical.loads(canonical.dumps(to_record(gold))))
    catalogue = read_tools(gold.tools)
    calls = sorted((call for made in gold.calls for call in made), key=_number)
    taken = replace(
        gold,
        tools=_listed(catalogue),
        calls=tuple(_by_turn(calls, gold.origin["turns"])),
        origin={RECORDED: _written(calls), "origin": dict(gold.origin)},
        goal=recorded_goal(calls, catalogue),
    )
    if not _runs(taken):
        raise UnusableError("another run than recorded")
    return taken


def _malformed(notes: Iterable[Note]) -> Iterator[str]:
    yield from (note.reason for note in notes if note.reason not in _HARMLESS)


def _ambiguous(gold: Gold) -> Iterator[str]:
    names = [tool.name for tool in read_tools(gold.tools)]
    if len({*names}) < len(names):
        yield "tools of one name"
    calls = [call for made in gold.calls for call in made]
    if len({canonical.dumps([call.name, call.arguments]) for call in calls}) < len(calls):
        yield "a call made twice"
    if any(references([call.arguments for call in calls])):
        yield "an argument that reads as a reference"


def _unsure(gold: Gold) -> Iterator[str]:
    for edge in gold.edges:
        if not _is_referred(gold, edge):
            yield "a value not as it was given" if edge.how == "value" else f"a {edge.how} edge"
        elif edge.confidence < SURE:
            yield "an unsure value edge"


def _is_referred(gold: Gold, edge: Edge) -> bool:
    return any(one.node == edge.dep for one in references(gold.plan.by_id[edge.node].para))


def _listed(catalogue: Catalogue) -> list[dict[str, Any]]:
    return [
        {"name": tool.name, "description": tool.description, "parameters": dict(tool.schema)}
        for tool in catalogue
    ]


def _number(call: Call) -> int:
    return int(call.node or 0)


def _by_turn(calls: Iterable[Call], turns: Iterable[int]) -> Iterator[tuple[Call, ...]]:
    left = iter(calls)
    yield from (tuple(islice(left, count)) for count in turns)


def _written(calls: Iterable[Call]) -> list[dict[str, Any]]:
    return write_calls(replace(call, node=None) for call in calls)


def _runs(gold: Gold) -> bool:
    """Say whether the plan, its calls replayed, reaches the goal as it is said to."""
    if gold.rounds_gt > MAX_ROUNDS:
        return False
    run = stage_of(gold).gold_run
    counts = (run.total_rounds, run.calls_after) == (gold.rounds_gt, gold.calls_gt)
    return counts and run.completed and reached(gold.goal or {}, run.plan, run.ledger, "")
