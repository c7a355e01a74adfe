"""The nouns of one sentence: which words are names, which stand for another word, and how a noun phrase is shown.

Everything here follows from the sentence alone. "The physicist, Marie Curie", "a cat named Mochi" and "the city of Lyon" are other words
for Marie Curie, Mochi and Lyon; what "is" says a subject to be is that subject; "most of the films" are the films. A phrase loses its
article, its owner and what follows it, except "of" and a short noun ("museum of weaving"), and has eight words at most; nouns that say
nothing outside their sentence ("thing", "part") have no phrase at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lpmm_core.base.records import Kind
from lpmm_core.extract.english.kinds import NOT_NAMING, Name
from lpmm_core.extract.english.parse import NOUN_TAGS, Parse
from lpmm_core.extract.english.words import Words

LONGEST_PHRASE = 8
_QUOTES = frozenset({'"', "“", "”", "'", "‘", "``", "''"})
_OPENING = _QUOTES | {"The", "A", "An", "(", "-", "•"}
_KEPT = frozenset({"amod", "compound", "nummod", "nmod", "quantmod", "punct"})
_COUNTS = frozenset(
    {"first", "second", "third", "last", "next", "final", "past", "several", "few", "some", "hundred", "long", "-"}
)
_NOT_FIRST = frozenset({"RB", "RBR", "DT", "CC", "IN", "POS", "PRP$", "PDT", ",", "HYPH"})


class Nouns:
    """The names and noun phrases of one sentence."""

    def __init__(self, parse: Parse, names: Sequence[Name], words: Words) -> None:
        self.parse = parse
        self.names = names
        self.words = words
        self.name_at: dict[int, Name] = {word: name for name in names for word in range(name.first, name.last)}
        self.subjects: list[tuple[int, int]] = list(self._subjects())
        self.appositions: list[tuple[int, int]] = sorted(set(self._appositions()))
        self.parts: dict[int, int] = dict(self._parts())
        self.stands_for: dict[int, int] = dict(self._named_otherwise())
        for word, other in (*self._said_to_be(), *self.parts.items()):
            self.stands_for.setdefault(word, other)

    def is_name(self, word: int) -> bool:
        """Whether `word` is a name, or another word for one."""
        return word in self.name_at or self.stands_for.get(word, word) in self.name_at

    def named_kind(self, word: int) -> Kind | None:
        """The kind of the name at `word`, None when it is none."""
        name = self.name_at.get(word)
        return name.kind if name is not None else None

    def common(self, word: int) -> bool:
        """Whether `word` is a noun and no name."""
        return word not in self.name_at and self.parse.is_noun(word)

    def owner(self, word: int) -> int | None:
        """The word that owns `word` ("Mary" in "Mary's brother", "her" in "her brother"), outside its own name."""
        owner = self.parse.child(word, "poss")
        name = self.name_at.get(word)
        return owner if owner is not None and (name is None or owner not in name) else None

    def phrase(self, word: int, *, tail: bool = True, vague: bool = False) -> str | None:
        """The noun phrase headed by `word`, or the name it is part of; None when it is no noun or says nothing.

        `tail` keeps what follows "of", `vague` keeps nouns that say nothing by themselves.
        """
        name = self.name_at.get(word)
        if name is not None:
            return name.text
        if not self.parse.is_noun(word) or self.words.listed(self.parse.lower[word], "nouns", "indefinite"):
            return None
        inside = self._inside(word)
        lower = self.parse.lower[word]
        empty = self.words.listed(lower, "nouns", "vague", "side") or (tail and self.says_when_or_how(word))
        if len(inside) == 1 and not vague and (empty or len(lower) < 2):
            return None
        if self._is_span(word, inside) or any(self.parse.tags[k] == "PRP" for k in self.parse.children(word, "nmod")):
            return None  # "eleven years"; "It floods in April", taken for a noun
        text = self._joined(inside)
        after = self.tail(word) if tail else None
        return f"{text} of {after}" if after and len(after.split()) + len(inside) < LONGEST_PHRASE else text

    def says_when_or_how(self, word: int) -> bool:
        """Whether a noun without a determiner makes an adverb with its preposition ("by hand", "at dawn")."""
        parse = self.parse
        bare = parse.child(word, "det", "poss", "amod", "nummod", "compound") is None
        return parse.deps[word] == "pobj" and bare and self.words.listed(parse.lower[word], "nouns", "adverbial")

    def tail(self, word: int) -> str | None:
        """The noun phrase after "of" behind `word`, when it is short and not told about further."""
        parse = self.parse
        of = next((p for p in parse.children(word, "prep") if parse.lower[p] == "of" and p - word < 3), None)
        inner = parse.child(of, "pobj") if of is not None else None
        if inner is None or parse.child(inner, "relcl", "acl") is not None or parse.tags[inner] not in NOUN_TAGS:
            return None
        return self.phrase(inner, tail=False)

    def is_definite(self, word: int) -> bool:
        """Whether `word` is a bare "the bridge" that may stand for something met before."""
        parse = self.parse
        determiner = parse.child(word, "det")
        if (
            determiner is None
            or parse.lower[determiner] not in {"the", "this", "that"}
            or parse.tags[word] in {"NNS", "NNPS"}
        ):
            return False
        told = parse.child(word, "relcl")
        restricted = told is not None and "," not in parse.words[word + 1 : parse.reach(told)[0] + 1]
        if (
            word in self.stands_for
            or restricted
            or parse.child(word, "poss", "appos", "nummod", "compound") is not None
        ):
            return False
        if any(not self.words.listed(parse.lower[k], "nouns", "light-adjective") for k in parse.children(word, "amod")):
            return False
        return word + 1 not in parse.children(word, "prep")

    def antecedent(self, word: int) -> int | None:
        """The noun that a relative pronoun stands for.

        The parser hangs a relative clause on the nearest noun; a person is no "which" and a place no "who", so the noun above is tried
        then ("a dissident from Hunan who led protests").
        """
        parse = self.parse
        verb = next((u for u in parse.above(word) if parse.deps[u] == "relcl"), None)
        if verb is None:
            return None
        noun = parse.heads[verb]
        kind = self.named_kind(noun)
        thing = kind is None and self.words.listed(parse.lower[noun], "nouns", "place", "building", "event", "thing")
        nobody = parse.lower[word] in {"who", "whom"} and (thing or kind not in {None, Kind.PERSON, Kind.ORGANISATION})
        somebody = parse.lower[word] == "which" and kind is Kind.PERSON
        if nobody or somebody:
            above = (one for one in self._above(noun) if self._is_somebody(one) == nobody)
            return next(above, noun)
        above_prep = parse.heads[parse.heads[noun]]
        if noun in self.name_at and parse.deps[noun] == "pobj" and noun + 1 == word and self.common(above_prep):
            return above_prep  # "a game for the Veltrix which was made by": nothing can restrict a name
        return self._agreeing(noun, verb) if word < verb and parse.heads[word] == verb else noun

    def _above(self, noun: int) -> Iterator[int]:
        """The nouns over `noun`, nearest first, and the objects of the verbs over it that come before."""
        parse = self.parse
        for one in list(parse.above(noun))[:4]:
            object_ = parse.child(one, "dobj", "attr")
            if parse.is_noun(one):
                yield one
            elif object_ is not None and object_ < noun:
                yield object_

    def _is_somebody(self, noun: int) -> bool:
        return self.named_kind(noun) is Kind.PERSON or (
            self.common(noun) and self.words.is_person(self.parse.lower[noun])
        )

    def _agreeing(self, noun: int, verb: int) -> int:
        """The nearest noun above with the verb's number: "the teams in the county which include ..." are the teams."""
        parse = self.parse
        finite = next((k for k in parse.children(verb, "aux", "auxpass")), verb)
        several = {"VBP": True, "VBZ": False}.get(parse.tags[finite])
        if several is None or parse.deps[noun] != "pobj" or parse.child(verb, "nsubj", "nsubjpass") is None:
            return noun
        for one in (noun, *list(parse.above(noun))[:4]):
            plural = parse.tags[one] in {"NNS", "NNPS"} or len(parse.conjuncts(one, 2)) > 1
            if parse.tags[one] in NOUN_TAGS and plural == several:
                return one
        return noun

    def _is_span(self, word: int, inside: Sequence[int]) -> bool:
        """Whether a phrase says how long or how often ("eleven years", "the first time")."""
        parse = self.parse
        if not self.words.listed(parse.lower[word], "nouns", "span"):
            return False
        return all(parse.tags[i] in {"CD", "CC", "HYPH"} or parse.lower[i] in _COUNTS for i in inside if i != word)

    # --- inside -----------------------------------------------------------------------------------------------------------------

    def _inside(self, word: int) -> list[int]:
        """The words of the phrase that `word` heads."""
        parse = self.parse
        before = [k for k in parse.kids[word] if k < word]
        kept = [
            k
            for k in before
            if (parse.deps[k] in _KEPT or (parse.glued(k) != (k, k + 1) and parse.deps[k] != "poss"))
            and not self.words.listed(parse.lower[k], "nouns", "light-adjective")
            and parse.words[k] not in _QUOTES | {",", "(", ")"}
        ]
        first = min((parse.reach(k)[0] for k in kept), default=word)
        left_out = {i for k in before if k not in kept for i in range(*parse.reach(k))}
        inside = [i for i in range(first, word + 1) if i not in left_out]
        while len(inside) > 1 and (
            parse.tags[inside[0]] in _NOT_FIRST
            or not self._opens(inside[0])
            or self.words.listed(parse.lower[inside[0]], "nouns", "light-adjective")
        ):
            inside.pop(0)
        inside = [i for i in inside if parse.words[i] not in _QUOTES]
        if len(inside) > LONGEST_PHRASE - 2:
            nouns = [i for i in inside if parse.deps[i] == "compound" and parse.heads[i] == word]
            inside = [*(i for i in nouns[-2:] if parse.glued(i) == (i, i + 1)), word]
        first, last = parse.glued(word)
        return [*(i for i in inside if i < first), *range(first, last)] if last - first > 1 else inside

    def _opens(self, word: int) -> bool:
        return self.parse.words[word][0].isalnum() or self.parse.words[word] in "$€£¥"

    def _joined(self, inside: Sequence[int]) -> str:
        parse, text = self.parse, ""
        for before, i in zip([-1, *inside], inside, strict=False):
            word = parse.words[i]
            national = any(first <= i < last and label == "NORP" for first, last, label in parse.entities)
            plain = i not in self.name_at and parse.tags[i] not in {"NNP", "NNPS"} and not national
            if i == 0 and plain and word[1:].islower():
                word = word[0].lower() + word[1:]
            together = not text or (before + 1 == i and parse.end_of(before) == parse.starts[i])
            text += word if together else f" {word}"
        return text

    def _subjects(self) -> Iterator[tuple[int, int]]:
        """(verb, its subject), the parser's, and a name that opens the sentence, whatever the parser made of its words."""
        parse, opening = self.parse, self._opening()
        if opening is not None:
            yield opening
        for anchor, upper, lower in parse.anchors:
            replaced = opening is not None and upper == opening[0] and lower < upper
            if anchor == "subject" and not replaced:
                yield upper, lower
        for name in self.names:  # "Don't You Go" is a song
            root = next((i for i in range(name.first, name.last) if parse.heads[i] not in name), name.first)
            if parse.deps[root] in {"csubj", "csubjpass"}:
                yield parse.heads[root], root

    def _opening(self) -> tuple[int, int] | None:
        """(verb, name) when a name opens the sentence and a finite verb follows it, or its brackets and quotes."""
        parse, name = self.parse, next(iter(self.names), None)
        if name is None or name.kind in NOT_NAMING or any(parse.words[i] not in _OPENING for i in range(name.first)):
            return None
        verb = name.last
        while parse.word(verb) in _QUOTES | {"("}:
            closes = parse.words.index(")", verb) if parse.words[verb] == "(" and ")" in parse.words[verb:] else verb
            verb = closes + 1
        if verb >= len(parse) or parse.tags[verb] not in {"VBZ", "VBD", "VBP"}:
            return None
        while parse.deps[verb] in {"aux", "auxpass"}:
            verb = parse.heads[verb]
        subject = parse.child(verb, "nsubj", "nsubjpass")
        told_aside = parse.deps[verb] in {"acl", "relcl", "amod", "compound"}
        return None if told_aside or (subject is not None and subject > verb) else (verb, name.last - 1)

    def _appositions(self) -> Iterator[tuple[int, int]]:
        """(noun, apposition), the parser's and a name straight behind "the submarine" that it hung elsewhere."""
        parse = self.parse
        yield from ((upper, lower) for anchor, upper, lower in parse.anchors if anchor == "apposition")
        for name in self.names:
            noun, root = name.first - 1, name.last - 1
            aside = noun > 1 and self.parse.words[noun] == "," and parse.word(name.last) in {",", "."}
            noun -= aside and parse.deps[root] == "advmod"  # "married the housekeeper, Odile, and"
            astray = name.kind not in NOT_NAMING and parse.deps[root] in {"oprd", "npadvmod", "dep", "advmod"}
            if astray and noun > 0 and parse.tags[noun] == "NN" and parse.child(noun, "det", "poss") is not None:
                yield noun, root

    def _parts(self) -> Iterator[tuple[int, int]]:
        """(noun, what it is a part of): "most of the films" are films, "the city of Lyon" is Lyon."""
        parse = self.parse
        for of in range(len(parse)):
            if parse.deps[of] != "prep" or parse.lower[of] != "of":
                continue
            head, inner = parse.heads[of], parse.child(of, "pobj")
            if inner is None or head in self.name_at:
                continue
            plain = all(parse.words[k][0].isupper() for k in parse.children(head, "amod"))
            named = inner in self.name_at
            place = named and plain and self.words.listed(parse.lower[head], "nouns", "ofplace")
            if place or self.words.listed(parse.lower[head], "nouns", "partitive"):
                yield head, inner

    def _named_otherwise(self) -> Iterator[tuple[int, int]]:
        """(common noun, name): an apposition, or a noun with "named" behind it."""
        parse = self.parse
        for upper, lower in self.appositions:
            if lower in self.name_at and upper not in self.name_at:
                if self.named_kind(lower) not in NOT_NAMING and parse.tags[upper] in NOUN_TAGS:
                    yield upper, lower
            elif upper in self.name_at and lower not in self.name_at:
                yield lower, upper
            elif upper not in self.name_at and parse.is_noun(lower):  # "her husband, the cellist Bruno Teles"
                yield from ((upper, name) for noun, name in self.appositions if noun == lower and name in self.name_at)
        for anchor, upper, lower in parse.anchors:
            if anchor == "reduced" and self.common(upper) and self.words.listed(parse.lower[lower], "verbs", "named"):
                called = parse.children(lower, "oprd", "dobj", "attr", "npadvmod")
                yield from ((upper, k) for k in called[:1] if k in self.name_at)

    def _said_to_be(self) -> Iterator[tuple[int, int]]:
        """(noun, subject) for each noun that "is" says the subject to be."""
        parse = self.parse
        for upper, lower in self.subjects:
            if parse.deps[lower] == "nsubjpass" or not self.words.listed(parse.lower[upper], "verbs", "be", "become"):
                continue
            attribute = parse.child(upper, "attr")
            subject = lower in self.name_at or parse.tags[lower] == "PRP" or parse.is_noun(lower)
            if subject and attribute is not None and attribute not in self.name_at:
                yield from ((one, lower) for one in parse.conjuncts(attribute))
