"""How well the reader finds edges: our own tasks, whose edges are known, written, blurred, read."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from build.button.conversation import read_conversation
from build.button.perturbing import KINDS, Blurred, Pair
from build.button.plans import gold_of
from build.button.writing import write_button
from build.gold import Gold, from_record
from trajectory import canonical
from trajectory.files import InputError, read_jsonl


@dataclass
class Score:
    """Counts of edges over the tasks that a kind changes.

    known: edges of the tasks. touched: those of which a value was changed. found: edges that the
    reader gave. right: found and known. touched_right: touched and found.
    """

    tasks: int = 0
    known: int = 0
    touched: int = 0
    found: int = 0
    right: int = 0
    touched_right: int = 0

    def add(self, known: set[Pair], touched: frozenset[Pair], found: set[Pair]) -> None:
        """Count one task."""
        self.tasks += 1
        self.known += len(known)
        self.touched += len(touched)
        self.found += len(found)
        self.right += len(known & found)
        self.touched_right += len(touched & found)

    def to_row(self) -> dict[str, Any]:
        """Return counts and shares (None where there is nothing to divide by)."""
        return {
            "tasks": self.tasks,
            "edges": self.known,
            "recall": _share(self.right, self.known),
            "precision": _share(self.right, self.found),
            "touched": self.touched,
            "recall_touched": _share(self.touched_right, self.touched),
        }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def measure(
    golds: Iterable[Gold], *, parallel: bool, kinds: Iterable[str] = KINDS
) -> dict[str, Score]:
    """Return the score of each kind of blurring; a task that a kind doesn't change is left out."""
    scores = {kind: Score() for kind in kinds}
    for gold in golds:
        known = {(edge.dep, edge.node) for edge in gold.edges}
        for kind, score in scores.items():
            blurred = KINDS[kind](gold)
            if known and (blurred.touched or kind == "plain"):
                score.add(known, blurred.touched, set(_found(blurred, parallel=parallel)))
    return scores


def _found(blurred: Blurred, *, parallel: bool) -> Iterator[Pair]:
    """Write, read, and yield the edges found, under the ids of the task's own plan."""
    written = canonical.dumps(write_button(blurred.gold, parallel=parallel, named=blurred.named))
    conversation, notes = read_conversation(canonical.loads(written), 1)
    if conversation is None:
        raise ValueError(f"{blurred.gold.id}: what we wrote can't be read: {notes[-1]}")
    own = [str(call.node) for calls in blurred.gold.calls for call in calls]
    for edge in gold_of(conversation, {}).edges:
        yield own[int(edge.dep) - 1], own[int(edge.node) - 1]


def read_golds(path: Path) -> list[Gold]:
    """Read the file that ``build.seeds --out`` writes; raises InputError where it is none."""
    golds = []
    for line, record in read_jsonl(path):
        try:
            gold = from_record(record)
            _require_whole(gold)
            golds.append(gold)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(
                "this is no task",
                file=path,
                line=line,
                got=record,
                wanted=f"what python -m build.seeds --out writes ({error})",
            ) from None
    return golds


def _require_whole(gold: Gold) -> None:
    """Raise ValueError where a task does not hold together: it could not be written and read."""
    calls = [call for calls in gold.calls for call in calls]
    listed = {tool.get("name") for tool in gold.tools if isinstance(tool.get("name"), str)}
    if not calls:
        raise ValueError("it has no calls")
    for call in calls:
        if call.name not in listed:
            raise ValueError(f"{call.name} is called and not listed")
        node = gold.plan.by_id.get(call.node or "")
        if (
            node is None
            or not isinstance(node.para, dict)
            or node.para.keys() != call.arguments.keys()
        ):
            raise ValueError(f"the call of {call.name} is no node of its plan")
