"""Who 他, 其, 该公司 and 我 are: what the passage has spoken of so far, and who speaks to whom.

Chinese names its topic once and then leaves it out or points back to it. The discourse keeps the names in the order they came up, the
subject of the last clause (the topic, which a clause without a subject inherits), and the speaker and addressee. A pronoun that
nothing stands for has no name; it never becomes one.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import Literal

from lpmm_core.base.records import Kind
from lpmm_core.extract.chinese.lists import Vocabulary
from lpmm_core.extract.chinese.nouns import Noun

Gender = Literal["female", "male", ""]
_LOOK_BACK = 24
_DOTTED = re.compile("[·•‧]")
_LONGEST_OWNED = 22


@dataclass(frozen=True, slots=True)
class _Heard:
    noun: Noun
    gender: Gender
    subject: bool


class Discourse:
    """The state of one passage while it is read from front to back."""

    def __init__(self, vocabulary: Vocabulary, *, title: tuple[str, Kind] | None = None) -> None:
        self._nouns = vocabulary.nouns
        self._names = vocabulary.names
        self._function = vocabulary.function
        self._heard: list[_Heard] = []
        self._group: tuple[Noun, ...] = ()
        self.topic: tuple[Noun, ...] = ()
        self.topic_is_new = False  # said in this very sentence
        self.lead: tuple[Noun, ...] = ()  # the topic a later sentence without a subject falls back to
        self._titled = False
        self._first: tuple[Noun, ...] = ()
        self._begun: Counter[str] = Counter()
        self.advising = False  # the addressee is being told what he might do
        self.introduced: Noun | None = None  # an object of this sentence that has no name yet: 一个 徒弟
        self.times: list[str] = []  # said before the clause they belong to: 2023年3月，…
        self.speaker: Noun | None = None
        self.addressee: Noun | None = None
        self._title = Noun(title[0], title[0], title[1], 0, 0, proper=True) if title is not None else None

    def titled(self, text: str) -> tuple[Noun, ...]:
        """The title as a topic, when the text speaks of it."""
        self._titled = self._title is not None and self._title.name in text
        return (self._title,) if self._title is not None and self._titled else ()

    def resolve(self, noun: Noun, *, current: tuple[Noun, ...] = (), as_object: bool = False) -> tuple[Noun, ...]:
        """Return what `noun` stands for, its owners resolved too; nothing when that cannot be told.

        `current` is the subject of the clause the noun stands in; an object pronoun is somebody else.
        """
        if noun.pronoun:
            return self._pronoun(noun, current, as_object)
        if noun.is_quantity:
            return (noun,)
        if noun.owner is not None:
            if noun.owner.pronoun == "其" and noun.name in self._nouns.kinship:
                return (replace(noun, owner=self._kin_of(current)),)
            owners = self.resolve(noun.owner, current=current, as_object=as_object and noun.owner.pronoun == "其")
            return (replace(noun, owner=owners[0] if owners else None),)
        if noun.title_owner is not None:
            owners = self.resolve(noun.title_owner, current=current)
            if owners and not owners[0].proper and owners[0].name in self._nouns.definite:
                owners = ()
            return (replace(noun, title_owner=owners[0] if owners else None),)
        if (
            noun.title in self._nouns.kinship
            and current
            and as_object
            and current[0].proper
            and current[0].name != noun.name
        ):
            return (replace(noun, title_owner=current[0]),)  # 她 与 丈夫 皮埃尔·居里
        if noun.kind is Kind.PERSON and noun.proper and not _DOTTED.search(noun.name):
            return (self._full_name(noun),)
        if not noun.proper:
            named = self._definite(noun)
            if named is not None:
                return (named,)
            if noun.determiner in ("该", "此", "本"):
                return self._pointed_at(noun)
        return (noun,)

    def resolve_objects(self, nouns: tuple[Noun, ...], current: tuple[Noun, ...]) -> tuple[Noun, ...]:
        """Resolve what stands behind a verb whose subject is `current`, and remember it."""
        found = tuple(known for noun in nouns for known in self.resolve(noun, current=current, as_object=True))
        for noun in found:
            self.note(noun, subject=False)
            if noun.quantity and not noun.proper and noun.name and self.introduced is None:
                self.introduced = noun
        return found

    def note(self, noun: Noun, *, subject: bool) -> None:
        """Remember a resolved noun that was spoken of."""
        if noun.name and not noun.is_quantity and not noun.pronoun:
            if noun.owner is not None:
                self.note(noun.owner, subject=False)
            self._heard.append(_Heard(noun, self._gender(noun), subject))
            del self._heard[:-_LOOK_BACK]

    def note_group(self, nouns: tuple[Noun, ...]) -> None:
        """Remember a coordinated subject, which 他们 and 双方 may stand for."""
        if len(nouns) > 1:
            self._group = nouns

    def new_sentence(self) -> None:
        """Say that a sentence ended: the next one, if it has no subject, is about the speaker or the last name a sentence began with."""
        self.topic = (self.speaker,) if self.speaker else self._main_topic()
        self.topic_is_new = False
        self.advising = False
        self.introduced = None
        self.times = []

    def begin(self, subjects: tuple[Noun, ...]) -> None:
        """Say that a sentence begins with these subjects; under a title the passage is about the title all along."""
        if self._titled:
            return
        self.lead = subjects
        self._first = self._first or subjects
        self._begun[subjects[0].name] += 1

    def _main_topic(self) -> tuple[Noun, ...]:
        """What the passage began with, if it keeps coming back to it, else what the last sentence began with."""
        if not self._first or self._titled:
            return self.lead
        first, last = self._begun[self._first[0].name], self._begun[self.lead[0].name] if self.lead else 0
        return self._first if first > 1 and first >= last else self.lead

    def take_times(self) -> list[str]:
        """Return the times that stand in front, which belong to the next verb and to no other."""
        times, self.times = self.times, []
        return times

    def shown(self, noun: Noun) -> str:
        """The name of a resolved noun as a triple shows it: 小红 的 妈妈 is 小红的妈妈."""
        if noun.is_quantity:
            return noun.quantity
        if noun.owner is None or not noun.owner.name or noun.proper:
            return noun.name
        beside = noun.owner.end == noun.start > 0 and not noun.owner.owner  # 公爵 夫人 has no 的
        owned = f"{self.shown(noun.owner)}{'' if beside else '的'}{noun.name}"
        return owned if len(owned) <= _LONGEST_OWNED else noun.name

    def is_person(self, noun: Noun) -> bool:
        """Whether a noun is or may be a person."""
        return noun.kind is Kind.PERSON or self._nouns.is_person(noun.head)

    # --- what stands for what -----------------------------------------------------------------------------------------------

    def _pronoun(self, noun: Noun, current: tuple[Noun, ...], as_object: bool) -> tuple[Noun, ...]:
        text = noun.pronoun
        if text in self._function.first_person:
            return (self.speaker,) if self.speaker else ()
        if text in self._function.second_person:
            return (self.addressee,) if self.addressee else ()
        if text in ("自己", "本人", "自身"):
            return current or self.topic
        if text in self._function.plural_pronouns:
            return self._plural(text)
        if text == "其" and as_object and current and self.topic == current and not current[-1].proper:
            others = [noun for noun in self.lead if noun.name != current[-1].name]
            return (others[-1],) if others else ()  # 沙漠 是 其 栖息地
        if text == "其":
            found = self.topic[-1] if self.topic else (current[0] if current else self._title)
            return (found,) if found else ()
        if text in ("它", "牠"):
            return self._nearest(lambda heard: not self.is_person(heard.noun), current if as_object else ())
        if text in ("他", "她"):
            return self._third_person(text, current if as_object else ())
        return ()

    def _kin_of(self, current: tuple[Noun, ...]) -> Noun | None:
        """Whose 其 父母 are: the nearest of subject, topic and what the passage is about that has parents."""
        for noun in (*current[-1:], *self.topic[-1:], *self.lead[-1:], *self.titled_noun()):
            if self.is_person(noun):
                return noun
        return None

    def is_thing_of_title(self, noun: Noun) -> bool:
        """Whether `noun` is the title and nothing says that it is a person or a group, not even its surname."""
        if self._title is None or noun.name != self._title.name or noun.kind in (Kind.PERSON, Kind.ORGANISATION):
            return False
        return len(noun.name) > 3 or noun.name[0] not in self._names.surnames

    def titled_noun(self) -> tuple[Noun, ...]:
        """The title, if there is one."""
        return (self._title,) if self._title is not None else ()

    def _third_person(self, text: str, excluded: tuple[Noun, ...]) -> tuple[Noun, ...]:
        wanted, other = ("female", "male") if text == "她" else ("male", "female")
        outside = {noun.name for noun in (self.speaker, self.addressee) if noun}

        def fits(heard: _Heard) -> bool:
            return self.is_person(heard.noun) and heard.gender != other and heard.noun.name not in outside

        if text == "她":
            known = self._nearest(lambda h: fits(h) and h.gender == wanted and h.noun.proper, excluded)
            if known:
                return known
        named = self._nearest(lambda heard: fits(heard) and heard.noun.proper, excluded)
        return named or self._nearest(fits, excluded)

    def _nearest(self, fits, excluded: tuple[Noun, ...]) -> tuple[Noun, ...]:  # type: ignore[no-untyped-def]
        names = {noun.name for noun in excluded}
        candidates = [heard for heard in self._heard if heard.noun.name not in names and fits(heard)]
        if len(self.topic) == 1 and any(heard.noun.name == self.topic[0].name for heard in candidates):
            return self.topic
        subjects = [heard for heard in candidates[-4:] if heard.subject]
        if subjects:
            return (subjects[-1].noun,)
        if candidates:
            return (candidates[-1].noun,)
        if self._title is not None and fits(_Heard(replace(self._title, kind=Kind.PERSON), "", True)):
            return (self._title,)
        if self._title is not None and fits(_Heard(self._title, "", True)):
            return (self._title,)
        return ()

    def _plural(self, text: str) -> tuple[Noun, ...]:
        if text in ("我们", "你们", "咱们", "大家", "咱俩", "我俩"):
            return ()
        if text in ("它们", "牠们"):
            if len(self.topic) > 1 or (self.topic and not self.is_person(self.topic[0])):
                return self.topic
            return tuple(noun for noun in self.lead if not self.is_person(noun))
        return self._group if all(self.is_person(noun) or noun.proper for noun in self._group) else ()

    def _definite(self, noun: Noun) -> Noun | None:
        """该公司, 这座城市, and bare 公司 after an organisation was named."""
        kind = self._nouns.definite.get(noun.name)
        if kind is None:
            return self._by_ending(noun)
        pointing = noun.determiner in self._function.definite_determiners
        if not pointing and (noun.determiner or noun.quantity):
            return None
        if self._is_title(noun, kind):
            return self._title
        if not pointing and noun.name not in ("公司", "集团", "球队", "乐队"):
            return None
        for heard in reversed(self._heard):
            if heard.noun.proper and heard.noun.kind is kind:
                return heard.noun
        if self._title is not None and pointing and self._title.kind in (kind, Kind.THING):
            return self._title
        return None

    def _full_name(self, noun: Noun) -> Noun:
        """夸里尼, after 保罗·夸里尼 was named, is he."""
        known = [heard.noun for heard in self._heard] + ([self._title] if self._title is not None else [])
        for other in reversed(known):
            if _DOTTED.search(other.name) and noun.name in _DOTTED.split(other.name)[1:]:
                return replace(noun, name=other.name, start=other.start, end=other.end)
        return noun

    def _pointed_at(self, noun: Noun) -> tuple[Noun, ...]:
        """本种, 该鱼: the title where it may be, else nobody knows."""
        title = self._title
        alike = title is not None and (noun.determiner == "本" or title.name.endswith(noun.head[-1:]))
        if title is not None and alike and self._titled and title.kind is not Kind.PERSON and not self.is_person(noun):
            return (title,)
        return () if noun.head in self._nouns.definite or len(noun.name) < 2 else (noun,)

    def _by_ending(self, noun: Noun) -> Noun | None:
        """书院, after 半灯书院 was named."""
        if len(noun.name) < 2 or noun.quantity or self.is_person(noun):
            return None
        if noun.determiner and noun.determiner not in self._function.definite_determiners:
            return None
        for heard in reversed(self._heard):
            named = heard.noun.proper and heard.noun.kind in (Kind.ORGANISATION, Kind.PLACE)
            if named and heard.noun.name != noun.name and heard.noun.name.endswith(noun.name):
                return heard.noun
        return None

    def _is_title(self, noun: Noun, kind: Kind) -> bool:
        """Whether 学校, 该片, 本站 is what the text is about: its title is of that kind or ends like it."""
        title = self._title
        if title is None or not self._titled or title.kind is Kind.PERSON:
            return False
        if noun.determiner in ("本", "该", "此"):
            return title.kind in (kind, Kind.THING) or title.name.endswith(noun.head)
        return title.name.endswith(noun.name) or (title.kind is kind and kind is Kind.ORGANISATION)

    def _gender(self, noun: Noun) -> Gender:
        for text in (noun.title, noun.head, noun.name):
            if text and text in self._nouns.female:
                return "female"
            if text and text in self._nouns.male:
                return "male"
        if (
            noun.kind is Kind.PERSON
            and noun.proper
            and any(character in self._names.female_characters for character in noun.name[1:])
        ):
            return "female" if not any(mark in noun.name for mark in "·•") else ""
        return ""
