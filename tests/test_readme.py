"""Every command of README.md works when pasted, in a copy of the project."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from environment import worlds

ROOT = Path(__file__).parents[1]
_BLOCK = re.MULTILINE | re.DOTALL
_PARTS = (
    "trajectory models environment diagnosis build eval splits pararecover.py dataset_card.md "
    "README.md Makefile pyproject.toml"
).split()


def _blocks() -> list[str]:
    text = (ROOT / "README.md").read_text("utf-8")
    return re.findall(r"^```sh\n(.*?)^```", text, _BLOCK)


def _pythons() -> list[str]:
    text = (ROOT / "README.md").read_text("utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, _BLOCK)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project's tracked parts, with the commands' order kept by the module scope."""
    folder = tmp_path_factory.mktemp("copy")
    for name in _PARTS:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    return folder


def test_the_two_commands_stand_at_the_top() -> None:
    head = (ROOT / "README.md").read_text("utf-8")[:1500]
    assert "make demo" in head
    assert "make test" in head
    targets = (ROOT / "Makefile").read_text("utf-8")
    for block in _blocks():
        for target in re.findall(r"^make (\w[\w-]*)", block, re.MULTILINE):
            assert re.search(rf"^{target}:", targets, re.MULTILINE), target


def test_every_command_works_in_its_order(copy: Path, release_sample_or_none: Path | None) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    for block in _blocks():
        for line in block.replace("\\\n", " ").splitlines():
            command = line.split("  #")[0].strip()
            if not command.startswith("python "):
                continue
            if "release" in command:
                if release_sample_or_none is None:
                    continue
                command = command.replace("PATH/TO/RELEASE", str(release_sample_or_none))
            done = subprocess.run(
                ["bash", "-c", command],
                cwd=copy,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, f"{command}\n{done.stderr}"


def test_the_result_is_what_the_demo_prints(copy: Path) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    planners = re.findall(r"^PLANNERS := (.*)$", makefile, re.MULTILINE)[0].split()
    levels = re.findall(r"^LEVELS := (.*)$", makefile, re.MULTILINE)[0].split()

    # One process for all: the demo starts one for each run.
    script = (
        "import sys, build.__main__, eval.run, eval.leaderboard\n"
        "build.__main__.main([])\n"
        "runs = []\n"
        "for level in sys.argv[1].split():\n"
        "    for planner in sys.argv[2].split():\n"
        "        run = f'runs/demo/{level}-{planner}'\n"
        "        eval.run.main(['--agent', planner, '--level', level, '--out', run])\n"
        "        runs.append(run)\n"
        "print('LEADERBOARD')\n"
        "eval.leaderboard.main(runs)\n"
    )
    command = [sys.executable, "-c", script, " ".join(levels), " ".join(planners)]
    done = subprocess.run(command, cwd=copy, check=True, capture_output=True, text=True)
    shown = re.findall(r"^```text\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), _BLOCK)
    assert done.stdout.partition("LEADERBOARD\n")[2] == shown[0]


def test_the_numbers_of_worlds_and_tools_are_right() -> None:
    tools = sum(len(worlds.world(name).tools) for name in worlds.world_names())
    said = f"{len(worlds.world_names())} worlds with {tools} tools"
    assert said in (ROOT / "README.md").read_text("utf-8")


def test_every_python_example_works(copy: Path) -> None:
    subprocess.run([sys.executable, "-m", "build"], cwd=copy, check=True, capture_output=True)
    for example in _pythons():
        if "load_dataset" in example:
            cache = {"HF_DATASETS_CACHE": str(copy / "cache"), "HF_HUB_OFFLINE": "1"}
        else:
            cache = {}
        done = subprocess.run(
            [sys.executable, "-c", example],
            cwd=copy,
            env={**os.environ, **cache},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{example}\n{done.stderr}"
