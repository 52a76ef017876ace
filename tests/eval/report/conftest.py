"""Runs whose texts are hostile, and the report of them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from build.dataset import write_config
from eval import run as eval_run
from eval.checks.__main__ import main as check
from eval.report.__main__ import main as report
from trajectory.instance import Instance

HOSTILE = (
    "<img src=x onerror=\"document.title='owned'\"></script><script>alert(1)</script>"
    "<!-- \u202e\u2028"
)
# What turns or breaks the text around it is shown by its number.
SHOWN = HOSTILE.replace("\u202e\u2028", "[U+202E][U+2028]")


@pytest.fixture(scope="package")
def shelf(made: list[Instance], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of level 1, the first instance of which asks in hostile words."""
    folder = tmp_path_factory.mktemp("hostile") / "data"
    some = sorted((one for one in made if one.level == 1 and one.errors), key=lambda one: one.id)
    first = replace(some[0], query=f"{HOSTILE} {some[0].query}")
    write_config(folder, "level1", "test", [first, *some[1:]])
    return folder


@pytest.fixture(scope="package")
def runs(shelf: Path) -> list[Path]:
    """Two checked runs over it, one of which thinks, and is judged, in hostile words.

    Its last answer was filtered.
    """
    folders = [shelf.parent / agent for agent in ("carry_on", "oracle")]
    for folder in folders:
        eval_run.main(["--agent", folder.name, "--data", str(shelf), "--out", str(folder)])
    _think(folders[0] / "results.jsonl", HOSTILE)
    _judge(folders[0])
    for folder in folders:
        check([str(folder), "--data", str(shelf), "--processes", "1"])
    return folders


def _think(results: Path, thought: str) -> None:
    """Let every row of a run think this."""
    rows = [json.loads(line) for line in results.read_text("utf-8").splitlines()]
    for row in rows:
        _, _, plan = row["raw_output"].partition("<plan>")
        row["raw_output"] = f"<thought>{thought}</thought>\n<plan>{plan}"
        row["rounds"][0]["answer"] = None
    none = {"outcome": "model_invalid", "raw_output": "", "rounds": None, "state": None}
    rows[-1] |= {**none, "reason": "filter: the reply ended so"}
    results.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def _judge(run: Path) -> None:
    """Let a judge give every row reasons in hostile words, and leave an item unscored."""
    rows = (run / "results.jsonl").read_text("utf-8").splitlines()
    ids = [json.loads(row)["id"] for row in rows]
    items = {"S1": 0.5, "D3": None}
    one = {"sample": 0, "rater": "x", "repeat": 0, "items": items, "reasons": {"S1": HOSTILE}}
    text = "".join(json.dumps({"id": id, **one}) + "\n" for id in ids)
    (run / "judgements-x.jsonl").write_text(text, "utf-8")


@pytest.fixture(scope="package")
def page(shelf: Path, runs: list[Path]) -> Path:
    """The report of both."""
    out = shelf.parent / "report"
    assert report([*map(str, runs), "--data", str(shelf), "--out", str(out)]) == 0
    return out
