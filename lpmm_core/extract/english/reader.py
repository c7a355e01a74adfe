"""The English half of extraction: sentences in, names and triples out, by spaCy's parse and rules over it.

A passage is read sentence by sentence. In each, names are found, every word that can end a triple is resolved (a pronoun to what the
passage spoke of), and the claims of verbs and nouns become triples between the resolved names. Reading is deterministic and a passage
does not depend on the passages read with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from lpmm_core.base.records import Extraction, Kind, Mention, Reading, Triple
from lpmm_core.extract.english.claims import Claim
from lpmm_core.extract.english.clauses import Clauses
from lpmm_core.extract.english.document import clauses_of, document_terms, evened, subject_of
from lpmm_core.extract.english.kinds import NOT_NAMING, Name
from lpmm_core.extract.english.model import EnglishModel
from lpmm_core.extract.english.names import find_names
from lpmm_core.extract.english.nominals import ALSO_KNOWN_AS, inferred_claims, noun_claims
from lpmm_core.extract.english.nouns import Nouns
from lpmm_core.extract.english.parse import Parse
from lpmm_core.extract.english.phrases import Phrases
from lpmm_core.extract.english.quotes import voices
from lpmm_core.extract.english.references import Discourse
from lpmm_core.extract.english.referents import Referent
from lpmm_core.extract.english.words import Words, english_words, singular
from lpmm_core.extract.patterns import find_patterns

_MOST_TRIPLES = 24
"""Triples of one sentence."""


class EnglishReader:
    """Reads English sentences. The model loads at the first reading; threads may share a reader."""

    def __init__(self) -> None:
        self._model = EnglishModel()
        self._words = english_words()

    def discover(self, texts: Sequence[str]) -> tuple[tuple[str, Kind], ...]:
        """The names that a document repeats, so that every passage reads them alike."""
        return document_terms(texts, self._words)

    def read(self, passages: Sequence[tuple[Reading, Sequence[tuple[int, int]]]]) -> list[Extraction]:
        """Read the sentences at the given spans of each passage; offsets are characters of the passage's text."""
        spans = [
            (number, *clause)
            for number, (reading, sentences) in enumerate(passages)
            for start, end in sentences
            for clause in clauses_of(reading.text, start, end)
        ]
        parses = self._model.parse([evened(passages[number][0].text[start:end]) for number, start, end in spans])
        grouped: list[list[tuple[int, Parse]]] = [[] for _ in passages]
        for (number, start, _), parse in zip(spans, parses, strict=True):
            grouped[number].append((start, parse))
        return [
            _Passage(reading, self._words).read(sentences)
            for (reading, _), sentences in zip(passages, grouped, strict=True)
        ]


def _is_table(parse: Parse) -> bool:
    """Whether a long run of words is a table or a list of titles rather than a sentence: nearly all capitals."""
    words = [word for word in parse.words if word[0].isalpha()]
    return len(words) > 25 and sum(word[0].isupper() for word in words) > 0.6 * len(words)


class _Passage:
    """One passage being read."""

    def __init__(self, reading: Reading, words: Words) -> None:
        self._words = words
        self._text = reading.text
        title = subject_of(reading, words)
        self._discourse = Discourse(
            words,
            title=title,
            speaker=reading.speaker,
            addressee=reading.addressee,
            terms=[term for term, _ in reading.lexicon.terms],
        )
        self._terms: list[tuple[str, Kind | None]] = list(reading.lexicon.terms)
        if self._discourse.title is not None and len(self._discourse.title.name) > 1:
            known = self._discourse.title
            self._terms.insert(0, (known.name, known.kind))
            other = re.search(re.escape(known.name), reading.text, re.IGNORECASE) if " " in known.name else None
            if other is not None and other[0] not in {known.name, known.name[0].lower() + known.name[1:]}:
                self._terms.insert(1, (other[0], known.kind))  # "Rain Over Moss" under "Rain over Moss"
        self._mentions: list[tuple[Mention, Referent | None]] = []
        self._triples: list[Triple] = []

    def read(self, sentences: Iterable[tuple[int, Parse]]) -> Extraction:
        for number, (offset, parse) in enumerate(sentences):
            self._sentence(number, offset, parse)
        # what a name names may have been told later than the name itself
        mentions = (replace(m, kind=r.kind) if r is not None and r.kind is not None else m for m, r in self._mentions)
        return Extraction(tuple(mentions), tuple(self._triples))

    def _sentence(self, number: int, offset: int, parse: Parse) -> None:
        if _is_table(parse):
            return
        names = find_names(
            parse,
            self._words,
            patterns=find_patterns(parse.text),
            terms=[term for term in self._terms if term[0][1:] in parse.text],
            met=self._discourse.knows,
        )
        nouns = Nouns(parse, names, self._words)
        phrases = Phrases(nouns, self._discourse, number, voices(parse, self._words))
        for name in names:
            self._mention(parse, phrases, name, offset)
        self._kin(nouns, offset)
        claims = Clauses(nouns).claims() + noun_claims(nouns)
        claims += inferred_claims(nouns, phrases, claims)
        made = 0
        for claim in claims:
            self._learn(claim, parse, phrases)
            for triple in _triples(claim, nouns, phrases, offset):
                if made < _MOST_TRIPLES:
                    self._triples.append(triple)
                    made += 1

    def _learn(self, claim: Claim, parse: Parse, phrases: Phrases) -> None:
        """Keep what a claim says of its subject for the sentences that follow."""
        subject = phrases.end(claim.subject).referents
        if claim.type_word is not None and not claim.negated:
            for referent in subject:
                self._discourse.is_a(referent, singular(parse.lower[claim.type_word]))
        if claim.predicate == (ALSO_KNOWN_AS,):
            self._discourse.alias(subject, phrases.end(claim.object).referents)

    def _mention(self, parse: Parse, phrases: Phrases, name: Name, offset: int) -> None:
        referents = phrases.end(name.first).referents
        full = referents[0].name if referents else name.text
        shortened = full != name.text and len(name.text) < len(full) and name.kind not in NOT_NAMING
        if shortened and full in self._text:
            return  # the fuller name is mentioned
        start = parse.starts[name.first]
        text, shown = name.text, parse.text.find(name.text, start)
        if shown < 0:  # white space was folded
            shown, text = start, parse.slice(name.first, name.last)
        mention = Mention(text, name.kind, offset + shown, offset + shown + len(text), name.confidence)
        told_later = referents and name.kind not in NOT_NAMING and name.confidence < 1
        self._mentions.append((mention, referents[0] if told_later else None))

    def _kin(self, nouns: Nouns, offset: int) -> None:
        """The speaker's kin are mentioned without their owner: "my aunt" is the aunt (MT-14)."""
        parse = nouns.parse
        for anchor, upper, lower in parse.anchors:
            if anchor != "possession" or parse.lower[lower] not in {"my", "our"} or not nouns.common(upper):
                continue
            beside = parse.deps[upper] == "compound" and parse.heads[upper] in nouns.name_at  # "my cousin jake"
            if (
                upper not in nouns.stands_for
                and not beside
                and self._words.listed(singular(parse.lower[upper]), "people", "kin")
            ):
                start = parse.starts[upper] + offset
                end = start + len(parse.words[upper])
                self._mentions.append((Mention(parse.words[upper], Kind.PERSON, start, end, 0.7), None))


def _triples(claim: Claim, nouns: Nouns, phrases: Phrases, offset: int) -> Iterator[Triple]:
    """The claim between each of the things its ends stand for."""
    said = [_said(part, nouns, phrases) for part in claim.predicate]
    if None in said:
        return
    predicate = " ".join(part for part in said if part)
    subject, objects, factor = phrases.end(claim.subject), _objects(claim, nouns, phrases), 1.0
    if not claim.kind_of:
        factor = phrases.end(claim.object).confidence
    confidence = round(claim.confidence * subject.confidence * factor, 2)
    for referent in subject.referents:
        for one in objects:
            yield Triple(
                referent.name, predicate, one, offset, offset + len(nouns.parse.text), confidence, claim.negated
            )


def _objects(claim: Claim, nouns: Nouns, phrases: Phrases) -> list[str]:
    if not claim.kind_of:
        return [referent.name for referent in phrases.end(claim.object).referents]
    text = nouns.phrase(claim.object)
    if text and nouns.parse.tags[claim.object] == "NNS" and claim.predicate == ("is",):
        text = singular(text)  # "the films Manglehorn and Stronger": each is one film
    return [text] if text else []


def _said(part: str | int, nouns: Nouns, phrases: Phrases) -> str | None:
    """A part of a predicate in words: a name or what a pronoun stands for, if anything, else the noun; None for another word."""
    if isinstance(part, str):
        return part
    if part in nouns.name_at or nouns.parse.tags[part] == "PRP":
        referents = phrases.end(part).referents
        return referents[0].name if len(referents) == 1 else ""
    bare = nouns.parse.lower[part] if nouns.parse.tags[part].startswith("NN") else None
    return nouns.phrase(part, tail=False) or bare
