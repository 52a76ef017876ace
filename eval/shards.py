"""Shards: a selection in parts by a stable hash of the id, for array jobs of any scheduler."""

import argparse
from collections.abc import Iterable
from dataclasses import dataclass

from trajectory import canonical


@dataclass(frozen=True)
class Shard:
    """Part number `number` of `parts`, from 1."""

    number: int
    parts: int

    def __str__(self) -> str:
        return f"{self.number}/{self.parts}"

    def of(self, ids: Iterable[str]) -> list[str]:
        """Return the ids of this part; whichever others there are, an id stays in its part."""
        return [id for id in ids if _place(id) % self.parts == self.number - 1]


def _place(id: str) -> int:
    return int(canonical.text_digest(id)[:15], 16)


def shard(text: str) -> Shard:
    """Read `i/n`; for argparse."""
    number, slash, parts = text.partition("/")
    if slash and number.isdecimal() and parts.isdecimal() and 1 <= int(number) <= int(parts):
        return Shard(int(number), int(parts))
    raise argparse.ArgumentTypeError(f"wanted i/n with i from 1 to n, got {text!r}")
