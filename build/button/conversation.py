"""BUTTON's format: one conversation a line, read into its request, tools and turns of calls.

``{"messages": [{"role", "content"}]}`` with the roles system (tool list inside
``<tool></tool>``, a sentence that turns parallel calls on or off), user, assistant (prose, then
``<call>[{"name", "arguments"}]</call>`` or ``<final></final>``) and tool (a list of name,
arguments, results). Whatever is odd becomes a `Note`; what can't be read skips the conversation.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from models.repair import mend, pieces
from trajectory import canonical, literals
from trajectory.arguments import check_call
from trajectory.calls import Call, call_outcome, read_calls
from trajectory.files import shortened
from trajectory.tools import read_tools

# The published format's own name for ending a conversation, at times written as a call.
_FINAL_TOOL: Final = "final_answer"


class Note(NamedTuple):
    """Something odd: line of the file, message (from 1; None: the whole), reason, what was found.

    skipped: the conversation could not be read because of it.
    """

    line: int
    message: int | None
    reason: str
    detail: str
    skipped: bool = False


@dataclass(frozen=True)
class Turn:
    """What the assistant said and called at once; the calls hold their results."""

    prose: str
    calls: tuple[Call, ...]


@dataclass(frozen=True)
class Conversation:
    """A conversation that could be read.

    line: of the file, from 1. query: what the user wrote. tools: the list as published.
    parallel: whether several calls at once were allowed; None where nothing says so.
    turns: those with calls. final: the answer to the user, "" where there is none.
    """

    line: int
    query: str
    tools: list[Any]
    parallel: bool | None
    turns: tuple[Turn, ...]
    final: str


def read_file(path: Path) -> Iterator[tuple[Conversation | None, list[Note]]]:
    """Yield each conversation of a file, None where it can't be read, and what was odd.

    Raises OSError where the file can't be opened.
    """
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            content = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
            if content.strip():
                yield _read_line(content, number)


def _read_line(content: bytes, number: int) -> tuple[Conversation | None, list[Note]]:
    try:
        value = canonical.loads(content)
    except ValueError as error:
        return None, [Note(number, None, "not_json", str(error), skipped=True)]
    return read_conversation(value, number)


def read_conversation(value: Any, line: int) -> tuple[Conversation | None, list[Note]]:
    """Read one conversation; never raises."""
    reader = _Reader(line)
    try:
        return reader.read(value), reader.notes
    except _SkipError:
        return None, reader.notes


class _SkipError(Exception):
    """The conversation can't be read; the last note says why."""


class _Reader:
    """Reads one conversation message by message."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.message: int | None = None
        self.notes: list[Note] = []
        self.system = ""
        self.requests: list[str] = []
        self.turns: list[Turn] = []
        self.final = ""
        # Calls whose results the next message should hold.
        self.waiting: Turn | None = None

    def read(self, value: Any) -> Conversation:
        takers: Mapping[str, Callable[[Any], None]] = {
            "system": self._take_system,
            "systems": self._take_system,
            "user": self._take_user,
            "assistant": self._take_assistant,
            "tool": self._take_results,
        }
        for number, (role, content) in enumerate(self._messages(value), 1):
            self.message = number
            if role in takers:
                takers[role](content)
            else:
                self._note("unknown_role", f"the role {shortened(role)}, passed over")
        self._require_results()
        self.message = None
        return self._conversation()

    def _conversation(self) -> Conversation:
        if not self.requests:
            raise self._skipped("no_request", "no message of the user")
        if not self.turns:
            raise self._skipped("no_calls", "the assistant calls no tool")
        if not self.final:
            self._note("no_final", "the conversation ends without <final>")
        tools = self._tools()
        query = "\n\n".join(self.requests)
        return Conversation(
            self.line, query, tools, self._parallel(), tuple(self.turns), self.final
        )

    def _note(self, reason: str, detail: str) -> None:
        self.notes.append(Note(self.line, self.message, reason, shortened(detail, 160)))

    def _skipped(self, reason: str, detail: str) -> "_SkipError":
        self._note(reason, detail)
        self.notes[-1] = self.notes[-1]._replace(skipped=True)
        return _SkipError()

    def _messages(self, value: Any) -> Iterator[tuple[str, Any]]:
        messages = value.get("messages") if isinstance(value, dict) else None
        if not isinstance(messages, list) or canonical.too_deep(value):
            raise self._skipped("no_messages", f"no list of messages in {shortened(value)}")
        for message in messages:
            role = message.get("role") if isinstance(message, dict) else None
            if isinstance(role, str):
                yield role.strip().lower(), message.get("content")
            else:
                yield "", message

    # --- system and user ---------------------------------------------------------------------

    def _take_system(self, content: Any) -> None:
        self.system += _text(content)

    def _take_user(self, content: Any) -> None:
        if self.requests:
            self._note("more_requests", "the user writes again; read as one request")
        if _text(content).strip():
            self.requests.append(_text(content).strip())

    def _tools(self) -> list[Any]:
        inside = _TOOLS.search(self.system)
        if inside is None:
            raise self._skipped("no_tools", "no <tool> list in the system message")
        catalogue = read_tools(_listed(inside["content"]))
        for problem in catalogue.problems:
            self._note("odd_tool", problem.detail)
        for call in (call for turn in self.turns for call in turn.calls):
            if not catalogue.named(call.name):
                raise self._skipped("unknown_tool", f"{call.name} is called and not listed")
            for problem in check_call(catalogue, call.name, call.arguments)[:1]:
                self._note("misfit_arguments", f"{call.name}: {problem.detail}")
        return list(catalogue.entries)

    def _parallel(self) -> bool | None:
        """Read the sentence on parallel calls, however it is put exactly."""
        rest = " ".join(_TOOLS.sub(" ", self.system).lower().split())
        if "one function at a time" in rest:
            return False
        if "in parallel" in rest:
            return True
        self._note("no_parallel_sentence", "nothing says whether calls may be parallel")
        return None

    # --- assistant and tool ------------------------------------------------------------------

    def _take_assistant(self, content: Any) -> None:
        self._require_results()
        text = _text(content)
        blocks = list(_CALLS.finditer(text))
        final = _FINAL.search(text)
        calls = [call for block in blocks for call in self._calls(block["content"])]
        self.final = final["content"].strip() if final else self.final
        named = [call for call in calls if call.name == _FINAL_TOOL]
        if named:
            self._note("final_as_call", "the final answer is written as a call")
            self.final = self.final or canonical.dumps(named[0].arguments)
            calls = [call for call in calls if call not in named]
        prose = _FINAL.sub(" ", _CALLS.sub(" ", text)).strip()
        if calls:
            self.waiting = Turn(prose, tuple(calls))
        elif not named and final is None:
            self._note("prose_only", "neither <call> nor <final>, passed over")

    def _calls(self, text: str) -> list[Call]:
        value = self._parsed(text, "unreadable_call")
        entries = value if isinstance(value, list) else [value]
        calls = [replace(call, node=None) for call in read_calls(entries)]
        if not all(call.name and isinstance(call.arguments, dict | list) for call in calls):
            raise self._skipped("unreadable_call", f"no name or no arguments: {text.strip()}")
        return calls

    def _take_results(self, content: Any) -> None:
        turn, self.waiting = self.waiting, None
        if turn is None:
            self._note("results_without_calls", "results of no call, passed over")
            return
        value = content
        if isinstance(content, str):
            value = self._parsed(content, "unreadable_results")
        entries = value if isinstance(value, list) else [value]
        calls = self._matched(turn.calls, entries)
        for call in calls:
            outcome = call_outcome(call.results)
            if outcome != "ok":
                detail = f"{call.name} is {outcome}: {shortened(call.results)}"
                raise self._skipped("call_not_ok", detail)
        self.turns.append(Turn(turn.prose, calls))

    def _matched(self, calls: Sequence[Call], entries: Sequence[Any]) -> tuple[Call, ...]:
        """Give each call its entry: one with its name and arguments, else the next of its name."""
        names = [_name(entry) for entry in entries]
        if names != [call.name for call in calls]:
            self._note("results_out_of_order", f"{len(calls)} calls, {len(entries)} results")
        left = list(entries)
        if any(names) or len(entries) != len(calls):
            taken = [_claimed(left, call) for call in calls]
        else:
            taken, left = left, []
        if left:
            self._note("results_without_calls", f"{len(left)} results too many")
        return tuple(
            replace(call, results=self._results(call, entry))
            for call, entry in zip(calls, taken, strict=True)
        )

    def _results(self, call: Call, entry: Any) -> Any:
        for key in ("results", "result"):
            if isinstance(entry, dict) and key in entry:
                return _structured(entry[key])
        raise self._skipped("no_results", f"no results of {call.name}")

    def _require_results(self) -> None:
        if self.waiting is not None:
            names = ", ".join(call.name for call in self.waiting.calls)
            raise self._skipped("no_results", f"no message holds the results of {names}")

    def _parsed(self, text: str, reason: str) -> Any:
        """Parse JSON, Python's repr of it, or JSON whose spelling can be mended (noted)."""
        bare = _FENCE.sub("", text).strip()
        try:
            value = literals.parse(bare)
        except ValueError as error:
            piece = mend(bare, 0, len(bare))
            if piece.problem or piece.torn or bare[piece.end :].strip():
                detail = f"{piece.problem or error}: {shortened(bare)}"
                raise self._skipped(reason, detail) from None
            self._note("mended_json", shortened(bare))
            value = piece.value
        if canonical.too_deep(value):
            raise self._skipped(reason, f"nested too deeply: {shortened(bare)}")
        return value


def _block(tag: str) -> re.Pattern[str]:
    """Return a pattern of what stands inside a tag; a missing end tag is the end of the text."""
    return re.compile(rf"<{tag}>(?P<content>.*?)(?:</{tag}>|\Z)", re.DOTALL | re.IGNORECASE)


_TOOLS: Final = _block("tools?")
_CALLS: Final = _block("call")
_FINAL: Final = _block("final")
_FENCE: Final = re.compile(r"^\s*```\w*|```\s*$")


def _text(content: Any) -> str:
    if content is None:
        return ""
    return content if isinstance(content, str) else canonical.dumps(content)


def _listed(text: str) -> Any:
    """Return a tool list, or the objects of a text that writes them one after the other."""
    bare = _FENCE.sub("", text).strip()
    try:
        return literals.parse(bare)
    except ValueError:
        return [
            piece.value if piece.problem is None else bare for piece in pieces(bare, 0, len(bare))
        ]


def _name(entry: Any) -> Any:
    return entry.get("name") if isinstance(entry, dict) else None


def _claimed(entries: list[Any], call: Call) -> Any:
    """Take the entry of a call out of the list: one with its arguments, else one of its name."""
    named = [entry for entry in entries if _name(entry) == call.name]
    same = [entry for entry in named if canonical.same(entry.get("arguments"), call.arguments)]
    for entry in [*same, *named]:
        entries.remove(entry)
        return entry
    return None


def _structured(results: Any) -> Any:
    """Return results written as a JSON text as the object or list it writes."""
    if not isinstance(results, str):
        return results
    try:
        value = literals.parse(results)
    except ValueError:
        return results
    plain = not isinstance(value, dict | list) or canonical.too_deep(value)
    return results if plain else value
