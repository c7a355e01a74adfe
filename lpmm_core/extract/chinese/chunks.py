"""Words to chunks: noun phrases, verb groups, prepositions, times and marks, in the order of the sentence.

A verb group is one chunk with its complements (端 来, 毕业 于, 转化 为); verbs that only say how (开始, 能够, 去) become adverbs of the
verb behind them; two full verbs side by side are one predicate (设计 建造). Nothing here looks further than its neighbours; how chunks
belong together is for `attachment`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from lpmm_core.extract.chinese.lists import Vocabulary
from lpmm_core.extract.chinese.nouns import NOMINAL, Noun, NounReader
from lpmm_core.extract.chinese.words import Word


class Sort(StrEnum):
    """What a chunk is."""

    NOUN = "noun"
    VERB = "verb"
    ADJECTIVE = "adjective"
    ADVERB = "adverb"
    PREPOSITION = "preposition"
    TIME = "time"
    CONJUNCTION = "conjunction"
    OF = "of"  # 的
    AND_SO_ON = "and so on"  # 等
    MARK = "mark"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb group. `head` is its last full verb without complement, `complement` 于, 在, 给, 到, 为 ... when one closes it.

    `finished` tells that 了 or 过 stands behind it: no other verb can belong to it; `lasting` that 着 does.
    """

    text: str
    head: str
    complement: str = ""
    finished: bool = False
    lasting: bool = False


class Chunk(NamedTuple):
    """A stretch of the sentence; `nouns` of a coordination are its members."""

    sort: Sort
    text: str
    start: int
    end: int
    nouns: tuple[Noun, ...] = ()
    verb: Verb | None = None


BOUNDARIES = frozenset("，。；：！？,;:!?…—～~\n")
_IGNORED_MARKS = frozenset("《》〈〉“”「」『』\"'‘’·•-－（）()[]【】{}/|*#=+_^`<>　 \t")
_RESULTS = frozenset("满大好坏完破光净清错醒")
_UNTIL = frozenset(("到", "至", "-", "－", "—", "～", "~"))
_MORE = frozenset("更最较越很再")
_WHEN = frozenset(("时", "时候", "之时", "之际", "期间"))
_ADVERBS_OF_VERBS = frozenset(("不", "未", "将", "已", "曾", "正在", "共同", "都", "也"))
_ERAS = ("时期", "年间", "期间")
_HOURS = ("时间", "时段", "时分", "时刻")
_NUMERALS = frozenset("0123456789一二三四五六七八九十百千万两几")
_TIME_MEASURES = (
    "岁",
    "年",
    "天",
    "个月",
    "小时",
    "分钟",
    "次",
    "周",
    "世纪",
    "星期",
    "届",
    "度",
    "点",
    "时",
    "日",
    "号",
    "月",
)
_VERBAL = frozenset(("v", "vn", "vd"))


class Chunker:
    """Cuts a list of words into chunks."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._verbs = vocabulary.verbs
        self._function = vocabulary.function
        self._closing = vocabulary.function.joined_prepositions | vocabulary.function.state_complements
        self._noun_reader = NounReader(vocabulary)

    def chunk(self, words: Sequence[Word]) -> list[Chunk]:
        """Return the chunks of one sentence; its asides in brackets have been taken out."""
        chunks: list[Chunk] = []
        i = 0
        while i < len(words):
            i = self._next(words, i, chunks)
        return [
            chunk._replace(sort=Sort.MARK) if chunk.text == "、" and _parts_clauses(chunks, index) else chunk
            for index, chunk in enumerate(chunks)
        ]

    def _next(self, words: Sequence[Word], i: int, chunks: list[Chunk]) -> int:
        """Append the chunk that starts at word `i`; return the word behind it."""
        word = words[i]
        tag = word.tag if word.text not in self._function.greetings else "xc"
        if tag == "w":
            return self._mark(words, i, chunks)
        if tag == "TIME":
            return self._time(words, i, chunks)
        if tag in NOMINAL or tag in ("r", "m", "q", "a"):
            return self._noun(words, i, chunks)
        if tag == "v":
            return self._verb(words, i, chunks)
        if tag in ("d", "ad", "vd"):
            chunks.append(_plain(Sort.ADVERB, word))
        elif tag == "p":
            chunks.append(_plain(Sort.PREPOSITION, word))
        elif tag == "c":
            chunks.append(_plain(Sort.CONJUNCTION, word))
        elif tag == "u":
            self._particle(words, i, chunks)
        elif tag == "f":
            self._localizer(word, chunks)
        else:
            chunks.append(_plain(Sort.OTHER, word))
        return i + 1

    def _mark(self, words: Sequence[Word], i: int, chunks: list[Chunk]) -> int:
        word = words[i]
        if word.text == "、":
            chunks.append(_plain(Sort.CONJUNCTION, word))
        elif word.text[0] in BOUNDARIES:
            chunks.append(_plain(Sort.MARK, word))
        elif word.text[0] not in _IGNORED_MARKS:
            chunks.append(_plain(Sort.OTHER, word))
        return i + 1

    def _time(self, words: Sequence[Word], i: int, chunks: list[Chunk]) -> int:
        start = i
        i += 1
        while i < len(words) and (
            words[i].tag == "TIME" or (words[i].tag in ("n", "f", "s") and words[i].text in self._function.periods)
        ):
            i += 1
        while i + 1 < len(words) and words[i].text in _UNTIL and words[i + 1].tag == "TIME":  # 1970年 至 1971年
            i += 2
        if (
            i + 1 < len(words)
            and words[i].text == " "
            and (words[i + 1].tag == "TIME" or words[i + 1].text[0].isdigit())
        ):  # 2024-04-14 19:00
            return self._time_goes_on(words, start, i + 2, chunks)
        while i < len(words) and words[i].tag == "m" and words[i].text.endswith("代"):  # 明清 两代
            i += 1
        text = "".join(word.text for word in words[start:i])
        chunks.append(Chunk(Sort.TIME, text, words[start].start, words[i - 1].end))
        return i

    def _time_goes_on(self, words: Sequence[Word], start: int, end: int, chunks: list[Chunk]) -> int:
        text = "".join(word.text for word in words[start:end])
        chunks.append(Chunk(Sort.TIME, text, words[start].start, words[end - 1].end))
        return end

    def _noun(self, words: Sequence[Word], i: int, chunks: list[Chunk]) -> int:
        word = words[i]
        if word.text in _WHEN and chunks and chunks[-1].sort in (Sort.NOUN, Sort.VERB, Sort.TIME):  # 溶于 氟化氢 时
            self._localizer(word, chunks)
            return i + 1
        if word.tag == "vn" and self._is_predicate(words, i, chunks):
            return self._verb(words, i, chunks)
        after = bool(chunks) and chunks[-1].sort is Sort.OF
        found = self._noun_reader.read(words, i, after_possessor=after)
        if found is None:
            sort = Sort.ADJECTIVE if word.tag == "a" else Sort.OTHER
            chunks.append(_plain(sort, word))
            return i + 1
        nouns, end = found
        if nouns[0].is_quantity and end < len(words) and words[end].tag == "TIME" and words[end].text[0] in _NUMERALS:
            return end  # 一千 四百年
        for noun in nouns:
            if (
                noun.is_quantity
                and noun.quantity.endswith(_TIME_MEASURES)
                and not (chunks and chunks[-1].sort is Sort.VERB)
            ):
                chunks.append(Chunk(Sort.TIME, noun.quantity, noun.start, noun.end))
            elif noun.head.endswith(_HOURS) and chunks and chunks[-1].sort is Sort.TIME:  # 早上 繁忙 时间
                chunks[-1] = chunks[-1]._replace(text=chunks[-1].text + noun.name, end=noun.end)
            elif noun.head.endswith(_ERAS) and noun.owner is None and not noun.title:
                chunks.append(Chunk(Sort.TIME, noun.name, noun.start, noun.end))
            else:
                chunks.append(Chunk(Sort.NOUN, noun.name or noun.head, noun.start, noun.end, (noun,)))
        return end

    def _is_predicate(self, words: Sequence[Word], i: int, chunks: list[Chunk]) -> bool:
        """A noun-verb that stands where a verb must: behind an adverb or before 了."""
        if i + 1 < len(words) and words[i + 1].text in self._function.aspects:
            return True
        if not chunks or chunks[-1].sort is not Sort.ADVERB:
            return False
        return chunks[-1].text in self._verbs.auxiliaries or chunks[-1].text in _ADVERBS_OF_VERBS

    # --- verbs --------------------------------------------------------------------------------------------------------------

    def _verb(self, words: Sequence[Word], i: int, chunks: list[Chunk]) -> int:
        word = words[i]
        n = len(words)
        following = words[i + 1] if i + 1 < n else None
        if following is not None and self._only_says_how(words, i):
            chunks.append(_plain(Sort.ADVERB, word))
            return i + 1
        verb, end = self._with_complements(words, i)
        if end < n and words[end].text == "得":  # 撕 得 粉碎: how it turned out
            end += 1
            while end < n and words[end].tag in ("d", "ad", "a", "v", "xc"):
                end += 1
        chunks.append(Chunk(Sort.VERB, verb.text, word.start, words[end - 1].end, (), verb))
        return end

    def _with_complements(self, words: Sequence[Word], i: int) -> tuple[Verb, int]:
        """The verb at word `i` with what belongs to it, and the word behind them."""
        text = head = words[i].text
        complement = ""
        finished = lasting = False
        end = i + 1
        while end < len(words):
            here = words[end]
            behind = words[end + 1] if end + 1 < len(words) else None
            if here.tag in _VERBAL and here.text in self._verbs.directional and head not in self._verbs.copulas:
                if here.text in ("来", "去") and behind is not None and behind.tag == "v":
                    end += 1
                    break
                text += here.text
                complement = here.text if here.text in self._closing else complement
            elif self._joins(here, behind, head):
                text += here.text
                complement = here.text
            elif here.text in self._function.aspects and here.tag in ("u", "xc"):
                lasting = here.text in ("着", "著")
                finished = not lasting
            elif len(head) == 1 and self._is_result(here, behind):
                text += here.text
            elif here.tag == "v" and not complement and not finished and self._one_predicate(head, words, end):
                text += here.text
                head = here.text
            else:
                break
            end += 1
        return Verb(text, head, complement, finished, lasting), end

    def _joins(self, word: Word, behind: Word | None, head: str) -> bool:
        """Whether a preposition right behind the verb is its complement: 毕业 于."""
        if word.tag != "p" or word.text not in self._function.joined_prepositions:
            return False
        opens_purpose = word.text == "以" and behind is not None and behind.tag == "v"
        return not opens_purpose and head not in self._verbs.copulas and head != "有"

    def _is_result(self, word: Word, behind: Word | None) -> bool:
        """养 大 了 孩子, 摆 满 书, 走 出."""
        if word.tag == "f":
            return word.text in ("出", "入", "上", "下", "起")
        if word.tag != "a" or word.text not in _RESULTS or behind is None:
            return False
        return behind.text in self._function.aspects or behind.tag in NOMINAL or behind.tag == "m"

    def _only_says_how(self, words: Sequence[Word], i: int) -> bool:
        if words[i].text not in self._verbs.auxiliaries and words[i].text not in self._verbs.negations:
            return False
        j = i + 1
        while j < len(words) and (words[j].tag in ("d", "ad", "vd") or words[j].text in self._function.aspects):
            j += 1
        return j < len(words) and (
            words[j].tag in ("v", "p") or (words[j].tag == "vn" and j + 1 < len(words) and words[j + 1].tag != "u")
        )

    def _one_predicate(self, head: str, words: Sequence[Word], at: int) -> bool:
        """Whether two verbs side by side are one predicate (设计 建造, 喜欢 画)."""
        second = words[at].text
        if (
            head in self._verbs.saying
            or head in self._verbs.pivots
            or head in self._verbs.copulas
            or head in self._verbs.existential
        ):
            return False
        if second[0] in _MORE or second in self._verbs.auxiliaries:
            return False
        if (
            second in self._verbs.causing
            or head in self._verbs.naming
            or second in self._verbs.copulas
            or second in self._verbs.attributive
        ):
            return False
        return not (at + 1 < len(words) and words[at + 1].text == "的") and len(head) + len(second) <= 4

    def _particle(self, words: Sequence[Word], i: int, chunks: list[Chunk]) -> None:
        word = words[i]
        of = (
            word.text == "之"
            and bool(chunks)
            and chunks[-1].sort is Sort.NOUN
            and i + 1 < len(words)
            and words[i + 1].tag in NOMINAL
        )
        if word.text == "的" or of:
            chunks.append(_plain(Sort.OF, word))
        elif word.text in ("等", "等等"):
            chunks.append(_plain(Sort.AND_SO_ON, word))
        elif word.text == "地":
            if chunks and chunks[-1].sort in (Sort.ADJECTIVE, Sort.OTHER, Sort.NOUN, Sort.VERB):
                chunks[-1] = chunks[-1]._replace(sort=Sort.ADVERB, nouns=(), verb=None)
        elif word.text == "所":
            if len(chunks) > 1 and chunks[-1].sort is Sort.NOUN and chunks[-2].text == "为":
                chunks[-2] = chunks[-2]._replace(sort=Sort.PREPOSITION, text="被", verb=None)  # 为 岳飞 所 败
        elif word.text not in self._function.particles:
            chunks.append(_plain(Sort.OTHER, word))

    def _localizer(self, word: Word, chunks: list[Chunk]) -> None:
        last = chunks[-1] if chunks else None
        timed = last is not None and (
            (last.sort is Sort.VERB and word.text in self._function.when_words)  # 退休 前
            or (last.sort is Sort.NOUN and word.text in _WHEN)  # 地震 时
        )
        if last is not None and (timed or last.sort is Sort.TIME):
            chunks[-1] = Chunk(Sort.TIME, last.text + word.text, last.start, word.end)
        else:
            chunks.append(_plain(Sort.OTHER, word))


def _parts_clauses(chunks: Sequence[Chunk], index: int) -> bool:
    """赵大 本名 赵安、赵二 本名 赵平: whether the same verb stands on both sides."""
    around = chunks[max(0, index - 3) : index], chunks[index + 1 : index + 4]
    sorts = [[chunk.sort for chunk in side] for side in around]
    if sorts[0] != [Sort.NOUN, Sort.VERB, Sort.NOUN] or sorts[1][:2] != [Sort.NOUN, Sort.VERB]:
        return False
    return around[0][1].text == around[1][1].text


def _plain(sort: Sort, word: Word) -> Chunk:
    return Chunk(sort, word.text, word.start, word.end)
