"""New numbers for the nodes of a trajectory: they tell nothing of what went wrong."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from build.gold import Gold
from build.injectors.registry import INJECTORS
from build.injectors.retries import with_retries
from build.injectors.scene import Scene
from build.renumbering import renumbered
from build.seeds.compose import Stream
from build.stages import stage_of
from diagnosis.edits import apply_edits
from diagnosis.labels import labels
from environment.executor import Execution
from tests.diagnosis.budget import GOLD, STAGE, add, gone
from trajectory import canonical
from trajectory.error_types import ErrorType
from trajectory.graph import topology
from trajectory.plan import RESPONSE, ROOT, Node, Plan
from trajectory.references import is_reference, reference, references


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    """Trajectories of small tasks, with an error of each type, some with a retry."""
    stream = iter(Stream(11))
    golds = [next(stream).gold for _ in range(6)]
    return [scene for gold in golds for scene in _with_errors(gold)]


def _with_errors(gold: Gold) -> Iterator[Scene]:
    clean = Scene(stage_of(gold), gold.plan)
    yield clean
    for number, kind in enumerate(sorted(ErrorType)):
        rng = random.Random(number)
        scene = (with_retries(clean, rng) if number % 3 == 0 else None) or clean
        places = INJECTORS[kind].places(scene)
        done = INJECTORS[kind].put(scene, rng.choice(places), rng) if places else None
        if done is not None:
            yield scene.after(done)


def without_ids(value: Any) -> Any:
    if is_reference(value):
        return {name: part for name, part in value.items() if name != "$ref"}
    if isinstance(value, dict):
        return {name: without_ids(part) for name, part in value.items()}
    return [without_ids(part) for part in value] if isinstance(value, list) else value


def test_calls_are_numbered_by_layer_tool_and_arguments(scenes: list[Scene]) -> None:
    for scene in scenes:
        plan = renumbered(scene)[0].plan
        depths = topology(plan).depths()
        calls = [node for node in plan if node.is_call]
        assert [node.id for node in calls] == [str(n) for n, _ in enumerate(calls, start=1)]
        keys = [(depths[n.id], n.name, canonical.dumps(without_ids(n.para))) for n in calls]
        assert keys == sorted(keys)


def test_nodes_stand_in_the_order_of_their_numbers_and_so_do_deps(scenes: list[Scene]) -> None:
    for scene in scenes:
        plan = renumbered(scene)[0].plan
        numbers = [node.id for node in plan if node.is_call]
        assert [node.id for node in plan] == [ROOT, *numbers, RESPONSE]
        for node in plan:
            order = [int(dep) for dep in node.dep if dep != ROOT]
            assert order == sorted(order)


def test_a_run_is_the_same_up_to_the_names(scenes: list[Scene]) -> None:
    for scene in scenes:
        new, names = renumbered(scene)

        assert _told(scene.run, names) == _told(new.run, {})
        assert new.run.total_rounds == scene.run.total_rounds
        ok = {(names[e.node], e.outcome) for e in scene.run.ledger}
        assert ok == {(e.node, e.outcome) for e in new.run.ledger}


def _told(run: Execution, names: Mapping[str, str]) -> list[str]:
    calls = [(names.get(e.node, e.node), e, _renamed(e.arguments, names)) for e in run.ledger]
    return sorted(canonical.dumps([node, e.round, e.tool, args]) for node, e, args in calls)


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Arguments that could not be resolved still hold their references."""
    if is_reference(value):
        return {**value, "$ref": names.get(value["$ref"], value["$ref"])}
    if isinstance(value, dict):
        return {key: _renamed(part, names) for key, part in value.items()}
    return [_renamed(part, names) for part in value] if isinstance(value, list) else value


def test_errors_purposes_and_gold_plan_keep_their_meaning(scenes: list[Scene]) -> None:
    for scene in scenes:
        new, names = renumbered(scene)
        before = {(one.type, names[one.root_cause]) for one in labels(scene.case(scene.run.ledger))}
        after = {(one.type, one.root_cause) for one in labels(new.case(new.run.ledger))}
        # Which consumer of a missing call is the first goes by the numbers.
        lost = {ErrorType.MISSING_CALL}
        assert {one for one in before if one[0] not in lost} == {
            one for one in after if one[0] not in lost
        }
        assert {kind for kind, _ in before} == {kind for kind, _ in after}
        assert new.purposes == {names[one]: names[two] for one, two in scene.purposes.items()}
        assert new.stage.gold_run.total_rounds == scene.stage.gold_run.total_rounds
        assert len({*names.values()}) == len(names)


def test_calls_that_only_the_gold_plan_has_come_last() -> None:
    scene = Scene(STAGE, apply_edits(GOLD, [gone("3")]))
    new, names = renumbered(scene)
    assert names["3"] == "7"
    assert "7" not in new.plan.by_id
    assert new.stage.gold.plan.by_id["7"].name == "keep_number"


def shuffled(plan: Plan, names: dict[str, str]) -> Plan:
    """The plan with other ids, its nodes and deps in another order."""

    def node(one: Node) -> Node:
        para = _renamed(one.para, names)
        dep = tuple(reversed([names.get(dep, dep) for dep in one.dep]))
        return one.change(id=names.get(one.id, one.id), para=para, dep=dep)

    return Plan(tuple(node(one) for one in reversed(plan.nodes)))


def test_numbers_depend_on_nothing_but_the_plan() -> None:
    plan = apply_edits(GOLD, [add("8", "recall_number", ["3"], ["5"], label="rent for the club")])
    names = {"1": "12", "2": "3", "3": "40", "4": "5", "5": "2", "6": "7", "7": "6", "8": "1"}
    one = renumbered(Scene(STAGE, plan))[0].plan
    other = renumbered(Scene(STAGE, shuffled(plan, names)))
    # The gold plan's own nodes still have their old ids, which this plan hasn't.
    assert _rows(other[0].plan) == _rows(one)


def _rows(plan: Plan) -> list[Any]:
    return [(n.id, n.name, n.para, n.desc, n.dep, n.status) for n in plan if n.is_call]


def test_of_calls_that_are_alike_the_added_one_has_the_higher_number() -> None:
    """So that which of two equal calls is the needless one follows from the plan."""
    for new in ("9", "10", "100"):
        edit = add(new, "average_amounts", ["1"], ["response"])
        edit = {**edit, "arguments": GOLD.by_id["7"].para}
        names = renumbered(Scene(STAGE, apply_edits(GOLD, [edit])))[1]
        assert int(names[new]) == int(names["7"]) + 1


def test_references_follow_the_new_numbers() -> None:
    new, names = renumbered(Scene(STAGE, apply_edits(GOLD, [gone("2")])))
    compare = new.plan.by_id[names["6"]]
    assert isinstance(compare.para, dict)
    assert {one.node for one in references(compare.para)} == {names["2"], names["5"]}
    assert compare.para["after"] == reference(names["5"], "rounded")
