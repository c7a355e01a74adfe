"""Guessing the encoding of bytes that are not UTF-8.

Chinese text outside UTF-8 is nearly always GB18030 (or its subset GBK), so that is tried first, and is believed only when the
result reads like Chinese: GB18030 gives *some* character to almost any pair of bytes, and UTF-8 read as GB18030 is full of rare
characters. Nine in ten characters of real text are among the 3,755 common ones of GB 2312's first level. Everything else is left to
charset-normalizer, and its answer too has to read like text.

A file whose lines are in two encodings is not repaired line by line, which would silently turn some lines into other characters;
it is refused with the place, and its owner decides.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass

import charset_normalizer

# Fewer of the characters that are common in running text means that the bytes were not meant this way.
_COMMON_SHARE = 0.8

# Korean and Japanese in their own two-byte encodings also give common ideographs, but not those that no Chinese page lacks.
_IN_EVERY_TEXT = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里"
)
_IN_EVERY_TEXT_SHARE = 0.06
_LONG_ENOUGH_TO_TELL = 30
_MOST_KANA = 0.2
_SAMPLE = 20_000

# Three bytes that are one character in UTF-8. Three of them in one line which is UTF-8 to its end do not come about by chance.
_UTF8_TRIPLE = re.compile(rb"[\xe0-\xef][\x80-\xbf]{2}")
_TRIPLES_THAT_TELL = 3
_DAMAGED_UTF8_SHARE = 0.7

_HIGH_BYTES = re.compile(rb"[\x80-\xff]+")
_ALONE_SHARE = 0.8

_NON_ASCII = re.compile("[^\x00-\x7f]+")
_ASIAN = re.compile("[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff00-\uffef]")
_TYPOGRAPHY = frozenset(
    "\u2018\u2019\u201c\u201d\u2013\u2014\u2026\u00ab\u00bb\u00a0\u00b0\u00b7\u20ac\u00a3\u00a7\u2116\u00a1\u00bf"
)

_MULTI_BYTE = frozenset(
    {
        "gb18030",
        "big5",
        "big5hkscs",
        "cp950",
        "cp932",
        "shift_jis",
        "shift_jis_2004",
        "euc_jp",
        "cp949",
        "euc_kr",
        "johab",
    }
)
_WIDER = {
    "gbk": "gb18030",
    "gb2312": "gb18030",
    "big5": "big5hkscs",
    "cp950": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}
_LATIN = ("cp1252", "cp1250", "cp1254", "cp1257", "cp1258", "latin_1", "iso8859_2", "iso8859_15", "mac_roman")
_OTHER_ALPHABETS = ("cp1251", "cp1253", "cp1255", "cp1256", "cp874", "iso8859_5", "iso8859_7", "koi8_r", "koi8_u")
_SINGLE_BYTE = [*_LATIN, *_OTHER_ALPHABETS]
_CANDIDATES = sorted({*_MULTI_BYTE, *_WIDER, *_SINGLE_BYTE})


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
        return _guess_latin(data)
    text = _decoded(data, "gb18030")
    if text is not None and _reads_as_chinese(text):
        return Guess("gb18030", text)
    best = charset_normalizer.from_bytes(data, cp_isolation=_CANDIDATES).best()
    if best is None:
        return None
    encoding = _WIDER.get(best.encoding, best.encoding)
    text = _decoded(data, encoding)
    if text is None:
        return None
    sound = _reads_as_letters(text) if encoding in _SINGLE_BYTE else _reads_as_asian(text)
    return Guess(encoding, text) if sound else None


def guess_utf16(data: bytes) -> Guess | None:
    """Return which UTF-16 `data` is when it has no byte order mark: the one in which it reads as text, and holds no zero."""
    if len(data) % 2:
        return None
    first, second = data[0::2].count(0), data[1::2].count(0)
    for encoding, zeros in (("utf-16-le", second), ("utf-16-be", first)):
        if zeros:
            text = _decoded(data, encoding)
            if text is not None and "\x00" not in text and (_reads_as_asian(text) or _reads_as_letters(text)):
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
    return text is not None and _reads_as_chinese(text)


def _high_bytes_stand_alone(data: bytes) -> bool:
    """Whether bytes beyond ASCII come one at a time among ASCII letters, as accents do; in Asian encodings they come in pairs."""
    runs = [len(run) for run in _HIGH_BYTES.findall(data[:_SAMPLE])]
    return bool(runs) and runs.count(1) >= _ALONE_SHARE * len(runs)


def _guess_latin(data: bytes) -> Guess | None:
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
    return Guess(encoding, text) if text is not None and _reads_as_letters(text) else None


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _sample(text: str) -> str:
    """Return characters beyond ASCII from the beginning, the middle and the end."""
    third = _SAMPLE // 3
    middle = len(text) // 2
    parts = [text] if len(text) <= _SAMPLE else [text[:third], text[middle : middle + third], text[-third:]]
    return "".join("".join(_NON_ASCII.findall(part)) for part in parts)


def _reads_as_chinese(text: str) -> bool:
    foreign = _sample(text)
    ideographs = [c for c in foreign if "\u3400" <= c <= "\u9fff"]
    if not ideographs or len(_ASIAN.findall(foreign)) + sum(c in _TYPOGRAPHY for c in foreign) < _COMMON_SHARE * len(
        foreign
    ):
        return False
    if sum("\u3040" <= c <= "\u30ff" for c in foreign) > _MOST_KANA * len(foreign):
        return False
    if len(ideographs) >= _LONG_ENOUGH_TO_TELL and sum(
        c in _IN_EVERY_TEXT for c in ideographs
    ) < _IN_EVERY_TEXT_SHARE * len(ideographs):
        return False
    return sum(map(_is_common, ideographs)) >= _COMMON_SHARE * len(ideographs)


def _is_common(ideograph: str) -> bool:
    """Whether it is of the first level of GB 2312, whose rows are 0xB0 to 0xD7."""
    try:
        return 0xB0 <= codecs.encode(ideograph, "gb2312")[0] <= 0xD7
    except UnicodeEncodeError:
        return False


def _reads_as_asian(text: str) -> bool:
    foreign = _sample(text)
    return len(_ASIAN.findall(foreign)) + sum(c in _TYPOGRAPHY for c in foreign) >= 0.9 * len(foreign) > 0


def _reads_as_letters(text: str) -> bool:
    """Whether the characters beyond ASCII are letters of one alphabet, few of them if that alphabet is Latin."""
    foreign = _sample(text)
    letters = [c for c in foreign if unicodedata.category(c)[0] in "LM"]
    if len(letters) + sum(c in _TYPOGRAPHY for c in foreign) < 0.9 * len(foreign):
        return False
    latin = sum(unicodedata.name(c, "").startswith("LATIN") for c in letters)
    if 0.1 * len(letters) < latin < 0.9 * len(letters):
        return False
    return latin == 0 or len(foreign) <= 0.4 * sum(c.isalpha() for c in text[:_SAMPLE] + text[-_SAMPLE:])
