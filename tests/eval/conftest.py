"""A small dataset over the travel world, and runs over it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from build.dataset import write_config
from environment.executor import Snapshot, execute, start_of
from environment.faults import Fault
from environment.goal import make_goal
from environment.simulation import Simulation, setting
from environment.worlds import world
from eval import run as eval_run
from trajectory.calls import write_calls
from trajectory.descriptions import describe
from trajectory.instance import Instance
from trajectory.plan import Plan, read_plan, write_plan
from trajectory.tools import read_tools

PLACE = setting(["travel"], 7)
TRAVEL = world("travel").tools
TOOLS = [tool.to_catalogue() for tool in TRAVEL.values()]


class _StopError(Exception):
    pass


def gold_plan(city: str, guest: str) -> Plan:
    stay = {"check_in": "2026-03-10", "nights": 2}
    tasks: list[dict[str, Any]] = [
        {"id": "root", "dep": [], "status": True},
        {"id": "1", "name": "find_hotels", "para": {"city": city, **stay}, "dep": ["root"]},
        {
            "id": "2",
            "name": "book_room",
            "para": {
                "hotel_id": {"$ref": "1", "path": "hotels[0].hotel_id"},
                "guest": guest,
                **stay,
            },
            "dep": ["1"],
        },
        {"id": "response", "dep": ["2"]},
    ]
    for task in tasks:
        task.setdefault("status", False)
        task["desc"] = describe() if "name" in task else ""
    return read_plan({"tasks": tasks})


def timeout_instance(number: int, city: str, guest: str) -> Instance:
    """A look-up timed out in the first round; the booking is about to use its result."""
    plan, catalogue = gold_plan(city, guest), read_tools(TOOLS)
    gold = Simulation(PLACE, catalogue)
    run = execute(start_of(Snapshot(plan, (), ())), lambda _: None, gold)
    fault = Fault("find_hotels", 1, 1, "timeout")
    shown = _after_one_round(plan, Simulation(PLACE, catalogue, [fault]))
    return Instance(
        id=f"L1-tst-{number:06d}",
        level=1,
        source="augmented",
        agent="",
        edition="test",
        query_id=f"T{number}",
        query=f"Book {guest} the cheapest hotel in {city}.",
        tools=TOOLS,
        plan=write_plan(shown.plan),
        tool_results=write_calls(shown.tool_results),
        history=[write_calls(calls) for calls in shown.history],
        rounds_gt=3,
        calls_gt=2,
        rounds_opt=4,
        calls_opt=3,
        error_types=("Timeout_Error",),
        error_reason="The look-up did not answer.",
        errors=[{"type": "Timeout_Error", "category": "tool", "root_cause": "1"}],
        repairs=[],
        gold_plan=write_plan(plan),
        goal=make_goal(run.ledger, TRAVEL, gold.digest()),
        faults=[fault.to_row()],
        environment=PLACE.to_row(),
        proof="full",
        canary="",
    )


def _after_one_round(plan: Plan, simulation: Simulation) -> Snapshot:
    shots: list[Snapshot] = []

    def planner(snapshot: Snapshot) -> None:
        shots.append(snapshot)
        if len(shots) == 2:
            raise _StopError

    with pytest.raises(_StopError):
        execute(start_of(Snapshot(plan, (), ())), planner, simulation)
    return shots[1]


CITIES = (("Paris", "Ada Abara"), ("Oslo", "Ivo Dumont"), ("Rome", "Uma Zeller"))


@pytest.fixture(scope="session")
def instances() -> list[Instance]:
    return [timeout_instance(n, city, guest) for n, (city, guest) in enumerate(CITIES)]


@pytest.fixture(scope="session")
def data(instances: list[Instance], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dataset")
    write_config(folder, "level1", "test", instances)
    return folder


@pytest.fixture
def run_of(data: Path, tmp_path: Path) -> Callable[..., Path]:
    """Run a scripted planner; returns the run folder."""

    def start(agent: str, *more: str) -> Path:
        out = tmp_path / agent
        eval_run.main(["--agent", agent, "--data", str(data), "--out", str(out), *more])
        return out

    return start
