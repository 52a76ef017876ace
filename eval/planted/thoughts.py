"""Changes of the thought and the diagnosis, the plan being right: S1 and D1 to D5."""

from collections.abc import Sequence

from eval.planted.scene import NoPlaceError, Scene, Told
from models.reading import Diagnosis
from trajectory.error_types import CATEGORY, ErrorType
from trajectory.graph import topology
from trajectory.plan import Node


def truth(scene: Scene) -> Told:
    """The truth in one speaker's words."""
    return scene.told()


def copied(scene: Scene) -> Told:
    """Nothing but a message that a result holds."""
    failed = [one for one in scene.ledger if one.outcome == "failed"]
    return Told(scene.facts.result(scene.pick(failed).node), (), scene.mended)


def empty(scene: Scene) -> Told:
    """No thought, no diagnosis."""
    return Told("", (), scene.mended)


def praise(scene: Scene) -> Told:
    """Nothing but praise of itself."""
    return Told(scene.say("praise"), (), scene.mended)


# --- S1 --------------------------------------------------------------------------------------


def one_act_more(scene: Scene) -> Told:
    """The repair, and one thing announced that the plan does not do."""
    other = scene.pick(scene.bystanders)
    more = scene.voice.step(scene.facts, {"op": "remove_node", "node": other.id})
    return scene.told([*scene.grounds(), *scene.steps(), more])


def other_acts(scene: Scene) -> Told:
    """Announces what the plan does not do, and nothing that it does."""
    first, second = _two(scene, scene.bystanders)
    acts = (
        {"op": "remove_node", "node": first.id},
        {"op": "remove_edge", "node": second.id, "dep": first.id},
    )
    steps = [scene.voice.step(scene.facts, act) for act in acts]
    return scene.told([*scene.grounds(), *steps])


def _two(scene: Scene, nodes: Sequence[Node]) -> tuple[Node, Node]:
    if len(nodes) < 2:
        raise NoPlaceError
    first, second = scene.dice.sample([*nodes], 2)
    return first, second


# --- D1 --------------------------------------------------------------------------------------


def one_status_wrong(scene: Scene) -> Told:
    """The truth, and of one node that it has run or not, against what was shown."""
    return scene.told([_wrong_status(scene), *scene.grounds(), *scene.steps()])


def _wrong_status(scene: Scene) -> str:
    ran = [one for one in scene.bystanders if one.id in scene.ledger and one.status]
    waiting = [one for one in scene.bystanders if one.id not in scene.ledger]
    node = scene.pick([*ran, *waiting])
    return scene.say("pending" if node.id in scene.ledger else "done", node=scene.node(node.id))


def one_edge_wrong(scene: Scene) -> Told:
    """The truth, and of one node that it waits for another, against what was shown."""
    return scene.told([_wrong_edge(scene), *scene.grounds(), *scene.steps()])


def _wrong_edge(scene: Scene) -> str:
    found = topology(scene.shown)
    one, other = _two(scene, scene.bystanders)
    if other.id in found.ancestors(one.id):
        one, other = other, one
    return scene.say("waits", node=scene.node(one.id), dep=scene.node(other.id))


def plan_misread(scene: Scene) -> Told:
    """Of the plan nothing but what is not so."""
    return scene.told([_wrong_status(scene), _wrong_edge(scene), *scene.steps()])


def nodes_invented(scene: Scene) -> Told:
    """Of the plan nothing but nodes that are not there."""
    return scene.told([scene.say("invented_node"), *scene.steps()])


def repair_alone(scene: Scene) -> Told:
    """Says what it does, and nothing of what was shown."""
    return scene.told([scene.say("vague"), *scene.steps()])


# --- D2 --------------------------------------------------------------------------------------


def one_value_invented(scene: Scene) -> Told:
    """The truth, and one value or error that no result holds."""
    return scene.told([*scene.grounds(), _invented(scene), *scene.steps()])


def _invented(scene: Scene) -> str:
    node = scene.pick([one for one in scene.calls if one.id in scene.ledger])
    return scene.say(scene.pick(("invented_value", "invented_error")), node=scene.node(node.id))


def one_outcome_wrong(scene: Scene) -> Told:
    """The truth, and of one call that went well that it failed."""
    return scene.told([_wrong_outcome(scene), *scene.grounds(), *scene.steps()])


def _wrong_outcome(scene: Scene) -> str:
    fine = [one for one in scene.bystanders if scene.ledger.attempts(one.id)]
    went = [one for one in fine if all(e.outcome == "ok" for e in scene.ledger.attempts(one.id))]
    return scene.say("failed", node=scene.node(scene.pick(went).id))


def results_invented(scene: Scene) -> Told:
    """Of the results nothing but what they don't hold."""
    return scene.told([_invented(scene), _wrong_outcome(scene), *scene.steps()])


# --- D3 --------------------------------------------------------------------------------------


def false_root(scene: Scene) -> Told:
    """Another node is called the cause, in thought and diagnosis."""
    node, kind = _false(scene)
    parts = [*scene.seen(), _false_cause(scene, node), *scene.steps()]
    return Told(scene.joined(parts), (Diagnosis(node.id, kind),), scene.mended)


def one_false_more(scene: Scene) -> Told:
    """The true cause, and another node beside it."""
    node, kind = _false(scene)
    parts = [*scene.grounds(), _false_cause(scene, node), *scene.steps()]
    return Told(scene.joined(parts), (*scene.diagnosis, Diagnosis(node.id, kind)), scene.mended)


def _false(scene: Scene) -> tuple[Node, str]:
    kinds = [kind.value for kind in ErrorType if kind not in {*scene.instance.error_types}]
    return scene.pick(scene.bystanders), scene.pick(kinds)


def _false_cause(scene: Scene, node: Node) -> str:
    return scene.say("false_cause", node=scene.node(node.id), tool=node.name or "")


def wrong_kind(scene: Scene) -> Told:
    """The right node, called wrong in another way than it is."""
    error = scene.pick(scene.instance.errors)
    if len(scene.instance.errors) > 1 or not scene.facts.tool(error["root_cause"]):
        raise NoPlaceError
    own = CATEGORY[ErrorType(error["type"])]
    kind = "Timeout_Error" if own != "tool" else "Parallelism_Error"
    said = "failed" if own != "tool" else "waits"
    node = scene.node(error["root_cause"])
    cause = {
        "failed": {
            "en": f"The root cause is {node}: it timed out.",
            "zh": f"根本原因是{node}：它超时了。",
        },
        "waits": {
            "en": f"The root cause is {node}: one of its dependencies is needless.",
            "zh": f"根本原因是{node}：有一个不必要的依赖。",
        },
    }[said][scene.language]
    parts = [scene.voice.context(scene.facts), cause, *scene.steps()]
    return Told(scene.joined(parts), (Diagnosis(error["root_cause"], kind),), scene.mended)


def one_of_several(scene: Scene) -> Told:
    """Of several causes only the first."""
    if len(scene.instance.errors) < 2 or len(scene.roots) < len(scene.instance.errors):
        raise NoPlaceError
    error = scene.instance.errors[0]
    others = [one["root_cause"] for one in scene.instance.errors[1:]]
    context = scene.voice.waits.format(
        node=scene.node(error["root_cause"]),
        tool=scene.facts.tool(error["root_cause"]),
        deps=scene.voice.many(scene.facts.deps(error["root_cause"]) or ["root"]),
    )
    if set(others) & set(scene.facts.deps(error["root_cause"])) or not scene.facts.deps(
        error["root_cause"]
    ):
        raise NoPlaceError
    parts = [context, scene.voice.cause(scene.facts, error)]
    return Told(scene.joined(parts), scene.diagnosis[:1], scene.mended)


def no_cause(scene: Scene) -> Told:
    """Says that something is wrong, and not what."""
    return Told(scene.joined([scene.say("vague"), *scene.steps()]), (), scene.mended)


# --- D4 --------------------------------------------------------------------------------------


def _with_reach(scene: Scene, nodes: Sequence[str]) -> Told:
    said = scene.say("reached", nodes=scene.voice.many(nodes)) if nodes else scene.say("spared")
    return scene.told([*scene.seen(), *scene.voice.causes(scene.facts), said, *scene.steps()])


def reach_denied(scene: Scene) -> Told:
    """Nodes are reached, and the thought says that none is."""
    if not scene.facts.reached or any(
        error["field"] in {"dep", "call"} for error in scene.instance.errors
    ):
        raise NoPlaceError
    return _with_reach(scene, ())


def half_reached(scene: Scene) -> Told:
    """Half of the nodes that are reached are named."""
    reached = scene.facts.reached
    if len(reached) < 2 or any(
        error["field"] in {"dep", "call"} for error in scene.instance.errors
    ):
        raise NoPlaceError
    return _with_reach(scene, reached[: len(reached) // 2])


def one_unreached_more(scene: Scene) -> Told:
    """All that are reached, and one that is not."""
    return _with_reach(scene, [*scene.facts.reached, scene.pick(scene.bystanders).id])


def only_unreached(scene: Scene) -> Told:
    """Two or more nodes that are not reached, and none that is."""
    first, second = _two(scene, scene.bystanders)
    if any(error["field"] in {"dep", "call"} for error in scene.instance.errors):
        raise NoPlaceError
    return _with_reach(scene, [first.id, second.id])


# --- D5 --------------------------------------------------------------------------------------


def nothing_weighed(scene: Scene) -> Told:
    """The truth with its evidence, without a word of other causes or of what stays uncertain."""
    # That a call is right rules out a cause: it is said of all calls that met a fault.
    if {"Timeout_Error", "Null_Error"} & {*scene.instance.error_types}:
        raise NoPlaceError
    causes = scene.voice.causes(scene.facts)
    return scene.told([*scene.seen(), *causes, scene.voice.reach(scene.facts), *scene.steps()])


def several_invented(scene: Scene) -> Told:
    """Little that is so, and more that is not."""
    node, kind = _false(scene)
    said = [_invented(scene), scene.say("invented_node"), _false_cause(scene, node)]
    return Told(scene.joined([*said, *scene.steps()]), (Diagnosis(node.id, kind),), scene.mended)


def everything(scene: Scene) -> Told:
    """Everything is said to be wrong."""
    return Told(scene.say("everything"), (), scene.mended)
