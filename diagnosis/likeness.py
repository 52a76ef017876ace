"""How alike the calls of a plan and of the gold plan are.

Four things are compared: the tool, the arguments, what a call waits for, and who takes its
result. Of the last two it is the neighbours that must be alike, so likeness is worked out in
passes, each from the one before. The measure is our own; it runs from 0 to 1.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from diagnosis.sides import Link, Side
from trajectory import canonical
from trajectory.plan import RESPONSE
from trajectory.references import is_reference, read_reference
from trajectory.tools import Catalogue

_PASSES: Final = 3
# What each of the four counts.
_TOOL: Final = 0.3
_ARGUMENTS: Final = 0.3
_TAKERS: Final = 0.25
WAITS: Final = 0.15
# What results of the same tool count besides.
_RESULT: Final = 0.1
# How alike two tools are by their names: resembling, or in no list at all.
_CLOSE: Final = 0.75
_UNLISTED: Final = 0.4
# What a value counts under another name, and a name with another value.
_MISPLACED: Final = 0.8
_NAMED: Final = 0.25
# What a taker counts that takes a result for something else, or only waits for it.
_ELSEWHERE: Final = 0.6
_WAITING: Final = 0.3

# A call of the plan and one of the gold plan.
Pair = tuple[str, str]


@dataclass(frozen=True)
class Likeness:
    """Compares two plans; known: how alike calls are by the pass before."""

    plan: Side
    gold: Side
    catalogue: Catalogue
    known: Mapping[Pair, float]

    def of(self, pair: Pair) -> float:
        """Return how alike two calls are."""
        node, wanted = self.plan.calls[pair[0]], self.gold.calls[pair[1]]
        parts = [
            (_TOOL, self._tools(node.name or "", wanted.name or "")),
            (_ARGUMENTS, self._arguments(pair)),
            (WAITS, self._producers(self.plan.waits(node.id), self.gold.waits(wanted.id))),
            (_TAKERS, self._takers(self.plan.links[node.id], self.gold.links[wanted.id])),
        ]
        ran = node.id in self.plan.results and wanted.id in self.gold.results
        if ran and node.name == wanted.name:
            same = canonical.same(self.plan.results[node.id], self.gold.results[wanted.id])
            parts.append((_RESULT, float(same)))
        return sum(weight * part for weight, part in parts) / sum(weight for weight, _ in parts)

    def _tools(self, name: str, wanted: str) -> float:
        if name == wanted:
            return 1.0
        if name in self.catalogue.names:
            return 0.0
        return _CLOSE if wanted in self.catalogue.close(name) else _UNLISTED

    def _producers(self, deps: Sequence[str], wanted: Sequence[str]) -> float:
        known = self.known
        best = (max((known.get((a, b), 0.0) for a in deps), default=0.0) for b in wanted)
        return _share(best, deps, wanted)

    def _takers(self, links: Sequence[Link], wanted: Sequence[Link]) -> float:
        best = (max((self._linked(a, b) for a in links), default=0.0) for b in wanted)
        return _share(best, links, wanted)

    def _linked(self, link: Link, wanted: Link) -> float:
        alike = self.known.get((link.node, wanted.node), 0.0)
        if link.where == wanted.where:
            return alike
        return alike * (_ELSEWHERE if link.where and wanted.where else _WAITING)

    def _arguments(self, pair: Pair) -> float:
        """Compare arguments by their names, and by their values whatever their names."""
        values, wanted_values = self.plan.values[pair[0]], self.gold.values[pair[1]]
        para, wanted = self.plan.calls[pair[0]].para, self.gold.calls[pair[1]].para
        leaves, wanted_leaves = [*_leaves(para, values)], [*_leaves(wanted, wanted_values)]
        best = (max((self._values(a, b) for a in leaves), default=0.0) for b in wanted_leaves)
        misplaced = _MISPLACED * _share(best, leaves, wanted_leaves)
        if not isinstance(para, dict) or not isinstance(wanted, dict):
            return misplaced
        both = ((para[n], values[n], wanted[n], wanted_values[n]) for n in para.keys() & wanted)
        alike = (self._values((a, b), (c, d)) for a, b, c, d in both)
        named = (_NAMED + (1 - _NAMED) * value for value in alike)
        return max(misplaced, _share(named, para, wanted))

    def _values(self, value: tuple[Any, Any], wanted: tuple[Any, Any]) -> float:
        """Compare two values, each as it is known and as it is written."""
        same = canonical.same(value[1], wanted[1])
        return 1.0 if same else self._written(value[0], wanted[0])

    def _written(self, value: Any, wanted: Any) -> float:
        if is_reference(value) and is_reference(wanted):
            found, meant = read_reference(value, ""), read_reference(wanted, "")
            alike = self.known.get((found.node or "", meant.node or ""), 0.0)
            return alike if found.path == meant.path else alike / 2
        if isinstance(value, dict) and isinstance(wanted, dict):
            inside = (self._written(value[n], wanted[n]) for n in value.keys() & wanted)
            return _share(inside, value, wanted)
        if isinstance(value, list) and isinstance(wanted, list):
            pairs = zip(value, wanted, strict=False)
            return _share((self._written(a, b) for a, b in pairs), value, wanted)
        return float(canonical.same(value, wanted))


def likeness(
    plan: Side,
    gold: Side,
    catalogue: Catalogue,
    questions: Collection[Pair],
    sure: Collection[Pair],
) -> Mapping[Pair, float]:
    """Return how alike the calls of each pair in question are; sure: those that are the same."""
    certain = dict.fromkeys([*sure, (RESPONSE, RESPONSE)], 1.0)
    known = {**dict.fromkeys(questions, 0.5), **certain}
    for _ in range(_PASSES):
        measure = Likeness(plan, gold, catalogue, known)
        known = {**{pair: measure.of(pair) for pair in questions}, **certain}
    return known


def _share(best: Iterator[float], found: Collection[Any], wanted: Collection[Any]) -> float:
    """Return how much of two collections is alike, given the best for each that is wanted."""
    most = max(len(found), len(wanted))
    # Sorted, since the last digit of a sum depends on the order.
    return sum(sorted(best)) / most if most else 1.0


def _leaves(para: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield (as written, as known) of each value that holds no others."""
    if isinstance(para, dict) and not is_reference(para):
        for name, item in para.items():
            yield from _leaves(item, value[name])
    elif isinstance(para, list):
        for item, known in zip(para, value, strict=True):
            yield from _leaves(item, known)
    else:
        yield para, value
