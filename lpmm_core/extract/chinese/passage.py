"""One passage, from the words of its sentences to its mentions and triples.

The sentences are cut into clauses at their marks and at the borders of quotations; the clauses are then read in order, while the
discourse remembers topic and speakers. What is found is gathered with the characters it came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lpmm_core.base.names import why_not_a_name
from lpmm_core.base.records import Extraction, Kind, Mention, Reading, Triple
from lpmm_core.extract.chinese.asides import Aside, aside_statements, without_asides
from lpmm_core.extract.chinese.attachment import Attacher
from lpmm_core.extract.chinese.chunks import Chunk, Chunker, Sort
from lpmm_core.extract.chinese.claims import Statement
from lpmm_core.extract.chinese.clauses import ClauseReader
from lpmm_core.extract.chinese.discourse import Discourse
from lpmm_core.extract.chinese.events import Event
from lpmm_core.extract.chinese.lists import Vocabulary
from lpmm_core.extract.chinese.nouns import Noun
from lpmm_core.extract.chinese.relations import RelationReader
from lpmm_core.extract.chinese.speech import Quotation, find_quotations, quotation_at
from lpmm_core.extract.chinese.tangles import believed
from lpmm_core.extract.chinese.words import Word
from lpmm_core.extract.sentences import Turn, split_turns

_QUESTION_MARKS = ("？", "?")
_QUESTION_PARTICLES = frozenset(("吗", "么"))
_QUOTED_SHARE = 0.85
_LONGEST_CLAUSE = 45


@dataclass(frozen=True, slots=True)
class Sentence:
    """The words of the sentence at [start, end)."""

    start: int
    end: int
    words: Sequence[Word]


@dataclass(frozen=True, slots=True)
class _Clause:
    chunks: Sequence[Chunk]
    relatives: Sequence[Event]
    sentence: Sentence
    opens_sentence: bool
    opening: int  # where the first noun of the sentence stands
    question: bool
    quotation: Quotation | None

    @property
    def start(self) -> int:
        return self.chunks[0].start


class PassageReader:
    """Reads passages whose sentences have been cut into words."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._chunker = Chunker(vocabulary)
        self._attacher = Attacher(vocabulary)
        self._clauses = ClauseReader(vocabulary)
        self._relations = RelationReader(vocabulary)

    def read(
        self, reading: Reading, sentences: Sequence[Sentence], title: tuple[str, Kind] | None = None
    ) -> Extraction:
        """Return what the sentences of one passage say; `title` is the name that the reading's title is."""
        found = _Found(reading.text, self._vocabulary)
        quotations = find_quotations(reading.text)
        clauses: list[_Clause] = []
        asides: list[tuple[Aside, Sentence]] = []
        for sentence in sentences:
            words, brackets = without_asides(sentence.words)
            asides += [(aside, sentence) for aside in brackets]
            found.names(sentence.words)
            clauses += self._cut(words, sentence, quotations, found)
        self._walk(reading, title, clauses, found)
        for aside, sentence in asides:
            for statement in aside_statements(aside, self._vocabulary):
                found.statement(statement, sentence)
        return found.extraction()

    # --- clauses ------------------------------------------------------------------------------------------------------------

    def _cut(
        self, words: Sequence[Word], sentence: Sentence, quotations: Sequence[Quotation], found: _Found
    ) -> list[_Clause]:
        groups: list[list[Chunk]] = [[]]
        inside: list[Quotation | None] = [None]
        asks = [False]
        for chunk in self._chunker.chunk(words):
            found.nouns(chunk.nouns)
            quotation = quotation_at(quotations, chunk.start)
            if groups[-1] and quotation is not inside[-1]:
                groups.append([])
                inside.append(quotation)
                asks.append(False)
            inside[-1] = quotation
            if chunk.sort is Sort.MARK:
                asks[-1] = asks[-1] or chunk.text.startswith(_QUESTION_MARKS)
                groups.append([])
                inside.append(quotation)
                asks.append(False)
                continue
            asks[-1] = asks[-1] or (chunk.sort is Sort.OTHER and chunk.text in _QUESTION_PARTICLES)
            groups[-1].append(chunk)
        clauses: list[_Clause] = []
        opening = -1
        for group, quotation, question in zip(groups, inside, asks, strict=True):
            if 0 < len(group) <= _LONGEST_CLAUSE:  # a longer one is a list or a table, no clause
                chunks, relatives = self._attacher.attach(group)
                if opening < 0:
                    opening = next((c.nouns[0].start for c in chunks if c.sort is Sort.NOUN), -1)
                if chunks:
                    clauses.append(_Clause(chunks, relatives, sentence, not clauses, opening, question, quotation))
        return clauses

    def _walk(
        self, reading: Reading, title: tuple[str, Kind] | None, clauses: Sequence[_Clause], found: _Found
    ) -> None:
        discourse = Discourse(self._vocabulary, title=title)
        turns = split_turns(reading.text)
        turn: Turn | None = None
        quotation: Quotation | None = None
        outside: tuple[Noun | None, Noun | None, tuple[Noun, ...]] = (None, None, ())
        for index, clause in enumerate(clauses):
            here = next((t for t in turns if t.start <= clause.start < t.end), turn)
            if turn is None or here is not turn:
                turn = here
                self._take_turn(reading, turn, turns, discourse)
            if clause.opens_sentence:
                discourse.new_sentence()
            if clause.quotation is not quotation:
                if quotation is None:
                    outside = (discourse.speaker, discourse.addressee, discourse.topic)
                who = self._who_speaks(clauses, index, outside[2], discourse) if clause.quotation else ()
                if clause.quotation is None:
                    spoke = discourse.speaker
                    discourse.speaker, discourse.addressee, discourse.topic = outside
                    discourse.topic = (spoke,) if spoke is not None and spoke is not outside[0] else outside[2]
                else:
                    discourse.speaker, discourse.addressee = (who[0] if who else None), None
                    discourse.topic = who[:1]
                quotation = clause.quotation
            self._read(clause, discourse, found)

    def _take_turn(self, reading: Reading, turn: Turn | None, turns: Sequence[Turn], discourse: Discourse) -> None:
        """Set who says 我 and who is 你 in a turn; with two speakers each addresses the other."""
        speaker = (turn.speaker if turn else None) or reading.speaker
        others = sorted({t.speaker for t in turns if t.speaker and t.speaker != speaker})
        addressee = reading.addressee if reading.addressee != speaker else None
        if turn is not None and turn.speaker and len(others) == 1:
            addressee = others[0]
        discourse.speaker = _person(speaker) if speaker else None
        discourse.addressee = _person(addressee) if addressee else None
        discourse.topic = discourse.lead = (discourse.speaker,) if discourse.speaker else discourse.titled(reading.text)

    def _who_speaks(
        self, clauses: Sequence[_Clause], index: int, topic: tuple[Noun, ...], discourse: Discourse
    ) -> tuple[Noun, ...]:
        """The speaker of the quotation that clause `index` opens: named behind it (“…”沈墨说) or before it (沈墨说：“…”)."""
        quotation = clauses[index].quotation
        assert quotation is not None
        behind = next((clause for clause in clauses[index:] if clause.start >= quotation.end), None)
        if behind is not None and behind.start - quotation.end <= 1 and not quotation.introduced and self._says(behind):
            nouns = next((chunk.nouns for chunk in behind.chunks if chunk.sort is Sort.NOUN), ())
            who = tuple(known for noun in nouns for known in discourse.resolve(noun))
            if who:
                return who
        if index > 0 and (quotation.introduced or self._says(clauses[index - 1])):
            return topic
        return ()

    def _says(self, clause: _Clause) -> bool:
        return any(
            chunk.sort is Sort.VERB and chunk.verb and chunk.verb.head in self._vocabulary.verbs.quoting
            for chunk in clause.chunks
        )

    def _read(self, clause: _Clause, discourse: Discourse, found: _Found) -> None:
        share = _QUOTED_SHARE if clause.quotation is not None else 1.0
        events = self._clauses.read(clause.chunks, discourse, question=clause.question)
        same = {
            (event.objects[0].start, event.objects[0].end): event.subjects
            for event in events
            if event.verb.head in self._vocabulary.verbs.copulas
            and event.objects
            and event.subjects
            and not event.negated
        }
        for event in events:  # 我 路过 的 那个 商场 是 大悦城: 我 路过 大悦城
            if (
                event.verb.head in self._vocabulary.verbs.copulas
                and len(event.objects) == 1
                and event.objects[0].proper
            ):
                same |= {
                    (noun.start, noun.end): event.objects
                    for noun in event.subjects
                    if not noun.proper and noun.owner is None
                }
        relatives = [_about(self._resolved(event, discourse), same) for event in clause.relatives]
        for event in believed([*events, *relatives], clause.chunks, clause.opening, self._vocabulary):
            for statement in self._relations.statements(event, discourse):
                found.statement(statement, clause.sentence, share)
        for noun in _all_nouns(clause, events):
            for statement in self._relations.appositions(noun, discourse):
                found.statement(statement, clause.sentence, share)

    def _resolved(self, event: Event, discourse: Discourse) -> Event:
        def all_of(nouns: tuple[Noun, ...]) -> tuple[Noun, ...]:
            return tuple(known for noun in nouns for known in discourse.resolve(noun, current=discourse.topic))

        return replace(
            event,
            subjects=all_of(event.subjects),
            objects=all_of(event.objects),
            agents=all_of(event.agents),
            phrases=tuple(replace(phrase, nouns=all_of(phrase.nouns)) for phrase in event.phrases),
        )


def _about(event: Event, same: Mapping[tuple[int, int], tuple[Noun, ...]]) -> Event:
    """三体 是 刘慈欣 创作 的 小说: what the relative clause says of the novel it says of 三体."""

    def named(nouns: tuple[Noun, ...]) -> tuple[Noun, ...]:
        return tuple(other for noun in nouns for other in same.get((noun.start, noun.end), (noun,)))

    return replace(event, subjects=named(event.subjects), objects=named(event.objects))


def _person(name: str) -> Noun:
    return Noun(name, name, Kind.PERSON, 0, 0, proper=True)


def _all_nouns(clause: _Clause, events: Sequence[Event]) -> list[Noun]:
    """Every noun of the clause that may have an apposition, as the events resolved it where they did."""
    nouns: dict[tuple[int, int], Noun] = {}
    for chunk in clause.chunks:
        for noun in chunk.nouns:
            nouns[noun.start, noun.end] = noun
    for event in clause.relatives:
        for noun in (*event.subjects, *event.objects, *event.agents):
            nouns.setdefault((noun.start, noun.end), noun)
    for event in events:
        for noun in (
            *event.subjects,
            *event.objects,
            *event.agents,
            *(n for phrase in event.phrases for n in phrase.nouns),
        ):
            if (noun.start, noun.end) in nouns:
                nouns[noun.start, noun.end] = noun
    owners = [owner for noun in nouns.values() for owner in _owners(noun)]
    return [noun for noun in (*nouns.values(), *owners) if noun.title]


def _owners(noun: Noun) -> Iterator[Noun]:
    while noun.owner is not None:
        noun = noun.owner
        yield noun


class _Found:
    """Mentions and triples of one passage, each once."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self._text = text
        self._vocabulary = vocabulary
        self._mentions: dict[tuple[int, int], Mention] = {}
        self._triples: dict[tuple[str, str, str, bool], Triple] = {}

    def names(self, words: Iterable[Word]) -> None:
        """Keep the words that the tagger or a forced span made names of persons, organisations and works."""
        for word in words:
            if word.kind in (Kind.PERSON, Kind.ORGANISATION, Kind.PLACE, Kind.EVENT, Kind.WORK):
                self._mention(word.text, word.kind, word.start, word.end, 0.95)
            elif word.tag == "PER" and len(word.text) > 1:
                self._mention(word.text, Kind.PERSON, word.start, word.end, 0.85)

    def nouns(self, nouns: Iterable[Noun]) -> None:
        """Keep the noun phrases that are names, and the owners inside them."""
        for noun in nouns:
            if noun.proper and noun.name not in self._vocabulary.nouns.vague:
                self._mention(noun.name, noun.kind, noun.start, noun.end, 0.8)
            self.nouns(owner for owner in (noun.owner, noun.title_owner) if owner is not None)

    def statement(self, statement: Statement, sentence: Sentence, share: float = 1.0) -> None:
        """Keep a statement as a triple of its sentence, and its ends as mentions where the sentence spells them."""
        key = (statement.subject, statement.predicate, statement.object, statement.negated)
        confidence = round(statement.confidence * share, 3)
        known = self._triples.get(key)
        if known is None or known.confidence < confidence:
            triple = Triple(*key[:3], sentence.start, sentence.end, confidence, statement.negated)
            self._triples[key] = triple
        self._end(statement.subject, statement.subject_noun, statement.object_kind, sentence)
        self._end(statement.object, statement.object_noun, statement.object_kind, sentence)

    def _end(self, name: str, noun: Noun | None, statement_kind: Kind, sentence: Sentence) -> None:
        if noun is not None and noun.is_quantity:
            return
        kind = noun.kind if noun is not None else statement_kind
        if noun is not None and noun.name == name and self._text[noun.start : noun.end] == name:
            self._mention(name, kind, noun.start, noun.end, 0.6)
            return
        place = self._text.find(name, sentence.start, sentence.end)
        if place >= 0:
            self._mention(name, kind, place, place + len(name), 0.6)

    def _mention(self, name: str, kind: Kind, start: int, end: int, confidence: float) -> None:
        if (start, end) not in self._mentions and why_not_a_name(name) is None and self._text[start:end] == name:
            self._mentions[start, end] = Mention(name, kind, start, end, confidence)

    def extraction(self) -> Extraction:
        mentions = tuple(self._mentions[place] for place in sorted(self._mentions))
        triples = tuple(
            sorted(self._triples.values(), key=lambda t: (t.start, t.subject, t.predicate, t.object, t.negated))
        )
        return Extraction(mentions, triples)
