"""Clauses without a verb: 身高 2.26 米; 张艺谋, 导演; 鲁秋生 那年 十七岁.

A role or a countryman alone is what the topic is, an attribute with something behind it is the topic's, an age is the age of whom it
stands beside. Anything else at most names a new topic.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lpmm_core.base.records import Kind
from lpmm_core.extract.chinese.chunks import Chunk, Sort, Verb
from lpmm_core.extract.chinese.discourse import Discourse
from lpmm_core.extract.chinese.events import Event, Rule
from lpmm_core.extract.chinese.lists import Vocabulary
from lpmm_core.extract.chinese.nouns import Noun
from lpmm_core.extract.chinese.subjects import SubjectFinder

_AGE = re.compile(r"^[0-9０-９一二三四五六七八九十]+多?岁$")
_IS = Verb("是", "是")


class VerblessReader:
    """Reads clauses that have no verb."""

    def __init__(self, vocabulary: Vocabulary, subjects: SubjectFinder) -> None:
        self._nouns = vocabulary.nouns
        self._subjects = subjects

    def read(self, chunks: Sequence[Chunk], discourse: Discourse, *, hypothetical: bool) -> list[Event]:
        """Return what the clause states, and move the topic where it names a new one."""
        nouns = [chunk.nouns for chunk in chunks if chunk.sort is Sort.NOUN]
        if not nouns or any(chunk.sort in (Sort.PREPOSITION, Sort.OF) for chunk in chunks):
            return []
        if len(nouns) == 2 and nouns[1][0].name.endswith("人") and nouns[0][0].end == nouns[1][0].start:
            place, people = nouns[0][0], nouns[1][0]  # 福建 侯官人
            nouns = [(replace(people, name=place.name + people.name, head="人", kind=Kind.PERSON, start=place.start),)]
        first = nouns[0]
        if len(nouns) == 1 and self._describes(first[0]) and self._is_described(discourse):
            objects = tuple(known for noun in first for known in discourse.resolve(noun, current=discourse.topic))
            return [Event(discourse.topic, _IS, objects, hypothetical=hypothetical, rule=Rule.CARRIED)]
        if len(nouns) == 2 and self._is_attribute(first[0]) and len(first) == 1:
            subject = first[0]
            if subject.owner is None and discourse.topic and (discourse.topic_is_new or not discourse.speaker):
                subject = replace(subject, owner=discourse.topic[-1])
            resolved = discourse.resolve(subject)
            if resolved and resolved[0].owner is not None:
                objects = discourse.resolve_objects(nouns[1], (resolved[0].owner,))
                self._subjects.move_topic(resolved, discourse)
                return [Event(resolved, _IS, objects, hypothetical=hypothetical)]
            return []
        age = next((chunk.text for chunk in chunks if chunk.sort is Sort.TIME and _AGE.search(chunk.text)), "")
        if age and len(nouns) == 1 and len(first) == 1 and not first[0].location:
            subjects = discourse.resolve(first[0])
            if subjects and discourse.is_person(subjects[0]):
                discourse.note(subjects[0], subject=True)
                self._subjects.move_topic(subjects, discourse)
                year = Noun("年龄", "年龄", Kind.THING, 0, 0, owner=subjects[0])
                return [
                    Event((year,), _IS, (Noun("", age, Kind.THING, 0, 0, quantity=age),), hypothetical=hypothetical)
                ]
        if first[0].is_quantity or first[0].location or self._subjects.lacks_owner(first[0]):
            return []
        spoken_of = first if len(nouns) > 1 and self._subjects.is_beside(first[-1], nouns[-1][0]) else nouns[-1]
        subjects = tuple(known for noun in spoken_of for known in discourse.resolve(noun))
        for noun in subjects:
            discourse.note(noun, subject=True)
        discourse.note_group(subjects)
        if subjects and self._is_new_topic(subjects[0], discourse):
            if not discourse.topic_is_new and subjects[0].proper:
                discourse.begin(subjects)
            self._subjects.move_topic(subjects, discourse)
        return []

    def _is_described(self, discourse: Discourse) -> bool:
        """Whether a role alone says what the topic is: 张艺谋，导演; under his name also in a sentence of its own."""
        if len(discourse.topic) != 1:
            return False
        topic = discourse.topic[0]
        return discourse.topic_is_new or (discourse.speaker is None and topic.proper and discourse.is_person(topic))

    def _is_new_topic(self, noun: Noun, discourse: Discourse) -> bool:
        """Whether a noun that stands alone is what the next clauses are about, not one more place or thing of the last one."""
        if discourse.is_person(noun) or noun.kind is Kind.ORGANISATION:
            return noun.proper or not discourse.topic_is_new
        return not discourse.topic_is_new and (noun.proper or bool(noun.determiner or noun.quantity))

    def _describes(self, noun: Noun) -> bool:
        if noun.kind is Kind.PERSON and noun.head == "人" and len(noun.name) > 2:
            return True
        return not noun.proper and not noun.pronoun and noun.owner is None and self._nouns.is_role(noun.head)

    def _is_attribute(self, noun: Noun) -> bool:
        return not noun.pronoun and (noun.name in self._nouns.attributes or noun.name in self._nouns.measures)
