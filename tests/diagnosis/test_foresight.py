"""Foresight is never wrong: what it gives up would not reach the goal."""

import itertools
import random
from collections.abc import Iterator, Sequence

import pytest

from build.proving import examination_of
from diagnosis.edits import Edit, EditError, apply_edits
from diagnosis.examination import Examination
from diagnosis.foresight import Foresight
from diagnosis.repairs import single_edits, subsets
from tests.diagnosis.budget import add, examine, example, outage, part, put
from trajectory import canonical
from trajectory.error_types import ErrorType as T
from trajectory.graph import is_valid
from trajectory.instance import Instance
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


# --- instances as the build makes them -------------------------------------------------------


def other_edits_of(seen: Examination) -> Iterator[Edit]:
    """Yield also the edits that leave a refused call, and references to every whole result."""
    plan = seen.start.snapshot.plan
    calls = [node for node in plan if node.is_call]
    for node in calls:
        for name in node.para if isinstance(node.para, dict) else ():
            yield {"op": "remove_argument", "node": node.id, "parameter": name}
            for other in calls:
                if other is not node:
                    yield put(node.id, name, ref(other.id))
        for name in seen.catalogue.names:
            yield {"op": "set_tool", "node": node.id, "tool": name}


def choices(seen: Examination) -> Iterator[Sequence[Edit]]:
    """Yield every single edit, and every subset of the difference to gold."""
    for edit in (*edits_of(seen), *other_edits_of(seen)):
        yield [edit]
    yield from filter(None, subsets([*seen.edits, *seen.undone][:6]))


def test_no_edit_of_an_instance_is_given_up_that_reaches_the_goal(
    augmented: list[Instance],
) -> None:
    for instance in augmented[::3]:
        seen = examination_of(instance)
        found = [check(seen, edits) for edits in choices(seen) if is_valid_after(seen, edits)]
        assert any(found), instance.id


def test_what_is_searched_with_foresight_is_what_is_found_without(
    augmented: list[Instance], monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = augmented[1::6]
    quick = [examination_of(one).found for one in chosen]
    monkeypatch.setattr(Foresight, "is_beside", lambda *_: False)
    monkeypatch.setattr(Foresight, "is_hopeless", lambda *_: False)
    assert [examination_of(one).found for one in chosen] == quick


def test_an_edit_that_leaves_a_refused_call_is_at_no_optimum(augmented: list[Instance]) -> None:
    for instance in augmented[2::4]:
        seen = examination_of(instance)
        assert seen.found is not None
        assert seen.found.optimum is not None
        known = {*map(text, edits_of(seen))}
        for edit in other_edits_of(seen):
            if edit["op"] != "set_argument" and text(edit) not in known and changes(seen, edit):
                outcome = seen.trial.edited([edit])
                assert not outcome.reached or outcome.cost > seen.found.optimum, (instance.id, edit)


def is_valid_after(seen: Examination, edits: Sequence[Edit]) -> bool:
    try:
        return is_valid(apply_edits(seen.start.snapshot.plan, edits))
    except EditError:
        return False


def changes(seen: Examination, edit: Edit) -> bool:
    """Say whether an edit changes anything: to set the tool that is there makes a retry."""
    return edit.get("tool") != seen.start.snapshot.plan.by_id[edit["node"]].name


def text(edit: Edit) -> str:
    return canonical.dumps({key: value for key, value in edit.items() if key != "errors"})
