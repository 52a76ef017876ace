"""The 14 types of errors, by the names that the released files made the field's terms."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Literal

Category = Literal["planning", "tool", "argument"]


class ErrorType(StrEnum):
    """The types, in the order in which tables list them."""

    SERIAL = "Serial_Error"
    PARALLELISM = "Parallelism_Error"
    DEPENDENCE = "Dependence_Error"
    DEPENDENCE_NULL = "Dependence_Null"
    TOOL_NAME = "Tool_name_Error"
    TOOL_SELECT = "Tool_select_Error"
    MISSING_CALL = "Toolcall_Missing"
    REDUNDANT_CALL = "Toolcall_Redundancy"
    NULL = "Null_Error"
    TIMEOUT = "Timeout_Error"
    PARAMETER_NAME = "Parameter_Error"
    PARAMETER_TYPE = "Type_Error"
    PARAMETER_INVALID = "Parameter_Invalid"
    PARAMETER_MISSING = "Parameter_Missing"


CATEGORIES: Final[tuple[Category, ...]] = ("planning", "tool", "argument")

CATEGORY: Final[Mapping[ErrorType, Category]] = {
    ErrorType.SERIAL: "planning",
    ErrorType.PARALLELISM: "planning",
    ErrorType.DEPENDENCE: "planning",
    ErrorType.DEPENDENCE_NULL: "planning",
    ErrorType.TOOL_NAME: "tool",
    ErrorType.TOOL_SELECT: "tool",
    ErrorType.MISSING_CALL: "tool",
    ErrorType.REDUNDANT_CALL: "tool",
    ErrorType.NULL: "tool",
    ErrorType.TIMEOUT: "tool",
    ErrorType.PARAMETER_NAME: "argument",
    ErrorType.PARAMETER_TYPE: "argument",
    ErrorType.PARAMETER_INVALID: "argument",
    ErrorType.PARAMETER_MISSING: "argument",
}
"""The category of each type.

The paper names the three categories (planning dependencies, tool selection, argument
matching); which type belongs to which is our reading, and is called so wherever it is shown.
"""

DESCRIPTION: Final[Mapping[ErrorType, str]] = {
    ErrorType.SERIAL: "a step runs beside or before the step whose result it needs; "
    "restore the edge to that producer",
    ErrorType.PARALLELISM: "independent steps are chained for no reason; drop the needless edge",
    ErrorType.DEPENDENCE: "an edge points to the wrong step, such as a failed one instead of its "
    "retry; point it to the right producer",
    ErrorType.DEPENDENCE_NULL: "a step that uses results does not wait for them; "
    "add the missing edge",
    ErrorType.TOOL_NAME: "the name is in no tool list; use the listed name",
    ErrorType.TOOL_SELECT: "a listed tool, but the wrong one; use the right tool and its arguments",
    ErrorType.MISSING_CALL: "a needed call is not in the plan; insert it and rewire",
    ErrorType.REDUNDANT_CALL: "a call that nothing needs, or a second one of the same; "
    "remove it if it has not run, and rewire",
    ErrorType.NULL: "the tool answered with nothing though the call is right; "
    "retry, at most three times, then fall back or report",
    ErrorType.TIMEOUT: "the tool did not answer in time though the call is right; "
    "retry, at most three times, then fall back or report",
    ErrorType.PARAMETER_NAME: "a right value stands under a name the tool does not have, or under "
    "none; use the schema's name",
    ErrorType.PARAMETER_TYPE: "a value has the wrong JSON type; give it in the schema's type",
    ErrorType.PARAMETER_INVALID: "a value of the right type is illegal or untrue; "
    "use the value from the request or an earlier result",
    ErrorType.PARAMETER_MISSING: "a required parameter is absent; add it with its value",
}

# By what the records show. Read literally, the two about order would be the other way round:
# 错误串行 tags independent steps that are chained, 错误并行 dependent steps side by side.
_CHINESE: Final[Mapping[str, ErrorType | None]] = {
    "错误并行": ErrorType.SERIAL,
    "错误串行": ErrorType.PARALLELISM,
    "依赖关系错误": ErrorType.DEPENDENCE,
    "依赖关系缺失": ErrorType.DEPENDENCE_NULL,
    "工具名称错误": ErrorType.TOOL_NAME,
    "工具选择错误": ErrorType.TOOL_SELECT,
    "必要工具缺失": ErrorType.MISSING_CALL,
    "工具调用冗余": ErrorType.REDUNDANT_CALL,
    "参数名称错误": ErrorType.PARAMETER_NAME,
    "参数类型错误": ErrorType.PARAMETER_TYPE,
    "参数值非法": ErrorType.PARAMETER_INVALID,
    "必要参数缺失": ErrorType.PARAMETER_MISSING,
    "其他错误类型": None,
}
_WRONG_ANSWER_TO_FAILURE: Final = "异常应对错误"
_ENGLISH: Final = {name.value.lower(): name for name in ErrorType}

_TIMED_OUT: Final = re.compile(
    r"time[d ]?[ -]?out|timeout|did not (?:respond|answer)|超时|无响应|未响应|没有响应",
    re.IGNORECASE,
)
_GAVE_NOTHING: Final = re.compile(
    r"""["']results["']\s*:\s*(?:""|''|null|None|\[\]|"\[\]"|"null"|"None")
    |\bnull\b|\bNone\b|\bempty\b|\b(?:returned|returns|got)\snothing\b|\bno\s(?:data|content)\b
    |为空|空值|空结果|空列表|空字符串|空数据|返回空|无返回|没有返回|未返回""",
    re.VERBOSE,
)


def from_release(tag: str, *, evidence: str = "") -> ErrorType | None:
    """Return the type that a tag of the release means, English or Chinese; None for "other".

    Tags are mapped by what the records show, not by their literal reading. 异常应对错误, a wrong
    answer to a tool's failure, is Null_Error where `evidence` (the texts of plan and calls)
    tells of an empty result and of no timeout, else Timeout_Error. Raises ValueError on a tag
    that the release does not have.
    """
    name = tag.strip()
    if name == _WRONG_ANSWER_TO_FAILURE:
        nothing = _GAVE_NOTHING.search(evidence) and not _TIMED_OUT.search(evidence)
        return ErrorType.NULL if nothing else ErrorType.TIMEOUT
    if name in _CHINESE:
        return _CHINESE[name]
    if name.lower() in _ENGLISH:
        return _ENGLISH[name.lower()]
    raise ValueError(f"{tag!r} is no error type of the release")
