"""Small repairs of the tagger's words.

They undo slips of LAC that recur: a pronoun glued to a verb (看我), a determiner glued to 的 (的那本), 其 glued to its noun (其父), a
verb glued to its object (包饺子), a surname cut from its given name (栾见 | 微生于), a word tagged as what it cannot be here (我 的 领导).
Each rule looks at one word among its neighbours and returns what shall stand there instead, or None when it has nothing to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from lpmm_core.extract.chinese.joining import with_names_joined
from lpmm_core.extract.chinese.lists import Vocabulary
from lpmm_core.extract.chinese.words import Word

_Rule = Callable[[Sequence[Word], int, list[Word]], list[Word] | None]

_ALWAYS_VERBS = frozenset(("是", "叫", "姓", "有"))
_MARKS_AROUND = frozenset('《》〈〉“”「」『』"‘’')
_PERSONAL = frozenset("我你他她它您咱")
_COUNTED = re.compile(
    r"[一二两三四五六七八九十百千几数0-9]+[座个位名只条件家所本部张辆匹间棵首支枚台艘架项种款颗幅套群对双批]"
)
_COUNTING = re.compile(r"[一两几][封把只条座个间件张部本位名棵匹盏]|[三四五六七八九十]座")
_GLUED_ADVERBS = frozenset("不可会能已曾将也都又未")
_DEGREES = frozenset("很最真更挺太也还都")
_PEOPLE = frozenset(("下属", "上司", "同事", "对象", "领导", "主编", "编剧", "导演", "主持"))
_COPULAR = frozenset(("而是", "就是", "便是", "也是", "都是", "还是", "正是", "即是", "并不是", "不是"))
_NUMBERED = frozenset(("区", "中学", "小学", "医院", "人民医院", "高级中学", "军", "师", "团", "机械厂"))
_SURNAMES_AND_WORDS = frozenset(
    "师家时路麦米鱼雨山海花龙车马牛羊金白黄安人年区乡成边相费计利文明水包印店项干应通广巴东强查关步字单"
)
_RESULTS = frozenset("于为到在给成出自作向入化起来去上下得着过性")
_SYMBOLS = re.compile("([\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d]+)")
_COURTESY = frozenset("字号")
_SEEMING = frozenset(("看来", "看起来", "听起来", "看样子", "想来", "说来"))
_DYNASTY = re.compile(r"[早中晚初盛末][唐宋元明清汉]|[唐宋元明清]末|[明清]初|.{1,4}(?:年间|初年|末年|中叶)")
_CLOSED = ("了", "过", "着", "的")


class Mender:
    """Undoes LAC's recurrent slips."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._verbs = vocabulary.verbs
        self._function = vocabulary.function
        self._names = vocabulary.names
        self._vocabulary = vocabulary
        self._rules: tuple[_Rule, ...] = (
            self._without_symbols,
            self._courtesy_name,
            self._retagged,
            self._counted,
            self._of,
            self._pronoun,
            self._verb,
            self._person,
        )

    def mended(self, words: Sequence[Word]) -> list[Word]:
        """Return the words with the slips undone, and without the marks around forced words."""
        words = [
            word for index, word in enumerate(words) if word.text not in _MARKS_AROUND or not _encloses(words, index)
        ]
        words = [
            word._replace(tag="v") if word.text in self._verbs.living and _is_predicate(words, index) else word
            for index, word in enumerate(words)
        ]
        words = self._with_borders_moved(with_names_joined(words, self._vocabulary))
        out: list[Word] = []
        for index, word in enumerate(words):
            if word.text == "家" and out and out[-1].text in _PERSONAL and _verb_next(words, index):
                continue  # 我 家 住在 …: I live
            out += self._instead(words, index, out)
        return out

    def _instead(self, words: Sequence[Word], index: int, before: list[Word]) -> list[Word]:
        if words[index].kind is None:
            for rule in self._rules:
                instead = rule(words, index, before)
                if instead is not None:
                    return instead
        return [words[index]]

    def _with_borders_moved(self, words: Sequence[Word]) -> list[Word]:
        """栾见 | 微生于, 学 | 习程 | 派: a name's border is wrong where one character further both sides are words."""
        out: list[Word] = []
        for index, word in enumerate(words):
            before = out[-1] if out else None
            if before is not None and self._took_the_verb(before, words, index):
                verb = before.text[-1] + word.text
                out[-1] = before._replace(text=before.text[:-1], end=before.end - 1)
                out.append(Word(verb, "v", word.start - 1, word.end))
            elif before is not None and self._begins_with_its_preposition(word, before):
                out[-1] = before._replace(text=before.text + word.text[0], end=before.end + 1)
                rest = "nz" if word.tag == "PER" else word.tag
                out.append(word._replace(text=word.text[1:], start=word.start + 1, tag=rest))
            elif before is None or before.end != word.start or before.kind is not None or word.kind is not None:
                out.append(word)
            elif before.tag == "PER" and self._lacks_given_name(before.text) and self._opens_with_stranger(word.text):
                first, rest = word.text[0], word.text[1:]
                out[-1] = before._replace(text=before.text + first, end=before.end + 1)
                out.append(Word(rest, "v", word.start + 1, word.end))
            elif word.tag == "PER" and len(before.text) == 1 and before.text + word.text[0] in self._verbs.known:
                out[-1] = Word(before.text + word.text[0], "v", before.start, before.end + 1)
                out.append(Word(word.text[1:], "nz", word.start + 1, word.end))
            else:
                out.append(word)
        return out

    def _took_the_verb(self, name: Word, words: Sequence[Word], index: int) -> bool:
        """林夏生 | 于 杭州, where no other verb follows."""
        word = words[index]
        if name.tag != "PER" or name.kind is not None or word.tag != "p" or len(name.text) != 3:
            return False
        if name.text[0] not in self._names.surnames or name.text[-1] + word.text not in self._verbs.known:
            return False
        end = next((i for i in range(index, len(words)) if words[i].tag == "w"), len(words))
        return all(following.tag not in ("v", "vn") for following in words[index:end])

    def _begins_with_its_preposition(self, word: Word, verb: Word) -> bool:
        """发生 | 于天正, 更名 | 为南山学院: no name begins so behind a verb that wants 于 or 为."""
        named = word.tag in ("PER", "ORG", "LOC", "nz") and word.kind is None and len(word.text) > 2
        if not named or word.text[0] not in "于为" or verb.tag not in ("v", "vn") or verb.end != word.start:
            return False
        joined = verb.text + word.text[0]
        return joined in self._verbs.known or verb.text in self._verbs.dating

    def _lacks_given_name(self, name: str) -> bool:
        return len(name) == 2 and name[0] in self._names.surnames

    def _opens_with_stranger(self, text: str) -> bool:
        return len(text) > 2 and text[1:] in self._verbs.known and text not in self._verbs.known

    # --- the rules ------------------------------------------------------------------------------------------------------------

    def _without_symbols(self, words: Sequence[Word], index: int, before: list[Word]) -> list[Word] | None:
        """猫😀: a picture is no part of a name."""
        text, tag, start, _, _ = words[index]
        parts = [part for part in _SYMBOLS.split(text) if part]
        if len(parts) < 2 and not _SYMBOLS.search(text):
            return None
        out: list[Word] = []
        place = 0
        for part in parts:
            place = text.index(part, place)
            sort = "w" if _SYMBOLS.fullmatch(part) else "n" if tag in ("PER", "nz", "nw", "w") else tag
            out.append(Word(part, sort, start + place, start + place + len(part)))
            place += len(part)
        return out

    def _courtesy_name(self, words: Sequence[Word], index: int, before: list[Word]) -> list[Word] | None:
        """，字 君实，号竹懒: what a scholar was called besides."""
        text, tag, start, end, _ = words[index]
        if text[0] not in _COURTESY or not before or before[-1].tag != "w" or index + 1 >= len(words):
            return None
        if 3 <= len(text) <= 4 and tag in ("n", "nz", "PER"):
            return [Word(text[0], "v", start, start + 1), Word(text[1:], "PER", start + 1, end)]
        closed = index + 2 >= len(words) or words[index + 2].tag in ("w", "c")
        if len(text) == 1 and closed and 2 <= len(words[index + 1].text) <= 4:
            return [words[index]._replace(tag="v")]
        return None

    def _retagged(self, words: Sequence[Word], index: int, before: list[Word]) -> list[Word] | None:
        """Words that are always one thing, whatever the tagger says of them here."""
        word = words[index]
        text, tag = word.text, word.tag
        if tag in ("nw", "nz") and text in ("与", "和", "及", "以及", "或"):
            return [word._replace(tag="c")]
        if tag in ("n", "s") and text in self._function.adverbial_nouns and _verb_next(words, index):
            return [word._replace(tag="d")]
        if tag in ("v", "n", "nz") and _DYNASTY.fullmatch(text):
            return [word._replace(tag="TIME")]
        if tag == "v" and text in self._function.plain_adjectives and _stands_before_office(words, index):
            return [word._replace(tag="a")]  # 现任 市长 郑国强
        if tag in ("n", "nz", "a") and self._is_familiar(text):
            return [word._replace(tag="PER")]  # 老周
        if text in _PERSONAL and tag != "r":
            return [word._replace(tag="r")]
        timed = index + 1 < len(words) and words[index + 1].tag == "TIME"
        if tag == "v" and timed and text in self._function.setting_prepositions:
            return [word._replace(tag="p")]  # 直到 1903年 去世
        if tag == "v" and text in _SEEMING:
            return [word._replace(tag="d")]
        if tag == "xc" and text in ("了", "着", "过"):
            return [word._replace(tag="u")]
        if tag in ("c", "d") and text in _COPULAR:
            return [word._replace(tag="v")]
        if text in _ALWAYS_VERBS:
            return [word._replace(tag="v")]
        if before and before[-1].tag == "v" and before[-1].text in _COURTESY and tag in ("a", "n", "v", "d"):
            return [word._replace(tag="PER")]
        if (
            text in self._verbs.naming
            and text not in _COURTESY
            and tag in ("n", "a", "d")
            and _names_next(words, index)
        ):
            return [word._replace(tag="v")]
        if text in self._verbs.personal and tag in ("n", "vn", "nz") and _opens_predicate(words, index):
            return [word._replace(tag="v")]  # ，司职 中锋; 他 师从 齐白石
        return None

    def _is_familiar(self, text: str) -> bool:
        familiar = len(text) == 2 and text[0] in "老小阿" and text[1] in self._names.surnames
        return familiar and text[1] not in _SURNAMES_AND_WORDS

    def _counted(self, words: Sequence[Word], index: int, before: list[Word]) -> list[Word] | None:
        """一封信, 三座公园: a number glued to what it counts."""
        text, tag, start, end, _ = words[index]
        number = before[-1] if before else None
        numbered = number is not None and number.tag == "m" and number.text[0] == "第" and number.end == start
        if number is not None and numbered and text in _NUMBERED:  # 第五 区, 第二 中学
            del before[-1]
            return [Word(number.text + text, "ORG" if text != "区" else "LOC", number.start, end)]
        if tag in ("n", "a", "ad") and len(text) > 1 and _COUNTED.fullmatch(text):
            return [words[index]._replace(tag="m")]
        counted = _COUNTING.match(text) if tag in ("n", "LOC") and len(text) > 2 else None
        if counted is None or len(text) == counted.end():
            return None
        middle = start + counted.end()
        return [Word(counted[0], "m", start, middle), Word(text[counted.end() :], "n", middle, end)]

    def _of(self, words: Sequence[Word], index: int, before: list[Word]) -> list[Word] | None:
        """的, 我的书, 的那本."""
        text, _, start, end, _ = words[index]
        if text == "的":
            return [words[index]._replace(tag="u")]
        if len(text) > 2 and text[0] in _PERSONAL and text[1] == "的":
            return [
                Word(text[0], "r", start, start + 1),
                Word("的", "u", start + 1, start + 2),
                Word(text[2:], "n", start + 2, end),
            ]
        if len(text) > 1 and text[-1] == "的" and words[index].tag == "v":  # 用 铜 打的
            return [Word(text[:-1], "v", start, end - 1), Word("的", "u", end - 1, end)]
        if len(text) > 1 and text[0] == "的":
            tag = "r" if text[1] in "这那每各" else "n"
            return [Word("的", "u", start, start + 1), Word(text[1:], tag, start + 1, end)]
        return None

    def _pronoun(self, words: Sequence[Word], index: int, before: list[Word]) -> list[Word] | None:
        """看我, 其父, 该校."""
        text, tag, start, end, _ = words[index]
        if tag == "r" and len(text) == 2 and text[0] in _PERSONAL and text[1] == "家":  # 她家 有 院子
            home = [] if _verb_next(words, index) else [Word("家", "n", start + 1, end)]
            return [Word(text[0], "r", start, start + 1), *home]
        if len(text) > 1 and tag in ("v", "p") and text[-1] in _PERSONAL:
            return [Word(text[:-1], "v", start, end - 1), Word(text[-1], "r", end - 1, end)]
        if len(text) > 2 and tag in ("v", "vn", "vd") and text[0] in _PERSONAL:  # 我喜欢
            return [Word(text[0], "r", start, start + 1), Word(text[1:], "v", start + 1, end)]
        pointed = text[1:] in self._vocabulary.nouns.definite
        if tag in ("n", "ORG", "LOC") and 1 < len(text) < 4 and (text[0] == "该" or (text[0] in "本此" and pointed)):
            return [Word(text[0], "r", start, start + 1), Word(text[1:], "n", start + 1, end)]
        whole = self._function.pronouns - {"其父", "该校"}
        if tag == "r" and len(text) == 2 and text[0] in "其该" and text not in whole:
            return [Word(text[0], "r", start, start + 1), Word(text[1], "n", start + 1, end)]
        return None

    def _verb(self, words: Sequence[Word], index: int, before: list[Word]) -> list[Word] | None:
        """看见了, 不知, 很喜欢, 包饺子: an aspect, an adverb or an object glued to a verb."""
        text, tag, start, end, _ = words[index]
        if tag == "v" and len(text) > 2 and text.startswith("一起"):
            return [Word("一起", "d", start, start + 2), Word(text[2:], "v", start + 2, end)]
        if tag != "v" or not 2 <= len(text) <= 3:
            return None
        if text[-1] in self._function.aspects and text not in self._verbs.known:
            return [Word(text[:-1], "v", start, end - 1), Word(text[-1], "u", end - 1, end)]
        glued = text[0] in _GLUED_ADVERBS and text[1:] in self._verbs.single and text not in self._verbs.whole
        degree = len(text) == 3 and text[0] in _DEGREES and text[1:] not in self._verbs.directional
        degree = degree and text not in self._verbs.known  # 更名为
        if glued or degree:
            return [Word(text[0], "d", start, start + 1), Word(text[1:], "v", start + 1, end)]
        if (
            len(text) == 3
            and text[:2] in self._verbs.known
            and text not in self._verbs.known
            and text[2] not in _RESULTS
        ):
            return [Word(text[:2], "v", start, end - 1), Word(text[2], "n", end - 1, end)]  # 学习程 | 派
        if len(text) == 3 and self._is_verb_and_object(text):
            return [Word(text[0], "v", start, start + 1), Word(text[1:], "n", start + 1, end)]
        return None

    def _person(self, words: Sequence[Word], index: int, before: list[Word]) -> list[Word] | None:
        """我 的 领导: what people are, behind who has them, is no verb."""
        word = words[index]
        office = word.tag == "v" and len(word.text) == 2 and word.text[-1] in "官长员令尉丞"
        if office and len(before) > 1 and before[-1].tag in ("LOC", "ORG") and before[-2].text in self._verbs.becoming:
            return [word._replace(tag="n")]  # 任 九江 推官
        if word.tag != "v" or word.text in self._verbs.pivots or word.text not in _PEOPLE:
            return None
        return [word._replace(tag="n")] if before and before[-1].tag in ("r", "u") else None

    def _is_verb_and_object(self, text: str) -> bool:
        """包饺子, 看电影: one word to LAC, a verb and its object to a reader."""
        if text[0] not in self._verbs.single or text[1] in "不得一了个起出进过上下回开" or text[2] in _RESULTS:
            return False
        whole = (self._verbs.naming, self._verbs.becoming)
        return text[1:] not in self._verbs.directional and not any(text in verbs for verbs in whole)


def _is_predicate(words: Sequence[Word], index: int) -> bool:
    """在 一家 公司 工作: the last noun of a clause that began with 在 is its verb."""
    if index == 0 or words[index - 1].tag not in ("n", "nz", "LOC", "ORG", "f", "s", "nw", "m", "TIME"):
        return False
    if index + 1 < len(words) and words[index + 1].tag != "w" and words[index + 1].text not in _CLOSED:
        return False
    for word in reversed(words[:index]):
        if word.tag == "w" or word.text == "是":
            return False
        if word.text == "在" or word.text == "于":
            return True
    return False


def _encloses(words: Sequence[Word], index: int) -> bool:
    return (index > 0 and words[index - 1].kind is not None) or (
        index + 1 < len(words) and words[index + 1].kind is not None
    )


def _verb_next(words: Sequence[Word], index: int) -> bool:
    return index + 1 < len(words) and words[index + 1].tag in ("v", "p", "d")


def _stands_before_office(words: Sequence[Word], index: int) -> bool:
    following = words[index + 1 : index + 3]
    return [word.tag for word in following] == ["n", "PER"]


def _opens_predicate(words: Sequence[Word], index: int) -> bool:
    """Whether a nominal stands behind the word at `index`, and before it only a mark, an adverb or who does it."""
    if index + 1 >= len(words) or words[index + 1].tag not in ("n", "nz", "PER", "LOC", "ORG", "nw", "m"):
        return False
    return index == 0 or words[index - 1].tag in ("w", "d", "PER", "r", "s", "f", "TIME")


def _names_next(words: Sequence[Word], index: int) -> bool:
    """Whether the noun at `index` (原名, 又称) stands before a name, not before 是 or 的."""
    if index + 1 >= len(words) or (index > 0 and words[index - 1].text == "的"):
        return False
    following = words[index + 1]
    return following.tag in ("n", "nz", "PER", "LOC", "ORG", "nw")
