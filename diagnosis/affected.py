"""What an error reaches: the execution of the gold plan against that of the faulty one.

Both are carried on to the end or to a standstill. Nodes are matched by purpose (what a call is
for; a retry has the purpose of the call it repeats), and purposes are compared by their last
attempt (semantics.md, "Affected").
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from environment.executor import Execution
from environment.ledger import Entry
from trajectory import canonical


@dataclass(frozen=True)
class Affected:
    """Ids of affected nodes, sorted: of each purpose the last one in the faulty execution.

    now: ran already, with another input or output than in gold, or needed by no purpose.
    later: will differ, will not run, or is needed by no purpose. delayed: of the others, those
    that run in a later round. The response, which has no input of its own, is left out.
    """

    now: tuple[str, ...]
    later: tuple[str, ...]
    delayed: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.now or self.later or self.delayed)


def affected(
    gold: Execution, faulty: Execution, purposes: Mapping[str, str], ran: Iterable[str]
) -> Affected:
    """Compare two executions.

    purposes: node of either plan → node of the gold plan; a node without an entry has the
    purpose of its own id, which is needless where gold has no such node. ran: the nodes that
    have run when the question is asked.
    """
    right, newest = _newest(gold, purposes), _newest(faulty, purposes)
    now: set[str] = set()
    later: set[str] = set()
    delayed: set[str] = set()
    for purpose, node in newest.items():
        wanted, got = gold.ledger.last(right.get(purpose, "")), faulty.ledger.last(node)
        if wanted is None or got is None or not _same(wanted, got):
            (now if node in ran else later).add(node)
        elif got.round > wanted.round:
            delayed.add(node)
    return Affected(tuple(sorted(now)), tuple(sorted(later)), tuple(sorted(delayed)))


def _newest(run: Execution, purposes: Mapping[str, str]) -> dict[str, str]:
    """Return for each purpose its node in the plan, of several the one that ran last."""
    newest: dict[str, str] = {}
    for node in sorted(run.plan.by_id.values(), key=lambda node: _when(run, node.id)):
        if node.is_call:
            newest[purposes.get(node.id, node.id)] = node.id
    return newest


def _when(run: Execution, node: str) -> tuple[float, str]:
    last = run.ledger.last(node)
    return (float("inf") if last is None else last.round, node)


def _same(wanted: Entry, got: Entry) -> bool:
    return wanted.tool == got.tool and canonical.same(
        [wanted.arguments, wanted.result], [got.arguments, got.result]
    )
