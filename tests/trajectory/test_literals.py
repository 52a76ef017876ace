import warnings
from typing import Any

import pytest

from trajectory.literals import parse


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1.5}', {"a": 1.5}),
        ("\ufeff[1]", [1]),
        ("{'a': None, 'b': (1, 2), 'c': True}", {"a": None, "b": [1, 2], "c": True}),
        (" ['x'] ", ["x"]),
        ("None", None),
        ("'quoted'", "quoted"),
        ("12", 12),
    ],
)
def test_json_and_python_literals(text: str, value: Any) -> None:
    assert parse(text) == value


@pytest.mark.parametrize(
    "text",
    ["", "prose", "1 apple", "[1, 2", "{'a': {1, 2}}", "[NaN]", "['a'] + ['b']", "[" * 10**5],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse(text)


def test_odd_escapes_warn_nobody() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert parse(r"['\d']") == [r"\d"]
