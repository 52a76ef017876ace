"""The ledger: what really ran, attempt by attempt."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from trajectory.calls import Call, Outcome, call_outcome


@dataclass(frozen=True, slots=True)
class Entry:
    """One attempt of a node.

    attempt: from 1, per node. round: from 1, over the whole trajectory.
    arguments: as resolved; as written where a reference could not be resolved.
    """

    node: str
    tool: str
    arguments: Any
    round: int
    attempt: int
    outcome: Outcome
    result: Any

    def to_call(self) -> Call:
        """Return the entry as it stands in tool_results and history."""
        return Call(self.node, self.tool, self.arguments, self.result)


class Ledger:
    """Entries in the order they ran; grows only."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._entries = list(entries)
        self._by_node: dict[str, list[Entry]] = {}
        for entry in self._entries:
            self._by_node.setdefault(entry.node, []).append(entry)

    def record(self, node: str, tool: str, arguments: Any, round_: int, result: Any) -> Entry:
        """Add an attempt of a node and return its entry."""
        outcome = call_outcome(result)
        attempts = self._by_node.setdefault(node, [])
        entry = Entry(node, tool, arguments, round_, len(attempts) + 1, outcome, result)
        attempts.append(entry)
        self._entries.append(entry)
        return entry

    def last(self, node: str) -> Entry | None:
        """Return the last attempt of a node, or None."""
        entries = self._by_node.get(node)
        return entries[-1] if entries else None

    def attempts(self, node: str) -> Sequence[Entry]:
        """Return all attempts of a node, oldest first."""
        return self._by_node.get(node, ())

    def __contains__(self, node: str) -> bool:
        return node in self._by_node

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
