"""A person's edits of a memory. Each is one operation, and tells what it changed; undo and redo work on the actor's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from lpmm_core.base.errors import InvalidInput
from lpmm_core.base.records import Kind
from lpmm_core.index.shelf import Shelf
from lpmm_core.store import edits, provenance, purge, read, undo
from lpmm_core.store.journal import Batch
from lpmm_core.store.preview import Deletion, deletion
from lpmm_core.store.provenance import RecordChange
from lpmm_core.store.store import Store
from lpmm_core.store.undo import Undone


@dataclass(frozen=True, slots=True)
class Edit:
    """One operation of a person and the records it changed; for an undo or redo, `kind` and `summary` are of what it turned round."""

    operation: str
    kind: str
    summary: str
    changes: tuple[RecordChange, ...]

    @property
    def made(self) -> tuple[str, ...]:
        """Ids of the records that it brought into being."""
        return tuple(change.id for change in self.changes if change.action == "insert")

    def to_json(self) -> dict[str, Any]:
        """Return the JSON shape that the command line prints."""
        return asdict(self)


class Editing:
    """The verbs of a Memory that a person corrects it by."""

    _store: Store
    _shelf: Shelf

    def rename(self, id: str, name: str, *, actor: str = "cli", version: int | None = None) -> Edit:
        """Show an entity under another name; the old one stays as an alias. Raises Conflict when another entity has the name."""
        row = self._entity(id)
        summary = f"{self._names([row])} → {name}"
        return self._edit(actor, "rename", summary, lambda batch: edits.rename(batch, row, name, version=version))

    def retype(self, id: str, kind: str, *, actor: str = "cli", version: int | None = None) -> Edit:
        """Say what kind of thing an entity is."""
        if kind not in set(Kind):
            raise InvalidInput(f"there is no kind {kind!r}; choose one of {', '.join(Kind)}")
        row = self._entity(id)
        return self._edit(actor, "retype", kind, lambda batch: edits.retype(batch, row, Kind(kind), version=version))

    def merge(self, ids: Sequence[str], into: str, *, actor: str = "cli", version: int | None = None) -> Edit:
        """Make several entities one; `into` keeps the name and kind it shows."""
        rows, target = [self._entity(id) for id in ids], self._entity(into)
        summary = f"{self._names(rows)} → {self._names([target])}"
        return self._edit(actor, "merge", summary, lambda batch: edits.merge(batch, rows, target, version=version))

    def split(self, id: str, names: Sequence[str], *, actor: str = "cli", version: int | None = None) -> Edit:
        """Give some of an entity's names, with what was said under them, an entity of their own, which is in `made`."""
        row = self._entity(id)
        summary = f"{self._names([row])} → {', '.join(names)}"
        return self._edit(actor, "split", summary, lambda batch: edits.split(batch, row, names, version=version))

    def deletion(self, ids: Sequence[str]) -> Deletion:
        """Return what deleting these records would take out of sight, and what would stay; nothing is changed."""
        return deletion(self._store, [self._store.ids.decode(id) for id in ids])

    def delete(self, ids: Sequence[str], *, actor: str = "cli") -> Edit:
        """Put sources, passages, entities or facts into the recycle bin, all in one operation."""
        return self._each(actor, "delete", ids, edits.delete)

    def undelete(self, ids: Sequence[str], *, actor: str = "cli") -> Edit:
        """Take records out of the recycle bin."""
        return self._each(actor, "undelete", ids, edits.undelete)

    def pin(self, id: str, *, pinned: bool = True, actor: str = "cli") -> Edit:
        """Keep a passage, an entity or a fact whatever forgetting does, or (with `pinned` false) stop keeping it."""

        def change(batch: Batch, table: str, row: int) -> None:
            edits.pin(batch, table, row, pinned=pinned)

        return self._each(actor, "pin" if pinned else "unpin", [id], change)

    def purge(self, ids: Sequence[str], *, actor: str = "cli") -> Edit:
        """Take deleted sources or passages out of every file for good. This cannot be undone."""
        with self._store.reading() as connection:
            rows = purge.purgeable(connection, [self._store.ids.decode(id) for id in ids])
        secret = self._store.secret
        done = self._edit(
            actor, "purge", f"{len(rows)} passages", lambda batch: purge.purge_passages(batch, rows, secret=secret)
        )
        self._shelf.forget()
        self._store.database.scrub()
        return done

    def undo(self, operation: str | None = None, *, actor: str = "cli") -> Edit:
        """Take back the actor's latest operation, or by its id an earlier one of theirs, or a calibration that the memory did by itself.

        Raises:
            NothingToUndo, UndoBlocked: there is none, or others have since built upon it.
            NotFound, InvalidInput, Conflict: what is named is not theirs to take back, or does not stand.
        """
        return self._turned(undo.undo(self._store.journal, actor, named=self._named(operation)))

    def redo(self, operation: str | None = None, *, actor: str = "cli") -> Edit:
        """Do again what the actor's latest undo took back, or what is named; raises as `undo`."""
        return self._turned(undo.redo(self._store.journal, actor, named=self._named(operation)))

    def _named(self, operation: str | None) -> int | None:
        return None if operation is None else self._store.ids.row(operation, "operations")

    def _entity(self, id: str) -> int:
        with self._store.reading() as connection:
            return read.standing(connection, self._store.ids.row(id, "entities"))

    def _names(self, entities: Sequence[int]) -> str:
        with self._store.reading() as connection:
            shown = read.displayed(connection, entities)
        return ", ".join(shown[row][0] for row in entities)

    def _edit(self, actor: str, kind: str, summary: str, change: Callable[[Batch], object]) -> Edit:
        with self._store.operation(actor, kind, summary=summary) as operation, operation.batch() as batch:
            change(batch)
        assert operation.id is not None  # its batch was committed
        return self._told(operation.id, kind, summary)

    def _each(self, actor: str, kind: str, ids: Sequence[str], change: Callable[[Batch, str, int], None]) -> Edit:
        if not ids:
            raise InvalidInput(f"say what to {kind}")
        records = [self._store.ids.decode(id) for id in ids]

        def all_of_them(batch: Batch) -> None:
            for table, row in records:
                change(batch, table, row)

        return self._edit(actor, kind, f"{len(ids)} records" if len(ids) > 1 else "1 record", all_of_them)

    def _turned(self, undone: Undone) -> Edit:
        return self._told(undone.inverse, undone.kind, undone.summary)

    def _told(self, operation: int, kind: str, summary: str) -> Edit:
        with self._store.reading() as connection:
            changes = provenance.changed_by(connection, self._store.ids, operation)
        return Edit(self._store.ids.encode("operations", operation), kind, summary, tuple(changes))
