"""What each metric means for one row: pure functions (metrics.md, "Without a judge").

Values are in [0, 1]. Which of them can be known of an instance is said by `unknown`: the release
has records without reference rounds, and no goal is proven there.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from environment.executor import MAX_ROUNDS, Start
from environment.goal import Attempts, reached
from environment.opening import RELEASE
from trajectory import canonical
from trajectory.graph import Topology, topology
from trajectory.instance import Instance
from trajectory.plan import RESPONSE, ROOT, Node, Plan

INVALID_DAG: Final = "invalid_dag"
FALSE_ALARM: Final = "false_alarm"
EFFICACY: Final = (
    "pass_at_1",
    "verified_pass_at_1",
    "e5",
    "verified_e5",
    "tool_efficiency",
    "verified_tool_efficiency",
)
AS_PUBLISHED: Final = "e5_as_published"
LOCALISATION: Final = (
    "node_exact",
    "node_precision",
    "node_recall",
    "node_f1",
    "type_f1",
    "joint_f1",
)
# The rubric's dimensions, by the checks and by a judge; there where a run was checked or judged.
PARTS: Final = ("s", "d", "e", "overall")
RUBRIC: Final = tuple(f"{how}_{part}" for how in ("checked", "judged") for part in PARTS)
# Every metric, in the order of tables.
METRICS: Final = (INVALID_DAG, *EFFICACY, AS_PUBLISHED, FALSE_ALARM, *RUBRIC, *LOCALISATION)
# Those that need the executor: carried on unchanged they are another thing, and named so.
EXECUTED: Final = frozenset(
    (*EFFICACY, AS_PUBLISHED, *(name for name in RUBRIC if name.endswith(("_e", "_overall"))))
)
LOWER_IS_BETTER: Final = frozenset((INVALID_DAG, FALSE_ALARM))
# Values that are 0 or 1.
RATES: Final = frozenset(
    (INVALID_DAG, FALSE_ALARM, "pass_at_1", "verified_pass_at_1", "node_exact")
)

# What is reported apart of the invalid-DAG rate.
NOTES: Final = (
    "inherited",
    "no_response",
    "response_unreachable",
    "executed_dropped",
    "executed_altered",
    "status_slips",
)

# Calls after the snapshot that verified still allows: this many times calls_gt, and so many more.
_CALLS_FACTOR: Final = 3
_CALLS_MORE: Final = 10


@dataclass(frozen=True)
class End:
    """How a trajectory ended.

    passed: whether the executor completed the response within 40 rounds. rounds, calls: in all.
    rounds_after, calls_after: since the answer. ran_after: the nodes that ran since then.
    attempts: the last attempt of each node. state: digest at the end, None where there is none
    or it was not told. plan: reads the plan as it stood at the end; asked where it matters.
    """

    passed: bool
    rounds: int
    rounds_after: int
    calls: int
    calls_after: int
    ran_after: frozenset[str]
    attempts: Attempts
    state: str | None
    plan: Callable[[], Plan]


def applicable(instance: Instance) -> tuple[str, ...]:
    """Return the metrics that an answer to an instance has."""
    if instance.edition == RELEASE:
        return (INVALID_DAG, *EFFICACY, AS_PUBLISHED, *LOCALISATION)
    if not instance.error_types:
        return (INVALID_DAG, *EFFICACY, FALSE_ALARM)
    return (INVALID_DAG, *EFFICACY, *LOCALISATION)


def unknown(instance: Instance) -> frozenset[str]:
    """Return the metrics whose value nobody can know for an instance, whatever the answer."""
    one = instance
    proven = one.proof in ("full", "structural") and bool(one.goal)
    located = bool(one.errors) and all(error.get("root_cause") for error in one.errors)
    known = {
        "verified_pass_at_1": proven,
        "e5": one.rounds_gt is not None,
        AS_PUBLISHED: one.rounds_gt is not None,
        "verified_e5": proven and one.rounds_opt is not None,
        "tool_efficiency": one.calls_gt is not None,
        "verified_tool_efficiency": proven and one.calls_opt is not None,
        **dict.fromkeys(LOCALISATION, located),
    }
    return frozenset(name for name in applicable(one) if not known.get(name, True))


def failure(instance: Instance) -> dict[str, float]:
    """Return the values of an answer in which no plan could be read."""
    return {name: float(name in LOWER_IS_BETTER) for name in applicable(instance)}


# --- efficacy --------------------------------------------------------------------------------


def efficacy(end: End, instance: Instance) -> dict[str, float]:
    """Return Pass@1, E5 and tool-use efficiency: the paper's, and those of verified rows."""
    right = verified(end, instance)
    return {
        "pass_at_1": float(end.passed),
        "verified_pass_at_1": float(right),
        "e5": share(end.passed, instance.rounds_gt, end.rounds),
        "verified_e5": share(right, instance.rounds_opt, end.rounds),
        "tool_efficiency": share(end.passed, instance.calls_gt, end.calls),
        "verified_tool_efficiency": share(right, instance.calls_opt, end.calls),
    }


def passes(response: bool, rounds: int) -> bool:
    """Say whether a trajectory of so many rounds in all passed; response: its last was that."""
    return response and rounds <= MAX_ROUNDS


def verified(end: End, instance: Instance) -> bool:
    """Say whether the response was completed, the goal reached, and few calls made for it."""
    most = _CALLS_FACTOR * (instance.calls_gt or 0) + _CALLS_MORE
    if not instance.goal or not end.passed or end.calls_after > most:
        return False
    state = end.state or ""
    # The plan is read only where the state leaves the question open.
    if state != instance.goal["state"]:
        return False
    return reached(instance.goal, end.plan(), end.attempts, state)


def share(passed: bool, optimum: int | None, used: int) -> float:
    """Return optimum / used, at most 1, where it passed; else 0 (also where it is not known)."""
    if not passed or optimum is None:
        return 0.0
    return min(1.0, optimum / used) if used else 1.0


def e5_as_published(end: End, answered: Plan, instance: Instance) -> float:
    """Return E5 with r_pre counted as the release's own script does.

    That is by the layers of the nodes that the *answer* calls done, whatever ran.
    """
    depth = topology(answered).depths()
    done = (node.id for node in answered if node.status and node.is_call)
    layers = len({depth[node] for node in done if node in depth})
    return share(end.passed, instance.rounds_gt, layers + end.rounds_after)


# --- the diagnosis ---------------------------------------------------------------------------


def localisation(
    named: Iterable[tuple[str, str]], errors: Sequence[Mapping[str, Any]]
) -> dict[str, float]:
    """Return how well (node, type) pairs name the errors of an instance.

    Sets are compared, so order and repetition say nothing; a precision of nothing is 0. Exact is
    the set of root-cause nodes; joint are the pairs.
    """
    pairs = set(named)
    truth = {(error["root_cause"], error["type"]) for error in errors}
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


def false_alarm(shown: Plan, answered: Plan, *, diagnosed: bool) -> float:
    """Return 1 where an answer to a right plan diagnoses, or changes a tool, argument or edge."""
    return float(diagnosed or _working(shown) != _working(answered))


def _working(plan: Plan) -> dict[str, tuple[str, str, tuple[str, ...]]]:
    """Return what a plan does: the calls and the response, their arguments and reduced edges."""
    found = topology(plan)
    return {
        node.id: (node.name or "", canonical.dumps(node.para), found.reduced(node.id))
        for node in plan
        if node.is_call or node.id == RESPONSE
    }


# --- what is reported apart ------------------------------------------------------------------


def notes(answered: Plan, start: Start, end: End) -> dict[str, bool]:
    """Return what is reported apart of the invalid-DAG rate; `inherited` is for who knows it."""
    found, kept = topology(answered), answered.by_id
    ran = [node for node in start.snapshot.plan if node.id in start.ledger]
    return {
        "no_response": answered.response is None,
        "response_unreachable": RESPONSE in found.stuck,
        "executed_dropped": any(node.id not in kept for node in ran),
        "executed_altered": any(_altered(node, kept[node.id]) for node in ran if node.id in kept),
        "status_slips": _slips(answered, found, start, end),
    }


def _altered(old: Node, new: Node) -> bool:
    if old.name != new.name or frozenset(old.dep) - {ROOT} != frozenset(new.dep) - {ROOT}:
        return True
    return not canonical.same(old.para, new.para)


def _slips(answered: Plan, found: Topology, start: Start, end: End) -> bool:
    """Say whether a status contradicts what happened.

    That is: true on the response or on a call that has not run; false on a node that was shown
    true and did not run again.
    """
    shown_true = {node.id for node in start.snapshot.plan if node.status}
    for node in answered:
        if node.id == RESPONSE:
            slip = node.status
        elif node.status:
            slip = node.id in found.calls and node.id not in start.ledger
        else:
            ran_once = node.id in start.ledger and node.id not in end.ran_after
            slip = ran_once and node.id in shown_true
        if slip:
            return True
    return False
