"""Relative clauses: what stands with its verb before 的 and is said of the noun behind it.

来自 上海 的 教授 has its object and lacks its subject, 马云 创办 的 公司 lacks its object, 在 北京 举行 的 会议 neither. The clause
becomes an event of its own and leaves its noun on the stack; whether [V N] before 的 is such a clause, or a verb with an owned object,
is told by what stands before it and whether another verb follows.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from lpmm_core.base.records import Kind
from lpmm_core.extract.chinese.chunks import Chunk, Sort, Verb
from lpmm_core.extract.chinese.events import Event, Phrase, Rule
from lpmm_core.extract.chinese.lists import Vocabulary
from lpmm_core.extract.chinese.nouns import Noun


@dataclass(slots=True)
class _Around:
    """What stands with the verb of a relative clause, and where it begins."""

    start: int
    agents: tuple[Noun, ...] = ()
    phrases: list[Phrase] = field(default_factory=list)
    times: list[str] = field(default_factory=list)


class RelativeReader:
    """Takes relative clauses off the stack of chunks."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._verbs = vocabulary.verbs
        self._nouns = vocabulary.nouns
        self._function = vocabulary.function

    def opens(self, stack: list[Chunk], rest: list[Chunk], *, settled: bool) -> bool:
        """Whether [V N] before 的 is a clause about the noun behind it rather than a verb with an owned object.

        `settled` says that a localizer closes the phrase, so that a preposition before it governs the noun.
        """
        if len(stack) < 2 or stack[-2].sort is not Sort.VERB or stack[-2].verb is None:
            return False
        verb = stack[-2].verb
        if verb.head in self._verbs.copulas or verb.head in self._verbs.appointing:
            return False
        if verb.head == "有" and len(stack) == 2:  # 有 位 过路 的 木匠 …
            return False
        below = stack[-3] if len(stack) > 2 else None
        if (
            below is not None
            and below.sort is Sort.NOUN
            and verb.head in self._verbs.giving
            and self._is_receiver(stack[-1].nouns[-1])
        ):
            return True
        if below is not None and below.sort is Sort.ADVERB and len(stack) > 3:
            below = stack[-4]
        if below is None or below.sort in (Sort.MARK, Sort.CONJUNCTION, Sort.OTHER):
            return verb_follows(rest)
        if below.sort is Sort.NOUN and below.nouns[-1].is_quantity:
            return True
        if below.sort is Sort.VERB and below.verb is not None:
            return (
                below.verb.finished
                or verb.head in self._verbs.attributive
                or verb.text in self._verbs.attributive
                or below.verb.head in self._verbs.copulas
            )
        if below.sort is Sort.NOUN and len(stack) > 3 and stack[-4].sort is Sort.PREPOSITION:
            return settled or verb_follows(rest)  # 在 东队 挑战 西队 的 比赛 中
        if below.sort is Sort.NOUN and len(stack) == 3 and not self._nouns.is_person(below.nouns[-1].head):
            return self._is_defined(rest) and not below.nouns[-1].proper and not below.nouns[-1].pronoun
        if below.sort is Sort.PREPOSITION:
            return verb.text in self._verbs.attributive or verb_follows(rest)
        return False

    def _is_defined(self, rest: list[Chunk]) -> bool:
        """侧棱 垂直 于 底面 的 棱柱 叫做 …: whether what the noun is called or is follows at once."""
        verb = rest[0].verb if rest else None
        return verb is not None and (verb.text in self._verbs.naming or verb.head in self._verbs.copulas)

    def _is_receiver(self, noun: Noun) -> bool:
        return noun.pronoun in self._function.first_person | self._function.second_person or (
            noun.kind is Kind.PERSON and noun.proper
        )

    def with_object(self, chunk: Chunk, stack: list[Chunk], events: list[Event]) -> Chunk:
        """来自 上海 的 教授, 一个 叫 梅子 的 姑娘."""
        object_chunk, verb_chunk = stack.pop(), stack.pop()
        assert verb_chunk.verb is not None
        adverbs = self._pop_adverbs(stack)
        first = chunk.nouns[0]
        if stack and stack[-1].sort is Sort.NOUN and stack[-1].nouns[-1].is_quantity:
            stack.pop()
        elif (
            stack and stack[-1].sort is Sort.NOUN and verb_chunk.verb.head in self._verbs.giving
        ):  # 我 送 你 的 那本 书
            giver = stack.pop()
            events.append(self._event(giver.nouns, verb_chunk, (*object_chunk.nouns, first), adverbs))
            return chunk._replace(start=giver.start)
        elif len(stack) > 1 and stack[-1].sort is Sort.NOUN and stack[-2].sort is Sort.PREPOSITION:
            return self._in_phrase(chunk, verb_chunk, object_chunk, adverbs, stack, events)
        elif stack and stack[-1].sort is Sort.NOUN:
            return chunk._replace(start=stack.pop().start)  # 侧棱 垂直 于 底面 的 棱柱
        named = object_chunk.nouns[0]
        if verb_chunk.verb.head in self._verbs.naming and not first.proper and named.name:
            kind = Kind.PERSON if self._nouns.is_person(first.head) else named.kind
            named = replace(named, title=first.name, kind=kind, proper=True, owner=None)
            return chunk._replace(nouns=(named, *chunk.nouns[1:]), start=verb_chunk.start)
        if first.name not in self._nouns.vague:
            events.append(self._event((first,), verb_chunk, object_chunk.nouns, adverbs))
        return chunk._replace(start=verb_chunk.start)

    def _in_phrase(
        self,
        chunk: Chunk,
        verb_chunk: Chunk,
        object_chunk: Chunk,
        adverbs: tuple[str, ...],
        stack: list[Chunk],
        events: list[Event],
    ) -> Chunk:
        """在 东队 挑战 西队 的 比赛 中 (the noun has its own preposition), 在 北京 创办 公司 的 老李 (the clause has it)."""
        before = stack.pop()
        if before.nouns[-1].kind is Kind.PLACE and stack[-1].text in self._function.place_prepositions:
            start = stack.pop().start
            around = _Around(start, phrases=[Phrase("在", before.nouns)])
            events.append(self._event(chunk.nouns[:1], verb_chunk, object_chunk.nouns, adverbs, around))
            return chunk._replace(start=start)
        if self._may_act(before.nouns[-1]):
            events.append(self._event(before.nouns, verb_chunk, object_chunk.nouns, adverbs))
        return chunk._replace(start=before.start)

    def with_gap(self, chunk: Chunk, stack: list[Chunk], events: list[Event]) -> Chunk:
        """马云 创办 的 公司, 由 甲 设计 的 桥, 在 北京 举行 的 会议, 失踪 的 丈夫."""
        verb_chunk = stack.pop()
        assert verb_chunk.verb is not None
        adverbs = self._pop_adverbs(stack)
        around = self._circumstances(stack, verb_chunk.start)
        first = chunk.nouns[0]
        below = stack[-1] if stack and stack[-1].sort is Sort.NOUN else None
        if verb_chunk.text == "来" and below is not None and below.nouns[-1].kind is Kind.PLACE:
            stack.pop()  # 外乡 来 的 木匠
            events.append(self._event((first,), verb_chunk._replace(verb=Verb("来自", "来自")), below.nouns, adverbs))
            return chunk._replace(start=below.start)
        if below is not None and below.nouns[-1].is_quantity:
            stack.pop()
            first = replace(first, quantity=first.quantity or below.nouns[-1].quantity)
            chunk, below = chunk._replace(nouns=(first, *chunk.nouns[1:])), None
        if first.name in self._nouns.vague:
            return chunk._replace(start=around.start)
        if around.agents:
            events.append(self._event(around.agents, verb_chunk, (first,), adverbs, around))
        elif below is not None and self._is_plain(verb_chunk):
            if self._nouns.is_role(first.head):
                stack.pop()
                owned = replace(first, owner=below.nouns[-1])
                return chunk._replace(nouns=(owned, *chunk.nouns[1:]), start=below.start)
        elif below is not None and not below.nouns[-1].location and self._may_act(below.nouns[-1]):
            stack.pop()
            events.append(self._event(below.nouns, verb_chunk, (first,), adverbs, around))
            return chunk._replace(start=below.start)
        elif around.phrases or around.times:
            events.append(self._event((first,), verb_chunk, (), adverbs, around))
        return chunk._replace(start=around.start)

    def _circumstances(self, stack: list[Chunk], start: int) -> _Around:
        """Take the times, the adverbs and the prepositional phrases before the verb off the stack."""
        around = _Around(start)
        while stack:
            top = stack[-1]
            if top.sort in (Sort.TIME, Sort.ADVERB):
                if top.sort is Sort.TIME:
                    around.times.append(top.text)
                around.start = stack.pop().start
                if stack and stack[-1].sort is Sort.PREPOSITION:
                    stack.pop()
            elif len(stack) > 1 and top.sort is Sort.NOUN and stack[-2].sort is Sort.PREPOSITION:
                nouns, preposition = stack.pop().nouns, stack.pop()
                around.start = preposition.start
                if preposition.text in self._function.passive_prepositions or preposition.text == "由":
                    around.agents = nouns
                else:
                    around.phrases.append(Phrase(preposition.text, nouns))
            elif top.sort is Sort.PREPOSITION:
                around.start = stack.pop().start
            else:
                break
        return around

    def _may_act(self, noun: Noun) -> bool:
        return (
            bool(noun.pronoun)
            or noun.kind in (Kind.PERSON, Kind.ORGANISATION, Kind.PLACE)
            or noun.proper
            or self._nouns.is_person(noun.head)
        )

    def _is_plain(self, verb: Chunk) -> bool:
        """失踪 的, 废弃 的: a verb that describes and has no object to miss."""
        return verb.text in self._function.plain_adjectives

    def _pop_adverbs(self, stack: list[Chunk]) -> tuple[str, ...]:
        adverbs: list[str] = []
        while stack and stack[-1].sort is Sort.ADVERB:
            adverbs.append(stack.pop().text)
        return tuple(reversed(adverbs))

    def _event(
        self,
        subjects: tuple[Noun, ...],
        verb_chunk: Chunk,
        objects: tuple[Noun, ...],
        adverbs: tuple[str, ...],
        around: _Around | None = None,
    ) -> Event:
        assert verb_chunk.verb is not None
        around = around or _Around(verb_chunk.start)
        return Event(
            subjects=subjects,
            verb=verb_chunk.verb,
            objects=objects,
            phrases=tuple(around.phrases),
            times=tuple(around.times),
            adverbs=adverbs,
            negated=any(adverb in self._verbs.negations for adverb in adverbs),
            rule=Rule.RELATIVE,
        )

    def lasts(self, stack: list[Chunk]) -> bool:
        """停演 两场 的 处分, 长达 三年 的 战争: whether the verb before a quantity and 的 is no verb of its own."""
        verb = stack[-1].verb if stack and stack[-1].sort is Sort.VERB else None
        return verb is not None and (
            verb.text in self._verbs.measuring or any(chunk.sort is Sort.VERB for chunk in stack[:-1])
        )


def verb_follows(rest: list[Chunk]) -> bool:
    """Whether the clause has another verb behind."""
    for chunk in rest:
        if chunk.sort is Sort.MARK:
            return False
        if chunk.sort is Sort.VERB:
            return True
    return False
