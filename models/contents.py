"""What one JSON value of an answer says: the tasks, and the thought and diagnosis beside them.

A value is a plan when it is an object whose `tasks` is a list with an object in it (an empty list
is a plan without nodes), or nodes by id; the bare list; the plan under a key such as "plan"; or a
text that holds one of these. What is wrong within the plan (cycles, dangling ids, odd arguments)
is not judged here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from models.repair import Piece, pieces
from trajectory import canonical

_WRAPPERS = ("plan", "updated_plan", "new_plan")
_DEEPEST_WRAPPER = 4


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One error that an answer names: node id, error type and reason as written, or ""."""

    node: str
    type: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a value says, or (in `problem`) why it holds no plan.

    tasks: the value that stood there, a list or an object of nodes by id.
    marks: how it was read, in the words of models.reading.MARKS.
    left_out: what of the text is not in it, if anything.
    """

    tasks: Any = None
    thought: str = ""
    diagnosis: tuple[Diagnosis, ...] = ()
    marks: frozenset[str] = field(default_factory=frozenset)
    problem: str | None = None
    left_out: str | None = None

    def marked(self, *marks: str) -> "Contents":
        """Return the same with further marks."""
        return replace(self, marks=self.marks.union(marks))


def contents(piece: Piece, *, after_break: bool = False) -> Contents:
    """Return what a piece says; never raises.

    after_break: something broken stands before the piece, which may be an argument of it; then
    it counts only where it has the looks of a plan in each of its nodes.
    """
    found = _of_piece(piece, 0)
    if not after_break or found.problem:
        return found
    if not _all_nodes(found.tasks):
        return Contents(problem="what stands behind the break is no plan")
    return found.marked("repaired")


def _of_piece(piece: Piece, depth: int) -> Contents:
    if piece.problem:
        return Contents(problem=piece.problem)
    found = _of_value(piece.value, depth)
    if piece.torn:
        found = _of_torn(piece, found)
    return found.marked("repaired") if piece.repaired else found


def _of_torn(piece: Piece, found: Contents) -> Contents:
    breaks_off = f"the text breaks off at character {piece.end}"
    if found.problem:
        return Contents(problem=f"{found.problem}; {breaks_off}")
    if not piece.nodes_torn:
        return replace(found, left_out=f"{breaks_off}, behind the tasks")
    if not found.tasks:
        return Contents(problem=f"{breaks_off}, before the first whole node")
    kept = f"{breaks_off}, within the tasks; whole nodes kept: {len(found.tasks)}"
    return replace(found, left_out=kept).marked("truncated")


def _of_value(value: Any, depth: int) -> Contents:
    if depth > _DEEPEST_WRAPPER:
        return Contents(problem="a plan within too many wrappers")
    if isinstance(value, str):
        return _of_text(value, depth)
    if isinstance(value, list):
        return _of_list(value)
    if isinstance(value, dict):
        return _of_object(value, depth)
    return Contents(problem=f"{_kind(value)} where the plan should be")


def _of_text(text: str, depth: int) -> Contents:
    """Read JSON within JSON: the last plan in the text, as it would be read by itself."""
    found = [_of_piece(piece, depth + 1) for piece in pieces(text, 0, len(text))]
    plans = [one for one in found if not one.problem]
    if plans:
        return plans[-1].marked("quoted")
    why = found[-1].problem if found else "no JSON found"
    return Contents(problem=f"within a text: {why}")


def _of_list(items: list[Any]) -> Contents:
    if any(map(_is_node, items)):
        return Contents(items, marks=frozenset({"list"}))
    return Contents(problem="a list without nodes")


def _of_object(value: dict[str, Any], depth: int) -> Contents:
    if "tasks" in value:
        return _beside(_of_tasks(value["tasks"]), value)
    key = next((key for key in _WRAPPERS if key in value), None)
    if key is None:
        return Contents(problem=f"an object without tasks, its keys: {_keys(value)}")
    return _beside(_of_value(value[key], depth + 1).marked("wrapped"), value)


def _of_tasks(tasks: Any) -> Contents:
    if isinstance(tasks, list):
        if tasks and not any(isinstance(task, dict) for task in tasks):
            return Contents(problem="a plan whose tasks hold no object")
        return Contents(tasks)
    if isinstance(tasks, dict) and tasks and all(isinstance(t, dict) for t in tasks.values()):
        return Contents(tasks, marks=frozenset({"keyed"}))
    return Contents(problem=f"a plan whose tasks are {_kind(tasks)}, not a list of nodes")


def _beside(found: Contents, around: Mapping[str, Any]) -> Contents:
    """Add the thought and the diagnosis that stand beside a plan, unless it has its own."""
    thought = around.get("thought")
    return replace(
        found,
        thought=found.thought or (thought if isinstance(thought, str) else ""),
        diagnosis=found.diagnosis or _diagnosis(around.get("diagnosis")),
    )


def _diagnosis(value: Any) -> tuple[Diagnosis, ...]:
    """Return the entries that name a node or a type; a single object is a list of one."""
    entries = value if isinstance(value, list) else [value]
    return tuple(
        Diagnosis(*(_as_text(entry.get(key)) for key in ("node", "type", "reason")))
        for entry in entries
        if isinstance(entry, dict) and ("node" in entry or "type" in entry)
    )


def _as_text(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return canonical.dumps(value)


def _is_node(task: Any) -> bool:
    """Tell a node from the other objects with an id that models list (calls, references)."""
    return isinstance(task, dict) and "id" in task and ("dep" in task or "para" in task)


def _all_nodes(tasks: Any) -> bool:
    ids = isinstance(tasks, list) and all(isinstance(t, dict) and "id" in t for t in tasks)
    return ids and any(map(_is_node, tasks))


def _keys(value: Mapping[str, Any]) -> str:
    names = [repr(key if len(key) <= 20 else key[:17] + "...") for key in list(value)[:5]]
    return ", ".join(names) or "none"


def _kind(value: Any) -> str:
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a text"}
    return "null" if value is None else names.get(type(value), "an object")
