"""A required parameter is absent."""

from build.gold import Gold
from build.injectors.parameter_missing import INJECTOR
from tests.build.injectors.conftest import claimed, first_scene, labelled, retried, tried, tried_in


def test_labels_tell_what_was_put_in(golds: list[Gold]) -> None:
    found = list(tried(INJECTOR, golds))
    assert found
    for one in found:
        assert labelled(one.after) == claimed(one)


def test_labels_tell_it_beside_a_retry_as_well(golds: list[Gold]) -> None:
    found = list(tried_in(INJECTOR, retried(map(first_scene, golds))))
    assert any(one.place.node in one.scene.purposes for one in found)
    for one in found:
        assert labelled(one.after) == claimed(one)
