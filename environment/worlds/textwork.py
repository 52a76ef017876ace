"""Text work: stored reports, their sections, readability, keywords, likeness, terms and drafts."""

import math
import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Any

from environment.meanings import TODAY
from environment.people import people
from environment.state import Row, Tables, View
from environment.world import (
    Output,
    ToolError,
    Undo,
    World,
    array,
    choice,
    content_id,
    draw_from,
    generator,
    integer,
    text,
)

# Topic: its terms, each with a plainer word and what it means.
_TERMS = {
    "rivers": """sediment:silt:fine matter that settles out of water|discharge:outflow:the volume of
water that passes a point in a second|turbidity:cloudiness:how far water scatters light|estuary:
inlet:the place where a river meets the tide|tributary:feeder:a stream that joins a larger one|
floodplain:lowland:flat land that a river covers at high water|weir:dam:a low wall across a river|
riparian:bankside:belonging to the bank of a river""",
    "health": """hypertension:overpressure:blood pressure that stays too high|triage:sorting:the
ordering of patients by urgency|placebo:dummy:a treatment without an active substance|cohort:panel:
a group of people that is followed over time|anaemia:bloodlessness:a lack of red blood cells|
prognosis:outlook:the likely course of an illness|lesion:wound:a damaged piece of tissue|remission:
recovery:the time in which an illness shows no signs""",
    "buildings": """insulation:lagging:material that keeps heat inside|facade:front:the outside of
a house|lintel:crossbeam:a beam above a door or window|mortar:binder:the paste between bricks|
retrofit:upgrade:the fitting of new parts into an old house|ventilation:airing:the exchange of used
air|subsidence:sinking:the slow lowering of the ground|joist:rafter:a beam that carries a floor""",
    "markets": """arbitrage:spreading:profit from two prices of a thing|liquidity:cashflow:how fast
a thing turns into money|dividend:payout:the part of a profit that owners get|inflation:dearness:the
rise of the general level of prices|collateral:pledge:a thing given as security|volatility:
swings:how strongly a price goes up and down|insolvency:bankruptcy:the state of not being able to
pay|subsidy:grant:money from the state that lowers a price""",
    "schools": """curriculum:syllabus:what is to be taught|literacy:reading:the ability to use
writing|truancy:absence:staying away without leave|pedagogy:teaching:the craft of instruction|
assessment:grading:the judging of what was learned|enrolment:intake:the taking in of pupils|
bursary:stipend:money that lets a pupil study|tutorial:lesson:an hour of guided work""",
    "energy": """inverter:converter:a device that makes alternating current|photovoltaic:
solar:turning light into current|turbine:rotor:a wheel that a stream drives|baseload:minimum:the
demand that is always there|grid:network:the lines that carry current|curtailment:throttling:the
forced lowering of output|biomass:greenery:plant matter used as fuel|capacity:rating:the most that
a plant can deliver""",
    "gardens": """compost:humus:rotted plants that feed the soil|mulch:litter:a cover that keeps the
ground moist|perennial:evergreen:a plant that lives for years|grafting:splicing:the joining of two
plants|pollination:fertilising:the carrying of pollen to a flower|germination:sprouting:the first
growth of a seed|pruning:cutting:the taking off of branches|loam:soil:ground of sand, silt and
clay""",
    "transport": """congestion:jams:more traffic than a road can take|freight:cargo:goods that are
carried|intermodal:combined:using several means of carriage|timetable:schedule:the list of
departures|gradient:slope:how steep a way is|tollway:turnpike:a road that one pays for|ridership:
patronage:how many people ride|depot:yard:the place where vehicles stay overnight""",
}
_QUOTED = {"": "“{value}”"}
_HEADINGS = ("summary", "method", "findings", "outlook")
_SUBJECTS = "the survey,the second trial,our team,an earlier report,the council,the review".split(
    ","
)
_VERBS = "measured,compared,questioned,described,mapped,revised,recorded,estimated".split(",")
_ADVERBS = "carefully,again,for the first time,in spring,without delay,at two sites".split(",")
_ENDINGS = (
    "which surprised everyone",
    "but the figures remain uncertain",
    "and that was confirmed later",
    "although the budget was small",
    "as had been expected",
    "so a new plan is needed before the end of the year",
)
_WORD = re.compile(r"[a-z]+")
_SENTENCE = re.compile(r"[.!?]+")
_VOWELS = re.compile(r"[aeiouy]+")


def _glossary() -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for field, block in _TERMS.items():
        parts = [entry.replace("\n", " ").split(":") for entry in block.split("|")]
        names = [part[0].strip() for part in parts]
        for at, (_, plain, meaning) in enumerate(parts):
            rows[names[at]] = {
                "term": names[at],
                "field": field,
                "plain_word": plain.strip(),
                "definition": meaning.strip(),
                "related": names[(at + 1) % len(names)],
            }
    return dict(sorted(rows.items()))


def _section(rng: Random, terms: list[str]) -> str:
    sentences = []
    for _ in range(rng.randrange(3, 7)):
        first, second = rng.choice(terms), rng.choice(terms)
        words = f"{rng.choice(_SUBJECTS)} {rng.choice(_VERBS)} the {first} and the {second}"
        tail = rng.choice((f" {rng.choice(_ADVERBS)}", f", {rng.choice(_ENDINGS)}", ""))
        sentences.append(f"{words[0].upper()}{words[1:]}{tail}.")
    return " ".join(sentences)


def _tables(seed: int) -> Tables:
    rng = generator(seed, "textwork")
    glossary = _glossary()
    crew = people(seed)
    documents: dict[str, Row] = {}
    topics: dict[str, Row] = {}
    for topic in sorted(_TERMS):
        own = [term for term, row in glossary.items() if row["field"] == topic]
        ids = []
        for at in range(14):
            terms = own + rng.choices(own, k=4) + rng.sample(sorted(glossary), 7)
            title = f"Report {at + 1} on {topic}"
            document_id = content_id("doc", title)
            documents[document_id] = {
                "document_id": document_id,
                "title": title,
                "topic": topic,
                "author": rng.choice(crew).name,
                "year": TODAY.year - rng.randrange(0, 11),
                "sections": {heading: _section(rng, terms) for heading in _HEADINGS},
            }
            ids.append(document_id)
        topics[topic] = {"document_ids": sorted(ids)}
    return {
        "documents": dict(sorted(documents.items())), "topics": topics, "glossary": glossary,
    }  # fmt: skip


WORLD = World("textwork", "Stored reports: measuring, comparing and rewording them.", _tables)

_DOCUMENT = text("Id of a document.", "document_id", pool=draw_from("documents", "document_id"))
_HEADING = choice("Which section.", "heading", _HEADINGS)


def _document(view: View, document_id: str) -> Row:
    row = view.get("documents", document_id)
    if row is None:
        raise ToolError(f"no document is stored under '{document_id}'")
    return row


@lru_cache(maxsize=4096)
def _counts(body: str) -> tuple[Mapping[str, int], float]:
    """How often each word occurs in a text, and the length of these counts as a vector."""
    counts = Counter(_WORD.findall(body.lower()))
    return counts, math.sqrt(sum(number**2 for number in counts.values()))


def _words(row: Row) -> Mapping[str, int]:
    return _counts(" ".join(row["sections"].values()))[0]


@WORLD.tool(
    "Find stored documents on a topic, newest first. Reads what the documents say now.",
    parameters={
        "topic": choice("Topic.", "topic", tuple(sorted(_TERMS))),
        "mentions": text(
            "Only documents that use this term.",
            "term",
            pool=draw_from("glossary", "term"),
            optional=True,
        ),
        "min_words": integer(
            "Least length in words.", "count", minimum=20, maximum=240, multipleOf=20, optional=True
        ),
    },
    outputs=(
        Output("document_ids", "list:document_id", (
            "all reports on {topic}[ that mention “{mentions}”][ with {min_words} words or more]",
            "every document about {topic}[ of at least {min_words} words][ using “{mentions}”]",
        )),
        Output("document_ids[0]", "document_id", (
            "the newest report on {topic}[ that mentions “{mentions}”]",
            "the latest document about {topic}[ in which “{mentions}” occurs]",
        )),
        Output("documents[0].author", "person", (
            "the author of the newest report on {topic}[ that mentions “{mentions}”]",
            "whoever wrote the latest document about {topic}[ in which “{mentions}” occurs]",
        )),
        Output("count", "count", ("how many reports on {topic}[ mentioning “{mentions}”] exist",)),
    ),
    wishes=(
        "Find reports on {topic}[ that mention “{mentions}”][, {min_words} words or longer].",
        ("What do we have about {topic}[ with the term “{mentions}”][ and at least {min_words} "
         "words]?"),
        ("Please look through the documents on {topic}[ for those using “{mentions}”][; skip what "
         "is under {min_words} words]."),
    ),
    reads=("documents", "topics"),
)  # fmt: skip
def find_documents(
    view: View, topic: str, mentions: str | None = None, min_words: int = 0
) -> dict[str, Any]:
    """Documents by year, then id."""
    found = []
    for document_id in (view.get("topics", topic) or {"document_ids": []})["document_ids"]:
        row = _document(view, document_id)
        words = _words(row)
        length = sum(words.values())
        if length >= min_words and (mentions is None or mentions in words):
            shown = ("document_id", "title", "author", "year")
            found.append({**{key: row[key] for key in shown}, "words": length})
    found.sort(key=lambda row: (-row["year"], row["document_id"]))
    return {
        "documents": found,
        "document_ids": [row["document_id"] for row in found],
        "count": len(found),
    }


@WORLD.tool(
    "Read one section of a stored document as it stands now.",
    parameters={"document_id": _DOCUMENT, "heading": _HEADING},
    outputs=(
        Output("passage", "passage", (
            "the {heading} of {document_id}",
            "the part of {document_id} under “{heading}”",
        )),
        Output("author", "person", ("whoever wrote the {heading} of {document_id}",)),
    ),
    wishes=(
        "Read me the {heading} of {document_id}.",
        "What does the {heading} section of {document_id} say?",
        "I only want to see the {heading} in {document_id}.",
    ),
    reads=("documents",),
)  # fmt: skip
def read_section(view: View, document_id: str, heading: str) -> dict[str, Any]:
    """One section; a draft need not have it."""
    row = _document(view, document_id)
    passage = row["sections"].get(heading)
    if passage is None:
        raise ToolError(f"{document_id} has no section '{heading}'")
    return {"passage": passage, "title": row["title"], "author": row["author"]}


@WORLD.tool(
    "Measure a passage: words, sentences, reading ease from 0 (hard) to 100, reading time.",
    parameters={
        "passage": text("The passage.", "passage", minLength=1),
        "words_per_minute": integer(
            "Reading speed; 200 if left out.",
            "reading_speed",
            minimum=80,
            maximum=400,
            multipleOf=20,
            optional=True,
        ),
    },
    outputs=(
        Output("words", "count", (
            "the number of words in {passage}",
            ("how long {passage} is, in words"),
        )),
        Output("reading_ease", "amount", (
            "the reading ease of {passage}",
            "the ease of {passage} for a reader, on the scale to 100",
        )),
        Output("minutes", "duration_min", (
            "the time it takes to read {passage}[ at {words_per_minute} words a minute]",
            "how long one needs for {passage}[, reading {words_per_minute} words a minute]",
        )),
    ),
    wishes=(
        "Measure {passage}[ at {words_per_minute} words a minute].",
        ("How long and how readable is {passage}[ for someone who reads {words_per_minute} words a "
         "minute]?"),
        ("Please give me length, reading ease and reading time of {passage}[, with "
         "{words_per_minute} words a minute]."),
    ),
)  # fmt: skip
def measure_passage(view: View, passage: str, words_per_minute: int = 200) -> dict[str, Any]:
    """Length and Flesch's reading ease, with groups of vowels for syllables."""
    words = _WORD.findall(passage.lower())
    if not words:
        raise ToolError(f"there are no words in '{passage[:40]}'")
    sentences = max(1, len([part for part in _SENTENCE.split(passage) if part.strip()]))
    syllables = sum(max(1, len(_VOWELS.findall(word))) for word in words)
    ease = 206.835 - 1.015 * len(words) / sentences - 84.6 * syllables / len(words)
    return {
        "words": len(words),
        "sentences": sentences,
        "reading_ease": round(min(100.0, max(0.0, ease)), 2),
        "minutes": round(len(words) / words_per_minute, 2),
    }


@WORLD.tool(
    "Extract keywords: the glossary terms that documents use most. Reads the stored documents as "
    "they stand now.",
    parameters={
        "document_ids": array(
            "The documents.", _DOCUMENT, minItems=1, maxItems=20, uniqueItems=True
        ),
        "limit": integer(
            "How many at most; 5 if left out.", "count", minimum=1, maximum=10, optional=True
        ),
    },
    outputs=(
        Output("keywords", "list:term", (
            "the[ {limit}] main keywords of {document_ids}",
            "the[ {limit}] glossary terms used most in {document_ids}",
        )),
        Output("keywords[0]", "term", (
            "the top keyword of {document_ids}",
            "the glossary term that occurs most in {document_ids}",
        )),
        Output("uses[0]", "count", ("how often the top keyword of {document_ids} is used",)),
    ),
    wishes=(
        "Extract the[ {limit}] main keywords from {document_ids}.",
        "Which[ {limit}] terms dominate {document_ids}?",
        "I'd like to tag {document_ids}; what are the[ {limit}] most frequent glossary terms?",
    ),
    reads=("documents", "glossary"),
)  # fmt: skip
def extract_keywords(view: View, document_ids: list[str], limit: int = 5) -> dict[str, Any]:
    """Terms by number of uses, then by name."""
    counts: dict[str, int] = {}
    for document_id in document_ids:
        for word, uses in _words(_document(view, document_id)).items():
            if view.get("glossary", word) is not None:
                counts[word] = counts.get(word, 0) + uses
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:limit]
    return {"keywords": [term for term, _ in ranked], "uses": [count for _, count in ranked]}


@WORLD.tool(
    "Look a term up in the glossary: definition, field, plainer word, related term.",
    parameters={
        "term": text("The term.", "term", pool=draw_from("glossary", "term"), says=_QUOTED)
    },
    outputs=(
        Output("definition", "passage", (
            "the definition of {term}",
            "what {term} means",
        )),
        Output("plain_word", "plain_word", (
            "the plain word for {term}",
            "the everyday word that the glossary gives for {term}",
        )),
        Output("related", "term", ("the term that the glossary relates to {term}",)),
        Output("field", "topic", ("the field of {term}",)),
    ),
    wishes=(
        "Look up {term} in the glossary.",
        "What does {term} mean, and is there a plainer word for it?",
        "Please give me the glossary entry on {term}.",
    ),
    reads=("glossary",),
)  # fmt: skip
def look_up_term(view: View, term: str) -> dict[str, Any]:
    """One entry of the glossary."""
    row = view.get("glossary", term)
    if row is None:
        raise ToolError(f"the glossary has no entry '{term}'")
    return dict(row)


def _likeness(a: Row, b: Row) -> float:
    """Cosine of the counts of words in two documents, in percent."""
    (first, length), (second, other) = (
        _counts(" ".join(row["sections"].values())) for row in (a, b)
    )
    shared = sum(uses * second.get(word, 0) for word, uses in first.items())
    return round(100 * shared / (length * other), 4)


@WORLD.tool(
    "Find which of some documents is most similar to a document, by the words used. Reads the "
    "stored documents as they stand now.",
    parameters={
        "document_id": _DOCUMENT,
        "among": array(
            "Documents to compare with.", _DOCUMENT, minItems=1, maxItems=20, uniqueItems=True
        ),
    },
    outputs=(
        Output("most_similar", "document_id", (
            "whichever of {among} is most similar to {document_id}",
            "the closest match to {document_id} out of {among}",
        )),
        Output("similarity_percent", "percent", (
            "the similarity between {document_id} and the closest of {among}",
            "how much {document_id} has in common with the most similar of {among}",
        )),
    ),
    wishes=(
        "Compare {document_id} with {among}: which is most similar?",
        "Which of {among} comes closest to {document_id}?",
        "Could you check {among} and tell me what resembles {document_id} most?",
    ),
    reads=("documents",),
)  # fmt: skip
def most_similar(view: View, document_id: str, among: list[str]) -> dict[str, Any]:
    """The document with the highest likeness, then the first by id; not the document itself."""
    row = _document(view, document_id)
    others = [
        (-_likeness(row, _document(view, other)), other) for other in among if other != document_id
    ]
    if not others:
        raise ToolError(f"{document_id} can only be compared with other documents")
    likeness, other = min(others)
    return {"most_similar": other, "similarity_percent": -likeness, "compared": len(others)}


@WORLD.tool(
    "Replace a term by another word throughout a document. Changes the stored document.",
    parameters={
        "document_id": _DOCUMENT,
        "term": text(
            "Word to replace.",
            "term",
            pattern="^[a-z]{2,30}$",
            pool=draw_from("glossary", "term"),
            says=_QUOTED,
        ),
        "replacement": text(
            "Word to put there.",
            "plain_word",
            pattern="^[a-z]{2,30}$",
            pool=draw_from("glossary", "plain_word"),
            says=_QUOTED,
        ),
    },
    outputs=(
        Output("replaced", "count", (
            "the number of places where {replacement} takes over from {term} in {document_id}",
        )),
    ),
    wishes=(
        "Replace {term} by {replacement} in {document_id}.",
        "In {document_id}, please write {replacement} wherever it says {term}.",
        "I'd rather read {replacement} than {term} in {document_id}; change it throughout.",
    ),
    reads=("documents",),
    writes=("documents",),
    undo=Undo(
        "replace_term",
        {
            "document_id": "arguments.document_id",
            "term": "arguments.replacement",
            "replacement": "arguments.term",
        },
    ),
)  # fmt: skip
def replace_term(view: View, document_id: str, term: str, replacement: str) -> dict[str, Any]:
    """Whole words only; the new word must not occur before."""
    row = _document(view, document_id)
    words = _words(row)
    if term not in words:
        raise ToolError(f"the word '{term}' does not occur in {document_id}")
    if replacement in words:
        raise ToolError(f"{document_id} uses the word '{replacement}' already")
    if term.capitalize() in " ".join(row["sections"].values()).split():
        raise ToolError(f"'{term}' begins a sentence in {document_id} and cannot be replaced")
    pattern = re.compile(rf"\b{term}\b")
    sections = {head: pattern.sub(replacement, body) for head, body in row["sections"].items()}
    view.put("documents", document_id, {**row, "sections": sections})
    return {"document_id": document_id, "replaced": words[term]}


@WORLD.tool(
    "Merge the same section of several documents into a new draft, in the order given. Adds the "
    "draft to the documents.",
    parameters={
        "document_ids": array(
            "The documents.", _DOCUMENT, minItems=2, maxItems=12, uniqueItems=True
        ),
        "heading": _HEADING,
        "title": text(
            "Title of the draft.",
            "draft_title",
            minLength=1,
            pool=lambda view, rng: rng.choice(
                ("Digest", "Yearbook chapter", "Briefing", "Handout", "Press folder")
            ),
        ),
    },
    outputs=(
        Output("document_id", "document_id", (
            "a new draft “{title}” made from the {heading} of {document_ids}",
            "the new document “{title}” that joins the {heading} of {document_ids}",
        )),
        Output("words", "count", (
            "the length in words of “{title}”, the draft of every {heading} in {document_ids}",
        )),
    ),
    wishes=(
        "Merge the {heading} of {document_ids} into a draft “{title}”.",
        ("Please make one document out of the {heading} in each of {document_ids}; call it "
         "“{title}”."),
        "I need a draft titled “{title}” that strings together the {heading} of {document_ids}.",
    ),
    reads=("documents",),
    writes=("documents",),
    undo=Undo("discard_draft", {"document_id": "result.document_id"}),
)  # fmt: skip
def merge_sections(view: View, document_ids: list[str], heading: str, title: str) -> dict[str, Any]:
    """A draft of one section; the same draft twice is refused."""
    draft_id = content_id("draft", list(document_ids), heading, title)
    if view.get("documents", draft_id):
        raise ToolError(f"the draft '{title}' exists already, as {draft_id}")
    passages = [
        str(read_section(view, document_id, heading)["passage"]) for document_id in document_ids
    ]
    row = {
        "document_id": draft_id,
        "title": title,
        "topic": "drafts",
        "author": _document(view, document_ids[0])["author"],
        "year": TODAY.year,
        "sections": {heading: " ".join(passages)},
    }
    view.put("documents", draft_id, row)
    return {"document_id": draft_id, "words": sum(_words(row).values())}


@WORLD.tool(
    "Discard a draft. Removes it from the documents; stored reports can't be discarded.",
    parameters={"document_id": text("Id of the draft.", "document_id")},
    wishes=(
        "Discard {document_id}.",
        "Please throw {document_id} away.",
        "Nobody will use {document_id}; get rid of it.",
    ),
    reads=("documents",),
    writes=("documents",),
)  # fmt: skip
def discard_draft(view: View, document_id: str) -> dict[str, Any]:
    """Remove a draft without a trace."""
    row = _document(view, document_id)
    if row["topic"] != "drafts":
        raise ToolError(f"{document_id} is a stored report, not a draft")
    view.remove("documents", document_id)
    return {"discarded": document_id, "title": row["title"]}
