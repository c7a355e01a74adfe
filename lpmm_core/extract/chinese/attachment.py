"""Which chunks belong together: 的-phrases, relative clauses, coordination.

One pass with a stack, left to right. 的 takes what stands before it and gives it to the noun behind it: an owner (马帮 的 首领), a
property that falls away (最大 的 湖), or a whole relative clause, which becomes an event of its own (马云 创办 的 公司) and leaves
the noun in its place. A noun behind 和 or 、 joins the noun before, once its own 的-phrases are complete.
"""

from __future__ import annotations

from dataclasses import replace

from lpmm_core.base.records import Kind
from lpmm_core.extract.chinese.chunks import Chunk, Sort
from lpmm_core.extract.chinese.events import Event
from lpmm_core.extract.chinese.lists import Vocabulary
from lpmm_core.extract.chinese.relatives import RelativeReader, verb_follows

_SUPERLATIVES = ("最", "第一", "唯一", "首")


class Attacher:
    """Reduces the chunks of a sentence; events found in relative clauses come with them."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._verbs = vocabulary.verbs
        self._nouns = vocabulary.nouns
        self._function = vocabulary.function
        self._relatives = RelativeReader(vocabulary)

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
                modified = self._modified(chunk, stack, events, chunks[index + 1 :])
                restricted = modified.nouns[0].owner is None and modified.start < chunk.start
                first = replace(modified.nouns[0], restricted=restricted)
                chunk = modified._replace(nouns=(first, *modified.nouns[1:]))
            if chunk.sort is Sort.NOUN and self._is_owned_without_of(chunk, stack):
                owner = stack.pop()
                where = owner.nouns[-1].location  # 住进 望汛塔 下 那间 石屋
                owned = replace(chunk.nouns[0], owner=None if where else owner.nouns[-1])
                chunk = chunk._replace(nouns=(owned, *chunk.nouns[1:]), start=owner.start)
            if chunk.sort is Sort.NOUN and not of_follows and self._summarises(chunk, stack):
                stack[-1] = stack[-1]._replace(end=chunk.end)
                continue
            if chunk.sort is Sort.NOUN and (not of_follows or self._is_fellow(chunk, stack)):
                chunk = self._ranked(self._coordinated(chunk, stack, chunks[index + 1 :]), stack)
            stack.append(chunk)
        return stack, events

    def _is_cleft(self, chunk: Chunk, stack: list[Chunk]) -> bool:
        if chunk.sort is not Sort.VERB or chunk.text != "是" or len(stack) < 2:
            return False
        return stack[-1].sort is Sort.OF and stack[-2].sort is Sort.VERB

    def _is_owned_without_of(self, chunk: Chunk, stack: list[Chunk]) -> bool:
        """枕石巷 一间 油坊, 阮仲舟 那条 沉船: a name right before a counted noun has it, unless it is given it."""
        first = chunk.nouns[0]
        counted = bool(first.name) and bool(first.quantity or first.determiner) and first.owner is None
        ranked = first.quantity.startswith(("第", "首", "唯一"))
        if not counted or ranked or first.proper or not stack or stack[-1].sort is not Sort.NOUN:
            return False
        owner = stack[-1].nouns[-1]
        if not owner.proper or len(stack[-1].nouns) > 1 or not 0 < first.start - owner.end < 6:
            return False
        below = stack[-2] if len(stack) > 1 else None
        if below is None or (below.sort is Sort.PREPOSITION and below.text == "给"):
            return below is None and owner.kind is Kind.PLACE
        return below.verb is None or below.verb.head not in self._verbs.giving

    def _is_fellow(self, chunk: Chunk, stack: list[Chunk]) -> bool:
        """甲 和 乙 的: a name before 的 joins the name before its 和."""
        if len(stack) < 2 or stack[-1].sort is not Sort.CONJUNCTION or stack[-2].sort is not Sort.NOUN:
            return False
        last, this = stack[-2].nouns[-1], chunk.nouns[0]
        return last.proper and this.proper and last.kind is this.kind and last.kind is not Kind.PLACE

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

    def _coordinated(self, chunk: Chunk, stack: list[Chunk], rest: list[Chunk]) -> Chunk:
        """Join `chunk` with the noun before its conjunction, if there is one."""
        if len(stack) < 2 or not self._joins(stack, rest):
            return chunk
        before = stack[-2]
        if before.sort is not Sort.NOUN or before.nouns[0].is_quantity != chunk.nouns[0].is_quantity:
            return chunk
        if bool(before.nouns[0].pronoun) and stack[-1].text == "、":
            return chunk
        del stack[-2:]
        return chunk._replace(nouns=before.nouns + chunk.nouns, start=before.start, text=before.text + chunk.text)

    def _joins(self, stack: list[Chunk], rest: list[Chunk]) -> bool:
        """Whether the last of the stack joins two nouns: 和, or 与 where it can be no preposition (由 甲 与 乙 创立; 参与 甲 与 乙)."""
        joint = stack[-1]
        if joint.sort is Sort.CONJUNCTION:
            return joint.text in self._function.conjunctions
        if joint.sort is not Sort.PREPOSITION or joint.text not in self._function.with_prepositions or len(stack) < 3:
            return False
        if stack[-3].sort is Sort.PREPOSITION:
            return True
        return stack[-3].sort is Sort.VERB and not verb_follows(rest)

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
            if self._relatives.opens(stack, rest, settled=bool(chunk.nouns[0].location)):
                return self._relatives.with_object(chunk, stack, events)
            if modifier.nouns[0].is_quantity:
                stack.pop()
                return self._relatives.with_gap(chunk, stack, events) if self._relatives.lasts(stack) else chunk
            return self._owned(chunk, stack)
        if modifier.sort is Sort.VERB:
            return self._relatives.with_gap(chunk, stack, events)
        if modifier.sort is Sort.ADJECTIVE:
            return self._praised(chunk, stack)
        if modifier.sort in (Sort.TIME, Sort.OTHER, Sort.ADVERB):
            stack.pop()
            if stack and stack[-1].sort is Sort.PREPOSITION and modifier.sort is not Sort.OTHER:
                stack.pop()  # 在 当时 的 …, but 从 西边 的 山 流下来
        return chunk

    def _owned(self, chunk: Chunk, stack: list[Chunk]) -> Chunk:
        modifier = stack.pop()
        first = chunk.nouns[0]
        owner = modifier.nouns[-1]
        if self._share_ownership(modifier, chunk):
            shared = tuple(replace(first, owner=each) for each in modifier.nouns)
            return chunk._replace(nouns=(*shared, *chunk.nouns[1:]), start=modifier.start)
        thing = not owner.location and not owner.pronoun and owner.kind is not Kind.PERSON
        if thing and first.name in self._nouns.vague and stack and stack[-1].sort is Sort.VERB:
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

    def _share_ownership(self, owners: Chunk, owned: Chunk) -> bool:
        """甲 和 乙 的 关系: two names of one kind have the common noun together."""
        first = owned.nouns[0]
        if len(owners.nouns) < 2 or first.proper or first.title or first.owner is not None:
            return False
        return all(noun.proper for noun in owners.nouns) and len({noun.kind for noun in owners.nouns}) == 1

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
