"""Repositories: issues and who takes them, commits and builds, reviewers by ownership, releases."""

import datetime
import math
from random import Random
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
    boolean,
    choice,
    content_id,
    date,
    draw_from,
    generator,
    integer,
    number,
    text,
)

_NAMES = "amber birch comet delta ember fjord garnet harbor indigo juniper kestrel lumen".split()
_ENDS = ("api", "ui", "jobs", "kit")
_LANGUAGES = ("Python", "Rust", "TypeScript", "Go", "Kotlin")
_FOLDERS = "auth billing cache docs export mail search storage theme".split()
_FILES = "client config errors models parser retry tests".split()
_SUFFIX = {"Python": "py", "Rust": "rs", "TypeScript": "ts", "Go": "go", "Kotlin": "kt"}
_LABELS = ("bug", "feature", "documentation", "security", "performance")
_TITLES = {
    "bug": ("crash on empty input", "wrong total", "login loops", "lost update"),
    "feature": ("dark mode", "bulk export", "keyboard shortcuts", "audit log"),
    "documentation": ("missing example", "broken link", "unclear setup", "outdated screenshot"),
    "security": ("token in log", "weak hash", "open redirect", "missing rate limit"),
    "performance": ("slow start", "memory growth", "quadratic scan", "chatty requests"),
}
_STATES = ("passed", "passed", "passed", "failed", "running")
_PRIORITY = ("low", "medium", "high", "urgent")


def _before(days: int) -> str:
    return (TODAY - datetime.timedelta(days=days)).isoformat()


def _issues(rng: Random, name: str, owners: list[str]) -> dict[str, Row]:
    found: dict[str, Row] = {}
    numbers = sorted(rng.sample(range(10, 999), rng.randrange(9, 16)))
    for at, of in enumerate(numbers):
        label = rng.choice(_LABELS)
        found[f"{name}#{of}"] = {
            "issue_id": f"{name}#{of}",
            "repository": name,
            "title": rng.choice(_TITLES[label]),
            "label": label,
            "priority": rng.choice(_PRIORITY),
            "opened": _before(3 + 9 * (len(numbers) - at) + rng.randrange(0, 8)),
            "estimate_hours": rng.randrange(2, 33) / 2,
            "assignee": rng.choice(owners) if rng.random() < 0.3 else "",
        }
    return found


def _commits(rng: Random, name: str, suffix: str, folders: dict[str, list[str]]) -> list[Row]:
    found: list[Row] = []
    for at in range(rng.randrange(8, 14)):
        touched = rng.sample(sorted(folders), rng.randrange(1, 4))
        committed = _before(2 * at + rng.randrange(0, 2))
        found.append({
            "commit_id": content_id("c", name, at),
            "repository": name,
            "author": rng.choice(folders[touched[0]]),
            "committed": committed,
            "paths": sorted(f"{folder}/{rng.choice(_FILES)}.{suffix}" for folder in touched),
            "build": rng.choice(_STATES),
            "build_min": rng.randrange(3, 48),
        })  # fmt: skip
    return found


def _tables(seed: int) -> Tables:
    rng = generator(seed, "repos")
    crew = [one.name for one in people(seed)]
    repositories: dict[str, Row] = {}
    issues: dict[str, Row] = {}
    commits: dict[str, Row] = {}
    owned: dict[str, Row] = {}
    for name in (f"{first}-{end}" for first in _NAMES for end in _ENDS):
        language = rng.choice(_LANGUAGES)
        folders = {
            f"{name}/{folder}": rng.sample(crew, 4)
            for folder in rng.sample(_FOLDERS, rng.randrange(4, 7))
        }
        for folder, owners in folders.items():
            owned[folder] = {"commits": {person: rng.randrange(3, 90) for person in owners}}
        of_it = _issues(rng, name, sorted({one for own in folders.values() for one in own}))
        history = _commits(rng, name, _SUFFIX[language], folders)
        issues |= of_it
        commits |= {commit["commit_id"]: commit for commit in history}
        repositories[name] = {
            "repository": name,
            "language": language,
            "stars": rng.randrange(20, 9000),
            "lead": rng.choice(crew),
            "version": f"{rng.randrange(0, 6)}.{rng.randrange(0, 20)}.{rng.randrange(0, 9)}",
            "issue_ids": sorted(of_it),
            "commit_ids": [commit["commit_id"] for commit in history],
        }
    contacts: dict[str, Row] = {one.name: {"email": one.email} for one in people(seed)}
    named = {
        "repositories": repositories, "issues": issues, "commits": commits, "ownership": owned,
        "developers": contacts, "releases": {},
    }  # fmt: skip
    return {name: dict(sorted(rows.items())) for name, rows in named.items()}


WORLD = World("repos", "Repositories with issues, commits, builds, reviewers, releases.", _tables)

_REPOSITORY = text("Name of the repository.", "repository",
                   pool=draw_from("repositories", "repository"))  # fmt: skip
_ISSUE = text("Id of an issue.", "issue_id", pool=draw_from("issues", "issue_id"))
_ISSUES = array("Ids of the issues.", _ISSUE, minItems=1, maxItems=20, uniqueItems=True)
_COMMIT = text("Id of a commit.", "commit_id", pool=draw_from("commits", "commit_id"))


def _path(view: View, rng: Random) -> str:
    return str(rng.choice(rng.choice(view.values("commits"))["paths"]))


def _get(view: View, table: str, key: str) -> Row:
    row = view.get(table, key)
    if row is None:
        what = {"repositories": "repository", "commits": "commit", "issues": "issue"}[table]
        raise ToolError(f"there is no {what} '{key}'")
    return row


@WORLD.tool(
    "Find repositories by main language, most starred first, each with the version it is at.",
    parameters={
        "language": choice("Main language.", "language", _LANGUAGES),
        "min_stars": integer(
            "Least number of stars.",
            "stars_count",
            minimum=100,
            maximum=9000,
            multipleOf=100,
            optional=True,
        ),
        "led_by": text("Full name of the lead.", "person", optional=True),
    },
    outputs=(
        Output("repositories[0].repository", "repository", (
            "the most starred {language} repository[ led by {led_by}]",
            "whichever {language} project[ of {led_by}] has the most stars",
        )),
        Output("repositories[0].lead", "person", (
            "the lead of the most starred {language} repository",
            "whoever leads the {language} repository with the most stars",
        )),
        Output("repositories[1].repository", "repository", (
            "the {language} repository with the second most stars",
        )),
        Output("count", "count", (
            "the number of {language} repositories[ with {min_stars} stars or more]",
        )),
    ),
    wishes=(
        ("Which {language} repositories are there[ with {min_stars} stars or more][, led by "
         "{led_by}]?"),
        "List {language} repositories by stars[, from {min_stars} up][; lead: {led_by}].",
        ("I'd like to see our {language} projects, most popular first[ (at least {min_stars} "
         "stars)][ if {led_by} leads them]."),
    ),
    reads=("repositories",),
)  # fmt: skip
def find_repositories(
    view: View, language: str, min_stars: int = 0, led_by: str | None = None
) -> dict[str, Any]:
    """Repositories by stars, then name."""
    found = [
        {key: row[key] for key in ("repository", "stars", "lead", "version")}
        for row in view.values("repositories")
        if row["language"] == language
        and row["stars"] >= min_stars
        and led_by in (None, row["lead"])
    ]
    found.sort(key=lambda row: (-row["stars"], row["repository"]))
    return {"repositories": found, "count": len(found)}


@WORLD.tool(
    "Find the issues of a repository, oldest first. Reads issues and who they are assigned to.",
    parameters={
        "repository": _REPOSITORY,
        "label": choice("Only this label.", "issue_label", _LABELS, optional=True),
        "min_priority": choice("Least priority.", "priority", _PRIORITY, optional=True),
        "unassigned_only": boolean(
            "Leave out issues that somebody has.",
            "unassigned",
            says={"true": "unassigned", "false": "assigned or unassigned"},
            optional=True,
        ),
    },
    outputs=(
        Output("issue_ids", "list:issue_id", (
            ("every[ {unassigned_only}][ {label}] issue of {repository}[ of {min_priority} "
             "priority or higher]"),
            ("all[ {unassigned_only}][ {label}] issues in {repository}[ with at least "
             "{min_priority} priority]"),
        )),
        Output("issue_ids[0]", "issue_id", (
            "the oldest[ {unassigned_only}][ {label}] issue of {repository}",
            "whichever[ {unassigned_only}][ {label}] issue has been open longest in {repository}",
        )),
        Output("estimate_hours", "hours", (
            "the hours estimated for all[ {unassigned_only}][ {label}] issues of {repository}",
        )),
        Output("count", "count", ("how many[ {label}] issues {repository} has",)),
    ),
    wishes=(
        ("List the[ {unassigned_only}][ {label}] issues of {repository}[, priority {min_priority} "
         "or higher]."),
        ("What[ {label}] issues are open in {repository}[ with {min_priority} priority at least]"
         "[ ({unassigned_only})]?"),
        ("Could you show me the[ {label}] issues in {repository}[, {unassigned_only}]"
         "[, from priority {min_priority} up]?"),
    ),
    reads=("issues", "repositories"),
)  # fmt: skip
def find_issues(
    view: View,
    repository: str,
    label: str | None = None,
    min_priority: str = "low",
    unassigned_only: bool = False,
) -> dict[str, Any]:
    """Issues by day of opening, then id."""
    least = _PRIORITY.index(min_priority)
    rows = (
        _get(view, "issues", key) for key in _get(view, "repositories", repository)["issue_ids"]
    )
    found = [
        row
        for row in rows
        if label in (None, row["label"])
        and _PRIORITY.index(row["priority"]) >= least
        and not (unassigned_only and row["assignee"])
    ]
    found.sort(key=lambda row: (row["opened"], row["issue_id"]))
    shown = ("issue_id", "title", "label", "priority", "opened", "assignee")
    return {
        "issues": [{key: row[key] for key in shown} for row in found],
        "issue_ids": [row["issue_id"] for row in found],
        "estimate_hours": math.fsum(row["estimate_hours"] for row in found),
        "count": len(found),
    }


@WORLD.tool(
    "Choose the issues that fit into a number of hours, by priority, then the shortest first.",
    parameters={
        "issue_ids": _ISSUES,
        "hours": number("Hours available.", "hours", exclusiveMinimum=0, maximum=400),
    },
    outputs=(
        Output("chosen", "list:issue_id", (
            "the most urgent of {issue_ids} that fit into {hours}",
            "as many of {issue_ids} as {hours} allow, by priority",
        )),
        Output("hours_left", "hours", (
            "the hours left of {hours} after planning {issue_ids} by priority",
        )),
        Output("chosen_count", "count", ("how many of {issue_ids} fit into {hours}",)),
    ),
    wishes=(
        "Plan {hours} with {issue_ids}.",
        "Which of {issue_ids} can be done in {hours}, most urgent first?",
        "What we have next week is {hours}; pick from {issue_ids} what fits, by priority.",
    ),
    reads=("issues",),
)  # fmt: skip
def plan_sprint(view: View, issue_ids: list[str], hours: float) -> dict[str, Any]:
    """Greedy by priority and estimate; what is too long is passed over."""
    rows = [_get(view, "issues", issue_id) for issue_id in issue_ids]
    rank = {priority: -at for at, priority in enumerate(_PRIORITY)}
    rows.sort(key=lambda row: (rank[row["priority"]], row["estimate_hours"], row["issue_id"]))
    chosen, left = [], hours
    for row in rows:
        if row["estimate_hours"] <= left:
            chosen.append(row["issue_id"])
            left = round(left - row["estimate_hours"], 6)
    return {"chosen": chosen, "chosen_count": len(chosen), "hours_left": left}


@WORLD.tool(
    "Assign issues to a developer. Changes who the issues are assigned to; refused while somebody "
    "has one of them.",
    parameters={"issue_ids": _ISSUES, "assignee": text("Full name.", "person")},
    wishes=(
        "Assign {issue_ids} to {assignee}.",
        "Please hand {issue_ids} over to {assignee}.",
        "{assignee} will take care of {issue_ids}; put the name on it.",
    ),
    reads=("developers", "issues"),
    writes=("issues",),
    undo=Undo("unassign_issues", {"issue_ids": "arguments.issue_ids"}),
)  # fmt: skip
def assign_issues(view: View, issue_ids: list[str], assignee: str) -> dict[str, Any]:
    """All of them or none; an issue that somebody has is not taken away."""
    developer = view.get("developers", assignee)
    if developer is None:
        raise ToolError(f"{assignee} is not one of the developers")
    rows = [_get(view, "issues", issue_id) for issue_id in issue_ids]
    for row in rows:
        if row["assignee"]:
            raise ToolError(f"{row['issue_id']} is already assigned to {row['assignee']}")
    for row in rows:
        view.put("issues", row["issue_id"], {**row, "assignee": assignee})
    return {"assigned": len(rows), "assignee": assignee, "email": developer["email"]}


@WORLD.tool(
    "Take issues away from whoever has them. Changes who the issues are assigned to.",
    parameters={"issue_ids": _ISSUES},
    wishes=(
        "Unassign {issue_ids}.",
        "Nobody should be assigned to {issue_ids} for now; clear it.",
        "Please free {issue_ids} again so that others can pick it up.",
    ),
    reads=("issues",),
    writes=("issues",),
)  # fmt: skip
def unassign_issues(view: View, issue_ids: list[str]) -> dict[str, Any]:
    """All of them or none; an issue must have an assignee."""
    rows = [_get(view, "issues", issue_id) for issue_id in issue_ids]
    for row in rows:
        if not row["assignee"]:
            raise ToolError(f"{row['issue_id']} is not assigned to anybody")
    for row in rows:
        view.put("issues", row["issue_id"], {**row, "assignee": ""})
    return {"unassigned": len(rows), "former": [row["assignee"] for row in rows]}


@WORLD.tool(
    "Show the last commits of a repository, newest first, and the files they touch.",
    parameters={
        "repository": _REPOSITORY,
        "limit": integer(
            "How many at most; 5 if left out.", "count", minimum=1, maximum=12, optional=True
        ),
        "since": date(
            "Only commits from this day on, YYYY-MM-DD.",
            optional=True,
            pool=lambda view, rng: _before(rng.randrange(8, 25)),
        ),
    },
    outputs=(
        Output("commits[0].commit_id", "commit_id", (
            "the latest commit to {repository}",
            "the newest commit in {repository}",
        )),
        Output("commits[0].author", "person", ("the author of the latest commit to {repository}",)),
        Output("commits[0].paths", "list:path", (
            "the files touched by the latest commit to {repository}",
            "whatever files the newest commit in {repository} changes",
        )),
        Output("commit_ids", "list:commit_id", (
            "the last[ {limit}] commits to {repository}[ since {since}]",
            "the[ {limit}] newest commits in {repository}[ from {since} on]",
        )),
    ),
    wishes=(
        "Show the last[ {limit}] commits to {repository}[ since {since}].",
        "What was committed to {repository} lately[, from {since} on][ ({limit} at most)]?",
        ("Let me see the recent history of {repository}[, {limit} commits][, nothing before "
         "{since}]."),
    ),
    reads=("commits", "repositories"),
)  # fmt: skip
def recent_commits(view: View, repository: str, limit: int = 5, since: str = "") -> dict[str, Any]:
    """Commits in the order of the history."""
    keys = _get(view, "repositories", repository)["commit_ids"]
    rows = [row for row in (_get(view, "commits", key) for key in keys)
            if row["committed"] >= since][:limit]  # fmt: skip
    shown = ("commit_id", "author", "committed", "paths")
    return {
        "commits": [{key: row[key] for key in shown} for row in rows],
        "commit_ids": [row["commit_id"] for row in rows],
    }


@WORLD.tool(
    "Check the builds of commits: which passed, failed or run, and how long they took.",
    parameters={
        "commit_ids": array(
            "Ids of the commits.", _COMMIT, minItems=1, maxItems=12, uniqueItems=True
        ),
    },
    outputs=(
        Output("passed[0]", "commit_id", (
            "the first of {commit_ids} with a build that passed",
            "whichever comes first among {commit_ids} and builds without failure",
        )),
        Output("failed", "list:commit_id", ("whatever fails to build out of {commit_ids}",)),
        Output("failed_count", "count", ("how many of {commit_ids} fail to build",)),
        Output("minutes", "duration_min", (
            "the total build time of {commit_ids}",
            "how long the builds of {commit_ids} took together",
        )),
    ),
    wishes=(
        "Check the builds of {commit_ids}.",
        "Did {commit_ids} build?",
        "I need the build state of {commit_ids}: what passed, what failed, how long it took.",
    ),
    reads=("commits",),
)  # fmt: skip
def check_builds(view: View, commit_ids: list[str]) -> dict[str, Any]:
    """Builds by state, in the order asked."""
    rows = [_get(view, "commits", commit_id) for commit_id in commit_ids]
    states = {
        state: [row["commit_id"] for row in rows if row["build"] == state]
        for state in ("passed", "failed", "running")
    }
    minutes = sum(row["build_min"] for row in rows)
    return {**states, "failed_count": len(states["failed"]), "minutes": minutes}


@WORLD.tool(
    "Suggest reviewers for files: those with the most commits in the folders concerned.",
    parameters={
        "paths": array(
            "Files, with repository and folder.",
            text("Path of a file.", "path", pool=_path),
            minItems=1,
            maxItems=12,
        ),
        "author": text("Who wrote the change and is left out.", "person", optional=True),
    },
    outputs=(
        Output("reviewers[0].name", "person", (
            "the best reviewer for {paths}[ other than {author}]",
            "whoever knows {paths} best[, apart from {author}]",
        )),
        Output("reviewers[0].email", "email", (
            "the e-mail address of the best reviewer for {paths}[ (not {author})]",
            "the address of whoever should review {paths}[ instead of {author}]",
        )),
        Output("names", "list:person", ("everyone who could review {paths}[ except {author}]",)),
        Output("share_percent", "percent", (
            "the share of commits that the best reviewer for {paths}[ besides {author}] has made",
        )),
    ),
    wishes=(
        "Who should review {paths}[ (author: {author})]?",
        "Suggest reviewers for {paths}[, but not {author}].",
        "I changed {paths}; whose review should I ask for[, {author} aside]?",
    ),
    reads=("developers", "ownership"),
)  # fmt: skip
def suggest_reviewers(view: View, paths: list[str], author: str = "") -> dict[str, Any]:
    """Reviewers by commits, then name."""
    commits: dict[str, int] = {}
    for path in paths:
        folder = view.get("ownership", path.rsplit("/", 1)[0])
        if folder is None:
            raise ToolError(f"nobody owns the folder of '{path}'")
        for person, made in folder["commits"].items():
            commits[person] = commits.get(person, 0) + made
    total = sum(commits.values())
    ranked = sorted((-made, person) for person, made in commits.items() if person != author)
    reviewers = [
        {"name": person, "commits": -made, "email": (view.get("developers", person) or {})["email"]}
        for made, person in ranked
    ]
    return {
        "reviewers": reviewers,
        "names": [person for _, person in ranked],
        "share_percent": round(-100 * ranked[0][0] / total, 2),
    }


@WORLD.tool(
    "Release a commit whose build passed, under the next version. Adds a release and raises the "
    "version of the repository.",
    parameters={
        "commit_id": _COMMIT,
        "bump": choice("Part of the version to raise.", "bump", ("major", "minor", "patch")),
        "notes": text("Release notes.", "note", counts=False, optional=True),
    },
    outputs=(Output("release_id", "release_id", ("a new {bump} release of {commit_id}",)),),
    wishes=(
        "Release {commit_id} as a {bump} version.",
        "Please cut a {bump} release from {commit_id}.",
        "{commit_id} is ready to ship; make a {bump} release of it.",
    ),
    reads=("commits", "releases", "repositories"),
    writes=("releases", "repositories"),
    undo=Undo("withdraw_release", {"release_id": "result.release_id"}),
)  # fmt: skip
def cut_release(view: View, commit_id: str, bump: str, notes: str = "") -> dict[str, Any]:
    """A release; a commit is released once."""
    commit = _get(view, "commits", commit_id)
    if commit["build"] != "passed":
        raise ToolError(f"the build of {commit_id} has not passed, it is '{commit['build']}'")
    if any(row["commit_id"] == commit_id for row in view.values("releases")):
        raise ToolError(f"{commit_id} is released already")
    repository = _get(view, "repositories", commit["repository"])
    at = ("major", "minor", "patch").index(bump)
    parts = [int(part) for part in repository["version"].split(".")]
    version = ".".join(map(str, [*parts[:at], parts[at] + 1, *[0] * (2 - at)]))
    release_id = f"{commit['repository']}-v{version}"
    row = {"commit_id": commit_id, "repository": commit["repository"], "version": version}
    view.put("releases", release_id, {**row, "previous": repository["version"]})
    view.put("repositories", commit["repository"], {**repository, "version": version})
    return {"release_id": release_id, "version": version, "previous": repository["version"]}


@WORLD.tool(
    "Withdraw the latest release of a repository. Removes the release and lowers the version of "
    "the repository again.",
    parameters={"release_id": text("Id of the release.", "release_id")},
    wishes=(
        "Withdraw {release_id}.",
        "Please pull back {release_id}.",
        "Something is wrong with {release_id}; it has to be withdrawn.",
    ),
    reads=("releases", "repositories"),
    writes=("releases", "repositories"),
)  # fmt: skip
def withdraw_release(view: View, release_id: str) -> dict[str, Any]:
    """Back to the version before."""
    release = view.get("releases", release_id)
    if release is None:
        raise ToolError(f"there is no release '{release_id}'")
    repository = _get(view, "repositories", release["repository"])
    if repository["version"] != release["version"]:
        raise ToolError(f"{release_id} is not the latest release, {repository['version']} is")
    view.remove("releases", release_id)
    view.put("repositories", release["repository"], {**repository, "version": release["previous"]})
    return {"withdrawn": release_id, "version": release["previous"]}
