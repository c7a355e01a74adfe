"""Where, when, from where, with whom: prepositional phrases and times.

A preposition joins its verb into one predicate: 毕业于, 住在, 与…结婚, 对…产生兴趣. A place or a date of coming into being is said of
what came into being: (公司, 创办于, 杭州). A place beside an action with an object says little about either and is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lpmm_core.base.records import Kind
from lpmm_core.extract.chinese.claims import Claim, Sort
from lpmm_core.extract.chinese.events import Event, Phrase
from lpmm_core.extract.chinese.lists import Vocabulary
from lpmm_core.extract.chinese.nouns import Noun

_DATED = re.compile(
    r"[0-9０-９]|[〇零一二三四五六七八九]{4}年|世纪|公元|[\u4e00-\u9fff]{2}(?:元|[一二三四五六七八九十]{1,3})年|时期$|时代$|年间$|朝$|末年$|初年$"
)
_VAGUE_TIME = re.compile(r"岁|小时|分钟|天|次|届|左右")
_NOT_PLACED = frozenset(("到", "至", "来", "去", "起来", "说", "看"))
_ABSTRACT = frozenset(("中", "上", "下", "方面", "期间", "之后", "之前", "以后", "以前", "时", "之中", "当中"))
_TOLD = frozenset(("对", "向", "跟", "和", "与"))
_TO_PERSONS = frozenset(("给", "向", "对", "为"))


class CircumstanceReader:
    """Reads the phrases and times of an event."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._verbs = vocabulary.verbs
        self._nouns = vocabulary.nouns
        self._function = vocabulary.function

    def claims(self, event: Event) -> Iterator[Claim]:
        """Yield what the phrases and the times of `event` claim."""
        for phrase in event.phrases:
            if not phrase.nouns:  # a pronoun that stands for nobody
                continue
            predicate = self._predicate(event, phrase)
            for noun in phrase.nouns:
                if phrase.preposition in self._function.place_prepositions:
                    yield from self._place(event, noun)
                elif predicate:
                    for subject in event.subjects:
                        yield Claim(subject, predicate, noun, Sort.PHRASE, event.negated)
        yield from self._date(event)

    def takes_the_object(self, event: Event) -> bool:
        """Whether the object belongs to the predicate of a phrase: 对 X 产生 兴趣 says nothing of 兴趣 alone."""
        return event.verb.head in self._verbs.light and any(self._is_joined(phrase) for phrase in event.phrases)

    def _is_joined(self, phrase: Phrase) -> bool:
        joined = self._function.with_prepositions | self._function.toward_prepositions
        return phrase.preposition in joined

    def _predicate(self, event: Event, phrase: Phrase) -> str:
        """The predicate of a phrase with its verb, empty when the phrase says nothing of its own."""
        verb, preposition = event.verb, phrase.preposition
        if verb.text in self._verbs.empty and not event.objects:  # 对 我 来说
            return ""
        if preposition in self._function.from_prepositions:
            return self._from(event)
        if self._is_joined(phrase):
            return self._joined(event, phrase)
        if preposition == "以" and not event.objects:
            return f"以…{verb.text}"
        return ""

    def _from(self, event: Event) -> str:
        verb = event.verb
        if verb.complement == "到":  # 从 百度 跳槽 到 …
            return f"从…{verb.head}"
        if event.objects or event.themes:
            return ""
        return {"来": "来自", "毕业": "毕业于"}.get(verb.head, f"从…{verb.text}")

    def _joined(self, event: Event, phrase: Phrase) -> str:
        verb, preposition = event.verb, phrase.preposition
        with_somebody = preposition in self._function.with_prepositions
        if not event.objects:
            said = verb.head in self._verbs.saying and preposition in _TOLD
            return "" if said else f"{preposition}…{verb.text}"
        what = event.objects[0]
        if verb.head in self._verbs.light or (with_somebody and not what.proper and len(what.name) <= 4):
            return f"{preposition}…{verb.text}{what.name}"
        if with_somebody or (preposition in _TO_PERSONS and phrase.nouns[0].kind is Kind.PERSON):
            return f"{preposition}…{verb.text}"
        return ""

    def _place(self, event: Event, noun: Noun) -> Iterator[Claim]:
        verb = event.verb
        abstract = noun.location in _ABSTRACT and noun.kind is not Kind.PLACE
        if verb.head in _NOT_PLACED or noun.name in self._nouns.vague or abstract:
            return
        if verb.head in self._verbs.existential and event.objects and not event.subjects:
            yield from (Claim(noun, "有", thing, Sort.EXISTENCE, event.negated) for thing in event.objects)
            return
        targets: Sequence[Noun] = ()
        if not event.objects:
            targets = event.themes or event.subjects
        elif verb.head in self._verbs.creating:
            targets = event.objects
        predicate = verb.text
        if not predicate.endswith(("于", "在")):
            predicate += "于" if len(predicate) > 1 else "在"
        yield from (Claim(target, predicate, noun, Sort.PLACE, event.negated) for target in targets)

    def _date(self, event: Event) -> Iterator[Claim]:
        verb = event.verb
        times = [time for time in event.times if _DATED.search(time) and not _VAGUE_TIME.search(time)]
        bare = verb.head.removesuffix("于").removesuffix("在")
        if not times or not bare or event.negated or (verb.head in self._verbs.saying and not event.objects):
            return
        joined = verb.text.endswith(("于", "在"))
        if bare not in self._verbs.dating and not (joined and not event.objects):
            return
        targets: Sequence[Noun] = event.subjects
        if event.objects and bare in self._verbs.creating and not event.passive and not joined:
            targets = event.objects
        elif event.objects and not joined:
            return
        yield from (Claim(target, bare + "于", times[0], Sort.DATE) for target in targets)
