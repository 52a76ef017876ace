"""Films: cinemas and showings, seats, ratings, box office, recommendations by rule."""

import datetime
from typing import Any

from environment.meanings import TODAY, position_of
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
    text,
)

_GENRES = ("animation", "comedy", "crime", "documentary", "drama", "science fiction", "thriller")
_FIRST = "The Last|A Quiet|The Hidden|Every|One More|The Glass|No Other|The Northern".split("|")
_SECOND = (
    "Orchard Passenger Winter Lighthouse Promise Detour Witness Island Clockmaker Tide Letter "
    "Horizon Verdict Garden Signal"
).split()
_DAYS = 14
_HOUSES = ("Lumen", "Odeum", "Kino Arkady", "Paramond")


def _tables(seed: int) -> Tables:
    rng = generator(seed, "films")
    titles = [f"{first} {second}" for first in _FIRST for second in _SECOND]
    rng.shuffle(titles)
    directors = [f"{person.name}" for person in people(seed)[-24:]]
    films: dict[str, Row] = {}
    for place, title in enumerate(titles):
        film_id = f"F-{101 + place}"
        first_week = rng.randrange(200_000, 9_000_000, 1000)
        hold = rng.uniform(0.45, 0.85)
        films[film_id] = {
            "film_id": film_id,
            "title": title,
            "genre": _GENRES[place % len(_GENRES)],
            "year": rng.randrange(2008, 2027),
            "minutes": rng.randrange(78, 178),
            "age_limit": rng.choice((0, 6, 12, 16, 18)),
            "director": rng.choice(directors),
            "votes": rng.randrange(40, 900),
            "rating": round(rng.uniform(3.6, 9.2), 1),
            "weekly_gross": [round(first_week * hold**week) for week in range(10)],
        }
    running = sorted(rng.sample(list(films), 40))
    cinemas, showings = _programme(seed, running)
    return {
        "films": films,
        "cinemas": cinemas,
        "showings": showings,
        "reservations": {},
        "ratings": {},
    }


def _programme(seed: int, running: list[str]) -> tuple[dict[str, Row], dict[str, Row]]:
    """Cinemas by city, each with what it shows every day of the next two weeks."""
    rng = generator(seed, "films", "programme")
    cinemas: dict[str, Row] = {}
    showings: dict[str, Row] = {}
    for city in CITY_NAMES:
        programme = []
        for house in rng.sample(_HOUSES, 3):
            for film_id in rng.sample(running, 8):
                showing_id = f"S-{len(showings) + 10001}"
                showings[showing_id] = {
                    "showing_id": showing_id,
                    "film_id": film_id,
                    "cinema": f"{house} {city}",
                    "city": city,
                    "starts": f"{rng.randrange(13, 22)}:{rng.choice((0, 15, 30, 45)):02d}",
                    "price": float(rng.randrange(8, 17)) + 0.5,
                    "seats": rng.randrange(8, 60),
                }
                programme.append(showing_id)
        cinemas[city] = {"city": city, "position": position_of(city), "programme": programme}
    return cinemas, showings


WORLD = World("films", "Films, cinema programmes, ratings and box office.", _tables)

_FILM = text("Id of the film.", "film_id", pool=draw_from("films", "film_id"))


def _film(view: View, film_id: str) -> Row:
    row = view.get("films", film_id)
    if row is None:
        raise ToolError(f"there is no film with the id '{film_id}'")
    return row


def _rating(view: View, film: Row) -> float:
    """The average of the old votes and those given since."""
    given = [row["stars"] for _, row in view.rows("ratings") if row["film_id"] == film["film_id"]]
    total = film["rating"] * film["votes"] + sum(given)
    return float(round(total / (film["votes"] + len(given)), 4))


@WORLD.tool(
    "Search films of a genre in a chosen order, optionally no longer than some minutes or fit for "
    "an age. Ratings include those given by users.",
    parameters={
        "genre": choice("Genre.", "film_genre", _GENRES),
        "order": choice(
            "What comes first.", "film_order", ("best_rated", "newest", "shortest", "longest"),
            says={'"best_rated"': "best-rated"},
        ),
        "max_minutes": integer(
            "Longest running time in minutes.", "duration_min", minimum=60, optional=True,
            pool=lambda _, rng: rng.randrange(90, 165, 5),
        ),
        "viewer_age": integer(
            "Age of the youngest viewer.", "age", minimum=0, maximum=99, optional=True,
            pool=lambda _, rng: rng.randrange(6, 18),
        ),
    },
    outputs=(
        Output("films[0].film_id", "film_id", (
            ("the {order} {genre} film[ of at most {max_minutes}][ that is open to viewers aged "
            "{viewer_age}]"),
            ("the {order} title in {genre}[ that lasts no more than {max_minutes}]"
            "[ and that someone aged {viewer_age} may watch]"),
        )),
        Output("films[1].film_id", "film_id", (
            ("the second film on the {order}-first list for {genre}[, none over {max_minutes}]"
            "[, all open to viewers aged {viewer_age}]"),
            "the runner-up to the {order} {genre} film[ of at most {max_minutes}]",
        )),
        Output("film_ids", "list:film_id", (
            ("the first three {genre} films, {order} first[, none over {max_minutes}]"
            "[, all open to viewers aged {viewer_age}]"),
            "the three films that head the list of {genre}, {order} first[, up to {max_minutes}]",
        )),
        Output("films[0].minutes", "duration_min", (
            "the running time of the {order} {genre} film[ open to viewers aged {viewer_age}]",
            "how long the {order} title in {genre} runs[ if someone aged {viewer_age} may watch]",
        )),
        Output("films[0].director", "person", (
            "the director of the {order} {genre} film[ of at most {max_minutes}]",
            "whoever directed the {order} title in {genre}[ open to viewers aged {viewer_age}]",
        )),
    ),
    wishes=(
        ("List {genre} films, {order} first[, {max_minutes} at most][, suitable from age "
        "{viewer_age}]."),
        ("Which {genre} films are there[ of no more than {max_minutes}][ that someone aged "
        "{viewer_age} may see]? Please put the {order} on top."),
        ("I'm in the mood for {genre}; give me the {order} ones first[, nothing over "
        "{max_minutes}][, and mind that the youngest of us is aged {viewer_age}]."),
    ),
    reads=("films", "ratings"),
)  # fmt: skip
def find_films(
    view: View, genre: str, order: str, max_minutes: int = 999, viewer_age: int = 99
) -> dict[str, Any]:
    """Films in the asked order, ties by id."""
    found = [
        {
            "film_id": row["film_id"],
            "title": row["title"],
            "year": row["year"],
            "minutes": row["minutes"],
            "director": row["director"],
            "rating": _rating(view, row),
        }
        for row in view.values("films")
        if row["genre"] == genre
        and row["minutes"] <= max_minutes
        and row["age_limit"] <= viewer_age
    ]
    column = {"best_rated": "rating", "newest": "year"}.get(order, "minutes")
    found.sort(key=lambda row: row[column], reverse=order != "shortest")
    first = [row["film_id"] for row in found[:3]]
    return {"films": found[:8], "film_ids": first, "count": len(found)}


@WORLD.tool(
    "Recommend films by rule to somebody who liked some films: a point for each shared genre, two "
    "for a shared director, one for a year at most three apart.",
    parameters={
        "liked": array("Ids of films that were liked.", _FILM, minItems=1, maxItems=5),
        "released": choice(
            "Which films to take from.", "film_pool", ("any", "since_2020"), optional=True,
            says={'"any"': "of any year", '"since_2020"': "from 2020 or later"},
        ),
    },
    outputs=(
        Output("films[0].film_id", "film_id", (
            "the film to recommend first[, {released},] to someone who liked {liked}",
            "the best match[, {released},] for a person fond of {liked}",
        )),
        Output("films[1].film_id", "film_id", (
            "the second recommendation[, {released},] for someone who liked {liked}",
            "the next-best match[, {released},] for a person fond of {liked}",
        )),
    ),
    wishes=(
        "Recommend something to a person who liked {liked}[ – only films {released}].",
        "I enjoyed {liked}; what should I see next[, {released}]?",
        "Suggestions based on {liked}, please[ (films {released})].",
    ),
    reads=("films",),
)  # fmt: skip
def recommend_films(view: View, liked: list[str], released: str = "any") -> dict[str, Any]:
    """The five films of most points, ties by rating, then id."""
    seen = [_film(view, film_id) for film_id in dict.fromkeys(liked)]
    genres = [film["genre"] for film in seen]
    directors = [film["director"] for film in seen]
    years = [film["year"] for film in seen]
    ranked = []
    for row in view.values("films"):
        if row["film_id"] not in liked and (released == "any" or row["year"] >= 2020):
            points = genres.count(row["genre"]) + 2 * directors.count(row["director"])
            points += sum(abs(row["year"] - year) <= 3 for year in years)
            ranked.append((-points, -row["rating"], row["film_id"], row["title"]))
    best = sorted(ranked)[:5]
    return {
        "films": [
            {"film_id": film_id, "title": title, "points": -points, "rating": -rating}
            for points, rating, film_id, title in best
        ]
    }


def _coming_day(view: View, rng: Any) -> str:
    del view
    return (TODAY + datetime.timedelta(days=rng.randrange(1, _DAYS + 1))).isoformat()


_DAY = date("Day of the showing, YYYY-MM-DD.", pool=_coming_day)


def _check_day(day: str) -> None:
    ahead = (datetime.date.fromisoformat(day) - TODAY).days
    if not 0 < ahead <= _DAYS:
        raise ToolError(f"the programme covers the next {_DAYS} days, which {day} is not one of")


@WORLD.tool(
    "Find what the cinemas of a city show in the evening, of one genre or all, in a chosen order. "
    "The programme is the same every day of the next two weeks.",
    parameters={
        "city": text("City of the cinema.", "city"),
        "order": choice("What comes first.", "showing_order", ("earliest", "cheapest")),
        "genre": choice("Genre.", "film_genre", _GENRES, optional=True),
        "not_before": text(
            "Earliest start, HH:MM.", "time", pattern=r"^\d\d:\d\d$", optional=True,
            pool=lambda _, rng: f"{rng.randrange(16, 20)}:30",
        ),
    },
    outputs=(
        Output("showings[0].showing_id", "showing_id", (
            "the {order}[ {genre}] showing in {city}[ from {not_before} on]",
            "whichever[ {genre}] film screening in {city} is {order}[, none before {not_before}]",
        )),
        Output("showings[0].film_id", "film_id", (
            "the film of the {order}[ {genre}] showing in {city}[ from {not_before} on]",
            "what plays in {city} at the {order}[ {genre}] screening[ after {not_before}]",
        )),
        Output("showings[0].starts", "time", (
            ("the time at which the {order}[ {genre}] showing in {city} begins"
            "[, none before {not_before}]"),
            "the starting time of the {order}[ {genre}] screening in {city}",
        )),
        Output("showings[0].price", "price", (
            "the ticket price of the {order}[ {genre}] showing in {city}[ from {not_before} on]",
            "what a seat at the {order}[ {genre}] screening in {city} costs",
        )),
    ),
    wishes=(
        ("What's on at the cinemas in {city}[ – {genre} only][, from {not_before} on]? List the "
        "{order} showings first, please."),
        ("Cinema programme of {city}, {order} first[, only {genre}][, nothing before "
        "{not_before}]."),
        ("I feel like going out to see some[ {genre}] film in {city}[, not before {not_before}]. "
        "List the {order} showings at the top."),
    ),
    reads=("cinemas", "showings", "films"),
)  # fmt: skip
def find_showings(
    view: View, city: str, order: str, genre: str | None = None, not_before: str = "00:00"
) -> dict[str, Any]:
    """The programme of a city in the asked order, ties by id."""
    listed = view.get("cinemas", city)
    if listed is None:
        raise ToolError(f"no cinema in {city} is listed")
    found = []
    for showing_id in listed["programme"]:
        row = view.get("showings", showing_id)
        if row is None or row["starts"] < not_before:
            continue
        film = _film(view, row["film_id"])
        if genre in {None, film["genre"]}:
            found.append({**row, "title": film["title"]})
    column = "starts" if order == "earliest" else "price"
    found.sort(key=lambda row: (row[column], row["showing_id"]))
    return {"showings": found, "count": len(found)}


@WORLD.tool(
    "Reserve seats for a showing on a day. Adds a reservation, which takes the seats.",
    parameters={
        "showing_id": text(
            "Id of the showing.", "showing_id", pool=draw_from("showings", "showing_id")
        ),
        "day": _DAY,
        "name": text("Full name for the reservation.", "person"),
        "seats": integer(
            "Number of seats.", "count", minimum=1, maximum=8,
            pool=lambda _, rng: rng.randrange(2, 8),
        ),
    },
    outputs=(
        Output("reservation_id", "seat_reservation_id", (
            "the reservation of {seats} seats at {showing_id} on {day} for {name}",
            "the seats ({seats}) kept for {name} at {showing_id} on {day}",
        )),
        Output("total", "price", (
            "what {name} pays for {seats} seats at {showing_id} on {day}",
            "the total of a reservation for {name}: {seats} seats, {showing_id}, {day}",
        )),
        Output("ends", "time", (
            ("the time at which {name} comes out of {showing_id} on {day} with {seats} seats "
            "reserved"),
            "the end of the film for {name}, who gets {seats} seats at {showing_id} on {day}",
        )),
    ),
    wishes=(
        "Reserve {seats} seats at {showing_id} on {day} for {name}.",
        "Please keep {seats} seats for {name} at {showing_id}, {day}.",
        ("{name} is going to {showing_id} on {day}. Could you put aside seats there? The number of "
        "seats is {seats}."),
    ),
    reads=("showings", "films", "reservations"),
    writes=("reservations",),
    undo=Undo("release_seats", {"reservation_id": "result.reservation_id"}),
)  # fmt: skip
def reserve_seats(view: View, showing_id: str, day: str, name: str, seats: int) -> dict[str, Any]:
    """A reservation as long as seats are free; the same one twice is refused."""
    showing = view.get("showings", showing_id)
    if showing is None:
        raise ToolError(f"there is no showing '{showing_id}'")
    _check_day(day)
    reservation_id = content_id("rs", showing_id, day, name, seats)
    if view.get("reservations", reservation_id):
        raise ToolError(f"{seats} seats are already reserved for {name} at {showing_id} on {day}")
    taken = sum(
        row["seats"]
        for _, row in view.rows("reservations")
        if row["showing_id"] == showing_id and row["day"] == day
    )
    if taken + seats > showing["seats"]:
        left = showing["seats"] - taken
        raise ToolError(f"{showing_id} has {left} free seats on {day}, {seats} were asked for")
    row = {"showing_id": showing_id, "day": day, "name": name, "seats": seats}
    view.put("reservations", reservation_id, row)
    return {
        "reservation_id": reservation_id,
        "cinema": showing["cinema"],
        "total": round(showing["price"] * seats, 2),
        "ends": _later(showing["starts"], _film(view, showing["film_id"])["minutes"]),
    }


def _later(clock: str, minutes: int) -> str:
    hours, past = clock.split(":")
    end = (60 * int(hours) + int(past) + minutes) % 1440
    return f"{end // 60:02d}:{end % 60:02d}"


@WORLD.tool(
    "Release reserved cinema seats. Removes the reservation.",
    parameters={"reservation_id": text("Id of the reservation.", "seat_reservation_id")},
    outputs=(
        Output("name", "person", (
            "whoever loses the seats when {reservation_id} is released",
            "the person named in {reservation_id}, which is to be released",
        )),
    ),
    wishes=(
        "Release {reservation_id}.",
        "Please let go of {reservation_id}; nobody is coming.",
        "We've changed our minds about the cinema, so cancel {reservation_id}.",
    ),
    reads=("reservations",),
    writes=("reservations",),
)  # fmt: skip
def release_seats(view: View, reservation_id: str) -> dict[str, Any]:
    """Take a reservation back without a trace."""
    row = view.get("reservations", reservation_id)
    if row is None:
        raise ToolError(f"no seats are reserved under '{reservation_id}'")
    view.remove("reservations", reservation_id)
    return {"released": reservation_id, "name": row["name"], "seats": row["seats"]}


@WORLD.tool(
    "Rate a film with one to ten stars. Adds the rating, which enters the film's average; it "
    "can't be taken back.",
    parameters={
        "film_id": _FILM,
        "reviewer": text("Full name of the reviewer.", "person"),
        "stars": integer("Stars, 1 to 10.", "stars_of_ten", minimum=1, maximum=10),
        "comment": text(
            "A remark.", "text", optional=True, counts=False,
            pool=lambda _, rng: rng.choice(("loved the ending", "too long", "great score")),
        ),
    },
    outputs=(
        Output("new_average", "amount", (
            "the average rating of {film_id} once {reviewer} has given it {stars} stars",
            "the score {film_id} has after {stars} stars from {reviewer}",
        )),
    ),
    wishes=(
        "Give {film_id} {stars} stars from {reviewer}[ ({comment})].",
        "{reviewer} has seen {film_id} and rates it {stars} out of 10; please record that.",
        "Please enter a rating for {film_id}: {stars} stars, reviewer {reviewer}.",
    ),
    reads=("films", "ratings"),
    writes=("ratings",),
)  # fmt: skip
def rate_film(
    view: View, film_id: str, reviewer: str, stars: int, comment: str = ""
) -> dict[str, Any]:
    """One rating of a film per person."""
    del comment
    film = _film(view, film_id)
    rating_id = content_id("fr", film_id, reviewer)
    if view.get("ratings", rating_id):
        raise ToolError(f"{reviewer} has already rated {film_id}")
    view.put("ratings", rating_id, {"film_id": film_id, "reviewer": reviewer, "stars": stars})
    return {"rating_id": rating_id, "title": film["title"], "new_average": _rating(view, film)}


@WORLD.tool(
    "Compare the box office of films over their first weeks, highest gross first, with the drop "
    "from the first week to the last one counted.",
    parameters={
        "film_ids": array("Ids of the films.", _FILM, minItems=2, maxItems=6),
        "weeks": integer(
            "How many weeks from the release.", "count", minimum=1, maximum=10,
            pool=lambda _, rng: rng.randrange(2, 11),
        ),
    },
    outputs=(
        Output("films[0].film_id", "film_id", (
            "the highest-grossing of {film_ids} over the first {weeks} weeks",
            "whichever of {film_ids} took in most during its first {weeks} weeks",
        )),
        Output("films[0].gross", "amount", (
            "the highest gross among {film_ids} over the first {weeks} weeks",
            "the takings of the most successful of {film_ids} after {weeks} weeks",
        )),
        Output("films[0].drop_percent", "percent", (
            ("the percentage by which the weekly takings of the top-grossing of {film_ids} fell "
            "over {weeks} weeks"),
            ("the fall in percent from week 1 to week {weeks} for the most successful of "
            "{film_ids}"),
        )),
        Output("total", "amount", (
            "the total gross of {film_ids} in their first {weeks} weeks",
            "what {film_ids} took in together during {weeks} weeks from release",
        )),
    ),
    wishes=(
        "Compare the box office of {film_ids} over the first {weeks} weeks.",
        "Which earned most in the cinemas: {film_ids}? Count {weeks} weeks from release.",
        "Box office, {weeks} weeks from the start: {film_ids}.",
    ),
    reads=("films",),
)  # fmt: skip
def box_office(view: View, film_ids: list[str], weeks: int) -> dict[str, Any]:
    """Takings by film, highest first, ties by id."""
    films = []
    for film_id in dict.fromkeys(film_ids):
        takings = _film(view, film_id)["weekly_gross"][:weeks]
        drop = round(100 * (1 - takings[-1] / takings[0]), 2)
        films.append({"film_id": film_id, "gross": sum(takings), "drop_percent": drop})
    films.sort(key=lambda row: (-row["gross"], row["film_id"]))
    return {"films": films, "total": sum(row["gross"] for row in films)}


@WORLD.tool(
    "Plan a film night: the films one after another with a break between them, and when it ends.",
    parameters={
        "film_ids": array("Ids of the films in order.", _FILM, minItems=2, maxItems=5),
        "starts": text("Start, HH:MM.", "time", pattern=r"^([01]\d|2[0-3]):[0-5]\d$"),
        "break_minutes": integer(
            "Length of a break in minutes.", "duration_min", minimum=0, maximum=60, optional=True,
            pool=lambda _, rng: rng.choice((10, 15, 20, 30)),
        ),
    },
    outputs=(
        Output("ends", "time", (
            ("the time at which a film night with {film_ids} that starts at {starts} is over"
            "[, breaks of {break_minutes} included]"),
            ("the end of {film_ids} watched in a row from {starts}[ with {break_minutes} between "
            "films]"),
        )),
        Output("total_minutes", "duration_min", (
            ("the length of a film night with {film_ids} from {starts}"
            "[, breaks of {break_minutes} included]"),
            ("how long it takes to watch {film_ids} in a row from {starts}"
            "[ with breaks of {break_minutes}]"),
        )),
    ),
    wishes=(
        "Plan a film night with {film_ids} from {starts}[, breaks of {break_minutes}].",
        ("If we start at {starts} and watch {film_ids} one after another"
        "[ with {break_minutes} in between], when are we done?"),
        ("Marathon schedule, please: {film_ids}, first film at {starts}[, pauses of "
        "{break_minutes}]."),
    ),
    reads=("films",),
)  # fmt: skip
def plan_film_night(
    view: View, film_ids: list[str], starts: str, break_minutes: int = 0
) -> dict[str, Any]:
    """The start of each film, and the end of the last."""
    past, schedule = 0, []
    for film_id in film_ids:
        film = _film(view, film_id)
        schedule.append({"title": film["title"], "starts": _later(starts, past)})
        past += film["minutes"] + break_minutes
    total = past - break_minutes
    return {"schedule": schedule, "ends": _later(starts, total), "total_minutes": total}
