"""Sports: league teams, fixtures and tables, grounds, training sessions and plans."""

import datetime
from typing import Any

from environment.meanings import TODAY, position_of
from environment.places import CITIES, plane_km
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

_LEAGUES = ("Northern Cup League", "Atlantic Premier League", "Central First Division",
            "Pacific Super League")  # fmt: skip
_NICKNAMES = (
    "Falcons Rovers Lynxes Comets Wanderers Herons Rangers Otters Mariners Foxes Stags Harriers"
).split()
_TEAMS = 12
_SEASON_START = datetime.date(2025, 12, 6)


def _tables(seed: int) -> Tables:
    rng = generator(seed, "sports")
    cities = list(CITIES)
    rng.shuffle(cities)
    teams: dict[str, Row] = {}
    grounds: dict[str, Row] = {}
    leagues: dict[str, Row] = {}
    for place, league in enumerate(_LEAGUES):
        members = []
        nicknames = rng.sample(_NICKNAMES, _TEAMS)
        for city, nickname in zip(cities[place * _TEAMS :], nicknames, strict=False):
            name = f"{city.name} {nickname}"
            ground_id = f"GR-{301 + len(teams)}"
            teams[name] = {"team": name, "league": league, "city": city.name, "ground": ground_id}
            grounds[ground_id] = _ground(seed, ground_id, city.name)
            members.append(name)
        leagues[league] = {"league": league, "teams": members}
    fixtures: dict[str, Row] = {}
    for place, league in enumerate(_LEAGUES):
        fixtures |= _season(seed, 2001 + 200 * place, leagues[league], teams)
    return {
        "leagues": {key: {**row, "results": _results(fixtures, key)}
                    for key, row in leagues.items()},
        "teams": {key: {**row, "fixtures": _to_play(fixtures, key),
                        "results": _results(fixtures, key)} for key, row in teams.items()},
        "grounds": grounds,
        "fixtures": fixtures,
        "sessions": {},
    }  # fmt: skip


def _results(fixtures: dict[str, Row], whose: str) -> list[list[Any]]:
    """Day, home, away, goals of both: the games played in a league or by a team, by day."""
    return [
        [row["day"], row["home"], row["away"], *row["score"]]
        for row in fixtures.values()
        if row["score"] and whose in {row["league"], row["home"], row["away"]}
    ]


def _to_play(fixtures: dict[str, Row], team: str) -> list[str]:
    return [
        key
        for key, row in fixtures.items()
        if not row["score"] and team in {row["home"], row["away"]}
    ]


def _ground(seed: int, ground_id: str, city: str) -> Row:
    rng = generator(seed, "sports", ground_id)
    centre = position_of(city)
    return {
        "ground_id": ground_id,
        "city": city,
        "seats": rng.randrange(3000, 42000, 500),
        "surface": rng.choice(("grass", "hybrid", "artificial")),
        "hourly_rate": float(rng.randrange(35, 160, 5)),
        "position": {
            "lat": round(centre["lat"] + rng.uniform(-0.05, 0.05), 4),
            "lon": round(centre["lon"] + rng.uniform(-0.05, 0.05), 4),
        },
    }


def _season(seed: int, first_id: int, league: Row, teams: dict[str, Row]) -> dict[str, Row]:
    """A double round-robin on Saturdays; what lies before today has a score."""
    rng = generator(seed, "sports", league["league"])
    circle = list(league["teams"])
    rounds = []
    for turn in range(_TEAMS - 1):
        pairs = [(circle[i], circle[-1 - i]) for i in range(_TEAMS // 2)]
        rounds.append([pair if turn % 2 else pair[::-1] for pair in pairs])
        circle.insert(1, circle.pop())
    rounds += [[(away, home) for home, away in pairs] for pairs in rounds]
    strength = {team: rng.uniform(0.6, 2.1) for team in league["teams"]}
    fixtures: dict[str, Row] = {}
    for week, pairs in enumerate(rounds):
        day = _SEASON_START + datetime.timedelta(weeks=week)
        for home, away in pairs:
            fixture_id = f"M-{first_id + len(fixtures)}"
            score = [_goals(rng, strength[home] + 0.3), _goals(rng, strength[away])]
            fixtures[fixture_id] = {
                "fixture_id": fixture_id,
                "league": league["league"],
                "home": home,
                "away": away,
                "day": day.isoformat(),
                "ground": teams[home]["ground"],
                "score": score if day < TODAY else None,
            }
    return fixtures


def _goals(rng: Any, expected: float) -> int:
    return sum(rng.random() < expected / 6 for _ in range(6))


WORLD = World("sports", "Football leagues: fixtures, tables, grounds and training.", _tables)

_TEAM = text("Full name of the team.", "team", pool=draw_from("teams", "team"))


def _coming_day(view: View, rng: Any) -> str:
    del view
    return (TODAY + datetime.timedelta(days=rng.randrange(1, 75))).isoformat()


def _team(view: View, team: str) -> Row:
    row = view.get("teams", team)
    if row is None:
        raise ToolError(f"no team is called '{team}'")
    return row


def _games(view: View, ids: list[str]) -> list[Row]:
    found = (view.get("fixtures", fixture_id) for fixture_id in ids)
    return [row for row in found if row is not None]


def _points(own: int, other: int) -> int:
    return 3 if own > other else int(own == other)


@WORLD.tool(
    "Compute the table of a league from the results so far: all games, home games only or away "
    "games only, optionally as it stood on a day.",
    parameters={
        "league": choice("League.", "league", _LEAGUES),
        "games": choice(
            "Which games count.", "games_counted", ("all", "home", "away"),
            says={'"all"': "all games", '"home"': "home games only", '"away"': "away games only"},
        ),
        "until": date(
            "Last day that counts, YYYY-MM-DD.", optional=True,
            pool=lambda _, rng: (
                _SEASON_START + datetime.timedelta(days=rng.randrange(20, 80))
            ).isoformat(),
        ),
    },
    outputs=(
        Output("table[0].team", "team", (
            "the leader of the {league} ({games})[ as of {until}]",
            "the team at the top of the {league}, counting {games}[, as it stood on {until}]",
        )),
        Output("table[1].team", "team", (
            "the second-placed team of the {league} ({games})[ as of {until}]",
            "the runner-up in the table of the {league}, counting {games}[, on {until}]",
        )),
        Output("top_three", "list:team", (
            "the top three of the {league} ({games})[ as of {until}]",
            ("the three teams that head the table of the {league}, counting {games}"
            "[, as it stood on {until}]"),
        )),
        Output("bottom", "team", (
            "the team at the bottom of the {league} ({games})[ as of {until}]",
            "the last-placed team of the {league}, counting {games}[, as it stood on {until}]",
        )),
        Output("table[0].points", "points", (
            "the points of the leader of the {league} ({games})[ as of {until}]",
            "the points total at the top of the {league}, counting {games}[, on {until}]",
        )),
        Output("lead", "points", (
            "the leader's margin in points in the {league} ({games})[ as of {until}]",
            "the points between first and second in the {league}, counting {games}[, on {until}]",
        )),
    ),
    wishes=(
        "Show the table of the {league}, {games}[, as of {until}].",
        "How does the {league} stand[ on {until}] when you count {games}?",
        ("Could you work out the {league} standings for me ({games})[, including results up to "
        "{until}]?"),
    ),
    reads=("leagues",),
)  # fmt: skip
def league_table(view: View, league: str, games: str, until: str = "9999") -> dict[str, Any]:
    """Teams by points, goal difference, goals, name."""
    row = view.get("leagues", league)
    if row is None:
        raise ToolError(f"there is no league called '{league}'")
    sums = {team: [0, 0, 0, 0] for team in row["teams"]}
    for day, home, away, home_goals, away_goals in row["results"]:
        if day > until:
            break
        if games != "away":
            _count(sums[home], home_goals, away_goals)
        if games != "home":
            _count(sums[away], away_goals, home_goals)
    order = sorted(sums, key=lambda team: (*(-value for value in sums[team][1:]), team))
    table = [
        {
            "place": place,
            "team": team,
            "played": sums[team][0],
            "points": sums[team][1],
            "goal_difference": sums[team][2],
        }
        for place, team in enumerate(order, start=1)
    ]
    lead = sums[order[0]][1] - sums[order[1]][1]
    return {"table": table, "top_three": order[:3], "bottom": order[-1], "lead": lead}


def _count(sums: list[int], own: int, other: int) -> None:
    for place, value in enumerate((1, _points(own, other), own - other, own)):
        sums[place] += value


@WORLD.tool(
    "List the coming fixtures of a team from a day on, soonest first, optionally only at home or "
    "away. Reads the fixture list.",
    parameters={
        "team": _TEAM,
        "from_day": date("First day to look at, YYYY-MM-DD.", pool=_coming_day),
        "side": choice(
            "Only games on this side.", "side", ("home", "away"), optional=True,
        ),
    },
    outputs=(
        Output("fixtures[0].fixture_id", "fixture_id", (
            "the next[ {side}] game of {team} on or after {from_day}",
            "the first[ {side}] fixture of {team} on or after {from_day}",
        )),
        Output("fixtures[0].day", "date", (
            "the day of the next[ {side}] game of {team} on or after {from_day}",
            "the date of the first[ {side}] fixture of {team} on or after {from_day}",
        )),
        Output("fixtures[0].opponent", "team", (
            "the team that meets {team} in their next[ {side}] game on or after {from_day}",
            "the opponent in the first[ {side}] fixture of {team} on or after {from_day}",
        )),
        Output("fixtures[0].ground", "ground_id", (
            "the ground of the next[ {side}] game of {team} on or after {from_day}",
            ("the place where the first[ {side}] fixture of {team} on or after {from_day} is "
            "played"),
        )),
        Output("count", "count", (
            "the number of[ {side}] games {team} still have on or after {from_day}",
            "how many[ {side}] fixtures of {team} remain on or after {from_day}",
        )),
    ),
    wishes=(
        "When do {team} play[ {side} games] on or after {from_day}?",
        "List what {team} have coming up, starting {from_day}[ ({side} games only)].",
        "I'd like the remaining games of {team} on or after {from_day}[, {side} games only].",
    ),
    reads=("teams", "fixtures"),
)  # fmt: skip
def team_fixtures(view: View, team: str, from_day: str, side: str | None = None) -> dict[str, Any]:
    """Games to play from a day on, by day and id."""
    coming = [
        {
            "fixture_id": game["fixture_id"],
            "day": game["day"],
            "opponent": game["away"] if game["home"] == team else game["home"],
            "side": "home" if game["home"] == team else "away",
            "ground": game["ground"],
        }
        for game in _games(view, _team(view, team)["fixtures"])
        if game["day"] >= from_day
    ]
    fixtures = [game for game in coming if side in {None, game["side"]}]
    fixtures.sort(key=lambda game: (game["day"], game["fixture_id"]))
    return {"fixtures": fixtures, "count": len(fixtures)}


@WORLD.tool(
    "Compare the form of teams: points from the last games of each, best first.",
    parameters={
        "teams": array("Names of the teams.", _TEAM, minItems=2, maxItems=6),
        "last": integer(
            "How many of the last games.", "count", minimum=1, maximum=10,
            pool=lambda _, rng: rng.randrange(3, 9),
        ),
    },
    outputs=(
        Output("form[0].team", "team", (
            "the team in the best form over its last {last} games out of {teams}",
            "whichever of {teams} took the most points from the last {last} games",
        )),
        Output("form[0].points", "points", (
            "the most points that any of {teams} won in the last {last} games",
            "the points haul of the form team among {teams} (last {last} games)",
        )),
        Output("form[0].goals_per_game", "amount", (
            "the goals a game of the form team among {teams} over the last {last} games",
            "the scoring rate over {last} games of whichever of {teams} is in the best form",
        )),
    ),
    wishes=(
        "Compare the form of {teams} over the last {last} games.",
        "Who is doing best lately: {teams}? Take the last {last} games.",
        "Form guide, last {last} matches: {teams}.",
    ),
    reads=("teams",),
)  # fmt: skip
def compare_form(view: View, teams: list[str], last: int) -> dict[str, Any]:
    """Points of the last games; ties by goals scored, then by name."""
    if len(set(teams)) < len(teams):
        raise ToolError(f"a team is named twice in {', '.join(teams)}")
    form = [_form(view, team, last) for team in teams]
    form.sort(key=lambda row: (-row["points"], -row["goals_per_game"], row["team"]))
    return {"form": form}


def _form(view: View, team: str, last: int) -> dict[str, Any]:
    points = goals = 0
    for _, home, _, home_goals, away_goals in _team(view, team)["results"][-last:]:
        own, other = (home_goals, away_goals) if home == team else (away_goals, home_goals)
        points += _points(own, other)
        goals += own
    return {"team": team, "points": points, "goals_per_game": round(goals / last, 2)}


@WORLD.tool(
    "Move a fixture that has not been played to another day. Changes the fixture list; moving it "
    "back restores it.",
    parameters={
        "fixture_id": text("Id of the fixture.", "fixture_id"),
        "new_day": date("New day, YYYY-MM-DD.", pool=_coming_day),
    },
    outputs=(
        Output("previous_day", "date", (
            "the day on which {fixture_id} was to be played before it moved to {new_day}",
            "the original date of {fixture_id}, now moved to {new_day}",
        )),
    ),
    wishes=(
        "Move {fixture_id} to {new_day}.",
        "The date of {fixture_id} has to change: please put it on {new_day}.",
        "Could you reschedule {fixture_id} for {new_day}?",
    ),
    reads=("fixtures", "teams"),
    writes=("fixtures",),
    undo=Undo("move_fixture", {
        "fixture_id": "arguments.fixture_id", "new_day": "result.previous_day",
    }),
)  # fmt: skip
def move_fixture(view: View, fixture_id: str, new_day: str) -> dict[str, Any]:
    """A new day on which neither team has another game."""
    game = view.get("fixtures", fixture_id)
    if game is None:
        raise ToolError(f"the fixture list has no game '{fixture_id}'")
    if game["score"] is not None:
        raise ToolError(f"{fixture_id} has already been played")
    if new_day <= TODAY.isoformat():
        raise ToolError(f"a game can't be moved to {new_day}, which is not ahead")
    for team in (game["home"], game["away"]):
        for other in _games(view, _team(view, team)["fixtures"]):
            if other["day"] == new_day:
                raise ToolError(f"{team} already play {other['fixture_id']} on {new_day}")
    view.put("fixtures", fixture_id, {**game, "day": new_day})
    return {"fixture_id": fixture_id, "day": new_day, "previous_day": game["day"]}


@WORLD.tool(
    "Find sports grounds around a position, nearest first, optionally with a least number of "
    "seats or a certain surface.",
    parameters={
        "near": record("Where to look.", "position", {
            "lat": number("Degrees north.", "latitude", minimum=-90, maximum=90),
            "lon": number("Degrees east.", "longitude", minimum=-180, maximum=180),
        }, pool=draw_from("grounds", "position")),
        "min_seats": integer(
            "Least number of seats.", "seats", minimum=0, optional=True,
            pool=lambda _, rng: rng.randrange(5000, 25000, 1000),
        ),
        "surface": choice(
            "Surface of the pitch.", "surface", ("grass", "hybrid", "artificial"), optional=True,
            says={'"grass"': "natural grass", '"hybrid"': "hybrid turf",
                  '"artificial"': "artificial turf"},
        ),
    },
    outputs=(
        Output("grounds[0].ground_id", "ground_id", (
            ("the sports ground nearest to {near}[ with at least {min_seats} seats]"
            "[, with a pitch of {surface}]"),
            "the closest ground[ of {surface}] to {near}[ that seats {min_seats} or more]",
        )),
        Output("grounds[1].ground_id", "ground_id", (
            ("the second-nearest sports ground to {near}[ with at least {min_seats} seats]"
            "[, with a pitch of {surface}]"),
            "the next-closest ground[ of {surface}] to {near} after the nearest one",
        )),
        Output("grounds[0].distance_km", "distance_km", (
            ("the distance from {near} to the nearest sports ground[ with {min_seats}+ seats]"
            "[, with a pitch of {surface}]"),
            "the way from {near} to the closest ground[ of {surface}]",
        )),
        Output("grounds[0].city", "city", (
            ("the city of the sports ground nearest to {near}[ with at least {min_seats} seats]"
            "[, with a pitch of {surface}]"),
            "the city where the closest ground[ of {surface}] to {near} stands",
        )),
        Output("grounds[0].hourly_rate", "price", (
            ("the hourly rate of the sports ground nearest to {near}"
            "[ with at least {min_seats} seats][, with a pitch of {surface}]"),
            "what the closest ground[ of {surface}] to {near} charges for an hour",
        )),
    ),
    wishes=(
        ("Which sports grounds are closest to {near}[, with {min_seats} seats or more]"
        "[, pitch of {surface}]?"),
        "Grounds near {near}[; minimum {min_seats} seats][; {surface}].",
        ("We need a pitch[ of {surface}] not far from {near}[ with room for {min_seats} people]; "
        "please list what there is."),
    ),
    reads=("grounds",),
)  # fmt: skip
def grounds_near(
    view: View, near: dict[str, float], min_seats: int = 0, surface: str | None = None
) -> dict[str, Any]:
    """The five nearest grounds; distances on a plane along the latitude."""
    found = [
        {
            "ground_id": row["ground_id"],
            "city": row["city"],
            "seats": row["seats"],
            "surface": row["surface"],
            "hourly_rate": row["hourly_rate"],
            "distance_km": round(plane_km(near, row["position"]), 1),
        }
        for row in view.values("grounds")
        if row["seats"] >= min_seats and surface in {None, row["surface"]}
    ]
    found.sort(key=lambda row: (row["distance_km"], row["ground_id"]))
    return {"grounds": found[:5], "count": len(found)}


@WORLD.tool(
    "Book a training session of a team at a ground. Adds it to the training sessions.",
    parameters={
        "team": _TEAM,
        "ground_id": text("Id of the ground.", "ground_id", pool=draw_from("grounds", "ground_id")),
        "day": date("Day of the session, YYYY-MM-DD.", pool=_coming_day),
        "starts": text("Start, HH:MM.", "time", pattern=r"^\d\d:\d\d$"),
        "minutes": integer("Length in minutes.", "duration_min", minimum=30, maximum=240),
    },
    outputs=(
        Output("session_id", "training_session_id", (
            "the training session of {team} at {ground_id} on {day}, {starts}, for {minutes}",
            "the practice of {team} at {ground_id} ({day}, {starts}, {minutes})",
        )),
        Output("cost", "price", (
            "what it costs {team} to train at {ground_id} on {day} from {starts} for {minutes}",
            ("the hire charge for {ground_id} when {team} train there on {day} at {starts} for "
            "{minutes}"),
        )),
    ),
    wishes=(
        "Book {ground_id} for {team}: {day}, {starts}, {minutes}.",
        ("Training for {team} at {ground_id} on {day} from {starts} for {minutes}: please book "
        "it."),
        ("Please arrange a training session at {ground_id} on {day} for {team}. It starts at "
        "{starts} and lasts {minutes}."),
    ),
    reads=("teams", "grounds", "sessions"),
    writes=("sessions",),
    undo=Undo("cancel_training", {"session_id": "result.session_id"}),
)  # fmt: skip
def book_training(
    view: View, team: str, ground_id: str, day: str, starts: str, minutes: int
) -> dict[str, Any]:
    """A session on a free pitch, on a day without a game of the team."""
    ground = view.get("grounds", ground_id)
    if ground is None:
        raise ToolError(f"no ground has the id '{ground_id}'")
    if day <= TODAY.isoformat():
        raise ToolError(f"training can't be booked for {day}; that day is not ahead")
    _team(view, team)
    begin = _minutes(starts)
    if not 360 <= begin <= 1380 - minutes:
        raise ToolError(f"grounds are open from 06:00 to 23:00, not for {minutes} min at {starts}")
    for _, other in view.rows("sessions"):
        start = _minutes(other["starts"])
        overlaps = start < begin + minutes and begin < start + other["minutes"]
        if other["day"] == day and overlaps and ground_id == other["ground_id"]:
            raise ToolError(f"{ground_id} is taken at {starts} on {day} by {other['team']}")
    session_id = content_id("ts", team, ground_id, day, starts, minutes)
    row = {"team": team, "ground_id": ground_id, "day": day, "starts": starts, "minutes": minutes}
    view.put("sessions", session_id, row)
    cost = round(ground["hourly_rate"] * minutes / 60, 2)
    return {"session_id": session_id, "city": ground["city"], "cost": cost}


def _minutes(clock: str) -> int:
    hours, minutes = clock.split(":")
    return 60 * int(hours) + int(minutes)


@WORLD.tool(
    "Cancel a training session. Removes it from the training sessions.",
    parameters={"session_id": text("Id of the session.", "training_session_id")},
    outputs=(
        Output("team", "team", (
            "the team whose practice is off once {session_id} is cancelled",
            "whichever team had {session_id}, now cancelled",
        )),
    ),
    wishes=(
        "Cancel {session_id}.",
        "Would you please call off {session_id}?",
        "There is no need for {session_id} any more; give the slot back.",
    ),
    reads=("sessions",),
    writes=("sessions",),
)  # fmt: skip
def cancel_training(view: View, session_id: str) -> dict[str, Any]:
    """Take a session back without a trace."""
    row = view.get("sessions", session_id)
    if row is None:
        raise ToolError(f"no training session '{session_id}' is booked")
    view.remove("sessions", session_id)
    return {"cancelled": session_id, "team": row["team"], "day": row["day"]}


@WORLD.tool(
    "Lay out a training plan by weeks: sessions grow by a percentage each week, every fourth week "
    "is a recovery week at 60 percent.",
    parameters={
        "weeks": integer(
            "Length in weeks.", "count", minimum=2, maximum=16,
            pool=lambda _, rng: rng.randrange(4, 13),
        ),
        "first_session": integer(
            "Minutes of a session in the first week.", "duration_min", minimum=15, maximum=180,
        ),
        "growth": number(
            "Growth by week in percent.", "percent", minimum=0, maximum=20,
            pool=lambda _, rng: rng.randrange(2, 13),
        ),
        "start": date("First day of the plan, YYYY-MM-DD."),
        "per_week": integer(
            "Sessions a week; 3 if left out.", "count", minimum=1, maximum=7, optional=True,
            pool=lambda _, rng: rng.randrange(2, 6),
        ),
    },
    outputs=(
        Output("longest_session", "duration_min", (
            ("the longest session in a plan of {weeks} weeks starting {start} that begins with "
            "{first_session} a session and grows by {growth} a week[, {per_week} sessions a week]"),
            ("the peak session length when training starts on {start} at {first_session} and rises "
            "{growth} a week for {weeks} weeks"),
        )),
        Output("total_minutes", "duration_min", (
            ("the total training time of a plan of {weeks} weeks starting {start}"
            "[ with {per_week} sessions a week], each {first_session} at first and growing by "
            "{growth} a week"),
            ("all the training time together over {weeks} weeks starting {start} when sessions"
            "[, {per_week} a week,] start at {first_session} and rise {growth} a week"),
        )),
        Output("hardest_week", "date", (
            ("the first day of the hardest week in a plan of {weeks} weeks starting {start}, "
            "sessions of {first_session} growing by {growth} a week[, {per_week} a week]"),
            ("the day on which the week with the longest sessions begins if one trains for {weeks} "
            "weeks from {start}, {first_session} each at first and {growth} more every week"),
        )),
    ),
    wishes=(
        ("Plan {weeks} weeks of training starting {start}: {first_session} a session at first, "
        "{growth} more each week[, {per_week} sessions a week]."),
        ("I want to train for {weeks} weeks[, {per_week} times a week], beginning on {start} with "
        "sessions of {first_session} and adding {growth} every week. What would the plan look "
        "like?"),
        ("Training plan, please – {weeks} weeks from {start}, {first_session} at first, weekly "
        "growth {growth}[, {per_week} sessions per week]."),
    ),
)  # fmt: skip
def training_plan(
    view: View, weeks: int, first_session: int, growth: float, start: str, per_week: int = 3
) -> dict[str, Any]:
    """Whole minutes of a session by week; of equally hard weeks the first."""
    del view
    lengths = [
        round(first_session * (1 + growth / 100) ** week * (0.6 if week % 4 == 3 else 1))
        for week in range(weeks)
    ]
    hardest = lengths.index(max(lengths))
    first_day = datetime.date.fromisoformat(start) + datetime.timedelta(weeks=hardest)
    return {
        "minutes_by_week": lengths,
        "hardest_week": first_day.isoformat(),
        "longest_session": max(lengths),
        "total_minutes": per_week * sum(lengths),
    }
