"""Verifying: a run that was really run holds, and any part of a row that is changed does not."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eval import verify
from trajectory.files import InputError

RunOf = Callable[..., Path]
PLANNERS = ("mark_done", "respond_now", "flatten", "do_nothing", "carry_on", "blind_retry")


@pytest.mark.parametrize("agent", PLANNERS)
def test_every_planners_run_holds(
    run_of: RunOf, data: Path, agent: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify.main([str(run_of(agent)), "--data", str(data)]) == 0
    assert "3 rows agree with their execution" in capsys.readouterr().out


def _result(row: dict[str, Any]) -> None:
    row["rounds"][0]["calls"][0]["results"] = {"hotels": [], "count": 0}


def _argument(row: dict[str, Any]) -> None:
    row["rounds"][0]["calls"][0]["arguments"]["nights"] = 3


def _call(row: dict[str, Any]) -> None:
    row["rounds"][0]["calls"].clear()


def _shorter(row: dict[str, Any]) -> None:
    row["rounds"] = [*row["rounds"][:1], {**row["rounds"][-1], "round": 3}]


def _state(row: dict[str, Any]) -> None:
    row["state"] = "0" * 64


def _completed(row: dict[str, Any]) -> None:
    row["completed"] = False


def _answer(row: dict[str, Any]) -> None:
    row["raw_output"] = row["raw_output"].replace("_retry_1", "_retry_2")


def _longer(row: dict[str, Any]) -> None:
    last = row["rounds"][-1]
    last["response"] = False
    row["rounds"].append(
        {"round": last["round"] + 1, "answer": None, "calls": [], "response": True}
    )


def _first(row: dict[str, Any]) -> None:
    row["rounds"][0]["answer"] = row["raw_output"]


def _ending(row: dict[str, Any]) -> None:
    row["ending"] = "stalled"


def _refusal(row: dict[str, Any]) -> None:
    row["raw_output"] = "I would rather not."


def _unrun(row: dict[str, Any]) -> None:
    row["rounds"] = row["state"] = None


@pytest.mark.parametrize(
    "change",
    [
        _result, _argument, _call, _shorter, _longer, _first, _state, _completed, _ending,
        _answer, _refusal, _unrun,
    ],
)  # fmt: skip
def test_a_changed_row_is_named(
    run_of: RunOf, data: Path, change: Callable[[dict[str, Any]], None]
) -> None:
    folder = run_of("blind_retry")
    file = folder / "results.jsonl"
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    change(rows[1])
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    with pytest.raises(InputError, match=r"results.jsonl:2: id L1-tst-000001: "):
        verify.main([str(folder), "--data", str(data)])


def test_static_rows_are_counted_as_such(
    run_of: RunOf, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = run_of("carry_on", "--replan-only")
    verify.main([str(folder), "--data", str(data), "--json"])
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["static"] == 3
