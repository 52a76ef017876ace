"""E5: rounds needed against rounds used, 0 where the response was not completed.

Verified E5 counts against the proven optimum and only where the goal was reached. 18 rounds
against 6 are 33.3.
"""

from collections.abc import Sequence
from typing import Final

from eval import commands
from trajectory import command

METRICS: Final = ("e5", "verified_e5", "e5_as_published")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    return commands.one_metric("eval.e5", __doc__, METRICS, arguments)


if __name__ == "__main__":
    command.run(main)
