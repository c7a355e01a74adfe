"""How much a memory holds, in the contract's words."""

from __future__ import annotations

from collections.abc import Callable

from lpmm_core.index.stats import LINKS
from lpmm_core.memory import Memory
from tests.fixtures.toy import document, entity, passage

Open = Callable[..., Memory]


def test_what_is_visible_is_counted(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("Mira|knows|Anna", "Mira|knows|Anna", "# Varna\nHarbour Lane|lies in|Sofia", name="one")])
    memory.ingest([document("Harbour Lanes|lies in|Burgas", "Mira|knows|Anna", name="two")])
    memory.ingest([document("waits", name="three")], wait=False)
    assert memory.stats().to_json() == {
        "paragraphs": 4,
        "occurrences": 6,
        "entities": 6,
        "facts": 3,
        "links": {**dict.fromkeys(LINKS, 0), "mention": 6, "synonym": 1},
        "sources": 3,
        "states": {"ready": 5, "waiting": 1},
        "sequence": memory.changes_since(0)[0],
    }


def test_an_alias_is_a_link_and_what_is_gone_is_not_counted(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("Mira|knows|Anna", "Bob|met|Cleo")])
    memory.merge([entity(memory, "Mira")], entity(memory, "Bob"))
    stats = memory.stats()
    assert (stats.entities, stats.links["alias_of"], stats.links["mention"], stats.facts) == (3, 1, 4, 2)
    memory.delete([passage(memory, "Bob|met")])
    stats = memory.stats()
    assert (stats.paragraphs, stats.entities, stats.facts, stats.links["mention"]) == (1, 2, 1, 2)


def test_an_empty_memory_has_nothing_of_every_kind(open_toy: Open) -> None:
    found = open_toy().stats().to_json()
    assert found["links"] == dict.fromkeys(LINKS, 0)
    assert (found["paragraphs"], found["sources"], found["states"], found["sequence"]) == (0, 0, {}, 0)
