"""What every ``python -m`` command has in common: its help, its errors and its exit code."""

import argparse
import contextlib
import inspect
import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from trajectory.files import InputError, one_line, shortened

_WRONG_INPUT = 2
_INTERRUPTED = 130
_READER_GONE = 141
_MESSAGE = 500


def run(main: Callable[[Sequence[str] | None], int | None]) -> NoReturn:
    """Call ``main(None)`` and leave with its exit code, 0 for None; output is UTF-8 everywhere.

    An InputError or OSError becomes one line on stderr and exit code 2. Ctrl-C exits with 130
    and a closed pipe, as of ``| head``, quietly with 141, as shells count them. Anything else
    is a bug of ours and keeps its traceback.
    """
    _write_utf8()
    try:
        try:
            code = main(None) or 0
        finally:
            _flush()
    except BrokenPipeError:
        code = _READER_GONE
    except InputError as error:
        code = _failed(str(error), _WRONG_INPUT)
    except OSError as error:
        code = _failed(_said(error), _WRONG_INPUT)
    except KeyboardInterrupt:
        code = _failed("interrupted", _INTERRUPTED)
    sys.exit(code)


def parser(module: str, doc: str | None, examples: Sequence[str]) -> argparse.ArgumentParser:
    """Return a parser for ``python -m module`` whose help is `doc`, the options, the examples.

    `doc` is the module's docstring, `examples` are whole command lines. A wrong option exits
    with code 2 and one line on stderr; options can't be abbreviated.
    """
    return _Parser(
        prog=f"python -m {module}",
        description=inspect.cleandoc(doc or ""),
        epilog="\n  ".join(["Examples:", *examples]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(_WRONG_INPUT, f"{self.prog}: {shortened(message, _MESSAGE)} (see --help)\n")


def _write_utf8() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _flush() -> None:
    # A command started with its output closed (>&-) has no stdout.
    flush = getattr(sys.stdout, "flush", None)
    if flush is None:
        return
    try:
        flush()
    except OSError:
        # Python flushes once more at its end, and would complain there in words of its own.
        with contextlib.suppress(OSError), Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
        raise


def _failed(line: str, code: int) -> int:
    print(line, file=sys.stderr)
    return code


def _said(error: OSError) -> str:
    if error.filename is None or error.strerror is None:
        return one_line(str(error) or type(error).__name__)
    return one_line(f"{error.filename}: {error.strerror}")
