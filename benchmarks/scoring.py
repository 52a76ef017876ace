"""Time of scoring a large run, against parsing the same file with json.loads line by line.

    python benchmarks/scoring.py [ROWS]

Makes a dataset and a results file of realistic size in a temporary folder (10,626 rows unless
told otherwise; plans of 5 to 17 nodes, ten rounds, each with a later answer; every second row
reaches its goal), then prints the ratio of scoring to parsing, the seconds of the intervals
alone, and the peak memory of scoring. Seconds are those of the processor, the least of three
turns, so that other load on the machine says little.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import pararecover
from build.dataset import write_config
from build.gold import Gold
from build.seeds.compose import Stream
from models.contents import Diagnosis
from models.reading import write_answer
from trajectory.calls import write_calls
from trajectory.error_types import ErrorType
from trajectory.files import write_json, write_jsonl
from trajectory.instance import Instance
from trajectory.plan import write_plan

ROOT = Path(__file__).parents[1]
_TASKS = 80
_ROUNDS = 10
_TURNS = 3


def main(rows: int) -> None:
    """Make the files, score them in a process of its own, print."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        _make(folder, rows)
        size = (folder / "run" / "results.jsonl").stat().st_size / 1e6
        command = [sys.executable, __file__, "--score", str(folder)]
        done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
        parsing, scoring, intervals, peak = map(float, done.stdout.split())
    print(f"{rows} rows, {size:.0f} MB: parsing {parsing:.2f} s, scoring {scoring:.2f} s")
    print(f"ratio {scoring / parsing:.2f}")
    print(f"intervals {intervals:.2f} s, peak memory {peak:.0f} MB")


def _make(folder: Path, rows: int) -> None:
    golds = [one.gold for one in islice(Stream(7, 2), _TASKS)]
    instances = [_instance(golds[number % _TASKS], number) for number in range(rows)]
    write_config(folder / "data", "level1", "test", instances)
    digest = pararecover.Shelf("level1", "test", folder / "data").digest
    manifest = {
        "schema": 1, "agent": "scripted:made_up", "task": "recovery", "config": "level1",
        "split": "test", "edition": "benchmark", "dataset_hash": digest, "samples": 1,
        "selection": {"whole": True, "ids": [one.id for one in instances]},
        "code_version": "0",
    }  # fmt: skip
    write_json(folder / "run" / "run.json", manifest)
    made = (
        _row(one, golds[number % _TASKS], reached=number % 2 == 0)
        for number, one in enumerate(instances)
    )
    write_jsonl(folder / "run" / "results.jsonl", made)


def _instance(gold: Gold, number: int) -> Instance:
    """Return a task after its first round."""
    kind = list(ErrorType)[number % 14].value
    cause = {"type": kind, "root_cause": gold.plan.nodes[1].id}
    return Instance(
        id=f"L1-mad-{number:06d}", level=1, source="augmented", agent="", edition="benchmark",
        query_id=f"T-{number // 7}", query=gold.query, tools=gold.tools,
        plan=write_plan(gold.plan), tool_results=write_calls(gold.calls[0]), history=[],
        rounds_gt=gold.rounds_gt, calls_gt=gold.calls_gt, rounds_opt=gold.rounds_gt,
        calls_opt=gold.calls_gt, error_types=(kind,), error_reason="", errors=[cause], repairs=[],
        gold_plan=write_plan(gold.plan), goal=gold.goal, faults=[], environment=gold.origin,
        proof="full",
    )  # fmt: skip


def _row(instance: Instance, gold: Gold, *, reached: bool) -> dict[str, Any]:
    rounds = list(_rounds(gold))
    return {
        "id": instance.id, "sample": 0, "outcome": "ok", "raw_output": _answer(gold, 0),
        "thought": "", "diagnosis": [], "plan": instance.plan, "how": "tagged", "reason": None,
        "rounds": rounds, "completed": True, "ending": "completed",
        "state": instance.goal["state"] if reached else "f" * 64,
        "usage": None, "cost": None, "seconds": 1.0,
    }  # fmt: skip


def _rounds(gold: Gold) -> Iterator[dict[str, Any]]:
    calls = write_calls(call for calls in gold.calls for call in calls)
    for number in range(1, _ROUNDS + 1):
        last = number == _ROUNDS
        answer = _answer(gold, number) if number > 1 else None
        made = [] if last else [calls[number % len(calls)]]
        yield {"round": number + 1, "answer": answer, "calls": made, "response": last}


def _answer(gold: Gold, number: int) -> str:
    diagnosis = Diagnosis(gold.plan.nodes[1].id, ErrorType.TIMEOUT.value, "It did not answer.")
    thought = f"After {number} rounds the plan can go on as it stands."
    return write_answer(thought, [diagnosis], gold.plan)


def _score(folder: Path) -> None:
    import pyarrow.parquet  # noqa: F401 - importing is not scoring

    from eval.results import read_run
    from eval.scoring import figures, score
    from eval.selection import declared

    run = read_run(folder / "run")
    if run.manifest is None:
        raise ValueError("the run was made with a manifest")
    manifest, parsing, scoring = run.manifest, [], []
    for _ in range(_TURNS):
        parsing.append(_seconds(lambda: _parse(run.results)))
        scoring.append(_seconds(lambda: score(run, declared(manifest, folder / "data"))))
    table = score(run, declared(manifest, folder / "data"))
    intervals = _seconds(lambda: figures(table))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(min(parsing), min(scoring), intervals, peak)


def _parse(path: Path) -> None:
    with path.open(encoding="utf-8") as file:
        for line in file:
            json.loads(line)


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    if sys.argv[1:2] == ["--score"]:
        _score(Path(sys.argv[2]))
    else:
        main(int((sys.argv[1:] or ["10626"])[0]))
