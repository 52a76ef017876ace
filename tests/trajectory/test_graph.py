"""The topology of any plan: rules of a DAG, layers, ancestors, whatever the listing order."""

import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajectory.graph import (
    ancestors,
    dag_problems,
    is_valid,
    layers,
    response_problems,
    topology,
)
from trajectory.plan import ABSENT, Plan, read_plan


def task(id: Any, dep: Any = (), name: str | None = "find") -> dict[str, Any]:
    """A task; `dep` is a list, or the ids in one text."""
    if isinstance(dep, str):
        dep = dep.split()
    return {"id": id, "name": name, "para": {}, "desc": "", "dep": list(dep), "status": False}


def plan_of(*tasks: Any) -> Plan:
    return read_plan({"tasks": list(tasks)})


ROOT = task("root", name=None)
RESPONSE = task("response", "3", name=None)
SOUND = (ROOT, task("1", "root"), task("2", "root"), task("3", "1 2"), RESPONSE)


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in task("1").items() if name != key}


# --- the rules ---


@pytest.mark.parametrize(
    "tasks",
    [
        SOUND,
        tuple(reversed(SOUND)),
        # root always exists, [] means ["root"], a missing or null dep is [].
        (task("1", "root"),),
        (task("1"),),
        (without("dep"), task("2", "1")),
        ({**task("1"), "dep": None},),
        # No rule: what is odd about a node but its id and deps, and the response.
        (task("1", name=None), task("2", "1 1")),
        ({**task("1"), "para": "x", "desc": 1, "status": "done", "more": 1},),
        (task(1), task("2", [1])),
        (task("response"),),
    ],
)
def test_a_plan_that_keeps_every_rule_is_valid(tasks: tuple[Any, ...]) -> None:
    assert dag_problems(plan_of(*tasks)) == []
    assert is_valid(plan_of(*tasks))


@pytest.mark.parametrize(
    ("value", "kind", "node", "word"),
    [
        (None, "no_tasks", None, "null"),
        ({}, "no_tasks", None, "tasks"),
        ({"tasks": []}, "no_tasks", None, "empty"),
        ([], "no_tasks", None, "empty"),
        ("", "broken_json", None, "line 1"),
        ("[NaN]", "broken_json", None, "NaN"),
        ({"tasks": "x"}, "tasks_not_list", None, "a text"),
        ({"tasks": {}}, "no_tasks", None, "empty"),
        ({"tasks": ["x"]}, "task_not_object", None, "task 0 is a text"),
        ([*SOUND, None], "task_not_object", None, "task 5 is null"),
        ([*SOUND, without("id")], "id_missing", None, "task 5: id is missing"),
        ([task("")], "id_missing", None, "a text"),
        ([task(None)], "id_missing", None, "null"),
        ([task(True)], "id_missing", None, "a boolean"),
        ([*SOUND, task("3")], "duplicate_id", "3", "2 tasks"),
        ([*SOUND, task(3), task("3")], "duplicate_id", "3", "3 tasks"),
        ([ROOT, ROOT], "duplicate_id", "root", "2 tasks"),
        ([{**task("1"), "dep": "root"}], "dep_not_list", "1", "a text"),
        ([{**task("1"), "dep": {}}], "dep_not_list", "1", "an object"),
        ([{**task("1"), "dep": False}], "dep_not_list", "1", "a boolean"),
        ([task("1", "7")], "dangling_dep", "1", "'7'"),
        ([task("1", "7 7")], "dangling_dep", "1", "'7'"),
        ([task("1"), task("12", ["1 "])], "dangling_dep", "12", "'1 '"),
        ([task("1", [None])], "dangling_dep", "1", "'null'"),
        ([task("1", "response")], "dangling_dep", "1", "'response'"),
        ([task("1", "1 root")], "self_loop", "1", "itself"),
        ([task("root", "root")], "self_loop", "root", "itself"),
        ([task("1", "2"), task("2", "1")], "cycle", "1", "1"),
        ([task("1", "3"), task("2", "1"), task("3", "2"), task("4", "3")], "cycle", "1", "3"),
        ([task("root", "1"), task("1", "root")], "cycle", "1", "root"),
    ],
)
def test_each_broken_rule_is_named(value: Any, kind: str, node: str | None, word: str) -> None:
    (problem,) = dag_problems(read_plan(value))
    assert (problem.kind, problem.node) == (kind, node)
    assert word in problem.detail
    assert not is_valid(read_plan(value))


def test_every_broken_rule_of_a_plan_is_named() -> None:
    plan = plan_of(task("1", "1 7"), task("2", "3"), task("3", "2"), task("3", "8"), 5)
    assert sorted((problem.kind, problem.node) for problem in dag_problems(plan)) == [
        ("cycle", "2"),
        ("dangling_dep", "1"),
        ("dangling_dep", "3"),
        ("duplicate_id", "3"),
        ("self_loop", "1"),
        ("task_not_object", None),
    ]


def test_a_long_cycle_is_told_in_short() -> None:
    size = 50
    plan = plan_of(*(task(str(i), str((i + 1) % size)) for i in range(size)))
    (problem,) = dag_problems(plan)
    assert len(problem.detail) < 60


# --- the response ---


@pytest.mark.parametrize(
    ("tasks", "kind", "node"),
    [
        ((task("1"),), "no_response", None),
        ((task("response", "7"),), "response_unreachable", "response"),
        ((task("response", "response"),), "response_unreachable", "response"),
        ((task("1", "1"), task("response", "1")), "response_unreachable", "response"),
        ((task("response"), task("response")), "response_unreachable", "response"),
        (({**task("response"), "dep": "1"},), "response_unreachable", "response"),
    ],
)
def test_a_plan_that_can_never_answer_says_why(tasks: Any, kind: str, node: str | None) -> None:
    (problem,) = response_problems(plan_of(*tasks))
    assert (problem.kind, problem.node) == (kind, node)


def test_a_plan_that_can_answer_has_no_problem_with_it() -> None:
    assert response_problems(plan_of(*SOUND)) == []
    # What the response does not wait for keeps nobody from answering.
    assert response_problems(plan_of(*SOUND, task("8", "7"), task("9", "9"))) == []


# --- layers, depths, ancestors ---


def test_layers_hold_what_can_run_together() -> None:
    assert layers(plan_of(*SOUND)) == [["1", "2"], ["3"]]
    assert layers(plan_of(ROOT, RESPONSE)) == []
    assert layers(plan_of()) == []


def test_a_node_without_a_tool_takes_no_round() -> None:
    plan = plan_of(task("1"), task("compare", "1", name=None), task("2", "compare"))
    assert layers(plan) == [["1"], ["2"]]
    assert topology(plan).depths() == {"root": 0, "1": 1, "compare": 1, "2": 2}


def test_a_call_of_the_response_is_in_no_layer() -> None:
    assert layers(plan_of(task("1"), task("response", "1"))) == [["1"]]


def test_root_is_no_ancestor_unless_it_carries_a_call() -> None:
    assert ancestors(plan_of(*SOUND)) == {
        "root": frozenset(),
        "1": frozenset(),
        "2": frozenset(),
        "3": {"1", "2"},
        "response": {"1", "2", "3"},
    }


def test_a_root_that_carries_a_call_runs_first_and_empty_deps_mean_root() -> None:
    plan = plan_of(task("root"), task("1", "root"), task("2"), task("3", "1"), task("response"))
    assert layers(plan) == [["root"], ["1", "2"], ["3"]]
    assert ancestors(plan) == {
        "root": frozenset(),
        "1": {"root"},
        "2": {"root"},
        "3": {"root", "1"},
        "response": {"root"},
    }


def test_a_root_that_waits_for_a_node_is_waited_for_only_where_it_is_named() -> None:
    plan = plan_of(task("root", "1"), task("1"), task("2", "root"))
    assert is_valid(plan)
    assert layers(plan) == [["1"], ["root"], ["2"]]


def test_where_nobody_can_tell_which_root_calls_nobody_starts() -> None:
    found = topology(plan_of(task("root"), task("root"), task("1"), task("2", "root")))
    assert set(found.stuck) == {"root", "1", "2"}


def test_a_root_without_a_call_waits_for_nothing() -> None:
    plan = plan_of(task("root", "1", name=None), task("1", "root"))
    assert layers(plan) == [["1"]]
    assert topology(plan).stuck == ()


@pytest.mark.parametrize(
    ("tasks", "stuck"),
    [
        ([task("1", "1")], "1"),
        ([task("1", "2"), task("2", "1")], "1 2"),
        ([task("1", "7")], "1"),
        ([task("1"), task("1")], "1"),
        ([{**task("1"), "dep": "root"}], "1"),
        ([without("id")], ""),
        ([task("1", "2"), task("2", "3"), task("3", "7"), task("4")], "1 2 3"),
    ],
)
def test_what_can_never_be_ready_is_stuck_and_so_is_who_waits_for_it(
    tasks: list[Any], stuck: str
) -> None:
    found = topology(plan_of(*tasks, task("last", [str(tasks[0].get("id", ""))]), task("free")))
    assert set(found.stuck) == {*(stuck.split() or [""]), "last"}
    assert "free" in found.order
    assert set(found.order) | set(found.stuck) == set(found.deps)


def test_the_ambiguous_the_unreadable_and_the_nameless_have_no_deps() -> None:
    plan = plan_of(task("1"), task("1"), {**task("2"), "dep": "1"}, task(""), task("3"))
    assert topology(plan).deps == {"": None, "1": None, "2": None, "3": (), "root": ()}


def test_deps_are_reduced_to_those_that_no_other_dep_waits_for() -> None:
    found = topology(plan_of(task("1"), task("2", "1"), task("3", "2"), task("4", "1 2 3 root")))
    assert found.reduced("4") == ("3",)
    assert found.reduced("3") == ("2",)
    assert found.reduced("1") == ()


def test_of_a_cycle_no_dep_is_reduced() -> None:
    found = topology(plan_of(task("1", "2"), task("2", "1"), task("3", "1 2"), task("4", "1 3")))
    assert found.reduced("3") == ("1", "2")
    assert found.reduced("4") == ("1", "3")
    assert topology(plan_of(task("1", "1"), task("2", "1"))).reduced("2") == ("1",)


# --- any graph, against what the words mean ---

IDS = ("1", "2", "3", "4", "5", "response")
SOMETIMES = st.integers(0, 9).map(lambda number: number == 0)


@st.composite
def graphs(draw: st.DrawFn, sound: bool = False) -> list[dict[str, Any]]:
    """Tasks of a small plan; when sound, each waits only for nodes before it."""
    ids = draw(st.permutations(IDS))[: draw(st.integers(1, len(IDS)))]
    tasks = []
    for place, id in enumerate(ids):
        known = ids[:place] if sound else [*ids, "ghost"]
        dep = draw(st.lists(st.sampled_from(["root", *known]), max_size=3))
        tasks.append(task(id, dep, draw(st.sampled_from(["find", None]))))
    if draw(st.booleans()):
        tasks.append(task("root", name=draw(st.sampled_from(["find", None]))))
    if not sound and draw(SOMETIMES):
        tasks.append(draw(st.sampled_from(tasks)))
    if not sound and draw(SOMETIMES):
        tasks[0] = {**tasks[0], "dep": "1"}
    return draw(st.permutations(tasks))


def waits(tasks: list[dict[str, Any]]) -> dict[str, set[str] | None]:
    """Who waits for whom, by the words of semantics.md; None for who never can be ready."""
    root_calls = any(each["id"] == "root" and each["name"] for each in tasks)
    table: dict[str, set[str] | None] = {}
    for each in tasks:
        dep = each["dep"]
        if each["id"] in table or not isinstance(dep, list):
            table[each["id"]] = None
        elif root_calls and each["id"] != "root":
            table[each["id"]] = set(dep) or {"root"}
        else:
            table[each["id"]] = set(dep) - {"root"}
    if not root_calls:
        table["root"] = set()
    return table


def closure(table: Mapping[str, set[str] | None]) -> dict[str, set[str]]:
    """All that each node waits for: chains of deps, up to the number of nodes."""
    found = {node: set(deps or ()) for node, deps in table.items()}
    for _ in table:
        for behind in found.values():
            behind |= {each for dep in behind for each in found.get(dep, ())}
    return found


@given(graphs())
def test_ancestors_are_the_closure_of_deps(tasks: list[dict[str, Any]]) -> None:
    found, expected = topology(plan_of(*tasks)), closure(waits(tasks))
    assert {node: found.ancestors(node) for node in found.deps} == expected


@given(graphs())
def test_a_node_is_reached_unless_it_or_an_ancestor_never_can_be(
    tasks: list[dict[str, Any]],
) -> None:
    table = waits(tasks)
    behind = closure(table)
    never = {node for node in table if table[node] is None or node in behind[node]}
    never |= {dep for deps in table.values() for dep in deps or () if dep not in table}
    found = topology(plan_of(*tasks))
    assert set(found.stuck) == {node for node in table if never & {node, *behind[node]}}
    assert set(found.order) == set(table) - set(found.stuck)


def test_nodes_that_are_reached_together_are_ordered_by_id() -> None:
    plan = plan_of(task("1"), task("2"), task("9", "1"), task("8", "2"))
    assert topology(plan).order == ("1", "2", "root", "8", "9")


@given(graphs())
def test_the_order_is_topological(tasks: list[dict[str, Any]]) -> None:
    found = topology(plan_of(*tasks))
    place = {node: number for number, node in enumerate(found.order)}
    for node in found.order:
        assert all(place[dep] < place[node] for dep in found.deps[node] or ())


def paths(table: Mapping[str, set[str] | None], node: str) -> Iterator[tuple[str, ...]]:
    """Every way from a node back to one that waits for nothing."""
    deps = table[node]
    if not deps:
        yield (node,)
    for dep in deps or ():
        yield from ((*path, node) for path in paths(table, dep))


@given(graphs(sound=True))
def test_a_depth_is_the_most_calls_on_any_way(tasks: list[dict[str, Any]]) -> None:
    plan, table = plan_of(*tasks), waits(tasks)
    calls = {each["id"] for each in tasks if each["name"]} - {"response"}
    depths = {node: max(len(calls & set(path)) for path in paths(table, node)) for node in table}
    assert topology(plan).depths() == depths
    assert layers(plan) == [
        sorted(node for node in calls if depths[node] == number)
        for number in range(1, max((depths[node] for node in calls), default=0) + 1)
    ]


@given(graphs(sound=True))
def test_a_reduced_dep_is_the_only_way_to_it(tasks: list[dict[str, Any]]) -> None:
    table = waits(tasks)
    behind, found = closure(table), topology(plan_of(*tasks))
    for node, deps in table.items():
        needed = {dep for dep in deps or () if not any(dep in behind[o] for o in deps or ())}
        assert found.reduced(node) == tuple(sorted(needed))


@given(graphs())
def test_rules_and_topology_agree(tasks: list[dict[str, Any]]) -> None:
    plan = plan_of(*tasks)
    if is_valid(plan):
        assert topology(plan).stuck == ()
    table = {each["id"]: set(each["dep"]) for each in tasks if isinstance(each["dep"], list)}
    if len(table) == len(tasks):
        behind = closure(table)
        known = {*table, "root"}
        sound = all(node not in behind[node] and known >= table[node] for node in table)
        assert is_valid(plan) == sound


@given(graphs(), st.randoms(use_true_random=False))
def test_the_listing_order_says_nothing(tasks: list[dict[str, Any]], random: Any) -> None:
    shuffled = random.sample(tasks, len(tasks))
    for each in shuffled:
        if isinstance(each["dep"], list):
            each["dep"] = random.sample(each["dep"], len(each["dep"]))
    one, other = plan_of(*tasks), plan_of(*shuffled)
    assert topology(one) == topology(other)
    assert layers(one) == layers(other)
    assert sorted(dag_problems(one)) == sorted(dag_problems(other))
    assert response_problems(one) == response_problems(other)


@given(graphs())
def test_empty_deps_and_root_mean_the_same(tasks: list[dict[str, Any]]) -> None:
    def spelt(dep: list[str]) -> Callable[[dict[str, Any]], dict[str, Any]]:
        return lambda each: (
            {**each, "dep": dep} if each["id"] != "root" and each["dep"] in ([], ["root"]) else each
        )

    assert topology(plan_of(*map(spelt([]), tasks))) == topology(
        plan_of(*map(spelt(["root"]), tasks))
    )


# --- size ---

MANY = 10_000


@pytest.mark.parametrize(
    ("tasks", "kinds", "depth"),
    [
        ([task(str(i), [str(i - 1)] if i else []) for i in range(MANY)], [], MANY),
        ([task("0"), *(task(str(i), "0") for i in range(1, MANY))], [], 2),
        ([task(str(i)) for i in range(MANY)], [], 1),
        ([task(str(i), [str((i + 1) % MANY)]) for i in range(MANY)], ["cycle"], 0),
        ([task(str(i), [str(i)]) for i in range(MANY)], ["self_loop"] * MANY, 0),
        ([task(str(i), [str(MANY + i)]) for i in range(MANY)], ["dangling_dep"] * MANY, 0),
        ([task("1") for _ in range(MANY)], ["duplicate_id"], 0),
    ],
    ids=["chain", "fan", "flat", "cycle", "loops", "dangling", "duplicates"],
)
def test_ten_thousand_nodes_are_no_trouble(
    tasks: list[dict[str, Any]], kinds: list[str], depth: int
) -> None:
    ids = [str(each["id"]) for each in tasks]
    began = time.process_time()
    plan = plan_of(*tasks, task("response", ids))
    found = topology(plan)
    assert [problem.kind for problem in dag_problems(plan)] == kinds
    assert len(layers(plan)) == depth
    assert found.ancestors("response") >= set(ids)
    assert set(found.reduced("response")) == set(ids[-1:] if depth == MANY else ids[depth == 2 :])
    response_problems(plan)
    # The machine may be slow and shared; what grows with the square takes minutes.
    assert time.process_time() - began < 10


def test_many_plans_with_many_edges_are_no_trouble() -> None:
    ids = [str(number) for number in range(300)]
    tasks = [task(id, ids[:place]) for place, id in enumerate(ids)]
    plan = plan_of(*tasks, task("response", ids))
    assert is_valid(plan)
    assert len(layers(plan)) == len(ids)
    assert topology(plan).reduced("response") == ("299",)


def test_every_order_of_a_small_plan_gives_one_topology() -> None:
    found = [topology(plan_of(*tasks)) for tasks in itertools.permutations(SOUND)]
    assert all(each == found[0] for each in found)


def test_a_dep_that_is_absent_is_an_empty_one() -> None:
    assert read_plan([without("dep")]).nodes[0].raw["dep"] is ABSENT
    assert topology(plan_of(without("dep"))) == topology(plan_of(task("1")))
