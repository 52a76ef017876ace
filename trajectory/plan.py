"""A plan: the DAG of nodes an agent works through, read from every shape seen in the wild.

Reading never raises. What it had to normalise is named in `Plan.problems`, and the value as
it stood is kept in `Node.raw`, so that `write_plan` gives the release's form again: for
Parameter_Error the shape of the arguments *is* the evidence.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from operator import itemgetter
from typing import Any, Final, NamedTuple

from trajectory import canonical

ROOT: Final = "root"
RESPONSE: Final = "response"
KEYS: Final = ("id", "name", "para", "desc", "dep", "status")


class Absent(Enum):
    """A value that is none: in `Node.raw`, of a key that the original node did not have."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT

# A plan within more texts and wrappers than this is none.
_MOST_WRAPPERS: Final = 4

Para = dict[str, Any] | list[Any]


class Problem(NamedTuple):
    """Something noticed while reading or checking: its kind, the node (if any), the detail."""

    kind: str
    node: str | None
    detail: str


@dataclass(frozen=True, slots=True)
class Node:
    """One task of a plan.

    id: unique in a sound plan; "root" and "response" are special.
    name: the tool, or None where no tool is called (root, response, "compare", "ask").
    para: named arguments, or a list when the arguments stayed positional.
    desc: what the node does and, after its round, its result (written by the executor).
    dep: ids this node waits for; () and ("root",) mean the same.
    status: true means executed, not succeeded.
    raw: the original value of each key that was normalised (ABSENT: had no such key).
    extra: keys a node does not have by the format, as they stood.
    """

    id: str
    name: str | None = None
    para: Para = field(default_factory=dict)
    desc: str = ""
    dep: tuple[str, ...] = ()
    status: bool = False
    raw: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_call(self) -> bool:
        """Whether the node names a tool (listed or not)."""
        return self.name is not None

    @property
    def has_dep_list(self) -> bool:
        """Whether dep was a list, null or left out; anything else is a fault of the plan."""
        dep = self.raw.get("dep")
        return dep is None or dep is ABSENT or isinstance(dep, list)

    def change(self, **fields: Any) -> "Node":
        """Return the node with some fields replaced; their raw values are forgotten."""
        raw = {key: value for key, value in self.raw.items() if key not in fields}
        values = {
            "id": self.id,
            "name": self.name,
            "para": self.para,
            "desc": self.desc,
            "dep": self.dep,
            "status": self.status,
            "extra": self.extra,
            **fields,
        }
        # Several times as fast as dataclasses.replace, and asked for by every execution.
        return Node(raw=raw, **values)


# (id, is a call, deps or None where dep is no list) of each node, sorted.
Shape = tuple[tuple[str, bool, tuple[str, ...] | None], ...]


_ID = itemgetter(0)


def _shape_order(row: tuple[str, bool, tuple[str, ...] | None]) -> tuple[object, ...]:
    return row[0], row[1], row[2] is None, row[2] or ()


@dataclass(frozen=True)
class Plan:
    """Nodes in the order they were listed (which never means anything), and what was odd.

    problems: what reading noticed.
    strays: (place in the list, value) of each task that is no object.
    extra: keys that stood beside "tasks", as they stood.
    """

    nodes: tuple[Node, ...]
    problems: tuple[Problem, ...] = ()
    strays: tuple[tuple[int, Any], ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def by_id(self) -> dict[str, Node]:
        """The first node of each id."""
        table: dict[str, Node] = {}
        for node in self.nodes:
            table.setdefault(node.id, node)
        return table

    @cached_property
    def shape(self) -> "Shape":
        """What the topology depends on, whatever the listing order: see `Shape`."""
        rows = [(node.id, node.is_call, node.dep if node.has_dep_list else None) for node in self]
        single = len(self.by_id) == len(rows)
        return tuple(sorted(rows, key=_ID if single else _shape_order))

    @property
    def response(self) -> Node | None:
        """The node that answers the user, or None."""
        return self.by_id.get(RESPONSE)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def change(self, changed: Mapping[str, Node]) -> "Plan":
        """Return the plan with the nodes of these ids replaced in place."""
        nodes = tuple(changed.get(node.id, node) for node in self.nodes)
        return Plan(nodes, self.problems, self.strays, self.extra)


_TOO_DEEP: Final = Plan((), (Problem("too_deep", None, "the plan is nested too deeply"),))


def read_plan(value: Any) -> Plan:
    """Read a plan from a JSON text, ``{"tasks": [...]}``, a bare list or the release's wrappers.

    Never raises; a plan that cannot be made out has no nodes and a problem saying why.
    """
    problems: list[Problem] = []
    tasks, beside = _tasks(value, problems)
    nodes, strays = [], []
    for index, task in enumerate(tasks):
        if isinstance(task, dict):
            nodes.append(_node(task, index, problems))
        else:
            strays.append((index, task))
            problems.append(Problem("task_not_object", None, f"task {index} is {_kind(task)}"))
    plan = Plan(tuple(nodes), tuple(problems), tuple(strays), beside)
    return _TOO_DEEP if _too_deep(plan) else plan


def _too_deep(plan: Plan) -> bool:
    """Say whether a plan holds a value that no later reader should have to descend into."""
    held: list[Any] = [plan.extra]
    held += [stray for _, stray in plan.strays]
    for node in plan.nodes:
        held.append(node.para)
        if node.raw or node.extra:
            held += (node.raw, node.extra)
    return canonical.too_deep(held)


def write_plan(plan: Plan) -> dict[str, Any]:
    """Return the plan in the release's form, normalised values as they originally stood."""
    tasks: list[Any] = [write_node(node) for node in plan.nodes]
    for index, stray in plan.strays:
        tasks.insert(index, stray)
    return {"tasks": tasks, **plan.extra}


def write_node(node: Node) -> dict[str, Any]:
    """Return one node in the release's form."""
    written: dict[str, Any] = {
        "id": node.id,
        "name": node.name,
        "para": node.para,
        "desc": node.desc,
        "dep": list(node.dep),
        "status": node.status,
    }
    if node.raw:
        written.update(node.raw)
        written = {key: value for key, value in written.items() if value is not ABSENT}
    return {**written, **node.extra}


# --- where the tasks stand -------------------------------------------------------------------

# The list of tasks, and the keys beside it.
_Found = tuple[Sequence[Any], Mapping[str, Any]]


def _tasks(value: Any, problems: list[Problem], depth: int = 0) -> _Found:
    """Find the list of tasks inside whatever holds it."""
    if isinstance(value, list):
        return value, {}
    if depth <= _MOST_WRAPPERS:
        if isinstance(value, str | bytes):
            return _tasks_of_text(value, problems, depth)
        if isinstance(value, dict):
            return _tasks_of_object(value, problems, depth)
    problems.append(Problem("no_tasks", None, f"no list of tasks in {_kind(value)}"))
    return [], {}


def _tasks_of_text(text: str | bytes, problems: list[Problem], depth: int) -> _Found:
    try:
        value = canonical.loads(text)
    except ValueError as error:
        problems.append(Problem("broken_json", None, str(error)))
        return [], {}
    return _tasks(value, problems, depth + 1)


def _tasks_of_object(value: dict[str, Any], problems: list[Problem], depth: int) -> _Found:
    if "tasks" in value:
        return _tasks_under_key(value, problems)
    for key in ("original_plan", "plan"):
        if key in value:
            problems.append(Problem("wrapped", None, f"the plan stands under {key!r}"))
            return _tasks(value[key], problems, depth + 1)
    problems.append(Problem("no_tasks", None, "the object has no list of tasks"))
    return [], {}


def _tasks_under_key(value: dict[str, Any], problems: list[Problem]) -> _Found:
    tasks = value["tasks"]
    beside = {key: item for key, item in value.items() if key != "tasks"}
    problems += [Problem("extra_key", None, f"{key!r} stands beside tasks") for key in beside]
    if isinstance(tasks, list):
        return tasks, beside
    if isinstance(tasks, dict) and all(isinstance(task, dict) for task in tasks.values()):
        problems.append(Problem("tasks_by_id", None, "tasks is an object keyed by id"))
        return [{"id": name, **task} for name, task in tasks.items()], beside
    problems.append(Problem("tasks_not_list", None, f"tasks is {_kind(tasks)}"))
    return [], beside


# --- one node --------------------------------------------------------------------------------

_VALUES = itemgetter(*KEYS)

# Types of the values of a node that is in the format to the letter.
_TYPES: Final = frozenset(
    ((str, str, dict, str, list, bool), (str, type(None), dict, str, list, bool))
)
_ONLY_TEXT: Final = frozenset((str,))
_NO_CALL: Final = frozenset((ROOT, RESPONSE))
_UNNAMED: Final = frozenset(("", *_NO_CALL))

# What most nodes have for raw and extra; one for all, as plans are read by the hundred thousand.
_NOTHING: Final[Mapping[str, Any]] = {}


def _node(task: dict[str, Any], index: int, problems: list[Problem]) -> Node:
    try:
        values = _VALUES(task)
    except KeyError:
        return _odd_node(task, index, problems)
    if len(task) == len(KEYS) and tuple(map(type, values)) in _TYPES:
        id, name, para, desc, dep, status = values
        if id and name not in _UNNAMED and _ONLY_TEXT.issuperset(map(type, dep)):
            return Node(id, name, para, desc, tuple(dep), status, _NOTHING, _NOTHING)
    return _odd_node(task, index, problems)


def _odd_node(task: dict[str, Any], index: int, problems: list[Problem]) -> Node:
    """Read a task that is not in the format to the letter, noting what it normalises."""
    given = {key: task.get(key, ABSENT) for key in KEYS}
    id, kind = _read_id(given["id"])
    found: dict[str, tuple[Any, str]] = {
        "id": (id, kind),
        "name": _read_name(given["name"], id),
        "para": _read_para(given["para"]),
        "desc": _read_desc(given["desc"]),
        "dep": _read_dep(given["dep"]),
        "status": _read_status(given["status"]),
    }
    raw = {}
    for key, (value, kind) in found.items():
        if kind or value is not given[key]:
            raw[key] = given[key]
        if kind:
            place = "" if id else f"task {index}: "
            detail = f"{place}{key} is {_kind(given[key])}{_READ_AS.get(kind, '')}"
            problems.append(Problem(kind, id or None, detail))
    extra = {key: value for key, value in task.items() if key not in given}
    problems += [Problem("extra_key", id or None, f"{key!r} stands beside para") for key in extra]
    name, para, desc, dep, status = (found[key][0] for key in KEYS[1:])
    return Node(id, name, para, desc, tuple(dep), status, raw, extra)


# Each reader returns the value as it is read, and the kind of problem that it was ("" for none).

_READ_AS: Final = {
    "id_number": ", read as text",
    "dep_not_text": " that holds more than texts",
    "dep_missing": ", read as []",
}


def _read_id(value: Any) -> tuple[str, str]:
    if isinstance(value, str) and value:
        return value, ""
    if _is_number(value):
        return _text(value), "id_number"
    return "", "id_missing"


def _read_name(value: Any, id: str) -> tuple[str | None, str]:
    if value is None or value is ABSENT:
        return None, ""
    if not isinstance(value, str):
        return _text(value), "name_not_text"
    special = id in _NO_CALL and value in _NO_CALL
    return (None if special or not value else value), ""


def _read_para(value: Any) -> tuple[Para, str]:
    para, shape = read_para(None if value is ABSENT else value)
    return para, f"para_{shape}" if shape else ""


def _read_desc(value: Any) -> tuple[str, str]:
    if isinstance(value, str):
        return value, ""
    if value is None or value is ABSENT:
        return "", ""
    return _text(value), "desc_not_text"


def _read_dep(value: Any) -> tuple[Sequence[str], str]:
    if value is None or value is ABSENT:
        return (), "dep_missing"
    if not isinstance(value, list):
        return (), "dep_not_list"
    if all(isinstance(item, str) for item in value):
        return value, ""
    return [item if isinstance(item, str) else _text(item) for item in value], "dep_not_text"


def _read_status(value: Any) -> tuple[bool, str]:
    if isinstance(value, bool):
        return value, ""
    executed = value == 1 or (isinstance(value, str) and value.strip().lower() == "true")
    return executed, "status_not_bool"


# --- the arguments ---------------------------------------------------------------------------


def read_para(value: Any) -> tuple[Para, str]:
    """Normalise arguments: named where they can be, else the positional list as it stands.

    Returns the arguments and the shape they had: "" for the harmless empty ones, else
    missing, json_text, wrapped_list, merged, key_value, positional, scalar. Tried in this
    order: an object; objects merged; JSON texts parsed; ``k=v``; positional.
    """
    if value is None:
        return {}, "missing"
    if isinstance(value, dict):
        return value, ""
    if isinstance(value, str):
        return _para_of_text(value)
    if isinstance(value, list):
        return _para_of_list(value)
    return [value], "scalar"


def _para_of_text(text: str) -> tuple[Para, str]:
    if not text.strip():
        return {}, ""
    parsed = _parsed(text)
    if isinstance(parsed, dict | list):
        return read_para(parsed)[0], "json_text"
    pairs = _key_values([text])
    return (pairs, "key_value") if pairs is not None else ([text], "scalar")


def _para_of_list(items: list[Any]) -> tuple[Para, str]:
    if not items:
        return {}, ""
    if all(isinstance(item, dict) for item in items):
        merged = _merged(items)
        shape = "wrapped_list" if len(items) == 1 else "merged"
        return (merged, shape) if merged is not None else (items, "positional")
    texts = [item for item in items if isinstance(item, str)]
    if len(texts) < len(items):
        return items, "positional"
    parsed = [_parsed(text) for text in texts]
    if all(isinstance(item, dict) for item in parsed):
        merged = _merged(parsed)
        return (merged, "json_text") if merged is not None else (items, "positional")
    pairs = _key_values(texts)
    return (pairs, "key_value") if pairs is not None else (items, "positional")


def _merged(objects: Sequence[Any]) -> dict[str, Any] | None:
    """Merge objects into one, or None where a key occurs twice (then it may be two calls)."""
    keys = [key for item in objects for key in item]
    if len(set(keys)) < len(keys):
        return None
    return {key: value for item in objects for key, value in item.items()}


def _parsed(text: str) -> Any:
    try:
        value = canonical.loads(text)
    except ValueError:
        return None
    return None if canonical.too_deep(value) else value


# A scheme such as "https://" is no key.
_KEY_VALUE = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:=|:(?!//))\s*(.*?)\s*", re.DOTALL)


def _key_values(texts: Sequence[str]) -> dict[str, Any] | None:
    matches = [_KEY_VALUE.fullmatch(text) for text in texts]
    if not all(matches):
        return None
    pairs = [(match[1], _plain(match[2])) for match in matches if match]
    return dict(pairs) if len(dict(pairs)) == len(pairs) else None


def _plain(text: str) -> Any:
    parsed = _parsed(text)
    if parsed is not None or text == "null":
        return parsed
    quoted = len(text) > 1 and text[0] == text[-1] == "'"
    return text[1:-1] if quoted else text


# --- names of values -------------------------------------------------------------------------


def number_text(value: float) -> str:
    """Return the text a number has as an id: 3 and 3.0 are "3", 2.1 is "2.1"."""
    return _text(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: Any) -> str:
    """Return the canonical text of a value; what has none (NaN) is named by its type."""
    try:
        return canonical.dumps(value)
    except (TypeError, ValueError):
        return f"<{_kind(value)}>"


_KINDS: Final = {
    type(None): "null",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "an object",
}


def _kind(value: Any) -> str:
    """Name the JSON type of a value, for messages."""
    return "missing" if value is ABSENT else _KINDS.get(type(value), type(value).__name__)
