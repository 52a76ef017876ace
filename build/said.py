"""What a build says at its end: configs, figures, what was dropped, whether it is as frozen."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from build import minis
from build.dataset import EDITION
from build.made import Made, Part, Parts
from pararecover import digest_of
from trajectory.instance import Instance

if TYPE_CHECKING:
    from build.frozen import Difference

Report = dict[str, Any]

_NAMED: Final = 5


def digest(parts: Parts) -> str:
    """Return what identifies a split of an edition: `digest_of` its instances, each once."""
    full = {part: found for part, found in parts.items() if not part[0].endswith(minis.SUFFIX)}
    return digest_of(one for _, found in sorted((full or parts).items()) for one in found)


def report(
    made: Mapping[str, Made],
    parts: Parts,
    files: Mapping[Part, str],
    differences: "Mapping[str, Difference | None]",
) -> Report:
    """Return all that is told of a build, as plain JSON; by split what differs by split."""
    return {
        "edition": EDITION,
        "configs": [
            {
                "config": part[0],
                "split": part[1],
                "instances": len(found),
                "tasks": len({one.query_id for one in found}),
                "file": files.get(part),
            }
            for part, found in parts.items()
        ],
        "splits": {
            split: {
                "digest": digest({part: of for part, of in parts.items() if part[1] == split}),
                "frozen": None if difference is None else difference._asdict(),
                **_figures(made[split]),
            }
            for split, difference in differences.items()
        },
    }


def _figures(made: Made) -> Report:
    rollouts, augmented = made.filling.instances, made.edition.instances.values()
    proven = [*augmented, *rollouts]
    return {
        "tasks": len({one.query_id for one in proven}),
        "most_of_a_task": max(Counter(one.query_id for one in proven).values(), default=0),
        "sources": _counted(f"level{one.level} {one.source}" for one in proven),
        "planners": _counted(one.agent for one in rollouts),
        "rounds": _counted(_rounds(one) for one in proven),
        "labels": _counted(len(one.error_types) for one in proven),
        "visible": _counted(error["visible"] for one in proven for error in one.errors),
        "dropped": [
            {"type": str(kind), "point": point, "candidates": count}
            for (kind, point), count in sorted(made.edition.dropped.items())
        ],
        "dropped_rollouts": _by_point(made.filling.dropped),
    }


def _rounds(instance: Instance) -> int:
    return len(instance.history) + bool(instance.tool_results)


def _counted(values: Iterable[Any]) -> dict[str, int]:
    return {str(value): count for value, count in sorted(Counter(values).items())}


def _by_point(dropped: Mapping[tuple[int, str], int]) -> dict[str, int]:
    points: Counter[int] = Counter()
    for (point, _), count in dropped.items():
        points[point] += count
    return {str(point): count for point, count in sorted(points.items())}


def text(told: Report, folder: Path) -> str:
    """Return a report as lines of text."""
    lines = [f"edition {told['edition']}"]
    for one in told["configs"]:
        place = f": {one['file']}" if one["file"] else ""
        lines.append(
            f"{one['config']}/{one['split']}{place}: {one['instances']} instances of "
            f"{one['tasks']} tasks, all proven"
        )
    if any(one["file"] for one in told["configs"]):
        lines.append(f"card: {folder / 'README.md'}")
    for split, figures in told["splits"].items():
        lines += _of_split(split, figures)
    return "\n".join(lines)


def _of_split(split: str, figures: Report) -> list[str]:
    lines = [f"{split} {figures['digest']}"]
    for name in ("sources", "planners", "rounds", "labels", "visible"):
        counts = ", ".join(f"{value}: {count}" for value, count in figures[name].items())
        lines.append(f"{name}: {counts}")
    lines += _of_dropped(figures["dropped"])
    points = ", ".join(f"{n} at point {point}" for point, n in figures["dropped_rollouts"].items())
    lines.append(f"snapshots of rollouts dropped: {points or 'none'}")
    lines.append(_of_frozen(split, figures["frozen"]))
    return lines


def _of_dropped(dropped: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the table of candidates that were dropped, by type and point of the proof."""
    points = sorted({one["point"] for one in dropped})
    if not points:
        return ["candidates dropped: none"]
    counts = {(one["type"], one["point"]): one["candidates"] for one in dropped}
    lines = [f"candidates dropped at point {'':8}" + "".join(f"{point:>6}" for point in points)]
    for kind in sorted({one["type"] for one in dropped}):
        row = "".join(f"{counts.get((kind, point), 0):>6}" for point in points)
        lines.append(f"  {kind:32}{row}")
    return lines


def _of_frozen(split: str, difference: Mapping[str, Sequence[str]] | None) -> str:
    file = f"splits/{split}.json"
    if difference is None:
        return f"nothing is frozen in {file} yet: freeze it with --freeze"
    parts = [
        f"{len(ids)} {name} ({', '.join(ids[:_NAMED])}{', …' if len(ids) > _NAMED else ''})"
        for name, ids in difference.items()
        if ids
    ]
    if not parts:
        return f"the same as frozen in {file}"
    return f"other than frozen in {file}: {'; '.join(parts)}"
