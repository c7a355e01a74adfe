"""The text that something is embedded by and the text it is searched by are one."""

from __future__ import annotations

import sqlite3

import pytest

from lpmm_core.index import gather
from lpmm_core.ingest.embedding import TEXTS
from tests.store.world import World


@pytest.mark.parametrize(("kind", "texts"), [("passage", gather.passage_texts), ("fact", gather.fact_texts)])
def test_what_is_embedded_is_what_is_searched(world: World, kind: str, texts: object) -> None:
    world.ingest("Anna knows Bob", "Carl knows Dora")
    with world.store.reading() as connection:
        connection.row_factory = sqlite3.Row
        embedded = {row["id"]: row["text"] for row in connection.execute(TEXTS[kind])}
        rows, found = texts(connection)
    assert embedded
    assert dict(zip(rows, found, strict=True)) == embedded
