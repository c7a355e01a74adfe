"""Events to statements: which rules read an event, and the plain ones.

被 and 由 give the agent his verb back: 'Y 被 X 收购' is (X, 收购, Y). 把 puts the object behind the verb again. A verb of giving has two
objects, and each is a claim. Every member of a coordination has each claim to itself. What is asked or only supposed claims nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lpmm_core.base.records import Kind
from lpmm_core.extract.chinese.being import BeingReader
from lpmm_core.extract.chinese.circumstances import CircumstanceReader
from lpmm_core.extract.chinese.claims import SHARE_OF_RULE, Claim, Gate, Sort, Statement
from lpmm_core.extract.chinese.discourse import Discourse
from lpmm_core.extract.chinese.events import Event
from lpmm_core.extract.chinese.lists import Vocabulary
from lpmm_core.extract.chinese.nouns import Noun

_IN_ORDER_TO = frozenset(("用来", "用于", "用以", "用作"))
_TOGETHER = frozenset(("共同", "一起", "一同", "联合", "合作", "携手"))
_ATTRIBUTE_SAYS_IT = frozenset(("有", "包括", "达", "达到", "来自"))
_SITUATED = frozenset(("在", "于", "为"))
_MOST_PAIRS = 16


class RelationReader:
    """Turns events and appositions into statements."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._verbs = vocabulary.verbs
        self._nouns = vocabulary.nouns
        self._function = vocabulary.function
        self._being = BeingReader(vocabulary)
        self._circumstances = CircumstanceReader(vocabulary)
        self._gate = Gate(vocabulary)

    def statements(self, event: Event, discourse: Discourse) -> Iterator[Statement]:
        """Yield what `event` states."""
        if event.hypothetical or self._is_fragment(event) or len(event.subjects) * len(event.objects) > _MOST_PAIRS:
            return
        if event.passive and any(adverb in _IN_ORDER_TO for adverb in event.adverbs):
            event = replace(event, passive=False)  # 被 用来 治疗 is said of the remedy
        for claim in self._claims(event, discourse):
            made = self._gate.statement(claim, discourse, SHARE_OF_RULE[event.rule])
            if made is not None:
                yield made

    def appositions(self, noun: Noun, discourse: Discourse) -> Iterator[Statement]:
        """Yield what a name's apposition states: 设计师 林夏, 国务院 总理 李明远, 莫言 的 新作 《…》."""
        if not noun.title or noun.title in self._function.plain_adjectives:
            return
        owner = noun.title_owner
        if owner is not None and owner.name:
            claim = Claim(noun, f"是…的{noun.title}", owner, Sort.APPOSITION)
        elif noun.title in self._nouns.kinship or noun.title in self._nouns.vague or len(noun.title) < 2:
            return
        else:
            kind = Kind.PERSON if noun.kind is Kind.PERSON else Kind.THING
            claim = Claim(noun, "是", Noun(noun.title, noun.title, kind, 0, 0), Sort.APPOSITION)
        made = self._gate.statement(claim, discourse)
        if made is not None:
            yield made

    def _is_fragment(self, event: Event) -> bool:
        """Whether the verb is a single character that is hardly ever a verb by itself: a piece of a name."""
        head = event.verb.head
        if len(head) > 1 or event.verb.complement:
            return False
        return head not in self._verbs.single and head not in self._verbs.copulas

    def _claims(self, event: Event, discourse: Discourse) -> Iterator[Claim]:
        verb, head = event.verb, event.verb.head
        if head in self._verbs.copulas:
            yield from self._being.copula(event)
            return
        if verb.text in self._verbs.naming or head in self._verbs.naming:
            yield from self._being.named(event)
            return
        if head == "毕业" and not event.objects and event.subjects and event.subjects[0].kind is Kind.ORGANISATION:
            yield from self._graduated(event, discourse)
            return
        if event.passive or (event.agents and not event.objects):
            yield from self._passive(event)
        elif event.agents:  # 由 甲 担任 主席
            for agent in event.agents:
                yield from (Claim(agent, verb.text, noun, Sort.PASSIVE, event.negated) for noun in event.objects)
        elif head in self._verbs.becoming or verb.text in self._verbs.becoming:
            yield from self._being.became(event)
        else:
            yield from self._active(event)
        yield from self._circumstances.claims(event)

    def _graduated(self, event: Event, discourse: Discourse) -> Iterator[Claim]:
        """北京大学 毕业, in the life of somebody."""
        for person in discourse.lead:
            if discourse.is_person(person):
                yield Claim(person, "毕业于", event.subjects[0], Sort.PHRASE, event.negated)

    def _passive(self, event: Event) -> Iterator[Claim]:
        text = event.verb.text
        for subject in event.subjects:
            for agent in event.agents:
                if text in ("组成", "构成"):
                    yield Claim(subject, f"由…{text}", agent, Sort.PASSIVE, event.negated)
                else:
                    predicate = event.verb.head if event.objects else text
                    yield Claim(agent, predicate, subject, Sort.PASSIVE, event.negated)
            if event.passive:
                yield from (Claim(subject, "被" + text, noun, Sort.PASSIVE, event.negated) for noun in event.objects)

    def _active(self, event: Event) -> Iterator[Claim]:
        verb = event.verb
        for subject in event.subjects:
            text, who = self._predicate(subject, event)
            if verb.head in ("没有", "没", "无"):
                yield from (Claim(who, "有", noun, Sort.EXISTENCE, True) for noun in event.objects)
            elif event.themes:
                yield from self._disposed(who, event)
            elif self._is_giving(event):
                yield from self._given(who, event)
            elif not self._circumstances.takes_the_object(event):
                sort = Sort.EXISTENCE if verb.head in self._verbs.existential else Sort.OBJECT
                yield from (Claim(who, text, noun, sort, event.negated) for noun in event.objects)
        if any(adverb in _TOGETHER for adverb in event.adverbs):
            yield from self._by_partners(event)

    def _predicate(self, subject: Noun, event: Event) -> tuple[str, Noun]:
        """The predicate and whose it is: 总部 设在 belongs to the company."""
        verb = event.verb
        if verb.lasting and subject.location and not subject.proper:  # 门厅 里 挂 着 长卷
            return verb.text + "着", subject
        owner = subject.owner
        if owner is None or not self._being.is_attribute(subject) or self._nouns.is_person(subject.name):
            return verb.text, subject
        if verb.head in _ATTRIBUTE_SAYS_IT:
            return subject.name, owner
        says = self._verbs.naming | self._verbs.locative | self._verbs.measuring
        if verb.text in says or verb.head in says or verb.complement in _SITUATED:
            return subject.name + verb.text, owner
        return verb.text, subject

    def _disposed(self, who: Noun, event: Event) -> Iterator[Claim]:
        """把: the theme is what is acted on, an object behind the verb where it goes or what it becomes."""
        verb = event.verb
        moves = verb.complement in self._function.state_complements | self._function.place_complements
        bare = verb.head.rstrip("给到在成为入作") or verb.head
        for theme in event.themes:
            yield Claim(who, bare if event.objects else verb.text, theme, Sort.OBJECT, event.negated)
            if moves:
                yield from (Claim(theme, verb.text, noun, Sort.OBJECT, event.negated) for noun in event.objects)
        if not moves:
            yield from (Claim(who, verb.text, noun, Sort.OBJECT, event.negated) for noun in event.objects)

    def _is_giving(self, event: Event) -> bool:
        if len(event.objects) < 2 or event.verb.head not in self._verbs.giving:
            return False
        return event.objects[0].kind is Kind.PERSON or event.objects[0].proper

    def _given(self, who: Noun, event: Event) -> Iterator[Claim]:
        """送给 我 一枚 徽章: to me, and what."""
        verb = event.verb
        asks = verb.head in ("问", "教", "欠")
        to = verb.text if asks or verb.complement == "给" or len(verb.text) > 1 else verb.text + "给"
        yield Claim(who, to, event.objects[0], Sort.OBJECT, event.negated)
        what = verb.head.removesuffix("给")
        yield from (Claim(who, what, noun, Sort.OBJECT, event.negated) for noun in event.objects[1:])

    def _by_partners(self, event: Event) -> Iterator[Claim]:
        """与 丈夫 共同 发现 镭: he discovered it too."""
        for phrase in event.phrases:
            if phrase.preposition in self._function.with_prepositions:
                for partner in phrase.nouns:
                    for noun in event.objects:
                        yield Claim(partner, event.verb.text, noun, Sort.PHRASE, event.negated)
