"""One noun phrase: which words belong together, what it is called, and what it says about itself.

A run of nouns is one name (贵州 市场), a person behind his office (国务院 总理 李明远), a possession without 的 (我 妈妈, 姚明 身高), or an
office in something (北京大学 校长). Determiners, numbers and praise fall away from the name: 一位 著名 建筑学家 is 建筑学家.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lpmm_core.base.records import Kind
from lpmm_core.extract.chinese.lists import Vocabulary
from lpmm_core.extract.chinese.words import Word

NOMINAL = frozenset(("n", "nz", "nw", "PER", "LOC", "ORG", "vn", "an", "s"))
NAMES = frozenset(("PER", "LOC", "ORG", "nw", "nz"))
_KIND_OF_TAG = {"PER": Kind.PERSON, "LOC": Kind.PLACE, "ORG": Kind.ORGANISATION, "nw": Kind.WORK}
_SAID_OF_DEFINITE = frozenset(("前身", "总部", "校训", "校址", "原名", "全称", "简称", "面积", "总面积", "人口"))
LONGEST_NAME = 24


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun phrase whose `name` stands at [start, end).

    `owner` is Y of 'Y 的 Z'; `title` is what an apposition calls it (设计师 of 设计师 林夏) and `title_owner` what that office belongs to.
    `restricted` tells that a relative clause says which of its kind is meant.
    `quantity` is a number with its measure, `praise` a superlative (最大的) that belongs to what is said, `location` a localizer behind it.
    """

    name: str
    head: str
    kind: Kind
    start: int
    end: int
    proper: bool = False
    pronoun: str = ""
    determiner: str = ""
    quantity: str = ""
    owner: Noun | None = None
    title: str = ""
    title_owner: Noun | None = None
    location: str = ""
    praise: str = ""
    restricted: bool = False

    @property
    def is_quantity(self) -> bool:
        """Whether it is a number with its measure and nothing else."""
        return not self.name and bool(self.quantity)


@dataclass(frozen=True, slots=True)
class _Before:
    """What stands before a noun, up to word `end`; `alone` when a pronoun there lets no noun follow."""

    determiner: str
    quantity: str
    owner: Noun | None
    end: int
    alone: bool = False


class NounReader:
    """Reads noun phrases off a list of words."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._nouns = vocabulary.nouns
        self._names = vocabulary.names
        self._function = vocabulary.function
        self._verbs = vocabulary.verbs
        self._never_in_names = self._verbs.naming | self._verbs.becoming | self._verbs.copulas | self._verbs.locative
        self._wanting = self._verbs.locative | self._verbs.naming | self._verbs.existential

    def read(self, words: Sequence[Word], i: int, *, after_possessor: bool = False) -> tuple[list[Noun], int] | None:
        """Read what starts at word `i`: the noun phrases (more than one when a run of nouns falls apart) and the word behind them."""
        if words[i].text in self._function.plural_pronouns and words[i].tag != "r":
            return [self._pronoun(words[i])], i + 1
        before = self._before(words, i)
        if before.alone:
            return ([self._pronoun(words[i])], i + 1) if before.end == i else self._quantity(words, i, before.end)
        begin, run_start = self._past_adjectives(words, before.end)
        end = run_start
        while end < len(words) and self._nominal(words, end, run_start, after_possessor, bool(before.quantity)):
            end += 1
        if end == run_start:
            return self._quantity(words, i, run_start) if before.quantity and begin == run_start else None
        if before.quantity and end - begin == 1 and words[begin].text in ("人", "户", "家", "票"):  # 二百 人
            text = before.quantity + words[begin].text
            return [Noun("", text, Kind.THING, words[i].start, words[begin].end, quantity=text)], end
        nouns = self._split(words, begin, end)
        if end < len(words) and words[end].tag == "f" and words[end].text in self._nouns.localizers:
            nouns[-1] = replace(nouns[-1], location=words[end].text)
            end += 1
        elif words[end - 1].tag == "s":
            nouns[-1] = replace(nouns[-1], location=words[end - 1].text[-1])
        head = nouns[0] if before.owner is None else self._owned(nouns[0], before.owner)
        nouns[0] = replace(head, determiner=before.determiner, quantity=before.quantity)
        return nouns, end

    def _before(self, words: Sequence[Word], first: int) -> _Before:
        """Read the pronouns, numbers and measures that stand before a noun."""
        determiner, quantity = "", ""
        owner: Noun | None = None
        i = first
        while i < len(words) and words[i].tag in ("r", "m", "q"):
            word = words[i]
            if word.tag == "r":
                follows = i + 1 < len(words) and self._continues(words, i + 1)
                if word.text == "其" and follows:
                    owner = self._pronoun(word)
                elif word.text in self._function.determiners and follows:
                    determiner = word.text
                elif i == first and follows and self._possessed_without_de(words, i):
                    owner = self._pronoun(word)
                elif word.text in self._function.pronouns or not follows:
                    return _Before(determiner, quantity, owner, i, alone=True)
                else:
                    determiner = word.text
            else:
                quantity += word.text
            i += 1
        return _Before(determiner, quantity, owner, i)

    def _past_adjectives(self, words: Sequence[Word], i: int) -> tuple[int, int]:
        """Return where a noun begins, with those adjectives that belong to it, and the word behind all its adjectives."""
        begin = i
        while i + 1 < len(words) and words[i].tag == "a" and (words[i + 1].tag in NOMINAL or words[i + 1].tag == "a"):
            if words[i].text in self._function.plain_adjectives and words[i].text not in self._function.kept_adjectives:
                begin = i + 1
            i += 1
        return begin, i

    def _owned(self, noun: Noun, owner: Noun) -> Noun:
        """Give `noun`, or what owns it already, the owner that stands before it: 我 妈妈 学历."""
        if noun.owner is None:
            return self._give_owner(noun, owner)
        if noun.owner.owner is None and not noun.owner.proper:
            return replace(noun, owner=replace(noun.owner, owner=owner))
        return noun

    def _continues(self, words: Sequence[Word], i: int) -> bool:
        return (
            words[i].tag in NOMINAL
            or words[i].tag in ("m", "q", "a")
            or (words[i].tag == "r" and words[i].text != "自己")
        )

    def _possessed_without_de(self, words: Sequence[Word], i: int) -> bool:
        """我 妈妈, 她 丈夫, 我们 公司, 他 老家: a pronoun before what people have."""
        if words[i].text not in self._function.pronouns or words[i + 1].tag not in NOMINAL:
            return False
        j = i + 1
        while j + 1 < len(words) and words[j + 1].tag == "n":
            j += 1
        text = words[i + 1].text
        return (
            text in self._nouns.kinship
            or words[j].text in self._nouns.kinship
            or words[j].text in self._nouns.roles
            or text in self._nouns.attributes
            or (words[i].text.endswith("们") and text in self._nouns.definite)
        )

    def _pronoun(self, word: Word) -> Noun:
        kind = Kind.THING if word.text in ("它", "牠", "这", "那", "此") else Kind.PERSON
        return Noun("", word.text, kind, word.start, word.end, pronoun=word.text)

    def _quantity(self, words: Sequence[Word], first: int, end: int) -> tuple[list[Noun], int] | None:
        if end == first:
            return None
        text = "".join(word.text for word in words[first:end])
        return [Noun("", text, Kind.THING, words[first].start, words[end - 1].end, quantity=text)], end

    def _nominal(self, words: Sequence[Word], i: int, run_start: int, after_possessor: bool, counted: bool) -> bool:
        word = words[i]
        if word.tag in NOMINAL:
            return not (i > run_start and (word.tag == "s" or word.text in ("时", "期间", "之际")))
        # 的 首席 融合 战士, 一项 调查 结果: a bare verb that only a name can hold
        if word.tag != "v" or len(word.text) != 2 or i + 1 >= len(words) or words[i + 1].tag not in ("n", "nz"):
            return False
        if word.text[-1] in self._function.aspects or word.text in self._never_in_names:
            return False
        if i == run_start:
            return after_possessor or counted
        if after_possessor and words[i - 1].tag in ("n", "nz") and self._has_verb_elsewhere(words, i):
            return True
        return self._names_what_is(words, i, run_start)

    def _names_what_is(self, words: Sequence[Word], i: int, run_start: int) -> bool:
        """位于 柳东 开发 新区, 设有 心理 放松 室: behind a verb that wants one name, nouns around a bare verb are that name."""
        if run_start == 0 or words[run_start - 1].text not in self._wanting or words[i].text in self._verbs.known:
            return False
        end = i + 1
        while end < len(words) and words[end].tag in NOMINAL:
            end += 1
        return end == len(words) or words[end].tag == "w"

    def _has_verb_elsewhere(self, words: Sequence[Word], i: int) -> bool:
        """Whether the clause of word `i` has another verb, so that this one need not be it."""
        start, end = i, i + 1
        while start > 0 and words[start - 1].tag != "w":
            start -= 1
        while end < len(words) and words[end].tag != "w":
            end += 1
        return any(word.tag == "v" for word in (*words[start:i], *words[i + 1 : end]))

    # --- what a run of nouns says ---------------------------------------------------------------------------------------

    def _split(self, words: Sequence[Word], begin: int, end: int) -> list[Noun]:
        """Cut words[begin:end] into noun phrases, from left to right."""
        nouns: list[Noun] = []
        start = begin
        i = begin
        while i < end:
            word = words[i]
            if word.tag == "PER" and i > start:
                before = self._role(words, start, i)
                if before is not None:
                    stop = self._past_title(words, i + 1, end)
                    nouns.append(self._titled(word, *before))
                    start = i = stop
                    continue
                nouns.append(self._compound(words, start, i))
                start = i
            elif word.tag in ("LOC", "ORG") and i == start + 1 and words[start].text in self._nouns.attributes:
                nouns.append(replace(self._compound(words, i, end), title=words[start].text))  # 首都 东京
                start = i = end
                continue
            elif word.tag == "nw" and i > start:
                before_text = self._compound(words, start, i)
                nouns.append(replace(self._name(word), title=before_text.head, title_owner=before_text.owner))
                start = i = self._past_genre(words, i + 1, end)
                continue
            elif word.tag == "nw":
                nouns.append(self._name(word))
                start = i = self._past_genre(words, i + 1, end)
                continue
            i += 1
        if start < end:
            nouns.append(self._compound(words, start, end))
        return nouns

    def _role(self, words: Sequence[Word], start: int, end: int) -> tuple[str, Noun | None] | None:
        """The office that words[start:end] name, and what it belongs to; None when they name none."""
        first = start
        while first < end and words[first].tag in ("LOC", "ORG", "PER", "nz", "nw"):
            first += 1
        if first == end:  # 灰袍法师/PER 加尔/PER
            return (
                ("".join(w.text for w in words[start:end]), None) if words[end - 1].text in self._nouns.roles else None
            )
        for last in range(first, end):  # 市 教育局 局长: the organisation may be made of common nouns
            if last > first and self._is_organisation(words[last - 1].text):
                first = last
        if words[first].text == "人" and first > start:  # 荷兰 人
            first -= 1
        role = "".join(word.text for word in words[first:end])
        countryman = (
            len(role) > 2 and role.endswith("人") and role not in self._nouns.vague and not role.endswith("机器人")
        )
        if not (countryman or self._nouns.may_title(role) or role in self._function.plain_adjectives):
            return None
        if len(role) > 4 and first + 1 < end and not self._nouns.is_person(words[first].text):
            role = self._role_words(words, first, end)
        if first == start or not self._nouns.is_post(role):
            return role, None
        return role, self._compound(words, start, first)

    def _is_organisation(self, text: str) -> bool:
        return (text in self._names.organisations.words and len(text) > 2) or self._names.kind_by_ending(
            text
        ) is Kind.ORGANISATION

    def _role_words(self, words: Sequence[Word], first: int, end: int) -> str:
        """The shortest tail of words[first:end] of at least three characters that is a role."""
        for i in range(end - 1, first - 1, -1):
            role = "".join(word.text for word in words[i:end])
            if len(role) >= 3:
                return role
        return "".join(word.text for word in words[first:end])

    def _titled(self, person: Word, role: str, owner: Noun | None) -> Noun:
        return replace(self._name(person), title=role, title_owner=owner)

    def _past_title(self, words: Sequence[Word], i: int, end: int) -> int:
        if i >= end or words[i].text in self._nouns.kinship:
            return i
        titled = words[i].text in self._nouns.titles or (words[i].tag == "n" and self._nouns.may_title(words[i].text))
        return i + 1 if titled else i

    def _past_genre(self, words: Sequence[Word], i: int, end: int) -> int:
        """Past 杂志 of 《新青年》 杂志."""
        if i < end and words[i].tag == "n" and self._nouns.definite.get(words[i].text) is Kind.WORK:
            return i + 1
        return i

    def _name(self, word: Word) -> Noun:
        kind = word.kind or _KIND_OF_TAG.get(word.tag)
        proper = word.tag in NAMES
        if kind is None or (kind is Kind.THING and word.tag == "nz"):
            kind = self._names.kind_by_ending(word.text) or Kind.THING
            proper = proper or (kind in (Kind.ORGANISATION, Kind.PLACE) and len(word.text) > 3)
        if kind is Kind.THING and self._nouns.is_person(word.text):
            kind = Kind.PERSON
        if word.text in self._names.not_suffixed:
            proper = False
        return Noun(word.text, word.text, kind, word.start, word.end, proper=proper)

    def _compound(self, words: Sequence[Word], start: int, end: int) -> Noun:
        """One noun phrase of words[start:end], none of which is a title in 《》."""
        first, last = words[start], words[end - 1]
        if end - start == 1:
            return self._name(first)
        texts = [word.text for word in words[start:end]]
        named = max((i for i in range(start, end) if words[i].tag in ("LOC", "ORG")), default=-1)
        if start < named < end - 1 and "".join(word.text for word in words[named + 1 : end]) in self._nouns.professions:
            return self._plain(words, named + 1, end)
        if last.text in self._nouns.measures and end - start > 2 and words[end - 2].tag in ("PER", "LOC", "ORG"):
            return self._possession(words, start, end - 1, end)  # 主峰 玉皇顶 海拔
        if first.tag in ("PER", "LOC", "ORG", "nz"):
            cut = start + 1
            while cut < end - 1 and words[cut].tag in ("LOC", "ORG") and first.tag != "PER":
                cut += 1
            tail = "".join(word.text for word in words[cut:end])
            if (
                first.tag == "PER"
                and end - start == 2
                and last.text in self._nouns.titles
                and last.text not in self._nouns.kinship
            ):
                return replace(self._name(first), title=last.text if last.text in self._nouns.roles else "")
            if tail in self._nouns.kinship or (
                tail in self._nouns.attributes and self._names.kind_by_ending("".join(texts)) is None
            ):
                return self._possession(words, start, cut, end)
            if first.tag != "PER" and all(word.tag in ("n", "vn", "nz", "a") for word in words[cut:end]):
                if self._nouns.is_post(tail):
                    return self._possession(words, start, cut, end)
                if tail in self._nouns.professions and tail in self._nouns.roles and last.text not in ("人",):
                    return self._plain(words, cut, end)
        elif self._has_owner_in_front(texts):
            return self._possession(words, start, start + 1, end)
        while sum(len(word.text) for word in words[start:end]) > LONGEST_NAME and start < end - 1:
            start += 1
        return self._plain(words, start, end)

    def _has_owner_in_front(self, texts: Sequence[str]) -> bool:
        """妈妈 学历, 公司 首席执行官: the first of these common nouns has the others."""
        if len(texts) == 2 and texts[1] in self._nouns.attributes and self._nouns.is_role(texts[0]):
            return True
        rest = "".join(texts[1:])
        return texts[0] in self._nouns.definite and (self._nouns.is_post(rest) or rest in _SAID_OF_DEFINITE)

    def _plain(self, words: Sequence[Word], start: int, end: int) -> Noun:
        name = "".join(word.text for word in words[start:end])
        contiguous = words[end - 1].end - words[start].start == len(name)
        if not contiguous:  # a quotation mark or a bracket was left out between them
            return self._name(words[end - 1])
        kind = self._names.kind_by_ending(name)
        tags = {word.tag for word in words[start:end]}
        proper = kind is not None and bool(tags & NAMES)
        if kind is None:
            if self._nouns.is_person(words[end - 1].text) or words[end - 1].text == "人":
                kind = Kind.PERSON
            elif tags == {"LOC"}:
                kind, proper = Kind.PLACE, True
            elif tags <= {"ORG", "LOC"}:
                kind, proper = Kind.ORGANISATION, True
            else:
                kind = Kind.THING
        return Noun(name, words[end - 1].text, kind, words[start].start, words[end - 1].end, proper=proper)

    def _possession(self, words: Sequence[Word], start: int, cut: int, end: int) -> Noun:
        owner = self._compound(words, start, cut)
        return self._give_owner(self._plain(words, cut, end), owner)

    def _give_owner(self, noun: Noun, owner: Noun) -> Noun:
        """A name behind a kinship or an office has its title's owner, everything else is owned itself."""
        if noun.title and noun.title_owner is None:
            return replace(noun, title_owner=owner)
        return replace(noun, owner=owner)
