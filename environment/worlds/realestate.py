"""Real estate: homes for sale and rent, mortgages, viewings, yields and commutes."""

import datetime
import math
from typing import Any

from environment.meanings import TODAY, position_of
from environment.people import people
from environment.places import BY_NAME, CITIES, plane_km
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

_KINDS = {"studio": (1, 1), "flat": (2, 4), "house": (3, 7)}
_DISTRICTS = ("Centre", "Northside", "Old Port", "Parkside", "Riverbank", "West End")
_PLURAL = {'"studio"': "studios", '"flat"': "flats", '"house"': "houses"}
# Degrees north and east of the centre.
_PLACES = {
    "city_centre": (0.0, 0.0),
    "main_station": (0.011, 0.016),
    "university": (-0.024, 0.031),
    "airport": (0.108, -0.157),
}
# Minutes to set off, and km an hour.
_MODES = {"walk": (0, 4.8), "cycle": (2, 15.0), "transit": (9, 22.0), "drive": (5, 28.0)}


def _tables(seed: int) -> Tables:
    rng = generator(seed, "realestate")
    agents = [person.name for person in people(seed)[:40]]
    listings: dict[str, Row] = {}
    market: dict[str, Row] = {}
    for city in CITIES:
        level = rng.uniform(1900, 8200)
        own = []
        for _ in range(12):
            listing_id = f"RE-{len(listings) + 10001}"
            listings[listing_id] = _listing(rng, listing_id, city.name, level, agents)
            own.append(listing_id)
        market[city.name] = {"city": city.name, "listings": own}
    return {"listings": listings, "market": market, "viewings": {}}


def _listing(rng: Any, listing_id: str, city: str, level: float, agents: list[str]) -> Row:
    kind = rng.choice(list(_KINDS))
    rooms = rng.randint(*_KINDS[kind])
    area = 18 + 21 * rooms + rng.randrange(0, 25)
    price = round(area * level * rng.uniform(0.75, 1.3), -3)
    centre = position_of(city)
    return {
        "listing_id": listing_id,
        "city": city,
        "district": rng.choice(_DISTRICTS),
        "kind": kind,
        "rooms": rooms,
        "area_m2": area,
        "built": rng.randrange(1902, 2025),
        "price": int(price),
        "rent": round(price * rng.uniform(0.0026, 0.0052)),
        "charges": 3 * area + rng.randrange(0, 90),
        "agent": rng.choice(agents),
        "position": {
            "lat": round(centre["lat"] + rng.uniform(-0.09, 0.09), 4),
            "lon": round(centre["lon"] + rng.uniform(-0.12, 0.12), 4),
        },
    }


WORLD = World(
    "realestate", "Homes for sale and rent, their costs and viewings.", _tables, test_only=True
)

_LISTING = text("Id of the listing.", "listing_id", pool=draw_from("listings", "listing_id"))


def _listing_of(view: View, listing_id: str) -> Row:
    row = view.get("listings", listing_id)
    if row is None:
        raise ToolError(f"no home is listed under '{listing_id}'")
    return row


@WORLD.tool(
    "Search homes in a city to buy or to rent, in a chosen order, with optional limits on kind, "
    "rooms and purchase price.",
    parameters={
        "city": text("City.", "city"),
        "deal": choice("Buy or rent.", "deal", ("buy", "rent"), says={
            '"buy"': "for sale", '"rent"': "to let",
        }),
        "order": choice("What comes first.", "home_order", ("cheapest", "largest", "newest")),
        "kinds": array("Kinds of home.", choice(
            "A kind.", "home_kind", tuple(_KINDS), says=_PLURAL,
        ), minItems=1, maxItems=2, optional=True),
        "min_rooms": integer(
            "Least number of rooms.", "count", minimum=1, maximum=7, optional=True,
            pool=lambda _, rng: rng.randrange(2, 5),
        ),
        "max_price": number(
            "Highest purchase price in EUR; for buyers only.", "property_price", exclusiveMinimum=0,
            optional=True,
        ),
    },
    outputs=(
        Output("homes[0].listing_id", "listing_id", (
            ("the {order} home {deal} in {city}[ with {min_rooms} rooms or more]"
            "[ for at most {max_price}][, looking at {kinds} only]"),
            ("whatever is {order} among the homes {deal} in {city}[ (only {kinds})]"
            "[ with at least {min_rooms} rooms][ up to {max_price}]"),
        )),
        Output("homes[1].listing_id", "listing_id", (
            ("the second home on the {order}-first list of those {deal} in {city}"
            "[ with {min_rooms} rooms or more][ for at most {max_price}]"),
            "the runner-up to the {order} home {deal} in {city}[, looking at {kinds} only]",
        )),
        Output("listing_ids", "list:listing_id", (
            ("the first four homes {deal} in {city}, {order} first[, {kinds} only]"
            "[, with {min_rooms} rooms or more][, for at most {max_price}]"),
            "the four homes {deal} in {city} that head the list with the {order} on top",
        )),
        Output("homes[0].price", "property_price", (
            ("the purchase price of the {order} home {deal} in {city}"
            "[ with {min_rooms} rooms or more][, looking at {kinds} only]"),
            "what one would pay to own the {order} home {deal} in {city}",
        )),
        Output("homes[0].rent", "price", (
            ("the monthly rent of the {order} home {deal} in {city}"
            "[ with {min_rooms} rooms or more][, looking at {kinds} only]"),
            "what the {order} home {deal} in {city} brings in rent a month",
        )),
        Output("count", "count", (
            ("the number of homes {deal} in {city}, {order} first[, {kinds} only]"
            "[, {min_rooms}+ rooms][, at most {max_price}]"),
            ("how many homes {deal} the {order}-first list for {city} has[ from {min_rooms} rooms "
            "up]"),
        )),
    ),
    wishes=(
        ("Homes {deal} in {city}, {order} first[; {kinds} only][; {min_rooms}+ rooms][; up to "
        "{max_price}]."),
        ("What is there {deal} in {city}[, of {kinds}][, with at least {min_rooms} rooms]"
        "[, for {max_price} at most]? Start with the {order}."),
        ("We're moving to {city} and looking for something {deal}[ – {kinds}]"
        "[ with {min_rooms} rooms or more][ and a budget of {max_price}]. Could you list the "
        "{order} places first?"),
    ),
    reads=("market", "listings"),
)  # fmt: skip
def search_homes(
    view: View,
    city: str,
    deal: str,
    order: str,
    kinds: list[str] | None = None,
    min_rooms: int = 1,
    max_price: float | None = None,
) -> dict[str, Any]:
    """Homes of a city in the asked order, ties by id."""
    listed = view.get("market", city)
    if listed is None:
        raise ToolError(f"there is no housing market data for {city}")
    if deal == "rent" and max_price is not None:
        raise ToolError(f"a purchase price of at most {max_price} is no limit for homes to let")
    cost = "price" if deal == "buy" else "rent"
    shown = ("listing_id", "kind", "district", "rooms", "area_m2", "built", "price", "rent")
    found = [
        {key: row[key] for key in shown}
        for row in (_listing_of(view, listing_id) for listing_id in listed["listings"])
        if row["rooms"] >= min_rooms
        and (kinds is None or row["kind"] in kinds)
        and (max_price is None or row["price"] <= max_price)
    ]
    column, sign = {"largest": ("area_m2", -1), "newest": ("built", -1)}.get(order, (cost, 1))
    found.sort(key=lambda row: (sign * row[column], row["listing_id"]))
    first = [row["listing_id"] for row in found[:4]]
    return {"homes": found, "listing_ids": first, "count": len(found)}


@WORLD.tool(
    "Describe one home: city, agent, area, position, price, rent and monthly charges.",
    parameters={"listing_id": _LISTING},
    outputs=(
        Output("position", "position", (
            "the place on the map of {listing_id}", "the location of {listing_id}",
        )),
        Output("agent", "person", (
            "the agent in charge of {listing_id}", "the agent who sells {listing_id}",
        )),
        Output("price", "property_price", (
            "the purchase price of {listing_id}", "the sum that {listing_id} costs to buy",
        )),
        Output("rent", "price", (
            "the monthly rent of {listing_id}", "the rent that {listing_id} costs per month",
        )),
        Output("charges", "price", (
            "the monthly service charges of {listing_id}",
            "what is due each month for {listing_id} on top of rent or loan",
        )),
        Output("city", "city", ("the city in which {listing_id} lies", "the town of {listing_id}")),
        Output("country", "country", ("the country in which {listing_id} stands",)),
    ),
    wishes=(
        "Tell me all about {listing_id}.",
        "Could I have the full particulars of {listing_id}?",
        "Details of {listing_id}, please.",
    ),
    reads=("listings",),
)  # fmt: skip
def describe_home(view: View, listing_id: str) -> dict[str, Any]:
    """One listing in full."""
    row = _listing_of(view, listing_id)
    return {**row, "country": BY_NAME[row["city"]].country}


@WORLD.tool(
    "Calculate the monthly payment of a mortgage with equal payments, and the interest over the "
    "whole term.",
    parameters={
        "price": number("Purchase price in EUR.", "property_price", exclusiveMinimum=0),
        "down_payment": number(
            "Own money in percent of the price.", "percent", minimum=0, maximum=90,
            pool=lambda _, rng: rng.randrange(10, 45, 5),
        ),
        "years": integer(
            "Term in years.", "loan_years", minimum=1, maximum=40,
            pool=lambda _, rng: rng.randrange(10, 36, 5),
        ),
        "yearly_rate": number(
            "Interest in percent a year.", "percent", minimum=0, maximum=15,
            pool=lambda _, rng: rng.randrange(20, 55) / 10,
        ),
    },
    outputs=(
        Output("monthly", "price", (
            ("the monthly mortgage payment on {price} with {down_payment} down, {years} years, "
            "{yearly_rate} interest"),
            ("what a loan over {years} years costs a month for a home at {price} with "
            "{down_payment} paid up front and {yearly_rate} interest a year"),
        )),
        Output("interest", "property_price", (
            ("the total interest of a mortgage on {price} over {years} years at {yearly_rate} with "
            "{down_payment} down"),
            ("all the interest paid if {price} is financed for {years} years at {yearly_rate} "
            "after {down_payment} up front"),
        )),
        Output("loan", "property_price", (
            ("the loan needed for {price} with {down_payment} down ({years} years at "
            "{yearly_rate})"),
            ("what has to be borrowed for a home at {price} after {down_payment} up front, over "
            "{years} years at {yearly_rate}"),
        )),
    ),
    wishes=(
        "Mortgage on {price}: {down_payment} down, {years} years, {yearly_rate} a year.",
        ("What would I pay a month for a home at {price} if I put down {down_payment} and borrow "
        "the rest for {years} years at {yearly_rate}?"),
        ("Please calculate the mortgage payment. The price is {price}, own money {down_payment}, "
        "term {years} years, yearly interest {yearly_rate}."),
    ),
)  # fmt: skip
def mortgage_payment(
    view: View, price: float, down_payment: float, years: int, yearly_rate: float
) -> dict[str, Any]:
    """An annuity in arrears."""
    del view
    loan = price * (1 - down_payment / 100)
    monthly = loan * _annuity(years, yearly_rate)
    return {
        "loan": round(loan, 2),
        "monthly": round(monthly, 2),
        "interest": round(12 * years * monthly - loan, 2),
    }


def _annuity(years: int, yearly_rate: float) -> float:
    """Monthly payment for a loan of 1."""
    rate, months = yearly_rate / 1200, 12 * years
    return float(rate / (1 - (1 + rate) ** -months)) if rate else 1 / months


@WORLD.tool(
    "Work out the highest home price an income allows: a third of the monthly income less fixed "
    "monthly costs goes into a loan.",
    parameters={
        "income": number(
            "Income a year in EUR.", "salary", exclusiveMinimum=0,
        ),
        "fixed_costs": array("Fixed monthly costs in EUR.",
            number("A cost.", "price", minimum=0,
                   pool=lambda _, rng: rng.randrange(20, 240, 10)), minItems=1, maxItems=5),
        "years": integer(
            "Term of the loan in years.", "loan_years", minimum=5, maximum=40,
            pool=lambda _, rng: rng.randrange(10, 36, 5),
        ),
        "savings": number(
            "Own money in EUR.", "amount", minimum=0, optional=True,
            pool=lambda _, rng: rng.randrange(10000, 120000, 5000),
        ),
    },
    outputs=(
        Output("max_price", "property_price", (
            ("the highest home price affordable over {years} years on {income} with monthly costs "
            "of {fixed_costs}[ and savings of {savings} EUR]"),
            ("the most a home may cost someone who earns {income}, has fixed monthly costs of "
            "{fixed_costs}[, saved {savings} EUR] and borrows for {years} years"),
        )),
        Output("monthly_budget", "price", (
            ("the monthly loan budget on {income} after fixed costs of {fixed_costs} ({years} years"
            "[, {savings} EUR saved])"),
            ("what is free each month for a loan of {years} years on {income} with monthly costs "
            "of {fixed_costs}"),
        )),
    ),
    wishes=(
        ("How expensive a home can I afford on {income}, with fixed monthly costs of {fixed_costs}"
        "[, savings of {savings} EUR] and a loan over {years} years?"),
        ("Affordability: income {income}; monthly costs {fixed_costs}; term {years} years"
        "[; savings {savings} EUR]."),
        ("My income is {income} and each month I have to pay {fixed_costs}. I'd borrow for {years} "
        "years[ and have put aside {savings} EUR]. Please find out my top price for a home."),
    ),
)  # fmt: skip
def affordable_price(
    view: View, income: float, fixed_costs: list[float], years: int, savings: float = 0
) -> dict[str, Any]:
    """The loan that the budget pays at 3.6 percent, plus the savings."""
    del view
    budget = income / 12 / 3 - math.fsum(fixed_costs)
    if budget <= 0:
        raise ToolError(f"an income of {income} leaves nothing for a loan after the fixed costs")
    price = budget / _annuity(years, 3.6) + savings
    return {"monthly_budget": round(budget, 2), "max_price": int(price)}


@WORLD.tool(
    "Compare homes as an investment: yearly rent less charges and repairs in percent of the price, "
    "best first.",
    parameters={
        "listing_ids": array("Ids of the listings.", _LISTING, minItems=2, maxItems=6),
        "repairs": number(
            "Share of the rent kept for repairs in percent; 10 if left out.", "percent", minimum=0,
            maximum=50, optional=True, pool=lambda _, rng: rng.randrange(5, 26),
        ),
    },
    outputs=(
        Output("yields[0].listing_id", "listing_id", (
            ("the home with the best rent yield among {listing_ids}"
            "[ if {repairs} goes into repairs]"),
            ("whichever of {listing_ids} is the best investment[, {repairs} of the rent kept for "
            "repairs]"),
        )),
        Output("yields[0].yield_percent", "percent", (
            "the best rent yield in percent among {listing_ids}[ if {repairs} goes into repairs]",
            "the yield in percent of the best investment among {listing_ids}",
        )),
    ),
    wishes=(
        "Compare the rent yield of {listing_ids}[, with {repairs} of the rent for repairs].",
        ("Which would pay off best to let out: {listing_ids}? Rank "
        "them by yield[, {repairs} of the rent set aside for repairs]."),
        ("I'm thinking of investing; what yield do {listing_ids} give"
        "[ once {repairs} of the rent is kept back for repairs]?"),
    ),
    reads=("listings",),
)  # fmt: skip
def rent_yield(view: View, listing_ids: list[str], repairs: float = 10) -> dict[str, Any]:
    """Net yields, best first, ties by id."""
    yields = []
    for listing_id in dict.fromkeys(listing_ids):
        row = _listing_of(view, listing_id)
        # A third of the charges stays with the owner.
        net = 12 * (row["rent"] * (1 - repairs / 100) - row["charges"] / 3)
        percent = round(100 * net / row["price"], 3)
        yields.append(
            {"listing_id": listing_id, "yield_percent": percent, "net_rent": round(net, 2)}
        )
    yields.sort(key=lambda row: (-row["yield_percent"], row["listing_id"]))
    return {"yields": yields}


@WORLD.tool(
    "Estimate the way from a home to a place of its city: distance along the streets and minutes "
    "one way.",
    parameters={
        "listing_id": _LISTING,
        "place": choice("Where the way leads.", "city_place", tuple(_PLACES), says={
            f'"{place}"': f"the {place.replace('_', ' ')}" for place in _PLACES
        }),
        "mode": choice("How to travel.", "commute_mode", tuple(_MODES), says={
            '"walk"': "on foot", '"cycle"': "by bicycle", '"transit"': "by public transport",
            '"drive"': "by car",
        }),
    },
    outputs=(
        Output("minutes", "duration_min", (
            "the time it takes to get from {listing_id} to {place} {mode}",
            "the commute in minutes between {listing_id} and {place} {mode}",
        )),
        Output("distance_km", "distance_km", (
            "the distance from {listing_id} to {place} {mode}",
            "the way from {listing_id} to {place} {mode}",
        )),
    ),
    wishes=(
        "How long is the way from {listing_id} to {place} {mode}?",
        "Commute {mode}: {listing_id} to {place}.",
        "If I lived at {listing_id} and had to get to {place} {mode}, how far would that be?",
    ),
    reads=("listings",),
)  # fmt: skip
def commute(view: View, listing_id: str, place: str, mode: str) -> dict[str, Any]:
    """Streets are 1.3 times as long as the straight line."""
    home = _listing_of(view, listing_id)
    centre, (north, east) = position_of(home["city"]), _PLACES[place]
    target = {"lat": centre["lat"] + north, "lon": centre["lon"] + east}
    distance = round(1.3 * plane_km(home["position"], target), 2)
    setting_off, speed = _MODES[mode]
    return {"distance_km": distance, "minutes": round(setting_off + 60 * distance / speed)}


@WORLD.tool(
    "Find the homes within some kilometres of a position, nearest first, optionally of one kind.",
    parameters={
        "near": record("Where to look.", "position", {
            "lat": number("Degrees north.", "latitude", minimum=-90, maximum=90),
            "lon": number("Degrees east.", "longitude", minimum=-180, maximum=180),
        }, pool=draw_from("listings", "position")),
        "within": number(
            "Kilometres as the crow flies.", "distance_km", exclusiveMinimum=0, maximum=50,
            pool=lambda _, rng: rng.randrange(5, 21),
        ),
        "kind": choice("Kind of home.", "home_kind", tuple(_KINDS), optional=True, says=_PLURAL),
    },
    outputs=(
        Output("homes[0].listing_id", "listing_id", (
            "the home[ ({kind} only)] closest to {near} within {within}",
            "the nearest home[ ({kind} only)] on the market within {within} of {near}",
        )),
        Output("homes[1].listing_id", "listing_id", (
            "the second-closest home[ ({kind} only)] to {near} within {within}",
            "the next-nearest home[ ({kind} only)] within {within} of {near}, after the nearest",
        )),
        Output("homes[0].distance_km", "distance_km", (
            "the distance between {near} and the closest home[ ({kind} only)] within {within}",
            "the way from {near} to the nearest home[ ({kind} only)] within {within}",
        )),
        Output("count", "count", (
            "the number of homes[ ({kind} only)] within {within} of {near}",
            "how many homes[ ({kind} only)] are on the market within {within} of {near}",
        )),
    ),
    wishes=(
        "Which homes[ ({kind} only)] are on the market within {within} of {near}?",
        "Homes[ ({kind} only)] no more than {within} from {near}, nearest first.",
        "I'd like to live close to {near}; show me homes[ ({kind} only)] at most {within} away.",
    ),
    reads=("listings",),
)  # fmt: skip
def homes_near(
    view: View, near: dict[str, float], within: float, kind: str | None = None
) -> dict[str, Any]:
    """Homes by distance, ties by id."""
    found = []
    for row in view.values("listings"):
        # A degree north is 111.2 km: most homes are ruled out by one subtraction.
        if abs(row["position"]["lat"] - near["lat"]) * 111.2 <= within and kind in {
            None,
            row["kind"],
        }:
            distance = round(plane_km(near, row["position"]), 2)
            if distance <= within:
                found.append({"listing_id": row["listing_id"], "distance_km": distance})
    found.sort(key=lambda home: (home["distance_km"], home["listing_id"]))
    return {"homes": found[:8], "count": len(found)}


def _coming_day(view: View, rng: Any) -> str:
    del view
    return (TODAY + datetime.timedelta(days=7 * rng.randrange(1, 8) + rng.randrange(6))).isoformat()


@WORLD.tool(
    "Book a viewing of a home with its agent. Adds it to the viewings.",
    parameters={
        "listing_id": _LISTING,
        "visitor": text("Full name of the visitor.", "person"),
        "day": date("Day of the viewing, YYYY-MM-DD; not a Sunday.", pool=_coming_day),
        "starts": text("Start, HH:MM.", "time", pattern=r"^([01]\d|2[0-3]):[0-5]\d$"),
    },
    outputs=(
        Output("viewing_id", "viewing_id", (
            "the viewing of {listing_id} by {visitor} on {day} at {starts}",
            "the appointment of {visitor} at {listing_id} ({day}, {starts})",
        )),
        Output("agent", "person", (
            "the agent who shows {listing_id} to {visitor} on {day} at {starts}",
            "whoever will meet {visitor} at {listing_id} on {day} at {starts}",
        )),
    ),
    wishes=(
        "Book a viewing of {listing_id} for {visitor}: {day}, {starts}.",
        "{visitor} would like to see {listing_id} on {day} at {starts}; please arrange it.",
        ("Can you make an appointment at {listing_id} for {visitor}? The day is {day}, the time "
        "{starts}."),
    ),
    reads=("listings", "viewings"),
    writes=("viewings",),
    undo=Undo("cancel_viewing", {"viewing_id": "result.viewing_id"}),
)  # fmt: skip
def book_viewing(
    view: View, listing_id: str, visitor: str, day: str, starts: str
) -> dict[str, Any]:
    """A viewing while the agent shows no other home."""
    home = _listing_of(view, listing_id)
    wanted = datetime.date.fromisoformat(day)
    if wanted <= TODAY or wanted.weekday() == 6:
        raise ToolError(f"there are no viewings on {day}: choose a coming day but Sunday")
    if not "07:00" <= starts <= "20:30":
        raise ToolError(f"agents show homes from 07:00 to 20:30, not at {starts}")
    for _, other in view.rows("viewings"):
        if other["agent"] == home["agent"] and (other["day"], other["starts"]) == (day, starts):
            raise ToolError(f"{home['agent']} already has a viewing at {starts} on {day}")
    viewing_id = content_id("vw", listing_id, visitor, day, starts)
    row = {"listing_id": listing_id, "visitor": visitor, "agent": home["agent"]}
    view.put("viewings", viewing_id, {**row, "day": day, "starts": starts})
    return {"viewing_id": viewing_id, "agent": home["agent"], "district": home["district"]}


@WORLD.tool(
    "Cancel the viewing of a home. Removes it from the viewings.",
    parameters={"viewing_id": text("Id of the viewing.", "viewing_id")},
    outputs=(
        Output("listing_id", "listing_id", (
            "the home that would have been shown at {viewing_id}, now cancelled",
            "the place that won't be visited once {viewing_id} is called off",
        )),
    ),
    wishes=(
        "Cancel {viewing_id}.",
        "Please tell the agent that {viewing_id} is off.",
        "We've found a home already, so {viewing_id} can be dropped.",
    ),
    reads=("viewings",),
    writes=("viewings",),
)  # fmt: skip
def cancel_viewing(view: View, viewing_id: str) -> dict[str, Any]:
    """Take a viewing back without a trace."""
    row = view.get("viewings", viewing_id)
    if row is None:
        raise ToolError(f"there is no viewing '{viewing_id}' to cancel")
    view.remove("viewings", viewing_id)
    return {"cancelled": viewing_id, "listing_id": row["listing_id"]}
