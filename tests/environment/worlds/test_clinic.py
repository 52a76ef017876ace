"""The clinic world: exact results on seed 7, effects and their undoing, refusals."""

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import clinic


@pytest.fixture
def state() -> State:
    tables = clinic.WORLD.tables(7)
    return State({("clinic", table): rows for table, rows in tables.items()})


@pytest.fixture
def view(state: State) -> View:
    return View(state, "clinic")


def test_doctors_come_best_rated_first(view: View) -> None:
    found = clinic.find_doctors(view, "Rome", "neurology")["doctors"]
    assert [doctor["rating"] for doctor in found] == [4.7, 3.0]
    assert clinic.find_doctors(view, "Rome", "neurology", max_fee=110)["count"] == 0


def test_a_booked_slot_is_gone_until_it_is_cancelled(view: View, state: State) -> None:
    slot = clinic.free_doctor_slots(view, "dr-007371a8", "2026-03-10", "morning")["slots"][0]
    assert slot == {"slot_id": "sl-638d4400", "day": "2026-03-11", "time": "09:15"}
    booked = clinic.book_appointment(view, slot["slot_id"], "Ada Zeller")
    later = clinic.free_doctor_slots(view, "dr-007371a8", "2026-03-10", "morning")["slots"][0]
    assert later["slot_id"] == "sl-2602ce36"
    with pytest.raises(ToolError, match="slot sl-638d4400 is taken"):
        clinic.book_appointment(view, slot["slot_id"], "Ivo Wexler")
    clinic.cancel_appointment(view, booked["appointment_id"])
    assert state.changes() == {}


def test_medicines_that_clash_are_left_out(view: View) -> None:
    found = clinic.find_medicines(view, "infection", ["Belmetan"])["medicines"]
    assert [row["medicine"] for row in found][:2] == ["Lumezan", "Galmorex"]
    assert "Ilvomycin" not in [row["medicine"] for row in found]


def test_the_worst_of_several_clashes(view: View) -> None:
    taken = ["Alvorin", "Fenuvar", "Belmetan", "Corvadine"]
    assert clinic.check_interactions(view, taken) == {
        "clashes": 2,
        "worst": "severe",
        "culprits": ["Alvorin", "Fenuvar"],
    }


@pytest.mark.parametrize(("weight", "dose"), [(24.5, 0), (25, 250), (62.5, 500), (150, 1000)])
def test_doses_are_halves_of_tablets_within_the_limit(view: View, weight: float, dose: int) -> None:
    if dose == 0:
        with pytest.raises(ToolError, match=r"half a tablet of Alvorin is too much for 24\.5 kg"):
            clinic.dose_by_weight(view, "Alvorin", weight)
    else:
        assert clinic.dose_by_weight(view, "Alvorin", weight)["mg_per_dose"] == dose


def test_a_prescription_minds_the_limit_and_earlier_ones(view: View) -> None:
    given = clinic.prescribe_medicine(view, "Ada Zeller", "Alvorin", 3, 10)
    assert (given["packs"], given["price"]) == (2, 9.8)
    with pytest.raises(ToolError, match="Fenuvar clashes severely with Alvorin of Ada Zeller"):
        clinic.prescribe_medicine(view, "Ada Zeller", "Fenuvar", 1, 5)
    with pytest.raises(ToolError, match="3500 mg of Alvorin a day exceed 3000 mg"):
        clinic.prescribe_medicine(view, "Ivo Wexler", "Alvorin", 7, 5)
