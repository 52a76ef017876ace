"""Telling in words what is true of an instance: what went wrong, what it reaches, what mends it.

`facts` gathers what is to be said; the voices of `english` and `chinese` say it, each in its own
words. The oracle speaks with the first of them; planted answers with all.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from eval.telling import chinese, english
from eval.telling.facts import Facts, facts
from eval.telling.voice import Voice
from trajectory.instance import Instance

__all__ = ["LANGUAGES", "VOICES", "Facts", "account", "facts"]

LANGUAGES: Final = ("en", "zh")
VOICES: Final[Mapping[str, Sequence[Voice]]] = {"en": english.VOICES, "zh": chinese.VOICES}


def account(instance: Instance, language: str = "en", voice: int = 0) -> str:
    """Return the whole truth of an instance: context, causes, reach and repair, in this order."""
    speaker, told = VOICES[language][voice], facts(instance)
    return speaker.joined(
        [
            speaker.context(told),
            speaker.evidence(told),
            *speaker.causes(told),
            speaker.reach(told),
            speaker.weighed,
            *speaker.steps(told),
        ]
    )
