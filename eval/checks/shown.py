"""What was shown with an instance, as text to look things up in."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

from eval.checks.case import Case
from eval.checks.mentions import narrowed
from trajectory import canonical
from trajectory.plan import Plan

# The items that a claim of the plan, or of tools and results, counts for.
PLAN: Final = "D1"
TOOL: Final = "D2"


@dataclass(frozen=True)
class Shown:
    """What was shown, as text to look things up in; `answered` is the plan that answers it."""

    case: Case
    answered: Plan

    @cached_property
    def results(self) -> str:
        """The results of all rounds so far."""
        return flat([entry.result for entry in self.case.ledger])

    @cached_property
    def plan(self) -> str:
        """The plan's nodes and the arguments as they were sent."""
        nodes = [[node.id, node.name, node.para, [*node.dep]] for node in self.case.plan]
        return flat([nodes, [entry.arguments for entry in self.case.ledger]])

    @cached_property
    def rest(self) -> str:
        """The request, the tools, and the plan that answers."""
        nodes = [[node.id, node.name, node.para] for node in self.answered]
        one = self.case.instance
        return flat([one.query, one.tools, nodes])

    def place_of(self, value: str) -> tuple[str, ...] | None:
        """Return the items that a value counts for by where it stands; None: it stands nowhere.

        A text stands somewhere as whole words, what is left out of it marked by dots; a number by
        its value.
        """
        wanted, number = flat(value), _number(value)
        parts = [part.strip() for part in re.split(r"…|\.\.\.", wanted) if part.strip()] or [wanted]
        for name, items in _PLACES.items():
            # One text after the other: most is found in the first.
            text = getattr(self, name)
            if number is None:
                found = all(_has(text, part) for part in parts)
            else:
                found = number in _numbers(text)
            if found:
                return items
        return None


# Where things stand, in this order, and what they count for there.
_PLACES: Final[Mapping[str, tuple[str, ...]]] = {
    "results": (TOOL,),
    "plan": (PLAN, TOOL),
    "rest": (),
}


def _has(text: str, part: str) -> bool:
    """Say whether words stand in a text as whole ones."""
    start = text.find(part)
    while start >= 0:
        end = start + len(part)
        inside = (start and _joins(text[start - 1], part[0])) or (
            end < len(text) and _joins(part[-1], text[end])
        )
        if not inside:
            return True
        start = text.find(part, start + 1)
    return False


def _joins(left: str, right: str) -> bool:
    return all(char.isascii() and (char.isalnum() or char == "_") for char in (left, right))


def flat(value: Any) -> str:
    """Return the text of a value in lower case, without escapes, quotes and double blanks."""
    text = value if isinstance(value, str) else canonical.dumps(value)
    return " ".join(re.sub(r"[\"'`\\]", "", narrowed(text)).lower().split())


_NUMBER: Final = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?", re.ASCII)
_ALONE: Final = re.compile(r"-?\d+(?:\.\d+)?", re.ASCII)


@lru_cache(maxsize=8)
def _numbers(text: str) -> frozenset[float]:
    return frozenset(float(match) for match in _NUMBER.findall(text))


def _number(value: str) -> float | None:
    return float(value) if _ALONE.fullmatch(value) else None
