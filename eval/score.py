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
    from eval.scoring import figures, notes, to_record

    found = figures(table)
    commands.show(options, table, found)
    if options.out:
        from trajectory.files import write_json

        records = [to_record(one, table) for one in found]
        write_json(options.out, {"figures": records, "notes": notes(table)})
    return 0


if __name__ == "__main__":
    command.run(main)
