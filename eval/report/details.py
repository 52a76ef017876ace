"""All that the page shows of one instance, and of one row."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from environment.executor import Start
from environment.ledger import Ledger
from eval.checks.case import Case
from eval.checks.changes import Change
from eval.derive import Scored
from eval.report import marks
from eval.report.layout import layout
from eval.results import Row
from eval.rubric import CHECKS, ScoreRow
from eval.scoring import ITEM_METRICS
from models.reading import Answer, read_answer
from trajectory.calls import call_outcome
from trajectory.graph import dag_problems
from trajectory.plan import Plan, Problem

Record = dict[str, Any]

# Texts longer than this are cut, with a word of it: one broken answer must not stop the page.
LONGEST: Final = 200_000
_DIGITS: Final = 4


def instance_detail(case: Case, tools: Sequence[int]) -> Record:
    """Return what is shown of an instance. tools: their numbers in the page's list of tools."""
    one = case.instance
    return {
        "id": one.id,
        "level": one.level,
        "source": one.source,
        "agent": one.agent,
        "task": one.query_id,
        "query": one.query,
        "tools": list(tools),
        "plan": _drawn(case.plan, marks.before(one, case.plan, case.ledger)),
        "rounds": _rounds(case.start),
        "errors": [_error(error) for error in one.errors or ()],
        "reason": one.error_reason,
        "repairs": one.repairs or [],
        "figures": {
            "rounds_gt": one.rounds_gt,
            "calls_gt": one.calls_gt,
            "rounds_opt": one.rounds_opt,
            "calls_opt": one.calls_opt,
        },
        "faults": one.faults or [],
        "proof": one.proof,
    }


def row_detail(case: Case, row: Row, scored: Scored, ratings: Iterable[ScoreRow]) -> Record:
    """Return what is shown of a row. ratings: of this row, by any rater."""
    answer = read_answer(row.raw_output)
    rated = list(ratings)
    claims: list[Any] = next(
        (one.raw.get("claims", []) for one in rated if one.rater == CHECKS), []
    )
    return {
        "sample": row.sample,
        "outcome": outcome(scored),
        "values": _values(scored),
        "notes": sorted(name for name, holds in scored.notes.items() if holds),
        "thought": _cut(answer.thought),
        "reasoning": _cut(answer.reasoning),
        "unread": _unread(row, answer),
        "diagnosis": [asdict(one) for one in answer.diagnosis],
        "claims": claims,
        "raters": [_rating(one) for one in rated],
        **_answered(case, row, answer),
        "raw": _cut(row.raw_output),
    }


def _unread(row: Row, answer: Answer) -> str | None:
    """Return why there is no plan, None where there is one; a run tells what a text cannot."""
    if row.gave_none and isinstance(row.raw.get("reason"), str):
        return _cut(row.raw["reason"])
    return answer.reason if answer.plan is None else None


def _values(scored: Scored) -> dict[str, float | None]:
    return {
        name: None if value is None else round(value, _DIGITS)
        for name, value in scored.values.items()
        if name not in ITEM_METRICS
    }


def outcome(scored: Scored) -> str:
    """Return how a row ended: invalid, verified, passed (but not verified) or failed."""
    if scored.outcome != "ok":
        return "invalid"
    if scored.values.get("verified_pass_at_1"):
        return "verified"
    return "passed" if scored.values.get("pass_at_1") else "failed"


def _answered(case: Case, row: Row, answer: Answer) -> Record:
    if answer.plan is None:
        return {"plan": None, "changes": [], "problems": [], "rounds": [], "made": None}
    change = Change(case.plan, answer.plan, case.ledger)
    ledger, rounds = _ledger_after(case, row), row.rounds or []
    marked = marks.after(change, ledger, answered=any(one["response"] for one in rounds))
    return {
        "plan": _drawn(answer.plan, marked),
        "changes": marks.told(change),
        "problems": [_told(problem) for problem in dag_problems(answer.plan)],
        "made": None if row.rounds is None else [case.start.rounds + len(rounds), len(ledger)],
        "rounds": [
            {
                "round": one["round"],
                "answer": None if one.get("answer") is None else _cut(one["answer"]),
                "calls": [_recorded(call) for call in one["calls"]],
                "response": one["response"],
            }
            for one in rounds
        ],
    }


def _told(problem: Problem) -> str:
    where = "" if problem.node is None else f"node {problem.node}: "
    return _cut(f"{where}{problem.detail}")


def _ledger_after(case: Case, row: Row) -> Ledger:
    ledger = Ledger(case.ledger)
    for one in row.rounds or ():
        for call in one["calls"]:
            node, result = call.get("node") or "", call.get("results")
            ledger.record(node, call["name"], call.get("arguments"), one["round"], result)
    return ledger


def _drawn(plan: Plan, marked: marks.Marks) -> Record:
    """Return a plan with places, marks, and what each node is; what it did stands in the rounds."""
    placed = layout(plan)
    nodes = [
        {
            "id": node.id,
            "name": node.name or "",
            "para": node.para,
            "dep": list(node.dep),
            "status": node.status,
            "marks": marked[node.id],
        }
        for node in plan.by_id.values()
        if node.id in placed.places
    ]
    return {"nodes": nodes, **placed.to_record()}


def _rounds(start: Start) -> list[list[Record]]:
    """Return the calls of each round before the snapshot."""
    rounds: dict[int, list[Record]] = {}
    for entry in start.ledger:
        rounds.setdefault(entry.round, []).append(
            _call(entry.node, entry.tool, entry.arguments, entry.result)
        )
    return [rounds.get(number, []) for number in range(1, start.rounds + 1)]


def _recorded(call: Mapping[str, Any]) -> Record:
    return _call(call.get("node"), call["name"], call.get("arguments"), call.get("results"))


def _call(node: str | None, name: str, arguments: Any, result: Any) -> Record:
    return {
        "node": node,
        "name": name,
        "arguments": arguments,
        "outcome": call_outcome(result),
        "result": result,
    }


_TOLD: Final = (
    *("type", "root_cause", "visible", "round", "field", "parameter", "expected", "observed"),
    *("affected_now", "affected_later", "delayed"),
)


def _error(error: Mapping[str, Any]) -> Record:
    return {name: error[name] for name in _TOLD if error.get(name) is not None}


def _rating(one: ScoreRow) -> Record:
    return {
        "rater": one.rater,
        "repeat": one.repeat,
        "items": one.items,
        "reasons": one.reasons,
    }


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]} … (cut; {len(text)} characters in all)"
