from __future__ import annotations

import random
import time
from collections.abc import Sequence

import pytest

from lpmm_core.base.records import Extraction, Extractor, Kind, Lexicon, Mention, Reading, Triple
from lpmm_core.extract.local import LocalExtractor
from lpmm_core.extract.merging import merge_mentions, merge_triples
from tests.extract.reading import english, extract, extractor, named, stated


class Noted:
    """A reader that notes what it is given and finds what it is told to."""

    def __init__(self, found: Extraction | None = None) -> None:
        self.given: list[tuple[str | None, str]] = []
        self.found = found or Extraction()

    def discover(self, texts: Sequence[str]) -> tuple[tuple[str, Kind], ...]:
        return (("往世乐土", Kind.PLACE),)

    def read(self, passages: Sequence[tuple[Reading, Sequence[tuple[int, int]]]]) -> list[Extraction]:
        self.given += [(reading.speaker, reading.text[a:b]) for reading, spans in passages for a, b in spans]
        return [self.found for _ in passages]


def test_it_is_an_extractor_with_a_versioned_name():
    local: Extractor = LocalExtractor(chinese=Noted(), english=Noted())
    assert local.name == "local/2"
    assert local.extract([]) == []


def test_each_sentence_goes_to_its_language_with_its_speaker():
    """MT-10, LP-29."""
    chinese, english_ = Noted(), Noted()
    local = LocalExtractor(chinese=chinese, english=english_)
    local.extract([Reading("[芽衣] 我走了。I left.\n[Tom] 你好。Привет.", speaker="x")])
    assert chinese.given == [("芽衣", "我走了。"), ("Tom", "你好。")]
    assert english_.given == [("芽衣", "I left.")]


def test_a_speakers_mark_is_no_name():
    """LP-29."""
    assert named("[Rosa] I live in Naples.") == {"Naples": "place"}
    assert stated("[Rosa] I live in Naples.") == {("Rosa", "live in", "Naples")}


def test_patterns_are_found_in_any_script():
    """MT-11."""
    assert named("Пишите: ivan@example.org") == {"ivan@example.org": "email"}


def test_the_lexicon_of_a_document_is_sorted_and_holds_both_halves():
    local = LocalExtractor(chinese=Noted(), english=english())
    texts = ["我在往世乐土。We saw Velmont Quorix.", "Then Velmont Quorix left."]
    assert local.discover(texts) == Lexicon((("Velmont Quorix", Kind.ORGANISATION), ("往世乐土", Kind.PLACE)))
    assert local.discover([]) == Lexicon()


def test_patterns_win_then_the_longer_mention():
    mail = Mention("a@b.org", Kind.EMAIL, 10, 17)
    short, long = Mention("Paris", Kind.PLACE, 0, 5, 0.9), Mention("Paris Opera", Kind.ORGANISATION, 0, 11, 0.7)
    assert merge_mentions([mail], [short, long]) == [short, mail]
    assert merge_mentions([], [short, long]) == [long]
    assert merge_mentions([], [Mention("she", Kind.PERSON, 0, 3), Mention("[", Kind.THING, 5, 6)]) == []


def test_triples_are_cleaned_stated_once_and_never_loop():
    again = Triple("“Anna”", "lives  in", "Rome", confidence=0.9)
    triples = [
        Triple("Anna", "lives in", "Rome", confidence=0.7),
        again,
        Triple("Rome", "is", "rome"),
        Triple("it", "is", "Rome"),
    ]
    assert [(t.subject, t.predicate, t.object, t.confidence) for t in merge_triples(triples)] == [
        ("Anna", "lives in", "Rome", 0.9)
    ]
    denied = Triple("Anna", "lives in", "Rome", negated=True)
    assert len(merge_triples([*triples, denied])) == 2


PASSAGES = [
    "Tim Cook, CEO of Apple, met Chancellor Anna Weber in Berlin on Tuesday.",
    "Yes.",
    "The Silent Orchard is a 1971 British drama film directed by Helen Marsh. It was shot in Cornwall.",
    "I met my aunt and received a crystal chandelier.",
    "OK, she left.",
    "Marta Lindqvist (12 March 1911 - 4 May 1987) was a Swedish chemist. She was born in Uppsala.",
    "",
    "Old Mr Pemberton kept a clock shop in Weaver Lane. His daughter Alice hated the ticking, but she loved her father.",
]


def test_a_reading_does_not_depend_on_what_is_read_beside_it():
    readings = [Reading(text, speaker="Ana") for text in PASSAGES * 9]
    alone = {reading.text: extractor().extract([reading])[0] for reading in readings[: len(PASSAGES)]}
    together = extractor().extract(readings)
    assert together == [alone[reading.text] for reading in readings]
    random.Random(7).shuffle(readings)
    assert extractor().extract(readings) == [alone[reading.text] for reading in readings]
    assert LocalExtractor(english=english()).extract(readings[:3]) == [alone[r.text] for r in readings[:3]]


def test_evidence_points_to_the_sentence():
    """MT-21."""
    text = "  Hello there!\n\nMarcus poured the wine. [note]"
    triple = extract(text).triples[0]
    assert text[triple.start : triple.end] == "Marcus poured the wine."


@pytest.mark.parametrize(
    "text",
    [
        "word " * 8_000,
        "a" * 100_000,
        "(" * 5_000 + "x" + ")" * 5_000,
        "Tom and " * 1_500,
        "Tom Smith met Anna Lee and " * 400,
        "king of " * 1_500,
        '"He said ' * 800,
        "\x00\x01 Tom \x07 lives in Paris.",
        "[a] hi\n" * 800,
        "\ud83d not a character",
    ],
    ids=["words", "no break", "brackets", "and", "clauses", "of", "quotes", "control", "marks", "surrogate"],
)
def test_hostile_text_takes_bounded_time_and_gives_bounded_triples(text: str):
    began = time.perf_counter()
    found = extract(text, title="Tom (x)", speaker="Ana")
    assert time.perf_counter() - began < 30
    assert len(found.triples) < 500
