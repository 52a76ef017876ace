"""Whether what a tool returned tells of a failure, in a structure or in English or Chinese prose.

Only the outermost structure and the beginning of a text count: "no errors found" and a ticket
titled "Error: login" inside a result are the results of calls that went well.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

_ERROR_KEYS: Final = frozenset(
    (
        *("error", "Error", "ERROR", "error_message", "errorMessage", "exception", "Exception"),
        *("isError", "is_error", "错误", "错误信息"),
    )
)
_NO_ERROR: Final = frozenset(
    ("", "none", "null", "no", "no error", "no errors", "false", "0", "无", "没有", "无错误")
)
_FAILED: Final = frozenset(
    (
        *("fail", "failed", "failure", "timeout", "timed_out", "timed out"),
        *("失败", "错误", "超时", "异常"),
    )
)
# Beside one of these a failed status is the call's own; beside data it may be a thing's.
_ENVELOPE: Final = frozenset(
    (
        *("status", "message", "msg", "reason", "detail", "details", "code", "error_code"),
        *("data", "result", "results", "状态", "消息", "原因"),
    )
)
_WRAPPERS: Final = frozenset(
    ("result", "results", "output", "response", "message", "返回", "结果", "消息")
)


def tells_failure(value: Any) -> bool:
    """Say whether a parsed result is a failure: an object, a list of failed objects, a text."""
    if isinstance(value, dict):
        return _object_failed(value)
    if isinstance(value, list):
        # Texts inside a list are its data.
        return bool(value) and all(
            isinstance(item, dict) and _object_failed(item) for item in value
        )
    return isinstance(value, str) and text_failed(value)


def _object_failed(value: Mapping[Any, Any]) -> bool:
    for key in value:
        if key in _ERROR_KEYS and _is_error(value[key]):
            return True
    if _word(value.get("success")) == "false":
        return True
    status = _word(value.get("status", value.get("状态")))
    if status == "error" or (status in _FAILED and _ENVELOPE.issuperset(value)):
        return True
    if len(value) == 1 and not _WRAPPERS.isdisjoint(value):
        return tells_failure(next(iter(value.values())))
    return False


def _is_error(value: Any) -> bool:
    return _word(value) not in _NO_ERROR if isinstance(value, str) else bool(value)


def _word(value: Any) -> str:
    """Return a text or boolean in lower case, "" for anything else."""
    if isinstance(value, bool):
        return str(value).lower()
    return value.strip().lower() if isinstance(value, str) else ""


def text_failed(text: str) -> bool:
    """Say whether a prose result begins as the report of a failure."""
    start = _DRESS.sub("", text[:400], count=1)
    if _FINE.match(start):
        return False
    return any(pattern.match(start) for pattern in (_ENGLISH, _CHINESE))


# Brackets, bullets and signs in front, and a label such as "Result:".
_DRESS: Final = re.compile(
    r"""[^\w'"“‘]*
    (?:(?:(?:execution|tool|call|执行|调用|工具)\s*)?
       (?:results?|output|response|结果|返回)\s*(?:is|为|是|返回)?\s*[:：]\s*[^\w'"“‘]*)?""",
    re.VERBOSE | re.IGNORECASE,
)

# What begins with the word and says that there was none, or speaks of errors as its subject.
_FINE: Final = re.compile(
    r"""(?:errors?|错误|失败|异常|超时)\s*[:：]\s*
        (?:(?:none|no|null|nil|0|零|无|没有)\s*[.。]?\s*$|(?:no|没有)\s*(?:errors?|issues?|错误|失败))
    |error(?:-|\s+(?:rate|log|handling|message|margin|correction|report|bar))""",
    re.VERBOSE | re.IGNORECASE,
)

_END: Final = r"(?:$|\s*[:：.,;!\])(（\-—\n])"
_THING: Final = (
    r"(?:request|connection|operation|call|tool|tool\ call|api|api\ call|query|service|server"
    r"|gateway|process|execution|network|socket|read|function|response|invocation)"
)
_BEFORE_ERROR: Final = (
    r"(?:an?|the|internal|unexpected|unknown|fatal|critical|runtime|http|https|api|tool|type|value"
    r"|parameter|argument|validation|invalid|network|server|connection|timeout|time-?out|system"
    r"|request|service|authentication|authorization|permission|database|syntax|key|input|format"
    r"|parsing|parse|call|execution|client|schema)"
)

_ENGLISH: Final = re.compile(
    rf"""(?:{_BEFORE_ERROR}[ _-])*errors?(?:{_END}|\s+(?:\d|\[|occurr|while\b|when\b|in\b|from\b|
        executing|calling|fetching|processing|invoking|code\b))
    |[\w.]*[a-z](?:Error|Exception|Timeout)\b
    |exception(?:{_END}|\s+(?:occurr|while\b|in\b))
    |traceback\s\(most\srecent
    |(?:(?:the|your|this)\s)?(?:\w+\s)?{_THING}(?:\s[^.!?;,\n]*)?\s
        (?:timed[ ]?-?out|time[ ]out|timeout|did\snot\s(?:respond|answer)|
        (?:was\s|is\s|has\s)?(?:refused|reset|aborted|unreachable|failed)
        |(?:is\s)?(?:temporarily\s|currently\s)?unavailable)\b
    |the\s[^.!?;,\n]*\btimed\sout\b
    |(?:timeout|timed\sout|time\sout)(?:{_END}|\s+(?:error|after|while|when|waiting|expired|
        occurr|exceeded|reached))
    |(?:the\s)?(?:tool|function)\s(?:named\s|name\s)?\S+\s(?:was\s|is\s|does\s|could\s)?
        (?:not\b|unknown|invalid|undefined|unavailable|unrecogni[sz]ed)
    |(?:tool|function)\snot\s(?:found|available|defined|listed)
    |(?:unknown|undefined|unrecogni[sz]ed|no\ssuch|unsupported)\s
        (?:tool|function|parameter|argument)
    |failed(?:{_END}|\s+to\b)
    |(?!(?:no|none|not|never|nothing)\b)(?:(?!that\b|which\b|of\b)[a-z'’_-]+\s){{1,4}}
        failed(?:$|\s*[:.!](?!\s*\d)|\s(?:due|because|with)\b)
    |failure(?:$|\s*[:.!])
    |unable\sto\b
    |(?:cannot|can['’]?t|can\snot|could\snot|couldn['’]t)\s(?!be\b)
    |invalid\s(?:or\s\w+\s)?(?:\w+\s)?(?:parameter|argument|input|request|format|token|credential
        |api|json|value|tool|function)
    |missing\s(?:required\b|parameter|argument)
    |required\s(?:parameter|argument)\s\S+\s(?:is\s)?missing
    |(?:access|permission)\s(?:was\s)?denied
    |unauthori[sz]ed\b
    |(?:http\s(?:status\s|error\s)?)?[45]\d\d\s(?:not\sfound|internal|bad|forbidden|unauthori
        |service|too\smany|gateway|request)
    |http\s(?:status\s|error\s)?[45]\d\d\b""",
    re.VERBOSE | re.IGNORECASE,
)

_QUOTED_NAME: Final = r"""\s*['"“‘「`]?[A-Za-z0-9_.\-]+['"”’」`]?\s*"""
_CHINESE: Final = re.compile(
    rf"""(?:工具|函数|接口|api|请求|连接|网络|服务器?|系统|参数|类型|格式|名称|调用|执行|操作
        |运行|查询|获取|解析|读取|发送|访问|处理|结果|返回|出现|发生|内部|数据库|超时|失败|验证
        |校验|时|了)*
        (?:错误|失败|超时|异常|出错|报错)(?:代码|码|信息|提示)?(?:$|[\s:：，,。.！!；;（(])
    |[^无没未不零功\d\s，,。：:；;]{{0,12}}(?:失败|超时|出错)(?:$|[:：，,。！!；;])(?!\s*\d)
    |(?:工具|函数){_QUOTED_NAME}(?:调用|执行|请求)?\s*
        (?:失败|超时|出错|错误|不存在|未找到|找不到|不可用|无效|未定义|不在)
    |(?:未找到|找不到|没有找到|不存在|未知|无效)的?(?:工具|函数|参数)
    |(?:抱歉[，,]\s*)?无法
    |缺少(?:必要|必需|必填|所需)?的?参数
    |必[要需填]的?参数\S{{0,30}}缺失
    |参数\S{{0,30}}(?:无效|缺失|不合法|非法|类型不匹配)""",
    re.VERBOSE | re.IGNORECASE,
)
