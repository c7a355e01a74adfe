"""Bringing text in: sources, passages and their occurrences.

Text is written before any model runs. A passage is kept once per content; a known one only gains an occurrence, one that was deleted is
revived, one that was purged is refused.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from lpmm_core.base.clock import to_text
from lpmm_core.base.errors import Conflict, InvalidInput
from lpmm_core.base.names import name_key, why_not_a_name
from lpmm_core.base.records import Document, Extraction, Kind, Mention, Piece, Triple
from lpmm_core.store.journal import Batch


@dataclass(frozen=True, slots=True)
class Added:
    """What one document brought: row numbers of the source and its occurrences, and how many of its passages were new or known."""

    source: int
    occurrences: range
    new: int
    known: int
    refused: int
    beside: tuple[tuple[int, str], ...] = ()
    """Row and name of each source that stands with the same bytes, read in another encoding."""


class SameBytes(Conflict):
    """The memory has these very bytes; `details["source"]` is the id of the source that brought them."""


_TRUST = 1.0
"""How far a new source is believed."""


def content(text: str, title: str | None) -> str:
    """Return the text by which a passage is embedded and searched: its title, if any, on a line before it."""
    return f"{title}\n{text}" if title else text


def content_hash(text: str, title: str | None) -> str:
    """Return the sha256 (hex) of a passage: of its title and its text, kept apart, so that a first line is not taken for a title."""
    return hashlib.sha256(f"{title or ''}\0{text}".encode()).hexdigest()


def salted(secret: bytes, digest: str) -> str:
    """Return what is kept of a purged text: enough to know it again, nothing to read it from."""
    return hashlib.sha256(secret + digest.encode()).hexdigest()


def same_bytes(connection: sqlite3.Connection, digest: str) -> tuple[int, str] | None:
    """Return (row, name) of the live source with these very bytes, or None."""
    return next(iter(_of_same_bytes(connection, digest)), None)


def _of_same_bytes(connection: sqlite3.Connection, digest: str) -> list[tuple[int, str]]:
    rows = connection.execute(
        "SELECT id, name FROM sources WHERE digest = ? AND deleted IS NULL ORDER BY id", (digest,)
    )
    return [(row["id"], row["name"]) for row in rows]


def _reads_the_same(connection: sqlite3.Connection, source: int, document: Document, hashes: Sequence[str]) -> bool:
    """Tell whether a source of the same bytes was read in the document's encoding, or holds each of its passages anyway."""
    row = connection.execute("SELECT encoding FROM sources WHERE id = ?", (source,)).fetchone()
    held = connection.execute(
        "SELECT p.hash FROM occurrences o JOIN passages p ON p.id = o.passage WHERE o.source = ?", (source,)
    )
    return row["encoding"] == document.encoding or {h["hash"] for h in held}.issuperset(hashes)


def add_document(batch: Batch, document: Document, *, secret: bytes, encoding_said: bool = False) -> Added:
    """Write one document: its source, the passages that are new, an occurrence of each.

    Args:
        batch: what is being written.
        document: what to write.
        secret: the memory's, by which purged texts are known again.
        encoding_said: a person said the encoding, so that bytes that were read in another become a source of their own.

    Raises:
        SameBytes: a source that stands has these very bytes.
        InvalidInput: it has no passage, or each of them was purged before.
    """
    connection = batch.connection
    hashes = [content_hash(piece.text, piece.title) for piece in document.pieces]
    beside = _of_same_bytes(connection, document.digest)
    for source, name in beside:
        if not encoding_said or _reads_the_same(connection, source, document, hashes):
            raise SameBytes(
                f"the memory has these very bytes already, as {name}", source=batch.ids.encode("sources", source)
            )
    if not document.pieces:
        raise InvalidInput(f"{document.name} holds no text")
    purged = _found(connection, "tombstones", "digest", [salted(secret, h) for h in hashes])
    kept = [(piece, h) for piece, h in zip(document.pieces, hashes, strict=True) if salted(secret, h) not in purged]
    if not kept:
        raise InvalidInput(f"{document.name} holds only text that was purged from this memory and is not taken again")
    known = _found(connection, "passages", "hash", [h for _, h in kept])
    fresh: dict[str, Piece] = {}
    for piece, h in kept:
        if h not in known:
            fresh.setdefault(h, piece)
    rows = batch.insert(
        "passages",
        ("hash", "title", "text", "pinned", "version"),
        [(h, piece.title, piece.text, 0, 1) for h, piece in fresh.items()],
    )
    for row in set(known.values()):
        batch.update("passages", row, deleted=None)
    at = known | dict(zip(fresh, rows, strict=True))
    source = _add_source(batch, document)
    occurrences = _add_occurrences(batch, source, [(piece, at[h]) for piece, h in kept])
    return Added(source, occurrences, len(fresh), len(kept) - len(fresh), len(hashes) - len(kept), tuple(beside))


def _add_source(batch: Batch, document: Document) -> int:
    notes = json.dumps(document.notes, ensure_ascii=False)
    columns = ("name", "media", "digest", "encoding", "notes", "created", "trust", "version")
    row = (document.name, document.media, document.digest, document.encoding, notes, batch.time, _TRUST, 1)
    return batch.insert("sources", columns, [row])[0]


def _add_occurrences(batch: Batch, source: int, pieces: Sequence[tuple[Piece, int]]) -> range:
    """Let passages (row numbers) stand in a source, in this order."""
    columns = ("source", "passage", "position", "speaker", "said_at", "recorded_at", "given")
    rows = [
        (
            source,
            passage,
            position,
            piece.speaker,
            to_text(piece.said_at) if piece.said_at else None,
            batch.time,
            pack(piece.extraction),
        )
        for position, (piece, passage) in enumerate(pieces, start=1)
    ]
    return batch.insert("occurrences", columns, rows)


def title_keys(title: str | None) -> list[str]:
    """Return the name keys a title stands for, if it can be a name: itself, and itself without a qualifier ("Paris (Texas)")."""
    if not title:
        return []
    bare = title
    for opening, closing in ("()", "（）"):
        start, end = bare.find(opening), bare.rfind(closing)
        if 0 < start < end:
            bare = bare[:start] + bare[end + 1 :]
    return sorted({name_key(name) for name in (title, bare) if not why_not_a_name(name)})


def pack(extraction: Extraction | None) -> str | None:
    """Write an extraction that came with a file as JSON, to be kept until it is taken up."""
    return None if extraction is None else json.dumps(asdict(extraction), ensure_ascii=False)


def unpack(text: str | None) -> Extraction | None:
    """Read what `pack` wrote."""
    if text is None:
        return None
    found = json.loads(text)
    mentions = tuple(Mention(**{**m, "kind": Kind(m["kind"])}) for m in found["mentions"])
    return Extraction(mentions, tuple(Triple(**t) for t in found["triples"]))


def _found(connection: sqlite3.Connection, table: str, column: str, values: Sequence[str]) -> dict[str, int]:
    """Map those of `values` that stand in a unique column to their row numbers."""
    rows: dict[str, int] = {}
    for start in range(0, len(values), 500):
        part = values[start : start + 500]
        slots = ",".join("?" * len(part))
        rows.update(
            connection.execute(f"SELECT {column}, rowid FROM {table} WHERE {column} IN ({slots})", part).fetchall()
        )
    return rows
