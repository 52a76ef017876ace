"""Each habit, tried on small tasks: what it does to a plan, and what it notes."""

import random
from collections.abc import Callable, Iterator

import pytest

from build.gold import Gold
from build.rollouts import wrong_arguments, wrong_edges, wrong_tools
from build.rollouts.desk import Desk
from build.rollouts.planners import HABITS, Habit
from build.rollouts.planning import planned
from build.wishes import wish_of
from trajectory import canonical
from trajectory.arguments import check_call
from trajectory.error_types import ErrorType
from trajectory.graph import is_valid, topology
from trajectory.plan import RESPONSE, Node, write_plan
from trajectory.references import references
from trajectory.tools import read_tools

MAY_BE = {
    "placeholder": {ErrorType.PARAMETER_INVALID, ErrorType.PARAMETER_TYPE},
    "positional": {ErrorType.PARAMETER_NAME},
    "renamed": {ErrorType.PARAMETER_NAME},
    "wrong_type": {ErrorType.PARAMETER_TYPE},
    "left_out": {ErrorType.PARAMETER_MISSING},
    "untrue": {ErrorType.PARAMETER_INVALID},
    "wrong_tool": {ErrorType.TOOL_SELECT},
    "invented": {ErrorType.TOOL_NAME},
    "never_planned": {ErrorType.MISSING_CALL},
    "double_check": {ErrorType.REDUNDANT_CALL},
    "extra_lookup": {ErrorType.REDUNDANT_CALL},
    "forgotten_edge": {ErrorType.DEPENDENCE_NULL},
    "too_early": {ErrorType.SERIAL},
    "wrong_edge": {ErrorType.DEPENDENCE},
    "chained": {ErrorType.PARALLELISM},
    "hasty_answer": {ErrorType.DEPENDENCE_NULL},
}


def desk_of(gold: Gold, seed: int) -> Desk:
    draft = planned(gold.query, wish_of(gold))
    return Desk(draft, read_tools(gold.tools), random.Random(seed))


def tried(habit: Habit, golds: list[Gold], times: int = 2) -> Iterator[tuple[Desk, Desk]]:
    """The desk before and after, each time that the habit found a place."""
    for gold in golds:
        for seed in range(times):
            desk = desk_of(gold, seed)
            if habit(desk):
                yield desk_of(gold, seed), desk


def changed(before: Desk, after: Desk) -> list[Node]:
    known = before.draft.nodes
    return [node for id, node in after.draft.nodes.items() if known.get(id) != node]


@pytest.mark.parametrize("name", HABITS)
def test_a_habit_notes_what_it_does_and_leaves_a_sound_plan(name: str, golds: list[Gold]) -> None:
    found = list(tried(HABITS[name], golds))
    assert found
    for before, after in found:
        assert {slip.type for slip in after.slips} <= MAY_BE[name]
        assert is_valid(after.draft.plan())
        assert write_plan(before.draft.plan()) != write_plan(after.draft.plan())


@pytest.mark.parametrize("name", HABITS)
def test_the_same_draws_do_the_same(name: str, golds: list[Gold]) -> None:
    for first, second in zip(tried(HABITS[name], golds), tried(HABITS[name], golds), strict=True):
        one, other = (canonical.dumps(write_plan(d.draft.plan())) for _, d in (first, second))
        assert one == other


@pytest.mark.parametrize(
    "habit",
    [
        wrong_arguments.positional,
        wrong_arguments.renamed,
        wrong_arguments.wrong_type,
        wrong_arguments.left_out,
    ],
)
def test_a_call_that_breaks_its_schema_is_refused(habit: Habit, golds: list[Gold]) -> None:
    for _, after in tried(habit, golds):
        for slip in after.slips:
            node = after.draft.nodes[slip.node]
            if not any(references(node.para)):
                assert check_call(after.tools, node.name or "", node.para)


def test_a_placeholder_names_the_step_whose_result_it_stands_for(golds: list[Gold]) -> None:
    for before, after in tried(wrong_arguments.placeholder, golds):
        (node,) = changed(before, after)
        old = before.draft.nodes[node.id]
        assert node.dep == old.dep
        gone = {one.node for one in references(old.para)}
        text = canonical.dumps(node.para)
        tools = [before.draft.nodes[id].name for id in gone if id in before.draft.nodes]
        assert any(tool in text for tool in tools if tool)


def test_an_untrue_value_is_none_of_the_request(golds: list[Gold]) -> None:
    for before, after in tried(wrong_arguments.untrue, golds):
        (node,) = changed(before, after)
        old = before.draft.nodes[node.id].para
        assert isinstance(node.para, dict)
        assert isinstance(old, dict)
        (name,) = [n for n in node.para if not canonical.same(node.para[n], old[n])]
        assert str(node.para[name]) not in after.draft.query


def test_a_wrong_tool_is_listed_and_an_invented_one_is_not(golds: list[Gold]) -> None:
    for _, after in tried(wrong_tools.wrong_tool, golds):
        assert after.draft.nodes[after.slips[0].node].name in after.tools.names
    for _, after in tried(wrong_tools.invented, golds):
        assert after.draft.nodes[after.slips[0].node].name not in after.tools.names


def test_what_was_never_planned_leaves_no_trace(golds: list[Gold]) -> None:
    for before, after in tried(wrong_tools.never_planned, golds):
        (gone,) = before.draft.nodes.keys() - after.draft.nodes.keys()
        for node in after.draft.nodes.values():
            assert gone not in node.dep
            assert gone not in {one.node for one in references(node.para)}


def test_a_check_too_many_stands_in_the_way_of_another_call(golds: list[Gold]) -> None:
    for habit in (wrong_tools.double_check, wrong_tools.extra_lookup):
        for before, after in tried(habit, golds):
            (new,) = after.draft.nodes.keys() - before.draft.nodes.keys()
            assert after.draft.takers(new)
            assert new not in after.draft.made_for


def test_a_chain_delays_a_call_by_one_it_has_nothing_to_do_with(golds: list[Gold]) -> None:
    for before, after in tried(wrong_edges.chained, golds):
        late, node = topology(after.draft.plan()).depths(), after.slips[0].node
        assert late[node] > topology(before.draft.plan()).depths()[node]


def _waits(desk: Desk, node: str) -> set[str]:
    return {*desk.draft.deps(node)}


@pytest.mark.parametrize(
    "habit", [wrong_edges.forgotten_edge, wrong_edges.wrong_edge, wrong_edges.too_early]
)
def test_who_needs_a_result_no_longer_waits_for_it(
    habit: Callable[[Desk], bool], golds: list[Gold]
) -> None:
    for before, after in tried(habit, golds):
        node = after.slips[0].node
        gone = _waits(before, node) - _waits(after, node)
        assert any(one not in after.draft.above(node) for one in gone)


def test_a_hasty_answer_comes_before_the_last_call(golds: list[Gold]) -> None:
    for before, after in tried(wrong_edges.hasty_answer, golds):
        assert len(_waits(after, RESPONSE)) == len(_waits(before, RESPONSE)) - 1
