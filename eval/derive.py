"""What a row is worth: everything scored, derived from raw_output, rounds and state alone.

Definitions are those of metrics.md, "Without a judge". A value that cannot be known (the release
without reference rounds, a goal without a proof) is None: unscored, never 0.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal

from environment import opening
from environment.executor import MAX_ROUNDS, Execution, Start, execute
from environment.goal import Attempts, reached
from environment.ledger import Entry, Ledger
from eval.results import Row
from models.reading import Answer, read_answer
from trajectory import canonical
from trajectory.calls import call_outcome, read_calls
from trajectory.graph import dag_problems, topology
from trajectory.instance import Instance
from trajectory.plan import RESPONSE, ROOT, Node, Plan

Outcome = Literal["ok", "model_invalid"]

# Calls after the snapshot that verified still allows: this many times calls_gt, and so many more.
_CALLS_FACTOR, _CALLS_MORE = 3, 10


@dataclass(frozen=True)
class Case:
    """An instance, with what every row of it is held against."""

    instance: Instance

    @cached_property
    def start(self) -> Start:
        """Where every execution of it begins."""
        return opening.start(self.instance)

    @cached_property
    def broken_input(self) -> bool:
        """Whether the plan that is shown breaks a DAG rule already."""
        return bool(dag_problems(self.start.snapshot.plan))

    @property
    def proven(self) -> bool:
        """Whether its goal is known, so that right can be told from wrong."""
        return self.instance.proof in ("full", "structural") and bool(self.instance.goal)

    @property
    def located(self) -> bool:
        """Whether the root causes of its errors are known."""
        return any(error.get("root_cause") is not None for error in self.instance.errors)


@dataclass(frozen=True)
class Scored:
    """A row's values by the name of their metric; None: unscored.

    static: whether the executor carried the answer on unchanged, because the row has no rounds.
    notes: what is reported apart of the invalid-DAG rate, and slips.
    """

    id: str
    sample: int
    outcome: Outcome
    static: bool
    values: Mapping[str, float | None]
    notes: Mapping[str, bool] = field(default_factory=dict)


NOTES: Final = (
    "inherited",
    "no_response",
    "response_unreachable",
    "executed_dropped",
    "executed_altered",
    "status_slips",
)


def derive(row: Row, case: Case, *, recovers: bool = False) -> Scored:
    """Return what a row is worth.

    recovers: whether the run carries its rows on, so that an answer without a plan failed at
    that too. Raises InputError where its rounds cannot follow the instance's snapshot.
    """
    answer = read_answer(row.raw_output)
    if answer.plan is None:
        return Scored(row.id, row.sample, "model_invalid", not recovers, _nothing(case))
    end = _recorded(row, answer, case) if row.rounds is not None else _carried_on(answer, case)
    broken = bool(dag_problems(answer.plan))
    values = {
        "invalid_dag": float(broken),
        **_efficacy(end, case),
        **_localisation(answer, case),
    }
    if case.instance.edition == "release":
        values["e5_as_published"] = _as_published(end, answer.plan, case)
    notes = _notes(answer.plan, case, broken=broken)
    return Scored(row.id, row.sample, "ok", row.rounds is None, values, notes)


@dataclass(frozen=True)
class _End:
    """How a trajectory ended. state: None where there is none or it was not told."""

    passed: bool
    plan: Plan
    ledger: Attempts
    rounds: int
    rounds_after: int
    calls: int
    calls_after: int
    state: str | None


def _recorded(row: Row, answer: Answer, case: Case) -> _End:
    """Read the end off the recorded rounds."""
    rounds = row.rounds or []
    before = case.start.rounds
    if rounds[0]["round"] != before + 1:
        raise row.wrong(
            "rounds don't follow the snapshot", got=rounds[0]["round"], wanted=before + 1
        )
    calls = [(one["round"], call) for one in rounds for call in one["calls"]]
    total, ran = before + len(rounds), len(case.start.ledger)
    return _End(
        passed=bool(rounds[-1]["response"]) and total <= MAX_ROUNDS,
        plan=_last_plan(answer, rounds),
        ledger=_Recorded(case.start.ledger, calls),
        rounds=total,
        rounds_after=len(rounds),
        calls=ran + len(calls),
        calls_after=len(calls),
        state=row.state,
    )


class _Recorded:
    """The last attempts of a recorded trajectory; only those that are asked for are read."""

    def __init__(self, before: Ledger, calls: Iterable[tuple[int, Mapping[str, Any]]]) -> None:
        self._before = before
        self._last = {call.get("node"): (number, call) for number, call in calls}

    def last(self, node: str) -> Entry | None:
        """Return the last attempt of a node, or None."""
        if node not in self._last:
            return self._before.last(node)
        number, raw = self._last[node]
        (call,) = read_calls([raw])
        attempt = len(self._before.attempts(node)) + 1
        outcome = call_outcome(call.results)
        return Entry(node, call.name, call.arguments, number, attempt, outcome, call.results)


def _last_plan(answer: Answer, rounds: Sequence[Mapping[str, Any]]) -> Plan:
    """Return the last plan that could be read; the executor went on with that one."""
    for one in reversed(rounds):
        if one.get("answer") is not None:
            plan = read_answer(one["answer"]).plan
            if plan is not None:
                return plan
    if answer.plan is None:
        raise ValueError("an answer without a plan has no rounds")
    return answer.plan


def _carried_on(answer: Answer, case: Case) -> _End:
    """Let the executor carry an answer on unchanged."""
    environment = opening.environment(case.instance, case.start)
    plans = iter((answer.plan,))
    run = execute(case.start, lambda _: next(plans, None), environment)
    return end_of(run, environment.digest())


def end_of(run: Execution, state: str | None) -> _End:
    """Return the end of an execution."""
    return _End(
        run.completed,
        run.plan,
        run.ledger,
        run.total_rounds,
        run.r_exec,
        len(run.ledger),
        run.calls_after,
        state,
    )


EFFICACY: Final = (
    "pass_at_1",
    "verified_pass_at_1",
    "e5",
    "verified_e5",
    "tool_efficiency",
    "verified_tool_efficiency",
)


def _efficacy(end: _End, case: Case) -> dict[str, float | None]:
    one = case.instance
    verified = _verified(end, case)
    calls = end.calls
    return {
        "pass_at_1": float(end.passed),
        "verified_pass_at_1": None if verified is None else float(verified),
        "e5": _share(end.passed, one.rounds_gt, end.rounds),
        "verified_e5": _share(verified, one.rounds_opt, end.rounds),
        "tool_efficiency": _share(end.passed, one.calls_gt, calls),
        "verified_tool_efficiency": _share(verified, one.calls_opt, calls),
    }


def _verified(end: _End, case: Case) -> bool | None:
    """Say whether the goal was reached, None where it is not known."""
    if not case.proven:
        return None
    most = _CALLS_FACTOR * (case.instance.calls_gt or 0) + _CALLS_MORE
    if not end.passed or end.calls_after > most or end.state is None:
        return False
    return reached(case.instance.goal, end.plan, end.ledger, end.state)


def _share(passed: bool | None, optimum: int | None, used: int) -> float | None:
    """Return optimum / used, at most 1; 0 when not passed; None where either is not known."""
    if passed is None or optimum is None:
        return None
    return min(1.0, optimum / used) if passed and used else float(passed)


def _as_published(end: _End, plan: Plan, case: Case) -> float | None:
    """E5 with r_pre counted as the release's own script does: layers of the answer's done nodes."""
    done = {node.id for node in plan if node.status and node.is_call}
    depth = topology(plan).depths()
    layers = len({depth[node] for node in done if node in depth})
    return _share(end.passed, case.instance.rounds_gt, layers + end.rounds_after)


def _nothing(case: Case) -> dict[str, float | None]:
    """Return the values of an answer in which no plan could be read."""
    one = case.instance
    known = {
        "verified_pass_at_1": case.proven,
        "e5": one.rounds_gt is not None,
        "verified_e5": case.proven and one.rounds_opt is not None,
        "tool_efficiency": one.calls_gt is not None,
        "verified_tool_efficiency": case.proven and one.calls_opt is not None,
    }
    values: dict[str, float | None] = {"invalid_dag": 1.0}
    values |= {name: 0.0 if known.get(name, True) else None for name in EFFICACY}
    values |= dict.fromkeys(LOCALISATION, 0.0 if case.located else None)
    if one.edition == "release":
        values["e5_as_published"] = values["e5"]
    return values


LOCALISATION: Final = (
    "node_exact",
    "node_precision",
    "node_recall",
    "node_f1",
    "type_f1",
    "joint_f1",
)


def _localisation(answer: Answer, case: Case) -> dict[str, float | None]:
    named = [(one.node, one.type) for one in answer.diagnosis]
    return localisation(named, case.instance)


def localisation(named: Iterable[tuple[str, str]], instance: Instance) -> dict[str, float | None]:
    """Return how well (node, type) pairs name the errors of an instance; sets, order is nothing.

    None where its root causes are not known. Two empty sets agree; a ratio without a
    denominator is 0.
    """
    pairs = set(named)
    truth = {(error["root_cause"], error["type"]) for error in instance.errors}
    if any(error.get("root_cause") is None for error in instance.errors) or not truth:
        return dict.fromkeys(LOCALISATION)
    nodes, true_nodes = {node for node, _ in pairs}, {node for node, _ in truth}
    hits = len(nodes & true_nodes)
    return {
        "node_exact": float(nodes == true_nodes),
        "node_precision": hits / len(nodes) if nodes else 0.0,
        "node_recall": hits / len(true_nodes),
        "node_f1": _f1(nodes, true_nodes),
        "type_f1": _f1({kind for _, kind in pairs}, {kind for _, kind in truth}),
        "joint_f1": _f1(pairs, truth),
    }


def _f1(named: set[Any], truth: set[Any]) -> float:
    return 2 * len(named & truth) / (len(named) + len(truth))


def _notes(plan: Plan, case: Case, *, broken: bool) -> dict[str, bool]:
    shown, ledger = case.start.snapshot.plan, case.start.ledger
    found = topology(plan)
    ran = [node for node in shown if node.id in ledger]
    kept = plan.by_id
    return {
        "inherited": broken and case.broken_input,
        "no_response": plan.response is None,
        "response_unreachable": RESPONSE in found.stuck,
        "executed_dropped": any(node.id not in kept for node in ran),
        "executed_altered": any(_altered(node, kept[node.id]) for node in ran if node.id in kept),
        "status_slips": any(_slips(node, shown, ledger) for node in plan if node.id != ROOT),
    }


def _altered(old: Node, new: Node) -> bool:
    same_dep = frozenset(old.dep) - {ROOT} == frozenset(new.dep) - {ROOT}
    return old.name != new.name or not same_dep or not canonical.same(old.para, new.para)


def _slips(node: Node, shown: Plan, ledger: Ledger) -> bool:
    """Say whether a status contradicts what happened: done without an entry, or the response."""
    if node.id == RESPONSE:
        return node.status
    return node.status and node.is_call and node.id not in ledger
