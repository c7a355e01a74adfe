"""Who "she", "the company" and "Curie" are: the things a passage has spoken of, and the choice among them.

A passage's referents are kept in the order they are met, the title first. A pronoun takes the best of those that fit it (a person for
"she", anything else for "it"), by nearness, by having been a subject, by being the passage's title; a short name takes the fuller name
met before; "the bridge" takes what was said to be a bridge. What fits nothing is left unresolved, and its triple is dropped: a pronoun
never becomes a name. "I" is the speaker and "you" the addressee, when the occurrence knows them.
"""

from __future__ import annotations

from collections.abc import Iterable

from lpmm_core.base.records import Kind
from lpmm_core.extract.english.kinds import Name, guess_kind
from lpmm_core.extract.english.referents import (
    FEMALE,
    FIRST_PERSON,
    KIND_OF_TYPE,
    MALE,
    PERSONAL,
    PLURAL,
    SUBJECT,
    Referent,
    bare,
    class_fit,
    fits,
    nearness,
    parts_of,
    short_forms,
    shortens,
    suits,
)
from lpmm_core.extract.english.words import Words

_FARTHEST = 4
"""Sentences over which a pronoun may reach, the title apart."""
_IN_MIND = 60
"""How many of the last referents are thought of for a pronoun."""
_MOST_NAMES = 400


class Discourse:
    """The referents of one passage, filled from its first sentence to its last; `terms` are the document's."""

    def __init__(
        self, words: Words, *, title: str | None, speaker: str | None, addressee: str | None, terms: Iterable[str] = ()
    ) -> None:
        self._words = words
        self._by_head: dict[str, list[str]] = {}
        for term in terms:
            if 1 < len(term.split()) < 6:
                self._by_head.setdefault(parts_of(term)[-1], []).append(term)
        self._referents: list[Referent] = []
        self._by_key: dict[str, Referent] = {}
        self._by_part: dict[str, list[Referent]] = {}
        self._speaker = Referent(speaker, True, Kind.PERSON, person=True) if speaker else None
        self._addressee = Referent(addressee, True, Kind.PERSON, person=True) if addressee else None
        self.title = self._titled(title) if title else None

    # --- what is spoken of --------------------------------------------------------------------------------------------------------

    def name(self, name: Name, sentence: int, word: int, rank: int, *, introduced: bool = False) -> Referent:
        """The referent a name stands for: one met before under this or a fuller name, else a new one.

        A name that the sentence introduces ("a teacher called Penn", "his wife Sophie") is no Ida Penn of the document and no other
        Sophie.
        """
        found = self._by_key.get(bare(name.text)) if introduced else self._met(name)
        if found is None:
            found = Referent(name.text if introduced else self._full_name(name), True)
            self._add(found)
        if found.kind is None or found.person is None:
            self._learn(found, name)
        if name.female is not None:
            found.female = name.female
        self._touch(found, sentence, word, rank)
        return found

    def aside(self, name: Name) -> Referent:
        """What a name stands for that is not spoken of itself; it is remembered only if it was met before."""
        return self._met(name) or Referent(name.text, True, name.kind)

    def noun(
        self,
        text: str,
        head: str,
        *,
        plural: bool,
        person: bool,
        female: bool | None,
        unknown: bool = False,
        sentence: int,
        word: int,
        rank: int,
    ) -> Referent:
        """A common noun phrase as a referent, so that "it" may stand for it."""
        found = Referent(text, False, person=person, female=female, unknown=unknown, plural=plural, types={head})
        self._keep(found)
        self._touch(found, sentence, word, rank)
        return found

    def group(self, members: Iterable[Referent], sentence: int, word: int, rank: int) -> None:
        """Several things joined by "and", for which "they" may stand."""
        found = tuple(dict.fromkeys(members))
        if len(found) > 1:
            named, people = all(m.named for m in found), all(m.person is not False for m in found)
            together = Referent("", named, plural=True, members=found, person=people)
            self._keep(together)
            self._touch(together, sentence, word, rank)

    def alias(self, long: tuple[Referent, ...], short: tuple[Referent, ...]) -> None:
        """From here on the shorter name stands for the longer ("National Basketball Association (NBA)")."""
        if len(long) == len(short) == 1 and long[0].named and short[0].named:
            first, second = sorted((long[0], short[0]), key=lambda r: -len(r.name))
            self._by_key[bare(second.name)] = first

    def is_a(self, referent: Referent, head: str) -> None:
        """Remember that `referent` was said to be a `head`."""
        referent.types.add(head)
        male, female = self._words.listed(head, "people", "male"), self._words.listed(head, "people", "female")
        company = referent.kind is Kind.ORGANISATION and self._words.listed(
            head, "nouns", "organisation"
        )  # "publisher"
        if not company and (male or female or self._words.listed(head, "people", "role", "kin")):
            referent.person = True
            kind: Kind | None = Kind.PERSON
        else:
            kind = next((kind for group, kind in KIND_OF_TYPE if self._words.listed(head, "nouns", group)), None)
            referent.person = False if kind is not None else referent.person
        if kind is not None and referent.named:
            referent.kind = kind
        if male != female:
            referent.female = female

    # --- what stands for it -------------------------------------------------------------------------------------------------------

    def knows(self, part: str) -> bool:
        """Whether a word, case folded, is the first or last of a name met before, or all of it."""
        return part in self._by_part or part in self._by_key

    @property
    def speaks(self) -> bool:
        """Whether the passage is what somebody says."""
        return self._speaker is not None

    def person(self, word: str) -> Referent | None:
        """The speaker for "I" and "we", the addressee for "you"; None when the occurrence does not know them."""
        return self._speaker if word in FIRST_PERSON else self._addressee

    def pronoun(
        self,
        word: str,
        sentence: int,
        place: int,
        *,
        not_these: tuple[Referent, ...] = (),
        owner_of: tuple[Referent, ...] = (),
        object_: bool = False,
        rank: int | None = None,
        people: bool = False,
    ) -> tuple[Referent, ...]:
        """What a pronoun of the third person stands for; empty when nothing fits.

        `not_these` are ruled out ("John saw him": not John), `owner_of` are the subjects of the clause, to whom a possessive points
        first, `object_` says that the pronoun is an object, which another object suits, `people` that only a person has such a thing.
        """
        fitting = [r for r in self._in_mind() if fits(self._words, r, word) and r not in not_these]
        if people:
            fitting = [r for r in fitting if r.person is not False and (r.person or r.named)]
            alone = [r for r in fitting if r.named]
            fitting = alone if alone or word in PLURAL else fitting
        fitting = fitting or [r for r in self._in_mind() if word in PERSONAL and self._may_be_human(r, sentence)]
        if not fitting:
            return ()

        def score(r: Referent) -> tuple[float, int]:
            return nearness(r, sentence, place) + suits(r, word, owner_of, object_=object_), r.word

        best = max(fitting, key=score)
        if sentence - best.sentence > _FARTHEST and not best.title:
            return ()
        if word in MALE or (word in FEMALE and best.types.isdisjoint(self._words["nouns", "ship"])):
            best.person, best.female, best.guessed = True, word in FEMALE, False
            best.kind = Kind.PERSON if best.named else best.kind
        if rank is not None:
            self._touch(best, sentence, place, rank)
        return () if best.unknown else best.members or (best,)

    def definite(self, head: str, sentence: int, place: int, rank: int) -> Referent | None:
        """What "the <head>" stands for among the things met before, or None."""
        best, best_score = None, 0.0
        for r in self._in_mind():
            near = sentence - r.sentence <= _FARTHEST or r.title
            if r.plural or not near or r.members:
                continue
            called = 1.6 if r.named else 0.9 if " " in r.name else 0.6
            fit = called if r.types & self._words.alike(head) else class_fit(self._words, r, head)
            score = fit + 0.35 * nearness(r, sentence, place) + 2 if fit else 0.0
            if score > best_score:
                best, best_score = r, score
        if best is None:
            best = self._of_document(head)
        if best is not None:
            self._touch(best, sentence, place, rank)
            best.types.add(head)
        return best

    def _of_document(self, head: str) -> Referent | None:
        """The one thing of which the document's terms say that it is a `head`: "the dam" is the Imbrey Dam."""
        terms = self._by_head.get(head, [])
        if len(terms) != 1:
            return None
        found = self._by_key.get(bare(terms[0]))
        if found is None:
            found = Referent(terms[0], True, guess_kind(terms[0], self._words))
            self._add(found)
        return found

    def about(self, referent: Referent) -> None:
        """From here on the passage is about `referent`, as if it were its title."""
        referent.title, referent.rank, self.title = True, SUBJECT, referent

    # --- inside -------------------------------------------------------------------------------------------------------------------

    def _may_be_human(self, r: Referent, sentence: int) -> bool:
        """Whether "she" may be a subject just named that the recogniser took for an organisation, though no word in it says so."""
        taken = r.named and not r.plural and r.kind in {None, Kind.ORGANISATION, Kind.THING, Kind.WORK}
        near = r.rank == SUBJECT and sentence - r.sentence < 2
        return taken and near and len(r.name.split()) < 4 and guess_kind(r.name, self._words) is None

    def _titled(self, title: str) -> Referent:
        plain, _, bracket = title.partition(" (")
        name = plain.strip() or title
        found = Referent(name, True, guess_kind(name, self._words), title=True, rank=SUBJECT)
        found.types.update(bracket.rstrip(")").casefold().split())
        self._add(found)
        if "of" not in parts_of(name) and found.kind in {Kind.PERSON, None}:
            for part in parts_of(name)[1:-1]:  # Salvidienus is Quintus Salvidienus Rufus
                self._by_part.setdefault(part, []).append(found)
        self._learn_from_words(found)
        return found

    def _met(self, name: Name) -> Referent | None:
        exact = self._by_key.get(bare(name.text))
        if exact is not None:
            return exact
        parts = parts_of(name.text)
        if len(parts) == 1:
            candidates = [r for r in self._by_part.get(parts[0], ()) if shortens(name, parts[0], r)]
            return max(candidates, key=lambda r: (r.title, r.rank, -r.sentence), default=None)
        ending = [r for r in self._by_part.get(parts[-1], ()) if parts_of(r.name)[-len(parts) :] == parts]
        shorter = [r for r in ending if r.person or (r.person is None and name.kind is Kind.PERSON)]
        if shorter:
            return shorter[-1]  # "De Martino" after "Alberto De Martino"
        return self.title if self._spells_title(name, parts) else None

    def _full_name(self, name: Name) -> str:
        """A family name as the full name that the document has for it, when it has one only."""
        if len(name) > 1 or (name.sure and name.kind is not Kind.PERSON):
            return name.text
        terms = self._by_head.get(parts_of(name.text)[0], [])
        person = len(terms) == 1 and guess_kind(terms[0], self._words) in {None, Kind.PERSON}
        return terms[0] if person and len(terms[0].split()) < 4 else name.text

    def _spells_title(self, name: Name, parts: list[str]) -> bool:
        """Whether a name that opens the passage spells the title's person more fully.

        "Maria Salomea Curie" under the title "Marie Curie"; under "Charles, Count of Valois" it becomes the person's name.
        """
        title = self.title
        if (
            title is None
            or title.sentence >= 0
            or name.first > 1
            or name.kind is not Kind.PERSON
            or title.person is False
        ):
            return False
        own = parts_of(title.name)
        if len(own) == 1 and parts[0] == own[0]:
            title.name = name.text
            return True
        family = any(part == own[-1] or part.endswith(f"-{own[-1]}") for part in parts)
        return len(own) > 1 and family and (own[0] in parts or own[0][0] == parts[0][0])

    def _add(self, referent: Referent) -> None:
        self._keep(referent)
        if len(self._by_key) >= _MOST_NAMES:
            return
        self._by_key.setdefault(bare(referent.name), referent)
        parts = parts_of(referent.name)
        if len(parts) > 1:
            for part in short_forms(referent.name):
                self._by_part.setdefault(part, []).append(referent)

    def _keep(self, referent: Referent) -> None:
        if len(self._referents) >= 2 * _IN_MIND:
            del self._referents[:-_IN_MIND]
        self._referents.append(referent)

    def _in_mind(self) -> list[Referent]:
        recent = self._referents[-_IN_MIND:]
        return recent if self.title is None or self.title in recent else [*recent, self.title]

    def _learn(self, referent: Referent, name: Name) -> None:
        if name.sure or referent.kind is None:
            referent.kind = name.kind
        if name.kind is Kind.PERSON:
            referent.person = True
        elif name.sure and not referent.title:
            referent.person = False
        self._learn_from_words(referent)

    def _learn_from_words(self, referent: Referent) -> None:
        parts = parts_of(referent.name)
        male, female = (self._words.listed(parts[0], "firstnames", group) for group in ("male", "female"))
        if referent.kind in {Kind.PERSON, None} and male != female:
            referent.female, referent.guessed = female, True
        if referent.kind is Kind.PERSON:
            referent.person = True
        else:
            referent.types.add(parts[0] if " of " in referent.name.casefold() else parts[-1])
            if any(self._words.listed(parts[0], "nouns", group) for group, _ in KIND_OF_TYPE):
                referent.types.add(parts[0])  # "Castle Ruane", "Lake Orvel"

    def _touch(self, referent: Referent, sentence: int, word: int, rank: int) -> None:
        if (sentence, word) < (referent.sentence, referent.word):
            return
        referent.rank = max(rank, referent.rank) if sentence == referent.sentence else rank
        referent.sentence, referent.word = sentence, word
        if referent in self._referents and referent is not self._referents[-1]:
            self._referents.remove(referent)
            self._referents.append(referent)
