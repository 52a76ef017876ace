"""A folder of tests that pytest passes over is a failure, not a green run."""

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PARTS = ("trajectory", "models", "environment", "diagnosis", "build", "eval")


def test_every_folder_of_tests_is_collected(request: pytest.FixtureRequest) -> None:
    config = request.config
    asked = {config.invocation_params.dir / argument for argument in config.args}
    if asked != {TESTS} or config.option.keyword or config.option.markexpr:
        pytest.skip("only some of the tests were asked for")
    folders = {path.parent for path in TESTS.rglob("test_*.py")}
    mirrors = {TESTS / part for part in PARTS if (TESTS / part).is_dir()}
    assert folders | mirrors == {item.path.parent for item in request.session.items}
