"""What something is, is called or becomes: 是, 叫, 担任, and whose attribute it is.

'X 是 Y 的 Z' is (X, 是…的Z, Y) and 'Y 的 Z 是 X' is (Y, Z, X): both ends are names that other facts share, and the two predicates tell the
direction, which 父亲 alone would not. An office is kept with its verb: (X, 担任…的校长, Y).
"""

from __future__ import annotations

from collections.abc import Iterator

from lpmm_core.base.records import Kind
from lpmm_core.extract.chinese.claims import Claim, Sort
from lpmm_core.extract.chinese.events import Event
from lpmm_core.extract.chinese.lists import Vocabulary
from lpmm_core.extract.chinese.nouns import Noun

_NO_PERSON = frozenset((Kind.EMAIL, Kind.URL, Kind.PHONE, Kind.MONEY, Kind.DATE))


class BeingReader:
    """Reads copulas, names and offices."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._verbs = vocabulary.verbs
        self._nouns = vocabulary.nouns

    def copula(self, event: Event) -> Iterator[Claim]:
        """X 是 Y, X 的 A 是 Y, 以 X 为 Y."""
        negated = event.negated or event.verb.head.startswith(("不", "并不", "并非"))
        using = next((phrase for phrase in event.phrases if phrase.preposition == "以"), None)
        if using is not None and event.verb.text in ("为", "作为"):  # 以 竹子 为 食
            predicate = f"以…为{event.objects[0].name}" if event.objects else "以…为"
            for subject in event.subjects:
                yield from (Claim(subject, predicate, noun, Sort.PHRASE, negated) for noun in using.nouns)
            return
        for subject in event.subjects:
            for noun in event.objects:
                if event.appointed:  # 任命 甲 为 乙
                    yield Claim(subject, f"被{event.appointed}{event.verb.text}", noun, Sort.COPULA, negated)
                else:
                    yield from self._is(subject, noun, negated=negated)
            if not event.objects and event.times and self.is_attribute(subject) and subject.owner is not None:
                yield Claim(subject.owner, subject.name, event.times[-1], Sort.ATTRIBUTE, negated)

    def _is(self, subject: Noun, noun: Noun, *, negated: bool) -> Iterator[Claim]:
        if subject.owner is not None and self.is_attribute(subject):
            person = self._nouns.is_role(subject.name)
            if person and noun.kind in _NO_PERSON:
                return
            if not person or noun.proper or noun.kind is not Kind.PERSON:
                yield Claim(subject.owner, subject.name, noun, Sort.ATTRIBUTE, negated)
                return
        if noun.is_quantity:
            return
        role = subject.owner is not None and self._nouns.may_title(subject.name)
        if role and subject.owner is not None and noun.proper and noun.kind is Kind.PERSON:  # 塔 的 守塔人 是 鲁阿满
            yield Claim(subject.owner, subject.name, noun, Sort.ATTRIBUTE, negated)
            return
        owner = noun.owner if noun.owner is not None and noun.owner.name and not noun.proper else None
        if owner is not None and (noun.praise or owner.proper or self._nouns.is_role(noun.head)):
            yield Claim(subject, f"是…的{_ranked(noun)}", owner, Sort.COPULA, negated)
            return
        yield Claim(subject, "是", noun, Sort.COPULA, negated)

    def named(self, event: Event) -> Iterator[Claim]:
        """X 叫 Y, X 的 A 叫 Y."""
        predicate = event.verb.text
        if event.passive and not predicate.startswith("被"):
            predicate = "被" + predicate
        given = next((phrase.nouns for phrase in event.phrases if phrase.preposition == "给"), None)
        for subject in given or event.subjects:  # 给 它 取名 X: it is called X
            owner = subject.owner if self.is_attribute(subject) and subject.name not in self._nouns.kinship else None
            for noun in event.objects:
                if subject.restricted and not subject.proper and owner is None:  # 两腰 相等 的 三角形 叫做 …
                    yield Claim(noun, "是", subject, Sort.COPULA, event.negated)
                elif owner is None:
                    yield Claim(subject, predicate, noun, Sort.NAMING, event.negated)
                else:
                    whole = subject.name if self._nouns.is_role(subject.name) else subject.name + predicate
                    yield Claim(owner, whole, noun, Sort.NAMING, event.negated)

    def became(self, event: Event) -> Iterator[Claim]:
        """X 担任 Y 的 Z."""
        text = ("被" if event.passive else "") + event.verb.text
        for subject in event.subjects:
            for noun in event.objects:
                owner = noun.owner
                if owner is not None and owner.name and not noun.proper and (owner.proper or noun.praise):
                    yield Claim(subject, f"{text}…的{_ranked(noun)}", owner, Sort.COPULA, event.negated)
                else:
                    yield Claim(subject, text, noun, Sort.COPULA, event.negated)

    def is_attribute(self, noun: Noun) -> bool:
        """Whether a noun with an owner says something about the owner: 父亲, 首都, 身高."""
        if noun.proper:
            return False
        return (
            noun.name in self._nouns.attributes or noun.name in self._nouns.kinship or noun.name in self._nouns.measures
        )


def _ranked(noun: Noun) -> str:
    return noun.praise.removesuffix("的") + noun.name
