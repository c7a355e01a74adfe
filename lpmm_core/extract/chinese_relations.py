"""Events to triples: what a clause states, said so that the graph connects.

Choices worth knowing:

- 'X 是 Y 的 Z' is (X, 是…的Z, Y) and 'Y 的 Z 是 X' is (Y, Z, X). Both ends are names that other facts share, and the two predicates tell
  the direction: 父亲 alone would say either.
- A preposition joins its verb: 毕业于, 住在, 与…结婚, 对…产生兴趣. 被 and 由 give the agent his verb back: 'Y 被 X 收购' is (X, 收购, Y).
- An event with a place or a date of coming into being states it about what came into being: (公司, 创办于, 杭州).
- A member of a coordination has each fact to itself. What has no name (a pronoun that stands for nobody, 情况, 时候) makes no triple.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lpmm_core.base.names import why_not_a_name
from lpmm_core.base.records import Kind
from lpmm_core.extract.chinese_discourse import Discourse
from lpmm_core.extract.chinese_events import Event, Phrase, Rule
from lpmm_core.extract.chinese_lists import Vocabulary
from lpmm_core.extract.chinese_nouns import Noun

_DATED = re.compile(r"[0-9０-９]|[〇零一二三四五六七八九]{4}年|世纪|公元|时期$|时代$|年间$|朝$|末年$|初年$")
_VAGUE_TIME = re.compile(r"岁|小时|分钟|天|次|届|左右")
_IN_ORDER_TO = frozenset(("用来", "用于", "用以", "用作"))
_UNITS = re.compile(
    r"(?:米|里|亩|公顷|吨|公斤|千克|克|升|度|元|岁|人|万|亿|层|倍|分钟|小时|英尺|英里|海里|立方|平方|%|％|天|年|座位|席|集|页|字|票|分|美金|镑|法郎|马克|卢布|瓦|赫兹|安|伏)[多余]?$"
)
_LONGEST_END = 30
_TOGETHER = frozenset(("共同", "一起", "一同", "联合", "合作", "携手"))
_MEASURING = frozenset(
    "占地 全长 达 达到 高 高达 长 长达 重 重达 宽 宽达 深 深达 总长 为 是 约 共 有 身高 体重 海拔 面积 占 约为 超过 有着".split()
)

CONFIDENCE = {
    "copula": 0.8,
    "naming": 0.85,
    "attribute": 0.8,
    "apposition": 0.8,
    "object": 0.75,
    "passive": 0.75,
    "phrase": 0.7,
    "place": 0.65,
    "date": 0.7,
    "existence": 0.7,
}
_OF_RULE = {Rule.CLAUSE: 1.0, Rule.CARRIED: 0.9, Rule.RELATIVE: 0.9, Rule.PIVOT: 0.85, Rule.FAR: 0.8}


@dataclass(frozen=True, slots=True)
class Statement:
    """A triple before it has its sentence, with the noun phrases its ends came from (None for a date)."""

    subject: str
    predicate: str
    object: str
    confidence: float
    negated: bool = False
    subject_noun: Noun | None = None
    object_noun: Noun | None = None
    object_kind: Kind = Kind.DATE


class RelationReader:
    """Turns events and appositions into statements."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._verbs = vocabulary.verbs
        self._nouns = vocabulary.nouns
        self._function = vocabulary.function

    def statements(self, event: Event, discourse: Discourse) -> Iterator[Statement]:
        """Yield what `event` states; nothing for what is asked or supposed."""
        head = event.verb.head
        if event.hypothetical or (
            len(head) == 1
            and not event.verb.complement
            and head not in self._verbs.single
            and head not in self._verbs.copulas
        ):
            return
        if event.passive and any(adverb in _IN_ORDER_TO for adverb in event.adverbs):
            event = replace(event, passive=False)  # 被 用来 治疗 is said of the remedy
        factor = _OF_RULE[event.rule]
        for subject, predicate, noun, rule, negated in self._read(event, discourse):
            made = self._statement(subject, predicate, noun, CONFIDENCE[rule] * factor, negated, discourse)
            if made is not None:
                yield made

    def appositions(self, noun: Noun, discourse: Discourse) -> Iterator[Statement]:
        """Yield what a name's apposition states: 设计师 林夏, 国务院 总理 李明远, 莫言 的 新作 《…》."""
        if not noun.title or noun.title in self._function.plain_adjectives:
            return
        owner = noun.title_owner
        if owner is not None and (owner.name or owner.is_quantity):
            made = self._statement(noun, f"是…的{noun.title}", owner, CONFIDENCE["apposition"], False, discourse)
        elif noun.title in self._nouns.kinship or noun.title in self._nouns.vague or len(noun.title) < 2:
            return
        else:
            title = Noun(noun.title, noun.title, Kind.PERSON if noun.kind is Kind.PERSON else Kind.THING, 0, 0)
            made = self._statement(noun, "是", title, CONFIDENCE["apposition"], False, discourse)
        if made is not None:
            yield made

    # --- one rule after the other -------------------------------------------------------------------------------------------

    def _read(self, event: Event, discourse: Discourse) -> Iterator[tuple[Noun, str, Noun | str, str, bool]]:
        verb, head = event.verb, event.verb.head
        if head in self._verbs.copulas or (head == "为" and not event.passive):
            yield from self._copula(event, discourse)
            return
        if verb.text in self._verbs.naming or head in self._verbs.naming:
            for subject in event.subjects:
                yield from self._named(subject, event, verb.text)
            return
        if event.passive or (event.agents and not event.objects):
            yield from self._passive(event)
        elif event.agents:
            for agent in event.agents:  # 由 甲 担任 主席
                for noun in event.objects:
                    yield agent, verb.text, noun, "passive", event.negated
        else:
            yield from self._active(event)
        yield from self._phrases(event)
        yield from self._dates(event)

    def _copula(self, event: Event, discourse: Discourse) -> Iterator[tuple[Noun, str, Noun | str, str, bool]]:
        negated = event.negated or event.verb.head == "不是" or event.verb.head == "并不是"
        using = [phrase for phrase in event.phrases if phrase.preposition == "以"]
        if using and event.verb.text in ("为", "作为"):  # 以 竹子 为 食
            for subject in event.subjects:
                for noun in using[0].nouns:
                    yield (
                        subject,
                        f"以…为{event.objects[0].name}" if event.objects else "以…为",
                        noun,
                        "phrase",
                        negated,
                    )
            return
        for subject in event.subjects:
            for noun in event.objects[: 1 if event.objects and event.objects[0].owner is not None else None]:
                yield from self._is(subject, noun, negated)
        if not event.objects and event.times:
            for subject in event.subjects:
                if subject.owner is not None and subject.name in self._nouns.attributes:
                    yield subject.owner, subject.name, event.times[-1], "attribute", negated

    def _is(self, subject: Noun, noun: Noun, negated: bool) -> Iterator[tuple[Noun, str, Noun | str, str, bool]]:
        owner = subject.owner
        if (
            owner is not None
            and not subject.proper
            and (subject.name in self._nouns.attributes or subject.name in self._nouns.kinship)
        ):
            person = subject.name in self._nouns.kinship or self._nouns.is_role(subject.name)
            if not person or noun.proper or noun.kind is not Kind.PERSON:
                yield owner, subject.name, noun, "attribute", negated
                return
        if noun.is_quantity:
            return
        if noun.owner is not None and noun.owner.name and not noun.proper:
            relational = noun.praise or noun.owner.proper or self._nouns.is_role(noun.head)
            if relational:
                yield subject, f"是…的{noun.praise.removesuffix('的')}{noun.name}", noun.owner, "copula", negated
                return
        yield subject, "是", noun, "copula", negated

    def _named(self, subject: Noun, event: Event, predicate: str) -> Iterator[tuple[Noun, str, Noun | str, str, bool]]:
        for noun in event.objects:
            if (
                subject.owner is not None
                and subject.name in self._nouns.attributes
                and subject.name not in self._nouns.kinship
            ):
                person = self._nouns.is_role(subject.name)
                yield subject.owner, subject.name if person else subject.name + predicate, noun, "naming", event.negated
            else:
                yield (
                    subject,
                    ("被" if event.passive and not predicate.startswith("被") else "") + predicate,
                    noun,
                    "naming",
                    event.negated,
                )

    def _passive(self, event: Event) -> Iterator[tuple[Noun, str, Noun | str, str, bool]]:
        text = event.verb.text
        for subject in event.subjects:
            for agent in event.agents:
                if text in ("组成", "构成"):
                    yield subject, f"由…{text}", agent, "passive", event.negated
                else:
                    yield (
                        agent,
                        event.verb.text if not event.objects else event.verb.head,
                        subject,
                        "passive",
                        event.negated,
                    )
            for noun in event.objects:
                if event.passive:
                    yield subject, "被" + text, noun, "passive", event.negated

    def _active(self, event: Event) -> Iterator[tuple[Noun, str, Noun | str, str, bool]]:
        verb = event.verb
        objects = list(event.objects)
        for subject in event.subjects:
            if verb.head in self._verbs.becoming or verb.text in self._verbs.becoming:
                yield from self._became(subject, event)
                continue
            text, who = self._predicate(subject, event)
            if who is None:
                continue
            if verb.head in ("没有", "没", "无"):
                for noun in objects:
                    yield who, "有", noun, "existence", True
                continue
            if event.themes:
                yield from self._disposed(who, event)
                continue
            if (
                len(objects) > 1
                and verb.head in self._verbs.giving
                and (objects[0].kind is Kind.PERSON or objects[0].proper)
            ):
                yield (
                    who,
                    verb.text if verb.complement == "给" else verb.text + ("给" if len(verb.text) == 1 else ""),
                    objects[0],
                    "object",
                    event.negated,
                )
                for noun in objects[1:]:
                    yield who, verb.head.removesuffix("给"), noun, "object", event.negated
                continue
            light = verb.head in self._verbs.light and any(self._joins(phrase) for phrase in event.phrases)
            if not light:
                for noun in objects:
                    yield (
                        who,
                        text,
                        noun,
                        "existence" if verb.head in self._verbs.existential else "object",
                        event.negated,
                    )
            if any(adverb in _TOGETHER for adverb in event.adverbs):
                for phrase in event.phrases:
                    if phrase.preposition in self._function.with_prepositions:
                        for partner in phrase.nouns:
                            for noun in objects:
                                yield partner, text, noun, "phrase", event.negated

    def _predicate(self, subject: Noun, event: Event) -> tuple[str, Noun | None]:
        """The predicate and whose it is: 总部 设在 belongs to the company."""
        text = event.verb.text
        if (
            subject.owner is not None
            and not subject.proper
            and subject.name in self._nouns.attributes
            and not self._nouns.is_person(subject.name)
        ):
            if event.verb.head in ("有", "包括", "在", "达", "达到", "来自"):
                return (subject.name if event.verb.head != "在" else subject.name + "在"), subject.owner
            return subject.name + text, subject.owner
        return text, subject

    def _became(self, subject: Noun, event: Event) -> Iterator[tuple[Noun, str, Noun | str, str, bool]]:
        text = ("被" if event.passive else "") + event.verb.text
        for noun in event.objects:
            if noun.owner is not None and noun.owner.name and not noun.proper and (noun.owner.proper or noun.praise):
                yield (
                    subject,
                    f"{text}…的{noun.praise.removesuffix('的')}{noun.name}",
                    noun.owner,
                    "copula",
                    event.negated,
                )
            else:
                yield subject, text, noun, "copula", event.negated

    def _disposed(self, who: Noun, event: Event) -> Iterator[tuple[Noun, str, Noun | str, str, bool]]:
        """把: the theme is what is acted on, an object behind the verb where it goes or what it becomes."""
        verb = event.verb
        for theme in event.themes:
            bare = verb.head.rstrip("给到在成为入作") or verb.head
            yield who, bare if event.objects else verb.text, theme, "object", event.negated
            if verb.complement in ("成", "为", "作", "成为", "做", "在", "到", "入", "进"):
                for noun in event.objects:
                    yield theme, verb.text, noun, "object", event.negated
        if verb.complement not in ("成", "为", "作", "成为", "做", "在", "到", "入", "进"):
            for noun in event.objects:
                yield who, verb.text, noun, "object", event.negated

    # --- prepositional phrases and times ------------------------------------------------------------------------------------

    def _joins(self, phrase: Phrase) -> bool:
        return (
            phrase.preposition in self._function.with_prepositions
            or phrase.preposition in self._function.toward_prepositions
        )

    def _phrases(self, event: Event) -> Iterator[tuple[Noun, str, Noun | str, str, bool]]:
        text = event.verb.text
        for phrase in event.phrases:
            for noun in phrase.nouns:
                if phrase.preposition in self._function.place_prepositions:
                    yield from self._place(event, noun)
                    continue
                for subject in event.subjects:
                    predicate = self._joined(event, phrase)
                    if predicate:
                        yield subject, predicate, noun, "phrase", event.negated
        del text

    def _joined(self, event: Event, phrase: Phrase) -> str:
        """The predicate of a phrase with its verb, empty when the phrase says nothing of its own."""
        verb, preposition = event.verb, phrase.preposition
        if preposition in self._function.from_prepositions:
            if event.objects or event.themes:
                return ""
            if verb.head in ("来", "毕业"):
                return "来自" if verb.head == "来" else "毕业于"
            return f"从…{verb.text}"
        if preposition in self._function.with_prepositions or preposition in self._function.toward_prepositions:
            if verb.head in self._verbs.saying and preposition in ("对", "向", "跟", "和", "与") and not event.objects:
                return ""
            if not event.objects:
                return f"{preposition}…{verb.text}"
            short = event.objects[0]
            if verb.head in self._verbs.light or (
                preposition in self._function.with_prepositions and not short.proper and len(short.name) <= 4
            ):
                return f"{preposition}…{verb.text}{short.name}"
            if preposition in self._function.with_prepositions or (
                preposition in ("给", "向", "对", "为") and phrase.nouns[0].kind is Kind.PERSON
            ):
                return f"{preposition}…{verb.text}"
            return ""
        if preposition in self._function.using_prepositions and preposition == "以" and not event.objects:
            return f"以…{verb.text}"
        return ""

    def _place(self, event: Event, noun: Noun) -> Iterator[tuple[Noun, str, Noun | str, str, bool]]:
        verb = event.verb
        if (
            verb.head in ("来", "去", "起来", "说", "看")
            or noun.name in self._nouns.vague
            or noun.location in ("中", "上", "下", "方面", "期间", "之后", "之前", "以后", "以前", "时", "之中", "当中")
            and noun.kind is not Kind.PLACE
        ):
            return
        if verb.head in self._verbs.existential and event.objects and not event.subjects:
            for thing in event.objects:
                yield noun, "有", thing, "existence", event.negated
            return
        predicate = (
            verb.text if verb.text.endswith(("于", "在")) else verb.text + ("于" if len(verb.text) > 1 else "在")
        )
        if not event.objects:
            targets = event.subjects if not event.themes else event.themes
        elif verb.head in self._verbs.creating:
            targets = event.objects
        else:
            return
        for target in targets:
            yield target, predicate, noun, "place", event.negated

    def _dates(self, event: Event) -> Iterator[tuple[Noun, str, Noun | str, str, bool]]:
        verb = event.verb
        times = [time for time in event.times if _DATED.search(time) and not _VAGUE_TIME.search(time)]
        if not times or event.negated or (verb.head in self._verbs.saying and not event.objects):
            return
        bare = verb.head.removesuffix("于").removesuffix("在")
        joined = verb.text.endswith(("于", "在"))
        if (joined and not event.objects) or bare in self._verbs.dating:
            if event.objects and bare in self._verbs.creating and not event.passive:
                targets: Sequence[Noun] = event.objects
            elif event.objects and not joined:
                return
            else:
                targets = event.subjects
            for target in targets:
                yield target, bare + "于", times[0], "date", False

    # --- what may stand at the end of a triple --------------------------------------------------------------------------------

    def _statement(
        self, subject: Noun, predicate: str, noun: Noun | str, confidence: float, negated: bool, discourse: Discourse
    ) -> Statement | None:
        subject_name = self._end(subject, discourse)
        object_name = noun if isinstance(noun, str) else self._end(noun, discourse)
        if not subject_name or not object_name or subject_name == object_name or subject.is_quantity:
            return None
        if predicate in self._verbs.empty or len(predicate) > 20:
            return None
        if (
            isinstance(noun, Noun)
            and noun.is_quantity
            and not (
                predicate in self._nouns.attributes or (self._measures(predicate) and _UNITS.search(noun.quantity))
            )
        ):
            return None
        if why_not_a_name(subject_name) or why_not_a_name(object_name):
            return None
        return Statement(
            subject_name,
            predicate,
            object_name,
            round(confidence, 3),
            negated,
            subject,
            noun if isinstance(noun, Noun) else None,
        )

    def _end(self, noun: Noun, discourse: Discourse) -> str:
        if noun.pronoun:
            return ""
        if noun.name in self._nouns.vague and noun.owner is None:
            return ""
        if noun.is_quantity:
            return noun.quantity
        shown = discourse.shown(noun)
        return shown if len(shown) <= _LONGEST_END else ""

    def _measures(self, predicate: str) -> bool:
        return (
            predicate in _MEASURING
            or predicate in self._nouns.measures
            or predicate in self._nouns.attributes
            or predicate.endswith(("达", "长", "高", "约"))
        )
