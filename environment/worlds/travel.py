"""Travel: hotels with rooms by the night, trains between cities, bookings."""

import datetime
from typing import Any

from environment.meanings import TODAY, position_of
from environment.places import BY_NAME, CITIES
from environment.state import Row, Tables, View
from environment.world import (
    Output,
    ToolError,
    Undo,
    World,
    choice,
    content_id,
    date,
    draw_from,
    generator,
    integer,
    number,
    text,
)

_STYLES = ("Harbour", "Garden", "Station", "Old Town", "Riverside", "Market", "Park", "Royal")
_KINDS = ("Hotel", "Inn", "House", "Lodge")
_HORIZON = 130


def _tables(seed: int) -> Tables:
    rng = generator(seed, "travel")
    hotels: dict[str, Row] = {}
    for city in CITIES:
        for style in rng.sample(_STYLES, 5):
            name = f"{style} {rng.choice(_KINDS)} {city.name}"
            stars = rng.randrange(2, 6)
            hotel_id = content_id("h", name)
            hotels[hotel_id] = {
                "hotel_id": hotel_id,
                "name": name,
                "city": city.name,
                "stars": stars,
                "price_per_night": round(
                    28 * stars + rng.randrange(0, 60) + rng.choice((0, 0.5)), 2
                ),
                "rooms": rng.randrange(2, 9),
                "breakfast": rng.choice(("included", "extra", "none")),
            }
    trains = _trains(seed)
    return {"hotels": hotels, "trains": trains, "bookings": {}, "tickets": {}}


def _trains(seed: int) -> dict[str, Row]:
    rng = generator(seed, "travel", "trains")
    names = [city.name for city in CITIES]
    trains: dict[str, Row] = {}
    for origin in names:
        for target in rng.sample([name for name in names if name != origin], 14):
            for hour in rng.sample(range(6, 21), 2):
                number_of = f"T{len(trains) + 1001}"
                trains[number_of] = {
                    "train": number_of,
                    "origin": origin,
                    "destination": target,
                    "departs": f"{hour:02d}:{rng.choice((5, 20, 35, 50)):02d}",
                    "minutes": rng.randrange(70, 700, 5),
                    "price": round(rng.randrange(19, 190) + 0.9, 2),
                }
    return trains


WORLD = World("travel", "Hotels, trains and bookings in cities around the world.", _tables)


def _nights(check_in: str, nights: int) -> list[str]:
    first = datetime.date.fromisoformat(check_in)
    return [(first + datetime.timedelta(days=day)).isoformat() for day in range(nights)]


def _free_rooms(view: View, hotel: Row, check_in: str, nights: int) -> int:
    wanted = set(_nights(check_in, nights))
    taken = dict.fromkeys(wanted, 0)
    for booking in view.values("bookings"):
        if booking["hotel_id"] == hotel["hotel_id"]:
            for night in wanted & set(_nights(booking["check_in"], booking["nights"])):
                taken[night] += 1
    return int(hotel["rooms"]) - max(taken.values(), default=0)


def _check_day(day: str) -> None:
    ahead = (datetime.date.fromisoformat(day) - TODAY).days
    if not 0 <= ahead <= _HORIZON:
        raise ToolError(f"{day} is outside the booking period, which ends {_HORIZON} days ahead")


@WORLD.tool(
    "List hotels of a city that have a free room for a stay, cheapest first. Reads hotels and "
    "room bookings.",
    parameters={
        "city": text("City to stay in.", "city"),
        "check_in": date("Day of arrival, YYYY-MM-DD."),
        "nights": integer("Number of nights.", "count", minimum=1, maximum=14),
        "min_stars": integer(
            "Least number of stars.", "stars", minimum=1, maximum=5, optional=True
        ),
    },
    outputs=(
        Output("hotels[0].hotel_id", "hotel_id", (
            ("the cheapest hotel in {city} with a free room for {nights} nights from {check_in}"
            "[ and at least {min_stars} stars]"),
            ("whichever[ {min_stars}-star-or-better] hotel in {city} costs least for {nights} "
            "nights from {check_in}"),
        )),
        Output("hotels[0].price_per_night", "price", (
            ("the lowest nightly rate in {city} for a stay of {nights} nights from {check_in}"
            "[ with {min_stars} stars or more]"),
        )),
    ),
    wishes=(
        ("Which hotels in {city} have a room for {nights} nights from {check_in}[, {min_stars} "
        "stars or more]?"),
        ("I need a list of places to stay in {city}, arriving {check_in}, {nights} nights"
        "[, at least {min_stars} stars]."),
        ("Show me hotels with vacancies in {city} for {nights} nights starting {check_in}"
        "[ (minimum {min_stars} stars)]."),
    ),
    reads=("hotels", "bookings"),
)  # fmt: skip
def find_hotels(
    view: View, city: str, check_in: str, nights: int, min_stars: int = 1
) -> dict[str, Any]:
    """Hotels of a city with a free room, by price."""
    _check_day(check_in)
    found = [
        {key: hotel[key] for key in ("hotel_id", "name", "stars", "price_per_night")}
        for hotel in view.values("hotels")
        if hotel["city"] == city
        and hotel["stars"] >= min_stars
        and _free_rooms(view, hotel, check_in, nights) > 0
    ]
    found.sort(key=lambda hotel: (hotel["price_per_night"], hotel["hotel_id"]))
    return {"hotels": found, "count": len(found)}


@WORLD.tool(
    "Book a room in a hotel. Adds a room booking.",
    parameters={
        "hotel_id": text("Id of the hotel.", "hotel_id", pool=draw_from("hotels", "hotel_id")),
        "guest": text("Full name of the guest.", "person"),
        "check_in": date("Day of arrival, YYYY-MM-DD."),
        "nights": integer("Number of nights.", "count", minimum=1, maximum=14),
    },
    outputs=(
        Output("booking_id", "room_booking_id", (
            "the reservation for {guest} at {hotel_id} ({nights} nights from {check_in})",
        )),
        Output("total_price", "price", (
            "what {nights} nights from {check_in} at {hotel_id} cost {guest}",
        )),
    ),
    wishes=(
        "Book {hotel_id} for {guest}, arriving {check_in}, {nights} nights.",
        ("Please reserve a room at {hotel_id} in the name of {guest} from {check_in} for {nights} "
        "nights."),
        "{guest} needs a room at {hotel_id}: {nights} nights, check-in {check_in}. Book it.",
    ),
    reads=("hotels", "bookings"),
    writes=("bookings",),
    undo=Undo("cancel_room", {"booking_id": "result.booking_id"}),
)  # fmt: skip
def book_room(view: View, hotel_id: str, guest: str, check_in: str, nights: int) -> dict[str, Any]:
    """A booking of one room; the same booking twice is refused."""
    hotel = view.get("hotels", hotel_id)
    if hotel is None:
        raise ToolError(f"there is no hotel with the id '{hotel_id}'")
    _check_day(check_in)
    booking_id = content_id("rb", hotel_id, guest, check_in, nights)
    if view.get("bookings", booking_id):
        raise ToolError(f"{guest} already has this booking: {booking_id}")
    if _free_rooms(view, hotel, check_in, nights) < 1:
        raise ToolError(f"{hotel['name']} has no free room for {nights} nights from {check_in}")
    row = {"hotel_id": hotel_id, "guest": guest, "check_in": check_in, "nights": nights}
    view.put("bookings", booking_id, row)
    total = round(hotel["price_per_night"] * nights, 2)
    return {"booking_id": booking_id, "hotel": hotel["name"], "total_price": total}


@WORLD.tool(
    "Cancel a room booking. Removes it from the room bookings.",
    parameters={"booking_id": text("Id of the booking.", "room_booking_id")},
    wishes=(
        "Cancel {booking_id}.",
        "Please call off {booking_id}.",
        "I no longer need {booking_id}; cancel it.",
    ),
    reads=("bookings",),
    writes=("bookings",),
    undo=None,
)
def cancel_room(view: View, booking_id: str) -> dict[str, Any]:
    """Take a booking back without a trace."""
    booking = view.get("bookings", booking_id)
    if booking is None:
        raise ToolError(f"there is no room booking with the id '{booking_id}'")
    view.remove("bookings", booking_id)
    return {"cancelled": booking_id, "guest": booking["guest"]}


@WORLD.tool(
    "Describe one hotel: name, city, stars, breakfast, where it lies.",
    parameters={
        "hotel_id": text("Id of the hotel.", "hotel_id", pool=draw_from("hotels", "hotel_id"))
    },
    outputs=(
        Output("name", "text", ("the name of {hotel_id}",)),
        Output("city", "city", ("the city in which {hotel_id} lies",)),
        Output("position", "position", ("the location of {hotel_id}",)),
        Output("country", "country", ("the country in which {hotel_id} lies",)),
    ),
    wishes=(
        "Tell me more about {hotel_id}.",
        "What are the details of {hotel_id}?",
        "I'd like a description of {hotel_id}.",
    ),
    reads=("hotels",),
)
def describe_hotel(view: View, hotel_id: str) -> dict[str, Any]:
    """One hotel in full."""
    hotel = view.get("hotels", hotel_id)
    if hotel is None:
        raise ToolError(f"there is no hotel with the id '{hotel_id}'")
    city = hotel["city"]
    return {**hotel, "country": BY_NAME[city].country, "position": position_of(city)}


@WORLD.tool(
    "Find direct trains between two cities, by price or by duration.",
    parameters={
        "origin": text("City of departure.", "city"),
        "destination": text("City of arrival.", "city"),
        "sort_by": choice(
            "What comes first.", "train_order", ("price", "duration"),
            says={'"price"': "cheapest", '"duration"': "fastest"},
        ),
        "max_price": number("Highest fare in EUR.", "price", exclusiveMinimum=0, optional=True),
    },
    outputs=(
        Output("trains[0].train", "train_id", (
            "the {sort_by} direct train from {origin} to {destination}[ under {max_price}]",
        )),
        Output("trains[0].price", "price", (
            "the fare of the {sort_by} direct train from {origin} to {destination}",
        )),
        Output("trains[0].minutes", "duration_min", (
            "how long the {sort_by} direct train from {origin} to {destination} takes",
        )),
    ),
    wishes=(
        ("Which direct trains run from {origin} to {destination}, {sort_by} first[, at most "
        "{max_price}]?"),
        "Look up trains {origin} – {destination}, {sort_by} on top[, nothing over {max_price}].",
        ("I want to go by train from {origin} to {destination}; list the {sort_by} first"
        "[ and stay under {max_price}]."),
    ),
    reads=("trains",),
)  # fmt: skip
def find_trains(
    view: View, origin: str, destination: str, sort_by: str, max_price: float | None = None
) -> dict[str, Any]:
    """Direct trains, best first."""
    found = [
        dict(train)
        for train in view.values("trains")
        if train["origin"] == origin
        and train["destination"] == destination
        and (max_price is None or train["price"] <= max_price)
    ]
    column = "price" if sort_by == "price" else "minutes"
    found.sort(key=lambda train: (train[column], train["train"]))
    return {"trains": found, "count": len(found)}


@WORLD.tool(
    "Buy a train ticket for a day. Adds a ticket; tickets can't be given back.",
    parameters={
        "train": text("Number of the train.", "train_id", pool=draw_from("trains", "train")),
        "day": date("Day of travel, YYYY-MM-DD."),
        "passenger": text("Full name of the passenger.", "person"),
    },
    outputs=(
        Output("ticket_id", "ticket_id", ("the ticket of {passenger} for {train} on {day}",)),
        Output("price", "price", ("the price of a ticket for {passenger} on {train} on {day}",)),
    ),
    wishes=(
        "Buy {passenger} a ticket for {train} on {day}.",
        "Get a ticket for {train}, travelling {day}, in the name of {passenger}.",
        "{passenger} travels on {day} with {train}: please purchase the ticket.",
    ),
    reads=("trains", "tickets"),
    writes=("tickets",),
)
def buy_ticket(view: View, train: str, day: str, passenger: str) -> dict[str, Any]:
    """A ticket; buying again buys another one."""
    row = view.get("trains", train)
    if row is None:
        raise ToolError(f"there is no train '{train}'")
    _check_day(day)
    base = content_id("tk", train, day, passenger)
    copies = sum(key.startswith(base) for key, _ in view.rows("tickets"))
    ticket_id = f"{base}.{copies + 1}"
    view.put("tickets", ticket_id, {"train": train, "day": day, "passenger": passenger})
    return {"ticket_id": ticket_id, "price": row["price"], "departs": row["departs"]}
