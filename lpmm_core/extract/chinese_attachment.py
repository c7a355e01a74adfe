"""Which chunks belong together: 的-phrases, relative clauses, coordination.

One pass with a stack, left to right. 的 takes what stands before it and gives it to the noun behind it: an owner (马帮 的 首领), a
property that falls away (最大 的 湖), or a whole relative clause, which becomes an event of its own (马云 创办 的 公司) and leaves
the noun in its place. A noun behind 和 or 、 joins the noun before, once its own 的-phrases are complete.
"""

from __future__ import annotations

from dataclasses import replace

from lpmm_core.base.records import Kind
from lpmm_core.extract.chinese_chunks import Chunk, Sort, Verb
from lpmm_core.extract.chinese_events import Event, Phrase, Rule
from lpmm_core.extract.chinese_lists import Vocabulary
from lpmm_core.extract.chinese_nouns import Noun

_SUPERLATIVES = ("最", "第一", "唯一", "首")


class Attacher:
    """Reduces the chunks of a sentence; events found in relative clauses come with them."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._verbs = vocabulary.verbs
        self._nouns = vocabulary.nouns
        self._function = vocabulary.function

    def attach(self, chunks: list[Chunk]) -> tuple[list[Chunk], list[Event]]:
        """Return the chunks that are left and the events of the relative clauses."""
        stack: list[Chunk] = []
        events: list[Event] = []
        for index, chunk in enumerate(chunks):
            if self._is_cleft(chunk, stack):  # 我 用 的 是 …: 我 用 …
                stack.pop()
                continue
            of_follows = index + 1 < len(chunks) and chunks[index + 1].sort is Sort.OF
            if chunk.sort is Sort.NOUN and stack and stack[-1].sort is Sort.OF:
                stack.pop()
                chunk = self._modified(chunk, stack, events, chunks[index + 1 :])
            if chunk.sort is Sort.NOUN and not of_follows and self._summarises(chunk, stack):
                stack[-1] = stack[-1]._replace(end=chunk.end)
                continue
            if chunk.sort is Sort.NOUN and not of_follows:
                chunk = self._ranked(self._coordinated(chunk, stack), stack)
            stack.append(chunk)
        return stack, events

    def _is_cleft(self, chunk: Chunk, stack: list[Chunk]) -> bool:
        if chunk.sort is not Sort.VERB or chunk.text != "是" or len(stack) < 2:
            return False
        return stack[-1].sort is Sort.OF and stack[-2].sort is Sort.VERB

    def _ranked(self, chunk: Chunk, stack: list[Chunk]) -> Chunk:
        """是 中国 第二 长河: a rank belongs to what stands before it."""
        first = chunk.nouns[0]
        if not first.quantity.startswith(("第", "首", "唯一")) or first.owner is not None or len(stack) < 2:
            return chunk
        if stack[-1].sort is not Sort.NOUN or not stack[-1].nouns[-1].proper or stack[-2].sort is not Sort.VERB:
            return chunk
        owner = stack.pop()
        ranked = replace(first, owner=owner.nouns[-1], praise=first.quantity, proper=False)
        return chunk._replace(nouns=(ranked, *chunk.nouns[1:]), start=owner.start)

    # --- coordination -------------------------------------------------------------------------------------------------------

    def _coordinated(self, chunk: Chunk, stack: list[Chunk]) -> Chunk:
        """Join `chunk` with the noun before its conjunction, if there is one."""
        if (
            len(stack) < 2
            or stack[-1].sort is not Sort.CONJUNCTION
            or stack[-1].text not in self._function.conjunctions
        ):
            return chunk
        before = stack[-2]
        if before.sort is not Sort.NOUN or before.nouns[0].is_quantity != chunk.nouns[0].is_quantity:
            return chunk
        if bool(before.nouns[0].pronoun) and stack[-1].text == "、":
            return chunk
        del stack[-2:]
        return chunk._replace(nouns=before.nouns + chunk.nouns, start=before.start, text=before.text + chunk.text)

    def _summarises(self, chunk: Chunk, stack: list[Chunk]) -> bool:
        """A、B 等 国家 and A、B 两 国: the noun behind a list only counts it."""
        if not stack:
            return False
        if stack[-1].sort is Sort.AND_SO_ON and len(stack) > 1 and stack[-2].sort is Sort.NOUN:
            stack.pop()
            return not chunk.nouns[0].proper
        return (
            stack[-1].sort is Sort.NOUN
            and len(stack[-1].nouns) > 1
            and bool(chunk.nouns[0].quantity)
            and not chunk.nouns[0].proper
        )

    # --- 的 -----------------------------------------------------------------------------------------------------------------

    def _modified(self, chunk: Chunk, stack: list[Chunk], events: list[Event], rest: list[Chunk]) -> Chunk:
        """Give what stands before 的 (on the stack) to the noun behind it."""
        if not stack:
            return chunk
        modifier = stack[-1]
        if modifier.sort is Sort.NOUN:
            if self._opens_relative(stack, rest):
                return self._relative_with_object(chunk, stack, events)
            if modifier.nouns[0].is_quantity:
                stack.pop()
                return chunk
            return self._owned(chunk, stack)
        if modifier.sort is Sort.VERB:
            return self._relative_with_gap(chunk, stack, events)
        if modifier.sort is Sort.ADJECTIVE:
            return self._praised(chunk, stack)
        if modifier.sort in (Sort.TIME, Sort.OTHER, Sort.ADVERB):
            stack.pop()
            if stack and stack[-1].sort is Sort.PREPOSITION:
                stack.pop()
        return chunk

    def _owned(self, chunk: Chunk, stack: list[Chunk]) -> Chunk:
        modifier = stack.pop()
        first = chunk.nouns[0]
        owner = modifier.nouns[-1]
        if first.name in self._nouns.vague and stack and stack[-1].sort is Sort.VERB:
            return modifier  # 转化 为 有机物 的 过程
        if stack and stack[-1].sort is Sort.PREPOSITION and stack[-1].text in ("关于", "对于", "有关", "针对"):
            stack.pop()
            return chunk
        if owner.location and not (owner.proper and owner.kind is not Kind.PLACE):  # 佛罗伦萨 附近 的 芬奇镇
            return chunk._replace(start=modifier.start) if not first.proper else chunk
        if first.title and first.title_owner is None and (first.kind is Kind.WORK or self._may_be_owned(first.title)):
            first = replace(first, title_owner=owner)
        elif first.proper and first.kind in (Kind.PLACE, Kind.PERSON) and owner.proper:
            first = replace(first, title_owner=None)  # 青藏高原 的 唐古拉山脉 is a name by itself
        elif first.owner is None:
            first = replace(first, owner=owner)
        else:  # A 的 B 校长: the inner owner is B, and A owns that
            first = replace(first, owner=replace(first.owner, owner=first.owner.owner or owner))
        return chunk._replace(nouns=(first, *chunk.nouns[1:]), start=modifier.start)

    def _may_be_owned(self, title: str) -> bool:
        return self._nouns.is_role(title) or title in self._nouns.attributes

    def _praised(self, chunk: Chunk, stack: list[Chunk]) -> Chunk:
        """中国 最大 的 淡水湖, 美丽 的 城市."""
        adjective = stack.pop()
        text = adjective.text
        while stack and stack[-1].sort in (Sort.ADVERB, Sort.ADJECTIVE):
            text = stack.pop().text + text
        first = chunk.nouns[0]
        if text.startswith(_SUPERLATIVES) and stack and stack[-1].sort is Sort.NOUN and first.owner is None:
            below = stack[-1].nouns[-1]
            if (
                not below.is_quantity
                and below.proper
                and not below.pronoun
                and len(stack) > 1
                and stack[-2].sort in (Sort.VERB, Sort.PREPOSITION)
            ):
                start = stack.pop().start
                return chunk._replace(
                    nouns=(replace(first, owner=below, praise=text + "的", proper=False), *chunk.nouns[1:]), start=start
                )
        return chunk

    # --- relative clauses ---------------------------------------------------------------------------------------------------

    def _opens_relative(self, stack: list[Chunk], rest: list[Chunk]) -> bool:
        """Whether [V N] before 的 is a clause about the noun behind it rather than a verb with an owned object."""
        if len(stack) < 2 or stack[-2].sort is not Sort.VERB or stack[-2].verb is None:
            return False
        verb = stack[-2].verb
        if verb.head in self._verbs.copulas or verb.head in self._verbs.appointing:
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
            return _verb_follows(rest)
        if below.sort is Sort.NOUN and below.nouns[-1].is_quantity:
            return True
        if below.sort is Sort.VERB and below.verb is not None:
            return (
                below.verb.finished
                or verb.head in self._verbs.attributive
                or verb.text in self._verbs.attributive
                or below.verb.head in self._verbs.copulas
            )
        return below.sort is Sort.PREPOSITION and verb.text in self._verbs.attributive

    def _is_receiver(self, noun: Noun) -> bool:
        return noun.pronoun in self._function.first_person | self._function.second_person or (
            noun.kind is Kind.PERSON and noun.proper
        )

    def _relative_with_object(self, chunk: Chunk, stack: list[Chunk], events: list[Event]) -> Chunk:
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
        named = object_chunk.nouns[0]
        if verb_chunk.verb.head in self._verbs.naming and not first.proper and named.name:
            kind = Kind.PERSON if self._nouns.is_person(first.head) else named.kind
            named = replace(named, title=first.name, kind=kind, proper=True, owner=None)
            return chunk._replace(nouns=(named, *chunk.nouns[1:]), start=verb_chunk.start)
        if first.name not in self._nouns.vague:
            events.append(self._event((first,), verb_chunk, object_chunk.nouns, adverbs))
        return chunk._replace(start=verb_chunk.start)

    def _relative_with_gap(self, chunk: Chunk, stack: list[Chunk], events: list[Event]) -> Chunk:
        """马云 创办 的 公司, 由 甲 设计 的 桥, 在 北京 举行 的 会议, 失踪 的 丈夫."""
        verb_chunk = stack.pop()
        assert verb_chunk.verb is not None
        start = verb_chunk.start
        adverbs = self._pop_adverbs(stack)
        phrases: list[Phrase] = []
        agents: tuple[Noun, ...] = ()
        times: list[str] = []
        while stack:
            top = stack[-1]
            if top.sort in (Sort.TIME, Sort.ADVERB):
                if top.sort is Sort.TIME:
                    times.append(top.text)
                start = stack.pop().start
                if stack and stack[-1].sort is Sort.PREPOSITION:
                    stack.pop()
            elif len(stack) > 1 and stack[-1].sort is Sort.NOUN and stack[-2].sort is Sort.PREPOSITION:
                nouns, preposition = stack.pop().nouns, stack.pop()
                start = preposition.start
                if preposition.text in self._function.passive_prepositions or preposition.text == "由":
                    agents = nouns
                else:
                    phrases.append(Phrase(preposition.text, nouns))
            elif stack[-1].sort is Sort.PREPOSITION:
                start = stack.pop().start
            else:
                break
        first = chunk.nouns[0]
        if verb_chunk.text == "来" and stack and stack[-1].sort is Sort.NOUN and stack[-1].nouns[-1].kind is Kind.PLACE:
            place = stack.pop()  # 外乡 来 的 木匠
            events.append(self._event((first,), verb_chunk._replace(verb=Verb("来自", "来自")), place.nouns, adverbs))
            return chunk._replace(start=place.start)
        subject = stack[-1] if stack and stack[-1].sort is Sort.NOUN and not stack[-1].nouns[-1].is_quantity else None
        if stack and stack[-1].sort is Sort.NOUN and stack[-1].nouns[-1].is_quantity:
            stack.pop()
            subject = None
        if first.name in self._nouns.vague:
            return chunk._replace(start=start)
        if agents:
            events.append(self._event(agents, verb_chunk, (first,), adverbs, phrases, times))
        elif subject is not None and self._is_plain(verb_chunk) and self._nouns.is_role(first.head):
            stack.pop()
            return chunk._replace(
                nouns=(replace(first, owner=subject.nouns[-1]), *chunk.nouns[1:]), start=subject.start
            )
        elif (
            subject is not None
            and not self._is_plain(verb_chunk)
            and not subject.nouns[-1].location
            and self._may_act(subject.nouns[-1])
        ):
            stack.pop()
            start = subject.start
            events.append(self._event(subject.nouns, verb_chunk, (first,), adverbs, phrases, times))
        elif phrases or times:
            events.append(self._event((first,), verb_chunk, (), adverbs, phrases, times))
        return chunk._replace(start=start)

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
        phrases: list[Phrase] | None = None,
        times: list[str] | None = None,
    ) -> Event:
        assert verb_chunk.verb is not None
        return Event(
            subjects=subjects,
            verb=verb_chunk.verb,
            objects=objects,
            phrases=tuple(phrases or ()),
            times=tuple(times or ()),
            adverbs=adverbs,
            negated=any(adverb in self._verbs.negations for adverb in adverbs),
            rule=Rule.RELATIVE,
        )


def _verb_follows(rest: list[Chunk]) -> bool:
    for chunk in rest:
        if chunk.sort is Sort.MARK:
            return False
        if chunk.sort is Sort.VERB:
            return True
    return False
