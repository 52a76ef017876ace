"""Curation: what reviewers decided about rollouts, as the build reads it.

The file splits/curation.jsonl has a line for each decision: look (the digest of what a model sees
of the instance, so that a decision outlives new numbers), id (as it was then), decision, labels
(of a relabel), reviewer, reason. A reviewer takes nothing in that is not proven: a relabelled
instance stays only where its proven labels are those of the reviewer.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, get_args

from build.frozen import SPLITS
from trajectory.error_types import ErrorType
from trajectory.files import AnyPath, InputError, read_jsonl, write_jsonl
from trajectory.instance import Instance, look

PATH: Final = SPLITS / "curation.jsonl"

Verdict = Literal["accept", "reject", "relabel"]
# A type and its root cause.
Labels = tuple[tuple[str, str], ...]
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)


@dataclass(frozen=True)
class Decision:
    """What a reviewer decided about the instance of a look; labels: sorted, of a relabel only."""

    look: str
    id: str
    decision: Verdict
    labels: Labels
    reviewer: str
    reason: str

    def to_row(self) -> dict[str, Any]:
        """Return the decision as a line of the file."""
        labels = [{"type": type_, "root_cause": node} for type_, node in self.labels]
        return {
            "look": self.look,
            "id": self.id,
            "decision": self.decision,
            "labels": labels,
            "reviewer": self.reviewer,
            "reason": self.reason,
        }


Decisions = Mapping[str, Decision]


def read_decisions(path: Path = PATH) -> dict[str, Decision]:
    """Return the decisions by look; none where there is no file.

    Raises InputError on what is no decision, and on two for one look.
    """
    found: dict[str, Decision] = {}
    if not path.exists():
        return found
    for line, value in read_jsonl(path, empty_ok=True):
        one = _decision(value, path, line)
        if one.look in found:
            problem = "a second decision about one instance"
            raise InputError(problem, file=path, line=line, id=one.id, do="keep one of the two")
        found[one.look] = one
    return found


def write_decisions(decisions: Iterable[Decision], path: Path = PATH) -> None:
    """Write decisions, sorted by look, aside and renamed."""
    ordered = sorted(decisions, key=lambda one: one.look)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_jsonl(path, (one.to_row() for one in ordered))


def _decision(value: Any, file: AnyPath, line: int) -> Decision:
    texts = ("look", "id", "decision", "reviewer", "reason")
    if not isinstance(value, dict) or not all(isinstance(value.get(key), str) for key in texts):
        wanted = f"an object with {', '.join(texts)}"
        raise InputError("not a decision", file=file, line=line, got=value, wanted=wanted)
    if value["decision"] not in VERDICTS:
        wanted = " or ".join(VERDICTS)
        raise InputError(
            "unknown decision", file=file, line=line, id=value["id"], got=value["decision"],
            wanted=wanted,
        )  # fmt: skip
    try:
        labels = sorted((one["type"], one["root_cause"]) for one in value.get("labels", ()))
        return decided(value["look"], value["id"], value["decision"], labels, value)
    except (KeyError, TypeError, ValueError) as error:
        problem = f"wrong labels of a decision: {error}"
        raise InputError(problem, file=file, line=line, id=value["id"]) from None


def decided(
    look_: str,
    id: str,
    decision: Verdict,
    labels: Iterable[tuple[str, str]],
    said: Mapping[str, str],
) -> Decision:
    """Return a decision; said: reviewer and reason.

    Raises ValueError where labels and decision don't go together, or a type is unknown.
    """
    known = tuple(sorted((ErrorType(type_).value, str(node)) for type_, node in labels))
    if bool(known) != (decision == "relabel"):
        raise ValueError("a relabel has labels, no other decision has any")
    return Decision(look_, id, decision, known, said["reviewer"], said["reason"])


def curated(instance: Instance, decisions: Decisions) -> Instance | None:
    """Return an instance with what was decided about it, None where it is not to be taken."""
    one = decisions.get(look(instance))
    if one is None:
        return instance
    if one.decision == "reject" or (one.labels and one.labels != labels_of(instance)):
        return None
    said = {"decision": one.decision, "reviewer": one.reviewer, "reason": one.reason}
    return replace(instance, curation=said)


def labels_of(instance: Instance) -> Labels:
    """Return the proven labels of an instance, sorted."""
    return tuple(sorted((error["type"], error["root_cause"]) for error in instance.errors))
