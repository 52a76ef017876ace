"""Is importing the release linear? Imports N and 10 N records of its format, prints the ratio.

Run from the project's root: ``python benchmarks/import_release.py [N]``. Every record is another
one (ten nodes, four of them executed, two last results), so that nothing is read from a cache.
Exit code 1 when ten times the records take more than twelve times the time.
"""

import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from build.release_import import read_release, write_configs

LIMIT: Final = 12
CHAIN: Final = 8


def main(arguments: Sequence[str]) -> int:
    """Time both imports; returns the exit code."""
    count = int(arguments[0]) if arguments else 500
    # What is imported, compiled and opened once belongs to neither.
    seconds(10)
    few, many = (min(seconds(number) for _ in range(2)) for number in (count, 10 * count))
    ratio = many / few
    print(f"{count} records: {few:.2f} s; {10 * count}: {many:.2f} s; ratio {ratio:.1f}")
    print(f"{1000 * many / (10 * count):.2f} ms a record; at most {LIMIT} times is linear")
    return int(ratio > LIMIT)


def seconds(count: int) -> float:
    """Return the processor time of an import of so many records: others' load does not count."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "data" / "LEVEL-1" / "LEVEL-1_real_rollout.jsonl"
        path.parent.mkdir(parents=True)
        lines = (json.dumps(record(number), ensure_ascii=False) for number in range(count))
        path.write_text("\n".join(lines), "utf-8")
        start = time.process_time()
        write_configs(folder / "pararecover", read_release(folder))
        return time.process_time() - start


def record(number: int) -> dict[str, Any]:
    """Return a record in the form of LEVEL-1_real_rollout."""
    tools = [tool(number, step) for step in range(1, CHAIN + 1)]
    plan = {"tasks": tasks(number)}
    return {
        "id": number,
        "query_id": number // 3,
        "query": f"Please carry out errand {number} for the depot, step by step.",
        "tool_list": json.dumps(tools),
        "plan": json.dumps(plan, ensure_ascii=False),
        "error_reason": f"节点6的参数类型错误（第{number}条）。",
        "funcall_times_gt": CHAIN,
        "round_gt": CHAIN + 1,
        "tag": "参数类型错误",
        "fun_call": [call(number, 5, "Error: Request timed out."), call(number, 6, "12 crates")],
    }


def tool(number: int, step: int) -> dict[str, Any]:
    """Return a tool in the release's flat form."""
    words = f"what step {step} of errand {number} is about"
    parameters = {
        "depot": {"type": "string", "description": words},
        "crates": {"type": "array", "items": {"type": "string"}, "description": words},
        "weight": {"type": "number", "description": words},
    }
    return {
        "name": f"step_{step}",
        "description": f"Does {words}.",
        "parameters": parameters,
        "required": ["depot"],
    }


def para(number: int, step: int) -> dict[str, Any]:
    """Return the arguments of a step."""
    crates = f"output_of_task{step - 1}" if step % 2 else [f"c{number}", "c2"]
    return {"depot": f"depot {number}", "crates": crates, "weight": 2.5 * step}


def tasks(number: int) -> list[dict[str, Any]]:
    """Return the nodes of a plan: root, steps of which half ran, response."""
    steps = [
        {
            "id": str(step),
            "name": f"step_{step}",
            "para": [para(number, step)] if step % 3 else para(number, step),
            "desc": f"步骤{step}。" + (f"结果：{number} crates" if step <= CHAIN // 2 else ""),
            "dep": [str(max(step - 2, 0) or "root")],
            "status": step <= CHAIN // 2,
        }
        for step in range(1, CHAIN + 1)
    ]
    root = {"id": "root", "desc": f"Errand {number}.", "dep": [], "status": True}
    ends = [str(CHAIN - 1), str(CHAIN)]
    response = {"id": "response", "desc": "分析总结，进行回复", "dep": ends, "status": False}
    return [root, *steps, response]


def call(number: int, step: int, results: str) -> dict[str, Any]:
    """Return a call of the last round."""
    return {"name": f"step_{step}", "arguments": para(number, step), "results": results}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
