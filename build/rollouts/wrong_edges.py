"""Habits with order: edges forgotten, put to the wrong place, or not needed."""

from build.rollouts.desk import Desk
from trajectory.error_types import ErrorType
from trajectory.plan import RESPONSE


def forgotten_edge(desk: Desk) -> bool:
    """Let a call wait for less than it needs: often for nothing at all."""
    places = [(node.id, dep) for node in desk.fitting() for dep in _own(desk, node.id)]
    if not places:
        return False
    node, gone = desk.rng.choice(places)
    kept = [dep for dep in desk.draft.deps(node) if dep != gone]
    desk.draft.set_deps(node, kept if desk.rng.random() < 0.6 else ())
    return desk.slip(ErrorType.DEPENDENCE_NULL, node, gone)


def too_early(desk: Desk) -> bool:
    """Let a call wait for what its producer waits for, so that both run side by side."""
    places = [
        (node.id, dep)
        for node in desk.fitting()
        for dep in _own(desk, node.id)
        if desk.draft.deps(dep)
        and all(desk.draft.depth(o) < desk.draft.depth(dep) for o in _others(desk, node.id, dep))
    ]
    if not places:
        return False
    node, gone = desk.rng.choice(places)
    others = _others(desk, node, gone)
    behind = {one for other in others for one in desk.draft.above(other)}
    instead = [dep for dep in desk.draft.deps(gone) if dep not in behind and dep not in others]
    if not instead:
        return False
    desk.draft.set_deps(node, (*others, *instead))
    return desk.slip(ErrorType.SERIAL, node, gone)


def wrong_edge(desk: Desk) -> bool:
    """Let a call wait for another one instead of its producer."""
    places = [
        (node.id, dep, other)
        for node in desk.fitting()
        for dep in _own(desk, node.id)
        for other in desk.draft.nodes
        if _is_elsewhere(desk, node.id, dep, other)
    ]
    if not places:
        return False
    node, gone, other = desk.rng.choice(places)
    desk.draft.set_deps(node, (*_others(desk, node, gone), other))
    return desk.slip(ErrorType.DEPENDENCE, node, gone)


def _is_elsewhere(desk: Desk, node: str, dep: str, other: str) -> bool:
    """Say whether a call has nothing to do with either end of an edge."""
    draft = desk.draft
    above = draft.above(node)
    return other not in {node, dep, *above} and node not in draft.above(other)


def chained(desk: Desk) -> bool:
    """Let a call wait for another one that it has nothing to do with."""
    draft, nodes = desk.draft, desk.fitting()
    places = [
        (node.id, other.id)
        for node in nodes
        for other in draft.nodes.values()
        if other.id not in draft.attempts
        and other.id in draft.made_for
        and _is_elsewhere(desk, node.id, node.id, other.id)
        and draft.depth(other.id) >= draft.depth(node.id)
    ]
    if not places:
        return False
    # Most often what comes of a line is that the answer comes later.
    late = [one for one in places if _delays(desk, *one)]
    node, before = desk.rng.choice(late if late and desk.rng.random() < 0.9 else places)
    draft.set_deps(node, (*draft.deps(node), before))
    return desk.slip(ErrorType.PARALLELISM, node, before)


def _delays(desk: Desk, node: str, before: str) -> bool:
    """Say whether the whole plan takes longer where a call waits for another one."""
    draft = desk.draft
    longest = max(map(draft.depth, draft.nodes))
    behind = max([draft.depth(node), *map(draft.depth, draft.below(node))]) - draft.depth(node)
    return draft.depth(before) + 1 + behind > longest


def _own(desk: Desk, node: str) -> list[str]:
    """Return the deps that no other dep stands behind."""
    return [dep for dep in desk.draft.deps(node) if not _is_behind(desk, node, dep)]


def _is_behind(desk: Desk, node: str, dep: str) -> bool:
    return any(dep in desk.draft.above(other) for other in _others(desk, node, dep))


def _others(desk: Desk, node: str, dep: str) -> list[str]:
    return [other for other in desk.draft.deps(node) if other != dep]


def hasty_answer(desk: Desk) -> bool:
    """Let the response wait for all but the last of what it needs."""
    waits = sorted(desk.draft.waits, key=desk.draft.depth)
    if len(waits) < 2 or RESPONSE in desk.shaken or waits[-1] in desk.shaken:
        return False
    gone = waits[-1]
    if desk.draft.depth(gone) == desk.draft.depth(waits[-2]):
        return False
    desk.draft.set_deps(RESPONSE, _others(desk, RESPONSE, gone))
    return desk.slip(ErrorType.DEPENDENCE_NULL, RESPONSE, gone)
