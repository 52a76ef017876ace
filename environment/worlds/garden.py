"""Garden: plants, beds, frost days, sowing calendars, watering."""

import datetime
import math
import random
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from environment.meanings import TODAY
from environment.people import people
from environment.places import CITIES
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

# Crop, kind, light; days from the last frost to the first and last sowing; days to harvest;
# plants per square metre; litres per square metre and week; family.
_CROPS = """
aubergine vegetable sun 14 35 95 4 28 nightshade|basil herb sun 10 60 50 16 18 mint
beetroot vegetable half-shade -20 75 70 20 20 goosefoot|borage herb sun -10 45 55 9 14 borage
broad bean vegetable sun -50 -10 100 12 18 legume
cabbage vegetable half-shade -30 30 95 4 26 cabbage
carrot vegetable sun -25 70 85 40 20 carrot
celery vegetable half-shade 0 30 120 8 30 carrot
chard vegetable half-shade -20 80 55 9 20 goosefoot|chervil herb shade -25 80 45 25 14 carrot
chive herb half-shade -30 40 80 16 14 onion|cosmos flower sun 5 45 75 9 14 daisy
courgette vegetable sun 10 40 55 1 28 gourd|cucumber vegetable sun 14 40 60 2 30 gourd
dill herb sun -10 70 45 25 14 carrot|fennel vegetable sun 0 60 85 9 20 carrot
french bean vegetable sun 10 65 60 12 20 legume|garlic vegetable sun -60 -20 150 25 12 onion
kale vegetable half-shade -10 60 75 4 22 cabbage
kohlrabi vegetable half-shade -30 80 55 12 22 cabbage
leek vegetable half-shade -30 20 130 16 20 onion|lettuce vegetable half-shade -30 90 50 12 24 daisy
marigold flower sun 0 40 65 12 14 daisy|melon vegetable sun 14 30 90 1 28 gourd
mint herb shade -15 50 70 6 22 mint|nasturtium flower half-shade 0 45 55 6 14 nasturtium
onion vegetable sun -35 10 110 30 14 onion|pak choi vegetable half-shade -10 90 45 12 22 cabbage
parsley herb half-shade -30 60 75 20 16 carrot|parsnip vegetable sun -30 30 130 16 16 carrot
pea vegetable half-shade -45 20 70 30 18 legume|pepper vegetable sun 14 30 90 5 24 nightshade
potato vegetable sun -20 25 100 4 22 nightshade
pumpkin vegetable sun 10 30 110 1 28 gourd
radish vegetable half-shade -35 100 28 60 18 cabbage|rocket herb half-shade -25 100 35 40 18 cabbage
sage herb sun 0 45 85 4 10 mint|spinach vegetable shade -40 95 45 30 22 goosefoot
sunflower flower sun 0 40 85 4 20 daisy|sweet pea flower half-shade -40 10 90 12 16 legume
sweetcorn vegetable sun 8 35 85 8 24 grass|thyme herb sun 0 45 90 9 8 mint
tomato vegetable sun 14 35 80 3 28 nightshade|turnip vegetable half-shade -20 80 55 20 20 cabbage
"""
_VARIETIES = ("Amber", "Early Bird", "Old Farm")
# Families that do well side by side, and that don't.
_FRIENDS = {
    ("cabbage", "goosefoot"), ("carrot", "onion"), ("daisy", "nightshade"), ("gourd", "grass"),
    ("gourd", "nasturtium"), ("grass", "legume"), ("cabbage", "mint"), ("mint", "nightshade"),
    ("borage", "gourd"), ("carrot", "legume"),
}  # fmt: skip
_FOES = {
    ("cabbage", "nightshade"), ("legume", "onion"), ("gourd", "nightshade"), ("carrot", "mint"),
    ("grass", "nightshade"), ("cabbage", "nasturtium"),
}  # fmt: skip
_SITES = ("Front", "Back", "Orchard", "Wall", "Pond", "Meadow")
_LIGHT = ("sun", "half-shade", "shade")
_KINDS = ("vegetable", "herb", "flower")


def _after(day: str, days: int) -> str:
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _plants() -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for entry in _CROPS.strip().replace("\n", "|").split("|"):
        *words, kind, light, first, last, days, dense, water, family = entry.split()
        for step, variety in enumerate(_VARIETIES):
            name = f"{' '.join(words)} '{variety}'"
            rows[name] = {
                "plant": name,
                "kind": kind,
                "light": light,
                "sow_first": int(first) + 3 * step,
                "sow_last": int(last) + 2 * step,
                "days": int(days) + (0, -6, 9)[step],
                "per_m2": int(dense),
                "water": int(water) + step,
                "family": family,
            }
    return dict(sorted(rows.items()))


def _frosts(seed: int) -> dict[str, Row]:
    rng = generator(seed, "garden", "frosts")
    rows: dict[str, Row] = {}
    for city in CITIES:
        cold = max(abs(city.lat) - 24, 0)
        half = round(150 - 2.4 * cold) + rng.randrange(-6, 7)
        summer = datetime.date(2026, 7, 20) if city.lat > 0 else datetime.date(2027, 1, 20)
        last, first = summer - datetime.timedelta(half), summer + datetime.timedelta(half)
        frosty = cold > 0
        rows[city.name] = {
            "last": last.isoformat() if frosty else None,
            "first": first.isoformat() if frosty else None,
        }
    return rows


def _tables(seed: int) -> Tables:
    rng = generator(seed, "garden")
    plants = _plants()
    beds: dict[str, Row] = {}
    plantings: dict[str, Row] = {}
    for person in people(seed)[:40]:
        for site in rng.sample(_SITES, 3):
            bed_id = content_id("gb", person.name, site)
            light, area = rng.choice(_LIGHT), rng.randrange(4, 25) / 2
            beds[bed_id] = {
                "bed_id": bed_id, "gardener": person.name, "name": f"{site} bed", "light": light,
                "area_m2": area,
            }  # fmt: skip
            for plant in rng.sample([name for name in plants if plants[name]["light"] == light], 2):
                count = rng.randrange(1, max(2, int(area * 0.3 * plants[plant]["per_m2"]) + 1))
                planting_id = content_id("pl", bed_id, plant, count, "2026-02-20")
                plantings[planting_id] = {
                    "bed_id": bed_id, "plant": plant, "count": count, "day": "2026-02-20",
                }  # fmt: skip
    return {
        "plants": plants,
        "frosts": dict(sorted(_frosts(seed).items())),
        "beds": dict(sorted(beds.items())),
        "plantings": dict(sorted(plantings.items())),
    }


WORLD = World("garden", "Plants, beds, frost days, sowing calendars, watering.", _tables)

_PLANT = draw_from("plants", "plant")
_BED = draw_from("beds", "bed_id")


def _frosty_city(view: View, rng: random.Random) -> str:
    return rng.choice([city for city, row in view.rows("frosts") if row["last"]])


def _plant_of(view: View, name: str) -> Row:
    row = view.get("plants", name)
    if row is None:
        raise ToolError(f'"{name}" is in no seed catalogue')
    return row


def _bed_of(view: View, bed_id: str) -> Row:
    bed = view.get("beds", bed_id)
    if bed is None:
        raise ToolError(f"no garden has a bed '{bed_id}'")
    return bed


def _in_bed(view: View, bed_id: str) -> list[Row]:
    return [row for _, row in view.rows("plantings") if row["bed_id"] == bed_id]


def _used_m2(view: View, plantings: Sequence[Row]) -> float:
    areas = (row["count"] / _plant_of(view, row["plant"])["per_m2"] for row in plantings)
    return math.fsum(areas)


@WORLD.tool(
    "Tell the average days of the last and the first frost around the coming summer in a city.",
    parameters={"city": text("City where the garden lies.", "city", pool=_frosty_city)},
    outputs=(
        Output("last_frost", "date", (
            "the day of the last frost before the summer in {city}",
            "the date after which {city} is free of frost",
        )),
        Output("first_frost", "date", (
            "the day of the first frost after the summer in {city}",
            "the date in autumn on which {city} can expect frost again",
        )),
        Output("frost_free_days", "count", (
            "the number of days between the last and the first frost in {city}",
            "the length in days of the frost-free season in {city}",
        )),
    ),
    wishes=(
        "When is the last frost in {city}, and when the first?",
        "Frost dates for {city}, please.",
        "I'm new to gardening and live in {city}: from when to when is there no frost?",
    ),
    reads=("frosts",),
)  # fmt: skip
def frost_dates(view: View, city: str) -> dict[str, Any]:
    """Last frost, first frost and the days between."""
    row = view.get("frosts", city)
    if row is None:
        raise ToolError(f"no frost records are kept for '{city}'")
    if row["last"] is None:
        raise ToolError(f"{city} has no frost")
    last, first = (datetime.date.fromisoformat(row[key]) for key in ("last", "first"))
    return {"last_frost": row["last"], "first_frost": row["first"],
            "frost_free_days": (first - last).days}  # fmt: skip


@WORLD.tool(
    "Search plants of a kind for a place's light, quickest to harvest or bloom first; thirsty "
    "ones or slow ones left out if asked.",
    parameters={
        "kind": choice("Kind of plant.", "plant_kind", _KINDS),
        "light": choice(
            "How much sun the place gets.", "light", _LIGHT,
            says={'"sun"': "full sun", '"half-shade"': "half shade", '"shade"': "full shade"},
        ),
        "max_days": integer(
            "Longest time to harvest in days.", "count", minimum=20, maximum=200,
            pool=lambda view, rng: rng.randrange(40, 120, 10), optional=True,
        ),
        "max_water": number(
            "Most water, litres per square metre and week.", "volume_l", minimum=8,
            pool=lambda view, rng: rng.randrange(14, 30), optional=True,
        ),
    },
    outputs=(
        Output("plants[0].plant", "plant", (
            ("the quickest {kind} for {light}[, ready at the latest after this many days: "
             "{max_days}][, needing no more than {max_water} a week per square metre]"),
            ("whichever {kind} comes on fastest in {light}[ (limit in days: {max_days})][ "
             "(weekly water per square metre: {max_water} at most)]"),
        )),
        Output("names", "list:plant", (
            ("every {kind} that suits {light}[ and is ready after no more days than {max_days}][ "
             "and needs {max_water} per square metre and week at most]"),
            ("all {kind} plants for {light}[ (limit in days: {max_days})][ (weekly water per "
             "square metre: {max_water} at most)]"),
        )),
        Output("plants[0].days", "count", (
            ("the number of days that the quickest {kind} for {light} needs[ (limit: "
             "{max_days})][, counting only those that get by on {max_water} per square metre and "
             "week]"),
            ("how many days the fastest {kind} in {light} takes[ (no more than {max_days})][ "
             "(weekly water per square metre: {max_water} at most)]"),
        )),
    ),
    wishes=(
        ("Which {kind} plants suit {light}[, with days to harvest at most {max_days}][, needing "
         "{max_water} per square metre and week or less]?"),
        ("{kind} for {light}, fastest first[; limit in days: {max_days}][; weekly water per "
         "square metre: {max_water} at most]."),
        ("My plot is in {light} and I'd like a {kind} there; what grows quickly[ (days: "
         "{max_days} at most)][ and is happy with {max_water} per square metre and week]?"),
    ),
    reads=("plants",),
)  # fmt: skip
def choose_plants(
    view: View, kind: str, light: str, max_days: int | None = None, max_water: float | None = None
) -> dict[str, Any]:
    """Plants that fit, by days to harvest."""
    found = [
        {"plant": row["plant"], "days": row["days"], "litres_per_m2_week": row["water"]}
        for _, row in view.rows("plants")
        if row["kind"] == kind
        and row["light"] == light
        and (max_days is None or row["days"] <= max_days)
        and (max_water is None or row["water"] <= max_water)
    ]
    found.sort(key=lambda row: (row["days"], row["plant"]))
    return {"plants": found, "names": [row["plant"] for row in found], "count": len(found)}


@WORLD.tool(
    "Compute the sowing window of a plant and its earliest harvest from the day of the last frost.",
    parameters={
        "plant": text("Name of the plant.", "plant", pool=_PLANT),
        "last_frost": date("Day of the last frost, YYYY-MM-DD."),
    },
    outputs=(
        Output("sow_from", "date", (
            "the first day to sow {plant}, the last frost being on {last_frost}",
            "the earliest sowing date of {plant} where frost ends on {last_frost}",
        )),
        Output("sow_until", "date", (
            "the last day to sow {plant}, the last frost being on {last_frost}",
            "the latest sowing date of {plant} where frost ends on {last_frost}",
        )),
        Output("harvest_from", "date", (
            "the first harvest day of {plant}, the last frost being on {last_frost}",
            "the earliest day to pick {plant} where frost ends on {last_frost}",
        )),
    ),
    wishes=(
        "When can I sow {plant} if the last frost is on {last_frost}?",
        "Sowing window and harvest of {plant}, please. Last frost: {last_frost}.",
        ("I count on the last frost on {last_frost} and fancy growing {plant}: from when until "
         "when should the seeds go in?"),
    ),
    reads=("plants",),
)  # fmt: skip
def sowing_window(view: View, plant: str, last_frost: str) -> dict[str, Any]:
    """First and last sowing, earliest harvest."""
    row = _plant_of(view, plant)
    first = _after(last_frost, row["sow_first"])
    return {
        "sow_from": first,
        "sow_until": _after(last_frost, row["sow_last"]),
        "harvest_from": _after(first, row["days"]),
    }


@WORLD.tool(
    "Judge how well plants go together in one bed: good and bad neighbours, and the plant with "
    "the most bad ones.",
    parameters={
        "plants": array(
            "Names of the plants.", text("Name of a plant.", "plant", pool=_PLANT), minItems=2,
            maxItems=12,
        ),
    },
    outputs=(
        Output("bad_pairs", "count", (
            "the number of bad neighbours among {plants}",
            "how many pairs get on badly if {plants} share a bed",
        )),
        Output("good_pairs", "count", (
            "the number of good neighbours among {plants}",
            "how many pairs help each other if {plants} share a bed",
        )),
        Output("troublemaker", "plant", (
            "the one that gets on worst with the others out of {plants}",
            "the plant with most enemies among {plants}",
        )),
    ),
    wishes=(
        "Do {plants} go together in one bed?",
        "Companion check, please: {plants}.",
        "I'd like to put {plants} side by side. Who is good for whom, and who isn't?",
    ),
    reads=("plants",),
)  # fmt: skip
def check_companions(view: View, plants: Sequence[str]) -> dict[str, Any]:
    """Pairs that help and pairs that harm; the troublemaker is the first with most foes."""
    names = list(dict.fromkeys(plants))
    families = {name: _plant_of(view, name)["family"] for name in names}
    foes = dict.fromkeys(names, 0)
    good = bad = 0
    for one, other in combinations(names, 2):
        pair = tuple(sorted((families[one], families[other])))
        good += pair in _FRIENDS
        if pair in _FOES:
            bad += 1
            foes[one] += 1
            foes[other] += 1
    worst = max(names, key=lambda name: foes[name])
    return {"good_pairs": good, "bad_pairs": bad} | ({"troublemaker": worst} if bad else {})


@WORLD.tool(
    "Find the beds of a gardener by how much room is left, most first; of one light if asked. "
    "Reads the plantings.",
    parameters={
        "gardener": text(
            "Full name of the gardener.", "person", pool=draw_from("beds", "gardener"),
        ),
        "light": choice(
            "How much sun the bed gets.", "light", _LIGHT,
            says={'"sun"': "full sun", '"half-shade"': "half shade", '"shade"': "full shade"},
            optional=True,
        ),
    },
    outputs=(
        Output("beds[0].bed_id", "bed_id", (
            "the bed[ in {light}] with most room left in the garden of {gardener}",
            "whichever bed[ (in {light})] of {gardener} has the largest free area",
        )),
        Output("bed_ids", "list:bed_id", (
            "all beds[ in {light}] of {gardener}",
            "every bed[ (in {light})] that {gardener} looks after",
        )),
        Output("beds[0].free_m2", "area_m2", (
            "the free area of the emptiest bed[ in {light}] of {gardener}",
            "the room left in the bed[ (in {light})] of {gardener} that has most of it",
        )),
    ),
    wishes=(
        "Which beds[ in {light}] of {gardener} still have room?",
        "Free space in the beds of {gardener}[, {light} only], most first.",
        ("I'd like to see how much room {gardener} has left for planting, bed by bed[, leaving "
         "out what isn't in {light}]."),
    ),
    reads=("beds", "plantings", "plants"),
)  # fmt: skip
def find_bed(view: View, gardener: str, light: str | None = None) -> dict[str, Any]:
    """Beds of a gardener by free area."""
    found = []
    for bed_id, bed in view.rows("beds"):
        if bed["gardener"] == gardener and light in (None, bed["light"]):
            free = max(bed["area_m2"] - _used_m2(view, _in_bed(view, bed_id)), 0)
            shown = {"bed_id": bed_id, "name": bed["name"], "light": bed["light"]}
            found.append({**shown, "free_m2": round(free, 2)})
    found.sort(key=lambda row: (-row["free_m2"], row["bed_id"]))
    ids = [row["bed_id"] for row in found]
    return {"beds": found, "bed_ids": ids, "count": len(found)}


@WORLD.tool(
    "Plant a number of plants in a bed on a day. Adds to the plantings; reads them for the room "
    "that is left.",
    parameters={
        "bed_id": text("Id of the bed.", "bed_id", pool=_BED),
        "plant": text("Name of the plant.", "plant", pool=_PLANT),
        "count": integer("How many.", "count", minimum=1, maximum=400),
        "day": date("Day of planting, YYYY-MM-DD."),
    },
    outputs=(
        Output("planting_id", "planting_id", (
            "the planting of {plant} in {bed_id} on {day} (number of plants: {count})",
            "the entry for {day} that puts {plant} into {bed_id} (how many: {count})",
        )),
        Output("area_m2", "area_m2", (
            "the area taken up by {plant} in {bed_id}, planted on {day} (number: {count})",
            "the room that {plant}, put in on {day}, takes in {bed_id} (how many: {count})",
        )),
        Output("harvest_from", "date", (
            "the first harvest of {plant} put into {bed_id} on {day} (number of plants: {count})",
            ("the day from which to pick {plant} out of {bed_id}, planted on {day} (number: "
             "{count})"),
        )),
    ),
    wishes=(
        "Plant {plant} in {bed_id} on {day}. Number of plants: {count}.",
        "{bed_id} gets {plant} on {day} (how many: {count}), please enter that.",
        ("On {day} I'm putting {plant} into {bed_id}; would you note it down? The number of "
         "plants is {count}."),
    ),
    reads=("beds", "plants", "plantings"),
    writes=("plantings",),
    undo=Undo("clear_planting", {"planting_id": "result.planting_id"}),
)  # fmt: skip
def plant_in_bed(view: View, bed_id: str, plant: str, count: int, day: str) -> dict[str, Any]:
    """A planting, if the bed has the room; the same one twice is refused."""
    bed, row = _bed_of(view, bed_id), _plant_of(view, plant)
    if day < TODAY.isoformat():
        raise ToolError(f"nothing can be planted on {day}, which is past")
    planting_id = content_id("pl", bed_id, plant, count, day)
    if view.get("plantings", planting_id):
        raise ToolError(f"{plant} is already in {bed_id} since {day}: {planting_id}")
    area = count / row["per_m2"]
    free = bed["area_m2"] - _used_m2(view, _in_bed(view, bed_id))
    if area > free:
        raise ToolError(
            f"{bed_id} has {max(free, 0):.2f} m² left, {count} of {plant} take {area:.2f} m²"
        )
    new = {"bed_id": bed_id, "plant": plant, "count": count, "day": day}
    view.put("plantings", planting_id, new)
    harvest = _after(day, row["days"])
    return {"planting_id": planting_id, "area_m2": round(area, 2), "harvest_from": harvest}


@WORLD.tool(
    "Clear away a planting. Removes it from the plantings.",
    parameters={"planting_id": text("Id of the planting.", "planting_id")},
    wishes=(
        "Clear {planting_id}.",
        "Please take {planting_id} out of the bed again.",
        "I've changed my mind, so remove {planting_id} from the plan.",
    ),
    reads=("plantings",),
    writes=("plantings",),
)  # fmt: skip
def clear_planting(view: View, planting_id: str) -> dict[str, Any]:
    """Remove the planting without a trace."""
    row = view.get("plantings", planting_id)
    if row is None:
        raise ToolError(f"nothing is planted under '{planting_id}'")
    view.remove("plantings", planting_id)
    return {"cleared": planting_id, "bed_id": row["bed_id"], "plant": row["plant"]}


@WORLD.tool(
    "Compute the water that beds need in a week beyond the rain. Reads the plantings.",
    parameters={
        "bed_ids": array(
            "Ids of the beds.", text("Id of a bed.", "bed_id", pool=_BED),
            minItems=1, maxItems=6,
        ),
        "rain_mm": number("Rain of the week in mm.", "rain_mm", minimum=0, maximum=300),
    },
    outputs=(
        Output("litres", "volume_l", (
            "the water to be poured in a week on {bed_ids}, the rain being {rain_mm}",
            "the amount of watering needed by {bed_ids} in a week (rain: {rain_mm})",
        )),
        Output("driest", "bed_id", (
            "the bed that needs most watering out of {bed_ids} in a week (rain: {rain_mm})",
            "the thirstiest of {bed_ids}, the rain of the week being {rain_mm}",
        )),
    ),
    wishes=(
        "How much do I have to water {bed_ids} in a week (rain: {rain_mm})?",
        "Watering for {bed_ids}, weekly rain {rain_mm}: how many litres?",
        "Say the rain of the week is {rain_mm}. How much water is needed on top by {bed_ids}?",
    ),
    reads=("beds", "plantings", "plants"),
)  # fmt: skip
def watering_need(view: View, bed_ids: Sequence[str], rain_mm: float) -> dict[str, Any]:
    """Litres beyond the rain, in all and per bed; the driest is the first with most."""
    needs = {}
    for bed_id in dict.fromkeys(bed_ids):
        _bed_of(view, bed_id)
        litres = 0.0
        for row in _in_bed(view, bed_id):
            plant = _plant_of(view, row["plant"])
            litres += max(plant["water"] - rain_mm, 0) * row["count"] / plant["per_m2"]
        needs[bed_id] = round(litres, 1)
    driest = max(needs, key=lambda bed_id: needs[bed_id])
    listed = [{"bed_id": bed_id, "litres": litres} for bed_id, litres in needs.items()]
    return {"litres": round(math.fsum(needs.values()), 1), "driest": driest, "beds": listed}
