"""Questions that a memory can answer, made from its own facts: for the first minute, when a person does not know what to ask."""

from __future__ import annotations

from lpmm_core.base.records import Fact, Kind
from lpmm_core.index.shelf import View
from lpmm_core.retrieve.question import language_of
from lpmm_core.store import read

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
    """Put a fact as a question about one of its ends."""
    if subject not in _ASKABLE or object not in _ASKABLE:
        return None
    if language_of(fact.subject + fact.predicate + fact.object) == "zh":
        who = "谁" if object is Kind.PERSON else "哪里" if object is Kind.PLACE else "什么"
        return f"{fact.subject}{fact.predicate}{who}？"
    who = "Who" if subject is Kind.PERSON else "What"
    return f"{who} {fact.predicate} {fact.object}?"
