"""The invalid-DAG rate: the share of updated plans that break a rule of DAGs (lower is better).

Only the updated plan is judged; an answer in which no plan can be read counts as invalid. What
the input broke already counts too and is reported as inherited.
"""

from collections.abc import Sequence
from typing import Final

from eval import commands
from trajectory import command

METRICS: Final = ("invalid_dag",)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    return commands.one_metric("eval.invalid_dag", __doc__, METRICS, arguments)


if __name__ == "__main__":
    command.run(main)
