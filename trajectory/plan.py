"""A plan: the DAG of nodes an agent works through, read from every shape seen in the wild.

Reading never raises. What it had to normalise is named in `Plan.problems`, and the value as
it stood is kept in `Node.raw`, so that `write_plan` gives the release's form again: for
Parameter_Error the shape of the arguments *is* the evidence.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, NamedTuple

from trajectory import canonical

ROOT: Final = "root"
RESPONSE: Final = "response"
KEYS: Final = ("id", "name", "para", "desc", "dep", "status")

# Stands in `Node.raw` for a key that the original node did not have.
ABSENT: Final = "\0absent"

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
        return dep is None or dep == ABSENT or isinstance(dep, list)

    def change(self, **fields: Any) -> "Node":
        """Return the node with some fields replaced; their raw values are forgotten."""
        raw = {key: value for key, value in self.raw.items() if key not in fields}
        return replace(self, raw=raw, **fields)


@dataclass(frozen=True)
class Plan:
    """Nodes in the order they were listed (which never means anything), and what was odd."""

    nodes: tuple[Node, ...]
    problems: tuple[Problem, ...] = ()

    @cached_property
    def by_id(self) -> dict[str, Node]:
        """The first node of each id."""
        table: dict[str, Node] = {}
        for node in self.nodes:
            table.setdefault(node.id, node)
        return table

    @property
    def response(self) -> Node | None:
        """The node that answers the user, or None."""
        return self.by_id.get(RESPONSE)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def change(self, changed: Mapping[str, Node]) -> "Plan":
        """Return the plan with the nodes of these ids replaced in place."""
        return Plan(tuple(changed.get(node.id, node) for node in self.nodes), self.problems)


def read_plan(value: Any) -> Plan:
    """Read a plan from a JSON text, ``{"tasks": [...]}``, a bare list or the release's wrappers.

    Never raises; a plan that cannot be made out has no nodes and a problem saying why.
    """
    if canonical.too_deep(value):
        return Plan((), (Problem("too_deep", None, "the plan is nested too deeply to be read"),))
    problems: list[Problem] = []
    tasks = _tasks(value, problems)
    nodes = []
    for index, task in enumerate(tasks):
        if isinstance(task, dict):
            nodes.append(_node(task, index, problems))
        else:
            problems.append(Problem("task_not_object", None, f"task {index} is {_kind(task)}"))
    return Plan(tuple(nodes), tuple(problems))


def write_plan(plan: Plan) -> dict[str, Any]:
    """Return the plan in the release's form, normalised values as they originally stood."""
    return {"tasks": [write_node(node) for node in plan.nodes]}


def write_node(node: Node) -> dict[str, Any]:
    """Return one node in the release's form."""
    written = {
        "id": node.id,
        "name": node.name,
        "para": node.para,
        "desc": node.desc,
        "dep": list(node.dep),
        "status": node.status,
        **node.raw,
    }
    kept = {key: value for key, value in written.items() if value is not ABSENT}
    return {**kept, **node.extra}


def _tasks(value: Any, problems: list[Problem], depth: int = 0) -> Sequence[Any]:
    """Find the list of tasks inside whatever holds it."""
    if isinstance(value, str | bytes) and depth < 4:
        return _tasks_of_text(value, problems, depth)
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        for key in ("tasks", "original_plan", "plan"):
            if key in value:
                return _tasks_under(key, value[key], problems, depth)
    problems.append(Problem("no_tasks", None, f"no list of tasks in {_kind(value)}"))
    return []


def _tasks_of_text(text: str | bytes, problems: list[Problem], depth: int) -> Sequence[Any]:
    try:
        value = canonical.loads(text)
    except ValueError as error:
        problems.append(Problem("broken_json", None, str(error)))
        return []
    if canonical.too_deep(value):
        problems.append(Problem("too_deep", None, "the plan is nested too deeply to be read"))
        return []
    return _tasks(value, problems, depth + 1)


def _tasks_under(key: str, inner: Any, problems: list[Problem], depth: int) -> Sequence[Any]:
    if key != "tasks":
        problems.append(Problem("wrapped", None, f"the plan stands under {key!r}"))
        return _tasks(inner, problems, depth + 1)
    if isinstance(inner, list):
        return inner
    if isinstance(inner, dict) and all(isinstance(task, dict) for task in inner.values()):
        problems.append(Problem("tasks_by_id", None, "tasks is an object keyed by id"))
        return [{"id": name, **task} for name, task in inner.items()]
    problems.append(Problem("tasks_not_list", None, f"tasks is {_kind(inner)}"))
    return []


def _node(task: dict[str, Any], index: int, problems: list[Problem]) -> Node:
    reader = _NodeReader(task, index)
    node = reader.read()
    problems.extend(reader.problems)
    return node


class _NodeReader:
    """Reads one task object, noting what it normalises."""

    def __init__(self, task: dict[str, Any], index: int) -> None:
        self.task = task
        self.index = index
        self.raw: dict[str, Any] = {}
        self.problems: list[Problem] = []
        self.id = ""

    def read(self) -> Node:
        self.id = self._id()
        extra = {key: value for key, value in self.task.items() if key not in KEYS}
        for key in extra:
            self._note("extra_key", f"{key!r} stands beside para")
        return Node(
            self.id,
            self._name(),
            self._para(),
            self._desc(),
            self._dep(),
            self._status(),
            self.raw,
            extra,
        )

    def _note(self, kind: str, detail: str) -> None:
        self.problems.append(Problem(kind, self.id, detail))

    def _normalised(self, key: str) -> None:
        self.raw[key] = self.task.get(key, ABSENT)

    def _id(self) -> str:
        value = self.task.get("id")
        if isinstance(value, str) and value:
            return value
        self._normalised("id")
        if isinstance(value, int | float) and not isinstance(value, bool):
            self.id = number_text(value)
            self._note("id_number", "the id is a number, read as text")
            return self.id
        self.problems.append(
            Problem("id_missing", None, f"task {self.index} has the id {_kind(value)}")
        )
        return ""

    def _name(self) -> str | None:
        value = self.task.get("name")
        if isinstance(value, str):
            special = self.id in (ROOT, RESPONSE) and value in (ROOT, RESPONSE)
            if value and not special:
                return value
            self._normalised("name")
            return None
        if value is not None or "name" not in self.task:
            self._normalised("name")
        if value is None:
            return None
        self._note("name_not_text", f"the name is {_kind(value)}")
        return canonical.dumps(value)

    def _para(self) -> Para:
        value = self.task.get("para")
        if isinstance(value, dict):
            return value
        para, shape = read_para(value)
        self._normalised("para")
        if shape:
            self._note(f"para_{shape}", f"para is {_kind(value)}")
        return para

    def _desc(self) -> str:
        value = self.task.get("desc")
        if isinstance(value, str):
            return value
        self._normalised("desc")
        if value is None:
            return ""
        self._note("desc_not_text", f"desc is {_kind(value)}")
        return canonical.dumps(value)

    def _dep(self) -> tuple[str, ...]:
        value = self.task.get("dep")
        if isinstance(value, list):
            if not all(isinstance(item, str) for item in value):
                self._normalised("dep")
                self._note("dep_not_text", "dep holds something other than texts")
            return tuple(_reference_text(item) for item in value)
        self._normalised("dep")
        if value is None:
            self._note("dep_missing", "dep is missing or null, read as []")
        else:
            self._note("dep_not_list", f"dep is {_kind(value)}, not a list")
        return ()

    def _status(self) -> bool:
        value = self.task.get("status")
        if isinstance(value, bool):
            return value
        self._normalised("status")
        self._note("status_not_bool", f"status is {_kind(value)}")
        return value == 1 or (isinstance(value, str) and value.strip().lower() == "true")


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


def _reference_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number_text(value)
    return canonical.dumps(value)


def number_text(value: float) -> str:
    """Return the text a number has as an id: 3 and 3.0 are "3", 2.1 is "2.1"."""
    return canonical.dumps(value)


def _kind(value: Any) -> str:
    """Name the JSON type of a value, for messages."""
    if value is None:
        return "null or missing"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a text"}
    names.update({list: "a list", dict: "an object"})
    return names.get(type(value), type(value).__name__)
