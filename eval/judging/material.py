"""What a judge is shown of a row: what the agent saw, its thought, its updated plan.

Nothing of the truth is among it, unless the judge is shown the reference on purpose.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from models.reading import Answer
from trajectory import canonical
from trajectory.instance import Instance, view
from trajectory.plan import write_plan

_MARK: Final = 16


@dataclass(frozen=True)
class Material:
    """Fields of a judge's prompt by name, and a mark that occurs in none of them.

    The mark is a digest of all fields, so nobody can write it into an answer beforehand.
    """

    fields: Mapping[str, str]
    mark: str


def material(instance: Instance, answer: Answer, *, reference: bool = False) -> Material:
    """Return what is shown of an answer that holds a plan.

    reference: show the proven cause and a minimal repair too. Raises ValueError without a plan.
    """
    if answer.plan is None:
        raise ValueError("an answer without a plan is not judged")
    named = [{"node": one.node, "type": one.type, "reason": one.reason} for one in answer.diagnosis]
    updated: dict[str, Any] = {"diagnosis": named} if named else {}
    shown = {
        **view(instance),
        "thought": answer.thought or "(empty)",
        "answer": {**updated, **write_plan(answer.plan)},
        "reference": proven(instance) if reference else "",
    }
    fields = {name: one if isinstance(one, str) else _json(one) for name, one in shown.items()}
    mark = _mark(fields)
    if reference:
        heading = f"{mark} proven cause and repair, known to you alone\n"
        fields["reference"] = f"{heading}{fields['reference']}\n"
    return Material(fields, mark)


def proven(instance: Instance) -> dict[str, Any]:
    """Return the truth of an instance that a judge with reference is shown."""
    return {
        "errors": instance.errors,
        "reason": instance.error_reason,
        "minimal_repair": (instance.repairs or [[]])[0],
    }


def _json(value: Any) -> str:
    return canonical.dumps(value)


def _mark(fields: Mapping[str, str]) -> str:
    digest = canonical.digest(dict(fields))
    while any(digest[:_MARK] in text for text in fields.values()):
        digest = canonical.text_digest(digest)
    return f"##{digest[:_MARK]}##"
