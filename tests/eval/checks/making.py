"""Answers for the tests of the checks."""

from collections.abc import Sequence

from diagnosis.edits import apply_edits
from eval.checks import Case, Checked, checked
from eval.planners import PLANNERS
from models.reading import Diagnosis, write_answer
from trajectory.instance import Instance, view
from trajectory.plan import Plan, read_plan


def mended(instance: Instance) -> Plan:
    """Return the plan after the first listed repair."""
    return apply_edits(read_plan(instance.plan), instance.repairs[0])


def judged(
    one: Instance | Case,
    thought: str,
    plan: Plan | None = None,
    diagnosis: Sequence[Diagnosis] = (),
) -> Checked:
    """Return what the checks say of a thought; plan: None: the mended one."""
    instance = one.instance if isinstance(one, Case) else one
    return checked(one, write_answer(thought, diagnosis, plan or mended(instance)))


def by(name: str, case: Case) -> Checked:
    """Return what the checks say of a scripted planner's first answer."""
    text = PLANNERS[name](case.instance).answer(view(case.instance), 0)
    return checked(case, text or "")
