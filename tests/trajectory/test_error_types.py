import json
from collections import Counter
from pathlib import Path

import pytest

from trajectory.error_types import CATEGORIES, CATEGORY, DESCRIPTION, ErrorType, from_release
from trajectory.files import read_jsonl


def test_the_names_are_those_of_the_release_in_a_fixed_order() -> None:
    assert [str(name) for name in ErrorType] == [
        "Serial_Error",
        "Parallelism_Error",
        "Dependence_Error",
        "Dependence_Null",
        "Tool_name_Error",
        "Tool_select_Error",
        "Toolcall_Missing",
        "Toolcall_Redundancy",
        "Null_Error",
        "Timeout_Error",
        "Parameter_Error",
        "Type_Error",
        "Parameter_Invalid",
        "Parameter_Missing",
    ]


def test_every_type_has_a_category_and_one_line_of_description() -> None:
    assert list(CATEGORY) == list(DESCRIPTION) == list(ErrorType)
    assert Counter(CATEGORY.values()) == {"planning": 4, "tool": 6, "argument": 4}
    assert set(CATEGORY.values()) == set(CATEGORIES)
    assert len(set(DESCRIPTION.values())) == 14
    assert not any("\n" in line for line in DESCRIPTION.values())


def test_english_tags_are_the_names_themselves() -> None:
    for name in ErrorType:
        assert from_release(name.value) is name
        assert from_release(f" {name.value.lower()}\n") is name


def test_the_two_tags_about_order_are_mapped_by_meaning() -> None:
    assert from_release("错误串行") is ErrorType.PARALLELISM
    assert from_release("错误并行") is ErrorType.SERIAL


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("参数名称错误", "Parameter_Error"),
        ("参数类型错误", "Type_Error"),
        ("参数值非法", "Parameter_Invalid"),
        ("必要参数缺失", "Parameter_Missing"),
        ("必要工具缺失", "Toolcall_Missing"),
        ("工具调用冗余", "Toolcall_Redundancy"),
        ("工具名称错误", "Tool_name_Error"),
        ("工具选择错误", "Tool_select_Error"),
        ("依赖关系错误", "Dependence_Error"),
        ("依赖关系缺失", "Dependence_Null"),
    ],
)
def test_the_other_chinese_tags(tag: str, name: str) -> None:
    assert from_release(tag) == name


def test_other_is_no_type() -> None:
    assert from_release("其他错误类型") is None


@pytest.mark.parametrize(
    ("evidence", "name"),
    [
        ("", "Timeout_Error"),
        ("Error: connection refused", "Timeout_Error"),
        ("Error: Request timed out after 30 seconds", "Timeout_Error"),
        ("错误：工具调用超时", "Timeout_Error"),
        (json.dumps([{"name": "a", "arguments": {}, "results": ""}]), "Null_Error"),
        (json.dumps([{"name": "a", "arguments": {}, "results": None}]), "Null_Error"),
        (json.dumps([{"name": "a", "arguments": {}, "results": []}]), "Null_Error"),
        (str([{"name": "a", "results": ""}]), "Null_Error"),
        ("查询餐厅，返回为空", "Null_Error"),
        ("工具调用返回空值；重试后超时", "Timeout_Error"),
        ("在城市空间搜索公园", "Timeout_Error"),
    ],
)
def test_a_wrong_answer_to_a_failure_goes_by_the_evidence(evidence: str, name: str) -> None:
    assert from_release("异常应对错误", evidence=evidence) == name


def test_a_tag_that_the_release_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="'参数'"):
        from_release("参数")


def test_every_tag_of_the_sample_is_known(release_sample: Path) -> None:
    tags = [
        row[key]
        for path in sorted(release_sample.glob("data/*/*.jsonl"))
        for _, row in read_jsonl(path)
        for key in ("tag", "tag_1", "tag_2", "tag_3")
        if row.get(key)
    ]
    types = Counter(from_release(tag) for tag in tags)
    assert set(types) == set(ErrorType)
