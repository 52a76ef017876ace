"""Tasks of our own composition, as the reader's test."""

import pytest

from build.gold import Gold
from build.seeds.compose import candidate


@pytest.fixture(scope="session")
def golds() -> list[Gold]:
    return [candidate(7, number).gold for number in range(24)]
