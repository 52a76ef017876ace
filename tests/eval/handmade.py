"""A task made by hand, and rows about it whose scores can be worked out in one's head.

A hotel is to be found and booked. The search timed out in the first round::

    root → 1 find(city) → 2 book(hotel, nights) → response

Three rounds and two calls from the start; four rounds and three calls once the search failed.
"""

import json
from pathlib import Path
from typing import Any

import pararecover
from build.dataset import write_config
from eval.results import read_run
from eval.scoring import Figure, Table, figures, score
from eval.selection import declared
from trajectory.instance import Instance

Row = dict[str, Any]

GOAL_STATE = "a" * 64
FOUND = {"hotel": "h1", "price": 25}
BOOKED = {"booking": "b1"}
TIMEOUT, INVALID = "Timeout_Error", "Parameter_Invalid"


def task(id: str, name: str | None, dep: list[str], *, status: bool = False, **para: Any) -> Row:
    return {"id": id, "name": name, "para": para, "desc": "", "dep": dep, "status": status}


ROOT = task("root", None, [], status=True)
FIND = task("1", "find", ["root"], city="Oslo")
RETRY = {**FIND, "id": "1b"}
DONE = {**FIND, "status": True}


def book(*dep: str) -> Row:
    return task("2", "book", list(dep), hotel={"$ref": dep[0], "path": "hotel"}, nights=2)


def response(*dep: str) -> Row:
    return task("response", None, list(dep))


SNAPSHOT = [ROOT, FIND, book("1"), response("2")]
RETRIED = [ROOT, DONE, RETRY, book("1b"), response("2")]
CARRIED_ON = [ROOT, DONE, book("1"), response("2")]
LOOPED = [ROOT, DONE, book("1", "2"), response("2")]


def call(node: str, name: str, arguments: Row, results: Any) -> Row:
    return {"node": node, "name": name, "arguments": arguments, "results": results}


FAILED_FIND = call("1", "find", {"city": "Oslo"}, {"error": "timed out"})
FIND_AGAIN = call("1b", "find", {"city": "Oslo"}, FOUND)
BOOK = call("2", "book", {"hotel": "h1", "nights": 2}, BOOKED)
FAILED_BOOK = call("2", "book", {"nights": 2}, {"error": "no hotel"})


def instance(id: str, query_id: str, *types: str, **more: Any) -> Instance:
    """Make an instance; a Timeout_Error lies at node 1, every other error at node 2."""
    errors = [{"type": kind, "root_cause": "1" if kind == TIMEOUT else "2"} for kind in types]
    goal_calls = [
        {"tool": one["name"], "arguments": one["arguments"], "counts": sorted(one["arguments"]),
         "result": one["results"]}
        for one in (FIND_AGAIN, BOOK)
    ]  # fmt: skip
    fields: dict[str, Any] = {
        "id": id, "level": 1, "source": "augmented", "agent": "", "edition": "handmade",
        "query_id": query_id, "query": "Book a hotel.", "tools": [],
        "plan": {"tasks": SNAPSHOT}, "tool_results": [FAILED_FIND], "history": [],
        "rounds_gt": 3, "calls_gt": 2, "rounds_opt": 4, "calls_opt": 3, "error_types": types,
        "error_reason": "", "errors": errors, "repairs": [], "gold_plan": None,
        "goal": {"calls": goal_calls, "state": GOAL_STATE}, "faults": [],
        "environment": {"worlds": [], "versions": [], "seed": 1}, "proof": "full",
    }  # fmt: skip
    return Instance(**{**fields, **more})


def answer(tasks: list[Row], *diagnosis: tuple[str, str]) -> str:
    named = [{"node": node, "type": kind, "reason": ""} for node, kind in diagnosis]
    return f"<plan>{json.dumps({'diagnosis': named, 'tasks': tasks})}</plan>"


def row(id: str, text: str, *rounds: list[Row] | None, state: str = GOAL_STATE) -> Row:
    """Make a row; a round is its calls, None the response's."""
    return {
        "id": id,
        "sample": 0,
        "raw_output": text,
        "rounds": [
            {"round": number, "answer": None, "calls": calls or [], "response": calls is None}
            for number, calls in enumerate(rounds, start=2)
        ]
        or None,
        "state": state,
    }


def retried(id: str, *diagnosis: tuple[str, str], book: Row = BOOK) -> Row:
    """Make a row that tries the search again and books: right, in as few rounds as can be."""
    return row(id, answer(RETRIED, *diagnosis), [FIND_AGAIN], [book], None)


def carried_on(id: str, *diagnosis: tuple[str, str]) -> Row:
    """Make a row that goes on: the booking fails, and the response answers all the same."""
    return row(id, answer(CARRIED_ON, *diagnosis), [FAILED_BOOK], None, state="b" * 64)


def looped(id: str) -> Row:
    """Make a row whose booking waits for itself: three idle rounds."""
    return row(id, answer(LOOPED), [], [], [], state="b" * 64)


def refused(id: str) -> Row:
    """Make a row without a plan."""
    return row(id, "I cannot help with that.")


def run_folder(folder: Path, instances: list[Instance], rows: list[Row], **manifest: Any) -> Path:
    """Write a dataset and a run over the whole of it; returns the run's folder."""
    write_config(folder / "data", "level1", "test", instances)
    told = {
        "schema": 1, "agent": "model:made_up", "task": "recovery", "config": "level1",
        "split": "test", "edition": instances[0].edition,
        "dataset_hash": pararecover.Shelf("level1", "test", folder / "data").digest,
        "selection": {"whole": True, "ids": [one.id for one in instances]}, "samples": 1,
        "code_version": "0", **manifest,
    }  # fmt: skip
    run = folder / "run"
    run.mkdir(exist_ok=True)
    (run / "run.json").write_text(json.dumps(told), "utf-8")
    write_rows(run, rows)
    return run


def write_rows(run: Path, rows: list[Row]) -> None:
    text = "".join(json.dumps(one) + "\n" for one in rows)
    (run / "results.jsonl").write_text(text, "utf-8")


def table_of(run: Path) -> Table:
    read = read_run(run)
    assert read.manifest is not None
    return score(read, declared(read.manifest, run.parent / "data"))


def by_group(table: Table) -> dict[tuple[str, str], Figure]:
    """Return the figures of a table by (group, metric)."""
    return {(one.group, one.metric): one for one in figures(table)}
