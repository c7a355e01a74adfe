"""A claim: a triple still in terms of the words of its sentence, before words are resolved to names."""

from __future__ import annotations

from dataclasses import dataclass

STATED, JOINED, INFERRED = 0.75, 0.7, 0.6
"""Confidence of a subject-verb-object (MT-18), of a tie read from apposition or modifiers, and of an inference (MT-19)."""


TOPIC = -1
"""The subject that stands in no word of the sentence: what the passage is about."""


@dataclass(frozen=True, slots=True)
class Claim:
    """`subject` and `object` are words; a number in `predicate` is a word whose phrase is put in its place.

    `kind_of` says that the object is what the subject is: its phrase is wanted, not what it stands for. `type_word` is the noun that
    says of what type the subject is, there or inside the predicate.
    """

    subject: int
    predicate: tuple[str | int, ...]
    object: int
    confidence: float = STATED
    negated: bool = False
    kind_of: bool = False
    type_word: int | None = None
