"""Recruiting: open positions, candidates, scoring, interviews and offers."""

import datetime
from typing import Any

from environment.meanings import TODAY
from environment.people import people
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
    text,
)

_ROLES = {
    "Backend Developer": ("python", "sql", "cloud", "testing"),
    "Data Analyst": ("sql", "statistics", "reporting", "python"),
    "Accountant": ("bookkeeping", "reporting", "tax law", "spreadsheets"),
    "Project Manager": ("planning", "negotiation", "reporting", "leadership"),
    "Sales Manager": ("negotiation", "leadership", "presenting", "spreadsheets"),
    "Quality Engineer": ("testing", "statistics", "planning", "python"),
    "Cloud Engineer": ("cloud", "python", "planning", "security"),
    "Security Analyst": ("security", "cloud", "reporting", "testing"),
}
_SKILLS = tuple(sorted({skill for skills in _ROLES.values() for skill in skills}))
_SITES = ("Amsterdam", "Berlin", "Lisbon", "Munich", "Stockholm", "Warsaw")
_OPENS, _CLOSES = 9 * 60, 17 * 60


def _tables(seed: int) -> Tables:
    rng = generator(seed, "recruiting")
    everyone = list(people(seed))
    rng.shuffle(everyone)
    interviewers = {person.name: _diary(seed, person.name) for person in everyone[:18]}
    candidates = {}
    for place, person in enumerate(everyone[18:]):
        candidate_id = f"C-{501 + place}"
        candidates[candidate_id] = {
            "candidate_id": candidate_id,
            "name": person.name,
            "email": person.email,
            "city": person.city,
            "skills": {skill: rng.randrange(1, 6) for skill in rng.sample(_SKILLS, 6)},
            "years": rng.randrange(1, 19),
            "expects": 500 * rng.randrange(76, 160),
        }
    return {
        "positions": _positions(seed, list(candidates)),
        "candidates": candidates,
        "interviewers": interviewers,
        "interviews": {},
        "offers": {},
    }


def _diary(seed: int, name: str) -> Row:
    """Hours already taken, by weekday: minutes of the day."""
    rng = generator(seed, "recruiting", name)
    weekdays = {
        str(weekday): sorted([60 * hour, 60 * hour + 60] for hour in rng.sample(range(9, 17), 4))
        for weekday in range(5)
    }
    return {"name": name, "busy": weekdays}


def _positions(seed: int, candidates: list[str]) -> dict[str, Row]:
    rng = generator(seed, "recruiting", "positions")
    positions: dict[str, Row] = {}
    for place in range(96):
        position_id = f"POS-{201 + place}"
        title = list(_ROLES)[place % len(_ROLES)]
        low = 500 * rng.randrange(80, 130)
        positions[position_id] = {
            "position_id": position_id,
            "title": title,
            "city": _SITES[place // len(_ROLES) % len(_SITES)],
            "weights": dict(zip(_ROLES[title], rng.sample((4, 3, 2, 1), 4), strict=True)),
            "min_years": rng.randrange(0, 7),
            "salary_from": low,
            "salary_to": low + 500 * rng.randrange(16, 40),
            "opened": (TODAY - datetime.timedelta(days=rng.randrange(1, 90))).isoformat(),
            "applicants": sorted(rng.sample(candidates, 9)),
        }
    return positions


WORLD = World("recruiting", "Open positions, applicants, interviews and job offers.", _tables)

_POSITION = text("Id of the position.", "position_id", pool=draw_from("positions", "position_id"))
_CANDIDATE = text(
    "Id of the candidate.", "candidate_id", pool=draw_from("candidates", "candidate_id")
)


def _position(view: View, position_id: str) -> Row:
    row = view.get("positions", position_id)
    if row is None:
        raise ToolError(f"there is no open position '{position_id}'")
    return row


def _candidate(view: View, candidate_id: str) -> Row:
    row = view.get("candidates", candidate_id)
    if row is None:
        raise ToolError(f"'{candidate_id}' is not the id of a candidate")
    return row


def _fit(position: Row, candidate: Row) -> float:
    """Percent of the weighted skill levels, less 4 for each missing year of experience."""
    weights = position["weights"]
    reached = sum(weight * candidate["skills"].get(skill, 0) for skill, weight in weights.items())
    short = max(0, position["min_years"] - candidate["years"])
    return max(0.0, round(float(100 * reached / (5 * sum(weights.values())) - 4 * short), 2))


@WORLD.tool(
    "Search open positions that ask for all of some skills, optionally in one city or with a "
    "least salary, in a chosen order.",
    parameters={
        "skills": array("Skills that the position must ask for.",
            choice("A skill.", "skill", _SKILLS), minItems=1, maxItems=2),
        "order": choice(
            "What comes first.", "position_order", ("best_paid", "newest", "oldest"),
            says={'"best_paid"': "best-paid", '"oldest"': "longest-open"},
        ),
        "city": text(
            "City of the workplace.", "city", optional=True, pool=draw_from("positions", "city")
        ),
        "min_salary": number(
            "Least top of the salary band in EUR a year.", "salary", optional=True, minimum=0,
            pool=lambda _, rng: rng.randrange(45000, 70000, 1000),
        ),
    },
    outputs=(
        Output("positions[0].position_id", "position_id", (
            ("the {order} position that asks for {skills}[ in {city}]"
            "[ and can pay {min_salary}]"),
            ("the {order} vacancy[ in {city}] for someone with {skills}"
            "[, paying up to {min_salary} or more]"),
        )),
        Output("positions[1].position_id", "position_id", (
            ("the second position on the {order}-first list of those that ask for {skills}"
            "[ in {city}][ and can pay {min_salary}]"),
            "the runner-up to the {order} vacancy[ in {city}] for someone with {skills}",
        )),
        Output("positions[0].city", "city", (
            ("the city of the {order} position that asks for {skills}"
            "[ and can pay {min_salary}]"),
            "the city with the {order} vacancy for someone with {skills}",
        )),
        Output("positions[0].salary_to", "salary", (
            "the most the {order} position asking for {skills}[ in {city}] pays",
            "the top of the salary band of the {order} vacancy for {skills}[ in {city}]",
        )),
    ),
    wishes=(
        ("Which open positions ask for {skills}[ in {city}][ and can pay {min_salary}]? Put "
        "the {order} first."),
        "Vacancies needing {skills}, the {order} on top[, {city} only][, at least {min_salary}].",
        ("I'd like to see our openings for people with {skills}[ in {city}], the {order} ones first"
        "[; leave out what can't reach {min_salary}]."),
    ),
    reads=("positions",),
)  # fmt: skip
def find_positions(
    view: View,
    skills: list[str],
    order: str,
    city: str | None = None,
    min_salary: float = 0,
) -> dict[str, Any]:
    """Open positions in the asked order, ties by id."""
    shown = ("position_id", "title", "city", "salary_from", "salary_to", "opened")
    found = [
        {key: row[key] for key in shown}
        for row in view.values("positions")
        if all(skill in row["weights"] for skill in skills)
        and (city is None or row["city"] == city)
        and row["salary_to"] >= min_salary
    ]
    column = "salary_to" if order == "best_paid" else "opened"
    found.sort(key=lambda row: row[column], reverse=order != "oldest")
    return {"positions": found, "count": len(found)}


@WORLD.tool(
    "Rank the applicants of a position by how well their skills and experience fit it, best "
    "first, optionally only those with some years of experience or a modest salary expectation.",
    parameters={
        "position_id": _POSITION,
        "min_years": integer(
            "Least years of experience.", "count", minimum=0, maximum=15, optional=True
        ),
        "max_salary": number(
            "Highest salary that may be expected, EUR a year.", "salary", minimum=20000,
            optional=True,
        ),
    },
    outputs=(
        Output("ranking[0].candidate_id", "candidate_id", (
            ("the best-fitting applicant for {position_id}"
            "[ with {min_years} years of experience or more][ who expects at most {max_salary}]"),
            ("whoever fits {position_id} best among those who applied"
            "[ with at least {min_years} years in the job][ and ask for {max_salary} or less]"),
        )),
        Output("ranking[1].candidate_id", "candidate_id", (
            ("the second-best applicant for {position_id}"
            "[ with {min_years} years of experience or more][ who expects at most {max_salary}]"),
            "the runner-up for {position_id} by fit[ among those asking {max_salary} or less]",
        )),
        Output("ranking[0].fit_percent", "percent", (
            ("the fit in percent of the best applicant for {position_id}"
            "[ with {min_years} years of experience or more]"),
            "how well, in percent, the top applicant matches {position_id}",
        )),
        Output("ranking[0].name", "person", (
            ("the person who is the best-fitting applicant for {position_id}"
            "[ who expects at most {max_salary}]"),
            ("the person who fits {position_id} best among those who applied"
            "[ with {min_years} years of experience or more]"),
        )),
        Output("count", "count", (
            ("the number of applicants for {position_id}[ with {min_years} years or more]"
            "[ who expect at most {max_salary}]"),
            "how many applied for {position_id}[ and ask for {max_salary} or less]",
        )),
    ),
    wishes=(
        ("Rank the applicants for {position_id}[ who have {min_years}+ years][ and expect at most "
        "{max_salary}]."),
        ("Who fits {position_id} best[ with at least {min_years} years of experience]"
        "[ and without asking for more than {max_salary}]?"),
        ("Please draw up the ranking for {position_id}[, only people with {min_years} or more "
        "years in the job][, salary wish no higher than {max_salary}]."),
    ),
    reads=("positions", "candidates"),
)  # fmt: skip
def rank_applicants(
    view: View, position_id: str, min_years: int = 0, max_salary: float | None = None
) -> dict[str, Any]:
    """Applicants by fit, ties by id."""
    position = _position(view, position_id)
    applied = (_candidate(view, each) for each in position["applicants"])
    ranking = [
        {
            "candidate_id": row["candidate_id"],
            "name": row["name"],
            "fit_percent": _fit(position, row),
            "expects": row["expects"],
        }
        for row in applied
        if row["years"] >= min_years and (max_salary is None or row["expects"] <= max_salary)
    ]
    ranking.sort(key=lambda row: (-row["fit_percent"], row["candidate_id"]))
    return {"ranking": ranking, "count": len(ranking)}


@WORLD.tool(
    "Show the profile of a candidate: name, e-mail address, home city, skills, salary wish.",
    parameters={"candidate_id": _CANDIDATE},
    outputs=(
        Output("name", "person", (
            "the person behind {candidate_id}", "whoever applied as {candidate_id}",
        )),
        Output("email", "email", (
            "the e-mail address of {candidate_id}", "the address at which {candidate_id} gets mail",
        )),
        Output("city", "city", (
            "the home city of {candidate_id}", "the city where {candidate_id} lives",
        )),
        Output("expects", "salary", (
            "the salary hoped for by {candidate_id}", "the salary wish of {candidate_id}",
        )),
        Output("best_skill", "skill", (
            "the strongest skill of {candidate_id}", "the skill in which {candidate_id} is best",
        )),
    ),
    wishes=(
        "Show me the profile of {candidate_id}.",
        "What do we know about {candidate_id}?",
        "Could you pull up the application file of {candidate_id}, please?",
    ),
    reads=("candidates",),
)  # fmt: skip
def candidate_profile(view: View, candidate_id: str) -> dict[str, Any]:
    """One candidate, with the strongest skill (ties by name)."""
    row = _candidate(view, candidate_id)
    best = min(row["skills"], key=lambda skill: (-row["skills"][skill], skill))
    return {**row, "best_skill": best}


@WORLD.tool(
    "Find the positions a candidate would fit best, whether they applied or not, optionally in "
    "one city; the fit is in percent.",
    parameters={
        "candidate_id": _CANDIDATE,
        "city": text(
            "City of the workplace.", "city", optional=True, pool=draw_from("positions", "city")
        ),
    },
    outputs=(
        Output("matches[0].position_id", "position_id", (
            "the position that suits {candidate_id} best[ in {city}]",
            "the opening[ in {city}] for which {candidate_id} would be the best match",
        )),
        Output("matches[0].fit_percent", "percent", (
            "the fit in percent of {candidate_id} for the most suitable position[ in {city}]",
            "how well, in percent, {candidate_id} matches the most suitable opening[ in {city}]",
        )),
        Output("matches[0].city", "city", (
            "the city with the most suitable position for {candidate_id}",
            "the city of the best-matching opening for {candidate_id}",
        )),
    ),
    wishes=(
        "Match {candidate_id} to our open positions[ in {city}].",
        "Which of our vacancies[ in {city}] would suit {candidate_id}?",
        "I'd hate to lose {candidate_id}: where[ in {city}] would they fit in best?",
    ),
    reads=("positions", "candidates"),
)  # fmt: skip
def match_positions(view: View, candidate_id: str, city: str | None = None) -> dict[str, Any]:
    """The three positions of the best fit, ties by id."""
    candidate = _candidate(view, candidate_id)
    fits = [
        {
            "position_id": row["position_id"],
            "title": row["title"],
            "city": row["city"],
            "fit_percent": _fit(row, candidate),
        }
        for row in view.values("positions")
        if city is None or row["city"] == city
    ]
    fits.sort(key=lambda row: (-row["fit_percent"], row["position_id"]))
    return {"matches": fits[:3], "count": min(3, len(fits))}


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _minutes(clock: str) -> int:
    hours, minutes = clock.split(":")
    return 60 * int(hours) + int(minutes)


def _workday(day: str) -> int:
    """Return the weekday of a working day within the next four months."""
    wanted = datetime.date.fromisoformat(day)
    if wanted.weekday() > 4:
        raise ToolError(f"there are no interviews at the weekend, and {day} is one")
    if not 0 < (wanted - TODAY).days <= 125:
        raise ToolError(f"{day} lies outside the interview calendar")
    return wanted.weekday()


def _busy(view: View, interviewer: str, day: str, weekday: int) -> list[tuple[int, int]]:
    row = view.get("interviewers", interviewer)
    if row is None:
        raise ToolError(f"{interviewer} is not one of the interviewers")
    taken = [(start, end) for start, end in row["busy"][str(weekday)]]
    for _, other in view.rows("interviews"):
        if other["day"] == day and other["interviewer"] == interviewer:
            start = _minutes(other["starts"])
            taken.append((start, start + other["minutes"]))
    return taken


def _clash(taken: list[tuple[int, int]], start: int, minutes: int) -> bool:
    return any(start < end and begin < start + minutes for begin, end in taken)


def _weekday(_: View, rng: Any) -> str:
    return (
        TODAY + datetime.timedelta(days=7 * rng.randrange(1, 16) + rng.randrange(5))
    ).isoformat()


_INTERVIEWER = text("Full name of the interviewer.", "person", pool=draw_from(
    "interviewers", "name"))  # fmt: skip
_DAY = date("Day of the interview, YYYY-MM-DD.", pool=_weekday)
_LENGTH = integer(
    "Length in minutes.", "duration_min", minimum=30, maximum=120,
    pool=lambda _, rng: rng.choice((30, 45, 60)),
)  # fmt: skip


@WORLD.tool(
    "Find when all of some interviewers are free on a day, between 9:00 and 17:00. Reads their "
    "diaries and the interviews.",
    parameters={
        "interviewers": array("Full names.", _INTERVIEWER, minItems=1, maxItems=3),
        "day": _DAY,
        "minutes": _LENGTH,
        "not_before": text(
            "Earliest start, HH:MM.", "time", pattern=r"^\d\d:\d\d$", optional=True,
            pool=lambda _, rng: f"{rng.randrange(10, 14)}:00",
        ),
    },
    outputs=(
        Output("slots[0]", "time", (
            ("the first hour on {day} at which {interviewers} could do {minutes}"
            "[, not before {not_before}]"),
            ("the earliest gap of {minutes} in the diaries of {interviewers} on {day}"
            "[ from {not_before} on]"),
        )),
        Output("count", "count", (
            ("the number of possible starts for {minutes} with {interviewers} on {day}"
            "[ from {not_before} on]"),
            "how many half-hour starts on {day} leave {interviewers} {minutes} free",
        )),
    ),
    wishes=(
        ("When on {day} are {interviewers} free for {minutes}[, no earlier than "
        "{not_before}]?"),
        "Free slots of {minutes}, {interviewers}, {day}[, from {not_before}].",
        ("We need {interviewers} for an interview of {minutes} on {day}"
        "[, not before {not_before}]; what times would work?"),
    ),
    reads=("interviewers", "interviews"),
)  # fmt: skip
def interview_slots(
    view: View, interviewers: list[str], day: str, minutes: int, not_before: str = "09:00"
) -> dict[str, Any]:
    """Half-hour starts at which nobody is busy."""
    weekday = _workday(day)
    taken = [busy for name in interviewers for busy in _busy(view, name, day, weekday)]
    first = max(_OPENS, _minutes(not_before))
    slots = [
        _clock(start)
        for start in range(_OPENS, _CLOSES - minutes + 1, 30)
        if start >= first and not _clash(taken, start, minutes)
    ]
    return {"day": day, "slots": slots, "count": len(slots)}


@WORLD.tool(
    "Schedule an interview of a candidate. Adds it to the interviews, which fills the diary of "
    "the interviewer.",
    parameters={
        "candidate_id": _CANDIDATE,
        "interviewer": _INTERVIEWER,
        "day": _DAY,
        "starts": text("Start, HH:MM.", "time", pattern=r"^\d\d:\d\d$"),
        "minutes": _LENGTH,
    },
    outputs=(
        Output("interview_id", "interview_id", (
            "the interview of {candidate_id} with {interviewer} on {day} at {starts} ({minutes})",
            ("the talk of {minutes} between {interviewer} and {candidate_id} on {day} at "
            "{starts}"),
        )),
        Output("ends", "time", (
            ("the time at which {interviewer} and {candidate_id} are done if they talk for "
            "{minutes} on {day} from {starts}"),
            ("the end of the interview of {candidate_id} with {interviewer} on {day}, {minutes} "
            "from {starts}"),
        )),
    ),
    wishes=(
        "Schedule {candidate_id} with {interviewer}: {day}, {starts}, {minutes}.",
        ("Please set up an interview of {minutes} between {interviewer} and {candidate_id} "
        "on {day} at {starts}."),
        ("{interviewer} will see {candidate_id} on {day} from {starts}, for {minutes}; put "
        "that in the interview calendar."),
    ),
    reads=("candidates", "interviewers", "interviews"),
    writes=("interviews",),
    undo=Undo("cancel_interview", {"interview_id": "result.interview_id"}),
)  # fmt: skip
def schedule_interview(
    view: View, candidate_id: str, interviewer: str, day: str, starts: str, minutes: int
) -> dict[str, Any]:
    """An interview in a free hour of the interviewer."""
    candidate = _candidate(view, candidate_id)
    start = _minutes(starts)
    taken = _busy(view, interviewer, day, _workday(day))
    if not _OPENS <= start <= _CLOSES - minutes:
        raise ToolError(f"{minutes} minutes from {starts} are not within 09:00 and 17:00")
    if _clash(taken, start, minutes):
        raise ToolError(f"{interviewer} is not free for {minutes} minutes at {starts} on {day}")
    interview_id = content_id("int", candidate_id, interviewer, day, starts, minutes)
    row = {
        "candidate_id": candidate_id,
        "interviewer": interviewer,
        "day": day,
        "starts": starts,
        "minutes": minutes,
    }
    view.put("interviews", interview_id, row)
    return {
        "interview_id": interview_id,
        "candidate": candidate["name"],
        "ends": _clock(start + minutes),
    }


@WORLD.tool(
    "Cancel an interview. Removes it from the interviews, which frees the interviewer.",
    parameters={"interview_id": text("Id of the interview.", "interview_id")},
    outputs=(
        Output("interviewer", "person", (
            "the interviewer who is freed when {interview_id} is called off",
            "whoever would have led {interview_id}, which is to be cancelled",
        )),
    ),
    wishes=(
        "Call off {interview_id}.",
        "Please cancel {interview_id}.",
        "Something came up, so {interview_id} can't take place; take it off the calendar.",
    ),
    reads=("interviews",),
    writes=("interviews",),
)  # fmt: skip
def cancel_interview(view: View, interview_id: str) -> dict[str, Any]:
    """Take an interview back without a trace."""
    row = view.get("interviews", interview_id)
    if row is None:
        raise ToolError(f"no interview '{interview_id}' is scheduled")
    view.remove("interviews", interview_id)
    return {"cancelled": interview_id, "interviewer": row["interviewer"], "day": row["day"]}


@WORLD.tool(
    "Suggest a salary for a candidate in a position: within the band by fit, not above what the "
    "candidate expects unless the band begins there.",
    parameters={"candidate_id": _CANDIDATE, "position_id": _POSITION},
    outputs=(
        Output("salary", "salary", (
            "the salary we should suggest to {candidate_id} for {position_id}",
            "a fair yearly salary for {candidate_id} in {position_id}",
        )),
        Output("fit_percent", "percent", (
            "the fit of {candidate_id} for {position_id} in percent",
            "how well, in percent, {candidate_id} suits {position_id}",
        )),
    ),
    wishes=(
        "Suggest a salary for {candidate_id} in {position_id}.",
        "What would be a fair yearly pay if we hired {candidate_id} for {position_id}?",
        "Before we talk money with {candidate_id} about {position_id}, work out a figure for me.",
    ),
    reads=("positions", "candidates"),
)  # fmt: skip
def suggest_salary(view: View, candidate_id: str, position_id: str) -> dict[str, Any]:
    """A point of the band by fit, capped by the wish, to the next 100 EUR."""
    candidate, position = _candidate(view, candidate_id), _position(view, position_id)
    fit = _fit(position, candidate)
    low, high = position["salary_from"], position["salary_to"]
    by_fit = low + (high - low) * fit / 100
    salary = 100 * round(max(low, min(by_fit, candidate["expects"])) / 100)
    return {"salary": salary, "fit_percent": fit, "band": [low, high]}


@WORLD.tool(
    "Send a job offer to a candidate. Adds it to the offers; an offer that was sent can't be "
    "taken back.",
    parameters={
        "candidate_id": _CANDIDATE,
        "position_id": _POSITION,
        "salary": number(
            "Salary offered, EUR a year.", "salary", minimum=20000,
            pool=lambda _, rng: rng.randrange(40000, 54000, 500),
        ),
        "start": date("First day of work, YYYY-MM-DD."),
    },
    outputs=(
        Output("offer_id", "offer_id", (
            "the offer of {position_id} to {candidate_id} at {salary} from {start}",
            "the job offer sent to {candidate_id} ({position_id}, {salary}, starting {start})",
        )),
        Output("monthly", "price", (
            ("the monthly pay in the offer of {position_id} to {candidate_id} at {salary} from "
            "{start}"),
            ("a month's pay for {candidate_id} as offered for {position_id}: {salary}, starting "
            "{start}"),
        )),
    ),
    wishes=(
        "Send {candidate_id} an offer for {position_id}: {salary}, starting {start}.",
        "We have decided: offer {position_id} to {candidate_id} at {salary}, first day {start}.",
        ("Please make {candidate_id} a formal job offer. It is for {position_id}, from {start}, "
        "and the pay is {salary}."),
    ),
    reads=("positions", "candidates", "offers"),
    writes=("offers",),
)  # fmt: skip
def send_offer(
    view: View, candidate_id: str, position_id: str, salary: float, start: str
) -> dict[str, Any]:
    """An offer inside the band; one per candidate and position."""
    candidate, position = _candidate(view, candidate_id), _position(view, position_id)
    if salary > position["salary_to"]:
        raise ToolError(f"{salary} is above the salary band, which ends at {position['salary_to']}")
    if start <= TODAY.isoformat():
        raise ToolError(f"the first day of work can't be {start}, which is not ahead of us")
    offer_id = content_id("of", candidate_id, position_id)
    if view.get("offers", offer_id):
        raise ToolError(f"{candidate_id} already has an offer for {position_id}: {offer_id}")
    view.put("offers", offer_id, {"salary": salary, "start": start})
    return {"offer_id": offer_id, "candidate": candidate["name"], "monthly": round(salary / 12, 2)}
