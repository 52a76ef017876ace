"""The text world: counts, likeness, replacement and its undoing, drafts, refusals."""

import re

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import textwork


@pytest.fixture
def view() -> View:
    tables = textwork.WORLD.tables(7)
    state = State({("textwork", table): rows for table, rows in tables.items()})
    return View(state, "textwork")


@pytest.fixture
def ids(view: View) -> list[str]:
    return list(textwork.find_documents(view, "rivers")["document_ids"])


def test_a_word_that_begins_a_sentence_stays(view: View) -> None:
    document_id = next(
        key for key, row in view.rows("documents") if "Our" in row["sections"]["summary"].split()
    )
    with pytest.raises(ToolError, match=f"'our' begins a sentence in {document_id}"):
        textwork.replace_term(view, document_id, "our", "their")


def test_documents_come_newest_first(view: View) -> None:
    found = textwork.find_documents(view, "rivers", mentions="weir")
    years = [row["year"] for row in found["documents"]]
    assert years == sorted(years, reverse=True)
    for document_id in found["document_ids"]:
        row = view.get("documents", document_id) or {}
        assert any("weir" in re.findall("[a-z]+", body) for body in row["sections"].values())
    assert textwork.find_documents(view, "rivers", min_words=9999)["count"] == 0


def test_a_passage_is_measured(view: View) -> None:
    told = textwork.measure_passage(view, "The cat sat. The dog ran away!", 140)
    assert (told["words"], told["sentences"], told["minutes"]) == (7, 2, 0.05)
    hard = textwork.measure_passage(view, "Considerable uncertainty necessitated deliberation.")
    assert hard["reading_ease"] < told["reading_ease"]
    with pytest.raises(ToolError, match="there are no words in '42'"):
        textwork.measure_passage(view, "42")


def test_keywords_come_most_used_first(view: View, ids: list[str]) -> None:
    told = textwork.extract_keywords(view, ids, 3)
    assert told["uses"] == sorted(told["uses"], reverse=True)
    assert len(told["keywords"]) == 3
    assert textwork.look_up_term(view, "weir")["plain_word"] == "dam"
    with pytest.raises(ToolError, match="the glossary has no entry 'dam'"):
        textwork.look_up_term(view, "dam")


def test_a_document_is_not_compared_with_itself(view: View, ids: list[str]) -> None:
    told = textwork.most_similar(view, ids[0], ids)
    assert told["most_similar"] in ids[1:]
    assert 0 < told["similarity_percent"] < 100
    with pytest.raises(ToolError, match=f"{ids[0]} can only be compared with other documents"):
        textwork.most_similar(view, ids[0], [ids[0]])


def test_a_replacement_is_taken_back_by_its_reverse(view: View) -> None:
    document_id = textwork.find_documents(view, "rivers", mentions="weir")["document_ids"][0]
    before = view.get("documents", document_id)
    done = textwork.replace_term(view, document_id, "weir", "dam")
    with pytest.raises(ToolError, match=f"the word 'weir' does not occur in {document_id}"):
        textwork.replace_term(view, document_id, "weir", "wall")
    assert textwork.replace_term(view, document_id, "dam", "weir") == done
    assert view.get("documents", document_id) == before
    with pytest.raises(ToolError, match=f"{document_id} uses the word 'the' already"):
        textwork.replace_term(view, document_id, "weir", "the")


def test_a_draft_holds_one_section_of_each_document(view: View, ids: list[str]) -> None:
    draft = textwork.merge_sections(view, ids[:2], "outlook", "Digest")
    passages = [textwork.read_section(view, one, "outlook")["passage"] for one in ids[:2]]
    joined = textwork.read_section(view, draft["document_id"], "outlook")["passage"]
    assert joined == " ".join(passages)
    with pytest.raises(ToolError, match="the draft 'Digest' exists already"):
        textwork.merge_sections(view, ids[:2], "outlook", "Digest")
    with pytest.raises(ToolError, match=f"{draft['document_id']} has no section 'method'"):
        textwork.read_section(view, draft["document_id"], "method")
    textwork.discard_draft(view, draft["document_id"])
    with pytest.raises(ToolError, match=f"{ids[0]} is a stored report, not a draft"):
        textwork.discard_draft(view, ids[0])
