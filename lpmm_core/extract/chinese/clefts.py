"""是 … 的: a clause that says by whom, when or how something came about.

'塔 是 他 造 的' states (他, 造, 塔), not what the tower is. Such a clause is turned into its plain form before it is read: the doer first,
the thing behind its verb; without a doer (钟 是 1880年 铸成 的) the thing stays where it is and only 是 and 的 fall away.
"""

from __future__ import annotations

from collections.abc import Sequence

from lpmm_core.base.records import Kind
from lpmm_core.extract.chinese.chunks import Chunk, Sort
from lpmm_core.extract.chinese.lists import Vocabulary
from lpmm_core.extract.chinese.nouns import Noun

_CLEAVING = frozenset(("是", "都是", "也是", "就是", "正是", "便是", "还是", "均是", "全是"))


def plain_form(chunks: Sequence[Chunk], vocabulary: Vocabulary) -> Sequence[Chunk] | None:
    """Return the clause without its 是 … 的, None when it has none or when it cannot be told who did it."""
    if len(chunks) < 4 or chunks[-1].sort is not Sort.OF:
        return None
    last = len(chunks) - 2
    receiver: list[Chunk] = []
    if chunks[last].sort is Sort.NOUN and chunks[last - 1].sort is Sort.VERB:  # 是 外祖父 交给 她 的
        receiver, last = [chunks[last]], last - 1
    verb = chunks[last]
    if verb.verb is None or (receiver and verb.verb.head not in vocabulary.verbs.giving):
        return None
    copula = next((i for i, c in enumerate(chunks) if c.sort is Sort.VERB and c.text in _CLEAVING), None)
    if copula is None or copula >= last:
        return None
    before, inside = chunks[:copula], chunks[copula + 1 : last]
    things = [i for i, chunk in enumerate(before) if chunk.sort is Sort.NOUN and not _governed(before, i)]
    if len(things) != 1 or any(chunk.sort is Sort.VERB for chunk in before):
        return None
    thing = before[things[0]]
    others = [chunk for i, chunk in enumerate(before) if i != things[0]]
    doer = next((i for i, chunk in enumerate(inside) if chunk.sort is Sort.NOUN and not _governed(inside, i)), None)
    if doer is None:
        settled = any(chunk.sort in (Sort.TIME, Sort.PREPOSITION) for chunk in inside)
        return [*before, *inside, verb] if settled and not receiver and not _verbs(inside) else None
    manner = inside[doer + 1 :]
    if _verbs(inside[:doer]) or not all(_may_act(noun, vocabulary) for noun in inside[doer].nouns):
        return None
    if any(chunk.verb is not None and chunk.verb.head in vocabulary.verbs.pivots for chunk in manner):
        return None  # 是 老师 让 他 写 的
    first_verb = next((i for i, chunk in enumerate(manner) if chunk.sort is Sort.VERB), len(manner))
    return [inside[doer], *others, *inside[:doer], *manner[:first_verb], verb, *receiver, thing]  # 他 出钱 造 的: 他 造


def _verbs(chunks: Sequence[Chunk]) -> bool:
    return any(chunk.sort is Sort.VERB for chunk in chunks)


def _governed(chunks: Sequence[Chunk], index: int) -> bool:
    return index > 0 and chunks[index - 1].sort is Sort.PREPOSITION


def _may_act(noun: Noun, vocabulary: Vocabulary) -> bool:
    return bool(noun.pronoun) or noun.kind in (Kind.PERSON, Kind.ORGANISATION) or vocabulary.nouns.is_person(noun.head)
