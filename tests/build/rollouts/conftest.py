"""Tasks that rollouts are made of."""

from itertools import islice

import pytest

from build.gold import Gold
from build.seeds.compose import Stream


@pytest.fixture(scope="session")
def golds() -> list[Gold]:
    """Some tasks, those with an order by effect alone among them."""
    return [one.gold for one in islice(Stream(13), 12)]
