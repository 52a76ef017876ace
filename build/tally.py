"""A tally of instances: how many there are of what, kept in the file that holds them.

The card counts from these, so that it never has to read a whole dataset again.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from trajectory import canonical
from trajectory.files import AnyPath, InputError
from trajectory.instance import Instance

# Under this key a file's metadata hold its tally, as canonical JSON.
KEY: Final = b"pararecover_tally"

# source → of what → value → instances (of `visible`: errors). A mapping of JSON.
Counts = Mapping[str, Mapping[str, Mapping[str, int]]]


class Tally:
    """Counts instances by source: error types, labels, calls and rounds of the task, and so on."""

    def __init__(self) -> None:
        self._counts: dict[str, dict[str, Counter[str]]] = {}
        self._tasks: set[str] = set()

    def add(self, instance: Instance) -> None:
        """Count an instance."""
        of = self._counts.setdefault(instance.source, {})
        values: dict[str, list[Any]] = {
            "edition": [instance.edition],
            "types": sorted(set(instance.error_types)),
            "labels": [len(instance.error_types)],
            "calls": ["unknown" if instance.calls_gt is None else instance.calls_gt],
            "rounds": [len(instance.history) + bool(instance.tool_results)],
            "visible": [error.get("visible") for error in instance.errors],
            "curated": [instance.curation is not None],
        }
        for name, found in values.items():
            of.setdefault(name, Counter()).update(map(str, found))
        self._tasks.add(instance.query_id)

    def to_json(self) -> bytes:
        """Return what was counted, and the number of tasks, as canonical JSON."""
        return canonical.dumps({"tasks": len(self._tasks), "sources": self._counts}).encode()


def read(path: AnyPath) -> tuple[int, Counts]:
    """Return the number of tasks and the counts of a file; raises InputError where it has none."""
    from pyarrow import parquet

    told: Mapping[bytes, bytes] = parquet.read_metadata(path).metadata or {}
    if KEY not in told:
        raise InputError(
            "the file has no tally", file=path, do="build the dataset again: python -m build"
        )
    found = canonical.loads(told[KEY].decode())
    return found["tasks"], found["sources"]
