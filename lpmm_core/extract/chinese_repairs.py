"""Small repairs of the tagger's words.

They undo slips of LAC that recur: a pronoun glued to a verb (看我), a determiner glued to 的 (的那本), 其 glued to its noun (其父), a verb
glued to its object (包饺子); and they join what only an unknown name falls apart into (逐 火 之 蛾).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lpmm_core.extract.chinese_lists import Vocabulary
from lpmm_core.extract.chinese_words import Word

_ALWAYS_VERBS = frozenset(("是", "叫", "姓", "有"))
_NAME_DOTS = frozenset("·•‧")
_IN_FOREIGN_NAMES = frozenset(("PER", "nz", "LOC", "n"))
_NOT_IN_NAMES = frozenset(("的", "了", "是", "和", "与", "及", "、", "而", "并", "也"))
_MARKS_AROUND = frozenset('《》〈〉“”「」『』"‘’')
_PERSONAL = frozenset("我你他她它您咱")
_COUNTED = re.compile(
    r"[一二两三四五六七八九十百千几数0-9]+[座个位名只条件家所本部张辆匹间棵首支枚台艘架项种款颗幅套群对双批]"
)
_COUNTING = re.compile(r"[一两几][封把只条座个间件张部本位名棵匹]|[三四五六七八九十]座")
_GLUED = frozenset("不可会能已曾将也都又未")
_PEOPLE = frozenset(("下属", "上司", "同事", "对象", "领导", "主编", "编剧", "导演", "主持"))
_IN_EVENT_NAMES = frozenset(("n", "nz", "vn", "v", "a", "an", "ad", "LOC", "ORG", "c"))


def mended(words: Sequence[Word], vocabulary: Vocabulary) -> list[Word]:
    """Return the words with LAC's recurrent slips undone, and without the marks around forced words."""
    words = [word for index, word in enumerate(words) if word.text not in _MARKS_AROUND or not _encloses(words, index)]
    words = [
        word._replace(tag="v") if word.text in vocabulary.verbs.living and _is_predicate(words, index) else word
        for index, word in enumerate(words)
    ]
    words = _with_new_names_whole(_with_foreign_names_joined(words), vocabulary)
    words = _with_event_names_joined(_with_fragments_joined(words), vocabulary)
    out: list[Word] = []
    for index, word in enumerate(words):
        text, tag, start, end, kind = word
        if kind is not None:
            out.append(word)
        elif tag in ("nw", "nz") and text in ("与", "和", "及", "以及", "或"):
            out.append(word._replace(tag="c"))
        elif tag in ("n", "a", "ad") and len(text) > 1 and _COUNTED.fullmatch(text):
            out.append(word._replace(tag="m"))
        elif tag in ("n", "LOC") and len(text) > 2 and (counted := _COUNTING.match(text)) and len(text) > counted.end():
            middle = start + counted.end()  # 一封信, 三座公园
            out += [Word(counted[0], "m", start, middle), Word(text[counted.end() :], "n", middle, end)]
        elif tag == "n" and text in ("长期", "短期", "大力", "全力", "连夜", "当场", "终生", "毕生"):
            out.append(word._replace(tag="d"))
        elif text == "的":
            out.append(word._replace(tag="u"))
        elif len(text) > 2 and text[0] in _PERSONAL and text[1] == "的":
            rest = Word(text[2:], "n", start + 2, end)
            out += [Word(text[0], "r", start, start + 1), Word("的", "u", start + 1, start + 2), rest]
        elif text == "家" and out and out[-1].tag == "r" and out[-1].text in _PERSONAL and _verb_next(words, index):
            continue  # 我 家 住在 …: I live
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
        elif text in _ALWAYS_VERBS or (
            text in vocabulary.verbs.naming and tag in ("n", "a", "d") and _names_next(words, index)
        ):
            out.append(word._replace(tag="v"))
        elif (
            tag == "v"
            and len(text) == 2
            and text[0] in _GLUED
            and text[1] in vocabulary.verbs.single
            and text not in vocabulary.verbs.whole
        ):
            out += [Word(text[0], "d", start, start + 1), Word(text[1], "v", start + 1, end)]
        elif (
            tag == "v"
            and len(text) == 3
            and text[0] in "很最真更挺太也还都"
            and text[1:] not in vocabulary.verbs.directional
        ):
            out += [Word(text[0], "d", start, start + 1), Word(text[1:], "v", start + 1, end)]
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
        while (
            first > 0
            and (words[first - 1].tag in _IN_EVENT_NAMES or words[first - 1].text == "之")
            and words[first - 1].kind is None
        ):
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


def _verb_next(words: Sequence[Word], index: int) -> bool:
    return index + 1 < len(words) and words[index + 1].tag in ("v", "p")


def _names_next(words: Sequence[Word], index: int) -> bool:
    """Whether the noun at `index` (原名, 又称) stands before a name, not before 是 or 的."""
    if index + 1 >= len(words) or (index > 0 and words[index - 1].text == "的"):
        return False
    following = words[index + 1]
    return following.tag in ("n", "nz", "PER", "LOC", "ORG", "nw")
