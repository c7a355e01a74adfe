"""Questions that a memory can answer, made from its own facts: for the first minute, when a person does not know what to ask."""

from __future__ import annotations

import re

from lpmm_core.base.records import Fact, Kind
from lpmm_core.index.shelf import View
from lpmm_core.retrieve.question import language_of
from lpmm_core.store import read

_HAN = re.compile(r"[㐀-鿿]+(?:…[㐀-鿿]+)?")
_PREPOSITION = r"(?:in|at|to|for|of|on|with|from|by|into|under|after|as)"
# A verb with an auxiliary, or one that takes its object as it is: a bare participle ("filmed in", "starring") asks no question.
_SAYS_WHAT = re.compile(rf"(?:is|are|was|were|has|had) (?:\w+ )?(?:\w+ )?{_PREPOSITION}")
_SAYS_WHO = re.compile(rf"{_SAYS_WHAT.pattern}|(?!\w+ing\b)\w+(?: {_PREPOSITION})?")

_ASKABLE = (Kind.PERSON, Kind.PLACE, Kind.ORGANISATION, Kind.EVENT, Kind.WORK)


def questions(view: View, limit: int) -> list[str]:
    """Return up to `limit` questions, each about another subject, about facts whose subject is well connected."""
    rows = view.connection.execute(
        """SELECT f.id FROM visible_facts f JOIN names s ON s.id = f.subject JOIN names t ON t.id = f.object
        WHERE f.recorded_end IS NULL AND NOT f.negated AND length(f.predicate) BETWEEN 2 AND 24
        ORDER BY (SELECT count(*) FROM mentions m WHERE m.name = s.id) + (SELECT count(*) FROM mentions m WHERE m.name = t.id) DESC, f.id
        LIMIT 200"""
    ).fetchall()
    facts = read.facts(view.connection, view.ids, [row["id"] for row in rows])
    ends = [view.ids.row(id, "entities") for fact in facts for id in (fact.subject_id, fact.object_id)]
    shown = read.displayed(view.connection, ends)
    asked: list[str] = []
    subjects: set[str] = set()
    for fact in facts:
        kinds = [shown[view.ids.row(id, "entities")][1] for id in (fact.subject_id, fact.object_id)]
        question = _ask(fact, *kinds)
        if question and not subjects & {fact.subject, fact.object}:
            subjects |= {fact.subject, fact.object}
            asked.append(question)
            if len(asked) == limit:
                break
    return asked


def _ask(fact: Fact, subject: Kind, object: Kind) -> str | None:
    """Put a fact as a question about one of its ends; None where no good sentence would come of it."""
    if subject not in _ASKABLE or object not in _ASKABLE:
        return None
    predicate = fact.predicate
    if language_of(fact.subject + predicate + fact.object) == "zh":
        who = "谁" if object is Kind.PERSON else "哪里" if object is Kind.PLACE else "什么"
        # A predicate with a gap, as 是…的舅舅, has its object there.
        asked = predicate.replace("…", who) if "…" in predicate else predicate + who
        return f"{fact.subject}{asked}？" if _HAN.fullmatch(predicate) else None
    if not _SAYS_WHO.fullmatch(predicate) if subject is Kind.PERSON else not _SAYS_WHAT.fullmatch(predicate):
        return None
    return f"{'Who' if subject is Kind.PERSON else 'What'} {predicate} {fact.object}?"
