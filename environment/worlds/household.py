"""Household: appliances and who mends them, chores and who does them, water meters."""

import datetime
import random
from collections.abc import Sequence
from itertools import pairwise
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
    text,
)

# Kind of appliance: least power in W, widest spread above it, hours that a repair takes.
_KINDS = {
    "dishwasher": (1200, 900, 1.5),
    "dryer": (1800, 1100, 1.5),
    "fridge": (90, 120, 2.0),
    "heat pump": (900, 1600, 3.0),
    "microwave": (700, 600, 0.5),
    "oven": (2000, 1500, 1.0),
    "vacuum cleaner": (500, 900, 0.5),
    "washing machine": (1700, 800, 2.0),
}
_BRANDS = "Aldra Borrel Cassio Dunmore Ekvall Fenwick Grauer Holtby Ivarson Jasperi".split()
_FIRMS = ("Appliance Care", "Fixers", "Home Service", "Repair Workshop", "Quick Mend", "Craft Team")
_ROOMS = ("bathroom", "bedroom", "garage", "hall", "kitchen", "living room")
_TASKS = (
    "air the mattresses|clean the mirrors|clean the windows|dust the shelves|empty the bins|"
    "mop the floor|oil the hinges|polish the handles|scrub the tiles|sort the cupboards|"
    "sweep the corners|test the smoke alarm|vacuum the floor|wash the curtains|wipe the lamps"
)
_JOBS_A_DAY = 2
_HORIZON = 120


def _after(day: str, days: int) -> str:
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _tables(seed: int) -> Tables:
    appliances = _appliances(seed)
    owned: dict[str, dict[str, Any]] = {}
    for appliance_id, row in appliances.items():
        owned.setdefault(row["owner"], {"appliance_ids": []})["appliance_ids"].append(appliance_id)
    repairers = _repairers(seed)
    local: dict[str, dict[str, Any]] = {}
    for repairer_id, row in repairers.items():
        local.setdefault(row["city"], {"repairer_ids": []})["repairer_ids"].append(repairer_id)
    return {
        "appliances": appliances,
        "owners": dict(sorted(owned.items())),
        "repairers": repairers,
        "towns": dict(sorted(local.items())),
        "repairs": {},
        "chores": _chores(seed),
        "meters": _meters(seed),
    }


def _appliances(seed: int) -> dict[str, Row]:
    rng = generator(seed, "household", "appliances")
    rows: dict[str, Row] = {}
    for person in people(seed)[:70]:
        for kind in rng.sample(list(_KINDS), 4):
            least, spread, _ = _KINDS[kind]
            bought = _after(TODAY.isoformat(), -rng.randrange(60, 2600))
            appliance_id = content_id("ap", person.name, kind)
            rows[appliance_id] = {
                "appliance_id": appliance_id,
                "owner": person.name,
                "city": person.city,
                "kind": kind,
                "brand": rng.choice(_BRANDS),
                "power_w": least + rng.randrange(0, spread, 10),
                "bought": bought,
                "warranty_until": _after(bought, 365 * rng.choice((2, 3, 5))),
            }
    return dict(sorted(rows.items()))


def _repairers(seed: int) -> dict[str, Row]:
    rng = generator(seed, "household", "repairers")
    rows: dict[str, Row] = {}
    for city in CITY_NAMES:
        for firm in rng.sample(_FIRMS, 5):
            name = f"{firm} {city}"
            repairer_id = content_id("rp", name)
            rows[repairer_id] = {
                "repairer_id": repairer_id,
                "name": name,
                "city": city,
                "mends": sorted(rng.sample(list(_KINDS), 5)),
                "hourly_rate": rng.randrange(32, 95) + rng.choice((0, 0.5)),
                "rating": round(rng.randrange(28, 51) / 10, 1),
                "phone": f"+1-555-{rng.randrange(100, 1000)}-{rng.randrange(10000):04d}",
            }
    return dict(sorted(rows.items()))


def _chores(seed: int) -> dict[str, Row]:
    rng = generator(seed, "household", "chores")
    rows: dict[str, Row] = {}
    for room in _ROOMS:
        for task in _TASKS.split("|"):
            chore_id = content_id("ch", room, task)
            every = rng.choice((7, 14, 21, 30, 60, 90))
            rows[chore_id] = {
                "chore_id": chore_id,
                "task": task,
                "room": room,
                "minutes": rng.randrange(5, 65, 5),
                "every_days": every,
                "due": _after(TODAY.isoformat(), rng.randrange(-10, every)),
            }
    return dict(sorted(rows.items()))


def _meters(seed: int) -> dict[str, Row]:
    rng = generator(seed, "household", "meters")
    rows: dict[str, Row] = {}
    for number in range(60):
        day, value = TODAY.toordinal() - 450, rng.randrange(90_000, 600_000)
        readings = [(day, value)]
        while day < TODAY.toordinal():
            step = min(rng.randrange(24, 38), TODAY.toordinal() - day)
            day, value = day + step, value + step * rng.randrange(70, 420)
            readings.append((day, value))
        meter_id = f"wm-{rng.randrange(10, 100)}{number + 101}"
        rows[meter_id] = {"meter_id": meter_id, "readings": readings}
    return dict(sorted(rows.items()))


WORLD = World("household", "Appliances and repairs, chores and schedules, water meters.", _tables)


def _past(least: int, most: int) -> Any:
    """A pool of days that lie between `least` and `most` days back."""

    def pool(view: View, rng: random.Random) -> str:
        return _after(TODAY.isoformat(), -rng.randint(least, most))

    return pool


def _row(view: View, table: str, key: str, what: str) -> Row:
    row = view.get(table, key)
    if row is None:
        raise ToolError(f"the household book knows no {what} '{key}'")
    return row


@WORLD.tool(
    "List the appliances of a person, the one bought first on top, of one kind if asked.",
    parameters={
        "owner": text("Full name of the owner.", "person", pool=draw_from("appliances", "owner")),
        "kind": choice("Kind of appliance.", "appliance_kind", tuple(_KINDS), optional=True),
    },
    outputs=(
        Output("appliances[0].appliance_id", "appliance_id", (
            "the oldest appliance[ of the kind {kind}] that belongs to {owner}",
            "whichever household appliance[ (kind: {kind})] {owner} has had longest",
        )),
        Output("appliances[0].kind", "appliance_kind", (
            "the kind of appliance that {owner} bought first[ (counting only {kind})]",
            "the kind of machine that {owner} has owned for longest[ (counting only {kind})]",
        )),
        Output("appliances[0].city", "city", (
            "the city where the oldest appliance[ of the kind {kind}] of {owner} stands",
            "the place in which {owner} keeps the appliance[ (kind: {kind})] owned for longest",
        )),
        Output("appliances[0].power_w", "power_w", (
            "the power draw of the oldest appliance[ of the kind {kind}] belonging to {owner}",
            "the wattage of whichever appliance[ (kind: {kind})] {owner} bought first",
        )),
        Output("appliances[0].warranty_until", "date", (
            "the day the warranty of the oldest appliance[ of the kind {kind}] of {owner} ends",
            "the last warranty day of whichever appliance[ (kind: {kind})] {owner} bought first",
        )),
    ),
    wishes=(
        "Which appliances[ of the kind {kind}] belong to {owner}, oldest first?",
        "Appliances owned by {owner}[, {kind} only], please.",
        ("I'm taking stock of what {owner} has at home[ of the kind {kind}]; start with "
         "whatever was bought first."),
    ),
    reads=("owners", "appliances"),
)  # fmt: skip
def find_appliances(view: View, owner: str, kind: str | None = None) -> dict[str, Any]:
    """The appliances of a person by the day they were bought."""
    mine = view.get("owners", owner)
    rows = (
        [_row(view, "appliances", key, "appliance") for key in mine["appliance_ids"]]
        if mine
        else []
    )
    shown = ("appliance_id", "kind", "brand", "city", "power_w", "bought", "warranty_until")
    found = [{key: row[key] for key in shown} for row in rows if kind in (None, row["kind"])]
    found.sort(key=lambda row: (row["bought"], row["appliance_id"]))
    return {"appliances": found, "count": len(found)}


@WORLD.tool(
    "Find repair firms in a city that mend a kind of appliance, cheapest or best rated first.",
    parameters={
        "city": text("City of the firm.", "city"),
        "kind": choice("Kind of appliance.", "appliance_kind", tuple(_KINDS)),
        "sort_by": choice(
            "What comes first.", "repairer_order", ("rate", "rating"),
            says={'"rate"': "cheapest", '"rating"': "best-rated"},
        ),
    },
    outputs=(
        Output("repairers[0].repairer_id", "repairer_id", (
            "the {sort_by} repair firm in {city} (what needs mending: {kind})",
            "the {sort_by} repair business based in {city} (type of appliance: {kind})",
        )),
        Output("repairers[0].hourly_rate", "price", (
            "the hourly rate of the {sort_by} repair firm in {city} (what needs mending: {kind})",
            "what the {sort_by} repair business in {city} (type of appliance: {kind}) asks an hour",
        )),
        Output("repairers[0].phone", "phone", (
            "the phone number of the {sort_by} repair firm in {city} (what needs mending: {kind})",
            "the number to ring for the {sort_by} repair business in {city} (appliance: {kind})",
        )),
    ),
    wishes=(
        "Who repairs appliances in {city}? The thing to mend: {kind}; the {sort_by} first.",
        "Repair firms in {city}, please: appliance {kind}, {sort_by} on top.",
        ("Something needs mending and it is in {city}. Which firms could do it, the {sort_by} "
         "first? The appliance in question: {kind}."),
    ),
    reads=("towns", "repairers"),
)  # fmt: skip
def find_repairers(view: View, city: str, kind: str, sort_by: str) -> dict[str, Any]:
    """Firms of a city for a kind of appliance."""
    town = view.get("towns", city)
    rows = [_row(view, "repairers", key, "firm") for key in town["repairer_ids"]] if town else []
    shown = ("repairer_id", "name", "hourly_rate", "rating", "phone")
    found = [{key: row[key] for key in shown} for row in rows if kind in row["mends"]]
    column, sign = ("hourly_rate", 1) if sort_by == "rate" else ("rating", -1)
    found.sort(key=lambda row: (sign * row[column], row["repairer_id"]))
    return {"repairers": found, "count": len(found)}


@WORLD.tool(
    "Have a firm mend an appliance on a day. Adds to the repairs; free of charge while the "
    "warranty runs. Reads the repairs, as a firm takes two a day.",
    parameters={
        "appliance_id": text(
            "Id of the appliance.", "appliance_id", pool=draw_from("appliances", "appliance_id"),
        ),
        "repairer_id": text("Id of the firm.", "repairer_id"),
        "day": date("Day of the repair, YYYY-MM-DD."),
    },
    outputs=(
        Output("repair_id", "repair_id", (
            "the repair of {appliance_id} by {repairer_id} on {day}",
            "the repair job agreed for {day} in which {appliance_id} is mended by {repairer_id}",
        )),
        Output("fee", "price", (
            "the fee for having {appliance_id} mended by {repairer_id} on {day}",
            "what the repair of {appliance_id} on {day} costs with {repairer_id} doing it",
        )),
    ),
    wishes=(
        "Have {repairer_id} mend {appliance_id} on {day}.",
        "Please arrange the repair of {appliance_id} for {day}. The job goes to {repairer_id}.",
        "{day} would suit me for the repair: get {repairer_id} to come and see to {appliance_id}.",
    ),
    reads=("appliances", "repairers", "repairs"),
    writes=("repairs",),
    undo=Undo("cancel_repair", {"repair_id": "result.repair_id"}),
)  # fmt: skip
def book_repair(view: View, appliance_id: str, repairer_id: str, day: str) -> dict[str, Any]:
    """A repair; a firm does two a day and only what it can mend."""
    appliance = _row(view, "appliances", appliance_id, "appliance")
    firm = _row(view, "repairers", repairer_id, "repair firm")
    if appliance["kind"] not in firm["mends"]:
        raise ToolError(f"{firm['name']} ({repairer_id}) does not mend a {appliance['kind']}")
    if not TODAY.isoformat() <= day <= _after(TODAY.isoformat(), _HORIZON):
        raise ToolError(f"a repair on {day} can't be agreed: it must be within {_HORIZON} days")
    same_day = [r for r in view.values("repairs") if r["day"] == day]
    if any(repair["appliance_id"] == appliance_id for repair in same_day):
        raise ToolError(f"{appliance_id} is already being mended on {day}")
    if sum(repair["repairer_id"] == repairer_id for repair in same_day) >= _JOBS_A_DAY:
        raise ToolError(f"{firm['name']} has no time left on {day}")
    hours = _KINDS[appliance["kind"]][2]
    covered = day <= appliance["warranty_until"]
    fee = 0 if covered else round(firm["hourly_rate"] * hours, 2)
    repair_id = content_id("rj", appliance_id, repairer_id, day)
    row = {"appliance_id": appliance_id, "repairer_id": repairer_id, "day": day}
    view.put("repairs", repair_id, row)
    return {"repair_id": repair_id, "firm": firm["name"], "under_warranty": covered, "fee": fee}


@WORLD.tool(
    "Call off a repair that was agreed. Removes it from the repairs.",
    parameters={"repair_id": text("Id of the repair.", "repair_id")},
    wishes=(
        "Call off {repair_id}.",
        "{repair_id} isn't necessary after all, please cancel it.",
        "The thing works again, so would you withdraw {repair_id}?",
    ),
    reads=("repairs",),
    writes=("repairs",),
)  # fmt: skip
def cancel_repair(view: View, repair_id: str) -> dict[str, Any]:
    """Remove the repair without a trace."""
    repair = view.get("repairs", repair_id)
    if repair is None:
        raise ToolError(f"no repair '{repair_id}' has been agreed")
    view.remove("repairs", repair_id)
    return {"called_off": repair_id, "day": repair["day"]}


@WORLD.tool(
    "List the chores due up to a day, most overdue first, of one room if asked. Reads the "
    "chores as last logged.",
    parameters={
        "until": date("Last due day to include, YYYY-MM-DD."),
        "room": choice("Only this room.", "room", _ROOMS, optional=True),
    },
    outputs=(
        Output("chore_ids", "list:chore_id", (
            "all the chores due by {until}[ in the {room}]",
            "everything on the cleaning plan[ for the {room}] that falls due up to {until}",
        )),
        Output("chore_ids[0]", "chore_id", (
            "the chore[ in the {room}] that comes first among those due by {until}",
            "the most pressing[ {room}] chore of all that fall due up to {until}",
        )),
        Output("total_minutes", "duration_min", (
            "the total time that all chores due by {until}[ in the {room}] take",
            "how long it takes to do everything[ in the {room}] that is due up to {until}",
        )),
    ),
    wishes=(
        "Which chores are due by {until}[ in the {room}]?",
        "Chores up to {until}[, {room} only], and how long they take.",
        ("I'd like to see what has to be done around the house[, or rather in the {room},] by "
         "{until}."),
    ),
    reads=("chores",),
)  # fmt: skip
def due_chores(view: View, until: str, room: str | None = None) -> dict[str, Any]:
    """Chores whose day has come, by that day."""
    due = [
        row
        for _, row in view.rows("chores")
        if row["due"] <= until and (room is None or row["room"] == room)
    ]
    due.sort(key=lambda row: (row["due"], row["chore_id"]))
    total = sum(row["minutes"] for row in due)
    return {"chore_ids": [row["chore_id"] for row in due], "total_minutes": total}


@WORLD.tool(
    "Share chores among people so that nobody has much more to do than the others: the longest "
    "chore first, each to whoever has least so far.",
    parameters={
        "chore_ids": array(
            "Ids of the chores.",
            text("Id of a chore.", "chore_id", pool=draw_from("chores", "chore_id")), minItems=1,
        ),
        "helpers": array(
            "Full names of those who help.", text("Full name.", "person"), minItems=2, maxItems=6,
        ),
    },
    outputs=(
        Output("busiest", "person", (
            "whoever ends up with most to do after a fair division of {chore_ids} among {helpers}",
            "the person with the heaviest share if {helpers} divide {chore_ids} fairly",
        )),
        Output("longest_share", "duration_min", (
            "the longest time anyone is busy after a fair division of {chore_ids} among {helpers}",
            "how long the heaviest share takes if {helpers} divide {chore_ids} fairly",
        )),
    ),
    wishes=(
        "Divide {chore_ids} fairly among {helpers}.",
        "Who does what? To be shared out: {chore_ids}. Taking part: {helpers}.",
        "Could you split {chore_ids} so that {helpers} are all busy for about the same time?",
    ),
    reads=("chores",),
)  # fmt: skip
def share_chores(view: View, chore_ids: Sequence[str], helpers: Sequence[str]) -> dict[str, Any]:
    """Longest chore first, to whoever has least; ties to the one named first."""
    chores = [_row(view, "chores", key, "chore") for key in dict.fromkeys(chore_ids)]
    chores.sort(key=lambda row: (-row["minutes"], row["chore_id"]))
    shares: dict[str, list[str]] = {name: [] for name in helpers}
    load = dict.fromkeys(shares, 0)
    for chore in chores:
        name = min(load, key=lambda one: load[one])
        shares[name].append(chore["chore_id"])
        load[name] += chore["minutes"]
    busiest = max(load, key=lambda one: load[one])
    listed = [{"person": n, "chore_ids": ids, "minutes": load[n]} for n, ids in shares.items()]
    return {"shares": listed, "busiest": busiest, "longest_share": load[busiest]}


@WORLD.tool(
    "Note that a chore was done. Moves its due day in the chores; this can't be taken back.",
    parameters={
        "chore_id": text("Id of the chore.", "chore_id", pool=draw_from("chores", "chore_id")),
        "done_on": date("Day on which it was done, YYYY-MM-DD.", "past_date", pool=_past(0, 6)),
    },
    outputs=(
        Output("next_due", "date", (
            "the day on which {chore_id} comes round again after being done on {done_on}",
            "when {chore_id} is next due, having been done on {done_on}",
        )),
    ),
    wishes=(
        "{chore_id} was done on {done_on}, note that.",
        "Tick off {chore_id}; it was finished on {done_on}.",
        "Just so the plan is right: somebody did {chore_id} on {done_on}, please record it.",
    ),
    reads=("chores",),
    writes=("chores",),
)  # fmt: skip
def log_chore(view: View, chore_id: str, done_on: str) -> dict[str, Any]:
    """Move the due day; a day that moves nothing is refused."""
    chore = _row(view, "chores", chore_id, "chore")
    if done_on > TODAY.isoformat():
        raise ToolError(f"a chore can't have been done on {done_on}, which is still to come")
    due = _after(done_on, chore["every_days"])
    if due == chore["due"]:
        raise ToolError(f"{chore_id} is already noted as done on {done_on}")
    view.put("chores", chore_id, {**chore, "due": due})
    return {"chore_id": chore_id, "task": chore["task"], "next_due": due}


@WORLD.tool(
    "Compute how much water a meter counted between two days, interpolating between its readings.",
    parameters={
        "meter_id": text(
            "Number of the meter.", "water_meter", pool=draw_from("meters", "meter_id"),
        ),
        "start": date("First day, YYYY-MM-DD.", "past_date", pool=_past(150, 400)),
        "end": date("Last day, YYYY-MM-DD.", "past_date", pool=_past(1, 140)),
    },
    outputs=(
        Output("litres", "volume_l", (
            "the water that went through meter {meter_id} from {start} to {end}",
            "the consumption on water meter {meter_id} between {start} and {end}",
        )),
        Output("litres_per_day", "volume_l", (
            "the average daily water use on meter {meter_id} from {start} to {end}",
            "the water per day that meter {meter_id} counted between {start} and {end}",
        )),
    ),
    wishes=(
        "How much water did meter {meter_id} count from {start} to {end}?",
        "Water meter {meter_id}, {start} to {end}: consumption please.",
        ("I'm checking a bill and need to know the water use on meter {meter_id} between {start} "
         "and {end}."),
    ),
    reads=("meters",),
)  # fmt: skip
def water_used(view: View, meter_id: str, start: str, end: str) -> dict[str, Any]:
    """Litres between two days."""
    readings = _row(view, "meters", meter_id, "water meter")["readings"]
    first = datetime.date.fromisoformat(start).toordinal()
    last = datetime.date.fromisoformat(end).toordinal()
    if first >= last:
        raise ToolError(f"the period from {start} to {end} is empty")
    if first < readings[0][0] or last > readings[-1][0]:
        raise ToolError(f"meter {meter_id} has no readings for all of {start} to {end}")
    litres = _value_on(readings, last) - _value_on(readings, first)
    return {"litres": round(litres, 1), "litres_per_day": round(litres / (last - first), 1)}


def _value_on(readings: Sequence[Sequence[int]], day: int) -> float:
    """The counter on a day, on the line between the readings around it."""
    for (left, low), (right, high) in pairwise(readings):
        if left <= day <= right:
            return low + (high - low) * (day - left) / (right - left)
    raise ValueError(f"day {day} lies outside the readings")
