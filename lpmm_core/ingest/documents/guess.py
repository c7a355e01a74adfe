"""Guessing the encoding of bytes that are not UTF-8.

Chinese text outside UTF-8 is nearly always GB18030 (or its subset GBK), so that is tried first, then the encodings of its
neighbours; each is believed only when the result reads like its language. The many single-byte encodings are left to
charset-normalizer, and its answer has to read like letters of one alphabet.

A file whose lines are in two encodings is not repaired line by line, which would silently turn some lines into other characters;
it is refused with the place, and its owner decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import charset_normalizer

from lpmm_core.ingest.documents.plausible import reads_as_chinese, reads_as_japanese, reads_as_korean, reads_as_letters

# How each two-byte encoding is believed; the first that reads like its language is it. Big5 is last: its most used characters are
# the kana of Japanese bytes, while its own bytes are hardly ever valid in the others.
_ASIAN = (
    ("gb18030", reads_as_chinese),
    ("cp932", reads_as_japanese),
    ("euc_jp", reads_as_japanese),
    ("cp949", reads_as_korean),
    ("big5hkscs", reads_as_chinese),
)
_SINGLE_BYTE = [
    *("cp1252", "cp1250", "cp1254", "cp1257", "cp1258", "latin_1", "iso8859_2", "iso8859_15", "mac_roman"),
    *("cp1251", "cp1253", "cp1255", "cp1256", "cp874", "iso8859_5", "iso8859_7", "koi8_r", "koi8_u"),
]
_LANGUAGES = (reads_as_chinese, reads_as_japanese, reads_as_korean, reads_as_letters)
_SAMPLE = 20_000

# Three bytes that are one character in UTF-8. Three of them in one line which is UTF-8 to its end do not come about by chance.
_UTF8_TRIPLE = re.compile(rb"[\xe0-\xef][\x80-\xbf]{2}")
_TRIPLES_THAT_TELL = 3
_DAMAGED_UTF8_SHARE = 0.7

_HIGH_BYTES = re.compile(rb"[\x80-\xff]+")
_ALONE_SHARE = 0.8


@dataclass(frozen=True, slots=True)
class Guess:
    """An encoding, and all of the bytes read in it."""

    encoding: str
    text: str


@dataclass(frozen=True, slots=True)
class Mixture:
    """A file that is UTF-8 in one line and something else in another; lines count from 1."""

    utf8_line: int
    other_line: int


def find_mixture(data: bytes) -> Mixture | None:
    """Return where two encodings meet in one file, or None.

    A line is called UTF-8 only when that cannot be an accident of another encoding.
    """
    utf8_line = other_line = None
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.isascii():
            continue
        try:
            line.decode("utf-8")
        except UnicodeDecodeError:
            other_line = other_line or number
        else:
            if utf8_line is None and len(_UTF8_TRIPLE.findall(line)) >= _TRIPLES_THAT_TELL:
                utf8_line = number
        if utf8_line and other_line:
            return Mixture(utf8_line, other_line)
    return None


def is_damaged_utf8(data: bytes) -> bool:
    """Whether most of the bytes beyond ASCII are UTF-8 although some are not: a file cut or joined in the middle of a character."""
    foreign = len(data) - len(data.translate(None, bytes(range(128, 256))))
    valid = sum(
        len(m.group())
        for m in re.finditer(rb"[\xc3-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}", data)
    )
    return foreign > 0 and valid / foreign >= _DAMAGED_UTF8_SHARE


def guess_encoding(data: bytes) -> Guess | None:
    """Return the encoding in which all of `data` reads as text, and that text, or None."""
    if _high_bytes_stand_alone(data):
        return _guess_single_byte(data) or _guess_two_byte(data)
    return _guess_two_byte(data) or _guess_single_byte(data)


def guess_utf16(data: bytes) -> Guess | None:
    """Return which UTF-16 `data` is when it has no byte order mark: the one in which it reads as text, and holds no zero."""
    if len(data) % 2:
        return None
    first, second = data[0::2].count(0), data[1::2].count(0)
    for encoding, zeros in (("utf-16-le", second), ("utf-16-be", first)):
        if zeros:
            text = _decoded(data, encoding)
            if text is not None and "\x00" not in text and any(reads(text) for reads in _LANGUAGES):
                return Guess(encoding, text)
    return None


def first_undecodable(data: bytes, encoding: str) -> int | None:
    """Return the offset of the first byte that is not `encoding`, or None when all of it is."""
    try:
        data.decode(encoding)
    except UnicodeDecodeError as error:
        return error.start
    return None


def opening_reads_as_chinese(data: bytes) -> bool:
    """Whether `data`, the part of a file before its first bad byte, is convincing GB18030."""
    text = _decoded(data, "gb18030")
    return text is not None and reads_as_chinese(text)


def _high_bytes_stand_alone(data: bytes) -> bool:
    """Whether bytes beyond ASCII come one at a time among ASCII letters, as accents do; in Asian encodings they come in pairs."""
    runs = [len(run) for run in _HIGH_BYTES.findall(data[:_SAMPLE])]
    return bool(runs) and runs.count(1) >= _ALONE_SHARE * len(runs)


def _guess_two_byte(data: bytes) -> Guess | None:
    for encoding, reads_as_its_language in _ASIAN:
        text = _decoded(data, encoding)
        if text is not None and reads_as_its_language(text):
            return Guess(encoding, text)
    return None


def _guess_single_byte(data: bytes) -> Guess | None:
    """Choose among the single-byte encodings; Windows-1252, by far the most used, wins when it reads no worse than the best."""
    matches = charset_normalizer.from_bytes(data, cp_isolation=_SINGLE_BYTE)
    best = matches.best()
    usual = next((match for match in matches if "cp1252" in match.could_be_from_charset), None)
    encoding = "cp1252"
    if best is not None and (
        usual is None or usual.chaos > best.chaos + 0.06 or usual.coherence < best.coherence - 0.2
    ):
        encoding = best.encoding
    text = _decoded(data, encoding)
    return Guess(encoding, text) if text is not None and reads_as_letters(text) else None


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None
