"""Spreading: from leading facts, names in the question and near passages over the graph to passages.

Seeds are sharpened (min-max scores to a high power), so that a few strong ones lead instead of hundreds of weak ones; an entity's seed is
divided by the number of its passages, because a name that stands everywhere says little. With one step done, the best passages' best
facts are put behind the question and asked again: what they lead to joins the passage seeds, and the graph is spread once more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lpmm_core.base.settings import RetrieveSettings
from lpmm_core.graph.pagerank import Spreader
from lpmm_core.index.topology import Topology
from lpmm_core.retrieve.candidates import Ranked, best, minmax
from lpmm_core.retrieve.facts import LeadingFact

Amounts = NDArray[np.float64]

KEPT = 0.5
"""Share of its seed that a passage keeps when the second step finds others nearer: what states the answer must not sink."""


@dataclass(frozen=True, slots=True, eq=False)
class Seeds:
    """Weights by entity or passage row, apart by where they come from."""

    facts: Mapping[int, float]
    names: Mapping[int, float]
    passages: Mapping[int, float]

    @property
    def entities(self) -> dict[int, float]:
        """Weights of entities from facts and names together."""
        together = dict(self.facts)
        for entity, weight in self.names.items():
            together[entity] = together.get(entity, 0.0) + weight
        return together


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """Where the walk of `spreader` ended: `visits` by node, `passages` by their share of what reached passages, and where it came from."""

    spreader: Spreader
    visits: Amounts
    passages: Ranked
    parts: Mapping[str, Mapping[int, float]]
    seeds: Seeds


def seeds_for(
    topology: Topology,
    facts: Sequence[LeadingFact],
    names: Mapping[int, int],
    near: Ranked,
    settings: RetrieveSettings,
    further: Ranked | None = None,
) -> Seeds:
    """Weigh the seeds.

    Args:
        topology: the graph.
        facts: the facts that lead.
        names: entities that the question names, with how many passages hold the words of the name: a common word that is
            seldom marked as a name says as little as a name that stands everywhere.
        near: passages with their nearness, in any scale.
        settings: how seeds are weighed.
        further: nearness after the second step, in place of `near`, whose nearest keep `KEPT` of their weight.
    """
    counts = topology.over_entities(topology.passage_counts)
    sums: dict[int, float] = {}
    times: dict[int, int] = {}
    for fact in facts:
        for entity in {fact.subject, fact.object}:
            sums[entity] = sums.get(entity, 0.0) + fact.strength**settings.sharpness / _spread_over(counts, entity)
            times[entity] = times.get(entity, 0) + 1
    by_fact = {entity: total / times[entity] for entity, total in sums.items()}
    strongest = max(by_fact.values(), default=1.0)
    by_name = {entity: strongest / max(held, _spread_over(counts, entity)) for entity, held in names.items()}
    passages = _sharpened(near, settings)
    if further is not None:
        kept = {row: KEPT * weight for row, weight in passages.items()}
        passages = {row: max(weight, kept.get(row, 0.0)) for row, weight in _sharpened(further, settings).items()}
    return Seeds(by_fact, by_name, passages)


def _sharpened(near: Ranked, settings: RetrieveSettings) -> dict[int, float]:
    weights = settings.passage_weight * minmax(near.scores) ** settings.sharpness
    return dict(zip(near.rows.tolist(), weights.tolist(), strict=True))


def _spread_over(counts: NDArray[np.int32], entity: int) -> int:
    return max(1, int(counts[entity])) if entity < len(counts) else 1


def spread(topology: Topology, spreader: Spreader, seeds: Seeds) -> Spread | None:
    """Walk from the seeds; None when none of them is in the graph."""
    whole = topology.seeds(entities=seeds.entities, passages=seeds.passages)
    if not whole.sum() > 0:
        return None
    visits = spreader.spread(whole).astype(np.float64)
    over = topology.over_passages(visits)
    rows = np.flatnonzero(over > 0)
    total = float(over[rows].sum())
    if not total > 0:
        return None
    return Spread(spreader, visits, best(rows, over[rows] / total), {}, seeds)


def with_parts(topology: Topology, found: Spread, rows: Sequence[int]) -> Spread:
    """Say for some passages how much of their score came from facts, names and near passages: a walk is the sum of its seeds' walks."""
    shares: dict[str, Amounts] = {}
    for part, given in (
        ("facts", topology.seeds(entities=found.seeds.facts)),
        ("names", topology.seeds(entities=found.seeds.names)),
        ("nearness", topology.seeds(passages=found.seeds.passages)),
    ):
        mass = float(given.sum())
        reached = topology.over_passages(found.spreader.spread(given).astype(np.float64)) if mass > 0 else np.zeros(0)
        shares[part] = np.array([mass * reached[row] if row < len(reached) else 0.0 for row in rows])
    scores = found.passages.as_dict()
    totals = np.maximum(sum(shares.values()), 1e-12)
    parts = {
        part: {row: float(scores[row] * share / total) for row, share, total in zip(rows, amounts, totals, strict=True)}
        for part, amounts in shares.items()
    }
    return replace(found, parts=parts)


def follow_up(near: Ranked, asked: Sequence[tuple[int, Ranked]]) -> Ranked:
    """Add to each passage's nearness how near it is to the best of the questions with a fact behind them.

    Args:
        near: passages with their nearness to the plain question.
        asked: for each further question the passage its fact stands in, which is not led to by it, and the passages it finds.
    """
    led: dict[int, float] = {}
    for own, found in asked:
        for row, score in zip(found.rows.tolist(), found.scores.tolist(), strict=True):
            if row != own:
                led[row] = max(led.get(row, 0.0), score)
    together = near.as_dict()
    for row, score in led.items():
        together[row] = together.get(row, 0.0) + score
    rows, scores = (
        np.fromiter(together, np.int64, len(together)),
        np.fromiter(together.values(), np.float64, len(together)),
    )
    return best(rows, scores)
