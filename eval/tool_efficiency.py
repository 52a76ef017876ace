"""Tool-use efficiency: calls needed against calls made in all, 0 where not passed.

The paper gives figures without a formula; the formula is ours (metrics.md).
"""

from collections.abc import Sequence
from typing import Final

from eval import commands
from trajectory import command

METRICS: Final = ("tool_efficiency", "verified_tool_efficiency")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    return commands.one_metric("eval.tool_efficiency", __doc__, METRICS, arguments)


if __name__ == "__main__":
    command.run(main)
