"""Clauses to events: which noun does what the verb says, clause by clause, with the topic carried over commas.

A clause is what stands between two marks. Its nouns before the first verb are topic and subject, its prepositional phrases belong to
the verb behind them, the nouns behind a verb are its objects. A second verb has the same subject, or the object of the first one when
that is a verb like 让 or 看见. A clause without a subject inherits the topic; a clause without a verb may still state something
(身高 2.26 米; 张艺谋, 导演).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from lpmm_core.base.records import Kind
from lpmm_core.extract.chinese.chunks import Chunk, Sort, Verb
from lpmm_core.extract.chinese.clefts import plain_form
from lpmm_core.extract.chinese.discourse import Discourse
from lpmm_core.extract.chinese.events import Event, Phrase, Rule
from lpmm_core.extract.chinese.lists import Vocabulary
from lpmm_core.extract.chinese.nouns import Noun
from lpmm_core.extract.chinese.subjects import SubjectFinder
from lpmm_core.extract.chinese.verbless import VerblessReader

_MAKING = frozenset(("为", "作", "成为"))
_WHEN = frozenset(("之前", "之后", "以前", "以后", "前", "后", "期间", "以来"))


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
    appointed: str = ""
    modal: bool = False
    subordinate: bool = False  # 因 发现 青蒿素 …: the next verb is the clause's own


class ClauseReader:
    """Reads the events of one clause after the other."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._verbs = vocabulary.verbs
        self._nouns = vocabulary.nouns
        self._function = vocabulary.function
        self._subjects = SubjectFinder(vocabulary)
        self._verbless = VerblessReader(vocabulary, self._subjects)

    def read(self, chunks: Sequence[Chunk], discourse: Discourse, *, question: bool) -> list[Event]:
        """Return the events of one clause, their nouns resolved, and move the discourse on."""
        chunks = self._without_its_time(chunks)
        plain = plain_form(chunks, self._vocabulary)
        if plain is None:
            return self._read(chunks, discourse, question=question)
        events = self._read(plain, discourse, question=question)
        if events and plain[-1].sort is Sort.NOUN and events[-1].objects:
            discourse.topic = events[-1].objects  # what was made stays the topic, not who made it
        return events

    def _read(self, chunks: Sequence[Chunk], discourse: Discourse, *, question: bool) -> list[Event]:
        hypothetical = question or any(chunk.text in self._function.hypotheticals for chunk in chunks)
        if not any(chunk.sort is Sort.VERB for chunk in chunks):
            chunks = self._with_a_verb(chunks)
        if not any(chunk.sort is Sort.VERB for chunk in chunks):
            if not any(chunk.sort is Sort.NOUN for chunk in chunks):
                discourse.times += [chunk.text for chunk in chunks if chunk.sort is Sort.TIME]
            return self._verbless.read(chunks, discourse, hypothetical=hypothetical)
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
                    current.objects.append(discourse.resolve_objects(chunk.nouns, current.subjects))
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
                    self._follow(frame, current, chunk.verb.text, discourse)
                    events += self._close(current, hypothetical, discourse)
                frame.verb = chunk.verb
                current, frame = frame, _Frame()
        if current is not None:
            current.phrases += frame.phrases
            events += self._close(current, hypothetical, discourse)
        if self._is_gerund(events):
            return [replace(event, hypothetical=True) for event in events]
        return events

    def _without_its_time(self, chunks: Sequence[Chunk]) -> Sequence[Chunk]:
        """在 怀特 登陆 青石岛 之前: what happened before something is a clause of its own."""
        first = next((i for i, chunk in enumerate(chunks) if chunk.sort not in (Sort.TIME, Sort.ADVERB)), 0)
        if len(chunks) < first + 4 or chunks[first].text not in ("在", "当", "自", "自从", "从"):
            return chunks
        opens = chunks[first].sort is Sort.PREPOSITION and chunks[first + 1].sort is Sort.NOUN
        noun = chunks[-1].nouns[-1] if chunks[-1].nouns else None
        ends = chunks[-1].text in self._function.when_words or (noun is not None and noun.location in _WHEN)
        if not opens or not ends or not any(chunk.sort is Sort.VERB for chunk in chunks[first + 2 :]):
            return chunks
        rest = [*chunks[:first], *chunks[first + 1 :]]
        return rest if rest[-1].sort is Sort.NOUN else rest[:-1]

    def _is_gerund(self, events: Sequence[Event]) -> bool:
        """结交 新朋友 可以 扩大 …: the first verb is what the others are said of, and nobody does it."""
        if len(events) < 2 or events[0].rule not in (Rule.CARRIED, Rule.FAR) or events[0].adverbs:
            return False
        heads_copula = events[0].objects and events[1].verb.head in self._verbs.copulas  # 公开 目的 是 …
        return bool(heads_copula) or any(adverb in self._verbs.modals for adverb in events[1].adverbs)

    def _starts_anew(self, chunk: Chunk, current: _Frame) -> bool:
        """听到 你 有 困难 我 …: a pronoun behind a complete object is the next subject."""
        pronoun = chunk.nouns[0].pronoun
        if (
            pronoun not in self._function.first_person | self._function.second_person | {"他", "她"}
            or not current.objects
        ):
            return False
        return current.verb is not None and current.verb.head not in self._verbs.giving

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
        if following is not None and following.sort is Sort.VERB and text in self._function.setting_prepositions:
            frame.subordinate = True
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
        nouns = discourse.resolve_objects(following.nouns, subjects)
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
        subject = self._subjects.find(
            before,
            verb,
            discourse,
            first_adverb=first_adverb,
            hypothetical=hypothetical,
            undergone=bool(frame.agents or frame.passive),
        )
        frame.subjects, frame.rule = subject.nouns, subject.rule
        frame.phrases += [Phrase("在", discourse.resolve_objects(nouns, ())) for nouns in subject.places]

    def _follow(self, frame: _Frame, previous: _Frame, following: str, discourse: Discourse) -> None:
        """Settle the subject of a verb that comes after another in the same clause."""
        assert previous.verb is not None
        head = previous.verb.head
        frame.subjects, frame.rule = previous.subjects, previous.rule
        frame.modal = previous.modal or any(adverb in self._verbs.modals for adverb in previous.adverbs)
        frame.wished = previous.wished or head in self._verbs.wishing
        if previous.subordinate:
            return
        if head in self._verbs.copulas and not previous.objects and len(previous.subjects) == 1 and not frame.agents:
            subject = previous.subjects[0]
            if subject.owner is not None and not subject.proper and not self._nouns.is_person(subject.name):
                frame.subjects = (subject.owner,)  # 会议 的 主要 内容 是 探讨 …
                return
        if head in self._verbs.copulas and previous.objects:  # 是 绿色植物 利用 阳光 … 的 过程
            frame.subjects, frame.rule = previous.objects[-1], Rule.PIVOT
            previous.objects = []
            return
        unknown = bool(previous.objects) and not previous.objects[-1]  # 请 我 去 …, and nobody knows who 我 is
        if unknown and (head in self._verbs.pivots or head in self._verbs.saying):
            frame.subjects = ()
            return
        if head in self._verbs.receiving and previous.objects and not frame.objects:  # 得到 校长 批准
            previous.objects = []
            frame.subjects = ()
            return
        own = [nouns for nouns in frame.objects if nouns[0].proper or not nouns[0].location]
        inside = [nouns for nouns in frame.objects if nouns not in own]
        frame.phrases += [Phrase("在", discourse.resolve_objects(nouns, ())) for nouns in inside]  # 看见 母亲 厨房 里 …
        frame.objects = []
        if not own and head in self._verbs.saying and following in self._verbs.existential:
            frame.subjects = ()  # 听说 有 人 …
        if own:
            frame.subjects = discourse.resolve_objects(own[-1], previous.subjects)
            frame.rule = Rule.PIVOT
        elif (
            previous.objects and not previous.verb.complement and self._passes_on(head, previous.objects[-1], following)
        ):
            frame.subjects = previous.objects[-1]
            frame.rule = Rule.PIVOT
            frame.appointed = head if head in self._verbs.appointing and following in _MAKING else ""
            if head not in self._verbs.pivots:
                previous.objects = []

    def _passes_on(self, head: str, objects: tuple[Noun, ...], following: str) -> bool:
        """Whether the object of the verb does what the next verb says: 命令 阿诚 去, but not 带 着 地图 去."""
        if head in self._verbs.saying or head in self._verbs.causing:
            return True
        if head in self._verbs.appointing and following in _MAKING:  # 拥立 甲 为 乙
            return bool(objects)
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
        if frame.phrases and all(noun.is_quantity for noun in objects) and frame.verb.head not in self._verbs.measuring:
            objects = ()  # 在 银行 工作 三年
        names = frame.verb.text in self._verbs.naming or (
            frame.verb.head in self._verbs.copulas and any(noun.owner is not None for noun in frame.subjects)
        )
        subject_owner = frame.subjects[0].owner if len(frame.subjects) == 1 else None
        if names and objects and subject_owner is not None and subject_owner == discourse.introduced:
            discourse.topic = objects  # 养 了 一只 猫，名字 叫 团子，它 …
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
                hypothetical=hypothetical
                or frame.wished
                or self._advises(frame, discourse)
                or self._urges(frame, discourse),
                rule=frame.rule,
                appointed=frame.appointed,
            )
        ]

    def _urges(self, frame: _Frame, discourse: Discourse) -> bool:
        """带 好 雨伞: said without 我, a time or an aspect it is no report of the speaker about himself."""
        speaks = discourse.speaker is not None and frame.subjects == (discourse.speaker,)
        if not speaks or frame.rule is not Rule.CARRIED or discourse.topic_is_new:
            return False
        assert frame.verb is not None
        told = frame.verb.finished or frame.verb.lasting or frame.times
        return not told and not any(adverb in self._verbs.telling for adverb in frame.adverbs)

    def _advises(self, frame: _Frame, discourse: Discourse) -> bool:
        """你 可以 …, 应该 …: advice is no fact about whom it is given to, nor about whom nobody named."""
        modal = frame.modal or any(adverb in self._verbs.modals for adverb in frame.adverbs)
        told = discourse.addressee is not None and any(noun.name == discourse.addressee.name for noun in frame.subjects)
        unnamed = discourse.speaker is not None and frame.rule is Rule.CARRIED and not discourse.topic_is_new
        if modal and (told or unnamed):
            discourse.advising = True
        elif frame.rule is Rule.CLAUSE or not (told or unnamed):
            discourse.advising = False
        return discourse.advising
