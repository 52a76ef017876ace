"""The desk of a planner that errs: its draft, the tools, and the slips that stand in the draft."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from build.rollouts.planning import Draft, is_outage
from trajectory.error_types import ErrorType
from trajectory.plan import Node
from trajectory.references import is_reference
from trajectory.tools import Catalogue, Tool

_NAMES = frozenset((ErrorType.TOOL_NAME, ErrorType.TOOL_SELECT))
_OUTAGES = frozenset((ErrorType.TIMEOUT, ErrorType.NULL))
# What they cost is lost once they have run.
COSTS: Final = frozenset((ErrorType.REDUNDANT_CALL, ErrorType.PARALLELISM))


class Slip(NamedTuple):
    """What went wrong with a plan, as its planner knows.

    node: where it shows; of a call that was never planned the first that needs it. round: how
    many had run when it was made. step: the step that was never planned, else "".
    """

    type: ErrorType
    node: str
    round: int
    step: str = ""


@dataclass
class Desk:
    """All that a planner works with.

    slips: those that stand, in the order they were made. spares: attempt → the further one that
    was planned ahead of its need. shaken: nodes that a slip lies in or beside.
    """

    draft: Draft
    tools: Catalogue
    rng: random.Random
    round: int = 0
    slips: list[Slip] = field(default_factory=list)
    spares: dict[str, str] = field(default_factory=dict)
    shaken: set[str] = field(default_factory=set)

    def slip(self, type: ErrorType, node: str, *beside: str, step: str = "") -> bool:
        """Note a slip; returns True."""
        self.slips.append(Slip(type, node, self.round, step))
        self.shaken |= {node, *beside}
        return True

    def settle(self, node: str, *, of: frozenset[ErrorType] | None = None) -> None:
        """Note that a node is right again, or free of slips of these types."""
        gone = [one for one in self.at(node) if of is None or one.type in of]
        self.slips = [one for one in self.slips if one not in gone]

    def at(self, node: str) -> list[Slip]:
        """Return the slips of a node itself."""
        return [one for one in self.slips if one.node == node and not one.step]

    def fitting(self) -> list[Node]:
        """Return the calls where something can go wrong: still to run, nothing wrong by them."""
        return [
            node
            for node in self.draft.nodes.values()
            if node.id in self.draft.made_for
            and node.id not in self.draft.attempts
            and node.id not in self.shaken
        ]

    def tool(self, node: Node) -> Tool | None:
        """Return the listed tool of a call."""
        return next(iter(self.tools.named(node.name or "")), None)

    def see(self, results: Mapping[str, Any]) -> None:
        """Take in the results of the last round: outages, and attempts that were needed."""
        for node in sorted(results):
            self._see_outage(node, results[node])
            spare = self.spares.pop(node, None)
            if spare is not None and node in self.draft.failed and node in self.draft.made_for:
                self.draft.made_for[spare] = self.draft.made_for[node]
                self.settle(spare)
                self.settle(node, of=_OUTAGES)

    def _see_outage(self, node: str, result: Any) -> None:
        self.settle(node, of=_OUTAGES)
        named = not any(one.type in _NAMES for one in self.at(node))
        if is_outage(result) and named and node in self.draft.made_for:
            empty = not isinstance(result, dict)
            self.slip(ErrorType.NULL if empty else ErrorType.TIMEOUT, node)

    def mendable(self) -> Iterator[Slip]:
        """Yield the slips that a second look could still mend."""
        for one in self.slips:
            ran = one.node in self.draft.attempts
            if one.type not in _OUTAGES and not (one.type in COSTS and ran):
                yield one


def literals(value: Any) -> bool:
    """Say whether a value holds no reference."""
    if is_reference(value):
        return False
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return all(map(literals, parts))
