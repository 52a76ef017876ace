"""Records in every shape that the published release has, of our own writing.

`augmented`, `rollout1` and `rollout2` make the plainest record of each known file; `SHAPES` are
the odd ones, by name, each as the changes to a plain record.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

Record = dict[str, Any]

TOOLS: Final = [
    {
        "name": "find_boat",
        "description": "Finds boats for hire on a lake.",
        "parameters": {
            "lake": {"type": "string", "description": "The lake."},
            "seats": {"type": "number", "description": "Seats at least."},
        },
        "required": ["lake"],
    },
    {
        "name": "hireBoat",
        "description": "Hires a boat.",
        "parameters": {
            "boat": {"type": "object", "description": "The boat."},
            "days": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["boat", "days"],
    },
    {"name": "ListLakes", "description": "Lists the lakes.", "parameters": {}, "required": []},
]


def task(id: str, name: str, para: Any, desc: str, *dep: str, done: bool = False) -> Record:
    """Return a node of a plan."""
    return {"id": id, "name": name, "para": para, "desc": desc, "dep": list(dep), "status": done}


QUERY: Final = "Please hire us a boat for four on Lake Bled on Friday, and tell me the price.  "
ROOT: Final = task("root", "", {}, "Hire a boat for four on Lake Bled.", done=True)
LISTED: Final = task(
    "1", "ListLakes", {}, "List the lakes. Execution result: Bled, Bohinj", "root", done=True
)
FIND: Final = task("2", "find_boat", {"lake": "Bled", "seats": 4}, "Find a boat for four.", "1")
HIRE: Final = task(
    "3", "hireBoat", {"boat": "output_of_task2", "days": ["Friday"]}, "Hire it.", "2"
)
RESPONSE: Final = task("response", "", {}, "分析总结，进行回复", "3")
TASKS: Final = (ROOT, LISTED, FIND, HIRE, RESPONSE)
FOUND: Final = {
    "name": "find_boat",
    "arguments": {"lake": "Bled", "seats": 4},
    "results": "Error: Request timed out after 30 seconds.",
}


def plan(*tasks: Any) -> str:
    """Return the plan of a record: a JSON text."""
    return json.dumps({"tasks": list(tasks)}, ensure_ascii=False)


def augmented(number: int = 1, /, **changes: Any) -> Record:
    """Return a plain record as in LEVEL-1_augmented: texts all over, an English tag."""
    plain = {
        "id": number,
        "query_id": "4711",
        "tool_list": json.dumps(TOOLS),
        "query": QUERY,
        "funcall_times_gt": "3",
        "round_gt": "4",
        "tag": "Timeout_Error",
        "plan": plan(*TASKS),
        "fun_call": json.dumps([FOUND]),
    }
    return {**plain, **changes}


def rollout1(number: int = 1, /, **changes: Any) -> Record:
    """Return a plain record as in LEVEL-1_real_rollout: numbers, a Chinese tag and a reason."""
    plain = {
        "id": number,
        "query_id": 4711,
        "query": QUERY.strip(),
        "tool_list": json.dumps(TOOLS),
        "plan": plan(*TASKS),
        "error_reason": "节点2调用超时后，智能体未作处理。",
        "funcall_times_gt": 3,
        "round_gt": 4,
        "tag": "异常应对错误",
        "fun_call": [FOUND],
    }
    return {**plain, **changes}


def rollout2(number: int = 1422, /, **changes: Any) -> Record:
    """Return a plain record as in LEVEL-2_real_rollout: up to three tags."""
    plain = rollout1(number)
    del plain["tag"]
    return {**plain, "tag_1": "参数类型错误", "tag_2": "错误串行", "tag_3": None, **changes}


def with_task(id: str, /, **changes: Any) -> Record:
    """Return the change to a record whose plan has another node of this id."""
    return {"plan": plan(*({**one, **changes} if one["id"] == id else one for one in TASKS))}


def without(key: str, id: str = "2") -> Record:
    """Return the change to a record whose plan has a node of this id without a key."""
    tasks = [
        {name: value for name, value in one.items() if one["id"] != id or name != key}
        for one in TASKS
    ]
    return {"plan": plan(*tasks)}


def with_tool(**changes: Any) -> Record:
    """Return the change to a record whose first tool is another."""
    return {"tool_list": json.dumps([{**TOOLS[0], **changes}, *TOOLS[1:]])}


SHAPES: Final[Mapping[str, Record]] = {
    # tool_list
    "tools as a Python repr": {"tool_list": repr(TOOLS)},
    "two tools of one name": {
        "tool_list": json.dumps([*TOOLS, {**TOOLS[0], "parameters": {"name": {"type": "string"}}}])
    },
    "parameters called as keywords": with_tool(
        parameters={
            name: {"type": "string", "description": "A value."}
            for name in ("lake", "type", "name", "items", "required", "properties")
        }
    ),
    "required in a parameter": with_tool(
        parameters={"lake": {"type": "string", "required": True}}, required=None
    ),
    "an enum whose options stand in the prose": with_tool(
        parameters={"lake": {"type": "enum", "description": "'Bled' or 'Bohinj'"}}
    ),
    "an enum with values": with_tool(parameters={"lake": {"type": "enum", "values": ["Bled"]}}),
    "anyOf": with_tool(
        parameters={"lake": {"type": "anyOf", "anyOf": [{"type": "string"}, {"type": "number"}]}}
    ),
    "a JSON Schema": with_tool(
        parameters={"type": "object", "properties": {"lake": {"type": "string"}}}
    ),
    # plan
    "a wrapped plan": {
        "plan": json.dumps({"original_plan": plan(*TASKS), "error": "could not be changed"})
    },
    "a bare list": {"plan": json.dumps(list(TASKS))},
    "tasks as they are": {"plan": {"tasks": list(TASKS)}},
    "ids that are numbers": with_task("2", id=2),
    "ids of all kinds": {
        "plan": plan(
            ROOT,
            task("2.1", "ListLakes", {}, "List.", "root"),
            task("3-1", "ListLakes", {}, "List.", "2.1"),
            task("6A_pre", "ListLakes", {}, "List.", "3-1"),
            task("retry_find_boat", "find_boat", FIND["para"], "Find.", "6A_pre"),
            task("response", "", {}, "Reply.", "retry_find_boat"),
        )
    },
    "nodes in any order": {"plan": plan(RESPONSE, HIRE, ROOT, FIND, LISTED)},
    "no response": {"plan": plan(*TASKS[:-1])},
    "a root that calls": with_task("root", name="ListLakes"),
    "a response that calls": with_task("response", name="ListLakes"),
    "names of root and response": {
        "plan": plan({**ROOT, "name": "root"}, *TASKS[1:-1], {**RESPONSE, "name": "response"})
    },
    "no name": without("name"),
    "null as a name": with_task("2", name=None),
    "para as a list of one": with_task("2", para=[{"lake": "Bled", "seats": 4}]),
    "para as a list of a text": with_task("2", para=['{"lake": "Bled", "seats": 4}']),
    "para in parts": with_task("2", para=[{"lake": "Bled"}, {"seats": 4}]),
    "para as two calls": with_task("2", para=[{"lake": "Bled"}, {"lake": "Bohinj"}]),
    "para by position": with_task("2", para=["Bled", 4]),
    "para as pairs": with_task("2", para=["lake=Bled", "seats: 4"]),
    "para as an empty text": with_task("2", para="{}"),
    "para as an empty text in a list": with_task("2", para=["{}"]),
    "para empty": with_task("2", para=[]),
    "para null": with_task("2", para=None),
    "para missing": without("para"),
    "para as prose": with_task("2", para="the boat of 1 on Lake Bled"),
    "para broken": with_task("2", para='{"lake": "Bled", "seats"'),
    "para as the schema": with_task("2", para=TOOLS[0]["parameters"]),
    "a parameter beside para": with_task("2", seats=4),
    "first nodes without deps": with_task("1", dep=[]),
    "dep null": with_task("1", dep=None),
    "dep as a text": with_task("2", dep="1"),
    "a dep that is not there": with_task("2", dep=["1", "7"]),
    "a dep on itself": with_task("2", dep=["1", "2"]),
    "a circle": with_task("1", dep=["3"]),
    "one id twice": {"plan": plan(*TASKS[:3], {**HIRE, "id": "2"}, RESPONSE)},
    "executed behind a pending one": with_task("3", status=True),
    "a failed node that stays pending": with_task("2", desc="Find it. 错误：调用超时。"),
    "a response that is done": with_task("response", status=True),
    "the error told": with_task("3", desc="Hire it (Redundant step)."),
    # references
    "a reference as an object": with_task("3", para={"boat": {"id": "2"}, "days": ["Friday"]}),
    "a reference with output": with_task("3", para=[{"$ref": "2.output"}, ["Friday"]]),
    "a reference in Chinese": with_task("3", para={"boat": "任务2的返回结果", "days": ["周五"]}),
    "a bare reference": with_task("3", para={"boat": "2", "days": ["Friday"]}),
    "placeholders": with_task("3", para={"boat": "待填", "days": ["TBD"]}),
    # fun_call
    "last results as a text": {"fun_call": json.dumps([FOUND])},
    "no last results": {"fun_call": []},
    "the whole history": {
        "fun_call": [{"name": "ListLakes", "arguments": {}, "results": "Bled"}, FOUND]
    },
    "a call that is not in the plan": {"fun_call": [{**FOUND, "name": "findBoats"}]},
    "a call by position": {"fun_call": [{**FOUND, "arguments": ["Bled", 4]}]},
    "a call whose arguments are a text": {
        "fun_call": [{**FOUND, "arguments": '{"lake": "Bled", "seats": 4.0}'}]
    },
    "a call without a name": {"fun_call": [{**FOUND, "name": ""}]},
    "arguments that were repaired": {"fun_call": [{**FOUND, "arguments": {"lake": "Bled"}}]},
    "an empty result": {"fun_call": [{**FOUND, "results": ""}]},
    "a result in JSON": {"fun_call": [{**FOUND, "results": '[{"boat": "Ana", "seats": 4}]'}]},
    "a result as a Python repr": {"fun_call": [{**FOUND, "results": "[{'boat': None}]"}]},
    "a result as a number": {"fun_call": [{**FOUND, "results": "4"}]},
    "a failure in Chinese": {"fun_call": [{**FOUND, "results": "工具调用失败：网络错误"}]},
    "calls that are none": {"fun_call": "could not be called"},
    # labels and figures
    "gt unknown": {"round_gt": None, "funcall_times_gt": None},
    "gt as texts": {"round_gt": "4", "funcall_times_gt": "3"},
    "gt as prose": {"round_gt": "four", "funcall_times_gt": 0},
    "another type": {"tag": "其他错误类型"},
    "a tag that nobody knows": {"tag": "Weather_Error"},
    "a key that nobody knows": {"mood": "good"},
    "no tool list": {"tool_list": ""},
    "half a character": {"query": "A boat \ud83d please"},
    "signs of all kinds": {"query": "A boat 🚣 for “four” at 25 °C, 5 µm,\u2028and\u0000 more"},
}


def write_release(folder: Path, files: Mapping[str, Iterable[Any]]) -> Path:
    """Write files of the release below `folder`/data; a record, or the bytes of a whole line."""
    for name, records in files.items():
        level = name.partition("_")[0]
        path = folder / "data" / level / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(map(line, records)))
    return folder


def line(record: Any) -> bytes:
    """Return a line of a file; bytes are taken as they are."""
    return record if isinstance(record, bytes) else (json.dumps(record) + "\n").encode()
