"""Logistics: carriers and their quotes, routes over a network, parcels, packing, pick-ups."""

import datetime
import heapq
import math
from itertools import pairwise
from random import Random
from typing import Any

from environment.meanings import TODAY
from environment.people import people
from environment.places import BY_NAME, CITIES, CITY_NAMES, distance_km
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

_CARRIERS = (
    "Albatross Freight", "Bluefin Parcel", "Caravan Post", "Dromedary Express", "Egret Couriers",
    "Falcon Line", "Gannet Cargo", "Heron Logistics", "Ibex Delivery", "Jackdaw Mail",
    "Kingfisher Air", "Lynx Transport", "Magpie Post", "Nomad Haulage",
)  # fmt: skip
_WINDOWS = ("08:00-10:00", "10:00-12:00", "13:00-15:00", "15:00-17:00")
_STATUSES = ("waiting", "on the way", "delivered")
# A parcel is charged by volume where it is bulkier than this, in cm³ per kg.
_BULK = 5000


def _carriers(seed: int) -> dict[str, Row]:
    rng = generator(seed, "logistics")
    carriers: dict[str, Row] = {}
    for place, name in enumerate(_CARRIERS):
        carrier_id = f"CR-{place + 21}"
        speed = rng.choice((450, 600, 900, 1400, 2600))
        carriers[carrier_id] = {
            "carrier_id": carrier_id,
            "name": name,
            "base": round(rng.uniform(2.5, 9) + speed / 300, 2),
            "per_kg": round(rng.uniform(0.3, 1.4) + speed / 4000, 2),
            "per_100_km": round(rng.uniform(0.2, 0.9), 2),
            "km_per_day": speed,
            "reach_km": rng.choice((3000, 9000, 20100, 20100)),
            "max_kg": rng.choice((10, 20, 31.5, 50, 70)),
            "pickup_fee": rng.choice((0, 3.5, 4.9, 7.5)),
        }
    return carriers


def _links(seed: int) -> dict[str, Row]:
    """For each city its direct links: city, km, minutes; by road, or by air when far."""
    rng = generator(seed, "logistics", "links")
    eastward = [city.name for city in sorted(CITIES, key=lambda city: (city.lon, city.name))]
    pairs = {frozenset(pair) for pair in zip(eastward, eastward[1:] + eastward[:1], strict=True)}
    for name in CITY_NAMES:
        near = sorted(CITY_NAMES, key=lambda other: (distance_km(name, other), other))
        pairs |= {frozenset((name, other)) for other in near[1:4]}
    links: dict[str, Row] = {name: {"to": []} for name in CITY_NAMES}
    for one, other in sorted(tuple(sorted(pair)) for pair in pairs):
        km = round(distance_km(one, other) * rng.uniform(1.02, 1.25), 1)
        minutes = round(km / 70 * 60) if km < 1200 else round(km / 700 * 60) + 240
        minutes += rng.randrange(0, 60, 5)
        links[one]["to"].append([other, km, minutes])
        links[other]["to"].append([one, km, minutes])
    return links


def _parcels(seed: int, carriers: dict[str, Row]) -> dict[str, Row]:
    rng = generator(seed, "logistics", "parcels")
    numbers = iter(rng.sample(range(10000, 100000), 500))
    parcels: dict[str, Row] = {}
    for sender in people(seed):
        for _ in range(rng.choice((1, 2, 3, 4))):
            other = rng.choice(people(seed))
            carrier = rng.choice(list(carriers.values()))
            if distance_km(sender.city, other.city) > carrier["reach_km"]:
                continue
            day = TODAY + datetime.timedelta(days=rng.randrange(-14, 22))
            weight = round(rng.uniform(0.3, min(24, carrier["max_kg"])), 1)
            parcels[f"PX-{next(numbers)}"] = _parcel(
                carrier, sender.name, other.name, sender.city, other.city, weight, day
            )
    return parcels


def _parcel(
    carrier: Row,
    sender: str,
    recipient: str,
    origin: str,
    destination: str,
    weight_kg: float,
    ship_on: datetime.date,
) -> dict[str, Any]:
    arrives = ship_on + datetime.timedelta(days=_days(carrier, origin, destination))
    return {
        "carrier_id": carrier["carrier_id"],
        "sender": sender,
        "recipient": recipient,
        "origin": origin,
        "destination": destination,
        "weight_kg": weight_kg,
        "ship_on": ship_on.isoformat(),
        "arrives": arrives.isoformat(),
    }


def _tables(seed: int) -> Tables:
    carriers = _carriers(seed)
    return {
        "carriers": carriers,
        "links": _links(seed),
        "parcels": _parcels(seed, carriers),
        "pickups": {},
    }


WORLD = World("logistics", "Carriers, routes, parcels and pick-ups.", _tables)


def _days(carrier: Row, origin: str, destination: str) -> int:
    return 1 + math.ceil(distance_km(origin, destination) / int(carrier["km_per_day"]))


def _price(carrier: Row, kg: float, km: float) -> float:
    price = carrier["base"] + carrier["per_kg"] * kg + carrier["per_100_km"] * km / 100
    return round(float(price), 2)


def _check_city(name: str) -> None:
    if name not in BY_NAME:
        raise ToolError(f"the network has no depot in '{name}'")


def _carrier(view: View, carrier_id: str) -> Row:
    carrier = view.get("carriers", carrier_id)
    if carrier is None:
        raise ToolError(f"there is no carrier {carrier_id}")
    return carrier


def _known_parcel(view: View, parcel_id: str) -> Row:
    parcel = view.get("parcels", parcel_id)
    if parcel is None:
        raise ToolError(f"no parcel has the number {parcel_id}")
    return parcel


def _status(parcel: Row, day: str) -> str:
    if day <= parcel["ship_on"]:
        return "waiting"
    return "on the way" if day < parcel["arrives"] else "delivered"


def _route(view: View, origin: str, target: str, column: int) -> list[tuple[str, float, int]]:
    """Return the best way as (city, km, minutes) from the origin; column 1 km, 2 minutes."""
    heap: list[tuple[float, tuple[str, ...]]] = [(0, (origin,))]
    done: set[str] = set()
    while heap:
        cost, path = heapq.heappop(heap)
        here = path[-1]
        if here == target:
            return _measured(view, path)
        if here in done:
            continue
        done.add(here)
        for link in (view.get("links", here) or {"to": []})["to"]:
            if link[0] not in done:
                heapq.heappush(heap, (cost + link[column], (*path, link[0])))
    raise ToolError(f"no way leads from {origin} to {target}")


def _measured(view: View, path: tuple[str, ...]) -> list[tuple[str, float, int]]:
    way: list[tuple[str, float, int]] = [(path[0], 0.0, 0)]
    for one, other in pairwise(path):
        links = (view.get("links", one) or {"to": []})["to"]
        km, minutes = next((link[1], link[2]) for link in links if link[0] == other)
        way.append((other, km, minutes))
    return way


_SORTS = {"price": "cheapest", "days": "fastest"}


@WORLD.tool(
    "Quote the carriers that take a parcel between two cities, by price or by days on the way; "
    "bulky parcels are charged by volume.",
    parameters={
        "origin": text("City of dispatch.", "city"),
        "destination": text("City of delivery.", "city"),
        "weight_kg": number("Weight in kg.", "weight_kg", exclusiveMinimum=0, maximum=70),
        "sort_by": choice(
            "What comes first.", "quote_order", tuple(_SORTS),
            says={f'"{name}"': word for name, word in _SORTS.items()},
        ),
        "size": record(
            "Outer size of the parcel.", "parcel_size",
            {
                "length_cm": integer("Length in cm.", "length_cm", minimum=5, maximum=150),
                "width_cm": integer("Width in cm.", "length_cm", minimum=5, maximum=80),
                "height_cm": integer("Height in cm.", "length_cm", minimum=2, maximum=80),
            },
            says={"": "{length_cm} × {width_cm} × {height_cm} cm"},
            optional=True,
        ),
    },
    outputs=(
        Output("quotes[0].carrier_id", "carrier_id", (
            ("the {sort_by} carrier for a parcel of {weight_kg}[ and {size}] from {origin} to "
            "{destination}"),
            ("whichever carrier is {sort_by} for {weight_kg}[ ({size})] going from {origin} to "
            "{destination}"),
        )),
        Output("quotes[0].price", "price", (
            ("the price that the {sort_by} carrier asks for a parcel of {weight_kg}[ and {size}] "
            "from {origin} to {destination}"),
            ("the postage at the {sort_by} carrier for {weight_kg}[ ({size})] sent from {origin} "
            "to {destination}"),
        )),
        Output("quotes[0].days", "count", (
            ("the number of days that the {sort_by} carrier needs for a parcel of {weight_kg}"
            "[ and {size}] from {origin} to {destination}"),
        )),
    ),
    wishes=(
        ("What does it cost to send a parcel of {weight_kg}[ and {size}] from {origin} to "
        "{destination}, {sort_by} carrier first?"),
        ("Get quotes for a parcel {origin} – {destination}, {weight_kg}[, {size}], the {sort_by} "
        "on top."),
        ("I have a parcel of {weight_kg}[, measuring {size},] in {origin} that has to get to "
        "{destination}. Who takes it? Name the {sort_by} first."),
    ),
    reads=("carriers",),
)  # fmt: skip
def quote_shipping(
    view: View,
    origin: str,
    destination: str,
    weight_kg: float,
    sort_by: str,
    size: dict[str, int] | None = None,
) -> dict[str, Any]:
    """Quotes of all carriers that reach and carry it; of equal ones the first by id."""
    _check_city(origin)
    _check_city(destination)
    bulk = math.prod(size.values()) / _BULK if size else 0
    km, charged = distance_km(origin, destination), round(max(weight_kg, bulk), 2)
    found = [
        {
            "carrier_id": carrier["carrier_id"],
            "name": carrier["name"],
            "price": _price(carrier, charged, km),
            "days": _days(carrier, origin, destination),
        }
        for carrier in view.values("carriers")
        if km <= carrier["reach_km"] and weight_kg <= carrier["max_kg"]
    ]
    other = "days" if sort_by == "price" else "price"
    found.sort(key=lambda quote: (quote[sort_by], quote[other], quote["carrier_id"]))
    return {"quotes": found, "count": len(found), "charged_kg": charged}


_WAYS = {"shortest": 1, "quickest": 2}


@WORLD.tool(
    "Plan a route over the links of the network, the shortest or the quickest, through other "
    "cities in the given order if wanted.",
    parameters={
        "origin": text("City where the route starts.", "city"),
        "destination": text("City where it ends.", "city"),
        "kind": choice("What is minimised.", "route_kind", tuple(_WAYS)),
        "via": array(
            "Cities to pass, in this order.", text("A city to pass.", "city"),
            minItems=1, maxItems=4, optional=True,
        ),
    },
    outputs=(
        Output("distance_km", "distance_km", (
            "the length of the {kind} route from {origin} to {destination}[ through {via}]",
            "the number of km on the {kind} way between {origin} and {destination}[ passing {via}]",
        )),
        Output("duration_min", "duration_min", (
            "how long the {kind} route from {origin} to {destination}[ through {via}] takes",
            "the time needed for the {kind} way between {origin} and {destination}[ passing {via}]",
        )),
        Output("cities[1]", "city", (
            ("the first city reached on the {kind} route from {origin} to {destination}"
            "[ through {via}]"),
        )),
        Output("cities", "list:city", (
            "all the cities along the {kind} route from {origin} to {destination}[ through {via}]",
        )),
    ),
    wishes=(
        "Plan the {kind} route from {origin} to {destination}[ through {via}].",
        "What is the {kind} way for a lorry from {origin} to {destination}[, passing {via}]?",
        ("We drive from {origin} to {destination}[ and have to stop in {via}]; work out the {kind} "
        "route."),
    ),
    reads=("links",),
)  # fmt: skip
def plan_route(
    view: View, origin: str, destination: str, kind: str, via: list[str] | None = None
) -> dict[str, Any]:
    """Cities in order with the sums of their links."""
    stops = [origin, *(via or ()), destination]
    for name in stops:
        _check_city(name)
    way = [(origin, 0.0, 0)]
    for one, other in pairwise(stops):
        if one == other:
            raise ToolError(f"the route would go from {one} to {other}, which is the same city")
        way += _route(view, one, other, _WAYS[kind])[1:]
    return {
        "cities": [step[0] for step in way],
        "legs": len(way) - 1,
        "distance_km": round(math.fsum(step[1] for step in way), 1),
        "duration_min": sum(step[2] for step in way),
    }


@WORLD.tool(
    "Find the parcels that a person sends or gets, the earliest delivery first, as things stand "
    "today. Reads parcels.",
    parameters={
        "person": text("Full name.", "person", pool=draw_from("parcels", "sender")),
        "role": choice(
            "Whether they send or get.", "parcel_role", ("sender", "recipient"),
            says={'"sender"': "sent by", '"recipient"': "addressed to"},
        ),
        "status": choice(
            "Only parcels in this state.", "parcel_status", _STATUSES, optional=True,
            says={'"waiting"': "still waiting to leave", '"on the way"': "on the way now",
                  '"delivered"': "already delivered"},
        ),
    },
    outputs=(
        Output("parcels[0].parcel_id", "parcel_id", (
            "the earliest parcel {role} {person}[ that is {status}]",
            "whichever parcel {role} {person}[ and {status}] has the earliest delivery day",
        )),
        Output("parcel_ids", "list:parcel_id", (
            "all parcels {role} {person}[ that are {status}]",
        )),
        Output("weights", "list:weight_kg", (
            "the weights of all parcels {role} {person}[ that are {status}]",
        )),
        Output("parcels[0].destination", "city", (
            "the destination of the earliest parcel {role} {person}[ that is {status}]",
        )),
        Output("total_kg", "weight_kg", (
            "the weight of all parcels {role} {person}[ that are {status}] taken together",
        )),
    ),
    wishes=(
        "Which parcels are {role} {person}[ and {status}]?",
        "List the parcels {role} {person}[, only those {status}].",
        "Could you look up all parcels {role} {person}[ that are {status}]?",
    ),
    reads=("parcels",),
)  # fmt: skip
def find_parcels(view: View, person: str, role: str, status: str | None = None) -> dict[str, Any]:
    """Parcels by delivery day, then by number."""
    today = TODAY.isoformat()
    found = [
        {"parcel_id": parcel_id, "status": _status(row, today),
         **{key: row[key] for key in ("origin", "destination", "weight_kg", "ship_on", "arrives")}}
        for parcel_id, row in view.rows("parcels")
        if row[role] == person and status in (None, _status(row, today))
    ]  # fmt: skip
    found.sort(key=lambda row: (row["arrives"], row["parcel_id"]))
    return {
        "parcels": found,
        "parcel_ids": [row["parcel_id"] for row in found],
        "weights": [row["weight_kg"] for row in found],
        "total_kg": round(math.fsum(row["weight_kg"] for row in found), 2),
        "count": len(found),
    }


def _this_week(view: View, rng: Random) -> str:
    return (TODAY + datetime.timedelta(days=rng.randrange(0, 5))).isoformat()


def _around_today(view: View, rng: Random) -> str:
    return (TODAY + datetime.timedelta(days=rng.randrange(0, 21))).isoformat()


@WORLD.tool(
    "Track a parcel: its state on a day, the city where it was last seen, and the km it still has "
    "to go on the shortest route. Reads parcels and links.",
    parameters={
        "parcel_id": text("Number of the parcel.", "parcel_id",
                          pool=lambda view, rng: rng.choice([key for key, _ in
                                                             view.rows("parcels")])),
        "on": date("Day, YYYY-MM-DD; today if left out.", optional=True, pool=_around_today),
    },
    outputs=(
        Output("city", "city", (
            "the city that holds {parcel_id}[ on {on}]",
            "the place that {parcel_id} has reached[ by {on}]",
        )),
        Output("arrives", "date", (
            "the delivery day of {parcel_id}[ as seen on {on}]",
            "the day on which {parcel_id} gets there[, judging on {on}]",
        )),
        Output("km_to_go", "distance_km", (
            "the distance that {parcel_id} still has to cover[ on {on}]",
        )),
    ),
    wishes=(
        "Where is {parcel_id}[ on {on}]?",
        "Track {parcel_id} for me[ as of {on}].",
        "How far has {parcel_id} come[ by {on}], and when does it arrive?",
    ),
    reads=("parcels", "links"),
)  # fmt: skip
def track_parcel(view: View, parcel_id: str, on: str | None = None) -> dict[str, Any]:
    """The parcel moves evenly along the shortest route and is seen in its cities."""
    parcel, day = _known_parcel(view, parcel_id), on or TODAY.isoformat()
    way = _route(view, parcel["origin"], parcel["destination"], 1)
    total = math.fsum(step[1] for step in way)
    gone = total * _share(parcel, day)
    city, passed = way[0][0], 0.0
    for name, km, _ in way[1:]:
        if passed + km > gone + 1e-9:
            break
        city, passed = name, passed + km
    return {
        "status": _status(parcel, day),
        "city": city,
        "km_to_go": round(total - gone, 1),
        "arrives": parcel["arrives"],
        "carrier_id": parcel["carrier_id"],
    }


def _share(parcel: Row, day: str) -> float:
    """Return which part of its time on the way a parcel has behind it on a day."""
    now, start, end = (
        datetime.date.fromisoformat(text).toordinal()
        for text in (day, parcel["ship_on"], parcel["arrives"])
    )
    return min(1.0, max(0.0, (now - start) / (end - start)))


@WORLD.tool(
    "Register a parcel with a carrier for a day. Adds the parcel; it waits until it leaves on that "
    "day.",
    parameters={
        "carrier_id": text("Id of the carrier.", "carrier_id",
                           pool=draw_from("carriers", "carrier_id")),
        "sender": text("Full name of the sender.", "person"),
        "recipient": text("Full name of the recipient.", "person"),
        "origin": text("City of dispatch.", "city"),
        "destination": text("City of delivery.", "city"),
        "weight_kg": number("Weight in kg.", "weight_kg", exclusiveMinimum=0, maximum=70),
        "ship_on": date("Day of dispatch, YYYY-MM-DD."),
    },
    outputs=(
        Output("parcel_id", "parcel_id", (
            ("the parcel of {weight_kg} that {sender} in {origin} sends to {recipient} in "
            "{destination} with {carrier_id} on {ship_on}"),
        )),
        Output("price", "price", (
            ("what {sender} in {origin} pays {carrier_id} on {ship_on} for {weight_kg} to "
            "{recipient} in {destination}"),
        )),
        Output("arrives", "date", (
            ("the day on which {recipient} in {destination} gets the {weight_kg} that {sender} "
            "sends from {origin} with {carrier_id} on {ship_on}"),
        )),
    ),
    wishes=(
        ("Send {weight_kg} with {carrier_id} from {sender} in {origin} to {recipient} in "
        "{destination} on {ship_on}."),
        ("Please register a parcel with {carrier_id}: sender {sender}, {origin}; recipient "
        "{recipient}, {destination}; {weight_kg}, leaving {ship_on}."),
        ("{sender} wants to send {recipient} a parcel of {weight_kg}, from {origin} to "
        "{destination}. Book it with {carrier_id} for {ship_on}."),
    ),
    reads=("carriers", "parcels"),
    writes=("parcels",),
    undo=Undo("cancel_parcel", {"parcel_id": "result.parcel_id"}),
)  # fmt: skip
def register_parcel(
    view: View,
    carrier_id: str,
    sender: str,
    recipient: str,
    origin: str,
    destination: str,
    weight_kg: float,
    ship_on: str,
) -> dict[str, Any]:
    """A parcel; registered again, it is another one."""
    carrier = _carrier(view, carrier_id)
    _check_city(origin)
    _check_city(destination)
    if ship_on < TODAY.isoformat():
        raise ToolError(f"a parcel can't leave on {ship_on}, which is over")
    if weight_kg > carrier["max_kg"]:
        raise ToolError(f"{carrier['name']} takes up to {carrier['max_kg']} kg, not {weight_kg} kg")
    km = distance_km(origin, destination)
    if km > carrier["reach_km"]:
        raise ToolError(f"{carrier['name']} does not deliver from {origin} to {destination}")
    day = datetime.date.fromisoformat(ship_on)
    row = _parcel(carrier, sender, recipient, origin, destination, weight_kg, day)
    base, copy = content_id("PX", *row.values()), 1
    while view.get("parcels", f"{base}.{copy}"):
        copy += 1
    view.put("parcels", f"{base}.{copy}", row)
    price = _price(carrier, weight_kg, km)
    return {"parcel_id": f"{base}.{copy}", "price": price, "arrives": row["arrives"]}


def _pickup_of(view: View, parcel_id: str) -> str | None:
    return next((key for key, row in view.rows("pickups") if parcel_id in row["parcel_ids"]), None)


@WORLD.tool(
    "Cancel a parcel that has not left yet and has no pick-up. Removes it from the parcels.",
    parameters={"parcel_id": text("Number of the parcel.", "parcel_id")},
    wishes=(
        "Cancel {parcel_id}.",
        "Please withdraw {parcel_id} before it leaves.",
        "{parcel_id} isn't needed any more; take it off the books.",
    ),
    reads=("parcels", "pickups"),
    writes=("parcels",),
)
def cancel_parcel(view: View, parcel_id: str) -> dict[str, Any]:
    """Remove a parcel without a trace."""
    parcel = _known_parcel(view, parcel_id)
    if parcel["ship_on"] < TODAY.isoformat():
        raise ToolError(f"{parcel_id} left on {parcel['ship_on']} and can't be cancelled")
    pickup_id = _pickup_of(view, parcel_id)
    if pickup_id:
        raise ToolError(f"{parcel_id} is part of the pick-up {pickup_id}")
    view.remove("parcels", parcel_id)
    return {"cancelled": parcel_id, "sender": parcel["sender"], "recipient": parcel["recipient"]}


@WORLD.tool(
    "Book a pick-up of waiting parcels that start in one city, on a weekday no later than they "
    "leave. Adds the pick-up.",
    parameters={
        "parcel_ids": array(
            "Numbers of the parcels.", text("Number of a parcel.", "parcel_id"),
            minItems=1, maxItems=10, uniqueItems=True,
        ),
        "day": date("Day, YYYY-MM-DD.", pool=_this_week),
        "window": choice(
            "Time of the day.", "pickup_window", _WINDOWS,
            says={f'"{window}"': window.replace("-", " and ") for window in _WINDOWS},
        ),
    },
    outputs=(
        Output("pickup_id", "pickup_id", (
            "the pick-up of {parcel_ids} on {day} between {window}",
        )),
        Output("fee", "price", (
            "the fee for having {parcel_ids} picked up on {day} between {window}",
        )),
        Output("city", "city", (
            "the city of a pick-up of {parcel_ids} on {day} between {window}",
        )),
        Output("weight_kg", "weight_kg", (
            ("the weight that the driver takes along when picking up {parcel_ids} on {day} between "
            "{window}"),
        )),
    ),
    wishes=(
        "Have {parcel_ids} picked up on {day} between {window}.",
        "Please book a pick-up for {parcel_ids}: {day}, between {window}.",
        "Someone should come and collect {parcel_ids} on {day}, any time between {window}.",
    ),
    reads=("carriers", "parcels", "pickups"),
    writes=("pickups",),
    undo=Undo("cancel_pickup", {"pickup_id": "result.pickup_id"}),
)  # fmt: skip
def book_pickup(view: View, parcel_ids: list[str], day: str, window: str) -> dict[str, Any]:
    """A pick-up; a parcel is in one at most."""
    if day < TODAY.isoformat() or datetime.date.fromisoformat(day).weekday() > 4:
        raise ToolError(f"{day} is no weekday to come")
    parcels = {parcel_id: _known_parcel(view, parcel_id) for parcel_id in parcel_ids}
    for parcel_id, parcel in parcels.items():
        if parcel["ship_on"] < day:
            raise ToolError(f"{parcel_id} leaves on {parcel['ship_on']}, before {day}")
        if _pickup_of(view, parcel_id):
            raise ToolError(f"{parcel_id} is picked up already")
    cities = sorted({parcel["origin"] for parcel in parcels.values()})
    if len(cities) > 1:
        raise ToolError(f"{parcel_ids[0]} and the others start in {' and '.join(cities)}")
    carriers = {parcel["carrier_id"] for parcel in parcels.values()}
    fees = [_carrier(view, carrier_id)["pickup_fee"] for carrier_id in sorted(carriers)]
    pickup_id = content_id("pu", sorted(parcel_ids), day, window)
    view.put("pickups", pickup_id, {"parcel_ids": sorted(parcel_ids), "day": day, "window": window})
    return {
        "pickup_id": pickup_id,
        "city": cities[0],
        "fee": round(math.fsum(fees), 2),
        "weight_kg": round(math.fsum(parcel["weight_kg"] for parcel in parcels.values()), 2),
    }


@WORLD.tool(
    "Cancel a pick-up. Removes it; the parcels stay.",
    parameters={"pickup_id": text("Id of the pick-up.", "pickup_id")},
    wishes=(
        "Cancel {pickup_id}.",
        "Please tell the driver not to come for {pickup_id}.",
        "We'll bring the parcels ourselves, so call off {pickup_id}.",
    ),
    reads=("pickups",),
    writes=("pickups",),
)
def cancel_pickup(view: View, pickup_id: str) -> dict[str, Any]:
    """Remove a pick-up without a trace."""
    pickup = view.get("pickups", pickup_id)
    if pickup is None:
        raise ToolError(f"no pick-up is booked under {pickup_id}")
    view.remove("pickups", pickup_id)
    return {"cancelled": pickup_id, "parcel_ids": pickup["parcel_ids"], "day": pickup["day"]}


@WORLD.tool(
    "Pack weights into as few boxes as first-fit-decreasing finds, each box up to a limit.",
    parameters={
        "weights": array(
            "Weights in kg.", number("One weight.", "weight_kg", exclusiveMinimum=0),
            minItems=1, maxItems=30,
        ),
        "limit_kg": number("Most that a box may hold, in kg.", "weight_kg", minimum=5, maximum=500,
                           pool=lambda view, rng: rng.choice((15, 20, 25, 31.5, 40, 50))),
    },
    outputs=(
        Output("box_count", "count", (
            "the number of boxes of at most {limit_kg} needed for weights of {weights}",
            "how many boxes holding up to {limit_kg} it takes to pack {weights}",
        )),
        Output("heaviest_kg", "weight_kg", (
            "the weight of the fullest box when {weights} go into boxes of at most {limit_kg}",
            "what the heaviest box weighs if {weights} are packed with {limit_kg} as the limit",
        )),
    ),
    wishes=(
        "How many boxes of at most {limit_kg} do I need for weights of {weights}?",
        "Pack {weights} into boxes that hold up to {limit_kg} each.",
        "There are things of {weights} to pack and a box takes {limit_kg}; work out the boxes.",
    ),
)  # fmt: skip
def pack_boxes(view: View, weights: list[float], limit_kg: float) -> dict[str, Any]:
    """Each weight, heaviest first, goes into the first box with room."""
    boxes: list[list[float]] = []
    for weight in sorted(weights, reverse=True):
        if weight > limit_kg:
            raise ToolError(f"{weight} kg fits into no box of {limit_kg} kg")
        room = (box for box in boxes if round(math.fsum(box) + weight, 6) <= limit_kg)
        box = next(room, None)
        if box is None:
            boxes.append([weight])
        else:
            box.append(weight)
    sums = [round(math.fsum(box), 2) for box in boxes]
    return {"boxes": boxes, "box_count": len(boxes), "heaviest_kg": max(sums)}
