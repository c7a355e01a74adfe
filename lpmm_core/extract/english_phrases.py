"""What stands at a triple's end: the thing that a word of a sentence stands for.

Words are resolved once, from left to right, because a pronoun may stand for what the sentence has just named: a word inside a name to
that name's referent, a pronoun or "the bridge" to what the passage spoke of, any other noun to its phrase. An owner stays with a noun
that means little without it ("Mary's brother"), not where the sentence's subject gives it already ("began his career"), and never the
speaker ("my aunt" is the aunt, MT-14).
"""

from __future__ import annotations

from dataclasses import dataclass

from lpmm_core.extract.english_nouns import Nouns
from lpmm_core.extract.english_parse import NOUN_TAGS, PRONOUN_TAGS
from lpmm_core.extract.english_references import (
    FIRST_PERSON,
    OBJECT,
    OTHER,
    SECOND_PERSON,
    SUBJECT,
    THIRD_PERSON,
    Discourse,
    Referent,
)
from lpmm_core.extract.english_words import singular

_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_NO_LIST = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "JJ", "RB", "IN"})
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
        for word in range(len(self._parse)):
            self._ends[word] = self._resolve(word)
            if self._parse.deps[word] == "conj":
                self._together(word)

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
            if word == name.first:
                rank = self._rank(name.last - 1)
                return End((self._discourse.name(name, self._number, word, rank),), 1.0)
            return self._own(name.first)
        if self._parse.tags[word] in PRONOUN_TAGS:
            return self._pronoun(word)
        return self._noun(word) if self._parse.is_noun(word) else _NOTHING

    def _rank(self, word: int) -> int:
        """How prominent `word` is in its clause."""
        parse = self._parse
        while parse.deps[word] in {"appos", "conj"} and parse.heads[word] < word:
            word = parse.heads[word]
        if parse.deps[word] in _SUBJECTS:
            return SUBJECT
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
        found_all = self._discourse.pronoun(
            lower,
            self._number,
            word,
            not_these=() if possessive or parse.deps[word] in _SUBJECTS else subjects,
            owner_of=subjects if possessive else (),
            object_=parse.deps[word] in {"dobj", "dative"},
        )
        return End(found_all, _BY_PRONOUN) if found_all else _NOTHING

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
            return told and parse.child(verb, "acomp") is not None
        return told and self._words.listed(parse.lower[verb], "verbs", "seem")

    def _noun(self, word: int) -> End:
        parse, nouns, words = self._parse, self._nouns, self._words
        head = singular(parse.lower[word])
        modifies = parse.deps[word] in {"compound", "amod", "npadvmod"} and parse.heads[word] > word
        if modifies and parse.heads[word] not in nouns.name_at:
            return _NOTHING
        if nouns.is_definite(word):
            known = self._discourse.definite(head, self._number, word, self._rank(word))
            if known is not None:
                return End((known,), _BY_NOUN)
        owner = nouns.owner(word)
        bare = parse.child(word, "amod", "compound", "nummod") is None and nouns.tail(word) is None and owner is None
        if bare and parse.child(word, "det") is not None and words.listed(head, "nouns", "orphan"):
            return _NOTHING
        text = self._with_owner(word, owner, head)
        if text is None:
            return _NOTHING
        if word in nouns.stands_for:
            return End((Referent(text, False),), 1.0)
        male, female = words.listed(head, "people", "male"), words.listed(head, "people", "female")
        found = self._discourse.noun(
            text,
            head,
            plural=parse.tags[word] in {"NNS", "NNPS"},
            person=male or female or words.listed(head, "people", "kin", "role", "human"),
            female=female if male != female else None,
            sentence=self._number,
            word=word,
            rank=self._rank(word),
        )
        return End((found,), 1.0)

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
