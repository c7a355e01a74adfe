"""Reading English in tests: one reader for all of them, triples as plain tuples."""

from __future__ import annotations

from functools import cache

from lpmm_core.base.records import Extraction, Reading
from lpmm_core.extract.english import EnglishReader
from lpmm_core.extract.local import LocalExtractor


@cache
def english() -> EnglishReader:
    return EnglishReader()


@cache
def extractor() -> LocalExtractor:
    return LocalExtractor(english=english())


def extract(
    text: str, *, title: str | None = None, speaker: str | None = None, addressee: str | None = None
) -> Extraction:
    return extractor().extract([Reading(text, title, speaker, addressee)])[0]


def stated(
    text: str, *, title: str | None = None, speaker: str | None = None, addressee: str | None = None
) -> set[tuple[str, str, str]]:
    """The triples of `text`, those that are denied with "not" before the predicate."""
    found = extract(text, title=title, speaker=speaker, addressee=addressee)
    return {(t.subject, f"not {t.predicate}" if t.negated else t.predicate, t.object) for t in found.triples}


def named(text: str, *, title: str | None = None, speaker: str | None = None) -> dict[str, str]:
    """The mentions of `text`: name -> kind."""
    return {m.name: str(m.kind) for m in extract(text, title=title, speaker=speaker).mentions}
