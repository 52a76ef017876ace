"""Score a run: every metric that needs no judge, in one pass over its rows.

Takes a run folder, or a JSON Lines file with an id and an answer's text in each line. Figures
are in percent with 95% intervals, over the declared selection: per error type, per source, and
for all. Where the run was checked (eval.checks) or judged (eval.sde), the rubric's dimensions S, D
and E and their mean stand beside, checked and judged apart, with what is unscored.
"""

from collections.abc import Sequence
from pathlib import Path

from eval import commands
from trajectory import command

_EXAMPLES = (
    "python -m eval.score runs/carry_on",
    "python -m eval.score runs/carry_on --json",
    "python -m eval.score runs/carry_on --out scores.json",
    "python -m eval.score runs/carry_on --items",
    "python -m eval.score answers.jsonl --level level1",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = commands.parser("eval.score", __doc__, _EXAMPLES)
    parser.add_argument("--out", type=Path, help="write the figures to this JSON file too")
    parser.add_argument("--items", action="store_true", help="show each item of the rubric too")
    parser.add_argument("--judge", metavar="NAME", help="of several judges the one that counts")
    options = parser.parse_args(arguments)
    table = commands.scored(options, options.judge)
    from eval.scoring import ITEM_METRICS, figures, notes, to_record

    found = figures(table)
    if options.items:
        found += [one for one in figures(table, ITEM_METRICS) if one.group == "all"]
    commands.show(options, table, found)
    if options.out:
        from trajectory.files import write_json

        records = [to_record(one, table) for one in found]
        raters = {how: one.to_record() for how, one in table.rated.used.items()}
        told = {"figures": records, "notes": notes(table), "raters": raters}
        write_json(options.out, told)
    return 0


if __name__ == "__main__":
    command.run(main)
