"""Planted answers that readers wrote, one JSON object a line.

{"id", "item", "score", "language", "thought", "diagnosis": [{"node", "type", "reason"}],
"tasks": [...], "change"}: an answer to the instance of that id, and the score that is right for
that item. `tasks` is the updated plan.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from eval.planted.answer import Planted
from eval.rubric import ITEMS, checked_score
from trajectory.files import AnyPath, InputError, read_jsonl

_LANGUAGES: Final = ("en", "zh")


def read_planted(path: AnyPath) -> Iterator[Planted]:
    """Yield the planted answers of a file.

    Raises InputError, with file and line, on what is none.
    """
    for line, value in read_jsonl(path):
        yield _planted(value, path, line)


def _planted(value: Any, file: AnyPath, line: int) -> Planted:
    if not isinstance(value, dict):
        raise InputError("not a planted answer", file=file, line=line, got=value)
    id = value.get("id")
    for name, kind in (("id", str), ("thought", str), ("tasks", list), ("change", str)):
        if not isinstance(value.get(name), kind):
            raise InputError(
                f"{name!r} is wrong",
                file=file,
                line=line,
                id=id,
                got=value.get(name),
                wanted={str: "a text", list: "a list"}[kind],
            )
    for name, options in (("item", ITEMS), ("language", _LANGUAGES)):
        if value.get(name) not in options:
            raise InputError(
                f"{name!r} is wrong",
                file=file,
                line=line,
                id=id,
                got=value.get(name),
                wanted=", ".join(options),
            )
    score = checked_score(value.get("score"), value["item"], file, line)
    if score is None:
        raise InputError("a planted answer without a score", file=file, line=line, id=id)
    body = {
        "thought": value["thought"],
        "diagnosis": value.get("diagnosis") or [],
        "tasks": value["tasks"],
    }
    text = json.dumps(body, ensure_ascii=False)
    return Planted(str(id), value["item"], score, value["language"], text, value["change"])
