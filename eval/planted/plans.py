"""Changes of the plan, the thought being the truth: S2 to S4 and E1 to E4."""

from collections.abc import Mapping, Sequence
from typing import Any

from diagnosis.edits import apply_edits
from eval import knowing
from eval.planted.scene import NoPlaceError, Scene, Told
from models.reading import read_answer
from trajectory.graph import topology
from trajectory.plan import RESPONSE, ROOT, Node, Plan
from trajectory.references import references


def _with(scene: Scene, *nodes: Node, plan: Plan | None = None) -> Told:
    """Return the truth with other nodes in its plan."""
    base = plan or scene.mended
    return scene.told(plan=base.change({node.id: node for node in nodes}))


def _more(scene: Scene, *nodes: Node) -> Told:
    """Return the truth with further nodes in its plan."""
    return scene.told(plan=Plan((*scene.mended.nodes, *nodes), scene.mended.problems))


# --- S2 --------------------------------------------------------------------------------------


def circle(scene: Scene) -> Told:
    """Two nodes wait for each other."""
    pairs = [
        (one, scene.mended.by_id[dep])
        for one in scene.pending
        for dep in one.dep
        if dep in scene.mended.by_id and dep != ROOT
    ]
    _, producer = scene.pick(pairs)
    consumer = next(one for one, other in pairs if other is producer)
    return _with(scene, producer.change(dep=(*producer.dep, consumer.id)))


def dangling(scene: Scene) -> Told:
    """A node waits for one that is not there."""
    node = scene.pick(scene.pending)
    return _with(scene, node.change(dep=(*node.dep, "404")))


def data_without_edge(scene: Scene) -> Told:
    """A node refers to a result that it no longer waits for."""
    places = []
    for node in scene.pending:
        used = {one.node for one in references(node.para)}
        left = [dep for dep in node.dep if dep not in used]
        above = {up for dep in left for up in (dep, *topology(scene.mended).ancestors(dep))}
        if used and used.isdisjoint(above):
            places.append(node.change(dep=tuple(left) or (ROOT,)))
    return _with(scene, scene.pick(places))


def needless_edge(scene: Scene) -> Told:
    """A node waits for one that it does not need."""
    waiting = [one for one in scene.pending if one.id in scene.shown.by_id]
    pairs = [
        (one, other)
        for one in waiting
        for other in waiting
        if one is not other
        and not scene.is_before(one.id, other.id)
        and not scene.is_before(other.id, one.id)
        and {one.id, other.id}.isdisjoint(scene.roots)
    ]
    one, other = scene.pick(pairs)
    return _with(scene, one.change(dep=(*(dep for dep in one.dep if dep != ROOT), other.id)))


def response_early(scene: Scene) -> Told:
    """The response does not wait for one of what it needs."""
    response = scene.mended.by_id[RESPONSE]
    loose = [
        dep
        for dep in response.dep
        if not any(scene.is_before(other, dep) for other in response.dep if other != dep)
        and scene.mended.by_id[dep].id not in scene.ledger
    ]
    if len(response.dep) < 2:
        raise NoPlaceError
    gone = scene.pick(loose)
    return _with(scene, response.change(dep=tuple(dep for dep in response.dep if dep != gone)))


# --- S3 --------------------------------------------------------------------------------------


def unknown_tool(scene: Scene) -> Told:
    """A pending call of a tool that is in no list."""
    node = scene.pick(scene.pending)
    return _with(scene, node.change(name=f"{node.name}_v2"))


def unknown_parameter(scene: Scene) -> Told:
    """A pending call with one parameter too many."""
    node = scene.pick([one for one in scene.pending if isinstance(one.para, dict)])
    return _with(scene, node.change(para={**_named(node), "note_to_self": "x"}))


def wrong_type(scene: Scene) -> Told:
    """A pending call with one argument of a wrong type."""
    return _with(scene, scene.pick([*_mistyped(scene)]))


def two_wrong_types(scene: Scene) -> Told:
    """Two pending calls, each with an argument of a wrong type."""
    nodes = [*_mistyped(scene)]
    if len(nodes) < 2:
        raise NoPlaceError
    return _with(scene, *nodes[:2])


def _mistyped(scene: Scene) -> list[Node]:
    found = []
    for node in scene.pending:
        for tool in scene.catalogue.named(node.name or ""):
            for name, value in sorted(_named(node).items()):
                kind = tool.schema.get("properties", {}).get(name, {}).get("type")
                if kind in {"integer", "number"} and isinstance(value, int | float):
                    found.append(node.change(para={**_named(node), name: f"{value} or so"}))
                    break
                if kind == "string" and isinstance(value, str):
                    found.append(node.change(para={**_named(node), name: 12}))
                    break
    return found


def required_left_out(scene: Scene) -> Told:
    """A pending call without one of its required arguments."""
    places = []
    for node in scene.pending:
        for tool in scene.catalogue.named(node.name or ""):
            for name in tool.schema.get("required", ()):
                if name in _named(node):
                    left = {key: value for key, value in _named(node).items() if key != name}
                    places.append(node.change(para=left))
    return _with(scene, scene.pick(places))


def _named(node: Node) -> Mapping[str, Any]:
    return node.para if isinstance(node.para, dict) else {}


# --- S4 --------------------------------------------------------------------------------------


def response_done(scene: Scene) -> Told:
    """The response is marked done."""
    return _with(scene, scene.mended.by_id[RESPONSE].change(status=True))


def all_done(scene: Scene) -> Told:
    """Everything is marked done."""
    return _with(scene, *(node.change(status=True) for node in scene.mended))


def one_done(scene: Scene) -> Told:
    """One pending call is marked done."""
    return _with(scene, scene.pick(scene.pending).change(status=True))


def two_done(scene: Scene) -> Told:
    """Two pending calls are marked done."""
    if len(scene.pending) < 2:
        raise NoPlaceError
    return _with(scene, *(node.change(status=True) for node in scene.pending[:2]))


def one_reset(scene: Scene) -> Told:
    """A call that ran well, and need not run again, is marked pending."""
    fine = [
        scene.mended.by_id[node.id]
        for node in scene.bystanders
        if node.status and scene.mended.by_id[node.id].status
    ]
    went = [node for node in fine if (last := scene.ledger.last(node.id)) and last.outcome == "ok"]
    return _with(scene, scene.pick(went).change(status=False))


# --- E1, E4 ----------------------------------------------------------------------------------


def one_value_more(scene: Scene) -> Told:
    """The repair, and an argument of another node changed without need."""
    nodes = [
        one for one in scene.pending if one.id in scene.shown.by_id and one.id not in scene.roots
    ]
    places = [
        node.change(para={**_named(node), name: _other(value)})
        for node in nodes
        for name, value in sorted(_named(node).items())
        if isinstance(value, str | int) and not isinstance(value, bool)
    ]
    return _with(scene, scene.pick(places))


def _other(value: Any) -> Any:
    return f"{value} x" if isinstance(value, str) else value + 1


def one_step_more(scene: Scene) -> Told:
    """The repair, and a call that nothing needs."""
    return _more(scene, *_needless(scene, 1))


def many_steps_more(scene: Scene) -> Told:
    """The repair, and five calls that nothing needs."""
    return _more(scene, *_needless(scene, 5))


def _needless(scene: Scene, count: int) -> list[Node]:
    """Return calls of tools that are listed and in no plan."""
    used = {node.name for node in (*scene.mended, *scene.shown)}
    free = [tool for tool in scene.catalogue if tool.name not in used]
    if not free:
        raise NoPlaceError
    tools = [free[number % len(free)] for number in range(count)]
    return [
        Node(f"{900 + number}", tool.name, {}, "", (ROOT,), status=False)
        for number, tool in enumerate(tools)
    ]


def anew(scene: Scene) -> Told:
    """All that has run is thrown away, and everything done again."""
    if len(scene.ledger) < 2:
        raise NoPlaceError
    text = knowing.restart(scene.instance)
    plan = read_answer(text or "").plan
    if plan is None:
        raise NoPlaceError
    return scene.told(plan=plan)


# --- E2 --------------------------------------------------------------------------------------


def nothing_mended(scene: Scene) -> Told:
    """The plan is left as it was."""
    return scene.told(plan=scene.shown)


def consumers_left(scene: Scene) -> Told:
    """The call is made again, but who waited for it still waits for the failed one."""
    edits = scene.instance.repairs[0]
    if {edit["op"] for edit in edits} != {"retry"} or len(edits) != 1:
        raise NoPlaceError
    edit = edits[0]
    waiting = [node for node in scene.shown if edit["node"] in node.dep]
    if not [node for node in waiting if node.is_call and node.id not in scene.ledger]:
        raise NoPlaceError
    return _with(scene, *waiting)


def one_error_left(scene: Scene) -> Told:
    """Of several errors that reach different nodes one is not mended."""
    errors = scene.instance.errors
    reach = [
        {error["root_cause"], *error["affected_now"], *error["affected_later"], *error["delayed"]}
        for error in errors
    ]
    if len(errors) < 2 or any(a & b for i, a in enumerate(reach) for b in reach[:i]):
        raise NoPlaceError
    if any(error["type"] == "Parallelism_Error" for error in errors):
        raise NoPlaceError
    edits = [edit for edit in scene.instance.repairs[0] if edit["errors"] == [0]]
    others = [edit for edit in scene.instance.repairs[0] if 0 not in edit["errors"]]
    if len(edits) + len(others) < len(scene.instance.repairs[0]) or not edits:
        raise NoPlaceError
    return scene.told(plan=apply_edits(scene.shown, edits))


# --- E3 --------------------------------------------------------------------------------------


def one_goal_dropped(scene: Scene) -> Told:
    """One of several things that the user asked for is no longer done."""
    gone = scene.pick(_leaves(scene))
    kept = [node for node in scene.mended if node.id != gone]
    response = scene.mended.by_id[RESPONSE]
    plan = Plan(tuple(kept), scene.mended.problems)
    dep = tuple(dep for dep in response.dep if dep != gone)
    return _with(scene, response.change(dep=dep), plan=plan)


def one_wish_changed(scene: Scene) -> Told:
    """One of several things is done with another value than the user gave."""
    places: Sequence[Node] = [
        node.change(para={**_named(node), name: value + 1})
        for id in _leaves(scene)
        for node in [scene.mended.by_id[id]]
        for name, value in sorted(_named(node).items())
        if isinstance(value, int) and not isinstance(value, bool)
    ]
    return _with(scene, scene.pick(places))


def _leaves(scene: Scene) -> list[str]:
    """Return pending calls that only the response waits for, where it waits for others too."""
    response = scene.mended.by_id[RESPONSE]
    pending = {node.id for node in scene.pending}
    awaited = {dep for node in scene.mended if node.id != RESPONSE for dep in node.dep}
    others = len(scene.instance.goal["calls"]) > 1 and len(response.dep) > 1
    loose = [dep for dep in response.dep if others and dep in pending - awaited]
    return [leaf for leaf in loose if not _alone_above(scene, leaf)]


def _alone_above(scene: Scene, leaf: str) -> bool:
    """Say whether something would be done for nobody without a leaf."""
    awaited = {dep for node in scene.mended if node.id != leaf for dep in node.dep}
    return bool(topology(scene.mended).ancestors(leaf) - awaited)


def answered_at_once(scene: Scene) -> Told:
    """The response waits for nothing any more."""
    return _with(scene, scene.mended.by_id[RESPONSE].change(dep=()))
