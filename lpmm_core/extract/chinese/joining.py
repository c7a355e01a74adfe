"""Names that the tagger cut into pieces, put together again.

What stands around the dot of a foreign name (达 · 芬奇), what follows a verb of naming up to the next mark (又称 抗坏血酸), what only an
unknown name falls apart into (住在 往 世乐土, 逐 火 之 蛾), and what owns an attribute though it holds a verb (粤菜 烹饪 精英 汇 的 地点).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lpmm_core.extract.chinese.lists import Vocabulary
from lpmm_core.extract.chinese.words import Word

_NAME_DOTS = frozenset("·•‧")
_IN_FOREIGN_NAMES = frozenset(("PER", "nz", "LOC", "n"))
_DYNASTIES = frozenset(
    (
        "周",
        "秦",
        "汉",
        "西汉",
        "东汉",
        "三国",
        "晋",
        "西晋",
        "东晋",
        "北魏",
        "北齐",
        "隋",
        "唐",
        "后唐",
        "宋",
        "北宋",
        "南宋",
        "元",
        "明",
        "清",
    )
)
_YEAR = re.compile("(?:[0-9]{1,2}|元|[一二三四五六七八九十]{1,3})年")
_OFFICES = frozenset("局所院厅署部处社厂馆站会队")
_NOT_IN_NAMES = frozenset(("的", "了", "是", "和", "与", "及", "、", "而", "并", "也"))
_IN_EVENT_NAMES = frozenset(("n", "nz", "vn", "v", "a", "an", "ad", "LOC", "ORG", "c"))


def with_names_joined(words: Sequence[Word], vocabulary: Vocabulary) -> list[Word]:
    """Return the words with the pieces of one name made one word."""
    whole = _with_new_names_whole(_with_foreign_names_joined(words), vocabulary)
    whole = _with_trades_and_offices_joined(whole, vocabulary)
    return _with_event_names_joined(_with_fragments_joined(whole), vocabulary)


def _with_foreign_names_joined(words: Sequence[Word]) -> list[Word]:
    """达 · 芬奇, 吉多· 范罗苏姆: what stands around the dot of a foreign name is one name."""
    out: list[Word] = []
    for word in words:
        before = out[-1] if out else None
        dotted = (
            before is not None and before.end == word.start and before.text[-1] in _NAME_DOTS and len(before.text) > 1
        )
        if dotted and before is not None and word.tag in _IN_FOREIGN_NAMES and len(word.text) < 9:
            out[-1] = Word(before.text + word.text, "PER", before.start, word.end)
        elif before is not None and word.text in _NAME_DOTS and before.tag in _IN_FOREIGN_NAMES and before.kind is None:
            out[-1] = Word(before.text + word.text, before.tag, before.start, word.end)
        else:
            out.append(word)
    return [_without_dot(word) for word in out]


def _without_dot(word: Word) -> Word:
    if len(word.text) > 1 and word.text[-1] in _NAME_DOTS and word.kind is None:
        return word._replace(text=word.text[:-1], end=word.end - 1)
    return word


def _with_new_names_whole(words: Sequence[Word], vocabulary: Vocabulary) -> list[Word]:
    """又称 抗坏血酸: what follows a verb of naming up to the next mark is a name, whatever its pieces look like."""
    out: list[Word] = []
    index = 0
    while index < len(words):
        word = words[index]
        out.append(word)
        index += 1
        called = (len(word.text) > 1 and word.text in vocabulary.verbs.naming) or (
            word.text == "称" and len(out) > 1 and out[-2].text in "又亦也别俗"
        )
        if not called or (word.tag not in ("v", "n", "d", "a")):
            continue
        end = index
        while (
            end < len(words)
            and words[end].tag != "w"
            and words[end].kind is None
            and words[end].text not in _NOT_IN_NAMES
        ):
            end += 1
        name = words[index:end]
        closed = end == len(words) or words[end].tag == "w"
        if (
            closed
            and name
            and any(w.tag in ("v", "a", "d", "m", "p") for w in name)
            and 1 < sum(len(w.text) for w in name) < 9
        ):
            out.append(Word("".join(w.text for w in name), "nz", name[0].start, name[-1].end))
            index = end
    return out


def _with_trades_and_offices_joined(words: Sequence[Word], vocabulary: Vocabulary) -> list[Word]:
    """守 | 塔人 before a name, 浮砚湖 | 量 | 水局, 灰雁 | 号, 明 | 万历三年: pieces that only a longer word can hold."""
    out: list[Word] = []
    for index, word in enumerate(words):
        before = out[-1] if out else None
        beside = before is not None and before.end == word.start and before.kind is None and word.kind is None
        following = words[index + 1] if index + 1 < len(words) else None
        if before is None or not beside:
            out.append(word)
        elif before.text in ("更", "改") and word.tag == "v" and word.text.startswith("名"):  # 更 | 名为
            out[-1] = Word(before.text + word.text, "v", before.start, word.end)
        elif word.tag == "TIME" and (before.text in _DYNASTIES or _names_an_era(out, word)):  # 明 | 万历三年
            out[-1] = Word(before.text + word.text, "TIME", before.start, word.end)
        elif word.text == "号" and before.tag == "nz":
            out[-1] = Word(before.text + word.text, "nz", before.start, word.end)
        elif word.tag == "n" and len(word.text) == 2 and before.tag == "v" and len(before.text) == 1:
            joined = Word(before.text + word.text, "n", before.start, word.end)
            owner = out[-2] if len(out) > 1 and out[-2].end == before.start else None
            stranger = not vocabulary.nouns.is_person(word.text) and word.text[-1] in vocabulary.nouns.person_endings
            if stranger and following is not None and (following.tag == "PER" or following.text == "是"):
                out[-1] = joined
            elif owner is not None and owner.tag == "LOC" and word.text[-1] in _OFFICES:
                out[-2:] = [Word(owner.text + joined.text, "ORG", owner.start, word.end)]
            else:
                out.append(word)
        else:
            out.append(word)
    return out


def _names_an_era(words: Sequence[Word], year: Word) -> bool:
    """在 | 天文 | 15年: whether the last of the words may be the name of an era, two characters behind 在 or 于."""
    if len(words) < 2 or len(words[-1].text) != 2 or words[-1].tag not in ("n", "nz", "PER"):
        return False
    return words[-2].text.endswith(("在", "于")) and _YEAR.fullmatch(year.text) is not None


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


def _with_event_names_joined(words: list[Word], vocabulary: Vocabulary) -> list[Word]:
    """Join what owns an attribute at the head of a clause though it holds a verb: 粤菜 烹饪 精英 汇 的 地点 是 …."""
    for index, word in enumerate(words):
        if word.text != "的" or index + 2 >= len(words) or words[index + 1].text not in vocabulary.nouns.attributes:
            continue
        if words[index + 2].text not in ("是", "为", "叫", "在", "有"):
            continue
        first = index
        while (
            first > 0
            and (words[first - 1].tag in _IN_EVENT_NAMES or words[first - 1].text == "之")
            and words[first - 1].kind is None
        ):
            first -= 1
        name = words[first:index]
        clause_starts = first == 0 or words[first - 1].tag == "w"
        known = vocabulary.verbs.known
        if clause_starts and len(name) > 1 and any(w.tag == "v" for w in name) and _is_event_name(name, known):
            joined = Word("".join(w.text for w in name), "nz", name[0].start, name[-1].end)
            return [*words[:first], joined, *words[index:]]
    return words


def _is_event_name(name: Sequence[Word], known: frozenset[str]) -> bool:
    last = name[-1]
    opens_with_verb = name[0].tag == "v" and (len(name[0].text) < 3 or name[0].text in known)
    if (
        name[0].tag == "PER"
        or opens_with_verb
        or sum(len(w.text) for w in name) > 20
        or (last.tag == "v" and len(last.text) > 1)
    ):
        return False
    return not any(w.tag == "v" and w.text in ("是", "有", "在", "喜欢", "住在", "来自", "位于") for w in name)


def _is_fragment(word: Word) -> bool:
    return len(word.text) == 1 and word.tag in ("n", "nz", "a", "v", "vn") and word.text not in "是有在叫为说去来到"
