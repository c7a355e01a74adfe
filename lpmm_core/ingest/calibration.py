"""Calibration: the means that vectors are centred with at retrieval, taken from what the memory holds.

A memory starts with the means of generic texts. At 1,000 and at 10,000 passages, and on command, they are taken anew: of its visible
passages, of its visible facts, and of questions in each language. No question that is being asked enters its own mean; those asked
before do only here. The mean of questions starts from the generic one, goes on to questions made of the memory's own facts, and then
to those that people asked; each step counts the one before as 20 questions.

The means are a versioned record of the truth, so that indexes built anew are centred as those that were kept. Means of names are never
taken anew: synonyms must not depend on what came in first.
"""

from __future__ import annotations

import sqlite3

import numpy as np

from lpmm_core.base.errors import Conflict
from lpmm_core.base.records import Fact, Vectors
from lpmm_core.index.encoder import Encoder
from lpmm_core.index.shelf import Shelf, View
from lpmm_core.retrieve.question import language_of
from lpmm_core.store import models, read
from lpmm_core.store.journal import SYSTEM
from lpmm_core.store.models import Model
from lpmm_core.store.store import Store

AT = (1_000, 10_000)
"""Numbers of passages at which the means are taken anew."""

PRIOR = 20
"""Questions that a mean known before counts for."""

OWN_FACTS = 400
"""Facts, spread evenly over all, that are put as questions."""

PARTICIPANTS = 100
PAST_QUESTIONS = 1_000
AT_ONCE = 4_096
"""Vectors read at once."""


def due(view: View) -> str | None:
    """Return the reason to calibrate now ("at 1,000 passages"), or None when there is none or it was done."""
    model, passages = view.indexes.model, view.indexes.passages
    reached = [count for count in AT if passages is not None and len(passages) >= count]
    if model is None or not reached:
        return None
    reason = f"at {reached[-1]:,} passages"
    row = view.connection.execute("SELECT 1 FROM calibrations WHERE model = ? AND reason = ?", (model.row, reason))
    return None if row.fetchone() else reason


def calibrate(store: Store, shelf: Shelf, encoder: Encoder) -> None:
    """Take the means anew and record them, as an operation of the memory itself.

    Raises:
        Conflict: nothing is embedded yet, or the model was changed meanwhile.
        ProviderError, ModelMismatch: the model failed, or is another than the memory's.
    """
    with shelf.view() as view:
        model, reason = view.indexes.model, due(view) or "on command"
        shipped = models.shipped_calibration(view.connection, model.row) if model else None
        if model is None or shipped is None:
            raise Conflict("nothing is embedded yet, so there is nothing to calibrate by")
        passages = _mean(view, model, "passage", shipped.passage)
        facts = _mean(view, model, "fact", shipped.fact)
        own, past = own_questions(view), _past_questions(view.connection)
    encoder.check(model)
    questions = {}
    for language in ("zh", "en"):
        mean = shipped.question(language)
        for asked in (own, past):
            texts = [text for text in asked if language_of(text) == language]
            mean = shrunk(mean, encoder.embed(texts, "query")) if texts else mean
        questions[language] = mean
    with store.operation(f"{SYSTEM}calibrate", "calibrate", summary=reason) as operation, operation.batch() as batch:
        current = models.current_model(batch.connection)
        if current is None or current.row != model.row:
            raise Conflict("the embedding model was changed meanwhile; calibrate again")
        models.add_calibration(
            batch,
            model.row,
            reason,
            passage=passages,
            fact=facts,
            question_zh=questions["zh"],
            question_en=questions["en"],
        )


def shrunk(prior: Vectors, vectors: Vectors) -> Vectors:
    """Return the (d,) mean of (n, d) vectors and a prior that counts as `PRIOR` of them."""
    total = PRIOR * prior.astype(np.float64) + vectors.sum(axis=0, dtype=np.float64)
    mean: Vectors = (total / (PRIOR + len(vectors))).astype(np.float32)
    return mean


def own_questions(view: View) -> list[str]:
    """Return facts of the memory, and who takes part in its conversations, put as questions.

    What is asked need not make sense: the mean of many such texts lies where questions to this memory lie.
    """
    rows = np.zeros(0, np.int64) if view.indexes.facts is None else np.sort(view.indexes.facts.ids())
    chosen = rows[np.unique(np.linspace(0, len(rows) - 1, OWN_FACTS).astype(np.int64))] if len(rows) else rows
    asked = [_as_question(fact) for fact in read.facts(view.connection, view.ids, chosen.tolist())]
    speakers = view.connection.execute(
        "SELECT DISTINCT speaker FROM live_occurrences WHERE speaker IS NOT NULL ORDER BY speaker LIMIT ?",
        (PARTICIPANTS,),
    )
    for (name,) in speakers:
        asked.append(f"{name}说了什么？" if language_of(name) == "zh" else f"What did {name} say?")
    return asked


def _as_question(fact: Fact) -> str:
    if language_of(f"{fact.subject} {fact.predicate} {fact.object}") == "zh":
        return f"{fact.subject}{fact.predicate}什么？"
    return f"What {fact.predicate} {fact.object}?"


def _mean(view: View, model: Model, kind: str, otherwise: Vectors) -> Vectors:
    """Return the (d,) mean of the vectors of all visible records of a kind, added up in the order of their rows."""
    index = view.indexes.passages if kind == "passage" else view.indexes.facts
    rows = [] if index is None else np.sort(index.ids()).tolist()
    total = np.zeros(model.dimension)
    for start in range(0, len(rows), AT_ONCE):
        _, vectors = models.vectors(view.connection, kind, model.row, owners=rows[start : start + AT_ONCE])
        total += vectors.sum(axis=0, dtype=np.float64)
    return (total / len(rows)).astype(np.float32) if rows else otherwise


def _past_questions(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute(
        "SELECT question FROM traces GROUP BY question ORDER BY max(id) DESC LIMIT ?", (PAST_QUESTIONS,)
    )
    return [row["question"] for row in rows if row["question"].strip()]
