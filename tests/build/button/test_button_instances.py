"""python -m build --seeds: instances of conversations whose calls are recorded."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import pararecover
from build.__main__ import main
from build.button.edition import Button, button, report, written
from build.button.making import MOST, Made, made
from build.button.reading import Reading
from build.button.recorded import UnusableError, recorded
from build.button.writing import write_button
from build.candidates import NoPlaceError, candidate
from build.dataset import BUTTON_EDITION
from build.gold import Gold
from build.injectors import tool_name
from build.injectors.scene import Scene, Stage
from build.points import flaws
from build.quotas import Slot
from build.stages import stage_of
from diagnosis.examination import Examination
from environment import opening
from environment.executor import Execution, Snapshot, carry_on, execute, start_of
from environment.faults import Fault, read_faults
from environment.replay import RECORDED, replay_of
from environment.standins import is_stand_in
from environment.world import generator
from eval import run, score, verify
from tests.build.button.conversations import call, conversation, tool, turn
from trajectory import canonical
from trajectory.error_types import ErrorType
from trajectory.files import InputError
from trajectory.instance import Instance
from trajectory.plan import Plan, read_plan
from trajectory.tools import read_tools

FEW = 8
TEXT = {"type": "string"}


def file_of(path: Path, values: list[Any]) -> Path:
    path.write_text("".join(f"{json.dumps(value)}\n" for value in values), "utf-8")
    return path


@pytest.fixture(scope="session")
def seeds(golds: list[Gold], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Conversations, most of them parallel, with lines between them that are none."""
    values: list[Any] = [
        write_button(gold, parallel=number % 4 != 3) for number, gold in enumerate(golds[:FEW])
    ]
    path = file_of(tmp_path_factory.mktemp("button") / "own.jsonl", [*values, {"messages": 3}, 7])
    with path.open("a", encoding="utf-8") as file:
        file.write('{"messages": [\n')
    return path


@pytest.fixture(scope="session")
def found(seeds: Path) -> Button:
    return button(seeds, 1)


@pytest.fixture(scope="session")
def data(found: Button, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    written(folder, found)
    return folder


@pytest.fixture(scope="session")
def tasks(golds: list[Gold], tmp_path_factory: pytest.TempPathFactory) -> list[Gold]:
    path = tmp_path_factory.mktemp("tasks") / "own.jsonl"
    return list(Button(Reading(file_of(path, list(map(write_button, golds))))).golds())


def examined(instance: Instance) -> Examination:
    """Work all out anew from what lies on disk."""
    catalogue, gold = read_tools(instance.tools), read_plan(instance.gold_plan)

    def carried(plan: Plan, faults: tuple[Fault, ...]) -> Execution:
        environment = replay_of(instance.environment, catalogue, faults)
        return execute(start_of(Snapshot(plan, (), ())), carry_on, environment)

    start, faults = opening.start(instance), read_faults(instance.faults)
    return Examination(
        query=instance.query,
        catalogue=catalogue,
        tools={},
        gold=gold,
        gold_run=carried(gold, ()),
        goal=instance.goal,
        purposes=gold.extra.get("purposes", {}),
        start=start,
        environment=replay_at(instance),
        faults=faults,
        run=carried,
    )


def replay_at(instance: Instance) -> Any:
    return opening.environment(instance, opening.start(instance))


# --- the instances ---------------------------------------------------------------------------


def test_what_an_instance_says_is_found_again_in_what_lies_on_disk(
    found: Button, data: Path
) -> None:
    on_disk = [one for level in (1, 2) for one in of_disk(data, level)]
    assert [one.id for one in on_disk] == [
        one.id for level in (1, 2) for one in found.of_level(level)
    ]
    for instance in on_disk:
        seen = examined(instance)
        assert canonical.same(seen.errors, instance.errors)
        assert canonical.same(seen.repairs, instance.repairs)
        assert list(flaws(instance, seen)) == []


def of_disk(data: Path, level: int) -> list[Instance]:
    return pararecover.load_instances(f"level{level}_button", data=data)


def test_errors_of_every_type_can_be_made(tasks: list[Gold]) -> None:
    assert len(tasks) > FEW // 2
    stages = list(map(stage_of, tasks))
    for kind in ErrorType:
        assert any(kind in made_of(stage, kind) for stage in stages), kind


def made_of(stage: Stage, kind: ErrorType) -> tuple[str, ...]:
    """Return the types of an instance with this error; none where no candidate is proven."""
    for attempt in range(4):
        try:
            rng = generator(1, stage.gold.id, kind, str(attempt))
            instance = candidate(stage, Slot(1, (kind,)), rng)
        except NoPlaceError:
            return ()
        if isinstance(instance, Instance):
            return instance.error_types
    return ()


def test_only_what_was_recorded_succeeds_in_an_instance(found: Button) -> None:
    for instance in found.instances:
        start = opening.start(instance)
        carried = execute(start, carry_on, replay_at(instance))
        assert not any(is_stand_in(entry.result) for entry in carried.ledger)


def test_each_task_has_few_instances_and_no_two_alike(found: Button) -> None:
    assert len(found.instances) > FEW
    for gold in {one.query_id for one in found.instances}:
        for level in (1, 2):
            mine = [one for one in found.of_level(level) if one.query_id == gold]
            assert len(mine) <= MOST
            assert len({canonical.digest([one.plan, one.tool_results]) for one in mine}) == len(
                mine
            )


def test_an_instance_says_where_it_comes_from_and_what_is_proven(found: Button) -> None:
    first = found.instances[0]
    assert first.id == "L1-button-000001"
    assert (first.edition, first.proof) == (BUTTON_EDITION, "structural")
    origin = first.environment["origin"]
    assert (origin["file"], origin["licence"]) == ("own.jsonl", None)
    assert first.query_id == f"BUTTON-{origin['line']:06}"
    assert len(first.environment[RECORDED]) == first.calls_gt
    assert first.goal["state"] == ""


def test_parallelism_is_put_only_where_calls_were_made_at_once(tasks: list[Gold]) -> None:
    for gold in tasks:
        apart = replace(gold, calls=tuple((one,) for calls in gold.calls for one in calls))
        assert made_of(stage_of(apart), ErrorType.PARALLELISM) == ()


def test_the_same_file_gives_the_same_bytes_in_any_number_of_processes(
    seeds: Path, data: Path, tmp_path: Path
) -> None:
    main(["--seeds", str(seeds), "--out", str(tmp_path), "--processes", "2"])
    made_by_one, made_by_two = (
        {path.relative_to(folder): path.read_bytes() for path in files(folder)}
        for folder in (data, tmp_path)
    )
    assert made_by_one == made_by_two
    assert len(made_by_one) == 3


def files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


# --- the command -----------------------------------------------------------------------------


def test_figures_tell_what_was_read_left_out_and_made(found: Button, data: Path) -> None:
    told = report(found, dict.fromkeys(("level1_button", "level2_button"), data))
    assert told["read"]["conversations"] == FEW + 3
    assert told["read"]["skipped"] == {"no_messages": 2, "not_json": 1}
    assert told["tasks"] + sum(told["left_out"].values()) == FEW
    for level, one in enumerate(told["configs"], start=1):
        assert one["instances"] == len(of_disk(data, level))
        labels = sum(len(each.error_types) for each in of_disk(data, level))
        assert sum(one["types"].values()) == labels


def test_the_command_writes_the_configs_and_says_what_it_made(
    seeds: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--seeds", str(seeds), "--out", str(tmp_path), "--processes", "1", "--tasks", "1"]
    assert main(arguments) == 0
    said = capsys.readouterr().out
    assert "tasks taken: 1\n" in said
    assert "level1_button/test: " in said
    assert "of 1 tasks, proof structural, never ranked" in said
    assert "- config_name: level2_button" in (tmp_path / "README.md").read_text("utf-8")
    assert main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["edition"] == BUTTON_EDITION


def test_dropped_candidates_are_counted_by_point_and_those_on_stand_ins_apart(
    tasks: list[Gold],
) -> None:
    kinds = {why for _, why in report_of(tasks[:2])}
    assert "stand-in" in kinds
    assert all(why == "stand-in" or why.startswith("point ") for why in kinds)


def report_of(tasks: list[Gold]) -> dict[tuple[str, str], int]:
    found = Button(Reading(Path(__file__)))
    for given in map(made, tasks):
        assert isinstance(given, Made)
        found.take(given)
    told = report(found, {f"level{level}_button": Path("some.parquet") for level in (1, 2)})
    return {(one["type"], one["why"]): one["candidates"] for one in told["dropped"]}


def test_what_is_made_of_a_file_is_not_frozen(seeds: Path) -> None:
    for option in ("--check", "--freeze"):
        with pytest.raises(InputError, match="not frozen"):
            main(["--seeds", str(seeds), option])


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([7], "no conversation in BUTTON's format"),
        (
            [conversation("What time?", turn((call("now"), 12)), turn((call("now"), 12)))],
            "left out: 1 a call made twice",
        ),
    ],
)
def test_where_nothing_can_be_made_nothing_is_written(
    values: list[Any], reason: str, tmp_path: Path
) -> None:
    file = file_of(tmp_path / "own.jsonl", values)
    with pytest.raises(InputError) as error:
        main(["--seeds", str(file), "--out", str(tmp_path / "out"), "--processes", "1"])
    assert reason in str(error.value)
    assert not (tmp_path / "out").exists()


# --- what is left out ------------------------------------------------------------------------

ROOMS = {"rooms": [{"room_id": "R-7712"}, {"room_id": "R-9014"}]}
FIND = turn((call("find_rooms", city="Oslo"), ROOMS))
TOOLS = [tool("find_rooms", city=TEXT), tool("book", room_id=TEXT, note=TEXT)]


def why(request: str, *turns: list[dict[str, Any]], tools: list[dict[str, Any]] = TOOLS) -> str:
    """Return why nothing can be made of a conversation; "" where something can."""
    from build.button.conversation import read_conversation
    from build.button.plans import gold_of

    read, notes = read_conversation(conversation(request, *turns, tools=tools), 1)
    assert read is not None
    try:
        recorded(gold_of(read, {"file": "own.jsonl"}), notes)
    except UnusableError as reason:
        return str(reason)
    return ""


def test_a_plan_whose_edges_rest_on_references_is_taken() -> None:
    assert why("A room in Oslo.", FIND, turn((call("book", room_id="R-7712"), "done"))) == ""


def test_a_plan_with_an_edge_that_is_not_sure_is_left_out() -> None:
    taken = turn((call("check", room_id="R-7712"), {"room_id": "R-7712", "room": "R-7712"}))
    later = turn((call("book", room_id="R-7712"), "done"))
    tools = [*TOOLS, tool("check", room_id=TEXT)]
    assert "unsure value edge" in why("A room in Oslo.", FIND, taken, later, tools=tools)
    assert "turn_order edge" in why("A room.", FIND, turn((call("book", note="so"), "done")))
    inside = call("book", note="Room R-7712 is booked")
    assert "not as it was given" in why("A room.", FIND, turn((inside, "done")))
    named = turn((call("book", note="so"), "done"), prose="As find_rooms says, I book.")
    assert "prose edge" in why("A room.", FIND, named)


def test_malformed_and_ambiguous_conversations_are_left_out() -> None:
    assert why("A room.", turn((call("find_rooms", city=7), ROOMS))) == "misfit_arguments"
    twice = [*TOOLS, tool("book", other=TEXT)]
    assert "tools of one name" in why("A room in Oslo.", FIND, tools=twice)
    assert "made twice" in why("A room in Oslo.", FIND, FIND)
    odd = [tool("find_rooms", city={})]
    own = turn((call("find_rooms", city={"$ref": "1"}), ROOMS))
    assert "reads as a reference" in why("A room.", own, tools=odd)


def test_names_in_other_letters_can_go_wrong_too() -> None:
    from build.button.conversation import read_conversation
    from build.button.plans import gold_of

    tools = [tool("查询", 城市=TEXT), tool("预订", 房间=TEXT)]
    turns = (
        turn((call("查询", 城市="奥斯陆城市"), {"房间": "R-7712"})),
        turn((call("预订", 房间="R-7712"), {"号": "B-551"})),
    )
    read, notes = read_conversation(conversation("订奥斯陆城市的房间", *turns, tools=tools), 1)
    assert read is not None
    gold = recorded(gold_of(read, {"file": "own.jsonl"}), notes)
    assert len(made(gold).instances) == 2 * MOST
    scene = Scene(stage_of(gold), gold.plan)
    for place in tool_name.INJECTOR.places(scene):
        injection = tool_name.INJECTOR.put(scene, place, generator(1, place.how))
        assert injection is None or injection.edits[0]["tool"] not in ("", "查询", "预订")


# --- scores ----------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [1, 2])
def test_the_oracle_reaches_the_goal_and_no_score_is_ranked(
    data: Path, level: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, folder, place = f"level{level}_button", str(tmp_path), ["--data", str(data)]
    run.main(["--agent", "oracle", "--config", config, "--out", folder, *place])
    verify.main([folder, *place])
    capsys.readouterr()
    score.main([folder, "--json", *place])
    figures = {
        one["metric"]: one for one in json.loads(capsys.readouterr().out) if one["group"] == "all"
    }
    for metric in ("verified_pass_at_1", "verified_e5", "verified_tool_efficiency"):
        assert figures[metric]["strict"] == 1.0
        assert figures[metric]["ranked"] is False


def test_carried_on_as_it_is_no_instance_is_right(found: Button) -> None:
    for instance in found.instances:
        start = opening.start(instance)
        seen = examined(instance)
        carried = seen.trial.answered(None)
        assert not carried.reached or carried.cost != (instance.rounds_opt, instance.calls_opt)
        assert start.rounds <= (instance.rounds_opt or 0)
