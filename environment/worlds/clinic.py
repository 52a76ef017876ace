"""Clinic: doctors and their slots, appointments, medicines by weight, prescriptions."""

import datetime
import math
import random
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from environment.meanings import TODAY
from environment.people import people
from environment.places import CITY_NAMES
from environment.state import Row, Tables, View
from environment.world import (
    Output,
    ToolError,
    Undo,
    World,
    array,
    choice,
    content_id,
    date,
    draw_from,
    generator,
    integer,
    number,
    text,
)

_SPECIALTIES = ("cardiology", "dermatology", "neurology", "orthopaedics")
_LANGUAGES = ("Arabic", "English", "French", "German", "Spanish")
_TIMES = ("08:30", "09:15", "10:00", "11:30", "13:30", "14:45", "16:00", "17:15")
# Invented medicines. Name, what for, mg per kg and dose, doses a day, most mg a day, mg per
# tablet, tablets per pack, EUR per pack, group that decides what it must not meet.
_MEDICINES = """
Alvorin pain 10 3 3000 500 20 4.9 A|Belmetan pain 7 3 1800 200 30 6.5 B
Corvadine pain 4 2 500 100 20 8.2 C
Dolaxin pain 12 3 2700 250 24 5.4 D|Espirol pain 5 4 1600 200 28 9.8 E
Fenuvar pain 3 2 400 50 30 12.3 F
Galmorex infection 12 3 3000 500 21 11.2 G|Hexacilan infection 15 2 2500 500 14 13.9 A
Ilvomycin infection 8 2 1200 250 12 17.4 C|Jostacin infection 6 1 600 300 10 21.5 H
Kelvoxil infection 20 3 4500 750 18 15.6 D|Lumezan infection 9 2 1500 250 20 9.7 F
Mirvatin allergy 0.3 1 30 10 30 7.1 B|Navolair allergy 0.2 2 20 5 50 6.2 G
Orbetin allergy 0.4 1 40 10 20 8.8 E|Pelorax allergy 0.15 2 20 5 30 10.4 H
Quenadol allergy 0.5 1 40 20 20 5.9 C|Rivastol allergy 0.25 1 25 5 40 9.1 A
Soltaren blood-pressure 0.2 1 20 5 30 13.2 F|Tavopril blood-pressure 0.5 1 50 25 28 11.8 D
Ulmosan blood-pressure 0.1 2 20 5 60 15.1 H|Veltipine blood-pressure 0.15 1 10 5 30 18.6 B
Wexomil blood-pressure 1.2 1 100 50 30 9.4 E|Xarolan blood-pressure 2 1 160 80 28 14.7 G
Yelvatone nausea 0.5 3 120 10 20 6.8 C|Zanoprid nausea 0.2 3 40 10 25 7.9 F
Amlerin nausea 0.15 2 16 4 10 19.5 D|Bravodon nausea 0.8 2 100 25 20 8.3 H
Celtivan sleep 0.1 1 7.5 2.5 14 12.7 G|Darmunol sleep 0.05 1 5 2.5 20 10.9 B
Evenox sleep 0.4 1 30 15 20 9.9 E|Fosteril sleep 0.3 1 25 12.5 16 11.4 A
"""
_USES = ("allergy", "blood-pressure", "infection", "nausea", "pain", "sleep")
# Groups that must not meet, and how bad it is.
_CLASHES = {
    ("A", "F"): 3, ("B", "C"): 2, ("B", "E"): 3, ("C", "H"): 1, ("D", "G"): 2, ("E", "F"): 1,
    ("F", "G"): 3, ("A", "D"): 1, ("C", "D"): 3, ("G", "H"): 2, ("A", "H"): 2, ("B", "G"): 1,
}  # fmt: skip
_LEVELS = ("none", "minor", "moderate", "severe")
_SLOT_DAYS = 60


def _medicines() -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for entry in _MEDICINES.strip().replace("\n", "|").split("|"):
        name, use, *figures, group = entry.split()
        per_kg, doses, most, tablet, pack, price = (float(figure) for figure in figures)
        rows[name] = {
            "medicine": name, "use": use, "mg_per_kg": per_kg, "doses_per_day": int(doses),
            "max_mg_per_day": most, "tablet_mg": tablet, "pack": int(pack), "price": price,
            "group": group,
        }  # fmt: skip
    return dict(sorted(rows.items()))


def _tables(seed: int) -> Tables:
    rng = generator(seed, "clinic")
    doctors: dict[str, Row] = {}
    for city in CITY_NAMES:
        for person in rng.sample(people(seed), 6):
            doctor_id = content_id("dr", person.name, city)
            doctors[doctor_id] = {
                "doctor_id": doctor_id,
                "name": f"Dr {person.name}",
                "city": city,
                "specialty": rng.choice(_SPECIALTIES),
                "languages": sorted(rng.sample(_LANGUAGES, 3)),
                "fee": rng.randrange(40, 190, 5),
                "rating": round(rng.randrange(25, 51) / 10, 1),
                "phone": person.phone,
            }
    doctors = dict(sorted(doctors.items()))
    slots = _slots(seed, doctors)
    diaries: dict[str, dict[str, Any]] = {doctor_id: {"slot_ids": []} for doctor_id in doctors}
    for slot_id, slot in slots.items():
        diaries[slot["doctor_id"]]["slot_ids"].append(slot_id)
    towns: dict[str, dict[str, Any]] = {}
    for doctor_id, doctor in doctors.items():
        towns.setdefault(doctor["city"], {"doctor_ids": []})["doctor_ids"].append(doctor_id)
    return {
        "doctors": doctors,
        "towns": dict(sorted(towns.items())),
        "slots": slots,
        "diaries": diaries,
        "appointments": {},
        "medicines": _medicines(),
        "prescriptions": {},
    }


def _slots(seed: int, doctors: dict[str, Row]) -> dict[str, Row]:
    rng = generator(seed, "clinic", "slots")
    slots: dict[str, Row] = {}
    for doctor_id in doctors:
        for ahead in rng.sample(range(1, _SLOT_DAYS), 7):
            day = (TODAY + datetime.timedelta(days=ahead)).isoformat()
            for time in rng.sample(_TIMES, 2):
                slot_id = content_id("sl", doctor_id, day, time)
                slots[slot_id] = {
                    "slot_id": slot_id, "doctor_id": doctor_id, "day": day, "time": time,
                }  # fmt: skip
    return dict(sorted(slots.items()))


WORLD = World("clinic", "Doctors, appointments, medicines, doses, prescriptions.", _tables)

_MEDICINE = draw_from("medicines", "medicine")


def _slot_day(view: View, rng: random.Random) -> str:
    return (TODAY + datetime.timedelta(days=rng.randrange(1, 40))).isoformat()


def _doctor_of(view: View, doctor_id: str) -> Row:
    doctor = view.get("doctors", doctor_id)
    if doctor is None:
        raise ToolError(f"no doctor with the id '{doctor_id}' works here")
    return doctor


def _slot_of(view: View, slot_id: str) -> Row:
    slot = view.get("slots", slot_id)
    if slot is None:
        raise ToolError(f"there is no slot '{slot_id}' in any doctor's diary")
    return slot


def _medicine_of(view: View, name: str) -> Row:
    medicine = view.get("medicines", name)
    if medicine is None:
        raise ToolError(f"'{name}' is not in the list of medicines")
    return medicine


def _clash(one: Row, other: Row) -> int:
    first, second = sorted((one["group"], other["group"]))
    return _CLASHES.get((first, second), 0)


@WORLD.tool(
    "Find doctors of a specialty in a city, best rated first; by language and fee if asked.",
    parameters={
        "city": text("City of the practice.", "city"),
        "specialty": choice("Specialty.", "specialty", _SPECIALTIES),
        "language": choice("A language spoken.", "language", _LANGUAGES, optional=True),
        "max_fee": number("Highest fee in EUR.", "price", exclusiveMinimum=0, optional=True),
    },
    outputs=(
        Output("doctors[0].doctor_id", "doctor_id", (
            ("the best-rated doctor for {specialty} in {city}[ who speaks {language}][ and "
             "charges {max_fee} at most]"),
            ("whichever {specialty} practice in {city} has the best rating[ and offers "
             "{language}][ (fee: {max_fee} or less)]"),
        )),
        Output("doctors[0].fee", "price", (
            ("the fee of the best-rated doctor for {specialty} in {city}[ who speaks "
             "{language}][ and charges {max_fee} at most]"),
            ("what a visit costs at the top-rated {specialty} practice in {city}[ that offers "
             "{language}][ (fee: {max_fee} or less)]"),
        )),
        Output("doctors[0].phone", "phone", (
            ("the phone number of the best-rated doctor for {specialty} in {city}[ who speaks "
             "{language}][ and charges {max_fee} at most]"),
            ("the number to call for the top-rated {specialty} practice in {city}[ that offers "
             "{language}][ (fee: {max_fee} or less)]"),
        )),
    ),
    wishes=(
        ("Which doctors for {specialty} are there in {city}[, speaking {language}][, for "
         "{max_fee} at most]?"),
        "{specialty}, {city}, best rating first[; must speak {language}][; fee up to {max_fee}].",
        ("I've got to see somebody about {specialty} while I'm in {city}; who comes recommended[ "
         "and speaks {language}][ and won't charge over {max_fee}]?"),
    ),
    reads=("towns", "doctors"),
)  # fmt: skip
def find_doctors(
    view: View,
    city: str,
    specialty: str,
    language: str | None = None,
    max_fee: float | None = None,
) -> dict[str, Any]:
    """Doctors of a city by rating."""
    town = view.get("towns", city)
    doctors = [_doctor_of(view, key) for key in town["doctor_ids"]] if town else []
    found = [
        {key: doctor[key] for key in ("doctor_id", "name", "rating", "fee", "phone")}
        for doctor in doctors
        if doctor["specialty"] == specialty
        and (language is None or language in doctor["languages"])
        and (max_fee is None or doctor["fee"] <= max_fee)
    ]
    found.sort(key=lambda doctor: (-doctor["rating"], doctor["doctor_id"]))
    return {"doctors": found, "count": len(found)}


@WORLD.tool(
    "List the free slots of a doctor from a day on, earliest first; mornings or afternoons only "
    "if asked. Reads the appointments.",
    parameters={
        "doctor_id": text("Id of the doctor.", "doctor_id", pool=draw_from("doctors", "doctor_id")),
        "earliest": date("First day to consider, YYYY-MM-DD.", pool=_slot_day),
        "part": choice(
            "Part of the day.", "day_part", ("morning", "afternoon"), optional=True,
            says={'"morning"': "in the morning", '"afternoon"': "in the afternoon"},
        ),
    },
    outputs=(
        Output("slots[0].slot_id", "clinic_slot", (
            "the first free slot[ {part}] of {doctor_id} on or after {earliest}",
            "the earliest opening[ {part}] that {doctor_id} has on {earliest} or later",
        )),
        Output("slots[0].day", "date", (
            "the day of the first free slot[ {part}] of {doctor_id} on or after {earliest}",
            ("the first day[, looking only at times {part},] with an opening at {doctor_id}, not "
             "before {earliest}"),
        )),
        Output("slots[0].time", "time", (
            "the time of the first free slot[ {part}] of {doctor_id} on or after {earliest}",
            ("the time of day of the earliest opening[ {part}] at {doctor_id}, not before "
             "{earliest}"),
        )),
    ),
    wishes=(
        "When is {doctor_id} free[ {part}], on or after {earliest}?",
        "Open times[ {part}] of {doctor_id}, starting {earliest}.",
        ("I can make it from {earliest}[, but only {part}]. What does the diary of {doctor_id} "
         "offer?"),
    ),
    reads=("doctors", "diaries", "slots", "appointments"),
)  # fmt: skip
def free_doctor_slots(
    view: View, doctor_id: str, earliest: str, part: str | None = None
) -> dict[str, Any]:
    """Slots without an appointment, by day and time."""
    _doctor_of(view, doctor_id)
    diary = view.get("diaries", doctor_id)
    taken = {row["slot_id"] for row in view.values("appointments")}
    slots = [_slot_of(view, key) for key in diary["slot_ids"] if key not in taken] if diary else []
    found = [
        {key: slot[key] for key in ("slot_id", "day", "time")}
        for slot in slots
        if slot["day"] >= earliest
        and part in (None, "morning" if slot["time"] < "12:00" else "afternoon")
    ]
    found.sort(key=lambda slot: (slot["day"], slot["time"], slot["slot_id"]))
    return {"slots": found, "count": len(found)}


@WORLD.tool(
    "Make an appointment for a patient in a free slot. Adds to the appointments.",
    parameters={
        "slot_id": text("Id of the slot.", "clinic_slot"),
        "patient": text("Full name of the patient.", "person"),
    },
    outputs=(
        Output("appointment_id", "clinic_appointment", (
            "the appointment of {patient} in {slot_id}",
            "the doctor's visit agreed for {patient} (slot: {slot_id})",
        )),
        Output("fee", "price", (
            "the fee that {patient} pays for the appointment in {slot_id}",
            "what it costs {patient} to see the doctor (slot: {slot_id})",
        )),
    ),
    wishes=(
        "Put {patient} down for {slot_id}.",
        "Please make an appointment for {patient}. The slot to take: {slot_id}.",
        "{patient} needs to see the doctor and would like to have {slot_id}; could you arrange it?",
    ),
    reads=("slots", "appointments", "doctors"),
    writes=("appointments",),
    undo=Undo("cancel_appointment", {"appointment_id": "result.appointment_id"}),
)  # fmt: skip
def book_appointment(view: View, slot_id: str, patient: str) -> dict[str, Any]:
    """One patient a slot, one appointment a patient and time."""
    slot = _slot_of(view, slot_id)
    for other in view.values("appointments"):
        if other["slot_id"] == slot_id:
            raise ToolError(f"slot {slot_id} is taken")
        if (other["patient"], other["day"], other["time"]) == (patient, slot["day"], slot["time"]):
            raise ToolError(f"{patient} already sees a doctor on {slot['day']} at {slot['time']}")
    doctor = _doctor_of(view, slot["doctor_id"])
    appointment_id = content_id("ca", slot_id, patient)
    when = {"day": slot["day"], "time": slot["time"]}
    view.put("appointments", appointment_id, {"slot_id": slot_id, "patient": patient, **when})
    return {
        "appointment_id": appointment_id,
        "doctor": doctor["name"],
        "fee": doctor["fee"],
        **when,
    }


@WORLD.tool(
    "Cancel an appointment with a doctor. Removes it from the appointments.",
    parameters={"appointment_id": text("Id of the appointment.", "clinic_appointment")},
    wishes=(
        "Cancel {appointment_id}.",
        "{appointment_id} can't be kept, please call it off.",
        "Something came up: would you free the time again and drop {appointment_id}?",
    ),
    reads=("appointments",),
    writes=("appointments",),
)  # fmt: skip
def cancel_appointment(view: View, appointment_id: str) -> dict[str, Any]:
    """Remove the appointment without a trace."""
    row = view.get("appointments", appointment_id)
    if row is None:
        raise ToolError(f"no appointment is entered under '{appointment_id}'")
    view.remove("appointments", appointment_id)
    return {"cancelled": appointment_id, "patient": row["patient"]}


@WORLD.tool(
    "Find medicines for a complaint, cheapest pack first, leaving out those that clash "
    "moderately or worse with what is already taken.",
    parameters={
        "use": choice(
            "What it is for.", "complaint", _USES, says={
                '"blood-pressure"': "high blood pressure", '"sleep"': "sleeplessness"
            },
        ),
        "taken": array(
            "Names of medicines already taken.",
            text("Name of a medicine.", "medicine", pool=_MEDICINE), minItems=1, maxItems=6,
            optional=True,
        ),
    },
    outputs=(
        Output("medicines[0].medicine", "medicine", (
            "the cheapest medicine against {use}[ that goes with {taken}]",
            "whichever remedy for {use} costs least[ and doesn't clash with {taken}]",
        )),
        Output("cheapest", "list:medicine", (
            "the three cheapest medicines against {use}[ that go with {taken}]",
            "the three remedies for {use} that cost least[ and don't clash with {taken}]",
        )),
        Output("medicines[0].price", "price", (
            "the price of a pack of the cheapest medicine against {use}[ that goes with {taken}]",
            ("what the least expensive remedy for {use} costs[, given that it mustn't clash with "
             "{taken}]"),
        )),
    ),
    wishes=(
        "Which medicines help against {use}[ and can be taken along with {taken}]?",
        "Something for {use}, cheapest first[; already taken: {taken}].",
        ("I'm after a remedy for {use}[. Mind that {taken} must not clash with it]; what would "
         "be cheap?"),
    ),
    reads=("medicines",),
)  # fmt: skip
def find_medicines(view: View, use: str, taken: Sequence[str] = ()) -> dict[str, Any]:
    """Medicines for a use by price of a pack."""
    others = [_medicine_of(view, name) for name in taken]
    found = [
        {key: row[key] for key in ("medicine", "price", "tablet_mg", "pack")}
        for _, row in view.rows("medicines")
        if row["use"] == use and all(_clash(row, other) < 2 for other in others)
    ]
    found.sort(key=lambda row: (row["price"], row["medicine"]))
    first = [row["medicine"] for row in found[:3]]
    return {"medicines": found, "cheapest": first, "count": len(found)}


@WORLD.tool(
    "Check medicines against each other: how many pairs clash, how badly, and which two are worst.",
    parameters={
        "medicines": array(
            "Names of the medicines.", text("Name of a medicine.", "medicine", pool=_MEDICINE),
            minItems=2, maxItems=10,
        ),
    },
    outputs=(
        Output("clashes", "count", (
            "the number of clashes among {medicines}",
            "how many pairs interact if somebody takes {medicines}",
        )),
        Output("culprits[0]", "medicine", (
            "the first of the two medicines that clash worst among {medicines}",
            "the alphabetically first one of the pair that interacts worst among {medicines}",
        )),
    ),
    wishes=(
        "Can {medicines} be taken together?",
        "Interaction check: {medicines}.",
        "I've been given {medicines} and wonder whether any two of these don't mix.",
    ),
    reads=("medicines",),
)  # fmt: skip
def check_interactions(view: View, medicines: Sequence[str]) -> dict[str, Any]:
    """Clashes of all pairs; of equally bad pairs the alphabetically first."""
    rows = [_medicine_of(view, name) for name in sorted(set(medicines))]
    clashes = [
        (-level, [one["medicine"], other["medicine"]])
        for one, other in combinations(rows, 2)
        if (level := _clash(one, other))
    ]
    if not clashes:
        return {"clashes": 0, "worst": _LEVELS[0], "culprits": []}
    level, pair = min(clashes)
    return {"clashes": len(clashes), "worst": _LEVELS[-level], "culprits": pair}


@WORLD.tool(
    "Compute the dose of a medicine for a body weight, in mg and in tablets rounded down to "
    "halves.",
    parameters={
        "medicine": text("Name of the medicine.", "medicine", pool=_MEDICINE),
        "weight_kg": number(
            "Body weight in kg.", "weight_kg", minimum=3, maximum=250,
            pool=lambda view, rng: rng.randrange(24, 200) / 2,
        ),
    },
    outputs=(
        Output("tablets_per_day", "dose", (
            "the daily number of tablets of {medicine} for a body weight of {weight_kg}",
            "the right number of {medicine} tablets a day for somebody weighing {weight_kg}",
        )),
    ),
    wishes=(
        "How much {medicine} for a body weight of {weight_kg}?",
        "Dose of {medicine}, please; body weight: {weight_kg}.",
        "The patient weighs {weight_kg} and is to be given {medicine}. What is the right dose?",
    ),
    reads=("medicines",),
)  # fmt: skip
def dose_by_weight(view: View, medicine: str, weight_kg: float) -> dict[str, Any]:
    """Dose by weight, at most the daily limit."""
    row = _medicine_of(view, medicine)
    wanted = min(row["mg_per_kg"] * weight_kg, row["max_mg_per_day"] / row["doses_per_day"])
    halves = math.floor(2 * wanted / row["tablet_mg"] + 1e-9)
    if halves == 0:
        raise ToolError(f"half a tablet of {medicine} is too much for {weight_kg} kg")
    return {
        "mg_per_dose": round(halves * row["tablet_mg"] / 2, 3),
        "doses_per_day": row["doses_per_day"],
        "tablets_per_day": halves / 2 * row["doses_per_day"],
    }


@WORLD.tool(
    "Prescribe tablets of a medicine to a patient. Adds to the prescriptions, which can't be "
    "taken back; reads them for clashes with what the patient was prescribed before.",
    parameters={
        "patient": text("Full name of the patient.", "person"),
        "medicine": text("Name of the medicine.", "medicine", pool=_MEDICINE),
        "tablets_per_day": number(
            "Tablets a day.", "dose", minimum=0.5, maximum=20,
            pool=lambda view, rng: rng.randrange(1, 5),
        ),
        "days": integer(
            "For how many days.", "treatment_days", minimum=1, maximum=90,
            pool=lambda view, rng: rng.randrange(3, 29),
        ),
    },
    outputs=(
        Output("packs", "count", (
            ("the number of packs of {medicine} prescribed to {patient} for {days} days (tablets "
             "a day: {tablets_per_day})"),
            ("how many packs {patient} gets on prescription when taking {medicine} for {days} "
             "days (tablets a day: {tablets_per_day})"),
        )),
        Output("price", "price", (
            ("the price of the {medicine} prescribed to {patient} for {days} days (tablets a "
             "day: {tablets_per_day})"),
            ("what {patient} pays for the prescription of {medicine} over {days} days (tablets a "
             "day: {tablets_per_day})"),
        )),
    ),
    wishes=(
        "Prescribe {medicine} to {patient} for {days} days. Tablets a day: {tablets_per_day}.",
        ("{patient} is to take {medicine} for {days} days (daily tablets: {tablets_per_day}); "
         "please write the prescription."),
        ("Would you make out a prescription for {patient}? It's {medicine} over {days} days, the "
         "number of tablets a day being {tablets_per_day}."),
    ),
    reads=("medicines", "prescriptions"),
    writes=("prescriptions",),
)  # fmt: skip
def prescribe_medicine(
    view: View, patient: str, medicine: str, tablets_per_day: float, days: int
) -> dict[str, Any]:
    """A prescription; never beyond the daily limit, never into a severe clash."""
    row = _medicine_of(view, medicine)
    daily = tablets_per_day * row["tablet_mg"]
    if daily > row["max_mg_per_day"]:
        raise ToolError(f"{daily:g} mg of {medicine} a day exceed {row['max_mg_per_day']:g} mg")
    for old in view.values("prescriptions"):
        if old["patient"] == patient:
            if old["medicine"] == medicine:
                raise ToolError(f"{patient} already has a prescription of {medicine}")
            if _clash(row, _medicine_of(view, old["medicine"])) == len(_LEVELS) - 1:
                raise ToolError(f"{medicine} clashes severely with {old['medicine']} of {patient}")
    packs = math.ceil(tablets_per_day * days / row["pack"])
    prescription_id = content_id("rx", patient, medicine)
    new = {"patient": patient, "medicine": medicine, "daily": tablets_per_day, "days": days}
    view.put("prescriptions", prescription_id, new)
    price = round(packs * row["price"], 2)
    return {"prescription_id": prescription_id, "packs": packs, "price": price}
