"""One document of OpenIE JSON: a passage with the entities and triples that LPMM, HippoRAG or a language model found in it.

    {"idx": "<any hash>", "passage": "...", "extracted_entities": ["..."], "extracted_triples": [["s", "p", "o"]]}

What our own export says a passage denies stands in `denied_triples`, in the same form; other programs write no such list.

The passage keeps its bytes, which others hash, but for control characters. Hashes and averages are computed anew on export.
LPMM's filters hold: entities that are no text, blank, repeated or a pronoun are dropped, and triples that are not three texts
or repeated. A triple with such a pronoun at its end is dropped too, since what it stood for cannot be told any more. All of
it is counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lpmm_core.base.records import Extraction, Kind, Mention, Piece, Triple
from lpmm_core.ingest.documents.clean import count_controls, without_controls
from lpmm_core.ingest.documents.passages import is_blank
from lpmm_core.ingest.documents.speaker import speaker_of
from lpmm_core.ingest.documents.tally import Tally

_PRONOUNS = frozenset(("你", "他", "她", "它", "我们", "你们", "他们", "她们", "它们"))

# Looking for a name in a passage takes the passage's length; a hostile record would make that quadratic.
_LOCATING_BUDGET = 1_000_000

DENIED = "denied_triples"
"""Key of the triples that a passage denies."""

NO_PASSAGE = "records skipped, no passage"
REPEATED_PASSAGE = "repeated passages, joined with the first"
LOOSE_ENDS = "triple ends that are not among the entities of their passage"
CONTROLS = "control characters taken out"


def openie_piece(record: Mapping[str, Any], place: str, tally: Tally) -> Piece | None:
    """Return the passage of one document with what was found in it, or None when it has no passage.

    A document that lacks both lists comes without extraction, so that it is read here; with an empty list it was read and found empty.

    Args:
        record: the document.
        place: where it stands, for the notes.
        tally: where everything dropped is counted.
    """
    title, text = _passage(record)
    controls = count_controls(text)
    if controls:
        tally.add(CONTROLS, place, count=controls)
        text = without_controls(text)
    if is_blank(text):
        tally.add(NO_PASSAGE, place)
        return None
    names, triples = _list(record, "extracted_entities"), _list(record, "extracted_triples")
    extraction = None
    if names is not None or triples is not None:
        kept = _names(names or [], place, tally)
        stated = _triples(triples or [], kept, place, tally)
        denied = _triples(_list(record, DENIED) or [], kept, place, tally)
        extraction = Extraction(_mentions(kept, text), (*stated, *(replace(triple, negated=True) for triple in denied)))
    return Piece(text, title, speaker_of(text), extraction=extraction)


def join_pieces(first: Piece, second: Piece) -> Piece:
    """Return `first` with what `second`, the same passage, found besides."""
    if first.extraction is None or second.extraction is None:
        return replace(first, extraction=first.extraction or second.extraction)
    mentions = {m.name: m for m in (*second.extraction.mentions, *first.extraction.mentions)}
    ordered = dict.fromkeys(m.name for m in (*first.extraction.mentions, *second.extraction.mentions))
    triples = tuple(dict.fromkeys((*first.extraction.triples, *second.extraction.triples)))
    return replace(first, extraction=Extraction(tuple(mentions[name] for name in ordered), triples))


def _passage(record: Mapping[str, Any]) -> tuple[str | None, str]:
    """Return title and text; HippoRAG writes both beside the passage, which is the two on two lines."""
    passage, title, text = record.get("passage"), record.get("title"), record.get("text")
    titled = isinstance(title, str) and isinstance(text, str) and title.strip() and text.strip()
    if titled and (passage == f"{title}\n{text}" or not isinstance(passage, str)):
        return without_controls(str(title)), str(text)
    if isinstance(passage, str):
        return None, passage
    return None, text if isinstance(text, str) else ""


def _list(record: Mapping[str, Any], key: str) -> list[Any] | None:
    value = record.get(key)
    return value if isinstance(value, list) else None


def _names(given: list[Any], place: str, tally: Tally) -> list[str]:
    kept: dict[str, None] = {}
    for name in given:
        reason = _why_no_end(name)
        cleaned = without_controls(name).strip() if isinstance(name, str) else ""
        if reason is None and cleaned in kept:
            reason = "repeated"
        if reason is not None:
            tally.add(f"entities dropped, {reason}", place)
        else:
            kept[cleaned] = None
    return list(kept)


def _triples(given: list[Any], names: list[str], place: str, tally: Tally) -> tuple[Triple, ...]:
    known = set(names)
    kept: dict[Triple, None] = {}
    for parts in given:
        triple = _triple(parts)
        reason = triple if isinstance(triple, str) else "repeated" if triple in kept else None
        if isinstance(triple, str) or reason is not None:
            tally.add(f"triples dropped, {reason}", place)
            continue
        kept[triple] = None
        loose = len({triple.subject, triple.object} - known)
        if loose:
            tally.add(LOOSE_ENDS, place, count=loose)
    return tuple(kept)


def _triple(parts: Any) -> Triple | str:
    """Return the triple, or why it is none."""
    if not isinstance(parts, list) or len(parts) != 3 or not all(isinstance(part, str) for part in parts):
        return "not three texts"
    subject, predicate, target = (without_controls(part).strip() for part in parts)
    if is_blank(predicate):
        return "blank"
    return _why_no_end(subject) or _why_no_end(target) or Triple(subject, predicate, target)


def _why_no_end(name: Any) -> str | None:
    """Return why `name` names nothing, or None."""
    if not isinstance(name, str):
        return "not text"
    stripped = without_controls(name).strip()
    if is_blank(stripped):
        return "blank"
    return "pronoun" if stripped in _PRONOUNS else None


def _mentions(names: list[str], text: str) -> tuple[Mention, ...]:
    """Locate each name where it first stands; one that does not stand in the text (it may be in the title) gets an empty span."""
    looked_for = _LOCATING_BUDGET // max(1, len(text))
    mentions = []
    for i, name in enumerate(names):
        start = text.find(name) if i < looked_for else -1
        mentions.append(
            Mention(name, Kind.THING, start, start + len(name)) if start >= 0 else Mention(name, Kind.THING, 0, 0)
        )
    return tuple(mentions)
