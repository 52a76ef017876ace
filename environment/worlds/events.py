"""Events: shows with seats in venues, venues for hire, catering quotes."""

import random
from typing import Any

from environment.meanings import TODAY, position_of
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
    generator,
    integer,
    number,
    text,
)

_KINDS = ("concert", "comedy night", "lecture", "play", "opera", "poetry slam")
_FACILITIES = ("stage", "projector", "kitchen", "garden", "parking", "wheelchair access")
_DIETS = ("vegetarian", "vegan", "halal", "kosher", "gluten-free")
_SERVICES = {"buffet": 1.0, "served dinner": 1.45, "finger food": 0.7}
_NAMES = ("Foundry", "Atrium", "Glasshouse", "Corn Exchange", "Assembly Rooms", "Boiler House",
          "Pavilion", "Granary")  # fmt: skip
_CATERERS = ("Thyme & Table", "Copper Ladle", "Long Spoon", "Fig & Olive", "Salt Cellar",
             "Green Plate", "Harvest Board")  # fmt: skip
_ACTS = ("Paper Lanterns", "Midnight Tide", "Silver Birches", "Glass Orchestra", "Lost Umbrella",
         "Northern Echo", "Velvet Compass", "Quiet Engine")  # fmt: skip
_ROWS = "ABCDEFGHJK"
_WIDTH = 12


def _tables(seed: int) -> Tables:
    """Keyed by what look-ups start from: events and venues by id, a city's ids by city."""
    rng = generator(seed, "events")
    names = [person.name for person in people(seed)]
    tables: dict[str, dict[str, Row]] = {
        "events": {}, "venues": {}, "caterers": {}, "cities": {}, "seat_orders": {}, "hires": {},
    }  # fmt: skip
    for city in CITIES:
        venues = [_venue(rng, city.name, name) for name in rng.sample(_NAMES, 4)]
        events = [_event(rng, city.name, kind, rng.choice(venues), rng.choice(names))
                  for kind in _KINDS for _ in range(3)]  # fmt: skip
        caterers = [_caterer(rng, city.name, name) for name in rng.sample(_CATERERS, 5)]
        tables["venues"].update({row["venue_id"]: row for row in venues})
        tables["events"].update({row["event_id"]: row for row in events})
        tables["caterers"].update({row["caterer_id"]: row for row in caterers})
        tables["cities"][city.name] = {
            "venues": sorted(row["venue_id"] for row in venues),
            "events": sorted({row["event_id"] for row in events}),
            "caterers": sorted(row["caterer_id"] for row in caterers),
        }
    return tables


def _venue(rng: random.Random, city: str, name: str) -> dict[str, Any]:
    capacity = rng.randrange(40, 620, 20)
    return {
        "venue_id": content_id("vn", city, name),
        "name": f"The {name}, {city}",
        "city": city,
        "capacity": capacity,
        "hire_per_day": round(180 + 2.4 * capacity + rng.randrange(200), 2),
        "facilities": sorted(rng.sample(_FACILITIES, rng.randrange(2, 6))),
    }


def _event(rng: random.Random, city: str, kind: str, venue: Row, artist: str) -> dict[str, Any]:
    day = TODAY.fromordinal(TODAY.toordinal() + rng.randrange(3, 120)).isoformat()
    title = f"{rng.choice(_ACTS)} ({kind})"
    return {
        "event_id": content_id("ev", city, kind, title, day),
        "title": title,
        "kind": kind,
        "city": city,
        "venue_id": venue["venue_id"],
        "artist": artist,
        "date": day,
        "starts": rng.choice(("18:30", "19:00", "19:30", "20:00", "20:45")),
        "minutes": rng.randrange(60, 180, 15),
        "price": rng.randrange(12, 90) + rng.choice((0, 0.5)),
        "taken": sorted(rng.sample(range(len(_ROWS) * _WIDTH), rng.randrange(30, 90))),
    }


def _caterer(rng: random.Random, city: str, name: str) -> dict[str, Any]:
    return {
        "caterer_id": content_id("ca", city, name),
        "name": f"{name} {city}",
        "city": city,
        "per_head": rng.randrange(14, 38) + rng.choice((0, 0.5)),
        "call_out": rng.randrange(60, 260, 10),
        "largest": rng.choice((60, 120, 250, 600)),
        "diets": sorted(rng.sample(_DIETS, rng.randrange(2, 6))),
    }


WORLD = World("events", "Shows with seats, venues for hire and catering in many cities.", _tables)


def _in_city(view: View, table: str, city: str) -> list[Row]:
    known = view.get("cities", city)
    if known is None:
        raise ToolError(f"no events are listed for '{city}'")
    rows = (view.get(table, key) for key in known[table])
    return [row for row in rows if row is not None]


def _known(view: View, table: str, key: str, what: str) -> Row:
    row = view.get(table, key)
    if row is None:
        raise ToolError(f"'{key}' is not the id of {what}")
    return row


def _future(day: str) -> None:
    if day < TODAY.isoformat():
        raise ToolError(f"{day} lies in the past")


@WORLD.tool(
    "Find coming events of a kind in a city, by date or by price.",
    parameters={
        "city": text("City of the event.", "city"),
        "kind": choice("Kind of event.", "event_kind", _KINDS),
        "order": choice(
            "What comes first.", "event_order", ("date", "price"),
            says={'"date"': "next", '"price"': "cheapest"},
        ),
        "earliest": date("First day to consider, YYYY-MM-DD.", optional=True),
        "max_price": number("Highest price of a seat in EUR.", "price", minimum=1, optional=True),
    },
    outputs=(
        Output("events[0].event_id", "event_id", (
            "the {order} {kind} in {city}[ from {earliest} on][ for at most {max_price} a seat]",
            "whichever {kind} in {city} is {order}[, not before {earliest}][, within {max_price}]",
        )),
        Output("events[0].date", "date", (
            ("the date of the {order} {kind} in {city}[ from {earliest} on]"
             "[ for at most {max_price} a seat]"),
            ("the day on which the {order} {kind} in {city} takes place[, not before {earliest}]"
             "[, within {max_price}]"),
        )),
        Output("events[0].artist", "person", (
            ("the person on stage at the {order} {kind} in {city}[ from {earliest} on]"
             "[ for at most {max_price} a seat]"),
            ("whoever performs at the {order} {kind} in {city}[, not before {earliest}]"
             "[, within {max_price}]"),
        )),
        Output("events[0].venue_id", "event_venue_id", (
            ("the venue of the {order} {kind} in {city}[ from {earliest} on]"
             "[ for at most {max_price} a seat]"),
            ("the place that hosts the {order} {kind} in {city}[, not before {earliest}]"
             "[, within {max_price}]"),
        )),
        Output("prices", "list:price", (
            ("the seat prices of every {kind} in {city}, {order} first[, from {earliest} on]"
             "[ up to {max_price}]"),
            ("what a seat costs at each {kind} in {city}[ after {earliest}][ below {max_price}], "
             "the {order} one on top"),
        )),
    ),
    wishes=(
        ("Is there any {kind} in {city}[ from {earliest} on][ for up to {max_price} a seat]? "
         "The {order} one first."),
        ("List every {kind} in {city}, {order} first[, none before {earliest}]"
         "[, none over {max_price}]."),
        ("We're in the mood for one of these in {city}: {kind}. Could you look which one is {order}"
         "[, starting {earliest}][, with seats up to {max_price}]?"),
    ),
    reads=("events", "cities"),
)  # fmt: skip
def find_events(
    view: View,
    city: str,
    kind: str,
    order: str,
    earliest: str = "",
    max_price: float | None = None,
) -> dict[str, Any]:
    """Events, ties by id."""
    found = [
        {key: value for key, value in event.items() if key not in ("taken", "kind", "city")}
        for event in _in_city(view, "events", city)
        if event["kind"] == kind
        and event["date"] >= earliest
        and (max_price is None or event["price"] <= max_price)
    ]
    found.sort(key=lambda event: (event[order], event["event_id"]))
    return {"events": found, "count": len(found), "prices": [event["price"] for event in found]}


def _free_seats(view: View, event: Row) -> set[str]:
    taken = {f"{_ROWS[place // _WIDTH]}{place % _WIDTH + 1}" for place in event["taken"]}
    for order in view.values("seat_orders"):
        if order["event_id"] == event["event_id"]:
            taken.update(order["seats"])
    return {f"{row}{column}" for row in _ROWS for column in range(1, _WIDTH + 1)} - taken


@WORLD.tool(
    "Pick free seats side by side at an event: in the row nearest the stage (A) or nearest the "
    "back (K). Reserves nothing; reads seat orders.",
    parameters={
        "event_id": text("Id of the event.", "event_id"),
        "seats": integer("How many seats.", "count", minimum=1, maximum=8),
        "near": choice(
            "Where to look first.", "hall_end", ("stage", "back"),
            says={'"stage"': "near the stage", '"back"': "at the back"},
        ),
    },
    outputs=(
        Output("seats", "list:seat", (
            "the best block of {seats} seats {near} for {event_id}",
            "{seats} adjacent seats {near} at {event_id}",
        )),
        Output("price", "price", (
            "the price of {seats} seats side by side {near} at {event_id}",
            "what a block of {seats} seats {near} for {event_id} costs",
        )),
    ),
    wishes=(
        "Which {seats} seats next to each other are free {near} at {event_id}?",
        "Find a block of {seats} seats {near} for {event_id}.",
        "We would like to sit together {near} at {event_id}, {seats} seats; what is left?",
    ),
    reads=("events", "seat_orders"),
)  # fmt: skip
def pick_seats(view: View, event_id: str, seats: int, near: str) -> dict[str, Any]:
    """The first row with room for all, leftmost."""
    event = _known(view, "events", event_id, "an event")
    free = _free_seats(view, event)
    for row in _ROWS if near == "stage" else reversed(_ROWS):
        for left in range(1, _WIDTH - seats + 2):
            block = [f"{row}{column}" for column in range(left, left + seats)]
            if free.issuperset(block):
                return {"seats": block, "price": round(event["price"] * seats, 2)}
    raise ToolError(f"{event_id} has no {seats} free seats side by side")


@WORLD.tool(
    "Buy seats at an event in somebody's name. Adds a seat order and takes the seats; all or none.",
    parameters={
        "event_id": text("Id of the event.", "event_id"),
        "seats": array(
            "Seats, row letter and number.",
            text("A seat such as C7.", "seat", pattern="^[A-HJK]([1-9]|1[0-2])$"),
            minItems=1, maxItems=8, uniqueItems=True,
        ),
        "holder": text("Full name of the holder.", "person"),
    },
    outputs=(
        Output("order_id", "seat_order_id", (
            "the order of {seats} for {event_id} in the name of {holder}",
            "the seat order under which {holder} has {seats} at {event_id}",
        )),
        Output("total_price", "price", (
            "the bill of {holder} for {seats} at {event_id}",
            "what {holder} pays for {seats} at {event_id}",
        )),
    ),
    wishes=(
        "Buy {seats} at {event_id} for {holder}.",
        "Please get {holder} the following for {event_id}: {seats}.",
        "{holder} is keen on {event_id}; go ahead and buy {seats}.",
    ),
    reads=("events", "seat_orders"),
    writes=("seat_orders",),
    undo=Undo("refund_seats", {"order_id": "result.order_id"}),
)  # fmt: skip
def buy_seats(view: View, event_id: str, seats: list[str], holder: str) -> dict[str, Any]:
    """An order; a taken seat refuses it."""
    event = _known(view, "events", event_id, "an event")
    free = _free_seats(view, event)
    for seat in seats:
        if seat not in free:
            raise ToolError(f"seat {seat} at {event_id} is taken")
    order_id = content_id("so", event_id, sorted(seats), holder)
    row = {"event_id": event_id, "seats": sorted(seats), "holder": holder}
    view.put("seat_orders", order_id, row)
    total = round(event["price"] * len(seats), 2)
    return {"order_id": order_id, "event": event["title"], "seats": seats, "total_price": total}


@WORLD.tool(
    "Give bought seats back for their full price. Removes the seat order.",
    parameters={"order_id": text("Id of the seat order.", "seat_order_id")},
    wishes=(
        "Give back {order_id}.",
        "Nobody can come any more: please have {order_id} refunded.",
        "Refund {order_id}.",
    ),
    reads=("seat_orders",),
    writes=("seat_orders",),
)
def refund_seats(view: View, order_id: str) -> dict[str, Any]:
    """Take an order back without a trace."""
    order = _known(view, "seat_orders", order_id, "a seat order")
    view.remove("seat_orders", order_id)
    return {"refunded": order_id, "seats_freed": len(order["seats"])}


@WORLD.tool(
    "Find venues for hire in a city that hold a number of guests, have the facilities and are free "
    "on a day, cheapest first. Reads hires and events.",
    parameters={
        "city": text("City of the venue.", "city"),
        "guests": integer(
            "Guests to hold.", "guest_count", minimum=1, maximum=1000,
            pool=lambda view, rng: rng.randrange(30, 320, 10),
        ),
        "day": date("Day of the party, YYYY-MM-DD."),
        "facilities": array(
            "Facilities that it must have.", choice("A facility.", "facility", _FACILITIES),
            minItems=1, maxItems=3, uniqueItems=True, optional=True,
        ),
    },
    outputs=(
        Output("venues[0].venue_id", "event_venue_id", (
            "the cheapest venue in {city} for a party of {guests} on {day}[ with {facilities}]",
            ("whichever hall in {city} that is free on {day} and holds a party of {guests} costs "
             "least[ and has {facilities}]"),
        )),
        Output("venues[0].hire_per_day", "price", (
            "the lowest hire charge in {city} for a party of {guests} on {day}[ with {facilities}]",
            ("what the cheapest hall for a party of {guests} in {city} costs on {day}"
             "[ if it must have {facilities}]"),
        )),
        Output("venues[0].position", "position", (
            ("the location of the cheapest venue in {city} for a party of {guests} on {day}"
             "[ with {facilities}]"),
            ("where the least expensive hall in {city} for a party of {guests} on {day}"
             "[ with {facilities}] lies"),
        )),
        Output("count", "count", (
            ("the number of venues in {city} free for a party of {guests} on {day}[ with "
             "{facilities}]"),
            "how many halls for a party of {guests} {city} has free on {day}[ with {facilities}]",
        )),
    ),
    wishes=(
        "Where in {city} can a party of {guests} be hosted on {day}[, with {facilities}]?",
        "Find venues in {city} for a party of {guests}, free on {day}[, {facilities} required].",
        ("We're celebrating in {city} on {day}, a party of {guests}; which halls would do"
         "[, given that we need {facilities}]?"),
    ),
    reads=("venues", "events", "cities", "hires"),
)  # fmt: skip
def find_venues(
    view: View, city: str, guests: int, day: str, facilities: list[str] | None = None
) -> dict[str, Any]:
    """Free venues by price."""
    _future(day)
    busy = {event["venue_id"] for event in _in_city(view, "events", city) if event["date"] == day}
    busy |= {hire["venue_id"] for hire in view.values("hires") if hire["day"] == day}
    found = [
        {key: value for key, value in venue.items() if key != "city"}
        | {"position": position_of(city)}
        for venue in _in_city(view, "venues", city)
        if venue["capacity"] >= guests
        and venue["venue_id"] not in busy
        and set(facilities or ()) <= set(venue["facilities"])
    ]
    found.sort(key=lambda venue: (venue["hire_per_day"], venue["venue_id"]))
    return {"venues": found, "count": len(found)}


@WORLD.tool(
    "Hire a venue for a day. Adds a hire; refused when the venue has an event or a hire that day.",
    parameters={
        "venue_id": text("Id of the venue.", "event_venue_id"),
        "day": date("Day of the hire, YYYY-MM-DD."),
        "organiser": text("Full name of the organiser.", "person"),
    },
    outputs=(
        Output("hire_id", "venue_hire_id", (
            "the hire of {venue_id} on {day} by {organiser}",
            "the contract by which {organiser} has {venue_id} on {day}",
        )),
        Output("deposit", "price", (
            "the deposit that {organiser} leaves for {venue_id} on {day}",
            "the 20 percent that {organiser} pays in advance for {venue_id} on {day}",
        )),
        Output("capacity", "guest_count", (
            "the number of guests that {organiser} can invite after hiring {venue_id} for {day}",
            "the capacity {organiser} gets by taking {venue_id} on {day}",
        )),
    ),
    wishes=(
        "Hire {venue_id} on {day} for {organiser}.",
        "Please book {venue_id} for the whole of {day}, organiser {organiser}.",
        "{organiser} is hosting on {day} and wants {venue_id}; arrange the hire.",
    ),
    reads=("venues", "events", "cities", "hires"),
    writes=("hires",),
    undo=Undo("cancel_hire", {"hire_id": "result.hire_id"}),
)  # fmt: skip
def hire_venue(view: View, venue_id: str, day: str, organiser: str) -> dict[str, Any]:
    """A hire of a whole day."""
    venue = _known(view, "venues", venue_id, "a venue")
    _future(day)
    held = [row for row in _in_city(view, "events", venue["city"]) if row["date"] == day]
    hired = [row for row in view.values("hires") if row["day"] == day]
    if any(row["venue_id"] == venue_id for row in (*held, *hired)):
        raise ToolError(f"{venue_id} ({venue['name']}) is not free on {day}")
    hire_id = content_id("vh", venue_id, day, organiser)
    view.put("hires", hire_id, {"venue_id": venue_id, "day": day, "organiser": organiser})
    deposit = round(0.2 * venue["hire_per_day"], 2)
    return {"hire_id": hire_id, "deposit": deposit, "capacity": venue["capacity"]}


@WORLD.tool(
    "Cancel the hire of a venue. Removes the hire; the deposit is paid back.",
    parameters={"hire_id": text("Id of the hire.", "venue_hire_id")},
    wishes=(
        "Cancel {hire_id}.",
        "The party is off, so call off {hire_id}, please.",
        "Please release {hire_id} and have the deposit paid back.",
    ),
    reads=("hires",),
    writes=("hires",),
)
def cancel_hire(view: View, hire_id: str) -> dict[str, Any]:
    """Take a hire back without a trace."""
    hire = _known(view, "hires", hire_id, "a hire")
    view.remove("hires", hire_id)
    return {"cancelled": hire_id, "organiser": hire["organiser"], "day": hire["day"]}


@WORLD.tool(
    "Get quotes from the caterers of a city for a number of guests, cheapest first; only those who "
    "can serve that many and offer the diets.",
    parameters={
        "city": text("City of the party.", "city"),
        "guests": integer(
            "Guests to feed.", "guest_count", minimum=1, maximum=600,
            pool=lambda view, rng: rng.randrange(20, 240, 10),
        ),
        "service": choice("Way of serving.", "catering_service", tuple(_SERVICES)),
        "diets": array(
            "Diets to cater for.", choice("A diet.", "catered_diet", _DIETS),
            minItems=1, maxItems=3, uniqueItems=True, optional=True,
        ),
    },
    outputs=(
        Output("quotes[0].total", "price", (
            ("the lowest catering quote in {city} for a party of {guests} ({service})"
             "[ with {diets} options]"),
            ("the cheapest price for feeding a party of {guests} in {city} with {service}"
             "[ including {diets} dishes]"),
        )),
        Output("quotes[0].per_head", "price", (
            ("the cost per head of the cheapest {service} catering in {city} for a party of "
             "{guests}[ with {diets} options]"),
            ("what a head costs in a party of {guests} with the cheapest {service} caterer in "
             "{city}[ that offers {diets} dishes]"),
        )),
        Output("quotes[0].name", "text", (
            ("the name of the cheapest caterer in {city} for a party of {guests} ({service})"
             "[ with {diets} options]"),
            ("the firm with the lowest quote for {service} for a party of {guests} in {city}"
             "[ and {diets} dishes]"),
        )),
        Output("totals", "list:price", (
            ("all catering quotes in {city} for a party of {guests} ({service})[ with {diets} "
             "options]"),
            ("the prices that caterers in {city} ask to feed a party of {guests} with {service}"
             "[ including {diets} dishes]"),
        )),
    ),
    wishes=(
        ("What would catering cost for a party of {guests} in {city} ({service})[, {diets} "
         "included]?"),
        "Get quotes for {service} for a party of {guests} in {city}[, with {diets} options].",
        ("Please ask the caterers of {city} for their offers: {service}, a party of {guests}"
         "[, some of them eat {diets}]."),
    ),
    reads=("caterers", "cities"),
)  # fmt: skip
def catering_quotes(
    view: View, city: str, guests: int, service: str, diets: list[str] | None = None
) -> dict[str, Any]:
    """Offers by total, ties by id; ten percent off the meals from 100 guests on."""
    quotes = []
    for caterer in _in_city(view, "caterers", city):
        if guests > caterer["largest"] or not set(diets or ()) <= set(caterer["diets"]):
            continue
        meal = caterer["per_head"] * _SERVICES[service] * (0.9 if guests >= 100 else 1)
        total = round(meal * guests + caterer["call_out"], 2)
        name, caterer_id = caterer["name"], caterer["caterer_id"]
        per_head = round(total / guests, 2)
        quotes.append(
            {"caterer_id": caterer_id, "name": name, "total": total, "per_head": per_head}
        )
    quotes.sort(key=lambda quote: (quote["total"], quote["caterer_id"]))
    return {"quotes": quotes, "count": len(quotes), "totals": [quote["total"] for quote in quotes]}
