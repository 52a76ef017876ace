"""The labeller: what is wrong with any trajectory of a task, whoever made it.

It is told nothing of how the trajectory came about. What each call is for is found out
(`diagnosis.matching`); then the gold plan is given the ids of the plan, as an instance has it,
and labels, reach, repairs and evidence follow as they do everywhere (`diagnosis.examination`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from diagnosis.examination import Examination
from diagnosis.matching import Match, Matched
from diagnosis.sides import Side, with_names
from environment.executor import Execution
from environment.ledger import Entry, Ledger
from trajectory.descriptions import describe
from trajectory.plan import RESPONSE, ROOT, Node, Plan

Names = Mapping[str, str]


def labelled(seen: Examination) -> Examination:
    """Return an examination with what its calls are for found out.

    The purposes that it came with are not looked at, and ids that its two plans share mean
    nothing. The gold plan of the one that is returned has for each call the id of the first node
    of the plan that is for it, and new ids for calls that are missing; purposes are those of
    further attempts.
    """
    start = seen.start
    match = Match(
        Side(start.snapshot.plan, start.ledger),
        Side(seen.gold, seen.gold_run.ledger),
        seen.catalogue,
    )
    found = match.best()
    names = _gold_names(match, found)
    again = {node: names[wanted] for node, wanted in found.items() if names[wanted] != node}
    gold, run = renamed(seen.gold, names), renamed_run(seen.gold_run, names)
    return replace(seen, gold=gold, gold_run=run, purposes=again)


def _gold_names(match: Match, found: Matched) -> dict[str, str]:
    """Return node of the gold plan → its new id.

    It is that of the node that is for it, of several attempts the first; else a new number.
    """
    names = {ROOT: ROOT, RESPONSE: RESPONSE}
    for node in match.plan.order:
        if node in found:
            names.setdefault(found[node], node)
    numbers = _free_numbers(match.plan)
    for node in (*match.gold.order, *match.gold.plan.by_id):
        if node not in names:
            names[node] = next(numbers)
    return names


def _free_numbers(side: Side) -> Iterator[str]:
    """Yield ids that nothing in a trajectory has."""
    taken = {*side.plan.by_id, *(entry.node for entry in side.ledger)}
    number = max((int(id) for id in taken if id.isdecimal()), default=0)
    while True:
        number += 1
        yield str(number)


def renamed(plan: Plan, names: Names) -> Plan:
    """Return a plan with other node ids, its nodes in their order; texts of results stay."""
    nodes = [_renamed_node(node, names) for node in plan]
    return Plan(tuple(sorted(nodes, key=lambda node: _place(node.id))))


def _renamed_node(node: Node, names: Names) -> Node:
    dep = tuple(sorted((names[dep] for dep in node.dep), key=_place))
    new = node.change(id=names[node.id], dep=dep, para=with_names(node.para, names))
    if not node.is_call or node.status:
        return new
    return new.change(desc=describe())


def _place(id: str) -> tuple[int, int, str]:
    """Root first, then by number, the response last."""
    kind = {ROOT: 0, RESPONSE: 2}.get(id, 1)
    return kind, int(id) if id.isdecimal() else 0, id


def renamed_run(run: Execution, names: Names) -> Execution:
    """Return the run of a plan as that of the plan with other node ids."""

    def entry(one: Entry) -> Entry:
        return replace(one, node=names[one.node])

    rounds = [replace(one, entries=tuple(map(entry, one.entries))) for one in run.rounds]
    plan, ledger = renamed(run.plan, names), Ledger(map(entry, run.ledger))
    return replace(run, rounds=tuple(rounds), plan=plan, ledger=ledger)
