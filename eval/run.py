"""Run an agent over instances: its answer to each snapshot, and the recovery it leads to.

Writes a run folder: run.json, answers.jsonl (each answer on arrival), results.jsonl (one row per
instance and sample). A run that was stopped is taken up where it was; a run with other settings
does not mix into the same folder.
"""

import datetime
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from eval.agents import Agent
from eval.journal import Journal, cut_torn_line, locked
from eval.planners import PLANNERS
from eval.results import ANSWERS, MANIFEST, RESULTS, Key, read_run
from eval.selection import Choice, Selection, select
from trajectory import canonical, command
from trajectory.files import InputError, read_json, write_json, write_jsonl
from trajectory.instance import Instance

VERSION: Final = "0.1.0"
LEVELS: Final = ("level1", "level2")

_EXAMPLES = (
    "python -m eval.run --agent carry_on --level level1 --out runs/carry_on",
    "python -m eval.run --agent blind_retry --level level2 --limit 5 --out runs/few",
    "python -m eval.run --agent carry_on --edition release --level level1 --out runs/release",
)

# What differs between two runs without making them two.
_UNCOMPARED: Final = ("started",)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _options(arguments)
    choice = Choice(
        config=options.config or config_of(options.level, options.edition),
        split=options.split,
        data=options.data,
        limit=options.limit,
        ids=_ids(options.ids),
        error_type=options.error_type,
        source=options.source,
    )
    folder: Path = options.out
    selection = select(choice)
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        task = "replan" if options.replan_only else "recovery"
        manifest = _manifest(f"scripted:{options.agent}", task, options.samples, selection)
        cut = _take_up(folder, manifest)
        done = {row.key for row in read_run(folder).rows()}
        new = _run(folder, options.agent, task, selection, options.samples, done)
        _sort(folder)
    report = {
        "run": str(folder),
        "rows": len(done) + new,
        "new": new,
        "skipped": len(done),
        "bytes_cut": cut,
    }
    if options.json:
        print(canonical.dumps(report))
    print(_said(report), file=sys.stderr)
    return 0


def config_of(level: str, edition: str | None) -> str:
    """Return the config of a level: ours, or that of an imported release."""
    return f"{level}_release" if edition == "release" else level


def _options(arguments: Sequence[str] | None) -> Any:
    parser = command.parser("eval.run", __doc__, _EXAMPLES)
    parser.add_argument("--agent", required=True, choices=sorted(PLANNERS), help="who answers")
    parser.add_argument("--out", required=True, type=Path, help="folder of the run")
    parser.add_argument("--level", choices=LEVELS, default="level1", help="default level1")
    parser.add_argument("--edition", choices=("release",), help="an imported edition")
    parser.add_argument("--config", help="any config of the dataset, instead of --level")
    parser.add_argument("--split", default="test", help="default test")
    parser.add_argument("--data", type=Path, help="the dataset's folder (default: pararecover)")
    parser.add_argument("--limit", type=int, help="run this many instances, chosen by their ids")
    parser.add_argument("--ids", help="ids separated by commas, or a file with one a line")
    parser.add_argument("--error-type", help="instances with this label only")
    parser.add_argument("--source", choices=("rollout", "augmented"), help="of this source only")
    parser.add_argument("--samples", type=int, default=1, help="answers per instance (default 1)")
    parser.add_argument("--replan-only", action="store_true", help="one answer, no recovery")
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")
    options = parser.parse_args(arguments)
    for name in ("limit", "samples"):
        value = getattr(options, name)
        if value is not None and value < 1:
            raise InputError(f"--{name} must be at least 1", got=value)
    return options


def _ids(given: str | None) -> list[str] | None:
    if given is None:
        return None
    if Path(given).is_file():
        given = Path(given).read_text(encoding="utf-8")
    return given.replace(",", " ").split()


def _manifest(agent: str, task: str, samples: int, selection: Selection) -> dict[str, Any]:
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return {
        "schema": 1,
        "agent": agent,
        "task": task,
        **selection.manifest(),
        "samples": samples,
        "parameters": {},
        "prompts": {},
        "code_version": VERSION,
        "started": now,
    }


def _take_up(folder: Path, manifest: Mapping[str, Any]) -> int:
    """Write the manifest, or hold it against the one that is there; mend what a crash tore.

    Raises InputError naming the first setting that differs. Returns the bytes cut off.
    """
    file = folder / MANIFEST
    if file.is_file():
        known = read_json(file)
        for key in sorted({*manifest, *known} - {*_UNCOMPARED}):
            if known.get(key) != manifest.get(key):
                raise InputError(
                    f"this folder holds a run with another {key}",
                    file=file,
                    got=manifest.get(key),
                    wanted=known.get(key),
                    do="take another --out, or the settings of that run",
                )
    else:
        write_json(file, manifest)
    (folder / RESULTS).touch()
    return sum(cut_torn_line(folder / name) for name in (RESULTS, ANSWERS))


def _run(
    folder: Path, agent: str, task: str, selection: Selection, samples: int, done: set[Key]
) -> int:
    """Answer what is not answered yet; returns how many rows were written."""
    from tqdm import tqdm

    from eval.recovery import recover

    keys = [(id, sample) for id in selection.ids for sample in range(samples)]
    due = [key for key in keys if key not in done]
    with Journal(folder / RESULTS) as results, Journal(folder / ANSWERS) as answers:
        for id, sample in tqdm(due, unit="instance", disable=None, file=sys.stderr):
            start = time.perf_counter()
            instance = selection.shelf[id]
            speaker = _Noted(PLANNERS[agent](instance), answers, instance, sample)
            row = recover(instance, speaker, replan_only=task == "replan")
            seconds = round(time.perf_counter() - start, 3)
            results.append(
                {"id": instance.id, "sample": sample, **row, "usage": None, "cost": None,
                 "seconds": seconds}
            )  # fmt: skip
    return len(due)


class _Noted:
    """An agent whose answers are written down as they arrive."""

    def __init__(self, agent: Agent, answers: Journal, instance: Instance, sample: int) -> None:
        self._agent = agent
        self._answers = answers
        self._key = {"id": instance.id, "sample": sample}
        self._asked = 0

    def answer(self, seen: Mapping[str, Any]) -> str | None:
        """Ask the agent and note what it says."""
        text = self._agent.answer(seen)
        self._asked += 1
        if text is not None:
            self._answers.append({**self._key, "asked": self._asked, "raw_output": text})
        return text


def _sort(folder: Path) -> None:
    """Order the rows by (id, sample), written aside and renamed; only where they are not yet."""
    keys = [row.key for row in read_run(folder).rows()]
    if keys != sorted(keys):
        write_jsonl(folder / RESULTS, _sorted_rows(folder))


def _sorted_rows(folder: Path) -> Iterator[Mapping[str, Any]]:
    rows = sorted(read_run(folder).rows(), key=lambda row: row.key)
    return (row.raw for row in rows)


def _said(report: Mapping[str, Any]) -> str:
    cut = f", {report['bytes_cut']} bytes of a torn line cut off" if report["bytes_cut"] else ""
    return (
        f"{report['new']} rows written, {report['skipped']} were there already{cut}; "
        f"{report['rows']} rows in {report['run']}"
    )


if __name__ == "__main__":
    command.run(main)
