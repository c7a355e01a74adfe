"""How much a memory holds, in the contract's words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from lpmm_core.index.nodes import NodeKind
from lpmm_core.index.shelf import View
from lpmm_core.store import read

LINKS = (
    "mention",
    "synonym",
    "alias_of",
    "mentions_topic",
    "supports",
    "same_topic",
    "temporal_next",
    "speaker_related",
)


@dataclass(frozen=True, slots=True)
class Stats:
    """What is visible, counted; `links` by kind, `states` of passages by how far their reading has come."""

    paragraphs: int
    occurrences: int
    entities: int
    facts: int
    sources: int
    links: Mapping[str, int]
    states: Mapping[str, int]
    sequence: int

    def to_json(self) -> dict[str, Any]:
        """Return the JSON shape that the command line and the web page hand out."""
        return {
            "paragraphs": self.paragraphs,
            "occurrences": self.occurrences,
            "entities": self.entities,
            "facts": self.facts,
            "links": dict(self.links),
            "sources": self.sources,
            "states": dict(self.states),
            "sequence": self.sequence,
        }


def gather_stats(view: View) -> Stats:
    """Count what is visible at one moment."""
    counts = read.counts(view.connection)
    links = dict.fromkeys(LINKS, 0)
    links["mention"], links["alias_of"] = counts["mention"], counts["alias_of"]
    topology = view.indexes.topology
    entities = topology.nodes.ids(np.flatnonzero(topology.nodes.of_kind(NodeKind.ENTITY)))
    links["synonym"] = sum(len(topology.synonyms(entity)) for entity in entities.tolist()) // 2
    return Stats(
        paragraphs=counts["paragraphs"],
        occurrences=counts["occurrences"],
        entities=counts["entities"],
        facts=counts["facts"],
        sources=counts["sources"],
        links=links,
        states=read.states(view.connection),
        sequence=view.indexes.sequence,
    )
