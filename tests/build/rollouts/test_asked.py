"""A model as a planner: what it is told, and what becomes of its answers."""

import json
from pathlib import Path

import pytest

from build import rollout
from build.gold import Gold
from build.rollouts.asked import Asked
from build.rollouts.filling import asked_for
from build.rollouts.loop import played
from build.rollouts.planning import planned
from build.stages import stage_of
from build.wishes import wish_of
from models.client import Model
from models.reading import write_answer
from tests.models.provider import provider, says
from trajectory.plan import RESPONSE, Plan


class Told:
    """Gives these answers in turn, the last again and again."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.prompts: list[str] = []

    def __call__(self, system: str, user: str) -> str:
        self.prompts.append(user)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def right(gold: Gold) -> Plan:
    return planned(gold.query, wish_of(gold)).plan()


def test_a_model_sees_request_and_tools_and_nothing_of_the_truth(golds: list[Gold]) -> None:
    gold, told = golds[0], Told("no plan")
    Asked(told, gold.query, gold.tools).first()
    assert gold.query in told.prompts[0]
    assert gold.tools[0]["name"] in told.prompts[0]
    assert "goal" not in told.prompts[0].replace(gold.query, "")[:40]


def test_an_answer_without_a_plan_carries_on(golds: list[Gold]) -> None:
    gold = golds[0]
    player = Asked(Told(write_answer("", (), right(gold)), "I can't."), gold.query, gold.tools)
    shots = played(player, stage_of(gold).environment(()))
    assert len(shots) >= gold.rounds_gt - 1
    assert player.slips is None


def test_a_first_answer_without_a_plan_is_a_response_at_once(golds: list[Gold]) -> None:
    gold = golds[0]
    plan = Asked(Told("I can't."), gold.query, gold.tools).first()
    assert [node.id for node in plan] == ["root", RESPONSE]


def test_a_model_plays_over_http_and_its_errors_become_instances(
    golds: list[Gold], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    gold = golds[0]
    plan = right(gold)
    node = next(node for node in plan if node.is_call and node.para)
    wrong = plan.change({node.id: node.change(name=f"{node.name}_v2")})
    with provider([says(write_answer("", (), wrong)), says("go on")]) as server:
        given = asked_for(Model("openai/stub", server.base, first_wait=0.0), gold, 1)
    (first, *_) = given.instances
    assert first.agent == "model:openai/stub"
    assert first.error_types == ("Tool_name_Error",)


def test_the_command_prints_and_writes_what_was_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "rollouts.jsonl"
    options = ["--agent", "scripted:careless", "--count", "2", "--seed", "13", "--processes", "1"]
    code = rollout.main([*options, "--json", "--out", str(out)])
    told = json.loads(capsys.readouterr().out)
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert code == (0 if len(rows) == 2 else 1)
    assert told["instances"] == len(rows) > 0
    assert {row["agent"] for row in rows} == {"scripted:careless"}
