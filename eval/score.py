"""Score a run: every metric that needs no judge, in one pass over its rows.

Takes a run folder, or a JSON Lines file with an id and an answer's text in each line. Figures
are in percent with 95% intervals, over the declared selection: per error type, per source, and
for all.
"""

from collections.abc import Sequence
from pathlib import Path

from eval import commands
from trajectory import command

_EXAMPLES = (
    "python -m eval.score runs/carry_on",
    "python -m eval.score runs/carry_on --json",
    "python -m eval.score runs/carry_on --out scores.json",
    "python -m eval.score answers.jsonl --level level1",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = commands.parser("eval.score", __doc__, _EXAMPLES)
    parser.add_argument("--out", type=Path, help="write the figures to this JSON file too")
    options = parser.parse_args(arguments)
    table = commands.scored(options)
    commands.show(options, table, None)
    if options.out:
        from eval.scoring import figures, notes, to_record
        from trajectory.files import write_json

        rows = [to_record(one, table) for one in figures(table)]
        write_json(options.out, {"figures": rows, "notes": notes(table)})
    return 0


if __name__ == "__main__":
    command.run(main)
