"""The guide for annotators says what judges are told."""

from pathlib import Path

from eval.judging.prompts import read_judge_prompts

GUIDE = Path(__file__).parents[3] / "docs" / "annotating.md"


def test_the_guide_has_every_item_in_the_words_of_the_prompts() -> None:
    text = GUIDE.read_text("utf-8")
    blocks = [block for one in read_judge_prompts().values() for block in one.items.values()]
    assert len(blocks) == 13
    for block in blocks:
        title, *anchors = block.split("\n")
        told = "\n".join([f"**{title}**", "", *(f"- {line}" for line in anchors)])
        assert told in text
