"""Who may import whom: the parts of the project and the arrows between them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

KNOWS = {
    "trajectory": set[str](),
    "pararecover": {"trajectory"},
    "models": {"trajectory"},
    "environment": {"trajectory", "models"},
    "diagnosis": {"trajectory", "environment"},
    "build": {"trajectory", "pararecover", "models", "environment", "diagnosis"},
    "eval": {"trajectory", "pararecover", "models", "environment", "diagnosis"},
}
OURS = {*KNOWS, "tests", "benchmarks"}


def imported(source: str) -> set[str]:
    """Return the top-level packages that a module imports anywhere, also inside functions."""
    return {name.partition(".")[0] for node in ast.walk(ast.parse(source)) for name in named(node)}


def named(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and not node.level:
        yield node.module or ""


def modules(part: str) -> list[Path]:
    return [
        path
        for path in (ROOT / f"{part}.py", *sorted((ROOT / part).rglob("*.py")))
        if path.exists()
    ]


def test_imports_are_found_wherever_they_stand() -> None:
    source = """
import os.path, build.seeds
from eval import e5
def f():
    if True:
        from models.client import ask as tell
    import diagnosis as d
from . import neighbour
"""
    assert imported(source) == {"os", "build", "eval", "models", "diagnosis"}


@pytest.mark.parametrize("part", KNOWS)
def test_part_imports_only_what_it_may_know(part: str) -> None:
    wrong = {
        str(path.relative_to(ROOT)): sorted(unknown)
        for path in modules(part)
        if (unknown := imported(path.read_text("utf-8")) & OURS - KNOWS[part] - {part})
    }
    assert wrong == {}


@pytest.mark.parametrize("part", sorted(KNOWS.keys() - {"pararecover"}))
def test_part_is_a_package_that_no_installed_one_can_shadow(part: str) -> None:
    assert (ROOT / part / "__init__.py").is_file()
