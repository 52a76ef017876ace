"""Where the nodes of a plan stand when it is drawn: a column a layer, edges from left to right."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from trajectory.graph import topology
from trajectory.plan import ROOT, Plan

# Sizes in pixels: of a node, and from one to the next.
WIDTH: Final = 168
HEIGHT: Final = 46
_ACROSS: Final = 214
_DOWN: Final = 66
EDGE: Final = 12
# How far a line bends out between two nodes of one column, and how far apart its two ends are.
_LOOP: Final = 44
_APART: Final = 9
# An arrow's length and half its width.
_LONG, _WIDE = 6, 4
# Passes over the layers that put nodes near those that they wait for.
_PASSES: Final = 4


# Edges of a node that reach over columns pass these by as one line, at a place of its own there.
_Stop = tuple[str, int]
_Slot = str | _Stop


class Line(NamedTuple):
    """From (x, y) to (to, down); ends: at the node that waits, where an arrow says so."""

    x: int
    y: int
    to: int
    down: int
    ends: bool

    @property
    def path(self) -> str:
        """Return the line as an SVG path."""
        if self.to == self.x:
            return self._loop()
        bend = max(24, (self.to - self.x) // 2)
        curve = f"C{self.x + bend} {self.y} {self.to - bend} {self.down} {self.to} {self.down}"
        return f"M{self.x} {self.y}{curve}{self._arrow(self.down, -_LONG) if self.ends else ''}"

    def _loop(self) -> str:
        """Return the way to a node of the same column, around its right side."""
        out = self.x + (_LOOP if self.down >= self.y else _LOOP // 2)
        start, end = self.y - _APART, self.down + _APART
        curve = f"C{out} {start} {out} {end} {self.to} {end}"
        return f"M{self.x} {start}{curve}{self._arrow(end, _LONG)}"

    def _arrow(self, y: int, back: int) -> str:
        return f"M{self.to + back} {y - _WIDE}L{self.to} {y}L{self.to + back} {y + _WIDE}"


@dataclass(frozen=True)
class Layout:
    """A plan laid out, in pixels.

    places: the upper left corner of each node. lines: left to right, but for those of a cycle,
    which stay in their column; those of an edge join. size: width and height.
    """

    places: Mapping[str, tuple[int, int]]
    lines: Sequence[Line]
    size: tuple[int, int]

    def to_record(self) -> dict[str, Any]:
        """Return it as the page's scripts draw it."""
        return {
            "at": {id: list(place) for id, place in self.places.items()},
            "lines": [line.path for line in self.lines],
            "size": list(self.size),
        }


def layout(plan: Plan) -> Layout:
    """Lay a plan out; nodes on a cycle, or behind one, stand in a column of their own at the end.

    The root is left out unless it is a call: nothing waits for it. Within a column nodes stand
    near what they wait for; the same plan gives the same places.
    """
    deps = _deps(plan)
    columns: list[list[_Slot]] = [list(column) for column in _columns(plan, deps)]
    joints = _joints(columns, deps)
    for _ in range(_PASSES):
        columns = _nearer(columns, joints)
    corners = {
        slot: (EDGE + _ACROSS * x, EDGE + _DOWN * y)
        for x, column in enumerate(columns)
        for y, slot in enumerate(column)
    }
    across = [_through(corner) for slot, corner in corners.items() if slot not in deps]
    between = [
        _line(corners[one], corners[other], ends=isinstance(other, str))
        for one, other in sorted(joints, key=repr)
    ]
    loops = any(line.x == line.to for line in between)
    tallest = max(map(len, columns), default=0)
    return Layout(
        {slot: corner for slot, corner in corners.items() if isinstance(slot, str)},
        [*between, *across],
        (
            2 * EDGE + max(0, _ACROSS * (len(columns) - 1) + WIDTH) + _LOOP * loops,
            2 * EDGE + max(0, _DOWN * (tallest - 1) + HEIGHT),
        ),
    )


def _line(start: tuple[int, int], end: tuple[int, int], *, ends: bool) -> Line:
    """Return the line from a slot's right side to another's left; right, in the same column."""
    middle = HEIGHT // 2
    to = end[0] if end[0] > start[0] else end[0] + WIDTH
    return Line(start[0] + WIDTH, start[1] + middle, to, end[1] + middle, ends)


def _through(corner: tuple[int, int]) -> Line:
    """Return the line through a slot that is no node."""
    y = corner[1] + HEIGHT // 2
    return Line(corner[0], y, corner[0] + WIDTH, y, ends=False)


def _deps(plan: Plan) -> dict[str, tuple[str, ...]]:
    found = topology(plan).deps
    shown = {node.id for node in plan if node.id != ROOT or node.is_call}
    return {id: tuple(dep for dep in found.get(id) or () if dep in shown) for id in sorted(shown)}


def _columns(plan: Plan, deps: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Return the ids by the longest way to them; what can never run stands last."""
    depth: dict[str, int] = {}
    for id in topology(plan).order:
        if id in deps:
            depth[id] = 1 + max((depth[dep] for dep in deps[id] if dep in depth), default=-1)
    columns: list[list[str]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for id in deps:
        if id in depth:
            columns[depth[id]].append(id)
    stuck = [id for id in deps if id not in depth]
    return [*columns, stuck] if stuck else columns


def _joints(
    columns: list[list[_Slot]], deps: Mapping[str, Sequence[str]]
) -> set[tuple[_Slot, _Slot]]:
    """Return what is joined by lines, and add to columns the stops of edges that reach further."""
    column = {slot: x for x, slots in enumerate(columns) for slot in slots}
    found: set[tuple[_Slot, _Slot]] = set()
    for id, many in deps.items():
        for dep in many:
            last: _Slot = dep
            for x in range(column[dep] + 1, column[id]):
                stop = (dep, x)
                if stop not in columns[x]:
                    columns[x].append(stop)
                found.add((last, stop))
                last = stop
            found.add((last, id))
    return found


def _nearer(
    columns: Sequence[Sequence[_Slot]], joints: Iterable[tuple[_Slot, _Slot]]
) -> list[list[_Slot]]:
    """Order each column by the mean place of what its slots are joined to."""
    place = {slot: y for column in columns for y, slot in enumerate(column)}
    near: dict[_Slot, list[int]] = {slot: [] for slot in place}
    for one, other in joints:
        near[one].append(place[other])
        near[other].append(place[one])
    mean = {slot: sum(ys) / len(ys) if ys else place[slot] for slot, ys in near.items()}
    return [sorted(column, key=lambda slot: (mean[slot], place[slot])) for column in columns]
