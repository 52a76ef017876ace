"""The request of a task: one natural message that determines the goal and hides the plan.

A goal is asked for by one of its tool's wishes. A value that comes from a result is said as a
noun phrase of that result, either inside the sentence ("book the cheapest hotel in Oslo for …")
or in a sentence before it ("Take the cheapest hotel in Oslo. Book that hotel for …"): so the
order of mention says nothing of the order of the plan. Words that order two wishes stand only
where the one asks for what it shall be once the other is done, which may be said in either
order.

Sentences are put together as they read in the middle of another one; only where they begin one
they get their capital.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from build.seeds.sketch import DeadEndError, Sketch, Source, Step
from build.seeds.values import Filled
from environment import literals
from environment.meanings import enumerated, noun
from environment.world import Output

# How often a value is introduced in a sentence of its own.
_LIFT = 0.55
# Noun phrases inside one another, at most.
_DEEPEST = 2
# How often what has an effect is asked for before the call that is to show it.
_EFFECT_FIRST = 0.5

_PLAIN_LIFTS = ("Take {}.", "Consider {}.")
_LIFTS = (
    *_PLAIN_LIFTS,
    "I have {} in mind.",
    "This is about {}.",
    "My question concerns {}.",
    "I'm looking at {}.",
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
_ANDS = ("Also:", "Apart from that:", "Separately:", "", "", "Another thing:", "Besides:")
# Between a wish and what is asked for once it is done, and the other way round.
THEN = (
    "Once that is done,",
    "With that in place:",
    "With this change made:",
    "As soon as that's settled:",
    "After this change:",
    "And the way things stand from there on:",
    "Once you've seen to that:",
)
BEFOREHAND = (
    "That's meant as things will stand once this is done:",
    "For that, the following has to be in place:",
    "I mean after this change:",
    "But only once you've done this:",
    "My question is about how it'll be with this seen to:",
)


@dataclass
class Message:
    """A request, and the calls in the order in which it mentions them first."""

    text: str
    mentions: list[Step]


def word(sketch: Sketch, filled: list[Filled], rng: random.Random) -> Message:
    """Word the request of a task. Raises DeadEndError where it can't be said well."""
    writer = _Writer({one.step: one for one in filled}, rng)
    first, *others = writer.parts(sketch)
    opening, closing = _pick(_OPENINGS, rng), _pick(_CLOSINGS, rng)
    parts = [_linked(opening, first), *(_linked(rng.choice(_ANDS), part) for part in others)]
    text = " ".join(filter(None, (*parts, closing)))
    if len(writer.mentions) < len(sketch.steps):
        raise DeadEndError
    return Message(text, list(writer.mentions))


def _pick(options: tuple[tuple[str, int], ...], rng: random.Random) -> str:
    return rng.choices([text for text, _ in options], [weight for _, weight in options])[0]


def _linked(link: str, part: str) -> str:
    """Return words and what follows them; after a colon or comma it begins no sentence."""
    if not link:
        return _capital(part)
    return f"{link} {part if link.endswith((':', ',')) else _capital(part)}"


# A step and the path to a value in its result.
_Value = tuple[Step | None, str]


def _value_of(source: Source) -> _Value:
    return source.step, source.output.path if source.output else ""


class _Writer:
    """Says the steps of a sketch.

    mentions: steps in the order of their first mention. asked: those that were asked for. nouns:
    those that stand for a value already. labels, phrases: how a value that was introduced, or
    said, is said once more. lifting: whether values may be introduced in sentences of their own.
    """

    def __init__(self, filled: Mapping[Step, Filled], rng: random.Random) -> None:
        self.filled = filled
        self.rng = rng
        self.mentions: dict[Step, None] = {}
        self.asked: set[Step] = set()
        self.nouns: set[str] = set()
        self.labels: dict[_Value, str] = {}
        self.phrases: dict[_Value, str] = {}
        self.lifting = True

    def parts(self, sketch: Sketch) -> list[str]:
        """Return a part of the message for each goal, one for a goal and what it waits for."""
        awaited = {before for goal in sketch.goals for before in goal.after}
        goals = [goal for goal in sketch.goals if goal not in awaited]
        self.rng.shuffle(goals)
        return [self._after(goal) if goal.after else self.ask(goal) for goal in goals]

    def _after(self, goal: Step) -> str:
        """Return the sentences that ask for a call and for what has to be done before it."""
        effect_first = self.rng.random() < _EFFECT_FIRST
        link = self.rng.choice(THEN if effect_first else BEFOREHAND)
        first, second = (goal.after, [goal]) if effect_first else ([goal], goal.after)
        wish = self._asked(first)
        # What follows a link is one sentence, if possible.
        self.lifting = False
        other = self._asked(second)
        self.lifting = True
        return f"{wish} {_linked(link, other)}"

    def _asked(self, steps: Sequence[Step]) -> str:
        return reduce(_joined, map(self.ask, steps))

    def ask(self, step: Step) -> str:
        """Return the sentences that ask for a call."""
        if step in self.asked:
            raise DeadEndError
        self.asked.add(step)
        before, text = self._worded(step, step.tool.wishes)
        return _joined(before, text)

    def _worded(self, step: Step, templates: tuple[str, ...]) -> tuple[str, str]:
        """Return the sentences that come before, and a template with its slots filled."""
        template = self._template(step, templates)
        lifted = self._lifted(step)
        before, label = self._lift(step.sources[lifted]) if lifted else ("", "")
        self._mention(step)
        said = {
            name: label if name == lifted else self._said(step, name, source)
            for name, source in step.sources.items()
        }
        return before, _filled(template, said)

    def _template(self, step: Step, templates: tuple[str, ...]) -> str:
        """Choose one of the templates that say every argument."""
        fitting = [one for one in templates if step.sources.keys() <= {*_SLOT.findall(one)}]
        if not fitting:
            raise DeadEndError
        return _mid(_open_to_phrases(self.rng.choice(fitting), step))

    def _lifted(self, step: Step) -> str | None:
        """Choose at most one value to be introduced before; an effect has to be asked for.

        Of two values of a kind only one is, if possible: "that date" is to be one thing.
        """
        referred = {
            name: source
            for name, source in step.sources.items()
            if source.step is not None and not self._has_label(source)
        }
        must = [name for name, source in referred.items() if self._must_lift(source)]
        if len(must) > 1:
            raise DeadEndError
        if must:
            return must[0]
        may = [name for name, source in referred.items() if self._is_new(source)]
        lifts = bool(may) and self.lifting and self.rng.random() < _LIFT
        return self.rng.choice(may) if lifts else None

    def _lift(self, source: Source) -> tuple[str, str]:
        """Return the sentences that introduce a value, and the words for it in those after."""
        step, output = source.step, source.output
        if step is None or output is None:
            raise DeadEndError
        label = self._label(step, output)
        if step.tool.has_effect:
            return self.ask(step), label
        before, phrase = self._worded(step, output.phrases)
        lift = self.rng.choice(_LIFTS if self.lifting else _PLAIN_LIFTS)
        return _joined(before, _mid(lift).format(phrase)), label

    def _label(self, step: Step, output: Output) -> str:
        noun_of_it = noun(output.means)
        is_new = noun_of_it not in self.nouns
        self.nouns.add(noun_of_it)
        if output.means.startswith("list:"):
            return "those" if is_new else "those just mentioned"
        if step.tool.has_effect:
            return f"the resulting {noun_of_it}"
        if not is_new:
            return f"the {noun_of_it} just mentioned"
        return self.labels.setdefault((step, output.path), f"that {noun_of_it}")

    def _must_lift(self, source: Source) -> bool:
        """An effect has to be asked for; what is nested deeper than this reads as a riddle."""
        has_effect = source.step is not None and source.step.tool.has_effect
        return has_effect or self._nesting(source) > _DEEPEST

    def _nesting(self, source: Source) -> int:
        """Return how many noun phrases stand inside one another."""
        inner = [
            part for part in (source, *source.items) if part.step and not self._has_label(part)
        ]
        nested = [
            self._nesting(part) for one in inner if one.step for part in one.step.sources.values()
        ]
        return (1 if inner else 0) + max(nested, default=0)

    def _has_label(self, source: Source) -> bool:
        return _value_of(source) in self.labels

    def _is_new(self, source: Source) -> bool:
        return source.output is not None and noun(source.output.means) not in self.nouns

    def _said(self, step: Step, name: str, source: Source) -> str:
        if source.items:
            return enumerated(self._phrase(item) for item in source.items)
        if source.step is not None:
            return self._phrase(source)
        value = self.filled[step].literals[name]
        return literals.words(step.tool.parameters[name], value)

    def _phrase(self, source: Source) -> str:
        """Return a noun phrase for an output, everything it needs said inside it."""
        step, output = source.step, source.output
        if step is None or output is None or step.tool.has_effect:
            raise DeadEndError
        value = _value_of(source)
        known = self.labels.get(value) or self.phrases.get(value)
        if known is None:
            self._mention(step)
            said = {name: self._said(step, name, inner) for name, inner in step.sources.items()}
            known = self.phrases[value] = _filled(self._template(step, output.phrases), said)
        return known

    def _mention(self, step: Step) -> None:
        self.mentions.setdefault(step)


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


def _joined(before: str, text: str) -> str:
    """Return sentences with another one after them."""
    text = text.strip()
    text = text if text.endswith((".", "?", "!")) else f"{text}."
    return f"{before} {_capital(text)}" if before else text


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _mid(template: str) -> str:
    """Return a template as it reads in the middle of a sentence."""
    first = re.split(r"\W", template, maxsplit=1)[0]
    return template if first in _ALWAYS_CAPITAL else f"{template[:1].lower()}{template[1:]}"


_ALWAYS_CAPITAL = frozenset(("I", "EUR", "VAT"))
