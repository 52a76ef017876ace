"""S2c, S3c, S4c: the updated plan's edges, calls and statuses (metrics.md, "The SDE rubric").

Each rule returns a score of 0, 0.5 or 1 and the reason in one line.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from eval.checks.case import Case
from eval.checks.changes import Change
from trajectory import canonical
from trajectory.arguments import check_call, find_faults
from trajectory.checks import Fault
from trajectory.graph import dag_problems, response_problems, topology
from trajectory.plan import RESPONSE, Node
from trajectory.references import follow, is_reference, read_reference, references

Verdict = tuple[float, str]


def listed(found: list[str], most: int = 3) -> str:
    """Return a few of several remarks in one line."""
    more = f"; {len(found) - most} more" if len(found) > most else ""
    return "; ".join(found[:most]) + more


# --- S2c -------------------------------------------------------------------------------------


def dependencies(case: Case, change: Change) -> Verdict:
    """Return S2c: whether the edges are right and the plan can run.

    0: it breaks a DAG rule, has no response that can be reached, or a call that is to run refers
    to a node that it does not wait for. 0.5: it runs, but an edge is wrong: a producer that the
    right plan has is not waited for, an old attempt is waited for in place of its stand-in, or a
    call waits for what neither the right plan nor a repair lets it wait for. 1: none of these.
    It cannot see whether an edge between two new purposes is wise.
    """
    plan = change.new
    broken = [*dag_problems(plan), *response_problems(plan)]
    if broken:
        return 0.0, listed([one.detail for one in broken])
    loose = [*_loose_references(case, change)]
    if loose:
        return 0.0, listed(loose)
    wrong = [*_wrong_edges(case, change)]
    return (0.5, listed(wrong)) if wrong else (1.0, "every edge is right")


def to_run(case: Case, change: Change) -> Iterator[Node]:
    """Yield the calls of the updated plan that have not run, or are changed or set to run again."""
    for node in change.new.by_id.values():
        again = change.runs_anew(node.id) or _is_set_to_run(change, node)
        if node.is_call and (node.id not in case.ledger or again):
            kept = node.id in change.old.by_id and node.status and node.id in case.ledger
            if not kept or not _is_as_it_ran(change, node):
                yield node


def _is_set_to_run(change: Change, node: Node) -> bool:
    """Say whether a node that was shown as having run is marked as still to run."""
    old = change.old.by_id.get(node.id)
    return old is not None and old.status and not node.status


def _is_as_it_ran(change: Change, node: Node) -> bool:
    old = change.old.by_id[node.id]
    return node.name == old.name and canonical.same(node.para, old.para)


def _loose_references(case: Case, change: Change) -> Iterator[str]:
    found = topology(change.new)
    for node in to_run(case, change):
        for one in references(node.para):
            if one.node is None or one.node not in found.ancestors(node.id):
                yield f"node {node.id} refers to {one.node!r} and does not wait for it"


def _wrong_edges(case: Case, change: Change) -> Iterator[str]:
    found, wanted = topology(change.new), topology(case.gold)
    tolerated = _edges_of_repairs(case)
    heirs = {change.purpose(node.id): node.id for node in change.new if node.is_call}
    pending = [*to_run(case, change), *filter(None, [change.new.response])]
    for node in pending:
        purpose = change.purpose(node.id)
        if purpose not in wanted.deps:
            continue
        above = found.ancestors(node.id)
        for dep in wanted.reduced(purpose):
            newest = heirs.get(dep)
            if newest is None and dep in case.gold.by_id and purpose == RESPONSE:
                yield f"the response does not wait for a call of {case.gold.by_id[dep].name}"
            elif newest is not None and newest not in above:
                yield f"node {node.id} does not wait for node {newest}"
        right = wanted.ancestors(purpose)
        for dep in found.reduced(node.id):
            other = change.purpose(dep)
            newest = heirs.get(dep, dep)
            if newest not in {dep, node.id} and newest in above and case.outcome(dep) != "ok":
                yield f"node {node.id} waits for node {dep}, though node {newest} replaces it"
                continue
            needless = other in wanted.deps and other not in right and other != purpose
            if needless and (purpose, other) not in tolerated:
                yield f"node {node.id} waits for node {dep} without need"


def _edges_of_repairs(case: Case) -> frozenset[tuple[str, str]]:
    """Return the (node, dep) that stand in a repaired plan, needful or not."""
    return frozenset((node.id, dep) for plan in case.repaired for node in plan for dep in node.dep)


# --- S3c -------------------------------------------------------------------------------------


def legality(case: Case, change: Change) -> Verdict:
    """Return S3c: whether the calls to come are as the schemas demand.

    Judged are the calls that have not run or run again, and those that failed and are left marked
    pending. 1: all are legal. 0.5: one call has one wrong, missing, unknown or misnamed argument.
    0: more, or a tool that is not listed. A reference counts by its value where that is known,
    else as legal: what a later result will hold cannot be seen. Whether a legal value is true is
    not asked.
    """
    results = _results(case, change)
    judged = _judged(case, change)
    faults = [(node, one) for node in judged for one in _faults(case, node, results)]
    if not faults:
        return 1.0, "every call fits its schema"
    texts = listed([f"node {node.id}: {text}" for node, (text, _) in faults])
    kinds = [kind for _, (_, kind) in faults]
    nodes = {node.id for node, _ in faults}
    # A wrong name is an unknown argument and, often, a missing one.
    misnamed = len(nodes) == 1 and sorted(kinds) == ["missing_parameter", "unknown_parameter"]
    one = misnamed or (len(kinds) == 1 and kinds[0] not in _WHOLE)
    return (0.5 if one else 0.0), texts


# What is wrong with a call as a whole.
_WHOLE = frozenset(("unknown_tool", "positional_arguments"))


def _judged(case: Case, change: Change) -> Iterator[Node]:
    seen = {node.id for node in to_run(case, change)}
    heirs = {*change.stands_in.values()}
    for node in change.new.by_id.values():
        failed = node.is_call and case.outcome(node.id) not in (None, "ok") and not node.status
        if node.id in seen or (failed and node.id not in heirs):
            yield node


def _results(case: Case, change: Change) -> Mapping[str, Any]:
    """Return the results that are known and stay so: of what went well and doesn't run again."""
    anew = {node.id for node in to_run(case, change)}
    last = {entry.node: entry for entry in case.ledger}
    return {
        node: entry.result
        for node, entry in last.items()
        if entry.outcome == "ok" and node not in anew
    }


def _faults(case: Case, node: Node, results: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a call, references taken for what they stand for."""
    tools = case.catalogue.named(node.name or "")
    if not tools:
        yield check_call(case.catalogue, node.name or "", {})[0].detail, "unknown_tool"
        return
    for one in references(node.para):
        if one.node is not None and one.node in results and not _leads(results[one.node], one.path):
            yield f"parameter '{one.where}': node {one.node} has no '{one.path}'", "bad_value"
    para, unknown = _resolved(node.para, results)
    found = min((find_faults(tool, para) for tool in tools), key=len)
    for fault in found:
        if not _stands_at(fault, unknown):
            yield fault.text, fault.kind


def _leads(result: Any, path: str) -> bool:
    try:
        follow(result, path)
    except LookupError:
        return False
    return True


Way = tuple[str, ...]


def _resolved(para: Any, results: Mapping[str, Any], path: Way = ()) -> tuple[Any, list[Way]]:
    """Return arguments with known references as values, and where the unknown ones stand."""
    if is_reference(para):
        found = read_reference(para, "")
        node = found.node or ""
        if node in results and _leads(results[node], found.path):
            return follow(results[node], found.path), []
        # Each by another name, so that no two seem to be the same.
        return canonical.dumps(para), [path]
    if isinstance(para, dict):
        parts = {name: _resolved(item, results, (*path, name)) for name, item in para.items()}
        return (
            {name: one[0] for name, one in parts.items()},
            [place for one in parts.values() for place in one[1]],
        )
    if isinstance(para, list):
        items = [_resolved(item, results, (*path, f"[{i}]")) for i, item in enumerate(para)]
        return [one[0] for one in items], [place for one in items for place in one[1]]
    return para, []


def _stands_at(fault: Fault, places: list[Way]) -> bool:
    return any(tuple(fault.path[: len(place)]) == place for place in places)


# --- S4c -------------------------------------------------------------------------------------


def statuses(case: Case, change: Change) -> Verdict:
    """Return S4c: whether the statuses match what the ledger says happened.

    Wrong are: true on the response, on a call that has not run, on one whose tool or arguments are
    changed, and on one that refers to what runs again; false on a call that was shown true,
    succeeded, is as it was, and hangs on nothing that runs again. 1: none, 0.5: one, 0: more, or
    the response. Nodes of the last round that are all left as they were shown, false, count as
    having run (semantics.md, "Again"); where the answer sets others that went well to true, one
    that is left is wrong.
    """
    wrong = [*_wrong_statuses(case, change)]
    if change.new.response is not None and change.new.response.status:
        return 0.0, "the response is marked done"
    if not change.new.nodes:
        return 0.0, "there are no nodes"
    score = {0: 1.0, 1: 0.5}.get(len(wrong), 0.0)
    return score, listed(wrong) or "every status is as it happened"


def _wrong_statuses(case: Case, change: Change) -> Iterator[str]:
    left = {*_left_false(case, change)}
    for node in change.new.by_id.values():
        if not node.is_call:
            continue
        if node.status and node.id not in case.ledger:
            yield f"node {node.id} is marked done and has not run"
        elif node.status and node.id in change.old.by_id and not _is_as_it_ran(change, node):
            yield f"node {node.id} is changed and marked done"
        elif node.status and _is_stale(change, node):
            yield f"node {node.id} uses what runs again and is marked done"
        elif (node.id, "reset") in change.places or node.id in left:
            yield f"node {node.id} has run and is marked pending"
    for node in change.old.by_id.values():
        if (node.id, "dropped") in change.places and case.outcome(node.id) == "ok":
            yield f"node {node.id} has run and is gone"


def _is_stale(change: Change, node: Node) -> bool:
    """Say whether a node that has run refers to one that the answer lets run anew."""
    if node.id in change.stands_in.values() or not change.is_kept(node.id):
        return False
    return any(one.node is not None and change.runs_anew(one.node) for one in references(node.para))


def _left_false(case: Case, change: Change) -> Iterator[str]:
    """Yield the nodes of the last round that are left false where others of it are set to true."""
    last = [
        node
        for node in change.old.by_id.values()
        if node.is_call
        and not node.status
        and node.id in case.ledger
        and node.id in change.new.by_id
    ]
    fine = [node for node in last if case.outcome(node.id) == "ok"]
    if not any(change.new.by_id[node.id].status for node in fine):
        return
    heirs = {*change.stands_in.values()}
    edited = {id for id, _ in change.places if id}
    for node in last:
        above = change.topologies[0].ancestors(node.id)
        went = case.outcome(node.id) == "ok" or node.id in heirs
        same = node.id in heirs or (node.id not in edited and not edited & above)
        if not change.new.by_id[node.id].status and went and same:
            yield node.id
