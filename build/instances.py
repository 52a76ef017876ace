"""The instance that an examined trajectory makes."""

from build.dataset import BUTTON_EDITION, CANARY, EDITION
from build.gold import Gold
from build.reasons import reason
from diagnosis.examination import Examination
from environment.replay import RECORDED
from trajectory.calls import write_calls
from trajectory.instance import Instance
from trajectory.plan import write_plan


def instance_of(
    gold: Gold, seen: Examination, *, level: int, source: str, agent: str = ""
) -> Instance:
    """Return the instance of an examination of a task's trajectory, its id still open."""
    snapshot, errors = seen.start.snapshot, seen.errors
    optimum = (None, None) if seen.found is None else seen.found.optimum or (None, None)
    purposes = {"purposes": dict(seen.purposes)} if seen.purposes else {}
    is_recorded = RECORDED in gold.origin
    return Instance(
        id="",
        level=level,
        source=source,
        agent=agent,
        edition=BUTTON_EDITION if is_recorded else EDITION,
        query_id=gold.id,
        query=gold.query,
        tools=gold.tools,
        plan=write_plan(snapshot.plan),
        tool_results=write_calls(snapshot.tool_results),
        history=[write_calls(calls) for calls in snapshot.history],
        rounds_gt=gold.rounds_gt,
        calls_gt=gold.calls_gt,
        rounds_opt=optimum[0],
        calls_opt=optimum[1],
        error_types=tuple(sorted({one.type.value for one in seen.labels})),
        error_reason=reason(errors),
        errors=errors,
        repairs=[[dict(edit) for edit in repair] for repair in seen.repairs],
        gold_plan={**write_plan(seen.gold), **purposes},
        goal=gold.goal,
        faults=[fault.to_row() for fault in seen.faults],
        environment=dict(gold.origin),
        proof="structural" if is_recorded else "full",
        canary=CANARY,
    )
