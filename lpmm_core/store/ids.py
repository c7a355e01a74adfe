"""Opaque text ids for row numbers.

An id is a letter for its kind and 13 characters: the row number and a keyed check, under a secret that each space draws at birth. So
ids cost no column and no index, say nothing about how much a memory holds, and an id of another space is unknown here. A space restored
from a backup is a copy of the same memory and keeps the secret, so that the ids in its traces stay good and what was purged stays known.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

from lpmm_core.base.errors import NotFound

KINDS = {
    "sources": "s",
    "passages": "p",
    "occurrences": "o",
    "entities": "e",
    "facts": "f",
    "operations": "x",
    "jobs": "j",
    "traces": "t",
}
_TABLES = {letter: table for table, letter in KINDS.items()}
_NOUNS = {
    "s": "source",
    "p": "passage",
    "o": "occurrence",
    "e": "entity",
    "f": "fact",
    "x": "operation",
    "j": "job",
    "t": "trace",
}


class Ids:
    """Encodes and decodes the ids of one space; `secret` is 32 bytes."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def encode(self, table: str, row: int) -> str:
        """Return the id of row number `row` of `table`."""
        letter = KINDS[table]
        check = self._check(letter, row)
        masked = row ^ int.from_bytes(self._stream(letter, check), "big")
        return letter + base64.b32encode(check + masked.to_bytes(5, "big")).decode().rstrip("=").lower()

    def decode(self, text: str, table: str | None = None) -> tuple[str, int]:
        """Return (table, row number) of an id.

        Raises:
            NotFound: it is no id of this space, or not one of `table`.
        """
        wanted = _NOUNS[KINDS[table]] if table else "record"
        try:
            letter, body = text[0], base64.b32decode(text[1:].upper() + "=" * (-(len(text) - 1) % 8))
            found, check, masked = _TABLES[letter], body[:3], int.from_bytes(body[3:], "big")
            if len(body) != 8 or (table and found != table):
                raise ValueError
        except (ValueError, KeyError, IndexError) as error:
            raise NotFound(f"there is no {wanted} {text!r} in this memory") from error
        row = masked ^ int.from_bytes(self._stream(letter, check), "big")
        if row < 1 or self.encode(found, row) != text:
            raise NotFound(f"there is no {wanted} {text!r} in this memory")
        return found, row

    def row(self, text: str, table: str) -> int:
        """Return the row number of an id of `table`; raises NotFound as `decode` does."""
        return self.decode(text, table)[1]

    def _check(self, letter: str, row: int) -> bytes:
        return hmac.digest(self._secret, letter.encode() + row.to_bytes(8, "big"), hashlib.sha256)[:3]

    def _stream(self, letter: str, check: bytes) -> bytes:
        return hmac.digest(self._secret, b"mask" + letter.encode() + check, hashlib.sha256)[:5]
