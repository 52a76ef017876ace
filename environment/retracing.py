"""Standing where an execution ended: its calls run once more, and each must give the same."""

from typing import Any, TypeVar

from environment.executor import Environment, Request
from environment.ledger import Entry, Ledger
from trajectory import canonical
from trajectory.files import InputError
from trajectory.references import references

E = TypeVar("E", bound=Environment)


def retraced(environment: E, ledger: Ledger) -> E:
    """Run the calls of a ledger, so that the environment stands where it ended; return it.

    Raises InputError where a result differs from the recorded one: then data and code do not
    belong together.
    """
    rounds: dict[int, list[Entry]] = {}
    for entry in ledger:
        rounds.setdefault(entry.round, []).append(entry)
    for number in sorted(rounds):
        # Arguments that still hold a reference are those of a call that never ran.
        entries = [one for one in rounds[number] if not any(references(one.arguments))]
        requests = [Request(entry.node, entry.tool, entry.arguments) for entry in entries]
        for entry, result in zip(entries, environment.run(requests), strict=True):
            _require_same(entry.node, entry.result, result)
    return environment


def _require_same(node: str, recorded: Any, result: Any) -> None:
    if not canonical.same(recorded, result):
        raise InputError(
            f"node {node!r} gives another result than the data say",
            got=canonical.dumps(result),
            wanted=canonical.dumps(recorded),
            do="use the version of ParaRecover that made the data",
        )
