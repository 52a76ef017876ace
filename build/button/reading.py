"""Reading a file of conversations to its end, counting what could be read and what was odd."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from build.button import published
from build.button.conversation import Note, read_file
from build.button.plans import gold_of
from build.gold import Gold
from trajectory.files import InputError


class Reading:
    """Reads a file of conversations; notes: what was odd so far."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.origin = published.origin_of(file)
        self.notes: list[Note] = []
        self.conversations = 0
        self.calls = 0
        self.read = 0
        self.edges = Counter({"value": 0, "prose": 0, "turn_order": 0})

    def golds(self) -> Iterator[tuple[Gold, Sequence[Note]]]:
        """Yield the gold plans in the order of the file, each with what was odd about it.

        Raises InputError at its end where there was none.
        """
        from tqdm import tqdm

        lines = tqdm(read_file(self.file), unit="conversation", disable=None, file=sys.stderr)
        for conversation, notes in lines:
            self.conversations += 1
            self.notes.extend(notes)
            if conversation is not None:
                gold = gold_of(conversation, self.origin)
                self.read += 1
                self.calls += gold.calls_gt
                self.edges.update(edge.how for edge in gold.edges)
                yield gold, notes
        self._require_some()

    def _require_some(self) -> None:
        if self.read:
            return
        if not self.conversations:
            raise InputError("the file is empty", file=self.file)
        first = self.notes[0]
        raise InputError(
            "no conversation in BUTTON's format",
            file=self.file,
            line=first.line,
            got=f"{first.reason}: {first.detail}",
            wanted='lines of {"messages": [{"role", "content"}]}',
        )

    def figures(self) -> dict[str, Any]:
        """Return what was counted."""
        return {
            "conversations": self.conversations,
            "read": self.read,
            "skipped": by_name(Counter(note.reason for note in self.notes if note.skipped)),
            "odd": by_name(Counter(note.reason for note in self.notes if not note.skipped)),
            "calls": self.calls,
            "edges": dict(self.edges),
            "licence": self.origin["licence"],
        }


def by_name(counts: Counter[str]) -> dict[str, int]:
    """Return counts in the order of their names."""
    return {name: counts[name] for name in sorted(counts)}


def said(counts: dict[str, int]) -> str:
    """Return counts as a text, "none" where there are none."""
    parts = [f"{count} {name.replace('_', ' ')}" for name, count in counts.items()]
    return ", ".join(parts) or "none"
