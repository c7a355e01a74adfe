"""What a passage spoke of, and how well it fits a pronoun, a short name or "the bridge".

Who "she" may be is told by kind and gender; who she is, by nearness, by having been a subject and by being the passage's title.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lpmm_core.base.names import name_key
from lpmm_core.base.records import Kind
from lpmm_core.extract.english.kinds import NOT_NAMING, Name
from lpmm_core.extract.english.words import Words

SUBJECT, OBJECT, OTHER = 2, 1, 0
_PROMINENCE = {SUBJECT: 0.9, OBJECT: 0.6, OTHER: 0.0}

FIRST_PERSON = frozenset({"i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves"})
SECOND_PERSON = frozenset({"you", "your", "yours", "yourself", "yourselves"})
MALE = frozenset({"he", "him", "his", "himself"})
FEMALE = frozenset({"she", "her", "hers", "herself"})
_NEUTRAL = frozenset({"it", "its", "itself"})
PLURAL = frozenset({"they", "them", "their", "theirs", "themselves"})
PERSONAL = MALE | FEMALE
THIRD_PERSON = MALE | FEMALE | _NEUTRAL | PLURAL

KIND_OF_TYPE = (
    ("organisation", Kind.ORGANISATION),
    ("place", Kind.PLACE),
    ("event", Kind.EVENT),
    ("work", Kind.WORK),
    ("thing", Kind.THING),
)
_GROUPS = frozenset({"band", "team", "club", "group", "orchestra", "duo", "trio", "quartet", "crew"})


@dataclass(slots=True, eq=False)
class Referent:
    """One thing spoken of, last at (`sentence`, `word`). `person` is None while it is not known whether it is one.

    `guessed` tells that `female` follows from the first name alone, `unknown` that a bare "the comet" stands for it: a pronoun may mean
    it, and then nothing is known of what.
    """

    name: str
    named: bool
    kind: Kind | None = None
    person: bool | None = None
    female: bool | None = None
    guessed: bool = False
    unknown: bool = False
    plural: bool = False
    title: bool = False
    types: set[str] = field(default_factory=set)
    sentence: int = -1
    word: int = 0
    rank: int = OTHER
    members: tuple[Referent, ...] = ()


def fits(words: Words, r: Referent, word: str) -> bool:
    """Whether a pronoun of the third person may stand for `r`."""
    if word in PLURAL:
        several = r.kind is Kind.ORGANISATION and (r.rank == SUBJECT or r.title or not r.types.isdisjoint(_GROUPS))
        return r.plural or (r.named and (several or (r.person is False and r.title)))
    if r.plural:
        return False
    if word in _NEUTRAL:
        return r.person is not True and r.kind is not Kind.PERSON and r.kind not in NOT_NAMING
    if word in FEMALE and r.named and not r.types.isdisjoint(words["nouns", "ship"]):
        return True
    inhuman = r.kind in NOT_NAMING or r.kind in {Kind.PLACE, Kind.WORK}
    if r.person is False or (r.person is None and not r.title and inhuman):
        return False
    return r.female is None or r.female == (word in FEMALE) or (r.guessed and r.title)


def nearness(r: Referent, sentence: int, place: int) -> float:
    """How near a referent is to the mind: sentences back, its part in them, and whether the passage is about it."""
    back = sentence - r.sentence
    score = _PROMINENCE[r.rank] - back
    score += 0.8 * r.title + 0.3 * r.named - 0.4 * (r.named and r.kind is None) + 0.3 * bool(r.members)
    if r.title and back > 2:
        score += back - 2
    return score - (0.01 * max(0, place - r.word) if back == 0 else 0.0)


def class_fit(words: Words, r: Referent, head: str) -> float:
    """How well "the <head>" fits a thing of the same class that was not called a <head> before."""
    listed = words.listed
    if head == "building" and not r.types.isdisjoint(words["nouns", "building"]):
        return 1.0
    if not r.named:
        return 0.0
    unmet = r.title and r.sentence < 0 and r.person is not True and r.kind in {None, Kind.THING}
    if (
        unmet
        and r.types <= {parts_of(r.name)[-1]}
        and listed(head, "nouns", "place", "organisation", "event", "work", "ship")
    ):
        return 1.0  # a passage that opens with "The island" is about an island
    business = listed(head, "nouns", "business") or head in _GROUPS
    if listed(head, "nouns", "organisation") and (business or r.title) and not listed(head, "nouns", "fixed"):
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


def suits(r: Referent, word: str, owner_of: tuple[Referent, ...], *, object_: bool) -> float:
    """How well a referent that fits a pronoun suits it."""
    score = 0.5 * (r in owner_of) + 0.5 * (object_ and r.rank == OBJECT)
    if word in MALE or word in FEMALE:
        score += (
            (0.4 if r.guessed else 0.8) * (r.female is (word in FEMALE))
            + 0.4 * (r.title and r.person is True)
            + 0.4 * (r.person is True)
        )
    return score


def shortens(name: Name, part: str, full: Referent) -> bool:
    """Whether a name of one word may be short for `full`."""
    parts = parts_of(full.name)
    a_place = name.kind is Kind.PLACE and name.sure
    if full.person or (full.person is None and full.title and not a_place):
        return part in short_forms(full.name) or (full.title and "of" not in parts and part in parts[1:])
    if a_place or (name.kind is Kind.PERSON and name.sure and not full.title) or len(parts) > 4:
        return False
    return full.kind is Kind.ORGANISATION and (part == parts[0] or " of " not in full.name)


def short_forms(name: str) -> set[str]:
    """The words of a name that may stand for it; behind "of" stands another name ("Margaret of Anjou")."""
    parts = parts_of(name)
    if "of" in parts[1:]:
        return {parts[0], parts[parts.index("of", 1) - 1]}  # "the Diocese" of the Roman Catholic Diocese of Zalen
    return {parts[0], parts[-1]}


def parts_of(name: str) -> list[str]:
    """The words of a name, case folded, without punctuation."""
    return [stripped for part in name.split() if (stripped := part.strip(".,'\"()").casefold())] or [name.casefold()]


def bare(name: str) -> str:
    """The key of a name, an article apart."""
    return name_key(name).removeprefix("the ")
