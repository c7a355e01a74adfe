"""Claims of verbs: who did what to whom, where and when.

Each verb that spaCy's matcher found a subject for (its own, one shared through "and", the noun of a relative clause or participle, the
subject of the verb above) gives claims with its objects, its prepositions' objects and its open complement:
    Curie won the Nobel Prize in 1903    (Curie, won, Nobel Prize) (Curie, won Nobel Prize in, 1903)
    Apple was founded by Steve Jobs      (Apple, was founded by, Steve Jobs): a passive keeps its direction
    he wants to join the navy            (.., wants to join, navy)
    a man who hated the sea              the relative pronoun is the man
Predicates keep the tense and the particle and lose adverbs and "do". What a question, an "if" or a denial says is no claim.
"""

from __future__ import annotations

from lpmm_core.base.records import Kind
from lpmm_core.extract.english.claims import STATED, TOPIC, Claim
from lpmm_core.extract.english.copula import Copula
from lpmm_core.extract.english.nouns import Nouns
from lpmm_core.extract.english.parse import NOUN_TAGS, VERB_TAGS
from lpmm_core.extract.english.predicates import Predicates
from lpmm_core.extract.english.ties import named_ties, tied_claims

_SUBJECTS = ("nsubj", "nsubjpass")
_MOST_SUBJECTS = 5
_DEEPEST = 6


class Clauses:
    """Reads the clauses of one sentence."""

    def __init__(self, nouns: Nouns) -> None:
        self._nouns = nouns
        self._parse = parse = nouns.parse
        self._words = nouns.words
        self._copula = Copula(nouns)
        self._predicates = Predicates(parse, nouns.words)
        self._question = parse.text.rstrip("\"'”’) ").endswith("?")
        self._own: dict[int, int] = {}
        for upper, lower in nouns.subjects:
            while parse.deps[upper] in {"aux", "auxpass"}:  # "are getting married"
                upper = parse.heads[upper]
            before = self._own.get(upper, upper)
            apart = {";", ":"} & set(parse.words[before:lower]) if before < lower < upper else False
            renamed = before < lower < upper and lower in nouns.stands_for.values()
            if upper not in self._own or renamed or apart:
                self._own[upper] = lower

    def claims(self) -> list[Claim]:
        """The claims of every clause, in the order of their verbs."""
        verbs = {verb for verb in self._own if verb not in self._nouns.name_at}
        if self._speaks_of_topic(0):
            verbs.add(0)
        for anchor, upper, lower in self._parse.anchors:
            if anchor == "there":
                verbs.add(upper)
            elif anchor in {"shared", "relative", "reduced", "open"}:
                verbs.add(lower)
        stated = (verb for verb in sorted(verbs) if self._parse.tags[verb] in VERB_TAGS and not self._unreal(verb))
        return [claim for verb in stated for claim in self._clause(verb)]

    # --- which subject ------------------------------------------------------------------------------------------------------------

    def _subjects(self, verb: int, depth: int = 0) -> list[int]:
        """The words that are the subject of `verb`, its own or one it borrows."""
        parse = self._parse
        own = self._own.get(verb)
        if own is not None:
            relative = self._antecedent(own)
            if relative is not None:
                return [relative]
            subjects = parse.conjuncts(own, _MOST_SUBJECTS)
            return subjects if self._agree(verb, subjects) else []
        head = parse.heads[verb]
        if depth > _DEEPEST:
            return []
        if self._speaks_of_topic(verb):
            return [TOPIC]
        match parse.deps[verb]:
            case "advcl" if self._says_who_says_so(verb):
                return []
            case "conj" if self._acts_on_what_was_done_to(verb, head):
                return self._doers(head)
            case "conj" | "advcl" if parse.tags[head] in VERB_TAGS:
                return self._shared(verb, self._subjects(head, depth + 1))
            case "acl" if parse.tags[verb] in {"VBN", "VBG"}:
                return [self._restricted(verb, head)]
            case "relcl":
                placed = any(parse.tags[k] == "WRB" for k in parse.kids[verb])  # "the town where ..."
                return (
                    [] if placed or (self._predicates.is_purpose(verb) and not self._is_one_of_a_kind(head)) else [head]
                )
            case "xcomp":
                controlled = parse.child(head, "dobj")
                if controlled is None or controlled > verb:
                    return self._subjects(head, depth + 1)
                return [controlled] if self._words.listed(parse.lower[head], "verbs", "control") else []
            case "pcomp":
                above = next((u for u in parse.above(head) if parse.tags[u] in VERB_TAGS), None)
                return self._subjects(above, depth + 1) if above is not None else []
            case _:
                return []

    def _acts_on_what_was_done_to(self, verb: int, head: int) -> bool:
        """Whether a verb joined to a passive one does more to its subject: "it was bought by Lorne ... and gave it to the museum"."""
        parse = self._parse
        thing = parse.child(verb, "dobj")
        active = parse.tags[verb] in {"VBD", "VBZ", "VBP"} and parse.child(verb, "auxpass") is None
        passive = parse.child(head, "nsubjpass") is not None
        return active and passive and thing is not None and parse.tags[thing] == "PRP"

    def _doers(self, passive: int) -> list[int]:
        """By whom a passive verb is done; nobody when that is not said."""
        by = self._parse.child(passive, "agent")
        doer = self._parse.child(by, "pobj") if by is not None else None
        return self._parse.conjuncts(doer, _MOST_SUBJECTS) if doer is not None else []

    def _commands(self, verb: int) -> bool:
        """Whether a bare verb is joined to a finite one, whose subject it cannot share: "it is paying off, so keep it up"."""
        parse, head = self._parse, self._parse.heads[verb]
        if parse.tags[verb] != "VB" or parse.deps[verb] != "conj" or parse.child(verb, "aux") is not None:
            return False
        helped = any(
            parse.tags[k] in {"MD", "TO"} or self._words.listed(parse.lower[k], "verbs", "do") for k in parse.kids[head]
        )
        return parse.tags[head] not in {"VB", "VBP"} and not helped

    def _is_one_of_a_kind(self, noun: int) -> bool:
        """Whether what a noun is "to do" it has done: "the first woman to captain an icebreaker", not "a way to win"."""
        ordered = (k for k in self._parse.children(noun, "amod"))
        return any(self._words.listed(self._parse.lower[k], "nouns", "ordinal") for k in ordered)

    def _speaks_of_topic(self, verb: int) -> bool:
        """Whether a sentence begins with a participle and has no subject: "Designed in 1951 by Edith Marley."."""
        parse = self._parse
        return verb == 0 and parse.tags[0] == "VBN" and parse.heads[0] == 0 and parse.child(0, *_SUBJECTS) is None

    def _says_who_says_so(self, verb: int) -> bool:
        """Whether a participle tells where the sentence is from: "as reported by Appian"."""
        mark = self._parse.child(verb, "mark", "advmod")
        return self._parse.tags[verb] == "VBN" and mark is not None and self._parse.lower[mark] == "as"

    def _shared(self, verb: int, subjects: list[int]) -> list[int]:
        """The subjects of the verb that `verb` is joined to, unless it cannot share them."""
        return subjects if not self._commands(verb) and self._agree(verb, subjects) else []

    def _agree(self, verb: int, subjects: list[int]) -> bool:
        """Whether several subjects may have this verb: "Ray and Bob was made" is the parser's mistake."""
        parse = self._parse
        finite = next(iter(parse.children(verb, "aux", "auxpass")), verb)
        one = parse.tags[finite] == "VBZ" or parse.lower[finite] == "was"
        joined = any(parse.lower[k] == "and" for subject in subjects for k in parse.children(subject, "cc"))
        return not (one and joined and len(subjects) > 1 and subjects[-1] < verb)

    def _restricted(self, verb: int, head: int) -> int:
        """Whose participle it is: in "a rock band from Leeds formed in 1979" the band's, for nothing can restrict a name."""
        parse, nouns = self._parse, self._nouns
        apart, named = "," in parse.words[head:verb], head in nouns.name_at
        noun = parse.heads[head] if named and parse.deps[head] == "appos" else head
        if not (named or apart) or parse.deps[noun] != "pobj" or verb < head:
            return head
        noun = parse.heads[parse.heads[noun]]
        while parse.deps[noun] == "pobj":
            noun = parse.heads[parse.heads[noun]]
        if parse.tags[noun] not in NOUN_TAGS or noun in nouns.name_at:
            return head
        told = parse.deps[noun] == "attr" and not self._words.listed(parse.lower[verb], "verbs", "situated")
        return noun if told or not apart else head

    def _antecedent(self, word: int) -> int | None:
        return self._nouns.antecedent(word) if self._parse.tags[word] in {"WP", "WDT"} else None

    # --- what is no claim -----------------------------------------------------------------------------------------------------------

    def _unreal(self, verb: int) -> bool:
        """Whether the clause is asked, advised, supposed or denied rather than stated."""
        parse, words = self._parse, self._words
        subject = self._subjects(verb)
        if subject and subject[0] != TOPIC and parse.lower[subject[0]] == "you":
            verbs = (verb, *parse.above(verb))
            auxiliaries = (k for v in verbs for k in (v, *parse.children(v, "aux")))
            if any(words.listed(parse.lower[k], "verbs", "modal") for k in auxiliaries):
                return True
        if parse.lower[verb] == "being" and parse.deps[verb] == "pcomp":
            attribute = parse.child(verb, "attr")
            return attribute is None or not words.listed(parse.lower[attribute], "people", "kin", "role")
        one, told_aside = verb, parse.deps[verb] in {"acl", "relcl"}
        for above in (*parse.above(verb), None):
            mark = parse.child(one, "mark")
            if mark is not None and words.listed(parse.lower[mark], "verbs", "unreal"):
                return True
            if above is None:
                break
            if parse.deps[one] == "ccomp" and words.listed(parse.lower[above], "verbs", "doubt", "advise"):
                return True
            told_aside = told_aside or parse.deps[one] in {"acl", "relcl"}
            one = above
        return self._question and not told_aside

    # --- the claims of one verb -------------------------------------------------------------------------------------------------------

    def _clause(self, verb: int) -> list[Claim]:
        parse, lower = self._parse, self._parse.lower[verb]
        names_its_noun = parse.deps[verb] == "acl" and self._words.listed(lower, "verbs", "named")
        if names_its_noun and parse.heads[verb] in self._nouns.stands_for:
            return []
        if parse.child(verb, "expl") is not None and self._words.listed(lower, "verbs", "be"):
            return self._copula.existence(verb, self._predicates.of(verb), negated=self._predicates.negated(verb))
        purpose = parse.deps[verb] == "advcl" and self._predicates.is_purpose(verb)
        if purpose and parse.child(parse.heads[verb], "dobj") is not None:
            return []
        predicate, negated = self._predicates.whole(verb)
        says_what = (
            self._words.listed(lower, "verbs", "be", "become") and parse.child(verb, "attr", "acomp") is not None
        )
        placed = self._words.listed(lower, "verbs", "be")
        found: list[Claim] = []
        for subject in self._subjects(verb):
            if subject == verb:
                continue
            if says_what or placed:
                none = any(self._predicates.is_none(attribute) for attribute in parse.children(verb, "attr"))
                found += self._copula.claims(verb, subject, predicate, negated=negated or none)
            else:
                found += self._action(verb, subject, predicate, negated=negated)
        return found

    def _action(self, verb: int, subject: int, predicate: str, *, negated: bool) -> list[Claim]:
        parse, nouns = self._parse, self._nouns
        receiver = parse.child(verb, "dative")
        if self._words.listed(parse.lower[verb], "verbs", "say") and parse.child(verb, "ccomp") is not None:
            told = parse.child(verb, "dobj", "dative")
            return [Claim(subject, (predicate,), told, STATED, negated)] if told is not None else []
        found = self._naming(verb, negated=negated)
        objects = self._objects(verb)
        middle: tuple[str | int, ...] = (predicate, *objects[:1])
        for one in objects:
            found += self._object_claims(subject, predicate, one, negated=negated or self._predicates.is_none(one))
        negated = negated or any(self._predicates.is_none(one) for one in objects[:1])
        hanging = [*parse.children(verb, "prep", "agent"), *self._shared_agent(verb)]
        prepositions = [preposition for preposition in hanging if preposition not in nouns.name_at]
        if receiver is not None and parse.tags[receiver] == "IN":
            prepositions.append(receiver)
        elif receiver is not None:
            to = "for" if self._words.listed(parse.lower[verb], "verbs", "for") else "to"
            found.append(Claim(subject, (*middle, to) if objects else middle, receiver, STATED, negated))
        for preposition in prepositions:
            found += tied_claims(nouns, preposition, subject, middle, negated=negated, transitive=bool(objects))
        for day in parse.children(verb, "npadvmod"):
            if nouns.named_kind(day) is Kind.DATE:
                found.append(Claim(subject, (*middle, date_preposition(nouns.name_at[day].text)), day, STATED, negated))
        return found

    def _naming(self, verb: int, *, negated: bool) -> list[Claim]:
        """What somebody named a thing: "Dask named it the Long Deep"."""
        parse = self._parse
        thing, name = parse.child(verb, "dobj"), parse.child(verb, "oprd")
        if (
            thing is None
            or name not in self._nouns.name_at
            or not self._words.listed(parse.lower[verb], "verbs", "named")
        ):
            return []
        return [Claim(thing, (f"was {parse.lower[verb]}",), name, STATED, negated)]

    def _object_claims(self, subject: int, predicate: str, one: int, *, negated: bool) -> list[Claim]:
        """The claims with one object; "the board of Apple" is told of Apple alone."""
        parse = self._parse
        ties = [] if one in self._nouns.name_at else named_ties(self._nouns, one)
        found = [Claim(subject, (predicate, one, parse.lower[p]), name, STATED, negated) for p, name in ties]
        if any(parse.lower[p] == "of" and p - one < 3 for p, _ in ties):
            return found
        return [Claim(subject, (predicate,), one, STATED, negated), *found]

    def _shared_agent(self, verb: int) -> list[int]:
        """The agent of the last of several participles: "produced, directed and written by Ines"."""
        parse = self._parse
        if (
            parse.tags[verb] != "VBN"
            or parse.child(verb, "agent") is not None
            or parse.kids[verb][-1:] != (parse.child(verb, "conj"),)
        ):
            return []
        joined = parse.children(verb, "conj")
        return [agent for one in joined[:1] for agent in (*parse.children(one, "agent"), *self._shared_agent(one))][:1]

    def _objects(self, verb: int) -> list[int]:
        parse = self._parse
        direct = next(
            (k for k in parse.children(verb, "dobj", "oprd") if self._nouns.named_kind(k) is not Kind.DATE), None
        )
        if parse.deps[verb] == "relcl" and self._is_object_gap(verb, direct):
            return [parse.heads[verb]]
        joined = parse.child(verb, "conj")
        shares = self._words.listed(parse.lower[verb], "verbs", "transitive")
        if direct is None and shares and joined is not None and joined - verb < 3:
            direct = parse.child(joined, "dobj")  # "designed and built the tower"
        if direct is None:
            return []
        apart = [
            one for one in parse.children(verb, "dobj")[1:] if self._predicates.is_none(one)
        ]  # "has a pier and, now, no boats"
        return [*parse.conjuncts(direct), *apart]

    def _is_object_gap(self, verb: int, direct: int | None) -> bool:
        """Whether the noun over a relative clause is its object: "which he directed", "the pigs she raised", not "where he lived"."""
        parse = self._parse
        if direct is not None:
            return parse.tags[direct] in {"WP", "WDT"}
        if verb not in self._own or self._antecedent(self._own[verb]) is not None:
            return False
        if parse.child(verb, "auxpass", "attr", "acomp", "ccomp", "xcomp") is not None:
            return False
        whose = any(parse.tags[k] == "WP$" for k in parse.kids[self._own[verb]])
        if whose or any(parse.tags[k] == "WRB" for k in parse.kids[verb]):
            return False
        ends = [parse.child(preposition, "pobj") for preposition in parse.children(verb, "prep")]
        return all(end is not None and parse.tags[end] not in {"WDT", "WP"} for end in ends)


def date_preposition(date: str) -> str:
    """The preposition a date takes: "on" before a day, "in" before a month, a year or a century."""
    words = date.replace(",", " ").split()
    return "on" if any((len(word) < 3 and word.isdigit()) or word.endswith("day") for word in words) else "in"
