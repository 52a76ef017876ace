"""Human resources: employees, the org chart, leave, shifts, overtime and pay."""

import datetime
import math
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

_JOBS = {
    "engineering": ("Software Engineer", "Test Engineer", "Systems Architect"),
    "finance": ("Accountant", "Controller", "Payroll Clerk"),
    "legal": ("Counsel", "Paralegal", "Compliance Officer"),
    "marketing": ("Brand Manager", "Copywriter", "Market Analyst"),
    "operations": ("Dispatcher", "Site Technician", "Warehouse Planner"),
    "research": ("Chemist", "Data Scientist", "Research Assistant"),
    "sales": ("Account Manager", "Sales Engineer", "Key Account Clerk"),
    "support": ("Support Agent", "Support Specialist", "Escalation Agent"),
}
_OFFICES = ("Dublin", "Hamburg", "Lisbon", "Vienna")
_STARTS = {"early": "06:00", "late": "14:00", "night": "22:00"}
_BRACKETS = ((12000, 0.0), (30000, 0.22), (60000, 0.34), (10**9, 0.43))
_WEEK = 40


def _tables(seed: int) -> Tables:
    rng = generator(seed, "hr")
    staff = list(people(seed))
    rng.shuffle(staff)
    employees: dict[str, Row] = {}
    for place, person in enumerate(staff):
        department = list(_JOBS)[place % len(_JOBS)]
        level, manager = _place_in_chart(place)
        employees[_id_of(place)] = {
            "employee_id": _id_of(place),
            "name": person.name,
            "email": person.email,
            "department": department,
            "job": ("Director", "Head", "Team Lead")[level]
            if level < 3
            else rng.choice(_JOBS[department]),
            "office": _OFFICES[place // len(_JOBS) % len(_OFFICES)],
            "manager_id": manager,
            "hired": rng.randrange(2004, 2026),
            "salary": (150000, 98000, 74000, 38000)[level] + 500 * rng.randrange(40),
            "leave_days": rng.randrange(24, 33),
            "weekly_hours": [round(rng.uniform(34, 49) * 2) / 2 for _ in range(8)],
        }
    return {
        "employees": employees,
        "names": {row["name"]: {"employee_id": key} for key, row in employees.items()},
        "leave": _leave(seed, list(employees)),
        "shifts": _shifts(seed, employees),
    }


def _id_of(place: int) -> str:
    return f"E-{1001 + place}"


def _place_in_chart(place: int) -> tuple[int, str | None]:
    """Level and manager: one director, a head per department, two leads, then everyone else."""
    departments = len(_JOBS)
    if place == 0:
        return 0, None
    if place < departments:
        return 1, _id_of(0)
    if place < 3 * departments:
        return 2, _id_of(place % departments)
    return 3, _id_of(departments * (1 + place // departments % 2) + place % departments)


def _leave(seed: int, ids: list[str]) -> dict[str, Row]:
    rng = generator(seed, "hr", "leave")
    leave: dict[str, Row] = {}
    for employee_id in ids:
        for month in rng.sample((1, 4, 6, 8), rng.randrange(3)):
            first = datetime.date(2026, month, rng.randrange(1, 15)).isoformat()
            row = _leave_row(employee_id, first, rng.randrange(2, 9))
            leave[content_id("lv", employee_id, first)] = row
    return dict(sorted(leave.items()))


def _leave_row(employee_id: str, first_day: str, days: int) -> Row:
    day = datetime.date.fromisoformat(first_day)
    left = days - (day.weekday() < 5)
    while left > 0:
        day += datetime.timedelta(days=1)
        left -= day.weekday() < 5
    return {
        "employee_id": employee_id,
        "first_day": first_day,
        "last_day": day.isoformat(),
        "days": days,
    }


def _shifts(seed: int, employees: dict[str, Row]) -> dict[str, Row]:
    rng = generator(seed, "hr", "shifts")
    crew = [key for key, row in employees.items() if row["department"] in {"operations", "support"}]
    shifts: dict[str, Row] = {}
    for ahead in range(1, 29):
        day = (TODAY + datetime.timedelta(days=ahead)).isoformat()
        for place, employee_id in enumerate(rng.sample(crew, 6)):
            shift_id = f"SH-{len(shifts) + 2001}"
            kind = list(_STARTS)[place % 3]
            shifts[shift_id] = {
                "shift_id": shift_id,
                "day": day,
                "kind": kind,
                "employee_id": employee_id,
            }
    return shifts


WORLD = World("hr", "A company's staff: org chart, leave, shifts, overtime and pay.", _tables)

_EMPLOYEE = text("Id of the employee.", "employee_id", pool=draw_from("employees", "employee_id"))
_SHIFT = text("Id of the shift.", "shift_id", pool=draw_from("shifts", "shift_id"))


def _employee(view: View, employee_id: str) -> Row:
    row = view.get("employees", employee_id)
    if row is None:
        raise ToolError(f"no employee has the id '{employee_id}'")
    return row


def _office_day(day: str) -> str:
    """Return the day unless it is past or beyond the leave calendar, which ends in 2026."""
    if not TODAY.isoformat() < day < "2027":
        raise ToolError(f"{day} is not a day of 2026 that is still to come")
    return day


@WORLD.tool(
    "Look up an employee by full name in the staff directory: id, e-mail address, department, "
    "office and line manager.",
    parameters={"name": text("Full name.", "person", pool=draw_from("employees", "name"))},
    outputs=(
        Output("employee_id", "employee_id", ("the colleague {name}", "our colleague {name}")),
        Output("manager_id", "employee_id", (
            "the line manager of {name}", "the boss of {name}",
        )),
        Output("email", "email", (
            "the work e-mail address of {name}", "the address under which {name} gets office mail",
        )),
        Output("office", "city", (
            "the city in which {name} works", "the city in which {name} has an office",
        )),
    ),
    wishes=(
        "Find {name} in the staff directory.",
        "Could you look up the staff record of {name} for me?",
        "Who is {name} here: which team, which office, which boss?",
    ),
    reads=("names", "employees"),
)  # fmt: skip
def find_employee(view: View, name: str) -> dict[str, Any]:
    """The directory entry of a name."""
    entry = view.get("names", name)
    if entry is None:
        raise ToolError(f"'{name}' is not in the staff directory")
    row = _employee(view, entry["employee_id"])
    shown = ("employee_id", "name", "email", "department", "job", "office", "manager_id")
    return {key: row[key] for key in shown if row[key] is not None}


@WORLD.tool(
    "Search the staff of a department, optionally in one office or with a least number of years "
    "in the company, best first by the chosen order.",
    parameters={
        "department": choice("Department.", "department", tuple(_JOBS)),
        "order": choice(
            "Who comes first.", "staff_order",
            ("longest_service", "shortest_service", "highest_salary", "lowest_salary"),
            says={
                '"longest_service"': "longest-serving", '"shortest_service"': "newest",
                '"highest_salary"': "best-paid", '"lowest_salary"': "lowest-paid",
            },
        ),
        "office": text(
            "City of the office.", "city", optional=True,
            pool=draw_from("employees", "office"),
        ),
        "min_years": integer(
            "Least number of full years in the company.", "count", minimum=0, maximum=30,
            optional=True,
        ),
    },
    outputs=(
        Output("staff[0].employee_id", "employee_id", (
            ("the {order} person in {department}[ with {min_years} years or more behind them]"
            "[ at the office in {office}]"),
            ("whoever is {order} in the {department} department[ in {office}]"
            "[, counting only those with at least {min_years} years of service]"),
        )),
        Output("staff[1].employee_id", "employee_id", (
            "the second in line among the {order} people in {department}[ in {office}]",
            "the runner-up when the {department} department is listed {order} first",
        )),
        Output("employee_ids", "list:employee_id", (
            ("the four {order} people in {department}[ with {min_years} years or more behind them]"
            "[ at the office in {office}]"),
            "the four who head the {order}-first list of {department}[ in {office}]",
        )),
        Output("staff[0].name", "person", (
            "the {order} member of {department}[ in {office}]",
            "the colleague who is {order} in {department}[ at the office in {office}]",
        )),
        Output("staff[0].salary", "salary", (
            "the yearly salary of the {order} person in {department}[ in {office}]",
            "what the {order} member of the {department} department earns a year",
        )),
        Output("count", "count", (
            "the number of people in {department}, {order} first[, working in {office}]",
            ("how many the {order}-first list of {department} holds"
            "[ when it is cut to {min_years} years of service and more]"),
        )),
    ),
    wishes=(
        ("List the {department} department, {order} first[, only the office in {office}]"
        "[, at least {min_years} years with us]."),
        ("Could you show me who works in {department}[ in {office}], the {order} on top"
        "[, leaving out those with under {min_years} years of service]?"),
        "{department} staff[ in {office}][ with {min_years}+ years], {order} first, please.",
    ),
    reads=("employees",),
)  # fmt: skip
def search_staff(
    view: View, department: str, order: str, office: str | None = None, min_years: int = 0
) -> dict[str, Any]:
    """The staff of a department in the asked order, ties by id."""
    if office is not None and office not in _OFFICES:
        raise ToolError(f"the company has no office in {office}")
    found = [
        {
            "employee_id": row["employee_id"],
            "name": row["name"],
            "job": row["job"],
            "years": TODAY.year - row["hired"],
            "salary": row["salary"],
        }
        for row in view.values("employees")
        if row["department"] == department
        and (office is None or row["office"] == office)
        and TODAY.year - row["hired"] >= min_years
    ]
    column = "salary" if order.endswith("salary") else "years"
    sign = 1 if order in {"shortest_service", "lowest_salary"} else -1
    found.sort(key=lambda entry: (sign * entry[column], entry["employee_id"]))
    first = [entry["employee_id"] for entry in found[:4]]
    return {"staff": found, "employee_ids": first, "count": len(found)}


@WORLD.tool(
    "Find the lowest manager in the org chart under whom all the given employees work.",
    parameters={
        "employee_ids": array("Ids of the employees.", _EMPLOYEE, minItems=2, maxItems=6),
    },
    outputs=(
        Output("manager_id", "employee_id", (
            "the closest common manager of {employee_ids}",
            "the first boss that {employee_ids} share",
        )),
        Output("name", "person", (
            "the manager closest above {employee_ids}",
            "the lowest boss whom {employee_ids} share",
        )),
        Output("email", "email", (
            "the e-mail address of the closest manager above {employee_ids}",
            "the mail address of the lowest boss shared by {employee_ids}",
        )),
    ),
    wishes=(
        "Who is the closest common manager of {employee_ids}?",
        "I have to escalate something that concerns {employee_ids}; whose team are they all in?",
        "Lowest shared boss of {employee_ids}, please.",
    ),
    reads=("employees",),
)  # fmt: skip
def common_manager(view: View, employee_ids: list[str]) -> dict[str, Any]:
    """The first manager of the first employee who is above all the others too."""
    chains = [_managers(view, employee_id) for employee_id in employee_ids]
    for level, manager_id in enumerate(chains[0], start=1):
        if all(manager_id in chain for chain in chains):
            row = _employee(view, manager_id)
            return {
                "manager_id": manager_id,
                "name": row["name"],
                "email": row["email"],
                "levels_up": level,
            }
    raise ToolError(f"nobody is the manager of all of {', '.join(employee_ids)}")


def _managers(view: View, employee_id: str) -> list[str]:
    chain: list[str] = []
    above = _employee(view, employee_id)["manager_id"]
    while above is not None:
        chain.append(above)
        above = _employee(view, above)["manager_id"]
    return chain


@WORLD.tool(
    "Compare how many days of annual leave employees have left this year, most first. Reads the "
    "leave calendar.",
    parameters={
        "employee_ids": array("Ids of the employees.", _EMPLOYEE, minItems=2, maxItems=8),
    },
    outputs=(
        Output("balances[0].employee_id", "employee_id", (
            "whoever has the most leave left among {employee_ids}",
            "the one with the largest leave balance out of {employee_ids}",
        )),
        Output("balances[0].days_left", "count", (
            "the largest leave balance found among {employee_ids}",
            "the days of leave left to the best-off of {employee_ids}",
        )),
        Output("total_days_left", "count", (
            "the total number of leave days left to {employee_ids}",
            "the sum of the open leave days of {employee_ids}",
        )),
    ),
    wishes=(
        "How much annual leave is left for {employee_ids}?",
        "Leave balances of {employee_ids}, largest first.",
        "Before I plan the summer I'd like to see the remaining holidays of {employee_ids}.",
    ),
    reads=("employees", "leave"),
)  # fmt: skip
def leave_balances(view: View, employee_ids: list[str]) -> dict[str, Any]:
    """Days left of each, most first, ties by id."""
    if len(set(employee_ids)) < len(employee_ids):
        raise ToolError(f"an employee is named twice in {', '.join(employee_ids)}")
    balances = [
        {
            "employee_id": employee_id,
            "name": _employee(view, employee_id)["name"],
            "days_left": _days_left(view, employee_id),
        }
        for employee_id in employee_ids
    ]
    balances.sort(key=lambda entry: (-entry["days_left"], entry["employee_id"]))
    return {"balances": balances, "total_days_left": sum(each["days_left"] for each in balances)}


def _days_left(view: View, employee_id: str) -> int:
    taken = sum(row["days"] for row in _leave_of(view, employee_id))
    return int(_employee(view, employee_id)["leave_days"]) - int(taken)


def _leave_of(view: View, employee_id: str) -> list[Row]:
    return [row for _, row in view.rows("leave") if row["employee_id"] == employee_id]


@WORLD.tool(
    "Enter annual leave of an employee for a number of working days. Adds it to the leave "
    "calendar.",
    parameters={
        "employee_id": _EMPLOYEE,
        "first_day": date("First day off, YYYY-MM-DD."),
        "days": integer(
            "Working days off.", "count", minimum=1, maximum=25,
            pool=lambda _, rng: rng.randrange(2, 11),
        ),
        "note": text(
            "A word for the file.", "text", optional=True, counts=False,
            pool=lambda _, rng: rng.choice(("family visit", "as agreed by phone", "moving house")),
        ),
    },
    outputs=(
        Output("leave_id", "leave_id", (
            "the leave of {days} working days that {employee_id} takes from {first_day}",
            "the holiday entry for {employee_id}, {days} working days from {first_day}",
        )),
        Output("last_day", "date", (
            ("the last day off of {employee_id} when {days} working days of leave begin on "
            "{first_day}"),
            ("the day on which the leave of {employee_id} ends ({days} working days from "
            "{first_day})"),
        )),
        Output("days_left", "count", (
            "what is left of the leave of {employee_id} after {days} days off from {first_day}",
            "the leave balance of {employee_id} once {days} days from {first_day} are entered",
        )),
    ),
    wishes=(
        "Enter {days} days of leave for {employee_id} from {first_day}[ ({note})].",
        ("{employee_id} would like {days} working days off, starting {first_day}; please put it in "
        "the leave calendar[ with the remark: {note}]."),
        "Please book annual leave: {employee_id}, first day off {first_day}, {days} working days.",
    ),
    reads=("employees", "leave"),
    writes=("leave",),
    undo=Undo("withdraw_leave", {"leave_id": "result.leave_id"}),
)  # fmt: skip
def request_leave(
    view: View,
    employee_id: str,
    first_day: str,
    days: int,
    note: str = "",
) -> dict[str, Any]:
    """Leave that neither overlaps other leave nor exceeds what is left."""
    employee = _employee(view, employee_id)
    row = _leave_row(employee_id, _office_day(first_day), days)
    for other in _leave_of(view, employee_id):
        if other["first_day"] <= row["last_day"] and row["first_day"] <= other["last_day"]:
            raise ToolError(
                f"leave from {first_day} would overlap the leave of {employee['name']} from "
                f"{other['first_day']} to {other['last_day']}"
            )
    left = _days_left(view, employee_id)
    if days > left:
        raise ToolError(f"{employee['name']} has {left} days of leave left, not {days}")
    leave_id = content_id("lv", employee_id, first_day, days)
    view.put("leave", leave_id, row)
    return {"leave_id": leave_id, "last_day": row["last_day"], "days_left": left - days}


@WORLD.tool(
    "Withdraw annual leave. Removes the entry from the leave calendar.",
    parameters={"leave_id": text("Id of the leave.", "leave_id")},
    outputs=(Output("employee_id", "employee_id", ("the employee freed by withdrawing {leave_id}",
        "whoever had been off under {leave_id}, now withdrawn")),),
    wishes=(
        "Withdraw {leave_id}.",
        "Please take {leave_id} out of the calendar again.",
        "Plans have changed, so {leave_id} won't be needed: remove it, please.",
    ),
    reads=("leave",),
    writes=("leave",),
)  # fmt: skip
def withdraw_leave(view: View, leave_id: str) -> dict[str, Any]:
    """Take an entry back without a trace."""
    row = view.get("leave", leave_id)
    if row is None:
        raise ToolError(f"the leave calendar has no entry '{leave_id}'")
    view.remove("leave", leave_id)
    return {"withdrawn": leave_id, "employee_id": row["employee_id"], "days": row["days"]}


@WORLD.tool(
    "Add up the overtime of an employee over the last weeks and its pay: hours beyond the weekly "
    "limit, the first two of a week with a quarter on top, further ones with a half.",
    parameters={
        "employee_id": _EMPLOYEE,
        "weeks": integer(
            "How many of the last weeks.", "count", minimum=1, maximum=8,
            pool=lambda _, rng: rng.randrange(2, 9),
        ),
        "weekly_limit": number(
            "Hours a week before overtime begins; 40 if left out.", "weekly_hours", minimum=30,
            maximum=48, optional=True, pool=lambda _, rng: rng.randrange(35, 43),
        ),
    },
    outputs=(
        Output("pay", "price", (
            ("the overtime pay of {employee_id} for the last {weeks} weeks"
            "[, counted beyond {weekly_limit} hours a week]"),
            ("the sum owed to {employee_id} for overtime in the past {weeks} weeks"
            "[ (weekly limit {weekly_limit} hours)]"),
        )),
        Output("hours", "hours", (
            ("the overtime hours of {employee_id} in the last {weeks} weeks"
            "[, counted beyond {weekly_limit} hours a week]"),
            "the extra hours {employee_id} put in over the past {weeks} weeks",
        )),
    ),
    wishes=(
        ("How much overtime did {employee_id} do in the last {weeks} weeks"
        "[, everything over {weekly_limit} hours a week counted]?"),
        "Overtime of {employee_id}, past {weeks} weeks[, weekly limit {weekly_limit} hours].",
        ("Please work out what we owe {employee_id} for the extra hours of the last {weeks} weeks"
        "[; the weekly limit is {weekly_limit} hours]."),
    ),
    reads=("employees",),
)  # fmt: skip
def overtime_pay(
    view: View, employee_id: str, weeks: int, weekly_limit: float = _WEEK
) -> dict[str, Any]:
    """Overtime by week, paid with its supplements."""
    row = _employee(view, employee_id)
    extra = [max(0.0, worked - weekly_limit) for worked in row["weekly_hours"][-weeks:]]
    rate = row["salary"] / (52 * _WEEK)
    pay = math.fsum(rate * (1.25 * min(hours, 2) + 1.5 * max(0.0, hours - 2)) for hours in extra)
    return {
        "hours": round(math.fsum(extra), 2),
        "hourly_rate": round(rate, 2),
        "pay": round(pay, 2),
    }


@WORLD.tool(
    "Work out the net pay of an employee for a month: a twelfth of the salary plus extra pay, "
    "less unpaid days, less income tax by brackets.",
    parameters={
        "employee_id": _EMPLOYEE,
        "extra_pay": number(
            "Bonus or overtime pay of the month in EUR.", "price", minimum=0, optional=True
        ),
        "unpaid_days": integer(
            "Days of unpaid absence.", "count", minimum=0, maximum=20, optional=True
        ),
    },
    outputs=(
        Output("net", "price", (
            ("the net monthly pay of {employee_id}[ with {extra_pay} on top]"
            "[, {unpaid_days} unpaid days taken off]"),
            ("the money that {employee_id} takes home in a month[, extra pay of {extra_pay} "
             "included][, with {unpaid_days} days unpaid]"),
        )),
        Output("tax", "price", (
            "the monthly income tax of {employee_id}[ with {extra_pay} of extra pay]",
            ("the tax withheld from a month's pay of {employee_id}"
            "[ when {extra_pay} is paid on top]"),
        )),
    ),
    wishes=(
        ("Run the monthly payroll for {employee_id}[, adding {extra_pay}]"
        "[, with {unpaid_days} unpaid days]."),
        ("What will {employee_id} take home this month[ if {extra_pay} is paid on top]"
        "[ and {unpaid_days} of its days unpaid]?"),
        ("I need the net pay of {employee_id} for a month[; extra pay: {extra_pay}]"
        "[; unpaid absence: {unpaid_days} days]."),
    ),
    reads=("employees",),
)  # fmt: skip
def net_pay(
    view: View, employee_id: str, extra_pay: float = 0, unpaid_days: int = 0
) -> dict[str, Any]:
    """Gross, tax and net of one month; the tax is that of twelve such months."""
    monthly = _employee(view, employee_id)["salary"] / 12
    gross = monthly - monthly / 21 * unpaid_days + extra_pay
    tax, below = 0.0, 0
    for limit, rate in _BRACKETS:
        tax += rate * max(0.0, min(12 * gross, limit) - below) / 12
        below = limit
    return {"gross": round(gross, 2), "tax": round(tax, 2), "net": round(gross - tax, 2)}


@WORLD.tool(
    "Find the next shift of an employee from a day on. Reads the shift plan.",
    parameters={
        "employee_id": text(
            "Id of the employee.", "employee_id", pool=draw_from("shifts", "employee_id")
        ),
        "from_day": date(
            "First day to look at, YYYY-MM-DD.",
            pool=lambda _, rng: (
                TODAY + datetime.timedelta(days=rng.randrange(1, 18))
            ).isoformat(),
        ),
    },
    outputs=(
        Output("shift_id", "shift_id", (
            "the next shift of {employee_id} on or after {from_day}",
            "the first shift {employee_id} works on or after {from_day}",
        )),
        Output("day", "date", (
            "the day {employee_id} is next on shift, counting from {from_day}",
            "the date of the first shift of {employee_id} on or after {from_day}",
        )),
        Output("starts", "time", (
            "the hour at which the next shift of {employee_id} on or after {from_day} begins",
            "the starting time of the first shift of {employee_id} on or after {from_day}",
        )),
    ),
    wishes=(
        "When does {employee_id} next work a shift, on or after {from_day}?",
        "Next shift of {employee_id} on or after {from_day}.",
        "Please check the plan for the first shift of {employee_id}, no earlier than {from_day}.",
    ),
    reads=("employees", "shifts"),
)  # fmt: skip
def next_shift(view: View, employee_id: str, from_day: str) -> dict[str, Any]:
    """The earliest shift of somebody from a day on."""
    name = _employee(view, employee_id)["name"]
    coming = [
        row
        for _, row in view.rows("shifts")
        if row["employee_id"] == employee_id and row["day"] >= from_day
    ]
    if not coming:
        raise ToolError(f"{name} has no shift in the plan on or after {from_day}")
    first = min(coming, key=lambda row: (row["day"], row["shift_id"]))
    return {**first, "starts": _STARTS[first["kind"]]}


@WORLD.tool(
    "Swap the people of two shifts. Changes who works them in the shift plan; swapping again "
    "takes it back.",
    parameters={"first_shift": _SHIFT, "second_shift": _SHIFT},
    outputs=(
        Output("first_now", "employee_id", (
            "whoever works {first_shift} once it is swapped with {second_shift}",
            "the one who takes over {first_shift} in exchange for {second_shift}",
        )),
    ),
    wishes=(
        "Swap {first_shift} and {second_shift}.",
        "Could you exchange the people on {first_shift} and {second_shift}?",
        "{first_shift} and {second_shift} should trade crews; change the plan accordingly.",
    ),
    reads=("shifts",),
    writes=("shifts",),
    undo=Undo("swap_shifts", {
        "first_shift": "arguments.first_shift", "second_shift": "arguments.second_shift",
    }),
)  # fmt: skip
def swap_shifts(view: View, first_shift: str, second_shift: str) -> dict[str, Any]:
    """Exchange two people, unless one would then work twice on a day."""
    first, second = _shift(view, first_shift), _shift(view, second_shift)
    if first["employee_id"] == second["employee_id"]:
        raise ToolError(f"{first_shift} and {second_shift} belong to the same employee")
    for shift, comes in ((first, second["employee_id"]), (second, first["employee_id"])):
        if first["day"] != second["day"] and _works_on(view, comes, shift["day"]):
            raise ToolError(
                f"{comes} can't take {shift['shift_id']}: already on another shift on "
                f"{shift['day']}"
            )
    view.put("shifts", first_shift, {**first, "employee_id": second["employee_id"]})
    view.put("shifts", second_shift, {**second, "employee_id": first["employee_id"]})
    return {"first_now": second["employee_id"], "second_now": first["employee_id"]}


def _shift(view: View, shift_id: str) -> Row:
    row = view.get("shifts", shift_id)
    if row is None:
        raise ToolError(f"the shift plan has no shift '{shift_id}'")
    return row


def _works_on(view: View, employee_id: str, day: str) -> bool:
    return any(
        row["employee_id"] == employee_id and row["day"] == day for _, row in view.rows("shifts")
    )
