"""Maps: places of interest, distances, routes with stops, what lies within reach, saved lists."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from environment.meanings import position_of
from environment.places import CITIES
from environment.state import Row, Tables, View
from environment.world import (
    Output,
    Parameter,
    ToolError,
    Undo,
    World,
    array,
    boolean,
    choice,
    content_id,
    draw_from,
    generator,
    integer,
    number,
    record,
    text,
)

Position = dict[str, float]
Vector = tuple[float, float, float]

_EARTH_KM = 6371.0088
_DETOUR = 1.25
_CATEGORIES = {
    "museum": ("Museum of Glass", "Tram Museum", "Folk Museum", "Museum of Maps"),
    "library": ("Lantern Library", "Riverside Library", "Library of the Arts", "Mill Library"),
    "pharmacy": ("Swan Pharmacy", "Linden Pharmacy", "Pharmacy at the Bridge", "Star Pharmacy"),
    "café": ("Café Aurora", "Blue Door Café", "Café Meridian", "Café of the Clock"),
    "swimming pool": ("North Baths", "Lido", "Olympia Pool", "Garden Baths"),
    "playground": ("Pirate Playground", "Treehouse Playground", "Castle Playground", "Big Slide"),
    "charging station": ("Volt Point", "Plaza Chargers", "Green Chargers", "Harbour Chargers"),
    "theatre": ("Little Theatre", "Theatre on the Square", "New Playhouse", "Comedy House"),
}
_STREETS = ("Mill", "Church", "Station", "Garden", "Harbour", "Linden", "Bridge", "Market")
# Mode: words, km an hour, minutes before setting off, longest way in km.
_MODES = {
    "walking": ("on foot", 4.8, 0, 60),
    "cycling": ("by bike", 15.0, 1, 250),
    "driving": ("by car", 48.0, 4, 3000),
    "transit": ("by public transport", 26.0, 8, 400),
}
_WINDS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


def _vector(position: Position) -> Vector:
    """The point on the unit sphere: the larger the product of two, the nearer they are."""
    lat, lon = math.radians(position["lat"]), math.radians(position["lon"])
    return (math.cos(lat) * math.cos(lon), math.cos(lat) * math.sin(lon), math.sin(lat))


def _product(a: Sequence[float], b: Sequence[float]) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _km(a: Position, b: Position) -> float:
    """Great-circle distance, to the metre."""
    first, second = math.radians(a["lat"]), math.radians(b["lat"])
    half_lat, half_lon = (second - first) / 2, math.radians(b["lon"] - a["lon"]) / 2
    h = math.sin(half_lat) ** 2
    h += math.cos(first) * math.cos(second) * math.sin(half_lon) ** 2
    return round(2 * _EARTH_KM * math.asin(math.sqrt(min(1.0, h))), 3)


def _tables(seed: int) -> Tables:
    rng = generator(seed, "maps")
    places: dict[str, Row] = {}
    index: dict[str, list[Any]] = {category: [] for category in _CATEGORIES}
    local: dict[str, Row] = {}
    for city in CITIES:
        centre = position_of(city.name)
        for category, names in _CATEGORIES.items():
            found = []
            for name in rng.sample(names, rng.randrange(2, 5)):
                place_id = content_id("pl", city.name, name)
                position = {
                    axis: round(centre[axis] + rng.randrange(-600, 601) / 1e4, 4)
                    for axis in ("lat", "lon")
                }
                opens = rng.randrange(6, 12)
                places[place_id] = {
                    "place_id": place_id,
                    "name": name,
                    "category": category,
                    "city": city.name,
                    "address": f"{rng.randrange(1, 180)} {rng.choice(_STREETS)} St, {city.name}",
                    "position": position,
                    "rating": rng.randrange(24, 51) / 10,
                    "opens": f"{opens:02d}:00",
                    "closes": f"{opens + rng.randrange(7, 12):02d}:30",
                }
                found.append(place_id)
                index[category].append([place_id, *_vector(position)])
            local[f"{city.name}/{category}"] = {"place_ids": sorted(found)}
    return {
        "places": dict(sorted(places.items())),
        "local": dict(sorted(local.items())),
        "index": {name: {"places": sorted(rows)} for name, rows in sorted(index.items())},
        "collections": {},
    }


WORLD = World("maps", "Places of interest, distances, routes and travel times.", _tables)

_CATEGORY = choice("Kind of place.", "place_category", tuple(_CATEGORIES))
_MODE = choice(
    "How to travel.",
    "travel_mode",
    tuple(_MODES),
    says={f'"{mode}"': words for mode, (words, *_) in _MODES.items()},
)


def _point(description: str) -> Parameter:
    fields = {
        "lat": number("Degrees north.", "latitude", minimum=-90, maximum=90),
        "lon": number("Degrees east.", "longitude", minimum=-180, maximum=180),
    }
    return record(description, "position", fields, pool=draw_from("places", "position"))


def _place(view: View, place_id: str) -> Row:
    row = view.get("places", place_id)
    if row is None:
        raise ToolError(f"the map has no place '{place_id}'")
    return row


def _of_category(view: View, category: str) -> list[Any]:
    row = view.get("index", category)
    return list(row["places"]) if row else []


@WORLD.tool(
    "Find places of one kind in a city, best rated first, then by id.",
    parameters={
        "city": text("City to look in.", "city"),
        "category": _CATEGORY,
        "min_rating": number("Least rating.", "rating", minimum=1, maximum=5, optional=True),
        "open_at": text(
            "Only places open at this time of day, HH:MM.",
            "time",
            pattern="^[0-2][0-9]:[0-5][0-9]$",
            optional=True,
        ),
    },
    outputs=(
        Output("places[0].place_id", "place_id", (
            "the best-rated {category} in {city}[ that is open at {open_at}]",
            "the {category} with the highest rating in {city}[ open at {open_at}]",
        )),
        Output("places[1].place_id", "place_id", (
            "the second-best {category} in {city}[ among those open at {open_at}]",
        )),
        Output("place_ids", "list:place_id", (
            "every {category} in {city}[ rated {min_rating} or better][ open at {open_at}]",
            "each {category} of {city}[ with at least {min_rating} stars][ open at {open_at}]",
        )),
        Output("positions", "list:position", (
            "the positions of every {category} in {city}[ rated at least {min_rating}]",
        )),
        Output("count", "count", (
            "how often {city} has a {category}[ rated {min_rating} or up][ open at {open_at}]",
        )),
    ),
    wishes=(
        "Find each {category} in {city}[ rated {min_rating} or better][, open at {open_at}].",
        "Is there a good {category} in {city}[, {min_rating} stars at least][, open at {open_at}]?",
        ("I'm in {city} and want a {category}[ with a rating from {min_rating}][; it should be "
         "open at {open_at}]. What is there?"),
    ),
    reads=("local", "places"),
)  # fmt: skip
def find_places(
    view: View, city: str, category: str, min_rating: float = 1, open_at: str | None = None
) -> dict[str, Any]:
    """Places of a city, by rating."""
    local = view.get("local", f"{city}/{category}")
    if local is None:
        raise ToolError(f"the map does not cover a city called '{city}'")
    found = [
        place
        for place in (_place(view, place_id) for place_id in local["place_ids"])
        if place["rating"] >= min_rating
        and (open_at is None or place["opens"] <= open_at < place["closes"])
    ]
    found.sort(key=lambda place: (-place["rating"], place["place_id"]))
    shown = ("place_id", "name", "rating", "opens", "closes")
    return {
        "places": [{key: place[key] for key in shown} for place in found],
        "place_ids": [place["place_id"] for place in found],
        "positions": [place["position"] for place in found],
        "count": len(found),
    }


@WORLD.tool(
    "Find the place of one kind that lies nearest to a position, anywhere on the map.",
    parameters={"position": _point("Where to start from."), "category": _CATEGORY},
    outputs=(
        Output("place_id", "place_id", (
            "the {category} nearest to {position}",
            "the closest {category} to {position}",
        )),
        Output("distance_km", "distance_km", (
            "the way from {position} to the nearest {category}",
        )),
        Output("city", "city", ("the city with the {category} nearest to {position}",)),
    ),
    wishes=(
        "Which {category} is nearest to {position}?",
        "Find me the closest {category}, starting from {position}.",
        "Where would I go for a {category} if I am at {position}? The nearest one, please.",
    ),
    reads=("index", "places"),
)  # fmt: skip
def nearest_place(view: View, position: Position, category: str) -> dict[str, Any]:
    """The nearest place; of equally near ones the first by id."""
    x, y, z = _vector(position)
    rows = _of_category(view, category)
    best = max(rows, key=lambda row: row[1] * x + row[2] * y + row[3] * z)
    place = _place(view, best[0])
    return {
        "place_id": place["place_id"],
        "name": place["name"],
        "city": place["city"],
        "distance_km": _km(position, place["position"]),
    }


@WORLD.tool(
    "Show a place: address, city, position, opening hours, rating.",
    parameters={
        "place_id": text("Id of the place.", "place_id", pool=draw_from("places", "place_id"))
    },
    outputs=(
        Output("position", "position", (
            "the position of {place_id}",
            "the location of {place_id}",
        )),
        Output("address", "address", ("the address of {place_id}",)),
        Output("opens", "time", (
            "the opening time of {place_id}",
            "the hour {place_id} opens",
        )),
        Output("rating", "rating", ("the rating of {place_id}",)),
    ),
    wishes=(
        "Show me {place_id} on the map.",
        "What do you have on {place_id}: address, hours, rating?",
        "Please give me the particulars of {place_id}.",
    ),
    reads=("places",),
)  # fmt: skip
def show_place(view: View, place_id: str) -> dict[str, Any]:
    """One place in full."""
    return dict(_place(view, place_id))


@WORLD.tool(
    "Measure the distance between two positions as the crow flies, and its direction.",
    parameters={"start": _point("From here."), "end": _point("To here.")},
    outputs=(
        Output("distance_km", "distance_km", (
            "the distance between {start} and {end}",
            "the way from {start} to {end} as the crow flies",
        )),
        Output("direction", "compass", ("the direction in which {end} lies from {start}",)),
    ),
    wishes=(
        "Measure the distance from {start} to {end}.",
        "How far is it between {start} and {end}?",
        "As the crow flies, what separates {end} from {start}?",
    ),
)  # fmt: skip
def measure_distance(view: View, start: Position, end: Position) -> dict[str, Any]:
    """Distance and compass direction."""
    first, second = math.radians(start["lat"]), math.radians(end["lat"])
    turn = math.radians(end["lon"] - start["lon"])
    east = math.sin(turn) * math.cos(second)
    north = math.cos(first) * math.sin(second)
    north -= math.sin(first) * math.cos(second) * math.cos(turn)
    bearing = round(math.degrees(math.atan2(east, north)), 6)
    direction = _WINDS[round(bearing % 360 / 45) % 8]
    return {"distance_km": _km(start, end), "direction": direction}


@WORLD.tool(
    "Find the middle of several positions: the point to meet at.",
    parameters={"positions": array("The positions.", _point("One."), minItems=2, maxItems=12)},
    outputs=(
        Output("position", "position", (
            "the point midway between {positions}",
            "the geographic middle of {positions}",
        )),
        Output("farthest_km", "distance_km", ("the longest way to the middle of {positions}",)),
    ),
    wishes=(
        "Find the middle of {positions}.",
        "What point lies halfway between {positions}?",
        "We come from {positions}; where is the fair place in the middle to meet?",
    ),
)  # fmt: skip
def middle_point(view: View, positions: list[Position]) -> dict[str, Any]:
    """Mean of the points on the sphere."""
    x, y, z = (math.fsum(axis) for axis in zip(*map(_vector, positions), strict=True))
    if math.hypot(x, y, z) < 1e-6:
        raise ToolError(f"the {len(positions)} positions have no middle: they cancel out")
    middle = {
        "lat": round(math.degrees(math.atan2(z, math.hypot(x, y))), 4),
        "lon": round(math.degrees(math.atan2(y, x)), 4),
    }
    return {"position": middle, "farthest_km": max(_km(middle, one) for one in positions)}


def _greedy(stops: Sequence[Position]) -> list[Position]:
    """The stops from the first, always on to the nearest one left."""
    route, left = [stops[0]], list(stops[1:])
    while left:
        nearest = min(range(len(left)), key=lambda i: (_km(route[-1], left[i]), i))
        route.append(left.pop(nearest))
    return route


@WORLD.tool(
    "Plan a route through several stops, in the order given or always on to the nearest one; "
    "lengths are as the crow flies.",
    parameters={
        "stops": array("Stops, the start first.", _point("One stop."), minItems=2, maxItems=9),
        "order": choice(
            "How the stops after the first are ordered.",
            "stop_order",
            ("as given", "nearest next"),
            says={'"as given"': "in that order", '"nearest next"': "always on to the nearest"},
        ),
        "round_trip": boolean(
            "Whether to return to the start.",
            "round_trip",
            says={"true": "back to the start", "false": "one way"},
            optional=True,
        ),
    },
    outputs=(
        Output("distance_km", "distance_km", (
            "the length of the route through {stops}, {order}[, {round_trip}]",
            "the length of a tour of {stops} ({order}[, {round_trip}])",
        )),
        Output("longest_leg_km", "distance_km", ("the longest leg through {stops}, {order}",)),
        Output("legs_km", "list:distance_km", ("the legs of the route through {stops}, {order}",)),
        Output("last_stop", "position", ("the last stop on the way through {stops}, {order}",)),
    ),
    wishes=(
        "Plan a route through {stops}, {order}[, {round_trip}].",
        "I have to visit {stops}, {order}[ and {round_trip}]. What does the tour look like?",
        "Route me via {stops}, please – {order}[, {round_trip}].",
    ),
)  # fmt: skip
def chart_route(
    view: View, stops: list[Position], order: str, round_trip: bool = False
) -> dict[str, Any]:
    """A tour and its legs."""
    route = list(stops) if order == "as given" else _greedy(stops)
    tour = [*route, route[0]] if round_trip else route
    legs = [_km(a, b) for a, b in pairwise(tour)]
    return {
        "route": tour,
        "legs_km": legs,
        "distance_km": round(math.fsum(legs), 3),
        "longest_leg_km": max(legs),
        "last_stop": route[-1],
    }


@WORLD.tool(
    "Estimate how long a distance takes; ways are taken to be a quarter longer than straight.",
    parameters={
        "distance_km": number("Straight distance in km.", "distance_km", minimum=0),
        "mode": _MODE,
        "breaks_min": number(
            "Minutes of rest on the way.", "duration_min", minimum=0, optional=True
        ),
    },
    outputs=(
        Output("minutes", "duration_min", (
            "the time that {distance_km} takes {mode}[ with {breaks_min} of rest]",
            "how long one travels for {distance_km} {mode}[, resting {breaks_min}]",
        )),
    ),
    wishes=(
        "How long does it take {mode} to cover {distance_km}[, with {breaks_min} of rest]?",
        "Estimate the travel time {mode} for {distance_km}[, breaks of {breaks_min} included].",
        "If I travel {distance_km} {mode}[ and rest for {breaks_min}], how long am I on the way?",
    ),
)  # fmt: skip
def travel_time(view: View, distance_km: float, mode: str, breaks_min: float = 0) -> dict[str, Any]:
    """Minutes, rounded up, for one way."""
    words, speed, wait, longest = _MODES[mode]
    if distance_km > longest:
        raise ToolError(f"{distance_km:g} km is too far to go {words}; the limit is {longest} km")
    minutes = math.ceil(round(distance_km * _DETOUR / speed * 60 + wait + breaks_min, 6))
    return {"minutes": minutes, "mode": mode}


@WORLD.tool(
    "List the places of one kind that can be reached within some minutes, nearest first.",
    parameters={
        "position": _point("Where to start from."),
        "mode": _MODE,
        "minutes": integer("Time limit.", "duration_min", minimum=5, maximum=240),
        "category": _CATEGORY,
    },
    outputs=(
        Output("place_ids", "list:place_id", (
            "every {category} within {minutes} {mode} of {position}",
        )),
        Output("count", "count", (
            "how many places of the kind “{category}” are within {minutes} {mode} of {position}",
        )),
    ),
    wishes=(
        "Which {category} can I reach {mode} within {minutes} of {position}?",
        "List each {category} at most {minutes} {mode} from {position}.",
        "Starting at {position} I have {minutes} {mode}. Show me every {category} in reach.",
    ),
    reads=("index", "places"),
)  # fmt: skip
def places_within_reach(
    view: View, position: Position, mode: str, minutes: int, category: str
) -> dict[str, Any]:
    """Places inside the circle that the time allows."""
    _, speed, wait, longest = _MODES[mode]
    radius = min(longest, max(0.0, minutes - wait) / 60 * speed / _DETOUR)
    here, least = _vector(position), math.cos(radius * 1.001 / _EARTH_KM)
    near = [row[0] for row in _of_category(view, category) if _product(row[1:], here) >= least]
    far = sorted((_km(position, _place(view, key)["position"]), key) for key in near)
    found = [key for km, key in far if km <= radius]
    return {"radius_km": round(radius, 3), "place_ids": found, "count": len(found)}


@WORLD.tool(
    "Save places in a named list of a person. Adds a place list.",
    parameters={
        "owner": text("Full name of the owner.", "person"),
        "title": text(
            "Title of the list.",
            "place_list_title",
            minLength=1,
            pool=lambda view, rng: rng.choice(
                ("Sunday outing", "With the children", "Rainy days", "For visitors", "To try")
            ),
        ),
        "place_ids": array(
            "Ids of the places.",
            text("Id of a place.", "place_id", pool=draw_from("places", "place_id")),
            minItems=1,
            maxItems=12,
        ),
    },
    outputs=(
        Output("list_id", "place_list_id", ("a new list “{title}” of {owner} with {place_ids}",)),
    ),
    wishes=(
        "Save {place_ids} in a list “{title}” for {owner}.",
        "Make a place list called “{title}” that holds {place_ids}; it belongs to {owner}.",
        "{owner} would like to keep {place_ids} on the map, under the title “{title}”.",
    ),
    reads=("collections", "places"),
    writes=("collections",),
    undo=Undo("delete_place_list", {"list_id": "result.list_id"}),
)  # fmt: skip
def save_place_list(view: View, owner: str, title: str, place_ids: list[str]) -> dict[str, Any]:
    """A list of places; one title of a person is used once."""
    list_id = content_id("li", owner, title)
    if view.get("collections", list_id):
        raise ToolError(f"{owner} already has a place list '{title}'")
    names = [_place(view, place_id)["name"] for place_id in place_ids]
    view.put("collections", list_id, {"owner": owner, "title": title, "place_ids": list(place_ids)})
    return {"list_id": list_id, "names": names, "count": len(names)}


@WORLD.tool(
    "Delete a place list. Removes it from the place lists.",
    parameters={"list_id": text("Id of the list.", "place_list_id")},
    wishes=(
        "Delete {list_id}.",
        "Please get rid of {list_id}.",
        "I have no more use for {list_id}; remove it from the map.",
    ),
    reads=("collections",),
    writes=("collections",),
)  # fmt: skip
def delete_place_list(view: View, list_id: str) -> dict[str, Any]:
    """Remove a list without a trace."""
    row = view.get("collections", list_id)
    if row is None:
        raise ToolError(f"no place list has the id '{list_id}'")
    view.remove("collections", list_id)
    return {"deleted": list_id, "title": row["title"]}
