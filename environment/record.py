"""What had run in a record of the release, worked out from its plan and its last results.

Such a record has no history: status true says that a node was executed, its desc tells the
result, and the calls of the last round stand beside the plan (semantics.md, "Rounds").
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from environment.executor import Snapshot, Start
from environment.ledger import Ledger
from environment.replay import recorded_value
from trajectory.calls import Call
from trajectory.graph import layers, topology
from trajectory.plan import RESPONSE, ROOT, Node, Plan
from trajectory.references import Reference, UnresolvedError, follow, resolve
from trajectory.told_results import told_result
from trajectory.tools import Catalogue

# Calls that no node made stand in the ledger under this id.
NO_NODE = ""


def start_of(snapshot: Snapshot, catalogue: Catalogue) -> Start:
    """Return the start of every execution of a record whose calls name their nodes.

    r_pre: layers of the plan's executed calls, one more where there are last results. The
    ledger holds each executed call at the round of its layer, with the arguments as the plan
    has them and the result that the last results, else its desc, tell; and the calls of other
    nodes at the last round. Any plan opens, however broken.
    """
    plan = snapshot.plan
    executed = executed_rounds(plan, catalogue.names)
    last = max(executed.values(), default=0) + bool(snapshot.tool_results)
    recorded = _by_node(plan, snapshot.tool_results)
    rounds = {**dict.fromkeys(recorded, last), **executed}
    ledger = Ledger()
    for id in sorted(rounds, key=lambda id: (rounds[id], id)):
        for call in recorded.get(id) or [_told(plan.by_id[id])]:
            arguments = call.arguments if id == NO_NODE else _as_sent(plan, id, ledger)
            ledger.record(id, call.name, arguments, rounds[id], recorded_value(call.results))
    return Start(snapshot, ledger, last)


def _by_node(plan: Plan, calls: Iterable[Call]) -> Mapping[str, list[Call]]:
    table: dict[str, list[Call]] = {}
    for call in calls:
        node = plan.by_id.get(call.node or NO_NODE)
        known = node is not None and node.name == call.name
        table.setdefault((call.node or NO_NODE) if known else NO_NODE, []).append(call)
    return table


def _told(node: Node) -> Call:
    """Return the call of an executed node, as its desc tells it."""
    return Call(node.id, node.name or "", node.para, told_result(node.desc))


def _as_sent(plan: Plan, id: str, ledger: Ledger) -> Any:
    """Return the arguments of a node as the executor would send them."""

    def lookup(reference: Reference) -> Any:
        entry = ledger.last(reference.node or "")
        if entry is None or reference.node not in topology(plan).ancestors(id):
            raise UnresolvedError(reference.where)
        try:
            return follow(entry.result, reference.path)
        except LookupError as error:
            raise UnresolvedError(reference.where) from error

    para = plan.by_id[id].para
    try:
        return resolve(para, lookup)
    except UnresolvedError:
        return para


def executed_rounds(plan: Plan, names: Collection[str]) -> dict[str, int]:
    """Return the round of each executed call of a plan: its layer among them, from 1.

    names: of the tools. A root under any other name took no round: it stands at round 0, so
    that an answer that keeps it does not run it. The response never counts. A node that was
    not executed takes no round, deps on nodes that don't exist are left out, and nodes of a
    circle ran side by side.
    """
    nodes = [node for node in plan.by_id.values() if node.id]
    executed = {n.id for n in nodes if n.is_call and n.status and n.id != RESPONSE}
    counting = {id for id in executed if id != ROOT or plan.by_id[id].name in names}
    sound = _with_sound_deps(
        node.change(name=node.name if node.id in counting else None) for node in nodes
    )
    table = dict.fromkeys(executed - counting, 0)
    for number, layer in enumerate(layers(sound), start=1):
        table.update(dict.fromkeys(layer, number))
    return table


def _with_sound_deps(nodes: Iterable[Node]) -> Plan:
    """Return a plan of these nodes without the deps that nothing can ever meet."""
    nodes = list(nodes)
    known = {ROOT, *(node.id for node in nodes)}
    deps = {node.id: [dep for dep in node.dep if dep in known] for node in nodes}
    circles = _stuck(deps) & _stuck(_reversed(deps))
    for id in circles:
        deps[id] = [dep for dep in deps[id] if dep not in circles]
    return Plan(tuple(node.change(dep=tuple(deps[node.id])) for node in nodes))


def _stuck(deps: Mapping[str, Iterable[str]]) -> set[str]:
    """Return the nodes on a circle and those that wait for one."""
    # With a tool, as the root waits for nothing without one.
    nodes = (Node(id, name="any", dep=tuple(dep)) for id, dep in deps.items())
    return set(topology(Plan(tuple(nodes))).stuck)


def _reversed(deps: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    consumers: dict[str, list[str]] = {id: [] for id in deps}
    for id, dep in deps.items():
        for other in dep:
            consumers.setdefault(other, []).append(id)
    return consumers
