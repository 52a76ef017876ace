"""Worlds give the same on every Python that is here, whatever the order of its sets."""

import builtins
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest

from environment.worlds import world, world_names
from tests.conftest import ROOT
from tests.environment.walks import base_of, walks

# What a walk needs beyond the standard library.
NEEDED = "import jsonschema, orjson"
WALKS = 8


def can_walk(path: str) -> bool:
    """Say whether an interpreter starts and has what a walk needs."""
    tried = subprocess.run([path, "-c", NEEDED], capture_output=True, check=False)
    return tried.returncode == 0


def python(name: str) -> str:
    """Return the path of an interpreter that can take the walks, or skip."""
    path = shutil.which(name)
    if path is None or not can_walk(path):
        pytest.skip(f"no {name} with {NEEDED.removeprefix('import ')}")
    return path


@cache
def digests(python: str, hash_seed: str) -> str:
    """Return the digests of all worlds as this interpreter prints them."""
    return subprocess.run(
        [python, "-m", "tests.environment.walks", str(WALKS)],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=True,
        encoding="utf-8",
    ).stdout


def test_same_with_another_hash_seed() -> None:
    assert digests(sys.executable, "1") == digests(sys.executable, "20260302")


@pytest.mark.parametrize("name", ["python3.11", "python3.12", "python3.13"])
def test_same_on_another_python(name: str) -> None:
    assert digests(python(name), "3") == digests(sys.executable, "1")


@pytest.mark.parametrize("name", world_names())
def test_no_sum_of_fractions(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`sum` rounds otherwise before Python 3.12; `math.fsum` is the same everywhere."""

    def whole_sum(values: Iterable[Any], start: Any = 0) -> Any:
        total = real_sum(values, start)
        assert not isinstance(total, float), "a sum of numbers with a fraction: take math.fsum"
        return total

    real_sum = sum
    monkeypatch.setattr(builtins, "sum", whole_sum)
    assert [seen.crash for seen in walks(name, base_of(world(name)), WALKS) if seen.crash] == []
