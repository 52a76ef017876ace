"""Energy: tariffs, meter readings, sun on roofs, what a device uses, what a change saves."""

import datetime
import math
import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from environment.meanings import TODAY
from environment.people import people
from environment.places import BY_NAME, CITY_NAMES
from environment.state import Row, Tables, View
from environment.world import (
    Output,
    ToolError,
    Undo,
    World,
    array,
    choice,
    date,
    draw_from,
    generator,
    integer,
    number,
    text,
)

_SUPPLIERS = (
    "Auroral Beacon Cinder Delta Ember Fjordic Gridline Halo Inlet Joule Kilo Lumen Meadow Norwind"
).split()
_PLANS = ("Basic", "Fix", "Flex", "Green", "Night", "Saver")
_DIRECTIONS = {"south": 1.0, "east": 0.82, "west": 0.83, "north": 0.6}
_MONTHS = range(1, 13)
_BACK = 460


def _after(day: str, days: int) -> str:
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _ordinal(day: str) -> int:
    return datetime.date.fromisoformat(day).toordinal()


def _tariffs(seed: int) -> dict[str, Row]:
    rng = generator(seed, "energy", "tariffs")
    rows: dict[str, Row] = {}
    for supplier in _SUPPLIERS:
        for plan in rng.sample(_PLANS, 5):
            name = f"{supplier} {plan}"
            rate = rng.randrange(190, 420) / 1000
            rows[name] = {
                "tariff": name,
                "supplier": supplier,
                "green": plan == "Green" or rng.random() < 0.25,
                "monthly_fee": rng.randrange(4, 19) + rng.choice((0, 0.5)),
                "rate": rate,
                "night_rate": round(rate * (0.62 if plan == "Night" else 0.9), 3),
                "months_bound": rng.choice((0, 1, 6, 12, 24)),
            }
    return dict(sorted(rows.items()))


def _meters(seed: int, tariffs: Sequence[str]) -> tuple[dict[str, Row], dict[str, Row]]:
    """Meters with their tariffs, and their readings by "meter/day"."""
    rng = generator(seed, "energy", "meters")
    meters: dict[str, Row] = {}
    readings: dict[str, Row] = {}
    for person in people(seed)[:60]:
        meter_id = f"em-{rng.randrange(100, 1000)}{len(meters) + 11}"
        tariff = rng.choice(tariffs)
        day, value = TODAY.toordinal() - _BACK, rng.randrange(2000, 60000)
        days = []
        while day <= TODAY.toordinal() - 3:
            days.append(datetime.date.fromordinal(day).isoformat())
            readings[f"{meter_id}/{days[-1]}"] = {"value": value}
            step = rng.randrange(27, 36)
            day, value = day + step, value + step * rng.randrange(4, 22)
        meters[meter_id] = {
            "meter_id": meter_id,
            "customer": person.name,
            "city": person.city,
            "tariff": tariff,
            "days": days,
        }
    return dict(sorted(meters.items())), dict(sorted(readings.items()))


def _sunshine(seed: int) -> dict[str, Row]:
    """Yield in kWh that one kW of panels facing south yields in each month."""
    rng = generator(seed, "energy", "sunshine")
    rows: dict[str, Row] = {}
    for city in CITY_NAMES:
        lat = BY_NAME[city].lat
        turn = 201 if lat >= 0 else 19
        yearly = 1750 - 12.5 * abs(lat) + rng.uniform(-90, 90)
        shares = [
            1 + abs(lat) / 70 * math.cos(2 * math.pi * (30.4 * month - 15 - turn) / 365)
            for month in _MONTHS
        ]
        rows[city] = {"months": [round(yearly * share / math.fsum(shares), 1) for share in shares]}
    return dict(sorted(rows.items()))


def _tables(seed: int) -> Tables:
    tariffs = _tariffs(seed)
    meters, readings = _meters(seed, list(tariffs))
    rng = generator(seed, "energy", "grids")
    grids = {city: {"suppliers": sorted(rng.sample(_SUPPLIERS, 4))} for city in CITY_NAMES}
    return {
        "tariffs": tariffs,
        "grids": dict(sorted(grids.items())),
        "meters": meters,
        "readings": readings,
        "sunshine": _sunshine(seed),
    }


WORLD = World("energy", "Tariffs, meters, solar yield, device consumption, savings.", _tables)

_TARIFF = draw_from("tariffs", "tariff")
_METER = text(
    "Number of the meter.",
    "electricity_meter",
    pool=draw_from("meters", "meter_id"),
    says={"": "meter {value}"},
)


def _past(least: int, most: int) -> Any:
    """A pool of days that lie between `least` and `most` days back."""

    def pool(view: View, rng: random.Random) -> str:
        return _after(TODAY.isoformat(), -rng.randint(least, most))

    return pool


def _tariff_of(view: View, name: str) -> Row:
    row = view.get("tariffs", name)
    if row is None:
        raise ToolError(f"no supplier offers a tariff called '{name}'")
    return row


def _meter_of(view: View, meter_id: str) -> Row:
    row = view.get("meters", meter_id)
    if row is None:
        raise ToolError(f"electricity meter '{meter_id}' is not on file")
    return row


def _value_of(view: View, meter_id: str, day: str) -> float:
    row = view.get("readings", f"{meter_id}/{day}")
    return float(row["value"]) if row else math.nan


def _cost(tariff: Row, kwh: float, night_percent: float = 0) -> float:
    """EUR a year: the fee and the energy, a share of it at night."""
    night = night_percent / 100
    rate = tariff["rate"] * (1 - night) + tariff["night_rate"] * night
    return round(float(12 * tariff["monthly_fee"] + rate * kwh), 2)


@WORLD.tool(
    "Rank the tariffs offered in a city for a yearly consumption by what they cost a year; only "
    "green ones, and with a share used at night, if asked.",
    parameters={
        "city": text("City to be supplied.", "city"),
        "yearly_kwh": number(
            "Consumption of a year in kWh.", "energy_kwh", minimum=1,
            pool=lambda view, rng: rng.randrange(900, 7000, 50),
        ),
        "night_percent": number(
            "Share used at night in percent.", "percent", minimum=0, maximum=100, optional=True,
        ),
        "source": choice(
            "Which electricity.", "power_source", ("green", "any"), optional=True,
            says={'"green"': "green electricity", '"any"': "electricity from whatever source"},
        ),
    },
    outputs=(
        Output("tariffs[0].tariff", "tariff", (
            ("the cheapest tariff in {city} for a yearly consumption of {yearly_kwh}[, "
             "{night_percent} of it at night][, {source}]"),
            ("whichever offer[ of {source}] in {city} costs least at {yearly_kwh} a year[ when "
             "the share used at night is {night_percent}]"),
        )),
        Output("tariffs[0].yearly_cost", "price", (
            ("the yearly cost of the cheapest tariff in {city} for a consumption of "
             "{yearly_kwh}[, {night_percent} of it at night][, {source}]"),
            ("the least one can pay in {city}[ for {source}] at {yearly_kwh} a year[ when the "
             "share used at night is {night_percent}]"),
        )),
    ),
    wishes=(
        ("Which tariffs in {city} are cheapest for a yearly consumption of {yearly_kwh}[, "
         "{night_percent} of it at night][, {source}]?"),
        ("Tariffs in {city} by cost: {yearly_kwh} a year[, night share {night_percent}][, "
         "{source}]."),
        ("We live in {city} and use {yearly_kwh} a year[, and the share at night is "
         "{night_percent}]. What would we pay with whom[, given that we want {source}]?"),
    ),
    reads=("grids", "tariffs"),
)  # fmt: skip
def compare_tariffs(
    view: View, city: str, yearly_kwh: float, night_percent: float = 0, source: str = "any"
) -> dict[str, Any]:
    """The ten cheapest tariffs of the suppliers that serve the city."""
    grid = view.get("grids", city)
    if grid is None:
        raise ToolError(f"no electricity supplier serves '{city}'")
    costs = sorted(
        (_cost(row, yearly_kwh, night_percent), name)
        for name, row in view.rows("tariffs")
        if row["supplier"] in grid["suppliers"] and (source == "any" or row["green"])
    )
    listed = [{"tariff": name, "yearly_cost": cost} for cost, name in costs[:10]]
    return {"tariffs": listed, "count": len(costs)}


@WORLD.tool(
    "Compute what the use of some energies would save a year by changing from one tariff to "
    "another.",
    parameters={
        "from_tariff": text("Tariff now.", "tariff", pool=_TARIFF),
        "to_tariff": text("Tariff to change to.", "tariff", pool=_TARIFF),
        "uses_kwh": array(
            "Yearly uses in kWh, which are added up.",
            number("One use in kWh a year.", "energy_kwh", minimum=0), minItems=1, maxItems=8,
        ),
    },
    outputs=(
        Output("saving", "price", (
            ("the yearly saving from changing {from_tariff} for {to_tariff}, with the uses of a "
             "year being {uses_kwh}"),
            ("what one gains a year by leaving {from_tariff} and taking {to_tariff} (yearly use: "
             "{uses_kwh})"),
        )),
    ),
    wishes=(
        "What do I save a year by changing from {from_tariff} to {to_tariff}? I use {uses_kwh}.",
        "{from_tariff} or {to_tariff}: yearly difference, please. Yearly use: {uses_kwh}.",
        ("Our uses over the year are {uses_kwh}. Would it pay to give up {from_tariff} and take "
         "{to_tariff}, and how much?"),
    ),
    reads=("tariffs",),
)  # fmt: skip
def tariff_saving(
    view: View, from_tariff: str, to_tariff: str, uses_kwh: Sequence[float]
) -> dict[str, Any]:
    """EUR a year, negative where the change costs more."""
    old, new, total = (
        _tariff_of(view, from_tariff),
        _tariff_of(view, to_tariff),
        math.fsum(uses_kwh),
    )
    saving = round(_cost(old, total) - _cost(new, total), 2)
    return {"total_kwh": round(total, 3), "saving": saving}


@WORLD.tool(
    "Show a customer's electricity meter: number, city, tariff, last reading. Reads the meters "
    "and their readings.",
    parameters={
        "customer": text(
            "Full name of the customer.", "person", pool=draw_from("meters", "customer"),
        ),
    },
    outputs=(
        Output("meter_id", "electricity_meter", (
            "the electricity meter of {customer}",
            "the meter that counts the electricity used by {customer}",
        )),
        Output("tariff", "tariff", (
            "the electricity tariff of {customer}",
            "the tariff by which {customer} pays for electricity",
        )),
        Output("city", "city", (
            "the city in which the electricity meter of {customer} hangs",
            "the place where {customer} has electricity supplied",
        )),
        Output("last_day", "past_date", (
            "the day of the last electricity reading of {customer}",
            "the date on which the electricity meter of {customer} was last read",
        )),
    ),
    wishes=(
        "Which electricity meter and tariff does {customer} have?",
        "Electricity meter of {customer}, please.",
        ("I've got {customer} on the phone and would like to see the meter, the tariff and the "
         "last reading."),
    ),
    reads=("meters", "readings"),
)  # fmt: skip
def find_meter(view: View, customer: str) -> dict[str, Any]:
    """The meter of a customer."""
    for meter_id, meter in view.rows("meters"):
        if meter["customer"] == customer:
            last = meter["days"][-1]
            value = _value_of(view, meter_id, last)
            shown = {"meter_id": meter_id, "city": meter["city"], "tariff": meter["tariff"]}
            return {**shown, "last_day": last, "last_value": value}
    raise ToolError(f"{customer} has no electricity meter on file")


@WORLD.tool(
    "Compute the electricity that a meter counted between two days, interpolating between its "
    "readings, and what it would be over a year. Reads the readings.",
    parameters={
        "meter_id": _METER,
        "start": date("First day, YYYY-MM-DD.", "past_date", pool=_past(200, 440)),
        "end": date("Last day, YYYY-MM-DD.", "past_date", pool=_past(45, 190)),
    },
    outputs=(
        Output("kwh", "energy_kwh", (
            "the electricity counted by {meter_id} from {start} to {end}",
            "the consumption on {meter_id} between {start} and {end}",
        )),
        Output("yearly_kwh", "energy_kwh", (
            "the yearly consumption that {meter_id} comes to, judging by {start} to {end}",
            "the electricity of a whole year on {meter_id}, extrapolated from {start} to {end}",
        )),
    ),
    wishes=(
        "How much electricity did {meter_id} count from {start} to {end}?",
        "{meter_id}, {start} to {end}: consumption, and the figure for a year.",
        ("I'd like to check the use on {meter_id} between {start} and {end}; what would that be "
         "over a year?"),
    ),
    reads=("meters", "readings"),
)  # fmt: skip
def metered_use(view: View, meter_id: str, start: str, end: str) -> dict[str, Any]:
    """Use between two days, and at that pace in 365."""
    days = _meter_of(view, meter_id)["days"]
    if start >= end:
        raise ToolError(f"the period from {start} to {end} is empty")
    if start < days[0] or end > days[-1]:
        raise ToolError(f"{meter_id} was read from {days[0]} to {days[-1]}, not {start} to {end}")
    kwh = _interpolated(view, meter_id, days, end) - _interpolated(view, meter_id, days, start)
    yearly = kwh / (_ordinal(end) - _ordinal(start)) * 365
    return {"kwh": round(kwh, 1), "yearly_kwh": round(yearly, 1)}


def _interpolated(view: View, meter_id: str, days: Sequence[str], day: str) -> float:
    left, right = next(pair for pair in pairwise(days) if pair[0] <= day <= pair[1])
    low, high = _value_of(view, meter_id, left), _value_of(view, meter_id, right)
    return low + (high - low) * (_ordinal(day) - _ordinal(left)) / (
        _ordinal(right) - _ordinal(left)
    )


@WORLD.tool(
    "Submit a new reading of a meter. Adds to its readings, which must rise from day to day.",
    parameters={
        "meter_id": _METER,
        "day": date("Day of the reading, YYYY-MM-DD."),
        "used_kwh": number(
            "What was used since the last reading, in kWh.", "energy_kwh", minimum=0,
        ),
    },
    outputs=(
        Output("reading_id", "meter_reading", (
            "the reading of {meter_id} on {day} (use since the last one: {used_kwh})",
            "the entry for {meter_id} of {day} that adds {used_kwh}",
        )),
        Output("kwh_per_day", "energy_kwh", (
            ("the daily consumption on {meter_id} up to {day}, having used {used_kwh} since the "
             "last reading"),
            "what {meter_id} counted a day until {day} (use since the last reading: {used_kwh})",
        )),
    ),
    wishes=(
        "Enter a reading of {meter_id} on {day}: {used_kwh} since the last one.",
        ("Reading of {meter_id} on {day}, please submit it: since the last one it has counted "
         "{used_kwh}."),
        ("Could you pass on that since the last reading {meter_id} has counted {used_kwh}? The "
         "day of the reading is {day}."),
    ),
    reads=("meters", "readings"),
    writes=("meters", "readings"),
    undo=Undo("withdraw_reading", {"reading_id": "result.reading_id"}),
)  # fmt: skip
def submit_reading(view: View, meter_id: str, day: str, used_kwh: float) -> dict[str, Any]:
    """A reading after the last one."""
    meter = _meter_of(view, meter_id)
    last = meter["days"][-1]
    if day <= last:
        raise ToolError(f"{meter_id} was last read on {last}, so a reading of {day} can't follow")
    value = round(_value_of(view, meter_id, last) + used_kwh, 3)
    reading_id = f"{meter_id}/{day}"
    view.put("meters", meter_id, {**meter, "days": [*meter["days"], day]})
    view.put("readings", reading_id, {"value": value})
    pace = round(used_kwh / (_ordinal(day) - _ordinal(last)), 2)
    return {"reading_id": reading_id, "value": value, "kwh_per_day": pace}


@WORLD.tool(
    "Withdraw the last reading of a meter. Removes it from the readings.",
    parameters={"reading_id": text("Id of the reading: meter/day.", "meter_reading")},
    wishes=(
        "Withdraw {reading_id}.",
        "{reading_id} is wrong, please take it back.",
        "I misread the meter; would you delete {reading_id} again?",
    ),
    reads=("meters", "readings"),
    writes=("meters", "readings"),
)  # fmt: skip
def withdraw_reading(view: View, reading_id: str) -> dict[str, Any]:
    """Remove the last reading; an earlier one stays."""
    meter_id, _, day = reading_id.partition("/")
    row, meter = view.get("readings", reading_id), view.get("meters", meter_id)
    if row is None or meter is None:
        raise ToolError(f"there is no meter reading '{reading_id}'")
    if meter["days"][-1] != day or len(meter["days"]) < 3:
        raise ToolError(f"{reading_id} is not the last reading and stays")
    view.put("meters", meter_id, {**meter, "days": meter["days"][:-1]})
    view.remove("readings", reading_id)
    return {"withdrawn": reading_id, "value": row["value"]}


@WORLD.tool(
    "Estimate the yearly yield of solar panels on a roof in a city, and its best month.",
    parameters={
        "city": text("City of the roof.", "city"),
        "area_m2": number("Area of the panels in m².", "area_m2", minimum=2, maximum=400),
        "direction": choice("Where the roof faces.", "compass", tuple(_DIRECTIONS)),
        "tilt": integer(
            "Tilt in degrees; 35 is best.", "tilt_degrees", minimum=0, maximum=90,
            pool=lambda view, rng: rng.randrange(0, 65, 5), optional=True,
        ),
    },
    outputs=(
        Output("yearly_kwh", "energy_kwh", (
            ("the yearly solar yield in {city} on a roof facing {direction}[ tilted by {tilt} "
             "degrees] with an area of {area_m2}"),
            ("what panels facing {direction} in {city}[ at {tilt} degrees] give a year (area: "
             "{area_m2})"),
        )),
        Output("best_month_kwh", "energy_kwh", (
            ("the solar yield of the best month in {city} on a roof facing {direction}[ tilted "
             "by {tilt} degrees] with an area of {area_m2}"),
            ("the most that panels facing {direction} in {city}[ at {tilt} degrees] give in a "
             "month (area: {area_m2})"),
        )),
    ),
    wishes=(
        ("How much would solar panels in {city} yield a year? They'd face {direction}[, tilted "
         "by {tilt} degrees], with an area of {area_m2}."),
        "Solar estimate: {city}, {direction}[, {tilt} degrees], area {area_m2}.",
        ("We're thinking of panels for our house in {city}. The roof faces {direction}[ and is "
         "tilted by {tilt} degrees]; the area is {area_m2}. What could we expect?"),
    ),
    reads=("sunshine",),
)  # fmt: skip
def solar_yield(
    view: View, city: str, area_m2: float, direction: str, tilt: int = 35
) -> dict[str, Any]:
    """Yield of a year and of the best month; five square metres make a kW."""
    row = view.get("sunshine", city)
    if row is None:
        raise ToolError(f"there are no sunshine figures for '{city}'")
    factor = area_m2 / 5 * _DIRECTIONS[direction] * (1 - abs(tilt - 35) / 180)
    months = row["months"]
    best = max(_MONTHS, key=lambda month: months[month - 1])
    return {
        "yearly_kwh": round(factor * math.fsum(months), 1),
        "best_month": best,
        "best_month_kwh": round(factor * months[best - 1], 1),
    }


@WORLD.tool(
    "Compute the yearly consumption of something electrical from its power and daily running time.",
    parameters={
        "power_w": number("Power in W.", "power_w", minimum=1, maximum=30000),
        "minutes_per_day": number("Minutes a day.", "duration_min", minimum=0, maximum=1440),
        "days": integer(
            "Days a year; 365 if left out.", "running_days", minimum=1, maximum=365,
            pool=lambda view, rng: rng.randrange(30, 361, 10), optional=True,
        ),
    },
    outputs=(
        Output("yearly_kwh", "energy_kwh", (
            ("the yearly consumption at a power of {power_w}, running {minutes_per_day} a day[ "
             "on {days} days]"),
            ("the electricity used in a year[ of {days} days in use] at {power_w}, given a daily "
             "time of {minutes_per_day}"),
        )),
    ),
    wishes=(
        ("What does something use whose power is {power_w} in a year, running {minutes_per_day} "
         "a day[ on {days} days]?"),
        "{power_w}, {minutes_per_day} a day[, {days} days]: kWh a year?",
        ("I leave a thing on for {minutes_per_day} a day[, {days} days a year]. If the power is "
         "{power_w}, how much electricity is that over the year?"),
    ),
)  # fmt: skip
def running_use(
    view: View, power_w: float, minutes_per_day: float, days: int = 365
) -> dict[str, Any]:
    """KWh a year."""
    return {"yearly_kwh": round(power_w / 1000 * minutes_per_day / 60 * days, 2)}


@WORLD.tool(
    "Move a meter to another tariff. Changes the tariff in the meters; the contract is binding, "
    "so this can't be taken back.",
    parameters={
        "meter_id": _METER,
        "tariff": text("Name of the new tariff.", "tariff", pool=_TARIFF),
        "start": date("First day of the new tariff, YYYY-MM-DD."),
    },
    outputs=(
        Output("bound_until", "date", (
            "the day until which {meter_id} is bound to {tariff} when changing on {start}",
            "the end of the commitment that {meter_id} has with {tariff} starting {start}",
        )),
    ),
    wishes=(
        "Move {meter_id} to {tariff} from {start}.",
        "Please switch {meter_id} over to {tariff}; it should start on {start}.",
        "From {start} I want to have {tariff} for {meter_id}. Would you see to the contract?",
    ),
    reads=("meters", "tariffs"),
    writes=("meters",),
)  # fmt: skip
def switch_tariff(view: View, meter_id: str, tariff: str, start: str) -> dict[str, Any]:
    """Change the tariff of a meter."""
    meter, row = _meter_of(view, meter_id), _tariff_of(view, tariff)
    if start <= TODAY.isoformat():
        raise ToolError(f"a tariff can only be changed ahead of time, not for {start}")
    if meter["tariff"] == tariff:
        raise ToolError(f"{meter_id} is on {tariff} already")
    view.put("meters", meter_id, {**meter, "tariff": tariff})
    bound = _after(start, round(30.4 * row["months_bound"]))
    return {"meter_id": meter_id, "old_tariff": meter["tariff"], "bound_until": bound}
