from typing import Any

from diagnosis.affected import affected
from environment.executor import Execution
from environment.ledger import Ledger
from trajectory.plan import Node, Plan


def run(*calls: tuple[str, int, Any], pending: str = "") -> Execution:
    """An execution of calls (node, round, argument) whose result is their argument."""
    ledger = Ledger()
    for node, number, argument in calls:
        ledger.record(node, "find", {"x": argument}, number, {"x": argument})
    ids = dict.fromkeys([*(node for node, _, _ in calls), *pending.split()])
    plan = Plan((*(Node(id, "find") for id in ids), Node("response")))
    return Execution(0, (), "completed", plan, ledger, {})


GOLD = run(("1", 1, "a"), ("2", 2, "b"), ("3", 3, "c"))


def test_equal_executions_affect_nothing() -> None:
    assert not affected(GOLD, GOLD, {}, ["1"])


def test_a_difference_is_now_where_it_has_run_and_else_later() -> None:
    found = affected(GOLD, run(("1", 1, "x"), ("2", 2, "y"), ("3", 3, "c")), {}, ["1"])
    assert (found.now, found.later, found.delayed) == (("1",), ("2",), ())


def test_what_never_runs_is_affected_later() -> None:
    assert affected(GOLD, run(("1", 1, "a"), ("2", 2, "b"), pending="3"), {}, ["1"]).later == ("3",)


def test_what_only_runs_later_is_delayed() -> None:
    found = affected(GOLD, run(("1", 1, "a"), ("2", 3, "b"), ("3", 4, "x")), {}, ["1"])
    assert (found.now, found.later, found.delayed) == ((), ("3",), ("2",))


def test_a_needless_call_is_affected_itself() -> None:
    faulty = run(("1", 1, "a"), ("2", 2, "b"), ("3", 3, "c"), ("9", 1, "a"))
    assert affected(GOLD, faulty, {}, ["1", "9"]).now == ("9",)
    assert affected(GOLD, faulty, {}, ["1"]).later == ("9",)


def test_a_retry_shares_the_purpose_of_what_it_repeats() -> None:
    faulty = run(("1", 1, None), ("1b", 2, "a"), ("2", 3, "b"), ("3", 4, "c"))
    found = affected(GOLD, faulty, {"1b": "1"}, ["1"])
    assert (found.now, found.later, found.delayed) == ((), (), ("1b", "2", "3"))
    assert not affected(faulty, faulty, {"1b": "1"}, ["1"])
