import pytest

from environment.places import CITY_NAMES, distance_km


def test_distances_are_those_of_the_globe() -> None:
    assert distance_km("Berlin", "Munich") == pytest.approx(504, abs=3)
    assert distance_km("London", "Sydney") == pytest.approx(16990, abs=30)
    assert distance_km("Paris", "Paris") == 0
    assert all(distance_km("Oslo", name) == distance_km(name, "Oslo") for name in CITY_NAMES)
