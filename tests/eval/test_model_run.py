"""Running models against a real server on the loopback: what is sent, kept, resumed and merged."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from eval import merge, run, score, verify
from tests.eval.moody import Moody, moody
from tests.models.provider import (
    Act,
    cut,
    fails,
    filtered,
    overflow,
    refused,
    says,
    unknown_model,
    wrong_key,
)
from trajectory import canonical
from trajectory.files import InputError
from trajectory.instance import Instance

KEY = "sk-test-0123456789abcdef"
ROOT = Path(__file__).parents[2]
Start = Callable[..., int]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Moody]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with moody(as_it_is) as found:
        yield found


@pytest.fixture
def start(server: Moody, dataset: Path, tmp_path: Path) -> Start:
    def begin(*options: str, out: str = "run", module: Any = run) -> int:
        return int(module.main([*arguments(server, dataset, tmp_path / out), *options]))

    return begin


def arguments(server: Moody, dataset: Path, out: Path) -> list[str]:
    place = ["--api-base", server.url, "--data", str(dataset), "--out", str(out)]
    return ["--model", "openai/stub", "--call-seconds", "60", *place]


@pytest.fixture(scope="module")
def dataset(augmented: list[Instance], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve proven instances of level 1, and some of train."""
    from build.dataset import write_config

    folder = tmp_path_factory.mktemp("data")
    level1 = [one for one in augmented if one.level == 1]
    write_config(folder, "level1", "test", level1[:12])
    write_config(folder, "level1", "train", level1[12:])
    return folder


def shown(request: dict[str, Any], head: str, end: str) -> str:
    text = str(request["messages"][-1]["content"])
    return text.partition(f"\n{head}:\n")[2].partition(f"\n\n{end}")[0]


def as_it_is(request: dict[str, Any]) -> str:
    """Answer with the plan that was shown."""
    return f"<thought>fine</thought>\n<plan>{shown(request, 'Plan', 'Results of the')}</plan>"


def lines(folder: Path, name: str = "results.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]


def bare(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**row, "seconds": 0, "cost": None} for row in rows]


def scored(folder: Path, dataset: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    capsys.readouterr()
    assert score.main([str(folder), "--data", str(dataset), "--json"]) == 0
    return canonical.loads(capsys.readouterr().out)


def test_a_model_is_shown_the_snapshot_and_nothing_else(
    start: Start, server: Moody, dataset: Path, tmp_path: Path
) -> None:
    import pararecover

    assert start("--limit", "1") == 0
    (row,) = lines(tmp_path / "run")
    one = next(i for i in pararecover.load_instances("level1", data=dataset) if i.id == row["id"])
    first = server.requests[0]
    assert canonical.loads(shown(first, "Plan", "Results of the")) == one.plan
    assert canonical.loads(shown(first, "Results of the last round", "Earlier")) == one.tool_results
    text = canonical.dumps(first)
    for hidden in (one.id, one.query_id, one.canary, one.error_reason):
        assert hidden not in text
    assert "an error" not in first["messages"][0]["content"]
    # After each round the model is asked anew, with what the tools gave.
    assert len(server.requests) == len(row["rounds"])


def test_what_was_sent_and_spent_is_told(start: Start, server: Moody, tmp_path: Path) -> None:
    assert start("--limit", "2", "--temperature", "0.5", "--seed", "7", "--samples", "2") == 0
    manifest = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    assert manifest["agent"] == "model:openai/stub"
    assert manifest["parameters"]["sent"] == {"temperature": 0.5, "seed": 7}
    assert [*manifest["prompts"]] == ["replanner"]
    assert {request["seed"] for request in server.requests} == {7, 8}
    for row in lines(tmp_path / "run"):
        calls = len(row["rounds"])
        assert row["usage"] == {"prompt": 7 * calls, "completion": 3 * calls}
        assert row["cost"] is None
    assert KEY not in "".join(p.read_text("utf-8") for p in (tmp_path / "run").glob("*.json*"))


def test_many_at_once_give_the_same_as_one(start: Start, server: Moody, tmp_path: Path) -> None:
    server.seconds = 0.01
    assert start("--concurrency", "1", out="one") == 0
    assert server.most == 1
    assert start("--concurrency", "6", out="six") == 0
    assert server.most > 1
    assert bare(lines(tmp_path / "six")) == bare(lines(tmp_path / "one"))


def test_trouble_that_passes_changes_no_row(
    start: Start, server: Moody, dataset: Path, tmp_path: Path, capsys: Any
) -> None:
    assert start(out="calm") == 0
    server.troubled = 3
    while start(out="rough") == 1:
        pass
    assert bare(lines(tmp_path / "rough")) == bare(lines(tmp_path / "calm"))
    assert lines(tmp_path / "rough", "attempts.jsonl")
    assert verify.main([str(tmp_path / "rough"), "--data", str(dataset)]) == 0
    rough, calm = (scored(tmp_path / name, dataset, capsys) for name in ("rough", "calm"))
    assert rough == calm


@pytest.mark.parametrize("mood", [cut(), filtered(), refused(), says(None), overflow()])
def test_a_failure_of_the_model_is_a_row(
    start: Start, server: Moody, dataset: Path, tmp_path: Path, mood: Act, capsys: Any
) -> None:
    server.mood = mood
    assert start("--limit", "2") == 0
    rows = lines(tmp_path / "run")
    assert {row["outcome"] for row in rows} == {"model_invalid"}
    assert {row["rounds"] for row in rows} == {None}
    assert verify.main([str(tmp_path / "run"), "--data", str(dataset)]) == 0
    capsys.readouterr()
    asked = len(server.requests)
    assert start("--limit", "2") == 0
    assert len(server.requests) == asked


def test_what_a_repeat_can_mend_leaves_no_row(
    start: Start, server: Moody, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr("models.client._LONGEST_BACKOFF", 0.0)
    server.mood = fails(503)
    assert start("--limit", "2") == 1
    told = capsys.readouterr().err
    assert "2 are still due (6 attempts failed, the last one with: " in told
    assert lines(tmp_path / "run") == []
    assert len(lines(tmp_path / "run", "attempts.jsonl")) == 12
    server.mood = None
    assert start("--limit", "2") == 0
    assert len(lines(tmp_path / "run")) == 2


@pytest.mark.parametrize("mood", [wrong_key(), unknown_model(), fails(400)])
def test_what_no_repeat_mends_stops_the_run(start: Start, server: Moody, mood: Act) -> None:
    server.mood = mood
    with pytest.raises(InputError, match="model openai/stub can't be asked") as told:
        start("--concurrency", "2")
    assert len(server.requests) <= 4
    assert KEY not in str(told.value)


def test_a_budget_stops_the_run_and_it_can_go_on(
    start: Start, server: Moody, tmp_path: Path, capsys: Any
) -> None:
    assert start("--max-tokens-total", "35", "--concurrency", "1") == 1
    assert "--max-tokens-total 35 is reached: used 40 tokens" in capsys.readouterr().err
    assert len(server.requests) == 4
    assert start() == 0
    assert len(lines(tmp_path / "run")) == 12
    asked = [(one["id"], one["round"]) for one in lines(tmp_path / "run", "answers.jsonl")]
    assert len(asked) == len(set(asked)) == len(server.requests)


def test_a_price_that_nobody_knows_can_be_no_limit(start: Start, capsys: Any) -> None:
    assert start("--max-cost", "1", "--concurrency", "1") == 1
    assert "its price is unknown" in capsys.readouterr().err


def test_shards_merged_are_the_whole_run(
    start: Start, dataset: Path, tmp_path: Path, capsys: Any
) -> None:
    assert start(out="whole") == 0
    for number in (1, 2, 3):
        assert start("--shard", f"{number}/3", out=f"part{number}") == 0
    parts = [str(tmp_path / f"part{number}") for number in (3, 1, 2)]
    place = ["--out", str(tmp_path / "merged"), "--data", str(dataset)]
    with pytest.raises(InputError, match="parts are missing: got 2/3"):
        merge.main([*parts[:2], *place])
    with pytest.raises(InputError, match="does not fit the other parts"):
        merge.main([*parts, parts[0], *place])
    assert merge.main([*parts, *place]) == 0
    assert bare(lines(tmp_path / "merged")) == bare(lines(tmp_path / "whole"))
    whole, merged = (
        json.loads((tmp_path / name / "run.json").read_text("utf-8"))
        for name in ("whole", "merged")
    )
    assert {**merged, "started": ""} == {**whole, "started": ""}
    assert scored(tmp_path / "merged", dataset, capsys) == scored(
        tmp_path / "whole", dataset, capsys
    )


def test_examples_come_from_train_and_are_the_same_again(
    start: Start, server: Moody, tmp_path: Path
) -> None:
    options = ("--few-shot", "2", "--seed", "5", "--limit", "1", "--replan-only")
    assert start(*options) == 0
    assert start(*options, out="again") == 0
    first, second = server.requests
    assert first["messages"] == second["messages"]
    roles = [one["role"] for one in first["messages"]]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
    assert first["messages"][2]["content"].startswith("<thought>")
    manifest = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    assert len(manifest["few_shot"]) == 2


def test_calls_in_a_chat_become_nodes_that_run(
    start: Start, server: Moody, dataset: Path, tmp_path: Path
) -> None:
    def call_once(request: dict[str, Any]) -> Act:
        if len(server.requests) > 1:
            return says("All done.")
        name = request["tools"][0]["function"]["name"]
        return says("Look.", "tool_calls", calls=[(name, {}), (name, {})])

    server.answer = call_once
    assert start("--style", "chat", "--limit", "1") == 0
    (row,) = lines(tmp_path / "run")
    first, last = row["rounds"]
    assert [call["arguments"] for call in first["calls"]] == [{}, {}]
    assert last["response"]
    assert row["thought"] == "Look."
    told = server.requests[0]["messages"]
    assert told[1]["role"] == "user"
    results = [one for one in told if one["role"] == "tool"]
    made = [call for one in told for call in one.get("tool_calls") or ()]
    assert [one["tool_call_id"] for one in results] == [one["id"] for one in made]
    assert verify.main([str(tmp_path / "run"), "--data", str(dataset)]) == 0


def test_a_model_can_play_the_tools(start: Start, server: Moody, tmp_path: Path) -> None:
    told = ["no JSON at all", "nor this", '```json\n{"played": true}\n```']

    def both(request: dict[str, Any]) -> str:
        if "\nCall:\n" not in request["messages"][-1]["content"]:
            return as_it_is(request)
        return told.pop(0) if len(told) > 1 else told[0]

    server.answer = both
    assert start("--environment", "model:openai/world", "--concurrency", "1") == 0
    calls = [c for row in lines(tmp_path / "run") for r in row["rounds"] for c in r["calls"]]
    results = [canonical.dumps(call["results"]) for call in calls]
    assert '{"played":true}' in results
    assert sum("gave no readable result" in one for one in results) == 1
    manifest = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    assert manifest["environment"] == "model:openai/world"
    assert sorted(manifest["prompts"]) == ["replanner", "simulator"]
    assert manifest["parameters"]["simulator"]["name"] == "openai/world"


def played(request: dict[str, Any]) -> bool:
    return "\nCall:\n" in request["messages"][-1]["content"]


def test_a_played_run_is_never_verified_nor_ranked(
    start: Start, server: Moody, dataset: Path, tmp_path: Path, capsys: Any
) -> None:
    server.answer = lambda request: '{"made":"up"}' if played(request) else as_it_is(request)
    assert start("--environment", "model:openai/world") == 0
    capsys.readouterr()
    assert verify.main([str(tmp_path / "run"), "--data", str(dataset)]) == 0
    assert "never ranked" in capsys.readouterr().out
    assert start(out="ran") == 0
    made_up, ran = (scored(tmp_path / name, dataset, capsys) for name in ("run", "ran"))
    assert any(figure["ranked"] for figure in ran)
    assert not any(figure["ranked"] for figure in made_up)
    verified = [figure for figure in made_up if figure["metric"].startswith("verified_")]
    assert all(figure["strict"] is None for figure in verified)


def test_a_played_run_goes_on_with_what_was_said(
    start: Start, server: Moody, tmp_path: Path
) -> None:
    """The second model answers otherwise each time: nothing it said may be asked for again."""
    options = ("--environment", "model:openai/world", "--concurrency", "1")
    said = 0

    def count(request: dict[str, Any]) -> str:
        nonlocal said
        if not played(request):
            return as_it_is(request)
        said += 1
        return f'{{"said":{said}}}'

    server.answer = count
    # What was spent before counts.
    for limit in (45, 85, 125):
        assert start(*options, "--max-tokens-total", str(limit)) == 1
        assert len(server.requests) == limit // 10 + 1
    assert start(*options) == 0
    results = canonical.dumps([row["rounds"] for row in lines(tmp_path / "run")])
    heard = [int(text.partition("}")[0]) for text in results.split('{"said":')[1:]]
    assert sorted(heard) == list(range(1, said + 1))
    assert len(lines(tmp_path / "run", "played.jsonl")) == said


def test_tools_that_cannot_be_played_are_no_failure_of_the_model(
    start: Start, server: Moody, tmp_path: Path, capsys: Any
) -> None:
    server.answer = lambda request: overflow() if played(request) else as_it_is(request)
    assert start("--environment", "model:openai/world") == 1
    assert "no reply for a tool that a model plays" in capsys.readouterr().err
    assert all(row["rounds"][-1]["response"] for row in lines(tmp_path / "run"))
    assert any(one["kind"] == "overflow" for one in lines(tmp_path / "run", "attempts.jsonl"))


def test_a_dry_run_asks_nothing(
    start: Start, server: Moody, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start("--dry-run") == 0
    assert server.requests == []
    assert not (tmp_path / "run").exists()
    said = capsys.readouterr().out
    assert said.startswith("--- system\n")
    assert "first answers of 12 rows" in said
    assert "cost unknown" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{query} {tools} {plan} {tool_results}", r"a field is missing from this prompt: got {his"),
        ("{query}{tools}{plan}{tool_results}{history}{gold_plan}", "nothing fills this field"),
    ],
)
def test_a_prompt_of_ones_own_has_the_known_fields(
    start: Start, tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "mine.txt").write_text(text, "utf-8")
    with pytest.raises(InputError, match=said):
        start("--prompt", str(tmp_path / "mine.txt"))


# --- killed, interrupted, out of room ----------------------------------------------------------


def process(server: Moody, dataset: Path, out: Path, *options: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "eval.run", *arguments(server, dataset, out), *options]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)


def wait_for(server: Moody, count: int) -> None:
    end = time.monotonic() + 60
    while len(server.requests) < count and time.monotonic() < end:
        time.sleep(0.01)


def test_a_run_killed_at_any_moment_goes_on(
    start: Start, server: Moody, dataset: Path, tmp_path: Path
) -> None:
    assert start(out="calm") == 0
    asked = len(server.requests)
    server.seconds = 0.05
    for more in (5, 20):
        job = process(server, dataset, tmp_path / "run", "--concurrency", "3")
        wait_for(server, asked + more)
        job.kill()
        job.communicate()
    assert start("--concurrency", "3") == 0
    assert bare(lines(tmp_path / "run")) == bare(lines(tmp_path / "calm"))
    # What was in flight when it was killed is all that was asked for twice.
    assert len(server.requests) - 2 * asked <= 2 * 3


def test_ctrl_c_lets_calls_in_flight_end(
    start: Start, server: Moody, dataset: Path, tmp_path: Path
) -> None:
    server.seconds = 0.5
    job = process(server, dataset, tmp_path / "run", "--concurrency", "3")
    wait_for(server, 3)
    job.send_signal(signal.SIGINT)
    said = job.communicate()[1]
    assert job.returncode == 130
    assert "waiting for calls in flight" in said
    assert "Traceback" not in said
    assert len(lines(tmp_path / "run", "answers.jsonl")) == len(server.requests)
    server.seconds = 0.0
    assert start() == 0
    assert len(lines(tmp_path / "run")) == 12


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
def test_a_full_disk_loses_no_answer(
    start: Start, server: Moody, dataset: Path, tmp_path: Path
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", str(disk)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("no small disk can be mounted here")
    try:
        (disk / "filler").write_bytes(b"x" * 40_000)
        job = process(server, dataset, disk / "run", "--concurrency", "2")
        assert job.stderr is not None
        told = next(line for line in job.stderr if "held" in line)
        assert "No space left on device" in told
        asked = len(server.requests)
        (disk / "filler").unlink()
        subprocess.run(["mount", "-o", "remount,size=8m", str(disk)], check=True)
        rest = job.communicate()[1]
        assert job.returncode == 1
        assert "are still due" in rest
        assert len(server.requests) == asked
        assert len(lines(disk / "run", "answers.jsonl")) == asked
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)
