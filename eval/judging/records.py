"""The lines of a file of judgements: what a judge gave one answer, and how it was asked.

A line is a row of scores (`eval.rubric`) with: answer (SHA-256 of the judged text), asked (judge,
parameters as sent, seed of the order), prompts (digests), unscored (why, by item), calls (of each
dimension: order of the items, raw texts, how they ended, usage, cost, seconds). An answer
without a plan has 0 in every item, outcome model_invalid, and no calls.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from eval.judging.asking import Call
from eval.rubric import DIMENSIONS, ITEMS, ScoreRow, read_scores
from trajectory import canonical
from trajectory.files import InputError

_PARTS: Final = ("scores", "reasons", "unscored")
_INVALID: Final = "model_invalid"

Key = tuple[str, int, int]


@dataclass(frozen=True)
class Asked:
    """Who judges and how: the same for every line of a file.

    rater: the judge's name, with what else makes another rater of it.
    """

    rater: str
    asked: Mapping[str, Any]
    prompts: Mapping[str, str]


def file_name(rater: str) -> str:
    """Return the name of a judge's file in a run folder."""
    return f"judgements-{re.sub(r'[^a-z0-9.]+', '-', rater.lower()).strip('-')}.jsonl"


def line_of(asked: Asked, key: Key, text: str, calls: Mapping[str, Call]) -> dict[str, Any]:
    """Return the line of an answer: the calls there are; items of others are unscored."""
    made = {name: calls[name] for name in DIMENSIONS if name in calls}
    scores, reasons, unscored = ({**_joined(made.values(), part)} for part in _PARTS)
    return {
        **_head(asked, key, text),
        "items": {item: scores.get(item) for item in ITEMS},
        "reasons": reasons,
        "unscored": unscored,
        "calls": {
            name: {part: one for part, one in call.items() if part not in _PARTS}
            for name, call in made.items()
        },
    }


def invalid_line(asked: Asked, key: Key, text: str) -> dict[str, Any]:
    """Return the line of an answer without a plan."""
    zeros = {"items": dict.fromkeys(ITEMS, 0.0), "reasons": {}, "unscored": {}, "calls": {}}
    return {**_head(asked, key, text), **zeros, "outcome": _INVALID}


def _head(asked: Asked, key: Key, text: str) -> dict[str, Any]:
    id, sample, repeat = key
    return {
        "id": id,
        "sample": sample,
        "rater": asked.rater,
        "repeat": repeat,
        "answer": canonical.text_digest(text),
        "asked": dict(asked.asked),
        "prompts": dict(asked.prompts),
    }


def _joined(calls: Iterable[Call], part: str) -> dict[str, Any]:
    found = {item: one for call in calls for item, one in call[part].items()}
    return {item: found[item] for item in ITEMS if item in found}


@dataclass(frozen=True)
class Known:
    """What a file of judgements holds already: lines by key, and the calls of each."""

    rows: Mapping[Key, ScoreRow]

    def calls(self, key: Key) -> dict[str, Call]:
        """Return the calls of an answer that need not be made again."""
        row = self.rows.get(key)
        if row is None:
            return {}
        sources = {"scores": row.items, "reasons": row.reasons, "unscored": row.raw["unscored"]}
        return {
            name: {
                **{
                    part: {item: some[item] for item in DIMENSIONS[name] if item in some}
                    for part, some in sources.items()
                },
                **call,
            }
            for name, call in row.raw["calls"].items()
        }

    def done(self, key: Key, dimensions: Sequence[str]) -> bool:
        """Say whether nothing more is to be asked about an answer."""
        row = self.rows.get(key)
        if row is None:
            return False
        return row.raw.get("outcome") == _INVALID or set(dimensions) <= row.raw["calls"].keys()


def read_known(file: Path, asked: Asked, answers: Mapping[tuple[str, int], str]) -> Known:
    """Return what a file holds; answers: texts by (id, sample).

    Raises InputError where it was made by another judge, by other prompts or parameters, or of
    other answers.
    """
    rows: dict[Key, ScoreRow] = {}
    for row in read_scores(file) if file.is_file() else ():
        _require_same(row, asked)
        text = answers.get((row.id, row.sample))
        if text is None or row.raw.get("answer") != canonical.text_digest(text):
            raise InputError(
                "another answer was judged than stands there",
                file=file,
                line=row.line,
                id=row.id,
                do="move the file away and judge anew",
            )
        rows[row.id, row.sample, row.repeat] = row
    return Known(rows)


def _require_same(row: ScoreRow, asked: Asked) -> None:
    wanted = {"rater": asked.rater, "asked": dict(asked.asked), "prompts": dict(asked.prompts)}
    for name, one in wanted.items():
        if not canonical.same(row.raw.get(name), one):
            raise InputError(
                f"these judgements were made with another {name}",
                file=row.file,
                line=row.line,
                got=one,
                wanted=row.raw.get(name),
                do="judge with the same settings, or move the file away",
            )
    if not isinstance(row.raw.get("calls"), dict) or not isinstance(row.raw.get("unscored"), dict):
        raise InputError("not a line of judgements", file=row.file, line=row.line, id=row.id)
