"""What stands at a triple's end: the thing that a word of a sentence stands for.

Words are resolved once, from left to right, because a pronoun may stand for what the sentence has just named: a word inside a name to
that name's referent, a pronoun or "the bridge" to what the passage spoke of, any other noun to its phrase. An owner stays with a noun
that means little without it ("Mary's brother"), not where the sentence's subject gives it already ("began his career"), and never the
speaker ("my aunt" is the aunt, MT-14).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lpmm_core.base.records import Kind
from lpmm_core.extract.english.claims import TOPIC
from lpmm_core.extract.english.kinds import Name
from lpmm_core.extract.english.nouns import Nouns
from lpmm_core.extract.english.parse import NOUN_TAGS, PRONOUN_TAGS
from lpmm_core.extract.english.references import Discourse
from lpmm_core.extract.english.referents import (
    FIRST_PERSON,
    OBJECT,
    OTHER,
    PERSONAL,
    SECOND_PERSON,
    SUBJECT,
    THIRD_PERSON,
    Referent,
    fits,
)
from lpmm_core.extract.english.words import singular

_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_NO_LIST = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "JJ", "RB", "IN"})
_FINITE = frozenset({"VBD", "VBP", "VBZ", "MD"})
_BY_PRONOUN, _BY_NOUN, _BY_REFLEXIVE = 0.93, 0.87, 0.9


@dataclass(frozen=True, slots=True)
class End:
    """What a word stands for, and how sure that is; `referents` is more than one when "they" stands for several."""

    referents: tuple[Referent, ...] = ()
    confidence: float = 0.0


_NOTHING = End()


class Phrases:
    """The ends of one sentence, resolved when it is made; `voices` says who speaks the words inside quotation marks."""

    def __init__(self, nouns: Nouns, discourse: Discourse, number: int, voices: dict[int, int | None]) -> None:
        self._nouns = nouns
        self._parse = nouns.parse
        self._words = nouns.words
        self._discourse = discourse
        self._number = number
        self._voices = voices
        self._ends: dict[int, End] = {}
        if discourse.title is not None:
            self._ends[TOPIC] = End((discourse.title,), _BY_NOUN)
        for word in range(len(self._parse)):
            self._ends[word] = self._resolve(word)
            if self._parse.deps[word] == "conj":
                self._together(word)
            elif (couple := self._couple(word)) is not None:
                discourse.group(couple, number, word, OTHER)
        self._find_topic()

    def end(self, word: int) -> End:
        """What `word` stands for; an End without referents when it is no end."""
        target = word
        for _ in range(4):
            target = self._nouns.stands_for.get(target, target)
        return self._own(target) if self._own(target).referents else self._own(word)

    # --- inside -----------------------------------------------------------------------------------------------------------------

    def _own(self, word: int) -> End:
        return self._ends.get(word, _NOTHING)

    def _resolve(self, word: int) -> End:
        name = self._nouns.name_at.get(word)
        if name is not None:
            if word == name.first and self._only_modifies(name):
                return End((self._discourse.aside(name),), 1.0)
            if word == name.first:
                nouns = [noun for noun, other in self._nouns.stands_for.items() if other in name]
                rank = max(map(self._rank, (name.last - 1, *nouns)))  # "questioned the cook, Mrs Tully"
                return End(
                    (self._discourse.name(name, self._number, word, rank, introduced=self._introduces(name, nouns)),),
                    1.0,
                )
            return self._own(name.first)
        if self._parse.tags[word] in PRONOUN_TAGS:
            return self._pronoun(word)
        return self._noun(word) if self._parse.is_noun(word) else _NOTHING

    def _introduces(self, name: Name, nouns: Iterable[int]) -> bool:
        """Whether the words before a name tell that somebody new is named: kin, or "a teacher called"."""
        called = name.first > 0 and self._words.listed(self._parse.lower[name.first - 1], "verbs", "named")
        return called or any(self._words.listed(singular(self._parse.lower[noun]), "people", "kin") for noun in nouns)

    def _only_modifies(self, name: Name) -> bool:
        """Whether a name tells a common noun apart and is not spoken of itself: "the Farquharson family"."""
        head = self._parse.heads[name.last - 1]
        return (
            self._parse.deps[name.last - 1] in {"compound", "nmod"}
            and head not in self._nouns.name_at
            and head >= name.last
        )

    def _couple(self, word: int) -> tuple[Referent, ...] | None:
        """Who met or married, when `word` is the second of them; "they" may stand for both."""
        parse = self._parse
        if word in self._nouns.stands_for:
            return None
        for noun in (word, *(noun for noun, other in self._nouns.stands_for.items() if other == word)):
            verb = parse.heads[noun]
            if parse.lower[verb] == "to" and parse.deps[noun] == "pobj":  # "was married to"
                verb = parse.heads[verb]
            elif parse.deps[noun] != "dobj":
                continue
            if self._words.listed(parse.lower[verb], "verbs", "unite"):
                both = (*self._subjects_over(noun), *self._ends[word].referents)
                return both if all(r.person is not False for r in both) else None
        return None

    def _find_topic(self) -> None:
        """A passage that opens with a label ("Drum recorder, number 1.") is about what the label names."""
        parse = self._parse
        if self._number or self._discourse.title is not None or self._discourse.speaks:
            return
        root = next(word for word in range(len(parse)) if parse.heads[word] == word)
        label = parse.tags[root] in NOUN_TAGS and not any(tag in _FINITE for tag in parse.tags)
        kind = self._nouns.named_kind(root)
        if label and kind in {None, Kind.THING, Kind.WORK} and self._ends[root].referents and len(parse) > 2:
            self._discourse.about(self._ends[root].referents[0])

    def _rank(self, word: int) -> int:
        """How prominent `word` is in its clause."""
        parse = self._parse
        while parse.deps[word] in {"appos", "conj"} and parse.heads[word] < word:
            word = parse.heads[word]
        if parse.deps[word] in _SUBJECTS:
            verb = parse.heads[word]
            aside = parse.deps[verb] == "advcl" and parse.child(verb, "mark") is not None  # "because the floor shook"
            return OBJECT if aside else SUBJECT
        return OBJECT if parse.deps[word] in {"dobj", "attr", "agent", "dative"} else OTHER

    def _pronoun(self, word: int) -> End:
        parse, lower = self._parse, self._parse.lower[word]
        if parse.tags[word] in {"WP", "WDT", "WP$"}:
            antecedent = self._nouns.antecedent(word)
            return self.end(antecedent) if antecedent is not None and antecedent < word else _NOTHING
        if parse.deps[word] == "expl" or lower in {"us", "ours"}:  # "us" is more often everybody than the speaker
            return _NOTHING
        if word in self._voices and lower in FIRST_PERSON | SECOND_PERSON:
            return self._voice(self._voices[word]) if lower in FIRST_PERSON else _NOTHING
        if lower in FIRST_PERSON | SECOND_PERSON:
            found = self._discourse.person(lower)
            return End((found,), 1.0) if found is not None else _NOTHING
        if lower not in THIRD_PERSON or (lower == "it" and self._empty_it(word)):
            return _NOTHING
        subjects = self._subjects_over(word)
        if lower.endswith(("self", "selves")):
            return End(subjects, _BY_REFLEXIVE) if subjects else _NOTHING
        possessive = parse.tags[word] == "PRP$"
        kin = possessive and self._words.listed(singular(parse.lower[parse.heads[word]]), "people", "kin")
        beside = self._joined_before(parse.heads[word], lower) if kin and lower in PERSONAL else None
        if beside is not None:
            return End((beside,), _BY_PRONOUN)  # "Philip and his wife"
        told_of = possessive and parse.deps[parse.heads[word]] == "attr"  # "Idris was his brother": not Idris's
        found_all = self._discourse.pronoun(
            lower,
            self._number,
            word,
            not_these=subjects
            if told_of or not (possessive or parse.deps[word] in _SUBJECTS)
            else self._in_its_participle(word),
            owner_of=subjects if possessive and not told_of else (),
            object_=parse.deps[word] in {"dobj", "dative"},
            rank=OTHER if possessive else self._rank(word),
            people=kin,
        )
        return End(found_all, _BY_PRONOUN) if found_all else _NOTHING

    def _joined_before(self, word: int, pronoun: str) -> Referent | None:
        """The person that `word` is joined to by "and", or has a child "by", if it is one for whom the pronoun may stand."""
        parse = self._parse
        while parse.deps[word] in {"poss", "compound"}:
            word = parse.heads[word]
        joint = next((k for k in range(word - 1, max(word - 6, 0), -1) if parse.lower[k] in {"and", "by"}), None)
        tied = joint is not None and parse.heads[word] in {joint, parse.heads[joint]}
        if joint is None or not (tied or parse.deps[word] == "conj"):
            return None
        for one in (parse.heads[word], joint - 1, *list(parse.above(joint - 1))[:3]):  # "Karl of Morava and his wife"
            found = self._own(one).referents if one in self._nouns.name_at else ()
            if len(found) == 1 and found[0].kind is Kind.PERSON and fits(self._words, found[0], pronoun):
                return found[0]
        return None

    def _in_its_participle(self, word: int) -> tuple[Referent, ...]:
        """What stands in the participle before a subject, which is not the subject: "Abandoned in deep water, it was found"."""
        parse = self._parse
        before = [k for k in parse.children(parse.heads[word], "advcl") if k < word and parse.tags[k] in {"VBN", "VBG"}]
        inside = (i for k in before for i in range(*parse.reach(k)))
        return tuple(r for i in inside for r in self._own(i).referents if not r.title)

    def _voice(self, speaker: int | None) -> End:
        if speaker is None:
            return _NOTHING
        if speaker not in self._ends:
            self._ends[speaker] = self._resolve(speaker)
        return self._ends[speaker]

    def _subjects_over(self, word: int) -> tuple[Referent, ...]:
        """The subjects of the clause that `word` stands in, when they come before it."""
        parse = self._parse
        for upper in parse.above(word):
            subject = parse.child(upper, *_SUBJECTS)
            if subject is not None and subject < word and word not in range(*parse.reach(subject)):
                return self.end(subject).referents
            if parse.tags[upper].startswith("VB") and parse.deps[upper] not in {"conj", "xcomp", "advcl"}:
                break
        return ()

    def _empty_it(self, word: int) -> bool:
        """Whether "it" stands for nothing: "it is clear that", "it rained", "it seems that"."""
        parse, verb = self._parse, self._parse.heads[word]
        if self._words.listed(parse.lower[verb], "verbs", "weather"):
            return True
        told = parse.child(verb, "ccomp", "xcomp") is not None
        if parse.deps[word] == "nsubj" and self._words.listed(parse.lower[verb], "verbs", "be"):
            attribute = parse.child(verb, "attr")
            if attribute is not None and self._is_cleft(verb, attribute):
                return True
            return told and parse.child(verb, "acomp") is not None
        if parse.deps[word] == "nsubjpass" and parse.child(verb, "ccomp") is not None:
            return True  # "it was agreed that"
        return told and self._words.listed(parse.lower[verb], "verbs", "seem")

    def _is_cleft(self, verb: int, attribute: int) -> bool:
        """Whether "it was" only points at a name: "it was Clara who brought them back"."""
        parse = self._parse
        under = range(attribute, parse.reach(verb)[1])
        relative = [
            k for k in under if parse.deps[k] == "relcl" or (parse.heads[k] == verb and parse.deps[k] == "ccomp")
        ]
        who = any(parse.lower[k] in {"who", "that"} for clause in relative for k in parse.kids[clause])
        return who and self._nouns.is_name(attribute)

    def _noun(self, word: int) -> End:
        parse, nouns, words = self._parse, self._nouns, self._words
        head = singular(parse.lower[word])
        modifies = parse.deps[word] in {"compound", "amod", "npadvmod"} and parse.heads[word] > word
        if modifies and parse.heads[word] not in nouns.name_at:
            return _NOTHING
        if nouns.is_definite(word):
            known = self._discourse.definite(head, self._number, word, self._rank(word))
            if known is not None and not known.unknown:
                return End((known,), _BY_NOUN)
            if self._is_unknown(word, head):
                place = {"sentence": self._number, "word": word, "rank": self._rank(word)}
                self._discourse.noun(head, head, plural=False, person=False, female=None, unknown=True, **place)
                return _NOTHING
            if known is not None and known.unknown:
                return _NOTHING
        owner = nouns.owner(word)
        bare = parse.child(word, "amod", "compound", "nummod") is None and nouns.tail(word) is None and owner is None
        if bare and parse.child(word, "det") is not None and words.listed(head, "nouns", "orphan"):
            return _NOTHING
        text = self._with_owner(word, owner, head)
        if text is None:
            return _NOTHING
        as_what = parse.deps[word] == "pobj" and parse.lower[parse.heads[word]] == "as"  # "worked as a nurse"
        if word in nouns.stands_for or modifies or as_what:
            return End((Referent(text, False),), 1.0)
        male, female = words.listed(head, "people", "male"), words.listed(head, "people", "female")
        found = self._discourse.noun(
            text,
            head,
            plural=parse.tags[word] in {"NNS", "NNPS"},
            person=words.is_person(head),
            female=female if male != female else None,
            sentence=self._number,
            word=word,
            rank=self._rank(word),
        )
        return End((found,), 1.0)

    def _is_unknown(self, word: int, head: str) -> bool:
        """Whether a subject is a bare "the building" of which nothing was said: it would be every building's name."""
        known = self._words.is_person(head) or self._words.listed(head, "nouns", "unique")
        return self._parse.deps[word] in _SUBJECTS and not known and word not in self._nouns.stands_for

    def _with_owner(self, word: int, owner: int | None, head: str) -> str | None:
        """The noun's phrase, with its owner's name where it needs one; None when it needs one that is not known."""
        parse, nouns, words = self._parse, self._nouns, self._words
        if owner is None:
            return nouns.phrase(word)
        needs = words.listed(head, "people", "kin", "social") or words.listed(parse.lower[word], "nouns", "vague")
        spoken = parse.lower[owner] in FIRST_PERSON | SECOND_PERSON
        keeps = needs or parse.tags[owner] in NOUN_TAGS or (parse.deps[word] in _SUBJECTS and not spoken)
        owners = self._own(owner).referents if keeps and not spoken else ()
        if len(owners) != 1:
            unknown = needs and parse.lower[owner] in THIRD_PERSON and word not in nouns.stands_for
            return None if unknown else nouns.phrase(word)
        own = (
            parse.tags[owner] == "PRP$" and parse.deps[word] not in _SUBJECTS and owners[0] in self._subjects_over(word)
        )
        if own and not words.listed(head, "people", "kin", "social"):
            return nouns.phrase(word)  # "found its way"
        text = nouns.phrase(word, vague=True)
        return f"{owners[0].name}'{'' if owners[0].name.endswith('s') else 's'} {text}" if text else None

    def _together(self, word: int) -> None:
        """When `word` is the last of several joined by "and", let "they" stand for them all."""
        parse, top = self._parse, word
        while parse.deps[top] == "conj" and parse.heads[top] < top:
            top = parse.heads[top]
        if parse.tags[top] in _NO_LIST:
            return
        members = parse.conjuncts(top)
        if members[-1] == word or word in self._nouns.name_at:
            found = [r for member in members if member <= word for r in self._own(member).referents]
            self._discourse.group(found, self._number, word, self._rank(top))
