"""What must not be cut apart, found before the tagger runs, and small repairs of its words afterwards.

Titles in 《》, short names in quotation marks, terms of the lexicon, and stretches of Latin letters are one word each. Where two would
overlap the first of that order wins, then the longer. The repairs undo habits of LAC that recur: a pronoun glued to a verb (看我),
a determiner glued to 的 (的那本), 其 glued to its noun (其父).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lpmm_core.base.records import Kind, Lexicon, Mention
from lpmm_core.extract.chinese_lists import Vocabulary
from lpmm_core.extract.chinese_words import Span, Word

TITLE = re.compile(r"《([^《》\n]{1,40})》|〈([^〈〉\n]{1,40})〉")
QUOTED = re.compile(
    r"“([^“”\n]{2,14})”|「([^「」\n]{2,14})」|『([^『』\n]{2,14})』|\"([^\"\n]{2,14})\"|‘([^‘’\n]{2,14})’"
)
_LATIN = re.compile(r"(?<![0-9.])[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ0-9'&+#.\-]*(?:[ ·][A-Za-zÀ-ɏ0-9][A-Za-zÀ-ɏ0-9'&+#.\-]*){0,5}")
_FOREIGN_NAME = re.compile(r"(?<![·•‧])[\u4e00-\u9fff]{1,5}(?:[·•‧][\u4e00-\u9fff]{1,6}){1,4}")
_QUOTED_PART = re.compile(
    r"[”」』\"’](?:号|级|计划|行动|项目|工程|系列|活动|战略|奖|杯|节|大赛|运动|政策|品牌|事件|小组|论坛)"
)
_PUNCTUATION = re.compile(r"[，。！？；：、…—,.!?;:\s]")
_SENTENCE_END = frozenset("吗呢吧啊呀了哦嘛啦哇哈")
_SPEECH_BEFORE = re.compile(r"(?:[：:，]|说|道|问|喊|答|叫|句|声)$")
_GLUED = frozenset("不可会能已曾将也都又未")
_WHOLE_VERBS = frozenset(
    "不是 不在 不如 不断 不得 不用 不会 不能 可以 可能 可爱 可见 会见 会谈 会合 能够 将要 都是 也是 已经 不行 不过 不比 不够 不见 不等 不同 不入 不出 不变".split()
) - {"不在"}
_LIVING = frozenset(("工作", "学习", "生活", "上班", "实习", "任教", "执教", "就读", "居住", "演出", "比赛", "训练"))
_PEOPLE = frozenset(("下属", "上司", "同事", "对象", "领导", "主编", "编剧", "导演", "主持"))
_IN_EVENT_NAMES = frozenset(("n", "nz", "vn", "v", "a", "an", "ad", "LOC", "ORG", "c"))
_MARKS_AROUND = frozenset('《》〈〉“”「」『』"‘’')
_PERSONAL = frozenset("我你他她它您咱")


@dataclass(frozen=True, slots=True)
class TermFinder:
    """Finds the terms of a lexicon, the longest that starts at a place first."""

    pattern: re.Pattern[str] | None
    kinds: dict[str, Kind]

    @classmethod
    def of(cls, terms: Iterable[tuple[str, Kind]]) -> TermFinder:
        kinds = {term: kind for term, kind in terms if len(term) > 1}
        longest_first = sorted(kinds, key=lambda term: (-len(term), term))
        pattern = re.compile("|".join(map(re.escape, longest_first))) if kinds else None
        return cls(pattern, kinds)

    def find(self, text: str) -> Iterator[Span]:
        if self.pattern is not None:
            for match in self.pattern.finditer(text):
                yield Span(match.start(), match.end(), self.kinds[match[0]])


def lexicon_terms(lexicon: Lexicon, vocabulary: Vocabulary) -> TermFinder:
    """The document's terms together with the curated ones; the document's kind wins."""
    return TermFinder.of([*vocabulary.terms, *lexicon.terms])


def forced_spans(
    text: str, terms: TermFinder, vocabulary: Vocabulary, known: Sequence[Mention], offset: int
) -> list[Span]:
    """Return the stretches of a sentence that are one word each, in order; `known` holds what patterns found in the passage."""
    taken = bytearray(len(text))
    spans: list[Span] = []

    def keep(span: Span) -> None:
        if span.start < span.end and not any(taken[span.start : span.end]):
            taken[span.start : span.end] = b"\x01" * (span.end - span.start)
            spans.append(span)

    for match in TITLE.finditer(text):
        keep(Span(*match.span(match.lastindex or 0), Kind.WORK))
    for mention in known:
        start, end = mention.start - offset, mention.end - offset
        if 0 <= start and end <= len(text):
            keep(Span(start, end, mention.kind))
    for span in terms.find(text):
        keep(span)
    for match in QUOTED.finditer(text):
        if _is_quoted_name(text, match, vocabulary):
            start, end = match.span(match.lastindex or 0)
            if more := _QUOTED_PART.match(text, end):  # “悟空”号
                start, end = match.start(), more.end()
            keep(Span(start, end, vocabulary.names.kind_by_ending(text[start:end]) or Kind.THING))
    for match in _LATIN.finditer(text):
        keep(Span(match.start(), match.start() + len(match[0].rstrip("'.-")), Kind.THING))
    return sorted(spans)


def _is_quoted_name(text: str, match: re.Match[str], vocabulary: Vocabulary) -> bool:
    inner = match[match.lastindex or 0]
    if _PUNCTUATION.search(inner) or inner[-1] in _SENTENCE_END or not _PERSONAL.isdisjoint(inner):
        return False
    return not _SPEECH_BEFORE.search(text[: match.start()])


def mended(words: Sequence[Word], vocabulary: Vocabulary) -> list[Word]:
    """Return the words with LAC's recurrent slips undone, and without the marks around forced words."""
    words = [word for index, word in enumerate(words) if word.text not in _MARKS_AROUND or not _encloses(words, index)]
    words = [
        word._replace(tag="v") if word.text in _LIVING and _is_predicate(words, index) else word
        for index, word in enumerate(words)
    ]
    words = _with_event_names_joined(_with_fragments_joined(words), vocabulary)
    out: list[Word] = []
    for index, word in enumerate(words):
        text, tag, start, end, kind = word
        if kind is not None:
            out.append(word)
        elif text == "的":
            out.append(word._replace(tag="u"))
        elif len(text) > 1 and text[0] == "的":
            out += [
                Word("的", "u", start, start + 1),
                Word(text[1:], "r" if text[1] in "这那每各" else "n", start + 1, end),
            ]
        elif len(text) > 1 and tag in ("v", "p") and text[-1] in _PERSONAL:
            out += [Word(text[:-1], "v", start, end - 1), Word(text[-1], "r", end - 1, end)]
        elif (
            tag == "r"
            and len(text) == 2
            and text[0] in "其该"
            and text not in vocabulary.function.pronouns - {"其父", "该校"}
        ):
            out += [Word(text[0], "r", start, start + 1), Word(text[1], "n", start + 1, end)]
        elif tag in ("c", "d") and text in (
            "而是",
            "就是",
            "便是",
            "也是",
            "都是",
            "还是",
            "正是",
            "即是",
            "并不是",
            "不是",
        ):
            out.append(Word(text, "v", start, end))
        elif text in vocabulary.verbs.naming and tag in ("n", "a", "d") and _names_next(words, index):
            out.append(word._replace(tag="v"))
        elif text in ("是", "叫", "姓", "有") and tag != "v":
            out.append(word._replace(tag="v"))
        elif (
            tag == "v"
            and len(text) == 2
            and text[0] in _GLUED
            and text[1] in vocabulary.verbs.single
            and text not in _WHOLE_VERBS
        ):
            out += [Word(text[0], "d", start, start + 1), Word(text[1], "v", start + 1, end)]
        elif tag == "v" and len(text) == 3 and _is_verb_and_object(text, vocabulary):
            out += [Word(text[0], "v", start, start + 1), Word(text[1:], "n", start + 1, end)]
        elif (
            tag == "v" and text not in vocabulary.verbs.pivots and text in _PEOPLE and out and out[-1].tag in ("r", "u")
        ):
            out.append(word._replace(tag="n"))
        elif tag == "xc" and text in ("了", "着", "过"):
            out.append(word._replace(tag="u"))
        else:
            out.append(word)
    return out


def _with_fragments_joined(words: Sequence[Word]) -> list[Word]:
    """Join what only an unknown name falls apart into: 住在 往 世乐土 (two prepositions), 逐 火 之 蛾 (single characters around 之)."""
    out: list[Word] = []
    index = 0
    while index < len(words):
        word = words[index]
        after_place = bool(out) and out[-1].tag in ("v", "p") and out[-1].text[-1] in "在于到"
        following = words[index + 1] if index + 1 < len(words) else None
        if (
            word.tag == "p"
            and len(word.text) == 1
            and after_place
            and following is not None
            and following.tag in ("nz", "n", "PER", "LOC")
        ):
            out.append(
                Word(word.text + following.text, "LOC" if following.tag != "n" else "nz", word.start, following.end)
            )
            index += 2
            continue
        if (
            word.text == "之"
            and following is not None
            and len(following.text) == 1
            and following.tag in ("n", "nz", "vn", "a", "v")
        ):
            first = len(out)
            while first > 0 and len(out) - first < 3 and _is_fragment(out[first - 1]):
                first -= 1
            if len(out) - first >= 2:
                parts = [*out[first:], word, following]
                del out[first:]
                out.append(Word("".join(part.text for part in parts), "nz", parts[0].start, following.end))
                index += 2
                continue
        out.append(word)
        index += 1
    return out


def _is_predicate(words: Sequence[Word], index: int) -> bool:
    """在 一家 公司 工作: the last noun of a clause that began with 在 is its verb."""
    if index == 0 or words[index - 1].tag not in ("n", "nz", "LOC", "ORG", "f", "s", "nw", "m", "TIME"):
        return False
    if index + 1 < len(words) and words[index + 1].tag != "w" and words[index + 1].text not in ("了", "过", "着", "的"):
        return False
    for word in reversed(words[:index]):
        if word.tag == "w" or word.text == "是":
            return False
        if word.text == "在" or word.text == "于":
            return True
    return False


def _with_event_names_joined(words: list[Word], vocabulary: Vocabulary) -> list[Word]:
    """Join what owns an attribute at the head of a clause though it holds a verb: 粤菜 烹饪 精英 汇 的 地点 是 …."""
    for index, word in enumerate(words):
        if word.text != "的" or index + 2 >= len(words) or words[index + 1].text not in vocabulary.nouns.attributes:
            continue
        if words[index + 2].text not in ("是", "为", "叫", "在", "有"):
            continue
        first = index
        while first > 0 and words[first - 1].tag in _IN_EVENT_NAMES and words[first - 1].kind is None:
            first -= 1
        name = words[first:index]
        clause_starts = first == 0 or words[first - 1].tag == "w"
        if clause_starts and len(name) > 1 and any(w.tag == "v" for w in name) and _is_event_name(name):
            joined = Word("".join(w.text for w in name), "nz", name[0].start, name[-1].end)
            return [*words[:first], joined, *words[index:]]
    return words


def _is_event_name(name: Sequence[Word]) -> bool:
    last = name[-1]
    if name[0].tag in ("PER", "v") or sum(len(w.text) for w in name) > 20 or (last.tag == "v" and len(last.text) > 1):
        return False
    return not any(w.tag == "v" and w.text in ("是", "有", "在", "喜欢", "住在", "来自", "位于") for w in name)


def _is_fragment(word: Word) -> bool:
    return len(word.text) == 1 and word.tag in ("n", "nz", "a", "v", "vn") and word.text not in "是有在叫为说去来到"


def _encloses(words: Sequence[Word], index: int) -> bool:
    return (index > 0 and words[index - 1].kind is not None) or (
        index + 1 < len(words) and words[index + 1].kind is not None
    )


def _is_verb_and_object(text: str, vocabulary: Vocabulary) -> bool:
    """包饺子, 看电影: one word to LAC, a verb and its object to a reader."""
    if (
        text[0] not in vocabulary.verbs.single
        or text[1] in "不得一了个起出进过上下回开"
        or text[2] in "于为到在给成出自作向入化起来去上下得着过性"
    ):
        return False
    return (
        text[1:] not in vocabulary.verbs.directional
        and text not in vocabulary.verbs.naming
        and text not in vocabulary.verbs.becoming
    )


def _names_next(words: Sequence[Word], index: int) -> bool:
    """Whether the noun at `index` (原名, 又称) stands before a name, not before 是 or 的."""
    if index + 1 >= len(words) or (index > 0 and words[index - 1].text == "的"):
        return False
    following = words[index + 1]
    return following.tag in ("n", "nz", "PER", "LOC", "ORG", "nw")
