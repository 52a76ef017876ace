"""The dataset folder loads with `datasets`: the installed version, and others by interpreter.

`make test-datasets` makes environments with the oldest and with older supported versions and
names their interpreters in DATASETS_PYTHONS.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from build.dataset import write_config
from tests.build.samples import sample
from trajectory.instance import Instance

ROOT = Path(__file__).parents[1]
PYTHONS = [sys.executable, *os.environ.get("DATASETS_PYTHONS", "").split()]


def load(python: str, root: Path, **expected: Sequence[Instance]) -> None:
    """Load with an interpreter's `datasets`, in a process that sees nothing of ours."""
    wanted = {config: [one.id for one in instances] for config, instances in expected.items()}
    done = subprocess.run(
        [python, str(ROOT / "tests" / "load_with_datasets.py"), json.dumps(wanted)],
        cwd=root,
        env={
            "HF_HOME": str(root / "cache"),
            "HF_HUB_OFFLINE": "1",
            "PATH": os.environ["PATH"],
            "HOME": str(root),
        },
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("python", PYTHONS)
def test_loads_in_every_way_and_a_rebuild_is_seen(tmp_path: Path, python: str) -> None:
    (tmp_path / "pararecover.py").write_bytes((ROOT / "pararecover.py").read_bytes())
    folder = tmp_path / "pararecover"
    one, two = [sample(1), sample(2)], [sample(3)]
    write_config(folder, "level1", "test", one)
    write_config(folder, "level2", "test", two)
    load(python, tmp_path, level1=one, level2=two)
    one, two = [sample(2), sample(4), sample(5)], [sample(3, query="otherwise")]
    write_config(folder, "level1", "test", one)
    write_config(folder, "level2", "test", two)
    load(python, tmp_path, level1=one, level2=two)
