"""Edits of a plan: the language in which errors are written and repairs are listed.

An edit is a JSON object with "op", "node" and what the op needs; a repair is a list of them,
each with "errors", the indices of the errors that it mends.

| op | also needs | what it does |
|---|---|---|
| add_node | tool, arguments, dep, consumers | adds a call; each consumer waits for it |
| remove_node | into (optional) | takes a node out: who waited for it waits for `into`, and refers
  to its result, or without `into` waits for the deps of the node |
| set_argument | parameter, value | |
| remove_argument | parameter | |
| set_tool | tool, arguments (optional) | changes the tool, and with `arguments` all arguments |
| add_edge, remove_edge | dep | `node` waits, or no longer waits, for `dep` |
| retry | new | adds the call once more as the node `new`, after its last attempt; who waited
  for `node`, or referred to it, now does so for `new` |

An edit of a node that has run sets it to run again, and with it all that hangs on it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from trajectory.descriptions import describe
from trajectory.graph import topology
from trajectory.plan import ROOT, Node, Plan
from trajectory.references import KEY, is_reference

Edit = Mapping[str, Any]
EDGES: Final = frozenset(("add_edge", "remove_edge"))
Nodes = dict[str, Node]


class EditError(ValueError):
    """An edit that cannot be made: it names a node that is not there, or one that is."""


def apply_edits(plan: Plan, edits: Iterable[Edit]) -> Plan:
    """Return the plan after these edits, made one after another; the given plan stays.

    A node whose tool or arguments changed describes its call anew; every edited node, and all
    that hangs on one, gets status false. Raises EditError where an edit cannot be made.
    """
    nodes = dict(plan.by_id)
    edited: set[str] = set()
    for edit in edits:
        edited |= _OPS[edit["op"]](nodes, edit)
    return _set_to_run(Plan(tuple(nodes.values()), plan.problems), edited)


def changed_by(edit: Edit) -> tuple[str, ...]:
    """Return the nodes that an edit names as changed."""
    return edit["node"], *edit.get("consumers", ())


def _set_to_run(plan: Plan, edited: set[str]) -> Plan:
    found = topology(plan)
    again = {
        node.id: node.change(status=False)
        for node in plan
        if node.status and (node.id in edited or edited & found.ancestors(node.id))
    }
    return plan.change(again)


# Each op changes the nodes in place and returns the ids of those it edited.


def _add_node(nodes: Nodes, edit: Edit) -> set[str]:
    new, name, para = edit["node"], edit["tool"], edit["arguments"]
    _require_free(nodes, new)
    nodes[new] = Node(new, name, para, describe(), tuple(edit["dep"]) or (ROOT,))
    for consumer in edit.get("consumers", ()):
        _wait(nodes, consumer, new)
    return {new, *edit.get("consumers", ())}


def _remove_node(nodes: Nodes, edit: Edit) -> set[str]:
    gone, into = _node(nodes, edit), edit.get("into")
    del nodes[gone.id]
    heirs = gone.dep if into is None else (into,)
    consumers = [node.id for node in nodes.values() if gone.id in node.dep]
    for consumer in consumers:
        _replace_dep(nodes, consumer, gone.id, heirs)
        if into is not None:
            _refer(nodes, consumer, gone.id, into)
    return set(consumers)


def _set_argument(nodes: Nodes, edit: Edit) -> set[str]:
    node = _node(nodes, edit)
    return _call(nodes, node, node.name, {**_named(node), edit["parameter"]: edit["value"]})


def _remove_argument(nodes: Nodes, edit: Edit) -> set[str]:
    node, gone = _node(nodes, edit), edit["parameter"]
    if gone not in _named(node):
        raise EditError(f"node '{node.id}' has no argument '{gone}'")
    kept = {name: value for name, value in _named(node).items() if name != gone}
    return _call(nodes, node, node.name, kept)


def _set_tool(nodes: Nodes, edit: Edit) -> set[str]:
    node = _node(nodes, edit)
    return _call(nodes, node, edit["tool"], edit.get("arguments", node.para))


def _add_edge(nodes: Nodes, edit: Edit) -> set[str]:
    _wait(nodes, _node(nodes, edit).id, edit["dep"])
    return {edit["node"]}


def _remove_edge(nodes: Nodes, edit: Edit) -> set[str]:
    node, gone = _node(nodes, edit), edit["dep"]
    if gone not in node.dep:
        raise EditError(f"node '{node.id}' does not wait for '{gone}'")
    _replace_dep(nodes, node.id, gone, ())
    return {node.id}


def _retry(nodes: Nodes, edit: Edit) -> set[str]:
    old, new = _node(nodes, edit), edit["new"]
    _require_free(nodes, new)
    consumers = [node.id for node in nodes.values() if old.id in node.dep]
    for consumer in consumers:
        _replace_dep(nodes, consumer, old.id, (new,))
        _refer(nodes, consumer, old.id, new)
    # It waits for the attempt before it, which may itself be still to come.
    desc = describe()
    nodes[new] = Node(new, old.name, old.para, desc, (old.id,))
    return {new, *consumers}


_OPS: Final[Mapping[str, Callable[[Nodes, Edit], set[str]]]] = {
    "add_node": _add_node,
    "remove_node": _remove_node,
    "set_argument": _set_argument,
    "remove_argument": _remove_argument,
    "set_tool": _set_tool,
    "add_edge": _add_edge,
    "remove_edge": _remove_edge,
    "retry": _retry,
}


def _node(nodes: Nodes, edit: Edit) -> Node:
    try:
        return nodes[edit["node"]]
    except KeyError:
        raise EditError(f"there is no node '{edit['node']}'") from None


def _require_free(nodes: Nodes, id: str) -> None:
    if id in nodes:
        raise EditError(f"there is a node '{id}' already")


def _named(node: Node) -> dict[str, Any]:
    """Return the arguments of a node by name; positional ones have no place in an object."""
    return node.para if isinstance(node.para, dict) else {}


def _call(nodes: Nodes, node: Node, name: str | None, para: Any) -> set[str]:
    nodes[node.id] = node.change(name=name, para=para, desc=describe())
    return {node.id}


def _wait(nodes: Nodes, consumer: str, producer: str) -> None:
    node = _node(nodes, {"node": consumer})
    dep = tuple(item for item in node.dep if item not in {ROOT, producer})
    nodes[consumer] = node.change(dep=(*dep, producer))


def _replace_dep(nodes: Nodes, consumer: str, old: str, new: tuple[str, ...]) -> None:
    node = nodes[consumer]
    dep = dict.fromkeys(item for known in node.dep for item in (new if known == old else (known,)))
    if len(dep) > 1:
        dep.pop(ROOT, None)
    nodes[consumer] = node.change(dep=tuple(dep) or (ROOT,))


def _refer(nodes: Nodes, consumer: str, old: str, new: str) -> None:
    """Let the references of a node to the result of `old` be to that of `new`."""
    node = nodes[consumer]
    para = _moved(node.para, old, new)
    if para != node.para:
        _call(nodes, node, node.name, para)


def _moved(value: Any, old: str, new: str) -> Any:
    if is_reference(value):
        return {**value, KEY: new} if value[KEY] == old else value
    if isinstance(value, dict):
        return {name: _moved(item, old, new) for name, item in value.items()}
    if isinstance(value, list):
        return [_moved(item, old, new) for item in value]
    return value
