"""Localisation: whether the diagnosis names the root-cause nodes and types of the errors.

Sets are compared. Beside the run stand three baselines that look at nothing: the last failed
node, the most frequent type, every node.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from eval import commands
from trajectory import canonical, command

if TYPE_CHECKING:
    from eval.selection import Selection
    from trajectory.instance import Instance

Named = list[tuple[str, str]]
METRICS: Final = (
    "node_exact",
    "node_precision",
    "node_recall",
    "node_f1",
    "type_f1",
    "joint_f1",
)
_EXAMPLES = (
    "python -m eval.localization runs/carry_on",
    "python -m eval.localization runs/carry_on --json",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = commands.parser("eval.localization", __doc__, _EXAMPLES).parse_args(arguments)
    table = commands.scored(options)
    found = baselines(table.selection)
    if options.json:
        from eval.scoring import figures, to_record

        rows = [to_record(one, table) for one in figures(table, METRICS)]
        print(canonical.dumps([*rows, *_baseline_records(found, table.selection)]))
        return 0
    commands.show(options, table, METRICS)
    from eval.tables import grid, head

    lines = [
        [name, *(_percent(means[metric]) for metric in METRICS)] for name, means in found.items()
    ]
    print("\nbaselines\n" + grid(["", *map(head, METRICS)], lines))
    return 0


def _percent(mean: float | None) -> str:
    return "–" if mean is None else f"{100 * mean:.1f}"


def _baseline_records(
    found: Mapping[str, Mapping[str, float | None]], selection: "Selection"
) -> list[dict[str, object]]:
    return [
        {
            "agent": f"baseline:{name}",
            "metric": metric,
            "level": selection.shelf.config,
            "group": "all",
            "strict": mean,
        }
        for name, means in found.items()
        for metric, mean in means.items()
    ]


def baselines(selection: "Selection") -> dict[str, dict[str, float | None]]:
    """Return the means of the three baselines over a selection, by metric; None: unscored."""
    from eval.derive import localisation

    frequent = _most_frequent(selection)
    sums: dict[str, dict[str, list[float]]] = {}
    for id in selection.ids:
        instance = selection.shelf[id]
        for name, guess in _GUESSES.items():
            for metric, value in localisation(guess(instance, frequent), instance).items():
                known = sums.setdefault(name, {}).setdefault(metric, [])
                known += [] if value is None else [value]
    return {
        name: {metric: sum(v) / len(v) if v else None for metric, v in by_metric.items()}
        for name, by_metric in sums.items()
    }


def _most_frequent(selection: "Selection") -> str:
    counts = Counter(kind for id in selection.ids for kind in selection.labels[id].types)
    return min(counts, key=lambda kind: (-counts[kind], kind), default="")


def _last_failed(instance: "Instance", frequent: str) -> Named:
    """Name the last node whose call did not succeed, with the most frequent type."""
    from trajectory.calls import call_outcome, read_calls

    rounds: Iterable[object] = [*instance.history, instance.tool_results]
    calls = [call for part in rounds for call in read_calls(part)]
    failed = [call.node for call in calls if call.node and call_outcome(call.results) != "ok"]
    return [(failed[-1], frequent)] if failed else []


def _frequent_type(instance: "Instance", frequent: str) -> Named:
    return [("", frequent)]


def _every_node(instance: "Instance", frequent: str) -> Named:
    return [(str(task["id"]), frequent) for task in instance.plan["tasks"]]


_GUESSES: Final[Mapping[str, Callable[["Instance", str], Named]]] = {
    "last_failed_node": _last_failed,
    "most_frequent_type": _frequent_type,
    "every_node": _every_node,
}


if __name__ == "__main__":
    command.run(main)
