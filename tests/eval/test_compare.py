"""python -m eval.compare: two runs side by side."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from eval import compare
from eval.entries import label
from trajectory.files import InputError

RunOf = Callable[..., Path]


def test_two_runs_by_hand(run_of: RunOf, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = [str(run_of(agent)) for agent in ("blind_retry", "carry_on")]
    capsys.readouterr()
    compare.main([*runs, "--data", str(data), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["a"], told["b"]) == ("scripted:blind_retry", "scripted:carry_on")
    found = {one["metric"]: one for one in told["metrics"]}
    # All three tasks are verified for one, none for the other: 2 of 8 choices of signs.
    verified = found["verified_pass_at_1"]
    assert (verified["difference"], verified["p"], verified["tasks_a_more"]) == (1, 0.25, 3)
    assert (found["invalid_dag"]["p"], found["invalid_dag"]["p_holm"]) == (None, None)
    assert verified["p_holm"] == min(1, 0.25 * sum(one["p"] is not None for one in found.values()))


def test_the_table_says_what_decides(
    run_of: RunOf, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [str(run_of(agent)) for agent in ("blind_retry", "carry_on")]
    capsys.readouterr()
    compare.main([*runs, "--data", str(data), "--metrics", "verified_e5", "invalid_dag"])
    said = capsys.readouterr().out
    assert "A: scripted:blind_retry · B: scripted:carry_on" in said
    assert "for the 1 metrics that differ anywhere" in said
    assert "invalid DAG ↓" in said
    assert "+100.0" in said
    assert "under 30 tasks: no interval" in said


def test_runs_of_other_instances_are_refused_unless_asked_for(
    run_of: RunOf, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [str(run_of("blind_retry")), str(run_of("carry_on", "--limit", "2"))]
    with pytest.raises(InputError, match=r"not about the same instances: got 3 of level1 .* 2 of"):
        compare.main([*runs, "--data", str(data)])
    capsys.readouterr()
    compare.main([*runs, "--data", str(data), "--common"])
    assert "2 instances of 2 tasks, on what both declare (1 left out)" in capsys.readouterr().out


def test_an_unknown_metric_is_named(run_of: RunOf, data: Path) -> None:
    runs = [str(run_of(agent)) for agent in ("blind_retry", "carry_on")]
    with pytest.raises(InputError, match="no metric of both runs: got e6; wanted invalid_dag, "):
        compare.main([*runs, "--data", str(data), "--metrics", "e6", "e5"])


def test_played_tools_are_said_beside_the_agents_name(
    run_of: RunOf, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [run_of(agent) for agent in ("blind_retry", "carry_on")]
    manifest = json.loads((runs[0] / "run.json").read_text("utf-8"))
    (runs[0] / "run.json").write_text(json.dumps({**manifest, "environment": "model:x"}), "utf-8")
    capsys.readouterr()
    compare.main([*map(str, runs), "--data", str(data)])
    said = capsys.readouterr().out
    assert "A: scripted:blind_retry, tools played by model:x, not verified · B: scripted:c" in said
    assert label({**manifest, "environment": "model:x"}).endswith("model:x, not verified")
