"""The search for repairs: all minimal ones among the subsets of the difference to gold.

A repair is right when the goal is reached at the optimum: in the fewest rounds, and with the
fewest calls at that number; it is minimal when no proper subset of its edits is right
(semantics.md, "Repair"). As a check every single edit of the whole plan is tried too.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from diagnosis.edits import EDGES, Edit, apply_edits
from diagnosis.foresight import refuses
from diagnosis.trial import Outcome, Trial, made_again
from environment.executor import MAX_ROUNDS, Execution
from trajectory import canonical
from trajectory.plan import RESPONSE, ROOT, Node, Plan
from trajectory.tools import Catalogue

T = TypeVar("T")

# Of a larger difference the subsets are not tried, so nothing is proven of it.
MOST_EDITS: Final = 12
# An instance lists at most so many.
MOST_REPAIRS: Final = 8


@dataclass(frozen=True)
class Found:
    """What a search found.

    carried: how it goes without any edit. optimum: rounds and calls of the best that reaches
    the goal, None where nothing does. repairs: the minimal ones, smallest first; none where an
    edit outside the difference does better. single: edits outside the difference of which each
    is right alone; an edge that delays or hides a call is no repair.
    """

    carried: Outcome
    optimum: tuple[int, int] | None
    repairs: tuple[tuple[Edit, ...], ...]
    single: tuple[Edit, ...] = ()


def search(trial: Trial, edits: Sequence[Edit], single: Iterable[Edit]) -> Found:
    """Try every subset of `edits`, at most `MOST_EDITS`, and each edit of `single`."""
    outcomes = {
        chosen: trial.edited([edits[i] for i in chosen]) for chosen in subsets(range(len(edits)))
    }
    known = {_text(edit) for edit in edits}
    others = [(edit, trial.edited([edit])) for edit in single if _text(edit) not in known]
    reached = [one for one in (*outcomes.values(), *(one for _, one in others)) if one.reached]
    optimum = min((one.cost for one in reached), default=None)
    right = [c for c, one in outcomes.items() if one.reached and one.cost == optimum]
    minimal = [chosen for chosen in right if not any({*other} < {*chosen} for other in right)]
    repairs = tuple(tuple(edits[i] for i in chosen) for chosen in minimal)
    also = [edit for edit, one in others if one.reached and one.cost == optimum]
    kept = (edit for edit in also if repairs and not _is_in_the_way(trial, edit, repairs[0]))
    return Found(outcomes[()], optimum, repairs, tuple(kept))


def _is_in_the_way(trial: Trial, edit: Edit, repair: Sequence[Edit]) -> bool:
    """Say whether an edge only has a call made again, or delays or hides one.

    A call is delayed that runs later than with a repair; one that waits for long enough is still
    to come when the response ends the execution.
    """
    if edit["op"] not in EDGES:
        return False
    run, other = (trial.run(apply_edits(trial.start.snapshot.plan, e))[0] for e in ([edit], repair))
    latest = _last_rounds(other)
    is_late = (round_ > latest.get(node, MAX_ROUNDS) for node, round_ in _last_rounds(run).items())
    return any(made_again(run)) or any(is_late)


def _last_rounds(run: Execution) -> Mapping[str, float]:
    """Return for each call of a plan the round in which it ran last; infinity: it never did."""
    last = {node.id: run.ledger.last(node.id) for node in run.plan if node.is_call}
    return {node: math.inf if one is None else one.round for node, one in last.items()}


def _text(edit: Edit) -> str:
    """Return the text of an edit without the names that it gives."""
    return canonical.dumps({name: edit[name] for name in edit if name not in ("errors", "new")})


def subsets(things: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """Yield every subset, the empty one first, smaller before larger."""
    sizes = range(len(things) + 1)
    return itertools.chain.from_iterable(itertools.combinations(things, size) for size in sizes)


def single_edits(plan: Plan, catalogue: Catalogue, ran: frozenset[str]) -> Iterator[Edit]:
    """Yield every single edit of a whole plan that could be right alone.

    Values without end could be set; those that could mend anything stand in the difference to
    gold, whose subsets are searched. An edit that leaves a call which every tool of its name
    refuses is at no optimum: without the call there would be one less. A call that has run
    gets a further attempt.
    """
    for node in plan:
        if node.is_call:
            yield {"op": "remove_node", "node": node.id}
            yield from _fewer_arguments(node, catalogue)
            for name in sorted({*catalogue.names} - {node.name}):
                if not refuses(catalogue, name, node.para):
                    yield {"op": "set_tool", "node": node.id, "tool": name}
            if node.id in ran:
                yield {"op": "retry", "node": node.id, "new": f"{node.id}_again"}
    yield from _single_edges(plan)


def _fewer_arguments(node: Node, catalogue: Catalogue) -> Iterator[Edit]:
    if not isinstance(node.para, dict):
        return
    for name in sorted(node.para):
        kept = {other: value for other, value in node.para.items() if other != name}
        if not refuses(catalogue, node.name or "", kept):
            yield {"op": "remove_argument", "node": node.id, "parameter": name}


def _single_edges(plan: Plan) -> Iterator[Edit]:
    calls = [node.id for node in plan if node.is_call]
    for node in plan:
        if not (node.is_call or node.id == RESPONSE):
            continue
        for dep in node.dep:
            if dep != ROOT:
                yield {"op": "remove_edge", "node": node.id, "dep": dep}
        for dep in calls:
            if dep != node.id and dep not in node.dep:
                yield {"op": "add_edge", "node": node.id, "dep": dep}
