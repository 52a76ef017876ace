"""Tasks that are composed: proven, asked for in one message, the same everywhere."""

import os
import random
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from build.gold import Gold, from_record, to_record
from build.seeds.compose import Candidate, Stream, candidate
from build.seeds.figures import has_effect_edge
from build.seeds.novelty import Requests, graph_key, split_of
from build.seeds.sketch import Source, Step
from build.seeds.wording import BEFOREHAND, THEN, _Writer
from environment import worlds
from environment.executor import Request, Snapshot, carry_on, execute, start_of
from environment.simulation import Simulation, read_setting
from trajectory import canonical
from trajectory.graph import dag_problems, layers
from trajectory.plan import Plan, read_plan
from trajectory.references import references
from trajectory.tools import read_tools

ROOT = Path(__file__).parents[3]
SEED = 7


@pytest.fixture(scope="module")
def found() -> list[Candidate]:
    return list(islice(Stream(SEED), 60))


@pytest.fixture(scope="module")
def ordered(found: list[Candidate]) -> list[Gold]:
    """Tasks with an edge by effect alone."""
    golds = [one.gold for one in found if has_effect_edge(one.gold)]
    assert 3 <= len(golds) <= 15
    return golds


def test_every_task_reaches_its_goal_in_its_rounds(found: list[Candidate]) -> None:
    for gold in (one.gold for one in found):
        simulation = Simulation(read_setting(gold.origin), read_tools(gold.tools))
        run = execute(start_of(Snapshot(gold.plan, (), ())), carry_on, simulation)
        assert run.completed, gold.id
        assert (run.r_exec, run.calls_after) == (gold.rounds_gt, gold.calls_gt)
        assert gold.goal is not None
        assert simulation.state.digest() == gold.goal["state"]
        assert all(entry.outcome == "ok" for entry in run.ledger)


def test_the_plan_is_sound_and_every_edge_carries_a_value_or_shows_an_effect(
    found: list[Candidate],
) -> None:
    for gold in (one.gold for one in found):
        assert not dag_problems(gold.plan)
        assert len(layers(gold.plan)) == gold.rounds_gt - 1
        effects = {(edge.dep, edge.node) for edge in gold.edges if edge.how == "effect"}
        for node in gold.plan:
            named = {reference.node for reference in references(node.para)}
            if node.is_call:
                seen = {dep for dep in node.dep if (dep, node.id) in effects}
                assert not named & seen, (gold.id, node.id)
                assert named | seen == set(node.dep) - {"root"}, (gold.id, node.id)


def test_an_edge_by_effect_is_seen_in_a_result_that_is_asked_for(ordered: list[Gold]) -> None:
    for gold in ordered:
        calls = {call.node: call for calls in gold.calls for call in calls}
        for edge in gold.edges:
            if edge.how == "effect":
                shown = calls[edge.node]
                without = _run_without(gold, edge.dep)
                assert not canonical.same(without[edge.node], shown.results), gold.id
                assert gold.goal is not None
                assert any(
                    call["tool"] == shown.name and canonical.same(call["result"], shown.results)
                    for call in gold.goal["calls"]
                )


def _run_without(gold: Gold, node: str) -> dict[str, object]:
    """Return the results of a gold plan's calls, one call left out."""
    kept = [other.change(dep=tuple(d for d in other.dep if d != node)) for other in gold.plan]
    plan = Plan(tuple(other for other in kept if other.id != node))
    simulation = Simulation(read_setting(gold.origin), read_tools(gold.tools))
    run = execute(start_of(Snapshot(plan, (), ())), carry_on, simulation)
    return {entry.node: entry.result for entry in run.ledger}


def test_no_call_depends_on_an_effect_that_it_does_not_wait_for(found: list[Candidate]) -> None:
    """One call at a time, in two orders that the plan allows, gives the same results."""
    for gold in (one.gold for one in found):
        results = {call.node: call.results for calls in gold.calls for call in calls}
        assert canonical.same(_one_by_one(gold, latest=False), results), gold.id
        assert canonical.same(_one_by_one(gold, latest=True), results), gold.id


def _one_by_one(gold: Gold, *, latest: bool) -> dict[str, object]:
    simulation = Simulation(read_setting(gold.origin), read_tools(gold.tools))
    calls = {call.node or "": call for calls in gold.calls for call in calls}
    found: dict[str, object] = {}
    while len(found) < len(calls):
        ready = [
            node
            for node in calls
            if node not in found and {*gold.plan.by_id[node].dep} <= {*found, "root"}
        ]
        node = ready[-1 if latest else 0]
        request = Request(node, calls[node].name, calls[node].arguments)
        found[node] = simulation.run([request])[0]
    return found


def test_what_an_order_by_effect_is_known_from_is_said(ordered: list[Gold]) -> None:
    """The request orders the two; one description tells of a change, the other of reading it."""
    for gold in ordered:
        assert _links(gold.query)[0] == 1, gold.query
        told = {tool["name"]: _stems(tool["description"]) for tool in gold.tools}
        names = {call.node: call.name for calls in gold.calls for call in calls}
        for edge in gold.edges:
            if edge.how == "effect":
                assert told[names[edge.dep]] & told[names[edge.node]], gold.id


def _stems(description: str) -> set[str]:
    words = re.findall(r"[a-z]{4,}", description.lower().partition(" returns ")[0])
    return {word[:5] for word in words}


def test_sizes_are_within_the_published_range(found: list[Candidate]) -> None:
    assert all(3 <= one.gold.calls_gt <= 16 for one in found)
    assert all(2 <= one.gold.rounds_gt - 1 <= 7 for one in found)
    parallel = sum(any(len(calls) > 1 for calls in one.gold.calls) for one in found)
    assert parallel >= len(found) / 2


def test_the_request_says_nothing_of_the_plan(found: list[Candidate]) -> None:
    for gold in (one.gold for one in found):
        assert not any(tool["name"] in gold.query for tool in gold.tools), gold.query
        assert "{" not in gold.query
        assert "[" not in gold.query


def test_no_word_orders_what_is_independent(found: list[Candidate]) -> None:
    for gold in (one.gold for one in found):
        links, rest = _links(gold.query)
        assert links == sum(edge.how == "effect" for edge in gold.edges), gold.query
        assert not _ORDERS.search(rest), gold.query


def _links(query: str) -> tuple[int, str]:
    """Return how many words that order two wishes a request has, and what else it says."""
    count = 0
    for link in (*THEN, *BEFOREHAND):
        count += query.count(link)
        query = query.replace(link, "")
    return count, query


# Words that would tell which step comes before which.
_ORDERS = re.compile(r"\b(?:(?:First|Next|Finally),|[Tt]hen\b|[Aa]fter that,|[Aa]fterwards|Once )")


def test_needed_tools_stand_among_distractors(found: list[Candidate]) -> None:
    for gold in (one.gold for one in found):
        listed = [tool["name"] for tool in gold.tools]
        called = {call.name for calls in gold.calls for call in calls}
        assert called <= set(listed)
        assert len(listed) == len(set(listed))
        others = len(worlds.tools(tuple(gold.origin["worlds"]))) - len(called)
        assert len(listed) - len(called) >= min(4, others)


def test_what_takes_an_effect_back_is_listed_beside_it(found: list[Candidate]) -> None:
    pairs = 0
    for gold in (one.gold for one in found):
        known = worlds.tools(tuple(gold.origin["worlds"]))
        listed = {tool["name"] for tool in gold.tools}
        undos = {undo.tool for name in listed if (undo := known[name].undo)}
        assert undos <= listed, gold.id
        pairs += len(undos)
    assert pairs


def test_a_value_from_a_result_is_not_said_by_the_request(found: list[Candidate]) -> None:
    for gold in (one.gold for one in found):
        said = {
            canonical.dumps(value)
            for node in gold.plan
            if isinstance(node.para, dict)
            for value in node.para.values()
            if not any(references(value))
        }
        for node, call in zip(
            [node for node in gold.plan if node.is_call],
            [
                call
                for calls in gold.calls
                for call in sorted(calls, key=lambda c: int(c.node or 0))
            ],
            strict=True,
        ):
            assert isinstance(node.para, dict)
            for name, value in node.para.items():
                if isinstance(value, dict) and any(references(value)):
                    assert canonical.dumps(call.arguments[name]) not in said


def test_a_candidate_depends_on_seed_and_number_only(found: list[Candidate]) -> None:
    again = candidate(SEED, 3)
    assert canonical.dumps(to_record(again.gold)) == canonical.dumps(to_record(found[3].gold))


def test_records_come_back(found: list[Candidate]) -> None:
    for gold in (one.gold for one in found[:10]):
        record = canonical.loads(canonical.dumps(to_record(gold)))
        back: Gold = from_record(record)
        assert canonical.dumps(to_record(back)) == canonical.dumps(record)


def _sha(hash_seed: str, processes: int) -> str:
    command = [sys.executable, "-m", "build.seeds", "--count", "12", "--json"]
    done = subprocess.run(
        [*command, "--processes", str(processes)],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return str(canonical.loads(done.stdout)["sha256"])


def test_bytes_do_not_depend_on_hash_seed_or_processes() -> None:
    assert _sha("1", 1) == _sha("2", 2)


def _plan(*nodes: tuple[str, str, list[str]]) -> Plan:
    tasks = [{"id": i, "name": name, "para": {}, "dep": dep} for i, name, dep in nodes]
    sink = {"id": "response", "dep": [nodes[-1][0]]}
    return read_plan({"tasks": [*tasks, sink]})


def test_graph_key_forgets_ids_and_keeps_tools_and_edges() -> None:
    one = _plan(("1", "a", []), ("2", "b", ["1"]))
    assert graph_key(one) == graph_key(_plan(("x", "a", ["root"]), ("y", "b", ["x"])))
    assert graph_key(one) != graph_key(_plan(("1", "b", []), ("2", "a", ["1"])))
    assert graph_key(one) != graph_key(_plan(("1", "a", []), ("2", "b", [])))


def test_split_is_a_function_of_the_graph(found: list[Candidate]) -> None:
    for one in found:
        assert one.gold.split == split_of(one.key, one.gold.origin["worlds"])
    assert {one.gold.split for one in found} == {"test", "train"}


def test_near_duplicates_are_requests_of_one_graph_with_most_word_triples_in_common() -> None:
    requests = Requests()
    text = "Please book the cheapest hotel in Oslo with a free room for three nights from 3 May"
    requests.take("g", text)
    assert requests.is_near("g", text + ".")
    assert not requests.is_near("other", text)
    assert not requests.is_near("g", "Buy a ticket for the fastest train from Rome to Milan")


def test_four_worlds_occur_in_test_only() -> None:
    kept = [name for name in worlds.world_names() if worlds.world(name).test_only]
    assert len(kept) == 4
    assert all(split_of(f"{number:064x}", [name]) == "test" for name in kept for number in range(9))


def test_an_optional_argument_decides_something(found: list[Candidate]) -> None:
    for gold in (one.gold for one in found):
        simulation = Simulation(read_setting(gold.origin), read_tools(gold.tools))
        required = {tool["name"]: tool["parameters"]["required"] for tool in gold.tools}
        for call in gold.calls[0]:
            for name in set(call.arguments) - set(required[call.name]):
                rest = {key: value for key, value in call.arguments.items() if key != name}
                request = Request("1", call.name, rest)
                (result,) = simulation.fork().run([request])
                assert not canonical.same(result, call.results), (gold.id, call.name, name)


def test_what_follows_a_colon_begins_small_unless_it_is_a_name(found: list[Candidate]) -> None:
    """As in "Also: suppose ..."; words that only begin sentences are capital nowhere else."""
    for gold in (one.gold for one in found):
        assert not _CAPITAL.search(gold.query), gold.query


_CAPITAL = re.compile(
    r": (?:Suppose|Please|Take|Consider|This|My|We|You|Which|What|Could|How|Who|List|Find)\b"
)


def test_two_values_of_a_kind_are_not_both_that_one() -> None:
    tools = worlds.world("clinic").tools
    slots = Step(tools["free_doctor_slots"]), Step(tools["free_doctor_slots"])
    day = next(one for one in slots[0].tool.outputs if one.means == "date")
    writer = _Writer({}, random.Random(1))
    assert [writer._label(step, day) for step in slots] == ["that date", "the date just mentioned"]
    # The first one said again is the same one.
    assert writer._phrase(Source(slots[0], day)) == "that date"
