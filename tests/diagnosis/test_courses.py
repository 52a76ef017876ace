"""What each error reaches: the run with it alone against the run with none."""

import itertools
from collections.abc import Iterator

import pytest

from diagnosis.courses import from_scratch
from diagnosis.edits import Edit
from environment.executor import Execution
from tests.diagnosis.budget import (
    EXAMPLES,
    GOLD,
    NOTE,
    STAGE,
    add,
    again,
    examine,
    example,
    gone,
    outage,
    part,
    put,
    reach,
    types,
    wait,
)
from trajectory.error_types import ErrorType as T
from trajectory.references import reference as ref


@pytest.mark.parametrize(
    ("kind", "now", "later", "delayed"),
    [
        (T.PARAMETER_NAME, "1", "3 4 5 6 7", ""),
        (T.PARAMETER_TYPE, "5", "6", ""),
        (T.PARAMETER_MISSING, "5", "6", ""),
        (T.PARAMETER_INVALID, "5 6", "", ""),
        (T.TOOL_NAME, "7", "", ""),
        (T.TOOL_SELECT, "5", "6", ""),
        (T.MISSING_CALL, "6", "", ""),
        (T.REDUNDANT_CALL, "", "8", "6"),
        (T.SERIAL, "4", "5 6", ""),
        (T.DEPENDENCE, "5", "6", ""),
        (T.DEPENDENCE_NULL, "6", "", ""),
        (T.PARALLELISM, "", "", "3 4 5 6"),
        (T.TIMEOUT, "2", "6", ""),
        (T.NULL, "5", "6", ""),
    ],
)
def test_what_an_error_of_each_type_reaches(kind: T, now: str, later: str, delayed: str) -> None:
    assert reach(example(kind)) == (now.split(), later.split(), delayed.split())


# --- runs -------------------------------------------------------------------------------------


def told(run: Execution) -> dict[str, tuple[int, object]]:
    return {entry.node: (entry.round, entry.result) for entry in run.ledger}


def apart() -> Iterator[tuple[T, T]]:
    """Pairs of examples that change different nodes."""
    kinds = [kind for kind in EXAMPLES if EXAMPLES[kind].edits]
    for one, two in itertools.combinations(kinds, 2):
        if changed(one).isdisjoint(changed(two)):
            yield one, two


def changed(kind: T) -> set[str]:
    return {
        node for edit in EXAMPLES[kind].edits for node in (edit["node"], *edit.get("consumers", ()))
    }


@pytest.mark.parametrize(("one", "two"), [*apart()])
def test_with_every_error_mended_a_plan_runs_as_the_gold_plan(one: T, two: T) -> None:
    seen = examine(1, *EXAMPLES[one].edits, *EXAMPLES[two].edits)
    assert sorted(label.type for label in seen.labels) == sorted([one, two])
    assert told(seen.courses.right) == told(STAGE.gold_run)
    for number, label in enumerate(seen.labels):
        alone = example(label.type).courses.alone(0)
        assert told(seen.courses.alone(number)) == told(alone)


@pytest.mark.parametrize("kind", [T.TIMEOUT, T.NULL])
def test_a_mended_fault_is_none(kind: T) -> None:
    courses = example(kind).courses
    assert told(courses.right) == told(STAGE.gold_run)
    failed = [entry.node for entry in courses.alone(0).ledger if entry.outcome != "ok"]
    assert failed[0] == example(kind).labels[0].root_cause


def test_a_plan_from_scratch_has_nothing_of_a_result() -> None:
    shown = example(T.PARAMETER_TYPE).start.snapshot.plan
    assert any(node.status for node in shown if node.is_call)
    fresh = from_scratch(shown)
    assert not any(node.status for node in fresh if node.id != "root")
    assert fresh.by_id["1"] == GOLD.by_id["1"]
    assert fresh.by_id["5"].desc == ""
    assert fresh.by_id["root"] == shown.by_id["root"]


def test_an_error_alone_is_not_blamed_for_what_another_does() -> None:
    seen = examine(5, put("1", "amounts", [100, 250.5, 94.5]), part("6", "2"))
    assert types(seen) == ["Dependence_Null 6", "Parameter_Invalid 1"]
    assert reach(seen, 0) == (["6"], [], [])
    # 445 is rounded up to 450 as well, so that node 6 gets what it should.
    assert reach(seen, 1) == (["1", "3", "4", "5", "7"], [], [])


def test_of_two_nodes_that_one_fault_answered_either_keeps_the_fault() -> None:
    seen = examine(2, faults=[outage("average_amounts", length=2)])
    assert types(seen) == ["Timeout_Error 2", "Timeout_Error 7"]
    assert told(seen.courses.right) == told(STAGE.gold_run)
    assert reach(seen, 0) == (["2", "7"], ["6"], [])


# --- now, later, delayed ----------------------------------------------------------------------


def test_what_has_run_by_the_cut_is_now_and_the_rest_later() -> None:
    edits = EXAMPLES[T.PARAMETER_NAME].edits
    nodes = ["1", "3", "4", "5", "6", "7"]
    for rounds, now in enumerate(([], ["1"], ["1", "3", "7"], ["1", "3", "4", "7"])):
        later = [node for node in nodes if node not in now]
        assert reach(examine(rounds, *edits)) == (now, later, [])


def test_a_needless_call_that_has_run_is_reached_now() -> None:
    other = add("8", "keep_number", ["1"], [], label="quote for the club", amount=1)
    assert reach(examine(1, other)) == ([], ["8"], [])
    assert reach(examine(2, other)) == (["8"], [], [])


def test_a_call_that_never_runs_is_reached_later() -> None:
    # The response no longer waits for node 7, which still runs, and for node 6, which doesn't.
    seen = examine(2, part("response", "6"))
    assert types(seen) == ["Dependence_Null response"]
    assert reach(seen) == ([], ["4", "5", "6"], [])


def test_purposes_are_compared_by_their_last_attempt() -> None:
    """A call that failed and was rightly tried again is reached by nothing."""
    purposes, faults = {"8": "5"}, [outage("round_amount")]
    tried = [again("5", "8")]
    assert examine(5, *tried, faults=faults, purposes=purposes).labels == []
    wrong = examine(5, *tried, put("8", "step", 5), faults=faults, purposes=purposes)
    assert types(wrong) == ["Parameter_Invalid 8"]
    # Node 5 failed in either run; of the purpose only node 8 is told.
    assert reach(wrong) == (["8"], ["6"], [])
    assert reach(examine(4, *wrong_first(), faults=faults, purposes=purposes)) == (
        [],
        ["6", "8"],
        [],
    )


def wrong_first() -> list[Edit]:
    return [again("5", "8"), put("8", "step", 5)]


def test_a_rightful_retry_delays_nothing() -> None:
    """What it costs stands in the run without the error as well."""
    seen = examine(
        5,
        again("5", "8"),
        {"op": "set_tool", "node": "7", "tool": "mean_amounts"},
        faults=[outage("round_amount")],
        purposes={"8": "5"},
    )
    assert types(seen) == ["Tool_name_Error 7"]
    assert reach(seen) == (["7"], [], [])
    assert seen.courses.right.total_rounds == STAGE.gold_run.total_rounds + 1


def test_a_dep_on_the_failed_attempt_reaches_its_consumer() -> None:
    stale = [again("5", "8"), part("6", "8"), wait("6", "5"), put("6", "after", ref("5"))]
    seen = examine(5, *stale, faults=[outage("round_amount")], purposes={"8": "5"})
    assert types(seen) == ["Dependence_Error 6"]
    assert reach(seen) == (["6"], [], [])


def test_a_call_is_delayed_only_if_nothing_else_becomes_of_it() -> None:
    """A needless edge delays; what then goes wrong in a delayed call is another error's."""
    seen = examine(1, wait("3", "7"), put("5", "step", "150"))
    assert types(seen) == ["Parallelism_Error 3", "Type_Error 5"]
    assert reach(seen, 0) == ([], [], ["3", "4", "5", "6"])
    assert reach(seen, 1) == ([], ["5", "6"], [])


def test_the_fault_of_a_missing_call_reaches_who_reads_its_effect() -> None:
    seen = examine(2, gone("3"))
    assert types(seen) == ["Toolcall_Missing 4"]
    assert reach(seen) == (["4"], ["5", "6"], [])
    assert NOTE in str(seen.start.ledger.attempts("4")[0].result)
