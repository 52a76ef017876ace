"""What was made of rollouts, told in figures beside those of the published ones."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from build.rollouts.marginals import LABELS, ROUNDS, TYPES
from trajectory.error_types import ErrorType
from trajectory.instance import Instance

Report = Mapping[str, Any]


def report(
    instances: Sequence[Instance], dropped: Mapping[tuple[int, str], int], tasks: int
) -> dict[str, Any]:
    """Return the figures of rollouts as plain JSON."""
    return {
        "instances": len(instances),
        "tasks_played": tasks,
        "by_agent": _counted(one.agent for one in instances),
        "levels": {str(level): _level(instances, level) for level in (1, 2)},
        "most_of_a_task": max(Counter(one.query_id for one in instances).values(), default=0),
        "dropped": _reasons(dropped),
    }


def _counted(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))


def _level(instances: Iterable[Instance], level: int) -> dict[str, Any]:
    chosen = [one for one in instances if one.level == level]
    errors = [error for one in chosen for error in one.errors]
    rounds = [len(one.history) + bool(one.tool_results) for one in chosen]
    return {
        "instances": len(chosen),
        "types": _counted(error["type"] for error in errors),
        "labels": _counted(str(len(one.errors)) for one in chosen),
        "rounds": _counted(f"{number:02}" for number in rounds),
        "visible": _counted(error["visible"] for error in errors),
    }


def _reasons(dropped: Mapping[tuple[int, str], int]) -> dict[str, int]:
    """Return how many candidates were dropped for which reason, names and numbers left out."""
    counts: Counter[str] = Counter()
    for (point, why), times in dropped.items():
        plain = re.sub(r"(?<=of )[a-z_]+_[a-z_]+|\d+\S*|\{.*|\(.*", "…", why)
        counts[f"{point}: {plain}"] += times
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))


def said(found: Report) -> str:
    """Return a report as lines of text."""
    lines = [f"{found['instances']} instances of {found['tasks_played']} tasks played"]
    lines += _table("planner", found["by_agent"])
    for level, part in found["levels"].items():
        lines += ["", f"level {level}: {part['instances']} instances; share here, published"]
        lines += _beside(part, int(level))
    lines += ["", "dropped (point of the proof: why)", *_table("", found["dropped"])]
    return "\n".join(lines)


def _table(head: str, counts: Mapping[str, int]) -> list[str]:
    rows = [f"  {count:6}  {name}" for name, count in counts.items()]
    return [f"  {'':6}  {head}", *rows] if head else rows


def _beside(part: Mapping[str, Any], level: int) -> list[str]:
    published = TYPES[level]
    total, told = sum(part["types"].values()) or 1, sum(published.values())
    lines = [
        _line(kind.value, part["types"].get(kind.value, 0), total, published[kind] / told)
        for kind in ErrorType
    ]
    count = part["instances"] or 1
    if level == 2:
        for number, share in LABELS.items():
            have = part["labels"].get(str(number), 0)
            lines.append(_line(f"{number} labels", have, count, share))
        for rounds, share in ROUNDS.items():
            have = part["rounds"].get(f"{rounds:02}", 0)
            lines.append(_line(f"after {rounds} rounds", have, count, share))
    else:
        for rounds, have in part["rounds"].items():
            lines.append(f"  {have:6} {have / count:6.1%}          after {int(rounds)} rounds")
    return lines


def _line(name: str, have: int, total: int, published: float) -> str:
    return f"  {have:6} {have / total:6.1%} {published:6.1%}   {name}"
