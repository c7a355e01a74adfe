"""Mistakes of the parser that are known and certain, put right before the rules read its arcs.

singer Ray Dunne and guitarist Alma Shaw       a role before a name is no verb
Anna and Tom owned a theatre                   the second of two names that open a sentence is lost
it is run by Tess and Martin Oakley            the first of two names is taken for a part of the second
She was born in May, the daughter of Otto      what hangs on a verb, where no noun can hang, is the subject
a countess, the twin of Klara                  or is joined to what "is" says of the subject
an author, literary critic, and artist         a list of what somebody is, taken for an apposition
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lpmm_core.extract.english.words import Words

_NAMES = frozenset({"NNP", "NNPS"})
_NOUNS = _NAMES | {"NN", "NNS"}
_BARE = frozenset({"VB", "VBP"})
_VERBS = _BARE | {"VBD", "VBZ", "VBN"}
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_ENDS = _SUBJECTS | {"dobj", "pobj", "attr", "conj", "appos"}


@dataclass(frozen=True, slots=True)
class Repair:
    """What the tag, the arc and the head of `word` should be."""

    word: int
    tag: str
    dep: str
    head: int


@dataclass(frozen=True, slots=True)
class Tree:
    """One sentence as the parser left it."""

    words: Sequence[str]
    tags: Sequence[str]
    deps: Sequence[str]
    heads: Sequence[int]
    lists: Words

    def child(self, head: int, arcs: frozenset[str], first: int, last: int) -> int | None:
        """The first word in [first, last) that hangs on `head` by one of the arcs."""
        return next((k for k in range(first, last) if self.heads[k] == head and self.deps[k] in arcs), None)

    def hung(self, word: int, dep: str, head: int) -> Repair:
        """`word` on another head by another arc."""
        return Repair(word, self.tags[word], dep, head)


def repairs(tree: Tree) -> Iterator[Repair]:
    """The repairs one sentence needs."""
    for i, (tag, dep) in enumerate(zip(tree.tags, tree.deps, strict=True)):
        if tag in _BARE and tree.lists.listed(tree.words[i], "people", "role"):
            yield from _role(tree, i)
        elif tag in _NAMES and dep == "npadvmod":
            yield from _second_subject(tree, i)
        elif tag in _NAMES and dep == "nmod":
            yield from _first_of_two(tree, i)
        elif tag in _NOUNS and dep in {"appos", "dep", "conj"} and tree.heads[i] < i:
            yield from _behind_a_comma(tree, i)


def _role(tree: Tree, role: int) -> Iterator[Repair]:
    """The role modifies the name that was taken for its object, and the name takes the role's place."""
    name = tree.child(role, frozenset({"dobj"}), role + 1, len(tree.heads))
    if name is None or tree.tags[name] not in _NAMES or tree.tags[role + 1] not in _NAMES:
        return
    dep, head = tree.deps[role], tree.heads[role]
    if dep == "conj" and tree.tags[head] not in _NAMES:  # joined to the noun before it, not to the verb
        before = next((k for k in range(role - 1, -1, -1) if tree.tags[k] in _NAMES and tree.deps[k] in _ENDS), None)
        if before is None:
            return
        head = before
    elif dep in {"xcomp", "ccomp", "advcl"}:
        dep = "dobj"
    elif dep == "ROOT":
        return
    yield Repair(role, "NN", "compound", name)
    yield tree.hung(name, dep, head)


def _second_subject(tree: Tree, name: int) -> Iterator[Repair]:
    if name > 1 and tree.words[name - 1] == "and" and tree.deps[name - 1] == "cc":
        first = tree.heads[name - 1]
        if tree.deps[first] in _SUBJECTS and tree.heads[first] == tree.heads[name]:
            yield tree.hung(name, "conj", first)


def _first_of_two(tree: Tree, name: int) -> Iterator[Repair]:
    head = tree.heads[name]
    joined = name + 1 < head and tree.words[name + 1] == "and" and tree.heads[name + 1] == name
    if joined and tree.tags[head] in _NAMES:
        yield tree.hung(name, tree.deps[head], tree.heads[head])
        yield tree.hung(head, "conj", name)


def _behind_a_comma(tree: Tree, noun: int) -> Iterator[Repair]:
    """What stands behind a comma, or joined to a verb, belongs to what is said of the subject, or to the subject itself."""
    head, dep = tree.heads[noun], tree.deps[noun]
    first = next((k for k in range(head + 1, noun + 1) if tree.heads[k] == noun or k == noun), noun)
    behind = tree.words[first - 1] == ","
    article = tree.words[first].casefold() in {"the", "a", "an"}
    if tree.tags[head] in _VERBS and (behind or dep == "conj"):
        attribute = tree.child(head, frozenset({"attr"}), head + 1, first)
        subject = tree.child(head, _SUBJECTS, 0, head)
        if attribute is not None and (not article or tree.lists.is_person(tree.words[noun].casefold())):
            yield tree.hung(noun, "conj", attribute)
        elif subject is not None and article and dep != "conj":
            yield tree.hung(noun, "appos", subject)
    elif dep == "appos" and behind and tree.deps[head] == "attr" and not article and tree.tags[noun] == "NN":
        yield tree.hung(noun, "conj", head)
    elif dep == "appos" and behind and tree.deps[head] in _SUBJECTS and tree.heads[head] < first - 1:
        yield from _far_from_subject(tree, noun, first)


def _far_from_subject(tree: Tree, noun: int, first: int) -> Iterator[Repair]:
    """A name behind the noun that it names, hung on the subject: "is the mother of the player, Elias, and the aunt of Jan"."""
    verb = tree.heads[tree.heads[noun]]
    if tree.tags[noun] not in _NAMES or tree.tags[first - 2] not in _NOUNS:
        return
    yield tree.hung(noun, "appos", first - 2)
    attribute = tree.child(verb, frozenset({"attr"}), verb, first)
    for joined in (k for k in range(noun, len(tree.heads)) if tree.heads[k] == noun and tree.deps[k] == "conj"):
        if attribute is not None and tree.tags[joined] == "NN":
            yield tree.hung(joined, "conj", attribute)
