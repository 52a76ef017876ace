"""One answer under all 13 rules; no model is asked, nothing looked up outside the instance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from eval.checks import evidence, evolution, impact, intentions, root_cause, structural
from eval.checks.account import Account
from eval.checks.case import Case
from eval.checks.changes import Change
from eval.checks.evolution import Measure
from eval.checks.mentions import Text, names_of
from eval.checks.reading import Claim, Reading
from eval.checks.shown import Shown
from eval.checks.structural import Verdict
from eval.results import Row
from eval.rubric import ITEMS
from models.reading import Answer, read_answer
from trajectory.instance import Instance
from trajectory.plan import Plan

__all__ = ["Case", "Checked", "checked"]


@dataclass(frozen=True)
class Checked:
    """What the checks say of one answer.

    items: 0, 0.5 or 1 by item; None: unscored, as no truth is at hand. claims: what the thought
    states, with verdicts; places are characters of the thought. reasons: a line by item.
    """

    items: Mapping[str, float | None]
    claims: Sequence[Claim] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)


def checked(one: Case | Instance, answer_text: str, row: Row | None = None) -> Checked:
    """Score an answer to an instance.

    row: what was recorded of the answer's course, which then is not executed again. Raises
    InputError where the installed worlds are not those of the instance.
    """
    case = one if isinstance(one, Case) else Case(one)
    if not case.known:
        return Checked(dict.fromkeys(ITEMS), (), dict.fromkeys(ITEMS, "no ground truth"))
    answer = read_answer(answer_text)
    if answer.plan is None or (row is not None and row.gave_none):
        reason = answer.reason or "no answer"
        return Checked(dict.fromkeys(ITEMS, 0.0), (), dict.fromkeys(ITEMS, reason))
    return _of_plan(case, answer, answer.plan, row)


def _of_plan(case: Case, answer: Answer, plan: Plan, row: Row | None) -> Checked:
    change = Change(case.plan, plan, case.ledger)
    text = Text(answer.thought, names_of(case, plan))
    reading = Reading(text, Shown(case, plan))
    account = Account(case, reading, answer.diagnosis)
    measure = Measure(case, change)
    courses = case.courses(plan, row)
    false = root_cause.false_causes(account)
    cause = root_cause.root_cause(account, false)
    verdicts: dict[str, Verdict] = {
        "S1": intentions.consistency(reading, change),
        "S2": structural.dependencies(case, change),
        "S3": structural.legality(case, change),
        "S4": structural.statuses(case, change),
        "D1": evidence.plan_evidence(account),
        "D2": evidence.tool_evidence(account),
        "D3": cause,
        "D4": impact.impact(account),
        "D5": evidence.restraint(account, cause[0], false),
        "E1": evolution.minimal(measure),
        "E2": evolution.closed_loop(case, courses),
        "E3": evolution.goal_kept(case, courses),
        "E4": evolution.necessary(measure, courses),
    }
    items: dict[str, float | None] = {name: score for name, (score, _) in verdicts.items()}
    return Checked(items, account.all_claims, {name: why for name, (_, why) in verdicts.items()})
