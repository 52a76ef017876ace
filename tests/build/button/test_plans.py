from typing import Any

import pytest

from build.button.conversation import read_conversation
from build.button.plans import gold_of
from build.gold import Gold, from_record, to_record
from tests.build.button.conversations import call, conversation, tool, turn
from trajectory import canonical
from trajectory.graph import dag_problems
from trajectory.references import follow, resolve


def read(value: dict[str, Any]) -> Gold:
    found, notes = read_conversation(value, 17)
    assert found is not None, notes
    return gold_of(found, {"file": "own.jsonl", "licence": "MIT"})


def edges(gold: Gold) -> dict[tuple[str, str], str]:
    return {(edge.dep, edge.node): edge.how for edge in gold.edges}


def sure(gold: Gold) -> dict[tuple[str, str], float]:
    return {(edge.dep, edge.node): edge.confidence for edge in gold.edges}


def para(gold: Gold, node: str) -> Any:
    return gold.plan.by_id[node].para


ROOMS = {"rooms": [{"room_id": "R-7712", "price": 81.53}, {"room_id": "R-9014", "price": 99.0}]}


def test_a_traced_value_becomes_a_reference() -> None:
    gold = read(
        conversation(
            "A room in Oslo for Ann.",
            turn((call("find_rooms", city="Oslo"), ROOMS)),
            turn((call("book_room", room_id="R-9014", guest="Ann"), {"booking": "B-551"})),
        )
    )
    assert para(gold, "2") == {
        "room_id": {"$ref": "1", "path": "rooms[1].room_id"},
        "guest": "Ann",
    }
    assert edges(gold) == {("1", "2"): "value"}
    assert gold.plan.by_id["1"].dep == ("root",)
    assert gold.plan.response is not None
    assert gold.plan.response.dep == ("2",)
    assert (gold.rounds_gt, gold.calls_gt) == (3, 2)
    assert gold.origin == {"file": "own.jsonl", "licence": "MIT", "line": 17, "turns": [1, 1]}
    assert dag_problems(gold.plan) == []


def test_calls_of_one_turn_are_independent_and_fan_in() -> None:
    gold = read(
        conversation(
            "Which is cheaper, a night in Oslo or in Bergen?",
            turn(
                (call("price_of", city="Oslo"), {"price": 81.53}),
                (call("price_of", city="Bergen"), {"price": 64.21}),
            ),
            turn((call("smallest", amounts=[81.53, 64.21]), {"amount": 64.21})),
        )
    )
    assert edges(gold) == {("1", "3"): "value", ("2", "3"): "value"}
    assert [len(calls) for calls in gold.calls] == [2, 1]


def test_calls_made_one_at_a_time_are_grouped_into_layers() -> None:
    gold = read(
        conversation(
            "Weather in Oslo and in Bergen?",
            turn((call("weather", city="Oslo"), {"sky": "rain"})),
            turn((call("weather", city="Bergen"), {"sky": "clouds"})),
            parallel=False,
        )
    )
    assert edges(gold) == {}
    assert [[c.node for c in calls] for calls in gold.calls] == [["1", "2"]]
    assert gold.rounds_gt == 2


def traced(value: Any, argument: Any, key: str = "code", parameter: str = "ticket") -> Gold:
    """Read a conversation of two calls of which the second may take what the first gave."""
    first = (call("look_up", name="Ann"), {"found": [{key: value}]})
    second = (call("use", **{parameter: argument}), {"done": "yes"})
    return read(conversation("Please, for Ann.", turn(first), turn(second), parallel=False))


@pytest.mark.parametrize(
    ("value", "argument", "likeness"),
    [
        ("tk-88291", "tk-88291", 1.0),
        (81.0, 81, 1.0),
        (1113.63, "1,113.63", 0.9),
        ("2026-03-02", "March 2, 2026", 0.9),
        ("new_york", "New York", 0.9),
        (59.9139, 59.91, 0.8),
        ("Your ticket tk-88291 is ready.", "tk-88291", 0.8),
        ("tk-88291", "This is about tk-88291, please.", 0.8),
    ],
)
def test_a_value_is_traced_through_its_spelling(value: Any, argument: Any, likeness: float) -> None:
    gold = traced(value, argument, key="ticket")
    assert edges(gold) == {("1", "2"): "value"}
    assert sure(gold)["1", "2"] <= likeness
    # Only the very value can be a reference: any other would change the call.
    exact = likeness == 1.0
    assert (para(gold, "2")["ticket"] != argument) is exact


def test_the_better_the_likeness_and_the_name_the_surer() -> None:
    alike = [
        traced("tk-88291", "tk-88291", key="ticket"),
        traced("tk-88291", "tk-88291", key="code"),
        traced("tk-88291", "TK 88291", key="code"),
        traced("See tk-88291 there.", "tk-88291", key="note"),
    ]
    found = [sure(gold)["1", "2"] for gold in alike]
    assert found == sorted(found, reverse=True)
    assert len(set(found)) == 4
    assert all(0 < one < 1 for one in found)


@pytest.mark.parametrize(
    ("value", "key", "parameter", "how"),
    [
        (3, "count", "nights", "turn_order"),
        (3, "nights", "nights", "value"),
        ("NOK", "currency", "unit", "value"),
        ("EUR", "currency", "ticket", "turn_order"),
        (True, "ready", "ready", "turn_order"),
    ],
)
def test_a_common_value_needs_a_name_or_to_be_the_only_one(
    value: Any, key: str, parameter: str, how: str
) -> None:
    assert edges(traced(value, value, key, parameter)) == {("1", "2"): how}


def test_colliding_numbers_go_by_their_names() -> None:
    gold = read(
        conversation(
            "Send Ann's parcel from her home.",
            turn(
                (call("find_homes", owner="Ann"), {"home_id": 4, "rooms": 2, "parcels": 7}),
                (call("find_parcels", owner="Ann"), {"parcel_id": 2, "weight": 4, "homes": 7}),
            ),
            turn((call("send", parcel_id=2, home_id=4), {"sent": "yes"})),
        )
    )
    assert para(gold, "3") == {
        "parcel_id": {"$ref": "2", "path": "parcel_id"},
        "home_id": {"$ref": "1", "path": "home_id"},
    }


def test_whole_lists_and_columns_are_traced() -> None:
    gold = read(
        conversation(
            "What do Ann's books cost together?",
            turn(
                (
                    call("find_books", owner="Ann"),
                    {"books": [{"id": "b-1", "fee": 3}, {"id": "b-2", "fee": 8}], "tags": ["new"]},
                )
            ),
            turn((call("sum_up", amounts=[3, 8], books=["b-1", "b-2"]), {"total": 11})),
        )
    )
    assert para(gold, "2") == {
        "amounts": [
            {"$ref": "1", "path": "books[0].fee"},
            {"$ref": "1", "path": "books[1].fee"},
        ],
        "books": [{"$ref": "1", "path": "books[0].id"}, {"$ref": "1", "path": "books[1].id"}],
    }


def test_values_are_traced_deep_inside_arguments_and_results() -> None:
    gold = read(
        conversation(
            "Book it for Ann.",
            turn(
                (call("find", who="Ann"), {"data": [[{"slot": {"slot_id": "S-90211", "hour": 9}}]]})
            ),
            turn((call("book", order={"items": [{"slot_id": "S-90211"}]}), {"ok": "yes"})),
        )
    )
    assert para(gold, "2") == {
        "order": {"items": [{"slot_id": {"$ref": "1", "path": "data[0][0].slot.slot_id"}}]}
    }


def test_a_key_that_no_path_can_hold_gives_an_edge_without_a_reference() -> None:
    gold = read(
        conversation(
            "Book it for Ann.",
            turn((call("find", who="Ann"), {"v1.0": {"slot": "S-90211"}})),
            turn((call("book", slot="S-90211"), {"ok": "yes"})),
        )
    )
    assert edges(gold) == {("1", "2"): "value"}
    assert para(gold, "2") == {"slot": "S-90211"}


def test_what_the_request_says_hangs_on_the_root() -> None:
    gold = read(
        conversation(
            "Book R-7712 for Ann, and show me the rooms in Oslo.",
            turn((call("find_rooms", city="Oslo"), ROOMS)),
            turn((call("book_room", room_id="R-7712"), {"booking": "B-1"})),
            parallel=False,
        )
    )
    assert edges(gold) == {}


def test_a_choice_among_what_the_request_says_hangs_on_the_chooser_less_surely() -> None:
    gold = read(
        conversation(
            "Book the better one of R-7712 and R-9014.",
            turn((call("compare_rooms", room_ids=["R-7712", "R-9014"]), {"best": "R-9014"})),
            turn((call("book_room", room_id="R-9014"), {"booking": "B-1"})),
        )
    )
    assert edges(gold) == {("1", "2"): "value"}
    assert sure(gold)["1", "2"] < 0.7


def test_a_call_that_only_gives_back_its_argument_is_no_source() -> None:
    gold = read(
        conversation(
            "A room in Oslo for Ann, and tell me about it.",
            turn((call("find_rooms", city="Oslo"), ROOMS)),
            turn((call("describe_room", room_id="R-7712"), {"room_id": "R-7712", "beds": 2})),
            turn((call("book_room", room_id="R-7712"), {"booking": "B-1"})),
            parallel=False,
        )
    )
    assert edges(gold) == {("1", "2"): "value", ("1", "3"): "value"}


def test_of_two_sources_the_one_that_the_call_waited_for_is_taken() -> None:
    gold = read(
        conversation(
            "Where does the parcel of Ann go from, and what is the way to Boston?",
            turn((call("find_parcel", who="Ann"), {"parcel": "P-4471", "origin": "Barcelona"})),
            turn((call("track", parcel="P-4471"), {"town": "Barcelona"})),
            turn((call("route", origin="Barcelona", to="Boston"), {"km": 5872})),
        )
    )
    assert edges(gold) == {("1", "2"): "value", ("2", "3"): "value"}


def test_without_a_trace_a_later_parallel_turn_depends_on_the_turn_before() -> None:
    gold = read(
        conversation(
            "Label Ann's mails as paid and then count those of Ann that are paid.",
            turn(
                (call("label", sender="Ann"), {"labelled": 4}),
                (call("archive", sender="Ann"), {"archived": 9}),
            ),
            turn((call("count", sender="Ann"), {"count": 4})),
        )
    )
    assert edges(gold) == {("1", "3"): "turn_order", ("2", "3"): "turn_order"}
    assert set(sure(gold).values()) == {0.25}


def test_a_value_of_unknown_origin_depends_on_the_turn_before() -> None:
    gold = read(
        conversation(
            "What does Ann pay with tax?",
            turn((call("price_for", who="Ann"), {"price": 81.5})),
            turn((call("report", who="Ann", total=96.985), {"done": "yes"})),
            parallel=False,
        )
    )
    assert edges(gold) == {("1", "2"): "turn_order"}


def test_words_that_name_an_earlier_tool_come_before_the_order_of_turns() -> None:
    gold = read(
        conversation(
            "What does Ann pay with tax?",
            turn((call("net_price", who="Ann"), {"price": 81.5})),
            turn((call("find_cards", who="Ann"), {"cards": 1}), prose="Now her cards."),
            turn(
                (call("report", who="Ann", total=96.985), {"done": "yes"}),
                prose="With tax on what net_price gave, I report.",
            ),
            parallel=False,
        )
    )
    assert edges(gold) == {("1", "3"): "prose"}


def test_words_that_name_an_earlier_result_do_too() -> None:
    gold = read(
        conversation(
            "Tell Ann's doctor.",
            turn((call("doctor_of", who="Ann"), {"doctor": "Noor Valcourt"})),
            turn((call("clinic_list"), {"clinics": 31})),
            turn(
                (call("notify", text="Please ring back"), {"sent": "yes"}),
                prose="Noor Valcourt is to be told.",
            ),
        )
    )
    assert ("1", "3") in edges(gold)
    assert edges(gold)["1", "3"] == "prose"


def test_a_choice_of_the_schema_tells_nothing() -> None:
    kinds = {"type": "string", "enum": ["cheapest", "nearest"]}
    tools = [tool("find", order=kinds), tool("sort", by=kinds)]
    gold = read(
        conversation(
            "Please sort what Ann has.",
            turn((call("find", owner="Ann"), {"kind": "nearest"})),
            turn((call("sort", owner="Ann", by="nearest"), {"sorted": 3})),
            parallel=False,
            tools=tools,
        )
    )
    assert edges(gold) == {}


def test_every_reference_gives_back_the_recorded_argument() -> None:
    gold = read(
        conversation(
            "Rooms in Oslo.",
            turn((call("find_rooms", city="Oslo"), ROOMS)),
            turn(
                (call("book", room_id="R-7712", price=81.53), {"booking": "B-551", "due": 81.53}),
                (call("rate", room_ids=["R-7712", "R-9014"]), {"best": "R-9014"}),
            ),
            turn((call("pay", booking="B-551", amount=81.53, room="R-9014"), {"paid": "yes"})),
        )
    )
    made = {c.node: c for calls in gold.calls for c in calls}
    for node, recorded in made.items():
        resolved = resolve(
            gold.plan.by_id[str(node)].para,
            lambda found: follow(made[found.node].results, found.path),
        )
        assert canonical.same(resolved, recorded.arguments)


def test_a_gold_plan_comes_back_from_its_record() -> None:
    gold = read(conversation("Rooms in Oslo.", turn((call("find_rooms", city="Oslo"), ROOMS))))
    record = canonical.loads(canonical.dumps(to_record(gold)))
    assert canonical.same(to_record(from_record(record)), record)
    assert gold.split in {"train", "test"}
    assert gold.goal is None
