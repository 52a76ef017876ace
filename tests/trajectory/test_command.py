import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import pytest

from trajectory.command import parser, run
from trajectory.files import InputError

ROOT = Path(__file__).parents[2]
FULL_DISK = Path("/dev/full")


def exit_code(result: int | BaseException | None) -> object:
    def main(arguments: Sequence[str] | None) -> int | None:
        assert arguments is None
        if isinstance(result, BaseException):
            raise result
        return result

    with pytest.raises(SystemExit) as caught:
        run(main)
    return caught.value.code


@pytest.mark.parametrize(("result", "code"), [(None, 0), (0, 0), (1, 1), (SystemExit(3), 3)])
def test_result_of_main_is_the_exit_code(result: int | BaseException | None, code: int) -> None:
    assert exit_code(result) == code


def test_input_error_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(InputError("wrong", file="a.jsonl", line=3)) == 2
    assert capsys.readouterr() == ("", "a.jsonl:3: wrong\n")


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (FileNotFoundError(2, "No such file", "a.json"), "a.json: No such file"),
        (OSError("no route\nto host"), "no route to host"),
        (TimeoutError(), "TimeoutError"),
    ],
)
def test_os_error_is_one_line(
    error: OSError, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(error) == 2
    assert capsys.readouterr().err == line + "\n"


def test_interrupt_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(KeyboardInterrupt()) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_closed_pipe_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(BrokenPipeError()) == 141
    assert capsys.readouterr() == ("", "")


def test_bug_keeps_its_traceback() -> None:
    def main(arguments: Sequence[str] | None) -> int | None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(main)


def python(
    code: str, stdout: int | IO[bytes] = subprocess.PIPE, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    script = f"from trajectory.command import run\n{code}"
    return subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=env,
        stdout=stdout,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )


def test_reader_that_goes_away_ends_the_command_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    for printed in ("'x' * 100_000", "'x'"):
        done = python(f"run(lambda _: print({printed}))", stdout=writing)
        assert (done.returncode, done.stderr) == (141, "")
    os.close(writing)


@pytest.mark.skipif(not FULL_DISK.exists(), reason="no /dev/full here")
def test_output_that_can_not_be_written_is_one_line() -> None:
    with FULL_DISK.open("wb") as full:
        done = python("run(lambda _: print('x'))", stdout=full)
    assert (done.returncode, done.stderr) == (2, "[Errno 28] No space left on device\n")


def test_closed_output_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(SystemExit) as left:
        run(lambda _: print("nobody reads this"))
    assert left.value.code == 0


def test_endless_wrong_option_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    made = parser("eval.x", None, ())
    made.add_argument("--count", type=int)
    with pytest.raises(SystemExit):
        made.parse_args(["--count", "9" * 5000])
    assert len(capsys.readouterr().err) < 600


def test_output_is_utf8_in_any_locale() -> None:
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    text = "städte 结果 \ud800"
    done = python(f"run(lambda _: print({text!a}))", env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, "städte 结果 \\ud800\n", "")


EXAMPLES = ["python -m eval.e5 runs/a", "python -m eval.e5 answers.jsonl --json"]


def test_help_is_doc_then_options_then_examples(capsys: pytest.CaptureFixture[str]) -> None:
    command = parser("eval.e5", "What E5 is.\n\n    Its range: 100% of all.\n    ", EXAMPLES)
    command.add_argument("--json", action="store_true", help="print JSON")
    with pytest.raises(SystemExit) as caught:
        command.parse_args(["--help"])
    text = capsys.readouterr().out
    assert caught.value.code == 0
    assert text.startswith("usage: python -m eval.e5")
    assert text.index("What E5 is.\n\nIts range: 100% of all.") < text.index("print JSON")
    assert text.endswith("Examples:\n  " + "\n  ".join(EXAMPLES) + "\n")


@pytest.mark.parametrize("wrong", [["--js"], ["--none"], ["--level"], ["--level", "a\nb"]])
def test_wrong_option_is_one_line(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    command = parser("eval.e5", "What E5 is.", EXAMPLES)
    command.add_argument("--json", action="store_true")
    command.add_argument("--level", type=int)
    with pytest.raises(SystemExit) as caught:
        command.parse_args(wrong)
    assert caught.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("python -m eval.e5: ")
    assert line.endswith("(see --help)")
