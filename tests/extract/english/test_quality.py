"""Floors for the quality of English extraction on labelled passages of our own wording."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lpmm_core.base.records import Reading
from tests.extract.reading import extractor
from tests.extract.scoring import Score, TripleLabel, score_names, score_triples

LABELLED = Path(__file__).parents[2] / "fixtures" / "extraction" / "en-dev.json"


def labels(rows: list[list[str]]) -> list[TripleLabel]:
    return [(row[0], row[1], row[2], len(row) > 3) for row in rows]


def scores(half: str) -> tuple[Score, Score]:
    items: list[dict[str, Any]] = [i for i in json.loads(LABELLED.read_text("utf-8")) if i["split"] == half]
    readings = [Reading(i["text"], i.get("title"), i.get("speaker"), i.get("addressee")) for i in items]
    triples = names = Score()
    for item, extraction in zip(items, extractor().extract(readings), strict=True):
        found = [(t.subject, t.predicate, t.object, t.negated) for t in extraction.triples]
        triples += score_triples(found, labels(item["triples"]), labels(item["also"]))
        names += score_names([m.name for m in extraction.mentions], [name for name, _ in item["entities"]])
    return triples, names


@pytest.mark.parametrize("half", ["dev", "held"])
def test_english_extraction_keeps_its_floor(half: str):
    triples, names = scores(half)
    assert triples.precision >= 0.9
    assert triples.recall >= 0.85
    assert names.f1 >= 0.93


def test_a_label_is_met_once_and_optional_labels_only_help_precision():
    wanted: list[TripleLabel] = [("Anna", "lives in", "Rome", False)]
    also: list[TripleLabel] = [("Anna", "has", "cat", False)]
    found: list[TripleLabel] = [
        ("Anna", "lived in", "Rome", False),
        ("Anna", "has", "cat", False),
        ("Anna", "lives in", "Rome", True),
    ]
    score = score_triples(found, wanted, also)
    assert (score.found, score.right, score.wanted, score.met) == (3, 2, 1, 1)
    assert score_triples(found, wanted, also, relaxed=False).met == 0
    assert score_names(["The Rome"], ["rome"]).f1 == 1.0
