"""What the tests of all parts share."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from trajectory.instance import Instance

ROOT = Path(__file__).parents[1]

# A slow machine is no bug; in CI a failure must be the change's own, so no input is random there.
settings.register_profile("local", deadline=None, print_blob=True)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(scope="session")
def made(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> list[Instance]:
    """A small set of instances of the build, controls among them."""
    from tests.augmented import instances

    kept = pytestconfig.pluginmanager.hasplugin("cacheprovider")
    return instances(pytestconfig.cache.mkdir("made") if kept else tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="session")
def augmented(made: list[Instance]) -> list[Instance]:
    """Proven instances of both levels and all types, with one to three errors."""
    return [one for one in made if one.errors]


@pytest.fixture(scope="session")
def controls(made: list[Instance]) -> list[Instance]:
    """Clean twins of some of them."""
    return [one for one in made if not one.errors]


@pytest.fixture(scope="session")
def release_sample() -> Path:
    """The folder with 74 real records of the published release, laid beside the project."""
    folder = ROOT.parent / "shared" / "release_sample"
    if not folder.is_dir():
        pytest.skip("the sample of the release does not lie beside the project")
    return folder


@pytest.fixture(scope="session")
def release_sample_or_none() -> Path | None:
    """The same folder, or None where it does not lie beside the project."""
    folder = ROOT.parent / "shared" / "release_sample"
    return folder if folder.is_dir() else None
