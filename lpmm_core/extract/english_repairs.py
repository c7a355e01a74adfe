"""Mistakes of the parser that are known and certain, put right before the rules read its arcs.

The small model takes a role before a name for a verb ("singer Ray Dunne and guitarist Alma Shaw"), and loses the second of two names
that open a sentence ("Anna and Tom owned a theatre").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lpmm_core.extract.english_words import Words

_NAMES = frozenset({"NNP", "NNPS"})
_VERBS = frozenset({"VB", "VBP"})
_ENDS = frozenset({"dobj", "pobj", "nsubj", "nsubjpass", "attr", "conj", "appos"})


@dataclass(frozen=True, slots=True)
class Repair:
    """What the tag, the arc and the head of `word` should be."""

    word: int
    tag: str
    dep: str
    head: int


def repairs(
    words: Sequence[str], tags: Sequence[str], deps: Sequence[str], heads: Sequence[int], lists: Words
) -> Iterator[Repair]:
    """The repairs one sentence needs."""
    for i, tag in enumerate(tags):
        if tag in _VERBS and i + 1 < len(words) and tags[i + 1] in _NAMES and lists.listed(words[i], "people", "role"):
            yield from _role(i, tags, deps, heads)
        elif tag in _NAMES and deps[i] == "npadvmod" and i > 1 and words[i - 1] == "and" and deps[i - 1] == "cc":
            first = heads[i - 1]
            if deps[first] in {"nsubj", "nsubjpass"} and heads[first] == heads[i]:
                yield Repair(i, tag, "conj", first)


def _role(role: int, tags: Sequence[str], deps: Sequence[str], heads: Sequence[int]) -> Iterator[Repair]:
    """The role modifies the name that was taken for its object, and the name takes the role's place."""
    name = next(
        (k for k in range(role + 1, len(heads)) if heads[k] == role and deps[k] == "dobj" and tags[k] in _NAMES), None
    )
    if name is None:
        return
    dep, head = deps[role], heads[role]
    if dep == "conj" and tags[head] not in _NAMES:  # joined to the noun before it, not to the verb
        before = next((k for k in range(role - 1, -1, -1) if tags[k] in _NAMES and deps[k] in _ENDS), None)
        if before is None:
            return
        head = before
    elif dep in {"xcomp", "ccomp", "advcl"}:
        dep = "dobj"
    elif dep == "ROOT":
        return
    yield Repair(role, "NN", "compound", name)
    yield Repair(name, tags[name], dep, head)
