"""Tools that run round by round: the order of judging, state, conflicts, scheduled faults."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from environment import worlds
from environment.executor import Execution, Request, Snapshot, carry_on, execute, start_of
from environment.faults import Fault, read_faults
from environment.ledger import Ledger
from environment.simulation import Setting, Simulation, read_setting, setting
from environment.state import View
from trajectory import canonical
from trajectory.arguments import check_call
from trajectory.calls import call_outcome
from trajectory.files import InputError
from trajectory.plan import Node, Plan
from trajectory.references import reference
from trajectory.tools import Catalogue

SETTING = setting(["travel"], 7)
TOOLS = worlds.tools(SETTING.worlds)
CATALOGUE = Catalogue(tuple(tool.declared for tool in TOOLS.values()))

STAY = {"check_in": "2026-03-10", "nights": 2}
SEARCH = {"city": "Oslo", **STAY}


def simulation(*faults: Fault, reverse: bool = False) -> Simulation:
    return Simulation(SETTING, CATALOGUE, faults, reverse=reverse)


def find(node: str = "1", **other: Any) -> Request:
    return Request(node, "find_hotels", {**SEARCH, **other})


def book(hotel: str, guest: str, node: str | None = None) -> Request:
    return Request(node or guest, "book_room", {"hotel_id": hotel, "guest": guest, **STAY})


def cancel(booking: str) -> Request:
    return Request(f"cancel {booking}", "cancel_room", {"booking_id": booking})


def smallest_hotel() -> tuple[str, int, str]:
    """Return the hotel with the fewest rooms, how many it has, and its city."""
    rows = simulation().state.rows(("travel", "hotels"))
    fewest, hotel, city = min((row["rooms"], key, row["city"]) for key, row in rows)
    return hotel, fewest, city


HOTEL, ROOMS, CITY = smallest_hotel()


def filled(rooms: int) -> Simulation:
    """Return an environment in which so many rooms of HOTEL are booked."""
    made = simulation()
    for number in range(rooms):
        (result,) = made.run([book(HOTEL, f"Guest {number}")])
        assert call_outcome(result) == "ok"
    return made


def error_of(result: Any) -> str:
    return str(result["error"])


# --- the order in which a call is judged -------------------------------------------------------


def test_an_unknown_tool_is_told_with_the_names_close_to_it() -> None:
    wrong = Request("1", "find_hotel", {"city": 5}, problem="reference in parameter 'city'")
    (result,) = simulation(Fault("find_hotel", 1, 3, "null")).run([wrong])
    assert error_of(result) == (
        "unknown tool: there is no tool called 'find_hotel'; did you mean 'find_hotels'?"
    )


def test_only_tools_of_the_list_can_be_called() -> None:
    listed = Catalogue((TOOLS["find_hotels"].declared,))
    (result,) = Simulation(SETTING, listed).run([book(HOTEL, "Ada Abara")])
    assert error_of(result).startswith("unknown tool")


def test_references_come_before_arguments() -> None:
    wrong = Request("1", "find_hotels", {"city": 5}, problem="reference in parameter 'city': no")
    (result,) = simulation(Fault("find_hotels", 1, 3, "null")).run([wrong])
    assert result == {"error": "reference in parameter 'city': no"}


def test_arguments_come_before_faults_and_name_parameter_got_and_wanted() -> None:
    (result,) = simulation(Fault("find_hotels", 1, 3, "null")).run([find(nights="two")])
    assert [part for part in ("nights", "two", "integer") if part not in error_of(result)] == []


def test_a_fault_comes_before_the_tool() -> None:
    unknown = book("no such hotel", "Ada Abara")
    (faulted,) = simulation(Fault("book_room", 1, 1, "timeout")).run([unknown])
    (refused,) = simulation().run([unknown])
    assert "timeout" in error_of(faulted)
    assert "no hotel" in error_of(refused)


@pytest.mark.parametrize("arguments", [[], ["Oslo"], "Oslo", None, 5])
def test_arguments_without_names_are_an_error_of_the_call(arguments: Any) -> None:
    (result,) = simulation().run([Request("1", "find_hotels", arguments)])
    assert call_outcome(result) == "failed"


# --- state -------------------------------------------------------------------------------------


@pytest.mark.parametrize("nights", [2.0, 2])
def test_a_whole_float_is_an_integer_like_any_other(nights: float) -> None:
    assert simulation().run([find(nights=nights)]) == simulation().run([find(nights=2)])


def test_a_whole_float_beyond_exactness_does_not_break_a_tool() -> None:
    result = simulation().run([find(nights=1e300)])[0]
    assert "error" in result


def test_calls_of_a_round_see_the_state_as_of_its_start() -> None:
    at_start = {**SEARCH, "city": CITY}
    made = filled(ROOMS - 1)
    before, _, again = made.run(
        [
            Request("1", "find_hotels", at_start),
            book(HOTEL, "Ada Abara"),
            Request("2", "find_hotels", at_start),
        ]
    )
    assert before == again
    assert HOTEL in [hotel["hotel_id"] for hotel in before["hotels"]]
    (after,) = made.run([Request("1", "find_hotels", at_start)])
    assert HOTEL not in [hotel["hotel_id"] for hotel in after["hotels"]]


def test_what_fails_at_the_start_of_a_round_fails() -> None:
    made = filled(ROOMS)
    (booking,) = filled(0).run([book(HOTEL, "Guest 0")])
    cancelled, refused = made.run([cancel(booking["booking_id"]), book(HOTEL, "Zoe Zeller")])
    assert call_outcome(cancelled) == "ok"
    assert "no free room" in error_of(refused)
    (booked,) = made.run([book(HOTEL, "Zoe Zeller")])
    assert call_outcome(booked) == "ok"


def test_of_two_that_conflict_the_later_in_canonical_order_gets_the_tools_own_error() -> None:
    for guests in (["Ada Abara", "Zoe Zeller"], ["Zoe Zeller", "Ada Abara"]):
        made = filled(ROOMS - 1)
        results = dict(zip(guests, made.run([book(HOTEL, guest) for guest in guests]), strict=True))
        assert call_outcome(results["Ada Abara"]) == "ok"
        assert "no free room" in error_of(results["Zoe Zeller"])
        (refused,) = made.run([book(HOTEL, "Ivo Dumont")])
        assert "no free room" in error_of(refused)


def test_reversed_the_other_of_two_that_conflict_is_refused() -> None:
    made = simulation(reverse=True)
    for number in range(ROOMS - 1):
        made.run([book(HOTEL, f"Guest {number}")])
    first, last = made.run([book(HOTEL, "Ada Abara"), book(HOTEL, "Zoe Zeller")])
    assert [call_outcome(first), call_outcome(last)] == ["failed", "ok"]


def test_results_stand_in_the_order_of_the_requests() -> None:
    requests = [find(), book(HOTEL, "Zoe Zeller"), Request("x", "nothing", {}), find(city="Rome")]
    forward, backward = simulation().run(requests), simulation().run(requests[::-1])
    assert forward == backward[::-1]


def test_a_refused_call_leaves_no_trace() -> None:
    made = filled(ROOMS)
    before = made.digest()
    made.run([book(HOTEL, "Zoe Zeller"), cancel("rb-none"), find(nights=0)])
    assert made.digest() == before


def test_undo_and_redo_give_the_state_that_was() -> None:
    made = simulation()
    empty = made.digest()
    (booking,) = made.run([book(HOTEL, "Ada Abara")])
    booked = made.digest()
    made.run([cancel(booking["booking_id"])])
    assert made.digest() == empty != booked
    (again,) = made.run([book(HOTEL, "Ada Abara")])
    assert (again, made.digest()) == (booking, booked)


def test_a_fork_goes_its_own_way() -> None:
    fault = Fault("find_hotels", 2, 1, "null")
    made = simulation(fault)
    made.run([find()])
    fork = made.fork()
    assert fork.run([find(), book(HOTEL, "Ada Abara")])[0] is None
    assert fork.digest() != made.digest()
    assert made.run([find()]) == [None]


def test_simulations_of_one_setting_do_not_see_each_others_writes() -> None:
    one, other = simulation(), simulation()
    before = other.digest()
    (booking,) = one.run([book(HOTEL, "Ada Abara")])
    assert one.digest() != other.digest() == before
    assert other.run([book(HOTEL, "Ada Abara")]) == [booking]
    assert one.digest() == other.digest()


@given(st.lists(st.sampled_from([1, 2, 2.0, 3.0, 2.5]), min_size=1, max_size=4))
def test_a_call_gives_what_its_tool_gives_whatever_ran_before(amounts: list[float]) -> None:
    tool = worlds.world("arithmetic").tools["keep_number"]
    place = setting(["arithmetic"], 7)
    for amount in amounts:
        made = Simulation(place, Catalogue((tool.declared,)))
        arguments = {"label": "rent", "amount": amount}
        # Once written and read again, 2.0 is 2: a result must not tell them apart.
        read = canonical.normal(arguments)
        bare = tool.body(View(made.state.fork(), "arithmetic"), **read)
        assert repr(made.run([Request("1", "keep_number", arguments)])) == repr([bare])


def test_what_is_nested_too_deeply_is_an_error_of_the_call() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    (result,) = simulation().run([find(city=deep)])
    assert "nested too deeply" in error_of(result)


def test_the_world_of_a_seed_is_the_same_and_of_another_seed_another() -> None:
    (one,), (same,) = simulation().run([find()]), simulation().run([find()])
    (other,) = Simulation(setting(["travel"], 8), CATALOGUE).run([find()])
    assert canonical.dumps(one) == canonical.dumps(same) != canonical.dumps(other)


# --- faults ------------------------------------------------------------------------------------


def outcomes(made: Simulation, rounds: Sequence[Sequence[Request]]) -> list[list[str]]:
    return [[call_outcome(result) for result in made.run(requests)] for requests in rounds]


@pytest.mark.parametrize(
    ("kind", "result"), [("null", None), ("empty_text", ""), ("empty_list", [])]
)
def test_a_fault_gives_nothing(kind: Any, result: Any) -> None:
    assert simulation(Fault("find_hotels", 1, 1, kind)).run([find()]) == [result]


def test_a_timeout_is_told_and_names_the_tool() -> None:
    (result,) = simulation(Fault("find_hotels", 1, 1, "timeout")).run([find()])
    assert call_outcome(result) == "failed"
    assert "find_hotels" in error_of(result)


def test_a_true_nothing_found_is_no_empty_answer() -> None:
    (result,) = simulation().run([find(city="Nowhere")])
    assert result == {"hotels": [], "count": 0}
    assert call_outcome(result) == "ok"


@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_fault_begins_at_its_round_and_lasts_its_length(length: int) -> None:
    made = simulation(Fault("find_hotels", 2, length, "null"))
    assert outcomes(made, [[find()]] * 5) == [
        ["ok"],
        *[["empty"]] * length,
        *[["ok"]] * (4 - length),
    ]


def test_other_tools_are_not_hit_and_their_rounds_are_not_counted() -> None:
    made = simulation(Fault("find_hotels", 2, 1, "null"))
    look = Request("2", "describe_hotel", {"hotel_id": HOTEL})
    assert outcomes(made, [[find()], [look], [look, find()], [find()]]) == [
        ["ok"],
        ["ok"],
        ["ok", "empty"],
        ["ok"],
    ]


def test_parallel_copies_are_one_round_and_all_hit() -> None:
    made = simulation(Fault("find_hotels", 1, 2, "null"))
    copies = [find(str(number)) for number in range(3)]
    assert outcomes(made, [copies, copies, copies]) == [["empty"] * 3, ["empty"] * 3, ["ok"] * 3]


def test_a_round_counts_only_where_a_call_passes_name_references_and_schema() -> None:
    made = simulation(Fault("find_hotels", 1, 1, "null"))
    unresolved = Request("1", "find_hotels", {"city": {"$ref": "0"}}, problem="it has not run")
    misspelt = Request("1", "find_hotel", SEARCH)
    wrong = [[find(nights="two")], [unresolved], [misspelt]]
    assert outcomes(made, wrong) == [["failed"]] * 3
    assert outcomes(made, [[find(nights=0), find()], [find()]]) == [["failed", "empty"], ["ok"]]


def test_a_refusal_of_the_tool_counts_as_tried() -> None:
    made = simulation(Fault("cancel_room", 2, 1, "null"))
    assert outcomes(made, [[cancel("none")], [cancel("none")]]) == [["failed"], ["empty"]]


def test_a_faulted_call_has_no_effect() -> None:
    made = simulation(Fault("book_room", 1, 1, "timeout"))
    before = made.digest()
    made.run([book(HOTEL, "Ada Abara")])
    assert made.digest() == before
    assert outcomes(made, [[book(HOTEL, "Ada Abara")]]) == [["ok"]]


def test_faults_are_read_as_they_are_written() -> None:
    faults = (Fault("a", 1, 3, "timeout"), Fault("b", 2, 1, "empty_list"))
    assert read_faults([fault.to_row() for fault in faults]) == faults


# --- taking up a trajectory --------------------------------------------------------------------

PLAN = Plan(
    (
        Node("1", "find_hotels", {**SEARCH, "city": "Rome"}),
        Node("2", "find_hotels", SEARCH, dep=("1",)),
        Node(
            "3",
            "book_room",
            {"hotel_id": reference("2", "hotels[0].hotel_id"), "guest": "Ada Abara", **STAY},
            dep=("2",),
        ),
        Node("4", "describe_hotel", {"hotel_id": reference("1", "hotels[9].no")}, dep=("1",)),
        Node("response", dep=("3", "4")),
    )
)


def ran(made: Simulation) -> Execution:
    return execute(start_of(Snapshot(PLAN, (), ())), carry_on, made)


def test_a_replayed_environment_stands_where_the_ledger_ended() -> None:
    fault = Fault("find_hotels", 2, 3, "null")
    made = simulation(fault)
    run = ran(made)
    again = simulation(fault).replay(run.ledger)
    assert again.digest() == made.digest()
    # Try-rounds before count: 1 and 2 are behind, 3 and 4 are still to fail.
    assert outcomes(again, [[find()]] * 3) == outcomes(made, [[find()]] * 3)
    assert outcomes(simulation(fault).replay(run.ledger), [[find()]] * 3) == [
        ["empty"],
        ["empty"],
        ["ok"],
    ]


def test_a_recorded_result_that_does_not_come_again_is_told() -> None:
    ledger = Ledger()
    ledger.record("7", "find_hotels", SEARCH, 1, {"hotels": [], "count": 0})
    with pytest.raises(InputError, match="node '7' gives another result than the data say"):
        simulation().replay(ledger)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"worlds": ["atlantis"]}, "unknown world 'atlantis'"),
        ({"versions": [0]}, "world 'travel' has another version than the data"),
    ],
)
def test_another_world_than_the_datas_is_told(change: Mapping[str, Any], said: str) -> None:
    assert read_setting(SETTING.to_row()) == SETTING
    with pytest.raises(InputError, match=said):
        read_setting({**SETTING.to_row(), **change})


def test_a_setting_says_its_worlds_in_order() -> None:
    assert setting(["weather", "travel"], 1).worlds == ("travel", "weather")


# --- whatever is called ------------------------------------------------------------------------

requests = st.one_of(
    st.builds(find, st.sampled_from("123"), nights=st.sampled_from([1, 2, "two"])),
    st.builds(book, st.just(HOTEL), st.sampled_from(["Ada Abara", "Ivo Dumont", "Uma Zeller"])),
    st.builds(cancel, st.sampled_from(["rb-none", "rb-00000000"])),
)
rounds = st.lists(st.lists(requests, max_size=4, unique_by=lambda one: one.node), max_size=4)


@given(rounds, st.randoms(use_true_random=False))
def test_the_order_of_the_requests_never_matters(
    listed: list[list[Request]], rng: random.Random
) -> None:
    faults = (Fault("find_hotels", 1, 1, "null"), Fault("book_room", 2, 1, "timeout"))
    one, other = simulation(*faults), simulation(*faults)
    for requests_ in listed:
        shuffled = list(requests_)
        rng.shuffle(shuffled)
        told = {r.node: out for r, out in zip(requests_, one.run(requests_), strict=True)}
        again = {r.node: out for r, out in zip(shuffled, other.run(shuffled), strict=True)}
        assert told == again
        assert one.digest() == other.digest()


TEXTS = ("", "x", "\ud800", "\x00", "²", "2026-03-10", "9999-12-31", "Oslo", "24:00", "-1", "{a}")
DAYS = ("2026-03-10", "2024-02-29", "0001-01-01", "9999-12-31")
NUMBERS = (0, 1, -1, 7, 2**53 + 1, 10**30, -(10**30), 0.1, -0.0, 5e-324, 1e308, -1e308)


def drawn(schema: Mapping[str, Any], rng: random.Random) -> Any:
    """Draw a value that may keep to a schema of a declared tool, the odder the better."""
    kind = schema.get("type")
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if kind == "string":
        return rng.choice(DAYS if schema.get("format") == "date" else TEXTS)
    if kind in ("integer", "number"):
        return rng.choice([*NUMBERS, *(schema[k] for k in ("minimum", "maximum") if k in schema)])
    if kind == "array":
        least = schema.get("minItems", 0)
        return [drawn(schema["items"], rng) for _ in range(least + rng.randrange(3))]
    if kind == "object":
        return {key: drawn(one, rng) for key, one in schema.get("properties", {}).items()}
    return rng.random() < 0.5


@pytest.mark.parametrize("world", worlds.world_names())
def test_whatever_keeps_to_the_schema_gets_a_result(world: str) -> None:
    rng = random.Random(world)
    place = Setting((world,), (worlds.world(world).version,), 3)
    tools = worlds.tools(place.worlds)
    catalogue = Catalogue(tuple(tool.declared for tool in tools.values()))
    base, passed = Simulation(place, catalogue), 0
    for name, tool in tools.items():
        for _ in range(60):
            arguments = drawn(tool.schema, rng)
            made = base.fork()
            (result,) = made.run([Request("1", name, arguments)])
            assert canonical.dumps(result)
            assert made.digest()
            passed += not check_call(catalogue, name, arguments)
    assert passed > 60
