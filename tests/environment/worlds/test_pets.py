"""The pets world: exact results on seed 7, effects and their undoing, refusals."""

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import pets


@pytest.fixture
def state() -> State:
    tables = pets.WORLD.tables(7)
    return State({("pets", table): rows for table, rows in tables.items()})


@pytest.fixture
def view(state: State) -> View:
    return View(state, "pets")


FIDGET = "an-00c6734c"


def test_animals_within_a_weight(view: View) -> None:
    found = pets.find_animals(view, "Noor Eriksholm")
    assert FIDGET in found["animal_ids"]
    assert FIDGET not in pets.find_animals(view, "Noor Eriksholm", 0.6)["animal_ids"]


def test_a_jab_moves_what_is_due(view: View) -> None:
    assert pets.vaccination_status(view, FIDGET, "2026-06-01") == {
        "animal": "Fidget",
        "overdue": ["rabies"],
        "overdue_count": 1,
        "next_due": "2026-06-26",
        "next_vaccine": "distemper",
    }
    given = pets.record_vaccination(view, FIDGET, "rabies", "2026-03-01")
    assert given["valid_until"] == "2027-03-01"
    assert pets.vaccination_status(view, FIDGET, "2026-06-01")["overdue"] == []
    with pytest.raises(ToolError, match="Fidget had rabies on 2026-03-01, not before 2026-03-01"):
        pets.record_vaccination(view, FIDGET, "rabies", "2026-03-01")
    with pytest.raises(ToolError, match="cat flu vaccine is not for a ferret like Fidget"):
        pets.record_vaccination(view, FIDGET, "cat flu", "2026-03-01")


def test_vets_by_fee_or_rating(view: View) -> None:
    cheap = pets.find_vets(view, "Berlin", "dog", "fee")["vets"]
    assert [vet["fee"] for vet in cheap][:2] == [40, 44]
    rated = pets.find_vets(view, "Berlin", "dog", "rating")["vets"]
    assert rated[0]["rating"] == max(vet["rating"] for vet in cheap)


def test_a_ration_covers_the_energy_need(view: View) -> None:
    assert pets.feeding_amount(view, "Daily Kibble", 20, "normal", 30) == {
        "grams_per_day": 273,
        "kcal_per_day": 993,
        "cost": 27.85,
    }


def test_a_full_kennel_is_not_found_until_the_stay_is_cancelled(view: View, state: State) -> None:
    dogs = [row["animal_id"] for row in view.values("animals") if row["species"] == "dog"]
    cheapest = pets.find_kennels(view, "Berlin", "dog", "2026-04-01", 5)["kennels"][0]
    kennel = cheapest["kennel_id"]
    places = pets._kennel_of(view, kennel)["places"]
    stay = pets.board_animals(view, kennel, dogs[:places], "2026-04-03", 2)
    assert stay["total_price"] == 24 * 2 * places
    after = pets.find_kennels(view, "Berlin", "dog", "2026-04-01", 5)["kennels"]
    assert after[0]["price_per_night"] == 26
    with pytest.raises(ToolError, match="has 0 places from 2026-04-04, not 1"):
        pets.board_animals(view, kennel, dogs[places : places + 1], "2026-04-04", 1)
    pets.cancel_boarding(view, stay["stay_id"])
    assert state.changes() == {}
