"""From a question to passages with reasons, stage by stage.

understand -> candidates -> facts that lead (a language model may judge them) -> spread over the graph -> a second step -> pack. When no
fact leads, or there are no vectors, ranking falls back to meaning or to words, and the result says so. Everything happens at one moment
of the memory, so asking in a thread or awaiting gives the same.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lpmm_core.base.errors import ModelMismatch, ProviderError
from lpmm_core.base.names import name_key
from lpmm_core.base.records import Vectors
from lpmm_core.base.settings import Settings
from lpmm_core.graph.pagerank import Spreader
from lpmm_core.index.encoder import Encoder
from lpmm_core.index.shelf import View
from lpmm_core.index.tokens import is_one_word
from lpmm_core.provider.chat import ChatModel
from lpmm_core.retrieve import candidates, explain, facts
from lpmm_core.retrieve.candidates import Candidates, Ranked
from lpmm_core.retrieve.facts import LeadingFact
from lpmm_core.retrieve.question import Question, understand
from lpmm_core.retrieve.result import Result, Route, Trace
from lpmm_core.retrieve.spread import Spread, follow_up, seeds_for, spread, with_parts
from lpmm_core.retrieve.words import say

FOLLOWED_PASSAGES = 2
FOLLOWED_FACTS = 2
ONE_WORD_SHARPNESS = 2.0
"""In place of the configured sharpness: a single word means every passage that holds it, not the one that holds it best."""


@dataclass(frozen=True, slots=True)
class Asker:
    """What answering takes besides a moment of the memory: models and settings."""

    settings: Settings
    encoder: Encoder | None
    chat: ChatModel | None


@dataclass(slots=True)
class _Run:
    """One question on its way through the stages."""

    view: View
    asker: Asker
    question: Question
    route: Route
    reason: str = ""
    vector: Vectors | None = None
    stages: list[Mapping[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    leading: list[LeadingFact] = field(default_factory=list)
    found: Candidates | None = None
    walked: Spread | None = None

    def note(self, stage: str, **what: Any) -> None:
        self.stages.append({"stage": stage, **what})

    def say(self, sentence: str, **values: Any) -> str:
        return say(self.question.told_in, sentence, **values)


def retrieve(view: View, text: str, route: Route, *, top_k: int, asker: Asker, told_in: str | None = None) -> Result:
    """Answer a question at one moment of the memory; `told_in` is the language of the reasons, the question's when left out."""
    began = time.perf_counter()
    # Halves of surrogate pairs can be neither kept nor sent to anybody.
    question = understand(view.connection, text.strip().encode("utf-8", "replace").decode(), told_in)
    run = _Run(view, asker, question, route)
    nothing_asked = not name_key(question.text)
    if nothing_asked or not len(view.indexes.words):
        run.reason = run.say("empty question" if nothing_asked else "empty memory")
        return _result(run, route, Ranked(), top_k, began)
    run.note("understand", language=question.language, names=[name.key for name in question.names])
    run.vector = _vector(run)
    run.found = candidates.find(view.indexes, question.text, run.vector, asker.settings.retrieve)
    run.note(
        "candidates",
        dense=len(run.found.dense),
        lexical=len(run.found.lexical),
        facts=len(run.found.facts),
        fact_words=len(run.found.fact_words),
    )
    if _is_far(run):
        run.warnings.append(run.say("far"))
    taken, ranked = _ranked(run)
    return _result(run, taken, ranked, top_k, began)


def _vector(run: _Run) -> Vectors | None:
    """Return the question's centred vector; None, with a warning, when there can be none."""
    encoder, indexes = run.asker.encoder, run.view.indexes
    if run.route is Route.LEXICAL or encoder is None or indexes.model is None or indexes.calibration is None:
        return None
    try:
        encoder.check(indexes.model)
        return encoder.question(run.question.text, run.question.language, indexes.calibration)
    except (ProviderError, ModelMismatch) as error:
        run.warnings.append(error.message)
        return None


def _is_far(run: _Run) -> bool:
    """Tell whether the question is about nothing in this memory: no name or word it knows, and the nearest passage is not near."""
    assert run.found is not None
    dense = run.found.dense
    known = run.question.names or (is_one_word(run.question.text) and len(run.found.lexical))
    return len(dense) > 0 and not known and float(dense.scores[0]) < run.asker.settings.retrieve.far


def _ranked(run: _Run) -> tuple[Route, Ranked]:
    """Rank passages by the route that was asked for, or by the one it falls back to."""
    assert run.found is not None
    dense, lexical = run.found.dense, run.found.lexical
    has_vectors = len(dense) > 0
    if run.route is Route.LEXICAL or (run.route in (Route.AUTO, Route.DENSE, Route.HYBRID) and not has_vectors):
        run.reason = run.say("by words" if run.route is Route.LEXICAL else "no vectors")
        return Route.LEXICAL, lexical
    if run.route is Route.DENSE:
        run.reason = run.say("by meaning")
        return Route.DENSE, dense
    near = _near(run, has_vectors=has_vectors)
    looked_up = run.route is Route.AUTO and is_one_word(run.question.text) and not run.question.names
    if run.route is Route.HYBRID or looked_up:
        run.reason = run.say("by both")
        return Route.HYBRID, near
    _lead(run, has_vectors=has_vectors)
    if run.leading:
        run.walked = _walk(run, near)
    if run.walked is not None:
        run.reason = run.say("by graph", facts=len(run.leading))
        return Route.GRAPH, run.walked.passages
    run.reason = run.say("no fact", fallback=run.say("by meaning" if has_vectors else "by words"))
    return (Route.DENSE, dense) if has_vectors else (Route.LEXICAL, lexical)


def _near(run: _Run, *, has_vectors: bool) -> Ranked:
    assert run.found is not None
    dense, lexical = run.found.dense, run.found.lexical
    return candidates.near(run.question.text, dense, lexical, run.asker.settings.retrieve) if has_vectors else lexical


def _lead(run: _Run, *, has_vectors: bool) -> None:
    """Choose the facts that lead; a language model judges them when there is one."""
    assert run.found is not None
    settings, chat = run.asker.settings, run.asker.chat
    judging = chat is not None and settings.llm is not None and settings.llm.filter
    ranked, threshold = (
        (run.found.facts, settings.retrieve.fact_threshold) if has_vectors else (run.found.fact_words, 0.0)
    )
    limit = facts.SHOWN_TO_MODEL if judging else settings.retrieve.facts
    leading = facts.leading(run.view, ranked, limit=limit, threshold=threshold)
    if judging and chat is not None and leading:
        try:
            kept = facts.judged(chat, run.question.text, run.question.language, leading)
            run.note("filter", model=chat.name, shown=len(leading), kept=len(kept))
            leading = kept
        except ProviderError as error:
            run.warnings.append(run.say("filter failed", reason=error.message))
    run.leading = leading[: settings.retrieve.facts]
    run.note(
        "facts", leading=[{"row": fact.row, "text": fact.text, "score": round(fact.score, 4)} for fact in run.leading]
    )


def _walk(run: _Run, near: Ranked) -> Spread | None:
    """Spread over the graph, take the second step, spread again."""
    settings, topology = run.asker.settings.retrieve, run.view.indexes.topology
    if is_one_word(run.question.text):
        settings = settings.model_copy(update={"sharpness": ONE_WORD_SHARPNESS})
    words = run.view.indexes.words
    names = {name.entity: words.frequency(name.key) for name in run.question.names}
    spreader = Spreader(topology.adjacency, follow=settings.follow)
    walked = spread(topology, spreader, seeds_for(topology, run.leading, names, near, settings))
    if walked is not None and settings.second_step and run.vector is not None:
        further = follow_up(near, _asked_again(run, run.vector, walked))
        run.note("second step", from_passages=walked.passages.rows[:FOLLOWED_PASSAGES].tolist())
        walked = spread(topology, spreader, seeds_for(topology, run.leading, names, near, settings, further))
    if walked is not None:
        run.note(
            "spread",
            follow=settings.follow,
            steps=spreader.steps,
            entities=len(walked.seeds.entities),
            reached=len(walked.passages),
        )
    return walked


def _asked_again(run: _Run, vector: Vectors, walked: Spread) -> list[tuple[int, Ranked]]:
    """Ask again with the best facts of the best passages behind the question."""
    indexes, encoder = run.view.indexes, run.asker.encoder
    if indexes.passages is None or indexes.facts is None or indexes.calibration is None or encoder is None:
        return []
    asked: list[tuple[int, str]] = []
    for passage in walked.passages.rows[:FOLLOWED_PASSAGES].tolist():
        stated = explain.facts_of_passage(run.view.connection, passage)
        scores = indexes.facts.score(vector, list(stated))
        ranked = sorted((-float(score), row) for row, score in zip(stated, scores, strict=True) if score == score)
        asked += [(passage, f"{run.question.text} {stated[row]}") for _, row in ranked[:FOLLOWED_FACTS]]
    if not asked:
        return []
    vectors = encoder.questions([text for _, text in asked], run.question.language, indexes.calibration)
    found = indexes.passages.search_many(vectors, run.asker.settings.retrieve.candidates)
    return [(passage, candidates.ranked(hits)) for (passage, _), hits in zip(asked, found, strict=True)]


def _result(run: _Run, taken: Route, ranked: Ranked, top_k: int, began: float) -> Result:
    top = ranked.top(top_k)
    if run.walked is not None and taken is Route.GRAPH:
        run.walked = with_parts(run.view.indexes.topology, run.walked, top.rows.tolist())
    packed = explain.pack(run.view, run.question, taken, top, run.found, run.leading, run.walked)
    calibration = run.view.indexes.calibration
    trace = Trace(
        route=taken,
        asked_route=run.route,
        reason=run.reason,
        language=run.question.language,
        sequence=run.view.indexes.sequence,
        calibration=calibration.row if calibration else None,
        stages=tuple(run.stages),
        entities=packed.entities,
        nodes=packed.nodes,
        edges=packed.edges,
        warnings=tuple(run.warnings),
    )
    trace = replace(trace, seconds=round(time.perf_counter() - began, 4))
    return Result(run.question.text, packed.passages, packed.facts, trace)
