import pytest

from build.leaks import leaks
from trajectory.plan import read_plan


def leaked(desc: str, *, done: bool = False, name: str = "find_boat", query: str = "") -> list[str]:
    task = {"id": "1", "name": name, "para": {}, "desc": desc, "dep": [], "status": done}
    return [words for _, words in leaks(read_plan([task]), query)]


@pytest.mark.parametrize(
    ("desc", "words"),
    [
        ("Find a boat (Redundant step).", "Redundant"),
        ("Find a boat, but incorrectly used a tool that lists lakes", "incorrectly"),
        ("Get the price, but parameters are missing.", "but parameters are missing"),
        ("Set the time, but the operation timed out.", "but the operation timed out"),
        ("查询船只（冗余步骤）", "冗余"),
        ("查询船只（故意缺少依赖）", "故意"),
        ("Find a boat. Error: no boat.", "Error: no boat."),
    ],
)
def test_a_desc_of_a_pending_call_that_gives_the_error_away(desc: str, words: str) -> None:
    assert leaked(desc) == [words]


@pytest.mark.parametrize(
    "desc", ["Find a boat for four.", "查询船只", "Retry to find a boat after the timeout.", ""]
)
def test_a_desc_that_says_what_the_call_does(desc: str) -> None:
    assert leaked(desc) == []


def test_the_result_of_an_executed_call_is_no_leak() -> None:
    assert leaked("Find a boat. Execution result: Error: invalid lake.", done=True) == []


def test_words_of_the_request_or_the_tool_are_the_tasks_own() -> None:
    assert leaked("Remove invalid mails.") == ["invalid"]
    assert leaked("Remove invalid mails.", name="find_invalid_mails") == []
    assert leaked("Remove invalid mails.", query="Remove invalid mails!") == []


def test_the_root_says_the_request() -> None:
    assert leaks(read_plan([{"id": "root", "desc": "Find the wrong entries."}]), "") == []
