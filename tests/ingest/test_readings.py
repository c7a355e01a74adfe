"""Reading a text twice only when that can change what is found; and reading it again when a person wishes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from lpmm_core.base.errors import InvalidInput, NotFound
from lpmm_core.base.records import Document, Extraction, Kind, Lexicon, Mention, Piece, Reading
from lpmm_core.base.settings import Settings
from lpmm_core.ingest.reading import occurring
from lpmm_core.memory import Memory
from lpmm_core.spaces import samples_directory
from lpmm_core.store.jobs import JobKind, JobState
from tests.fixtures.toy import ToyExtractor, document, entity, passage, picture

Open = Callable[..., Memory]


class TermExtractor(ToyExtractor):
    """Also finds terms: what stands between 〈 and 〉 anywhere in a document is a name wherever the document has it."""

    def __init__(self) -> None:
        super().__init__()
        self.discovered = 0

    def discover(self, texts: Sequence[str]) -> Lexicon:
        self.discovered += len(texts)
        return Lexicon(tuple(sorted({(t, Kind.PLACE) for text in texts for t in re.findall("〈(.+?)〉", text)})))

    def extract(self, readings: Sequence[Reading]) -> list[Extraction]:
        found = super().extract(readings)
        return [
            Extraction(
                (
                    *extraction.mentions,
                    *(
                        Mention(term, kind, at, at + len(term))
                        for term, kind in reading.lexicon.terms
                        if (at := reading.text.find(term)) >= 0
                    ),
                ),
                extraction.triples,
            )
            for extraction, reading in zip(found, readings, strict=True)
        ]


def rows(memory: Memory, source: str) -> list[tuple[Any, ...]]:
    """Return all that was read from a source, without row numbers."""
    with memory.snapshot() as view:
        found = view.connection.execute(
            """SELECT o.position, n.key, m.spelling, m.kind, m.start, m.stop, m.titular, m.confidence, m.reader
            FROM mentions m JOIN occurrences o ON o.id = m.occurrence JOIN sources s ON s.id = o.source
            JOIN names n ON n.id = m.name WHERE s.name = ? ORDER BY o.position, m.titular, m.start IS NULL, m.start, n.key""",
            (source,),
        ).fetchall()
        found += view.connection.execute(
            """SELECT o.position, v.fact, v.start, v.stop, v.confidence, v.reader FROM evidence v
            JOIN occurrences o ON o.id = v.occurrence JOIN sources s ON s.id = o.source WHERE s.name = ? ORDER BY v.id""",
            (source,),
        ).fetchall()
        return [tuple(row) for row in found]


def test_a_known_text_is_not_read_again_where_its_document_cuts_it_the_same_way(open_toy: Open) -> None:
    extractor = TermExtractor()
    memory = open_toy(extractor=extractor)
    texts = ["# Varna\nMira|!knows|Anna", "in the 〈old mill〉 of Pell", "Pell went to the old mill"]
    memory.ingest([document(*texts, name="one")])
    extractor.read.clear()
    memory.ingest([document(*texts, "Pell|met|Anna", name="two")])
    assert extractor.read == ["Pell|met|Anna"]
    assert [row for row in rows(memory, "two") if row[0] < 4] == rows(memory, "one")
    assert memory.sources().items[0].states == {"ready": 4}
    assert memory.check() == []


def test_a_known_text_that_another_document_cuts_differently_is_read_again_and_its_names_are_the_union(
    open_toy: Open,
) -> None:
    extractor = TermExtractor()
    memory = open_toy(extractor=extractor)
    memory.ingest([document("Pell went to the old mill", "Mira|knows|Anna", name="one")])
    extractor.read.clear()
    memory.ingest([document("Pell went to the old mill", "Mira|knows|Anna", "a 〈old mill〉", name="two")])
    assert extractor.read == ["Pell went to the old mill", "a 〈old mill〉"]
    entry = memory.passage(passage(memory, "Pell went"))
    found = {memory.entity(span.entity).entity.name for span in entry.spans}
    assert found == {"Pell", "old mill"}


def test_the_order_of_documents_does_not_matter(open_toy: Open) -> None:
    one = document("Pell went to the old mill", "Mira|knows|Anna", name="one")
    two = document("Pell went to the old mill", "Mira|knows|Anna", "a 〈old mill〉", name="two")
    forth, back = open_toy("forth", extractor=TermExtractor()), open_toy("back", extractor=TermExtractor())
    for memory, documents in ((forth, (one, two)), (back, (two, one))):
        for each in documents:
            memory.ingest([each])
    assert picture(forth) == picture(back)


def test_the_terms_of_a_long_document_are_not_looked_for_for_the_sake_of_one_line(open_toy: Open) -> None:
    extractor = TermExtractor()
    memory = open_toy(extractor=extractor)
    memory.ingest([document(*(f"Name{i}|met|Bob" for i in range(50)), name="long")])
    other = open_toy(extractor=extractor)
    extractor.discovered = 0
    other.ingest([document("Name7|met|Bob", "Zoe|met|Bob", name="short")])
    assert extractor.discovered == 2
    assert extractor.read[-2:] == ["Name7|met|Bob", "Zoe|met|Bob"]


def test_who_speaks_is_part_of_what_is_read(open_toy: Open) -> None:
    extractor = ToyExtractor()
    memory = open_toy(extractor=extractor)
    for name, speaker in (("a", "Mira"), ("b", "Bob"), ("c", "Mira")):
        memory.ingest([Document(name, name * 64, "chat", (Piece("Anna sings", speaker=speaker),))])
    assert extractor.read == ["Anna sings", "Anna sings"]


def test_terms_that_do_not_stand_in_a_text_do_not_count() -> None:
    lexicon = Lexicon((("Old mill", Kind.PLACE), ("mill\nrace", Kind.PLACE), ("weir", Kind.PLACE)))
    assert occurring(lexicon, "at the old\nmill") == (("Old mill", Kind.PLACE),)


# --- reading again, by hand ---


def test_a_passage_read_again_finds_the_names_that_the_memory_knows_by_now(open_toy: Open) -> None:
    extractor = TermExtractor()
    memory = open_toy(extractor=extractor)
    memory.ingest([document("Pell went to the old mill", "Bob saw the weir", name="one")])
    memory.ingest([document("the 〈old mill〉 and the 〈weir〉", name="two")])
    first, before = passage(memory, "Pell went"), picture(memory)
    extractor.read.clear()
    job = memory.reextract([first])
    assert memory.job(job).kind is JobKind.READ_AGAIN
    assert memory.finish_job(job) is JobState.DONE
    assert extractor.read == ["Pell went to the old mill"]
    spans = memory.passage(first).spans
    assert {memory.entity(span.entity).entity.name for span in spans} == {"Pell", "old mill"}
    assert entity(memory, "weir") not in {span.entity for span in memory.passage(passage(memory, "Bob saw")).spans}
    assert picture(memory).edges != before.edges
    assert memory.check() == []
    done = memory.history()[0]
    assert (done.kind, done.summary, done.state) == ("reextract", "1 passages", "final")
    once = rows(memory, "one")
    memory.finish_job(memory.reextract([first]))
    assert rows(memory, "one") == once, "the same names find the same once"


def test_reading_again_with_nothing_new_known_changes_nothing(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("Mira|knows|Anna", name="one")])
    once = rows(memory, "one")
    memory.finish_job(memory.reextract([passage(memory, "Mira|")]))
    assert rows(memory, "one") == once


def test_only_passages_are_read_again(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("Mira|knows|Anna")])
    id = passage(memory, "Mira|")
    with pytest.raises(NotFound, match="no passage"):
        memory.reextract([entity(memory, "Mira")])
    with pytest.raises(InvalidInput, match="say what"):
        memory.reextract([])
    memory.delete([id])
    with pytest.raises(NotFound, match="not in sight"):
        memory.reextract([id])


# --- the real extractor ---


@pytest.mark.models
@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_is_taken_from_an_earlier_reading_is_what_reading_again_would_find(tmp_path: Path, language: str) -> None:
    settings = Settings.model_validate({"embedding": {"provider": "none"}})
    files = sorted((samples_directory() / language).iterdir())[:3]
    pieces = [f"{file.read_text('utf-8')}" for file in files]
    with Memory.open(tmp_path / "space", settings=settings) as memory:
        for text, file in zip(pieces, files, strict=True):
            memory.ingest_text(text, name=file.name)
            memory.ingest_text(f"{text}\n", name=f"again {file.name}")
            assert rows(memory, f"again {file.name}")
            assert rows(memory, f"again {file.name}") == rows(memory, file.name)
            with Memory.open(tmp_path / f"fresh {file.name}", settings=settings) as fresh:
                fresh.ingest_text(f"{text}\n", name=f"again {file.name}")
                alone = [row for row in rows(fresh, f"again {file.name}") if len(row) == 9]
            assert [row for row in rows(memory, f"again {file.name}") if len(row) == 9] == alone
