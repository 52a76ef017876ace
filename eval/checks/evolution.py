"""E1c to E4c: the change itself: small, complete, true to the goal, necessary.

Each rule returns a score of 0, 0.5 or 1 and the reason in one line.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from environment.goal import missing
from environment.ledger import Entry
from eval.checks.case import Case, Course
from eval.checks.changes import ADDED, DROPPED, REMOVED, Change, Place, Places, is_structural
from eval.checks.structural import Verdict, listed
from trajectory import canonical
from trajectory.graph import topology

# More nodes than this that are changed without need are no slip but a rewrite.
_FEW = 2


@dataclass(frozen=True)
class Measure:
    """The places of an answer beside those of the nearest listed repair."""

    case: Case
    change: Change

    @cached_property
    def wanted(self) -> Places:
        """The places of the repair that is nearest: least beyond it, then most of it."""
        own = self.change.places
        repairs = [
            Change(self.case.plan, plan, self.case.ledger).places for plan in self.case.repaired
        ]
        return min(repairs, key=lambda one: ((own - one).total(), (one - own).total()))

    @cached_property
    def beyond(self) -> Places:
        """What is changed and need not be.

        A needless edge that a repair lets stand at a root cause may go with it.
        """
        beyond = self.change.places - self.wanted
        return Counter({place: n for place, n in beyond.items() if not self._is_cleared(place)})

    def _is_cleared(self, place: Place) -> bool:
        node, what = place
        kind, _, dep = what.partition(" ")
        if kind != "edge-" or node not in self.case.roots:
            return False
        return dep not in topology(self.case.gold).ancestors(node)

    @cached_property
    def common(self) -> Places:
        """What is changed where it must be."""
        return self.change.places & self.wanted


def minimal(found: Measure) -> Verdict:
    """Return E1c: whether only that is changed which must be.

    Measured in places (`changes`) beyond those of the nearest minimal repair; what a repair
    changes and the answer leaves is E2c's matter. 1: none beyond, and something of the repair is
    there (or nothing is to be done). 0.5: nothing is changed though something must be; or one or
    two nodes are changed beyond it, no more than half of the calls. 0: more, or nothing of the
    repair among them. A right place with a wrong value counts as right here.
    """
    beyond, common = found.beyond.total(), found.common.total()
    if not beyond:
        if common or not found.wanted:
            return 1.0, "nothing beyond the nearest repair"
        return 0.5, "nothing is changed"
    texts = listed([_text(place) for place in found.beyond])
    touched = len({node or what for node, what in found.beyond})
    calls = sum(node.is_call for node in found.case.plan)
    few = touched <= min(_FEW, max(1, calls // 2))
    return (0.5 if few and (common or not found.wanted) else 0.0), f"beyond the repair: {texts}"


def necessary(found: Measure, courses: Sequence[Course]) -> Verdict:
    """Return E4c: whether each step that is added, removed or wired otherwise is justified.

    Justified is what the nearest repair does too; a first further attempt of a call that failed
    by the environment is in every repair of one. 1: all are, or there are none. 0.5: one is not
    and does no harm, or no more are not than are. 0: else. Harm is a step taken away, or a goal
    that is missed though the whole repair is there. Whether the thought gives a reason is not
    asked.
    """
    needless = Counter({p: n for p, n in found.beyond.items() if is_structural(p)})
    needed = Counter({p: n for p, n in found.common.items() if is_structural(p)})
    if not needless:
        return 1.0, "every step that is added, removed or wired otherwise is needed"
    texts = listed([_text(place) for place in needless])
    mended = not found.wanted - found.change.places
    reached = any(found.case.reaches(course) for course in courses)
    harm = (mended and not reached) or any(what in {REMOVED, DROPPED} for _, what in needless)
    half = needless.total() == 1 or needless.total() <= needed.total()
    return (0.5 if half and not harm else 0.0), f"not needed: {texts}"


def _text(place: Place) -> str:
    node, what = place
    return f"{what} at node {node}" if node else what.replace(ADDED, "an added call of")


# --- E2c -------------------------------------------------------------------------------------


def closed_loop(case: Case, courses: Sequence[Course]) -> Verdict:
    """Return E2c: whether the fix reaches every affected node, and the response.

    The plan is executed. An affected node comes right when some call ends with the tool, arguments
    and result that the node has after the listed repair (no later, where that costs a round); a
    needless one when it does not run, or its effect is undone. 1: all come right, the state at
    the end is the goal's, and the response is answered; 0: none
    does, or it is never answered; 0.5: else. For a control: whether the goal is reached.
    """
    judged = [_loop(case, course) for course in courses]
    return max(judged, key=lambda one: one[0])


def _loop(case: Case, course: Course) -> Verdict:
    if not course.completed:
        return 0.0, "the response is never answered"
    wrong = [*_not_right(case, course)]
    sound = case.reaches(course)
    total = max(len(case.affected), 1)
    if not wrong and sound:
        return 1.0, "every affected node comes right"
    if len(wrong) >= total or (not case.affected and not sound):
        return 0.0, f"none comes right: {listed(wrong)}"
    return 0.5, listed(wrong) or "the goal is not reached whole"


def _not_right(case: Case, course: Course) -> Iterator[str]:
    # What was right all along is no mending of its twin.
    spared = {node.id for node in case.plan} - case.affected
    nodes = sorted({entry.node for entry in course.ledger} - spared)
    free = [entry for node in nodes if (entry := course.ledger.last(node)) is not None]
    for node in sorted(case.affected):
        wanted = _end_of(case, node)
        if wanted is None:
            last = course.ledger.last(node)
            if last is not None and node not in case.ledger:
                yield f"node {node} still runs"
            continue
        place = next((i for i, entry in enumerate(free) if _same(entry, wanted)), None)
        if place is None:
            yield f"node {node} does not come right"
            continue
        late = free.pop(place).round > wanted.round and node not in case.ledger
        if late and not (case.reaches(course) and course.rounds <= case.right.rounds):
            yield f"node {node} comes late"


def _end_of(case: Case, node: str) -> Entry | None:
    """Return how a node ends after the listed repair, followed over its further attempts."""
    retries = {
        edit["node"]: edit["new"]
        for edit in (case.instance.repairs or [[]])[0]
        if edit["op"] == "retry"
    }
    while node in retries:
        node = retries[node]
    if node not in case.right.plan.by_id:
        return None
    last = case.right.ledger.last(node)
    return last if last is not None and last.outcome == "ok" else None


def _same(one: Entry, other: Entry) -> bool:
    return (
        one.outcome == "ok"
        and one.tool == other.tool
        and canonical.same([one.arguments, one.result], [other.arguments, other.result])
    )


# --- E3c -------------------------------------------------------------------------------------


def goal_kept(case: Case, courses: Sequence[Course]) -> Verdict:
    """Return E3c: whether the plan still reaches what the user asked for.

    The plan is executed. 1: it answers, with every goal call carried by what the response waits
    for and the goal's state. 0.5: one goal call is wanting beside others, or fewer are than are
    not, or all are there with another state at the end, or an effect is had more often than with
    the repair. 0: more are wanting, all that change something are, or it never answers.
    """
    judged = [_goal(case, course) for course in courses]
    return max(judged, key=lambda one: one[0])


def _effects(case: Case, course: Course) -> Counter[str]:
    """Count the effects that were had, by tool and arguments."""
    return Counter(
        f"{entry.tool} {canonical.dumps(entry.arguments)}"
        for entry in course.ledger
        if entry.outcome == "ok" and entry.tool in case.effectful
    )


def _goal(case: Case, course: Course) -> Verdict:
    if not course.completed:
        return 0.0, "the response is never answered"
    if case.reaches(course):
        twice = sorted(_effects(case, course) - _effects(case, case.right))
        if twice:
            return 0.5, f"the goal is reached; done more than once: {listed(twice)}"
        return 1.0, "the goal is reached"
    goal = case.instance.goal
    wanting = [str(call["tool"]) for call in missing(goal, course.plan, course.ledger)]
    if not wanting:
        return 0.5, "every goal call is there, but the state at the end is another"
    kept = len(goal["calls"]) - len(wanting)
    changing = [call["tool"] for call in goal["calls"] if call["tool"] in case.effectful]
    main = not changing or Counter(changing) - Counter(wanting)
    some = kept > 0 and main and (len(wanting) == 1 or len(wanting) < kept)
    return (0.5 if some else 0.0), f"goal calls that are wanting: {listed(wanting)}"
