"""What the tests of the checks share."""

import pytest

import pararecover
from build.dataset import write_config
from eval.checks import Case, Checked
from tests.eval.checks.making import by
from trajectory.instance import Instance

SHOWN = ("oracle", "carry_on", "blind_retry", "restart")


@pytest.fixture(scope="session")
def shelf(augmented: list[Instance], tmp_path_factory: pytest.TempPathFactory) -> pararecover.Shelf:
    """The augmented instances, of both levels, as one config."""
    folder = tmp_path_factory.mktemp("shelf")
    write_config(folder, "level2", "test", augmented)
    return pararecover.Shelf("level2", "test", folder)


@pytest.fixture(scope="session")
def cases(augmented: list[Instance]) -> list[Case]:
    """Every second augmented instance."""
    return [Case(one) for one in augmented[::2]]


@pytest.fixture(scope="session")
def planners(cases: list[Case]) -> dict[str, list[Checked]]:
    """What the checks say of scripted planners, case by case."""
    return {name: [by(name, case) for case in cases] for name in SHOWN}
