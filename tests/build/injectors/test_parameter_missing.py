"""A required parameter is absent."""

from itertools import islice

from build.gold import Gold
from build.injectors.parameter_missing import INJECTOR
from diagnosis.labels import labels
from tests.build.injectors.conftest import (
    claimed,
    first_scene,
    hows,
    labelled,
    retried,
    tried,
    tried_in,
)


def test_labels_tell_what_was_put_in(golds: list[Gold]) -> None:
    found = list(tried(INJECTOR, golds))
    assert hows(found) >= {
        *("from_the_request", "from_a_result", "the_only_one"),
        *("inside", "in_an_item", "in_each_item"),
    }
    for one in found:
        assert labelled(one.after) == claimed(one)


def test_labels_tell_it_beside_a_retry_as_well(golds: list[Gold]) -> None:
    found = list(tried_in(INJECTOR, retried(map(first_scene, golds))))
    assert any(one.place.node in one.scene.purposes for one in found)
    for one in found:
        assert labelled(one.after) == claimed(one)


def test_the_call_names_what_it_misses(golds: list[Gold]) -> None:
    for one in islice(tried(INJECTOR, golds), 40):
        last = one.after.run.ledger.last(one.place.node)
        assert last is not None
        place = one.place.part.replace("[]", "[0]")
        assert f"parameter '{place}': missing" in last.result["error"]


def test_all_else_stays(golds: list[Gold]) -> None:
    for one in islice(tried(INJECTOR, golds), 40):
        (label,) = labels(one.after.case(one.after.run.ledger))
        before = one.scene.plan.by_id[one.place.node]
        after = one.after.plan.by_id[one.place.node]
        assert isinstance(before.para, dict)
        assert isinstance(after.para, dict)
        others = {name: value for name, value in before.para.items() if name != label.parameter}
        assert {n: v for n, v in after.para.items() if n != label.parameter} == others
        assert after.dep == before.dep
