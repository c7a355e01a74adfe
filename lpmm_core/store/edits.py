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
        Conflict: another entity has this name (`details["other"]` is its id: offer a merge), or the record changed meanwhile.
    """
    name = clean_name(name)
    if reason := why_not_a_name(name):
        raise InvalidInput(f"{name!r} cannot be a name: {reason}")
    entity = _there(batch, "entities", entity, version)
    row = intern_names(batch, [name_key(name)])[name_key(name)]
    other = batch.connection.execute("SELECT entity FROM names WHERE id = ?", (row,)).fetchone()["entity"]
    if other != entity:
        if _is_visible(batch.connection, other):
            raise Conflict(
                f"{displayed(batch.connection, [other])[other][0]} is another entity; merge the two instead",
                other=batch.ids.encode("entities", other),
            )
        _give_names(batch, other, [row], entity)
        if not batch.connection.execute("SELECT 1 FROM names WHERE entity = ? LIMIT 1", (other,)).fetchone():
            batch.update("entities", other, merged_into=entity)
    batch.update("entities", entity, name=name)


def retype(batch: Batch, entity: int, kind: Kind, *, version: int | None = None) -> None:
    """Say what kind of thing an entity is; raises Conflict when the record changed meanwhile."""
    batch.update("entities", _there(batch, "entities", entity, version), kind=str(kind))


def merge(batch: Batch, entities: Sequence[int], into: int, *, version: int | None = None) -> None:
    """Make several entities one: all their names become names of `into`, which keeps the name and kind it shows.

    What was made or pinned by hand stays so in the whole.

    Raises:
        InvalidInput: there is nothing to merge.
        Conflict: the record changed meanwhile.
    """
    into = _there(batch, "entities", into, version)
    others = [
        other
        for other in dict.fromkeys(_there(batch, "entities", entity, None) for entity in entities)
        if other != into
    ]
    if not others:
        raise InvalidInput("merging needs at least two entities")
    name, kind = displayed(batch.connection, [into])[into]
    kept = batch.connection.execute(
        f"SELECT max(hand) AS hand, max(pinned) AS pinned FROM entities WHERE id IN ({','.join('?' * (len(others) + 1))})",
        (into, *others),
    ).fetchone()
    batch.update("entities", into, name=name, kind=str(kind), hand=kept["hand"], pinned=kept["pinned"])
    for other in others:
        rows = batch.connection.execute("SELECT id FROM names WHERE entity = ? ORDER BY id", (other,)).fetchall()
        _give_names(batch, other, [row["id"] for row in rows], into)
        batch.update("entities", other, merged_into=into)


def split(batch: Batch, entity: int, names: Sequence[str], *, version: int | None = None) -> int:
    """Give some of an entity's names, with the evidence stated under them, an entity of their own; return its row.

    Raises:
        InvalidInput: none of the names is the entity's, or no name would be left to it.
        Conflict: the record changed meanwhile.
    """
    entity = _there(batch, "entities", entity, version)
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
    _give_names(batch, entity, leaving, new)
    if shown and held.get(name_key(shown)) in leaving:
        batch.update("entities", entity, name=None)
        batch.update("entities", new, name=shown)
    return new


def delete(batch: Batch, table: str, row: int, *, version: int | None = None) -> None:
    """Put a record into the recycle bin; what only it supports goes out of sight with it.

    Raises:
        NotFound: there is no such record, or it is deleted already.
        Conflict: the record changed meanwhile.
    """
    if table not in DELETABLE:
        raise InvalidInput(f"{table} cannot be deleted one by one")
    batch.update(table, _there(batch, table, row, version), deleted=batch.time)


def undelete(batch: Batch, table: str, row: int, *, version: int | None = None) -> None:
    """Take a record out of the recycle bin; raises NotFound when it is not in there, and Conflict when it changed meanwhile."""
    if table not in DELETABLE:
        raise InvalidInput(f"{table} cannot be deleted one by one")
    batch.expect(table, row, version)
    found = batch.connection.execute(f"SELECT deleted FROM {table} WHERE id = ?", (row,)).fetchone()
    if found is None or not found["deleted"]:
        raise NotFound("that record is not in the recycle bin")
    batch.update(table, row, deleted=None)


def pin(batch: Batch, table: str, row: int, *, pinned: bool, version: int | None = None) -> None:
    """Keep a passage, an entity or a fact whatever forgetting and deletions do, or stop keeping it; raises as `delete` does."""
    if table not in ("passages", "entities", "facts"):
        raise InvalidInput("only passages, entities and facts can be pinned")
    batch.update(table, _there(batch, table, row, version), pinned=int(pinned))


def _there(batch: Batch, table: str, row: int, version: int | None) -> int:
    """Return the record's row, for an entity that was merged away that of the one it became part of."""
    batch.expect(table, row, version)
    if table == "entities":
        return standing(batch.connection, row)
    found = batch.connection.execute(f"SELECT deleted FROM {table} WHERE id = ?", (row,)).fetchone()
    if found is None or found["deleted"]:
        raise NotFound("that record is not there, or is deleted already")
    return row


def _give_names(batch: Batch, giver: int, names: Sequence[int], taker: int) -> None:
    """Move names from one entity to another. Both are changed by it, so that an edit of either stands in the way of an undo."""
    for row in names:
        batch.update("names", row, entity=taker)
    batch.touch("entities", giver)
    batch.touch("entities", taker)


def _is_visible(connection: sqlite3.Connection, entity: int) -> bool:
    return connection.execute("SELECT 1 FROM visible_entities WHERE id = ?", (entity,)).fetchone() is not None
