"""Putting together what several readers found in one passage, under the one rule for names.

Names are cleaned and judged here and nowhere else in extraction: a mention or a triple with an end that is no name (`base.names`) is
dropped, so is a triple from a name to itself. Where mentions overlap a pattern wins, then the longer, then the surer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lpmm_core.base.names import clean_name, name_key, why_not_a_name
from lpmm_core.base.records import Mention, Triple


def merge_mentions(patterns: Iterable[Mention], others: Iterable[Mention]) -> list[Mention]:
    """Mentions that do not overlap: patterns first, then the longer, then the surer; cleaned, and only what can be a name."""
    ranked = [(0, m) for m in patterns] + [(1, m) for m in others]
    ranked.sort(
        key=lambda ranked: (
            ranked[0],
            ranked[1].start - ranked[1].end,
            -ranked[1].confidence,
            ranked[1].start,
            ranked[1].kind,
        )
    )
    kept: list[Mention] = []
    taken: set[int] = set()
    for _, mention in ranked:
        name = clean_name(mention.name)
        if why_not_a_name(name) is None and taken.isdisjoint(range(mention.start, mention.end)):
            taken.update(range(mention.start, mention.end))
            kept.append(mention if name == mention.name else replace(mention, name=name))
    return sorted(kept, key=lambda mention: mention.start)


def merge_triples(triples: Iterable[Triple]) -> list[Triple]:
    """Triples with clean names, each stated once (the surest), none from a name to itself, in the order they were found."""
    kept: dict[tuple[str, str, str, bool], Triple] = {}
    for triple in triples:
        subject, predicate, object_ = (
            clean_name(triple.subject),
            " ".join(triple.predicate.split()),
            clean_name(triple.object),
        )
        ends = name_key(subject), name_key(object_)
        if why_not_a_name(subject) or why_not_a_name(object_) or not predicate or ends[0] == ends[1]:
            continue
        key = ends[0], name_key(predicate), ends[1], triple.negated
        if key not in kept or kept[key].confidence < triple.confidence:
            kept[key] = replace(triple, subject=subject, predicate=predicate, object=object_)
    return list(kept.values())
