"""Claims of nouns: what stands beside a name says what it is and whose.

    Tim Cook, CEO of Apple,         (Tim Cook, is CEO of, Apple)
    Mary's brother John             (John, is brother of, Mary)
    engineer Anna Lee               (Anna Lee, is, engineer)
    a cat named Mochi               (Mochi, is a, cat)
    Sarah Kim from the maps team    (Sarah Kim, is from, maps team)
    Aarhus, Denmark                 (Aarhus, is in, Denmark)
    Clara (1532 - 1595)             (Clara, was born in, 1532) (Clara, died in, 1595)
and the one inference (MT-19): who met an aunt and received a chandelier has the chandelier from the aunt, perhaps.
"""

from __future__ import annotations

from lpmm_core.base.records import Kind
from lpmm_core.extract.english.claims import INFERRED, JOINED, STATED, Claim
from lpmm_core.extract.english.clauses import date_preposition
from lpmm_core.extract.english.kinds import NOT_NAMING
from lpmm_core.extract.english.nouns import Nouns
from lpmm_core.extract.english.parse import NOUN_TAGS, VERB_TAGS, Parse
from lpmm_core.extract.english.phrases import Phrases
from lpmm_core.extract.english.words import singular

ALSO_KNOWN_AS = "also known as"
_NOT_A_LIFE = frozenset({"born", "reigned", "ruled", "active", "r."})
_DASHES = frozenset({"-", "–", "—", "--"})
_TIES = frozenset({"of", "at", "in", "for", "from", "by", "to"})


def noun_claims(nouns: Nouns) -> list[Claim]:
    """Every claim that the sentence's nouns make, whatever its verbs say."""
    parse = nouns.parse
    found: list[Claim] = []
    for upper, lower in nouns.appositions:
        found += _apposition(nouns, upper, lower)
    for anchor, upper, lower in parse.anchors:
        if anchor == "possession":
            found += _possession(nouns, upper, lower)
        elif anchor == "reduced" and nouns.words.listed(parse.lower[lower], "verbs", "named"):
            named = nouns.stands_for.get(upper)
            if named is not None and named > lower:
                found.append(Claim(named, (_is_a(parse, upper),), upper, JOINED, kind_of=True, type_word=upper))
    for name in nouns.names:
        if name.kind not in NOT_NAMING:
            found += _before(nouns, name.first, name.last - 1)
            found += _behind(nouns, name.last - 1)
    return found + _life(nouns)


def inferred_claims(nouns: Nouns, phrases: Phrases, stated: list[Claim]) -> list[Claim]:
    """(object, "from", person) when one clause receives an object and another meets a person (MT-19)."""
    words, met, received = nouns.words, [], []
    for claim in stated:
        if claim.negated or claim.kind_of or len(claim.predicate) != 1:
            continue
        verb = str(claim.predicate[0]).split()[-1]
        person = any(r.person for r in phrases.end(claim.object).referents)
        if person and words.listed(verb, "verbs", "meet"):
            met.append(claim)
        elif not person and words.listed(verb, "verbs", "receive"):
            received.append(claim)
    return [
        Claim(got.object, ("from",), one.object, INFERRED)
        for got in received
        for one in met
        if one.subject == got.subject and one.object < got.object and nouns.parse.child(got.object, "prep") is None
    ][:2]


def _is_a(parse: Parse, noun: int) -> str:
    article = next((parse.lower[k] for k in parse.children(noun, "det") if parse.lower[k] in {"a", "an"}), None)
    return f"is {article}" if article else "is"


def _apposition(nouns: Nouns, upper: int, lower: int) -> list[Claim]:
    parse = nouns.parse
    first, second = nouns.name_at.get(upper), nouns.name_at.get(lower)
    if first is not None and second is not None:
        if first is second:
            return []
        if _short_for(second.text, first.text) or _short_for(first.text, second.text):
            return [Claim(upper, (ALSO_KNOWN_AS,), lower, STATED)]
        places = first.kind is Kind.PLACE and second.kind is Kind.PLACE and upper < lower
        beside = parse.words[upper + 1 : second.first] == (",",)
        return [Claim(upper, ("is in",), lower, JOINED)] if places and beside else []
    told = first is not None and (
        first.kind is not Kind.DATE or nouns.words.listed(parse.lower[lower], "people", "kin")
    )
    if told and parse.is_noun(lower):
        return _is(nouns, upper, lower)
    if second is not None and second.kind is not Kind.DATE and parse.is_noun(upper):
        return _is(nouns, lower, upper)
    renamed = nouns.stands_for.get(upper)
    if renamed is not None and renamed > upper and nouns.stands_for.get(lower) == renamed:
        return _is(nouns, renamed, upper)  # "her husband, the cellist Bruno Teles"
    if parse.tags[upper] == "PRP" and parse.is_noun(lower):  # "She was born in May, the daughter of Otto Marsk"
        return _is(nouns, upper, lower)
    return []


def _short_for(short: str, long: str) -> bool:
    """Whether one name is the other's initials ("NBA")."""
    initials = "".join(word[0] for word in long.replace("-", " ").split() if word[0].isupper())
    return 1 < len(short) < 8 and short.isupper() and short.replace(".", "") == initials


def _is(nouns: Nouns, named: int, common: int) -> list[Claim]:
    """That the name is the common noun, with whose or of what when the noun says it."""
    parse, words = nouns.parse, nouns.words
    if words.listed(parse.lower[common], "nouns", "vague") or parse.child(common, "nummod") is not None:
        return []
    subject: int | None = named
    if nouns.named_kind(named) in {Kind.PLACE, Kind.DATE} and words.listed(
        parse.lower[common], "people", "kin", "role"
    ):
        # "born in Mysen, Norway, the only child of": it is the clause's subject who is
        verb = next((u for u in parse.above(named) if parse.tags[u] in VERB_TAGS), None)
        subject = parse.child(verb, "nsubj", "nsubjpass") if verb is not None else None
    if subject is None:
        return []
    found: list[Claim] = []
    for noun in parse.conjuncts(common, 4):
        told = nouns.name_at.get(nouns.stands_for.get(noun, noun))
        if noun in nouns.name_at or parse.tags[noun] not in NOUN_TAGS or (told is not None and named not in told):
            continue  # "an agent (Ray) and a nurse (Ada)": Ray is no nurse
        lead, owner = _is_a(parse, noun), nouns.owner(noun)
        ties = [
            (parse.lower[preposition], one)
            for preposition in parse.children(noun, "prep")
            if parse.lower[preposition] in _TIES and (inner := parse.child(preposition, "pobj")) is not None
            for one in parse.conjuncts(inner)
            if nouns.is_name(one)
        ]
        if owner is not None:
            found.append(Claim(subject, ("is", noun, "of"), owner, STATED, type_word=noun))
        elif ties:
            found += [
                Claim(subject, (lead, noun, preposition), one, STATED, type_word=noun) for preposition, one in ties
            ]
        else:
            found.append(Claim(subject, (lead,), noun, STATED, kind_of=True, type_word=noun))
    return found


def _possession(nouns: Nouns, thing: int, owner: int) -> list[Claim]:
    """What a name is to its owner: "Mary's brother John", "her husband Pierre", "Germany's capital Berlin"."""
    parse, name = nouns.parse, nouns.name_at.get(thing)
    if name is None or owner in name or name.kind in NOT_NAMING:
        return []
    between = [
        k
        for k in range(owner + 1, name.first)
        if parse.tags[k] in NOUN_TAGS | {"JJ", "JJS", "JJR"} and parse.words[k][0].islower()
    ]
    heads = [k for k in between if parse.tags[k] in NOUN_TAGS or nouns.words.listed(parse.lower[k], "nouns", "work")]
    if not heads:
        return []
    what = " ".join(parse.lower[k] for k in between if k <= heads[-1])
    return [Claim(name.first, ("is", what, "of"), owner, STATED, type_word=heads[-1])]


def _before(nouns: Nouns, first: int, head: int) -> list[Claim]:
    """Common nouns straight before a name: "pop star Lina Rey", "the journal Boreal Plants", "Chancellor Anna Weber" (MT-20)."""
    parse, words = nouns.parse, nouns.words
    if parse.child(head, "poss") is not None:
        return []
    place = first - 1
    before: list[int] = []
    while place >= 0 and parse.heads[place] == head and parse.deps[place] in {"compound", "nmod", "amod"}:
        before.insert(0, place)
        place -= 1
    while before and words.listed(parse.lower[before[0]], "nouns", "light-adjective"):
        before.pop(0)
    if not before or parse.tags[before[-1]] not in NOUN_TAGS or before[-1] in nouns.name_at:
        return []
    noun = before[-1]
    word = parse.lower[noun].rstrip(".")
    titled = parse.words[noun][0].isupper() and (noun > 0 or words.listed(word, "people", "title"))
    if words.listed(word, "small", "capital"):  # "Yeah Maria!"
        return []
    if (titled and not words.listed(word, "people", "office")) or words.listed(word, "nouns", "vague"):
        return []
    owner = nouns.owner(noun)
    if owner is not None:  # "Ketan's cousin Shekhar Kapur"
        return [Claim(first, ("is", noun, "of"), owner, STATED, type_word=noun)]
    if words.listed(singular(word), "people", "kin"):  # "the brothers Nils and Aksel": whose is not said
        return []
    return [Claim(first, ("is",), noun, JOINED, kind_of=True, type_word=noun)]


def _behind(nouns: Nouns, head: int) -> list[Claim]:
    """A preposition straight behind a name: "Sarah Kim from the maps team", "Middlemarch by George Eliot"."""
    parse, kind = nouns.parse, nouns.named_kind(head)
    found: list[Claim] = []
    for preposition in parse.children(head, "prep"):
        word, inner = parse.lower[preposition], parse.child(preposition, "pobj")
        person = kind is Kind.PERSON
        fits = (
            (word == "from" and person)
            or (word in {"in", "at"} and not person)
            or (word == "by" and not person and kind is not Kind.PLACE)
        )
        if inner is None or preposition != head + 1 or not fits:
            continue
        for one in parse.conjuncts(inner, 3):
            named = one in nouns.name_at and nouns.named_kind(one) not in NOT_NAMING
            if named or (word == "from" and parse.tags[one] in NOUN_TAGS):
                found.append(Claim(head, ("by",) if word == "by" else (f"is {word}",), one, JOINED))
    return found


def _life(nouns: Nouns) -> list[Claim]:
    """Birth and death in brackets behind a name that opens a sentence: "Clara (16 November 1532 in Wolfenbüttel - 23 November 1595)"."""
    parse = nouns.parse
    name = next((name for name in nouns.names if name.first < 3 and name.kind not in NOT_NAMING | {Kind.PLACE}), None)
    opens = (
        next((i for i in range(name.last, name.last + 3) if parse.word(i) == "("), None) if name is not None else None
    )
    if name is None or opens is None or ")" not in parse.words[opens:]:
        return []
    inside = range(opens + 1, parse.words.index(")", opens))
    dashes = [i for i in inside if parse.words[i] in _DASHES and i not in nouns.name_at]
    told = [other for other in nouns.names if other.first in inside and other.kind in {Kind.DATE, Kind.PLACE}]
    if (
        len(dashes) != 1
        or all(other.kind is Kind.PLACE for other in told)
        or any(parse.lower[i] in _NOT_A_LIFE for i in inside)
    ):
        return []
    return [
        Claim(
            name.first,
            (
                f"{'was born' if other.first < dashes[0] else 'died'} {'in' if other.kind is Kind.PLACE else date_preposition(other.text)}",
            ),
            other.first,
            JOINED,
        )
        for other in told
    ]
