"""Which clauses the rules understood well enough to believe what they say.

Without a parser a clause is read by what stands beside what. When something is left over that no rule gave a place (a 的 without its noun,
a 和 that joins nothing, two nouns side by side behind the verb) the pieces that seem to fit hardly ever do. Such a clause still moves the
topic, but states nothing: a wrong fact leads further astray than a missing one.
"""

from __future__ import annotations

from collections.abc import Sequence

from lpmm_core.base.records import Kind
from lpmm_core.extract.chinese.chunks import Chunk, Sort
from lpmm_core.extract.chinese.clefts import plain_form
from lpmm_core.extract.chinese.events import Event, Rule
from lpmm_core.extract.chinese.lists import Vocabulary
from lpmm_core.extract.chinese.nouns import Noun


def believed(events: Sequence[Event], chunks: Sequence[Chunk], opening: int, vocabulary: Vocabulary) -> list[Event]:
    """The events of one attached clause that may be stated; the first noun of its sentence stands at `opening`."""
    if is_tangled(chunks, vocabulary):
        return []
    chunks = plain_form(chunks, vocabulary) or chunks
    plain = sum(chunk.sort is Sort.VERB for chunk in chunks) < 2
    return [
        event
        for event in events
        if _has_firm_subject(event, opening, vocabulary, plain=plain)
        and (plain or event.rule in (Rule.PIVOT, Rule.RELATIVE) or _acts_on_and_on(event, vocabulary))
    ]


def _acts_on_and_on(event: Event, vocabulary: Vocabulary) -> bool:
    """Whether the subject may do one thing after the other, as persons do (提 灯 走 到 水边) and things do not."""
    return all(
        noun.kind in (Kind.PERSON, Kind.ORGANISATION) or noun.pronoun or vocabulary.nouns.is_person(noun.head)
        for noun in event.subjects
    )


def _has_firm_subject(event: Event, opening: int, vocabulary: Vocabulary, *, plain: bool) -> bool:
    """Whether it is clear who does it: a bare common noun must open the sentence, or be the subject of its clause's only verb."""
    if all(_is_firm(noun, vocabulary) or noun.start == opening for noun in event.subjects):
        return True
    return event.rule is Rule.CLAUSE and plain and all(len(noun.name) > 1 for noun in event.subjects)


def _is_firm(noun: Noun, vocabulary: Vocabulary) -> bool:
    if noun.proper or noun.owner is not None or noun.determiner or noun.location or noun.pronoun:
        return True
    if noun.quantity:
        return len(noun.name) > 1
    return noun.kind in (Kind.PERSON, Kind.ORGANISATION, Kind.PLACE) or vocabulary.nouns.is_person(noun.head)


def is_tangled(chunks: Sequence[Chunk], vocabulary: Vocabulary) -> bool:
    """Whether something of the attached clause found no place."""
    return any(_is_left_over(chunks, index, vocabulary) for index in range(len(chunks)))


def _is_left_over(chunks: Sequence[Chunk], index: int, vocabulary: Vocabulary) -> bool:
    chunk = chunks[index]
    before = chunks[index - 1] if index else None
    if chunk.sort is Sort.OF:
        return plain_form(chunks, vocabulary) is None
    if chunk.sort is Sort.OTHER and chunk.text in vocabulary.nouns.localizers:
        return _states_what_is_there(chunks, index, vocabulary)
    if chunk.sort is Sort.CONJUNCTION:
        return index > 0 and chunk.text in vocabulary.function.conjunctions
    if chunk.sort is Sort.ADJECTIVE:
        return before is not None and before.sort is Sort.NOUN and index == len(chunks) - 1 and _has_verb(chunks)
    if chunk.sort is Sort.NOUN and before is not None and before.sort is Sort.NOUN:
        return _is_beside_object(chunks, index, vocabulary)
    return False


def _states_what_is_there(chunks: Sequence[Chunk], index: int, vocabulary: Vocabulary) -> bool:
    """里面 全 是 孩子: the clause is about a place that it does not name."""
    if any(chunk.sort is Sort.NOUN for chunk in chunks[:index]):
        return False
    verb = next((chunk.verb for chunk in chunks[index:] if chunk.sort is Sort.VERB), None)
    verbs = vocabulary.verbs
    return verb is not None and (verb.lasting or verb.head in verbs.copulas or verb.head in verbs.existential)


def _has_verb(chunks: Sequence[Chunk]) -> bool:
    return any(chunk.sort is Sort.VERB for chunk in chunks)


def _is_beside_object(chunks: Sequence[Chunk], index: int, vocabulary: Vocabulary) -> bool:
    """Whether the noun at `index` follows an object, and the verb does not take two."""
    first = index - 1
    while first > 0 and chunks[first - 1].sort is Sort.NOUN:
        first -= 1
    verb = chunks[first - 1] if first else None
    if verb is None or verb.sort is not Sort.VERB or verb.verb is None or verb.verb.head in vocabulary.verbs.giving:
        return False
    if index + 1 < len(chunks):  # 看见 母亲 他 就 …: the second may be a subject of its own
        return False
    return not any(noun.is_quantity for noun in (*chunks[index - 1].nouns, *chunks[index].nouns))
