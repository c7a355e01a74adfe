"""Who a clause is about: its own subject, the topic it inherits, and the topic it leaves behind.

The nouns before the first verb are topic and subject; the last of them is the subject, unless it only says what the one before it has
(梅兰芳 八岁 学戏) or is a place. A clause without such a noun inherits the topic. A noun that says what somebody has without saying who
(父亲, 首都) belongs to the topic, and the topic stays.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from lpmm_core.base.records import Kind
from lpmm_core.extract.chinese.chunks import Verb
from lpmm_core.extract.chinese.discourse import Discourse
from lpmm_core.extract.chinese.events import Rule
from lpmm_core.extract.chinese.lists import Vocabulary
from lpmm_core.extract.chinese.nouns import Noun

_ABOUT_NOTHING = frozenset(("都是", "就是", "还是", "也是"))
_THERE_IS = frozenset(("还有", "另有", "也有", "又有", "只有", "有没有"))
_IN_ORDER_TO = frozenset(("用来", "用以", "用于"))
_OTHERS = frozenset(("他", "她", "它", "他们", "她们", "它们"))


@dataclass(frozen=True, slots=True)
class Subject:
    """The resolved subject of a clause, by which rule it was found, and nouns before the verb that are places instead."""

    nouns: tuple[Noun, ...]
    rule: Rule = Rule.CLAUSE
    places: tuple[tuple[Noun, ...], ...] = ()


class SubjectFinder:
    """Finds the subject of a clause and moves the discourse's topic."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._verbs = vocabulary.verbs
        self._nouns = vocabulary.nouns

    def find(
        self,
        before: list[tuple[Noun, ...]],
        verb: Verb,
        discourse: Discourse,
        *,
        first_adverb: str,
        hypothetical: bool,
        undergone: bool = False,
    ) -> Subject:
        """Settle the subject of the first verb of a clause from the nouns before it; `undergone` when 被 or 由 names who does it."""
        candidates = [nouns for nouns in before if not nouns[0].is_quantity]
        if before and not candidates and verb.head in self._verbs.copulas:
            return Subject(())  # 第二 种 是 …
        places = [nouns for nouns in candidates if nouns[0].location and not nouns[0].pronoun]
        candidates = [nouns for nouns in candidates if nouns[0].proper or nouns[0].name not in self._nouns.body]
        places = [nouns for nouns in places if nouns in candidates]
        states = verb.head in self._verbs.existential or verb.head in self._verbs.copulas
        states = states or verb.lasting or verb.text.endswith("满")
        if states and len(places) == len(candidates):
            places = []
        candidates = [nouns for nouns in candidates if nouns not in places]
        personal = not undergone and (verb.head in self._verbs.personal or verb.text in self._verbs.personal)
        if personal and candidates and not self.may_act(candidates[-1][0], discourse):
            if len(candidates) == 1 or not self.may_act(candidates[-2][0], discourse):
                return Subject((), places=tuple(places))
            candidates = candidates[:-1]
        if not candidates:
            return self._inherited(verb, discourse, first_adverb, tuple(places), personal=personal)
        nouns, inherited = self._with_owner(self._chosen(candidates), discourse, named=verb.text in self._verbs.naming)
        subjects = tuple(known for noun in nouns for known in discourse.resolve(noun))
        for noun in subjects:
            discourse.note(noun.owner if inherited and noun.owner else noun, subject=True)
        discourse.note_group(subjects)
        if subjects and not discourse.topic_is_new and not hypothetical and verb.head != "毕业":
            self._lead(subjects, discourse)
        self.move_topic(subjects, discourse)
        return Subject(subjects, places=tuple(places))

    def _inherited(
        self,
        verb: Verb,
        discourse: Discourse,
        first_adverb: str,
        places: tuple[tuple[Noun, ...], ...],
        *,
        personal: bool,
    ) -> Subject:
        rule = Rule.CARRIED if discourse.topic_is_new or discourse.speaker else Rule.FAR
        subjects = discourse.topic
        if personal and subjects and not self.may_act(subjects[-1], discourse):
            rule = Rule.FAR
            subjects = tuple(noun for noun in discourse.lead if self.may_act(noun, discourse))
        if personal and rule is Rule.FAR:
            subjects = tuple(noun for noun in subjects if not discourse.is_thing_of_title(noun))
        if first_adverb in _IN_ORDER_TO:
            subjects = ()
        unled = rule is Rule.FAR or (discourse.speaker is not None and not discourse.topic_is_new)
        if unled and verb.text in _THERE_IS:
            subjects = ()
        if verb.head in self._verbs.copulas and (
            verb.text in _ABOUT_NOTHING or (discourse.speaker is not None and not discourse.topic_is_new)
        ):
            subjects = ()  # 到处 都是 树 is not about the topic
        if verb.text in self._verbs.naming and discourse.introduced is not None:  # 收 了 一个 徒弟，名叫 阿木
            subjects = (discourse.introduced,)
        return Subject(subjects, rule, places)

    def _chosen(self, candidates: list[tuple[Noun, ...]]) -> tuple[Noun, ...]:
        """Which of the nouns before the verb does it, with the one before as its owner where it has none."""
        nouns = candidates[-1]
        if len(candidates) == 1:
            return nouns
        before = candidates[-2]
        if self.is_beside(before[-1], nouns[0]) or (nouns[0].pronoun and not before[0].pronoun):
            return before
        owner = nouns[0].owner
        if self.lacks_owner(nouns[0]) or (owner is not None and owner.pronoun in _OTHERS):  # 我 舅舅 他们 单位
            return (replace(nouns[0], owner=before[-1]), *nouns[1:])
        return nouns

    def _with_owner(
        self, nouns: tuple[Noun, ...], discourse: Discourse, *, named: bool
    ) -> tuple[tuple[Noun, ...], bool]:
        """Give the subject the topic as its owner where it needs one; the second value says whether it did."""
        first, topic = nouns[0], discourse.topic
        if named and discourse.introduced is not None and self.lacks_owner(first):  # 养 了 一只 猫，名字 叫 团子
            topic = (discourse.introduced,)
        if not topic:
            return nouns, False
        above = topic[-1]
        if first.title in self._nouns.kinship and first.title_owner is None and discourse.topic_is_new:
            if above.title in self._nouns.kinship and above.title_owner is not None:
                above = above.title_owner  # 其妻 甲 …，长子 乙
            if len(topic) == 1 and above.proper and discourse.is_person(above):  # 邓稼先 …，妻子 许鹿希 …
                return (replace(first, title_owner=above), *nouns[1:]), False
            return nouns, False
        if not self.lacks_owner(first) or not (discourse.topic_is_new or discourse.speaker is None):
            return nouns, False
        if first.name in self._nouns.definite and not discourse.topic_is_new:
            return nouns, False  # 学校 设有 …, in a sentence of its own
        if self._nouns.is_person(above.head) and not above.proper:
            if above.owner is None:
                return nouns, False
            above = above.owner  # 我 妈妈 …，爸爸 …
        return (replace(first, owner=above), *nouns[1:]), True

    def _lead(self, subjects: tuple[Noun, ...], discourse: Discourse) -> None:
        first = subjects[0]
        if first.proper:
            discourse.begin(subjects)
        elif first.owner is not None and discourse.is_person(first) and first.owner.proper:
            discourse.begin((first.owner,))
        elif first.owner is None and discourse.is_person(first) and len(first.name) < 4:
            discourse.begin(subjects)

    def move_topic(self, subjects: tuple[Noun, ...], discourse: Discourse) -> None:
        """Make `subjects` the topic, unless they only say something about it."""
        if not subjects:
            discourse.topic = ()
            return
        first, topic = subjects[0], discourse.topic
        kin = first.name in self._nouns.kinship
        if first.owner is not None and first.name in self._nouns.attributes and not kin:
            discourse.topic = (first.owner,)
        elif first.owner is not None and discourse.topic_is_new and topic and first.owner.name == topic[-1].name:
            pass  # 达·芬奇 …，父亲 是 公证人，…: still about 达·芬奇
        elif not first.location and not (self.lacks_owner(first) and not self._nouns.is_person(first.name)):
            discourse.topic = subjects
        discourse.topic_is_new = True

    def may_act(self, noun: Noun, discourse: Discourse) -> bool:
        """Whether a noun can do what only persons and what they form can do: take an office, be born, marry, say."""
        if noun.pronoun or discourse.is_person(noun) or noun.kind is Kind.ORGANISATION:
            return True
        if noun.owner is not None and noun.name in self._nouns.attributes:
            return False
        return noun.proper or self._nouns.definite.get(noun.head) in (Kind.ORGANISATION, Kind.PLACE)

    def lacks_owner(self, noun: Noun) -> bool:
        """Whether a noun says what somebody has without saying who: 父亲, 首都."""
        if noun.proper or noun.pronoun or noun.owner is not None or noun.determiner or noun.quantity:
            return False
        return noun.name in self._nouns.attributes or noun.name in self._nouns.kinship

    def is_beside(self, first: Noun, second: Noun) -> bool:
        """梅兰芳 八岁 学戏 …: whether a common noun between a name and its verb is no subject of its own."""
        if not first.proper or first.kind not in (Kind.PERSON, Kind.ORGANISATION):
            return False
        if second.proper or second.pronoun or second.owner is not None:
            return False
        return not self._nouns.is_person(second.head) and second.name not in self._nouns.attributes
