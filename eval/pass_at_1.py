"""Pass@1: whether the response was completed within 40 rounds; verified: and the goal reached.

The paper's Pass@1 asks for the response alone. Verified Pass@1 asks for every goal call, the
state of the world at the end, and no more than 3 × calls_gt + 10 calls.
"""

from collections.abc import Sequence
from typing import Final

from eval import commands
from trajectory import command

METRICS: Final = ("pass_at_1", "verified_pass_at_1")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    return commands.one_metric("eval.pass_at_1", __doc__, METRICS, arguments)


if __name__ == "__main__":
    command.run(main)
