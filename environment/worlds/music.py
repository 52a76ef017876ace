"""Music: artists and albums, playlists of a length, concerts, royalties."""

import datetime
import math
from typing import Any

from environment.meanings import TODAY
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
    draw_from,
    generator,
    integer,
    number,
    text,
)

_GENRES = ("ambient", "blues", "electronic", "folk", "indie rock", "jazz", "metal", "soul")
_ADJECTIVES = (
    "Amber Copper Distant Electric Hollow Ivory Lunar Paper Quiet Silver Velvet Wild".split()
)
_NOUNS = "Anchors Foxes Gardens Harbours Lanterns Mirrors Orchids Rivers Satellites Tides".split()
_THEMES = "After Beneath Beyond Before Without Towards".split()
_OBJECTS = "Rain|the Sea|Midnight|Glass|the Valley|Winter|Home|the Static|Morning|Dust".split("|")
_RATES = {"stream": 0.0032, "download": 0.61, "radio": 1.85}


def _tables(seed: int) -> Tables:
    rng = generator(seed, "music")
    names = [f"The {adjective} {noun}" for adjective in _ADJECTIVES for noun in _NOUNS]
    artists: dict[str, Row] = {}
    albums: dict[str, Row] = {}
    for place, name in enumerate(rng.sample(names, 64)):
        genre = _GENRES[place % len(_GENRES)]
        artists[name] = {
            "artist": name,
            "genre": genre,
            "home": rng.choice(CITY_NAMES),
            "founded": rng.randrange(1988, 2019),
            "plays": {
                str(year): {
                    "stream": rng.randrange(200_000, 9_000_000, 1000),
                    "download": rng.randrange(200, 9000),
                    "radio": rng.randrange(50, 2500),
                }
                for year in range(2021, 2026)
            },
        }
        years = rng.sample(range(max(2000, artists[name]["founded"]), 2026), 3)
        titles = rng.sample([f"{theme} {thing}" for theme in _THEMES for thing in _OBJECTS], 3)
        for title, year in zip(titles, sorted(years), strict=True):
            album_id = f"AL-{len(albums) + 1001}"
            albums[album_id] = {
                "album_id": album_id,
                "title": title,
                "artist": name,
                "genre": genre,
                "year": year,
                "price": float(rng.randrange(7, 32)) + 0.5,
                "minutes": [rng.randrange(2, 9) for _ in range(rng.randrange(7, 14))],
            }
    by_artist = {
        name: [key for key, row in albums.items() if row["artist"] == name] for name in artists
    }
    return {
        "artists": {key: {**row, "albums": by_artist[key]} for key, row in artists.items()},
        "albums": albums,
        "concerts": _concerts(seed, list(artists)),
        "tickets": {},
        "playlists": {},
    }


def _concerts(seed: int, artists: list[str]) -> dict[str, Row]:
    rng = generator(seed, "music", "concerts")
    concerts: dict[str, Row] = {}
    for city in CITY_NAMES:
        for artist in rng.sample(artists, 6):
            concert_id = f"CO-{len(concerts) + 501}"
            day = TODAY + datetime.timedelta(days=rng.randrange(5, 150))
            concerts[concert_id] = {
                "concert_id": concert_id,
                "artist": artist,
                "city": city,
                "day": day.isoformat(),
                "starts": rng.choice(("19:00", "19:30", "20:00", "20:30", "21:00")),
                "price": float(rng.randrange(18, 120)),
                "seats": rng.randrange(6, 40),
            }
    return concerts


WORLD = World("music", "Albums, playlists, concert tickets and royalties.", _tables)

_ARTIST = text("Name of the artist.", "artist", pool=draw_from("artists", "artist"))


def _artist(view: View, artist: str) -> Row:
    row = view.get("artists", artist)
    if row is None:
        raise ToolError(f"the catalogue has no artist called '{artist}'")
    return row


@WORLD.tool(
    "Search albums of a genre in a chosen order, optionally from a year on or up to a price.",
    parameters={
        "genre": choice("Genre.", "genre", _GENRES),
        "order": choice(
            "What comes first.", "album_order", ("newest", "oldest", "cheapest", "longest"),
        ),
        "from_year": integer(
            "First year of release.", "year", minimum=1990, maximum=2026, optional=True
        ),
        "max_price": number(
            "Highest price in EUR.", "price", exclusiveMinimum=0, optional=True,
            pool=lambda _, rng: rng.randrange(12, 31),
        ),
    },
    outputs=(
        Output("albums[0].album_id", "album_id", (
            "the {order} {genre} album[ since {from_year}][ for {max_price} or less]",
            ("the {order} record in {genre}[ released in {from_year} or later]"
            "[ that costs at most {max_price}]"),
        )),
        Output("albums[1].album_id", "album_id", (
            ("the second on the list of {genre} albums, {order} first[, since {from_year}]"
            "[, for {max_price} or less]"),
            ("the runner-up to the {order} {genre} album[ released in {from_year} or later]"
            "[ that costs at most {max_price}]"),
        )),
        Output("album_ids", "list:album_id", (
            ("the first three {genre} albums, {order} first[, since {from_year}]"
            "[, for {max_price} or less]"),
            ("the three records that head the list of {genre} with the {order} on top"
            "[, none before {from_year}][, none over {max_price}]"),
        )),
        Output("albums[0].artist", "artist", (
            ("the artist behind the {order} {genre} album[ since {from_year}]"
            "[ for {max_price} or less]"),
            ("whoever made the {order} record in {genre}[ released in {from_year} or later]"
            "[ that costs at most {max_price}]"),
        )),
        Output("albums[0].price", "price", (
            "the price of the {order} {genre} album[ since {from_year}][ for {max_price} or less]",
            "what the {order} record in {genre} costs[ if only {from_year} and later counts]",
        )),
        Output("count", "count", (
            ("the number of {genre} albums, {order} first[, since {from_year}]"
            "[, for {max_price} or less]"),
            ("how many {genre} records the {order}-first list has[ from {from_year} on]"
            "[ up to {max_price}]"),
        )),
    ),
    wishes=(
        "List {genre} albums, {order} first[, from {from_year} on][, up to {max_price}].",
        ("Which {genre} records do you have[ since {from_year}][ for {max_price} or less]? Put the "
        "{order} at the top."),
        ("I'm after something in {genre}: show me albums with the {order} leading[, nothing from "
        "before {from_year}][, none over {max_price}]."),
    ),
    reads=("albums",),
)  # fmt: skip
def find_albums(
    view: View, genre: str, order: str, from_year: int = 1900, max_price: float | None = None
) -> dict[str, Any]:
    """Albums in the asked order, ties by id."""
    found = [
        {
            "album_id": row["album_id"],
            "title": row["title"],
            "artist": row["artist"],
            "year": row["year"],
            "price": row["price"],
            "length": sum(row["minutes"]),
        }
        for row in view.values("albums")
        if row["genre"] == genre
        and row["year"] >= from_year
        and (max_price is None or row["price"] <= max_price)
    ]
    column = {"cheapest": "price", "longest": "length"}.get(order, "year")
    found.sort(key=lambda row: row[column], reverse=order in {"newest", "longest"})
    first = [row["album_id"] for row in found[:3]]
    return {"albums": found[:10], "album_ids": first, "count": len(found)}


@WORLD.tool(
    "Add up how long some albums play and what they cost together; three or more are 10 percent "
    "cheaper.",
    parameters={
        "album_ids": array("Ids of the albums.",
            text("Id of an album.", "album_id", pool=draw_from("albums", "album_id")),
            minItems=2, maxItems=8),
    },
    outputs=(
        Output("total_minutes", "duration_min", (
            "the total playing time of {album_ids}", "how long {album_ids} play in all",
        )),
        Output("total_price", "price", (
            "the price of {album_ids} together", "the price of buying {album_ids} in one go",
        )),
        Output("longest.album_id", "album_id", (
            "the longest of {album_ids}", "whichever of {album_ids} plays longest",
        )),
        Output("longest.artist", "artist", (
            "the artist of the longest of {album_ids}",
            "the band whose record plays longest among {album_ids}",
        )),
    ),
    wishes=(
        "How long do {album_ids} play in all, and what would I pay for them?",
        "Running time and price of {album_ids}.",
        "I may buy {album_ids}; add up their length and their price for me, please.",
    ),
    reads=("albums",),
)  # fmt: skip
def album_bundle(view: View, album_ids: list[str]) -> dict[str, Any]:
    """Length, price and the longest (ties by id)."""
    rows = []
    for album_id in dict.fromkeys(album_ids):
        row = view.get("albums", album_id)
        if row is None:
            raise ToolError(f"there is no album with the id '{album_id}'")
        rows.append(row)
    longest = min(rows, key=lambda row: (-sum(row["minutes"]), row["album_id"]))
    discount = 0.9 if len(rows) >= 3 else 1
    return {
        "total_minutes": sum(sum(row["minutes"]) for row in rows),
        "total_price": round(discount * math.fsum(row["price"] for row in rows), 2),
        "longest": {key: longest[key] for key in ("album_id", "title", "artist")},
    }


@WORLD.tool(
    "Build a playlist of at most a given length out of the tracks of some artists, taken in turn "
    "from their albums. Adds it to the playlists.",
    parameters={
        "artists": array("Names of the artists.", _ARTIST, minItems=2, maxItems=5),
        "max_minutes": integer(
            "Longest playing time in minutes.", "duration_min", minimum=10, maximum=600,
        ),
        "owner": text("Full name of the owner.", "person"),
    },
    outputs=(
        Output("playlist_id", "playlist_id", (
            "the playlist for {owner} with {artists}, at most {max_minutes} long",
            "the mix of {artists} made for {owner} to last no more than {max_minutes}",
        )),
        Output("minutes", "duration_min", (
            "the exact length of a playlist for {owner} with {artists}, limited to {max_minutes}",
            "how long the mix of {artists} for {owner} turns out under a limit of {max_minutes}",
        )),
        Output("tracks", "count", (
            ("the number of tracks in a playlist for {owner} with {artists}, at most {max_minutes} "
            "long"),
            "how many tracks by {artists} fit into {max_minutes} on a playlist for {owner}",
        )),
    ),
    wishes=(
        "Make {owner} a playlist with {artists}, {max_minutes} at most.",
        ("Please put together a mix of {artists} for {owner}; it should last no longer than "
        "{max_minutes}."),
        "{owner} wants to hear {artists}. Could you build a playlist of up to {max_minutes}?",
    ),
    reads=("artists", "albums", "playlists"),
    writes=("playlists",),
    undo=Undo("delete_playlist", {"playlist_id": "result.playlist_id"}),
)  # fmt: skip
def build_playlist(view: View, artists: list[str], max_minutes: int, owner: str) -> dict[str, Any]:
    """Tracks by turns of the artists as long as the next one fits."""
    queues = [_tracks(view, artist) for artist in dict.fromkeys(artists)]
    chosen: list[str] = []
    left = max_minutes
    for turn in range(max(len(queue) for queue in queues)):
        for queue in queues:
            if turn < len(queue) and queue[turn][1] <= left:
                chosen.append(queue[turn][0])
                left -= queue[turn][1]
    playlist_id = content_id("pl", owner, chosen)
    if view.get("playlists", playlist_id):
        raise ToolError(f"{owner} already has this playlist: {playlist_id}")
    view.put("playlists", playlist_id, {"owner": owner, "tracks": chosen})
    return {"playlist_id": playlist_id, "tracks": len(chosen), "minutes": max_minutes - left}


def _tracks(view: View, artist: str) -> list[tuple[str, int]]:
    tracks = []
    for album_id in _artist(view, artist)["albums"]:
        row = view.get("albums", album_id)
        lengths = row["minutes"] if row else []
        tracks += [(f"{album_id}/{place}", length) for place, length in enumerate(lengths, 1)]
    return tracks


@WORLD.tool(
    "Delete a playlist. Removes it from the playlists.",
    parameters={"playlist_id": text("Id of the playlist.", "playlist_id")},
    outputs=(
        Output("owner", "person", (
            "the former owner of {playlist_id}, which is to be deleted",
            "whoever loses {playlist_id} when it is deleted",
        )),
    ),
    wishes=(
        "Delete {playlist_id}.",
        "Nobody listens to {playlist_id}; please remove it.",
        "Could you get rid of {playlist_id} for me?",
    ),
    reads=("playlists",),
    writes=("playlists",),
)  # fmt: skip
def delete_playlist(view: View, playlist_id: str) -> dict[str, Any]:
    """Take a playlist away without a trace."""
    row = view.get("playlists", playlist_id)
    if row is None:
        raise ToolError(f"no playlist has the id '{playlist_id}'")
    view.remove("playlists", playlist_id)
    return {"deleted": playlist_id, "owner": row["owner"]}


@WORLD.tool(
    "Find concerts in a city, soonest first, optionally of one genre or up to a ticket price. "
    "Says how many seats are left, counting the tickets sold.",
    parameters={
        "city": text("City of the concert.", "city"),
        "genre": choice("Genre.", "genre", _GENRES, optional=True),
        "max_price": number(
            "Highest ticket price in EUR.", "price", exclusiveMinimum=0, optional=True,
            pool=lambda _, rng: rng.randrange(40, 110, 5),
        ),
    },
    outputs=(
        Output("concerts[0].concert_id", "concert_id", (
            "the next[ {genre}] concert in {city}[ for {max_price} or less]",
            "the soonest[ {genre}] gig in {city}[ with tickets at {max_price} or below]",
        )),
        Output("concerts[0].artist", "artist", (
            "the artist of the next[ {genre}] concert in {city}[ for {max_price} or less]",
            "whoever plays the soonest[ {genre}] gig in {city}",
        )),
        Output("concerts[0].day", "date", (
            "the date of the next[ {genre}] concert in {city}[ for {max_price} or less]",
            "the evening of the soonest[ {genre}] gig in {city}",
        )),
        Output("concerts[0].price", "price", (
            "the ticket price of the next[ {genre}] concert in {city}",
            "what a ticket for the soonest[ {genre}] gig in {city} costs",
        )),
        Output("concerts[0].starts", "time", (
            "the time at which the next[ {genre}] concert in {city} begins",
            "the starting time of the soonest[ {genre}] gig in {city}",
        )),
    ),
    wishes=(
        "Which[ {genre}] concerts are coming up in {city}[, tickets {max_price} or less]?",
        "Concerts[ ({genre})] in {city}, soonest first[, no ticket over {max_price}].",
        ("I'll be in {city} and would love to hear some live music[, ideally {genre}]"
        "[, for {max_price} at the most]. What's on?"),
    ),
    reads=("concerts", "artists", "tickets"),
)  # fmt: skip
def find_concerts(
    view: View, city: str, genre: str | None = None, max_price: float | None = None
) -> dict[str, Any]:
    """Concerts by day and id."""
    shown = ("concert_id", "artist", "day", "starts", "price")
    found = [
        {**{key: row[key] for key in shown}, "seats_left": _seats_left(view, row)}
        for row in view.values("concerts")
        if row["city"] == city
        and (max_price is None or row["price"] <= max_price)
        and (genre is None or _artist(view, row["artist"])["genre"] == genre)
    ]
    found.sort(key=lambda row: (row["day"], row["concert_id"]))
    return {"concerts": found, "count": len(found)}


def _seats_left(view: View, concert: Row) -> int:
    sold = sum(
        row["seats"]
        for _, row in view.rows("tickets")
        if row["concert_id"] == concert["concert_id"]
    )
    return int(concert["seats"]) - int(sold)


@WORLD.tool(
    "Buy tickets for a concert. Adds an order to the tickets sold; they can be returned.",
    parameters={
        "concert_id": text(
            "Id of the concert.", "concert_id", pool=draw_from("concerts", "concert_id")
        ),
        "buyer": text("Full name of the buyer.", "person"),
        "seats": integer(
            "Number of tickets.", "count", minimum=1, maximum=10,
            pool=lambda _, rng: rng.randrange(2, 7),
        ),
    },
    outputs=(
        Output("order_id", "concert_order_id", (
            "the order of {seats} tickets for {concert_id} in the name of {buyer}",
            "the tickets for {concert_id} ({seats}) that {buyer} gets",
        )),
        Output("total", "price", (
            "what {buyer} pays for {seats} tickets for {concert_id}",
            "the total for {seats} seats at {concert_id}, bought by {buyer}",
        )),
    ),
    wishes=(
        "Buy {seats} tickets for {concert_id} in the name of {buyer}.",
        "{buyer} would like to go to {concert_id}; please get {seats} tickets.",
        "Please order tickets to {concert_id} for {buyer}. Number of seats: {seats}.",
    ),
    reads=("concerts", "tickets"),
    writes=("tickets",),
    undo=Undo("return_concert_tickets", {"order_id": "result.order_id"}),
)  # fmt: skip
def buy_concert_tickets(view: View, concert_id: str, buyer: str, seats: int) -> dict[str, Any]:
    """An order as long as seats are left; one of a kind per buyer."""
    concert = view.get("concerts", concert_id)
    if concert is None:
        raise ToolError(f"no concert is listed as '{concert_id}'")
    order_id = content_id("ct", concert_id, buyer, seats)
    if view.get("tickets", order_id):
        raise ToolError(f"{buyer} has already bought {seats} tickets for {concert_id}")
    left = _seats_left(view, concert)
    if seats > left:
        raise ToolError(f"only {left} seats are left at {concert_id}, not {seats}")
    view.put("tickets", order_id, {"concert_id": concert_id, "buyer": buyer, "seats": seats})
    total = round(concert["price"] * seats, 2)
    return {"order_id": order_id, "artist": concert["artist"], "total": total}


@WORLD.tool(
    "Return concert tickets. Removes the order from the tickets sold and says what is paid back.",
    parameters={"order_id": text("Id of the order.", "concert_order_id")},
    outputs=(
        Output("refund", "price", (
            "the refund for returning {order_id}", "what is paid back once {order_id} is returned",
        )),
    ),
    wishes=(
        "Return {order_id}.",
        "We can't make it to the show, so please give back {order_id}.",
        "Could you hand {order_id} back to the box office?",
    ),
    reads=("tickets", "concerts"),
    writes=("tickets",),
)  # fmt: skip
def return_concert_tickets(view: View, order_id: str) -> dict[str, Any]:
    """Take an order back without a trace."""
    order = view.get("tickets", order_id)
    if order is None:
        raise ToolError(f"no concert tickets were sold under '{order_id}'")
    concert = view.get("concerts", order["concert_id"]) or {"price": 0}
    view.remove("tickets", order_id)
    return {"returned": order_id, "refund": round(concert["price"] * order["seats"], 2)}


@WORLD.tool(
    "Compute the royalties of an artist for a year from streams, downloads and radio plays, "
    "optionally from one of the three only.",
    parameters={
        "artist": _ARTIST,
        "year": integer("Year, 2021 to 2025.", "royalty_year", minimum=2021, maximum=2025),
        "source": choice("Only this source.", "royalty_source", tuple(_RATES), optional=True, says={
            '"stream"': "streams", '"download"': "downloads", '"radio"': "radio plays",
        }),
    },
    outputs=(
        Output("royalties", "price", (
            "the royalties of {artist} for {year}[ from {source} alone]",
            "the sum that {artist} earned in royalties in {year}[, counting {source} only]",
        )),
    ),
    wishes=(
        "Royalties of {artist} for {year}[, {source} only].",
        "How much did {artist} earn in royalties in {year}[ from {source} alone]?",
        ("Please draw up the royalty statement of {artist} for the year {year}"
        "[, limited to {source}]."),
    ),
    reads=("artists",),
)  # fmt: skip
def royalty_statement(
    view: View, artist: str, year: int, source: str | None = None
) -> dict[str, Any]:
    """Plays times rates; streams beyond five million pay a fifth more."""
    plays = _artist(view, artist)["plays"].get(str(year))
    if plays is None:
        raise ToolError(f"there are no royalty figures for {year}")
    lines = {
        name: round(
            _RATES[name] * (count + (max(0, count - 5e6) / 5 if name == "stream" else 0)), 2
        )
        for name, count in plays.items()
        if source in {None, name}
    }
    return {"artist": artist, "lines": lines, "royalties": round(math.fsum(lines.values()), 2)}


@WORLD.tool(
    "Split royalties among several people by their shares in percent; cents that remain go to the "
    "first.",
    parameters={
        "amount": number("Sum to split in EUR.", "price", minimum=0),
        "shares": array("Shares in percent, in order; together at most 100.",
            number("A share.", "percent", exclusiveMinimum=0, maximum=100,
                   pool=lambda _, rng: rng.randrange(5, 26)), minItems=2, maxItems=6),
    },
    outputs=(
        Output("parts[0]", "price", (
            "the first part when {amount} is split by shares of {shares}",
            "what the first in line gets of {amount} if the shares are {shares}",
        )),
        Output("kept", "price", (
            "what is left of {amount} after shares of {shares} are paid out",
            "the part of {amount} that stays with the label when {shares} are given away",
        )),
    ),
    wishes=(
        "Split {amount} by shares of {shares}.",
        "{amount} in royalties has to be divided; the shares are {shares}. Who gets what?",
        "Please work out the payouts from {amount} for shares of {shares}.",
    ),
)  # fmt: skip
def split_royalties(view: View, amount: float, shares: list[float]) -> dict[str, Any]:
    """Parts rounded down to the cent, the remainder of cents to the first."""
    del view
    if math.fsum(shares) > 100:
        raise ToolError(
            f"shares of {', '.join(f'{share:g}' for share in shares)} exceed 100 percent"
        )
    parts = [int(amount * share + 1e-6) / 100 for share in shares]
    parts[0] += round(amount * math.fsum(shares) / 100, 2) - math.fsum(parts)
    parts = [round(part, 2) for part in parts]
    return {"parts": parts, "kept": round(amount - math.fsum(parts), 2)}
