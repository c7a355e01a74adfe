"""Who "she", "the company" and "Curie" are: the things a passage has spoken of, and the choice among them.

A passage's referents are kept in the order they are met, the title first. A pronoun takes the best of those that fit it (a person for
"she", anything else for "it"), by nearness, by having been a subject, by being the passage's title; a short name takes the fuller name
met before; "the bridge" takes what was said to be a bridge. What fits nothing is left unresolved, and its triple is dropped: a pronoun
never becomes a name (C-25). "I" is the speaker and "you" the addressee, when the occurrence knows them (C-35).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from lpmm_core.base.names import name_key
from lpmm_core.base.records import Kind
from lpmm_core.extract.english_kinds import NOT_NAMING, Name, guess_kind
from lpmm_core.extract.english_words import Words

SUBJECT, OBJECT, OTHER = 2, 1, 0
_PROMINENCE = {SUBJECT: 0.9, OBJECT: 0.6, OTHER: 0.0}

FIRST_PERSON = frozenset({"i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves"})
SECOND_PERSON = frozenset({"you", "your", "yours", "yourself", "yourselves"})
_MALE = frozenset({"he", "him", "his", "himself"})
_FEMALE = frozenset({"she", "her", "hers", "herself"})
_NEUTRAL = frozenset({"it", "its", "itself"})
_PLURAL = frozenset({"they", "them", "their", "theirs", "themselves"})
THIRD_PERSON = _MALE | _FEMALE | _NEUTRAL | _PLURAL

_KIND_OF_TYPE = (
    ("organisation", Kind.ORGANISATION),
    ("place", Kind.PLACE),
    ("event", Kind.EVENT),
    ("work", Kind.WORK),
    ("thing", Kind.THING),
)
_GROUPS = frozenset({"band", "team", "club", "group", "orchestra", "duo", "trio", "quartet", "crew"})
_FARTHEST = 4
"""Sentences over which a pronoun may reach, the title apart."""
_IN_MIND = 60
"""How many of the last referents are thought of for a pronoun."""
_MOST_NAMES = 400


@dataclass(slots=True, eq=False)
class Referent:
    """One thing spoken of, last at (`sentence`, `word`). `person` is None while it is not known whether it is one."""

    name: str
    named: bool
    kind: Kind | None = None
    person: bool | None = None
    female: bool | None = None
    plural: bool = False
    title: bool = False
    types: set[str] = field(default_factory=set)
    sentence: int = -1
    word: int = 0
    rank: int = OTHER
    members: tuple[Referent, ...] = ()


class Discourse:
    """The referents of one passage, filled from its first sentence to its last."""

    def __init__(self, words: Words, *, title: str | None, speaker: str | None, addressee: str | None) -> None:
        self._words = words
        self._referents: list[Referent] = []
        self._by_key: dict[str, Referent] = {}
        self._by_part: dict[str, list[Referent]] = {}
        self._speaker = Referent(speaker, True, Kind.PERSON, person=True) if speaker else None
        self._addressee = Referent(addressee, True, Kind.PERSON, person=True) if addressee else None
        self.title = self._titled(title) if title else None

    # --- what is spoken of --------------------------------------------------------------------------------------------------------

    def name(self, name: Name, sentence: int, word: int, rank: int) -> Referent:
        """The referent a name stands for: one met before under this or a fuller name, else a new one."""
        found = self._met(name)
        if found is None:
            found = Referent(name.text, True)
            self._add(found)
        if found.kind is None or found.person is None:
            self._learn(found, name)
        if name.female is not None:
            found.female = name.female
        self._touch(found, sentence, word, rank)
        return found

    def noun(
        self,
        text: str,
        head: str,
        *,
        plural: bool,
        person: bool,
        female: bool | None,
        sentence: int,
        word: int,
        rank: int,
    ) -> Referent:
        """A common noun phrase as a referent, so that "it" may stand for it."""
        found = Referent(text, False, person=person, female=female, plural=plural, types={head})
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
            self._by_key[_bare(second.name)] = first

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
            kind = next((kind for group, kind in _KIND_OF_TYPE if self._words.listed(head, "nouns", group)), None)
            referent.person = False if kind is not None else referent.person
        if kind is not None and referent.named:
            referent.kind = kind
        if male != female:
            referent.female = female

    # --- what stands for it -------------------------------------------------------------------------------------------------------

    def knows(self, part: str) -> bool:
        """Whether a word, case folded, is the first or last of a name met before, or all of it."""
        return part in self._by_part or part in self._by_key

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
    ) -> tuple[Referent, ...]:
        """What a pronoun of the third person stands for; empty when nothing fits.

        `not_these` are ruled out ("John saw him": not John), `owner_of` are the subjects of the clause, to whom a possessive points
        first, `object_` says that the pronoun is an object, which another object suits.
        """
        fitting = [r for r in self._in_mind() if self._fits(r, word) and r not in not_these]
        if not fitting:
            return ()

        def score(r: Referent) -> tuple[float, int]:
            return self._nearness(r, sentence, place) + _suits(r, word, owner_of, object_=object_), r.word

        best = max(fitting, key=score)
        if sentence - best.sentence > _FARTHEST and not best.title:
            return ()
        if word in _MALE or word in _FEMALE:
            best.person, best.female = True, word in _FEMALE
            best.kind = Kind.PERSON if best.named else best.kind
        best.sentence, best.word = max((best.sentence, best.word), (sentence, place))
        return best.members or (best,)

    def definite(self, head: str, sentence: int, place: int, rank: int) -> Referent | None:
        """What "the <head>" stands for among the things met before, or None."""
        best, best_score = None, 0.0
        for r in self._in_mind():
            near = sentence - r.sentence <= _FARTHEST or r.title
            if r.plural or not near or not (r.named or " " in r.name):
                continue
            called = 3.0 if r.named else 0.9
            fit = called if head in r.types else self._class_fit(r, head) if r.named else 0.0
            score = fit + 0.2 * self._nearness(r, sentence, place) + 2 if fit else 0.0
            if score > best_score:
                best, best_score = r, score
        if best is not None:
            self._touch(best, sentence, place, rank)
            best.types.add(head)
        return best

    # --- inside -------------------------------------------------------------------------------------------------------------------

    def _titled(self, title: str) -> Referent:
        bare, _, bracket = title.partition(" (")
        name = bare.strip() or title
        found = Referent(name, True, guess_kind(name, self._words), title=True, rank=SUBJECT)
        found.types.update(bracket.rstrip(")").casefold().split())
        self._add(found)
        self._learn_from_words(found)
        return found

    def _met(self, name: Name) -> Referent | None:
        exact = self._by_key.get(_bare(name.text))
        if exact is not None:
            return exact
        parts = _parts(name.text)
        if len(parts) == 1:
            candidates = [r for r in self._by_part.get(parts[0], ()) if _shortens(name, parts[0], r)]
            return max(candidates, key=lambda r: (r.title, r.rank, -r.sentence), default=None)
        ending = [r for r in self._by_part.get(parts[-1], ()) if _parts(r.name)[-len(parts) :] == parts]
        shorter = [r for r in ending if r.person or (r.person is None and name.kind is Kind.PERSON)]
        if shorter:
            return shorter[-1]  # "De Martino" after "Alberto De Martino"
        return self.title if self._spells_title(name, parts) else None

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
        own = _parts(title.name)
        if len(own) == 1 and parts[0] == own[0]:
            title.name = name.text
            return True
        family = any(part == own[-1] or part.endswith(f"-{own[-1]}") for part in parts)
        return len(own) > 1 and family and (own[0] in parts or own[0][0] == parts[0][0])

    def _add(self, referent: Referent) -> None:
        self._keep(referent)
        if len(self._by_key) >= _MOST_NAMES:
            return
        self._by_key.setdefault(_bare(referent.name), referent)
        parts = _parts(referent.name)
        if len(parts) > 1:
            for part in _short_forms(referent.name):
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
        parts = _parts(referent.name)
        male, female = (self._words.listed(parts[0], "firstnames", group) for group in ("male", "female"))
        if referent.kind in {Kind.PERSON, None} and male != female:
            referent.female = female
        if referent.kind is Kind.PERSON:
            referent.person = True
        else:
            referent.types.add(parts[0] if " of " in referent.name.casefold() else parts[-1])
            if any(self._words.listed(parts[0], "nouns", group) for group, _ in _KIND_OF_TYPE):
                referent.types.add(parts[0])  # "Castle Ruane", "Lake Orvel"

    def _touch(self, referent: Referent, sentence: int, word: int, rank: int) -> None:
        if (sentence, word) < (referent.sentence, referent.word):
            return
        referent.rank = max(rank, referent.rank) if sentence == referent.sentence else rank
        referent.sentence, referent.word = sentence, word
        if referent in self._referents and referent is not self._referents[-1]:
            self._referents.remove(referent)
            self._referents.append(referent)

    def _fits(self, r: Referent, word: str) -> bool:
        if word in _PLURAL:
            several = r.kind is Kind.ORGANISATION and (r.rank == SUBJECT or r.title or not r.types.isdisjoint(_GROUPS))
            return r.plural or (r.named and (several or (r.person is False and r.title)))
        if r.plural:
            return False
        if word in _NEUTRAL:
            return r.person is not True and r.kind is not Kind.PERSON and r.kind not in NOT_NAMING
        inhuman = r.kind in NOT_NAMING or r.kind in {Kind.PLACE, Kind.WORK}
        if r.person is False or (r.person is None and not r.title and inhuman):
            return False
        return r.female is None or r.female == (word in _FEMALE)

    def _nearness(self, r: Referent, sentence: int, place: int) -> float:
        """How near a referent is to the mind: sentences back, its part in them, and whether the passage is about it."""
        back = sentence - r.sentence
        score = _PROMINENCE[r.rank] - back
        score += 0.8 * r.title + 0.3 * r.named - 0.4 * (r.named and r.kind is None) + 0.3 * bool(r.members)
        if r.title and back > 2:
            score += back - 2
        return score - (0.01 * max(0, place - r.word) if back == 0 else 0.0)

    def _class_fit(self, r: Referent, head: str) -> float:
        """How well "the <head>" fits a name of the same class that was not called a <head> before."""
        words, listed = self._words, self._words.listed
        if listed(head, "nouns", "organisation") and not listed(head, "nouns", "fixed"):
            other = r.types & words["nouns", "organisation"] - words["nouns", "business"] - {head}
            told = r.person is False or (r.person is None and r.title)
            return 1.0 if r.kind is Kind.ORGANISATION and told and not other else 0.0
        if listed(head, "nouns", "settlement"):
            other = r.types & words["nouns", "place"] - {head}
            return 0.8 if r.kind is Kind.PLACE and (r.rank == SUBJECT or r.title) and not other else 0.0
        if listed(head, "nouns", "anywork"):
            untold = r.title and r.person is not True and r.kind in {None, Kind.THING}
            other = r.types & words["nouns", "work"] - {head}
            return 1.0 if (r.kind is Kind.WORK or untold) and not other else 0.0
        return 0.0


def _suits(r: Referent, word: str, owner_of: tuple[Referent, ...], *, object_: bool) -> float:
    """How well a referent that fits a pronoun suits it."""
    score = 0.5 * (r in owner_of) + 0.5 * (object_ and r.rank == OBJECT)
    if word in _MALE or word in _FEMALE:
        score += 0.8 * (r.female is not None) + 0.4 * (r.person is True)
    return score


def _shortens(name: Name, part: str, full: Referent) -> bool:
    """Whether a name of one word may be short for `full`."""
    parts = _parts(full.name)
    a_place = name.kind is Kind.PLACE and name.sure
    if full.person or (full.person is None and full.title and not a_place):
        return part in _short_forms(full.name)
    if a_place or (name.kind is Kind.PERSON and name.sure and not full.title) or len(parts) > 4:
        return False
    return full.kind is Kind.ORGANISATION and (part == parts[0] or " of " not in full.name)


def _short_forms(name: str) -> set[str]:
    """The words of a name that may stand for it; behind "of" stands another name ("Margaret of Anjou")."""
    parts = _parts(name)
    return {parts[0]} if "of" in parts else {parts[0], parts[-1]}


def _parts(name: str) -> list[str]:
    return [bare for part in name.split() if (bare := part.strip(".,'\"()").casefold())] or [name.casefold()]


def _bare(name: str) -> str:
    return name_key(name).removeprefix("the ")
