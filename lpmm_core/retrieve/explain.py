"""Packing: passages and facts with the reasons why they came back, and the part of the graph that was walked.

A reason is read off what happened: which leading fact a passage states, along which path most of the seeds' activation reached it, which
rank it had by meaning and by words, and how its score adds up. Nothing is guessed afterwards.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from lpmm_core.base.records import Fact, Kind
from lpmm_core.index.nodes import NodeKind
from lpmm_core.index.shelf import View
from lpmm_core.retrieve.candidates import Candidates, Ranked
from lpmm_core.retrieve.facts import LeadingFact
from lpmm_core.retrieve.question import Question
from lpmm_core.retrieve.result import Edge, FoundFact, FoundPassage, Node, Reason, Route
from lpmm_core.retrieve.spread import Spread
from lpmm_core.retrieve.words import joined, listed, number, say
from lpmm_core.store import read
from lpmm_core.store.evidence import fact_text

SHOWN_NODES = 40
SHOWN_ENTITIES = 10


@dataclass(frozen=True, slots=True)
class Packed:
    """What a result is made of."""

    passages: tuple[FoundPassage, ...]
    facts: tuple[FoundFact, ...]
    entities: tuple[Mapping[str, Any], ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class _Path:
    """How a passage was reached: entity and passage rows in turn, the passage itself last, with the facts between neighbours."""

    steps: tuple[tuple[NodeKind, int], ...]
    facts: tuple[int | None, ...]


def facts_of_passage(connection: sqlite3.Connection, passage: int) -> dict[int, str]:
    """Return the visible open facts that a passage states, with the texts they are found by."""
    rows = connection.execute(
        """SELECT DISTINCT f.id, s.key AS subject, f.predicate, t.key AS object FROM live_occurrences o
        JOIN evidence v ON v.occurrence = o.id JOIN visible_facts f ON f.id = v.fact
        JOIN names s ON s.id = f.subject JOIN names t ON t.id = f.object
        WHERE o.passage = ? AND f.recorded_end IS NULL ORDER BY f.id""",
        (passage,),
    )
    return {row["id"]: fact_text(row["subject"], row["predicate"], row["object"]) for row in rows}


def pack(
    view: View,
    question: Question,
    route: Route,
    top: Ranked,
    found: Candidates | None,
    leading: Sequence[LeadingFact],
    walked: Spread | None,
) -> Packed:
    """Put the result together."""
    if found is None:
        return Packed((), (), (), (), ())
    rows = top.rows.tolist()
    paths = _paths(view, rows, walked) if route is Route.GRAPH and walked is not None else {}
    used = [fact.row for fact in leading] if route is Route.GRAPH else []
    shown_facts = dict(_facts(view, [*used, *(f for path in paths.values() for f in path.facts if f)]))
    entities = _entities(leading if used else (), question, paths)
    names = read.displayed(view.connection, entities)
    tell = _Teller(
        view,
        question,
        found,
        names,
        {row: _told(fact, question.told_in) for row, fact in shown_facts.items()},
    )
    places = _places(view, rows)
    texts = read.passages(view.connection, view.ids, rows)
    stated = {row: set(facts_of_passage(view.connection, row)) for row in rows}
    passages = []
    for row, score, passage in zip(rows, top.scores.tolist(), texts, strict=True):
        parts = (
            {part: amounts[row] for part, amounts in walked.parts.items()}
            if walked and row in paths
            else _plain(route, score)
        )
        why = tell.reasons(row, stated[row], [f for f in used if f in stated[row]], paths.get(row), score, parts)
        source, source_name, position = places[row]
        marks = _marks(view.connection, row, set(entities) | {name.entity for name in question.names})
        passages.append(
            FoundPassage(
                id=passage.id,
                text=passage.text,
                title=passage.title,
                score=round(score, 6),
                source=source,
                source_name=source_name,
                position=position,
                parts={part: round(value, 6) for part, value in parts.items()},
                why=tuple(why),
                entities=tuple(view.ids.encode("entities", entity) for entity, _, _ in marks),
                spans=tuple((start, end) for _, start, end in marks),
            )
        )
    nodes, edges = _lit(view, rows, paths, leading if used else (), names, walked, shown_facts)
    return Packed(
        tuple(passages),
        tuple(
            FoundFact(shown_facts[fact.row], round(fact.score, 6))
            for fact in leading
            if fact.row in shown_facts and used
        ),
        tuple(_seeded(view, walked, names)) if used else (),
        nodes,
        edges,
    )


def _told(fact: Fact, language: str) -> str:
    text = f"{fact.subject} — {fact.predicate} — {fact.object}"
    return say(language, "denied", fact=text) if fact.negated else text


def _plain(route: Route, score: float) -> dict[str, float]:
    return (
        {"words" if route is Route.LEXICAL else "meaning": score}
        if route is not Route.HYBRID
        else {"meaning and words": score}
    )


def _facts(view: View, rows: Sequence[int]) -> list[tuple[int, Fact]]:
    wanted = list(dict.fromkeys(rows))
    return list(zip(wanted, read.facts(view.connection, view.ids, wanted), strict=True))


def _entities(leading: Sequence[LeadingFact], question: Question, paths: Mapping[int, _Path]) -> list[int]:
    found = dict.fromkeys(entity for fact in leading for entity in (fact.subject, fact.object))
    found |= dict.fromkeys(name.entity for name in question.names)
    found |= dict.fromkeys(row for path in paths.values() for kind, row in path.steps if kind is NodeKind.ENTITY)
    return list(found)


def _paths(view: View, rows: Sequence[int], walked: Spread) -> dict[int, _Path]:
    """Find for each passage the strongest path from a seeded entity."""
    topology = view.indexes.topology
    seeds = topology.seeds(entities=walked.seeds.entities)
    found = {}
    for row, node in zip(rows, topology.nodes.of(NodeKind.PASSAGE, rows).tolist(), strict=True):
        numbers = walked.spreader.strongest_path(seeds, walked.visits, node) if node >= 0 and seeds.sum() > 0 else []
        steps = list(
            zip(
                (NodeKind(kind) for kind in topology.nodes.kinds(numbers)),
                topology.nodes.ids(numbers).tolist(),
                strict=True,
            )
        )
        facts = [_joining(view.connection, a, b) for a, b in pairwise(steps)]
        found[row] = _Path(tuple(steps), tuple(facts))
    return found


def _joining(connection: sqlite3.Connection, one: tuple[NodeKind, int], other: tuple[NodeKind, int]) -> int | None:
    """Return the fact with most evidence that joins two entities, if there is one."""
    if one[0] is not NodeKind.ENTITY or other[0] is not NodeKind.ENTITY:
        return None
    row = connection.execute(
        """SELECT f.id FROM visible_facts f JOIN names s ON s.id = f.subject JOIN names t ON t.id = f.object
        WHERE f.recorded_end IS NULL AND f.id IN (
            SELECT f1.id FROM names n JOIN facts f1 ON f1.subject = n.id WHERE n.entity IN (?1, ?2)
            INTERSECT SELECT f2.id FROM names n JOIN facts f2 ON f2.object = n.id WHERE n.entity IN (?1, ?2))
        AND s.entity <> t.entity
        ORDER BY (SELECT count(*) FROM evidence v WHERE v.fact = f.id) DESC, f.id LIMIT 1""",
        (one[1], other[1]),
    ).fetchone()
    return row["id"] if row else None


def _places(view: View, rows: Sequence[int]) -> dict[int, tuple[str, str, int]]:
    """Map passages to the first place where each stands: source id, source name, position."""
    found: dict[int, tuple[str, str, int]] = {}
    for row in read.in_parts(
        view.connection,
        """SELECT o.passage, o.source, s.name, o.position FROM live_occurrences o JOIN sources s ON s.id = o.source
        WHERE o.passage IN ({slots}) ORDER BY o.id""",
        rows,
    ):
        found.setdefault(row["passage"], (view.ids.encode("sources", row["source"]), row["name"], row["position"]))
    return found


def _marks(connection: sqlite3.Connection, passage: int, entities: set[int]) -> list[tuple[int, int, int]]:
    """Return (entity, start, end) of the names in a passage that belong to some entities; the longest win."""
    rows = connection.execute(
        """SELECT DISTINCT n.entity, m.start, m.stop FROM live_occurrences o JOIN mentions m ON m.occurrence = o.id
        JOIN names n ON n.id = m.name WHERE o.passage = ? AND m.stop > m.start ORDER BY m.start, m.stop DESC""",
        (passage,),
    ).fetchall()
    marks: list[tuple[int, int, int]] = []
    for row in rows:
        if row["entity"] in entities and (not marks or row["start"] >= marks[-1][2]):
            marks.append((row["entity"], row["start"], row["stop"]))
    return marks


def _seeded(view: View, walked: Spread | None, names: Mapping[int, tuple[str, Kind]]) -> list[dict[str, Any]]:
    if walked is None:
        return []
    strongest = sorted(walked.seeds.entities.items(), key=lambda item: (-item[1], item[0]))[:SHOWN_ENTITIES]
    return [
        {
            "id": view.ids.encode("entities", row),
            "name": names[row][0],
            "kind": str(names[row][1]),
            "weight": round(weight, 6),
        }
        for row, weight in strongest
        if row in names and weight > 0
    ]


@dataclass(frozen=True, slots=True)
class _Teller:
    """Says the reasons in the question's language."""

    view: View
    question: Question
    found: Candidates
    names: Mapping[int, tuple[str, Kind]]
    facts: Mapping[int, str]

    def reasons(
        self,
        row: int,
        stated: set[int],
        leading: Sequence[int],
        path: _Path | None,
        score: float,
        parts: Mapping[str, float],
    ) -> list[Reason]:
        language = self.question.told_in
        reasons = [self._reason("states", fact=self.facts[fact]) for fact in leading if fact in self.facts]
        if path is not None and not leading:
            told = self._path(path, stated)
            if told:
                reasons.append(Reason("path", joined(language, told)))
        for kind, ranked in (("near", self.found.dense), ("words", self.found.lexical)):
            at = np.flatnonzero(ranked.rows[:20] == row)
            if len(at):
                reasons.append(self._reason(kind, rank=int(at[0]) + 1, score=number(float(ranked.scores[at[0]]))))
        told_parts = [
            say(language, "part names" if part == "names" else part, value=number(value))
            for part, value in parts.items()
            if len(parts) > 1 and value >= 0.005
        ]
        if told_parts:
            reasons.append(self._reason("score", score=number(score), parts=listed(language, told_parts)))
        return reasons

    def _path(self, path: _Path, stated: set[int]) -> list[str]:
        """Tell a path step by step: which fact or passage leads from one name to the next."""
        language = self.question.told_in
        told: list[str] = []
        asked = {name.entity for name in self.question.names}
        steps = path.steps
        for (kind, row), (next_kind, next_row), fact in zip(steps, steps[1:], path.facts, strict=False):
            if kind is NodeKind.ENTITY and next_kind is NodeKind.ENTITY:
                if fact is not None and fact in self.facts:
                    sentence = "states" if fact in stated else ("leads on" if told else "leads")
                    told.append(say(language, sentence, fact=self.facts[fact], entity=self._name(next_row)))
                else:
                    told.append(say(language, "alike", entity=self._name(row), other=self._name(next_row)))
            elif kind is NodeKind.ENTITY and (next_kind, next_row) == steps[-1]:
                told.append(say(language, "names" if row in asked and not told else "mentions", entity=self._name(row)))
        for index in range(1, len(steps) - 1):
            if steps[index][0] is NodeKind.PASSAGE and index + 1 < len(steps):
                before, after = steps[index - 1][1], steps[index + 1][1]
                told.insert(0, say(language, "together", entity=self._name(before), other=self._name(after)))
        return told

    def _name(self, entity: int) -> str:
        return self.names[entity][0] if entity in self.names else ""

    def _reason(self, kind: str, **values: Any) -> Reason:
        text = say(self.question.told_in, kind, **values)
        return Reason(kind, joined(self.question.told_in, [text]), values)


def _lit(
    view: View,
    rows: Sequence[int],
    paths: Mapping[int, _Path],
    leading: Sequence[LeadingFact],
    names: Mapping[int, tuple[str, Kind]],
    walked: Spread | None,
    facts: Mapping[int, Fact],
) -> tuple[tuple[Node, ...], tuple[Edge, ...]]:
    """Return the part of the graph that was walked: seeds, paths, passages, and the facts between them."""
    if walked is None or not paths:
        return (), ()
    topology = view.indexes.topology
    edges: dict[tuple[tuple[NodeKind, int], tuple[NodeKind, int]], tuple[int, int | None]] = {}
    for fact in leading:
        edges.setdefault(((NodeKind.ENTITY, fact.subject), (NodeKind.ENTITY, fact.object)), (0, fact.row))
    for path in paths.values():
        for step, (one, other, joining) in enumerate(zip(path.steps, path.steps[1:], path.facts, strict=False)):
            if (other, one) not in edges:
                edges.setdefault((one, other), (step, joining))
    nodes = dict.fromkeys([*((NodeKind.PASSAGE, row) for row in rows), *(end for pair in edges for end in pair)])
    kept = list(nodes)[:SHOWN_NODES]
    numbers = [int(topology.nodes.of(kind, [row])[0]) for kind, row in kept]
    visits = [float(walked.visits[n]) if n >= 0 else 0.0 for n in numbers]
    most = {
        kind: max((v for (k, _), v in zip(kept, visits, strict=True) if k is kind), default=1.0) or 1.0
        for kind in NodeKind
    }
    counts = topology.passage_counts
    missing = read.displayed(
        view.connection, [row for kind, row in kept if kind is NodeKind.ENTITY and row not in names]
    )
    shown = {**names, **missing}
    places = _places(view, [row for kind, row in kept if kind is NodeKind.PASSAGE])
    drawn = []
    for (kind, row), n, visit in zip(kept, numbers, visits, strict=True):
        lit = round((visit / most[kind]) ** 0.5, 4)
        if kind is NodeKind.ENTITY:
            passages = int(counts[n]) if n >= 0 else 0
            drawn.append(
                Node(view.ids.encode("entities", row), "entity", shown[row][0], str(shown[row][1]), lit, passages)
            )
        else:
            _, source, position = places.get(row, ("", "", 0))
            drawn.append(Node(view.ids.encode("passages", row), "passage", f"{source} · {position}", "passage", lit))
    ids = {key: node.id for key, node in zip(kept, drawn, strict=True)}
    lines = [
        Edge(
            source=ids[one],
            target=ids[other],
            type="mention" if NodeKind.PASSAGE in (one[0], other[0]) else "fact" if fact else "synonym",
            predicate=facts[fact].predicate if fact else None,
            fact=facts[fact].id if fact else None,
            step=step,
        )
        for (one, other), (step, fact) in edges.items()
        if one in ids and other in ids
    ]
    return tuple(drawn), tuple(lines)
