"""Time of checking a run against scoring the same run.

    python benchmarks/checking.py [TASKS]

Builds a dataset of so many tasks in a temporary folder (12 unless told otherwise), runs the
oracle over its level 2, and prints the ratio of eval.checks to eval.score, how many rows a second
one process checks, and what 10,626 rows take in two. Seconds are those of the processor, the
least of three turns, so that other load on the machine says little.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from build.__main__ import main as build
from eval import run as eval_run
from eval.checks.running import check_run
from eval.results import read_run
from eval.scoring import figures, score
from eval.selection import declared

_TURNS = 3
_ROWS = 10_626


def main(tasks: int) -> None:
    """Make the run, score and check it, print."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        build(["--tasks", str(tasks), "--out", str(folder / "data")])
        out = folder / "run"
        data = str(folder / "data")
        eval_run.main(["--agent", "oracle", "--level", "level2", "--data", data, "--out", str(out)])
        run = read_run(out)
        assert run.manifest is not None
        selection = declared(run.manifest, folder / "data")
        rows = len(selection.ids)
        scoring = _least(lambda: figures(score(run, selection)))
        checking = _least(lambda: list(check_run(run, selection, folder / "data", processes=1)))
    print(f"{rows} rows: scoring {scoring:.2f} s, checking {checking:.2f} s")
    print(f"ratio {checking / scoring:.1f}")
    each = checking / rows
    print(f"{1 / each:.0f} rows a second; {_ROWS} rows in two processes: {each * _ROWS / 2:.0f} s")


def _least(work: Callable[[], object]) -> float:
    """Return the least processor time of some turns."""
    times = []
    for _ in range(_TURNS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 12)
