"""The repositories world: orders, plans, assignments, builds, reviewers, releases."""

import pytest

from environment.state import Row, State, View
from environment.world import ToolError
from environment.worlds import repos


@pytest.fixture
def view() -> View:
    tables = repos.WORLD.tables(7)
    return View(State({("repos", table): rows for table, rows in tables.items()}), "repos")


def passing(view: View) -> list[Row]:
    """Commits of one repository whose builds passed."""
    first = next(row for row in view.values("commits") if row["build"] == "passed")
    return [
        row
        for row in view.values("commits")
        if row["repository"] == first["repository"] and row["build"] == "passed"
    ]


def test_repositories_come_most_starred_first(view: View) -> None:
    found = repos.find_repositories(view, "Rust", min_stars=1000)
    stars = [row["stars"] for row in found["repositories"]]
    assert stars == sorted(stars, reverse=True)
    assert stars[-1] >= 1000


def test_issues_come_oldest_first_and_can_be_narrowed(view: View) -> None:
    everything = repos.find_issues(view, "harbor-api")
    opened = [row["opened"] for row in everything["issues"]]
    assert opened == sorted(opened)
    free = repos.find_issues(view, "harbor-api", unassigned_only=True, min_priority="high")
    assert set(free["issue_ids"]) < set(everything["issue_ids"])
    assert all(row["assignee"] == "" for row in free["issues"])
    with pytest.raises(ToolError, match="there is no repository 'nowhere'"):
        repos.find_issues(view, "nowhere")


def test_a_plan_keeps_to_its_hours_and_takes_the_urgent_first(view: View) -> None:
    issue_ids = repos.find_issues(view, "harbor-api")["issue_ids"]
    plan = repos.plan_sprint(view, issue_ids, 20)
    rows = [view.get("issues", issue_id) or {} for issue_id in plan["chosen"]]
    assert sum(row["estimate_hours"] for row in rows) == 20 - plan["hours_left"]
    ranks = [("low", "medium", "high", "urgent").index(row["priority"]) for row in rows]
    assert ranks == sorted(ranks, reverse=True)


def test_issues_are_assigned_together_or_not_at_all(view: View) -> None:
    first, second = repos.find_issues(view, "harbor-api", unassigned_only=True)["issue_ids"][:2]
    name = next(iter(dict(view.rows("developers"))))
    repos.assign_issues(view, [first], name)
    with pytest.raises(ToolError, match=f"{first} is already assigned to {name}"):
        repos.assign_issues(view, [second, first], name)
    with pytest.raises(ToolError, match=f"{second} is not assigned to anybody"):
        repos.unassign_issues(view, [first, second])
    assert repos.unassign_issues(view, [first])["former"] == [name]


def test_builds_are_sorted_by_state(view: View) -> None:
    commit_ids = repos.recent_commits(view, "harbor-api", limit=12)["commit_ids"]
    told = repos.check_builds(view, commit_ids)
    assert sorted(told["passed"] + told["failed"] + told["running"]) == sorted(commit_ids)


def test_the_reviewer_has_the_most_commits_and_is_not_the_author(view: View) -> None:
    paths = repos.recent_commits(view, "harbor-api")["commits"][0]["paths"]
    told = repos.suggest_reviewers(view, paths)
    counts = [one["commits"] for one in told["reviewers"]]
    assert counts == sorted(counts, reverse=True)
    best = told["names"][0]
    assert best not in repos.suggest_reviewers(view, paths, best)["names"]
    with pytest.raises(ToolError, match=r"nobody owns the folder of 'harbor-api/none/a\.py'"):
        repos.suggest_reviewers(view, ["harbor-api/none/a.py"])


def test_a_release_raises_the_version_and_its_withdrawal_lowers_it(view: View) -> None:
    first, second, *_ = passing(view)
    major = repos.cut_release(view, first["commit_id"], "major")
    assert major["version"].endswith(".0.0")
    with pytest.raises(ToolError, match=f"{first['commit_id']} is released already"):
        repos.cut_release(view, first["commit_id"], "patch")
    patch = repos.cut_release(view, second["commit_id"], "patch")
    assert patch["previous"] == major["version"]
    with pytest.raises(ToolError, match=f"{major['release_id']} is not the latest release"):
        repos.withdraw_release(view, major["release_id"])
    repos.withdraw_release(view, patch["release_id"])
    assert repos.withdraw_release(view, major["release_id"])["version"] == major["previous"]


def test_only_a_passed_build_is_released(view: View) -> None:
    row = next(row for row in view.values("commits") if row["build"] == "failed")
    with pytest.raises(ToolError, match=f"{row['commit_id']} has not passed, it is 'failed'"):
        repos.cut_release(view, row["commit_id"], "minor")
