"""Whether two plans are the same but for the names of their nodes and their listing order."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from trajectory import canonical
from trajectory.graph import topology
from trajectory.plan import Node, Plan
from trajectory.references import is_reference, read_reference


def same_but_for_names(one: Plan, other: Plan) -> bool:
    """Say whether two sound plans make the same calls of the same results.

    A call is its tool, its arguments and, in place of each reference, the call referred to: the
    path into a result is left out, since it can be written only by who has seen the result.
    Edges that no reference needs count too, after reduction.
    """
    return calls(one) == calls(other)


def calls(plan: Plan) -> Counter[str]:
    """Return a text for each call of a plan that does not depend on node ids; how often each."""
    found = topology(plan)
    texts: dict[str, str] = {}
    for node in found.order:
        if node in found.calls and node in plan.by_id:
            texts[node] = _text(plan.by_id[node], texts, found.reduced(node))
    return Counter(texts.values())


def _text(node: Node, texts: Mapping[str, str], deps: tuple[str, ...]) -> str:
    arguments = _renamed(node.para, texts)
    return canonical.digest([node.name, arguments, sorted(texts.get(dep, "") for dep in deps)])


def _renamed(value: Any, texts: Mapping[str, str]) -> Any:
    if is_reference(value):
        found = read_reference(value, "")
        return {"result of": texts.get(found.node or "", "")}
    if isinstance(value, dict):
        return {key: _renamed(item, texts) for key, item in value.items()}
    if isinstance(value, list):
        return [_renamed(item, texts) for item in value]
    return value
