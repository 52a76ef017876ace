"""Every command answers --help, with examples, and without loading what only its work needs."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

HEAVY = {
    "datasets",
    "jsonschema",
    "litellm",
    "matplotlib",
    "pandas",
    "pyarrow",
    "scipy",
    "sklearn",
}


def is_command(source: str) -> bool:
    """Say whether a module does something when it is run with ``python -m``."""
    return any(
        isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'"
        for node in ast.parse(source).body
    )


def commands(root: Path) -> list[str]:
    return [
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__main__")
        for part in ("build", "eval", "models")
        for path in sorted((root / part).rglob("*.py"))
        if is_command(path.read_text("utf-8"))
    ]


def test_commands_are_found(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    (tmp_path / "eval").mkdir()
    guard = 'if __name__ == "__main__":\n    run(main)\n'
    (tmp_path / "build" / "__main__.py").write_text(guard, "utf-8")
    (tmp_path / "eval" / "e5.py").write_text(f"import os\n{guard}", "utf-8")
    (tmp_path / "eval" / "rows.py").write_text(f"TEXT = {guard!r}\n", "utf-8")
    assert commands(tmp_path) == ["build", "eval.e5"]


@pytest.mark.parametrize("command", commands(ROOT))
def test_help_ends_with_examples_and_loads_nothing_heavy(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", command, "--help"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    loaded = set(re.findall(r"^import time:.*\| +(\w+)", done.stderr, re.MULTILINE))
    assert done.returncode == 0, done.stderr
    assert re.search(rf"\n\nExamples:\n(  python -m {re.escape(command)}\b.*\n)+\Z", done.stdout)
    assert "argparse" in loaded
    assert loaded & HEAVY == set()
