"""Pets: animals and their owners, vets, vaccinations, feeding, boarding."""

import datetime
import math
from collections.abc import Sequence
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

# Species: names of breeds, least and most weight in kg, vaccines with the days they last.
_SPECIES = {
    "cat": ("Bluepoint|Marsh Shorthair|Tabby", (25, 75), "rabies 1095|cat flu 365"),
    "dog": ("Fell Terrier|Harbour Hound|Meadow Spaniel", (40, 420),
            "rabies 1095|distemper 730|kennel cough 365"),
    "ferret": ("Polecat Mix|Silver Mitt|Sable", (7, 18), "distemper 365|rabies 365"),
    "rabbit": ("Butterfly Lop|Dwarf Dun|Giant Grey", (12, 62), "myxomatosis 365|rabbit fever 365"),
}  # fmt: skip
_NAMES = (
    "Biscuit Bramble Clover Dot Ember Fidget Ginger Hazel Inky Juniper Kipper Lentil Mango Nutmeg "
    "Olive Pepper Quill Rusty Sorrel Tansy Umber Velvet Waffle Yarrow Ziggy"
).split()
_PRACTICES = ("Paw Practice", "Animal Clinic", "Vet House", "Small Pets Surgery", "Tail & Whisker")
_KENNELS = ("Happy Tails", "Quiet Paws", "The Barn", "Garden Pets", "Holiday Hutch")
# Food, species, kcal per 100 g, EUR per kg.
_FOODS = """
Crunchy Cod:cat 380 7.9|Tender Turkey:cat 95 9.4
River Trout:cat 355 8.6|Mouse Mix:cat 410 6.2
Beef Bowl:dog 110 5.1|Daily Kibble:dog 365 3.4|Lamb Dinner:dog 125 6.8
Runner Kibble:dog 420 4.9
Fish Feast:dog 340 5.6
Ferret Gold:ferret 430 8.8|Weasel Bites:ferret 395 7.1
Meaty Mix:ferret 150 9.9
Meadow Hay:rabbit 180 2.4|Herb Pellets:rabbit 250 3.9|Root Medley:rabbit 210 4.5
Clover Bites:rabbit 265 5.2
"""
# Kcal a day per kg of body weight to the power of 3/4, by how active the animal is.
_ACTIVITY = {"calm": 85, "normal": 105, "lively": 135}
_HORIZON = 150


def _after(day: str, days: int) -> str:
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _vaccines(species: str) -> dict[str, int]:
    pairs = (entry.rsplit(" ", 1) for entry in _SPECIES[species][2].split("|"))
    return {name: int(days) for name, days in pairs}


def _foods() -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for entry in _FOODS.strip().replace("\n", "|").split("|"):
        name, rest = entry.split(":")
        species, kcal, price = rest.split()
        rows[name] = {
            "food": name, "species": species, "kcal": int(kcal), "price_per_kg": float(price),
        }  # fmt: skip
    return dict(sorted(rows.items()))


def _animals(seed: int) -> dict[str, Row]:
    rng = generator(seed, "pets", "animals")
    rows: dict[str, Row] = {}
    for person in people(seed)[:75]:
        species = rng.choice(list(_SPECIES))
        for name in rng.sample(_NAMES, rng.randrange(1, 4)):
            breeds, (least, most), _ = _SPECIES[species]
            animal_id = content_id("an", person.name, name)
            rows[animal_id] = {
                "animal_id": animal_id,
                "name": name,
                "owner": person.name,
                "city": person.city,
                "species": species,
                "breed": rng.choice(breeds.split("|")),
                "weight_kg": rng.randrange(least, most) / 10,
                "born": _after(TODAY.isoformat(), -rng.randrange(200, 4200)),
            }
    return dict(sorted(rows.items()))


def _shots(seed: int, animals: dict[str, Row]) -> dict[str, Row]:
    rng = generator(seed, "pets", "shots")
    rows: dict[str, Row] = {}
    for animal_id, animal in animals.items():
        for vaccine, lasts in _vaccines(animal["species"]).items():
            given = _after(TODAY.isoformat(), -rng.randrange(10, lasts + 60))
            rows[f"{animal_id}/{vaccine}"] = {"given": given, "until": _after(given, lasts)}
    return dict(sorted(rows.items()))


def _places(seed: int, table: str, names: Sequence[str]) -> dict[str, Row]:
    """Vets or kennels: five in each city."""
    rng = generator(seed, "pets", table)
    rows: dict[str, Row] = {}
    for city in CITY_NAMES:
        for name in names:
            place_id = content_id(table[:3], name, city)
            rows[place_id] = {
                "id": place_id,
                "name": f"{name} {city}",
                "city": city,
                "species": sorted(rng.sample(list(_SPECIES), 3)),
                "price": rng.randrange(28, 110) if table == "vets" else rng.randrange(12, 48),
                "rating": round(rng.randrange(26, 51) / 10, 1),
                "places": rng.randrange(3, 9),
                "phone": f"+1-555-{rng.randrange(100, 1000)}-{rng.randrange(10000):04d}",
                "email": f"{table}{len(rows) + 101}@example.com",
            }
    return dict(sorted(rows.items()))


def _by(rows: dict[str, Row], column: str) -> dict[str, Row]:
    """An index: value of a column → ids."""
    found: dict[str, dict[str, Any]] = {}
    for key, row in rows.items():
        found.setdefault(row[column], {"ids": []})["ids"].append(key)
    return dict(sorted(found.items()))


def _tables(seed: int) -> Tables:
    animals = _animals(seed)
    vets, kennels = _places(seed, "vets", _PRACTICES), _places(seed, "kennels", _KENNELS)
    return {
        "animals": animals,
        "owners": _by(animals, "owner"),
        "vaccinations": _shots(seed, animals),
        "vets": vets,
        "vet_towns": _by(vets, "city"),
        "kennels": kennels,
        "kennel_towns": _by(kennels, "city"),
        "foods": _foods(),
        "stays": {},
    }


WORLD = World("pets", "Animals, vets, vaccinations, feeding, boarding.", _tables)

_ANIMAL = draw_from("animals", "animal_id")
_NIGHTS = integer("Number of nights.", "boarding_nights", minimum=1, maximum=28,
    pool=lambda view, rng: rng.randrange(2, 15))  # fmt: skip


def _animal_of(view: View, animal_id: str) -> Row:
    animal = view.get("animals", animal_id)
    if animal is None:
        raise ToolError(f"no animal is registered as '{animal_id}'")
    return animal


def _kennel_of(view: View, kennel_id: str) -> Row:
    kennel = view.get("kennels", kennel_id)
    if kennel is None:
        raise ToolError(f"there is no boarding kennel '{kennel_id}'")
    return kennel


def _in_town(view: View, table: str, index: str, city: str) -> list[Row]:
    town = view.get(index, city)
    rows = (view.get(table, key) for key in town["ids"]) if town else ()
    return [row for row in rows if row]


def _free_places(view: View, kennel: Row, arrival: str, nights: int) -> int:
    """Places that stay free all the nights, counting each overlapping stay in full."""
    leaves = _after(arrival, nights)
    taken = sum(
        len(stay["animal_ids"])
        for _, stay in view.rows("stays")
        if stay["kennel_id"] == kennel["id"]
        and stay["arrival"] < leaves
        and arrival < stay["leaves"]
    )
    return int(kennel["places"]) - taken


def _check_arrival(day: str) -> None:
    if not TODAY.isoformat() <= day <= _after(TODAY.isoformat(), _HORIZON):
        raise ToolError(f"kennels take bookings up to {_HORIZON} days ahead, not for {day}")


@WORLD.tool(
    "List the animals of an owner, oldest first; heavy ones left out if asked.",
    parameters={
        "owner": text("Full name of the owner.", "person", pool=draw_from("animals", "owner")),
        "max_weight_kg": number(
            "Highest weight in kg.", "weight_kg", exclusiveMinimum=0,
            pool=lambda view, rng: rng.randrange(2, 30), optional=True,
        ),
    },
    outputs=(
        Output("animals[0].animal_id", "animal_id", (
            "the oldest pet of {owner}[ weighing no more than {max_weight_kg}]",
            "whichever animal of {owner} was born first[ (weight limit: {max_weight_kg})]",
        )),
        Output("animal_ids", "list:animal_id", (
            "all the pets of {owner}[ weighing no more than {max_weight_kg}]",
            "every animal that {owner} keeps[ (weight limit: {max_weight_kg})]",
        )),
        Output("animals[0].species", "pet_species", (
            "the species of the oldest pet of {owner}[ weighing no more than {max_weight_kg}]",
            "the sort of animal that {owner} has had longest[ (weight limit: {max_weight_kg})]",
        )),
        Output("animals[0].weight_kg", "weight_kg", (
            "the weight of the oldest pet of {owner}[, leaving out those above {max_weight_kg}]",
            "what the first-born animal of {owner} weighs[ (weight limit: {max_weight_kg})]",
        )),
        Output("animals[0].city", "city", (
            ("the city where the oldest pet of {owner}[ weighing no more than {max_weight_kg}] "
             "lives"),
            "the place where {owner} keeps the animal born first[ (weight limit: {max_weight_kg})]",
        )),
    ),
    wishes=(
        "Which pets does {owner} have[ that weigh no more than {max_weight_kg}]?",
        "Pets of {owner}, oldest first[; none above {max_weight_kg}].",
        ("Could you look up the animals that belong to {owner}[, as long as they don't weigh "
         "more than {max_weight_kg}]?"),
    ),
    reads=("owners", "animals"),
)  # fmt: skip
def find_animals(view: View, owner: str, max_weight_kg: float | None = None) -> dict[str, Any]:
    """The animals of an owner by birth."""
    mine = view.get("owners", owner)
    animals = [_animal_of(view, key) for key in mine["ids"]] if mine else []
    found = [
        {key: value for key, value in animal.items() if key != "owner"}
        for animal in animals
        if max_weight_kg is None or animal["weight_kg"] <= max_weight_kg
    ]
    found.sort(key=lambda animal: (animal["born"], animal["animal_id"]))
    return {
        "animals": found,
        "animal_ids": [row["animal_id"] for row in found],
        "count": len(found),
    }


@WORLD.tool(
    "Tell which vaccinations of an animal have run out by a day, and which of the others is "
    "next. Reads the vaccinations.",
    parameters={
        "animal_id": text("Id of the animal.", "animal_id", pool=_ANIMAL),
        "day": date("Day to look at, YYYY-MM-DD."),
    },
    outputs=(
        Output("next_vaccine", "vaccine", (
            "the vaccination of {animal_id} that is the next to run out, on or after {day}",
            ("whichever jab {animal_id} has to have renewed first, not counting those expired by "
             "{day}"),
        )),
        Output("next_due", "date", (
            "the first date on or after {day} on which a vaccination of {animal_id} runs out",
            ("the day by which {animal_id} has to have the next jab renewed, not counting those "
             "expired by {day}"),
        )),
        Output("overdue_count", "count", (
            "the number of vaccinations of {animal_id} that have run out by {day}",
            "how many jabs of {animal_id} are no longer valid on {day}",
        )),
    ),
    wishes=(
        "Which vaccinations does {animal_id} need, as of {day}?",
        "Vaccination status of {animal_id} on {day}.",
        ("We're making plans for {day}. Is {animal_id} still covered on that day, and what comes "
         "up next?"),
    ),
    reads=("animals", "vaccinations"),
)  # fmt: skip
def vaccination_status(view: View, animal_id: str, day: str) -> dict[str, Any]:
    """What has run out, and what runs out next."""
    animal = _animal_of(view, animal_id)
    ends = []
    for vaccine in _vaccines(animal["species"]):
        shot = view.get("vaccinations", f"{animal_id}/{vaccine}")
        ends.append((shot["until"] if shot else animal["born"], vaccine))
    overdue = sorted(name for end, name in ends if end < day)
    coming = sorted((end, name) for end, name in ends if end >= day)
    status = {"animal": animal["name"], "overdue": overdue, "overdue_count": len(overdue)}
    return status | ({"next_due": coming[0][0], "next_vaccine": coming[0][1]} if coming else {})


@WORLD.tool(
    "Enter that an animal was vaccinated. Changes its vaccinations; this can't be taken back.",
    parameters={
        "animal_id": text("Id of the animal.", "animal_id", pool=_ANIMAL),
        "vaccine": choice(
            "Vaccine.", "vaccine", sorted({v for s in _SPECIES for v in _vaccines(s)}),
        ),
        "given_on": date("Day of the jab, YYYY-MM-DD.", "past_date"),
    },
    outputs=(
        Output("valid_until", "date", (
            "the day until which {animal_id} is protected by the {vaccine} jab of {given_on}",
            "the last day of protection for {animal_id}, given {vaccine} vaccine on {given_on}",
        )),
    ),
    wishes=(
        "{animal_id} was vaccinated against {vaccine} on {given_on}, enter that.",
        "Note for {animal_id}: {vaccine} jab on {given_on}.",
        ("We've been to the vet: on {given_on} there was a {vaccine} jab for {animal_id}. Please "
         "keep a record of it."),
    ),
    reads=("animals", "vaccinations"),
    writes=("vaccinations",),
)  # fmt: skip
def record_vaccination(view: View, animal_id: str, vaccine: str, given_on: str) -> dict[str, Any]:
    """Replace the last jab; an older or unfitting one is refused."""
    animal = _animal_of(view, animal_id)
    lasts = _vaccines(animal["species"]).get(vaccine)
    if lasts is None:
        raise ToolError(f"{vaccine} vaccine is not for a {animal['species']} like {animal['name']}")
    if given_on > TODAY.isoformat():
        raise ToolError(f"a jab can't have been given on {given_on}, which is still to come")
    key = f"{animal_id}/{vaccine}"
    last = view.get("vaccinations", key)
    if last and last["given"] >= given_on:
        raise ToolError(f"{animal['name']} had {vaccine} on {last['given']}, not before {given_on}")
    until = _after(given_on, lasts)
    view.put("vaccinations", key, {"given": given_on, "until": until})
    return {"animal": animal["name"], "vaccine": vaccine, "valid_until": until}


@WORLD.tool(
    "Find vets in a city for a species, cheapest or best rated first.",
    parameters={
        "city": text("City of the practice.", "city"),
        "species": choice("Species.", "pet_species", tuple(_SPECIES)),
        "sort_by": choice(
            "What comes first.", "vet_order", ("fee", "rating"),
            says={'"fee"': "cheapest", '"rating"': "best-rated"},
        ),
    },
    outputs=(
        Output("vets[0].phone", "phone", (
            "the phone number of the {sort_by} vet in {city} (patient: {species})",
            "the number to call for the {sort_by} animal doctor in {city} (species: {species})",
        )),
        Output("vets[0].email", "email", (
            "the e-mail address of the {sort_by} vet in {city} (patient: {species})",
            "where to write to the {sort_by} animal doctor in {city} (species: {species})",
        )),
        Output("vets[0].fee", "price", (
            "the fee of the {sort_by} vet in {city} (patient: {species})",
            "what a visit to the {sort_by} animal doctor in {city} costs (species: {species})",
        )),
    ),
    wishes=(
        "Which vets are there in {city}, {sort_by} first? The patient: {species}.",
        "Vets in {city}, {sort_by} on top; species: {species}.",
        ("We've just come to {city} and our pet is poorly. Who could see it (species: "
         "{species})? Put the {sort_by} first."),
    ),
    reads=("vet_towns", "vets"),
)  # fmt: skip
def find_vets(view: View, city: str, species: str, sort_by: str) -> dict[str, Any]:
    """Vets of a city for a species."""
    found = [
        {
            "name": vet["name"], "fee": vet["price"], "rating": vet["rating"],
            "phone": vet["phone"], "email": vet["email"],
        }
        for vet in _in_town(view, "vets", "vet_towns", city)
        if species in vet["species"]
    ]  # fmt: skip
    column, sign = ("fee", 1) if sort_by == "fee" else ("rating", -1)
    found.sort(key=lambda vet: (sign * vet[column], vet["name"]))
    return {"vets": found, "count": len(found)}


@WORLD.tool(
    "Compute how much of a food an animal of some weight and activity gets a day, and what that "
    "costs over a number of days.",
    parameters={
        "food": text("Name of the food.", "pet_food", pool=draw_from("foods", "food")),
        "weight_kg": number("Weight of the animal in kg.", "weight_kg", minimum=0.3, maximum=90),
        "activity": choice("How active it is.", "pet_activity", tuple(_ACTIVITY)),
        "days": integer(
            "For how many days.", "feeding_days", minimum=1, maximum=365, optional=True,
            pool=lambda view, rng: rng.randrange(5, 91),
        ),
    },
    outputs=(
        Output("grams_per_day", "weight_g", (
            ("the daily ration of {food} for a {activity} animal whose weight is {weight_kg}[ "
             "(buying for {days} days)]"),
            ("the amount of {food} that a {activity} animal gets per day (body weight: "
             "{weight_kg})[, planning {days} days]"),
        )),
        Output("kcal_per_day", "energy_kcal", (
            ("the calories a day in the right ration of {food} for a {activity} animal whose "
             "weight is {weight_kg}[ (buying for {days} days)]"),
            ("the daily energy that a {activity} animal takes from {food} (body weight: "
             "{weight_kg})[, planning {days} days]"),
        )),
        Output("cost", "price", (
            ("the cost of feeding {food} to a {activity} animal whose weight is {weight_kg}[ "
             "over {days} days]"),
            ("what {food} comes to[ in {days} days] for a {activity} animal (body weight: "
             "{weight_kg})"),
        )),
    ),
    wishes=(
        ("How much {food} does a {activity} animal need a day? Its weight: {weight_kg}[. I'm "
         "buying for {days} days]."),
        "Ration of {food}, please; {activity}, weight: {weight_kg}[, {days} days].",
        ("Our pet is {activity} and weighs {weight_kg}. If we give it {food}, how much is right[ "
         "and what will {days} days cost]?"),
    ),
    reads=("foods",),
)  # fmt: skip
def feeding_amount(
    view: View, food: str, weight_kg: float, activity: str, days: int = 1
) -> dict[str, Any]:
    """Grams and kcal a day, EUR for the days."""
    row = view.get("foods", food)
    if row is None:
        raise ToolError(f"'{food}' is not among the foods on sale")
    kcal = _ACTIVITY[activity] * weight_kg**0.75
    grams = math.ceil(kcal / row["kcal"] * 100)
    cost = round(grams * days * row["price_per_kg"] / 1000, 2)
    return {"grams_per_day": grams, "kcal_per_day": round(kcal), "cost": cost}


@WORLD.tool(
    "Find boarding kennels in a city with room for an animal of a species, cheapest first. "
    "Reads the stays that are booked.",
    parameters={
        "city": text("City of the kennel.", "city"),
        "species": choice("Species.", "pet_species", tuple(_SPECIES)),
        "arrival": date("Day of arrival, YYYY-MM-DD."),
        "nights": _NIGHTS,
    },
    outputs=(
        Output("kennels[0].kennel_id", "kennel_id", (
            ("the cheapest kennel in {city} with room for {nights} nights from {arrival} (guest: "
             "{species})"),
            ("whichever pet boarding place in {city} costs least for {nights} nights from "
             "{arrival} (species: {species})"),
        )),
        Output("kennels[0].price_per_night", "price", (
            ("the lowest nightly rate among kennels in {city} with room for {nights} nights from "
             "{arrival} (guest: {species})"),
            ("what a night costs at the cheapest pet boarding place in {city} that is free for "
             "{nights} nights from {arrival} (species: {species})"),
        )),
    ),
    wishes=(
        ("Which kennels in {city} have room for {nights} nights from {arrival}? The guest: "
         "{species}."),
        "Pet boarding in {city}, {arrival}, {nights} nights; species: {species}.",
        ("We're going away on {arrival} for {nights} nights. Where in {city} could our pet stay "
         "(species: {species})?"),
    ),
    reads=("kennel_towns", "kennels", "stays"),
)  # fmt: skip
def find_kennels(view: View, city: str, species: str, arrival: str, nights: int) -> dict[str, Any]:
    """Kennels with a free place by price."""
    _check_arrival(arrival)
    found = [
        {"kennel_id": row["id"], "name": row["name"], "price_per_night": row["price"]}
        for row in _in_town(view, "kennels", "kennel_towns", city)
        if species in row["species"] and _free_places(view, row, arrival, nights) > 0
    ]
    found.sort(key=lambda row: (row["price_per_night"], row["kennel_id"]))
    return {"kennels": found, "count": len(found)}


@WORLD.tool(
    "Book boarding for animals at a kennel. Adds to the stays and reads them for free places.",
    parameters={
        "kennel_id": text("Id of the kennel.", "kennel_id", pool=draw_from("kennels", "id")),
        "animal_ids": array(
            "Ids of the animals.", text("Id of an animal.", "animal_id", pool=_ANIMAL), minItems=1,
            maxItems=5,
        ),
        "arrival": date("Day of arrival, YYYY-MM-DD."),
        "nights": _NIGHTS,
    },
    outputs=(
        Output("stay_id", "stay_id", (
            "the stay of {animal_ids} at {kennel_id} ({nights} nights from {arrival})",
            "the boarding of {animal_ids} from {arrival} for {nights} nights at {kennel_id}",
        )),
        Output("total_price", "price", (
            "the price of boarding {animal_ids} at {kennel_id} for {nights} nights from {arrival}",
            "what {nights} nights from {arrival} at {kennel_id} cost for {animal_ids}",
        )),
    ),
    wishes=(
        "Board {animal_ids} at {kennel_id} for {nights} nights from {arrival}.",
        ("Please reserve {nights} nights from {arrival} at {kennel_id}. Staying there: "
         "{animal_ids}."),
        ("We're off on {arrival} and back {nights} nights later, so book {animal_ids} in at "
         "{kennel_id}."),
    ),
    reads=("animals", "kennels", "stays"),
    writes=("stays",),
    undo=Undo("cancel_boarding", {"stay_id": "result.stay_id"}),
)  # fmt: skip
def board_animals(
    view: View, kennel_id: str, animal_ids: Sequence[str], arrival: str, nights: int
) -> dict[str, Any]:
    """A stay; every animal of a species that the kennel takes, and a place for each."""
    kennel, wanted = _kennel_of(view, kennel_id), sorted(set(animal_ids))
    _check_arrival(arrival)
    for animal_id in wanted:
        species = _animal_of(view, animal_id)["species"]
        if species not in kennel["species"]:
            raise ToolError(f"{kennel['name']} takes no {species} such as {animal_id}")
    stay_id = content_id("st", kennel_id, wanted, arrival, nights)
    if view.get("stays", stay_id):
        raise ToolError(f"this stay from {arrival} is already booked: {stay_id}")
    free = _free_places(view, kennel, arrival, nights)
    if free < len(wanted):
        raise ToolError(f"{kennel['name']} has {free} places from {arrival}, not {len(wanted)}")
    leaves = _after(arrival, nights)
    row = {"kennel_id": kennel_id, "animal_ids": wanted, "arrival": arrival, "leaves": leaves}
    view.put("stays", stay_id, row)
    total = round(kennel["price"] * nights * len(wanted), 2)
    return {"stay_id": stay_id, "kennel": kennel["name"], "leaves": leaves, "total_price": total}


@WORLD.tool(
    "Cancel a boarding. Removes it from the stays.",
    parameters={"stay_id": text("Id of the stay.", "stay_id")},
    wishes=(
        "Cancel {stay_id}.",
        "{stay_id} isn't needed any more, please call it off.",
        "We're staying at home after all; would you undo {stay_id}?",
    ),
    reads=("stays",),
    writes=("stays",),
)  # fmt: skip
def cancel_boarding(view: View, stay_id: str) -> dict[str, Any]:
    """Remove the stay without a trace."""
    row = view.get("stays", stay_id)
    if row is None:
        raise ToolError(f"no animal is booked in under '{stay_id}'")
    view.remove("stays", stay_id)
    return {"cancelled": stay_id, "animal_ids": row["animal_ids"]}
