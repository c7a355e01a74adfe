"""Clauses to events: which noun does what the verb says, clause by clause, with the topic carried over commas.

A clause is what stands between two marks. Its nouns before the first verb are topic and subject, its prepositional phrases belong to
the verb behind them, the nouns behind a verb are its objects. A second verb has the same subject, or the object of the first one when
that is a verb like 让 or 看见. A clause without a subject inherits the topic; a clause without a verb may still state something
(身高 2.26 米; 张艺谋, 导演).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from lpmm_core.base.records import Kind
from lpmm_core.extract.chinese_chunks import Chunk, Sort, Verb
from lpmm_core.extract.chinese_discourse import Discourse
from lpmm_core.extract.chinese_events import Event, Phrase, Rule
from lpmm_core.extract.chinese_lists import Vocabulary
from lpmm_core.extract.chinese_nouns import Noun
from lpmm_core.extract.chinese_subjects import SubjectFinder

_AGE = re.compile(r"^[0-9０-９一二三四五六七八九十]+多?岁$")
IS = Verb("是", "是")


@dataclass(slots=True)
class _Frame:
    """What has been gathered for one verb; before the verb is met it gathers for the next."""

    verb: Verb | None = None
    subjects: tuple[Noun, ...] = ()
    rule: Rule = Rule.CLAUSE
    objects: list[tuple[Noun, ...]] = field(default_factory=list)
    agents: tuple[Noun, ...] = ()
    themes: tuple[Noun, ...] = ()
    phrases: list[Phrase] = field(default_factory=list)
    times: list[str] = field(default_factory=list)
    adverbs: list[str] = field(default_factory=list)
    passive: bool = False
    wished: bool = False


class ClauseReader:
    """Reads the events of one clause after the other."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._verbs = vocabulary.verbs
        self._nouns = vocabulary.nouns
        self._function = vocabulary.function
        self._subjects = SubjectFinder(vocabulary)

    def read(self, chunks: Sequence[Chunk], discourse: Discourse, *, question: bool) -> list[Event]:
        """Return the events of one clause, their nouns resolved, and move the discourse on."""
        hypothetical = question or any(chunk.text in self._function.hypotheticals for chunk in chunks)
        if not any(chunk.sort is Sort.VERB for chunk in chunks):
            chunks = self._with_a_verb(chunks)
        if not any(chunk.sort is Sort.VERB for chunk in chunks):
            if not any(chunk.sort is Sort.NOUN for chunk in chunks):
                discourse.times += [chunk.text for chunk in chunks if chunk.sort is Sort.TIME]
            return self._verbless(chunks, discourse, hypothetical)
        events: list[Event] = []
        before: list[tuple[Noun, ...]] = []
        frame = _Frame(times=discourse.take_times())
        current: _Frame | None = None
        index = 0
        while index < len(chunks):
            chunk = chunks[index]
            index += 1
            if chunk.sort is Sort.NOUN:
                if current is None:
                    before.append(chunk.nouns)
                elif chunk.nouns[0].pronoun and index < len(chunks) and chunks[index].sort is Sort.PREPOSITION:
                    pass  # 完成 了 他 在 大联盟 的 首次 亮相: only the owner of what follows
                elif frame.phrases or frame.agents or frame.adverbs or self._starts_anew(chunk, current):
                    frame.objects.append(chunk.nouns)  # between an adverb and the next verb: a subject of its own
                else:
                    current.objects.append(self._resolved(chunk.nouns, discourse, current.subjects))
            elif chunk.sort is Sort.TIME:
                (frame if current is None or frame.phrases else current).times.append(chunk.text)
            elif chunk.sort is Sort.ADVERB:
                frame.adverbs.append(chunk.text)
            elif chunk.sort is Sort.PREPOSITION:
                index = self._preposition(chunks, index, frame, discourse, current, before)
            elif chunk.sort is Sort.VERB and chunk.verb is not None:
                if current is None:
                    self._begin(frame, before, chunk.verb, discourse, hypothetical=hypothetical)
                else:
                    self._follow(frame, current, discourse)
                    events += self._close(current, hypothetical, discourse)
                frame.verb = chunk.verb
                current, frame = frame, _Frame()
        if current is not None:
            current.phrases += frame.phrases
            events += self._close(current, hypothetical, discourse)
        if self._is_gerund(events):
            return [replace(event, hypothetical=True) for event in events]
        return events

    def _is_gerund(self, events: Sequence[Event]) -> bool:
        """结交 新朋友 可以 扩大 …: the first verb is what the others are said of, and nobody does it."""
        if len(events) < 2 or events[0].rule not in (Rule.CARRIED, Rule.FAR) or events[0].adverbs:
            return False
        return any(adverb in self._verbs.modals for adverb in events[1].adverbs)

    def _starts_anew(self, chunk: Chunk, current: _Frame) -> bool:
        """听到 你 有 困难 我 …: a pronoun behind a complete object is the next subject."""
        pronoun = chunk.nouns[0].pronoun
        if (
            pronoun not in self._function.first_person | self._function.second_person | {"他", "她"}
            or not current.objects
        ):
            return False
        return current.verb is not None and current.verb.head not in self._verbs.giving

    def _resolved(self, nouns: tuple[Noun, ...], discourse: Discourse, current: tuple[Noun, ...]) -> tuple[Noun, ...]:
        found = tuple(known for noun in nouns for known in discourse.resolve(noun, current=current, as_object=True))
        for noun in found:
            discourse.note(noun, subject=False)
            if noun.quantity and not noun.proper and noun.name:
                discourse.introduced = noun
        return found

    def _with_a_verb(self, chunks: Sequence[Chunk]) -> Sequence[Chunk]:
        """老家 在 湖南: 在 between two nouns is the verb when there is no other."""
        nouns = 0
        for index, chunk in enumerate(chunks):
            nouns += chunk.sort is Sort.NOUN
            if chunk.sort is Sort.PREPOSITION and chunk.text == "在" and nouns:
                return [*chunks[:index], chunk._replace(sort=Sort.VERB, verb=Verb("在", "在")), *chunks[index + 1 :]]
        return chunks

    # --- the parts of a clause ----------------------------------------------------------------------------------------------

    def _preposition(
        self,
        chunks: Sequence[Chunk],
        index: int,
        frame: _Frame,
        discourse: Discourse,
        current: _Frame | None,
        before: Sequence[tuple[Noun, ...]],
    ) -> int:
        """Read the phrase of the preposition before `index`; return the index behind it."""
        text = chunks[index - 1].text
        following = chunks[index] if index < len(chunks) else None
        if text in self._function.passive_prepositions:
            frame.passive = True
        if following is None or text in self._function.clause_prepositions:
            return index
        if text == "因" and following.sort is Sort.NOUN and self._may_act(following.nouns[0]):
            return index
        if following.sort is Sort.TIME:
            frame.times.append(following.text)
            return index + 1
        if following.sort is not Sort.NOUN:
            return index
        if current is not None:
            subjects = current.subjects
        elif before:
            subjects = tuple(known for noun in before[-1] for known in discourse.resolve(noun))
        else:
            subjects = discourse.topic
        nouns = self._resolved(following.nouns, discourse, subjects)
        if text in self._function.passive_prepositions or text == "由":
            frame.agents = nouns
        elif text in self._function.object_prepositions:
            frame.themes = nouns
        elif text not in self._function.setting_prepositions or text in ("自", "为"):
            frame.phrases.append(Phrase(text, nouns))
        return index + 1

    def _may_act(self, noun: Noun) -> bool:
        named = noun.proper and noun.kind in (Kind.PERSON, Kind.ORGANISATION, Kind.PLACE)
        return named or bool(noun.pronoun)

    def _begin(
        self, frame: _Frame, before: list[tuple[Noun, ...]], verb: Verb, discourse: Discourse, *, hypothetical: bool
    ) -> None:
        """Give the first verb of the clause its subject."""
        first_adverb = frame.adverbs[0] if frame.adverbs else ""
        subject = self._subjects.find(before, verb, discourse, first_adverb=first_adverb, hypothetical=hypothetical)
        frame.subjects, frame.rule = subject.nouns, subject.rule
        frame.phrases += [Phrase("在", self._resolved(nouns, discourse, ())) for nouns in subject.places]

    def _follow(self, frame: _Frame, previous: _Frame, discourse: Discourse) -> None:
        """Settle the subject of a verb that comes after another in the same clause."""
        assert previous.verb is not None
        head = previous.verb.head
        frame.subjects, frame.rule = previous.subjects, previous.rule
        if head in self._verbs.copulas and not previous.objects and len(previous.subjects) == 1 and not frame.agents:
            subject = previous.subjects[0]
            if subject.owner is not None and not subject.proper and not self._nouns.is_person(subject.name):
                frame.subjects = (subject.owner,)  # 会议 的 主要 内容 是 探讨 …
                return
        if head in self._verbs.copulas and previous.objects:  # 是 绿色植物 利用 阳光 … 的 过程
            frame.subjects, frame.rule = previous.objects[-1], Rule.PIVOT
            previous.objects = []
            return
        own = frame.objects
        frame.objects = []
        if own:
            frame.subjects = self._resolved(own[-1], discourse, previous.subjects)
            frame.rule = Rule.PIVOT
        elif previous.objects and not previous.verb.complement and self._passes_on(head, previous.objects[-1]):
            frame.subjects = previous.objects[-1]
            frame.rule = Rule.PIVOT
            frame.wished = head in self._verbs.wishing
            if head not in self._verbs.pivots:
                previous.objects = []

    def _passes_on(self, head: str, objects: tuple[Noun, ...]) -> bool:
        """Whether the object of the verb does what the next verb says: 命令 阿诚 去, but not 带 着 地图 去."""
        if head in self._verbs.saying or head in self._verbs.causing:
            return True
        if head not in self._verbs.pivots or not objects:
            return False
        return (
            objects[-1].proper
            or objects[-1].kind in (Kind.PERSON, Kind.ORGANISATION)
            or self._nouns.is_person(objects[-1].head)
        )

    def _close(self, frame: _Frame, hypothetical: bool, discourse: Discourse) -> list[Event]:
        assert frame.verb is not None
        groups = frame.objects
        if len(groups) > 1 and frame.verb.head not in self._verbs.giving:  # those before the last noun lost their 的
            groups = [nouns for nouns in groups if not all(noun.is_quantity for noun in nouns)][-1:] or groups[-1:]
        objects = tuple(noun for nouns in groups for noun in nouns)
        names = frame.verb.text in self._verbs.naming or (
            frame.verb.head in self._verbs.copulas and any(noun.owner is not None for noun in frame.subjects)
        )
        if names and len(objects) == len(frame.subjects) == 1 and objects[0].proper and not frame.subjects[0].proper:
            subject = frame.subjects[0]
            mine = (
                subject.owner is not None
                and discourse.speaker is not None
                and subject.owner.name == discourse.speaker.name
            )
            person = discourse.is_person(subject)
            if (person and discourse.topic == frame.subjects) or (mine and self._nouns.is_person(subject.name)):
                discourse.topic = objects  # 我 的 上司 叫 周建平，他 …
        return [
            Event(
                subjects=frame.subjects,
                verb=frame.verb,
                objects=objects,
                agents=frame.agents,
                themes=frame.themes,
                phrases=tuple(frame.phrases),
                times=tuple(frame.times),
                adverbs=tuple(frame.adverbs),
                passive=frame.passive,
                negated=any(adverb in self._verbs.negations for adverb in frame.adverbs),
                hypothetical=hypothetical or frame.wished or self._advises(frame, discourse),
                rule=frame.rule,
            )
        ]

    def _advises(self, frame: _Frame, discourse: Discourse) -> bool:
        """你 可以 …, 应该 …: advice is no fact about whom it is given to, nor about whom nobody named."""
        modal = any(adverb in self._verbs.modals for adverb in frame.adverbs)
        told = discourse.addressee is not None and any(noun.name == discourse.addressee.name for noun in frame.subjects)
        unnamed = discourse.speaker is not None and frame.rule is Rule.CARRIED and not discourse.topic_is_new
        if modal and (told or unnamed):
            discourse.advising = True
        elif frame.rule is Rule.CLAUSE or not (told or unnamed):
            discourse.advising = False
        return discourse.advising

    # --- clauses without a verb -----------------------------------------------------------------------------------------------

    def _verbless(self, chunks: Sequence[Chunk], discourse: Discourse, hypothetical: bool) -> list[Event]:
        nouns = [chunk.nouns for chunk in chunks if chunk.sort is Sort.NOUN]
        if not nouns or any(chunk.sort in (Sort.PREPOSITION, Sort.OF) for chunk in chunks):
            return []
        if len(nouns) == 2 and nouns[1][0].name.endswith("人") and nouns[0][0].end == nouns[1][0].start:
            place, people = nouns[0][0], nouns[1][0]  # 福建 侯官人
            nouns = [(replace(people, name=place.name + people.name, head="人", kind=Kind.PERSON, start=place.start),)]
        first = nouns[0]
        if len(nouns) == 1 and self._describes(first[0]) and discourse.topic_is_new and len(discourse.topic) == 1:
            objects = tuple(known for noun in first for known in discourse.resolve(noun, current=discourse.topic))
            return [Event(discourse.topic, IS, objects, hypothetical=hypothetical, rule=Rule.CARRIED)]
        if len(nouns) == 2 and self._is_attribute(first[0]) and len(first) == 1:
            subject = first[0]
            if subject.owner is None and discourse.topic and (discourse.topic_is_new or not discourse.speaker):
                subject = replace(subject, owner=discourse.topic[-1])
            resolved = discourse.resolve(subject)
            if resolved and resolved[0].owner is not None:
                objects = self._resolved(nouns[1], discourse, (resolved[0].owner,))
                self._subjects.move_topic(resolved, discourse)
                return [Event(resolved, IS, objects, hypothetical=hypothetical)]
            return []
        age = next((chunk.text for chunk in chunks if chunk.sort is Sort.TIME and _AGE.search(chunk.text)), "")
        if age and len(nouns) == 1 and len(first) == 1 and not first[0].location:
            subjects = discourse.resolve(first[0])
            if subjects and discourse.is_person(subjects[0]):
                discourse.note(subjects[0], subject=True)
                self._subjects.move_topic(subjects, discourse)
                year = Noun("年龄", "年龄", Kind.THING, 0, 0, owner=subjects[0])
                return [Event((year,), IS, (Noun("", age, Kind.THING, 0, 0, quantity=age),), hypothetical=hypothetical)]
        if first[0].is_quantity or first[0].location or self._subjects.lacks_owner(first[0]):
            return []
        spoken_of = first if len(nouns) > 1 and self._subjects.is_beside(first[-1], nouns[-1][0]) else nouns[-1]
        subjects = tuple(known for noun in spoken_of for known in discourse.resolve(noun))
        for noun in subjects:
            discourse.note(noun, subject=True)
        discourse.note_group(subjects)
        if subjects:
            if not discourse.topic_is_new and subjects[0].proper:
                discourse.begin(subjects)
            self._subjects.move_topic(subjects, discourse)
        return []

    def _describes(self, noun: Noun) -> bool:
        if noun.kind is Kind.PERSON and noun.head == "人" and len(noun.name) > 2:
            return True
        return not noun.proper and not noun.pronoun and noun.owner is None and self._nouns.is_role(noun.head)

    def _is_attribute(self, noun: Noun) -> bool:
        return not noun.pronoun and (noun.name in self._nouns.attributes or noun.name in self._nouns.measures)
