"""Statistics: household surveys of cities, and what can be worked out from columns of numbers."""

import math
from collections.abc import Sequence
from random import Random
from typing import Any

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
    draw_from,
    generator,
    integer,
    number,
    record,
    text,
)

_COLUMNS = {
    "rent": "monthly rent",
    "income": "monthly income",
    "floor_area": "floor area",
    "commute": "commuting time",
    "noise": "street noise",
    "building_age": "age of the building",
}
_GROUPINGS = {
    "district": ("north", "east", "south", "west", "centre"),
    "tenure": ("rented", "owned", "shared"),
    "age_band": ("under 35", "35 to 59", "60 and over"),
}
_YEARS = (2019, 2022, 2025)


def _household(rng: Random, level: float) -> dict[str, float]:
    income = round(level * rng.lognormvariate(0, 0.35), 2)
    area = rng.randrange(24, 140)
    return {
        "rent": round(0.16 * income + 4.2 * area + rng.uniform(-90, 160), 2),
        "income": income,
        "floor_area": area,
        "commute": max(4, round(rng.gauss(31, 13)) + (45 if rng.random() < 0.04 else 0)),
        "noise": round(rng.gauss(58, 6), 1),
        "building_age": rng.randrange(0, 110),
    }


def _tables(seed: int) -> Tables:
    rng = generator(seed, "stats")
    surveys: dict[str, Row] = {}
    for city in CITIES:
        for year in _YEARS:
            survey_id = content_id("sv", city.name, year)
            households = [_household(rng, 3100) for _ in range(rng.randrange(24, 37))]
            surveys[survey_id] = {
                "survey_id": survey_id,
                "city": city.name,
                "year": year,
                "households": len(households),
                "columns": {name: [one[name] for one in households] for name in _COLUMNS},
                "groups": {
                    by: [rng.choice(names) for _ in households] for by, names in _GROUPINGS.items()
                },
            }
    by_city = {
        city.name: {"survey_ids": [content_id("sv", city.name, year) for year in _YEARS]}
        for city in CITIES
    }
    return {
        "surveys": dict(sorted(surveys.items())),
        "by_city": dict(sorted(by_city.items())),
        "series": {},
    }


WORLD = World("stats", "Household surveys and the statistics of numbers.", _tables)

_SURVEY = text("Id of the survey.", "survey_id", pool=draw_from("surveys", "survey_id"))


def _column(description: str) -> Any:
    says = {f'"{name}"': words for name, words in _COLUMNS.items()}
    return choice(description, "survey_column", tuple(_COLUMNS), says=says)


def _values(description: str, least: int) -> Any:
    return array(description, number("One number.", "amount"), minItems=least, maxItems=200)


def _survey(view: View, survey_id: str) -> Row:
    row = view.get("surveys", survey_id)
    if row is None:
        raise ToolError(f"no survey has the id '{survey_id}'")
    return row


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _deviation(values: Sequence[float]) -> float:
    """Standard deviation of a sample; 0 for a single value."""
    mean = _mean(values)
    squares = math.fsum((value - mean) ** 2 for value in values)
    return math.sqrt(squares / max(1, len(values) - 1))


def _percentile(ordered: Sequence[float], percent: float) -> float:
    """The percentile of sorted values, linear between neighbours."""
    place = (len(ordered) - 1) * percent / 100
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


@WORLD.tool(
    "Find the household surveys of a city, newest first.",
    parameters={
        "city": text("City of the survey.", "city"),
        "since": integer("Earliest year.", "year", minimum=2015, maximum=2026, optional=True),
    },
    outputs=(
        Output("survey_ids[0]", "survey_id", (
            "the latest household survey of {city}",
            "the most recent survey of households in {city}",
        )),
        Output("oldest_id", "survey_id", (
            "the oldest household survey of {city}[ since {since}]",
            "the first survey made in {city}[ in {since} or later]",
        )),
        Output("households", "count", (
            "the number of households ever surveyed in {city}[, counting from {since}]",
        )),
    ),
    wishes=(
        "Which household surveys are there of {city}[ since {since}]?",
        "List the surveys made in {city}[, {since} or later].",
        "I'm after survey data on {city}[, nothing older than {since}]; what can you offer?",
    ),
    reads=("by_city", "surveys"),
)  # fmt: skip
def find_surveys(view: View, city: str, since: int = 0) -> dict[str, Any]:
    """Surveys of a city by year."""
    known = view.get("by_city", city)
    if known is None:
        raise ToolError(f"no survey was ever made in '{city}'")
    rows = [_survey(view, survey_id) for survey_id in reversed(known["survey_ids"])]
    found = [
        {key: row[key] for key in ("survey_id", "year", "households")}
        for row in rows
        if row["year"] >= since
    ]
    told = {
        "surveys": found,
        "survey_ids": [row["survey_id"] for row in found],
        "households": sum(row["households"] for row in found),
    }
    return {**told, "oldest_id": found[-1]["survey_id"]} if found else told


@WORLD.tool(
    "Take the numbers of one column out of a survey, of all households or of one district.",
    parameters={
        "survey_id": _SURVEY,
        "column": _column("Column to take."),
        "district": choice(
            "Only this district.", "district", _GROUPINGS["district"], optional=True
        ),
    },
    outputs=(
        Output("values", "list:amount", (
            "the {column} of every household in {survey_id}[, {district} district only]",
            "all figures on {column} in {survey_id}[ from the {district} district]",
        )),
        Output("count", "count", (
            "how many households in {survey_id} state their {column}[ in the {district} district]",
        )),
    ),
    wishes=(
        "Extract the {column} column from {survey_id}[ for the {district} district].",
        "What figures on {column} does {survey_id} hold[ for the district {district}]?",
        "Let me have every household's {column} in {survey_id}[, the {district} district only].",
    ),
    reads=("surveys",),
)  # fmt: skip
def survey_values(
    view: View, survey_id: str, column: str, district: str | None = None
) -> dict[str, Any]:
    """Numbers in the order of the survey."""
    row = _survey(view, survey_id)
    where = row["groups"]["district"]
    values = [
        value
        for value, place in zip(row["columns"][column], where, strict=True)
        if district in (None, place)
    ]
    return {"values": values, "count": len(values)}


@WORLD.tool(
    "Describe numbers: mean, median, standard deviation of the sample, extremes.",
    parameters={"values": _values("The numbers.", 2)},
    outputs=(
        Output("mean", "amount", (
            "the mean of {values}",
            "the average over {values}",
        )),
        Output("median", "amount", ("the median of {values}",)),
        Output("deviation", "amount", (
            "the standard deviation of {values}",
            "the standard deviation by which {values} scatter",
        )),
        Output("maximum", "amount", ("the highest of {values}",)),
    ),
    wishes=(
        "Describe {values} statistically.",
        "What are mean, median and standard deviation of {values}?",
        "Please give me the usual descriptive figures for {values}.",
    ),
)  # fmt: skip
def describe_values(view: View, values: list[float]) -> dict[str, Any]:
    """The usual figures, to four digits."""
    ordered = sorted(values)
    return {
        "count": len(values),
        "mean": round(_mean(values), 4),
        "median": round(_percentile(ordered, 50), 4),
        "deviation": round(_deviation(values), 4),
        "minimum": ordered[0],
        "maximum": ordered[-1],
    }


@WORLD.tool(
    "Find a percentile of numbers, linear between neighbours.",
    parameters={
        "values": _values("The numbers.", 2),
        "percent": number("Which one, from 0 to 100.", "percent", minimum=0, maximum=100),
    },
    outputs=(
        Output("value", "amount", (
            "the value below which {percent} of {values} lie",
            "the threshold that {percent} of {values} stay under",
        )),
        Output("values_up_to", "count", ("how many of {values} lie in the lowest {percent}",)),
    ),
    wishes=(
        "Below which value do {percent} of {values} lie?",
        "Compute the percentile at {percent} for {values}.",
        "I want the cut-off that separates the lowest {percent} of {values} from the rest.",
    ),
)  # fmt: skip
def value_percentile(view: View, values: list[float], percent: float) -> dict[str, Any]:
    """A percentile, and how many values reach up to it."""
    value = _percentile(sorted(values), percent)
    return {"value": round(value, 4), "values_up_to": sum(one <= value for one in values)}


@WORLD.tool(
    "Separate outliers from numbers, by 1.5 quartile distances or two standard deviations.",
    parameters={
        "values": _values("The numbers.", 4),
        "rule": choice(
            "How outliers are told.",
            "outlier_rule",
            ("quartiles", "deviations"),
            says={
                '"quartiles"': "quartile rule",
                '"deviations"': "rule of two standard deviations",
            },
        ),
    },
    outputs=(
        Output("kept", "list:amount", (
            "{values} without the outliers (by the {rule})",
            "what remains of {values} once the {rule} has removed the outliers",
        )),
        Output("outliers", "list:amount", ("the outliers among {values} by the {rule}",)),
        Output("outlier_count", "count", ("how many outliers the {rule} finds among {values}",)),
    ),
    wishes=(
        "Remove the outliers from {values}, using the {rule}.",
        "Which of {values} are outliers by the {rule}?",
        "Go by the {rule} and sort out what is extreme among {values}, please.",
    ),
)  # fmt: skip
def split_outliers(view: View, values: list[float], rule: str) -> dict[str, Any]:
    """Ordinary and extreme values, each in the order given."""
    if rule == "quartiles":
        ordered = sorted(values)
        first, third = _percentile(ordered, 25), _percentile(ordered, 75)
        low, high = first - 1.5 * (third - first), third + 1.5 * (third - first)
    else:
        mean, reach = _mean(values), 2 * _deviation(values)
        low, high = mean - reach, mean + reach
    outliers = [value for value in values if not low <= value <= high]
    return {
        "kept": [value for value in values if low <= value <= high],
        "outliers": outliers,
        "outlier_count": len(outliers),
        "bounds": [round(low, 4), round(high, 4)],
    }


@WORLD.tool(
    "Fit a straight line to two columns of a survey by least squares, with their correlation.",
    parameters={
        "survey_id": _SURVEY,
        "x": _column("Column that explains."),
        "y": _column("Column that is explained."),
    },
    outputs=(
        Output("line", "line", (
            "the regression line of {y} on {x} in {survey_id}",
            "the straight line that best explains {y} by {x} in {survey_id}",
        )),
        Output("correlation", "ratio", (
            "the correlation between {x} and {y} in {survey_id}",
        )),
        Output("explained_percent", "percent", (
            "how much of the variation in {y} is explained by {x} in {survey_id}",
        )),
    ),
    wishes=(
        "Fit a line for {y} over {x} in {survey_id}.",
        "How does {y} depend on {x} in {survey_id}? I need the regression.",
        "Please regress {y} on {x}, based on {survey_id}.",
    ),
    reads=("surveys",),
)  # fmt: skip
def fit_line(view: View, survey_id: str, x: str, y: str) -> dict[str, Any]:
    """Slope, intercept, Pearson correlation."""
    if x == y:
        raise ToolError(f"a line needs two different columns, both are '{x}'")
    columns = _survey(view, survey_id)["columns"]
    xs, ys = columns[x], columns[y]
    mean_x, mean_y = _mean(xs), _mean(ys)
    xy = math.fsum((a - mean_x) * (b - mean_y) for a, b in zip(xs, ys, strict=True))
    xx = math.fsum((a - mean_x) ** 2 for a in xs)
    yy = math.fsum((b - mean_y) ** 2 for b in ys)
    if 0 in (xx, yy):
        raise ToolError(f"'{x}' or '{y}' is the same for every household")
    line = {"slope": round(xy / xx, 6), "intercept": round(mean_y - xy / xx * mean_x, 6)}
    correlation = round(xy / math.sqrt(xx * yy), 6)
    explained = round(100 * xy * xy / (xx * yy), 4)
    return {"line": line, "correlation": correlation, "explained_percent": explained}


@WORLD.tool(
    "Read values off a straight line at given points.",
    parameters={
        "line": record(
            "The line.",
            "line",
            {
                "slope": number("Rise per unit.", "slope"),
                "intercept": number("Value at 0.", "intercept"),
            },
        ),
        "points": _values("Where to read.", 1),
    },
    outputs=(
        Output("predictions", "list:amount", ("the predictions of {line} for {points}",)),
        Output("predictions[0]", "amount", ("the first value that {line} predicts for {points}",)),
    ),
    wishes=(
        "Predict from {line} at {points}.",
        "What does {line} say about {points}?",
        "Take {line} and tell me which values it gives for {points}.",
    ),
)  # fmt: skip
def predict_from_line(view: View, line: dict[str, float], points: list[float]) -> dict[str, Any]:
    """Values on the line, in the order of the points."""
    values = [round(line["slope"] * point + line["intercept"], 4) for point in points]
    return {"predictions": values, "count": len(values)}


@WORLD.tool(
    "Compare groups of households in a survey by the mean of a column, highest first.",
    parameters={
        "survey_id": _SURVEY,
        "column": _column("Column to average."),
        "by": choice(
            "How to group.",
            "grouping",
            tuple(_GROUPINGS),
            says={'"district"': "district", '"tenure"': "kind of tenure", '"age_band"': "age band"},
        ),
        "min_size": integer(
            "Leave out smaller groups.", "count", minimum=1, maximum=12, optional=True
        ),
    },
    outputs=(
        Output("groups[0].mean", "amount", (
            "the highest mean {column} of any {by} in {survey_id}[ with {min_size} or more cases]",
            ("the top average for {column} when {survey_id} is grouped by {by}"
             "[ (groups of {min_size} and up)]"),
        )),
        Output("means", "list:amount", (
            "the mean {column} of each {by} in {survey_id}[ with at least {min_size} cases]",
        )),
        Output("gap", "amount", (
            ("the gap in {column} between the extremes when {survey_id} is split by {by}"),
        )),
    ),
    wishes=(
        "Average the {column} in {survey_id} by {by}[, groups of {min_size} and up].",
        "How does the {column} differ by {by} in {survey_id}[ (at least {min_size} cases each)]?",
        "Break the {column} in {survey_id} down by {by}, please[; skip groups under {min_size}].",
    ),
    reads=("surveys",),
)  # fmt: skip
def group_means(
    view: View, survey_id: str, column: str, by: str, min_size: int = 1
) -> dict[str, Any]:
    """Groups by mean; equal ones by name."""
    row = _survey(view, survey_id)
    members: dict[str, list[float]] = {}
    for name, value in zip(row["groups"][by], row["columns"][column], strict=True):
        members.setdefault(name, []).append(value)
    ranked = sorted(
        (-round(_mean(values), 4), name)
        for name, values in members.items()
        if len(values) >= min_size
    )
    means = [-mean for mean, _ in ranked]
    groups = [{"group": name, "mean": -mean, "size": len(members[name])} for mean, name in ranked]
    gap = round(means[0] - means[-1], 4) if means else 0
    return {"groups": groups, "means": means, "gap": gap}


@WORLD.tool(
    "Store numbers as a named series. Adds a series.",
    parameters={
        "title": text(
            "Title of the series.",
            "series_title",
            minLength=1,
            pool=lambda view, rng: rng.choice(
                ("baseline", "pilot", "spring check", "board report", "control group")
            ),
        ),
        "values": _values("The numbers.", 1),
    },
    outputs=(Output("series_id", "series_id", ("a new series “{title}” made of {values}",)),),
    wishes=(
        "Store {values} as the series “{title}”.",
        "Please save {values}; call the series “{title}”.",
        "I'd like to keep {values} for later under the title “{title}” among the series.",
    ),
    reads=("series",),
    writes=("series",),
    undo=Undo("drop_series", {"series_id": "result.series_id"}),
)  # fmt: skip
def store_series(view: View, title: str, values: list[float]) -> dict[str, Any]:
    """A stored series; a title is used once."""
    series_id = content_id("se", title)
    if view.get("series", series_id):
        raise ToolError(f"a series with the title '{title}' is stored already")
    view.put("series", series_id, {"title": title, "values": list(values)})
    return {"series_id": series_id, "stored": len(values)}


@WORLD.tool(
    "Drop a stored series. Removes the series.",
    parameters={"series_id": text("Id of the series.", "series_id")},
    wishes=(
        "Drop {series_id}.",
        "Please delete {series_id} from the stored ones.",
        "There is no need to keep {series_id} any longer; take it out.",
    ),
    reads=("series",),
    writes=("series",),
)  # fmt: skip
def drop_series(view: View, series_id: str) -> dict[str, Any]:
    """Remove a series without a trace."""
    row = view.get("series", series_id)
    if row is None:
        raise ToolError(f"nothing is stored as '{series_id}'")
    view.remove("series", series_id)
    return {"dropped": series_id, "title": row["title"]}
