"""Reactions: what a planner does about calls that failed, well or badly, and on second thoughts."""

from collections.abc import Callable, Mapping
from typing import Final

from build.rollouts.desk import Desk, Slip
from build.rollouts.planning import MOST_TRIES, is_outage, mend_call, retried
from trajectory.error_types import ErrorType
from trajectory.plan import RESPONSE

_OUTAGES: Final = frozenset((ErrorType.TIMEOUT, ErrorType.NULL))

Reaction = Callable[[Desk, str], None]
Chances = Mapping[str, float]


def react(desk: Desk, node: str, after_outage: Chances, after_error: Chances) -> None:
    """Do something about a failed call, drawn by these chances."""
    outage = is_outage(desk.draft.failed[node]) and all(s.type in _OUTAGES for s in desk.at(node))
    chances = after_outage if outage else after_error
    table = AFTER_OUTAGE if outage else AFTER_ERROR
    table[desk.rng.choices(list(chances), list(chances.values()))[0]](desk, node)


def ignore(desk: Desk, node: str) -> None:
    """Go on as if nothing had happened."""


# --- a tool did not answer --------------------------------------------------------------------


def _tries(desk: Desk, node: str) -> int:
    step = desk.draft.made_for[node]
    return sum(other == step for other in desk.draft.made_for.values())


def retry(desk: Desk, node: str) -> None:
    """Try the same call again, as it should be done."""
    if _tries(desk, node) < MOST_TRIES:
        retried(desk.draft, node)
        desk.settle(node, of=_OUTAGES)


def retry_beside(desk: Desk, node: str) -> None:
    """Try again, but let the new call hang on what the failed one waited for."""
    if _tries(desk, node) < MOST_TRIES:
        new = retried(desk.draft, node, f"{node}_2")
        desk.draft.set_deps(new, desk.draft.nodes[node].dep)
        desk.settle(node, of=_OUTAGES)


def retry_in_a_row(desk: Desk, node: str) -> None:
    """Plan two or three further attempts ahead, one behind the other."""
    retry(desk, node)
    new = desk.draft.newest(desk.draft.made_for[node])
    if new is None or new == node:
        return
    for _ in range(desk.rng.choice((1, 1, 2))):
        known = desk.draft.nodes[new]
        takers = desk.draft.takers(new)
        spare = desk.draft.add(desk.draft.free_id(), known.name or "", known.para, (new,))
        for taker in takers:
            desk.draft.move(taker, new, spare)
        desk.spares[new] = spare
        desk.slip(ErrorType.REDUNDANT_CALL, spare, new)
        new = spare


def retry_at_once(desk: Desk, node: str) -> None:
    """Send two copies of the call in parallel."""
    retry(desk, node)
    new = desk.draft.newest(desk.draft.made_for[node])
    if new is not None and new != node:
        known = desk.draft.nodes[new]
        copy = desk.draft.add(desk.draft.free_id(), known.name or "", known.para, (node,))
        taker = desk.rng.choice(desk.draft.takers(new) or [RESPONSE])
        desk.draft.set_deps(taker, (*desk.draft.deps(taker), copy))
        desk.slip(ErrorType.REDUNDANT_CALL, copy, new)


def retry_by_another_name(desk: Desk, node: str) -> None:
    """Try again under a name that says so, and that no tool has."""
    retry(desk, node)
    new = desk.draft.newest(desk.draft.made_for[node])
    if new is not None and new != node:
        name = f"{desk.draft.nodes[new].name}_retry"
        desk.draft.set_call(new, name=name)
        desk.slip(ErrorType.TOOL_NAME, new)


def retry_unheard(desk: Desk, node: str) -> None:
    """Try again, while one who needs the result goes on waiting for the failed call."""
    takers = [
        taker
        for taker in desk.draft.takers(node)
        if taker not in desk.shaken and taker not in desk.draft.attempts
    ]
    if not takers:
        retry(desk, node)
        return
    taker = desk.rng.choice(takers)
    known = desk.draft.nodes.get(taker)
    deps = desk.draft.deps(taker)
    retry(desk, node)
    new = desk.draft.newest(desk.draft.made_for[node])
    if new is None or new == node:
        return
    moved = desk.draft.nodes.get(taker)
    desk.draft.set_deps(taker, deps)
    if known is not None and moved is not None and desk.rng.random() < 0.7:
        desk.draft.set_call(taker, para=known.para)
    desk.slip(ErrorType.DEPENDENCE, taker, new)


AFTER_OUTAGE: Final[Mapping[str, Reaction]] = {
    "ignore": ignore,
    "retry": retry,
    "beside": retry_beside,
    "in_a_row": retry_in_a_row,
    "at_once": retry_at_once,
    "another_name": retry_by_another_name,
    "unheard": retry_unheard,
}


# --- a call was wrong -------------------------------------------------------------------------


def mend_in_place(desk: Desk, node: str) -> None:
    """Put the call right and let it run again; where nothing is wrong with it, look above."""
    slips = desk.at(node)
    if slips:
        mend_call(desk.draft, node)
        desk.draft.rerun(node)
        desk.settle(node)
        return
    above = {node, *desk.draft.above(node)}
    for slip in [one for one in desk.slips if one.node in above]:
        mend(desk, slip)


def _is_misnamed(slips: list[Slip]) -> bool:
    return any(one.type in (ErrorType.TOOL_NAME, ErrorType.TOOL_SELECT) for one in slips)


def mend_anew(desk: Desk, node: str) -> None:
    """Make a right call behind the one that failed; a wrong tool is changed where it stands."""
    slips = desk.at(node)
    if slips and not _is_misnamed(slips) and _tries(desk, node) < MOST_TRIES:
        new = retried(desk.draft, node)
        mend_call(desk.draft, new)
        desk.settle(node)
    else:
        mend_in_place(desk, node)


def same_again(desk: Desk, node: str) -> None:
    """Make the same wrong call once more: not of a tool that is none, or another one."""
    slips = desk.at(node)
    if slips and not _is_misnamed(slips) and _tries(desk, node) < MOST_TRIES:
        new = retried(desk.draft, node)
        desk.settle(node)
        for slip in slips:
            desk.slip(slip.type, new)


AFTER_ERROR: Final[Mapping[str, Reaction]] = {
    "ignore": ignore,
    "in_place": mend_in_place,
    "anew": mend_anew,
    "same_again": same_again,
}


# --- second thoughts --------------------------------------------------------------------------


def mend(desk: Desk, slip: Slip) -> None:
    """Mend a slip that nothing has shown yet, or that was never planned."""
    if slip not in desk.slips:
        return
    if slip.type == ErrorType.MISSING_CALL:
        _plan_late(desk, slip.step)
    elif slip.type == ErrorType.REDUNDANT_CALL:
        desk.draft.remove(slip.node)
    elif slip.node == RESPONSE:
        taken = {dep for node in desk.draft.nodes.values() for dep in node.dep}
        desk.draft.set_deps(RESPONSE, [node for node in desk.draft.nodes if node not in taken])
    else:
        mend_call(desk.draft, slip.node)
        desk.draft.rerun(slip.node)
    desk.slips.remove(slip)


def _plan_late(desk: Desk, step: str) -> None:
    """Plan a call that was left out, and let those wait for it that need it."""
    draft = desk.draft
    new = draft.add(draft.free_id(), draft.steps[step].tool, {}, (), step)
    mend_call(draft, new)
    takers = [other for other, wanted in draft.steps.items() if step in wanted.after]
    for taker in filter(None, map(draft.newest, takers)):
        mend_call(draft, taker)
        draft.rerun(taker)
    if not takers:
        draft.set_deps(RESPONSE, (*draft.waits, new))
