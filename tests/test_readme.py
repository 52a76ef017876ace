"""Every command of README.md works when pasted, in a copy of the project."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from environment import worlds
from eval.planners import PLANNERS

ROOT = Path(__file__).parents[1]
_FEW = "--tasks 3 --processes 1"
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


def _commands(release: Path | None) -> Iterator[str]:
    """Yield the commands in their order; what is built is little, all of it takes minutes."""
    for block in _blocks():
        for line in block.replace("\\\n", " ").splitlines():
            command = line.split("  #")[0].strip()
            if not command.startswith("python ") or ("release" in command and release is None):
                continue
            if re.match(r"python -m build(?= |$)", command):
                command = f"{command} {_FEW}"
            yield command.replace("PATH/TO/RELEASE", str(release))


def test_every_command_works_in_its_order(copy: Path, release_sample_or_none: Path | None) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    for command in _commands(release_sample_or_none):
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


def _of_makefile(name: str) -> str:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    return str(re.findall(rf"^{name} := (.*)$", makefile, re.MULTILINE)[0])


def test_the_demo_runs_every_planner() -> None:
    assert sorted(_of_makefile("PLANNERS").split()) == sorted(PLANNERS)


def test_the_numbers_of_worlds_and_tools_are_right() -> None:
    tools = sum(len(worlds.world(name).tools) for name in worlds.world_names())
    said = f"{len(worlds.world_names())} worlds with {tools} tools"
    assert said in (ROOT / "README.md").read_text("utf-8")


def test_every_python_example_works(copy: Path) -> None:
    build = [sys.executable, "-m", "build", *_FEW.split()]
    subprocess.run(build, cwd=copy, check=True, capture_output=True)
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
