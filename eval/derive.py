"""What a row is worth: read from raw_output, rounds and state, and from nothing else it claims."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal

from environment import opening
from environment.executor import Execution, Start, execute
from environment.ledger import Entry, Ledger
from eval import metrics
from eval.metrics import End
from eval.results import Row
from models.reading import Answer, read_answer
from trajectory.calls import call_outcome
from trajectory.graph import dag_problems
from trajectory.instance import Instance
from trajectory.plan import Plan

Outcome = Literal["ok", "model_invalid"]

# Fields of an instance that nothing looks at where a row tells its rounds; large ones.
UNREAD: Final = frozenset(
    ("query", "tools", "error_reason", "repairs", "gold_plan", "faults", "environment")
)


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

    @cached_property
    def unknown(self) -> frozenset[str]:
        """The metrics that cannot be known of it."""
        return metrics.unknown(self.instance)


@dataclass(frozen=True)
class Scored:
    """A row's values by the name of their metric; None: unscored.

    static: whether the executor carried the answer on unchanged, because the row has no rounds.
    notes: which of `metrics.NOTES` are true of it. bounds: of each of `metrics.RUBRIC` that it
    has, the least and the most it can be, whatever is unscored.
    """

    id: str
    sample: int
    outcome: Outcome
    static: bool
    values: Mapping[str, float | None]
    notes: Mapping[str, bool] = field(default_factory=dict)
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)


def derive(row: Row, case: Case, *, recovers: bool = False) -> Scored:
    """Return what a row is worth.

    recovers: whether the run carries its rows on, so that an answer without a plan failed at
    that too. Raises InputError where its rounds cannot follow the instance's snapshot.
    """
    answer = read_answer(row.raw_output)
    if answer.plan is None or row.gave_none:
        worst = _masked(metrics.failure(case.instance), case)
        return Scored(row.id, row.sample, "model_invalid", not recovers, worst)
    end = _recorded(row, answer.plan, case) if row.rounds else _carried_on(answer.plan, case)
    broken = bool(dag_problems(answer.plan))
    noted = {
        "inherited": broken and case.broken_input,
        **metrics.notes(answer.plan, case.start, end),
    }
    values = _masked(_values(answer, answer.plan, end, case, broken=broken), case)
    return Scored(row.id, row.sample, "ok", row.rounds is None, values, noted)


def _masked(values: Mapping[str, float], case: Case) -> dict[str, float | None]:
    return {**values, **dict.fromkeys(case.unknown)}


def _values(answer: Answer, plan: Plan, end: End, case: Case, *, broken: bool) -> dict[str, float]:
    one = case.instance
    named = [(each.node, each.type) for each in answer.diagnosis]
    wanted = frozenset(metrics.applicable(one)) - case.unknown
    values = {metrics.INVALID_DAG: float(broken), **metrics.efficacy(end, one)}
    if metrics.AS_PUBLISHED in wanted:
        values[metrics.AS_PUBLISHED] = metrics.e5_as_published(end, plan, one)
    if metrics.FALSE_ALARM in wanted:
        shown = case.start.snapshot.plan
        values[metrics.FALSE_ALARM] = metrics.false_alarm(shown, plan, diagnosed=bool(named))
    if wanted.issuperset(metrics.LOCALISATION):
        values |= metrics.localisation(named, one.errors)
    return values


# --- how its trajectory ended ----------------------------------------------------------------


def _recorded(row: Row, first: Plan, case: Case) -> End:
    """Read the end off the recorded rounds."""
    rounds = row.rounds or []
    before = case.start.rounds
    if rounds[0]["round"] != before + 1:
        raise row.wrong(
            "rounds don't follow the snapshot", got=rounds[0]["round"], wanted=before + 1
        )
    calls = [(one["round"], call) for one in rounds for call in one["calls"]]
    total = before + len(rounds)
    attempts = _Recorded(case.start.ledger, calls)
    return End(
        passed=metrics.passes(rounds[-1]["response"], total),
        rounds=total,
        rounds_after=len(rounds),
        calls=len(case.start.ledger) + len(calls),
        calls_after=len(calls),
        ran_after=attempts.nodes,
        attempts=attempts,
        state=row.state,
        plan=lambda: _last_plan(first, rounds),
    )


class _Recorded:
    """The last attempts of a recorded trajectory; only those that are asked for are read."""

    def __init__(self, before: Ledger, calls: Iterable[tuple[int, Mapping[str, Any]]]) -> None:
        self._before = before
        self._last: dict[str, tuple[int, Mapping[str, Any]]] = {}
        for number, call in calls:
            node = call.get("node")
            if isinstance(node, str):
                self._last[node] = number, call

    @property
    def nodes(self) -> frozenset[str]:
        """The nodes that made the recorded calls."""
        return frozenset(self._last)

    def last(self, node: str) -> Entry | None:
        """Return the last attempt of a node, or None."""
        if node not in self._last:
            return self._before.last(node)
        number, call = self._last[node]
        attempt = len(self._before.attempts(node)) + 1
        result = call.get("results")
        outcome = call_outcome(result)
        return Entry(node, call["name"], call.get("arguments"), number, attempt, outcome, result)


def _last_plan(first: Plan, rounds: Sequence[Mapping[str, Any]]) -> Plan:
    """Return the last plan that could be read; the executor went on with that one."""
    # The first answer stands before the first round.
    for one in reversed(rounds[1:]):
        if one.get("answer") is not None:
            plan = read_answer(one["answer"]).plan
            if plan is not None:
                return plan
    return first


def _carried_on(plan: Plan, case: Case) -> End:
    """Let the executor carry an answer on unchanged."""
    environment = opening.environment(case.instance, case.start)
    plans = iter((plan,))
    run = execute(case.start, lambda _: next(plans, None), environment)
    return end_of(run, environment.digest())


def end_of(run: Execution, state: str | None) -> End:
    """Return the end of an execution; state: the environment's digest."""
    return End(
        passed=run.completed,
        rounds=run.total_rounds,
        rounds_after=run.r_exec,
        calls=len(run.ledger),
        calls_after=run.calls_after,
        ran_after=frozenset(entry.node for one in run.rounds for entry in one.entries),
        attempts=run.ledger,
        state=state,
        plan=lambda: run.plan,
    )
