"""Scripted planners that know the truth of an instance: the ends of the scale (metrics.md).

Each function returns one answer as text, which is given once and carried on from there; None
where the truth has nothing to say. `oracle` is the ceiling of every verified score, `restart`
shows what repairing is worth against doing everything again, `random_repair` knows how many
edits of which kinds mend the plan, but neither where nor with what.
"""

import itertools
import random
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from diagnosis.edits import Edit, EditError, apply_edits
from eval.telling import account
from models.reading import Diagnosis, write_answer
from trajectory import canonical
from trajectory.calls import Call, read_calls
from trajectory.descriptions import describe
from trajectory.error_types import ErrorType
from trajectory.graph import is_valid
from trajectory.instance import Instance
from trajectory.plan import RESPONSE, ROOT, Node, Plan, read_plan
from trajectory.references import Reference, is_reference, reference, resolve
from trajectory.tools import Tool, read_tools

T = TypeVar("T")

# An edit that fits no plan after so many draws is left out.
_MOST_DRAWS: Final = 200


def oracle(instance: Instance) -> str | None:
    """Answer with the first listed repair and the truth in words; None where there is no repair.

    Verified Pass@1, E5 and tool-use efficiency are 1, as the instance's proof says.
    """
    if not instance.repairs:
        return None
    named = [
        Diagnosis(error["root_cause"], error["type"], instance.error_reason)
        for error in instance.errors
    ]
    mended = apply_edits(read_plan(instance.plan), instance.repairs[0])
    return write_answer(account(instance), named, mended)


# --- the gold plan anew ----------------------------------------------------------------------


def restart(instance: Instance) -> str | None:
    """Answer with the gold plan under new ids; None where there is none.

    Nothing that ran is used again, so what it changed is changed twice. Root and response keep
    their ids.
    """
    if not instance.gold_plan:
        return None
    gold, taken = read_plan(instance.gold_plan), _ids(instance)
    names = {ROOT: ROOT, RESPONSE: RESPONSE}
    for id in gold.by_id:
        if id not in names:
            names[id] = _free(id, taken)
            taken.add(names[id])
    anew = Plan(tuple(_renamed(node, names) for node in gold))
    return write_answer("I start again from the beginning.", (), anew)


def _ran(instance: Instance) -> Iterator[Call]:
    for calls in (*instance.history, instance.tool_results):
        yield from read_calls(calls)


def _ids(instance: Instance) -> set[str]:
    """Return the ids of the nodes that stand in the plan or have run."""
    ran = (call.node for call in _ran(instance))
    return {*read_plan(instance.plan).by_id, *filter(None, ran)}


def _free(base: str, taken: Container[str]) -> str:
    """Return an id made from another one that no node has."""
    return next(id for number in itertools.count(1) if (id := f"{base}_{number}") not in taken)


def _renamed(node: Node, names: Mapping[str, str]) -> Node:
    """Return a node as it is before it has run, with new names for all ids in it."""

    def moved(found: Reference) -> dict[str, str]:
        return reference(names[found.node or ""], found.path)

    para = resolve(node.para, moved)
    desc = describe() if node.name is not None else node.desc
    dep = tuple(names[dep] for dep in node.dep)
    return Node(names[node.id], node.name, para, desc, dep, status=node.id == ROOT)


# --- random edits ----------------------------------------------------------------------------


def random_repair(instance: Instance) -> str | None:
    """Answer with as many random edits, of the same ops, as the first listed repair has.

    Nodes, tools and parameters are drawn from what is listed, values from the request, the
    plan's arguments and the results so far. An edit that cannot be made, changes nothing, or
    leaves no valid plan is drawn again. The diagnosis is a random node and type. The same for
    the same instance; None where there is no repair.
    """
    if not instance.repairs:
        return None
    dice = _Dice(instance)
    plan = read_plan(instance.plan)
    guess = dice.diagnosis(plan)
    for edit in instance.repairs[0]:
        plan = _edited(plan, edit, dice)
    return write_answer("I change something at random.", [guess], plan)


def _edited(plan: Plan, like: Edit, dice: "_Dice") -> Plan:
    """Return a plan after one random edit, or as it is where none can be made."""
    tries = (_tried(plan, like, dice) for _ in range(_MOST_DRAWS))
    return next((after for after in tries if after is not None), plan)


def _tried(plan: Plan, like: Edit, dice: "_Dice") -> Plan | None:
    try:
        after = apply_edits(plan, [dice.edit(like, plan)])
    except EditError:
        return None
    return after if is_valid(after) and _working(after) != _working(plan) else None


def _working(plan: Plan) -> dict[str, tuple[str | None, Any, set[str]]]:
    return {node.id: (node.name, node.para, set(node.dep)) for node in plan}


class _Dice:
    """Draws edits and a diagnosis, seeded by the id of the instance."""

    def __init__(self, instance: Instance) -> None:
        self._random = random.Random(f"random_repair {instance.id}")
        self._tools = read_tools(instance.tools)
        self._values = _said_and_seen(instance)
        self._taken = _ids(instance)

    def diagnosis(self, plan: Plan) -> Diagnosis:
        """Draw a node and a type."""
        return Diagnosis(self._one(_calls(plan)).id, self._one([*ErrorType]).value, "I guess so.")

    def edit(self, like: Edit, plan: Plan) -> Edit:
        """Return an edit with the op and the fields of `like`, each drawn anew.

        Raises EditError where there is nothing to draw from.
        """
        op, calls = like["op"], _calls(plan)
        waiting = [*calls, *filter(None, [plan.response])]
        node = self._one(waiting if op in {"add_edge", "remove_edge"} else calls)
        other, tool = self._one(calls), self._one(self._tools.tools)
        taken = self._taken | plan.by_id.keys()
        # Drawn in this order, whatever the order in `like`.
        fields: Mapping[str, Callable[[], Any]] = {
            "op": lambda: op,
            "node": lambda: _free(tool.name, taken) if op == "add_node" else node.id,
            "tool": lambda: tool.name,
            "arguments": lambda: self._arguments(tool),
            "parameter": lambda: self._one(self._parameters(node)),
            "value": lambda: self._one(self._values),
            "dep": lambda: [other.id] if op == "add_node" else other.id,
            "consumers": lambda: [self._one(waiting).id],
            "into": lambda: other.id,
            "new": lambda: _free(node.id, taken),
        }
        return {name: draw() for name, draw in fields.items() if name in like}

    def _arguments(self, tool: Tool) -> dict[str, Any]:
        return {name: self._one(self._values) for name in tool.schema.get("required", ())}

    def _parameters(self, node: Node) -> list[str]:
        """Return the names that an argument of a node has or could have."""
        declared = [name for tool in self._tools.named(node.name or "") for name in tool.parameters]
        written = node.para if isinstance(node.para, dict) else ()
        return sorted({*declared, *written})

    def _one(self, things: Sequence[T]) -> T:
        if not things:
            raise EditError("there is nothing to draw from")
        return self._random.choice(things)


def _calls(plan: Plan) -> list[Node]:
    return [node for node in plan if node.is_call]


# --- values that were said or seen -----------------------------------------------------------


def _said_and_seen(instance: Instance) -> list[Any]:
    """Return the plain values of the request, the plan's arguments and the results, each once."""
    arguments = [node.para for node in read_plan(instance.plan)]
    results = [call.results for call in _ran(instance)]
    values = [*_said(instance.query), *_leaves([arguments, results])]
    found = {canonical.dumps(value): value for value in values}
    # The order of keys in an object says nothing.
    return [found[text] for text in sorted(found)]


def _leaves(value: Any) -> Iterator[Any]:
    """Yield the texts, numbers and truth values inside a value; references are left out."""
    if isinstance(value, dict):
        if not is_reference(value):
            yield from _leaves(list(value.values()))
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    elif value is not None:
        yield value


_MONTHS: Final = (
    "January February March April May June July August September October November December"
).split()
_COUNTS: Final = "one two three four five six seven eight nine ten eleven twelve".split()
_DATE = re.compile(rf"\b([0-9]{{1,2}}) ({'|'.join(_MONTHS)}) ([0-9]{{4}})\b")
_NUMBER = re.compile(r"(?<![\w.:-])[0-9]+(?:\.[0-9]+)?(?![\w:-])")
# Addresses, times and ids are words too; a name is two words, behind whatever begins a sentence.
_WORD = re.compile(r"\w+(?:[@.:'-]\w+)*")
_NAME = re.compile(r"\b(?=([^\W\d_a-z]\w+ [^\W\d_a-z]\w+))")


def _said(query: str) -> Iterator[Any]:
    """Yield what a request says: dates (ISO), numbers, words and names."""
    for day, month, year in _DATE.findall(query):
        yield f"{year}-{_MONTHS.index(month) + 1:02}-{int(day):02}"
    for number in _NUMBER.findall(query):
        yield float(number) if "." in number else int(number)
    for word in _WORD.findall(query):
        yield word
        if word.lower() in _COUNTS:
            yield _COUNTS.index(word.lower()) + 1
    yield from _NAME.findall(query)
