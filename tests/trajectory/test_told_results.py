import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajectory.calls import call_outcome
from trajectory.told_results import take_apart, told_result


@pytest.mark.parametrize(
    ("desc", "call", "result"),
    [
        ("Fetch it. Execution result: 50 entries.", "Fetch it.", "50 entries."),
        ("Fetch it; Execution result: Error", "Fetch it;", "Error"),
        ("Take a photo, results: Error", "Take a photo,", "Error"),
        ('Look. Result obtained: {"a": 1}', "Look.", '{"a": 1}'),
        ("Make code. Output: <b>x</b>", "Make code.", "<b>x</b>"),
        ("测量长度，结果：2米", "测量长度，", "2米"),
        ("查询，返回结果：错误：请求超时。", "查询，", "错误：请求超时。"),
        ("查询，返回编号：['a1']", "查询，", "['a1']"),
        ("查询. 已完成: 三项", "查询.", "三项"),
        # The first marker counts: a result may hold another.
        ("Do it. Execution result: Done. Result: a bowl.", "Do it.", "Done. Result: a bowl."),
        # A marker behind which nothing stands tells nothing.
        ("生成总结，结果：", "生成总结，结果：", ""),
    ],
)
def test_a_result_behind_a_marker(desc: str, call: str, result: str) -> None:
    assert take_apart(desc) == (call, result)


@pytest.mark.parametrize(
    ("desc", "call", "result"),
    [
        ("Update 2.5 units. Error: timed out.", "Update 2.5 units.", "Error: timed out."),
        ("获取列表，错误：调用超时。请重试。", "获取列表，", "错误：调用超时。请重试。"),
        ("Weigh flour, Successfully weighed.", "Weigh flour,", "Successfully weighed."),
        ("加水。已加水。", "加水。", "已加水。"),
    ],
)
def test_a_result_without_a_marker(desc: str, call: str, result: str) -> None:
    assert take_apart(desc) == (call, result)


def test_what_can_not_be_told_apart_is_the_result_too() -> None:
    desc = "Find the nearest shop. The nearest shop is Green Cross."
    assert take_apart(desc) == (desc, "")
    assert told_result(desc) == desc


def test_a_failure_told_by_a_desc_is_one() -> None:
    assert call_outcome(told_result("Buy it. Error: sold out.")) == "failed"
    assert call_outcome(told_result("Buy it. Execution result: 1 piece.")) == "ok"
    assert call_outcome(told_result("")) == "empty"


@given(st.text())
def test_nothing_is_invented(desc: str) -> None:
    told = take_apart(desc)
    assert told.call in desc
    assert told.result in desc
