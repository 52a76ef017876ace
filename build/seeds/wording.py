"""The request of a task: one natural message that determines the goal and hides the plan.

A goal is asked for by one of its tool's wishes. A value that comes from a result is said as a
noun phrase of that result, either inside the sentence ("book the cheapest hotel in Oslo for …")
or in a sentence before it ("Take the cheapest hotel in Oslo. Book that hotel for …"): so the
order of mention says nothing of the order of the plan. No word orders steps.
"""

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from build.seeds.sketch import DeadEndError, Sketch, Source, Step
from build.seeds.values import Filled
from environment import literals
from environment.meanings import enumerated, fits
from environment.world import Output

# How often a value is introduced in a sentence of its own.
_LIFT = 0.55
# Noun phrases inside one another, at most.
_DEEPEST = 2

_LIFTS = (
    "Take {}.",
    "I have {} in mind.",
    "This is about {}.",
    "My question concerns {}.",
    "I'm looking at {}.",
    "Consider {}.",
)
_OPENINGS = (
    ("", 8),
    ("Hi!", 3),
    ("Hello.", 2),
    ("Hi there, I could use some help.", 2),
    ("Good morning.", 1),
    ("Hey, quick one:", 2),
    ("I'd be grateful for your help with the following.", 1),
    ("Busy day here, so please take this off my hands.", 1),
)
_CLOSINGS = (
    ("", 9),
    ("Thanks!", 4),
    ("Thank you very much in advance.", 1),
    ("Cheers.", 1),
    ("Let me know what you find.", 2),
    ("A short answer is fine.", 1),
)
_ANDS = ("Also: ", "Apart from that: ", "Separately: ", "", "", "Another thing: ", "Besides: ")


@dataclass
class Message:
    """A request, and the calls in the order in which it mentions them first."""

    text: str
    mentions: list[Step]


def word(sketch: Sketch, filled: list[Filled], rng: random.Random) -> Message:
    """Word the request of a task. Raises DeadEndError where it can't be said well."""
    writer = _Writer({id(one.step): one for one in filled}, rng)
    goals = list(sketch.goals)
    rng.shuffle(goals)
    parts = [writer.ask(goal) for goal in goals]
    joined = [parts[0], *(_linked(rng.choice(_ANDS), part) for part in parts[1:])]
    opening, closing = _pick(_OPENINGS, rng), _pick(_CLOSINGS, rng)
    text = " ".join(filter(None, (opening, *joined, closing)))
    if len(writer.mentions) < len(sketch.steps):
        raise DeadEndError
    return Message(text, writer.mentions)


def _pick(options: tuple[tuple[str, int], ...], rng: random.Random) -> str:
    return rng.choices([text for text, _ in options], [weight for _, weight in options])[0]


def _linked(link: str, part: str) -> str:
    return f"{link}{part[:1].lower()}{part[1:]}" if link and _may_lower(part) else f"{link}{part}"


def _may_lower(text: str) -> bool:
    first = text.split(" ", 1)[0]
    return first.isalpha() and first != "I" and first.istitle() and first in _OPENERS_OF_WISHES


# Words a sentence may begin with that are no names.
_OPENERS_OF_WISHES = frozenset(
    (
        "A Add An Are Book Buy Can Cancel Check Compare Consider Convert Could Do Does Find For "
        "From Get Give Have How In Is List Look Make Move My Please Put Rank Reserve Send Show "
        "Take Tell The This What When Where Which Who Work"
    ).split()
)


@dataclass
class _Writer:
    filled: Mapping[int, Filled]
    rng: random.Random
    mentions: list[Step] = field(default_factory=list)
    done: set[int] = field(default_factory=set)

    def ask(self, step: Step) -> str:
        """Return the sentences that ask for a call."""
        if id(step) in self.done:
            raise DeadEndError
        self.done.add(id(step))
        return self._sentence(step, step.tool.wishes)

    def _sentence(self, step: Step, templates: tuple[str, ...]) -> str:
        before, text = self._worded(step, templates)
        return f"{before} {_sentence(text)}" if before else _sentence(text)

    def _worded(self, step: Step, templates: tuple[str, ...]) -> tuple[str, str]:
        """Return the sentences that come before, and the template with its slots filled."""
        lifted = self._lifted(step)
        before = self._lift(lifted[1]) if lifted else ""
        self._mention(step)
        said: dict[str, str] = {}
        template = self.rng.choice(templates)
        for name, source in step.sources.items():
            if lifted and name == lifted[0]:
                said[name] = self._label(source)
            else:
                said[name] = self._said(step, name, source)
        return before, _filled(_open_to_phrases(template, step), said)

    def _lifted(self, step: Step) -> tuple[str, Source] | None:
        """Choose at most one value to be introduced before; an effect has to be asked for."""
        referred = [
            (name, source) for name, source in step.sources.items() if source.step is not None
        ]
        must = [one for one in referred if _must_lift(one[1])]
        if len(must) > 1:
            raise DeadEndError
        if must:
            return must[0]
        return self.rng.choice(referred) if referred and self.rng.random() < _LIFT else None

    def _lift(self, source: Source) -> str:
        step, output = source.step, source.output
        if step is None or output is None:
            raise DeadEndError
        if step.tool.has_effect:
            return self.ask(step)
        before, phrase = self._worded(step, output.phrases)
        sentence = self.rng.choice(_LIFTS).format(phrase)
        return f"{before} {_sentence(sentence)}" if before else _sentence(sentence)

    def _label(self, source: Source) -> str:
        if source.step is None or source.output is None:
            raise DeadEndError
        if source.output.means.startswith("list:"):
            return "those"
        noun = _noun(source.output)
        return f"the resulting {noun}" if source.step.tool.has_effect else f"that {noun}"

    def _said(self, step: Step, name: str, source: Source) -> str:
        if source.items:
            return enumerated(self._phrase(item) for item in source.items)
        if source.step is not None:
            return self._phrase(source)
        value = self.filled[id(step)].literals[name]
        return literals.words(step.tool.parameters[name], value)

    def _phrase(self, source: Source) -> str:
        """Return a noun phrase for an output, everything it needs said inside it."""
        step, output = source.step, source.output
        if step is None or output is None or step.tool.has_effect:
            raise DeadEndError
        self._mention(step)
        said = {name: self._said(step, name, inner) for name, inner in step.sources.items()}
        return _filled(_open_to_phrases(self.rng.choice(output.phrases), step), said)

    def _mention(self, step: Step) -> None:
        if not any(step is known for known in self.mentions):
            self.mentions.append(step)


def _must_lift(source: Source) -> bool:
    """An effect has to be asked for; what is nested deeper than this reads as a riddle."""
    return source.step is not None and (source.step.tool.has_effect or _nesting(source) > _DEEPEST)


def _nesting(source: Source) -> int:
    """Return how many noun phrases stand inside one another."""
    inner = [source.step] if source.step else []
    inner += [item.step for item in source.items if item.step]
    nested = [_nesting(part) for step in inner for part in step.sources.values()]
    return (1 if inner else 0) + max(nested, default=0)


# Units and the like at the end of a type's name, which nobody says.
_UNSAID = re.compile(r"_(id|km|kg|g|l|m2|mm|c|w|kwh|kcal|min|eur)$")


def _noun(output: Output) -> str:
    """Return the everyday word for what an output is: "room_booking_id" is a room booking."""
    means = "amount" if fits(output.means, "amount") else output.means
    return _UNSAID.sub("", means).removeprefix("past_").replace("_", " ")


_BRACKET = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{([A-Za-z_][\w.]*)\}")


def _open_to_phrases(template: str, step: Step) -> str:
    """Take quotes and articles from around the slots that a noun phrase fills: it has its own."""
    for name, source in step.sources.items():
        if source.step is not None or source.items:
            slot = re.escape(f"{{{name}}}")
            template = re.sub(f"“({slot})”", r"\1", template)
            template = re.sub(rf"\b(?:[Tt]he|[Aa]n?) ({slot})", r"\1", template)
    return template


def _filled(template: str, said: Mapping[str, str]) -> str:
    """Fill slots; [brackets] with a slot that has no value are dropped."""

    def optional(match: re.Match[str]) -> str:
        slots = _SLOT.findall(match[1])
        return match[1] if all(slot in said for slot in slots) else ""

    def value(match: re.Match[str]) -> str:
        if match[1] not in said:
            raise DeadEndError
        return said[match[1]]

    text = _BRACKET.sub(optional, template)
    unsaid = set(said) - set(_SLOT.findall(text))
    if unsaid:
        raise DeadEndError
    filler: Callable[[re.Match[str]], str] = value
    return _SLOT.sub(filler, text)


def _sentence(text: str) -> str:
    text = text.strip()
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else f"{text}."
