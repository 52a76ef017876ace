"""Curate rollouts: see one as a reader does, and accept, reject or relabel it.

Without --decide, rollouts without a decision are shown one after another, and each is asked for on
the standard input: a (accept), r (reject), TYPE@NODE … (relabel), s (show the truth), empty to
pass by, q to end. --decide says it at once, for one id. --show lists the decisions.

Decisions stand in splits/curation.jsonl, with reviewer and reason. The next `python -m build`
reads them: rejected rollouts are not taken, a relabelled one only where its proven labels are
the reviewer's, and what is kept says in its field `curation` who looked at it.

Exit code: 0 when all was written; 2 when there is no such instance or a decision is wrong.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trajectory import canonical, command
from trajectory.files import InputError

if TYPE_CHECKING:
    from build.curation import Decision
    from trajectory.instance import Instance

_EXAMPLES = (
    "python -m build.curate --show",
    "python -m build.curate --reviewer ada --random 10 --seed 3",
    "python -m build.curate --reviewer ada --decide accept --reason 'clear' L1-rol-000001",
)
_ASK = "a(ccept), r(eject), TYPE@NODE …, s(how the truth), empty: later, q(uit): "


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _options(arguments)
    from build.curation import PATH, read_decisions, write_decisions

    path = options.decisions or PATH
    known = read_decisions(path)
    if options.show:
        for one in known.values():
            print(canonical.dumps(one.to_row()) if options.json else _line(one))
        return 0
    made = list(_decided(options, frozenset(known)))
    write_decisions({**known, **{one.look: one for one in made}}.values(), path)
    print(f"{len(made)} decisions added to {path}, {len(known)} were there", file=sys.stderr)
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser("build.curate", __doc__, _EXAMPLES)
    parser.add_argument("ids", nargs="*", metavar="ID", help="rollouts to look at")
    parser.add_argument("--data", type=Path, help="the dataset's folder (pararecover)")
    parser.add_argument("--random", type=int, metavar="N", help="draw so many rollouts")
    parser.add_argument("--seed", type=int, default=0, help="of the draw (0)")
    parser.add_argument("--reviewer", help="who decides")
    parser.add_argument("--decide", metavar="DECISION", help="accept, reject, or TYPE@NODE,…")
    parser.add_argument("--reason", help="why, in a line")
    parser.add_argument("--decisions", type=Path, help="the file (splits/curation.jsonl)")
    parser.add_argument("--show", action="store_true", help="list the decisions")
    parser.add_argument("--json", action="store_true", help="print JSON with --show")
    options = parser.parse_args(arguments)
    if options.show:
        return options
    if not options.reviewer or bool(options.ids) == (options.random is not None):
        parser.error("give --reviewer, and ids or --random N")
    if bool(options.decide) != bool(options.reason):
        parser.error("--decide and --reason go together")
    return options


def _line(one: "Decision") -> str:
    labels = ", ".join(f"{type_}@{node}" for type_, node in one.labels)
    return f"{one.id} {one.decision} {labels}{': ' if labels else ''}{one.reviewer}: {one.reason}"


def _decided(options: argparse.Namespace, known: frozenset[str]) -> "Iterator[Decision]":
    """Yield the decisions that are made, until the reviewer ends."""
    from trajectory.instance import look

    for instance in _chosen(options):
        if options.decide:
            yield _decision(instance, options.decide, options.reviewer, options.reason)
            continue
        if look(instance) in known:
            continue
        said = _asked(instance)
        if said is None:
            return
        if said:
            reason = _line_of("why: ")
            yield _decision(instance, said, options.reviewer, reason or "")


def _chosen(options: argparse.Namespace) -> "Iterator[Instance]":
    from build.shelves import shelf_of, shelves
    from environment.world import generator

    found = [one for one in shelves(options.data, None, "test") if one.config in _LEVELS]
    rollouts = sorted(id for shelf in found for id in shelf if "-rol-" in id)
    ids = options.ids
    if options.random is not None:
        drawn = generator(options.seed, "curate").sample(rollouts, len(rollouts))
        ids = drawn[: options.random]
    for id in ids:
        if id not in rollouts:
            raise InputError("is no rollout of this dataset", id=id, do="take an id with -rol-")
        yield shelf_of(id, found)[id]


_LEVELS = ("level1", "level2")


def _asked(instance: "Instance") -> str | None:
    """Show a rollout and return what was decided: "" for later, None to end."""
    from build.showing.instance import show

    print(show(instance, blind=True))
    while True:
        said = _line_of(_ASK)
        if said is None or said == "q":
            return None
        if said == "s":
            print(show(instance))
            continue
        if not said or _is_decision(said):
            return said
        print(f"not understood: {said}", file=sys.stderr)


def _line_of(prompt: str) -> str | None:
    """Read a line of the standard input; None at its end."""
    print(prompt, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    return line.strip() if line else None


def _is_decision(said: str) -> bool:
    try:
        _read(said)
    except ValueError:
        return False
    return True


def _read(said: str) -> tuple[str, list[tuple[str, str]]]:
    """Return verdict and labels; raises ValueError."""
    from trajectory.error_types import ErrorType

    short = {"a": "accept", "r": "reject", "accept": "accept", "reject": "reject"}
    if said in short:
        return short[said], []
    labels = [one.partition("@") for one in said.replace(",", " ").split()]
    if not labels or not all(node for _, _, node in labels):
        raise ValueError("wanted accept, reject, or TYPE@NODE")
    return "relabel", [(ErrorType(type_).value, node) for type_, _, node in labels]


def _decision(instance: "Instance", said: str, reviewer: str, reason: str) -> "Decision":
    from typing import cast

    from build.curation import Verdict, decided
    from trajectory.instance import look

    try:
        verdict, labels = _read(said)
    except ValueError as error:
        raise InputError(f"not a decision: {error}", id=instance.id, got=said) from None
    nodes = {node["id"] for node in instance.plan["tasks"]}
    strange = sorted({node for _, node in labels} - nodes)
    if strange:
        raise InputError("the plan has no such node", id=instance.id, got=", ".join(strange))
    told = {"reviewer": reviewer, "reason": reason}
    return decided(look(instance), instance.id, cast("Verdict", verdict), labels, told)


if __name__ == "__main__":
    command.run(main)
