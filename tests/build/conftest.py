"""What the tests of this part share."""

from collections.abc import Iterator

import pytest

from tests.build.loopback import Server, serving


@pytest.fixture
def loopback() -> Iterator[Server]:
    """A server that a test tells what to send."""
    with serving() as server:
        yield server
