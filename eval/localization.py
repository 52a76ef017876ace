"""Localisation: whether the diagnosis names the root-cause nodes and types of the errors.

Sets are compared. Beside the run stand three baselines that understand nothing: the last failed
node, the most frequent type, every node.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from eval import commands
from trajectory import canonical, command

if TYPE_CHECKING:
    from eval.scoring import Figure, Table
    from eval.selection import Selection
    from trajectory.instance import Instance

Named = list[tuple[str, str]]
_EXAMPLES = (
    "python -m eval.localization runs/carry_on",
    "python -m eval.localization runs/carry_on --json",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = commands.parser("eval.localization", __doc__, _EXAMPLES).parse_args(arguments)
    table = commands.scored(options)
    from eval.metrics import LOCALISATION
    from eval.scoring import figures, to_record

    beside = baselines(table.selection) if LOCALISATION[0] in table.metrics else []
    found = [(one, figures(one, LOCALISATION)) for one in (table, *beside)]
    if options.json:
        print(canonical.dumps([to_record(each, one) for one, many in found for each in many]))
        return 0
    print(commands.text(*found[0]))
    if beside:
        print(f"\n{_beside(found[1:])}")
    return 0


def _beside(found: "Sequence[tuple[Table, Sequence[Figure]]]") -> str:
    """Return the baselines as a table: a row each, over all instances."""
    from eval.metrics import LOCALISATION
    from eval.tables import grid, head, number

    rows = [
        [table.agent, *(number(one) for one in many if one.group == "all")] for table, many in found
    ]
    return grid(["", *map(head, LOCALISATION)], rows)


def baselines(selection: "Selection") -> list["Table"]:
    """Return the scores of the three baselines over a selection."""
    from eval import metrics
    from eval.derive import UNREAD, Scored
    from eval.scoring import Table, empty_cells

    frequent = _most_frequent(selection)
    tables = [Table(selection, f"baseline:{name}", 1, empty_cells(selection)) for name in _GUESSES]
    for id in selection.ids:
        instance = selection.shelf.read(id, without=UNREAD)
        unknown = metrics.unknown(instance)
        for table, guess in zip(tables, _GUESSES.values(), strict=True):
            values = {}
            if unknown.isdisjoint(metrics.LOCALISATION):
                values = metrics.localisation(guess(instance, frequent), instance.errors)
            cell = table.cells[id]
            cell.unknown = unknown
            known = {**dict.fromkeys(metrics.LOCALISATION), **values}
            cell.scored.append(Scored(id, 0, "ok", static=False, values=known))
    return tables


def _most_frequent(selection: "Selection") -> str:
    counts = Counter(kind for id in selection.ids for kind in selection.labels[id].types)
    return min(counts, key=lambda kind: (-counts[kind], kind), default="")


def _last_failed(instance: "Instance", frequent: str) -> Named:
    """Name the last node whose call did not succeed, with the most frequent type."""
    from trajectory.calls import call_outcome, read_calls

    rounds = [*instance.history, instance.tool_results]
    calls = [call for part in rounds for call in read_calls(part)]
    failed = [call.node for call in calls if call.node and call_outcome(call.results) != "ok"]
    return [(failed[-1], frequent)] if failed else []


def _frequent_type(instance: "Instance", frequent: str) -> Named:
    """Name the most frequent type, and no node."""
    return [("", frequent)]


def _every_node(instance: "Instance", frequent: str) -> Named:
    """Name every node with the most frequent type."""
    from trajectory.plan import read_plan

    return [(node.id, frequent) for node in read_plan(instance.plan)]


_GUESSES: Final[Mapping[str, Callable[["Instance", str], Named]]] = {
    "last_failed_node": _last_failed,
    "most_frequent_type": _frequent_type,
    "every_node": _every_node,
}


if __name__ == "__main__":
    command.run(main)
