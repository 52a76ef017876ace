"""Foresight is never wrong: what it gives up would not reach the goal."""

import itertools
import random
from collections.abc import Sequence

import pytest

from diagnosis.edits import Edit, EditError, apply_edits
from diagnosis.examination import Examination
from diagnosis.repairs import single_edits
from tests.diagnosis.budget import add, examine, example, outage, part, put
from trajectory.error_types import ErrorType as T
from trajectory.references import reference as ref

SEVERAL = [
    examine(
        5,
        put("1", "amounts", [100, 250.5, 94.5]),
        {"op": "set_tool", "node": "7", "tool": "average_amount"},
        part("6", "2"),
    ),
    examine(2, put("3", "amount", 900)),
    examine(2, add("8", "keep_number", ["1"], [], label="quote for the club", amount=1)),
    examine(2, faults=[outage("average_amounts", length=2)]),
    examine(1, put("7", "amounts", [ref("2", "mean"), "600"])),
]


def given_up(seen: Examination, edits: Sequence[Edit]) -> bool:
    foresight = seen.trial.foresight
    if foresight.is_beside(edits):
        return True
    return foresight.is_hopeless(apply_edits(seen.start.snapshot.plan, edits))


def check(seen: Examination, chosen: Sequence[Edit]) -> bool:
    """Say whether some edits are given up; if so, they reach nothing when run."""
    try:
        plan = apply_edits(seen.start.snapshot.plan, chosen)
    except EditError:
        return False
    if given_up(seen, chosen):
        assert not seen.trial.answered(plan).reached, chosen
        return True
    return False


def edits_of(seen: Examination) -> list[Edit]:
    ran = frozenset(entry.node for entry in seen.start.ledger)
    single = single_edits(seen.start.snapshot.plan, seen.catalogue, ran)
    return [*seen.edits, *seen.undone, *single]


@pytest.mark.parametrize("kind", [*T])
def test_a_single_edit_that_is_given_up_reaches_nothing(kind: T) -> None:
    seen = example(kind)
    found = [check(seen, [edit]) for edit in edits_of(seen)]
    assert any(found)


@pytest.mark.parametrize("seen", SEVERAL)
def test_nor_do_several_edits(seen: Examination) -> None:
    rng = random.Random(1)
    every = edits_of(seen)
    own = [*seen.edits, *seen.undone]
    chosen = [rng.sample(every, 2) for _ in range(60)]
    chosen += [[*own, edit] for edit in rng.sample(every, 20)]
    chosen += [[*pair] for pair in itertools.combinations(own, 2)]
    found = [check(seen, edits) for edits in chosen]
    assert any(found)
