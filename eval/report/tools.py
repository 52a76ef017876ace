"""The tools of all instances, each told once."""

from typing import Any

from trajectory import canonical
from trajectory.instance import Instance


class Tools:
    """Entries of tool lists by number, in the order in which they were met first."""

    def __init__(self) -> None:
        self.entries: list[Any] = []
        self._numbers: dict[str, int] = {}

    def numbers(self, one: Instance) -> list[int]:
        """Return the numbers of an instance's tools; the release's may be no list."""
        entries = one.tools if isinstance(one.tools, list) else [one.tools]
        return [self._number(entry) for entry in entries]

    def _number(self, entry: Any) -> int:
        text = canonical.dumps(entry)
        if text not in self._numbers:
            self._numbers[text] = len(self.entries)
            self.entries.append(entry)
        return self._numbers[text]
