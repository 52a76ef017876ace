"""The edition that is made of a file in BUTTON's format: level1_button and level2_button.

The tools of its tasks can't run: results are recorded, so no score on it is ever ranked. An
instance proves what schemas, names, references and layers show, and its proof says
"structural". Its environment holds the recorded calls, and where they come from.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

from build.button.making import Made, made
from build.button.reading import Reading, by_name, said
from build.button.recorded import UnusableError, recorded
from build.candidates import STAND_IN
from build.dataset import BUTTON_EDITION, write_config
from build.gold import Gold
from pararecover import digest_of
from trajectory.error_types import ErrorType
from trajectory.files import InputError
from trajectory.instance import Instance

LEVELS: Final = (1, 2)
SPLIT: Final = "test"
# Tasks that are read ahead, and those that a process takes at once.
_BATCH: Final = 64
_CHUNK: Final = 4


@dataclass
class Button:
    """What a file gave.

    left_out: gold plans of which no instance can be made, by reason. tasks: those that were
    taken. instances: with their ids. dropped: candidates by type (several types: each) and the
    point of the proof, or that they rest on a stand-in.
    """

    reading: Reading
    left_out: Counter[str] = field(default_factory=Counter)
    tasks: int = 0
    instances: list[Instance] = field(default_factory=list)
    dropped: Counter[tuple[str, str]] = field(default_factory=Counter)

    def golds(self) -> Iterator[Gold]:
        """Yield the gold plans that can be used, counting them and those left out."""
        for gold, notes in self.reading.golds():
            try:
                taken = recorded(gold, notes)
            except UnusableError as reason:
                self.left_out[str(reason)] += 1
                continue
            self.tasks += 1
            yield taken

    def take(self, given: Made) -> None:
        """Number the instances of a task, and count what was dropped."""
        for instance in given.instances:
            number = sum(one.level == instance.level for one in self.instances) + 1
            named = replace(instance, id=f"L{instance.level}-button-{number:06}")
            self.instances.append(named)
        self.dropped.update(
            (kind, "stand-in" if flaw.why == STAND_IN else f"point {flaw.point}")
            for kind, flaw in given.dropped
        )

    def of_level(self, level: int) -> list[Instance]:
        """Return the instances of a level."""
        return [one for one in self.instances if one.level == level]


def button(file: Path, processes: int, tasks: int | None = None) -> Button:
    """Make the edition of a file, of at most so many tasks.

    The instances don't depend on the number of processes. Raises InputError where nothing can
    be read, or nothing be made of what is read.
    """
    found = Button(Reading(file))
    golds = islice(found.golds(), tasks)
    with ProcessPoolExecutor(processes) as pool:
        while batch := list(islice(golds, _BATCH)):
            for given in pool.map(made, batch, chunksize=_CHUNK):
                found.take(given)
    if not found.instances:
        raise InputError(
            "no instance can be made of these conversations",
            file=file,
            got=f"left out: {said(by_name(found.left_out))}",
        )
    return found


def written(folder: Path, found: Button) -> dict[str, Path]:
    """Write the configs that have instances; return their files."""
    levels = {f"level{level}_button": found.of_level(level) for level in LEVELS}
    return {
        config: write_config(folder, config, SPLIT, instances)
        for config, instances in levels.items()
        if instances
    }


def report(found: Button, files: Mapping[str, Path]) -> dict[str, Any]:
    """Return the figures: what was read, left out, made and dropped."""
    return {
        "edition": BUTTON_EDITION,
        "digest": digest_of(found.instances),
        "read": found.reading.figures(),
        "left_out": by_name(found.left_out),
        "tasks": found.tasks,
        "configs": [
            {
                "config": f"level{level}_button",
                "split": SPLIT,
                "instances": len(found.of_level(level)),
                "tasks": len({one.query_id for one in found.of_level(level)}),
                "file": str(files[f"level{level}_button"]) if found.of_level(level) else None,
                "types": _types(found.of_level(level)),
            }
            for level in LEVELS
        ],
        "dropped": [
            {"type": kind, "why": why, "candidates": count}
            for (kind, why), count in sorted(found.dropped.items())
        ],
    }


def _types(instances: Iterable[Instance]) -> dict[str, int]:
    counts = Counter(kind for one in instances for kind in one.error_types)
    return {kind.value: counts[kind.value] for kind in ErrorType}


def text(told: Mapping[str, Any]) -> str:
    """Return the figures as a person reads them."""
    read = told["read"]
    lines = [
        f"edition {told['edition']}, {told['digest']}",
        f"conversations: {read['conversations']}, of which {read['read']} were read",
        f"skipped: {said(read['skipped'])}",
        f"licence: {read['licence'] or 'not known (not the published file)'}",
        f"left out: {said(told['left_out'])}",
        f"tasks taken: {told['tasks']}",
    ]
    for one in told["configs"]:
        place = f": {one['file']}" if one["file"] else ""
        lines.append(
            f"{one['config']}/{one['split']}{place}: {one['instances']} instances of "
            f"{one['tasks']} tasks, proof structural, never ranked"
        )
    return "\n".join([*lines, *_table_of_types(told["configs"]), *_dropped(told["dropped"])])


def _table_of_types(configs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield f"{'type':24}" + "".join(f"{one['config']:>16}" for one in configs)
    for kind in ErrorType:
        yield f"  {kind:22}" + "".join(f"{one['types'][kind]:>16}" for one in configs)


def _dropped(dropped: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the table of candidates that were dropped, by type and reason."""
    whys = sorted({one["why"] for one in dropped})
    counts = {(one["type"], one["why"]): one["candidates"] for one in dropped}
    yield f"{'candidates dropped':24}" + "".join(f"{why:>10}" for why in whys)
    for kind in sorted({one["type"] for one in dropped}):
        yield f"  {kind:22}" + "".join(f"{counts.get((kind, why), 0):>10}" for why in whys)
