"""Faults of the environment: a tool that does not answer, or answers with nothing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from trajectory.calls import call_outcome

Kind = Literal["timeout", "null", "empty_text", "empty_list"]

_EMPTY: Final[Mapping[str, Any]] = {"null": None, "empty_text": "", "empty_list": []}


@dataclass(frozen=True)
class Fault:
    """A scheduled fault (semantics.md, "Faults of the environment").

    tool: whose calls it answers. first: the try-round in which it begins, from 1; a round
    counts as tried when a call of the tool passes name, references and schema in it.
    length: for how many try-rounds it lasts, 1 to 3. kind: what the caller gets.
    """

    tool: str
    first: int
    length: int
    kind: Kind

    def hits(self, tool: str, tried: int) -> bool:
        """Say whether the fault answers a call of `tool` in try-round `tried`."""
        return tool == self.tool and self.first <= tried < self.first + self.length

    def result(self) -> Any:
        """Return what the call gives back."""
        if self.kind == "timeout":
            return {"error": f"timeout: {self.tool} did not answer within 30 seconds"}
        return _EMPTY[self.kind]

    def to_row(self) -> dict[str, Any]:
        """Return the fault as an instance holds it."""
        return {"tool": self.tool, "first": self.first, "length": self.length, "kind": self.kind}


def is_of_a_fault(result: Any) -> bool:
    """Say whether a result is what a fault gives: no tool answers so (semantics.md, "Faults")."""
    if call_outcome(result) == "empty":
        return True
    error = result.get("error", "") if isinstance(result, dict) else ""
    return isinstance(error, str) and error.startswith("timeout: ")


def read_faults(rows: Iterable[Mapping[str, Any]]) -> tuple[Fault, ...]:
    """Read the faults of an instance."""
    return tuple(Fault(row["tool"], row["first"], row["length"], row["kind"]) for row in rows)
