"""The predicate of a verb: what is kept of its words, and whether it is denied.

    was founded, will build, broke up, went bankrupt     auxiliaries, particle and the adjective it leads to
    wants to join                                        the verbs that it completes
    is passionate about improving                        what a gerund is thought of by
Adverbs and "do" are left out.
"""

from __future__ import annotations

from lpmm_core.extract.english.parse import VERB_TAGS, Parse
from lpmm_core.extract.english.words import Words

_SUBJECTS = ("nsubj", "nsubjpass")
_CONTRACTIONS = {
    "'m": "am",
    "'re": "are",
    "'ve": "have",
    "'ll": "will",
    "'d": "would",
    "'s": "is",
    "ca": "can",
    "wo": "will",
    "gon": "going",
}


class Predicates:
    """Reads the predicates of one sentence."""

    def __init__(self, parse: Parse, words: Words) -> None:
        self._parse = parse
        self._words = words

    def negated(self, verb: int) -> bool:
        """Whether the verb is denied: "not", "never", "no longer", or a subject with "no"."""
        parse = self._parse
        for k in parse.kids[verb]:
            no_longer = parse.lower[k] == "longer" and any(parse.lower[j] == "no" for j in parse.kids[k])
            if parse.deps[k] == "neg" or no_longer or self._words.listed(parse.lower[k], "small", "never"):
                return True
        return any(self.is_none(subject) for subject in parse.children(verb, *_SUBJECTS))

    def is_none(self, noun: int) -> bool:
        """Whether a noun is denied by "no"; what "or" joins to it is denied with it."""
        parse = self._parse
        denied = any(parse.lower[k] == "no" for k in parse.children(noun, "det"))
        joined = parse.deps[noun] == "conj" and any(
            parse.lower[k] in {"or", "nor"} for k in parse.kids[parse.heads[noun]]
        )
        return denied or (joined and self.is_none(parse.heads[noun]))

    def of(self, verb: int) -> str:
        """The verb with its auxiliaries and particle: "was founded", "will build", "broke up"."""
        parse = self._parse
        passive = parse.child(verb, "auxpass") is not None and parse.child(verb, "dobj") is None
        parts = []
        for k in parse.children(verb, "aux", "auxpass"):
            word = parse.lower[k]
            if k < verb and word not in {"to", "na"} and not self._words.listed(word, "verbs", "do"):
                past = parse.tags[verb] in {"VBN", "VBD"} or parse.lower[verb] == "been"
                perfect = word == "'s" and not passive and past
                parts.append("has" if perfect else _CONTRACTIONS.get(word, word))
        word = parse.slice(*parse.glued(verb)).casefold().replace("’", "'")
        if word == "born" and not passive:
            parts.insert(0, "was")
        parts.append(_CONTRACTIONS.get(word, word))
        parts.extend(parse.lower[k] for k in parse.children(verb, "prt"))
        if not self._words.listed(parse.lower[verb], "verbs", "be", "become"):  # "went bankrupt"
            parts.extend(parse.lower[k] for k in parse.children(verb, "acomp") if k == verb + 1)
        return " ".join(parts)

    def whole(self, verb: int) -> tuple[str, bool]:
        """The predicate with the verbs it completes ("wants to join"), and whether any of them is negated."""
        parse = self._parse
        predicate, negated, below = self.of(verb), self.negated(verb), verb
        if parse.deps[verb] == "pcomp" and (before := self._before_gerund(verb)) is not None:
            return f"{before[0]} {predicate}", negated or before[1]
        for above in list(parse.above(verb))[:3]:
            opens = parse.deps[below] == "xcomp" or (parse.deps[below] == "advcl" and self.is_purpose(below))
            if not opens or parse.tags[above] not in VERB_TAGS or parse.child(above, "dobj", "attr") is not None:
                break
            to = "to " if any(parse.lower[k] in {"to", "na"} for k in parse.children(below, "aux")) else ""
            predicate = f"{self.of(above)} {to}{predicate}"
            negated = negated or self.negated(above)
            below = above
        return predicate, negated

    def _before_gerund(self, gerund: int) -> tuple[str, bool] | None:
        """What a gerund completes, "is passionate about (improving)", and whether it is negated; None after "by", "after", "without"."""
        parse, preposition = self._parse, self._parse.heads[gerund]
        whole = parse.heads[preposition]
        if not self._words.listed(parse.lower[preposition], "small", "gerund") or preposition != gerund - 1:
            return None
        if parse.tags[whole] in VERB_TAGS and parse.child(whole, "dobj") is None:
            return f"{self.of(whole)} {parse.lower[preposition]}", self.negated(whole)
        verb = parse.heads[whole]
        if parse.deps[whole] == "acomp" and parse.tags[verb] in VERB_TAGS:
            return f"{self.of(verb)} {parse.lower[whole]} {parse.lower[preposition]}", self.negated(verb)
        return None

    def is_purpose(self, verb: int) -> bool:
        """Whether the verb is an infinitive of its own ("to join the navy")."""
        infinitive = any(self._parse.lower[k] == "to" for k in self._parse.children(verb, "aux"))
        return infinitive and self._parse.child(verb, "mark", *_SUBJECTS) is None
