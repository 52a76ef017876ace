"""Transit: lines and stops of cities, departures, trips, fares by zone, disruptions, passes."""

import datetime
import math
from collections.abc import Iterator
from random import Random
from typing import Any

from environment.meanings import TODAY, position_of
from environment.places import CITIES, City
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

_HUB = "Central Station"
_STOPS = (
    "Abbey Road, Aquarium, Botanical Garden, Brewery, Cathedral, Citadel, City Hall, Concert Hall, "
    "Dockside, Exhibition Centre, Ferry Pier, Hospital, Market Hall, North Cemetery, Observatory, "
    "Opera, Stadium, Tannery, University, Water Tower, Zoo"
).split(", ")
_ZONES = ("A", "B", "C")
_TRAVELLERS = {"adult": 1.0, "child": 0.5, "student": 0.7, "senior": 0.65}
# Validity: days, and how many single fares a pass costs.
_VALIDITY = {"week": (7, 8), "month": (30, 27), "year": (365, 270)}
_QUOTED = {"": "“{value}”"}
_CAUSES = ("track works", "a signal failure", "a staff shortage", "a street festival")
_CHANGE_MIN = 3
_DAY_MIN = 24 * 60


def _network(rng: Random, city: City) -> tuple[list[Row], list[Row]]:
    """Three lines of eight stops that meet at the hub; lines 1 and 2 share one more stop."""
    names = rng.sample(_STOPS, len(_STOPS))
    chains = [names[:7], [names[0], *names[7:13]], [*names[13:20]]]
    lines: list[Row] = []
    serving: dict[str, list[str]] = {}
    zones: dict[str, str] = {}
    for at, chain in enumerate(chains):
        stops = [*chain[:4], _HUB, *chain[4:]]
        line_id = content_id("ln", city.name, at + 1)
        for place, name in enumerate(stops):
            serving.setdefault(name, []).append(line_id)
            zones.setdefault(name, _ZONES[(abs(place - 4) + 1) // 2])
        lines.append({
            "line_id": line_id,
            "name": f"line {at + 1}",
            "city": city.name,
            "stop_ids": [content_id("st", city.name, name) for name in stops],
            "hop_min": rng.randrange(2, 6),
            "interval_min": rng.choice((6, 8, 10, 12, 15, 20)),
            "first_min": 5 * 60 + rng.randrange(0, 20),
        })  # fmt: skip
    centre = position_of(city.name)
    stops_of_city: list[Row] = [
        {
            "stop_id": content_id("st", city.name, name),
            "name": name,
            "city": city.name,
            "zone": zone,
            "line_ids": sorted(serving[name]),
            "position": {
                axis: round(centre[axis] + rng.randrange(-400, 401) / 1e4, 4)
                for axis in ("lat", "lon")
            },
        }
        for name, zone in zones.items()
    ]
    return lines, stops_of_city


def _tables(seed: int) -> Tables:
    rng = generator(seed, "transit")
    lines: dict[str, Row] = {}
    stops: dict[str, Row] = {}
    networks: dict[str, Row] = {}
    works: dict[str, Row] = {}
    for city in CITIES:
        of_city, stops_of_city = _network(rng, city)
        lines |= {line["line_id"]: line for line in of_city}
        stops |= {stop["stop_id"]: stop for stop in stops_of_city}
        networks[city.name] = {
            "by_name": {stop["name"]: stop["stop_id"] for stop in stops_of_city},
            "single_fare": rng.randrange(14, 42) / 10,
            "lat": city.lat,
            "lon": city.lon,
        }
    for line_id in sorted(lines):
        first = TODAY + datetime.timedelta(days=rng.randrange(0, 60))
        works[line_id] = {
            "from": first.isoformat(),
            "to": (first + datetime.timedelta(days=rng.randrange(5, 70))).isoformat(),
            "delay_min": rng.randrange(4, 45),
            "cause": rng.choice(_CAUSES),
        }
    named = {"lines": lines, "stops": stops, "networks": networks, "disruptions": works}
    ordered = {name: dict(sorted(rows.items())) for name, rows in named.items()}
    return {**ordered, "passes": {}, "alerts": {}}


WORLD = World(
    "transit",
    "Lines, stops, departures, fares and passes of city transit.",
    _tables,
    test_only=True,
)

_STOP = draw_from("stops", "stop_id")
_LINE = text("Id of a line.", "line_id", pool=draw_from("lines", "line_id"))
_LINES = array("Ids of the lines.", _LINE, minItems=1, maxItems=8, uniqueItems=True)
_ZONE = choice("A fare zone.", "fare_zone", _ZONES,
               says={f'"{zone}"': f"zone {zone}" for zone in _ZONES})  # fmt: skip
_ZONE_LIST = array("Fare zones.", _ZONE, minItems=1, maxItems=3, uniqueItems=True)


def _stop(view: View, stop_id: str) -> Row:
    row = view.get("stops", stop_id)
    if row is None:
        raise ToolError(f"there is no stop with the id '{stop_id}'")
    return row


def _line(view: View, line_id: str) -> Row:
    row = view.get("lines", line_id)
    if row is None:
        raise ToolError(f"line '{line_id}' is unknown")
    return row


def _network_of(view: View, city: str) -> Row:
    row = view.get("networks", city)
    if row is None:
        raise ToolError(f"'{city}' has no transit network here")
    return row


def _minute(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:])


def _clock(minute: int) -> str:
    return f"{minute // 60 % 24:02d}:{minute % 60:02d}"


def _departure(line: Row, at: int, forward: bool, after: int) -> int:
    """First departure from the stop at this place of the line, not before a minute of the day."""
    hops = at if forward else len(line["stop_ids"]) - 1 - at
    start = line["first_min"] + hops * line["hop_min"]
    return int(start + max(0, math.ceil((after - start) / line["interval_min"]))
               * line["interval_min"])  # fmt: skip


def _ride(line: Row, start: str, end: str, after: int) -> int:
    """When one arrives by this line."""
    a, b = line["stop_ids"].index(start), line["stop_ids"].index(end)
    return _departure(line, a, b > a, after) + int(abs(b - a) * line["hop_min"])


Trip = tuple[int, int, list[str], list[str]]


def _trips(view: View, start: Row, end: Row, after: int) -> Iterator[Trip]:
    """Ways to go: arrival, changes, lines, stops passed through or changed at."""
    for first_id in start["line_ids"]:
        first = _line(view, first_id)
        for last_id in end["line_ids"]:
            last = _line(view, last_id)
            if first is last:
                arrival = _ride(first, start["stop_id"], end["stop_id"], after)
                yield arrival, 0, [first_id], []
                continue
            for via in sorted(set(first["stop_ids"]) & set(last["stop_ids"])):
                if via not in (start["stop_id"], end["stop_id"]):
                    there = _ride(first, start["stop_id"], via, after) + _CHANGE_MIN
                    arrival = _ride(last, via, end["stop_id"], there)
                    yield arrival, 1, [first_id, last_id], [via]


@WORLD.tool(
    "Find a transit stop of a city by its name.",
    parameters={
        "city": text("City of the stop.", "city"),
        "name": text(
            "Name of the stop.",
            "stop_name",
            pool=lambda view, rng: rng.choice((_HUB, *_STOPS)),
            says=_QUOTED,
        ),
    },
    outputs=(
        Output("stop_id", "stop_id", (
            "the stop {name} in {city}",
            "the stop called {name} in {city}",
        )),
        Output("line_ids", "list:line_id", (
            "the lines that stop at {name} in {city}",
            "every line calling at the stop {name} in {city}",
        )),
        Output("zone", "fare_zone", ("the fare zone of the stop {name} in {city}",)),
    ),
    wishes=(
        "Look up the stop {name} in {city}.",
        "Which lines call at {name} in {city}?",
        "I'm trying to find the transit stop {name} in {city}. What's known about it?",
    ),
    reads=("networks", "stops"),
)  # fmt: skip
def find_stop(view: View, city: str, name: str) -> dict[str, Any]:
    """A stop by name."""
    stop_id = _network_of(view, city)["by_name"].get(name)
    if stop_id is None:
        raise ToolError(f"{city} has no stop called '{name}'")
    return dict(_stop(view, stop_id))


@WORLD.tool(
    "Find the transit stop nearest to a position, in the city that is nearest to it.",
    parameters={
        "position": record(
            "Where to start from.",
            "position",
            {
                "lat": number("Degrees north.", "latitude", minimum=-90, maximum=90),
                "lon": number("Degrees east.", "longitude", minimum=-180, maximum=180),
            },
            pool=draw_from("stops", "position"),
        ),
    },
    outputs=(
        Output("stop_id", "stop_id", (
            "the transit stop nearest to {position}",
            "the closest stop of any line to {position}",
        )),
        Output("walk_min", "duration_min", ("the walk from {position} to the nearest stop",)),
        Output("city", "city", ("the city whose transit network lies nearest to {position}",)),
    ),
    wishes=(
        "Which transit stop is nearest to {position}?",
        "Find the stop closest to {position}.",
        "Starting from {position}, where do I get on a tram or bus? The nearest stop, please.",
    ),
    reads=("networks", "stops"),
)  # fmt: skip
def nearest_stop(view: View, position: dict[str, float]) -> dict[str, Any]:
    """The nearest stop; of equally near ones the first by id."""
    narrow = math.cos(math.radians(position["lat"]))

    def km(row: Any) -> float:
        turn = (row["lon"] - position["lon"] + 180) % 360 - 180
        return 111.195 * math.hypot(row["lat"] - position["lat"], turn * narrow)

    city, network = min(view.rows("networks"), key=lambda item: (km(item[1]), item[0]))
    near = [_stop(view, stop_id) for stop_id in network["by_name"].values()]
    stop = min(near, key=lambda row: (km(row["position"]), row["stop_id"]))
    away = round(km(stop["position"]), 3)
    if away > 60:
        raise ToolError(f"no stop lies within 60 km of {position['lat']}, {position['lon']}")
    told = {key: stop[key] for key in ("stop_id", "name", "zone")}
    return {**told, "city": city, "distance_km": away, "walk_min": math.ceil(away / 4.8 * 60)}


@WORLD.tool(
    "List the next departures from a stop in both directions, soonest first.",
    parameters={
        "stop_id": text("Id of the stop.", "stop_id", pool=_STOP),
        "after": text("Time of day, HH:MM.", "time", pattern="^[0-2][0-9]:[0-5][0-9]$"),
        "limit": integer(
            "How many at most; 6 if left out.", "count", minimum=1, maximum=20, optional=True
        ),
    },
    outputs=(
        Output("departures[0].time", "time", (
            "the time of the next departure from {stop_id} after {after}",
            "when the first one leaves {stop_id} from {after} on",
        )),
        Output("departures[0].line_id", "line_id", (
            "the line that leaves {stop_id} first after {after}",
        )),
        Output("departures[0].towards", "stop_name", (
            "the terminus of whatever leaves {stop_id} first after {after}",
        )),
        Output("wait_min", "duration_min", (
            "the wait at {stop_id} from {after} until the next departure",
        )),
    ),
    wishes=(
        "Next departures from {stop_id} after {after}[, {limit} of them].",
        "What leaves {stop_id} from {after} on[ – the first {limit} will do]?",
        "I'll be at {stop_id} at {after}; which departures can I catch[ (show {limit})]?",
    ),
    reads=("lines", "stops"),
)  # fmt: skip
def next_departures(view: View, stop_id: str, after: str, limit: int = 6) -> dict[str, Any]:
    """Departures until midnight by time, line and direction."""
    now, found = _minute(after), []
    for line_id in _stop(view, stop_id)["line_ids"]:
        line = _line(view, line_id)
        at, last = line["stop_ids"].index(stop_id), len(line["stop_ids"]) - 1
        for forward in (True, False):
            if at != (last if forward else 0):
                start, step = _departure(line, at, forward, now), line["interval_min"]
                target = _stop(view, line["stop_ids"][last if forward else 0])["name"]
                times = range(start, min(_DAY_MIN, start + step * limit), step)
                found += [(minute, line_id, target) for minute in times]
    found = sorted(found)[:limit]
    departures = [
        {"time": _clock(minute), "line_id": line_id, "towards": target}
        for minute, line_id, target in found
    ]
    if not found:
        return {"departures": [], "count": 0}
    return {"departures": departures, "count": len(found), "wait_min": found[0][0] - now}


@WORLD.tool(
    ("Plan a trip from a stop to another one of the same city with at most one change, earliest "
     "arrival first."),
    parameters={
        "from_stop": text("Id of the stop to start from.", "stop_id", pool=_STOP),
        "destination": text("Name of the stop to reach, in the same city.", "stop_name",
                            pool=lambda view, rng: rng.choice((_HUB, *_STOPS)), says=_QUOTED),
        "depart_at": text("Earliest departure, HH:MM.", "time", pattern="^[0-2][0-9]:[0-5][0-9]$"),
    },
    outputs=(
        Output("arrive_at", "time", (
            "the arrival time when going from {from_stop} to {destination} at {depart_at}",
            "when one reaches {destination}, setting out from {from_stop} at {depart_at}",
        )),
        Output("minutes", "duration_min", (
            "how long the trip from {from_stop} to {destination} takes at {depart_at}",
        )),
        Output("line_ids", "list:line_id", (
            "the lines to take from {from_stop} to {destination} at {depart_at}",
            "whatever lines one uses to get from {from_stop} to {destination} at {depart_at}",
        )),
        Output("zones", "list:fare_zone", (
            "the zones between {from_stop} and {destination} (trip at {depart_at})",
            "the fare zones touched on the trip from {from_stop} to {destination} at {depart_at}",
        )),
    ),
    wishes=(
        "Plan a trip from {from_stop} to {destination}, leaving at {depart_at}.",
        "How do I get from {from_stop} to {destination} if I set out at {depart_at}?",
        ("I have to be at {destination}; from {from_stop} I can leave at {depart_at}. Which "
         "lines?"),
    ),
    reads=("lines", "networks", "stops"),
)  # fmt: skip
def plan_trip(view: View, from_stop: str, destination: str, depart_at: str) -> dict[str, Any]:
    """The earliest arrival, then the fewest changes."""
    start, now = _stop(view, from_stop), _minute(depart_at)
    to_stop = _network_of(view, start["city"])["by_name"].get(destination)
    if to_stop is None:
        raise ToolError(f"there is no stop called '{destination}' in {start['city']}")
    if from_stop == to_stop:
        raise ToolError(f"the trip starts and ends at the same stop, '{destination}'")
    end = _stop(view, to_stop)
    arrival, changes, line_ids, via = min(_trips(view, start, end, now))
    if arrival >= _DAY_MIN:
        raise ToolError(f"no trip that starts at {depart_at} arrives before midnight")
    zones = {start["zone"], end["zone"], *(_stop(view, stop_id)["zone"] for stop_id in via)}
    return {
        "line_ids": line_ids,
        "change_at": via,
        "changes": changes,
        "arrive_at": _clock(arrival),
        "minutes": arrival - now,
        "zones": sorted(zones),
    }


@WORLD.tool(
    "Work out the fare for a set of zones, by kind of traveller.",
    parameters={
        "city": text("City of the network.", "city"),
        "zones": _ZONE_LIST,
        "traveller": choice("Who travels.", "traveller", tuple(_TRAVELLERS)),
        "trips": integer(
            "Number of trips; from the tenth on, one in ten is free.",
            "count",
            minimum=1,
            maximum=60,
            optional=True,
        ),
    },
    outputs=(
        Output("fare", "price", (
            "the {traveller} fare in {city} for {zones}[, {trips} trips]",
            "what a ticket for {zones} costs in {city} ({traveller}[, {trips} trips])",
        )),
    ),
    wishes=(
        "What is the {traveller} fare in {city} for {zones}[ and {trips} trips]?",
        "Fare check: {city}, {zones}, {traveller}[, {trips} trips].",
        ("Could you tell me what {city} charges for {zones}? It is for one {traveller}"
         "[ and {trips} trips]."),
    ),
    reads=("networks",),
)  # fmt: skip
def zone_fare(
    view: View, city: str, zones: list[str], traveller: str, trips: int = 1
) -> dict[str, Any]:
    """Fare in EUR; each zone after the first adds six tenths."""
    single = _network_of(view, city)["single_fare"] * (0.4 + 0.6 * len(zones))
    each = round(single * _TRAVELLERS[traveller], 2)
    return {"fare": round(each * (trips - trips // 10), 2), "single": each}


@WORLD.tool(
    "Check which of some lines are disrupted on a day, and by how much trips are delayed.",
    parameters={"line_ids": _LINES, "day": date("Day to check, YYYY-MM-DD.")},
    outputs=(
        Output("delay_min", "duration_min", (
            "the delay to expect on {day} with {line_ids}",
            "how many minutes are lost through disruptions of {line_ids} on {day}",
        )),
        Output("running", "list:line_id", (
            "whatever runs undisturbed on {day} out of {line_ids}",
        )),
        Output("disrupted_count", "count", ("how many of {line_ids} are disrupted on {day}",)),
    ),
    wishes=(
        "Any disruptions on {day} for {line_ids}?",
        "Check {line_ids} for trouble on {day}.",
        "I travel on {day} and depend on {line_ids}. Will there be delays?",
    ),
    reads=("disruptions", "lines"),
)  # fmt: skip
def check_disruptions(view: View, line_ids: list[str], day: str) -> dict[str, Any]:
    """Disrupted and undisturbed lines, in the order asked."""
    notices, delay = [], 0
    for line_id in line_ids:
        name = _line(view, line_id)["name"]
        works = view.get("disruptions", line_id)
        if works is not None and works["from"] <= day <= works["to"]:
            notices.append({"line_id": line_id, "name": name, "cause": works["cause"]})
            delay += works["delay_min"]
    hit = [notice["line_id"] for notice in notices]
    return {
        "notices": notices,
        "running": [line_id for line_id in line_ids if line_id not in hit],
        "disrupted_count": len(hit),
        "delay_min": delay,
    }


@WORLD.tool(
    "Issue a transit pass for zones of a city. Adds a pass.",
    parameters={
        "holder": text("Full name of the holder.", "person"),
        "city": text("City of the network.", "city"),
        "zones": _ZONE_LIST,
        "starts": date("First day, YYYY-MM-DD."),
        "validity": choice("How long it is valid.", "pass_validity", tuple(_VALIDITY)),
    },
    outputs=(
        Output("pass_id", "pass_id", (
            "a new {validity} pass of {holder} for {zones} in {city} from {starts}",
        )),
        Output("price", "price", (
            ("the price of a new {validity} pass that {holder} gets for {zones} in {city} from "
             "{starts}"),
        )),
        Output("ends", "date", (
            ("the last day of a new {validity} pass issued to {holder} for {zones} in {city} from "
             "{starts}"),
        )),
    ),
    wishes=(
        "Issue a {validity} pass for {holder}: {city}, {zones}, from {starts}.",
        "{holder} needs a {validity} pass for {zones} in {city}, starting {starts}.",
        "Please get {holder} a pass for a {validity} from {starts}, valid in {city} for {zones}.",
    ),
    reads=("networks", "passes"),
    writes=("passes",),
    undo=Undo("refund_pass", {"pass_id": "result.pass_id"}),
)  # fmt: skip
def issue_pass(
    view: View, holder: str, city: str, zones: list[str], starts: str, validity: str
) -> dict[str, Any]:
    """A pass; the same one twice is refused."""
    network = _network_of(view, city)
    if starts < TODAY.isoformat():
        raise ToolError(f"a pass cannot start on {starts}, which is past")
    pass_id = content_id("ps", holder, city, sorted(zones), starts, validity)
    if view.get("passes", pass_id):
        raise ToolError(f"{holder} already has this pass: {pass_id}")
    days, singles = _VALIDITY[validity]
    ends = datetime.date.fromisoformat(starts) + datetime.timedelta(days=days - 1)
    price = round(network["single_fare"] * (0.4 + 0.6 * len(zones)) * singles, 2)
    view.put("passes", pass_id, {"holder": holder, "city": city, "price": price})
    return {"pass_id": pass_id, "price": price, "ends": ends.isoformat()}


@WORLD.tool(
    "Refund a transit pass. Removes the pass.",
    parameters={"pass_id": text("Id of the pass.", "pass_id")},
    wishes=(
        "Refund {pass_id}.",
        "Please take back {pass_id} and return the money.",
        "I won't be needing {pass_id} after all; have it refunded.",
    ),
    reads=("passes",),
    writes=("passes",),
)  # fmt: skip
def refund_pass(view: View, pass_id: str) -> dict[str, Any]:
    """Remove a pass without a trace."""
    row = view.get("passes", pass_id)
    if row is None:
        raise ToolError(f"no pass '{pass_id}' was issued")
    view.remove("passes", pass_id)
    return {"refunded": row["price"], "holder": row["holder"]}


@WORLD.tool(
    "Send disruption alerts for lines to an e-mail address. Adds alerts; only the recipient can "
    "end them.",
    parameters={"email": text("Where to send alerts.", "email"), "line_ids": _LINES},
    wishes=(
        "Alert {email} about {line_ids}.",
        "Please send disruption alerts for {line_ids} to {email}.",
        "If anything happens to {line_ids}, {email} should get a message. Set the alerts up.",
    ),
    reads=("alerts", "lines"),
    writes=("alerts",),
)  # fmt: skip
def subscribe_alerts(view: View, email: str, line_ids: list[str]) -> dict[str, Any]:
    """Alerts for lines; nothing is added if one exists."""
    keys = {f"{email}/{_line(view, line_id)['line_id']}": line_id for line_id in line_ids}
    for key, line_id in keys.items():
        if view.get("alerts", key):
            raise ToolError(f"{email} already gets alerts for {line_id}")
    for key, line_id in keys.items():
        view.put("alerts", key, {"email": email, "line_id": line_id})
    return {"email": email, "alerts": len(keys)}
