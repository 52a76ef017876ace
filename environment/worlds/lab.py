"""Laboratory: samples and signals, calibration, dilutions, reagents, instruments."""

import datetime
import math
from random import Random
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
    record,
    text,
)

_MATERIALS = ("river water", "tap water", "soil extract", "fruit juice", "milk", "serum")
_ANALYTES = ("nitrate", "phosphate", "iron", "glucose", "protein")
_LEVELS = (0.5, 1, 2, 5, 10, 20)
_REAGENTS = ("acetate buffer", "molybdate", "ferrozine", "peroxidase", "biuret", "sulfanilamide",
             "ascorbic acid", "phosphate buffer")  # fmt: skip
_INSTRUMENTS = {"photometer": 4, "centrifuge": 3, "fume hood": 3, "microscope": 2}
_OPENS, _CLOSES = 8, 18


def _sample(rng: Random, at: int, slopes: dict[str, tuple[float, float]], names: list[str]) -> Row:
    amounts = {analyte: rng.uniform(0.6, 18) for analyte in _ANALYTES}
    collected = TODAY - datetime.timedelta(days=rng.randrange(2, 90))
    return {
        "sample_id": f"S-{1001 + at}",
        "material": _MATERIALS[at % len(_MATERIALS)],
        "city": rng.choice(CITY_NAMES),
        "collected": collected.isoformat(),
        "collected_by": rng.choice(names),
        "volume_ml": rng.randrange(10, 260, 5),
        "signals": {
            analyte: round(slope * amounts[analyte] + base + rng.gauss(0, 0.002), 4)
            for analyte, (slope, base) in slopes.items()
        },
    }


def _tables(seed: int) -> Tables:
    rng = generator(seed, "lab")
    slopes = {name: (rng.uniform(0.03, 0.12), rng.uniform(0.01, 0.05)) for name in _ANALYTES}
    names = [one.name for one in people(seed)][:25]
    samples = {row["sample_id"]: row for row in (_sample(rng, at, slopes, names)
                                                 for at in range(180))}  # fmt: skip
    standards: dict[str, Row] = {
        analyte: {
            "levels": list(_LEVELS),
            "signals": [round(slope * x * (1 + rng.gauss(0, 0.02)) + base, 4) for x in _LEVELS],
        }
        for analyte, (slope, base) in sorted(slopes.items())
    }
    lots: dict[str, Row] = {}
    for reagent in _REAGENTS:
        price = rng.randrange(4, 60) / 100
        for _ in range(8):
            lot_id = f"LOT-{len(lots) + 101}"
            expires = TODAY + datetime.timedelta(days=rng.randrange(10, 400))
            lots[lot_id] = {
                "lot_id": lot_id,
                "reagent": reagent,
                "free_ml": rng.randrange(40, 400, 10),
                "expires": expires.isoformat(),
                "price_per_ml": price,
            }
    return {
        "samples": samples,
        "materials": {
            name: {"sample_ids": [key for key, row in samples.items() if row["material"] == name]}
            for name in sorted(_MATERIALS)
        },
        "standards": standards,
        "lots": lots,
        "reservations": {},
        "calendar": _calendar(rng, names),
    }


def _calendar(rng: Random, names: list[str]) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for kind in sorted(_INSTRUMENTS):
        for at in range(1, _INSTRUMENTS[kind] + 1):
            for ahead in rng.sample(range(120), 60):
                day = (TODAY + datetime.timedelta(days=ahead)).isoformat()
                start = rng.randrange(_OPENS, _CLOSES - 4)
                slot = {"start": start, "end": start + rng.randrange(1, 5)}
                rows[f"{kind} {at}/{day}"] = {"slots": [{**slot, "person": rng.choice(names)}]}
    return dict(sorted(rows.items()))


WORLD = World(
    "lab",
    "Samples, assays, calibration, dilutions, reagents, instruments.",
    _tables,
    test_only=True,
)

_ANALYTE = choice("What is measured.", "analyte", _ANALYTES)
_CURVE = record("A calibration line: signal = slope × concentration + intercept.", "curve", {
    "slope": number("Signal per mg/L.", "curve_slope", exclusiveMinimum=0),
    "intercept": number("Signal of the blank.", "curve_intercept"),
})  # fmt: skip


def _get(view: View, sample_id: str) -> Row:
    row = view.get("samples", sample_id)
    if row is None:
        raise ToolError(f"no sample is labelled '{sample_id}'")
    return row


@WORLD.tool(
    "Find samples of a material, oldest first, by place, collector and volume left.",
    parameters={
        "material": choice("What the samples are.", "material", _MATERIALS),
        "city": text("Where they were collected.", "city", optional=True),
        "collected_by": text("Full name of the collector.", "person", optional=True),
        "min_volume_ml": number("Least volume in ml.", "volume_ml", minimum=0, optional=True),
    },
    outputs=(
        Output("sample_ids", "list:sample_id", (
            "every {material} sample[ from {city}][ with at least {min_volume_ml} left]",
            ("all samples of {material}[ that {collected_by} took][ in {city}][ of {min_volume_ml} "
             "or more]"),
        )),
        Output("sample_ids[0]", "sample_id", (
            "the oldest {material} sample[ with {min_volume_ml} or more]",
            "whichever sample of {material}[ with at least {min_volume_ml}] was collected first",
        )),
        Output("samples[0].collected_by", "person", (
            "whoever collected the oldest {material} sample[ from {city}]",
            "the collector of the oldest sample of {material}[ from {city}]",
        )),
        Output("total_ml", "volume_ml", (
            "the volume of all {material} samples[ from {city}][ by {collected_by}] together",
        )),
        Output("count", "count", ("the number of {material} samples[ of {collected_by}]",)),
    ),
    wishes=(
        ("List the {material} samples[ from {city}][ collected by {collected_by}][ with at least "
         "{min_volume_ml}]."),
        ("Which samples of {material} do we have[ from {city}][, {min_volume_ml} or more][, taken "
         "by {collected_by}]?"),
        ("I'm looking for {material} samples[ that {collected_by} brought in][ from {city}]"
         "[; I need {min_volume_ml}]."),
    ),
    reads=("materials", "samples"),
)  # fmt: skip
def find_samples(
    view: View,
    material: str,
    city: str | None = None,
    collected_by: str | None = None,
    min_volume_ml: float = 0,
) -> dict[str, Any]:
    """Samples by day of collection, then label."""
    known = view.get("materials", material) or {"sample_ids": []}
    found = [
        row
        for row in (_get(view, key) for key in known["sample_ids"])
        if city in (None, row["city"])
        and collected_by in (None, row["collected_by"])
        and row["volume_ml"] >= min_volume_ml
    ]
    found.sort(key=lambda row: (row["collected"], row["sample_id"]))
    shown = ("sample_id", "city", "collected", "collected_by", "volume_ml")
    return {
        "samples": [{key: row[key] for key in shown} for row in found],
        "sample_ids": [row["sample_id"] for row in found],
        "total_ml": sum(row["volume_ml"] for row in found),
        "count": len(found),
    }


@WORLD.tool(
    "Read the photometer signals of samples for one analyte, in the order given.",
    parameters={
        "sample_ids": array(
            "Labels of the samples.",
            text("Label of a sample.", "sample_id", pool=draw_from("samples", "sample_id")),
            minItems=1,
            maxItems=40,
            uniqueItems=True,
        ),
        "analyte": _ANALYTE,
    },
    outputs=(
        Output("signals", "list:absorbance", (
            "the {analyte} signals of {sample_ids}",
            "the photometer readings for {analyte} in {sample_ids}",
        )),
        Output("strongest", "sample_id", (
            "whichever of {sample_ids} has the strongest {analyte} signal",
            "the one with the most {analyte} out of {sample_ids}",
        )),
    ),
    wishes=(
        "Read the {analyte} signals of {sample_ids}.",
        "What does the photometer say about {analyte} in {sample_ids}?",
        "I need the raw {analyte} readings for {sample_ids}, please.",
    ),
    reads=("samples",),
)  # fmt: skip
def read_signals(view: View, sample_ids: list[str], analyte: str) -> dict[str, Any]:
    """Absorbances; of equal ones the first is the strongest."""
    signals = [_get(view, sample_id)["signals"][analyte] for sample_id in sample_ids]
    return {"signals": signals, "strongest": sample_ids[signals.index(max(signals))]}


@WORLD.tool(
    "Fit the calibration line of an analyte to its standards, plain or weighted by 1/x².",
    parameters={
        "analyte": _ANALYTE,
        "weighting": choice("Weights of the standards.", "weighting", ("plain", "weighted")),
        "skip_highest": integer(
            "Leave out so many of the highest standards.",
            "count",
            minimum=1,
            maximum=3,
            optional=True,
        ),
    },
    outputs=(
        Output("curve", "curve", (
            "the {weighting} calibration line for {analyte}[ without the top {skip_highest}]",
            "the {weighting} {analyte} calibration[ that skips the {skip_highest} highest]",
        )),
        Output("detection_limit", "concentration", (
            "the detection limit for {analyte} from the {weighting} calibration",
        )),
    ),
    wishes=(
        "Fit the {weighting} calibration for {analyte}[, leaving out the top {skip_highest}].",
        ("What is the calibration line for {analyte}? Fit it {weighting}[ and skip the highest "
         "{skip_highest} standards]."),
        ("Please calibrate {analyte} with a {weighting} fit[, the {skip_highest} highest standards "
         "left out]."),
    ),
    reads=("standards",),
)  # fmt: skip
def fit_calibration(
    view: View, analyte: str, weighting: str, skip_highest: int = 0
) -> dict[str, Any]:
    """Least squares over the standards, detection limit from the scatter."""
    row = view.get("standards", analyte) or {}
    kept = len(row["levels"]) - skip_highest
    xs, ys = row["levels"][:kept], row["signals"][:kept]
    ws = [x**-2 if weighting == "weighted" else 1.0 for x in xs]
    points = list(zip(ws, xs, ys, strict=True))
    total = math.fsum(ws)
    mean_x = math.fsum(w * x for w, x, _ in points) / total
    mean_y = math.fsum(w * y for w, _, y in points) / total
    xy = math.fsum(w * (x - mean_x) * (y - mean_y) for w, x, y in points)
    xx = math.fsum(w * (x - mean_x) ** 2 for w, x, _ in points)
    slope = xy / xx
    intercept = mean_y - slope * mean_x
    scatter = math.fsum(w * (y - slope * x - intercept) ** 2 for w, x, y in points) / total
    curve = {"slope": round(slope, 6), "intercept": round(intercept, 6)}
    return {
        "curve": curve,
        "detection_limit": round(3.3 * math.sqrt(scatter) / slope, 4),
        "standards": kept,
    }


@WORLD.tool(
    "Turn signals into concentrations in mg/L by a calibration line.",
    parameters={
        "curve": _CURVE,
        "signals": array(
            "Signals.",
            number("One signal.", "absorbance", minimum=0, maximum=4),
            minItems=1,
            maxItems=40,
        ),
        "dilution_factor": number(
            "How often the samples were diluted.",
            "dilution_factor",
            minimum=1,
            maximum=1000,
            optional=True,
        ),
    },
    outputs=(
        Output("concentrations", "list:concentration", (
            ("the concentrations that {curve} gives for {signals}"
             "[ at a dilution factor of {dilution_factor}]"),
        )),
        Output("mean", "concentration", (
            ("the mean concentration by {curve}, given {signals}[ (diluted {dilution_factor} "
             "times)]"),
            "what {signals} amount to on average, by {curve}[ and a dilution of {dilution_factor}]",
        )),
        Output("highest", "concentration", (
            "the highest concentration that {curve} gives for {signals}",
        )),
    ),
    wishes=(
        "Convert {signals} to concentrations with {curve}[, dilution factor {dilution_factor}].",
        ("By {curve}, which concentrations do {signals} stand for[ (diluted {dilution_factor} "
         "times)]?"),
        ("Please take {curve} and work out the concentrations behind {signals}[, which come from a "
         "dilution of {dilution_factor}]."),
    ),
)  # fmt: skip
def to_concentrations(
    view: View, curve: dict[str, float], signals: list[float], dilution_factor: float = 1
) -> dict[str, Any]:
    """Concentrations in the order of the signals; below the blank it is 0."""
    found = [
        round(max(0.0, (signal - curve["intercept"]) / curve["slope"]) * dilution_factor, 4)
        for signal in signals
    ]
    mean = round(math.fsum(found) / len(found), 4)
    return {"concentrations": found, "mean": mean, "highest": max(found)}


@WORLD.tool(
    "Plan a dilution: how much stock and how much diluent make a volume of a concentration.",
    parameters={
        "stock": number("Concentration at hand in mg/L.", "concentration", exclusiveMinimum=0,
                        pool=lambda view, rng: rng.randrange(10, 60)),
        "target": number("Concentration wanted in mg/L.", "concentration", exclusiveMinimum=0,
                         pool=lambda view, rng: rng.randrange(1, 20) / 4),
        "volume_ml": number("Volume wanted in ml.", "volume_ml", exclusiveMinimum=0, maximum=5000),
    },
    outputs=(
        Output("stock_ml", "volume_ml", (
            "the volume of stock at {stock} that {volume_ml} at {target} take",
            "the amount of stock, which is at {stock}, that goes into {volume_ml} at {target}",
        )),
        Output("diluent_ml", "volume_ml", (
            "the diluent needed to bring {stock} down to {target} in {volume_ml}",
            "the amount of diluent that turns {stock} into {volume_ml} at {target}",
        )),
        Output("factor", "dilution_factor", (
            "the dilution factor from {stock} to {target} (for {volume_ml})",
        )),
    ),
    wishes=(
        "Dilute {stock} to {target}, {volume_ml} in all: how much of what?",
        "How do I make {volume_ml} at {target} from a stock of {stock}?",
        "Please plan a dilution from {stock} down to {target} that yields {volume_ml}.",
    ),
)  # fmt: skip
def plan_dilution(view: View, stock: float, target: float, volume_ml: float) -> dict[str, Any]:
    """Volumes by the rule of mixing."""
    if target >= stock:
        raise ToolError(f"diluting {stock:g} mg/L cannot give {target:g} mg/L")
    part = round(volume_ml * target / stock, 4)
    diluent = round(volume_ml - part, 4)
    return {"stock_ml": part, "diluent_ml": diluent, "factor": round(stock / target, 4)}


@WORLD.tool(
    "Reserve a volume of a reagent, from the lots that expire first but not before it is needed. "
    "Adds a reservation and lowers the free volume of the lots.",
    parameters={
        "reagent": choice("Which reagent.", "reagent", _REAGENTS),
        "volume_ml": number("Volume in ml.", "volume_ml", exclusiveMinimum=0),
        "needed_on": date("Day it is needed, YYYY-MM-DD."),
    },
    outputs=(
        Output("reservation_id", "reagent_reservation_id", (
            "a new reservation of {volume_ml} of {reagent} for {needed_on}",
        )),
        Output("cost", "price", (
            "the cost of reserving {volume_ml} of {reagent} for {needed_on}",
        )),
        Output("first_expiry", "date", (
            "the earliest expiry in a new reservation of {volume_ml} of {reagent} for {needed_on}",
        )),
    ),
    wishes=(
        "Reserve {volume_ml} of {reagent} for {needed_on}.",
        "Please set {volume_ml} of {reagent} aside; I need it on {needed_on}.",
        "On {needed_on} we are going to use {reagent}, {volume_ml} of it. Put it on reserve.",
    ),
    reads=("lots", "reservations"),
    writes=("lots", "reservations"),
    undo=Undo("release_reagent", {"reservation_id": "result.reservation_id"}),
)  # fmt: skip
def reserve_reagent(view: View, reagent: str, volume_ml: float, needed_on: str) -> dict[str, Any]:
    """A reservation over lots; the same one twice is refused."""
    reservation_id = content_id("rr", reagent, volume_ml, needed_on)
    if view.get("reservations", reservation_id):
        raise ToolError(f"{volume_ml:g} ml of {reagent} are already reserved for {needed_on}")
    lots = [row for row in view.values("lots")
            if row["reagent"] == reagent and row["expires"] >= needed_on]  # fmt: skip
    lots.sort(key=lambda row: (row["expires"], row["lot_id"]))
    taken, open_ml = [], volume_ml
    for lot in lots:
        part = min(open_ml, lot["free_ml"])
        if part > 0:
            taken.append((lot, part))
            open_ml = round(open_ml - part, 6)
    if open_ml > 0:
        raise ToolError(f"{open_ml:g} ml of the {volume_ml:g} ml of {reagent} are not in stock")
    for lot, part in taken:
        view.put("lots", lot["lot_id"], {**lot, "free_ml": round(lot["free_ml"] - part, 6)})
    parts = [{"lot_id": lot["lot_id"], "ml": part} for lot, part in taken]
    view.put("reservations", reservation_id, {"reagent": reagent, "parts": parts})
    return {
        "reservation_id": reservation_id,
        "lots": parts,
        "first_expiry": taken[0][0]["expires"],
        "cost": round(volume_ml * taken[0][0]["price_per_ml"], 2),
    }


@WORLD.tool(
    "Release a reagent reservation. Removes it and gives the volume back to the lots.",
    parameters={"reservation_id": text("Id of the reservation.", "reagent_reservation_id")},
    wishes=(
        "Release {reservation_id}.",
        "Please give {reservation_id} back to the stock.",
        "The experiment is off; {reservation_id} can be released.",
    ),
    reads=("lots", "reservations"),
    writes=("lots", "reservations"),
)  # fmt: skip
def release_reagent(view: View, reservation_id: str) -> dict[str, Any]:
    """Give every part back to its lot."""
    row = view.get("reservations", reservation_id)
    if row is None:
        raise ToolError(f"there is no reagent reservation '{reservation_id}'")
    for part in row["parts"]:
        lot = view.get("lots", part["lot_id"]) or {}
        free = round(lot["free_ml"] + part["ml"], 6)
        view.put("lots", part["lot_id"], {**lot, "free_ml": free})
    view.remove("reservations", reservation_id)
    return {"released": reservation_id, "reagent": row["reagent"]}


def _first_gap(slots: list[dict[str, Any]], hours: int) -> int | None:
    """The first full hour at which so many hours are free, or None."""
    for start in range(_OPENS, _CLOSES - hours + 1):
        if all(start + hours <= slot["start"] or slot["end"] <= start for slot in slots):
            return start
    return None


@WORLD.tool(
    "Book an instrument of a kind for a day: the one that is free earliest. Adds an instrument "
    "booking and reads the others.",
    parameters={
        "kind": choice("Kind of instrument.", "instrument_kind", tuple(_INSTRUMENTS)),
        "day": date("Day, YYYY-MM-DD."),
        "hours": integer("Full hours.", "count", minimum=1, maximum=6),
        "person": text("Full name of the user.", "person"),
    },
    outputs=(
        Output("slot_id", "instrument_slot_id", (
            "a new {kind} booking of {hours} hours for {person} on {day}",
        )),
        Output("starts", "time", (
            "the start of a new {kind} booking of {hours} hours for {person} on {day}",
        )),
    ),
    wishes=(
        "Book a {kind} on {day} for {person}, {hours} hours.",
        "{person} needs a {kind} for {hours} hours on {day}; please book the earliest one.",
        "Could you get {person} {hours} hours at any {kind} on {day}, as early as possible?",
    ),
    reads=("calendar",),
    writes=("calendar",),
    undo=Undo("cancel_instrument", {"slot_id": "result.slot_id"}),
)  # fmt: skip
def book_instrument(view: View, kind: str, day: str, hours: int, person: str) -> dict[str, Any]:
    """The earliest slot, then the lowest number; booking again books another slot."""
    if day < TODAY.isoformat():
        raise ToolError(f"{day} is past, no {kind} can be booked for it")
    gaps = []
    for at in range(1, _INSTRUMENTS[kind] + 1):
        row = view.get("calendar", f"{kind} {at}/{day}")
        start = _first_gap(list(row["slots"]) if row else [], hours)
        if start is not None:
            gaps.append((start, f"{kind} {at}", list(row["slots"]) if row else []))
    if not gaps:
        raise ToolError(f"no {kind} is free for {hours} hours on {day}")
    start, name, slots = min(gaps, key=lambda gap: gap[:2])
    slot = {"start": start, "end": start + hours, "person": person}
    ordered = sorted([*slots, slot], key=lambda one: one["start"])
    view.put("calendar", f"{name}/{day}", {"slots": ordered})
    return {"slot_id": f"{name}/{day}/{start}", "instrument": name, "starts": f"{start:02d}:00"}


@WORLD.tool(
    "Cancel an instrument booking. Removes it from the calendar of the instrument.",
    parameters={"slot_id": text("Id of the booking.", "instrument_slot_id")},
    wishes=(
        "Cancel {slot_id}.",
        "Please free {slot_id} for somebody else.",
        "We can't make it: {slot_id} should be called off.",
    ),
    reads=("calendar",),
    writes=("calendar",),
)  # fmt: skip
def cancel_instrument(view: View, slot_id: str) -> dict[str, Any]:
    """Take a slot out without a trace."""
    key, _, start = slot_id.rpartition("/")
    row = view.get("calendar", key) or {"slots": []}
    kept = [slot for slot in row["slots"] if str(slot["start"]) != start]
    if len(kept) == len(row["slots"]):
        raise ToolError(f"no instrument is booked under '{slot_id}'")
    if kept:
        view.put("calendar", key, {"slots": kept})
    else:
        view.remove("calendar", key)
    return {"cancelled": slot_id}
