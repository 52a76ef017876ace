"""The points of the proof, tried on an instance (semantics.md, "The proof").

An instance is held against its examination: point 1 is of its gold plan, 2 to 4 are of what is
right and what is not, 5 of what its errors reach, 6 of its texts, 7 of its evidence. What an
instance says besides (level, faults) counts as point 0.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from diagnosis.edits import Edit, apply_edits
from diagnosis.evidence import stands_in
from diagnosis.examination import Examination
from diagnosis.repairs import Found, subsets
from diagnosis.trial import Outcome
from environment.meanings import say_date
from trajectory import canonical
from trajectory.descriptions import describe
from trajectory.error_types import ErrorType
from trajectory.instance import Instance
from trajectory.plan import RESPONSE, ROOT, Node, Plan, read_plan
from trajectory.references import follow, is_reference

# What the response is described as, in every plan.
ANSWER: Final = "Answer the user."
# Of so many derived reruns every subset is tried.
_MOST_SPARED: Final = 6


class Flaw(NamedTuple):
    """What does not hold of an instance: the point of the proof, and in a few words why."""

    point: int
    why: str


def flaws(instance: Instance, seen: Examination) -> Iterator[Flaw]:
    """Yield what does not hold, the cheapest points first; nothing: all of it is proven.

    Point 1, which all instances of a task share, is tried by `build.gold_proof`.
    """
    yield from _of_claims(instance, seen)
    yield from _of_level(instance)
    yield from _of_attempts(instance, seen)
    yield from _of_faults(instance, seen)
    yield from _of_reach(instance)
    yield from _of_descriptions(instance, seen)
    yield from _of_evidence(instance)
    yield from _of_repairs(instance, seen)


def control_flaws(instance: Instance, seen: Examination) -> Iterator[Flaw]:
    """Yield what does not hold of a clean trajectory: without an error, it goes right as it is."""
    for label in seen.labels:
        yield Flaw(0, f"it holds an error: {label.type} at {label.root_cause}")
    if instance.errors or instance.error_types or instance.error_reason or instance.repairs:
        yield Flaw(0, "it tells of errors although it is a control")
    yield from _of_attempts(instance, seen)
    yield from _of_faults(instance, seen)
    yield from _of_descriptions(instance, seen)
    carried = seen.trial.answered(None)
    if not carried.reached:
        yield Flaw(2, "carried on as it is, it is not right")
    elif carried.cost != (instance.rounds_opt, instance.calls_opt):
        yield Flaw(3, f"the optimum is {carried.cost}")


def _of_claims(instance: Instance, seen: Examination) -> Iterator[Flaw]:
    if _rows(read_plan(instance.plan)) != _rows(seen.start.snapshot.plan):
        yield Flaw(0, "the plan reads otherwise than it was written")
    if not seen.labels:
        yield Flaw(0, "the plan holds no error")
    elif [one["type"] for one in instance.errors] != [one.type for one in seen.labels]:
        yield Flaw(0, "the plan holds other errors than it says")


def _rows(plan: Plan) -> list[tuple[Any, ...]]:
    return [(node.id, node.name, node.para, node.desc, node.dep, node.status) for node in plan]


# --- points 2 to 4: what is right and what is not --------------------------------------------


def _of_repairs(instance: Instance, seen: Examination) -> Iterator[Flaw]:
    found = seen.found
    if found is None:
        yield Flaw(3, "the difference to gold is too large to be searched")
        return
    if found.optimum is None:
        yield Flaw(3, "no subset of the difference to gold reaches the goal")
        return
    if found.carried.reached and found.carried.cost == found.optimum:
        yield Flaw(2, "carried on as it is, it is right")
        return
    if not found.repairs:
        yield Flaw(3, "an edit outside the difference to gold is better than all within")
        return
    if found.optimum != (instance.rounds_opt, instance.calls_opt):
        yield Flaw(3, f"the optimum is {found.optimum}")
    yield from _of_minimality(len(instance.errors), found)
    for how, outcome in _others(seen, found.repairs):
        if outcome.reached and outcome.cost < found.optimum:
            yield Flaw(3, f"{how} is better than the optimum: {outcome.cost}")
            return


def _of_minimality(errors: int, found: Found) -> Iterator[Flaw]:
    """With every subset tried, an error needs mending where each repair has an edit of its own."""
    for repair in found.repairs:
        alone = {tuple(edit["errors"]) for edit in repair}
        for error in range(errors):
            if (error,) not in alone:
                yield Flaw(4, f"no edit is for error {error} alone")
    if found.single and errors > 1:
        yield Flaw(4, f"{canonical.dumps(found.single[0])} mends all errors at once")


def _others(seen: Examination, repairs: Iterable[Sequence[Edit]]) -> Iterator[tuple[str, Outcome]]:
    for repair in repairs:
        yield from _spared(seen, repair)
        yield from _loosened(seen, repair)
        yield from _merged(seen, repair)


def _spared(seen: Examination, repair: Sequence[Edit]) -> Iterator[tuple[str, Outcome]]:
    """Try a repair with some of its derived reruns left out."""
    plan = apply_edits(seen.start.snapshot.plan, repair)
    edited = {edit["node"] for edit in repair}
    ran = {entry.node for entry in seen.start.ledger}
    derived = sorted(n.id for n in plan if n.id in ran - edited and not n.status)
    for spared in subsets(derived[:_MOST_SPARED]):
        if spared:
            done = {id: plan.by_id[id].change(status=True) for id in spared}
            how = f"the repair without rerunning {', '.join(spared)}"
            yield how, seen.trial.answered(plan.change(done))


def _loosened(seen: Examination, repair: Sequence[Edit]) -> Iterator[tuple[str, Outcome]]:
    """Try a repair with each added call beside its consumers: that may not be sooner."""
    for place, edit in enumerate(repair):
        if edit.get("consumers", [RESPONSE]) != [RESPONSE]:
            loose = [*repair[:place], {**edit, "consumers": [RESPONSE]}, *repair[place + 1 :]]
            yield f"{edit['node']} beside its consumers", seen.trial.edited(loose)


def _merged(seen: Examination, repair: Sequence[Edit]) -> Iterator[tuple[str, Outcome]]:
    """Try a repair without each earlier attempt: one that is made again may be one too many."""
    newest = {node.id for node in seen.case.nodes.values()}
    for node in seen.case.plan:
        if node.is_call and node.id not in newest:
            gone = {"op": "remove_node", "node": node.id}
            yield f"the repair without attempt {node.id}", seen.trial.edited([*repair, gone])


# --- point 5: what the errors reach ----------------------------------------------------------


def _of_reach(instance: Instance) -> Iterator[Flaw]:
    ran = {call["node"] for calls in _rounds(instance) for call in calls}
    for number, error in enumerate(instance.errors):
        if not (error["affected_now"] or error["affected_later"] or error["delayed"]):
            yield Flaw(5, f"error {number} reaches nothing")
        if not ran.issuperset(error["affected_now"]):
            yield Flaw(5, f"error {number} is said to have reached what has not run")


def _rounds(instance: Instance) -> list[Any]:
    return [*instance.history, instance.tool_results]


# --- point 6: no text gives an error away ----------------------------------------------------


def _of_descriptions(instance: Instance, seen: Examination) -> Iterator[Flaw]:
    for node in seen.start.snapshot.plan:
        if node.desc != _described(instance, seen, node):
            yield Flaw(6, f"the desc of node {node.id} is not that of its call")


def _described(instance: Instance, seen: Examination, node: Node) -> str:
    if node.id == ROOT:
        return instance.query
    if node.id == RESPONSE:
        return ANSWER
    last = seen.start.ledger.last(node.id)
    if node.status and last is not None:
        return describe(last.result)
    return describe()


# --- point 7: evidence -----------------------------------------------------------------------


def _of_evidence(instance: Instance) -> Iterator[Flaw]:
    for number, error in enumerate(instance.errors):
        if not error["evidence"]:
            yield Flaw(7, f"error {number} has no evidence")
        for pointer in error["evidence"]:
            if not _shows(instance, pointer):
                yield Flaw(7, f"error {number}: {canonical.dumps(pointer)} points to nothing")
        for value in _untrue(error):
            if _is_said(value, instance.query):
                yield Flaw(7, f"error {number}: the request says {value!r} as well")


def _untrue(error: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the untrue values of an error, those inside lists and objects too."""
    if error["type"] == ErrorType.PARAMETER_INVALID:
        for name, value in error["observed"].items():
            yield from _plain_parts(value, error["expected"].get(name))


def _plain_parts(value: Any, true: Any) -> Iterator[Any]:
    """Yield the texts and numbers of a value that differ from their true counterparts."""
    if is_reference(value):
        return
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _plain_parts(part, true.get(name) if isinstance(true, dict) else None)
    elif isinstance(value, list):
        known = true if isinstance(true, list) else []
        for place, part in enumerate(value):
            if not any(canonical.same(part, one) for one in known):
                yield from _plain_parts(part, known[place] if place < len(known) else None)
    elif not canonical.same(value, true) and not isinstance(value, bool) and value is not None:
        yield value


def _is_said(value: Any, query: str) -> bool:
    """Say whether a request holds a value in its own words."""
    words = {str(value), say_date(str(value))}
    return any(stands_in(text, query) for text in words)


def _shows(instance: Instance, pointer: Mapping[str, Any]) -> bool:
    if pointer["in"] == "query":
        return bool(pointer["text"]) and pointer["text"] in instance.query
    try:
        follow(_pointed_at(instance, pointer), pointer["path"])
    except LookupError:
        return False
    return True


def _pointed_at(instance: Instance, pointer: Mapping[str, Any]) -> Any:
    """Return the node, tool or last result that a pointer names; raises LookupError."""
    if pointer["in"] == "plan":
        return _named(instance.plan["tasks"], "id", pointer["node"])
    if pointer["in"] == "tools":
        return _named(instance.tools, "name", pointer["tool"])
    calls = [call for calls in _rounds(instance) for call in calls]
    return _named(reversed(calls), "node", pointer["node"])["results"]


def _named(things: Iterable[Any], key: str, name: str) -> Any:
    for thing in things:
        if thing[key] == name:
            return thing
    raise LookupError(name)


# --- point 0: faults, levels -----------------------------------------------------------------


def _of_attempts(instance: Instance, seen: Examination) -> Iterator[Flaw]:
    """A call is made again only where it has failed: else the further one looks needless.

    Where errors are put in, it was right and a fault answered it; in a rollout it may be wrong.
    """
    newest = {node.id for node in seen.case.nodes.values()}
    for node in seen.case.plan:
        if node.is_call and node.id not in newest:
            last = seen.start.ledger.last(node.id)
            if last is None or last.outcome == "ok":
                yield Flaw(0, f"node {node.id} is tried again although it has not failed")
            wanted = seen.gold.by_id[seen.case.purpose(node.id)].name
            if instance.source == "augmented" and node.name != wanted:
                yield Flaw(0, f"node {node.id} is no earlier attempt of what it is said to be for")


def _of_faults(instance: Instance, seen: Examination) -> Iterator[Flaw]:
    """A fault has shown, and answered exactly one node in each round that it has answered."""
    if len({fault.tool for fault in seen.faults}) < len(seen.faults):
        yield Flaw(0, "a tool has more than one fault")
    for fault in seen.faults:
        answered = [
            hits
            for calls in _rounds(instance)
            if (hits := [c for c in calls if c["name"] == fault.tool and _is(c, fault.result())])
        ]
        if not answered or seen.environment.tried.get(fault.tool, 0) < fault.first:
            yield Flaw(0, f"the fault of {fault.tool} has not shown")
        if any(len(hits) > 1 for hits in answered):
            yield Flaw(0, f"the fault of {fault.tool} answered several nodes in one round")


def _is(call: Mapping[str, Any], result: Any) -> bool:
    return canonical.same(call["results"], result)


def _of_level(instance: Instance) -> Iterator[Flaw]:
    """Level 1: one error, seen before its consequences enter a later call; level 2: the rest."""
    ran = {
        call["node"]: number
        for number, calls in enumerate(_rounds(instance), start=1)
        for call in calls
    }
    now = max(ran.values(), default=0)
    rounds = [_reached(error, ran) for error in instance.errors]
    went_on = any(len(reached) > 1 for reached in rounds)
    level = 1 if len(rounds) == 1 and not went_on else 2
    if level != instance.level:
        yield Flaw(0, f"it is of level {level}")
    if level == 1 and not rounds[0] <= {now}:
        yield Flaw(0, "the error lies in an earlier round and went on into no later call")


def _reached(error: Mapping[str, Any], ran: Mapping[str, int]) -> set[int]:
    """Return the rounds in which the calls ran that an error has reached, its own among them.

    The first is not always that of the root cause: another consumer of a missing call may run
    before it.
    """
    return {ran[node] for node in (error["root_cause"], *error["affected_now"]) if node in ran}
