"""Writing OpenIE JSON, the file LPMM and its relatives read: passages with their entities and triples.

`idx` is the sha256 of the passage that is written, and the averages are counted from the entities that are written, never copied. The file
is UTF-8 and not ASCII-escaped. What a passage denies stands in a list of its own, `denied_triples`, which other programs leave unread:
among the triples they would take it for stated. A memory may be larger than the machine's, so documents are written as they come; the
averages stand at the end, where they are known. Reading such files is `lpmm_core.ingest.documents`.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TextIO

from lpmm_core.base.errors import StorageFull
from lpmm_core.ingest.documents.clean import without_controls
from lpmm_core.ingest.documents.openie import DENIED

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class OpenieDocument(NamedTuple):
    """One passage to be written, with the names and the (subject, predicate, object) triples it states, and those it denies."""

    passage: str
    entities: Sequence[str] = ()
    triples: Sequence[tuple[str, str, str]] = ()
    denied: Sequence[tuple[str, str, str]] = ()


_Triples = Sequence[tuple[str, str, str]]
Openie = OpenieDocument | tuple[str, Sequence[str], _Triples] | tuple[str, Sequence[str], _Triples, _Triples]


@dataclass(frozen=True, slots=True)
class Written:
    """What a file holds, denied triples among the triples.

    The averages are over all entities of all documents, rounded to four places, and 0 without entities.
    """

    documents: int
    entities: int
    triples: int
    average_characters: float
    average_words: float


def write_openie(stream: TextIO, documents: Iterable[Openie]) -> Written:
    """Write `documents` to `stream`, one a line, and return what was written."""
    count = entities = triples = characters = words = 0
    stream.write('{"docs": [')
    for passage, given_names, given_triples, given_denied in (OpenieDocument(*document) for document in documents):
        # Half surrogate pairs cannot be written as UTF-8, and other readers stumble over control characters.
        text = without_controls(passage)
        names = [without_controls(name) for name in given_names]
        found, denied = _cleaned(given_triples), _cleaned(given_denied)
        stream.write(",\n" if count else "\n")
        idx = hashlib.sha256(text.encode("utf-8")).hexdigest()
        record = {"idx": idx, "passage": text, "extracted_entities": names, "extracted_triples": found}
        if denied:
            record[DENIED] = denied
        stream.write(json.dumps(record, ensure_ascii=False))
        count += 1
        entities += len(names)
        triples += len(found) + len(denied)
        characters += sum(map(len, names))
        words += sum(len(name.split()) for name in names)
    written = Written(count, entities, triples, _average(characters, entities), _average(words, entities))
    stream.write(f'\n], "avg_ent_chars": {written.average_characters}, "avg_ent_words": {written.average_words}}}\n')
    return written


def save_openie(path: Path, documents: Iterable[Openie]) -> Written:
    """Write `documents` to the file `path`, which appears complete or not at all; one that stood there is replaced.

    Raises:
        StorageFull: the disk refused it; what stood at `path` is untouched.
    """
    unfinished = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with unfinished.open("x", encoding="utf-8", newline="\n") as stream:
            written = write_openie(stream, documents)
            stream.flush()
            os.fsync(stream.fileno())
        unfinished.replace(path)
    except OSError as error:
        if error.errno in _FULL:
            raise StorageFull(f"{path} was not written: the disk is full; make room and export again") from error
        raise
    finally:
        unfinished.unlink(missing_ok=True)
    return written


def _cleaned(triples: Sequence[tuple[str, str, str]]) -> list[list[str]]:
    return [[without_controls(part) for part in triple] for triple in triples]


def _average(total: int, count: int) -> float:
    return round(total / count, 4) if count else 0.0
