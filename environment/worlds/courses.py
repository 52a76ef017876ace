"""Courses: a catalogue with prerequisites, weekly sections, enrolments, grades and credits."""

import itertools
import math
import random
from collections.abc import Callable
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
    draw_from,
    generator,
    integer,
    number,
    text,
)

_FIELDS = {
    "biology": "BIO",
    "chemistry": "CHE",
    "computer science": "CSC",
    "economics": "ECO",
    "history": "HIS",
    "law": "LAW",
    "linguistics": "LIN",
    "mathematics": "MAT",
    "music": "MUS",
    "philosophy": "PHI",
    "physics": "PHY",
    "psychology": "PSY",
}
_LEVELS = ("introductory", "intermediate", "advanced")
_THEMES = ("Foundations", "Methods", "Theory", "Practice", "Seminar", "Systems", "Ethics", "Models")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
_PASS = 50.0
_DEGREE = 90


def _tables(seed: int) -> Tables:
    rng = generator(seed, "courses")
    teachers = [person.name for person in people(seed)]
    courses: dict[str, Row] = {}
    sections: dict[str, Row] = {}
    for field, short in _FIELDS.items():
        for place in range(12):
            course = _course(rng, field, short, place, teachers)
            courses[course["code"]] = course
            for letter in "ABC"[: rng.choice((2, 2, 3))]:
                section = _section(rng, course, letter)
                sections[section["section_id"]] = section
    students = {person.name: _student(rng, person.name, courses) for person in people(seed)}
    return {"courses": courses, "sections": sections, "students": students, "enrolments": {}}


def _course(
    rng: random.Random, field: str, short: str, place: int, teachers: list[str]
) -> dict[str, Any]:
    level = place // 4
    needed = rng.sample(range(4), rng.choice((1, 1, 2))) if level else []
    return {
        "code": f"{short}-{level + 1}{place % 4 + 1:02d}",
        "title": f"{rng.choice(_THEMES)} of {field} {'I' * (level + 1)}",
        "field": field,
        "level": _LEVELS[level],
        "credits": rng.choice((3, 4, 5, 6, 8)),
        "fee": rng.randrange(120, 640) + rng.choice((0, 0.5)),
        "teacher": rng.choice(teachers),
        "prerequisites": [f"{short}-{level}{other + 1:02d}" for other in sorted(needed)],
    }


def _section(rng: random.Random, course: Row, letter: str) -> dict[str, Any]:
    start = rng.randrange(8 * 60, 17 * 60, 30)
    return {
        "section_id": f"{course['code']}-{letter}",
        "code": course["code"],
        "days": sorted(rng.sample(range(5), 2)),
        "start": start,
        "minutes": rng.choice((60, 75, 90)),
        "room": f"{rng.choice('ABCDEFG')}{rng.randrange(1, 5)}{rng.randrange(30):02d}",
        "free_places": rng.choice((0, 1, 2, 5, 8, 12, 20)),
    }


def _student(rng: random.Random, name: str, courses: dict[str, Row]) -> dict[str, Any]:
    """A student with grades in percent: whole ladders of a main field, bits of two others."""
    main, *others = rng.sample(list(_FIELDS), 3)
    grades: dict[str, float] = {}
    for code, course in courses.items():
        likely = 0.0
        if course["field"] == main:
            likely = (0.9, 0.6, 0.15)[_LEVELS.index(course["level"])]
        elif course["field"] in others:
            likely = (0.6, 0.1, 0.0)[_LEVELS.index(course["level"])]
        if rng.random() < likely:
            grades[code] = round(rng.triangular(38, 100, 74), 1)
    return {"name": name, "field": main, "grades": grades}


WORLD = World("courses", "A university's courses, timetables, enrolments and grades.", _tables)


def _code(description: str) -> Any:
    return text(description, "course_code", pool=draw_from("courses", "code"))


def _known_course(view: View, code: str) -> Row:
    course = view.get("courses", code)
    if course is None:
        raise ToolError(f"no course has the code '{code}'")
    return course


def _known_student(view: View, name: str) -> Row:
    student = view.get("students", name)
    if student is None:
        raise ToolError(f"'{name}' is not registered as a student")
    return student


def _sections_of(view: View, code: str) -> list[Row]:
    found = (view.get("sections", f"{code}-{letter}") for letter in "ABC")
    return [section for section in found if section is not None]


def _free_places(view: View, section: Row) -> int:
    taken = sum(section["section_id"] in row["sections"] for row in view.values("enrolments"))
    return int(section["free_places"]) - taken


def _clash(one: Row, other: Row) -> bool:
    return (
        one["start"] < other["start"] + other["minutes"]
        and other["start"] < one["start"] + one["minutes"]
        and any(day in other["days"] for day in one["days"])
    )


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


@WORLD.tool(
    "Search the course catalogue by field of study, cheapest course first.",
    parameters={
        "field": choice("Field of study.", "study_field", tuple(_FIELDS)),
        "level": choice("Level of the course.", "course_level", _LEVELS, optional=True),
        "min_credits": integer(
            "Least number of credits.", "count", minimum=1, maximum=8, optional=True
        ),
        "max_fee": number("Highest fee in EUR.", "price", exclusiveMinimum=0, optional=True),
    },
    outputs=(
        Output("courses[0].code", "course_code", (
            ("the cheapest[ {level}] {field} course[ worth at least {min_credits} credits]"
               "[ with a fee of at most {max_fee}]"),
            ("whichever[ {level}] course in {field}[ worth {min_credits} credits or more] is the "
               "cheapest[ and stays within {max_fee}]"),
        )),
        Output("courses[0].fee", "price", (
            ("the lowest fee of any[ {level}] {field} course[ worth at least {min_credits} credits]"
               "[ within {max_fee}]"),
            ("what the least expensive[ {level}] course in {field}[ with {min_credits} or more "
               "credits][ at a fee up to {max_fee}] costs"),
        )),
        Output("courses[0].teacher", "person", (
            ("the teacher of the cheapest[ {level}] {field} course[ worth at least {min_credits} "
               "credits][ with a fee of at most {max_fee}]"),
            ("whoever teaches the lowest-priced[ {level}] course in {field}[ with {min_credits} or "
               "more credits][ at a fee up to {max_fee}]"),
        )),
        Output("count", "count", (
            ("the number of[ {level}] {field} courses[ worth at least {min_credits} credits]"
               "[ with a fee of at most {max_fee}]"),
            ("how many[ {level}] courses {field} offers[ with {min_credits} credits or more]"
               "[ for at most {max_fee}]"),
        )),
        Output("fees", "list:price", (
            ("the fees of all[ {level}] {field} courses[ worth at least {min_credits} credits]"
               "[ that cost at most {max_fee}]"),
            ("the fees charged for[ {level}] courses in {field}[ with {min_credits} credits or "
               "more][ up to {max_fee}]"),
        )),
    ),
    wishes=(
        ("Which[ {level}] courses are there in {field}[, at least {min_credits} credits]"
           "[, for no more than {max_fee}]? Cheapest first."),
        ("Please list the[ {level}] {field} courses[ worth {min_credits} credits or more]"
           "[ with a fee up to {max_fee}], by price."),
        ("I'm thinking of studying some {field}; what[ {level}] courses could I take"
           "[, with {min_credits} credits at least][ and a fee within {max_fee}]?"),
    ),
    reads=("courses",),
)  # fmt: skip
def find_courses(
    view: View,
    field: str,
    level: str | None = None,
    min_credits: int = 1,
    max_fee: float | None = None,
) -> dict[str, Any]:
    """Courses of a field, by fee."""
    found = [
        {key: course[key] for key in ("code", "title", "level", "credits", "fee", "teacher")}
        for course in view.values("courses")
        if course["field"] == field
        and level in (None, course["level"])
        and course["credits"] >= min_credits
        and (max_fee is None or course["fee"] <= max_fee)
    ]
    found.sort(key=lambda course: (course["fee"], course["code"]))
    return {"courses": found, "count": len(found), "fees": [course["fee"] for course in found]}


@WORLD.tool(
    "Work out which prerequisites of a course, and prerequisites of those, a student has not "
    "passed, in the order in which they have to be taken.",
    parameters={
        "student": text("Full name of the student.", "person"),
        "code": _code("Code of the course."),
    },
    outputs=(
        Output("missing", "list:course_code", (
            "the courses that {student} still has to pass before {code}",
            "all prerequisites of {code} that {student} lacks",
        )),
        Output("missing[0]", "course_code", (
            "the first course that {student} must still pass on the way to {code}",
            "the prerequisite of {code} that {student} has to take next",
        )),
        Output("count", "count", (
            "the number of prerequisites that {student} lacks for {code}",
            "how many courses stand between {student} and {code}",
        )),
    ),
    wishes=(
        "What does {student} still need before taking {code}?",
        "Check the prerequisites of {code} for {student}.",
        "Could you tell me which courses {student} has to pass first to be let into {code}?",
    ),
    reads=("courses", "students"),
)  # fmt: skip
def missing_prerequisites(view: View, student: str, code: str) -> dict[str, Any]:
    """The open prerequisites, deepest first."""
    missing = _missing(view, _known_student(view, student), _known_course(view, code))
    return {"code": code, "missing": missing, "count": len(missing), "eligible": not missing}


def _missing(view: View, student: Row, course: Row) -> list[str]:
    found: dict[str, None] = {}
    for code in course["prerequisites"]:
        if student["grades"].get(code, 0) < _PASS:
            found.update(dict.fromkeys(_missing(view, student, _known_course(view, code))))
            found[code] = None
    return list(found)


_PREFERENCES: dict[str, Callable[[Row, int], int]] = {
    "earliest": lambda section, free: int(section["start"]),
    "latest": lambda section, free: -int(section["start"]),
    "emptiest": lambda section, free: -free,
}


@WORLD.tool(
    "Choose one of the weekly sections of a course by time of day or by free places. Reads "
    "enrolments.",
    parameters={
        "code": _code("Code of the course."),
        "preference": choice("Which section to choose.", "section_choice", tuple(_PREFERENCES)),
    },
    outputs=(
        Output("section_id", "course_section_id", (
            "the {preference} section of {code}",
            "whichever section of {code} is {preference}",
        )),
        Output("starts", "time", (
            "the hour at which the {preference} section of {code} starts",
            "the starting time of the {preference} section of {code}",
        )),
        Output("minutes", "duration_min", (
            "the length of a meeting of the {preference} section of {code}",
            "how long the {preference} section of {code} meets each time",
        )),
        Output("free_places", "count", (
            "the number of places left in the {preference} section of {code}",
            "how many people the {preference} section of {code} can still take",
        )),
    ),
    wishes=(
        "Find the {preference} section of {code}.",
        "Which section of {code} is the {preference} one?",
        "I'd like to know when and where the {preference} section of {code} meets, please.",
    ),
    reads=("courses", "sections", "enrolments"),
)  # fmt: skip
def pick_section(view: View, code: str, preference: str) -> dict[str, Any]:
    """One section, described."""
    _known_course(view, code)
    options = [(section, _free_places(view, section)) for section in _sections_of(view, code)]
    rank = _PREFERENCES[preference]
    section, free = min(options, key=lambda pair: (rank(*pair), pair[0]["section_id"]))
    return {
        "section_id": section["section_id"],
        "days": [_DAYS[day] for day in section["days"]],
        "starts": _clock(section["start"]),
        "minutes": section["minutes"],
        "room": section["room"],
        "free_places": free,
    }


@WORLD.tool(
    "Build a weekly timetable: one section with a free place per course, no two overlapping, with "
    "as few weekdays as possible. Reads enrolments.",
    parameters={
        "codes": array(
            "Codes of the courses.", _code("Code of a course."), minItems=2, maxItems=5,
            uniqueItems=True,
        ),
        "day_off": choice("Weekday to keep free.", "weekday", _DAYS, optional=True),
    },
    outputs=(
        Output("section_ids", "list:course_section_id", (
            "the sections of a timetable without clashes for {codes}[ that leaves {day_off} free]",
            "the sections that let one person attend {codes} together[ and keep {day_off} off]",
        )),
        Output("weekly_minutes", "duration_min", (
            "the weekly class time of a timetable for {codes}[ with {day_off} off]",
            ("how long somebody with a timetable of {codes}[ and no class on {day_off}] sits in "
               "class each week"),
        )),
    ),
    wishes=(
        "Make a timetable for {codes} without overlaps[, {day_off} free].",
        "Can {codes} be taken in the same term[ with {day_off} off]? Give me sections that fit.",
        "Please work out a weekly schedule that combines {codes}[; I can't come on {day_off}].",
    ),
    reads=("courses", "sections", "enrolments"),
)  # fmt: skip
def plan_timetable(view: View, codes: list[str], day_off: str | None = None) -> dict[str, Any]:
    """Sections that don't overlap; the choice with the fewest days, then the first by ids."""
    options = []
    for code in codes:
        _known_course(view, code)
        options.append([
            section
            for section in _sections_of(view, code)
            if _free_places(view, section) > 0
            and (day_off is None or _DAYS.index(day_off) not in section["days"])
        ])  # fmt: skip
    plans = [
        plan
        for plan in itertools.product(*options)
        if not any(_clash(one, other) for one, other in itertools.combinations(plan, 2))
    ]
    if not plans:
        free = f" with {day_off} free" if day_off else ""
        raise ToolError(f"no timetable without clashes exists for {', '.join(codes)}{free}")
    best = min(plans, key=lambda plan: (len(_weekdays(plan)), [s["section_id"] for s in plan]))
    return {
        "section_ids": [section["section_id"] for section in best],
        "days": [_DAYS[day] for day in _weekdays(best)],
        "weekly_minutes": sum(2 * section["minutes"] for section in best),
        "earliest_start": _clock(min(section["start"] for section in best)),
    }


def _weekdays(plan: tuple[Row, ...]) -> list[int]:
    return sorted({day for section in plan for day in section["days"]})


@WORLD.tool(
    "Enrol a student in one or more sections at once, all or none. Adds an enrolment and takes "
    "a place in each section; refused when a prerequisite is missing or a section is full.",
    parameters={
        "student": text("Full name of the student.", "person"),
        "section_ids": array(
            "Ids of the sections.", text("Id of a section.", "course_section_id"), minItems=1,
            maxItems=5, uniqueItems=True,
        ),
    },
    outputs=(
        Output("enrolment_id", "enrolment_id", (
            "the enrolment of {student} in {section_ids}",
            "the registration of {student} for {section_ids}",
        )),
        Output("total_fee", "price", (
            "the fee for enrolling {student} in {section_ids}",
            "the sum that {student} owes after enrolling in {section_ids}",
        )),
    ),
    wishes=(
        "Enrol {student} in {section_ids}.",
        "Please sign {student} up for {section_ids}.",
        "{student} would love a place in {section_ids}; can you register that?",
    ),
    reads=("courses", "sections", "students", "enrolments"),
    writes=("enrolments",),
    undo=Undo("drop_enrolment", {"enrolment_id": "result.enrolment_id"}),
)  # fmt: skip
def enrol_student(view: View, student: str, section_ids: list[str]) -> dict[str, Any]:
    """An enrolment; a course that the student attends already is refused."""
    who = _known_student(view, student)
    sections = [_open_section(view, who, section_id) for section_id in section_ids]
    for one, other in itertools.combinations(sections, 2):
        if _clash(one, other):
            raise ToolError(f"{one['section_id']} and {other['section_id']} overlap")
    enrolment_id = content_id("en", student, sorted(section_ids))
    row = {"student": student, "sections": sorted(section_ids)}
    view.put("enrolments", enrolment_id, row)
    courses = [_known_course(view, section["code"]) for section in sections]
    return {
        "enrolment_id": enrolment_id,
        "student": student,
        "credits": sum(course["credits"] for course in courses),
        "total_fee": round(math.fsum(course["fee"] for course in courses), 2),
    }


def _open_section(view: View, student: Row, section_id: str) -> Row:
    section = view.get("sections", section_id)
    if section is None:
        raise ToolError(f"'{section_id}' is not a section of this term")
    missing = _missing(view, student, _known_course(view, section["code"]))
    if missing:
        raise ToolError(f"{student['name']} can't take {section_id} before {missing[0]}")
    for row in view.values("enrolments"):
        attended = {other.rpartition("-")[0] for other in row["sections"]}
        if row["student"] == student["name"] and section["code"] in attended:
            raise ToolError(f"{student['name']} is already enrolled in {section['code']}")
    if _free_places(view, section) < 1:
        raise ToolError(f"section {section_id} is full")
    return section


@WORLD.tool(
    "Drop an enrolment. Removes it and gives its places free.",
    parameters={"enrolment_id": text("Id of the enrolment.", "enrolment_id")},
    wishes=(
        "Drop {enrolment_id}.",
        "Please withdraw {enrolment_id}.",
        "There has been a change of mind: take {enrolment_id} back.",
    ),
    reads=("enrolments",),
    writes=("enrolments",),
)
def drop_enrolment(view: View, enrolment_id: str) -> dict[str, Any]:
    """Take an enrolment back without a trace."""
    row = view.get("enrolments", enrolment_id)
    if row is None:
        raise ToolError(f"there is no enrolment {enrolment_id} to drop")
    view.remove("enrolments", enrolment_id)
    return {"dropped": enrolment_id, "student": row["student"], "sections": row["sections"]}


@WORLD.tool(
    "Sum up how far a student is with a degree of 90 credits: credits earned and left, average "
    "grade weighted by credits, year of graduation at a steady pace of two terms a year; "
    "optionally as if further courses had been passed.",
    parameters={
        "student": text("Full name of the student.", "person"),
        "credits_per_term": integer("Credits taken per term.", "count", minimum=5, maximum=40),
        "planned": array(
            "Codes of courses to count as passed.", _code("Code of a course."), maxItems=6,
            minItems=1, uniqueItems=True, optional=True,
        ),
    },
    outputs=(
        Output("credits_left", "count", (
            ("the number of credits {student} needs to graduate[ once {planned} are passed], "
               "taking {credits_per_term} a term"),
            ("the credits still open for {student}, who takes {credits_per_term} per term"
               "[, counting {planned} as passed]"),
        )),
        Output("average_grade", "percent", (
            ("the average grade of {student}, who takes {credits_per_term} credits a term"
               "[ and plans {planned}]"),
            ("the credit-weighted grade of {student} at {credits_per_term} credits a term"
               "[ with {planned} counted as passed]"),
        )),
        Output("graduation_year", "year", (
            ("the year in which {student} graduates at {credits_per_term} credits a term"
               "[, with {planned} already passed]"),
            ("the graduation year of {student} at a pace of {credits_per_term} credits per term"
               "[ and with {planned} done]"),
        )),
    ),
    wishes=(
        ("How far is {student} from the degree at {credits_per_term} credits a term"
           "[, assuming {planned} are passed]?"),
        ("Sum up the study progress of {student}; the pace is {credits_per_term} credits per term"
           "[ and {planned} count as done]."),
        ("When will {student} graduate, taking {credits_per_term} credits every term"
           "[ after passing {planned}]? I'd be glad of the details."),
    ),
    reads=("courses", "students"),
)  # fmt: skip
def degree_progress(
    view: View, student: str, credits_per_term: int, planned: list[str] | None = None
) -> dict[str, Any]:
    """Credits, average and pace."""
    who = _known_student(view, student)
    passed = {code: grade for code, grade in who["grades"].items() if grade >= _PASS}
    worth = {code: _known_course(view, code)["credits"] for code in (*passed, *(planned or ()))}
    graded = sum(worth[code] for code in passed)
    left = max(_DEGREE - sum(worth.values()), 0)
    terms = -(-left // credits_per_term)
    weighted = math.fsum(worth[code] * grade for code, grade in passed.items())
    return {
        "student": student,
        "credits_earned": graded,
        "credits_left": left,
        "average_grade": round(weighted / graded, 2) if graded else 0,
        "terms_left": terms,
        "graduation_year": TODAY.year + terms // 2,
    }


@WORLD.tool(
    "Rank the students who passed a course by their grade, best first.",
    parameters={
        "code": _code("Code of the course."),
        "top": integer("How many students to return.", "count", minimum=1, maximum=20),
        "min_grade": number(
            "Least grade in percent.", "percent", minimum=50, maximum=100, optional=True,
            pool=lambda view, rng: rng.randrange(55, 85, 5),
        ),
    },
    outputs=(
        Output("students", "list:person", (
            "the {top} best students in {code}[ with at least {min_grade}]",
            "those {top} people with the highest grades in {code}[, {min_grade} or better]",
        )),
        Output("students[0]", "person", (
            "the student who leads the list of the {top} best in {code}[ with {min_grade} or more]",
            "the very first among the top {top} of {code}[ who reached {min_grade}]",
        )),
        Output("mean_grade", "percent", (
            "the mean grade of the {top} best students in {code}[ with at least {min_grade}]",
            "the average grade among the top {top} of {code}[ who reached {min_grade}]",
        )),
    ),
    wishes=(
        "Who are the {top} best students in {code}[ with {min_grade} or more]?",
        "Rank {code} by grade and give me the top {top}[, nobody below {min_grade}].",
        ("I'm looking for good tutors: please name the {top} people who did best in {code}"
           "[, at {min_grade} or above]."),
    ),
    reads=("courses", "students"),
)  # fmt: skip
def top_students(view: View, code: str, top: int, min_grade: float = _PASS) -> dict[str, Any]:
    """Names and grades, ties by name."""
    _known_course(view, code)
    ranked = sorted(
        (-student["grades"][code], name)
        for name, student in view.rows("students")
        if student["grades"].get(code, 0) >= min_grade
    )[:top]
    grades = [-grade for grade, _ in ranked]
    return {
        "code": code,
        "students": [name for _, name in ranked],
        "grades": grades,
        "mean_grade": round(math.fsum(grades) / len(grades), 2) if grades else 0,
    }
