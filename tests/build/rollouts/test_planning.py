from typing import Any

import pytest

from build.gold import Gold
from build.rollouts.planning import Draft, planned, retried, steps_of
from build.wishes import wish_of
from trajectory import canonical
from trajectory.calls import Call
from trajectory.plan import RESPONSE, ROOT, Plan
from trajectory.references import is_reference

TIMEOUT = {"error": "timeout: find_hotels did not answer within 30 seconds"}


def shape(plan: Plan) -> dict[str, list[str]]:
    """Each call as a text of tool, arguments and deps without ids → who waits for it."""
    texts: dict[str, str] = {}

    def text(id: str) -> str:
        if id not in texts:
            node = plan.by_id[id]
            deps = sorted(text(dep) for dep in node.dep if dep != ROOT)
            texts[id] = canonical.dumps([node.name, told(node.para), deps])
        return texts[id]

    def told(value: Any) -> Any:
        if is_reference(value):
            return {**value, "$ref": text(value["$ref"])}
        if isinstance(value, dict):
            return {name: told(part) for name, part in value.items()}
        return [told(part) for part in value] if isinstance(value, list) else value

    assert plan.response is not None
    calls = sorted(text(node.id) for node in plan if node.is_call)
    return {"calls": calls, "response": sorted(text(dep) for dep in plan.response.dep)}


def test_a_wish_planned_without_error_gives_the_gold_plan(golds: list[Gold]) -> None:
    for gold in golds:
        assert shape(planned(gold.query, wish_of(gold)).plan()) == shape(gold.plan)


def test_some_tasks_have_an_order_by_effect_alone(golds: list[Gold]) -> None:
    assert any(wish_of(gold)["order"] for gold in golds)


def hotel_wish() -> dict[str, Any]:
    find = {"tool": "find_hotels", "arguments": {"city": "Paris"}}
    book = {"hotel": {"of": find, "path": "hotels[0].id"}, "guests": ["Ada"]}
    return {
        "goals": [
            {"tool": "book", "arguments": book},
            {"tool": "rate", "arguments": {"hotels": [{"of": find, "path": "hotels[1].id"}]}},
            {"tool": "list_bookings", "arguments": {}},
        ],
        "order": [[0, 2]],
    }


def test_what_is_asked_for_twice_is_one_step() -> None:
    steps = steps_of(hotel_wish())
    assert [(step.tool, step.after) for step in steps.values()] == [
        ("find_hotels", ()),
        ("book", ("1",)),
        ("rate", ("1",)),
        ("list_bookings", ("2",)),
    ] or [step.tool for step in steps.values()].count("find_hotels") == 1


@pytest.fixture
def draft() -> Draft:
    return planned("Book it.", hotel_wish())


def test_the_plan_has_references_deps_and_a_response(draft: Draft) -> None:
    nodes = {node.name: node for node in draft.plan() if node.is_call}
    found, booked = nodes["find_hotels"], nodes["book"]
    assert found.dep == (ROOT,)
    assert booked.para == {
        "guests": ["Ada"],
        "hotel": {"$ref": found.id, "path": "hotels[0].id"},
    }
    assert booked.dep == (found.id,)
    assert nodes["list_bookings"].dep == (booked.id,)
    response = draft.plan().by_id[RESPONSE]
    assert {*response.dep} == {nodes["rate"].id, nodes["list_bookings"].id}


def test_a_retry_waits_for_the_failed_call_and_takes_over_its_takers(draft: Draft) -> None:
    find = next(node.id for node in draft.nodes.values() if node.name == "find_hotels")
    draft.read([[Call(find, "find_hotels", {"city": "Paris"}, TIMEOUT)]])
    assert list(draft.troubles()) == [find]
    new = retried(draft, find)
    plan = draft.plan()
    assert plan.by_id[new].dep == (find,)
    assert plan.by_id[find].status
    book = next(node for node in plan if node.name == "book")
    assert book.dep == (new,)
    assert book.para["hotel"] == {"$ref": new, "path": "hotels[0].id"}  # type: ignore[call-overload]


def test_what_hangs_on_a_call_runs_again_with_it(draft: Draft) -> None:
    plan = draft.plan()
    find, book = (next(n.id for n in plan if n.name == name) for name in ("find_hotels", "book"))
    ran = [[Call(find, "find_hotels", {}, {"hotels": []})], [Call(book, "book", {}, TIMEOUT)]]
    draft.read(ran)
    draft.set_call(find, para={"city": "Rome"})
    again = {node.id for node in draft.plan() if node.is_call and not node.status}
    assert {find, book} <= again
    draft.read([*ran, [Call(find, "find_hotels", {}, {"hotels": []})]])
    assert [draft.plan().by_id[node].status for node in (find, book)] == [True, False]
