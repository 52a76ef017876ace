import pytest

from trajectory.failures import tells_failure, text_failed

FAILURES = """
Error: the page has moved
ERROR
ERROR - connection refused
[ERROR] disk full
❌ Error: no answer
Error. Nothing was returned
Error 404: not found
Error (404): not found
Error occurred while sending
An error occurred while sending
Error calling tool
TypeError: must be a text
TimeoutError: no frame in 30 s
requests.exceptions.ConnectionError: refused
Exception: bad input
Traceback (most recent call last):
Internal server error
API Error: quota used up
HTTP error 404
HTTP 500
404 Not Found
500 Internal Server Error
Timeout
Timeout: no answer in 30 s
Timeout error: no answer
Request timeout.
Request timed out after 30 seconds
The request timed out.
The enhancement timed out after 30 seconds.
The server did not respond within 30 s.
Connection refused
Connection reset by peer
Service unavailable
Service temporarily unavailable. Try later
Access denied
Permission denied: /etc
Unauthorized
Tool 'x' not found
Tool not found: x
Tool x does not exist
Tool 'x' is not a valid tool.
Unknown tool 'x'
Failed to open the door
Failed: no paper
Tool call failed: no paper
Execution failed
Mail delivery failed: no recipient
Unable to fetch the page
Could not connect to the host
Cannot read the section
Invalid parameter 'x'
Invalid argument format. Expected an object
Missing required parameter 'x'
Result: Error: none came
错误
错误：参数不对
错误: 参数不对
错误，参数不对
错误（404）
错误代码：404
超时错误：无响应
参数错误：缺少城市
系统异常：重启中
工具调用失败：网络中断
工具调用超时，请稍后重试
工具open_door调用失败：没电
工具 'x' 不存在
未知工具：x
未找到工具 x
调用失败
失败：没电
出错：没电
执行出错
请求超时，请稍后重试
连接超时
获取数据失败：没电
邮件发送失败。
预订失败，座位已满
无法获取天气
抱歉，无法完成
缺少必要参数 'x'
结果：错误：没有座位
结果返回错误：没有座位
"""

SUCCESSES = """
Sent
12
No errors found.
No error
0 errors
Errors: 0
Error: none
Errors: no errors in 4 files
Error rate: 2%
Error-free build.
Error log saved to /tmp/x
Error handling guide published.
Found 3 tickets: 'Error: login', 'Timeout error'
'Error: login' is the title of ticket 7
Successfully fixed the error: restart
The failed login was reset.
Failed logins: 3
No tests failed.
All tests passed; none failed.
2 of 10 tests failed: a, b
Tests that failed: a
Timeout set to 30 seconds.
Successfully sent. 0 failed.
No results found
No flights match.
Tool box 7 holds a hammer
Function room booked
Service booked for Monday
The service desk is open
Request received; it never timed out before
Process finished
Exceptional weather today
Exception list updated
Invalid entries removed: 3
Missing person report filed
Cannot be combined with other offers.
The call with Ana is set; the last one failed to start
Connection established to 192.168.1.10
未发现错误。
无错误
没有错误
没有失败的任务
错误：无
错误率：2%
错误日志已保存
失败次数：0
登录失败次数为0
超时时间已设为30秒
超时订单已处理
异常检测完成
成功：菜已做好
工具调用成功。洋葱已翻炒
成功获取名单：[]
"""


def lines(text: str) -> list[str]:
    return text.strip().split("\n")


@pytest.mark.parametrize("text", lines(FAILURES))
def test_prose_that_reports_a_failure(text: str) -> None:
    assert text_failed(text)


@pytest.mark.parametrize("text", lines(SUCCESSES))
def test_prose_that_only_speaks_of_failures(text: str) -> None:
    assert not text_failed(text)


def test_a_long_text_is_judged_by_its_beginning_and_at_once() -> None:
    assert not text_failed("the " * 200_000 + "request timed out")
    assert not text_failed("a" * 1_000_000)


@pytest.mark.parametrize(
    "value",
    [
        {"error": "no such city"},
        {"Error": {"code": 4}},
        {"error": True},
        {"error": 404},
        {"错误": "没有座位"},
        {"isError": True, "content": []},
        {"status": "error", "ticket": 4},
        {"status": "ERROR"},
        {"status": "failed", "message": "no seats"},
        {"status": "timeout"},
        {"success": False, "message": "no seats"},
        {"success": "false"},
        {"result": "Error: no seats"},
        {"result": {"error": "no seats"}},
        [{"error": "no seats"}, {"error": "no seats"}],
    ],
)
def test_structures_that_report_a_failure(value: object) -> None:
    assert tells_failure(value)


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"matches": [], "count": 0},
        {"error": None, "city": "Rome"},
        {"error": "", "city": "Rome"},
        {"error": False},
        {"error": "none"},
        {"ticket": {"title": "Error: login", "status": "error"}},
        {"title": "Error: login"},
        {"tickets": [{"error": "login"}]},
        {"payment_id": "p-4", "status": "failed"},
        {"success": True, "message": "Error page renamed"},
        {"status": "success"},
        {"sufficient_water": False},
        [{"error": "no seats"}, {"seat": 4}],
        ["Error: login", "Error: logout"],
        0,
        False,
    ],
)
def test_structures_that_only_hold_such_words(value: object) -> None:
    assert not tells_failure(value)
