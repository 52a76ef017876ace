"""Texts that agents write where a value belongs."""

import random

from build.injectors.scene import Scene
from build.injectors.slots import Slot
from trajectory.references import KEY

# They name the tool, not the node: nodes get other numbers once a trajectory is complete.
_FOR_RESULTS = (
    "result of {tool}",
    "output_of_{tool}",
    "<result of {tool}>",
    "{{{{{tool}.{path}}}}}",
    "${tool}.{path}",
    "{tool}_result",
    "[{name} from {tool}]",
    "the {words} found before",
    "previous_result.{path}",
)
_FOR_WORDS = (
    "<{name}>",
    "TBD",
    "to be determined",
    "{NAME}",
    "{{{{{name}}}}}",
    "[insert {words}]",
    "your_{name}",
    "as requested",
    "N/A",
)


def placeholders(scene: Scene, slot: Slot, rng: random.Random) -> list[str]:
    """Return placeholders for what should stand in a slot, in a drawn order."""
    told = {"name": slot.name, "NAME": slot.name.upper(), "words": slot.name.replace("_", " ")}
    if slot.is_referred:
        tool = scene.stage.gold.plan.by_id[scene.purpose(slot.value[KEY])].name
        path = slot.value.get("path") or "result"
        texts = [text.format(tool=tool, path=path, **told) for text in _FOR_RESULTS]
    else:
        texts = [text.format(**told) for text in _FOR_WORDS]
    return rng.sample(texts, len(texts))
