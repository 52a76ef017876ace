"""Peak memory of running a model over many instances, against a few of them.

    python benchmarks/running.py [INSTANCES]

A server on the loopback answers each snapshot at once with its plan; `eval.run --model` is run over
100 instances and over all (10,626 unless told otherwise), one answer each, in processes of their
own. Printed are both peaks, their difference (wanted: 150 MB at most), and the rows per second.
"""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from build.dataset import write_config
from build.edition import SEED
from build.quotas import read_quotas, slots
from build.tasks import composed
from tests.models.provider import Act, Request, provider, says
from trajectory.instance import Instance

ROOT = Path(__file__).parents[1]
_TASKS = 24
_FEW = 100
_RUN = (
    "import resource, sys; from eval import run; run.main(sys.argv[1:]); "
    "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
)


def main(count: int) -> None:
    """Make the dataset, run both, print."""
    os.environ.setdefault("OPENAI_API_KEY", "sk-none")
    with tempfile.TemporaryDirectory() as place, provider(_shown, keep_alive=True) as server:
        folder = Path(place)
        write_config(folder / "data", "level1", "test", _instances(count))
        peaks = []
        for rows in (_FEW, count):
            started = time.perf_counter()
            options: list[Any] = ["--model", "openai/stub", "--api-base", server.base]
            options += ["--data", folder / "data", "--out", folder / f"run{rows}"]
            options += ["--limit", rows, "--replan-only", "--concurrency", 32]
            command = [sys.executable, "-c", _RUN, *map(str, options)]
            done = subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.PIPE, text=True)
            peaks.append(float(done.stdout))
            rate = rows / (time.perf_counter() - started)
            print(f"{rows} instances: peak {peaks[-1]:.0f} MB, {rate:.0f} rows/s")
    print(f"difference {peaks[1] - peaks[0]:.0f} MB")


def _shown(request: Request) -> Act:
    """Answer with the plan that was shown."""
    plan = request.said.partition("\nPlan:\n")[2].partition("\n\nResults of the last round")[0]
    return says(f"<thought>as it is</thought><plan>{plan}</plan>")


def _instances(count: int) -> list[Instance]:
    from build.edition import batches

    tasks = islice(composed(SEED, 2).of("test"), _TASKS)
    *_, edition = batches(tasks, slots(read_quotas(), SEED), 2, twins=False)
    real = [one for _, one in sorted(edition.instances.items())]
    return [
        replace(one, id=f"L1-big-{number:06}", level=1)
        for number, one in enumerate(islice(cycle(real), count))
    ]


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 10_626)
