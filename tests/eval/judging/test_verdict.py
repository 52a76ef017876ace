"""A judge's answer is read strictly: what has not one meaning is unscored, never 0 or 1."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.judging.verdict import read_verdict, schema

ITEMS = ("S1", "S2")


def told(score: Any, item: str = "S1") -> str:
    return json.dumps({item: {"reason": "so", "score": score}})


def score(text: str) -> float | None:
    return read_verdict(text, ITEMS).scores["S1"]


@pytest.mark.parametrize(
    ("given", "read"), [(0, 0.0), (0.5, 0.5), (1, 1.0), (1.0, 1.0), ("1", 1.0), (" 0.5 ", 0.5)]
)
def test_a_score_is_one_of_three(given: Any, read: float) -> None:
    assert score(told(given)) == read


@pytest.mark.parametrize(
    "wrong",
    ["1 / 0.5 / 0", 0.7, True, False, "N/A", "", None, -1, 2, 10, [1], {"score": 1}, "one", "1/2"],
)
def test_what_is_none_of_the_three_is_unscored(wrong: Any) -> None:
    verdict = read_verdict(told(wrong), ITEMS)
    assert verdict.scores == {"S1": None, "S2": None}
    assert "none of 0, 0.5, 1" in verdict.problems["S1"]


def test_a_missing_item_is_unscored_and_the_others_are_not() -> None:
    verdict = read_verdict(told(1), ITEMS)
    assert verdict.scores == {"S1": 1.0, "S2": None}
    assert verdict.problems == {"S2": "missing"}
    assert not verdict.whole


def test_an_item_without_a_score_is_unscored() -> None:
    assert read_verdict('{"S1": {"reason": "good"}}', ITEMS).problems["S1"] == "no score"


@pytest.mark.parametrize(
    "text",
    [
        "Here is my verdict: {} I hope that helps.",
        "```json\n{}\n```",
        "The plan {{is}} sound.\n\n{}",
        '<think>{{"S1": {{"score": 0}}}}</think>{}',
        'I thought of {{"S1": {{"score": 0}}}} first</think>\n{}',
    ],
)
def test_prose_fences_and_thinking_are_passed_over(text: str) -> None:
    assert score(text.format(told(1))) == 1.0


@pytest.mark.parametrize(
    "text", ["", "S1: 1", "1", "[1, 1]", '{"score": 1}', "{" * 5000, '{"S1": {"score": 1}', "nan"]
)
def test_what_holds_no_verdict_is_unscored(text: str) -> None:
    assert score(text) is None


def test_an_item_scored_twice_and_not_alike_is_unscored() -> None:
    assert score(told(1) + told(0)) is None
    assert score('{"S1": 1, "S1": 0}') is None
    assert score('{"S1": {"score": 1, "score": 0}}') is None
    assert score(told(1) + told(1)) == 1.0


def test_the_form_of_the_prompt_repeated_scores_nothing() -> None:
    from eval.judging.prompts import form

    assert read_verdict(form(ITEMS), ITEMS).read == 0


def test_reasons_are_kept() -> None:
    assert read_verdict(told(0.5), ITEMS).reasons == {"S1": "so"}


def test_the_schema_takes_what_is_read() -> None:
    from jsonschema import Draft202012Validator

    valid = Draft202012Validator(schema(ITEMS)).is_valid
    entry = {"reason": "so", "score": 0.5}
    assert valid(dict.fromkeys(ITEMS, entry))
    assert not valid({"S1": entry})
    wrong = {**entry, "score": 0.7}
    assert not valid({"S1": entry, "S2": wrong})


@given(st.text(alphabet=st.sampled_from('{}[]":,S12score0.5 \n<think>')))
def test_reading_never_raises(text: str) -> None:
    assert read_verdict(text, ITEMS).scores.keys() == set(ITEMS)
