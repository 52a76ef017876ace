"""Prompts: plain text files with named fields, and the messages that they make.

A file holds what the system says, a line `=== user`, and what the user says, with fields in braces.
Only fields that are known are filled, once: braces in what fills them, or elsewhere in the file,
stay as they are. What a model may see of an instance is `trajectory.instance.view`, and nothing
else has a field.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from trajectory import canonical
from trajectory.files import InputError

FOLDER: Final = Path(__file__).with_name("prompts")
# Fields of a prompt that shows a snapshot.
SEEN: Final = ("query", "tools", "plan", "tool_results", "history")

Message = dict[str, str]

_USER: Final = "\n=== user\n"
_FIELD: Final = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True)
class Prompt:
    """A prompt. name: its file's name without ending. digest: SHA-256 of the file's text."""

    name: str
    system: str
    user: str
    digest: str

    def messages(
        self, fields: Mapping[str, Any], examples: Iterable[Sequence[str]] = ()
    ) -> list[Message]:
        """Return the messages: system, pairs of user and assistant that go before, the user's.

        fields: a value for each field; texts stand as they are, all else as canonical JSON.
        """
        shown = [{"role": "system", "content": self.system}] if self.system else []
        for asked, answered in examples:
            shown.append({"role": "user", "content": asked})
            shown.append({"role": "assistant", "content": answered})
        return [*shown, {"role": "user", "content": self.filled(fields)}]

    def filled(self, fields: Mapping[str, Any]) -> str:
        """Return the user's part with its fields filled."""
        texts = {name: _text(value) for name, value in fields.items()}
        return _FIELD.sub(lambda found: texts.get(found[1], found[0]), self.user)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else canonical.dumps(value)


def read_prompt(name: str, wanted: Sequence[str] = SEEN) -> Prompt:
    """Return a prompt of ours by its name, or that of a file.

    wanted: fields that it must have. Raises InputError where there is none, or a field is missing
    from it, or one is there that nothing fills.
    """
    path = FOLDER / f"{name}.txt" if re.fullmatch(r"\w+", name) else Path(name)
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        known = ", ".join(sorted(one.stem for one in FOLDER.glob("*.txt")))
        raise InputError(
            f"this prompt can't be read: {error.strerror}", file=path, wanted=f"a file, or {known}"
        ) from None
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start + 1}", file=path) from None
    system, mark, user = text.partition(_USER)
    if not mark:
        system, user = "", text
    _require_fields(user, wanted, path)
    return Prompt(path.stem, system.strip(), user.strip(), canonical.text_digest(text))


def _require_fields(user: str, wanted: Sequence[str], path: Path) -> None:
    found = set(_FIELD.findall(user))
    told = ", ".join(f"{{{name}}}" for name in wanted)
    for problem, names in (
        ("a field is missing from this prompt", set(wanted) - found),
        ("nothing fills this field of the prompt", found - set(wanted)),
    ):
        if names:
            got = ", ".join(f"{{{name}}}" for name in sorted(names))
            raise InputError(problem, file=path, got=got, wanted=told)


def replan_messages(
    prompt: Prompt, seen: Mapping[str, Any], examples: Iterable[Sequence[str]] = ()
) -> list[Message]:
    """Return the messages that show a snapshot; seen: as `trajectory.instance.view` returns it."""
    return prompt.messages({name: seen[name] for name in SEEN}, examples)
