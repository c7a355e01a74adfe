"""A person's edits of entities and records: each one batch of an operation, each undone by putting columns back.

Renaming, merging and splitting change which entity a name belongs to (`names.entity`). Evidence is stated by name and is never moved, so
an edit costs the same for a hub as for a leaf, and evidence that arrives later follows the names.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from lpmm_core.base.errors import Conflict, InvalidInput, NotFound
from lpmm_core.base.names import clean_name, name_key, why_not_a_name
from lpmm_core.base.records import Kind
from lpmm_core.store.evidence import intern_names
from lpmm_core.store.journal import Batch
from lpmm_core.store.read import displayed, standing

DELETABLE = ("sources", "passages", "entities", "facts")


def rename(batch: Batch, entity: int, name: str, *, version: int | None = None) -> None:
    """Show an entity under another name; the old one stays as an alias.

    Raises:
        InvalidInput: this cannot be a name.
        Conflict: another entity has this name (`details["other"]` is its row: offer a merge), or the record changed meanwhile.
    """
    name = clean_name(name)
    if reason := why_not_a_name(name):
        raise InvalidInput(f"{name!r} cannot be a name: {reason}")
    _standing(batch, entity, version)
    row = intern_names(batch, [name_key(name)])[name_key(name)]
    other = batch.connection.execute("SELECT entity FROM names WHERE id = ?", (row,)).fetchone()["entity"]
    if other != entity:
        if _is_visible(batch.connection, other):
            raise Conflict(
                f"{displayed(batch.connection, [other])[other][0]} is another entity; merge the two instead",
                other=other,
            )
        batch.update("names", row, entity=entity)
    batch.update("entities", entity, name=name)


def retype(batch: Batch, entity: int, kind: Kind, *, version: int | None = None) -> None:
    """Say what kind of thing an entity is; raises Conflict when the record changed meanwhile."""
    _standing(batch, entity, version)
    batch.update("entities", entity, kind=str(kind))


def merge(batch: Batch, entities: Sequence[int], into: int, *, version: int | None = None) -> None:
    """Make several entities one: all their names become names of `into`, which keeps the name and kind it shows.

    Raises:
        InvalidInput: there is nothing to merge.
        Conflict: the record changed meanwhile.
    """
    _standing(batch, into, version)
    others = [entity for entity in dict.fromkeys(entities) if entity != into]
    if not others:
        raise InvalidInput("merging needs at least two entities")
    name, kind = displayed(batch.connection, [into])[into]
    batch.update("entities", into, name=name, kind=str(kind))
    for other in others:
        _standing(batch, other, None)
        for row in batch.connection.execute("SELECT id FROM names WHERE entity = ? ORDER BY id", (other,)).fetchall():
            batch.update("names", row["id"], entity=into)
        batch.update("entities", other, merged_into=into)


def split(batch: Batch, entity: int, names: Sequence[str], *, version: int | None = None) -> int:
    """Give some of an entity's names, with the evidence stated under them, an entity of their own; return its row.

    Raises:
        InvalidInput: none of the names is the entity's, or no name would be left to it.
        Conflict: the record changed meanwhile.
    """
    _standing(batch, entity, version)
    held = {
        row["key"]: row["id"]
        for row in batch.connection.execute("SELECT key, id FROM names WHERE entity = ?", (entity,))
    }
    leaving = [held[key] for key in dict.fromkeys(map(name_key, names)) if key in held]
    if not leaving or len(leaving) == len(held):
        known = ", ".join(sorted(held))
        raise InvalidInput(f"choose some, not all, of the names of this entity to split off: it has {known}")
    shown = batch.connection.execute("SELECT name FROM entities WHERE id = ?", (entity,)).fetchone()["name"]
    new = batch.insert("entities", ("hand", "pinned", "version"), [(0, 0, 1)])[0]
    for row in leaving:
        batch.update("names", row, entity=new)
    if shown and held.get(name_key(shown)) in leaving:
        batch.update("entities", entity, name=None)
        batch.update("entities", new, name=shown)
    return new


def delete(batch: Batch, table: str, row: int) -> None:
    """Put a record into the recycle bin; what only it supports goes out of sight with it.

    Raises:
        NotFound: there is no such record, or it is deleted already.
    """
    if table not in DELETABLE:
        raise InvalidInput(f"{table} cannot be deleted one by one")
    found = batch.connection.execute(f"SELECT deleted FROM {table} WHERE id = ?", (row,)).fetchone()
    if found is None or found["deleted"]:
        raise NotFound("that record is not there, or is deleted already")
    batch.update(table, row, deleted=batch.time)


def undelete(batch: Batch, table: str, row: int) -> None:
    """Take a record out of the recycle bin; raises NotFound when it is not in there."""
    found = batch.connection.execute(f"SELECT deleted FROM {table} WHERE id = ?", (row,)).fetchone()
    if found is None or not found["deleted"]:
        raise NotFound("that record is not in the recycle bin")
    batch.update(table, row, deleted=None)


def pin(batch: Batch, table: str, row: int, *, pinned: bool) -> None:
    """Keep a passage, an entity or a fact whatever forgetting and deletions do, or stop keeping it."""
    if table not in ("passages", "entities", "facts"):
        raise InvalidInput("only passages, entities and facts can be pinned")
    batch.update(table, row, pinned=int(pinned))


def _standing(batch: Batch, entity: int, version: int | None) -> None:
    standing(batch.connection, entity)
    batch.expect("entities", entity, version)


def _is_visible(connection: sqlite3.Connection, entity: int) -> bool:
    return connection.execute("SELECT 1 FROM visible_entities WHERE id = ?", (entity,)).fetchone() is not None
