"""One parsed English sentence as plain tuples, which rules walk faster and more plainly than spaCy's tokens.

`anchors` are what spaCy's DependencyMatcher found (MT-18): two words and the arc between them, from which the rules of clauses and of
nouns walk on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from spacy.matcher import DependencyMatcher
from spacy.tokens import Doc
from spacy.vocab import Vocab

from lpmm_core.extract.english.repairs import Tree, repairs
from lpmm_core.extract.english.words import english_words, singular

VERB_TAGS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ"})
NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS"})
PRONOUN_TAGS = frozenset({"PRP", "PRP$", "WP", "WP$", "WDT", "EX"})

# anchor -> the arcs that make it, whether the upper word must be a verb, the tags the lower word may have (any if None)
_ANCHORS: tuple[tuple[str, frozenset[str], bool, frozenset[str] | None], ...] = (
    ("subject", frozenset({"nsubj", "nsubjpass"}), False, None),
    ("shared", frozenset({"conj"}), True, VERB_TAGS),
    ("relative", frozenset({"relcl"}), False, VERB_TAGS),
    ("reduced", frozenset({"acl"}), False, frozenset({"VBN", "VBG"})),
    ("open", frozenset({"xcomp", "advcl", "pcomp"}), False, VERB_TAGS),
    ("there", frozenset({"expl"}), True, None),
    ("apposition", frozenset({"appos"}), False, None),
    ("possession", frozenset({"poss"}), False, None),
)


@dataclass(frozen=True, slots=True)
class Parse:
    """A sentence's words with their tags, arcs and places. Word indexes are positions in these tuples; `odd` words are no English ones."""

    text: str
    words: tuple[str, ...]
    lower: tuple[str, ...]
    tags: tuple[str, ...]
    deps: tuple[str, ...]
    heads: tuple[int, ...]
    kids: tuple[tuple[int, ...], ...]
    starts: tuple[int, ...]
    entities: tuple[tuple[int, int, str], ...]
    anchors: tuple[tuple[str, int, int], ...]
    odd: frozenset[int]

    def __len__(self) -> int:
        return len(self.words)

    def is_noun(self, word: int) -> bool:
        """A noun by its tag, or a word in a noun's place that the tagger took for an adjective ("formed by a glacier")."""
        if self.tags[word] in NOUN_TAGS:
            return True
        nominal = self.deps[word] in {"dobj", "pobj", "nsubj", "nsubjpass"} and not self.words[word][0].isupper()
        determined = self.child(word, "det") is not None
        if self.tags[word] in {"JJ", "JJR"}:
            return nominal and (determined or self.deps[word] != "pobj")  # not "given up for lost"
        return nominal and determined and self.tags[word] == "VBG"

    def children(self, word: int, *arcs: str) -> list[int]:
        """The words that hang on `word` by one of these arcs, in order."""
        return [k for k in self.kids[word] if self.deps[k] in arcs]

    def child(self, word: int, *arcs: str) -> int | None:
        """The first of them, or None."""
        return next((k for k in self.kids[word] if self.deps[k] in arcs), None)

    def conjuncts(self, word: int, most: int = 8) -> list[int]:
        """`word` and what is joined to it by "and" or commas, at most so many."""
        found = [word]
        for one in found:
            if len(found) >= most:
                break
            found.extend(
                k for k in self.children(one, "conj") if (self.tags[k] in VERB_TAGS) == (self.tags[word] in VERB_TAGS)
            )
        return sorted(found[:most])

    def reach(self, word: int) -> tuple[int, int]:
        """[first, last) of the words under `word`, itself included."""
        first, last, waiting = word, word, [word]
        while waiting:
            one = waiting.pop()
            first, last = min(first, one), max(last, one)
            waiting.extend(self.kids[one])
        return first, last + 1

    def above(self, word: int) -> Iterator[int]:
        """The heads over `word`, nearest first."""
        while self.heads[word] != word:
            word = self.heads[word]
            yield word

    def word(self, place: int) -> str:
        """The word at `place`, empty outside the sentence."""
        return self.words[place] if 0 <= place < len(self.words) else ""

    def start_of(self, word: int) -> int:
        """The first character of `word`, or the sentence's end behind its last word."""
        return self.starts[word] if word < len(self.starts) else len(self.text)

    def glued(self, word: int) -> tuple[int, int]:
        """[first, last) of the words written together with `word` by hyphens ("co-authored")."""
        first, last = word, word + 1
        while (
            first > 1
            and self.words[first - 1] == "-"
            and self.starts[first] == self.end_of(first - 1) == self.end_of(first - 2) + 1
        ):
            first -= 2
        while (
            last + 1 < len(self.words)
            and self.words[last] == "-"
            and self.starts[last + 1] == self.end_of(last) == self.end_of(last - 1) + 1
        ):
            last += 2
        return first, last

    def slice(self, first: int, last: int) -> str:
        """The text of words [first, last)."""
        return self.text[self.starts[first] : self.starts[last - 1] + len(self.words[last - 1])]

    def end_of(self, word: int) -> int:
        """The character after `word`."""
        return self.starts[word] + len(self.words[word])


def anchor_matcher(vocab: Vocab) -> DependencyMatcher:
    """The matcher that finds every two words between which one of the anchors' arcs runs.

    One pattern for all of them, told apart by `_anchor`: the matcher's time grows with its patterns.
    """
    arcs = sorted(frozenset().union(*(arcs for _, arcs, _, _ in _ANCHORS)))
    matcher = DependencyMatcher(vocab)
    matcher.add(
        "anchor",
        [
            [
                {"RIGHT_ID": "lower", "RIGHT_ATTRS": {"DEP": {"IN": arcs}}},
                {"LEFT_ID": "lower", "REL_OP": "<", "RIGHT_ID": "upper", "RIGHT_ATTRS": {}},
            ]
        ],
    )
    return matcher


def _anchor(arc: str, upper_tag: str, lower_tag: str) -> str | None:
    """The anchor of one arc between two words, None when the words are of the wrong kind."""
    for name, arcs, verb, tags in _ANCHORS:
        if arc in arcs and (not verb or upper_tag in VERB_TAGS) and (tags is None or lower_tag in tags):
            return name
    return None


def parse_of(doc: Doc, matcher: DependencyMatcher, vocabulary: frozenset[str]) -> Parse:
    """Copy what the rules read out of a parsed document; `vocabulary` are the English words, lower case."""
    words, tags, deps, heads, starts = [], [], [], [], []
    for token in doc:
        head = token.head.i
        words.append(token.text)
        tags.append(token.tag_)
        deps.append(token.dep_)
        heads.append(head)
        starts.append(token.idx)
    for repair in list(repairs(Tree(words, tags, deps, heads, english_words()))):
        tags[repair.word], deps[repair.word], heads[repair.word] = repair.tag, repair.dep, repair.head
        doc[repair.word].head, doc[repair.word].dep_ = doc[repair.head], repair.dep
    kids: list[list[int]] = [[] for _ in heads]
    for i, head in enumerate(heads):
        if head != i:
            kids[head].append(i)
    anchors = {
        (name, upper, lower)
        for _, (lower, upper) in matcher(doc)
        if (name := _anchor(deps[lower], tags[upper], tags[lower])) is not None
    }
    parse = Parse(
        text=doc.text,
        words=tuple(words),
        lower=tuple(word.casefold().replace("’", "'") for word in words),
        tags=tuple(tags),
        deps=tuple(deps),
        heads=tuple(heads),
        kids=tuple(map(tuple, kids)),
        starts=tuple(starts),
        entities=tuple((entity.start, entity.end, entity.label_) for entity in doc.ents),
        anchors=(),
        odd=frozenset(i for i, word in enumerate(words) if word[0].isupper() and _is_odd(word.lower(), vocabulary)),
    )
    return replace(parse, anchors=tuple(sorted({*anchors, *_missed_appositions(parse)})))


def _is_odd(word: str, vocabulary: frozenset[str]) -> bool:
    """Whether a word of letters is not in the vocabulary, however it is inflected."""
    if not word.isalpha() or len(word) < 4 or english_words().listed(word, "small", "capital"):
        return False
    stem = word.removesuffix("ly").removesuffix("s").removesuffix("e")
    forms = (
        word,
        stem,
        f"{stem}e",
        word.removesuffix("ed"),
        word.removesuffix("d"),
        word.removesuffix("ing"),
        singular(word),
    )
    return vocabulary.isdisjoint(forms) and f"{word.removesuffix('ing')}e" not in vocabulary


def _missed_appositions(parse: Parse) -> Iterator[tuple[str, int, int]]:
    """Appositions that the parser took for something else: two nouns with a comma between ("My teacher, Mr. Braga, is here")."""
    for adverbial in range(len(parse)):
        if parse.deps[adverbial] == "npadvmod" and parse.tags[adverbial] in NOUN_TAGS:
            first, last = parse.reach(adverbial)
            for other in parse.children(parse.heads[adverbial], "nsubj", "nsubjpass", "dobj", "pobj"):
                start, end = parse.reach(other)
                gap = (last, start) if last <= start else (end, first)
                comma = gap[1] - gap[0] == 1 and parse.words[gap[0]] == ","
                named = gap[0] == gap[1] == first and (parse.tags[other], parse.tags[adverbial]) == ("NN", "NNP")
                if (comma or named) and parse.tags[other] in NOUN_TAGS:  # "married the botanist Elsa Quist"
                    yield ("apposition", other, adverbial)
        subjects = parse.children(adverbial, "nsubj", "nsubjpass")
        if len(subjects) == 2 and all(parse.tags[s] in NOUN_TAGS for s in subjects):
            left, right = (parse.reach(s) for s in subjects)
            comma = (
                right[0] - left[1] == 1 and parse.words[left[1]] == ","
            )  # "A defensive specialist, Patterson played ..."
            name = right[0] == left[1] and parse.tags[subjects[0]] == "NN" and parse.tags[subjects[1]] == "NNP"
            if comma or name:  # "Mary's brother John smiled"
                yield ("apposition", subjects[0], subjects[1])
