"""README shows what `make demo` printed: run by `make test-demo`, after the demo."""

import os
import re
from pathlib import Path

import pytest

from eval.boards import text_of
from eval.leaderboard import read_board
from eval.report.__main__ import main as report

ROOT = Path(__file__).parents[1]
# The instance that README shows.
SHOWN = "L2-aug-000384"
MADE = os.environ.get("DEMO_LEADERBOARD")

pytestmark = pytest.mark.skipif(not MADE, reason="make test-demo runs it")


def test_the_result_in_the_readme_is_what_the_demo_prints() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    shown = re.findall(r"^```text\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    assert shown[0] == f"{text_of(read_board(Path(MADE or '')))}\n"


def test_the_picture_in_the_readme_is_the_demos() -> None:
    drawn = Path(MADE or "").with_name("heat_map.svg").read_bytes()
    assert (ROOT / "docs" / "heat_map.svg").read_bytes() == drawn


def test_the_instance_in_the_readme_is_drawn_anew_the_same(tmp_path: Path) -> None:
    drawn = tmp_path / "instance.svg"
    data = Path(MADE or "").with_name("pararecover")
    report(["--picture", SHOWN, "--data", str(data), "--out", str(drawn)])
    assert (ROOT / "docs" / "instance.svg").read_bytes() == drawn.read_bytes()
